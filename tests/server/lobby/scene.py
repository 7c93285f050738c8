"""A lobby without pages: a store, a referee that begins matches, people, and a clock that tests turn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from damier.engine.pool.pool import Workers
from damier.server.hub.local import LocalHub
from damier.server.lobby.lobby import Lobby
from damier.server.lobby.people import People
from damier.server.lobby.weekly import parse_weekly
from damier.server.matches.referee import Referee
from damier.server.people.account import Account, AccountName
from damier.server.people.accounts import Accounts
from damier.server.ratings.glicko import Rating
from damier.server.ratings.ratings import MatchRater
from damier.server.store.store import Store
from damier.server.wire.lobby import NewSeek

T = TypeVar("T")

ANN, BOB, CAT = "a" * 32, "b" * 32, "c" * 32
START = 1_795_000_000.0
BLITZ = {"kind": "live", "base": 180, "increment": 2}
SLOW = {"kind": "correspondence", "base": 172_800, "increment": 86_400, "cap": 345_600}


def terms(game: str = "chefa", clock: dict[str, Any] | None = None, **given: Any) -> dict[str, Any]:
    return {"game": game, "clock": clock, **given}


def live(game: str = "chefa", **given: Any) -> NewSeek:
    """A search on a live clock."""
    return NewSeek.model_validate({"terms": [terms(game, BLITZ)], **given})


def slow(game: str = "chefa", **given: Any) -> NewSeek:
    """A seek that stays."""
    return NewSeek.model_validate({"terms": [terms(game, SLOW)], **given})


def _account(person: str, name: str) -> Account:
    return Account(person, name, is_program=False, is_moderator=False, created="2026-11-17T12:00:00.000Z")


class FakeAccounts(Accounts):
    """Ann and Bob have accounts."""

    def __init__(self) -> None:
        """Needs no store."""

    async def find(self, name: str) -> Account | None:
        return {"Ann": _account(ANN, "Ann"), "Bob": _account(BOB, "Bob")}.get(name)

    async def names(self, people: Iterable[str]) -> dict[str, AccountName]:
        known = {ANN: AccountName("Ann", False), BOB: AccountName("Bob", False)}
        return {person: known[person] for person in people if person in known}


class FakeRatings(MatchRater):
    """Ratings as a test sets them."""

    def __init__(self) -> None:
        self.values: dict[str, float] = {}

    async def of(self, person: str, pool: str) -> Rating:  # noqa: ARG002
        return Rating(self.values[person], 60.0, 0.06, 30) if person in self.values else Rating()

    async def many(self, people: Iterable[str], pool: str) -> dict[str, Rating]:
        return {person: await self.of(person, pool) for person in people}


@dataclass(eq=False)
class Page:
    """A page of a person, which keeps what it is sent."""

    person: str
    told: list[dict[str, Any]] = field(default_factory=list)

    def send_text(self, text: str) -> None:
        self.told.append(json.loads(text))

    def last(self, kind: str) -> dict[str, Any]:
        return next(each for each in reversed(self.told) if each["type"] == kind)

    def playing(self, game: str) -> dict[str, Any]:
        """Returns the match of a game that the page shows."""
        found = [each["playing"][game] for each in self.told if game in each.get("playing", {})]
        return dict(found[-1])

    def counts(self) -> dict[str, Any]:
        return dict(next(each["counts"] for each in reversed(self.told) if each.get("counts")))

    def kinds(self) -> list[str]:
        return [each["type"] for each in self.told]


class Scene:
    """A lobby and its clock."""

    def __init__(self, database: Path | str, weekly: str = "", hub: LocalHub | None = None) -> None:
        self.now, self.hub = START, hub or LocalHub()
        self.store, self.ratings = Store(database), FakeRatings()
        self.referee = Referee(self.store, cast(Workers, None), 1.0, hub=self.hub)
        self.people = People(self.store, FakeAccounts(), self.ratings)
        self._weekly = weekly
        self.lobby = self.new_lobby()

    def new_lobby(self) -> Lobby:
        weekly = parse_weekly(self._weekly)
        return Lobby(self.store, self.referee, self.people, weekly=weekly, clock=lambda: self.now, hub=self.hub)

    async def pass_time(self, seconds: float) -> None:
        """Turns the clock and lets the lobby look at what is due."""
        self.now += seconds
        await self.lobby.look()

    async def arrive(self, person: str) -> Page:
        page = Page(person)
        await self.lobby.join(page)
        return page

    async def restart(self) -> None:
        """Begins anew with the same database, as after a kill."""
        await self.lobby.close()
        self.lobby = self.new_lobby()
        await self.lobby.open()


def staged(path: Path, play: Callable[[Scene], Coroutine[Any, Any, T]], weekly: str = "") -> T:
    """Plays a scene in an event loop of its own."""

    async def run() -> T:
        scene = Scene(path / "matches.sqlite", weekly)
        await scene.store.open()
        await scene.lobby.open()
        try:
            return await play(scene)
        finally:
            await scene.lobby.close()
            await scene.referee.close()
            await scene.store.close()

    return asyncio.run(run())
