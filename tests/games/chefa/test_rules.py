"""Chefa: one test per sentence of its rules, each refusal and each way to end."""

import itertools
import re

import pytest

import damier
from tests.games.test_rules_common import ended, play_all, refusal

GAME = damier.load("chefa")
CELLS = [column + row for row in "12345" for column in "abcde"]


def position(black: str, white: str, side: str = "b", ko: str = "-") -> str:
    """Returns the string of a position after the placement, with pawns on cells separated by spaces."""
    pawns = dict.fromkeys(black.split(), "B") | dict.fromkeys(white.split(), "W")
    rows = ["".join(pawns.get(column + row, " ") for column in "abcde") for row in "54321"]
    board = re.sub(" +", lambda run: str(len(run[0])), "/".join(rows))
    return f"{board} {side} 0,0 {ko}"


def winner(text: str) -> str | None:
    """Returns who has won in a position."""
    result = GAME.parse(text).result
    return result.winner if result else None


# Phase 1


def test_the_game_starts_with_an_empty_board_and_four_pawns_each() -> None:
    """Position: start 5/5/5/5/5 b 4,4 -."""
    assert str(GAME.start) == "5/5/5/5/5 b 4,4 -"


def test_a_pawn_is_placed_on_any_empty_cell_but_the_centre() -> None:
    """Phase 1: each player puts a pawn on an empty cell other than c3."""
    assert GAME.start.actions() == sorted(set(CELLS) - {"c3"})
    assert set(GAME.start.actions()) - set(GAME.parse("B4/5/5/5/4W b 3,3 -").actions()) == {"a5", "e1"}
    assert refusal(GAME.record(), "c3") == "The centre c3 is not a cell: no pawn can enter it."


def test_players_place_in_turn_until_all_eight_are_placed() -> None:
    """Phase 1: in turn, until all eight are placed."""
    record = GAME.record()
    for cell in ["a1", "b1", "a2", "b2", "d4", "e4", "d5", "e5"]:
        assert all(len(action) == 2 for action in record.actions())
        record.play(cell)
    assert str(record.position) == "3BW/3BW/5/BW3/BW3 b 0,0 -"
    assert all(action[2] in "-=" for action in record.actions())


# Steps


def test_a_pawn_steps_to_an_edge_neighbouring_empty_cell() -> None:
    """Step: an own pawn to an edge-neighbouring empty cell."""
    actions = GAME.parse(position("b2 a5 c5 e5", "a4 b5 d5 e4")).actions()
    assert [action for action in actions if action.startswith("b2-")] == ["b2-a2", "b2-b1", "b2-b3", "b2-c2"]
    assert [action for action in actions if action.startswith("c5-")] == ["c5-c4"]
    assert [action for action in actions if action.startswith(("a5-", "e5-"))] == []


def test_a_step_never_enters_the_centre() -> None:
    """Cell c3 can never be entered; step: (not c3)."""
    record = GAME.record(position("b3 c2 d3 c4", "a5 b5 e5 e1"))
    assert [action for action in record.actions() if action.endswith("c3")] == []
    for cell in ["b3", "c2", "d3", "c4"]:
        assert refusal(record, f"{cell}-c3") == "The centre c3 is not a cell: no pawn can enter it."


def test_a_step_leaves_no_ko() -> None:
    """Position: ko is - unless a swap has just been made."""
    assert str(GAME.parse(position("a1 a2 b3 e5", "a4 d1 d2 e4")).play("b3-b4")).endswith(" w 0,0 -")


# Swaps


def test_a_swap_exchanges_two_pawns_in_one_row_or_column() -> None:
    """Swap: an own pawn exchanges places with an enemy pawn in the same row or column, all cells between empty."""
    start = GAME.parse(position("a1 b3 d5 e4", "e1 a5 c4 d2"))
    assert str(start.play("a1=e1")) == position("e1 b3 d5 e4", "a1 a5 c4 d2", "w", "a1,e1")
    assert str(start.play("a1=a5")) == position("a5 b3 d5 e4", "e1 a1 c4 d2", "w", "a1,a5")
    assert [action for action in start.actions() if "=" in action] == [
        "a1=a5", "a1=e1", "d5=a5", "d5=d2", "e4=c4", "e4=e1"]  # fmt: skip


def test_neighbours_swap() -> None:
    """Swap: neighbours have no cell between."""
    start = GAME.parse(position("a1 c5 d5 e4", "a2 a5 c4 d2"))
    assert "a1=a2" in start.actions()
    assert str(start.play("a1=a2")) == position("a2 c5 d5 e4", "a1 a5 c4 d2", "w", "a1,a2")


@pytest.mark.parametrize(("black", "white"), [("a1 c1 d5 e4", "e1 a5 b4 d2"), ("a1 b5 d5 e4", "e1 a5 c1 d2")])
def test_a_pawn_of_either_colour_between_prevents_a_swap(black: str, white: str) -> None:
    """Swap: all cells between them empty."""
    record = GAME.record(position(black, white))
    assert "a1=e1" not in record.actions()
    assert refusal(record, "a1=e1") == "A pawn stands between a1 and e1."


@pytest.mark.parametrize(("own", "enemy"), [("b3", "d3"), ("a3", "e3"), ("c1", "c5"), ("c4", "c2")])
def test_a_swap_crosses_the_centre(own: str, enemy: str) -> None:
    """Cell c3 never blocks: it counts as empty."""
    start = GAME.parse(position(f"{own} a1 b5 d5", f"{enemy} e1 a5 b1"))
    assert f"{own}={enemy}" in start.actions()
    ko = ",".join(sorted([own, enemy]))
    assert str(start.play(f"{own}={enemy}")) == position(f"{enemy} a1 b5 d5", f"{own} e1 a5 b1", "w", ko)


# The ko


def test_a_swap_just_made_cannot_be_undone() -> None:
    """Ko: a player may not undo the swap the opponent has just made."""
    record = GAME.record(position("a1 b3 d5 e4", "d3 a5 c5 d2"))
    record.play("b3=d3")
    assert str(record.position) == position("a1 d3 d5 e4", "b3 a5 c5 d2", "w", "b3,d3")
    assert "b3=d3" not in record.actions()
    assert refusal(record, "b3=d3") == "The swap of b3 and d3 has just been made and may not be undone at once."


def test_the_ko_forbids_only_the_exact_pair() -> None:
    """Ko: it is a pair of cells; each of the two pawns may swap with another."""
    text = position("a1 d3 e5 b5", "b3 d5 a4 d1", "w", "b3,d3")
    swaps = [action for action in GAME.parse(text).actions() if "=" in action]
    assert swaps == ["a4=a1", "b3=b5", "d1=a1", "d1=d3", "d5=b5", "d5=d3", "d5=e5"]
    free = [action for action in GAME.parse(text.replace("b3,d3", "-")).actions() if "=" in action]
    assert sorted(set(free) - set(swaps)) == ["b3=d3"]


def test_the_ko_stands_for_one_turn() -> None:
    """Ko: it stands for one turn, then either player may make that swap again."""
    record = GAME.record(position("a1 b3 d5 e4", "d3 a5 c5 d2"))
    play_all(record, "b3=d3 a5-a4")
    assert str(record.position).endswith(" b 0,0 -")
    assert "d3=b3" in record.actions()
    record.play("d3=b3")
    assert str(record.position) == position("a1 b3 d5 e4", "d3 a4 c5 d2", "w", "b3,d3")


def test_the_ko_of_one_swap_gives_way_to_the_next() -> None:
    """Ko: only the swap just made counts."""
    record = GAME.record(position("a1 b3 d5 e4", "d3 a5 c5 d2"))
    play_all(record, "b3=d3 d2=d3")
    assert str(record.position) == position("a1 d2 d5 e4", "b3 a5 c5 d3", "b", "d2,d3")
    assert refusal(record, "d2=d3") == "The swap of d2 and d3 has just been made and may not be undone at once."
    assert "d5=d3" in record.actions()


def test_taking_back_restores_the_ko() -> None:
    """Ko: it is part of the position and comes back with it."""
    record = GAME.record(position("a1 b3 d5 e4", "d3 a5 c5 d2"))
    play_all(record, "b3=d3 a5-a4")
    record.undo()
    assert str(record.position).endswith(" w 0,0 b3,d3")
    assert "b3=d3" not in record.actions()
    record.undo()
    assert "b3=d3" in record.actions()


def test_the_same_placement_with_a_ko_is_another_position() -> None:
    """Repetition compares position strings, and the ko is part of them."""
    start = position("a1 d3 d5 e4", "b3 a5 c5 d2", "w", "b3,d3")
    record = GAME.record(start)
    cycle = "a5-a4 a1-a2 a4-a5 a2-a1"
    play_all(record, f"{cycle} {cycle}")
    assert str(record.position) == start.replace("b3,d3", "-")
    assert record.result is None, "twice without the ko, once with it"
    record.play("a5-a4")
    assert ended(record).reason == "repetition", "this one stood three times without a ko"


# The goal


@pytest.mark.parametrize("row", ["1", "2", "4", "5"])
@pytest.mark.parametrize("gap", "abcde")
def test_four_pawns_in_a_row_win_with_or_without_a_gap(row: str, gap: str) -> None:
    """Goal: all 4 own pawns in one row; a gap is allowed (ruling)."""
    cells = " ".join(column + row for column in "abcde" if column != gap)
    far = "5" if row < "3" else "1"
    assert winner(position(cells, f"a3 b3 a{far} b{'4' if far == '5' else '2'}", "w")) == "b"


@pytest.mark.parametrize("column", "abde")
@pytest.mark.parametrize("gap", "12345")
def test_four_pawns_in_a_column_win_with_or_without_a_gap(column: str, gap: str) -> None:
    """Goal: all 4 own pawns in one column; a gap is allowed (ruling)."""
    cells = " ".join(column + row for row in "12345" if row != gap)
    far = "e" if column < "c" else "a"
    assert winner(position(f"c1 c2 {far}4 {far}5", cells, "b")) == "w"


def test_the_hole_is_the_gap_of_row_3_and_column_c() -> None:
    """Goal: in row 3 and column c there is always the hole."""
    assert winner(position("a3 b3 d3 e3", "a1 b2 d5 e4", "w")) == "b"
    assert winner(position("c1 c2 c4 c5", "a1 b2 d5 e4", "w")) == "b"


def test_three_in_a_line_or_a_diagonal_do_not_win() -> None:
    """Goal: all 4 own pawns in one row or one column, so neither three nor a diagonal."""
    assert winner(position("a1 b1 c1 a2", "d5 d4 e5 c4", "w")) is None
    assert winner(position("a1 b2 d4 e5", "a2 b3 d1 e4", "w")) is None


SQUARES = [
    " ".join([column + row, right + row, column + upper, right + upper])
    for column, right in itertools.pairwise("abcde")
    for row, upper in itertools.pairwise("12345")
    if "c3" not in (column + row, right + row, column + upper, right + upper)
]


@pytest.mark.parametrize("cells", SQUARES)
def test_a_square_wins(cells: str) -> None:
    """Goal: or all 4 in a 2x2 square; the twelve that c3 is not part of."""
    others = " ".join([cell for cell in ["a1", "e2", "a4", "e5", "c1", "b5"] if cell not in cells.split()][:4])
    result = GAME.parse(position(cells, others, "w")).result
    assert result is not None
    assert (result.winner, result.reason) == ("b", "square")
    assert len(SQUARES) == 12


@pytest.mark.parametrize("cells", ["e1 a2 e2 a3", "b2 c2 b3 d3", "a1 c1 a3 d3", "a1 b1 a2 c2", "b2 b4 d2 d4"])
def test_other_figures_are_no_square(cells: str) -> None:
    """Goal: a 2x2 square, not round the edge of the board, not larger, not with a corner off its place."""
    assert winner(position(cells, "a5 c5 d5 e4", "w")) is None


def test_a_step_completes_a_line() -> None:
    """Goal: reached in phase 2."""
    record = GAME.record(position("a1 b1 d1 e2", "a5 b4 d5 e4"))
    record.play("e2-e1")
    assert (ended(record).winner, ended(record).reason, ended(record).text) == ("b", "line", "b")
    assert ended(record).sentence() == "Black wins: four pawns in a line."
    assert refusal(record, "a5-a4") == "The game is over. Black wins: four pawns in a line."
    record.undo()
    assert record.result is None


def test_a_swap_completes_a_square() -> None:
    """Goal: reached in phase 2 by a swap."""
    record = GAME.record(position("b1 d5 e3 a4", "a1 b2 c1 c2", "w"))
    record.play("a1=b1")
    assert str(record.position) == position("a1 d5 e3 a4", "b1 b2 c1 c2", "b", "a1,b1")
    assert (ended(record).winner, ended(record).reason) == ("w", "square")
    assert ended(record).sentence() == "White wins: four pawns in a square."


def test_white_can_win_by_its_last_placement() -> None:
    """Win test: placements included, the very last one too."""
    record = GAME.record("BB1B1/5/5/WW3/W3B w 0,1 -")
    record.play("b1")
    assert str(record.position) == "BB1B1/5/5/WW3/WW2B b 0,0 -"
    assert ended(record).sentence() == "White wins: four pawns in a square."


def test_black_can_win_by_placement_before_white_has_placed_all() -> None:
    """Win test: placements included; the opponent's hand need not be empty."""
    record = GAME.record("5/W4/5/WW3/BB1B1 b 1,1 -")
    record.play("c1")
    assert str(record.position) == "5/W4/5/WW3/BBBB1 w 0,1 -"
    assert (ended(record).winner, ended(record).reason) == ("b", "line")
    record.undo()
    assert record.result is None
    record.play("e5")
    assert record.result is None


def test_both_goals_at_once_win_for_the_one_who_acted_whatever_their_figures() -> None:
    """Win test: if an action completes both players' goals, the one who acted wins, and the reason is theirs."""
    record = GAME.record(position("a1 b1 a2 b5", "a5 d5 e5 b2"))
    record.play("b5=b2")
    assert str(record.position) == position("a1 b1 a2 b2", "a5 d5 e5 b5", "w", "b2,b5")
    assert ended(record).sentence() == "Black wins: four pawns in a square."


# Refusals

LATE = position("a1 a2 b1 d5", "b2 e1 d3 c5")


@pytest.mark.parametrize(
    ("text", "action", "sentence"),
    [
        ("5/5/5/5/BW3 b 3,3 -", "b1", "There is already a pawn on b1."),
        ("5/5/5/5/BW3 b 3,3 -", "a1-a2", "All pawns must be placed before any can move."),
        ("5/5/5/5/BW3 b 3,3 -", "a1=b1", "All pawns must be placed before any can move."),
        (LATE, "e5", "All pawns are placed: now move a pawn, such as a1-a2, or swap two, such as a1=a4."),
        (LATE, "c3-c2", "The centre c3 is not a cell: no pawn can enter it."),
        (LATE, "a1=c3", "The centre c3 is not a cell: no pawn can enter it."),
        (LATE, "e1-e2", "The pawn on e1 is not yours."),
        (LATE, "e1=b1", "The pawn on e1 is not yours."),
        (LATE, "e2-e3", "There is no pawn on e2."),
        (LATE, "e2=e1", "There is no pawn on e2."),
        (LATE, "a1-a2", "There is already a pawn on a2."),
        (LATE, "a2-b2", "There is an enemy pawn on b2: a swap is written a2=b2."),
        (LATE, "a2-a4", "A pawn steps to a neighbouring cell, and a4 is not beside a2."),
        (LATE, "a2-b3", "A pawn steps to a neighbouring cell, and b3 is not beside a2."),
        (LATE, "a2=a3", "There is no enemy pawn on a3 to swap with."),
        (LATE, "a1=a2", "There is no enemy pawn on a2 to swap with."),
        (LATE, "a1=b2", "A swap needs one row or column, and a1 and b2 share neither."),
        (LATE, "a1=e1", "A pawn stands between a1 and e1."),
        (LATE, "a1-f1", "There is no cell f1 on this board."),
        (LATE, "a6", "There is no cell a6 on this board."),
        (LATE, "a1>a2", "'a1>a2' is not an action: actions are written like a1, a1-a2, a1=a4."),
        (LATE, "*a1", "'*a1' is not an action: actions are written like a1, a1-a2, a1=a4."),
        (LATE, "", "'' is not an action: actions are written like a1, a1-a2, a1=a4."),
    ],
)
def test_a_refusal_says_why(text: str, action: str, sentence: str) -> None:
    """Refusals: each with its whole sentence (the ko's is above)."""
    assert refusal(GAME.record(text), action) == sentence
