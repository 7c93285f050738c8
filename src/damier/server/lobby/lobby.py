"""The lobby: open seeks and challenges, who accepts them, and what pages are told of it.

Open seeks are in the database and in memory. A change is stored first; of two who accept a seek at once the database
lets one. A seek on a live clock ends ten seconds after its owner has gone, and with the server: an owner is here who
has a page of the lobby or, as programs do, the stream of their events open. Others stay for 14 days, unless the owner
withdraws them or does not come for a week.

A seeker may play the computer meanwhile: the seek stays open, and when somebody accepts it, the page offers to go to
the new match. No seat of a running match is exchanged.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
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
from damier.server.lobby.open_seeks import OpenSeek, OpenSeeks
from damier.server.lobby.people import People
from damier.server.lobby.playing import NowPlaying
from damier.server.lobby.terms import game_of, is_live, parse_terms, stored_terms
from damier.server.lobby.weekly import SECONDS, WeeklyHour
from damier.server.lobby.wishes import OnSeek, WishList
from damier.server.store.statements import seeks as stored
from damier.server.store.statements.seeks import StoredSeek, origin_of
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
    from damier.server.lobby.pairing import Pair
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.referee import Referee
    from damier.server.store.store import Store
    from damier.server.wire.lobby import NewSeek

_log = logging.getLogger(__name__)

GRACE = 10.0
"""Seconds for which a live seek outlives its owner's last page or stream."""

LIFE, ABSENCE = 14 * 86_400.0, 7 * 86_400.0
"""Seconds after which a stored seek expires: since it was made, and since its owner was last here."""

OnClosed = Callable[["OpenSeek", str, "str | None"], None]

_TICK = 1.0  # seconds between looks at what is due
_SWEEP = 600.0  # seconds between looks for stored seeks that expire
_KEPT = 86_400.0  # seconds for which a closed seek can still be looked at
_UNTOLD = 600.0  # seconds for which somebody without a page may still be told of a match
_AT_ONCE = 50  # seeks that are paired in the loop; more are paired in a thread


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
        self.feed = Feed(self.weekly, hub or LocalHub())
        self.playing = NowPlaying(store, referee, people, self.feed)
        self.are_blocked: Callable[[str, str], bool] = lambda _one, _other: False
        """Tells of two persons whether one has blocked the other: they are never paired."""

        self.has_stream: Callable[[str], bool] = lambda _person: False
        """Tells of a person whether a program of theirs follows their events: they are here, then, without a page."""

        self.wishes = WishList(store)
        self._open = OpenSeeks(people, self.feed)
        self._left: dict[str, float] = {}
        """When the last page or stream of an owner of live seeks has gone."""

        self._untold: dict[str, list[tuple[float, PairedMessage]]] = {}
        self._pauses = pairing.Pauses()
        self._pairing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[str]] = set()
        self._swept_at = float("-inf")
        self._on_challenge: list[Callable[[str, SeekData], None]] = []
        self._on_closed: list[OnClosed] = []
        referee.on_end(self._after_game)

    async def open(self) -> None:
        """Reads the stored seeks and begins to look after them."""
        for row in await self._store.write("read seeks", "", partial(stored.recover, at=self._now())):
            try:
                self._open.add(await self._open.read(row))
            except DamierError as error:
                _log.warning("The seek %s cannot be played any more and is left out: %s", row.number, error)
        self._task = asyncio.create_task(self._look_after())

    async def close(self) -> None:
        """Stops looking after seeks."""
        await cancel(self._task)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.playing.close()
        self.feed.close()

    def on_seek(self, callback: OnSeek) -> None:
        """Has a function called with each new open seek and those who want to be told of it; it may create a task."""
        self.wishes.on_seek(callback)

    def on_challenge(self, callback: Callable[[str, SeekData], None]) -> None:
        """Has a function called with each new challenge and the person who is challenged. It must not wait."""
        self._on_challenge.append(callback)

    def on_closed(self, callback: OnClosed) -> None:
        """Has a function called with each seek that is closed, its state and its match. It must not wait."""
        self._on_closed.append(callback)

    def _tell_closed(self, closed: OpenSeek, state: str, match: str | None) -> None:
        for callback in self._on_closed:
            callback(closed, state, match)

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
        self._left.pop(person, None)
        listener.send_text(self._open.mine(person).model_dump_json())
        since = self._clock() - _UNTOLD
        for at, told in self._untold.pop(person, []):
            if at >= since:
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
            self._left[listener.person] = self._clock()

    def stream_ended(self, person: str) -> None:
        """Notes that a stream of a person's events has ended: a live seek of theirs ends soon, as without a page."""
        if self._open.live_of(person) and not self._is_here(person):
            self._left[person] = self._clock()

    def _is_here(self, person: str) -> bool:
        return self.feed.is_here(person) or self.has_stream(person)

    def _tell_paired(self, person: str, told: PairedMessage) -> None:
        if self.feed.is_here(person):
            self.feed.tell(person, told)
        else:
            self._untold.setdefault(person, []).append((self._clock(), told))

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
        if lives and not self._is_here(person):
            self._left[person] = self._clock()
        if rival is not None:
            for callback in self._on_challenge:
                callback(rival, made.data)
        if new.kind == "open":
            await self._pair()
            if self._open.get(row.number):
                await self.wishes.tell(made.data, lambda other: other != person and self._may_meet(other, person))
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
        found = self._visible(person, number)
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
        return await self._begin(pairing.Pair(offered, guest, terms), [found])

    async def decline(self, person: str, number: str) -> None:
        """Declines a challenge, and tells its owner."""
        found = self._visible(person, number)
        if found.row.rival != person:
            raise NotAllowed(message("Only the person who is challenged can decline."))
        await self._close_one(found, "declined")
        assert found.data.rival
        told = DeclinedMessage(type="declined", seek=number, name=found.data.rival.name)
        self.feed.tell(found.row.person, told)

    async def withdraw(self, person: str, number: str) -> None:
        """Closes a person's own seek."""
        found = self._visible(person, number)
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
        state = "open" if row.state in ("open", "taking") else row.state
        match = row.match
        if match and not (await self._referee.find(match)).match.players_of(person):
            match = None
        return ShownSeek.model_validate({"seek": data, "is_mine": row.person == person, "state": state, "match": match})

    def _visible(self, person: str, number: str) -> OpenSeek:
        """Returns an open seek; raises `NotFound` for one that is not there or is for somebody else."""
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

    # Pairing

    def _may_meet(self, one: str, other: str) -> bool:
        return not self._pauses.are_apart(one, other, self._clock()) and not self.are_blocked(one, other)

    async def _pair(self) -> None:
        """Pairs all that fit now."""
        async with self._pairing:
            waiting = self._open.waiting()
            if len(waiting) > _AT_ONCE:
                found = await asyncio.to_thread(pairing.pairs, waiting, self._clock(), self._may_meet)
            else:
                found = pairing.pairs(waiting, self._clock(), self._may_meet)
            for pair in found:
                older, younger = self._open.get(pair.older.number), self._open.get(pair.younger.number)
                if older and younger:
                    with contextlib.suppress(NotNow):  # one of them was accepted meanwhile
                        await self._begin(pair, [older, younger])

    async def _begin(self, pair: Pair, taken: Sequence[OpenSeek]) -> str:
        """Begins the match of two; raises `NotNow` if one of the seeks is closed by now."""
        task = asyncio.create_task(self._begun(pair, taken))  # finished even if the one who asks goes away
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _begun(self, pair: Pair, taken: Sequence[OpenSeek]) -> str:
        numbers = [each.row.number for each in taken]
        await self._store.write("claim seeks", "", partial(stored.claim, numbers=numbers))
        number: str | None = None
        try:
            order = pairing.seated(pair, secrets.randbelow(2) == 0)
            about = {"control": pair.terms.clock, "is_rated": pair.terms.is_rated, "origin": origin_of(numbers[0])}
            live = await self._referee.begin_between(game_of(pair.terms), order, **about)  # type: ignore[arg-type]
            number = live.match.number
        finally:
            settle = partial(stored.settle, numbers=numbers, match=number, at=self._now())
            await self._store.write("settle seeks", "", settle)
        for each in taken:
            told = PairedMessage(type="paired", seek=each.row.number, match=number, game=pair.terms.game)
            self._tell_paired(each.row.person, told)  # before the seek vanishes from the owner's pages
            self._open.remove(each)
            self._tell_closed(each, "taken", number)
        if is_live([pair.terms]):  # both are busy now
            busy = [each for person in order for each in self._open.live_of(person)]
            await self._close(busy, "withdrawn")
        self.playing.wake()
        return number

    def _after_game(self, live: LiveMatch) -> None:
        """Keeps two apart for a while if one of them has aborted the game."""
        result = live.match.record.result
        if result is None or result.reason == "abort":
            people = sorted({seat.visitor for seat in live.match.seats if seat.visitor})
            for one, other in itertools.combinations(people, 2):
                self._pauses.add(one, other, self._clock())
        self.playing.wake()

    async def _close(self, closing: Sequence[OpenSeek], state: str) -> None:
        """Closes seeks, without those whose match is about to begin."""
        for each in closing:
            with contextlib.suppress(NotNow):
                await self._close_one(each, state)

    async def _close_one(self, closing: OpenSeek, state: str) -> None:
        """Closes a seek; raises `NotNow` if its match is about to begin."""
        close = partial(stored.close, numbers=[closing.row.number], state=state, at=self._now())
        if not await self._store.write("close a seek", "", close):
            raise _gone()
        self._open.remove(closing)
        self._tell_closed(closing, state, None)

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
        gone = [person for person, at in self._left.items() if now - at >= GRACE and not self._is_here(person)]
        for person in gone:
            await self._close(self._open.live_of(person), "withdrawn")
            self._left.pop(person, None)
        if self._pauses or any(each.reach is not None for each in self._open.waiting()):
            await self._pair()
        if now - self._swept_at >= _SWEEP:
            self._swept_at = now
            await self._sweep(now)

    async def _sweep(self, now: float) -> None:
        at = self._now()
        for person in sorted(filter(self._is_here, self._open.owners())):
            await self._store.write("note a visit", "", partial(stored.saw, person=person, at=at))
        made, seen = _time(now - LIFE), _time(now - ABSENCE)
        expire = partial(stored.expire, made_before=made, seen_before=seen, at=at)
        for number in await self._store.write("expire seeks", "", expire):
            if found := self._open.get(number):
                self._open.remove(found)
        await self._store.write("delete seeks", "", partial(stored.delete_closed, before=_time(now - _KEPT)))
        kept = {person: [each for each in told if each[0] >= now - _UNTOLD] for person, told in self._untold.items()}
        self._untold = {person: told for person, told in kept.items() if told}

    def _now(self) -> str:
        return _time(self._clock())


def _time(seconds: float) -> str:
    """Returns a time as `store.now` writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _gone() -> NotNow:
    return NotNow(message("Somebody else was faster, or the seek is closed."))


def _unknown() -> NotFound:
    return NotFound(message("There is no such seek."))
