"""What boards mark of the last turns: whole turns, with the ways of pieces, through rolls and ends of turns."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

import damier
from damier.draw.marks import PieceRoute, action_marks, last_turns
from damier.games import register, unregister
from tests.games.minimal import GAME

MIDDLE = "W1W1W/1...1/B.B.W/1...B/1BW1B b 0,0 -,- -"  # of Badia


def marked(name: str, text: str, viewers: str = "", start: str | None = None, **options: object) -> list[str]:
    """Returns the marked turns after some actions, each as player, colon and cells."""
    record = damier.load(name, **options).record(start)
    for action in text.split():
        record.play(action)
    return [f"{turn.player}: {' '.join(turn.cells)}" for turn in last_turns(record, viewers)]


def routes(name: str, position: str, action: str, **options: object) -> list[PieceRoute]:
    return list(action_marks(damier.load(name, **options).parse(position), action).routes)


# Turns


def test_nothing_is_marked_before_the_first_action() -> None:
    assert marked("chefa", "") == []
    assert marked("omba", "roll:1", "12") == []


def test_all_actions_of_a_long_turn_are_marked_also_after_its_end() -> None:
    assert marked("sensei", "a1-a2 d1^c1") == ["g: a1 a2 d1 c1"]
    assert marked("sensei", "a1-a2 d1^c1 end") == ["g: a1 a2 d1 c1"]
    assert marked("sensei", "a1-a2 d1^c1 end", "r") == ["g: a1 a2 d1 c1"]
    assert marked("sensei", "a1-a2 b1-b2 d1^c1", "r") == ["g: a1 a2 b1 b2 d1 c1"]


def test_the_opponents_turn_stays_until_the_viewer_has_acted() -> None:
    turn = "a1-a2 end"
    assert marked("sensei", turn, "r") == ["g: a1 a2"]
    assert marked("sensei", f"{turn} g7-g6", "r") == ["r: g7 g6"]
    assert marked("sensei", f"{turn} g7-g6 end", "r") == ["r: g7 g6"]
    assert marked("sensei", f"{turn} g7-g6 end", "g") == ["r: g7 g6"]


def test_a_roll_hides_no_turn() -> None:
    assert marked("omba", "roll:1 @b1", "2") == ["1: b1"]
    assert marked("omba", "roll:1 @b1 roll:1", "2") == ["1: b1"]
    assert marked("omba", "roll:1 @b1 roll:1") == ["1: b1"]


def test_of_three_or_four_players_the_last_turn_of_each_since_the_viewers_own_is_marked() -> None:
    line = "roll:1 @b1 roll:1 @a2 roll:1 @c2 roll:1"
    assert marked("omba", line, "1", players=3) == ["2: a2", "3: c2"]
    assert marked("omba", line, "2", players=3) == ["3: c2"]
    assert marked("omba", line, "3", players=3) == ["3: c2"]
    assert marked("omba", line, "4", players=4) == ["1: b1", "2: a2", "3: c2"]
    assert marked("omba", line, players=3) == ["3: c2"]


def test_a_player_who_no_longer_acts_sees_one_turn_of_every_other() -> None:
    line = "roll:1 @b1 roll:1 @a2 roll:1 @c2 roll:1 @b3 roll:2 @b3"
    assert marked("omba", line, "3", players=3) == ["1: b3", "2: b3"]


def test_an_answer_belongs_to_the_turn_in_which_it_is_given() -> None:
    assert marked("badia", "b1-c1>?", "w", MIDDLE) == ["b: b1 c1"]
    for viewer in ("b", "w"):
        assert marked("badia", "b1-c1>? >d1", viewer, MIDDLE) == ["b: b1 c1 d1"]
    assert marked("badia", "b1-c1>? >d1 e3=e2", "b", MIDDLE) == ["w: e3 e2"]


def test_an_earlier_moment_marks_what_was_then_the_last_turn() -> None:
    record = damier.load("sensei").record()
    for action in ("a1-a2", "b1-b2", "end", "g7-g6"):
        record.play(action)
    counts = [[turn.cells for turn in last_turns(record, count=count)] for count in range(5)]
    assert counts == [[], [("a1", "a2")], [("a1", "a2", "b1", "b2")], [("a1", "a2", "b1", "b2")], [("g7", "g6")]]


# Ways


def test_a_piece_goes_straight_through_the_cells_between() -> None:
    assert routes("renfa", "4W/5/5/5/B3W b 0,0", "a1-d1", bombs=3) == [PieceRoute("a1", ("b1", "c1"), "d1")]
    assert routes("sensei", "RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1", "d1^a1") == [PieceRoute("d1", ("c1", "b1"), "a1")]


def test_a_hole_is_no_cell_of_a_way() -> None:
    assert routes("chefa", "2W2/5/5/5/2B2 b 3,3 -", "c1=c5") == [PieceRoute("c1", ("c2", "c4"), "c5")]


def test_a_detonation_marks_all_that_disappears() -> None:
    position = damier.load("renfa").parse("5/BB2W/BW1W1/1W1B1/BB1W1 w 0,0")
    marks = action_marks(position, "*b4")
    assert marks.routes == (PieceRoute(None, (), "b4"),)
    assert set(marks.cells) == {"a4", "b4", "a3", "b3", "b2", "b1", "a1"}


def test_a_displaced_pawn_goes_where_it_is_put_and_passes_no_cell() -> None:
    found = routes("badia", "WW1WW/1...1/B.B.1/1...1/BBWB1 b 0,0 -,- -", "b1-c1>c5")
    assert found == [PieceRoute("b1", (), "c1"), PieceRoute("c1", (), "c5")]


def test_a_piece_walks_along_a_way_that_uses_exactly_the_points() -> None:
    game = damier.load("omba")
    record = game.record()
    for action in ("roll:1", "@b1", "roll:2", "@b1", "roll:3"):
        record.play(action)
    seen = 0
    for action in record.actions():
        (route,) = action_marks(record.position, action).routes
        way = [route.origin, *route.path, route.target] if route.origin else [*route.path, route.target]
        assert len(set(way)) == len(way)
        steps = [abs(ord(a[0]) - ord(b[0])) + abs(int(a[1]) - int(b[1])) for a, b in pairwise(way) if a and b]
        assert steps == [1] * (len(way) - 1)
        level = 1 if route.origin else 0
        points = 0
        for cell in way[1:] if route.origin else way:
            height = sum(piece.cell == cell for piece in record.position.pieces())
            points += 1 + abs(level - height)
            level = height
        assert points == 3
        seen += len(route.path)
    assert seen


@pytest.fixture
def rows() -> Iterator[None]:
    """A game of rules and notation alone."""
    register(GAME)
    yield
    unregister("rows")


@pytest.mark.usefixtures("rows")
def test_a_game_of_rules_and_notation_alone_is_marked() -> None:
    assert marked("rows", "b2 a1", "x") == ["o: a1"]
