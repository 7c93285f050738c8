"""The limit of a search."""

from __future__ import annotations

import math
from dataclasses import dataclass

from damier.core.errors import BadArgument
from damier.core.messages import Number, message, shown

_MOST_SECONDS = 1e7
_MOST_NODES = 10**15
MOST_DEPTH = 100  # plies; also the longest line that a search stores


@dataclass(frozen=True)
class Limit:
    """When a search stops: at the first limit reached. Without limits it runs until stopped or until all is proved.

    A search limited by nodes on one thread is deterministic.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    """Plies (actions) of the last iteration."""

    def __post_init__(self) -> None:
        _check("seconds", self.seconds, 0, _MOST_SECONDS)
        _check("nodes", self.nodes, 1, _MOST_NODES)
        _check("depth", self.depth, 1, MOST_DEPTH)


def _check(name: str, value: float | None, low: int, high: float) -> None:
    if value is not None and not (math.isfinite(value) and low <= value <= high):
        raise BadArgument(
            message(
                "{name} takes a number from {low} to {high}, not {value}.",
                name=name,
                low=low,
                high=Number(high, "g"),
                value=shown(str(value)),
            )
        )
