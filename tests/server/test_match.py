"""Matches as bookkeeping: who may do what, what follows from it, and rolls that can be checked."""

import hashlib
import hmac
import random
from collections import Counter

import pytest

import damier
from damier.core.errors import DamierError, IllegalAction
from damier.server.errors import NotAllowed, NotNow
from damier.server.matches import dice
from damier.server.matches.match import COMPUTER, OPEN, PERSON, Event, Match, Seat

ANN, BOB, EVE = "ann", "bob", "eve"


def match_of(name: str, *seats: str | int, **options: object) -> Match:
    """Returns a match; a seat is a visitor's name, a level, or '' for an open one."""
    game = damier.load(name, **options)
    placed = []
    for player, given in zip(game.players, seats, strict=True):
        if isinstance(given, int):
            placed.append(Seat(player, COMPUTER, level=given))
        elif given:
            placed.append(Seat(player, PERSON, visitor=given))
        else:
            placed.append(Seat(player, OPEN, invitation="come"))
    return Match("number", game, placed, b"s" * 32, ANN, "2026-11-16T00:00:00Z")


def do(match: Match, visitor: str, what: str, **given: object) -> Event:
    event = match.decide(visitor, what, **given)  # type: ignore[arg-type]  # of any kind
    match.add(event)
    return event


def play(match: Match, visitor: str, *actions: str) -> None:
    for action in actions:
        do(match, visitor, "play", action=action)


def sit(match: Match, visitor: str, invitation: str) -> None:
    taken = match.take_seat(visitor, invitation)
    assert taken
    event, match.seats = taken
    match.add(event)


# Acting


def test_only_who_has_the_seat_of_the_player_on_move_plays() -> None:
    match = match_of("chefa", ANN, BOB)
    with pytest.raises(NotAllowed, match="not your turn"):
        match.decide(BOB, "play", action="a1")
    with pytest.raises(NotAllowed, match="watching"):
        match.decide("eve", "play", action="a1")
    with pytest.raises(NotAllowed, match="watching"):
        match.decide("", "resign")
    play(match, ANN, "a1")
    with pytest.raises(IllegalAction, match="a1"):
        match.decide(BOB, "play", action="a1")
    assert match.seq == 1
    assert match.record.played == ("a1",)


def test_deciding_changes_nothing() -> None:
    match = match_of("chefa", ANN, BOB)
    match.allows_help = True
    play(match, ANN, "a1")
    for visitor, what in ((BOB, "play"), (ANN, "undo"), (BOB, "resign"), (ANN, "offer_draw")):
        before = str(match.record.position), match.seq, match.offer
        match.decide(visitor, what, action="b2")
        assert (str(match.record.position), match.seq, match.offer) == before


def test_the_same_events_give_the_same_match() -> None:
    rng = random.Random(1)
    for name in damier.games():
        match = match_of(name, *[ANN] * len(damier.load(name).players))
        for _ in range(60):
            if match.record.result:
                break
            if roll := match.due_roll():
                match.add(roll)
            elif rng.random() < 0.2 and match.actors.count("chance") < len(match.actors):
                do(match, ANN, "undo")
            else:
                play(match, ANN, rng.choice(match.record.actions()))
        again = Match(match.number, match.game, match.seats, match.seed, ANN, match.created)
        for event in match.events:
            again.add(event)
        assert (again.record.played, again.actors, again.turns) == (match.record.played, match.actors, match.turns)
        assert str(again.record.position) == str(match.record.position)


def test_an_unknown_request_is_refused() -> None:
    with pytest.raises(NotNow, match="dance"):
        match_of("chefa", ANN, BOB).decide(ANN, "dance")


# Taking back


def test_against_the_computer_one_takes_back_at_once_to_the_own_last_action() -> None:
    match = match_of("chefa", ANN, 3)
    with pytest.raises(NotNow, match="no action"):
        match.decide(ANN, "undo")
    play(match, ANN, "a1")
    match.add(Event("play", "w", "e5"))
    assert do(match, ANN, "undo") == Event("undo", "b", to=0)
    assert (match.record.played, match.actors, match.turns) == ((), [], [])


def test_a_friend_is_asked_before_an_action_is_taken_back() -> None:
    match = match_of("chefa", ANN, BOB)
    match.allows_help = True
    play(match, ANN, "a1")
    assert do(match, ANN, "undo") == Event("offer", "b", to=0, what="undo")
    with pytest.raises(NotNow, match="no offer to answer"):
        match.decide(ANN, "answer", yes=True)
    do(match, BOB, "answer", yes=False)
    assert match.offer is None
    do(match, ANN, "undo")
    do(match, BOB, "answer", yes=True)
    assert match.record.played == ()
    with pytest.raises(NotNow, match="no offer to answer"):
        match.decide(BOB, "answer", yes=True)


def test_an_offer_is_gone_after_the_next_action() -> None:
    match = match_of("chefa", ANN, BOB)
    play(match, ANN, "a1")
    do(match, ANN, "offer_draw")
    play(match, BOB, "b2")
    assert match.offer is None


def test_nothing_is_taken_back_once_the_seed_of_the_rolls_is_known() -> None:
    match = match_of("omba", ANN, ANN)
    roll = match.due_roll()
    assert roll
    match.add(roll)
    play(match, ANN, match.record.actions()[0])
    assert match.can_undo(ANN)
    do(match, ANN, "resign")
    assert not match.can_undo(ANN)
    with pytest.raises(NotNow, match="the seed of its rolls is known"):
        match.decide(ANN, "undo")


def test_actions_of_a_turn_are_taken_back_without_asking_until_it_ends() -> None:
    match = match_of("sensei", ANN, BOB)
    first, *_ = (text for text in match.record.actions() if "-" in text)
    play(match, ANN, first)
    assert match.record.mover == match.game.players[0]
    assert do(match, ANN, "undo").kind == "undo"
    play(match, ANN, first, "end")
    with pytest.raises(NotNow, match="Take-backs are off in this match"):
        match.decide(ANN, "undo")
    assert not match.can_undo(ANN)
    match.allows_help = True
    assert do(match, ANN, "undo").kind == "offer"


# Help


@pytest.mark.parametrize(
    ("seats", "allows", "has"),
    [
        ((ANN, BOB), False, False),
        ((ANN, BOB), True, True),
        ((ANN, ""), False, False),
        ((ANN, ""), True, True),
        ((ANN, 3), False, True),
        ((ANN, ANN), False, True),
    ],
)
def test_help_between_persons_is_agreed_at_the_start(seats: tuple[str | int, ...], allows: bool, has: bool) -> None:
    match = match_of("chefa", *seats)
    match.allows_help = allows
    assert match.has_help is has
    play(match, ANN, "a1")
    assert match.can_undo(ANN) is has
    if has:
        match.refuse_help()
    else:
        with pytest.raises(NotAllowed, match="Hints and values are off in this match until the game is over"):
            match.refuse_help()
    assert match.following("next", b"", "").allows_help is allows
    match.add(Event("draw"))
    match.refuse_help()


# Ends


def test_who_gives_up_has_lost() -> None:
    match = match_of("chefa", ANN, BOB)
    do(match, BOB, "resign")
    result = match.record.result
    assert result
    assert (result.winner, result.reason) == ("b", "resignation")
    for what in ("resign", "offer_draw", "undo"):
        with pytest.raises(DamierError):
            match.decide(ANN, what)
    with pytest.raises(IllegalAction, match="over"):
        match.decide(ANN, "play", action="a1")


def test_a_draw_needs_both() -> None:
    match = match_of("chefa", ANN, BOB)
    do(match, ANN, "offer_draw")
    assert match.offer == Event("offer", "b", what="draw")
    do(match, BOB, "answer", yes=True)
    result = match.record.result
    assert result
    assert (result.winner, result.reason) == (None, "agreement")


def test_two_at_one_board_agree_at_once_and_the_computer_plays_on() -> None:
    match = match_of("chefa", ANN, ANN)
    assert do(match, ANN, "offer_draw") == Event("draw")
    with pytest.raises(NotNow, match="computer does not accept draws"):
        match_of("chefa", ANN, 1).decide(ANN, "offer_draw")


def test_one_of_four_who_gives_up_is_out_and_the_others_play_on() -> None:
    match = match_of("omba", ANN, BOB, 1, 2, players=4)
    assert do(match, ANN, "resign") == Event("resign", "1")
    assert match.record.played[-1] == "out:1"
    assert match.record.result is None
    with pytest.raises(NotNow, match="You are out of this game: the others play on"):
        match.decide(ANN, "resign")


def test_a_draw_of_several_needs_all_persons() -> None:
    match = match_of("omba", ANN, BOB, EVE, players=3)
    do(match, ANN, "offer_draw")
    assert match.asked_players() == ["2", "3"]
    assert do(match, EVE, "answer", yes=True) == Event("accept", "3", what="draw")
    assert match.record.result is None
    assert match.asked_players() == ["2"]
    assert do(match, BOB, "answer", yes=True) == Event("draw")
    assert match.record.result


# Rematches


def over(*seats: str | int, name: str = "chefa", **options: object) -> Match:
    """Returns a match whose game is over."""
    match = match_of(name, *seats, **options)
    match.add(Event("draw"))
    return match


def test_a_rematch_begins_when_the_other_person_accepts() -> None:
    match = match_of("chefa", ANN, BOB)
    with pytest.raises(NotNow, match="not over yet"):
        match.decide(ANN, "rematch")
    match = over(ANN, BOB)
    with pytest.raises(NotAllowed, match="watching"):
        match.decide(EVE, "rematch")
    assert do(match, ANN, "rematch") == Event("offer", "b", what="rematch")
    with pytest.raises(NotNow, match="You have offered a rematch already: wait for an answer"):
        match.decide(ANN, "rematch")
    with pytest.raises(NotNow, match="no offer to answer"):
        match.decide(ANN, "answer", yes=True)
    assert match.decide(BOB, "answer", yes=True) == Event("rematch", "w")
    match.add(Event("rematch", "w", number="next"))
    assert (match.offer, match.rematch) == (None, "next")
    with pytest.raises(NotNow, match="has begun already"):
        match.decide(ANN, "rematch")


def test_the_seats_of_a_rematch_move_on_by_one() -> None:
    match = over(ANN, BOB, 5, name="omba", players=3)
    after = match.following("next", b"t" * 32, "2026-11-17T00:00:00Z")
    assert [(seat.player, seat.visitor, seat.level) for seat in after.seats] == [
        ("1", BOB, None),
        ("2", None, 5),
        ("3", ANN, None),
    ]
    assert (after.number, after.seed, after.creator, after.game) == ("next", b"t" * 32, ANN, match.game)
    assert after.events == []


def test_an_offer_can_be_declined_and_withdrawn_and_made_again() -> None:
    match = over(ANN, BOB)
    do(match, ANN, "rematch")
    assert do(match, BOB, "answer", yes=False) == Event("decline", "w", what="rematch")
    assert match.offer is None
    do(match, BOB, "rematch")
    with pytest.raises(NotNow, match="no offer that you could withdraw"):
        match.decide(ANN, "withdraw")
    assert do(match, BOB, "withdraw") == Event("withdraw", "w", what="rematch")
    assert match.offer is None
    with pytest.raises(NotNow, match="no offer to answer"):
        match.decide(ANN, "answer", yes=True)
    with pytest.raises(NotNow, match="no offer that you could withdraw"):
        match.decide(BOB, "withdraw")
    assert do(match, ANN, "rematch").kind == "offer"


def test_two_who_offer_a_rematch_at_once_agree() -> None:
    match = over(ANN, BOB)
    do(match, ANN, "rematch")
    assert match.decide(BOB, "rematch") == Event("rematch", "w")


@pytest.mark.parametrize("seats", [(ANN, 3), (ANN, ANN), (ANN, "")])
def test_a_rematch_begins_at_once_where_no_other_person_plays(seats: tuple[str | int, ...]) -> None:
    assert over(*seats).decide(ANN, "rematch") == Event("rematch", "b")


def test_a_rematch_of_several_needs_all_persons() -> None:
    match = over(ANN, BOB, 2, EVE, name="omba", players=4)
    do(match, BOB, "rematch")
    assert match.asked_players() == ["1", "4"]
    assert do(match, ANN, "answer", yes=True) == Event("accept", "1", what="rematch")
    assert match.asked_players() == ["4"]
    with pytest.raises(NotNow, match="no offer to answer"):
        match.decide(ANN, "answer", yes=True)
    assert match.decide(EVE, "answer", yes=True) == Event("rematch", "4")
    do(match, EVE, "answer", yes=False)
    assert (match.offer, match.agreed) == (None, [])


def test_who_takes_a_seat_is_asked_too() -> None:
    match = over(ANN, BOB, "", name="omba", players=3)
    do(match, ANN, "rematch")
    sit(match, EVE, "come")
    assert match.asked_players() == ["2", "3"]
    assert do(match, BOB, "answer", yes=True).kind == "accept"
    assert match.decide(EVE, "answer", yes=True).kind == "rematch"


def test_a_game_that_goes_on_after_its_rematch_began_may_have_another() -> None:
    match = match_of("chefa", ANN, ANN)
    play(match, ANN, "a1")
    do(match, ANN, "resign")
    match.add(Event("rematch", "b", number="next"))
    do(match, ANN, "undo")
    assert (match.record.result, match.rematch) == (None, None)


# Seats


def test_an_invitation_gives_one_seat_to_one_visitor() -> None:
    match = match_of("chefa", ANN, "")
    with pytest.raises(NotAllowed, match="does not belong to this match"):
        match.take_seat(BOB, "go")
    taken = match.take_seat(BOB, "come")
    assert match.players_of(BOB) == []  # not before it is stored
    assert taken == (Event("seat", "w"), [match.seats[0], Seat("w", "person", visitor=BOB, invitation="come")])
    sit(match, BOB, "come")
    assert match.players_of(BOB) == ["w"]
    assert match.take_seat(BOB, "come") is None
    with pytest.raises(NotAllowed, match="Another player"):
        match.take_seat("eve", "come")


# Dice


def test_rolls_are_those_of_the_documentation() -> None:
    seed = bytes(range(32))
    assert dice.seed_hash(seed) == hashlib.sha256(seed).hexdigest()
    for count in range(200):
        digest = hmac.new(seed, f"n:{count}".encode(), hashlib.sha256).digest()
        expected = next(byte for byte in digest if byte < 252) % 6 + 1
        assert dice.roll(seed, "n", count) == expected
    counts = Counter(dice.roll(seed, "n", count) for count in range(6000))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert min(counts.values()) > 850


def test_what_is_taken_back_comes_with_the_same_roll_again() -> None:
    match = match_of("omba", ANN, ANN)
    first = match.due_roll()
    assert first
    match.add(first)
    assert match.due_roll() is None
    play(match, ANN, match.record.actions()[0])
    second = match.due_roll()
    assert second
    match.add(second)
    do(match, ANN, "undo")
    assert match.record.played == (first.action,)
    play(match, ANN, match.record.actions()[-1])
    assert match.due_roll() == second
    assert match_of("chefa", ANN, BOB).due_roll() is None


def test_the_computer_is_due_when_it_is_on_move() -> None:
    match = match_of("chefa", 4, ANN)
    assert match.due_level() == 4
    match.add(Event("play", "b", "a1"))
    assert match.due_level() is None
