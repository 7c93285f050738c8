"""Turns: searching for all actions of one, writing them as one move, and whose turn it is.

The best line of a search may end in the middle of a turn. `TurnSearch` then searches again from there with what is
left of the limit, so that a player always answers with a whole turn.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from damier.core.record import eliminated, position_after
from damier.engine.limit import Limit

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.core.record import Record
    from damier.engine.analysis import Analysis
    from damier.engine.player import Player, Report

_FIRST_SHARE = 0.9  # of the time for a long turn, for the first search, which usually finds all of it
_FOLLOW_UP_NODES = 1000  # a few milliseconds
_FOLLOW_UP_SECONDS = 0.02


class TurnSearch:
    """A search for the rest of the turn of the player on move."""

    def __init__(
        self,
        player: Player,
        record: Record,
        limit: Limit,
        *,
        lines: int = 1,
        is_whole_turn: bool = True,
        report: Report | None = None,
        least_nodes: int | None = None,
    ) -> None:
        """`report` handles the analyses of the first search; without `is_whole_turn` only its first action counts.

        Each search for the rest of the turn may visit `least_nodes`, even if the first has used up the limit.
        """
        self._player = player
        self._record = record
        self._limit = limit
        self._lines = lines
        self._is_whole_turn = is_whole_turn
        self._report = report
        self._least_nodes = least_nodes or _FOLLOW_UP_NODES
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Ends the search soon; called from another thread."""
        self._stopped.set()
        self._player.stop()

    def wait_for_stop(self) -> None:
        """Blocks until `stop` is called."""
        self._stopped.wait()

    def run(self) -> list[str]:
        """Returns the actions up to the end of the turn, or only the first."""
        began, spent = time.monotonic(), 0
        found: list[str] = []
        record, limit = self._record, self._first_limit()
        while True:
            is_first = not found
            lines, report = (self._lines, self._handle_first) if is_first else (1, _ignore)
            line, nodes = self._player.search(record, limit, lines, report)
            part, is_complete = _part_of_turn(record.position, line or record.actions()[:1])
            found += part if self._is_whole_turn else part[:1]
            if is_complete or not self._is_whole_turn:
                return found
            spent += nodes
            record = record.copy()
            for action in part:
                record.play(action)
            limit = self._remaining(time.monotonic() - began, spent)

    def _handle_first(self, analysis: Analysis) -> None:
        """Passes an analysis on; stops the player again if `stop` came before its search had begun."""
        if self._report:
            self._report(analysis)
        if self._stopped.is_set():
            self._player.stop()

    def _first_limit(self) -> Limit:
        """Returns the limit of the first search, which leaves some time for the rest of a long turn."""
        limit, has_long_turns = self._limit, self._record.game.traits.has_long_turns
        if limit.seconds is None or not (has_long_turns and self._is_whole_turn):
            return limit
        return replace(limit, seconds=limit.seconds * _FIRST_SHARE)

    def _remaining(self, seconds: float, nodes: int) -> Limit:
        """Returns what is left of the limit after `seconds` and `nodes`, and always enough to finish the turn."""
        limit = self._limit
        if self._stopped.is_set() or limit == Limit():
            return Limit(nodes=_FOLLOW_UP_NODES)
        return Limit(
            seconds=None if limit.seconds is None else max(limit.seconds - seconds, _FOLLOW_UP_SECONDS),
            nodes=None if limit.nodes is None else max(limit.nodes - nodes, self._least_nodes),
            depth=limit.depth,
        )


def _ignore(analysis: Analysis) -> None:
    pass


def _part_of_turn(position: Position, line: Iterable[str]) -> tuple[list[str], bool]:
    """Returns the actions of a line that belong to the turn of the player on move, and whether they complete it."""
    part: list[str] = []
    for action in line:
        after = position.play(action)
        part.append(action)
        if not _goes_on(position, after):
            return part, True
        position = after
    return part, False


def _goes_on(before: Position, after: Position) -> bool:
    """Returns whether the player who has just acted goes on in the same turn."""
    return not after.is_settled and after.result is None and after.mover == before.mover


def turns_of(position: Position, actions: Iterable[str]) -> list[list[str]]:
    """Returns legal actions by turn: those of one player in one turn together; a roll of the die stands alone."""
    turns: list[list[str]] = []
    goes_on = False
    for action in actions:
        after = position_after(position, action)
        if eliminated(position.game, action):
            goes_on = False
        if goes_on:
            turns[-1].append(action)
        else:
            turns.append([action])
        goes_on = not after.is_settled and after.mover == position.mover and not eliminated(position.game, action)
        position = after
    return turns


def joined_turns(position: Position, actions: Iterable[str]) -> list[str]:
    """Returns actions as moves: those of one player in one turn joined with ``+``."""
    return ["+".join(turn) for turn in turns_of(position, actions)]


def player_to_act(position: Position) -> str | None:
    """Returns the player on move or, where the die is due, the one who will play the roll.

    None if there are three or four players and every roll leaves the one who rolls without an action. Of two players
    that is the one who loses.
    """
    if position.mover != "chance":
        return position.mover
    rolled = [position.play(roll) for roll in position.actions()]
    for after in rolled:
        if after.result is None and not after.is_settled:
            return after.mover
    return position.game.opponent(rolled[0].mover) if len(position.game.players) == 2 else None
