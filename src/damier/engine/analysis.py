"""The results of a search: values, lines, depth and speed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Value:
    """The value of a position or a line."""

    chances: tuple[float, ...]
    """The winning chance of each player in the order of the game's players; a draw counts half. Their sum is 1."""

    winner: str | None = None
    """The player who wins by force, as in the notation."""

    distance: int | None = None
    """Plies (actions) to the forced end; None if none is found."""

    is_proved: bool = False
    """Whether the value is certain in the game being played: the end is forced within `distance`, or a table has it.

    Without it, a value with a winner or of a table may depend on what was played before, and others are estimates.
    """

    @property
    def is_forced(self) -> bool:
        """Whether an end is forced and proved: a win of `winner`, or a draw if that is None."""
        return self.distance is not None and self.is_proved


@dataclass(frozen=True)
class Line:
    """One of the best lines: the first action, its value, and a likely continuation, which can be played to its end."""

    actions: tuple[str, ...]
    value: Value


@dataclass(frozen=True)
class Analysis:
    """The state of a search; later ones of the same search are better."""

    mover: str
    """The player on move, as in the notation, or ``chance``."""

    depth: int
    """Plies of the deepest complete search."""

    nodes: int
    seconds: float
    lines: tuple[Line, ...]
    """Best first, with different first actions; empty if the game is over."""

    is_from_table: bool = False
    """Whether it comes from a table instead of a search."""

    @property
    def is_exact(self) -> bool:
        """Whether it comes from a table, and every value is proved for the game being played."""
        return self.is_from_table and all(line.value.is_proved for line in self.lines)

    @property
    def nodes_per_second(self) -> int:
        """The speed of the search."""
        return round(self.nodes / self.seconds) if self.seconds > 0 else 0

    @property
    def best(self) -> Line:
        """The best line."""
        return self.lines[0]
