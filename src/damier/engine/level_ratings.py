"""The ratings of the computer's levels in a game: ``level_ratings.json`` in the game's folder.

``python -m tools.level_ratings`` measures them by matches between neighbouring levels, and writes how it did that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from damier.engine.arena.elo import Meeting, ratings
from damier.engine.levels import LEVELS

if TYPE_CHECKING:
    from damier.core.definition import Definition

FILE = "level_ratings.json"
ANCHOR_LEVEL, ANCHOR_VALUE = 5, 1500
"""The level whose rating is chosen, not measured: "Player", as strong as a newcomer is taken to be."""

_MOST_ERROR = 200


@dataclass(frozen=True)
class LevelRating:
    """The measured rating of a level."""

    value: int
    error: int
    """Half the width of the 95 % interval; 0 at the anchor."""

    @property
    def is_certain(self) -> bool:
        """Whether the value is worth showing."""
        return self.error <= _MOST_ERROR


def level_ratings(definition: Definition) -> Mapping[int, LevelRating]:
    """Returns the ratings of the levels in a game, by level; none if they have not been measured."""
    return _read(definition.folder / FILE)


@lru_cache(32)
def _read(path: Path) -> Mapping[int, LevelRating]:
    if not path.is_file():
        return {}
    data = json.loads(path.read_text("utf-8"))
    return {each["level"]: LevelRating(each["value"], each["error"]) for each in data["levels"]}


def fitted_levels(pairs: Mapping[int, Sequence[float]]) -> dict[int, LevelRating]:
    """Returns the ratings that fit the pair scores of levels against the level below, by the upper level.

    Only neighbours have met: a rating is the sum of the steps from the anchor, and its variance the sum of theirs.
    """
    found = {ANCHOR_LEVEL: LevelRating(ANCHOR_VALUE, 0)}
    for levels in (range(ANCHOR_LEVEL + 1, LEVELS[-1] + 1), range(ANCHOR_LEVEL - 1, LEVELS[0] - 1, -1)):
        value, variance = float(ANCHOR_VALUE), 0.0
        for level in levels:
            is_above = level > ANCHOR_LEVEL
            fitted = ratings(2, [Meeting(0, 1, pairs[level if is_above else level + 1])])
            step = fitted.elos[0] - fitted.elos[1]
            value += step if is_above else -step
            variance += (2 * fitted.errors[0]) ** 2
            found[level] = LevelRating(round(value), round(variance**0.5))
    return dict(sorted(found.items()))
