"""The value of a position, decoded from an entry of a table."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from damier.core.messages import Message, Number, counted, message
from damier.solve.codes import BYTE_CODES, DRAWN, OutcomeCodes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CHANCES = {"win": 1.0, "draw": 0.5, "loss": 0.0}


@dataclass(frozen=True)
class TableValue:
    """How a game ends with best play, for the player on move or about to roll."""

    outcome: str
    """``win``, ``draw``, ``loss``, or ``chance`` where the die will decide."""

    plies: int | None
    """Distance to the end in plies (actions): the winner minimises it, the loser maximises it. None if not decided."""

    chance: float = -1.0
    """The chance to win; 0.5 for a draw."""

    def __post_init__(self) -> None:
        if self.outcome != "chance":
            object.__setattr__(self, "chance", _CHANCES[self.outcome])

    def turned(self) -> TableValue:
        """Returns the value for the other player."""
        outcome = {"win": "loss", "loss": "win"}.get(self.outcome, self.outcome)
        return TableValue(outcome, self.plies, 1 - self.chance)

    def before(self) -> TableValue:
        """Returns the value one action earlier, for the same player."""
        return TableValue(self.outcome, None if self.plies is None else self.plies + 1, self.chance)

    @property
    def merit(self) -> float:
        """A sort key: greater is better."""
        nearer = 0 if self.outcome == "draw" else self.plies or 0
        return 2000 * self.chance - 1000 + (nearer if self.chance < 0.5 else -nearer)

    def text(self) -> Message:
        """Returns the value in words."""
        if self.outcome == "chance":
            return message("{percent} %", percent=Number(100 * self.chance, ".2f"))
        if self.plies is None:
            return message("draw")
        if self.outcome == "draw":
            return counted("draw in {count} ply", "draw in {count} plies", count=self.plies)
        if self.outcome == "win":
            return counted("win in {count} ply", "win in {count} plies", count=self.plies)
        return counted("loss in {count} ply", "loss in {count} plies", count=self.plies)


class TableValues(NamedTuple):
    """The values of many positions, each for the player on move or about to roll."""

    outcomes: NDArray[np.int8]
    """1 for a win, 0 for a draw, -1 for a loss; in a game with a die, 0 until the game is over."""

    plies: NDArray[np.int16]
    """The distance to the end in plies, 0 if the game is over, -1 where there is none."""

    chances: NDArray[np.float64]
    """The chance to win: where no die decides, 1 for a win, 0.5 for a draw, 0 for a loss."""


@functools.cache
def decoded_codes(codes: OutcomeCodes = BYTE_CODES) -> TableValues:
    """Returns the value of every code in a table of wins, draws and losses, by code."""
    import numpy as np

    values = [decoded(code, codes) for code in range(codes.marked)]
    return TableValues(
        np.array([round(2 * value.chance - 1) for value in values], np.int8),
        np.array([-1 if value.plies is None else value.plies for value in values], np.int16),
        np.array([value.chance for value in values]),
    )


def decoded(code: int, codes: OutcomeCodes = BYTE_CODES) -> TableValue:
    """Returns the value of an entry in a table of wins, draws and losses."""
    if code == DRAWN:
        return TableValue("draw", None)
    if code <= codes.won:
        return TableValue("win", 0 if code == codes.won else code)
    assert code < codes.marked, "no position has this number"
    return TableValue("loss", code - codes.lost)


def encoded(value: TableValue, codes: OutcomeCodes = BYTE_CODES) -> int:
    """Returns the entry of a value in a table of wins, draws and losses: the inverse of `decoded`."""
    if value.outcome == "draw":
        return DRAWN
    plies = value.plies or 0
    if value.outcome == "win":
        return plies or codes.won
    return codes.lost + plies
