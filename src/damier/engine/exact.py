"""Analyses from a table of exact values."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from damier.core.kernel.contract import REPETITION_FORBIDDEN
from damier.engine.analysis import Analysis, Line, Value
from damier.solve.history_values import HistoryValues
from damier.solve.value import TableValue

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record

_LONGEST_LINE = 20  # plies of a drawn line; decided lines go to the end


class Exact:
    """The table of a game, for engines."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._tables = game.tables
        self._values = HistoryValues(self._tables)

    def actions(self, record: Record) -> dict[str, TableValue]:
        """Returns the value of every action that is legal now, for the player on move, best first."""
        return self._values.actions(record)

    def analysis(
        self, record: Record, values: dict[str, TableValue], lines: int, longest: int | None = None
    ) -> Analysis:
        """Returns the best `lines` of the actions with these values, continued by best play of both sides.

        Lines are cut after `longest` plies; without it, lines that are decided go to the end of the game. Every line
        can be played after the record. Where the history forbids what the table needs, a line ends there.
        """
        began = time.perf_counter()
        best = dict(list(values.items())[: None if record.mover == "chance" else lines])  # at a die, every roll
        player = self._tables.player(record.position)
        proved = self._values.proved(record, best)
        found = tuple(
            Line(self._line(record, text, value, longest, text in proved), self._value(player, value, text in proved))
            for text, value in best.items()
        )
        farthest = max((value.plies or 0 for value in best.values()), default=0)
        return Analysis(record.mover, farthest, len(best), time.perf_counter() - began, found, is_from_table=True)

    def _line(
        self, record: Record, action: str, value: TableValue, longest: int | None, is_proved: bool
    ) -> tuple[str, ...]:
        """Returns an action and how best play goes on: as the table has it, among the actions that are legal."""
        most = _LONGEST_LINE + 1 if value.plies is None else value.plies
        if longest is not None:
            most = min(most, longest)
        then, before = record.copy(), len(record.played)
        then.play(action)
        while then.result is None and then.mover != "chance" and len(then.played) - before < most:
            left = (value.plies or 0) - (len(then.played) - before)
            found = self._next(then, left if is_proved else 0)
            if found is None:
                break
            then.play(found)
        return then.played[before:]

    def _next(self, record: Record, left: int) -> str | None:
        """Returns the best action; None if the history forbids every action that keeps what the table promises.

        If the end is proved within `left` plies, a winner plays an action that keeps the proof.
        """
        values = self._values.legal_values(record)
        best = next(iter(values))
        if self.game.traits.repetition != REPETITION_FORBIDDEN:
            return best
        if values[best].chance < self._tables.probe_value(record.position).chance:
            return None
        if values[best].outcome == "win" and left:
            short = [text for text, value in values.items() if value.chance == 1 and (value.plies or 0) <= left]
            return next((text for text in short if self._values.proved(record, {text: values[text]})), best)
        return best

    def _value(self, player: str, value: TableValue, is_proved: bool) -> Value:
        winner = {"win": player, "loss": self.game.opponent(player)}.get(value.outcome)
        chances = (value.chance, 1 - value.chance)
        ordered = chances if player == self.game.players[0] else chances[::-1]
        return Value(ordered, winner, value.plies, is_proved)
