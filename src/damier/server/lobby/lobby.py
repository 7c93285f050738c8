"""The lobby: open seeks and challenges, who accepts them, and what pages are told of it.

Open seeks are in the database and in the memory of every process. A change is stored first; of two who accept a seek at
once, or two processes that pair it, the database lets one. A seek on a live clock ends ten seconds after its owner has
gone: an owner is here who has a page of the lobby or, as programs do, the stream of their events open, at whatever
process. Others stay for 14 days, unless the owner withdraws them or does not come for a week.

A seeker may play the computer meanwhile: the seek stays open, and when somebody accepts it, the page offers to go to
the new match. No seat of a running match is exchanged.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message, shown
from damier.server.errors import NotAllowed, NotFound, NotNow
from damier.server.hub.hub import Hub
from damier.server.hub.local import LocalHub
from damier.server.lobby import pairing
from damier.server.lobby.feed import Feed
from damier.server.lobby.people import People
from damier.server.lobby.playing import NowPlaying
from damier.server.lobby.seeks.elsewhere import SeeksElsewhere
from damier.server.lobby.seeks.matchmaking import Matchmaking, stored_time
from damier.server.lobby.seeks.open_seeks import OpenSeek, OpenSeeks
from damier.server.lobby.seeks.owners import Owners
from damier.server.lobby.seeks.paired_people import PairedPeople
from damier.server.lobby.terms import is_live, parse_terms, stored_terms
from damier.server.lobby.weekly import SECONDS, WeeklyHour
from damier.server.lobby.wishes import OnSeek, WishList
from damier.server.store.statements import seeks as stored
from damier.server.store.statements.seeks import StoredSeek
from damier.server.tasks import cancel
from damier.server.wire.lobby import (
    DeclinedMessage,
    PairedMessage,
    SeekAnswer,
    SeekData,
    ShownSeek,
    WeeklyData,
)

if TYPE_CHECKING:
    from damier.server.lobby.feed import LobbyListener
    from damier.server.matches.referee import Referee
    from damier.server.store.store import Store
    from damier.server.wire.lobby import NewSeek

_log = logging.getLogger(__name__)

LIFE, ABSENCE = 14 * 86_400.0, 7 * 86_400.0
"""Seconds after which a stored seek expires: since it was made, and since its owner was last here."""

OnClosed = Callable[["OpenSeek", str, "str | None"], None]
OnChallenge = Callable[[str, SeekData], None]

_TICK = 1.0  # seconds between looks at what is due
_SWEEP = 600.0  # seconds between looks for stored seeks that expire
_KEPT = 86_400.0  # seconds for which a closed seek can still be looked at
_COMPARED = 10.0  # seconds between comparisons with the database, if there are other processes


class Lobby:
    """All open seeks and challenges."""

    def __init__(
        self,
        store: Store,
        referee: Referee,
        people: People,
        *,
        weekly: WeeklyHour | None = None,
        clock: Callable[[], float] = time.time,
        hub: Hub | None = None,
    ) -> None:
        self._store, self._referee, self.people, self._clock = store, referee, people, clock
        self._weekly = weekly
        self._hub = hub or LocalHub()
        self.feed = Feed(self.weekly, self._hub)
        self.playing = NowPlaying(store, referee, people, self.feed)
        self.are_blocked: Callable[[str, str], bool] = lambda _one, _other: False
        """Tells of two persons whether one has blocked the other: they are never paired."""

        self.wishes = WishList(store)
        self._open = OpenSeeks(people, self.feed)
        self.owners = Owners(self._open, self.feed, self._hub, clock)
        self._paired = PairedPeople(self.feed, self._hub, clock)
        self._elsewhere = SeeksElsewhere(store, self._open, self._hub, self._opened_elsewhere, self._closed_elsewhere)
        self._compared_at = float("-inf")
        self._matchmaking = Matchmaking(
            store,
            referee,
            self._open,
            self._elsewhere,
            self._paired,
            self._hub,
            clock,
            lambda one, other: self.are_blocked(one, other),
            self._closed_here,
        )
        self._task: asyncio.Task[None] | None = None
        self._swept_at = float("-inf")
        self._on_challenge: list[OnChallenge] = []
        self._on_closed: list[OnClosed] = []
        self._on_challenge_anywhere: list[OnChallenge] = []
        self._on_closed_anywhere: list[OnClosed] = []
        referee.on_end(lambda _live: self.playing.wake())

    async def open(self) -> None:
        """Reads the stored seeks and begins to look after them."""
        recover = partial(stored.recover, at=self._now(), is_alone=not self._hub.is_shared)
        for row in await self._store.write("read seeks", "", recover):
            try:
                self._open.add(await self._open.read(row))
            except DamierError as error:
                _log.warning("The seek %s cannot be played any more and is left out: %s", row.number, error)
        self._task = asyncio.create_task(self._look_after())

    async def close(self) -> None:
        """Stops looking after seeks."""
        await cancel(self._task)
        await self._matchmaking.close()
        await self._elsewhere.close()
        self.playing.close()
        self.feed.close()

    def on_seek(self, callback: OnSeek) -> None:
        """Has a function called with each new open seek and those who want to be told of it; it may create a task."""
        self.wishes.on_seek(callback)

    def on_challenge(self, callback: OnChallenge, *, is_anywhere: bool = False) -> None:
        """Has a function called with each new challenge and the person who is challenged. It must not wait.

        It is called by the process that has stored the challenge; if `is_anywhere`, by every process.
        """
        (self._on_challenge_anywhere if is_anywhere else self._on_challenge).append(callback)

    def on_closed(self, callback: OnClosed, *, is_anywhere: bool = False) -> None:
        """Has a function called with each seek that is closed, its state and its match. It must not wait.

        It is called by the process that has closed the seek; if `is_anywhere`, by every process that had it in memory.
        """
        (self._on_closed_anywhere if is_anywhere else self._on_closed).append(callback)

    def _closed_here(self, number: str, state: str, match: str | None = None) -> None:
        """Takes a seek off that this process has closed, and tells everybody."""
        closed = self._open.get(number)
        self._open.remove(number)
        if closed:
            for callback in (*self._on_closed, *self._on_closed_anywhere):
                callback(closed, state, match)
        self._elsewhere.announce([number])
        self.playing.wake()

    def challenges_of(self, person: str) -> list[SeekData]:
        """Returns the open challenges of a person by others."""
        return self._open.mine(person).challenges

    def weekly(self) -> WeeklyData | None:
        """Returns the weekly hour, if there is one."""
        if self._weekly is None:
            return None
        start = self._weekly.start(datetime.fromtimestamp(self._clock(), UTC))
        return WeeklyData(start=start.isoformat().replace("+00:00", "Z"), seconds=SECONDS)

    # Pages

    async def join(self, listener: LobbyListener) -> None:
        """Adds a page, and sends it the lobby and what is the visitor's own."""
        person = listener.person
        self.feed.join(listener)
        self.playing.wake()
        if not person:
            return
        self.owners.come(person)
        listener.send_text(self._open.mine(person).model_dump_json())
        for told in self._paired.take(person):
            listener.send_text(told.model_dump_json())
        if person in self._open.owners():
            await self._store.write("note a visit", "", partial(stored.saw, person=person, at=self._now()))

    def whole(self, person: str) -> list[str]:
        """Returns the messages that a page needs that has missed some."""
        own = [self._open.mine(person).model_dump_json()] if person else []
        return [self.feed.state_text(), *own]

    def leave(self, listener: LobbyListener) -> None:
        """Removes a page; a live seek of its owner ends soon unless another page comes."""
        if self.feed.leave(listener):
            self.owners.go(listener.person)

    def stream_ended(self, person: str) -> None:
        """Notes that a stream of a person's events has ended: a live seek of theirs ends soon, as without a page."""
        self.owners.go(person)

    # Other processes

    def _opened_elsewhere(self, made: OpenSeek) -> None:
        """Called for each seek that another process has opened."""
        if made.row.rival is not None:
            for callback in self._on_challenge_anywhere:
                callback(made.row.rival, made.data)
        if made.row.kind == "open":  # the other process may not know all that it fits
            self._matchmaking.pair_soon()

    def _closed_elsewhere(self, number: str, closed: OpenSeek | None, row: StoredSeek | None, game: str) -> None:
        """Called for each seek that another process has closed."""
        if row and row.state == "taken" and row.match:
            told = PairedMessage(type="paired", seek=number, match=row.match, game=game)
            self._paired.tell(row.person, told)  # before the seek vanishes from the owner's pages
        elif closed and row and row.state == "declined":
            self._tell_declined(closed)
        self._open.remove(number)
        for callback in self._on_closed_anywhere if closed else ():
            assert closed
            callback(closed, row.state if row else "withdrawn", row.match if row else None)
        self.playing.wake()

    def _tell_declined(self, closed: OpenSeek) -> None:
        assert closed.data.rival
        told = DeclinedMessage(type="declined", seek=closed.row.number, name=closed.data.rival.name)
        self.feed.tell(closed.row.person, told)

    # Requests

    async def seek(self, person: str, new: NewSeek) -> SeekAnswer:
        """Opens a seek or a challenge; an open seek that fits another begins a match at once."""
        terms = parse_terms(new.terms)
        rival = await self._rival(person, new)
        lives = is_live(terms)
        if lives and new.kind == "open":  # one search at a time
            await self._close([each for each in self._open.live_of(person) if each.row.kind == "open"], "withdrawn")
        at = self._now()
        row = StoredSeek(
            number=secrets.token_urlsafe(9),
            person=person,
            kind=new.kind,
            rival=rival,
            terms=stored_terms(terms),
            side=new.side,
            reach=new.reach,
            is_live=lives,
            created=at,
            seen=at,
        )
        await self._store.write("store a seek", "", partial(stored.add, seek=row))
        made = await self._open.read(row)
        self._open.add(made)
        self.owners.go(person)
        if rival is not None:
            for callback in (*self._on_challenge, *self._on_challenge_anywhere):
                callback(rival, made.data)
        if new.kind == "open":
            await self._matchmaking.pair()
        self._elsewhere.announce([row.number])  # others need not try what was tried here
        if new.kind == "open" and self._open.get(row.number):
            await self.wishes.tell(
                made.data, lambda other: other != person and self._matchmaking.may_meet(other, person)
            )
        if self._open.get(row.number):
            return SeekAnswer(seek=made.data, match=None)
        closed = await self._store.read("read a seek", "", partial(stored.find, number=row.number))
        return SeekAnswer(seek=None, match=closed.match if closed else None)

    async def _rival(self, person: str, new: NewSeek) -> str | None:
        """Returns the person whom a challenge is for; raises `BadArgument` or `NotAllowed`."""
        if new.kind != "challenge":
            if new.rival is not None:
                raise BadArgument(message("Only a challenge names an opponent."))
            return None
        account = await self.people.accounts.find(new.rival or "")
        if account is None:
            raise NotFound(message("There is no player {name}.", name=shown(new.rival or "")))
        if account.person == person:
            raise BadArgument(message("You cannot challenge yourself."))
        if self.are_blocked(person, account.person):
            raise NotAllowed(message("You cannot play with this person."))
        return account.person

    async def accept(self, person: str, number: str, place: int = 0) -> str:
        """Begins the match of a seek with whoever accepts it first, and returns its number."""
        found = await self._visible(person, number)
        if found.row.person == person:
            raise NotNow(message("This is your own seek: wait until somebody accepts it."))
        if place >= len(found.seek.terms):
            raise BadArgument(message("The seek does not offer that."))
        terms = found.seek.terms[place]
        if self.are_blocked(person, found.row.person):
            raise NotAllowed(message("You cannot play with this person."))
        ratings = await self.people.ratings_on(person, [terms])
        guest = pairing.Seek("", person, (terms,), found.seek.since, ratings=ratings)
        offered = replace(found.seek, terms=(terms,))
        if found.row.kind == "open" and pairing.fitting_terms(offered, guest, self._clock()) is None:
            raise NotAllowed(message("Your rating is outside the range that this seek asks for."))
        return await self._matchmaking.begin(pairing.Pair(offered, guest, terms), [found])

    async def decline(self, person: str, number: str) -> None:
        """Declines a challenge, and tells its owner."""
        found = await self._visible(person, number)
        if found.row.rival != person:
            raise NotAllowed(message("Only the person who is challenged can decline."))
        await self._close_one(found, "declined")
        self._tell_declined(found)

    async def withdraw(self, person: str, number: str) -> None:
        """Closes a person's own seek."""
        found = await self._visible(person, number)
        if found.row.person != person:
            raise NotAllowed(message("Only the owner of a seek can withdraw it."))
        await self._close_one(found, "withdrawn")

    async def show(self, person: str, number: str) -> ShownSeek:
        """Returns a seek by its number, for a page that was opened by a link."""
        found = self._open.get(number)
        row = found.row if found else await self._store.read("read a seek", "", partial(stored.find, number=number))
        if row is None or (row.kind == "challenge" and person not in (row.person, row.rival)):
            raise _unknown()
        data = (found or await self._open.read(row)).data
        state = "open" if row.state == "taking" else row.state
        match = row.match
        if match and not (await self._referee.find(match)).match.players_of(person):
            match = None
        return ShownSeek.model_validate({"seek": data, "is_mine": row.person == person, "state": state, "match": match})

    async def _visible(self, person: str, number: str) -> OpenSeek:
        """Returns an open seek; raises `NotFound` for one that is not there or is for somebody else."""
        found = self._open.get(number)
        if found is None and self._hub.is_shared:  # another process may have opened it just now
            await self._elsewhere.follow([number])
            found = self._open.get(number)
        if found is None:
            raise _gone()
        if found.row.kind == "challenge" and person not in (found.row.person, found.row.rival):
            raise _unknown()
        return found

    async def rename(self, person: str) -> None:
        """Shows a person's seeks and challenges under the new name."""
        await self._open.rename(person)

    async def forget(self, person: str) -> None:
        """Closes all seeks of a person, and those that challenge them."""
        await self._close(self._open.concerning(person), "withdrawn")

    async def part(self, one: str, other: str) -> None:
        """Closes the challenges between two, of whom one has blocked the other."""
        between = [each for each in self._open.concerning(one) if {each.row.person, each.row.rival} == {one, other}]
        await self._close(between, "withdrawn")

    # What is closed

    async def _close(self, closing: Sequence[OpenSeek], state: str) -> None:
        """Closes seeks, without those whose match is about to begin."""
        for each in closing:
            with contextlib.suppress(NotNow):
                await self._close_one(each, state)

    async def _close_one(self, closing: OpenSeek, state: str) -> None:
        """Closes a seek; raises `NotNow` if its match is about to begin."""
        number = closing.row.number
        with self._elsewhere.deciding([number]):
            close = partial(stored.close, numbers=[number], state=state, at=self._now())
            if not await self._store.write("close a seek", "", close):
                self._elsewhere.hear(number)  # what has become of it
                raise _gone()
            self._closed_here(number, state)

    # What is due

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(_TICK)
            try:
                await self.look()
            except DamierError:
                continue  # the store has logged it; tried again
            except Exception:
                _log.exception("The lobby could not look after its seeks.")

    async def look(self) -> None:
        """Does what time has made due: ends seeks, and pairs those whose ranges have widened."""
        now = self._clock()
        if self._hub.is_shared and now - self._compared_at >= _COMPARED:
            self._compared_at = now
            await self._elsewhere.compare()
        for person in self.owners.gone():
            await self._close(self._open.live_of(person), "withdrawn")
        if self._matchmaking.has_pauses or any(each.reach is not None for each in self._open.waiting()):
            await self._matchmaking.pair()
        if now - self._swept_at >= _SWEEP:
            self._swept_at = now
            await self._sweep(now)

    async def _sweep(self, now: float) -> None:
        at = self._now()
        self._paired.drop_old()
        for person in sorted(filter(self.owners.is_at, self._open.owners())):
            await self._store.write("note a visit", "", partial(stored.saw, person=person, at=at))
        if not await self._hub.lease("sweep seeks", _SWEEP):
            return
        made, seen = stored_time(now - LIFE), stored_time(now - ABSENCE)
        expire = partial(stored.expire, made_before=made, seen_before=seen, at=at)
        for number in await self._store.write("expire seeks", "", expire):
            self._closed_here(number, "expired")
        await self._store.write("delete seeks", "", partial(stored.delete_closed, before=stored_time(now - _KEPT)))

    def _now(self) -> str:
        return stored_time(self._clock())


def _gone() -> NotNow:
    return NotNow(message("Somebody else was faster, or the seek is closed."))


def _unknown() -> NotFound:
    return NotFound(message("There is no such seek."))
