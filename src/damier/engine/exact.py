"""Analyses from a table of exact values."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from damier.engine.analysis import Analysis, Line, Value
from damier.solve.value import TableValue

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.core.record import Record

_LONGEST_LINE = 20  # plies of a drawn line; decided lines go to the end


class Exact:
    """The table of a game, for engines."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._tables = game.tables

    def actions(self, record: Record) -> dict[str, TableValue]:
        """Returns the exact value of every action that is legal now, for the player on move, best first."""
        legal = set(record.actions())
        return {text: value for text, value in self._tables.action_values(record.position).items() if text in legal}

    def analysis(
        self, record: Record, values: dict[str, TableValue], lines: int, longest: int | None = None
    ) -> Analysis:
        """Returns the best `lines` of the actions with these values, continued by best play of both sides.

        Lines are cut after `longest` plies; without it, lines that are decided go to the end of the game.
        """
        began = time.perf_counter()
        best = list(values.items())[: None if record.mover == "chance" else lines]  # at a die, every roll
        player = self._tables.player(record.position)
        found = tuple(
            Line((text, *self._continued(record.position.play(text), longest)), self._value(player, value))
            for text, value in best
        )
        farthest = max((value.plies or 0 for _, value in best), default=0)
        return Analysis(record.mover, farthest, len(best), time.perf_counter() - began, found, is_exact=True)

    def _continued(self, position: Position, longest: int | None) -> list[str]:
        line: list[str] = []
        while position.result is None and position.mover != "chance" and (longest is None or len(line) + 1 < longest):
            text, value = next(iter(self._tables.action_values(position).items()))
            if value.plies is None and len(line) >= _LONGEST_LINE:
                break
            line.append(text)
            position = position.play(text)
        return line

    def _value(self, player: str, value: TableValue) -> Value:
        winner = {"win": player, "loss": self.game.opponent(player)}.get(value.outcome)
        chances = (value.chance, 1 - value.chance)
        return Value(chances if player == self.game.players[0] else chances[::-1], winner, value.plies)
