"""Vacations on a server, in simulated time: clocks, restarts, failures, and random sequences of events."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damier.core.errors import DamierError
from damier.core.messages import message
from damier.server.correspondence.vacation import ALLOWANCE, Vacation, days_left
from damier.server.errors import NotNow
from damier.server.matches.clock import TimeControl
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.match import Event
from damier.server.store.store import StoreFailed
from tests.server.correspondence.slow_matches import DAY_MS, SLOW, begun, with_accounts
from tests.server.stores import rows
from tests.server.timed import ANN, BLITZ, BOB, EVE, Hall, in_hall

DAY = 86_400.0  # seconds
FAILED = message("The database does not answer.")


def kinds(live: LiveMatch) -> list[str]:
    return [event.kind for event in live.match.events]


def left(live: LiveMatch, person: str, hall: Hall) -> int:
    clocks = live.match.clocks
    assert clocks
    (player,) = live.match.players_of(person)
    return clocks.left_at(hall.now)[player]


def test_the_clock_stands_still_and_the_flag_falls_later(database: str) -> None:
    async def run(hall: Hall) -> None:
        live = await begun(hall)
        await hall.wait(DAY)
        await hall.services.vacations.begin(ANN, 7)
        assert kinds(live)[-1] == "vacation"
        await hall.wait(5 * DAY)
        assert left(live, ANN, hall) == DAY_MS
        data = live.clocks_data()
        assert data
        assert data.away == {live.match.players_of(ANN)[0]: 2 * DAY_MS}
        await hall.wait(2 * DAY + 0.9 * DAY)
        assert kinds(live)[-1] == "vacation"
        await hall.wait(0.2 * DAY)
        assert kinds(live)[-1] == "flag"

    in_hall(database, run)


def test_ending_a_vacation_lets_the_clock_run_at_once(database: str) -> None:
    async def run(hall: Hall) -> None:
        live = await begun(hall)
        await hall.services.vacations.begin(ANN, 20)
        await hall.wait(3.5 * DAY)
        await hall.services.vacations.end(ANN)
        assert kinds(live)[-2:] == ["vacation", "return"]
        assert left(live, ANN, hall) == 2 * DAY_MS
        taken = await hall.services.vacations.of(ANN)
        assert days_left(taken, hall.now) == ALLOWANCE - 4
        with pytest.raises(NotNow):
            await hall.services.vacations.end(ANN)
        await hall.wait(2.1 * DAY)
        assert live.match.record.result

    in_hall(database, run)


def test_the_stored_deadline_is_that_of_the_clocks_and_the_match_is_not_listed_as_active(database: str) -> None:
    async def run(hall: Hall) -> None:
        live = await begun(hall)
        query = f"SELECT deadline, updated FROM matches WHERE number = '{live.match.number}'"
        before = rows(database, query)[0]
        await hall.services.vacations.begin(ANN, 7)
        after = rows(database, query)[0]
        assert live.match.clocks
        assert after.deadline == live.match.clocks.deadline() == before.deadline + 7 * DAY_MS
        assert after.updated == before.updated

    in_hall(database, run)


def test_a_vacation_does_not_save_a_flag_that_has_fallen(tmp_path: Path) -> None:
    async def run(hall: Hall) -> None:
        live = await begun(hall)
        hall.clock.go_on(2 * DAY)  # and nobody has looked yet
        await hall.services.vacations.begin(ANN, 7)
        assert kinds(live)[-1] == "flag"

    in_hall(tmp_path / "matches.sqlite", run)


def test_vacations_leave_live_matches_tournaments_and_the_others_clocks_alone(tmp_path: Path) -> None:
    async def run(hall: Hall) -> None:
        mine = await begun(hall)
        live = await hall.between(ANN, BOB, control=BLITZ)
        round_ = await hall.referee.begin_between(
            mine.match.game, [ANN, BOB], control=SLOW, is_rated=False, origin="tournament:x:1"
        )
        await hall.services.vacations.begin(BOB, 7)
        assert "vacation" not in [*kinds(live), *kinds(round_)]
        await hall.wait(2.1 * DAY)  # it was Ann's turn
        assert mine.match.record.result

    in_hall(tmp_path / "matches.sqlite", run)


def test_a_match_that_begins_during_a_vacation_knows_of_it(tmp_path: Path) -> None:
    async def run(hall: Hall) -> None:
        await with_accounts(hall)
        await hall.services.vacations.begin(ANN, 7)
        live = await hall.between(ANN, BOB, control=SLOW)
        assert kinds(live) == ["vacation"]
        await hall.wait(6 * DAY)
        assert live.match.record.result is None
        opened = await hall.referee.begin(live.match.game, ["open", "me"], BOB, control=SLOW)
        (invitation,) = [seat.invitation for seat in opened.match.seats if seat.invitation]
        await hall.referee.take_seat(opened, ANN, invitation)
        assert kinds(opened) == ["seat", "vacation"]

    in_hall(tmp_path / "matches.sqlite", run)


def test_a_vacation_goes_on_after_a_restart_and_for_matches_that_are_not_in_memory(database: str) -> None:
    async def first(hall: Hall) -> str:
        live = await begun(hall)
        return live.match.number

    async def second(hall: Hall) -> None:
        await hall.services.vacations.begin(ANN, 7)
        await hall.wait(DAY)

    async def third(hall: Hall) -> None:
        live = await hall.referee.find(number)
        assert kinds(live)[-1] == "vacation"
        await hall.wait(6 * DAY)
        assert left(live, ANN, hall) > 1.99 * DAY_MS

    number = in_hall(database, first)
    in_hall(database, second)
    in_hall(database, third)


@pytest.mark.parametrize("is_end", [False, True])
def test_what_a_kill_left_out_is_made_good_at_the_next_start(database: str, is_end: bool) -> None:
    async def first(hall: Hall) -> tuple[str, int]:
        live = await begun(hall)
        if is_end:
            await hall.services.vacations.begin(ANN, 7)
        await hall.wait(DAY)

        async def killed(number: str) -> None:  # as the method
            raise StoreFailed(FAILED)

        hall.referee.follow_vacations = killed  # type: ignore[method-assign]
        if is_end:
            await hall.services.vacations.end(ANN)
        else:
            await hall.services.vacations.begin(ANN, 7)
        assert kinds(live)[-1] == ("vacation" if is_end else "play")
        return live.match.number, hall.now

    async def second(hall: Hall) -> None:
        while rows(database, "SELECT 1 FROM vacations WHERE NOT is_told"):
            await hall.services.store.read_once()
        live = await hall.referee.find(number)
        assert kinds(live)[-1] == ("return" if is_end else "vacation")
        assert live.match.events[-1].at == at
        assert left(live, ANN, hall) == pytest.approx((2 if is_end else 1) * DAY_MS, abs=60_000)

    number, at = in_hall(database, first)
    in_hall(database, second)


def test_a_failing_database_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.server.correspondence.vacations.RETRY", 0.0)

    async def run(hall: Hall) -> None:
        live, whole = await begun(hall), hall.referee.follow_vacations
        failures = 2

        async def fail(number: str) -> None:
            nonlocal failures
            failures -= 1
            if failures >= 0:
                raise StoreFailed(FAILED)
            await whole(number)

        hall.referee.follow_vacations = fail  # type: ignore[method-assign]
        await hall.services.vacations.begin(ANN, 7)
        while kinds(live)[-1] != "vacation":
            await hall.services.store.read_once()

    in_hall(tmp_path / "matches.sqlite", run)


def test_an_action_that_comes_before_the_event_is_stored_is_not_late(tmp_path: Path) -> None:
    async def run(hall: Hall) -> None:
        live = await begun(hall)
        await hall.wait(1.9 * DAY)

        async def nothing(number: str) -> None:  # as the method
            """Leaves the match as it is."""

        hall.referee.follow_vacations = nothing  # type: ignore[method-assign]
        await hall.services.vacations.begin(ANN, 7)
        hall.clock.go_on(DAY)
        await hall.play(live)
        assert kinds(live)[-2:] == ["vacation", "play"]

    in_hall(tmp_path / "matches.sqlite", run)


def test_old_vacations_are_deleted_and_those_of_a_deleted_account(database: str) -> None:
    async def run(hall: Hall) -> None:
        await with_accounts(hall)
        await hall.services.vacations.begin(ANN, 30)
        await hall.wait(31 * DAY)
        with pytest.raises(NotNow):
            await hall.services.vacations.begin(ANN, 1)
        await hall.wait(366 * DAY)
        await hall.services.vacations.begin(BOB, 1)
        assert [row.person for row in rows(database, "SELECT person FROM vacations")] == [BOB]
        account = await hall.services.accounts.of(BOB)
        assert account
        await hall.services.accounts.delete(account)
        assert not rows(database, "SELECT person FROM vacations")

    in_hall(database, run)


STEPS = st.lists(
    st.tuples(
        st.integers(0, 3 * 86_400),  # seconds before it
        st.sampled_from(
            ["play", "play", "play", "vacation", "return", "undo", "offer_draw", "look", "restart", "kill"]
        ),
        st.sampled_from([ANN, BOB]),
        st.integers(1, 9),
    ),
    min_size=4,
    max_size=18,
)


def check(hall: Hall, live: LiveMatch) -> None:
    """Checks what is true of the clocks of a correspondence match."""
    match, clocks = live.match, live.match.clocks
    assert clocks
    times = [event.at or 0 for event in match.events]
    assert times == sorted(times)
    assert all(value >= 0 for value in clocks.left.values())
    assert (clocks.running is not None) == (match.record.result is None)
    deadline = clocks.deadline()
    if deadline is not None:
        assert deadline > hall.now
        assert deadline <= hall.now + (4 + ALLOWANCE) * DAY_MS  # no pause is endless
    for person in (ANN, BOB):
        (player,) = match.players_of(person)
        vacation = hall.referee.vacations.get(person)
        is_away = vacation is not None and vacation.until > hall.now
        if match.record.result is None:
            assert (player in clocks.away_at(hall.now)) == is_away
        if is_away and clocks.running == player and not clocks.is_first and match.record.result is None:
            assert clocks.left_at(hall.now + 1000)[player] in (
                clocks.left_at(hall.now)[player],
                max(0, clocks.left_at(hall.now)[player] - max(0, hall.now + 1000 - clocks.away[player])),
            )


@pytest.mark.untraced  # several times as slow while coverage is measured
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS)
def test_clocks_follow_from_the_events_whatever_happens(steps: list[tuple[int, str, str, int]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "matches.sqlite"
        number, rest = "", list(steps)

        async def run(hall: Hall) -> None:
            nonlocal number
            live = await hall.referee.find(number) if number else await begun(hall, turns=0)
            number = live.match.number
            while rest:
                seconds, do, person, days = rest.pop(0)
                await hall.wait(seconds)
                if do in ("restart", "kill"):
                    if do == "kill" and not hall.referee.vacations:
                        await leave_out(hall, person, days)
                    return
                try:
                    if do == "vacation":
                        await hall.services.vacations.begin(person, days)
                    elif do == "return":
                        await hall.services.vacations.end(person)
                    elif do == "play" and live.match.record.result is None:
                        await hall.play(live)
                    elif do not in ("look", "play"):
                        await hall.act(live, person, do)
                except DamierError:
                    pass
                check(hall, live)
                twin = await hall.services.store.load(number)
                assert twin
                assert (twin.clocks, twin.events) == (live.match.clocks, live.match.events)

        while rest:
            in_hall(path, run)


async def leave_out(hall: Hall, person: str, days: int) -> None:
    """Begins a vacation of which no match is told, as if the server were killed then."""

    async def nothing(vacation: Vacation) -> None:  # as the method
        """Tells nobody."""

    hall.services.vacations._tell_all = nothing  # type: ignore[method-assign]
    try:
        await hall.services.vacations.begin(person, days)
    except DamierError:
        return


def test_several_matches_and_players_are_told(tmp_path: Path) -> None:
    async def run(hall: Hall) -> None:
        await with_accounts(hall)
        control = TimeControl("correspondence", 86_400, 0)
        three = await hall.between(ANN, BOB, EVE, game="omba", control=control, players=3)
        two = await begun(hall)
        await hall.services.vacations.begin(ANN, 2)
        for live in (two, three):
            assert live.match.events[-1] == Event(
                "vacation", live.match.players_of(ANN)[0], until=hall.now + 2 * DAY_MS, at=hall.now
            )

    in_hall(tmp_path / "matches.sqlite", run)
