"""Random sequences of events in timed matches: clocks follow from the events, and no restart changes them."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damier.core.errors import DamierError
from damier.server.matches.clock import TimeControl
from damier.server.matches.live_match import LiveMatch
from tests.server.timed import ANN, BOB, EVE, Hall, in_hall

STEPS = st.lists(
    st.tuples(
        st.integers(0, 40_000),  # milliseconds before it
        st.sampled_from(["play", "play", "play", "play", "undo", "offer_draw", "resign", "look", "restart"]),
        st.sampled_from([ANN, BOB, EVE]),
    ),
    min_size=4,
    max_size=18,
)


def check(hall: Hall, live: LiveMatch) -> None:
    """Checks what is true of all clocks."""
    match, clocks = live.match, live.match.clocks
    assert clocks
    assert all(left >= 0 for left in clocks.left.values())
    assert all(event.at is not None for event in match.events)
    times = [event.at or 0 for event in match.events]
    assert times == sorted(times)
    assert clocks.since <= hall.now
    is_running = clocks.running is not None
    assert is_running == (match.record.result is None)
    if not is_running or clocks.is_first or match.control is None:
        return
    began = [event.at or 0 for event in match.events][-1]
    shown = clocks.left_at(began)
    later = clocks.left_at(began + 700)
    lost = {player: shown[player] - later[player] for player in shown}
    assert sum(lost.values()) <= 700
    assert all(not ms for player, ms in lost.items() if player != clocks.running)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=STEPS, is_three=st.booleans())
def test_clocks_follow_from_the_events_whatever_happens(steps: list[tuple[int, str, str]], is_three: bool) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "matches.sqlite"
        number, rest = "", list(steps)

        async def run(hall: Hall) -> None:
            nonlocal number
            if number:
                live = await hall.referee.find(number)
            elif is_three:
                control = TimeControl("live", 60, delay=5)
                live = await hall.between(ANN, BOB, EVE, game="omba", control=control, players=3)
            else:
                live = await hall.between(ANN, BOB, control=TimeControl("live", 60, 3))
            number = live.match.number
            while rest:
                elapsed, do, visitor = rest.pop(0)
                await hall.wait(elapsed / 1000)
                if do == "restart":
                    return
                try:
                    if do == "play" and live.match.record.result is None:
                        await hall.play(live)
                    elif do not in ("look", "play"):
                        await hall.act(live, visitor, do)
                except DamierError:
                    pass
                check(hall, live)
                twin = await hall.services.store.load(number)
                assert twin
                assert (twin.clocks, twin.events) == (live.match.clocks, live.match.events)

        while rest:
            in_hall(path, run)
