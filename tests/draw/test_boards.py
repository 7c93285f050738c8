"""What boards are made of: contrast, and players told apart by who sees few colours or none."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest

import damier
from damier.draw.palette import BOARDS, PIECES, SHADES, THEMES, Theme, board_stylesheet, theme_name
from tests.games.test_appearance import GAMES

Colour = tuple[float, float, float]

# Linear RGB as it is seen without one kind of cones (Machado, Oliveira, Fernandes 2009), and without any colour.
SEEN = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
}
APART = 15.0  # least distance in CIELAB between two players; 2.3 is just noticeable

every_board = pytest.mark.parametrize("board", BOARDS)
every_shade = pytest.mark.parametrize("shade", SHADES)


def linear(colour: str) -> Colour:
    digits = colour.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [part / 255 for part in bytes.fromhex(digits)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def luminance(colour: str) -> float:
    return sum(weight * part for weight, part in zip(SEEN["grey"][0], linear(colour), strict=True))


def contrast(one: str, other: str) -> float:
    """Returns the contrast as WCAG defines it, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, seen: str) -> Colour:
    """Returns a colour in CIELAB, as somebody sees it."""
    found = linear(colour)
    mixed = (sum(a * b for a, b in zip(row, found, strict=True)) for row in SEEN[seen])
    red, green, blue = (min(1.0, max(0.0, part)) for part in mixed)
    tristimulus = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in tristimulus)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def rivals() -> list[tuple[str, str]]:
    """Returns the colours of every two players that meet in a game."""
    looks = [damier.load(name, **options).drawing.looks.values() for name, options in GAMES]
    return sorted({pair for each in looks for pair in combinations(sorted({look.colour for look in each}), 2)})


def nearest(theme: Theme, seen: str, part: str) -> float:
    return min(dist(lab(theme.piece(one)[part], seen), lab(theme.piece(other)[part], seen)) for one, other in rivals())


@pytest.mark.parametrize(
    "board", [board for board in BOARDS if board != "wood"]
)  # which relies on depth and gloss, too
@every_shade
def test_pieces_marks_and_coordinates_stand_out_from_the_board(board: str, shade: str) -> None:
    theme = THEMES[theme_name(board, shade)]
    least, least_text = (4.5, 7.0) if board == "contrast" else (3.0, 4.5)
    assert contrast(theme.label, theme.frame) >= least_text
    for cell in (theme.light, theme.dark):
        for sign in ("target", "mark", "trail"):
            assert contrast(theme[sign], cell) >= least, f"{sign} on {cell}"
        for name in PIECES:
            piece = theme.piece(name)
            assert max(contrast(piece.face, cell), contrast(piece.edge, cell)) >= least, f"{name} on {cell}"


@pytest.mark.parametrize("board", ["contrast", "safe"])
@every_shade
@pytest.mark.parametrize("seen", SEEN)
def test_players_are_told_apart_by_everybody(board: str, shade: str, seen: str) -> None:
    theme = THEMES[theme_name(board, shade)]
    for part in ("face", "gleam"):
        assert nearest(theme, seen, part) >= APART, part


def test_wood_relies_on_patterns_and_letters_for_who_sees_no_colours() -> None:
    assert nearest(THEMES["light"], "grey", "face") < 2.3, "Otherwise the safe board is not needed."


@every_board
@every_shade
def test_the_pattern_of_a_piece_stands_out_from_its_face(board: str, shade: str) -> None:
    theme = THEMES[theme_name(board, shade)]
    for name in PIECES:
        piece = theme.piece(name)
        least = 4.0 if board in ("contrast", "safe") else 2.5
        assert contrast(piece.pattern, piece.face) >= least, name
        assert contrast(piece.pattern, piece.gleam) >= least, name


def test_a_board_names_only_tokens_and_pieces_that_there_are() -> None:
    for board, changes in BOARDS.items():
        assert set(changes.get("tokens", {})) <= set(THEMES["light"]), board
        assert set(changes.get("pieces", {})) <= set(PIECES), board


def test_the_style_sheet_of_boards_changes_nothing_but_what_boards_name() -> None:
    sheet = board_stylesheet()
    assert "--page" not in sheet
    assert all(f'[data-board="{board}"]' in sheet for board in BOARDS)
