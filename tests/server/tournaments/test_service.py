"""Tournaments are played through the referee, in simulated time, and survive failures and kills at any moment."""

import asyncio
import itertools
import shutil
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import text

from damier.core.errors import BadArgument, DamierError
from damier.server.errors import NotFound, NotNow
from damier.server.matches.clock import TimeControl
from damier.server.tournaments import live_tournament, tournaments
from damier.server.tournaments.due import BREAK_SECONDS
from damier.server.tournaments.outcome import origin_text, outcome_of
from damier.server.tournaments.pairing import sheets_of
from damier.server.tournaments.standings import standings
from damier.server.tournaments.terms import TournamentTerms
from damier.server.tournaments.times import later
from damier.server.tournaments.tournament import Tournament
from tests.server.tournaments.simulated import LIVE, START, terms
from tests.server.tournaments.world import World, again


async def check(world: World, tournament: Tournament) -> None:
    """Checks that memory and database agree, and that every game has one match and its result."""
    twin = await world.stored(tournament.number)
    assert twin.events == tournament.events
    origins = await world.origins()
    games = [game for game in tournament.games if game.match is not None]
    expected = [(origin_text(tournament.number, game.number), game.match) for game in games]
    assert origins == sorted(expected)
    kinds = Counter((event.kind, event.game) for event in tournament.events if event.kind in ("begin", "result"))
    assert set(kinds.values()) == {1}
    for game in games:
        found = outcome_of((await world.referee.find(game.match or "")).match)
        assert found
        people = (*game.people, None)
        assert found.winner == (None if game.winner is None else people.index(game.winner))
        assert found.absent == (None if game.absent is None else people.index(game.absent))


def test_a_round_robin_is_played_to_its_end(database: str) -> None:
    async def run() -> None:
        world = await World(database).open()
        made = await world.make(terms("round_robin"), "a", "b", "c", "d")
        await world.act(made.number, "maker", "start")
        tournament = await world.finish(made.number)
        assert [len(each.games) for each in tournament.rounds] == [2, 2, 2]
        await check(world, tournament)
        found = standings(sheets_of(tournament), "round_robin")
        assert sum(each.points for each in found) == 6
        await world.close()

    asyncio.run(run())


def test_a_swiss_tournament_with_a_late_player_and_one_who_does_not_come(database: str) -> None:
    async def run() -> None:
        world = await World(database).open()
        made = await world.make(terms("swiss", 3, starts=later(START, 60)), "a", "b", "c", "d", "e")
        world.absent = {"b"}
        await world.wait(60)
        await world.act(made.number, "f", "join")
        tournament = await world.finish(made.number, most=6)
        assert len(tournament.rounds) == 3
        assert tournament.players["b"].is_withdrawn
        assert [game.absent for game in tournament.games].count("b") == 2
        assert {person for game in tournament.games for person in game.people} == set("abcdef")
        await check(world, tournament)
        await world.close()

    asyncio.run(run())


def test_eight_programs_play_an_arena_to_its_end(database: str) -> None:
    async def run() -> None:
        world = await World(database).open()
        programs = [f"program {number}" for number in range(8)]
        made = await world.make(TournamentTerms("Cup", "arena", "sensei", LIVE, minutes=10), *programs)
        await world.act(made.number, "maker", "start")
        tournament = await world.finish(made.number, most=20)
        assert tournament.ended is not None
        assert tournament.ended >= later(START, 600)
        assert len(tournament.games) >= 16
        assert all(game.is_over for game in tournament.games)
        for person in programs:
            met = [game.opponent(person) for game in tournament.games if person in game.people]
            assert len(met) >= 3
            assert all(one != other for one, other in itertools.pairwise(met))
        await check(world, tournament)
        await world.close()

    asyncio.run(run())


def test_what_cannot_be_made_or_found_is_refused(database: str) -> None:
    async def run() -> None:
        world = await World(database).open()
        with pytest.raises(BadArgument) as refused:
            await world.make(TournamentTerms("Cup", "swiss", "omba", LIVE, {"players": 3}, rounds=3))
        sentence = "Tournaments are for two players: tables of three and four are not paired."
        assert str(refused.value) == sentence
        with pytest.raises(BadArgument) as refused:
            await world.make(TournamentTerms("Cup", "swiss", "renfa", LIVE, {"bombs": 3}, True, rounds=3))
        assert str(refused.value) == "A rated tournament is played with the usual options."
        with pytest.raises(BadArgument) as refused:
            await world.make(terms("swiss", 3, starts=START))
        assert str(refused.value) == "The tournament cannot start in the past."
        with pytest.raises(BadArgument) as refused:
            await world.make(terms("swiss", 3, starts=later(START, 367 * 86_400)))
        assert str(refused.value) == "A tournament starts within a year."
        for _ in range(tournaments.MOST_OPEN):
            await world.make(terms("swiss", 3))
        with pytest.raises(NotNow) as many:
            await world.make(terms("swiss", 3))
        assert str(many.value) == "You have made 5 tournaments that are not over: wait for one."
        with pytest.raises(NotFound) as missing:
            await world.tournaments.find("nothing")
        assert str(missing.value) == "There is no such tournament."
        await world.close()

    asyncio.run(run())


def test_a_tournament_starts_while_the_server_was_down(database: str) -> None:
    async def run() -> None:
        world = await World(database).open()
        made = await world.make(terms("swiss", 1, starts=later(START, 60)), "a", "b")
        await world.close()
        world = await World(database, now=later(START, 3600)).open()
        await world.wait(0)
        tournament = await world.tournaments.find(made.number)
        assert (tournament.started, len(tournament.running)) == (later(START, 3600), 1)
        await world.close()

    asyncio.run(run())


def test_games_that_ended_without_being_counted_are_counted_after_a_restart(database: str) -> None:
    async def run() -> None:
        world = await World(database).open()
        made = await world.make(terms("round_robin"), "a", "b")
        await world.act(made.number, "maker", "start")
        (game,) = (await world.tournaments.find(made.number)).running
        world.tournaments._is_closing = True  # as if it were killed at this moment
        await world.play_match(await world.referee.find(game.match or ""), 3)
        await world.close()
        world = await World(database).open()
        await world.wait(BREAK_SECONDS)
        tournament = await world.tournaments.find(made.number)
        assert tournament.status == "ended"
        await check(world, tournament)
        await world.close()

    asyncio.run(run())


def test_a_match_that_is_lost_counts_as_a_draw(database: str, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        world = await World(database).open()
        made = await world.make(terms("round_robin"), "a", "b")
        await world.act(made.number, "maker", "start")
        await world.close()
        world = await World(database).open()
        tournament = await world.tournaments.find(made.number)
        tournament.running[0].match = "lost"
        await world.wait(0)
        assert (tournament.status, tournament.games[0].winner) == ("ended", None)
        assert caplog.messages == [f"Tournament {made.number}: match lost is lost and counts as a draw."]
        await world.close()

    asyncio.run(run())


def test_who_is_forgotten_is_withdrawn_and_leaves_no_name(database: str) -> None:
    async def run() -> None:
        world = await World(database).open()
        ann, bob = "a" * 32, "b" * 32
        made = await world.make(terms("swiss", 2), ann, bob, "c" * 32)
        await world.act(made.number, "maker", "start")
        await world.tournaments.forget(ann)
        await world.referee.forget(ann)
        tournament = await world.tournaments.find(made.number)
        stored = await world.stored(made.number)
        assert tournament.events == stored.events
        assert ann not in str(stored.events)
        (other,) = set(stored.players) - {bob, "c" * 32}
        assert stored.players[other].is_withdrawn
        tournament = await world.finish(made.number, most=3)
        assert sum(each.points for each in standings(sheets_of(tournament), "swiss")) == 3  # a bye and two games
        await check(world, tournament)
        await world.close()

    asyncio.run(run())


def test_a_damaged_tournament_is_refused_and_stops_no_other(database: str, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        world = await World(database).open()
        damaged = await world.make(terms("swiss", 1), "a", "b")
        whole = await world.make(terms("swiss", 1, starts=later(START, 60)), "a", "b")
        break_it = text("UPDATE tournament_events SET data = '{}' WHERE tournament = :number")
        await world.store.write(
            "break", "", lambda connection: connection.execute(break_it, {"number": damaged.number}) and None
        )
        await world.close()
        world = await World(database).open()
        await world.wait(60)
        assert (await world.tournaments.find(whole.number)).status == "running"
        with pytest.raises(live_tournament.DamagedTournament) as refused:
            await world.tournaments.find(damaged.number)
        sentence = "The stored data of this tournament is damaged: only the operator of this server can restore it."
        assert str(refused.value) == sentence
        assert caplog.messages[0].startswith(f"Tournament {damaged.number}: its stored data is damaged: ")
        await world.close()

    asyncio.run(run())


KINDS = [
    TournamentTerms("Cup", "round_robin", "sensei", LIVE, rounds=1),
    TournamentTerms("Cup", "swiss", "sensei", LIVE, rounds=2),
    TournamentTerms("Cup", "arena", "sensei", TimeControl("live", 60), minutes=2),
]


async def play_through(world: World, number: str) -> Tournament | None:
    """Plays a tournament to its end; returns None if the server has died meanwhile."""
    for _ in range(60):
        if world.store.is_dead:
            return None
        try:
            tournament = await world.tournaments.find(number)
            if tournament.status == "waiting":
                for person in "abc":
                    await again(world, number, person, "join")
                await again(world, number, "maker", "start")
            elif tournament.status == "ended":
                return tournament
            await world.wait(30)
            await world.play(number, most=2)
            await asyncio.sleep(0.002)
        except DamierError:  # a request failed, or it was carried out all the same and is refused now
            continue
    raise AssertionError("the tournament does not come to its end")


every_call = pytest.mark.parametrize(
    ("given", "is_late", "step"),
    [
        *(pytest.param(each, late, 23, id=f"{each.kind}-{late}") for each in KINDS for late in (False, True)),
        *(
            pytest.param(each, late, 1, id=f"{each.kind}-{late}-every", marks=pytest.mark.slow)
            for each in KINDS
            for late in (False, True)
        ),
    ],
)


async def made_before(path: Path, given: TournamentTerms) -> str:
    """Stores a tournament that nobody has joined; returns its number."""
    world = await World(path).open()
    made = await world.make(given)
    await world.close()
    return made.number


async def finished(path: Path, number: str, now: str) -> None:
    """Plays a tournament to its end in a server that has just started, and checks it."""
    world = await World(path, now=now).open()
    tournament = await play_through(world, number)
    assert tournament
    await check(world, tournament)
    await world.close()


@every_call
def test_a_store_that_fails_at_any_call_neither_loses_nor_doubles_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: TournamentTerms, is_late: bool, step: int
) -> None:
    monkeypatch.setattr(live_tournament, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(tournaments, "FIRST_PAUSE", 0.001)
    number = asyncio.run(made_before(tmp_path / "first.sqlite", given))

    async def run(at: int) -> bool:
        path = Path(shutil.copy(tmp_path / "first.sqlite", tmp_path / f"{at}.sqlite"))
        world = await World(path, at=at, is_late=is_late).open()
        tournament = await play_through(world, number)
        await world.close()
        assert tournament
        twin = await World(path).open()
        await check(twin, tournament)
        await twin.close()
        return world.store.has_failed

    at = next(at for at in itertools.count(0, step) if not asyncio.run(run(at)))
    assert at > 15


@every_call
def test_a_server_that_is_killed_at_any_call_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: TournamentTerms, is_late: bool, step: int
) -> None:
    monkeypatch.setattr(live_tournament, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(tournaments, "FIRST_PAUSE", 0.001)
    number = asyncio.run(made_before(tmp_path / "first.sqlite", given))

    async def run(at: int) -> bool:
        path = Path(shutil.copy(tmp_path / "first.sqlite", tmp_path / f"{at}.sqlite"))
        world = await World(path, at=at, is_late=is_late, dies=True).open()
        await play_through(world, number)
        await world.close()
        await finished(path, number, world.now)
        return world.store.has_failed

    at = next(at for at in itertools.count(0, step) if not asyncio.run(run(at)))
    assert at > 15
