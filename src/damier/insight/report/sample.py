"""Positions in which one action alone holds: how many of a sample, and examples.

What follows the positions is found in plain Python and looked up together. Measured on one busy core: 3 s for 10,000
positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from damier.core.kernel.contract import DRAW, PLAYING
from damier.core.position import Position
from damier.insight.report.outcome_facts import EXAMPLES, best_actions, is_possible
from damier.solve.codes import DRAWN, LOST, MARKED, WON
from damier.solve.tables import Tables
from damier.solve.value import TableValue

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from damier.core.kernel.contract import State

    Show = Callable[[float, str], None]

_KINDS = np.zeros(256, np.int8)  # 1 for a win, 0 for a draw, -1 for a loss
_KINDS[DRAWN + 1 : LOST] = 1
_KINDS[LOST:MARKED] = -1


@dataclass(frozen=True)
class Only:
    """A position in which one action alone wins, or alone does not lose."""

    position: Position
    action: str
    values: dict[str, TableValue]

    @property
    def others(self) -> set[str]:
        """What the other actions do: ``draw``, ``loss``."""
        return {value.outcome for text, value in self.values.items() if text != self.action}


@dataclass(frozen=True)
class Sample:
    """In how many positions of a sample one action alone holds."""

    size: int
    wins: int
    """One action wins and no other does; ..."""

    quick: int
    """... of these, so many win at once."""

    draws: int
    """One action draws and all others lose."""

    examples: tuple[Only, ...]
    """Not won at once if there are such; those with the most actions, first wins, then draws."""


@dataclass(frozen=True)
class _Found:
    """A place where one action alone holds."""

    place: int
    actions: int
    kind: int
    is_quick: bool


def judge_sample(tables: Tables, places: Sequence[int], show: Show) -> Sample:
    """Looks at all actions in the positions of a sample."""
    found: list[_Found] = []
    step = max(1, len(places) // 20)
    for low in range(0, len(places), step):
        found += _only_ones(tables, places[low : low + step])
        show((low + step) / len(places), "")
    wins = [each for each in found if each.kind == 1]
    draws = [each for each in found if each.kind == 0]
    examples = _examples(tables, wins, EXAMPLES - min(1, len(draws)))
    examples += _examples(tables, draws, EXAMPLES - len(examples))
    return Sample(len(places), len(wins), sum(each.is_quick for each in wins), len(draws), tuple(examples))


def _examples(tables: Tables, found: Sequence[_Found], most: int) -> list[Only]:
    """Returns those with the most actions that are possible."""
    ordered = sorted(found, key=lambda each: (each.is_quick, -each.actions, each.place))
    examples: list[Only] = []
    for each in ordered:
        position = Position(tables.game, tables.numbering.state(each.place))
        if len(examples) == most:
            break
        if is_possible(position):
            values = tables.action_values(position)
            examples.append(Only(position, best_actions(values)[0], values))
    return examples


def _only_ones(tables: Tables, places: Sequence[int]) -> list[_Found]:
    """Returns the places at which one action alone holds."""
    found = []
    followers = [_followers(tables, tables.numbering.state(place)) for place in places]
    kinds, ends = _judged(tables, [follower for each in followers for follower in each])
    start = 0
    for place, each in zip(places, followers, strict=True):
        here = kinds[start : start + len(each)]
        best = int(here.max(initial=-1))
        if len(each) > 1 and best >= 0 and int((here == best).sum()) == 1:
            found.append(_Found(place, len(each), best, bool(ends[start + int(here.argmax())])))
        start += len(each)
    return found


def _followers(tables: Tables, state: State) -> list[tuple[State, int]]:
    """Returns the states after all actions, each with 1 if the same player is on move, else with -1."""
    kernels, rules = tables.game.kernels, tables.game.rules
    out = [0] * kernels.MAX_ACTIONS
    player = kernels.mover(rules, state)
    following = [kernels.apply(rules, state, action) for action in out[: kernels.actions(rules, state, out)]]
    return [(each, 1 if kernels.mover(rules, each) == player else -1) for each in following]


def _judged(tables: Tables, followers: Sequence[tuple[State, int]]) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Returns what followers are for the player who acted, 1, 0 or -1 for win, draw, loss, and if the game is over."""
    kernels, rules = tables.game.kernels, tables.game.rules
    codes = np.zeros(len(followers), np.uint8)
    is_shown = np.zeros(len(followers), bool)
    for number, (state, _) in enumerate(followers):
        result = kernels.outcome(rules, state)
        if result != PLAYING:
            is_shown[number] = True
            codes[number] = DRAWN if result == DRAW else WON if result == kernels.mover(rules, state) else LOST
    asked = [state for (state, _), is_known in zip(followers, is_shown, strict=True) if not is_known]
    if asked:
        codes[~is_shown] = tables.probe_many(np.array(asked, np.int64))
    signs = np.array([sign for _, sign in followers], np.int8)
    return _KINDS[codes] * signs, is_shown | (codes == LOST) | (codes == WON)
