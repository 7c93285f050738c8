"""Projects a board onto a picture: from above, or at an angle."""

from collections.abc import Iterable
from dataclasses import dataclass

from damier.core.drawing import Cell, Drawing
from damier.draw.artwork import DRUM_HEIGHT, TILT
from damier.draw.markup import number, pair

Point = tuple[float, float]


@dataclass(frozen=True)
class BoardView:
    """Turns lengths in cells into units of the picture."""

    left: float
    top: float
    """Where the corner (0, 0) of the board is."""

    unit: float
    """The length of a cell; seen at an angle, half the width of a cell."""

    drawing: Drawing
    flip: bool

    @property
    def is_flat(self) -> bool:
        """Whether the board is seen from above."""
        return self.drawing.view == "flat"

    def point(self, x: float, y: float) -> Point:
        """Returns where a point of the board is in the picture."""
        if self.flip:
            x, y = self.drawing.width - x, self.drawing.height - y
        if self.is_flat:
            return self.left + x * self.unit, self.top + y * self.unit
        return self.left + (x - y) * self.unit, self.top + (x + y) * self.unit * TILT

    def depth(self, cell: Cell) -> float:
        """Returns how near a cell is: nearer pieces hide those behind them."""
        return self.point(cell.x, cell.y)[1]

    def spot(self, cell: Cell, level: int = 0) -> Point:
        """Returns where a piece stands that has `level` pieces under it."""
        x, y = self.point(cell.x, cell.y)
        return x, y - (0 if self.is_flat else level * DRUM_HEIGHT * self.unit)

    def put(self, place: Point, inner: str, lies: bool = False) -> str:
        """Returns a drawing moved to `place` and scaled; one that `lies` on the board is foreshortened with it."""
        up = self.unit * (TILT if lies and not self.is_flat else 1)
        scale = number(self.unit) if up == self.unit else f"{number(self.unit)} {number(up)}"
        return f'<g transform="translate({pair(place)}) scale({scale})">{inner}</g>'

    def polygon(self, points: Iterable[Point]) -> str:
        """Returns path data of the polygon through points of the board."""
        return "M" + "L".join(pair(self.point(x, y)) for x, y in points) + "Z"
