"""Renfa-Bomba: one test per sentence of its rules, each refusal and each way to end."""

import pytest

import damier
from tests.games.test_rules_common import ended, play_all, refusal

GAME = damier.load("renfa")
LONG = damier.load("renfa", last=0)
"""One bomb is enough to play on, so positions can be small."""
BIG = damier.load("renfa", size=8, last=0)


def targets(position: damier.Position, cell: str) -> list[str]:
    """Returns where the bomb on a cell can move."""
    return [action.split("-")[1] for action in position.actions() if action.startswith(f"{cell}-")]


# Phase 1


def test_the_game_starts_with_an_empty_board_and_six_bombs_each() -> None:
    """Position: start 5/5/5/5/5 b 6,6."""
    assert str(GAME.start) == "5/5/5/5/5 b 6,6"


def test_a_bomb_is_placed_on_any_empty_cell() -> None:
    """Phase 1: each player puts one of their bombs on an empty cell."""
    assert len(GAME.start.actions()) == 25
    position = GAME.parse("5/5/2BW1/5/5 b 5,5")
    assert set(GAME.start.actions()) - set(position.actions()) == {"c3", "d3"}


def test_players_place_in_turn_until_all_bombs_are_placed() -> None:
    """Phase 1: in turn, until all are placed; then nothing can be placed any more."""
    record = damier.load("renfa", bombs=3).record()
    movers = []
    for cell in ["a1", "e5", "a2", "e4", "a3", "e3"]:
        assert all(len(action) == 2 for action in record.actions())
        movers.append(record.mover)
        record.play(cell)
    assert movers == ["b", "w", "b", "w", "b", "w"]
    assert str(record.position) == "4W/4W/B3W/B4/B4 b 0,0"
    assert all("-" in action for action in record.actions())


def test_a_placement_does_not_explode() -> None:
    """Phase 1: nothing explodes, not even the last bomb put into a crowd of enemies."""
    record = damier.load("renfa", bombs=3).record("5/2W2/1WB2/2B2/5 b 1,1")
    play_all(record, "a1 d3")
    assert str(record.position) == "5/2W2/1WBW1/2B2/B4 b 0,0"


def test_few_bombs_on_the_board_are_no_loss_while_placing() -> None:
    """End: only after a detonation has a player with too few bombs lost."""
    assert GAME.start.result is None
    assert GAME.start.play("a1").result is None
    assert GAME.parse("5/5/5/5/BW3 b 5,5").result is None


# Moves


def test_a_bomb_moves_like_a_rook() -> None:
    """Phase 2: move one own bomb like a rook, any distance along its row or column."""
    position = LONG.parse("W4/5/2B2/5/5 b 0,0")
    assert position.actions() == sorted(f"c3-{cell}" for cell in ["a3", "b3", "d3", "e3", "c1", "c2", "c4", "c5"])
    assert str(position.play("c3-c5")) == "W1B2/5/5/5/5 w 0,0"
    assert str(position.play("c3-a3")) == "W4/5/B4/5/5 w 0,0"


def test_bombs_of_either_colour_block_a_move() -> None:
    """Phase 2: over and onto empty cells only."""
    position = LONG.parse("2W2/5/W1B1B/5/2B2 b 0,0")
    assert targets(position, "c3") == ["b3", "c2", "c4", "d3"]
    position = LONG.parse("2W2/5/1B1W1/2B2/2W2 b 0,0")
    assert targets(position, "b3") == ["a3", "b1", "b2", "b4", "b5", "c3"]
    assert targets(position, "c2") == ["a2", "b2", "c3", "c4", "d2", "e2"]


@pytest.mark.parametrize("position", ["5/2W2/2B2/5/5 b 0,0", "5/1W1W1/2B2/1W1W1/5 b 0,0", "5/2B2/1BBW1/5/W4 b 0,0"])
def test_one_enemy_neighbour_does_not_pin(position: str) -> None:
    """A bomb with two or more enemy neighbours is pinned: one, diagonal ones and own neighbours do not pin."""
    assert targets(LONG.parse(position), "c3") != []


@pytest.mark.parametrize(
    ("position", "count"),
    [
        ("5/2W2/1WB2/5/5 b 0,0", "two"),
        ("5/5/1WBW1/5/5 b 0,0", "two"),
        ("5/2W2/1WBW1/5/5 b 0,0", "three"),
        ("5/2W2/1WBW1/2W2/5 b 0,0", "four"),
    ],
)
def test_two_enemy_neighbours_pin(position: str, count: str) -> None:
    """A bomb with two or more enemy neighbours is pinned."""
    record = LONG.record(position)
    assert targets(record.position, "c3") == []
    assert refusal(record, "c3-c1") == f"The bomb on c3 is pinned: {count} enemy bombs touch it."


def test_a_pin_is_a_matter_of_colour() -> None:
    """A bomb with two or more enemy neighbours is pinned, whoever is on move; the pinning bombs are free."""
    position = LONG.parse("5/2W2/1WB2/5/5 w 0,0")
    assert targets(position, "c4") == ["a4", "b4", "c5", "d4", "e4"]
    assert targets(position, "b3") == ["a3", "b1", "b2", "b4", "b5"]


# Detonations


def test_an_enemy_bomb_beside_an_own_one_can_be_detonated() -> None:
    """Phase 2: detonate an enemy bomb that has at least one of the mover's bombs as a neighbour."""
    position = LONG.parse("W4/5/2BW1/5/5 b 0,0")
    assert [action for action in position.actions() if action[0] == "*"] == ["*d3"]
    assert str(position.play("*d3")) == "W4/5/5/5/5 w 0,0"


def test_neighbours_share_an_edge() -> None:
    """Neighbours share an edge: a bomb at a corner touches nothing."""
    record = LONG.record("5/3W1/2B2/5/5 b 0,0")
    assert not any(action[0] == "*" for action in record.actions())
    assert refusal(record, "*d4") == "None of your bombs touches the bomb on d4."


def test_neighbours_do_not_reach_round_the_edge_of_the_board() -> None:
    """Neighbours share an edge: e1 and a2 do not."""
    position = LONG.parse("5/5/5/W4/4B b 0,0")
    assert not any(action[0] == "*" for action in position.actions())


def test_a_pinned_bomb_can_detonate() -> None:
    """A pinned bomb still counts as such a neighbour."""
    position = LONG.parse("5/2W2/1WB2/5/5 b 0,0")
    assert position.actions() == ["*b3", "*c4"]


def test_a_chain_takes_the_whole_group_of_both_colours() -> None:
    """It sets off all its neighbours of either colour, those theirs, and so on: the whole edge-connected group."""
    position = GAME.parse("B3W/B3W/2BW1/2WB1/2B2 b 0,0")
    assert str(position.play("*d3")) == "B3W/B3W/5/5/5 w 0,0"


def test_a_chain_spares_the_diagonal() -> None:
    """The whole edge-connected group disappears, and nothing that touches it only by a corner."""
    position = GAME.parse("B3W/B1W2/3B1/2BW1/1W3 b 0,0")
    assert str(position.play("*d2")) == "B3W/B1W2/5/5/1W3 w 0,0"


def test_a_chain_runs_through_bombs_that_the_mover_does_not_touch() -> None:
    """Those theirs, and so on: a long snake goes off from one end to the other."""
    position = GAME.parse("WWWBB/W4/B4/5/B1W1B b 0,0")
    assert str(position.play("*a4")) == "5/5/5/5/B1W1B w 0,0"


def test_two_enemy_bombs_of_one_group_are_two_actions_with_the_same_effect() -> None:
    """Two enemy bombs of one group are two actions with the same effect."""
    position = GAME.parse("B3W/B3W/5/1WBW1/5 b 0,0")
    assert [action for action in position.actions() if action[0] == "*"] == ["*b2", "*d2"]
    assert position.play("*b2") == position.play("*d2")


def test_an_enemy_bomb_that_only_the_chain_reaches_cannot_be_chosen() -> None:
    """Detonate an enemy bomb that has at least one of the mover's bombs as a neighbour, not a bomb further on."""
    record = GAME.record("B3W/B3W/5/1BWW1/5 b 0,0")
    assert [action for action in record.actions() if action[0] == "*"] == ["*c2"]
    assert refusal(record, "*d2") == "None of your bombs touches the bomb on d2."


def test_three_detonations_in_turn() -> None:
    """Phase 2: detonations follow each other as any actions do, and each can be taken back."""
    record = damier.load("renfa", bombs=7).record("BW1BW/5/2BW1/5/BW2B w 0,0")
    strings = [str(record.position)]
    for action in ["*a5", "*e5", "*a1"]:
        record.play(action)
        strings.append(str(record.position))
    assert strings[1:] == ["3BW/5/2BW1/5/BW2B b 0,0", "5/5/2BW1/5/BW2B w 0,0", "5/5/2BW1/5/4B b 0,0"]
    assert ended(record)
    while record.played:
        record.undo()
        assert str(record.position) == strings[len(record.played)]
    assert record.result is None


# The end


def test_the_opponent_left_with_one_bomb_loses() -> None:
    """After a detonation a player with last bombs or fewer has lost: one, by default."""
    record = GAME.record("B3W/B4/5/5/1BW2 b 0,0")
    record.play("*c1")
    assert str(record.position) == "B3W/B4/5/5/5 w 0,0"
    assert (ended(record).winner, ended(record).reason, ended(record).text) == ("b", "bombs", "b")
    assert ended(record).sentence() == "Black wins: the opponent has too few bombs left."
    assert refusal(record, "e5-e4") == "The game is over. Black wins: the opponent has too few bombs left."
    record.undo()
    assert (record.result, str(record.position)) == (None, "B3W/B4/5/5/1BW2 b 0,0")


def test_two_bombs_are_enough_to_play_on() -> None:
    """A player with last bombs or fewer has lost: two are more than one."""
    record = GAME.record("B3W/B3W/5/5/1BW2 b 0,0")
    record.play("*c1")
    assert record.result is None


def test_the_one_who_detonates_can_lose_by_it() -> None:
    """The one who detonated included."""
    record = GAME.record("B3W/4W/5/5/1BWB1 b 0,0")
    record.play("*c1")
    assert str(record.position) == "B3W/4W/5/5/5 w 0,0"
    assert ended(record).sentence() == "White wins: the opponent has too few bombs left."


@pytest.mark.parametrize("position", ["B3W/5/5/5/1BW2 b 0,0", "B4/5/5/5/1BWW1 b 0,0", "5/5/5/5/1BWBW b 0,0"])
def test_mutual_destruction_is_a_draw(position: str) -> None:
    """If both have: draw (ruling)."""
    record = GAME.record(position)
    record.play("*c1")
    assert (ended(record).winner, ended(record).reason, ended(record).text) == (None, "destruction", "draw")
    assert ended(record).sentence() == "A draw: both players have too few bombs left."
    assert record.actions() == []
    record.undo()
    assert (record.result, str(record.position)) == (None, position)


def test_in_the_long_variant_one_bomb_is_enough() -> None:
    """Option last 0, the long variant: whoever has none loses."""
    record = LONG.record("B3W/B4/5/5/1BW2 b 0,0")
    record.play("*c1")
    assert record.result is None
    record = LONG.record("B4/5/5/5/1BW2 b 0,0")
    record.play("*c1")
    assert ended(record).sentence() == "Black wins: the opponent has too few bombs left."


def test_in_the_long_variant_the_detonator_can_lose_too() -> None:
    """Option last 0: whoever has none, the one who detonated included, and a draw if both have none."""
    record = LONG.record("W4/5/5/5/1BW2 b 0,0")
    record.play("*c1")
    assert (ended(record).winner, ended(record).reason) == ("w", "bombs")
    record = LONG.record("5/5/5/5/1BW2 b 0,0")
    record.play("*c1")
    assert (ended(record).winner, ended(record).reason) == (None, "destruction")


# Other boards


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_the_board_can_be_larger(size: int) -> None:
    """Option size 5 to 8."""
    game = damier.load("renfa", size=size)
    assert str(game.start) == f"{'/'.join([str(size)] * size)} b 6,6"
    assert game.perft(game.start, 2) == size**2 * (size**2 - 1)


def test_half_of_the_cells_can_be_filled_with_bombs() -> None:
    """Option bombs: up to half the cells, rounded down."""
    record = damier.load("renfa", bombs=12).record("BWBWB/WBWBW/BWBWB/WBWBW/BWBW1 b 0,0")
    assert [action for action in record.actions() if "-" in action] == []
    assert record.position.play("*b1").result is not None


@pytest.mark.parametrize("cell", ["h8", "g8", "h7", "a8", "h1"])
def test_a_bomb_in_the_last_corner_is_a_bomb_like_any_other(cell: str) -> None:
    """Options: on 8x8 the cell h8 is the 64th."""
    position = BIG.start.play(cell)
    assert len(position.actions()) == 63
    assert cell not in position.actions()
    assert BIG.parse(str(position)) == position


def test_a_bomb_on_h8_moves_and_blocks() -> None:
    """Phase 2 on 8x8: a rook's moves from h8 and to h8."""
    position = BIG.parse("7B/8/8/8/8/8/8/W7 b 0,0")
    assert targets(position, "h8") == sorted([f"{c}8" for c in "abcdefg"] + [f"h{n}" for n in range(1, 8)])
    assert str(position.play("h8-h1")) == "8/8/8/8/8/8/8/W6B w 0,0"
    position = BIG.parse("B6W/8/8/8/8/8/8/7B b 0,0")
    assert targets(position, "a8")[-6:] == ["b8", "c8", "d8", "e8", "f8", "g8"]
    assert targets(position, "h1")[-6:] == ["h2", "h3", "h4", "h5", "h6", "h7"]
    position = BIG.parse("W7/8/8/8/8/8/8/7B b 0,0")
    assert str(position.play("h1-h8")) == "W6B/8/8/8/8/8/8/8 w 0,0"


def test_a_bomb_on_h8_pins_and_is_pinned() -> None:
    """A bomb with two or more enemy neighbours is pinned, h8 among them."""
    position = BIG.parse("6WB/7W/8/8/8/8/8/8 b 0,0")
    assert position.actions() == ["*g8", "*h7"]
    record = BIG.record("5WBW/8/8/8/8/8/8/8 b 0,0")
    assert refusal(record, "g8-g7") == "The bomb on g8 is pinned: two enemy bombs touch it."


def test_a_chain_reaches_h8() -> None:
    """The whole edge-connected group of bombs disappears, h8 included."""
    position = BIG.parse("B5BW/6WB/W7/8/8/8/8/8 b 0,0")
    assert str(position.play("*h8")) == "B7/8/W7/8/8/8/8/8 w 0,0"
    position = BIG.parse("B6W/6BW/W7/8/8/8/8/8 w 0,0")
    assert str(position.play("*g7")) == "B7/8/W7/8/8/8/8/8 b 0,0"
    assert BIG.parse("6BW/8/8/8/8/8/8/8 w 0,0").play("*g8").result is not None


def test_only_h8_left_decides_the_game() -> None:
    """After a detonation a player with last bombs or fewer has lost, wherever the last bomb stands."""
    record = BIG.record("7W/8/8/8/8/8/8/BW6 b 0,0")
    record.play("*b1")
    assert ended(record).winner == "w"


# Refusals


@pytest.mark.parametrize(
    ("position", "action", "sentence"),
    [
        ("5/5/5/5/BW3 b 5,5", "b1", "There is already a bomb on b1."),
        ("5/5/5/5/BW3 b 5,5", "a1-a2", "All bombs must be placed before any can move or be detonated."),
        ("5/5/5/5/BW3 b 5,5", "*b1", "All bombs must be placed before any can move or be detonated."),
        (
            "5/5/5/BW3/BW3 b 0,0",
            "c3",
            "All bombs are placed: now move a bomb, such as a1-a4, or detonate one, such as *c3.",
        ),
        ("5/5/5/BW3/BW3 b 0,0", "*a1", "The bomb on a1 is your own: only enemy bombs can be detonated."),
        ("5/5/5/BW3/BW3 b 0,0", "*c1", "There is no bomb on c1."),
        ("5/5/W4/B4/B1W2 b 0,0", "*c1", "None of your bombs touches the bomb on c1."),
        ("5/5/5/BW3/BW3 b 0,0", "b1-c1", "The bomb on b1 is not yours."),
        ("5/5/5/BW3/BW3 b 0,0", "c1-d1", "There is no bomb on c1."),
        ("5/5/5/BW3/BW3 b 0,0", "a1-b1", "There is already a bomb on b1."),
        ("5/5/5/BW3/BW3 b 0,0", "a1-a2", "There is already a bomb on a2."),
        ("5/5/5/BW3/BW3 b 0,0", "a2-c4", "A bomb moves along its row or column, and c4 is on neither."),
        ("5/5/5/BW3/BW3 b 0,0", "a1-a5", "A bomb stands between a1 and a5."),
        ("5/5/5/BW3/BW3 b 0,0", "a1-e1", "A bomb stands between a1 and e1."),
        ("5/5/5/BW3/BW3 b 0,0", "a1-a6", "There is no cell a6 on this board."),
        ("5/5/5/BW3/BW3 b 0,0", "f1", "There is no cell f1 on this board."),
        ("5/5/5/BW3/BW3 b 0,0", "*a9", "There is no cell a9 on this board."),
    ],
)
def test_a_refusal_says_why(position: str, action: str, sentence: str) -> None:
    """Refusals: each with its whole sentence."""
    assert refusal(GAME.record(position), action) == sentence


@pytest.mark.parametrize("text", ["", "c", "c33", "C3", "*a1-a2", "a1-*a2", "a1-a2-a3", "a1=a2", " a1", "a1\n", "end"])
def test_a_text_that_is_no_action_is_refused_with_examples(text: str) -> None:
    """Actions: place c3; move a1-a4; detonate *c3."""
    shown = text.replace("\n", "?")
    sentence = f"'{shown}' is not an action: actions are written like c3, a1-a4, *c3."
    assert refusal(GAME.record(), text) == sentence
