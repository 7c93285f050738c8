"""Pictures: well-formed, complete, the same for the same call, and safe whatever the title is."""

import gzip
import re
import xml.etree.ElementTree as ET

import pytest

import damier
from damier import BadArgument, Game, IllegalAction
from damier.core.drawing import piece_label
from damier.draw.marks import last_turns
from damier.draw.palette import THEMES
from damier.draw.svg import board_svg
from tests.games.test_appearance import every_game, random_positions

SVG = "{http://www.w3.org/2000/svg}"


def parts(svg: str, kind: str) -> list[ET.Element]:
    """Returns the groups of a class."""
    return groups(ET.fromstring(svg), kind)


def groups(root: ET.Element, kind: str) -> list[ET.Element]:
    return [group for group in root.iter(f"{SVG}g") if group.get("class", "").split(" ")[0] == kind]


def titles(root: ET.Element, kind: str) -> list[str]:
    """Returns what the groups of a class are called."""
    return [group.findtext(f"{SVG}title") or "" for group in groups(root, kind)]


@every_game
@pytest.mark.parametrize("theme", THEMES)
def test_pictures_are_well_formed_and_show_every_cell_and_piece(game: Game, theme: str) -> None:
    for number, position in enumerate(random_positions(game)[::29]):
        root = ET.fromstring(board_svg(position, theme=theme, actions=position.actions(), flip=number % 2 == 1))
        assert [title.split(",")[0] for title in titles(root, "cell")] == [cell.name for cell in game.drawing.cells]
        pieces = [piece_label(game.drawing, piece) for piece in position.pieces()]
        assert sorted(titles(root, "piece")) == sorted(pieces)


@every_game
def test_the_same_call_gives_the_same_picture(game: Game) -> None:
    position = random_positions(game)[25]
    again = game.parse(str(position))
    assert board_svg(position, actions=position.actions()) == board_svg(again, actions=again.actions())


@every_game
def test_nothing_is_drawn_outside_the_picture(game: Game) -> None:
    for position in random_positions(game)[::23]:
        root = ET.fromstring(board_svg(position, actions=position.actions()))
        _, _, width, height = map(float, root.attrib["viewBox"].split(" "))
        places = [
            tuple(map(float, place))
            for element in root.iter()
            for place in re.findall(r"translate\(([-0-9.]+) ([-0-9.]+)\)", element.get("transform", ""))
        ]
        places += [
            (float(text.attrib["x"]), float(text.attrib["y"])) for text in root.iter(f"{SVG}text") if "x" in text.attrib
        ]
        assert places
        for x, y in places:
            assert 0 < x < width
            assert 0 < y < height


@every_game
def test_ids_of_different_pictures_differ_and_all_references_are_met(game: Game) -> None:
    first, second = random_positions(game)[:2]
    pictures = [board_svg(first), board_svg(second), board_svg(first, theme="dark"), board_svg(first, flip=True)]
    ids = [set(re.findall(r'\bid="([^"]*)"', picture)) for picture in pictures]
    assert len(set.union(*ids)) == sum(map(len, ids))
    for picture, known in zip(pictures, ids, strict=True):
        assert set(re.findall(r"url\(#([^)]*)\)", picture)) <= known


@pytest.mark.parametrize(
    "title", ["</title><script>alert(1)</script>", "\"&<>'", "]]>", "\x00\x08\ufffe\ud800 end", "<!-- &amp; -->"]
)
def test_hostile_titles_are_escaped(title: str) -> None:
    svg = board_svg(damier.load("chefa").start, title=title)
    svg.encode("utf-8")
    root = ET.fromstring(svg)
    readable = re.sub("[\x00\x08\ufffe\ud800]", "\ufffd", title)
    assert root.findtext(f"{SVG}title") == readable
    assert not list(root.iter(f"{SVG}script"))


def test_the_description_says_who_is_on_move_and_where_the_pieces_are() -> None:
    position = damier.load("badia").parse("WW2B/1...1/1.W.1/B...W/BBBW1 w 0,0 c1,e2 -")
    description = ET.fromstring(board_svg(position)).findtext(f"{SVG}desc") or ""
    assert description.startswith("White to move. a1, black pawn; b1, black pawn; c1, black pawn, marked;")


def test_a_picture_is_as_wide_as_asked() -> None:
    root = ET.fromstring(board_svg(damier.load("chefa").start, size=240))
    assert root.get("width") == "240"
    assert float(root.attrib["height"]) < 300


@pytest.mark.parametrize("arguments", [{"theme": "purple"}, {"theme": ""}, {"size": 0}, {"size": 10**9}])
def test_unknown_themes_and_sizes_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(BadArgument):
        board_svg(damier.load("chefa").start, **arguments)  # type: ignore[arg-type]  # the point of the test


def test_what_is_no_action_is_refused() -> None:
    with pytest.raises(IllegalAction):
        board_svg(damier.load("chefa").start, actions=["a1", "nonsense"])


def test_the_last_action_or_turn_is_tinted() -> None:
    start = damier.load("sensei").start
    assert 'class="last"' not in board_svg(start)
    assert board_svg(start, last="a1-a2").count('class="last"') == 2
    assert board_svg(start, last="a1-a2+d1^c1+end").count('class="last"') == 4


@pytest.mark.parametrize(
    ("name", "line", "cells", "arrows"),
    [
        ("sensei", "a1-a2 d1^b1 end", 5, 2),
        ("omba", "roll:1 @b1 roll:1 @b3 roll:2 b1-c2 roll:1", 3, 1),
        ("chefa", "a1", 1, 0),
    ],
)
def test_the_last_turn_of_a_record_is_tinted_whole_with_arrows(name: str, line: str, cells: int, arrows: int) -> None:
    record = damier.load(name).record()
    assert board_svg(record.position, last=last_turns(record)) == board_svg(record.position)
    for action in line.split():
        record.play(action)
    picture = board_svg(record.position, last=last_turns(record))
    assert picture.count('class="last"') == cells
    assert picture.count('class="trail"') == arrows
    ET.fromstring(picture)


def test_actions_show_dots_rings_and_lines() -> None:
    position = damier.load("renfa").parse("3W1/W1W1B/1BW2/1WB1W/B2B1 b 0,0")
    (shown,) = parts(board_svg(position, actions=["a1-a2", "a1-a3", "*c3"]), "actions")
    assert len(shown.findall(f"{SVG}path[@class='solid']")) == 1, "one line passes both targets"
    assert len(list(shown.iter(f"{SVG}circle"))) == 4, "two dots, the rings of the origin and of the bomb"
    assert parts(board_svg(position), "actions") == []


def test_a_possible_pass_is_a_dotted_line() -> None:
    (shown,) = parts(board_svg(damier.load("sensei").start, actions=["d1^a1"]), "actions")
    assert len(shown.findall(f"{SVG}path[@class='dotted']")) == 1


def test_coordinates_can_be_left_out() -> None:
    start = damier.load("badia").start
    (shown,) = parts(board_svg(start), "coordinates")
    assert sorted(text.text or "" for text in shown) == list("12345abcde")
    assert parts(board_svg(start, coordinates=False), "coordinates") == []


def test_the_grain_of_the_wood_can_be_left_out() -> None:
    position = damier.load("chefa").start
    with_grain, without = board_svg(position), board_svg(position, has_grain=False)
    assert titles(ET.fromstring(without), "cell") == titles(ET.fromstring(with_grain), "cell")
    assert 2 * len(gzip.compress(without.encode())) < len(gzip.compress(with_grain.encode()))


def test_every_stack_is_listed_beside_the_board() -> None:
    position = damier.load("omba").parse("212,-,2/1,2121,2/1,-,- 1 1,0 4 -")
    listed = [
        "".join(text.text or "" for text in stack.iter(f"{SVG}text")) for stack in parts(board_svg(position), "stack")
    ]
    assert listed == ["a3212", "b3–", "c32", "a21", "b22121", "c22", "a11", "b1–", "c1–"]


@pytest.mark.parametrize("text", ["-,-,-/-,121212121212,-/-,-,- 1 0,0 - -", "121212121212,-,-/-,-,-/-,-,- 1 0,0 - -"])
def test_the_highest_stack_fits_into_the_picture(text: str) -> None:
    svg = board_svg(damier.load("omba").parse(text))
    tops = [float(y) for y in re.findall(r"translate\([-0-9.]+ ([-0-9.]+)\) scale\(45\)", svg)]
    assert len(tops) == 12
    assert min(tops) > 45 * 0.75, "the face of the uppermost drum is above its foot"
