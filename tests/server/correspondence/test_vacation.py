"""The rules of vacations: days, ends, and what they do to clocks. Pure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import damier
from damier.core.errors import BadArgument
from damier.server.correspondence.vacation import (
    ALLOWANCE,
    DAY,
    PERIOD,
    Vacation,
    days_left,
    days_taken,
    due_event,
    ended_vacation,
    new_vacation,
    running_vacation,
)
from damier.server.errors import NotNow
from damier.server.matches.clock import Clocks, Moment
from damier.server.matches.match import PERSON, Event, Match, Seat
from damier.server.store.stored_match import DamagedMatch, replay_events
from tests.server.correspondence.slow_matches import SLOW
from tests.server.timed import ANN, BLITZ, BOB

NOW = 1000 * DAY


def test_a_day_that_has_begun_counts_whole() -> None:
    assert days_taken([Vacation(ANN, NOW, NOW + 1)], NOW) == 1
    assert days_taken([Vacation(ANN, NOW, NOW + DAY)], NOW) == 1
    assert days_taken([Vacation(ANN, NOW, NOW + DAY + 1)], NOW) == 2


def test_days_count_for_a_year() -> None:
    old = Vacation(ANN, NOW, NOW + 10 * DAY)
    assert days_left([old], NOW + 20 * DAY) == ALLOWANCE - 10
    assert days_left([old], NOW + (PERIOD + 3) * DAY) == ALLOWANCE - 7
    assert days_left([old], NOW + (PERIOD + 10) * DAY) == ALLOWANCE


def test_a_vacation_that_is_ended_early_gives_the_other_days_back() -> None:
    begun = new_vacation(ANN, [], 20, NOW)
    assert days_left([begun], NOW) == ALLOWANCE - 20
    ended = ended_vacation([begun], NOW + 3 * DAY)
    assert running_vacation([ended], NOW + 3 * DAY) is None
    assert days_left([ended], NOW + 3 * DAY) == ALLOWANCE - 3


def test_a_second_vacation_is_refused_while_one_runs() -> None:
    begun = new_vacation(ANN, [], 2, NOW)
    with pytest.raises(NotNow, match=r"^You are on vacation: end it before you begin another one.$"):
        new_vacation(ANN, [begun], 2, NOW + DAY)
    assert new_vacation(ANN, [begun], 2, NOW + 2 * DAY).until == NOW + 4 * DAY


def test_a_vacation_is_not_longer_than_the_days_that_are_left() -> None:
    old = Vacation(ANN, NOW - 29 * DAY, NOW)
    for days in (0, -1, 2):
        with pytest.raises(BadArgument, match=r"^A vacation lasts 1 day now: you have 1 day left.$"):
            new_vacation(ANN, [old], days, NOW)
    with pytest.raises(BadArgument, match=r"^A vacation lasts 1 to 30 days now: you have 30 days left.$"):
        new_vacation(ANN, [], 31, NOW)
    with pytest.raises(NotNow, match=r"^You have no vacation day left: within 365 days you have 30.$"):
        new_vacation(ANN, [Vacation(ANN, NOW - 30 * DAY, NOW)], 1, NOW)


def test_who_is_not_on_vacation_cannot_end_one() -> None:
    with pytest.raises(NotNow, match=r"^You are not on vacation.$"):
        ended_vacation([Vacation(ANN, NOW, NOW + DAY)], NOW + DAY)


# Clocks


def running(at: int = 0) -> Clocks:
    """Clocks of two players after their first turns; it is b's turn since a time."""
    clocks = Clocks.new(SLOW, ("b", "w"), 0)
    clocks.run("b", at, 2)
    return clocks


def note(clocks: Clocks, kind: str, player: str, at: int, until: int | None = None) -> None:
    moment = Moment(clocks.running, clocks.turn)
    clocks.note(Event(kind, player, until=until, at=at), moment, moment)


def test_a_clock_stands_still_from_the_beginning_to_the_end_of_a_vacation() -> None:
    clocks = running()
    note(clocks, "vacation", "b", DAY // 2, until=DAY // 2 + 7 * DAY)
    assert clocks.deadline() == 9 * DAY
    assert clocks.left_at(3 * DAY)["b"] == DAY + DAY // 2
    assert clocks.left_at(8 * DAY)["b"] == DAY
    assert clocks.away_at(3 * DAY) == {"b": 4 * DAY + DAY // 2}
    assert clocks.away_at(8 * DAY) == {}


def test_a_vacation_that_is_ended_lets_the_clock_run_again() -> None:
    clocks = running()
    note(clocks, "vacation", "b", 0, until=7 * DAY)
    note(clocks, "return", "b", DAY)
    assert clocks.deadline() == 3 * DAY


def test_the_vacation_of_the_other_player_changes_nothing_now_and_stops_the_clock_later() -> None:
    clocks = running()
    note(clocks, "vacation", "w", DAY, until=5 * DAY)
    assert clocks.deadline() == 2 * DAY
    clocks.note(Event("play", "b", "x", at=DAY), Moment("b", 2), Moment("w", 3))
    assert clocks.deadline() == 7 * DAY


def test_the_time_of_a_first_turn_stands_still_too() -> None:
    clocks = Clocks.new(SLOW, ("b", "w"), 0)
    clocks.run("b", 0, 0)
    note(clocks, "vacation", "b", DAY, until=4 * DAY)
    assert clocks.deadline() == 5 * DAY
    note(clocks, "return", "b", 2 * DAY)
    assert clocks.deadline() == 3 * DAY


@given(
    began=st.integers(0, 2 * DAY),
    lasts=st.integers(1, 30 * DAY),
    ended=st.integers(0, 30 * DAY),
    after=st.integers(0, DAY),
)
def test_what_is_left_is_what_was_not_used_outside_of_the_vacation(
    began: int, lasts: int, ended: int, after: int
) -> None:
    clocks = running()
    note(clocks, "vacation", "b", began, until=began + lasts)
    end = began + min(lasts, ended)
    if end < began + lasts:
        note(clocks, "return", "b", end)
    assert clocks.left_at(end + after)["b"] == max(0, 2 * DAY - began - after)
    assert (clocks.deadline() or 0) >= end


# Matches


def between(control: object = SLOW, origin: str = "") -> Match:
    seats = [Seat("b", PERSON, visitor=ANN), Seat("w", PERSON, visitor=BOB)]
    game = damier.load("chefa")
    players = dict(zip(game.players, seats, strict=True))
    placed = [Seat(player, PERSON, visitor=seat.visitor) for player, seat in players.items()]
    return Match("m", game, placed, bytes(32), ANN, "2026-11-17", control=control, origin=origin)  # type: ignore[arg-type]


def test_a_match_lacks_the_event_of_a_vacation_once() -> None:
    match, vacations = between(), {ANN: Vacation(ANN, 50, 50 + DAY)}
    event = due_event(match, vacations, 60)
    assert event == Event("vacation", match.seats[0].player, until=50 + DAY, at=50)
    match.add(event)
    assert due_event(match, vacations, 60) is None
    ended = {ANN: Vacation(ANN, 50, 70)}
    assert due_event(match, ended, 80) == Event("return", match.seats[0].player, at=70)


def test_a_vacation_that_is_over_by_itself_needs_no_event() -> None:
    match = between()
    assert due_event(match, {ANN: Vacation(ANN, 50, 60)}, 70) is None


def test_vacations_concern_neither_live_matches_nor_tournaments_nor_matches_that_are_over() -> None:
    vacations = {ANN: Vacation(ANN, 50, 50 + DAY)}
    assert due_event(between(BLITZ), vacations, 60) is None
    assert due_event(between(None), vacations, 60) is None
    assert due_event(between(origin="tournament:x:1"), vacations, 60) is None
    over = between()
    over.add(Event("abort", at=10))
    assert due_event(over, vacations, 60) is None


def test_an_offer_stays_when_somebody_goes_on_vacation() -> None:
    match = between()
    player = match.seats[0].player
    match.add(Event("offer", player, what="draw", at=10))
    match.add(Event("vacation", player, until=DAY, at=20))
    assert match.offer is not None
    assert match.asked_players() == [match.seats[1].player]


@pytest.mark.parametrize(
    "data",
    ['{"kind": "vacation", "player": "%s", "at": 5}', '{"kind": "return", "player": "%s", "until": 9, "at": 5}'],
)
def test_a_damaged_vacation_is_noticed(data: str) -> None:
    match = between()
    row = {"match": "m", "seq": 1, "data": data % match.seats[0].player, "request": None, "visitor": None}
    with pytest.raises(DamagedMatch):
        list(replay_events(match, [row]))
