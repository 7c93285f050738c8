"""One game between players, from an opening to its end. A player that breaks the rules loses it."""

from __future__ import annotations

import dataclasses
import logging
import random
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.core.messages import plain

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.limit import Limit
    from damier.engine.player import Player

MAX_TURNS = 400
"""The turns after which a game is a draw, so that every match ends."""

_LONGEST_NOTE = 300  # letters
_log = logging.getLogger(__name__)
_LEAST_REST = 0.1  # of the time for a turn: what a player that gives its actions one by one always has left


class _Fault(Exception):
    """A player has broken the rules, or has itself broken down."""


@dataclass(frozen=True)
class PlayedGame:
    """A game that is over: by the rules, by a player's fault, or because it was too long."""

    record: Record
    """With its result. Two players: a fault is a resignation; too long is a draw by the limit. A fault among more
    players leaves the record without a result, since none of the acts of a match says it."""

    culprit: str | None = None
    """Who lost by a fault, as in the notation."""

    note: str = ""
    """The fault, or that the game was too long."""

    @property
    def is_too_long(self) -> bool:
        """Whether it was drawn for its length."""
        return self.culprit is None and bool(self.note)

    def points(self, seats: Collection[str]) -> float:
        """Returns the points of `seats` together: 1, 0, or for a draw their share of all seats."""
        if self.culprit is not None:
            return float(self.culprit not in seats)
        result = self.record.result
        if result is None or result.winner is None:
            return len(seats) / len(self.record.game.players)
        return float(result.winner in seats)


def play_game(
    game: Game,
    players: Sequence[Player],
    limits: Limit | Sequence[Limit],
    *,
    opening: Sequence[str] = (),
    dice: int | str = 0,
    max_turns: int = MAX_TURNS,
) -> PlayedGame:
    """Plays a game between players given in the order of their seats.

    `dice` is the seed of the die. A player that raises an error, returns no action or an illegal one, or goes on after
    the end of the turn loses.
    """
    record = game.record()
    for action in opening:
        record.play(action)
    rolls = random.Random(f"dice {dice}")
    all_limits = list(limits) if isinstance(limits, Sequence) else [limits] * len(game.players)
    seats = dict(zip(game.players, zip(players, all_limits, strict=True), strict=True))
    mover = ""
    try:
        for mover, (player, _) in seats.items():  # noqa: B007  # named if it fails
            _call_new_game(player)
        while not record.result:
            if record.turn >= max_turns:
                record.stop_at_limit()
                return PlayedGame(record, note=f"a draw after {max_turns} turns")
            mover = record.mover
            if mover == "chance":
                record.play(rolls.choice(record.actions()))
            else:
                _play_turn(record, *seats[mover])
    except _Fault as fault:
        if len(game.players) == 2 and not record.result:
            record.resign(mover)
        return PlayedGame(record, mover, plain(str(fault), _LONGEST_NOTE))
    return PlayedGame(record)


def _call_new_game(player: Player) -> None:
    try:
        player.new_game()
    except Exception as error:
        _log_bug(player, error)
        raise _Fault(_what(error)) from error


def _play_turn(record: Record, player: Player, limit: Limit) -> None:
    """Plays the actions of the player on move up to the end of the turn, asking again as often as needed."""
    moment = (record.turn, record.mover)
    began = time.monotonic()
    rest = limit
    while not record.result and (record.turn, record.mover) == moment:
        for action in _chosen(record, player, rest):
            if record.result:
                return
            if (record.turn, record.mover) != moment:
                raise _Fault(f"{action} comes after the end of the turn")
            try:
                record.play(action)
            except DamierError as error:
                raise _Fault(f"{action} is refused: {error}") from error
        if limit.seconds is not None:
            left = max(limit.seconds - (time.monotonic() - began), _LEAST_REST * limit.seconds)
            rest = dataclasses.replace(limit, seconds=left)


def _chosen(record: Record, player: Player, limit: Limit) -> list[str]:
    try:
        actions: object = player.choose(record, limit)
    except Exception as error:  # the player's fault: the match goes on
        _log_bug(player, error)
        raise _Fault(_what(error)) from error
    if not (isinstance(actions, list | tuple) and actions and all(isinstance(action, str) for action in actions)):
        raise _Fault("no action was given")
    return list(actions)


def _log_bug(player: Player, error: Exception) -> None:
    """Logs an exception that no player should raise; other errors are in the result of the game."""
    if not isinstance(error, DamierError):
        _log.error("player %s failed and loses the game", player.name, exc_info=error)


def _what(error: Exception) -> str:
    return str(error) if isinstance(error, DamierError) else f"{type(error).__name__}: {error}"
