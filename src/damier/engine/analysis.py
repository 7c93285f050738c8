"""What a search has found: values, lines, and how far it has looked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Value:
    """What a position or a line is worth."""

    chances: tuple[float, ...]
    """The winning chance of each player in the order of the game's players, a draw counting half; they add up to 1."""

    winner: str | None = None
    """Who wins by force, as in the notation."""

    distance: int | None = None
    """In how many plies (actions) the game is over if that is forced; None while it is not."""

    @property
    def is_forced(self) -> bool:
        """Whether the end is proved: a win of `winner`, or without one a draw."""
        return self.distance is not None


@dataclass(frozen=True)
class Line:
    """One of the best lines: a first action, its value, and how the game might go on."""

    actions: tuple[str, ...]
    value: Value


@dataclass(frozen=True)
class Analysis:
    """The state of a search; later ones of the same search know more."""

    mover: str
    """Who is on move, as in the notation."""

    depth: int
    """Plies searched to the end of."""

    nodes: int
    seconds: float
    lines: tuple[Line, ...]
    """Best first, with different first actions; empty if the game is over."""

    is_exact: bool = False
    """From a table of exact values, not from a search."""

    @property
    def nodes_per_second(self) -> int:
        """The speed of the search."""
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0

    @property
    def best(self) -> Line:
        """The best line."""
        return self.lines[0]
