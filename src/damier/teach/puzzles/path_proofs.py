"""Proofs where the rules forbid a return: the table's values of a puzzle, searched again with their history.

Uses ``solve/returns/record_search.py`` after the actions of a record. From a fresh history, a win is proved if every
defence that the path allows was tried; a win within a number of plies is refuted if every action was tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.record import Record
from damier.solve.returns.path_search import PROVED, REFUTED
from damier.solve.returns.record_search import RecordSearch

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from damier.core.position import Position
    from damier.solve.tables import Tables
    from damier.solve.value import TableValue

LONGEST = 7
"""Plies up to which other wins are refuted."""

SAFE_PLIES = 7
"""Plies in which a win of the opponent against a defence is refuted."""

_NODES = 3_000_000  # of one search: about a second


class PathProof:
    """The path search for one game with its table."""

    def __init__(self, tables: Tables) -> None:
        self._game = tables.game
        self._search = RecordSearch(tables, compiled=True)

    def confirms_win(self, position: Position, answer: str, plies: int, losing: Mapping[str, TableValue]) -> bool:
        """Tells whether `answer` wins within `plies`, no other action does, and those in `losing` lose: all proved.

        Actions that lead to the same position count as different; no game that forbids returns has such.
        """
        record = Record(position)
        if plies > LONGEST or self._answer(record, answer, position.mover, plies, plies) != PROVED:
            return False
        others = [action for action in record.actions() if action != answer]
        if any(self._answer(record, action, position.mover, plies, plies) != REFUTED for action in others):
            return False
        return all(self._loses(record, action, losing[action]) for action in others if action in losing)

    def confirms_defence(self, position: Position, answer: str, losing: Mapping[str, TableValue]) -> bool:
        """Tells whether all actions in `losing` lose and `answer` does not within SAFE_PLIES: all proved."""
        record = Record(position)
        if not all(self._loses(record, action, value) for action, value in losing.items()):
            return False
        enemy = self._game.opponent(position.mover)
        return self._answer(record, answer, enemy, SAFE_PLIES + 1, SAFE_PLIES + 1) == REFUTED

    def agrees(self, record: Record, values: Mapping[str, TableValue], right: Collection[str], left: int) -> bool:
        """Tells whether exactly the actions in `right` win within `left` plies after the record."""
        mover = record.mover
        return all(
            self._answer(record, action, mover, left, left) == (PROVED if action in right else REFUTED)
            for action in values
        )

    def _loses(self, record: Record, action: str, value: TableValue) -> bool:
        """Tells whether an action is proved to lose in as many plies as the table says."""
        enemy = self._game.opponent(record.mover)
        return self._answer(record, action, enemy, value.plies or 0, 0) == PROVED

    def _answer(self, record: Record, action: str, winner: str, plies: int, wide: int) -> int:
        """Searches for a forced win of `winner` within `plies`, starting with `action`: PROVED, REFUTED or STOPPED."""
        return self._search.answer(record, action, winner, plies, wide, _NODES)
