"""Positions in which only one action holds: how many of a sample, and examples.

The successors of many positions are generated in plain Python and looked up in one batch. Measured on one busy core:
3 s for 10,000 positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from damier.core.kernel.contract import DRAW, PLAYING
from damier.core.position import Position
from damier.insight.report.best_play import best_actions
from damier.insight.report.entries import EXAMPLES, SEED, is_possible
from damier.insight.report.facts import OnlyActionExample, OnlyActions, OutcomeFact
from damier.solve.codes import DRAWN
from damier.solve.tables import Tables
from damier.solve.value import TableValue, decoded_codes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from damier.core.kernel.contract import State

    Show = Callable[[float, str], None]


@dataclass(frozen=True)
class _Found:
    """A place where only one action holds."""

    place: int
    actions: int
    """How many actions are legal there."""

    kind: int
    """1 if the action wins, 0 if it draws."""

    is_quick: bool
    """Whether it ends the game."""


def outcome_fact(value: TableValue) -> OutcomeFact:
    """Returns a value that is not a chance as a fact."""
    return OutcomeFact(outcome=cast(Any, value.outcome), plies=value.plies)


def judge_sample(tables: Tables, places: Sequence[int], undecided: int, show: Show) -> OnlyActions:
    """Tries all actions at `places`, a sample of the `undecided` positions.

    Examples are those with the most actions, wins before draws; wins at once only if there is nothing better.
    """
    found: list[_Found] = []
    step = max(1, len(places) // 20)
    for low in range(0, len(places), step):
        found += _only_ones(tables, places[low : low + step])
        show((low + step) / len(places), "")
    wins = [each for each in found if each.kind == 1]
    draws = [each for each in found if each.kind == 0]
    examples = _examples(tables, wins, EXAMPLES - min(1, len(draws)))
    examples += _examples(tables, draws, EXAMPLES - len(examples))
    return OnlyActions(
        seed=SEED,
        size=len(places),
        undecided=undecided,
        wins=len(wins),
        quick=sum(each.is_quick for each in wins),
        draws=len(draws),
        examples=examples,
    )


def _examples(tables: Tables, found: Sequence[_Found], most: int) -> list[OnlyActionExample]:
    """Returns the `most` possible positions with the most actions."""
    ordered = sorted(found, key=lambda each: (each.is_quick, -each.actions, each.place))
    examples: list[OnlyActionExample] = []
    for each in ordered:
        position = Position(tables.game, tables.numbering.state(each.place))
        if len(examples) == most:
            break
        if is_possible(position):
            examples.append(_example(position, tables.action_values(position)))
    return examples


def _example(position: Position, values: dict[str, TableValue]) -> OnlyActionExample:
    action = best_actions(values)[0]
    others = {value.outcome for text, value in values.items() if text != action}
    return OnlyActionExample(
        position=str(position),
        player=position.mover,
        action=action,
        actions=len(values),
        value=outcome_fact(values[action]),
        others=[outcome for outcome in ("draw", "loss") if outcome in others],
    )


def _only_ones(tables: Tables, places: Sequence[int]) -> list[_Found]:
    """Returns the places at which only one action holds."""
    found = []
    successors = [_successors(tables, tables.numbering.state(place)) for place in places]
    kinds, ends = _judged(tables, [follower for each in successors for follower in each])
    start = 0
    for place, each in zip(places, successors, strict=True):
        here = kinds[start : start + len(each)]
        best = int(here.max(initial=-1))
        if len(each) > 1 and best >= 0 and int((here == best).sum()) == 1:
            found.append(_Found(place, len(each), best, bool(ends[start + int(here.argmax())])))
        start += len(each)
    return found


def _successors(tables: Tables, state: State) -> list[tuple[State, int]]:
    """Returns the successors of a state, each with 1 if the same player is on move, else with -1."""
    kernels, rules = tables.game.kernels, tables.game.rules
    out = [0] * kernels.MAX_ACTIONS
    player = kernels.mover(rules, state)
    following = [kernels.apply(rules, state, action) for action in out[: kernels.actions(rules, state, out)]]
    return [(each, 1 if kernels.mover(rules, each) == player else -1) for each in following]


def _judged(tables: Tables, successors: Sequence[tuple[State, int]]) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Returns 1, 0 or -1 for a win, draw or loss of the player who acted, and whether the game is over."""
    kernels, rules = tables.game.kernels, tables.game.rules
    codes = tables.numbering.codes
    found = np.zeros(len(successors), np.int64)
    is_shown = np.zeros(len(successors), bool)
    for number, (state, _) in enumerate(successors):
        result = kernels.outcome(rules, state)
        if result != PLAYING:
            is_shown[number] = True
            has_won = result == kernels.mover(rules, state)
            found[number] = DRAWN if result == DRAW else codes.won if has_won else codes.lost
    asked = [state for (state, _), is_known in zip(successors, is_shown, strict=True) if not is_known]
    if asked:
        found[~is_shown] = tables.probe_many(np.array(asked, np.int64))
    signs = np.array([sign for _, sign in successors], np.int8)
    outcomes = decoded_codes(codes).outcomes[found]
    return outcomes * signs, is_shown | (found == codes.lost) | (found == codes.won)
