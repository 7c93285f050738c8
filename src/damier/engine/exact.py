"""Analyses from tables of exact values, and the tables that an engine can use."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.core.kernel.contract import REPETITION_FORBIDDEN
from damier.engine.analysis import Analysis, Line, Value
from damier.solve.history_values import HistoryValues
from damier.solve.location import has_table
from damier.solve.value import TableValue

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.core.record import Record
    from damier.solve.covering import CoveringTables
    from damier.solve.leaves import Leaves
    from damier.solve.tables import Tables

_log = logging.getLogger(__name__)

_LONGEST_LINE = 20  # plies of a drawn line; decided lines go to the end


class Exact:
    """A table with positions of a game, for engines."""

    def __init__(self, game: Game, tables: Tables | None = None) -> None:
        """`tables` is the table of the game, unless told otherwise."""
        self.game = game
        self._tables = tables or game.tables
        self._values = HistoryValues(self._tables)

    @property
    def is_own(self) -> bool:
        """Whether it is the table of the game with its options."""
        return self._tables.game_of_table == self.game

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


class UsableTables:
    """The tables with positions of a game: its own, and those of other options (``solve/covering.py``).

    One of other options that is damaged or of another version is logged and left out until its file changes.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        from damier.solve.covering import CoveringTables, covering_games  # and with it NumPy

        self._own = Exact(game)
        self._others = [CoveringTables(game, other) for other in covering_games(game)]
        self._failed: dict[CoveringTables, object] = {}
        self._leaves: tuple[object, Leaves | None] = None, None

    def find(self, position: Position) -> Exact | None:
        """Returns the table of the game, if it has been built, else the first other one that has a position."""
        if has_table(self.game):
            return self._own
        for tables in self._others:
            if _stamp(tables) and tables.covers(position.state) and self._is_open(tables):
                return Exact(self.game, tables)
        return None

    def leave_out(self, exact: Exact, error: DamierError) -> None:
        """Uses a table of other options no longer, because of an error."""
        tables = next(each for each in self._others if each is exact._tables)
        self._fail(tables, error)

    def leaves(self, megabytes: int) -> Leaves | None:
        """Returns what fits into `megabytes` of the first table of other options that can be read; None if none can.

        None, too, if the game has a table of its own, as there is nothing to search then.
        """
        if has_table(self.game) or not megabytes:
            return None
        from damier.solve.leaves import open_leaves  # and with it NumPy

        for tables in self._others:
            if not self._is_open(tables):
                continue
            key = tables, _stamp(tables), megabytes
            if self._leaves[0] == key:
                return self._leaves[1]
            try:
                self._leaves = key, open_leaves(tables, megabytes)
            except DamierError as error:
                self._fail(tables, error)
                continue
            return self._leaves[1]
        return None

    def _is_open(self, tables: CoveringTables) -> bool:
        """Opens a table, if it is there and not known to be damaged; returns whether it is open."""
        stamp = _stamp(tables)
        if stamp is None or self._failed.get(tables) == stamp:
            return False
        try:
            return bool(tables.file)
        except DamierError as error:
            self._fail(tables, error)
            return False

    def _fail(self, tables: CoveringTables, error: DamierError) -> None:
        self._failed[tables] = _stamp(tables)
        tables.close()
        _log.error("the table %s cannot be used, the engine does without it: %s", tables.path.name, error)


def _stamp(tables: CoveringTables) -> object:
    """Returns what changes with the file of a table; None if there is none."""
    try:
        found = tables.path.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size) if found.st_size else None
