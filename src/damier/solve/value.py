"""The value of a position, decoded from an entry of a table."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.messages import Message, Number, counted, message
from damier.solve.codes import DRAWN, LOST, MARKED, WON

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


def decoded(code: int) -> TableValue:
    """Returns the value of a byte in a table of wins, draws and losses."""
    if code == DRAWN:
        return TableValue("draw", None)
    if code <= WON:
        return TableValue("win", 0 if code == WON else code)
    assert code < MARKED, "no position has this number"
    return TableValue("loss", code - LOST)


def encoded(value: TableValue) -> int:
    """Returns the byte of a value in a table of wins, draws and losses: the inverse of `decoded`."""
    if value.outcome == "draw":
        return DRAWN
    plies = value.plies or 0
    if value.outcome == "win":
        return plies or WON
    return LOST + plies
