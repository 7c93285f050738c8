"""When a search is to stop."""

from __future__ import annotations

import math
from dataclasses import dataclass

from damier.core.errors import BadArgument
from damier.core.messages import message, shown

_MOST_SECONDS = 1e7
_MOST_NODES = 10**15
MOST_DEPTH = 100  # plies; also the room that search keeps for a line


@dataclass(frozen=True)
class Limit:
    """When a search is to stop: whichever comes first. Without any, it goes on until it is told to or has proved all.

    A search for so many nodes on one thread always gives the same answer.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    """Plies (actions) of the last complete iteration."""

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
                high=f"{high:g}",
                value=shown(str(value)),
            )
        )
