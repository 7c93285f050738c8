"""Clocks by themselves: controls, charging, increments, delays, caps, lag."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damier.core.errors import BadArgument
from damier.server.matches.clock import (
    CORRESPONDENCE_PRESETS,
    DAY,
    DELAY_PRESETS,
    LIVE_PRESETS,
    Clocks,
    Moment,
    TimeControl,
    check_clock,
    parse_control,
)
from damier.server.matches.match import Event

BLITZ = TimeControl("live", 180, 2)
DAYS = TimeControl("correspondence", 2 * DAY, DAY, cap=4 * DAY)


def running(control: TimeControl, *, turn: int = 2) -> Clocks:
    """Returns the clocks of two players, Black's running since time 0."""
    clocks = Clocks.new(control, ("b", "w"), waiting=0)
    clocks.run("b", 0, turn)
    return clocks


def test_presets_are_valid_and_have_short_names() -> None:
    for control in (*LIVE_PRESETS, *DELAY_PRESETS, *CORRESPONDENCE_PRESETS):
        assert parse_control(control.data()) == control
    assert [control.text() for control in LIVE_PRESETS] == ["3+2", "5+3", "10+5", "15+10"]
    assert CORRESPONDENCE_PRESETS[0].text() == "2 days + 1 day/turn"
    assert CORRESPONDENCE_PRESETS[1].text() == "1 day + 12 hours/turn"
    assert DELAY_PRESETS[1].text() == "5, 12 s free each turn"
    assert TimeControl("live", 10).text() == "10 s+0"
    assert CORRESPONDENCE_PRESETS[0].text("de") == "2 Tage + 1 Tag/Zug"


@pytest.mark.parametrize(
    ("control", "why"),
    [
        (TimeControl("live", 0), "A live clock has 1 second to 3 hours, and 180 s a turn or 60 s of delay at most."),
        (
            TimeControl("live", 60, 200),
            "A live clock has 1 second to 3 hours, and 180 s a turn or 60 s of delay at most.",
        ),
        (TimeControl("live", 60, 2, 2), "A clock has an increment or a delay, not both."),
        (
            TimeControl("correspondence", DAY, DAY, cap=3600),
            "A clock for correspondence has 1 hour to 60 days, a gift for each turn, and no lower cap.",
        ),
        (TimeControl("live", -1), "A clock is live or for correspondence, and its times are whole numbers of seconds."),
        (TimeControl("live", 60, delay=5), "A delay is for games with a die: choose an increment."),
    ],
)
def test_a_control_that_cannot_be_played_is_refused(control: TimeControl, why: str) -> None:
    with pytest.raises(BadArgument) as refused:
        check_clock(control, has_chance=False)
    assert str(refused.value) == why


def test_first_turns_have_a_time_of_their_own_by_the_speed() -> None:
    seconds = [TimeControl("live", base, 0).first_turn // 1000 for base in (10, 60, 300, 900, 3600)]
    assert seconds == [15, 20, 25, 30, 35]
    assert DAYS.first_turn == 2 * DAY * 1000


def test_an_increment_is_added_once_for_a_turn_of_several_actions() -> None:
    clocks = running(BLITZ)
    clocks.note(Event("play", "b", at=3000), Moment("b", 2), Moment("b", 2))
    assert clocks.left["b"] == 177_000
    clocks.note(Event("play", "b", at=7000), Moment("b", 2), Moment("w", 3))
    assert clocks.left == {"b": 175_000, "w": 180_000}
    assert (clocks.running, clocks.since) == ("w", 7000)


def test_the_increment_belongs_to_the_owner_of_the_turn_even_if_the_other_answers_in_it() -> None:
    clocks = running(BLITZ)
    clocks.note(Event("play", "b", at=1000), Moment("b", 2), Moment("w", 2))
    clocks.note(Event("play", "w", at=5000), Moment("w", 2), Moment("w", 3))
    assert clocks.left == {"b": 181_000, "w": 176_000}


def test_a_delay_is_free_once_a_turn() -> None:
    clocks = running(TimeControl("live", 180, delay=12))
    clocks.note(Event("play", "b", at=8000), Moment("b", 2), Moment("b", 2))
    assert clocks.left["b"] == 180_000
    clocks.note(Event("play", "b", at=20_000), Moment("b", 2), Moment("w", 3))
    assert clocks.left["b"] == 172_000
    assert clocks.deadline() == 20_000 + 12_000 + 180_000


def test_correspondence_is_capped_and_the_cap_takes_nothing_away() -> None:
    clocks = running(DAYS)
    for turn in range(2, 9):
        mover, other = ("b", "w") if turn % 2 == 0 else ("w", "b")
        clocks.note(Event("play", mover, at=turn), Moment(mover, turn), Moment(other, turn + 1))
    assert max(clocks.left.values()) == 4 * DAY * 1000
    clocks.left["w"] = 5 * DAY * 1000
    clocks.note(Event("play", "w", at=9), Moment("w", 9), Moment("b", 10))
    assert clocks.left["w"] == 5 * DAY * 1000 - 1  # what has elapsed


def test_no_clock_runs_during_first_turns() -> None:
    clocks = running(BLITZ, turn=0)
    assert clocks.deadline() == 25_000
    clocks.note(Event("play", "b", at=20_000), Moment("b", 0), Moment("w", 1))
    assert clocks.deadline() == 45_000
    clocks.note(Event("play", "w", at=40_000), Moment("w", 1), Moment("b", 2))
    assert clocks.left == {"b": 180_000, "w": 180_000}
    assert clocks.deadline() == 220_000


def test_lag_is_forgiven_up_to_the_quota() -> None:
    clocks = running(BLITZ)
    gain = BLITZ.lag_gain
    assert gain == 1000
    assert clocks.forgiven(at=500, measured=800) == 500
    assert clocks.forgiven(at=9000, measured=800) == 800
    assert clocks.forgiven(at=9000, measured=60_000) == 3 * gain
    assert clocks.flag_time(measured=800) == 180_800
    clocks.note(Event("play", "b", at=9000, lag=3000), Moment("b", 2), Moment("w", 3))
    assert clocks.left["b"] == 180_000 - 6000 + 2000
    assert clocks.quotas["b"] == gain
    assert TimeControl("live", 10).lag_gain == 190
    assert DAYS.lag_gain == 0


@given(
    control=st.sampled_from([BLITZ, TimeControl("live", 60), TimeControl("live", 60, delay=5), DAYS]),
    steps=st.lists(
        st.tuples(
            st.integers(0, 20_000), st.integers(0, 3000), st.booleans(), st.sampled_from(["play", "offer", "roll"])
        ),
        max_size=40,
    ),
)
def test_what_is_used_is_what_elapsed_without_lag_and_delay(
    control: TimeControl, steps: list[tuple[int, int, bool, str]]
) -> None:
    clocks, at, turn, mover = running(control), 0, 2, "b"
    used = {"b": 0, "w": 0}
    for elapsed, measured, is_turn_over, kind in steps:
        at += elapsed
        before = clocks.copy()
        if kind == "offer":
            clocks.note(Event("offer", "b", at=at), Moment(mover, turn), Moment(mover, turn))
            assert clocks == before
            continue
        lag = clocks.forgiven(at, measured) if kind == "play" else 0
        following, then = (("w" if mover == "b" else "b"), turn + 1) if is_turn_over else (mover, turn)
        clocks.note(Event(kind, mover, at=at, lag=lag), Moment(mover, turn), Moment(following, then))
        span = at - before.since
        spent = max(0, span - lag - before.free)
        assert 0 <= lag <= min(span, measured, before.quotas[mover])
        gained = 0 if kind == "roll" or not is_turn_over else 1000 * control.increment
        exact = max(0, before.left[mover] - spent) + gained
        assert clocks.left[mover] == (
            exact if control.cap is None else max(before.left[mover] - spent, min(exact, 1000 * control.cap))
        )
        assert all(left >= 0 for left in clocks.left.values())
        assert all(0 <= quota <= 7 * control.lag_gain for quota in clocks.quotas.values())
        used[mover] += spent
        turn, mover = then, following
