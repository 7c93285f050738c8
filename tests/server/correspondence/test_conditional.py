"""Conditional turns: which lines can be entered, what is due, and what stays after each event. Pure."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.core.errors import BadArgument, DamierError, IllegalAction
from damier.core.record import Record
from damier.server.correspondence.conditional import (
    MOST_ANSWERS,
    MOST_LINES,
    ConditionalTurns,
    Line,
    Turn,
    checked_lines,
    parse_lines,
)
from damier.server.matches.match import Event


def played_turn(record: Record, rng: random.Random) -> Turn:
    """Plays a whole turn at random; returns its actions."""
    actions, number = [], record.turn
    while record.turn == number and not record.result:
        actions.append(rng.choice(record.actions()))
        record.play(actions[-1])
    return tuple(actions)


def drawn_line(record: Record, turns: int, seed: int = 1) -> Line:
    """Returns a random line of some turns."""
    twin, rng = record.copy(), random.Random(seed)
    return tuple(played_turn(twin, rng) for _ in range(turns))


def follow(kept: ConditionalTurns | None, record: Record, event: Event) -> ConditionalTurns | None:
    """Plays the action of an event; returns what stays of conditional turns."""
    before = record.copy()
    record.play(event.action or "")
    return kept and kept.after(before, event, mover=record.mover, is_over=record.result is not None)


def start(game: str) -> tuple[Record, str]:
    """Returns a game at its beginning, and the player who waits."""
    record = damier.load(game).record()
    return record, next(player for player in record.game.players if player != record.mover)


def test_a_line_is_answered_and_the_rest_of_the_matching_ones_stays() -> None:
    record, me = start("sensei")
    line, other = drawn_line(record, 4), drawn_line(record, 2, seed=2)
    assert len(line[0]) > 1
    kept: ConditionalTurns | None = ConditionalTurns(me, 0, checked_lines(record, me, [line, other]))
    for action in line[0]:
        assert kept
        assert kept.due(record) is None
        kept = follow(kept, record, Event("play", record.mover, action))
    assert kept == ConditionalTurns(me, 0, (line,))
    for action in line[1]:
        assert kept
        due = kept.due(record)
        assert due == Event("play", me, action)
        kept = follow(kept, record, due)
    assert kept == ConditionalTurns(me, len(line[0] + line[1]), (line[2:],))
    assert kept.due(record) is None


def test_another_turn_clears_all() -> None:
    record, me = start("chefa")
    line = drawn_line(record, 2)
    other = next(action for action in record.actions() if action != line[0][0])
    kept = ConditionalTurns(me, 0, (line,))
    assert follow(kept, record, Event("play", record.mover, other)) is None


def test_a_wrong_action_within_a_turn_can_still_be_taken_back() -> None:
    record, me = start("sensei")
    line = drawn_line(record, 2)
    other = next(action for action in record.actions() if action != line[0][0])
    kept = ConditionalTurns(me, 0, (line,))
    assert follow(kept, record, Event("play", record.mover, other)) == kept
    assert kept.after(record, Event("undo", record.mover, to=0), mover=record.mover, is_over=False) == kept


def test_a_take_back_to_before_the_lines_clears_all_and_so_does_the_end() -> None:
    record, me = start("chefa")
    mover = record.mover
    played_turn(record, random.Random(3))
    played_turn(record, random.Random(3))
    kept = ConditionalTurns(me, 2, (drawn_line(record, 2),))
    assert kept.after(record, Event("undo", mover, to=1), mover=me, is_over=False) is None
    assert kept.after(record, Event("resign", mover), mover=None, is_over=True) is None
    assert kept.after(record, Event("offer", mover, what="draw"), mover=mover, is_over=False) == kept


def test_an_own_action_that_is_not_the_answer_clears_all() -> None:
    record, me = start("chefa")
    line = drawn_line(record, 4)
    kept = follow(ConditionalTurns(me, 0, (line,)), record, Event("play", record.mover, line[0][0]))
    other = next(action for action in record.actions() if action != line[1][0])
    assert follow(kept, record, Event("play", me, other)) is None


def test_lines_that_others_contain_are_left_out() -> None:
    record, me = start("chefa")
    line = drawn_line(record, 6)
    assert checked_lines(record, me, [line[:2], line, line, line[:4]]) == (line,)
    assert parse_lines(ConditionalTurns(me, 0, (line,)).text()) == (line,)
    assert checked_lines(record, me, []) == ()


def test_a_line_must_be_legal() -> None:
    record, me = start("chefa")
    line = drawn_line(record, 2)
    with pytest.raises(IllegalAction):
        checked_lines(record, me, [(line[0], line[0])])
    with pytest.raises(DamierError):
        checked_lines(record, me, [(("nonsense",), line[1])])


@pytest.mark.parametrize(
    ("turns", "sentence"),
    [
        (lambda line: line[:1], "A line ends with your own turn: play your answer, too."),
        (lambda line: line[:0], "A line ends with your own turn: play your answer, too."),
        (lambda line: (line[0][:1], line[1]), "The turn {first} of a line is not complete: play it to its end."),
        (lambda line: ((), line[1]), "The turn '' of a line is not complete: play it to its end."),
        (
            lambda line: (line[0] + line[1], line[2]),
            "In a line the two players have one whole turn each, one after the other.",
        ),
        (lambda line: line * 9, f"A line can have {MOST_ANSWERS} answers at most."),
    ],
)
def test_a_line_has_whole_turns_and_ends_with_an_answer(turns: object, sentence: str) -> None:
    record, me = start("sensei")
    line = drawn_line(record, 4)
    with pytest.raises(BadArgument) as refusal:
        checked_lines(record, me, [turns(line)])  # type: ignore[operator]
    shown = f"'{line[0][0]}'"
    assert refusal.value.sentence("en") == sentence.replace("{first}", shown)


def test_one_turn_has_one_answer() -> None:
    record, me = start("chefa")
    line = drawn_line(record, 2)
    twin = record.copy()
    twin.play(line[0][0])
    other = next(action for action in twin.actions() if action != line[1][0])
    with pytest.raises(BadArgument) as refusal:
        checked_lines(record, me, [line, (line[0], (other,))])
    assert refusal.value.sentence("en") == f"You have two answers to '{line[0][0]}': remove one of them."


def test_the_number_of_lines_is_limited() -> None:
    record, me = start("chefa")
    lines = [drawn_line(record, 2, seed) for seed in range(MOST_LINES + 1)]
    with pytest.raises(BadArgument, match=rf"^You can have {MOST_LINES} lines at most.$"):
        checked_lines(record, me, lines)


def test_a_line_ends_with_the_game() -> None:
    record, rng = damier.load("renfa").record(), random.Random(1)
    turns = []
    while not record.result:
        turns.append(played_turn(record, rng))
    back = damier.load("renfa").record()
    for turn in turns[:-2]:
        for action in turn:
            back.play(action)
    me = next(player for player in back.game.players if player != back.mover)
    line = (turns[-2], turns[-1])
    assert checked_lines(back, me, [line]) == (line,)
    with pytest.raises(BadArgument, match=r"^The game is over before the end of this line.$"):
        checked_lines(back, me, [(*line, *line)])


def test_a_turn_in_which_the_other_player_answers_is_refused() -> None:
    """Finds such a turn in random games, and a line through it."""
    for seed in range(200):
        record, rng = damier.load("badia").record(), random.Random(seed)
        while not record.result:
            me = next(player for player in record.game.players if player != record.mover)
            line = drawn_line(record, 2, seed=rng.randrange(1000))
            twin = record.copy()
            twin.play(line[0][0])
            if twin.mover == me and twin.turn == record.turn and not twin.result:
                with pytest.raises(BadArgument, match=r"^In a line the two players have one whole turn each"):
                    checked_lines(record, me, [line])
                return
            played_turn(record, rng)
    raise AssertionError("no such turn was found")


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), game=st.sampled_from(["chefa", "sensei"]), wrong=st.integers(0, MOST_ANSWERS))
def test_answers_are_played_in_order_and_once_however_often_one_asks(seed: int, game: str, wrong: int) -> None:
    record, me = start(game)
    lines = [drawn_line(record, 2 * MOST_ANSWERS, seed + place) for place in range(3)]
    try:
        kept: ConditionalTurns | None = ConditionalTurns(me, 0, checked_lines(record, me, lines))
    except BadArgument:  # two answers, or the game ends earlier
        return
    line = lines[seed % 3]
    for place in range(0, len(line), 2):
        turn = drawn_line(record, 1, seed + wrong)[0] if place == 2 * wrong else line[place]
        known = {each[0] for each in kept.lines} if kept else set()
        for action in turn:
            assert kept
            assert kept.due(record) is None
            kept = follow(kept, record, Event("play", record.mover, action))
        if turn != line[place]:
            assert (kept is None) == (turn not in known)
            return
        answered = []
        while kept and (due := kept.due(record)):
            assert due == kept.due(record.copy())
            kept = follow(kept, record, due)
            answered.append(due.action)
        assert tuple(answered) == line[place + 1]
    assert kept is None
