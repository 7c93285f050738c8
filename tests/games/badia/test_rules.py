"""Badia: one test per sentence of its rules, each refusal and each way to end.

Positions are written by their cells: ``position("a1 b1 ...", "e5 ...")`` is Black's pawns, then White's.
"""

import re

import pytest

import damier
from tests.games.test_rules_common import ended, play_all, refusal

GAME = damier.load("badia")
RING = ["a1", "b1", "c1", "d1", "e1", "e2", "e3", "e4", "e5", "d5", "c5", "b5", "a5", "a4", "a3", "a2"]
ARROWS = ["a3", "c1", "c5", "e3"]
SQUARES = sorted(set(RING) - set(ARROWS))


def position(black: str, white: str, side: str = "b", markers: str = "", pending: str = "-") -> str:
    """Returns the string of a position after the placement: by default the one in which Black moves first.

    With White to move and no markers given, Black has moved the last of their pawns, and White none.
    """
    markers = markers or ("-,-" if side == "b" else f"{black.split()[-1]},-")
    pawns = dict.fromkeys(black.split(), "B") | dict.fromkeys(white.split(), "W")
    empty = dict.fromkeys([*RING, "c3"], " ")
    rows = ["".join((empty | pawns).get(column + row, ".") for column in "abcde") for row in "54321"]
    board = re.sub(" +", lambda run: str(len(run[0])), "/".join(rows))
    return f"{board} {side} 0,0 {markers} {pending}"


def moves(text: str, cell: str) -> list[str]:
    """Returns the actions of the pawn on a cell."""
    return [action for action in GAME.parse(text).actions() if action.startswith(cell)]


def winner(text: str) -> str | None:
    """Returns who has won in a position."""
    result = GAME.parse(text).result
    return result.winner if result else None


# The board and phase 1


def test_the_game_starts_with_an_empty_board_and_five_pawns_each() -> None:
    """Position: start 5/1...1/1.1.1/1...1/5 b 5,5 -,- -."""
    assert str(GAME.start) == "5/1...1/1.1.1/1...1/5 b 5,5 -,- -"


def test_a_pawn_is_placed_on_an_empty_square_cell() -> None:
    """Phase 1: on an empty square cell (not an arrow, not c3); there are 12."""
    assert GAME.start.actions() == SQUARES
    position = GAME.start.play("a1").play("b1")
    assert str(position) == "5/1...1/1.1.1/1...1/BW3 b 4,4 -,- -"
    assert sorted(set(SQUARES) - set(position.actions())) == ["a1", "b1"]


@pytest.mark.parametrize("cell", ["b2", "b3", "b4", "c2", "c4", "d2", "d3", "d4"])
def test_some_cells_do_not_exist(cell: str) -> None:
    """The cells b2 b3 b4 c2 c4 d2 d3 d4 do not exist."""
    assert refusal(GAME.record(), cell) == f"There is no cell {cell} on this board."


def test_players_place_in_turn_until_all_ten_are_placed() -> None:
    """Phase 1: in turn, until all ten are placed; placing sets no marker (ruling), so every pawn may move."""
    record = GAME.record()
    play_all(record, "a1 a2 b1 a4 d1 a5 e1 b5 e2")
    assert record.actions() == ["d5", "e4", "e5"]
    record.play("e5")
    assert str(record.position) == "WW2W/W...1/1.1.1/W...B/BB1BB b 0,0 -,- -"
    assert record.actions() == ["a1=a2", "b1-c1", "d1-c1", "e2-e3"]
    record.play("e2-e3")
    assert record.actions() == ["a2-a3", "a2=a1", "a4-a3", "b5-c5", "e5-d5", "e5-e4"]


@pytest.mark.parametrize(
    ("cell", "touching"),
    [("a1", "a2 b1"), ("b1", "a1 c1"), ("c1", "b1 c3 d1"), ("a3", "a2 a4 c3"), ("e3", "c3 e2 e4"), ("c5", "b5 c3 d5"),
     ("c3", "a3 c1 c5 e3"), ("e5", "d5 e4"), ("a2", "a1 a3")],
)  # fmt: skip
def test_each_rim_cell_touches_two_and_the_centre_touches_the_arrows(cell: str, touching: str) -> None:
    """Each rim cell touches the two next to it on the rim; c3 touches the four arrows."""
    near = [cell, *touching.split()]
    others = [other for other in RING if other not in near]
    text = position(" ".join([cell, *others[0:8:2]]), " ".join(others[1:10:2]))
    assert moves(text, cell) == [f"{cell}-{to}" for to in touching.split()]


# The marker


def test_the_pawn_moved_last_may_not_move_again() -> None:
    """Phase 2: one own pawn, not the one they moved last (it carries their marker)."""
    record = GAME.record(position("a1 d1 e5 d5 a4", "b5 e2 e4 e1 a2"))
    play_all(record, "a1-b1 b5-c5")
    assert str(record.position).endswith(" b 0,0 b1,c5 -")
    assert [action for action in record.actions() if action.startswith("b1")] == []
    sentence = "The pawn on b1 carries your marker: you moved it last, so another must move."
    assert refusal(record, "b1-a1") == sentence
    play_all(record, "a4-a3 e2-e3")
    assert "b1-a1" in record.actions()
    assert [action for action in record.actions() if action.startswith("a3")] == []


def test_the_marker_forbids_every_kind_of_move() -> None:
    """Phase 2: the marked pawn neither steps nor swaps nor displaces."""
    text = position("c1 a1 a4 e5 d5", "b1 c3 e1 a5 e2", "b", "c1,e1")
    assert moves(text, "c1") == []
    free = text.replace("c1,e1", "a1,e1")
    assert {action[:5] for action in moves(free, "c1")} == {"c1-d1", "c1=b1", "c1-c3"}
    assert all(len(action) >= 5 for action in GAME.parse(free).actions())


@pytest.mark.parametrize(
    ("black", "white", "action", "marker"),
    [
        ("a1 d1 e5 d5 a4", "b1 a5 e2 e4 e1", "a1=b1", "a1"),
        ("b1 a1 e5 d5 a4", "c1 a5 e2 e4 e1", "b1-c1>c3", "c3"),
        ("c1 a1 e5 d5 a4", "c3 a5 e2 e4 e1", "c1-c3>b5", "b5"),
        ("b1 c3 e5 d5 a4", "c1 a5 e2 e4 e1", "b1-c1>a3", "a3"),
    ],
)
def test_the_marker_travels_with_a_displaced_pawn(black: str, white: str, action: str, marker: str) -> None:
    """The marker travels with its pawn when the opponent displaces it."""
    displaced = white.split()[0]
    after = GAME.parse(position(black, white, "b", f"a4,{displaced}")).play(action)
    assert str(after).split(" ")[3].split(",")[1] == marker
    assert moves(str(after), marker) == []
    unmarked = GAME.parse(position(black, white, "b", "a4,e1")).play(action)
    assert str(unmarked).split(" ")[3].endswith(",e1"), "the marker of another pawn stays"
    assert moves(str(unmarked), marker) != []


# Kinds of moves


def test_a_pawn_goes_to_an_empty_cell() -> None:
    """Empty cell: the pawn goes there."""
    text = position("c1 a1 a4 e5 d5", "b1 a5 e1 e2 e4")
    assert str(GAME.parse(text).play("c1-c3")) == position("c3 a1 a4 e5 d5", "b1 a5 e1 e2 e4", "w", "c3,-")


def test_a_pawn_does_not_move_onto_an_own_pawn() -> None:
    """Phase 2: to a touching cell that holds no own pawn."""
    record = GAME.record(position("a1 b1 a4 e5 d5", "a2 a5 e1 e2 e4"))
    assert moves(str(record.position), "a1") == ["a1=a2"]
    assert refusal(record, "a1-b1") == "There is a pawn of your own on b1."
    assert refusal(record, "a1=b1") == "There is a pawn of your own on b1."


def test_an_enemy_on_a_square_cell_exchanges_places() -> None:
    """Enemy on a square cell: the two exchange places; from an arrow too."""
    text = position("c1 a1 a4 e5 d5", "b1 a5 e1 e2 e4")
    assert str(GAME.parse(text).play("c1=b1")) == position("b1 a1 a4 e5 d5", "c1 a5 e1 e2 e4", "w", "b1,-")
    assert str(GAME.parse(text).play("e5=e4")) == position("c1 a1 a4 e4 d5", "b1 a5 e1 e2 e5", "w", "e4,-")


def test_an_enemy_on_the_centre_goes_where_the_mover_says() -> None:
    """Enemy on c3: the mover puts it on any empty square or arrow cell and takes c3; not where the mover comes from."""
    text = position("c1 a1 a4 e5 e3", "c3 a5 e1 e2 e4")
    empty = ["a2", "a3", "b1", "b5", "c5", "d1", "d5"]
    assert [action for action in moves(text, "c1") if "c3" in action] == [f"c1-c3>{cell}" for cell in empty]
    assert str(GAME.parse(text).play("c1-c3>a3")) == position("c3 a1 a4 e5 e3", "a3 a5 e1 e2 e4", "w", "c3,-")
    sentence = "The pawn on c3 goes to an empty square or arrow, and {} is not one."
    for put in ["c1", "a1", "e4", "c3"]:
        assert refusal(GAME.record(text), f"c1-c3>{put}") == sentence.format(put)


def test_an_enemy_on_an_arrow_goes_to_the_empty_centre() -> None:
    """Enemy on an arrow: the enemy pawn goes to c3 if it is empty; the mover takes the arrow."""
    record = GAME.record(position("b1 a1 a4 e5 d5", "c1 a5 e1 e2 e4"))
    assert moves(str(record.position), "b1") == ["b1-c1>c3"]
    for put in ["a3", "b1", "d1"]:
        sentence = "The centre is empty, so the pawn on c1 goes there: b1-c1>c3."
        assert refusal(record, f"b1-c1>{put}") == sentence
    record.play("b1-c1>c3")
    assert str(record.position) == position("c1 a1 a4 e5 d5", "c3 a5 e1 e2 e4", "w", "c1,-")


@pytest.mark.parametrize(
    ("black", "white"), [("b1 c3 a4 e5 d5", "c1 a5 e1 e2 e3"), ("b1 a1 a4 e5 d5", "c1 c3 e1 e2 e3")]
)
def test_an_enemy_on_an_arrow_goes_to_an_empty_arrow_when_the_centre_is_full(black: str, white: str) -> None:
    """Enemy on an arrow: otherwise the mover puts it on an empty arrow, whoever holds c3."""
    record = GAME.record(position(black, white))
    assert moves(str(record.position), "b1")[-2:] == ["b1-c1>a3", "b1-c1>c5"]
    for put in ["c3", "e3", "c1", "b1", "d1"]:
        sentence = f"The centre is full, so the pawn goes to an empty arrow, and {put} is not one."
        assert refusal(record, f"b1-c1>{put}") == sentence
    assert refusal(record, "b1-c1>?") == "The choice is yours: say where the enemy pawn goes, as in b1-c1>a3."
    record.play("b1-c1>c5")
    moved = position(black.replace("b1", "c1"), white.replace("c1", "c5"), "w", "c1,-")
    assert str(record.position) == moved


def test_leaving_the_centre_does_not_make_it_empty_for_the_displaced_pawn() -> None:
    """Ruling: where the mover decides, "empty" is judged before the move; leaving c3 does not make it empty."""
    record = GAME.record(position("c3 a1 a4 e5 d5", "c1 a5 e1 e2 e3"))
    assert [action for action in moves(str(record.position), "c3") if "c1" in action] == ["c3-c1>a3", "c3-c1>c5"]
    sentence = "The centre is full, so the pawn goes to an empty arrow, and c3 is not one."
    assert refusal(record, "c3-c1>c3") == sentence


FULL = position("b1 a3 c5 e5 d5", "c1 c3 e3 e1 a5")
"""Black to move; the centre and all arrows are full."""


def test_the_owner_puts_the_pawn_when_no_arrow_is_empty_either() -> None:
    """If no arrow is empty either, its owner puts it on any cell empty after the move, and then plays their turn."""
    record = GAME.record(FULL)
    assert moves(FULL, "b1") == ["b1-a1", "b1-c1>?"]
    ways = {"b1-a1", "b1-c1", "a3-a2", "a3-a4", "a3-c3", "c5-b5", "c5-c3", "e5-e4"}
    assert {action[:5] for action in record.actions()} == ways
    record.play("b1-c1>?")
    assert str(record.position) == position("c1 a3 c5 e5 d5", "c3 e3 e1 a5", "w", "c1,-", "p")
    assert (record.mover, record.turn) == ("w", 0)
    assert record.actions() == [">a1", ">a2", ">a4", ">b1", ">b5", ">d1", ">e2", ">e4"]
    record.play(">b1")
    assert str(record.position) == position("c1 a3 c5 e5 d5", "b1 c3 e3 e1 a5", "w", "c1,-")
    assert (record.mover, record.turn) == ("w", 1)
    assert "b1-a1" in record.actions(), "a relocated pawn may be moved at once"
    record.undo()
    record.undo()
    assert (str(record.position), record.turn, record.mover) == (FULL, 0, "b")


def test_the_owner_may_choose_the_centre_that_the_mover_has_left() -> None:
    """Ruling: where the owner decides, the move is complete and every empty cell is open."""
    record = GAME.record(position("c3 a3 c5 e5 d5", "c1 d1 e3 e1 a5"))
    assert [action for action in record.actions() if action.startswith("c3")] == ["c3-c1>?", "c3-e3>?"]
    record.play("c3-c1>?")
    assert record.actions() == [">a1", ">a2", ">a4", ">b1", ">b5", ">c3", ">e2", ">e4"]
    record.play(">c3")
    assert str(record.position) == position("c1 a3 c5 e5 d5", "c3 d1 e3 e1 a5", "w", "c1,-")


def test_a_relocated_pawn_with_the_marker_may_not_be_moved_at_once() -> None:
    """Pending: m if that pawn carries the marker; a relocated pawn may be moved at once unless it carries it."""
    record = GAME.record(FULL.replace("-,-", "d5,c1"))
    record.play("b1-c1>?")
    assert str(record.position) == position("c1 a3 c5 e5 d5", "c3 e3 e1 a5", "w", "c1,-", "m")
    record.play(">b1")
    assert str(record.position) == position("c1 a3 c5 e5 d5", "b1 c3 e3 e1 a5", "w", "c1,b1")
    assert moves(str(record.position), "b1") == []
    assert moves(str(record.position), "a5") != []


def test_the_marker_of_another_pawn_stays_while_one_waits() -> None:
    """Pending: p when the waiting pawn does not carry the marker, which stays on its pawn."""
    record = GAME.record(FULL.replace("-,-", "d5,a5"))
    record.play("b1-c1>?")
    assert str(record.position).endswith(" w 0,0 c1,a5 p")
    record.play(">a4")
    assert str(record.position).endswith(" w 0,0 c1,a5 -")
    assert moves(str(record.position), "a5") == []
    assert moves(str(record.position), "a4") != []


# Forbidden returns

LOOP = "a1-a2 e5-e4 b1-c1 d5-c5 a2-a1 e4-e5 c1-b1"


def test_returning_to_the_situation_at_the_start_is_forbidden() -> None:
    """It is forbidden to return to an earlier situation, markers left out."""
    record = GAME.record(position("a1 b1 d1 e2 a4", "e5 d5 b5 a5 e1"))
    play_all(record, LOOP)
    assert "c5-d5" not in record.actions()
    assert "c5-d5" in record.position.actions(), "a position has no history"
    assert record.game.perft(record.position, 1) == len(record.actions()) + 1
    assert refusal(record, "c5-d5") == "This would repeat the situation at the start."
    record.undo()
    assert "c1-b1" in record.actions()


def test_returning_to_a_later_situation_is_forbidden_too() -> None:
    """It is forbidden to return to an earlier situation: the sentence says to which."""
    record = GAME.record(position("a1 b1 d1 e2 a4", "e5 d5 b5 a5 e1"))
    play_all(record, "e2-e3 e1-e2")
    play_all(record, LOOP)
    assert refusal(record, "c5-d5") == "This would repeat the situation after turn 2."


def test_the_same_placement_with_the_other_player_to_move_is_another_situation() -> None:
    """Ruling: the situation compared is the placement of all pawns plus the player to move."""
    start = position("a1 a2 a3 a4 e3", "a5 c3 d5 e1 e4")
    record = GAME.record(start)
    play_all(record, "a3-c3>c1 a5=a4 a2-a3 c1-c3>a2 a5=a4")
    assert str(record.position) == start.replace(" b 0,0 -,-", " w 0,0 a4,c3")


def test_a_player_left_without_an_action_by_returns_loses() -> None:
    """A player left without an action by this rule loses."""
    record = GAME.record(position("c1 c3 d1 e1 e2", "b1 a4 a5 d5 e4", "w"))
    play_all(record, "b1-a1 c3-e3 d5-e5 c1-c3 a1-b1 e3=e4 e5-d5 c3-c1")
    assert record.result is None
    record.play("e3=e4")
    assert str(record.position) == position("c1 d1 e1 e2 e3", "b1 a4 a5 d5 e4", "b", "c1,e4")
    assert record.position.actions() == ["e3-c3", "e3=e4"]
    assert record.position.result is None
    assert record.actions() == []
    assert (ended(record).winner, ended(record).reason) == ("w", "no-action")
    assert ended(record).sentence() == "White wins: the opponent has no action left."
    assert refusal(record, "e3-c3") == "The game is over. White wins: the opponent has no action left."
    record.undo()
    assert record.result is None


WALK = """e2-e3>? >e2 e2-e3>? >d1 c1-c3>a4 a3-c3>e5 d1-c1 a4-a3 c5-c3>e2 e3-c3>c5 e5-d5 e2-e3 c5-c3>a4 a3-c3>b5 d5-c5
a4-a3 c1-c3>e2 e3-c3>c1 b5-a5 e2-e3 c1-c3>a2 a3-c3>c1 a5-a4 a2-a3 c1-c3>a2 e3-c3>c1 a4-a3>e3 a2-a3>?"""
"""White's fifth pawn comes to all empty cells but one, the rest of the placement being the same."""


def walked() -> damier.Record:
    """Returns the game in which White has one cell left to choose."""
    record = GAME.record(position("a3 c3 e1 e3 e4", "a1 b1 c1 c5 e2", "w"))
    play_all(record, WALK)
    assert str(record.position) == position("a3 c3 e1 e3 e4", "a1 b1 c1 c5", "w", "a3,-", "m")
    return record


def test_the_owner_may_not_choose_a_cell_that_returns_to_an_earlier_situation() -> None:
    """An action that would complete a turn into an earlier situation is illegal: the owner's choice completes it."""
    record = walked()
    assert record.position.actions() == [">a2", ">a4", ">a5", ">b5", ">d1", ">d5", ">e2", ">e5"]
    assert record.actions() == [">a2"]
    assert refusal(record, ">e2") == "This would repeat the situation at the start."
    assert refusal(record, ">d1") == "This would repeat the situation after turn 2."
    assert refusal(record, ">a4") == "This would repeat the situation after turn 22."


def test_the_owner_may_choose_any_cell_when_all_return_to_earlier_situations() -> None:
    """When every cell is illegal for the owner for this reason, all are allowed; `>?` does not complete a turn."""
    record = walked()
    waiting = str(record.position)
    play_all(record, ">a2 c1-c3>a4 e3-c3>c1 a2-a3>e3 a4-a3>?")
    assert str(record.position) == waiting, "in the middle of a turn nothing is compared"
    assert record.result is None
    assert record.actions() == record.position.actions() == [">a2", ">a4", ">a5", ">b5", ">d1", ">d5", ">e2", ">e5"]
    record.play(">d1")
    assert record.result is None
    assert record.actions() != []
    record.undo()
    record.undo()
    assert (record.mover, record.turn) == ("b", 29)


# The goal


@pytest.mark.parametrize("first", range(16))
def test_five_in_a_row_on_the_ring_win_with_exactly_one_arrow(first: int) -> None:
    """Goal: five rim cells in a row with exactly one arrow; a row that begins with an arrow has two."""
    ring = RING * 2
    black, white = " ".join(ring[first : first + 5]), " ".join(ring[first + 6 : first + 15 : 2])
    assert winner(position(black, white, "w")) == (None if RING[first] in ARROWS else "b")
    assert winner(position(white, black, "w")) == (None if RING[first] in ARROWS else "w")


@pytest.mark.parametrize(
    "black", ["a1 b1 c1 d1 c3", "b1 c1 d1 c3 e3", "c1 c3 c5 a3 e3", "a2 a3 a4 c3 a1", "a1 b1 c1 d1 e2"]
)
def test_a_block_with_the_centre_or_a_gap_does_not_win(black: str) -> None:
    """Goal: one connected block, c3 not in it."""
    assert winner(position(black, "e4 e5 d5 b5 a5", "w")) is None


def test_a_move_completes_the_block() -> None:
    """Goal: the 5 own pawns in one connected block with exactly one arrow in it."""
    record = GAME.record(position("a1 b1 c1 d1 e2", "e4 e5 d5 b5 a5"))
    record.play("e2-e1")
    assert (ended(record).winner, ended(record).reason, ended(record).text) == ("b", "block", "b")
    assert ended(record).sentence() == "Black wins: five pawns in a block with one arrow."
    assert refusal(record, "e4-e3") == "The game is over. Black wins: five pawns in a block with one arrow."
    record.undo()
    assert record.result is None


def test_a_move_that_leaves_the_owner_to_choose_can_win() -> None:
    """Win test: after every action, also while a pawn waits."""
    record = GAME.record(position("a1 b1 d1 e1 c3", "c1 a3 e3 c5 a5"))
    record.play("c3-c1>?")
    assert str(record.position) == position("a1 b1 c1 d1 e1", "a3 e3 c5 a5", "w", "c1,-", "p")
    assert ended(record).winner == "b"


def test_the_choice_of_the_owner_can_win() -> None:
    """Win test: after every action, the choice of a cell included."""
    record = GAME.record(position("a3 c5 c3 e4 a5", "b1 c1 d1 e1 e3"))
    play_all(record, "e4-e3>? >a1")
    assert (ended(record).winner, record.mover) == ("w", "w")


def test_a_move_can_complete_the_block_of_the_other() -> None:
    """Win test: if it completes only the other's goal, the other wins."""
    record = GAME.record(position("a1 a4 a5 e5 d5", "a2 b1 c1 d1 e1"))
    record.play("a1=a2")
    assert ended(record).sentence() == "White wins: five pawns in a block with one arrow."


@pytest.mark.parametrize(("side", "action"), [("b", "e1=e2"), ("w", "e2=e1")])
def test_a_swap_that_completes_both_blocks_wins_for_the_one_who_acted(side: str, action: str) -> None:
    """Win test: if an action completes both players' goals, the one who acted wins."""
    record = GAME.record(position("e1 e3 e4 e5 d5", "a1 b1 c1 d1 e2", side))
    record.play(action)
    assert ended(record).winner == side


# Refusals

EARLY = "5/1...1/1.1.1/1...1/BW3 b 4,4 -,- -"
LATE = position("b1 a3 d5 e5 a1", "c1 c3 e1 b5 a5")
BESIDE = position("a1 b1 d1 e5 d5", "a2 e1 e2 b5 a5")
WAITING = position("c1 a3 c5 e5 d5", "c3 e3 e1 a5", "w", "c1,-", "p")


@pytest.mark.parametrize(
    ("text", "action", "sentence"),
    [
        (EARLY, "b1", "There is already a pawn on b1."),
        (EARLY, "c1", "Pawns are placed on square cells, and c1 is not one."),
        (EARLY, "c3", "Pawns are placed on square cells, and c3 is not one."),
        (EARLY, "a1-a2", "All pawns must be placed before any can move."),
        (EARLY, ">e5", "No displaced pawn of yours waits to be put down."),
        (LATE, ">e5", "No displaced pawn of yours waits to be put down."),
        (LATE, "d1", "All pawns are placed: now move a pawn, such as a1-a2."),
        (LATE, "e1-e2", "The pawn on e1 is not yours."),
        (LATE, "e2-e3", "There is no pawn on e2."),
        (LATE, "a1-c1", "c1 does not touch a1."),
        (LATE, "b1-c3", "c3 does not touch b1."),
        (LATE, "b1-a1", "There is a pawn of your own on a1."),
        (LATE, "a1=a2", "a2 is empty: a step is written a1-a2."),
        (LATE, "a3-a4>c3", "a4 is empty: a step is written a3-a4."),
        (LATE, "b1-c1", "There is an enemy pawn on c1: say where it goes, as in b1-c1>c5."),
        (LATE, "b1=c1", "There is an enemy pawn on c1: say where it goes, as in b1-c1>c5."),
        (LATE, "a3-c3", "There is an enemy pawn on c3: say where it goes, as in a3-c3>a2."),
        (LATE, "a3-c3>?", "The choice is yours: say where the enemy pawn goes, as in a3-c3>a2."),
        (FULL, "b1-c1", "There is an enemy pawn on c1: say where it goes, as in b1-c1>?."),
        (
            FULL,
            "b1-c1>a1",
            "The centre and all arrows are full, so the owner chooses where the pawn goes: b1-c1>?.",
        ),
        (BESIDE, "a1-a2", "There is an enemy pawn on a2: a swap is written a1=a2."),
        (BESIDE, "a1-a2>c3", "There is an enemy pawn on a2: a swap is written a1=a2."),
        (WAITING, "a5-a4", "First put down your displaced pawn, such as >e5; then comes your turn."),
        (WAITING, "a4", "First put down your displaced pawn, such as >e5; then comes your turn."),
        (WAITING, ">e5", "There is already a pawn on e5."),
        (LATE, "a1-b2", "There is no cell b2 on this board."),
    ],
)
def test_a_refusal_says_why(text: str, action: str, sentence: str) -> None:
    """Refusals: each with its whole sentence (those about returns, the marker and the centre are above)."""
    assert refusal(GAME.record(text), action) == sentence


@pytest.mark.parametrize("text", ["a1>a2", "a1=a2>c3", "?", "a1-a2>", ">", "end", ""])
def test_a_text_that_is_no_action_is_refused_with_examples(text: str) -> None:
    """Actions: place a1; step a1-a2; swap a1=a2; displace b1-c1>c3; b1-c1>? answered by >e5."""
    sentence = f"'{text}' is not an action: actions are written like a1, a1-a2, a1=a2, b1-c1>c3, b1-c1>?, >e5."
    assert refusal(GAME.record(LATE), text) == sentence
