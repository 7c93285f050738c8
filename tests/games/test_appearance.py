"""What clients rely on: pieces stand on cells of the drawing, and clicks lead to one action."""

import functools
import random
import re
from collections.abc import Iterator

import pytest

import damier
from damier import Game, Position
from damier.core.drawing import HAND, hand_captions, piece_label, position_captions
from damier.draw.textboard import board_text

GAMES: list[tuple[str, dict[str, object]]] = [
    ("renfa", {}),
    ("renfa", {"size": 6, "bombs": 9, "last": 0}),
    ("renfa", {"size": 8, "bombs": 32}),
    ("chefa", {}),
    ("badia", {}),
    ("sensei", {}),
    ("sensei", {"variant": "shizukana-variant"}),
    ("sensei", {"variant": "arashi"}),
    ("sensei", {"variant": "arashi-expert"}),
    ("sensei", {"variant": "arashi-expert", "pits": "b2,f6,d4"}),
    ("omba", {}),
    ("omba", {"players": 3}),
    ("omba", {"players": 4}),
]

every_game = pytest.mark.parametrize(
    "game",
    [damier.load(name, **options) for name, options in GAMES],
    ids=lambda game: f"{game.name} {game.options_text}",
)


@functools.cache
def random_positions(game: Game, games: int = 4, length: int = 100) -> tuple[Position, ...]:
    """Returns the positions of some games played at random."""
    return tuple(_random_positions(game, games, length))


def _random_positions(game: Game, games: int, length: int) -> Iterator[Position]:
    for seed in range(games):
        choose = random.Random(seed)
        record = game.record()
        yield record.position
        for _ in range(length):
            actions = record.actions()
            if not actions:
                break
            record.play(choose.choice(actions))
            yield record.position


@every_game
def test_pieces_stand_on_cells_that_can_hold_them(game: Game) -> None:
    holding = {cell.name for cell in game.drawing.cells if cell.can_hold}
    for position in random_positions(game):
        pieces = position.pieces()
        assert {piece.cell for piece in pieces} <= holding
        assert {piece.player for piece in pieces} <= set(game.drawing.looks) == set(game.players)
        assert all(mark in game.drawing.marks for piece in pieces for mark in piece.marks)
        for name in holding:
            levels = [piece.level for piece in pieces if piece.cell == name]
            assert levels == list(range(len(levels))), f"the stack on {name} has gaps or is not bottom first"


@every_game
def test_only_boards_seen_at_an_angle_have_stacks(game: Game) -> None:
    levels = {piece.level for position in random_positions(game) for piece in position.pieces()}
    assert (levels != {0}) == (game.drawing.view == "isometric")


@every_game
def test_the_pieces_are_those_of_the_position_string(game: Game) -> None:
    for position in random_positions(game):
        board = str(position).split(" ")[0]
        for player, look in game.drawing.looks.items():
            letters = board.count(look.letter) if look.letter.isalpha() or look.shape == "drum" else 0
            assert sum(piece.player == player for piece in position.pieces()) == letters


@every_game
def test_the_hands_are_those_of_the_position_string(game: Game) -> None:
    for position in random_positions(game):
        hands = list(position.hands().values())
        if game.drawing.has_hands:
            assert ",".join(map(str, hands)) == str(position).split(" ")[2]
            assert bool(hand_captions(position)) == any(hands)
        else:
            assert not any(hands)
            assert not hand_captions(position)


@every_game
def test_the_clicks_of_an_action_are_cells_or_the_hand(game: Game) -> None:
    places = {cell.name for cell in game.drawing.cells if cell.can_hold} | {HAND}
    for position in random_positions(game):
        for text in position.actions():
            assert set(game.action_cells(text)) <= places


@every_game
def test_clicks_lead_to_one_action(game: Game) -> None:
    """A client narrows the list of actions click by click: none may be hidden behind another."""
    for position in random_positions(game):
        if position.mover == "chance":
            assert {game.action_cells(text) for text in position.actions()} <= {()}
            continue
        clicks = [game.action_cells(text) for text in position.actions()]
        assert len(set(clicks)) == len(clicks)
        assert clicks.count(()) <= 1, "only one button"
        beginnings = {cells[:length] for cells in clicks for length in range(1, len(cells))}
        assert not beginnings & set(clicks), "one action is the beginning of another"


@pytest.mark.parametrize(
    ("name", "position", "action", "clicks"),
    [
        ("renfa", "5/5/5/5/5 b 6,6", "c3", ("c3",)),
        ("renfa", "WW3/5/5/5/BB3 b 0,0", "a1-a4", ("a1", "a4")),
        ("renfa", "5/5/5/WW3/BB3 b 0,0", "*a2", ("a2",)),
        ("chefa", "5/5/5/5/5 b 4,4 -", "a1", ("a1",)),
        ("chefa", "5/5/5/5/5 b 4,4 -", "a1=a4", ("a1", "a4")),
        ("badia", "5/1...1/1.1.1/1...1/5 b 5,5 -,- -", "b1-c1>c3", ("b1", "c1", "c3")),
        ("badia", "5/1...1/1.1.1/1...1/5 b 5,5 -,- -", "b1-c1>?", ("b1", "c1")),
        ("badia", "5/1...1/1.1.1/1...1/5 b 5,5 -,- -", ">e5", ("e5",)),
        ("sensei", "RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1", "a1-a2", ("a1", "a2")),
        ("sensei", "RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1", "d1^c1", ("d1", "c1")),
        ("sensei", "RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1", "end", ()),
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,6 - -", "roll:4", ()),
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,6 - -", "@c3", (HAND, "c3")),
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,6 - -", "a1-c2", ("a1", "c2")),
    ],
)
def test_actions_are_clicked_in_the_order_in_which_they_are_said(
    name: str, position: str, action: str, clicks: tuple[str, ...]
) -> None:
    assert damier.load(name).action_cells(action) == clicks


@every_game
def test_the_clicks_of_an_action_lead_back_to_it(game: Game) -> None:
    """A click that fits no legal action is explained by guessing what was meant: every legal one can be guessed too."""
    for position in random_positions(game)[::5]:
        for text in position.actions():
            if cells := game.action_cells(text):
                assert text in game.guess_actions(cells)
                assert cells[0] == HAND or position.is_meant(text)


def test_guesses_are_written_as_the_game_writes_them() -> None:
    assert damier.load("renfa").guess_actions(["c3"]) == ["c3", "*c3"]
    assert damier.load("chefa").guess_actions(["a1", "a4"]) == ["a1-a4", "a1=a4"]
    assert damier.load("badia").guess_actions(["e5"]) == ["e5", ">e5"]
    assert damier.load("badia").guess_actions(["b1", "c1", "c3"]) == ["b1-c1>c3"]
    assert damier.load("sensei").guess_actions(["a1", "a2"]) == ["a1-a2", "a1^a2"]
    assert damier.load("omba").guess_actions([HAND, "c3"]) == ["@c3"]
    assert damier.load("omba").guess_actions(["a1"]) == []
    assert damier.load("omba").guess_actions(["z9", "a1"]) == []


@pytest.mark.parametrize(
    ("name", "action", "button"),
    [
        ("renfa", "*c3", "Detonate c3"),
        ("renfa", "a1-a4", None),
        ("chefa", "a1", None),
        ("badia", "b1-c1>?", "Let its owner choose"),
        ("sensei", "end", "End turn"),
        ("omba", "roll:4", "Roll 4"),
        ("omba", "@c3", None),
    ],
)
def test_buttons_name_what_the_notation_abbreviates(name: str, action: str, button: str | None) -> None:
    said = damier.load(name).action_name(action)
    assert (said and str(said)) == button


def test_only_a_roll_shows_points() -> None:
    omba = damier.load("omba")
    assert [omba.die_points(text) for text in ("roll:1", "roll:6", "@c3", "a1-c2")] == [1, 6, None, None]
    assert damier.load("chefa").die_points("a1") is None


def labels(name: str, text: str, **options: object) -> list[str]:
    """Returns what is said of the pieces that have something special, and of the cells."""
    game = damier.load(name, **options)
    position = game.parse(text)
    special = [piece_label(game.drawing, piece) for piece in position.pieces() if piece.marks]
    return special + [f"{cell}, {game.drawing.marks[mark]}" for cell, mark in position.cell_marks().items()]


def test_a_bomb_with_two_enemy_neighbours_is_shown_as_pinned() -> None:
    assert labels("renfa", "3W1/W3B/1BW2/1WB1W/B4 b 0,0", bombs=5) == [
        "c2, black bomb, pinned",
        "b3, black bomb, pinned",
        "b2, white bomb, pinned",
        "c3, white bomb, pinned",
    ]


def test_nothing_is_pinned_while_bombs_are_placed() -> None:
    assert labels("renfa", "5/5/5/W4/BWB2 b 4,4") == []


def test_both_cells_of_a_ko_are_marked() -> None:
    assert labels("chefa", "2W2/3WB/W3W/1B1B1/1B3 b 0,0 d4,e4") == ["d4, ko", "e4, ko"]


def test_the_pawns_moved_last_carry_their_markers() -> None:
    assert labels("badia", "WW2B/1...1/1.W.1/B...W/BBBW1 w 0,0 c1,e2 -") == [
        "c1, black pawn, marked",
        "e2, white pawn, marked",
    ]


def test_characters_are_on_the_stones_that_carry_them() -> None:
    assert labels("sensei", "RRRRRRR/7/7/7/7/7/GGGGGGG r b1,g7 1,0") == [
        "b1, green stone, with the sage",
        "g7, red stone, with the monkey",
    ]


def captions(name: str, text: str, **options: object) -> list[str]:
    position = damier.load(name, **options).parse(text)
    return [str(caption) for caption in position_captions(position, position.result)]


def test_captions_say_who_is_on_move_and_what_is_left() -> None:
    assert captions("chefa", "5/5/5/5/5 b 4,4 -") == ["Black to move"]
    assert captions("sensei", "RRRRRRR/7/7/7/7/7/GGGGGGG r b1,g7 1,0") == [
        "Red to move",
        "Stone moves left: 1",
        "Character moves left: 0",
    ]


def test_captions_say_what_the_die_shows_or_who_rolls_it() -> None:
    assert captions("omba", "-,-,-/-,-,-/-,-,- 2 6,6 3 -") == ["Player 2 to move", "Die: 3"]
    assert captions("omba", "-,-,-/-,-,-/-,-,- 1 4,4,4 - 2", players=3) == [
        "Player 1 to roll the die",
        "Player 2 is out",
    ]


def test_captions_say_that_a_displaced_pawn_waits() -> None:
    said = captions("badia", "1WWW1/1...1/B.B.B/1...1/B1W1W b 0,0 -,c1 p")
    assert said == ["Black to move", "A displaced pawn is to be put on an empty cell"]


def test_captions_say_who_has_won() -> None:
    assert captions("chefa", "WWWW1/5/5/5/BB1BB b 0,0 -")[0].startswith("White wins")


def test_captions_of_a_finished_game_count_nothing_that_is_left() -> None:
    (said,) = captions("sensei", "GRRRRRR/7/7/7/7/7/RGGGGGG g a7,d7 1,0")
    assert said.startswith("Green wins")
    record = damier.load("sensei").record()
    record.play("a1-a2")
    record.resign("g")
    assert len(position_captions(record.position, record.result)) == 1


# Text boards


@every_game
@pytest.mark.parametrize("flip", [False, True])
def test_text_boards_show_every_piece(game: Game, flip: bool) -> None:
    for position in random_positions(game):
        board = board_text(position, flip=flip).split("\n\n")[0]
        for player, look in game.drawing.looks.items():
            shown = sum(line[1:].count(look.letter) for line in board.splitlines()[:-1])
            assert shown == sum(piece.player == player for piece in position.pieces())


@every_game
def test_text_boards_are_aligned_and_show_every_cell(game: Game) -> None:
    empty_cells = {cell.name for cell in game.drawing.cells if cell.can_hold}
    for position in random_positions(game):
        *rows, letters = board_text(position).split("\n\n")[0].splitlines()
        found = {}
        for row in rows:
            for match in re.finditer(r"[^ ()*!]+", row[1:]):
                column = letters[match.start() + 1]
                assert column != " ", f"not under a letter: {row}"
                found[column + row[0]] = match.group()
        assert set(found) == {cell.name for cell in game.drawing.cells}
        taken = {piece.cell for piece in position.pieces()}
        assert {name for name, text in found.items() if text == "."} == empty_cells - taken


@every_game
def test_text_boards_have_colours_only_when_asked(game: Game) -> None:
    for position in random_positions(game)[::10]:
        plain, coloured = board_text(position), board_text(position, colour=True)
        assert "\x1b" not in plain
        assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain
        assert "\x1b" in coloured


def test_a_text_board_reads_like_this() -> None:
    position = damier.load("sensei", variant="arashi-expert").parse(
        "RR1R1R1/2R1R2/2o1o1R/7/2oGo2/1G4G/G1G1GG1 g d3,d7 2,1"
    )
    assert board_text(position) == (
        "7  R   R   .  (R)  .   R   .\n"
        "6  .   .   R   .   R   .   .\n"
        "5  .   .   o   .   o   .   R\n"
        "4  .   .   .   .   .   .   .\n"
        "3  .   .   o  (G)  o   .   .\n"
        "2  .   G   .   .   .   .   G\n"
        "1  G   .   G   .   G   G   .\n"
        "   a   b   c   d   e   f   g\n"
        "\n"
        "Green to move; Stone moves left: 2; Character moves left: 1; (G) with the sage; (R) with the monkey\n"
    )


def test_a_text_board_turned_round_begins_with_the_first_row() -> None:
    position = damier.load("badia").parse("WW2B/1...1/1.W.1/B...W/BBBW1 w 0,0 c1,e2 -")
    assert board_text(position, flip=True).splitlines()[:3] == [
        "1  .   W   B*  B   B",
        "2  W*              B",
        "3  .       W       .",
    ]


def test_stacks_are_written_from_bottom_to_top() -> None:
    position = damier.load("omba").parse("212,-,2/1,2121,2/1,-,- 1 1,0 4 -")
    assert board_text(position).splitlines()[:2] == ["3  212    .      2", "2  1      2121   2"]
