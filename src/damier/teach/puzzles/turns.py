"""Turns of several actions: where they can end, and how the player on move wins within one; in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.kernel.contract import PLAYING
from damier.core.position import Position

if TYPE_CHECKING:
    from damier.core.kernel.contract import State

    Ways = dict[State, tuple[int, ...]]


def turn_ends(position: Position) -> Ways:
    """Returns the states at the end of the present turn, or of the game within it, each with a shortest way there."""
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
    """Returns the ends of the present turn that win the game for the player on move."""
    game = position.game
    player = game.kernels.mover(game.rules, position.state)
    return {
        state: way for state, way in turn_ends(position).items() if game.kernels.outcome(game.rules, state) == player
    }


def winning_turn(position: Position) -> tuple[str, ...] | None:
    """Returns a shortest turn that wins the game, if there is one."""
    wins = turn_wins(position)
    return way_text(position, min(wins.values(), key=len)) if wins else None


def way_text(position: Position, way: tuple[int, ...]) -> tuple[str, ...]:
    """Returns actions as text."""
    return tuple(position.game.action_text(action) for action in way)


def refuting_turn(position: Position, tries: int) -> tuple[str, ...] | None:
    """Returns a turn after which the next player does not win within theirs, if one of so many tries is one."""
    game = position.game
    for state, way in list(turn_ends(position).items())[:tries]:
        after = Position(game, state)
        if after.result is None and winning_turn(after) is None:
            return way_text(position, way)
    return None
