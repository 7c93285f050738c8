"""Matches with clocks, in simulated time: flags, aborts, claims, restarts."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

import damier
from damier.core.errors import BadArgument, IllegalAction
from damier.core.game import Game
from damier.server.errors import NotAllowed, NotNow
from damier.server.matches.clock import DAY, TimeControl
from damier.server.matches.live_match import LiveMatch
from tests.server.timed import ANN, BLITZ, BOB, EVE, Hall, in_hall


def row(path: Path, number: str) -> dict[str, Any]:
    """Returns the row of a match."""
    with create_engine(f"sqlite:///{path}").connect() as connection:
        found = connection.execute(text("SELECT * FROM matches WHERE number = :number"), {"number": number})
        return dict(found.mappings().one())


def is_over(live: LiveMatch) -> bool:
    """Tells whether a game is over."""
    return live.match.record.result is not None


async def opened(hall: Hall, live: LiveMatch) -> None:
    """Plays the first turns."""
    while live.match.is_opening:
        await hall.play(live, 1)


def test_a_flag_falls_without_anybody_connected_and_the_other_wins(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"

    async def play(hall: Hall) -> LiveMatch:
        live = await hall.between(ANN, BOB)
        await opened(hall, live)
        await hall.wait(179.9)
        assert live.match.record.result is None
        await hall.wait(0.2)
        return live

    live = in_hall(path, play)
    result = live.match.record.result
    assert result
    assert (result.winner, result.reason) == ("w", "time")
    assert live.match.events[-1].kind == "flag"
    stored = row(path, live.match.number)
    assert json.loads(stored["result"]) == {"winner": "w", "reason": "time", "order": ["w", "b"]}
    assert (stored["mover"], stored["deadline"]) == (None, None)
    assert stored["ended"] == stored["updated"]


def test_a_flag_falls_in_a_match_that_is_not_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"

    async def begin(hall: Hall) -> str:
        live = await hall.between(ANN, BOB)
        await opened(hall, live)
        await hall.wait(100)
        return live.match.number

    async def go_on(hall: Hall) -> LiveMatch:
        assert hall.referee.matches_in_memory == 0
        await hall.wait(79)
        assert hall.referee.matches_in_memory == 0
        await hall.wait(1.1)
        return await hall.referee.find(number)

    number = in_hall(path, begin)
    live = in_hall(path, go_on)
    assert live.match.record.result
    assert live.match.record.result.reason == "time"


def test_no_clock_runs_while_the_server_is_down(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"

    async def begin(hall: Hall) -> str:
        live = await hall.between(ANN, BOB)
        await opened(hall, live)
        await hall.wait(100)
        return live.match.number

    async def look(hall: Hall) -> int:
        live = await hall.referee.find(number)
        assert live.match.clocks
        return live.match.clocks.left_at(hall.now)["b"]

    number = in_hall(path, begin)
    assert in_hall(path, look) == 80_000
    assert in_hall(path, look) == 80_000


def test_a_kill_loses_what_was_not_stored_in_favour_of_the_players(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"

    async def killed() -> str:
        hall = Hall(path)
        await hall.services.open()
        live = await hall.between(ANN, BOB)
        await opened(hall, live)
        await hall.referee.time._store(hall.services.store)
        hall.clock.go_on(0.9)
        await hall.services.store.close()
        return live.match.number

    async def look(hall: Hall) -> int:
        live = await hall.referee.find(number)
        assert live.match.clocks
        return live.match.clocks.left_at(hall.now)["b"]

    number = asyncio.run(killed())
    assert in_hall(path, look) == 180_000


def test_a_first_turn_that_is_not_made_aborts_the_match_without_a_result(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"
    ended: list[str] = []

    async def wait(hall: Hall) -> LiveMatch:
        hall.referee.on_end(lambda live: ended.append(live.match.number))
        live = await hall.between(ANN, BOB, is_rated=True)
        await hall.play(live, 20)
        await hall.wait(24.9)
        assert live.match.record.result is None
        await hall.wait(0.1)
        return live

    live = in_hall(path, wait)
    assert live.match.record.result
    assert live.match.record.result.is_aborted
    assert json.loads(row(path, live.match.number)["result"]) == {"winner": None, "reason": "abort", "order": []}
    assert ended == [live.match.number]


def test_either_player_can_abort_before_each_has_had_a_turn(tmp_path: Path) -> None:
    async def abort(hall: Hall) -> None:
        live = await hall.between(ANN, BOB, control=None)
        await hall.play(live)
        await hall.act(live, BOB, "abort")
        assert live.match.record.result
        assert live.match.record.result.sentence() == "The game was aborted: it has no result."
        with pytest.raises(NotNow, match="The game is over"):
            await hall.act(live, ANN, "undo")
        other = await hall.between(ANN, BOB)
        await opened(hall, other)
        with pytest.raises(NotNow) as refused:
            await hall.act(other, BOB, "abort")
        assert str(refused.value) == ("A match can be aborted only between persons, before each player has had a turn.")

    in_hall(tmp_path / "matches.sqlite", abort)


def test_clocks_start_when_all_seats_are_taken(tmp_path: Path) -> None:
    async def invite(hall: Hall) -> None:
        game = damier.load("chefa")
        live = await hall.referee.begin(game, ["me", "open"], ANN, control=BLITZ)
        await hall.wait(3000)
        with pytest.raises(NotNow) as refused:
            await hall.play(live)
        assert str(refused.value) == "The clocks start when all seats are taken: wait for the other players."
        await hall.referee.take_seat(live, BOB, live.match.seats[1].invitation or "")
        await hall.play(live, 24)
        await hall.play(live, 24)
        assert live.match.clocks
        assert live.match.clocks.deadline() == hall.now + 180_000
        twin = await hall.services.store.load(live.match.number)
        assert twin
        assert twin.clocks == live.match.clocks

    in_hall(tmp_path / "matches.sqlite", invite)


def test_an_action_after_the_flag_is_refused_even_before_anybody_looked(tmp_path: Path) -> None:
    async def play_late(hall: Hall) -> None:
        live = await hall.between(ANN, BOB)
        await opened(hall, live)
        with pytest.raises(IllegalAction, match="The game is over"):
            await hall.play(live, 181)
        assert live.match.record.result
        assert live.match.record.result.winner == "w"

    in_hall(tmp_path / "matches.sqlite", play_late)


class Page:
    """A connection with a lag."""

    def __init__(self, visitor: str, lag: int = 0) -> None:
        self.visitor, self.lag = visitor, lag
        self.texts: list[dict[str, Any]] = []

    def send_text(self, text: str) -> None:
        self.texts.append(json.loads(text))

    def handle_event(self, seq: int, event: Any) -> None:
        """Does nothing."""


def test_lag_that_the_server_has_measured_is_forgiven(tmp_path: Path) -> None:
    async def play(hall: Hall) -> None:
        live = await hall.between(ANN, BOB)
        await opened(hall, live)
        live.join(Page(ANN, lag=400), "en")
        await hall.play(live, 10)
        assert live.match.events[-1].lag == 400
        assert live.match.clocks
        assert live.match.clocks.left["b"] == 180_000 - 9600 + 2000
        await hall.play(live, 10)
        await hall.wait(172.5)
        assert not is_over(live)  # an action may be on its way
        await hall.wait(0.4)
        assert is_over(live)

    in_hall(tmp_path / "matches.sqlite", play)


def test_a_win_can_be_claimed_over_who_has_left_on_their_own_turn(tmp_path: Path) -> None:
    async def claim(hall: Hall) -> None:
        live = await hall.between(ANN, BOB)
        await opened(hall, live)
        ann, bob = Page(ANN), Page(BOB)
        live.join(ann, "en")
        live.join(bob, "en")
        with pytest.raises(NotNow) as refused:
            await hall.act(live, BOB, "claim", what="win")
        assert str(refused.value) == "Nobody has left on their own turn: there is nothing to claim."
        await hall.wait(30)
        live.leave(ann)
        assert bob.texts[-1]["clocks"]["claim"] == 60_000
        await hall.wait(59)
        with pytest.raises(NotNow) as refused:
            await hall.act(live, BOB, "claim", what="win")
        assert str(refused.value) == "You can claim the game in 1 s, if nobody comes back."
        with pytest.raises(NotAllowed):
            await hall.act(live, EVE, "claim", what="win")
        await hall.wait(1)
        assert not is_over(live)  # never by itself
        await hall.act(live, BOB, "claim", what="win")
        assert live.match.record.result
        assert (live.match.record.result.winner, live.match.record.result.reason) == ("w", "abandonment")

    in_hall(tmp_path / "matches.sqlite", claim)


def test_absence_in_the_turn_of_the_other_counts_nothing_and_a_goodbye_shortens_it(tmp_path: Path) -> None:
    async def claim(hall: Hall) -> None:
        live = await hall.between(ANN, BOB)
        await opened(hall, live)
        bob = Page(BOB)
        live.join(bob, "en")
        await hall.play(live, 5)
        live.leave(bob, is_goodbye=True)
        await hall.play(live, 50)
        await hall.play(live, 100)
        with pytest.raises(NotNow) as refused:
            await hall.act(live, ANN, "claim", what="draw")
        assert str(refused.value) == "You can claim the game in 10 s, if nobody comes back."
        await hall.wait(10)
        await hall.act(live, ANN, "claim", what="draw")
        assert live.match.record.result
        assert (live.match.record.result.winner, live.match.record.result.reason) == (None, "abandonment")

    in_hall(tmp_path / "matches.sqlite", claim)


def test_a_flag_of_three_puts_one_out_and_the_others_play_on(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"

    async def play(hall: Hall) -> LiveMatch:
        control = TimeControl("live", 60, delay=12)
        live = await hall.between(ANN, BOB, EVE, game="omba", control=control, players=3)
        await opened(hall, live)
        late = live.match.record.mover
        await hall.wait(72.1)
        assert not is_over(live)
        assert [event.kind for event in live.match.events[-2:]] == ["flag", "roll"]
        assert late not in (live.match.record.mover, "chance")
        twin = await hall.services.store.load(live.match.number)
        assert twin
        assert (twin.clocks, twin.record.played) == (live.match.clocks, live.match.record.played)
        await hall.wait(72.1)
        assert live.match.record.result
        assert row(path, live.match.number)["ended"]
        return live

    live = in_hall(path, play)
    order = json.loads(row(path, live.match.number)["result"])["order"]
    assert sorted(order) == ["1", "2", "3"]
    assert live.match.record.result
    assert order[0] == live.match.record.result.winner


def test_rated_matches_have_conditions(tmp_path: Path) -> None:
    async def begin(hall: Hall) -> None:
        chefa, begin = damier.load("chefa"), hall.referee.begin
        bigger = damier.load("renfa", bombs=5)
        cases: list[tuple[Game, list[str | int], TimeControl | None, bool, str]] = [
            (chefa, ["me", "open"], None, False, "A rated match needs a clock."),
            (chefa, ["me", 3], BLITZ, False, "A match against the computer cannot be rated."),
            (chefa, ["me", "me"], BLITZ, False, "A rated match needs another player in every seat."),
            (chefa, ["me", "open"], BLITZ, True, "A rated match has no hints, values or take-backs."),
            (
                bigger,
                ["me", "open"],
                BLITZ,
                False,
                "A rated match is played with the usual options; only the number of players may differ.",
            ),
        ]
        for game, seats, control, helps, why in cases:
            with pytest.raises(BadArgument) as refused:
                await begin(game, seats, ANN, control=control, allows_help=helps, is_rated=True)
            assert str(refused.value) == why
        live = await begin(chefa, ["me", "open"], ANN, control=BLITZ, is_rated=True)
        with pytest.raises(NotAllowed) as denied:
            await hall.referee.take_seat(live, ANN, live.match.seats[1].invitation or "")
        assert str(denied.value) == "A rated match needs another player."
        three = await hall.between(
            ANN, BOB, EVE, game="omba", players=3, control=TimeControl("live", 60, delay=12), is_rated=True
        )
        assert three.match.is_rated
        with pytest.raises(NotAllowed, match="Hints and values are off"):
            three.match.refuse_help()

    in_hall(tmp_path / "matches.sqlite", begin)


def test_correspondence_flags_after_days_even_if_the_hour_in_memory_is_over(tmp_path: Path) -> None:
    async def play(hall: Hall) -> None:
        live = await hall.between(ANN, BOB, control=TimeControl("correspondence", 2 * DAY, DAY, cap=4 * DAY))
        await opened(hall, live)
        for _ in range(49):
            await hall.wait(3500)
        assert live.match.record.result is None
        assert not hall.referee.deadlines.is_running or len(hall.referee.deadlines) == 1
        await hall.wait(2 * DAY - 49 * 3500)
        assert live.match.record.result

    in_hall(tmp_path / "matches.sqlite", play)
