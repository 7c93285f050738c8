"""What a table of winning chances tells of its game beyond single values: how chances spread, and what choices cost.

One pass over all entries counts the chances; a random sample of positions and rolls, the same in every run, shows how
much the choice of an action matters. Measured on one busy core: 20 s for 30 million entries.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from damier.core.position import Position
from damier.insight.report.outcome_facts import EXAMPLES, SAMPLE, SEED, is_possible
from damier.solve.codes import CERTAIN

if TYPE_CHECKING:
    from damier.solve.tables import Tables
    from damier.solve.value import TableValue

    Show = Callable[[float, str], None]

PARTS = 20
"""Into how many parts of the same size the chances from 0 to 1 are counted."""

MUCH = 0.05
"""The chance that a costly second choice loses, or more."""


@dataclass(frozen=True)
class Choice:
    """A position after a roll, with the chance of every action, best first."""

    position: Position
    values: dict[str, TableValue]

    @property
    def chances(self) -> list[float]:
        """Those of the actions, best first."""
        return [value.chance for value in self.values.values()]

    @property
    def cost(self) -> float:
        """What the second best action loses."""
        return self.chances[0] - self.chances[1] if len(self.values) > 1 else 0.0


@dataclass(frozen=True)
class Choices:
    """What actions are worth in a sample of positions and rolls."""

    size: int
    lost: int
    """Without any action."""

    forced: int
    """With one."""

    second: float
    """What the second best action loses on average, where there are several; ..."""

    other: float
    """... what any action loses, taken at random."""

    costly: int
    """In so many the second best action loses MUCH or more."""

    examples: tuple[Choice, ...]
    """Those in which it loses most."""


def count_chances(tables: Tables, show: Show) -> list[int]:
    """Returns how many entries have a chance in each of the parts."""
    counts = np.zeros(CERTAIN + 1, np.int64)
    entries, done = tables.file.header.entries, 0
    for block in tables.file.blocks():
        counts += np.bincount(block, minlength=CERTAIN + 1)
        done += len(block)
        show(done / entries, "")
    parts = np.minimum(np.arange(CERTAIN + 1) * PARTS // CERTAIN, PARTS - 1)
    return [int(count) for count in np.bincount(parts, weights=counts, minlength=PARTS)]


def judge_choices(tables: Tables, show: Show) -> Choices:
    """Looks at all actions in a sample of positions and rolls."""
    rng = random.Random(SEED)
    found: list[Choice] = []
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
            found.append(Choice(rolled, tables.action_values(rolled)))
        if size % 100 == 0:
            show(size / SAMPLE, "")
    several = [choice for choice in found if len(choice.values) > 1]
    return Choices(
        size,
        lost,
        len(found) - len(several),
        _mean([choice.cost for choice in several]),
        _mean([choice.chances[0] - _mean(choice.chances) for choice in several]),
        sum(choice.cost >= MUCH for choice in several),
        tuple(sorted(several, key=lambda choice: -choice.cost)[:EXAMPLES]),
    )


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / max(1, len(numbers))
