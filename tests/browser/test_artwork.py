"""The page and the picture of a position have the same shapes in the same colours."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import damier
from damier import Game
from damier.core.drawing import Piece
from damier.draw.artwork import SIGNS, Artwork, die, piece_artwork, sign
from damier.draw.palette import SHADES, THEMES, Theme
from tests.browser.visitor import Visitor

Part = list[object]  # tag and attributes

POSITIONS: list[tuple[str, dict[str, object], str]] = [
    ("renfa", {"bombs": 5}, "3W1/W3B/1BW2/1WB1W/B4 b 0,0"),
    ("chefa", {}, "2W2/3WB/W3W/1B1B1/1B3 b 0,0 d4,e4"),
    ("badia", {}, "WW2B/1...1/1.W.1/B...W/BBBW1 w 0,0 c1,e2 -"),
    ("sensei", {"variant": "arashi-expert"}, "RR1R1R1/2R1R2/2o1o1R/7/2oGo2/1G4G/G1G1GG1 g d3,d7 2,1"),
    ("omba", {"players": 4}, "21,-,2/1,43,2/3,-,4 1 1,0,1,1 4 -"),
]

# Tag and attributes of each element in a group, colours as the browser computes them.
PARTS = """(group) => [...group.querySelectorAll("*")].map((node) => [node.tagName, Object.fromEntries(
  [...node.attributes].filter(({ name }) => name !== "class").map(({ name, value }) =>
    [name, ["fill", "stroke"].includes(name) ? getComputedStyle(node)[name].replaceAll('"', "") : value]))])"""
BOARD = """async ([name, options, pieces]) => {
  const { Board } = await import("/static/board/board.js");
  const drawing = await (await fetch(`/api/games/${name}/drawing?${new URLSearchParams(options)}`)).json();
  const board = new Board(drawing);
  document.body.append(board.element);
  const shown = pieces.map((piece) => {
    board.show({ pieces: [piece], marks: {}, last: null });
    const part = board.element.querySelector(".piece .body");
    return (PARTS)(part);
  });
  const cells = [...board.element.querySelectorAll(".joint")].map((cell) => getComputedStyle(cell).fill);
  const hollows = [...board.element.querySelectorAll(".cells g g")].map(PARTS);
  const paints = Object.fromEntries([...document.querySelectorAll("radialGradient")].map((gradient) =>
    [gradient.id, [...gradient.children].map((stop) => getComputedStyle(stop).stopColor)]));
  return { shown, cells, hollows, paints };
}"""
DICE = """async () => {
  const { die } = await import("/static/board/pieces.js");
  return [1, 2, 3, 4, 5, 6].map((points) => document.body.appendChild(die(points, ""))).map(PARTS);
}"""
MARKED = """async ([name, cell]) => {
  const { Board } = await import("/static/board/board.js");
  const drawing = await (await fetch(`/api/games/${name}/drawing`)).json();
  const board = new Board(drawing, { choose: () => {} });
  document.body.append(board.element);
  const piece = { player: Object.keys(drawing.looks)[0], cell, level: 0, marks: [] };
  const found = {};
  for (const pieces of [[], [piece]]) {
    board.show({ pieces, marks: {}, last: null });
    for (const kind of ["picked", "targets", "singles", "hint"]) {
      board.mark({ [kind]: [cell] });
      const sign = board.element.querySelector(".sign");
      found[[...sign.classList].at(-1)] = (PARTS)(sign);
    }
  }
  return found;
}"""


# Every position in both shades of wood, and the pieces of all colours on every other board.
DRAWN = [
    pytest.param(*each, theme, id=f"{each[0]}-{theme}")
    for theme in THEMES
    for each in POSITIONS
    if theme in SHADES or each[0] in ("chefa", "sensei", "omba")
]


def shown_in(arrive: Callable[..., Visitor], theme: str) -> Page:
    """Returns a page without a board, in the colours of a theme."""
    *board, shade = theme.split("-")
    page = arrive(color_scheme=shade, reduced_motion="reduce").page
    page.goto("/learn")
    if board:
        page.evaluate("(board) => localStorage.setItem('damier', JSON.stringify({ board }))", board[0])
        page.goto("/learn")
        expect(page.locator("html")).to_have_attribute("data-board", board[0])
    return page


def rgb(colour: str) -> str:
    """Returns a colour as a browser computes it."""
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    return "rgb({}, {}, {})".format(*bytes.fromhex(digits))


def parts(drawing: str, theme: Theme) -> list[Part]:
    """Returns the tag and the attributes of each element of a drawing, in the colours of a theme."""
    root = ET.fromstring(f"<g>{theme.resolve(drawing)}</g>")
    return [
        [
            element.tag,
            {name: rgb(value) if value[:1] == "#" else value for name, value in element.items() if name != "class"},
        ]
        for element in list(root.iter())[1:]
    ]


def piece_parts(game: Game, piece: Piece, theme: Theme) -> list[Part]:
    """Returns the elements of a piece with its marks."""
    look, artwork = game.drawing.looks[piece.player], Artwork(game.definition)
    marks = "".join(f"<g>{artwork.mark(mark)}</g>" for mark in piece.marks)
    return parts(piece_artwork(game, look).drawing + marks, theme.piece(look.colour))


@pytest.mark.parametrize(("name", "options", "text", "theme"), DRAWN)
def test_a_page_draws_pieces_and_cells_like_a_picture(
    arrive: Callable[..., Visitor], name: str, options: dict[str, object], text: str, theme: str
) -> None:
    game, colours = damier.load(name, **options), THEMES[theme]
    pieces = game.parse(text).pieces()
    page = shown_in(arrive, theme)
    found = page.evaluate(BOARD.replace("PARTS", PARTS), [name, options, [vars(piece) for piece in pieces]])
    assert found["shown"] == [piece_parts(game, piece, colours) for piece in pieces]
    assert found["cells"] == [rgb(colours[cell.fill]) for cell in game.drawing.cells]
    voids = [cell.kind for cell in game.drawing.cells if not cell.can_hold]
    assert found["hollows"] == [parts(Artwork(game.definition).cell(kind), colours) for kind in voids]
    for look in game.drawing.looks.values():
        if gradient := colours.piece(look.colour).resolve(piece_artwork(game, look).gradient):
            element = ET.fromstring(gradient)
            assert found["paints"][element.attrib["id"]] == [rgb(stop.attrib["stop-color"]) for stop in element]


@pytest.mark.parametrize("theme", SHADES)
def test_a_page_draws_dice_like_a_picture(arrive: Callable[..., Visitor], theme: str) -> None:
    page = shown_in(arrive, theme)
    assert page.evaluate(DICE.replace("PARTS", PARTS)) == [parts(die(points), THEMES[theme]) for points in range(1, 7)]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["chefa", "omba"])
def test_a_page_marks_cells_like_a_picture(arrive: Callable[..., Visitor], name: str, theme: str) -> None:
    view = damier.load(name).drawing.view
    page = shown_in(arrive, theme)
    known = {each: parts(drawing, THEMES[theme]) for each in SIGNS if (drawing := sign(each, view))}
    assert page.evaluate(MARKED.replace("PARTS", PARTS), [name, "a1"]) == known
