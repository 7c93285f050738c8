"""Gathers the facts of a table of chances: how chances spread, and what a choice costs.

One pass over all entries counts the chances; a random sample of positions and rolls, the same in every run, shows how
much the choice of an action matters. Measured on one busy core: 20 s for 30 million entries.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from damier.core.position import Position
from damier.insight.report.best_play import ordered_values
from damier.insight.report.entries import EXAMPLES, SAMPLE, SEED, is_possible
from damier.insight.report.facts import (
    ActionChance,
    ChanceFact,
    ChanceSolution,
    ChanceTier,
    ChoiceCosts,
    CostlyChoice,
    RollAnswers,
    RollGroup,
)
from damier.insight.report.table_facts import common_facts
from damier.solve.codes import CERTAIN

if TYPE_CHECKING:
    from damier.solve.tables import Tables
    from damier.solve.value import TableValue

    Show = Callable[[float, str], None]

PARTS = 20
"""Number of equal parts in which chances from 0 to 1 are counted."""

MUCH = 0.05
"""A second best action is costly if it costs this much or more."""

_COUNTED = 0.3  # share of the work, for progress
_DIGITS = 6  # of a chance; an entry has 16 bits


def chance_solution(tables: Tables, show: Show) -> ChanceSolution:
    """Returns what a table of chances tells of its game."""
    game, extra = tables.game, tables.file.header.extra
    value = tables.probe_value(game.start)
    return ChanceSolution(
        **common_facts(tables),
        value=ChanceFact(outcome="chance", chance=round(value.chance, 7)),
        chance=round(extra["start"]["chance"], 7),
        error=extra["error"],
        actions=round(extra["start"]["actions"], 2),
        tiers=[
            ChanceTier(
                name=tier["name"],
                entries=tier["entries"],
                actions=round(tier["most_turns"] - 1, 1),
                error=tier["error"],
            )
            for tier in extra["tiers"]
        ],
        parts=count_chances(tables, lambda done, note: show(_COUNTED * done, note)),
        rolls=_rolls(tables, game.start),
        answers=_answers(tables),
        cost=judge_choices(tables, lambda done, note: show(_COUNTED + (1 - _COUNTED) * done, note)),
    )


def count_chances(tables: Tables, show: Show) -> list[int]:
    """Returns the number of entries in each of the parts."""
    counts = np.zeros(CERTAIN + 1, np.int64)
    entries, done = tables.file.header.entries, 0
    for block in tables.file.blocks():
        counts += np.bincount(block, minlength=CERTAIN + 1)
        done += len(block)
        show(done / entries, "")
    parts = np.minimum(np.arange(CERTAIN + 1) * PARTS // CERTAIN, PARTS - 1)
    return [int(count) for count in np.bincount(parts, weights=counts, minlength=PARTS)]


def _rounded(values: dict[str, TableValue]) -> list[ActionChance]:
    return [(action, round(value.chance, _DIGITS)) for action, value in values.items()]


def _rolls(tables: Tables, position: Position) -> list[RollGroup]:
    """Returns the values of all actions after each roll; rolls with equal values share a group."""
    found: list[tuple[list[str], list[ActionChance]]] = []
    for roll in sorted(position.actions()):
        values = _rounded(ordered_values(tables, position.play(roll)))
        rolls = next((rolls for rolls, known in found if known == values), None)
        if rolls is None:
            found.append(([roll], values))
        else:
            rolls.append(roll)
    return [RollGroup(rolls=rolls, values=values) for rolls, values in found]


def _answers(tables: Tables) -> RollAnswers:
    """Returns the values of the answers to the best first roll and action."""
    start = tables.game.start
    roll = next(iter(ordered_values(tables, start)))
    action = next(iter(ordered_values(tables, start.play(roll))))
    here = start.play(roll).play(action)
    return RollAnswers(played=[roll, action], player=tables.player(here), rolls=_rolls(tables, here))


def judge_choices(tables: Tables, show: Show) -> ChoiceCosts:
    """Compares the values of all actions in a sample of positions and rolls."""
    rng = random.Random(SEED)
    found: list[tuple[Position, dict[str, TableValue]]] = []
    size = lost = 0
    while size < min(SAMPLE, tables.numbering.entries):
        position = Position(tables.game, tables.numbering.state(rng.randrange(tables.numbering.entries)))
        roll = rng.choice(position.actions())
        if not is_possible(position):
            continue
        size += 1
        rolled = position.play(roll)
        if rolled.result:
            lost += 1
        else:
            found.append((rolled, tables.action_values(rolled)))
        if size % 100 == 0:
            show(size / SAMPLE, "")
    several = [[value.chance for value in values.values()] for _, values in found if len(values) > 1]
    costs = [best - second for best, second, *_ in several]
    costliest = sorted((each for each in found if len(each[1]) > 1), key=_second_cost, reverse=True)[:EXAMPLES]
    return ChoiceCosts(
        seed=SEED,
        size=size,
        lost=lost,
        forced=len(found) - len(several),
        second=round(fmean(costs or [0]), 6),
        other=round(fmean([chances[0] - fmean(chances) for chances in several] or [0]), 6),
        much=MUCH,
        costly=sum(cost >= MUCH for cost in costs),
        examples=[
            CostlyChoice(position=str(position), player=position.mover, values=_rounded(values))
            for position, values in costliest
        ],
    )


def _second_cost(choice: tuple[Position, dict[str, TableValue]]) -> float:
    """Returns what the second best action costs."""
    best, second, *_ = (value.chance for value in choice[1].values())
    return best - second
