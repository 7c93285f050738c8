"""Sensei: one test per sentence of its rules, each refusal and each way to end."""

import re

import pytest

import damier
from tests.games.test_rules_common import ended, play_all, refusal

GAME = damier.load("sensei")
ARASHI = damier.load("sensei", variant="arashi")
EXPERT = damier.load("sensei", variant="arashi-expert")
START = "RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1"


def targets(position: damier.Position, cell: str, sign: str = "-") -> list[str]:
    """Returns where the stone (or, with ^, the character) on a cell can go."""
    return [action[3:] for action in position.actions() if action.startswith(cell + sign)]


def outcome(text: str, game: damier.Game = GAME) -> tuple[str | None, str] | None:
    """Returns winner and reason of a position, or None."""
    result = game.parse(text).result
    return (result.winner, result.reason) if result else None


# The start


@pytest.mark.parametrize(
    ("variant", "start"),
    [
        ("shizukana", START),
        ("shizukana-variant", "RGRRRGR/7/7/7/7/7/GRGGGRG g d1,d7 2,1"),
        ("arashi", START),
        ("arashi-expert", "RRRRRRR/7/2o1o2/7/2o1o2/7/GGGGGGG g d1,d7 2,1"),
    ],
)
def test_each_variant_has_its_start(variant: str, start: str) -> None:
    """Start: stones on rows 1 and 7, characters on d1 and d7; the variant exchanges columns b and f."""
    game = damier.load("sensei", variant=variant)
    assert str(game.start) == start
    assert game.start.result is None


def test_other_pits_are_on_the_board() -> None:
    """Option pits takes any set of cells."""
    game = damier.load("sensei", variant="arashi-expert", pits="a4,g4,d4")
    assert str(game.start) == "RRRRRRR/7/7/o2o2o/7/7/GGGGGGG g d1,d7 2,1"


# The turn


def test_a_turn_has_at_least_one_action() -> None:
    """A turn: at least one action; end is allowed once an action has been made."""
    record = GAME.record()
    assert "end" not in record.actions()
    sentence = "A turn has at least one action: move a stone or the character before ending it."
    assert refusal(record, "end") == sentence
    record.play("a1-a2")
    assert "end" in record.actions()
    record.play("end")
    assert str(record.position) == "RRRRRRR/7/7/7/7/G6/1GGGGGG r d1,d7 2,1"
    assert refusal(record, "end") == sentence


@pytest.mark.parametrize("turn", ["a1-a2+b1-b2+d1^c1", "a1-a2+d1^c1+b1-b2", "d1^c1+a1-a2+b1-b2"])
def test_three_actions_in_any_order_end_the_turn_by_themselves(turn: str) -> None:
    """A turn: at most three actions in any order; it ends by itself when all three are used."""
    record = GAME.record()
    record.play_turn(turn)
    assert str(record.position) == "RRRRRRR/7/7/7/7/GG5/2GGGGG r c1,d7 2,1"
    assert (record.mover, record.turn) == ("r", 1)


def test_the_string_counts_what_is_left_of_the_turn() -> None:
    """Position: left = stone moves, character moves still available this turn."""
    record = GAME.record()
    lefts = []
    for action in ["d1^c1", "a1-a2", "a2-a3"]:
        record.play(action)
        lefts.append(str(record.position).split(" ", 1)[1])
    assert lefts == ["g c1,d7 2,0", "g c1,d7 1,0", "r c1,d7 2,1"]
    while record.played:
        record.undo()
    assert str(record.position) == START
    play_all(record, "a1-a2 a2-a3")
    assert str(record.position).endswith(" g d1,d7 0,1")


def test_one_stone_may_move_twice_and_back() -> None:
    """A turn: up to two stone moves (the same stone or two)."""
    record = GAME.record()
    record.play_turn("a1-a2+a2-a1+end")
    assert str(record.position) == START.replace(" g ", " r ")


def test_a_turn_has_at_most_two_stone_moves() -> None:
    """A turn: up to two stone moves."""
    record = GAME.record()
    play_all(record, "a1-a2 b1-b2")
    assert not any("-" in action for action in record.actions())
    assert refusal(record, "c1-c2") == "Both stone moves of this turn are used."


def test_a_turn_has_at_most_one_character_move() -> None:
    """A turn: up to one character move."""
    record = GAME.record()
    record.play("d1^c1")
    assert not any("^" in action for action in record.actions())
    assert refusal(record, "c1^d1") == "The character has already moved in this turn."


def test_end_is_not_written_where_the_turn_ends_by_itself() -> None:
    """Actions: no end where the turn ends by itself; a refused turn leaves nothing played."""
    record = GAME.record()
    with pytest.raises(damier.IllegalAction, match=r"^The turn is over before 'end'\.$"):
        record.play_turn("a1-a2+b1-b2+d1^c1+end")
    assert (record.played, str(record.position)) == ((), START)


# Stones


def test_in_shizukana_a_stone_moves_one_cell() -> None:
    """Stone move: along a row or column; shizukana: one cell."""
    position = GAME.parse("RRRRRRR/7/7/7/2G4/7/GG1GGGG g d1,d7 2,1")
    assert targets(position, "c3") == ["b3", "c2", "c4", "d3"]
    record = GAME.record(str(position))
    assert refusal(record, "c3-c5") == "A stone moves one cell, and c5 is not beside c3."
    assert refusal(record, "c3-d4") == "A stone moves along its row or column, and d4 is on neither."


@pytest.mark.parametrize("game", [ARASHI, EXPERT], ids=["arashi", "arashi-expert"])
def test_in_arashi_a_stone_moves_any_distance(game: damier.Game) -> None:
    """Stone move: arashi: any distance, one direction."""
    assert targets(game.start, "a1") == ["a2", "a3", "a4", "a5", "a6"]
    record = game.record()
    assert refusal(record, "a1-b2") == "A stone moves along its row or column, and b2 is on neither."


def test_a_stone_never_passes_over_stones() -> None:
    """Stone move: through and onto empty cells only, never over stones of either colour."""
    position = ARASHI.parse("RR1RR1R/3R3/7/1G1G1R1/7/3G3/1GG1GG1 g b1,d6 2,1")
    assert targets(position, "d4") == ["c4", "d3", "d5", "e4"]
    record = ARASHI.record("RRRR1RR/7/4R2/7/2G1G2/7/GG1GG1G g d1,d7 2,1")
    assert targets(record.position, "e3") == ["d3", "e2", "e4", "f3", "g3"]
    assert refusal(record, "e3-e6") == "A stone stands between e3 and e6."
    assert refusal(record, "e3-b3") == "A stone stands between e3 and b3."
    assert refusal(record, "e3-c3") == "There is already a stone on c3."
    assert refusal(record, "e3-e5") == "There is already a stone on e5."


def test_a_stone_neither_crosses_nor_enters_a_pit() -> None:
    """Stones neither cross nor enter a pit."""
    record = EXPERT.record()
    assert targets(record.position, "c1") == ["c2"]
    assert refusal(record, "c1-c3") == "There is a pit on c3: no stone can enter it."
    assert refusal(record, "c1-c4") == "A pit lies between c1 and c4."
    record = EXPERT.record("RRRRRRR/7/2o1o2/7/2o1o2/2G4/GG1GGGG g d1,d7 2,1")
    assert "c3" not in targets(record.position, "c2")
    assert refusal(record, "c2-c3") == "There is a pit on c3: no stone can enter it."


def test_a_stone_carrying_its_character_does_not_move() -> None:
    """Stone move: a stone carrying its character does not move; once the character has left it, it does."""
    record = GAME.record()
    assert targets(record.position, "d1") == []
    assert refusal(record, "d1-d2") == "The stone on d1 carries its character and cannot move."
    record.play("d1^c1")
    assert targets(record.position, "d1") == ["d2"]
    assert refusal(record, "c1-c2") == "The stone on c1 carries its character and cannot move."


# The character


def test_the_character_goes_along_rows_columns_and_diagonals() -> None:
    """Character move: to another own stone in line (row, column or diagonal), any distance."""
    record = GAME.record("RRRRRRR/G6/7/3G1G1/6G/7/GG1G3 g d4,d7 2,1")
    assert targets(record.position, "d4", "^") == ["a1", "d1", "f4"]
    assert refusal(record, "d4^b1") == "d4 and b1 are not in one line."
    assert str(record.position.play("d4^a1")) == "RRRRRRR/G6/7/3G1G1/6G/7/GG1G3 g a1,d7 2,0"


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("G5R/R1RR1R1/4R2/G2G2G/7/6R/G2G2G g d4,a6 2,1", ["a1", "a4", "a7", "d1", "g1", "g4"]),
        ("RRRRRRR/3G1G1/7/3G3/7/7/1GG1GG1 g d4,d7 2,1", ["d6", "f6"]),
    ],
)
def test_the_character_goes_in_all_eight_directions(text: str, cells: list[str]) -> None:
    """Character move: from its stone to another own stone in line, near or far."""
    position = GAME.parse(text)
    assert targets(position, "d4", "^") == cells
    for cell in cells:
        assert str(position.play(f"d4^{cell}")) == text.replace(" d4,", f" {cell},").replace("2,1", "2,0")


def test_own_stones_and_empty_cells_do_not_block_the_character() -> None:
    """Character move: own stones, empty cells and pits do not block it."""
    assert targets(GAME.start, "d1", "^") == ["a1", "b1", "c1", "e1", "f1", "g1"]
    position = EXPERT.parse("RRRRRRR/7/2o1o2/3G3/2o1o2/1G5/GGGGG2 g a1,d7 2,1")
    assert targets(position, "a1", "^") == ["b1", "b2", "c1", "d1", "d4", "e1"], "over the pit on c3"
    position = EXPERT.parse("RRRRRRR/7/2oGo2/7/1GoGo2/1G5/1GG1G2 g b3,d7 2,1")
    assert targets(position, "b3", "^") == ["b1", "b2", "d3", "d5"], "over the pit on c3"


@pytest.mark.parametrize(
    ("target", "between"),
    [("a1", "c3 b2"), ("a4", "c4 b4"), ("a7", "c5 b6"), ("d1", "d3 d2"), ("d7", "d5 d6"), ("g1", "e3 f2"),
     ("g4", "e4 f4"), ("g7", "e5 f6")],
)  # fmt: skip
def test_an_enemy_stone_between_blocks_the_character(target: str, between: str) -> None:
    """Character move: no enemy stone between, in any direction, near or far; c2 is beside all lines."""
    for enemy in [*between.split(), "c2"]:
        stones = dict.fromkeys(["d4", target, "a2", "b1", "b3", "e2", "f1"], "G")
        stones |= dict.fromkeys([enemy, "a5", "b7", "c6", "e6", "f7", "g5"], "R")
        rows = ["".join(stones.get(column + row, " ") for column in "abcdefg") for row in "7654321"]
        board = re.sub(" +", lambda run: str(len(run[0])), "/".join(rows))
        record = GAME.record(f"{board} g d4,a5 2,1")
        if enemy == "c2":
            assert targets(record.position, "d4", "^") == [target]
        else:
            assert targets(record.position, "d4", "^") == []
            assert refusal(record, f"d4^{target}") == f"An enemy stone stands between d4 and {target}."


def test_an_enemy_behind_the_target_does_not_block() -> None:
    """Character move: no enemy stone between."""
    position = GAME.parse("RRR1RRR/3R3/3G3/3G3/7/7/GGGGG2 g d4,d6 2,1")
    assert targets(position, "d4", "^") == ["a1", "d1", "d5"]


# The goal


HOME = "1RRRRRR/G5R/7/7/7/7/G1GGGGG g a1,d7 2,1"


def test_the_character_on_the_far_row_wins_in_the_middle_of_a_turn() -> None:
    """Goal: it wins at once, in the middle of a turn too."""
    record = GAME.record(HOME)
    record.play("a6-a7")
    assert record.result is None, "a stone alone is no goal"
    record.play("a1^a7")
    assert str(record.position) == "GRRRRRR/6R/7/7/7/7/G1GGGGG g a7,d7 1,0"
    assert (ended(record).winner, ended(record).reason, ended(record).text) == ("g", "home", "g")
    assert ended(record).sentence() == "Green wins: the character has reached the far row."
    assert refusal(record, "end") == "The game is over. Green wins: the character has reached the far row."
    record.undo()
    assert (record.result, record.mover) == (None, "g")


def test_after_a_winning_third_action_the_turn_has_ended() -> None:
    """After the third action the turn has ended, also when that action wins."""
    record = GAME.record(HOME)
    record.play_turn("a6-a7+c1-c2+a1^a7")
    assert str(record.position) == "GRRRRRR/6R/7/7/7/2G4/G2GGGG r a7,d7 2,1"
    assert (record.mover, record.turn) == ("r", 1)
    assert (ended(record).winner, ended(record).reason) == ("g", "home")


def test_red_wins_on_row_1() -> None:
    """Goal: the own character on an own stone on the opponent's start row."""
    record = GAME.record("R1RRRRR/7/7/7/7/R5G/1GGGGGG r d1,a7 2,1")
    play_all(record, "a2-a1 a7^a1")
    assert ended(record).sentence() == "Red wins: the character has reached the far row."


def test_the_stones_that_start_on_the_far_row_are_goals_too() -> None:
    """Goal, with the stones of columns b and f exchanged: a pass to b7 wins."""
    record = damier.load("sensei", variant="shizukana-variant").record("RGRRRGR/7/7/7/R6/7/GG1GGRG g b1,d7 2,1")
    record.play("b1^b7")
    assert str(record.position) == "RGRRRGR/7/7/7/R6/7/GG1GGRG g b7,d7 2,0"
    assert (ended(record).winner, ended(record).reason) == ("g", "home")


def test_the_own_row_is_no_goal() -> None:
    """Goal: the opponent's start row; both characters start on their own."""
    assert outcome(START) is None
    assert outcome(START.replace(" g ", " r ")) is None


def test_the_row_before_the_far_row_is_no_goal() -> None:
    """Goal: on the opponent's start row, not beside it, not even at its ends."""
    for green, red in [("a6", "a2"), ("g6", "g2")]:
        assert outcome(f"1RRRRR1/G5G/7/7/7/R5R/1GGGGG1 g {green},{red} 2,1") is None


@pytest.mark.parametrize(("side", "winner"), [("g", "r"), ("r", "g")])
def test_a_string_with_both_characters_home_goes_to_the_player_not_on_move(side: str, winner: str) -> None:
    """A string that shows a decided game: the player not on move is taken as the one who acted."""
    assert outcome(f"GRRRRRR/7/7/7/7/7/RGGGGGG {side} a7,a1 2,1") == (winner, "home")


# Unfair play

TOUCHED = "3RRRR/7/RRR4/GGGGGGG/7/7/7"


@pytest.mark.parametrize("side", ["g", "r"])
def test_three_stones_face_to_face_with_a_blocking_chain_make_the_blocker_lose(side: str) -> None:
    """Unfair play: a chain from column a to column g with at least 3 enemy stones by an edge: the blocker loses."""
    assert outcome(f"{TOUCHED} {side} d4,d7 2,1") == ("r", "unfair")
    assert outcome(f"7/7/7/RRRRRRR/GGG4/7/3GGGG {side} d1,d4 2,1") == ("g", "unfair")


@pytest.mark.parametrize(
    "board",
    [
        pytest.param("3RRRR/2R4/RR5/GGGGGGG/7/7/7", id="two stones"),
        pytest.param("3RRRR/7/RRR4/GGGGGG1/7/6G/7", id="no stone in column g"),
        pytest.param("3RRRR/7/1RRR3/1GGGGGG/7/G6/7", id="a gap between columns a and b"),
        pytest.param("RRR4/7/R1R1R1R/1G1G1G1/G1G1G1G/7/7", id="corners only"),
        pytest.param("RRRRR2/7/7/RGRG1G1/G1G1G1G/7/7", id="two stones with five edges"),
    ],
)
def test_less_is_not_unfair(board: str) -> None:
    """Unfair play (rulings): face to face means by an edge, not a corner; at least 3 stones; a to g."""
    red = "d7" if board.startswith("3") else "a7"
    assert outcome(f"{board} r d4,{red} 2,1") is None


def test_a_chain_holds_by_corners() -> None:
    """Unfair play: an edge-or-corner-connected chain."""
    assert outcome("RRRR3/7/7/RGRGRG1/G1G1G1G/7/7 r d4,a7 2,1") == ("r", "unfair")


def test_the_contact_may_be_from_any_side() -> None:
    """Unfair play (ruling): nor from which side."""
    assert outcome("3RRRR/7/7/GGGGGGG/RRR4/7/7 g d4,d7 2,1") == ("r", "unfair")
    assert outcome("3RRRR/7/R5R/GGGGGGG/3R3/7/7 g d4,d7 2,1") == ("r", "unfair")


def test_unfair_play_is_tested_at_the_end_of_the_turn_of_the_one_who_makes_contact() -> None:
    """Unfair play: tested at the end of every turn, by itself."""
    record = GAME.record("3RRRR/2R4/RR5/GGGGGGG/7/7/7 r d4,d7 2,1")
    record.play("c6-c5")
    assert record.result is None
    record.play("end")
    assert (ended(record).winner, ended(record).reason) == ("r", "unfair")
    assert ended(record).sentence() == "Red wins: three or more stones touch the opponent's blocking chain."
    assert refusal(record, "a4-a3") == f"The game is over. {ended(record).sentence()}"
    record.undo()
    assert (record.result, record.mover) == (None, "r")


def test_it_does_not_matter_who_made_the_contact() -> None:
    """Unfair play (ruling): it does not matter who made the contact."""
    record = GAME.record("3RRRR/7/RRR4/GGGGGG1/7/6G/7 g d4,d7 2,1")
    play_all(record, "g2-g3 end")
    assert (ended(record).winner, ended(record).reason) == ("r", "unfair")


def test_a_chain_that_stands_only_in_the_middle_of_a_turn_is_not_judged() -> None:
    """Unfair play: tested at the end of every turn."""
    record = GAME.record("3RRRR/7/RRR4/GGGGGG1/7/6G/7 g d4,d7 2,1")
    play_all(record, "g2-g3 g3-g2 end")
    assert record.result is None


@pytest.mark.parametrize("variant", ["shizukana", "shizukana-variant", "arashi"])
def test_unfair_play_is_tested_in_all_variants(variant: str) -> None:
    """Unfair play: in all variants."""
    assert outcome(f"{TOUCHED} g d4,d7 2,1", damier.load("sensei", variant=variant)) == ("r", "unfair")


def test_when_both_would_lose_the_one_who_ended_the_turn_wins() -> None:
    """Unfair play: if both players would lose by this at once, the one who just ended the turn wins."""
    assert outcome("7/7/RRRRRRR/GGGGGGG/7/7/7 g d4,d5 2,1") == ("r", "unfair")
    assert outcome("7/7/RRRRRRR/GGGGGGG/7/7/7 r d4,d5 2,1") == ("g", "unfair")
    record = GAME.record("7/7/RRRRRRR/GG5/2GGGGG/7/7 g d3,d5 2,1")
    assert record.result is None
    play_all(record, "c3-c4 end")
    assert (ended(record).winner, ended(record).reason) == ("g", "unfair")


def test_pits_count_as_stones_of_a_chain() -> None:
    """Unfair play: pits count as their stones, so that a contact with a pit of the chain is one."""
    touched = "RRRR3/7/2o1o2/2R1R2/GGoGoGG/R6/3GG2 g d3,a7 2,1"
    assert outcome(touched, EXPERT) == ("r", "unfair")
    two = "RRRR3/7/2o1o2/2R1R2/GGoGoGG/7/R2GG2 g d3,a7 2,1"
    assert outcome(two, EXPERT) is None


def test_the_chain_is_the_whole_connected_group() -> None:
    """Unfair play (ruling): the chain is the whole connected group of stones and pits that spans the board."""
    branch = "RRRR3/7/2o1o2/7/GGoGoGG/R2G2R/G2R3 g d3,a7 2,1"
    assert outcome(branch, EXPERT) == ("r", "unfair")
    apart = "RRRR3/7/2o1o2/7/GGoGoGG/R5R/G2G2R g d3,a7 2,1"
    assert outcome(apart, EXPERT) is None


def test_pits_count_for_both_players_at_once() -> None:
    """Unfair play: pits count as the stones of either; if both would lose, the one who ended the turn wins."""
    board = "3RR2/7/2o1o2/RR1R1RR/GGoGoGG/7/3GG2"
    assert outcome(f"{board} g d3,d7 2,1", EXPERT) == ("r", "unfair")
    assert outcome(f"{board} r d3,d7 2,1", EXPERT) == ("g", "unfair")


def test_reaching_the_goal_comes_before_unfair_play() -> None:
    """Goal: it wins at once, before the end of the turn is judged."""
    text = "RR2GRR/3GRG1/R1GR2G/GG5/7/7/7 g b4,a7 0,1"
    won, lost = GAME.record(text), GAME.record(text)
    won.play("b4^e7")
    assert (ended(won).winner, ended(won).reason) == ("g", "home")
    lost.play("end")
    assert (ended(lost).winner, ended(lost).reason) == ("r", "unfair")


# Refusals


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("a7-a6", "The stone on a7 is not yours."),
        ("a4-a5", "There is no stone on a4."),
        ("a1-b1", "There is already a stone on b1."),
        ("a1-a3", "A stone moves one cell, and a3 is not beside a1."),
        ("d7^c7", "The stone on d7 is not yours."),
        ("d4^c1", "There is no stone on d4."),
        ("c1^b1", "Your character is not on c1 but on d1."),
        ("d1^d1", "The character is already on d1."),
        ("d1^d4", "The character goes to a stone of your own, and there is none on d4."),
        ("d1^d7", "The character goes to a stone of your own, and there is none on d7."),
        ("a1-a8", "There is no cell a8 on this board."),
        ("d1^h5", "There is no cell h5 on this board."),
        ("a1", "'a1' is not an action: actions are written like a1-a2, d1^b3, end."),
        ("a1-a2+end", "'a1-a2+end' is not an action: actions are written like a1-a2, d1^b3, end."),
        ("END", "'END' is not an action: actions are written like a1-a2, d1^b3, end."),
    ],
)
def test_a_refusal_says_why(action: str, sentence: str) -> None:
    """Refusals: each with its whole sentence (the others are with their rules above)."""
    assert refusal(GAME.record(), action) == sentence
