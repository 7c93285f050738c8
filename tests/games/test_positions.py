"""Position strings: what each game writes and reads, and every reason for which one is refused."""

import pytest

import damier

GAMES = {
    "renfa": damier.load("renfa"),
    "renfa 8": damier.load("renfa", size=8, bombs=32),
    "chefa": damier.load("chefa"),
    "badia": damier.load("badia"),
    "sensei": damier.load("sensei"),
    "sensei expert": damier.load("sensei", variant="arashi-expert"),
    "sensei filled": damier.load("sensei", variant="arashi-expert", pits=""),
    "omba": damier.load("omba"),
    "omba 3": damier.load("omba", players=3),
}


def refusal(name: str, text: str) -> str:
    """Parses a string that must be refused and returns the sentence."""
    with pytest.raises(damier.BadPosition) as caught:
        GAMES[name].parse(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("renfa", "5/5/5/5/5 b 6,6"),
        ("renfa", "B4/5/2W2/5/4B w 4,5"),
        ("renfa", "BW3/5/5/5/3WB w 0,0"),
        ("renfa 8", "7B/8/8/8/8/8/8/W7 b 31,31"),
        ("chefa", "5/5/5/5/5 b 4,4 -"),
        ("chefa", "WB3/5/B3W/5/B1WBW w 0,0 a3,e3"),
        ("badia", "5/1...1/1.1.1/1...1/5 b 5,5 -,- -"),
        ("badia", "BW1BW/W...1/1.B.1/1...B/BW2W b 0,0 c3,a4 -"),
        ("badia", "W1B1B/1...1/B.W.W/1...B/2B1W w 0,0 c1,e3 p"),
        ("badia", "W1B1B/1...1/B.W.W/1...B/2B1W w 0,0 c1,- m"),
        ("sensei", "RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1"),
        ("sensei", "RRRRRRR/7/7/7/7/G6/1GGGGGG g d1,d7 0,1"),
        ("sensei expert", "RRRRRRR/7/2o1o2/7/2o1o2/7/GGGGGGG r a1,g7 1,0"),
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,6 - -"),
        ("omba", "-,-,-/1,-,2/-,12,- 2 4,4 3 -"),
        ("omba 3", "-,-,-/-,-,-/-,-,123 2 3,3,3 - 3,1"),
    ],
)
def test_a_string_that_is_read_is_written_again(name: str, text: str) -> None:
    """One position has one string."""
    assert str(GAMES[name].parse(text)) == text
    assert GAMES[name].parse(text) == GAMES[name].parse(text)


@pytest.mark.parametrize("name", GAMES)
def test_the_string_of_the_start_is_the_start(name: str) -> None:
    """One position has one string, and one string one position."""
    assert GAMES[name].parse(str(GAMES[name].start)) == GAMES[name].start


@pytest.mark.parametrize(
    ("name", "count", "names"),
    [
        ("renfa", 3, "board side hand"),
        ("chefa", 4, "board side hand ko"),
        ("badia", 5, "board side hand markers pending"),
        ("sensei", 4, "board side characters left"),
        ("omba", 5, "board side hand die out"),
    ],
)
def test_fields_are_separated_by_one_space(name: str, count: int, names: str) -> None:
    """Fields separated by one space: no fewer, no more, none empty."""
    start = str(GAMES[name].start)
    for text in ["", "x", start.rsplit(" ", 1)[0], f"{start} ", f" {start}", f"{start} -", start.replace(" ", "  ", 1)]:
        shown = text if len(text) <= 40 else f"{text[:39]}…"
        sentence = f"A position has {count} fields separated by one space ({names}), not '{shown}'."
        assert refusal(name, text) == sentence


def test_a_string_of_any_length_is_refused_in_one_short_sentence() -> None:
    """A refusal repeats no more of a text than a person can read."""
    sentence = refusal("renfa", f"{'5/' * 100_000} b 6,6")
    assert sentence.startswith("A position has 3 fields separated by one space (board side hand), not '5/5/5/5/")
    assert len(sentence) < 120
    assert refusal("renfa", "5/5/5/5/5\tb\n6,6").endswith("not '5/5/5/5/5?b?6,6'.")


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("renfa", "5/5/5/5 b 6,6", "The board has 5 rows separated by /, not 4."),
        ("renfa 8", "5/5/5/5/5 b 32,32", "The board has 8 rows separated by /, not 5."),
        ("sensei", "7/7/7/7/7/7/7/7 g d1,d7 2,1", "The board has 7 rows separated by /, not 8."),
        (
            "renfa",
            "5/5/5/5/B13 w 5,6",
            "Row 1 of the board writes a run of empty cells as '13': one digit for the whole run.",
        ),
        (
            "chefa",
            "11111/5/5/5/5 b 4,4 -",
            "Row 5 of the board writes a run of empty cells as '11111': one digit for the whole run.",
        ),
        (
            "renfa",
            "5/5/5/b4/5 w 5,6",
            "Row 2 of the board has 'b', which is neither one of B W nor a number of empty cells from 1 to 5.",
        ),
        (
            "renfa",
            "5/5/0/5/5 b 6,6",
            "Row 3 of the board has '0', which is neither one of B W nor a number of empty cells from 1 to 5.",
        ),
        (
            "renfa",
            "6/5/5/5/5 b 6,6",
            "Row 5 of the board has '6', which is neither one of B W nor a number of empty cells from 1 to 5.",
        ),
        (
            "renfa",
            "٥/5/5/5/5 b 6,6",
            "Row 5 of the board has '٥', which is neither one of B W nor a number of empty cells from 1 to 5.",
        ),
        (
            "badia",
            "5/1...1/1.x.1/1...1/5 b 5,5 -,- -",
            "Row 3 of the board has 'x', which is neither one of B W . nor a number of empty cells from 1 to 5.",
        ),
        (
            "sensei",
            "RRRRRRR/7/7/7/7/7/BGGGGGG g d1,d7 2,1",
            "Row 1 of the board has 'B', which is neither one of G R o nor a number of empty cells from 1 to 7.",
        ),
        ("renfa", "5/5/5/5/B5 w 5,6", "Row 1 of the board has 6 cells, not 5."),
        ("renfa", "5/4/5/5/5 b 6,6", "Row 4 of the board has 4 cells, not 5."),
        ("chefa", "5/5/5//5 b 4,4 -", "Row 2 of the board has 0 cells, not 5."),
        ("sensei", "RRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1", "Row 7 of the board has 6 cells, not 7."),
        ("badia", "5/1.1.1/1.1.1/1...1/5 b 5,5 -,- -", "There is no cell c4: it is written as a dot."),
        ("badia", "5/1.B.1/1.1.1/1...1/5 w 4,5 -,- -", "There is no cell c4: it is written as a dot."),
        ("badia", "5/1...1/1...1/1...1/5 b 5,5 -,- -", "The cell c3 exists and cannot be written as a dot."),
        ("badia", "2.2/1...1/1.1.1/1...1/5 b 5,5 -,- -", "The cell c5 exists and cannot be written as a dot."),
        ("sensei", "RRRRRRR/7/2o1o2/7/2o1o2/7/GGGGGGG g d1,d7 2,1", "This variant has no pits."),
        ("sensei filled", "RRRRRRR/7/7/3o3/7/7/GGGGGGG g d1,d7 2,1", "This variant has no pits."),
        (
            "sensei expert",
            "RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1",
            "The pits of the board are not those of the options: c3,e3,c5,e5.",
        ),
        (
            "sensei expert",
            "RRRRRRR/7/2o1o2/3o3/2o1o2/7/GGGGGGG g d1,d7 2,1",
            "The pits of the board are not those of the options: c3,e3,c5,e5.",
        ),
        (
            "omba",
            "-,-,-/-,-,- 1 6,6 - -",
            "The board has 3 rows separated by / of 3 stacks separated by commas.",
        ),
        (
            "omba",
            "-,-,-/-,-/-,-,- 1 6,6 - -",
            "The board has 3 rows separated by / of 3 stacks separated by commas.",
        ),
        (
            "omba",
            "-,-,-/-,-,-/-,13,- 1 5,6 - -",
            "The stack on b1 is - or the owners from bottom to top (1 2), not '13'.",
        ),
        (
            "omba 3",
            "-,-,4/-,-,-/-,-,- 1 4,4,4 - -",
            "The stack on c3 is - or the owners from bottom to top (1 2 3), not '4'.",
        ),
        (
            "omba",
            "-,,-/-,-,-/-,-,- 1 6,6 - -",
            "The stack on b3 is - or the owners from bottom to top (1 2), not ''.",
        ),
    ],
)
def test_a_board_is_refused_with_the_reason(name: str, text: str, sentence: str) -> None:
    """Boards are written from the top row down, rows separated by /, a digit for a run of empty cells."""
    assert refusal(name, text) == sentence


def numbers(count: int, text: str) -> str:
    """Returns the refusal of a hand that is not written as numbers."""
    return f"The hand is written as {count} whole numbers separated by commas, not '{text}'."


def total(player: str, on_board: int, in_hand: int, pieces: int) -> str:
    """Returns the refusal of a wrong piece count."""
    return f"{player} must have {pieces} pieces in all, not {on_board} on the board and {in_hand} in hand."


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("renfa", "5/5/5/5/5 g 6,6", "The side to move is one of b, w, not 'g'."),
        ("chefa", "5/5/5/5/5 B 4,4 -", "The side to move is one of b, w, not 'B'."),
        ("sensei", "RRRRRRR/7/7/7/7/7/GGGGGGG b d1,d7 2,1", "The side to move is one of g, r, not 'b'."),
        ("omba", "-,-,-/-,-,-/-,-,- 3 6,6 - -", "The side to move is one of 1, 2, not '3'."),
        ("omba 3", "-,-,-/-,-,-/-,-,- 4 4,4,4 - -", "The side to move is one of 1, 2, 3, not '4'."),
        ("renfa", "5/5/5/5/5 b 6", numbers(2, "6")),
        ("renfa", "5/5/5/5/5 b 6,6,6", numbers(2, "6,6,6")),
        ("renfa", "5/5/5/5/5 b 06,6", numbers(2, "06,6")),
        ("chefa", "5/5/5/5/5 b -,- -", numbers(2, "-,-")),
        ("omba 3", "-,-,-/-,-,-/-,-,- 1 4,4 - -", numbers(3, "4,4")),
        ("renfa", "5/5/5/5/5 b 7,7", "The hand goes up to 6, not 7."),
        ("chefa", "5/5/5/5/5 b 5,4 -", "The hand goes up to 4, not 5."),
        ("badia", "5/1...1/1.1.1/1...1/5 b 5,6 -,- -", "The hand goes up to 5, not 6."),
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,7 - -", "The hand goes up to 6, not 7."),
        ("renfa", "5/5/5/BBB2/BBBB1 b 0,0", "A player has 6 bombs, not 7."),
        ("renfa", "5/5/5/5/BB3 w 5,6", total("Black", 2, 5, 6)),
        ("renfa", "5/5/5/5/B4 w 5,5", total("White", 0, 5, 6)),
        ("chefa", "5/5/5/5/5 b 3,4 -", total("Black", 0, 3, 4)),
        ("chefa", "5/5/5/WWW2/BBBB1 b 0,0 -", total("White", 3, 0, 4)),
        ("badia", "5/1...1/1.1.1/1...1/B4 w 5,5 -,- -", total("Black", 1, 5, 5)),
        ("badia", "W1B1B/1...1/B.W.W/1...B/2B1W w 0,0 c1,- -", total("White", 4, 0, 5)),
        ("badia", "W1B1B/1...1/B.W.W/1...B/W1B1W w 0,0 c1,- p", total("White", 5, 0, 4)),
        ("badia", "W1B1B/1...1/B.W.W/1...B/2B1W b 0,0 c1,- p", total("Black", 5, 0, 4)),
        ("omba", "-,-,-/-,-,-/-,1,- 1 6,6 - -", total("Player 1", 1, 6, 6)),
        ("omba 3", "-,-,-/-,-,-/-,3,- 1 4,4,4 - -", total("Player 3", 1, 4, 4)),
        ("renfa", "5/5/5/5/B4 b 5,6", "The hands 5,6 do not fit the side to move."),
        ("renfa", "5/5/5/5/BW3 w 5,5", "The hands 5,5 do not fit the side to move."),
        ("renfa", "5/5/5/5/BBWW1 w 4,4", "The hands 4,4 do not fit the side to move."),
        ("chefa", "5/5/5/5/W4 b 4,3 -", "The hands 4,3 do not fit the side to move."),
        ("chefa", "5/5/5/5/BB3 w 2,4 -", "The hands 2,4 do not fit the side to move."),
        ("badia", "5/1...1/1.1.1/1...1/B4 b 4,5 -,- -", "The hands 4,5 do not fit the side to move."),
    ],
)
def test_sides_hands_and_counts_are_refused_with_the_reason(name: str, text: str, sentence: str) -> None:
    """Wrong piece counts and hands that do not fit the side to move are refused."""
    assert refusal(name, text) == sentence


KO = "The ko is - or two cells in alphabetical order such as b3,d3, not '{}'."
NO_SWAP = (
    "No swap can have left the ko {}: it needs a pawn of each player in one line with nothing between, "
    "after the placement and before the end of the game."
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("5/5/2B2/5/5 w 3,4 -", "No pawn can stand on c3."),
        ("5/5/2W2/5/BB3 b 2,3 -", "No pawn can stand on c3."),
        ("WB3/5/B3W/5/B1WBW w 0,0 a3", KO.format("a3")),
        ("WB3/5/B3W/5/B1WBW w 0,0 e3,a3", KO.format("e3,a3")),
        ("WB3/5/B3W/5/B1WBW w 0,0 a3,a3", KO.format("a3,a3")),
        ("WB3/5/B3W/5/B1WBW w 0,0 a3,f3", KO.format("a3,f3")),
        ("WB3/5/B3W/5/B1WBW w 0,0 a3,c3,e3", KO.format("a3,c3,e3")),
        ("WB3/5/B3W/5/B1WBW w 0,0 a1,a3", NO_SWAP.format("a1,a3")),
        ("WB3/5/B3W/5/B1WBW w 0,0 a3,d3", NO_SWAP.format("a3,d3")),
        ("WB3/5/B3W/5/B1WBW w 0,0 a3,c1", NO_SWAP.format("a3,c1")),
        ("WB3/5/B3W/5/B1WBW w 0,0 a1,e1", NO_SWAP.format("a1,e1")),
        ("5/5/5/5/BW3 b 3,3 a1,b1", NO_SWAP.format("a1,b1")),
        ("5/4W/4W/3BW/BBBW1 b 0,0 d1,d2", NO_SWAP.format("d1,d2")),  # Black had a1 to d1: the game was over
    ],
)
def test_a_chefa_string_is_refused_with_the_reason(text: str, sentence: str) -> None:
    """A ko that no swap could have left is refused: same colour, an empty cell, no line, a pawn between, placing."""
    assert refusal("chefa", text) == sentence


FULL = "W1B1B/1...1/B.W.W/1...B/2B1W w 0,0"
WAITS = (
    "A pawn waits for its owner only when all arrows are full and the opponent's marked pawn has come to one of them "
    "from a cell beside it that is empty now."
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"{FULL} c1,- x", "The last field is -, p or m, not 'x'."),
        ("5/1...1/1.1.1/1...1/2B2 w 4,5 -,- -", "Pawns are placed on square cells only, not on arrows or on c3."),
        ("5/1...1/1.B.1/1...1/5 w 4,5 -,- -", "Pawns are placed on square cells only, not on arrows or on c3."),
        (f"{FULL} c1 p", "Each of the two markers is a cell or -, as in c1,- and not 'c1'."),
        (f"{FULL} c1,b2 p", "Each of the two markers is a cell or -, as in c1,- and not 'c1,b2'."),
        (f"{FULL} c1,-,- p", "Each of the two markers is a cell or -, as in c1,- and not 'c1,-,-'."),
        (f"{FULL} e3,- p", "The marker of Black is on e3, where they have no pawn."),
        (f"{FULL} a1,- p", "The marker of Black is on a1, where they have no pawn."),
        (f"{FULL} c1,a3 p", "The marker of White is on a3, where they have no pawn."),
        ("5/1...1/1.1.1/1...1/B4 w 4,5 a1,- -", "Placing sets no marker: both are - until all pawns are placed."),
        (f"{FULL} -,- p", WAITS),
        (f"{FULL} e5,- p", WAITS),
        ("W3B/1...1/B.W.W/B...B/2B1W w 0,0 c1,- p", WAITS),
        ("2B2/1...1/W.B.W/1...1/WWBBB w 0,0 c1,- p", WAITS),  # no empty cell that Black's pawn came from
        (f"{FULL} c1,a5 m", "With m the waiting pawn carries its owner's marker, which is then written -."),
    ],
)
def test_a_badia_string_is_refused_with_the_reason(text: str, sentence: str) -> None:
    """A marker off its own piece, a waiting pawn that no move could have left and the like are refused."""
    assert refusal("badia", text) == sentence


LEFT = "The actions left are one of 2,1 2,0 1,1 1,0 0,1 (stone moves, character moves), not '{}'."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("RRRRRRR/7/7/7/7/7/GGGGGG1 g d1,d7 2,1", "Green has 7 stones, not 6."),
        ("RRRRRRR/R6/7/7/7/7/GGGGGGG g d1,d7 2,1", "Red has 7 stones, not 8."),
        ("RRRRRRR/7/7/7/7/7/GGGGGGG g d1 2,1", "The characters are two cells such as d1,d7, not 'd1'."),
        ("RRRRRRR/7/7/7/7/7/GGGGGGG g d1,h7 2,1", "The characters are two cells such as d1,d7, not 'd1,h7'."),
        ("RRRRRRR/7/7/7/7/7/GGGGGGG g -,- 2,1", "The characters are two cells such as d1,d7, not '-,-'."),
        ("RRRRRRR/7/7/7/7/7/GGGGGGG g d2,d7 2,1", "The character of Green is on d2, where they have no stone."),
        ("RRRRRRR/7/7/7/7/7/GGGGGGG g d7,d7 2,1", "The character of Green is on d7, where they have no stone."),
        ("RRRRRRR/7/7/7/7/7/GGGGGGG g d1,a1 2,1", "The character of Red is on a1, where they have no stone."),
        ("RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 0,0", LEFT.format("0,0")),
        ("RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 3,1", LEFT.format("3,1")),
        ("RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2", LEFT.format("2")),
        ("RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 02,1", LEFT.format("02,1")),
    ],
)
def test_a_sensei_string_is_refused_with_the_reason(text: str, sentence: str) -> None:
    """Wrong piece counts, a character off its own piece and the like are refused."""
    assert refusal("sensei", text) == sentence


def out(players: str, text: str) -> str:
    """Returns the refusal of a list of players out."""
    return f"The players out are - or some of {players}, separated by commas, not '{text}'."


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,6 0 -", "The die is - or a number from 1 to 6, not '0'."),
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,6 7 -", "The die is - or a number from 1 to 6, not '7'."),
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,6 - 3", out("1 2", "3")),
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,6 - 2,2", out("1 2", "2,2")),
        ("omba 3", "-,-,-/-,-,-/-,-,- 1 4,4,4 - 2,", out("1 2 3", "2,")),
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,6 - 1", "Player 1 is out and cannot be to move."),
        ("omba 3", "-,-,-/-,-,-/-,-,- 3 4,4,4 - 1,2,3", "Player 3 is out and cannot be to move."),
        ("omba", "-,-,-/-,-,-/-,-,- 1 6,6 3 2", "Only one player is left: the game is over and the die is written -."),
        (
            "omba",
            "-,-,-/112,112,122/1,-,- 1 0,2 3 -",
            "Player 1 has no action for a 3: such a roll puts a player out at once.",
        ),
    ],
)
def test_an_omba_string_is_refused_with_the_reason(name: str, text: str, sentence: str) -> None:
    """The die, the players out and the end of the game are refused where they do not fit."""
    assert refusal(name, text) == sentence


def test_a_position_can_be_played_from_as_an_object_or_as_its_string() -> None:
    """`game.record(position)` takes either; both are the first position of a history."""
    game = GAMES["chefa"]
    text = "WB3/5/B3W/5/B1WBW w 0,0 a3,e3"
    assert game.record(text).position == game.record(game.parse(text)).position
    with pytest.raises(damier.BadPosition):
        game.record("5/5/5/5/5 b 4,4")
