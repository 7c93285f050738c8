"""The drawings of pieces, marks and cells: SVG files whose colours are tokens of the palette.

A game keeps its own drawings in ``games/<name>/art/``; the general ones stand in ``draw/pieces/``. Lengths are in cells
and (0, 0) is the middle of the cell: one ``translate`` and one ``scale`` place a drawing. A file has one element a
line. A group with the class ``only`` is a variant, drawn only for the pattern, the state (``lit``), the view or the
points that its other classes name. ``{letter}`` is the letter of the look. A file may define one gradient, with the id
``paint``. The ``viewBox`` frames a piece that is shown in a list.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from damier.core.definition import Definition
from damier.core.drawing import Cell, Look
from damier.core.game import Game

TILT = 0.555
"""Foreshortening of a board seen at an angle."""

DRUM_WIDTH, DRUM_DEPTH, DRUM_HEIGHT = 0.62, 0.345, 0.4
"""Half the width of ``drum.svg``, half the depth of its face, and its height."""

SHADOW_SPREAD = 0.06
"""How much wider the shadow of a stack is for each piece that stands on another."""

DIE_EDGE = 0.4
"""The edge of a die on the table, in cells."""

BRACKET_INSET, BRACKET_ARM = 0.13, 0.22
"""Brackets in the corners of a marked cell: their distance from the corner and their length, as shares of the way."""

LINE_START, LINE_END, LINE_END_TAKEN = 0.43, 0.13, 0.42
"""Gaps between the line of a move and the middles of its cells, in cells; the last before a piece."""

ARROW_END, ARROW_HEAD, ARROW_WIDTH, ARROW_HALO = 0.36, 0.2, 0.075, 0.125
"""Arrows of the last turn, in cells: the gap before the middle of the target, the length of the head, the line, and its
halo where it lies on pieces."""

SIGNS = ("dot", "place", "origin", "goal", "single", "hint")
"""Empty target, cell to place a piece on, piece that moves, taken target, piece that acts where it stands, hint."""

_GENERAL = Path(__file__).parent / "pieces"
_VARIANT = re.compile(r'<g class="only ([^"]*)">(.*?)</g>')
_DEFINITIONS = re.compile(r"<defs>(.*?)</defs>")


def grain(cell: Cell) -> list[list[tuple[float, float]]]:
    """Returns the grain of the wood as cubic curves of four points, across light cells and along dark ones."""
    column, row = int(cell.x), int(cell.y)
    left, top = (min(corner[axis] for corner in cell.outline) for axis in (0, 1))
    right, bottom = (max(corner[axis] for corner in cell.outline) for axis in (0, 1))
    lines = []
    for i in range(4):
        at = 0.12 + 0.22 * i + 0.012 * ((3 * column + 5 * row + 7 * i) % 9)
        bend = 0.012 * ((2 * column + 3 * row + 5 * i) % 7 - 3)
        way = [(0.0, at), (0.33, at + bend), (0.66, at - bend), (1.0, at + bend / 2)]
        if cell.fill == "dark":
            way = [(y, x) for x, y in way]
        lines.append([(left + x * (right - left), top + y * (bottom - top)) for x, y in way])
    return lines


def die(points: int) -> str:
    """Returns a die that shows `points`, 1 wide and 1 high."""
    return _variant(_general("die"), {str(points)})


def table_die(points: int) -> str:
    """Returns a die on a table seen at an angle that shows `points`; its edge is 1, (0, 0) the middle of its face."""
    return f'{cube()}<g transform="matrix(1 {TILT} -1 {TILT} 0 0)">{die(points)}</g>'


def cube() -> str:
    """Returns the sides and the shadow of a die on a table, without its face."""
    return _general("cube")


def shadow() -> str:
    """Returns the shadow of a piece on a board seen at an angle."""
    return _general("shadow")


def sign(name: str, view: str) -> str:
    """Returns the mark of a cell that takes part in an action; `name` is one of `SIGNS`, `view` that of the drawing."""
    return _variant(_general(f"sign-{name}"), {view})


def spark() -> str:
    """Returns a star with eight points."""
    return _general("spark")


@dataclass(frozen=True)
class PieceArtwork:
    """The pieces of one player for a page, where the class `Look.colour` sets their colours."""

    drawing: str
    small: str
    """For lists."""

    small_box: str
    """The ``viewBox`` of `small`."""

    gradient: str
    """The gradient that `drawing` and `small` refer to, to be defined once in a page; may be empty."""


@dataclass(frozen=True)
class BoardArtwork:
    """Marks and cells for a page."""

    marks: dict[str, str]
    """By the names of `Drawing.marks`."""

    cells: dict[str, str]
    """By the kinds of cells that cannot be entered."""

    grain: dict[str, list[list[tuple[float, float]]]]
    """By cell; see `grain`."""


def piece_artwork(game: Game, look: Look) -> PieceArtwork:
    """Returns the drawings of a player's pieces for a page."""
    artwork, paint = Artwork(game.definition), f"{look.shape}-{look.colour}"
    return PieceArtwork(
        drawing=artwork.piece(look, paint, is_lit=None),
        small=artwork.small_piece(look, paint),
        small_box=artwork.small_box(look),
        gradient=artwork.gradient(look, paint),
    )


def board_artwork(game: Game) -> BoardArtwork:
    """Returns the drawings of marks and cells for a page."""
    artwork, drawing = Artwork(game.definition), game.drawing
    return BoardArtwork(
        marks={mark: artwork.mark(mark) for mark in drawing.marks},
        cells={cell.kind: artwork.cell(cell.kind) for cell in drawing.cells if not cell.can_hold},
        grain={
            cell.name: [[(round(x, 3), round(y, 3)) for x, y in curve] for curve in grain(cell)]
            for cell in drawing.cells
            if cell.has_grain
        },
    )


class Artwork:
    """The drawings of one game, as SVG fragments."""

    def __init__(self, definition: Definition) -> None:
        self._folders = (definition.folder / "art", _GENERAL)

    def piece(self, look: Look, paint: str = "", *, is_lit: bool | None = False) -> str:
        """Returns a piece whose gradient has the id `paint`.

        `is_lit` lights the fuse of a bomb; None keeps the flame as a group of the class ``lit`` that a page can hide.
        """
        return self._piece(look, self._shape(look), paint, is_lit)

    def small_piece(self, look: Look, paint: str = "") -> str:
        """Returns a piece for lists: the drawing ``<shape>-small`` if there is one."""
        return self._piece(look, self._small_shape(look), paint)

    def small_box(self, look: Look) -> str:
        """Returns the ``viewBox`` of a piece for lists."""
        return self._file(self._small_shape(look))[0]

    def gradient(self, look: Look, paint: str) -> str:
        """Returns the gradient of a piece, with the id `paint`, or an empty string."""
        found = _DEFINITIONS.search(self._drawing(self._shape(look)))
        return found[1].replace('"paint"', f'"{paint}"') if found else ""

    def mark(self, name: str) -> str:
        """Returns the drawing of a mark on a piece; by default a star."""
        return self._drawing(name) or f'<g transform="translate(.22 .2)">{spark()}</g>'

    def cell(self, kind: str) -> str:
        """Returns the drawing of a cell that cannot be entered; by default a hole."""
        return self._drawing(kind) or self._drawing("hole")

    def _shape(self, look: Look) -> str:
        """Returns the shape of a look; by default a disc."""
        return look.shape if self._drawing(look.shape) else "disc"

    def _small_shape(self, look: Look) -> str:
        shape = self._shape(look)
        return f"{shape}-small" if self._drawing(f"{shape}-small") else shape

    def _piece(self, look: Look, name: str, paint: str, is_lit: bool | None = False) -> str:
        drawing = _DEFINITIONS.sub("", self._drawing(name))
        if is_lit is None:
            drawing = drawing.replace('<g class="only lit">', '<g class="lit">')
        drawing = _variant(drawing, {look.pattern, "lit" if is_lit else ""})
        return drawing.replace("#paint", f"#{paint}").replace("{letter}", escape(look.letter))

    def _drawing(self, name: str) -> str:
        return self._file(name)[1]

    def _file(self, name: str) -> tuple[str, str]:
        return next((found for folder in self._folders if (found := _read(folder / f"{name}.svg"))), ("", ""))


def _variant(drawing: str, chosen: set[str]) -> str:
    """Returns a drawing with only the `chosen` variants."""
    return _VARIANT.sub(lambda group: group[2] if chosen & set(group[1].split()) else "", drawing)


@cache
def _read(path: Path) -> tuple[str, str] | None:
    """Returns the ``viewBox`` of a file and the content of its ``svg`` element in one line; None without a file."""
    if not path.exists():
        return None
    first, *lines, _ = path.read_text("utf-8").splitlines()
    return first.split('viewBox="')[1].split('"')[0], "".join(lines)


def _general(name: str) -> str:
    found = _read(_GENERAL / f"{name}.svg")
    return found[1] if found else ""
