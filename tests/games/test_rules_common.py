"""The section "Common" of the rules: what all games share, one test per sentence."""

import pytest

import damier

#: A quiet position of each game with a repetition rule, and a cycle of turns that leads back to it.
CYCLES = {
    "renfa": ("B4/5/5/5/BW2W b 0,0", "a5-b5 e1-e2 b5-a5 e2-e1"),
    "chefa": ("B1W1B/5/5/5/WBWBW b 0,0 -", "a5-a4 c5-c4 a4-a5 c4-c5"),
    "sensei": ("RRRRRRR/7/7/7/7/7/GGGGGGG g d1,d7 2,1", "a1-a2 end a7-a6 end a2-a1 end a6-a7 end"),
}


def refusal(record: damier.Record, action: str) -> str:
    """Plays an action that must be refused, sees that nothing changed, and returns the sentence."""
    before = (str(record.position), record.played, record.turn, record.actions(), record.result)
    with pytest.raises(damier.IllegalAction) as caught:
        record.play(action)
    assert (str(record.position), record.played, record.turn, record.actions(), record.result) == before
    return str(caught.value)


def ended(game: damier.Record | damier.Position) -> damier.Result:
    """Returns how a game has ended; it must have."""
    result = game.result
    assert result is not None
    return result


def play_all(record: damier.Record, actions: str) -> None:
    """Plays actions separated by spaces."""
    for action in actions.split():
        record.play(action)


# Cells and players


def test_columns_are_letters_from_the_left_and_rows_numbers_from_the_bottom() -> None:
    """Cells: column letter from a at the left, row number from 1 at the bottom."""
    game = damier.load("renfa")
    assert str(game.start.play("a1")) == "5/5/5/5/B4 w 5,6"
    assert str(game.start.play("e1")) == "5/5/5/5/4B w 5,6"
    assert str(game.start.play("a5")) == "B4/5/5/5/5 w 5,6"
    assert str(game.start.play("b4")) == "5/1B3/5/5/5 w 5,6"


@pytest.mark.parametrize(
    ("name", "players"),
    [("renfa", "bw"), ("chefa", "bw"), ("badia", "bw"), ("sensei", "gr"), ("omba", "12")],
)
def test_players_act_in_the_order_of_their_letters(name: str, players: str) -> None:
    """Players: Black starts, then White; Green, then Red; Omba's players 1 to 4 in that order."""
    game = damier.load(name)
    assert game.players == tuple(players)
    assert str(game.start).split(" ")[1] == players[0]


def test_green_has_row_1() -> None:
    """Sensei: Green g (row 1) starts."""
    record = damier.load("sensei").record()
    assert record.mover == "g"
    assert str(record.position).split(" ")[0].endswith("/GGGGGGG")


@pytest.mark.parametrize("name", ["renfa", "chefa", "badia"])
def test_black_and_white_alternate(name: str) -> None:
    """Black b starts, then White w."""
    record = damier.load(name).record()
    movers = []
    for cell in ["a1", "e1", "a5", "e5"]:
        movers.append(record.mover)
        record.play(cell)
    assert movers == ["b", "w", "b", "w"]


# Actions


def test_a_sensei_turn_is_several_actions_of_the_same_player() -> None:
    """Action: a Sensei turn is several actions and the same player stays on move."""
    record = damier.load("sensei").record()
    record.play("a1-a2")
    assert (record.mover, record.turn) == ("g", 0)
    record.play("end")
    assert (record.mover, record.turn) == ("r", 1)


def test_the_die_is_a_chance_action() -> None:
    """Action: the die is a chance action."""
    record = damier.load("omba").record()
    assert record.mover == "chance"
    record.play("roll:1")
    assert (record.mover, record.played) == ("1", ("roll:1",))


def test_a_refused_action_changes_nothing() -> None:
    """A refused action leaves the record as it was; the checks are in `refusal`."""
    record = damier.load("chefa").record()
    record.play("a1")
    assert refusal(record, "a1") == "There is already a pawn on a1."
    assert record.played == ("a1",)


def test_a_turn_is_played_as_a_whole_or_not_at_all() -> None:
    """A refused action changes nothing, also as part of a turn written with +."""
    record = damier.load("sensei").record()
    with pytest.raises(damier.IllegalAction, match=r"^The stone on d1 carries its character and cannot move\.$"):
        record.play_turn("a1-a2+d1-d2+end")
    assert (record.played, record.position) == ((), record.start)


# The win test


def test_a_placement_can_win() -> None:
    """Win test: after every action, placements included."""
    record = damier.load("chefa").record("5/5/5/WWW2/BBB2 b 1,1 -")
    record.play("e1")
    assert ended(record).sentence() == "Black wins: four pawns in a line."


def test_an_action_that_completes_both_goals_wins_for_the_one_who_acted() -> None:
    """Win test: if an action completes both players' goals, the one who acted wins."""
    game = damier.load("chefa")
    black = game.record("WW1WB/5/5/5/BB1BW b 0,0 -")
    black.play("e5=e1")
    assert str(black.position) == "WW1WW/5/5/5/BB1BB w 0,0 e1,e5"
    assert (ended(black).winner, ended(black).reason) == ("b", "line")
    white = game.record("WW1WB/5/5/5/BB1BW w 0,0 -")
    white.play("e1=e5")
    assert (ended(white).winner, ended(white).reason) == ("w", "line")


def test_an_action_that_completes_only_the_other_goal_wins_for_the_other() -> None:
    """Win test: if it completes only the other's, the other wins."""
    record = damier.load("chefa").record("WW1WB/5/5/1B3/B2BW b 0,0 -")
    record.play("e5=e1")
    assert ended(record).sentence() == "White wins: four pawns in a line."


def test_a_player_without_an_action_loses() -> None:
    """No legal action on one's turn: that player loses."""
    record = damier.load("sensei").record("7/7/7/R6/GR5/GGR2RR/GGGR1RG g g1,a4 2,1")
    assert record.actions() == []
    assert (ended(record).winner, ended(record).reason) == ("r", "no-action")
    assert ended(record).sentence() == "Red wins: the opponent has no action left."
    with pytest.raises(
        damier.IllegalAction, match=r"^The game is over[.] Red wins: the opponent has no action left\.$"
    ):
        record.play("a1-a2")


def test_the_other_player_of_that_position_has_actions() -> None:
    """No legal action on one's turn: it matters whose turn it is."""
    record = damier.load("sensei").record("7/7/7/R6/GR5/GGR2RR/GGGR1RG r g1,a4 2,1")
    assert record.result is None
    assert "f1-e1" in record.actions()


# Repetition


@pytest.mark.parametrize("name", CYCLES)
def test_the_third_time_at_the_end_of_a_turn_is_a_draw(name: str) -> None:
    """Repetition: the same position string for the third time at the end of a turn draws the game."""
    position, cycle = CYCLES[name]
    record = damier.load(name).record(position)
    play_all(record, cycle)
    assert (str(record.position), record.result) == (position, None)
    play_all(record, cycle)
    assert str(record.position) == position
    assert (ended(record).winner, ended(record).reason) == (None, "repetition")
    assert ended(record).sentence() == "A draw: the same position for the third time."
    assert record.actions() == []
    sentence = refusal(record, cycle.split(" ")[0])
    assert sentence == "The game is over. A draw: the same position for the third time."


@pytest.mark.parametrize("name", CYCLES)
def test_taking_back_a_repetition_restores_everything(name: str) -> None:
    """Repetition belongs to the game: after taking back, the same action draws again and another does not."""
    position, cycle = CYCLES[name]
    record = damier.load(name).record(position)
    play_all(record, f"{cycle} {cycle}")
    last = record.played[-1]
    record.undo()
    assert record.result is None
    assert last in record.actions()
    assert record.turn == len(cycle.replace("end", "").split()) * 2 - 1
    record.play(last)
    assert ended(record)
    for _ in record.played:
        record.undo()
    assert (record.position, record.turn, record.result) == (record.start, 0, None)
    play_all(record, cycle)
    assert record.result is None, "taking back has left no trace in the count"


def test_strings_in_the_middle_of_a_sensei_turn_do_not_count() -> None:
    """Repetition: strings in the middle of a Sensei turn do not count."""
    record = damier.load("sensei").record()
    middle = "RRRRRRR/7/7/7/7/G6/1GGGGGG g d1,d7 1,1"
    play_all(record, "a1-a2")
    assert str(record.position) == middle
    play_all(record, "a2-a3 end a7-a6 end b1-b2 b2-b1 end a6-a7 end a3-a2")
    assert str(record.position) == middle
    play_all(record, "a2-b2 end a7-a6 end c1-c2 c2-c1 end a6-a7 end b2-a2")
    assert str(record.position) == middle
    assert record.result is None
    assert "end" in record.actions()


def test_repetition_is_no_end_in_omba() -> None:
    """Repetition: Omba has no rule; players who helped each other could go on for ever."""
    record = damier.load("omba").record("-,-,2/-,-,-/1,-,- 1 5,5 - -")
    cycle = "roll:1 a1-a2 roll:1 c3-c2 roll:1 a2-a1 roll:1 c2-c3"
    for _ in range(4):
        play_all(record, cycle)
        assert (record.position, record.result) == (record.start, None)
    record.agree_draw()
    assert ended(record).sentence() == "A draw: agreed by the players."


def test_a_position_has_no_history() -> None:
    """A position string has no history: the position of a drawn record goes on by itself."""
    position, cycle = CYCLES["renfa"]
    record = damier.load("renfa").record(position)
    play_all(record, f"{cycle} {cycle}")
    assert ended(record)
    assert record.position.result is None
    assert record.game.record(record.position).actions() == record.position.actions() != []


def test_perft_treats_its_position_as_the_first_of_its_history() -> None:
    """perft started from a position treats it as the first of its history."""
    position, cycle = CYCLES["chefa"]
    record = damier.load("chefa").record(position)
    play_all(record, f"{cycle} {cycle}")
    assert record.actions() == []
    assert record.game.perft(record.position, 1) == len(record.position.actions())
    assert record.game.perft(position, 1) == len(record.position.actions())


# Acts of a match


def test_resigning_is_no_action() -> None:
    """Resigning and agreeing are acts of a match: no notation in a position or an action list."""
    record = damier.load("chefa").record()
    record.play("a1")
    record.resign("w")
    assert (record.played, str(record.position)) == (("a1",), "5/5/5/5/B4 w 3,4 -")
    assert record.position.result is None
    assert (ended(record).winner, ended(record).reason) == ("b", "resignation")
    assert ended(record).sentence() == "Black wins: the opponent has resigned."
    assert record.actions() == []
    assert refusal(record, "b1") == "The game is over. Black wins: the opponent has resigned."
    record.undo()
    assert (record.result, record.played) == (None, ("a1",))


def test_agreeing_to_a_draw_is_no_action() -> None:
    """Draws also come by agreement."""
    record = damier.load("badia").record()
    record.agree_draw()
    assert record.played == ()
    assert (ended(record).winner, ended(record).text) == (None, "draw")
    assert ended(record).sentence() == "A draw: agreed by the players."
    with pytest.raises(damier.IllegalAction, match=r"^The game is over[.] A draw: agreed by the players\.$"):
        record.resign("b")


def test_time_is_an_act_of_a_match_too() -> None:
    """Acts of a match have no notation, only the record's result."""
    record = damier.load("sensei").record()
    record.lose_on_time("g")
    assert (ended(record).winner, ended(record).reason, record.played) == ("r", "time", ())
    assert ended(record).sentence() == "Red wins: the opponent's time has run out."
    record.undo()
    assert record.result is None


def test_only_a_player_can_resign() -> None:
    """Resigning is an act of a player."""
    record = damier.load("renfa").record()
    with pytest.raises(damier.BadArgument, match=r"^The player is one of b, w, not 'g'\.$"):
        record.resign("g")
    assert record.result is None


@pytest.mark.parametrize(
    ("winner", "reason"), [(None, "agreement"), (None, "limit"), ("b", "resignation"), ("w", "time")]
)
def test_an_act_is_given_as_a_result(winner: str | None, reason: str) -> None:
    """Resigning and agreeing appear only in the record's result."""
    record = damier.load("renfa").record()
    record.end_by_act(winner, reason)
    assert (ended(record).winner, ended(record).reason) == (winner, reason)


@pytest.mark.parametrize(
    ("winner", "reason"), [("b", "agreement"), ("b", "limit"), (None, "time"), ("g", "time"), ("b", "bombs")]
)
def test_a_result_that_is_no_act_is_refused(winner: str | None, reason: str) -> None:
    """An act is a resignation, lost time or an agreed draw; what the rules decide is none."""
    record = damier.load("renfa").record()
    with pytest.raises(damier.BadArgument) as caught:
        record.end_by_act(winner, reason)
    assert str(caught.value).startswith(
        "A game ends by an act with a winner and one of resignation, time, abandonment, or as a "
    )
    assert record.result is None


def test_nothing_is_taken_back_before_the_first_action() -> None:
    """A record has nothing to take back at its start."""
    with pytest.raises(damier.IllegalAction, match=r"^There is no action to take back\.$"):
        damier.load("renfa").record().undo()


# Strings that show a decided game


@pytest.mark.parametrize(("side", "winner"), [("b", "w"), ("w", "b")])
def test_a_decided_string_is_judged_with_the_player_not_on_move_as_the_one_who_acted(side: str, winner: str) -> None:
    """A string that already shows a decided game: the player not on move is taken as the one who acted."""
    position = damier.load("chefa").parse(f"WWWW1/5/5/5/BBBB1 {side} 0,0 -")
    assert ended(position).winner == winner
    assert position.actions() == []


@pytest.mark.parametrize("side", ["b", "w"])
def test_a_decided_string_is_judged_by_what_it_shows(side: str) -> None:
    """A string that already shows a decided game is judged by what it shows."""
    position = damier.load("chefa").parse(f"WWW2/5/5/W4/BBBB1 {side} 0,0 -")
    assert ended(position).winner == "b"


@pytest.mark.parametrize(
    ("name", "position", "action", "sentence"),
    [
        ("renfa", "5/5/5/WW3/B4 b 0,0", "a1-b1", "White wins: the opponent has too few bombs left."),
        ("chefa", "WWW2/5/5/W4/BBBB1 w 0,0 -", "a2-b2", "Black wins: four pawns in a line."),
        (
            "badia",
            "W1W1W/1...1/W.1.W/1...1/BBBBB w 0,0 e1,- -",
            "a3-a4",
            "Black wins: five pawns in a block with one arrow.",
        ),
        (
            "sensei",
            "GRRRRRR/6R/7/7/7/7/1GGGGGG r a7,d7 2,1",
            "b7-b6",
            "Green wins: the character has reached the far row.",
        ),
        ("omba", "-,-,-/-,-,-/-,-,- 2 6,6 - 1", "roll:3", "Player 2 wins: the last player left."),
    ],
)
def test_a_finished_game_takes_no_action(name: str, position: str, action: str, sentence: str) -> None:
    """The game is over: nothing can be played, and the sentence says how it ended."""
    record = damier.load(name).record(position)
    assert ended(record).sentence() == sentence
    assert record.actions() == []
    assert refusal(record, action) == f"The game is over. {sentence}"
    assert record.game.perft(position, 1) == 0
    with pytest.raises(damier.IllegalAction, match=r"^The game is over[.] "):
        record.position.play(action)
