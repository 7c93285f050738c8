"""Artwork and palette: one set of files and colours, and what a game gets that brings none."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import damier
from damier import Game
from damier.core.drawing import Look
from damier.core.messages import message
from damier.draw.artwork import DRUM_DEPTH, DRUM_HEIGHT, DRUM_WIDTH, SIGNS, Artwork
from damier.draw.palette import PIECES, THEMES
from tests.games.test_appearance import GAMES, every_game
from tools.artwork import generated

PACKAGE = Path(damier.__file__).parent
FILES = sorted([*PACKAGE.glob("draw/pieces/*.svg"), *PACKAGE.glob("games/*/art/*.svg")])
SVG = "{http://www.w3.org/2000/svg}"

every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}/{path.stem}")


@every_file
def test_a_drawing_is_one_element_a_line_in_colours_of_the_palette(path: Path) -> None:
    text = path.read_text("utf-8")
    first, *_, last = text.splitlines()
    assert first.startswith("<svg ")
    assert last == "</svg>"
    root = ET.fromstring(text)
    for element in root.iter():
        for name in ("fill", "stroke", "stop-color"):
            colour = element.get(name, "none")
            if colour not in ("none", "url(#paint)"):
                token = re.fullmatch(r"var\(--([a-z-]+)\)", colour)
                assert token, f"not a token: {colour}"
                assert token[1] in THEMES["light"].piece("noir")
    for variant in root.iter(f"{SVG}g"):
        if "only" in variant.get("class", ""):
            assert not list(variant.iter(f"{SVG}g"))[1:], "a group within a variant"


def drawn_names(game: Game) -> set[str]:
    """Returns the drawings that a game asks for; a mark of a cell is written out."""
    drawing = game.drawing
    hollows = {cell.kind for cell in drawing.cells if not cell.can_hold}
    return hollows | {look.shape for look in drawing.looks.values()} | set(drawing.marks) - {"ko"}


@every_game
def test_every_shape_mark_and_hollow_has_a_drawing(game: Game) -> None:
    known = {path.stem for path in FILES if path.parent.name == "pieces" or path.parent.parent.name == game.name}
    assert drawn_names(game) <= known


def test_every_drawing_is_used() -> None:
    used = {name for name, options in GAMES for name in drawn_names(damier.load(name, **options))}
    assert {path.stem for path in FILES} == used | {"die", "spark", "drum-small"} | {f"sign-{name}" for name in SIGNS}


def test_the_drum_is_as_large_as_the_view_assumes() -> None:
    face = ET.parse(PACKAGE / "draw/pieces/drum.svg").getroot().find(f"{SVG}ellipse")
    assert face is not None
    assert [float(face.attrib[name]) for name in ("rx", "ry", "cy")] == [DRUM_WIDTH, DRUM_DEPTH, -DRUM_HEIGHT]


def test_what_a_game_does_not_draw_has_a_default() -> None:
    artwork = Artwork(damier.load("chefa").definition)
    look = Look(message("thing"), "teapot", "noir", "ring", "T")
    assert artwork.piece(look) == artwork.piece(Look(message("thing"), "disc", "noir", "ring", "T"))
    assert artwork.mark("teapot").startswith('<g transform="translate(.22 .2)"><polygon')
    assert artwork.cell("abyss") == artwork.cell("hole") != ""


def test_a_letter_is_escaped() -> None:
    look = Look(message("thing"), "drum", "noir", "solid", "<")
    assert ">&lt;</text>" in Artwork(damier.load("chefa").definition).piece(look)


@pytest.mark.parametrize("theme", THEMES)
def test_colours_are_resolved_in_a_theme(theme: str) -> None:
    colours = THEMES[theme]
    assert colours.resolve('fill="var(--ink)"') == f'fill="{colours.ink}"'
    assert colours.piece("noir").edge == colours.rim
    with pytest.raises(AttributeError):
        _ = colours.octarine
    assert {tuple(colours.piece(colour)) for colour in PIECES} == {tuple(colours.piece("noir"))}


# One palette

HEX = re.compile(r"(?<![\w.&])#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\b(?!\s*[(=])")
NAMED = re.compile(
    r"\b(?:rgba?|hsla?|hwb|oklch|lab)\(|:[^;{-]*\b(?:white|black|red|green|blue|gr[ae]y|orange|yellow)\b"
)
OUTSIDE_CSS = {"index.html": 2, "icon.svg": 6, "icon-turn.svg": 8}
"""Files that a style sheet does not reach, with how many colours of the palette they repeat."""


def test_generated_files_of_the_client_are_current() -> None:
    for path, text in generated().items():
        assert path.read_text("utf-8") == text, f"{path.name}: run python -m tools.artwork"


def test_colours_stand_in_the_palette_alone() -> None:
    paths = [path for kind in ("py", "js", "css", "html") for path in PACKAGE.rglob(f"*.{kind}")]
    found = {}
    for path in {*paths, *PACKAGE.glob("server/client/*.svg")} - set(generated()):
        text = path.read_text("utf-8")
        if colours := HEX.findall(text) + (NAMED.findall(text) if path.suffix == ".css" else []):
            found[path.name] = colours
    assert {name: len(colours) for name, colours in found.items()} == OUTSIDE_CSS
    palette = {colour for theme in THEMES.values() for piece in PIECES for colour in theme.piece(piece).values()}
    assert {colour for colours in found.values() for colour in colours} <= palette
