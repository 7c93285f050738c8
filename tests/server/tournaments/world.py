"""A server without pages: a store, a referee and tournaments, in simulated time, and players who play through them."""

import asyncio
import itertools
import random
from collections.abc import Collection
from pathlib import Path
from typing import Any, cast

from sqlalchemy import select

from damier.core.messages import message
from damier.engine.pool.pool import Workers
from damier.server.hub.local import LocalHub
from damier.server.matches.live_match import LiveMatch
from damier.server.matches.referee import Referee
from damier.server.ratings.glicko import NEW, Rating
from damier.server.ratings.ratings import MatchRater
from damier.server.store.schema import MatchRow
from damier.server.store.statements.tournaments import load_tournament
from damier.server.store.store import Store, StoreFailed
from damier.server.tournaments.outcome import outcome_of
from damier.server.tournaments.terms import TournamentTerms
from damier.server.tournaments.times import later
from damier.server.tournaments.tournament import Tournament
from damier.server.tournaments.tournaments import Tournaments
from tests.server.tournaments.simulated import START


class DyingStore(Store):
    """Fails at call number `at`, from 0, before or after the commit, and after it at no call or at all."""

    def __init__(self, path: Path | str, at: int = -1, *, is_late: bool = False, dies: bool = False) -> None:
        super().__init__(path)
        self._calls, self._at, self._is_late, self._dies = itertools.count(), at, is_late, dies
        self.has_failed = False

    async def _in_thread(self, *given: Any) -> Any:
        number = next(self._calls)
        is_failing = number == self._at or (self._dies and self.has_failed)
        if is_failing and (not self._is_late or self.has_failed):
            self._fail()
        found = await super()._in_thread(*given)
        if is_failing:
            self._fail()
        return found

    def _fail(self) -> None:
        self.has_failed = True
        raise StoreFailed(message("The server could not store or read the match: try again."))

    @property
    def is_dead(self) -> bool:
        return self._dies and self.has_failed


class Newcomers(MatchRater):
    """Ratings of people who have never played, without a store: its calls are those of tournaments and matches."""

    def __init__(self) -> None:
        """Rates nothing."""

    async def many(self, people: Collection[str], pool: str) -> dict[str, Rating]:  # noqa: ARG002  # as its own
        return dict.fromkeys(people, NEW)


class World:
    """A server and its time."""

    def __init__(
        self, path: Path | str, seed: int = 1, now: str = START, hub: LocalHub | None = None, **fault: Any
    ) -> None:
        self.path, self.now, self.rng = path, now, random.Random(seed)
        self.store = DyingStore(path, **fault)
        self.referee = Referee(self.store, cast("Workers", None), 0.05, hub=hub)
        self.tournaments = Tournaments(self.store, self.referee, Newcomers(), lambda: self.now, hub)
        self.absent: set[str] = set()
        """Who does not come to games."""

        self.asked = itertools.count()

    async def open(self) -> "World":
        await self.store.open()
        return self

    async def close(self) -> None:
        await self.tournaments.close()
        await self.referee.close()
        await self.store.close()

    async def make(self, terms: TournamentTerms, *people: str) -> Tournament:
        made = await self.tournaments.make("maker", terms)
        for person in people:
            await self.act(made.number, person, "join")
        return made

    async def act(self, number: str, person: str, do: str) -> None:
        await self.tournaments.act(number, person, do)
        await self.tournaments.settle()

    async def wait(self, seconds: float) -> None:
        """Lets time pass and does what is due then."""
        self.now = later(self.now, seconds)
        await self.tournaments.tick()
        await self.tournaments.settle()

    async def play(self, number: str, most: int = 1000) -> None:
        """Plays the games that go on: random actions, after `most` of them the player on move resigns."""
        tournament = await self.tournaments.find(number)
        for game in list(tournament.running):
            if game.match is not None:
                await self.play_match(await self.referee.find(game.match), most)
        await self.tournaments.settle()

    async def play_match(self, live: LiveMatch, most: int) -> None:
        while outcome_of(live.match) is None:
            person = live.match.seat(live.match.record.mover).visitor or ""
            if person in self.absent and live.match.record.count < 2:
                await self.referee.act(live, person, f"r{next(self.asked)}", "abort")
                return
            if live.match.record.count >= most:
                await self.referee.act(live, person, f"r{next(self.asked)}", "resign")
                return
            action = self.rng.choice(live.match.record.actions())
            await self.referee.act(live, person, f"r{next(self.asked)}", "play", action=action)

    async def finish(self, number: str, most: int = 1000, seconds: float = 60) -> Tournament:
        """Plays until the tournament is over."""
        for _ in range(200):
            tournament = await self.tournaments.find(number)
            if tournament.status not in ("waiting", "running"):
                return tournament
            await self.wait(seconds)
            await self.play(number, most)
        raise AssertionError("the tournament does not come to its end")

    async def stored(self, number: str) -> Tournament:
        """Returns a tournament as the database has it."""
        found = await self.store.read("load", number, lambda connection: load_tournament(connection, number))
        assert found
        return found

    async def origins(self) -> list[tuple[str, str]]:
        """Returns the origins and numbers of all matches."""
        wanted = select(MatchRow.origin, MatchRow.number)
        return await self.store.read(
            "list", "", lambda connection: sorted((row.origin, row.number) for row in connection.execute(wanted))
        )


async def again(world: World, number: str, person: str, do: str) -> None:
    """Sends a request until it is carried out, as a person would."""
    for _ in range(3):
        try:
            await world.act(number, person, do)
            return
        except StoreFailed:
            await asyncio.sleep(0)
