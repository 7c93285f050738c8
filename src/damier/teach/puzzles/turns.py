"""Turns of several actions in plain Python: where they can end, and how to win within one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.kernel.contract import PLAYING
from damier.core.position import Position

if TYPE_CHECKING:
    from damier.core.kernel.contract import State

    Ways = dict[State, tuple[int, ...]]


def turn_ends(position: Position) -> Ways:
    """Returns the states in which the current turn or the game can end, each with a shortest way there."""
    game = position.game
    kernels, rules = game.kernels, game.rules
    ends: Ways = {}
    ways: Ways = {position.state: ()}
    out = [0] * kernels.MAX_ACTIONS
    while ways:
        following: Ways = {}
        for state, way in ways.items():
            for action in out[: kernels.actions(rules, state, out)]:
                after = kernels.apply(rules, state, action)
                if kernels.settled(rules, after) or kernels.outcome(rules, after) != PLAYING:
                    ends.setdefault(after, (*way, action))
                else:
                    following.setdefault(after, (*way, action))
        ways = following
    return ends


def turn_wins(position: Position) -> Ways:
    """Returns the ends of the current turn in which the player on move has won."""
    game = position.game
    player = game.kernels.mover(game.rules, position.state)
    return {
        state: way for state, way in turn_ends(position).items() if game.kernels.outcome(game.rules, state) == player
    }


def winning_turn(position: Position) -> tuple[str, ...] | None:
    """Returns a shortest winning turn, or None."""
    wins = turn_wins(position)
    return way_text(position, min(wins.values(), key=len)) if wins else None


def way_text(position: Position, way: tuple[int, ...]) -> tuple[str, ...]:
    """Returns actions as text."""
    return tuple(position.game.action_text(action) for action in way)


def refuting_turn(position: Position, tries: int) -> tuple[str, ...] | None:
    """Returns a turn after which the other player does not win at once, or None if none of the first `tries` does."""
    game = position.game
    for state, way in list(turn_ends(position).items())[:tries]:
        after = Position(game, state)
        if after.result is None and winning_turn(after) is None:
            return way_text(position, way)
    return None
