"""Omba: one test per sentence of its rules, each refusal and each way to end."""

import pytest

import damier
from tests.games.test_rules_common import ended, play_all, refusal

TWO = damier.load("omba")
THREE = damier.load("omba", players=3)
FOUR = damier.load("omba", players=4)
EMPTY = "-,-,-/-,-,-/-,-,-"


def ends(text: str, piece: str, game: damier.Game = TWO) -> list[str]:
    """Returns where a piece can end: one on a cell, or with @ one from the hand."""
    cut = piece if piece == "@" else f"{piece}-"
    return [action.removeprefix(cut) for action in game.parse(text).actions() if action.startswith(cut)]


# The start and the die


@pytest.mark.parametrize(("players", "hand"), [(2, "6,6"), (3, "4,4,4"), (4, "3,3,3,3")])
def test_two_three_or_four_players_have_six_four_or_three_pieces_each(players: int, hand: str) -> None:
    """Option players: 2, 3, 4, with 6, 4, 3 pieces each; start -,-,-/-,-,-/-,-,- 1 6,6 - -."""
    game = damier.load("omba", players=players)
    assert str(game.start) == f"{EMPTY} 1 {hand} - -"
    assert game.players == ("1", "2", "3", "4")[:players]


def test_a_turn_begins_with_the_roll_of_a_six_sided_die() -> None:
    """A turn: roll one six-sided die; the die is - before the roll."""
    record = TWO.record()
    assert record.mover == "chance"
    assert record.actions() == [f"roll:{number}" for number in range(1, 7)]
    assert refusal(record, "@b1") == "First the die is rolled."
    assert refusal(record, "a1-a2") == "First the die is rolled."
    record.play("roll:4")
    assert str(record.position) == f"{EMPTY} 1 6,6 4 -"
    assert record.mover == "1"
    assert refusal(record, "roll:2") == "The die shows 4: use exactly that with one piece."


def test_players_take_turns_in_order() -> None:
    """Players: 1 to 4, in that order, and then 1 again."""
    record = FOUR.record()
    movers: list[str] = []
    for cell in ["a2", "b1", "c2", "b3"]:
        record.play("roll:1")
        assert record.turn == len(movers), "a roll completes no turn"
        movers.append(record.mover)
        record.play(f"@{cell}")
        assert record.turn == len(movers)
    assert movers == ["1", "2", "3", "4"]
    assert str(record.position) == "-,4,-/1,-,3/-,2,- 1 2,2,2,2 - -"


# Coming in


def test_a_piece_comes_in_by_the_middle_of_each_side() -> None:
    """Entry cells: the middle of each side: b1 a2 c2 b3."""
    assert ends(f"{EMPTY} 1 6,6 1 -", "@") == ["a2", "b1", "b3", "c2"]


@pytest.mark.parametrize(
    ("die", "cells"),
    [(2, "a1 a3 b2 c1 c3"), (3, "a2 b1 b3 c2"), (4, "a1 a3 b2 c1 c3"), (5, "a2 b1 b3 c2"), (6, "a1 a3 b2 c1 c3")],
)
def test_a_piece_that_comes_in_goes_on_with_the_points_left(die: int, cells: str) -> None:
    """A turn: use exactly that many points with one piece: bring in a piece from the hand."""
    assert ends(f"{EMPTY} 1 6,6 {die} -", "@") == cells.split()


def test_coming_in_costs_one_and_the_height_there() -> None:
    """Coming in counts as a step from level 0 outside onto any entry cell: 1 + the height there (ruling)."""
    board = "-,-,-/-,-,-/-,22,-"
    assert "b1" not in ends(f"{board} 1 6,4 1 -", "@")
    assert "b1" not in ends(f"{board} 1 6,4 2 -", "@")
    assert "b1" in ends(f"{board} 1 6,4 3 -", "@")
    position = TWO.parse(f"{board} 1 6,4 3 -").play("@b1")
    assert str(position) == "-,-,-/-,-,-/-,221,- 2 5,4 - -"


def test_a_piece_comes_in_over_a_stack() -> None:
    """A piece may travel over stacks: in over b1 of height 1 (2 points), down to a1 (2 points)."""
    board = "-,-,-/2222,2,-/-,2,-"
    assert "a1" in ends(f"{board} 1 6,0 4 -", "@")
    assert "a1" not in ends(f"{board} 1 6,0 2 -", "@")


# Costs of moves


@pytest.mark.parametrize(
    ("stack", "target", "cost"),
    [("1", "-", 1), ("1", "2", 2), ("1", "22", 3), ("1", "2222", 5), ("21", "2", 1), ("221", "-", 3), ("2221", "2", 3),
     ("221", "22", 1), ("11", "2", 1), ("121", "-", 3)],
)  # fmt: skip
def test_a_step_costs_one_and_the_difference_of_levels(stack: str, target: str, cost: int) -> None:
    """Costs: from level s to an edge-neighbouring cell whose stack has height t costs 1 + |s - t|."""
    hands = [6 - (stack + target).count(player) for player in "12"]
    for die in range(1, cost + 1):
        game = f"-,-,-/{target},-,-/{stack},-,- 1 {hands[0]},{hands[1]} {die} -"
        assert ("a2" in ends(game, "a1")) == (die == cost)
    after = TWO.parse(game).play("a1-a2")
    moved = target.replace("-", "") + "1"
    assert str(after).startswith(f"-,-,-/{moved},-,-/{stack[:-1] or '-'},-,- 2 ")


def test_a_piece_arrives_at_the_level_of_the_stack_it_enters() -> None:
    """Costs: it puts it at level t, from which the next step counts."""
    board = "-,-,-/-,-,2222/1,2,-"
    assert "c1" in ends(f"{board} 1 5,1 4 -", "a1"), "up one (2 points), down one (2 points)"
    assert "c1" not in ends(f"{board} 1 5,1 2 -", "a1"), "the way round is closed by c2"
    assert "c1" not in ends(f"{board} 1 5,1 3 -", "a1")


def test_every_way_begins_at_the_level_of_the_piece() -> None:
    """Costs: a piece stands at a level, the number of pieces under it: one down (2 points) in each direction."""
    board = "-,-,-/-,21,-/-,-,-"
    assert ends(f"{board} 1 5,5 2 -", "b2") == ["a2", "b1", "b3", "c2"]
    assert ends(f"{board} 1 5,5 3 -", "b2") == ["a1", "a3", "c1", "c3"]
    assert ends(f"{board} 1 5,5 4 -", "b2") == ["a2", "b1", "b3", "c2"]


def test_a_step_goes_to_an_edge_neighbouring_cell() -> None:
    """Costs: an edge-neighbouring cell, not a diagonal one, not round the edge of the board."""
    assert ends("-,-,-/-,1,-/-,-,- 1 5,6 1 -", "b2") == ["a2", "b1", "b3", "c2"]
    assert ends("-,-,-/-,-,-/-,-,1 1 5,6 1 -", "c1") == ["b1", "c2"]


def test_the_points_are_used_exactly() -> None:
    """A turn: use exactly that many points with one piece."""
    record = TWO.record("-,-,-/-,-,-/1,-,- 1 5,6 2 -")
    assert ends(str(record.position), "a1") == ["a3", "b2", "c1"]
    assert refusal(record, "a1-a2") == "No way from a1 to a2 costs exactly 2."
    assert refusal(record, "@b1") == "No way in from outside to b1 costs exactly 2."


def test_only_the_top_of_a_stack_moves() -> None:
    """A turn: move an own piece that is on top of its stack."""
    record = TWO.record("-,-,-/-,-,21/12,-,1 1 3,4 1 -")
    assert ends(str(record.position), "a1") == []
    assert refusal(record, "a1-a2") == "Your piece on a1 is buried: only the top of a stack can move."
    assert refusal(record, "b2-b1") == "You have no piece on b2."
    record = TWO.record("-,-,-/-,-,-/2,-,1 1 5,5 1 -")
    assert refusal(record, "a1-a2") == "You have no piece on a1."


def test_a_piece_is_free_again_when_the_one_above_has_left() -> None:
    """A turn: an own piece that is on top of its stack, however it came to be there."""
    record = TWO.record("-,-,-/-,-,-/12,-,- 2 5,5 2 -")
    play_all(record, "a1-a2 roll:1")
    assert str(record.position) == "-,-,-/2,-,-/1,-,- 1 5,5 1 -"
    assert "a1-b1" in record.actions()


# Going back


@pytest.mark.parametrize("die", [2, 4, 6])
def test_a_move_does_not_end_where_it_began(die: int) -> None:
    """Going back is forbidden, the starting cell included: a move that ends where it began does not exist."""
    record = TWO.record(f"-,-,-/-,-,-/1,-,- 1 5,6 {die} -")
    assert "a1-a1" not in record.actions()
    assert refusal(record, "a1-a1") == "A move cannot end where it began."


CORRIDOR = "-,-,-/112,112,122/1,-,-"
"""Player 1 has one piece on top, on a1; from there the walls leave only b1 and c1."""


def test_no_cell_is_entered_twice_in_one_move() -> None:
    """Going back is forbidden: no cell twice in one move, so three points cannot be used to and fro."""
    assert TWO.parse(f"{CORRIDOR} 1 0,2 1 -").actions() == ["a1-b1"]
    assert TWO.parse(f"{CORRIDOR} 1 0,2 2 -").actions() == ["a1-c1"]
    after = TWO.parse(f"{CORRIDOR} 1 0,2 - -").play("roll:3")
    assert str(after) == f"{CORRIDOR} 2 0,2 - 1"


def test_an_action_names_only_where_a_move_starts_and_ends() -> None:
    """The result of a move depends only on where it starts and ends: two ways round are one action."""
    position = TWO.parse("-,-,-/-,-,-/1,-,- 1 5,6 4 -")
    assert ends(str(position), "a1") == ["a3", "b2", "c1", "c3"]
    assert len(set(position.actions())) == len(position.actions()) == TWO.perft(position, 1)


def test_a_move_takes_the_top_piece_and_leaves_the_rest() -> None:
    """Position: a stack is written bottom to top."""
    record = TWO.record("-,-,-/-,12,-/-,121,- 1 3,4 3 -")
    record.play("b1-c1")
    assert str(record.position) == "-,-,-/-,12,-/-,12,1 2 3,4 - -"
    record.undo()
    assert str(record.position) == "-,-,-/-,12,-/-,121,- 1 3,4 3 -"


# Going out


def test_a_player_without_an_action_for_the_number_is_out_at_once() -> None:
    """A roll that leaves its player without an action puts them out at once; the last player left wins."""
    record = TWO.record(f"{CORRIDOR} 1 0,2 - -")
    record.play("roll:3")
    assert str(record.position) == f"{CORRIDOR} 2 0,2 - 1"
    assert (ended(record).winner, ended(record).reason, ended(record).text) == ("2", "last", "2")
    assert ended(record).sentence() == "Player 2 wins: the last player left."
    assert (record.mover, record.actions()) == ("2", []), "the winner to move and no die"
    assert refusal(record, "roll:1") == "The game is over. Player 2 wins: the last player left."
    record.undo()
    assert (record.result, record.mover) == (None, "chance")
    record.play("roll:2")
    assert record.result is None


OUT = "-,3,-/2,-,3/1,2,-"
"""For three players: all entry cells hold a piece, so a 1 is of no use to player 1."""


def test_the_pieces_of_a_player_who_is_out_stay_as_obstacles() -> None:
    """Their pieces stay, those on top too, as obstacles, and their hand keeps its number."""
    record = THREE.record(f"{OUT} 1 3,2,2 - -")
    record.play("roll:1")
    assert str(record.position) == f"{OUT} 2 3,2,2 - 1"
    assert (record.result, record.mover) == (None, "chance"), "the next player still in is to roll"
    record.play("roll:2")
    assert ends(str(record.position), "a2", THREE) == ["a1"], "one up onto the piece of player 1"
    record.play("a2-a1")
    assert str(record.position) == "-,3,-/-,-,3/12,2,- 3 3,2,2 - 1"


def test_the_turn_passes_over_players_who_are_out() -> None:
    """The next player still in is to roll."""
    record = THREE.record(f"{OUT} 3 3,2,2 2 1")
    record.play("@c2")
    assert str(record.position) == "-,3,-/2,-,33/1,2,- 2 3,2,1 - 1"


BURIED = "123,123,123/-,-,-/-,-,123"
"""For three players: only player 3 has pieces on top."""


def test_players_are_listed_in_the_order_they_went_out() -> None:
    """Position: out = the players out, in the order they went."""
    record = THREE.record(f"{BURIED} 1 0,0,0 - -")
    play_all(record, "roll:5 roll:2")
    assert str(record.position) == f"{BURIED} 3 0,0,0 - 1,2"
    assert ended(record).sentence() == "Player 3 wins: the last player left."


def test_the_order_of_going_out_is_not_that_of_the_numbers() -> None:
    """Position: out = the players out, in the order they went (3,1)."""
    record = THREE.record(f"{BURIED} 2 0,0,0 - -")
    play_all(record, "roll:6 roll:3")
    assert str(record.position) == f"{BURIED} 3 0,0,0 3 2"
    play_all(record, "c1-c2 roll:4")
    assert str(record.position) == "123,123,123/-,-,3/-,-,12 3 0,0,0 - 2,1"
    assert ended(record).winner == "3"
    while record.played:
        record.undo()
    assert str(record.position) == f"{BURIED} 2 0,0,0 - -"


def test_of_four_players_three_go_out() -> None:
    """The last player left wins, with four players as with two."""
    board = "1234,1234,1234/-,-,-/-,-,-"
    record = FOUR.record(f"{board} 2 0,0,0,0 - -")
    play_all(record, "roll:1 roll:1")
    assert str(record.position) == f"{board} 4 0,0,0,0 - 2,3"
    assert record.result is None
    play_all(record, "roll:4 a3-a2")
    assert str(record.position) == "123,1234,1234/4,-,-/-,-,- 1 0,0,0,0 - 2,3"
    record.play("roll:6")
    assert str(record.position) == "123,1234,1234/4,-,-/-,-,- 4 0,0,0,0 - 2,3,1"
    assert ended(record).sentence() == "Player 4 wins: the last player left."


def test_a_player_whose_piece_is_buried_may_still_bring_in_another() -> None:
    """A player is out only without any action: a piece from the hand is one."""
    record = TWO.record("-,-,-/-,-,-/12,-,- 1 5,5 - -")
    record.play("roll:1")
    assert record.actions() == ["@a2", "@b1", "@b3", "@c2"]


def test_giving_up_does_not_end_a_game_of_three() -> None:
    """Of three, one who gives up is out, and nobody can be written down as the winner by resignation."""
    record = THREE.record()
    record.resign("2")
    assert record.result is None
    with pytest.raises(damier.BadArgument, match=r"^With more than two players, one who gives up does not end the "):
        record.end_by_act("1", "resignation")


# Refusals


@pytest.mark.parametrize(
    ("text", "action", "sentence"),
    [
        ("111,111,222/-,-,-/-,-,222 1 0,0 3 -", "@b1", "You have no piece left to bring in."),
        ("-,-,-/-,-,-/1,-,- 1 5,6 2 -", "a1-c3", "No way from a1 to c3 costs exactly 2."),
        ("-,-,-/-,-,-/1,-,- 1 5,6 3 -", "@c3", "No way in from outside to c3 costs exactly 3."),
        ("-,-,-/-,-,-/1,-,- 1 5,6 1 -", "a1-d1", "There is no cell d1 on this board."),
        ("-,-,-/-,-,-/1,-,- 1 5,6 1 -", "@a4", "There is no cell a4 on this board."),
    ],
)
def test_a_refusal_says_why(text: str, action: str, sentence: str) -> None:
    """Refusals: each with its whole sentence (the others are with their rules above)."""
    assert refusal(TWO.record(text), action) == sentence


@pytest.mark.parametrize("text", ["roll:7", "roll:0", "roll", "roll:", "b1", "@", "a1-b1-c1", "end", ""])
def test_a_text_that_is_no_action_is_refused_with_examples(text: str) -> None:
    """Actions: roll:4; bring in and end on c3: @c3; move a1-c2."""
    sentence = f"'{text}' is not an action: actions are written like roll:4, @c3, a1-c2."
    assert refusal(TWO.record(), text) == sentence
