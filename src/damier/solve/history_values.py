"""The values of a table in a game being played: what its history changes, and which values are proved for it.

A table has no history. Where the rules look at it, an action that is illegal by the history has no value here, and one
that ends the game by the history has the value of that end. Of the other values, these are *proved*:

    Returns are free             all.
    The third occurrence draws   a draw: both players can hold it, and repetition cannot make it a loss. A win in n
                                 plies, unless a position that has stood twice is won by the same player in fewer than
                                 n plies: the winner goes where the distance falls, so no other position that has stood
                                 twice can be on the way.
    A return is forbidden        a win or loss that a search with all situations of the game finds again
                                 (``returns/path_search.py``). A draw is never proved.

A win that is proved takes at most as many plies as the table says; it may take fewer, as the loser may not return
either. The search runs in plain Python and visits few nodes, so that it takes some hundredths of a second; longer wins
remain unproved, though they may be right.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from damier.core.kernel.contract import REPETITION_DRAWS, REPETITION_FORBIDDEN, REPETITION_FREE
from damier.solve.returns.path_search import PROVED
from damier.solve.returns.repetition import compares_positions
from damier.solve.value import TableValue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damier.core.outcome import Result
    from damier.core.record import Record
    from damier.solve.returns.record_search import RecordSearch
    from damier.solve.tables import Tables

NODES = 400
"""Nodes of the search that proves the values of one position, all together."""


class HistoryValues:
    """The values of one table after the actions of a record."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._game, self._repetition = tables.game, tables.game.traits.repetition

    @functools.cached_property
    def _search(self) -> RecordSearch:
        from damier.solve.returns.record_search import RecordSearch  # and with it NumPy

        return RecordSearch(self.tables, compiled=False)

    def actions(self, record: Record) -> dict[str, TableValue]:
        """Returns the value of every legal action, or of every roll, for the player on move; best first."""
        found = self.legal_values(record)
        if ends := self._ends(record, found):
            found.update(ends)
            found = dict(sorted(found.items(), key=lambda item: -item[1].merit))
        return found

    def legal_values(self, record: Record) -> dict[str, TableValue]:
        """Returns what the table says of every legal action, or of every roll, for the player on move; best first."""
        legal = set(record.actions())
        values = self.tables.action_values(record.position) if legal else {}
        return {text: value for text, value in values.items() if text in legal}

    def _ends(self, record: Record, values: Mapping[str, TableValue]) -> dict[str, TableValue]:
        """Returns the values of actions after which the game is over by its history."""
        then, found = record.copy(), {}
        for text in self._may_end(record, values):
            then.play(text)
            if then.result and not then.position.result:
                found[text] = result_value(then.result, record.mover, 1)
            then.undo()
        return found

    def _may_end(self, record: Record, values: Mapping[str, TableValue]) -> list[str]:
        """Returns the actions after which the game may be over by its history."""
        if self._repetition != REPETITION_DRAWS:
            return list(values) if self._repetition == REPETITION_FORBIDDEN else []
        repeated = record.repeated
        kernels, rules = self._game.kernels, self._game.rules
        twice = {kernels.situation(rules, position.state) for position in repeated}
        return [
            text for text in values if twice and kernels.situation(rules, record.position.play(text).state) in twice
        ]

    def value(self, record: Record) -> TableValue:
        """Returns the value of the present position for the player on move or about to roll."""
        if self._repetition == REPETITION_FREE or record.position.result:
            return self.tables.probe_value(record.position)
        if record.result:
            return result_value(record.result, record.mover, 0)
        return next(iter(self.actions(record).values()))

    def proved(self, record: Record, values: Mapping[str, TableValue], nodes: int = NODES) -> set[str]:
        """Returns which of the actions with these values have proved ones; the search visits at most `nodes` nodes."""
        found = set()
        for action, value in sorted(values.items(), key=lambda item: item[1].plies or 0):  # short proofs first
            if self._repetition == REPETITION_FREE or value.plies == 1:  # the game is over at once
                found.add(action)
            elif self._repetition == REPETITION_DRAWS:
                if value.outcome == "draw" or self._avoids_repetition(record, value):
                    found.add(action)
            elif value.plies is not None and nodes > 0:
                winner = self._winner(record.mover, value)
                answer = self._search.answer(record, action, winner, value.plies, 0, nodes)
                nodes -= self._search.nodes
                if answer == PROVED:
                    found.add(action)
        return found

    def _avoids_repetition(self, record: Record, win: TableValue) -> bool:
        """Tells whether no position that has stood twice can be on the way to a win or loss."""
        if not compares_positions(self._game):
            return False
        winner = self._winner(record.mover, win)
        for position in record.repeated:
            value = self.tables.get_value(position)
            if value is None:
                continue  # not in a table of other options, so it cannot come again
            is_same = value.outcome != "draw" and self._winner(position.mover, value) == winner
            if is_same and (value.plies or 0) < (win.plies or 0):
                return False
        return True

    def _winner(self, mover: str, value: TableValue) -> str:
        return mover if value.outcome == "win" else self._game.opponent(mover)


def is_proved(value: TableValue, values: Mapping[str, TableValue], proved: set[str]) -> bool:
    """Tells whether the value of a position is proved, given the values of its actions and which of them are."""
    if value.outcome == "loss":
        return len(proved) == len(values)
    return any(action in proved for action, each in values.items() if each == value)


def result_value(result: Result, player: str, plies: int) -> TableValue:
    """Returns the value, for a player, of a game that is over after `plies` more plies."""
    if result.winner is None:
        return TableValue("draw", plies)
    return TableValue("win" if result.winner == player else "loss", plies)
