"""The chats of all matches: messages are stored, then told to the pages and programs that may read them.

What a reader gets depends on the seat, on whether the game is over, and on who is muted or blocked. A change of any of
these sends the whole chat anew, at most fifty messages of each room. One lock for each match keeps the order: whoever
joins gets every message once.

Messages that other processes store are announced, and read from the database after the last one that each reader got.
They are committed in the order of their numbers, so that none is missed. Every few seconds the last numbers of all
chats that have readers are compared.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from damier.core.errors import BadArgument
from damier.core.messages import Message, message
from damier.server.civility.avoidance import Avoidance
from damier.server.civility.flood import FloodGate
from damier.server.civility.phrases import phrase_data, phrase_key, phrase_text
from damier.server.civility.rooms import rooms_in
from damier.server.civility.silence import refuse_silent
from damier.server.civility.text import message_text
from damier.server.errors import NotAllowed
from damier.server.hub.local import LocalHub
from damier.server.store.statements import chat as stored
from damier.server.store.statements.chat import StoredLine
from damier.server.store.store import StoreFailed, now
from damier.server.wire.civility.chat import AvoidedPlayer, ChatLine, ChatMessage, SaidMessage, UnsaidMessage

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.server.hub.hub import Hub
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.match import Event
    from damier.server.matches.referee import Referee
    from damier.server.store.store import Store
    from damier.server.wire.matches import SayRequest

T = TypeVar("T")

REPLAYED = 50
"""Messages of each room that a new reader gets."""

_AT_ONCE = 500  # chats that are compared in one statement


class Reader(Protocol):
    """A connection that follows a match."""

    visitor: str

    def send_text(self, text: str) -> None:
        """Sends a message that is encoded already."""


@dataclass(eq=False)
class _Reading:
    """What is known of a reader."""

    lang: str
    last: int | None = None
    """The last message that the reader has got, or need not get; None before the whole chat was sent."""


@dataclass(eq=False)
class _Chat:
    """The chat of a match that somebody reads or writes in."""

    live: LiveMatch
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    readers: dict[Reader, _Reading] = field(default_factory=dict)

    users: int = 0
    """How many hold the lock or wait for it."""

    was_over: bool = False
    """Whether the game was over after the last event."""


class Chats:
    """The chats of all matches."""

    def __init__(
        self,
        store: Store,
        referee: Referee,
        avoidance: Avoidance,
        gate: FloodGate | None = None,
        hub: Hub | None = None,
    ) -> None:
        self._store, self._avoidance, self._gate = store, avoidance, gate or FloodGate()
        self._hub = hub or LocalHub()
        self._chats: dict[str, _Chat] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        referee.on_event(self._after_event)
        self._hub.listen("chat", self._hear, self._compare)
        self._hub.on_resume(self._renew_all)

    async def close(self) -> None:
        """Waits for what has begun."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # Readers

    def join(self, live: LiveMatch, reader: Reader, lang: str) -> None:
        """Adds a reader, who gets the chat as soon as it is read."""
        chat = self._chat(live)
        chat.readers[reader] = _Reading(lang)
        self._begin(self._send_whole(chat, [reader]))

    def leave(self, live: LiveMatch, reader: Reader) -> None:
        """Removes a reader."""
        chat = self._chats.get(live.match.number)
        if chat:
            chat.readers.pop(reader, None)
            self._let_go(chat)

    def renew(self, people: Iterable[str], *, everywhere: bool = False) -> None:
        """Sends the chat anew to all pages of some people, because what they may read or write has changed.

        `everywhere` has other processes do the same, which do not hear of the change otherwise.
        """
        wanted = set(people)
        if everywhere:
            self._hub.announce("chat", "", body={"people": sorted(wanted)})
        for chat in tuple(self._chats.values()):
            readers = [reader for reader in chat.readers if reader.visitor in wanted]
            if readers:
                self._begin(self._send_whole(chat, readers))

    def renew_matches(self, numbers: Iterable[str], *, everywhere: bool = False) -> None:
        """Sends the chats of some matches anew to all their readers."""
        for number in numbers:
            if everywhere:
                self._hub.announce("chat", number, body={"is_changed": True})
            if chat := self._chats.get(number):
                self._begin(self._send_whole(chat, tuple(chat.readers)))

    def _after_event(self, live: LiveMatch, event: Event | None) -> None:
        """Sends the chat anew when somebody has taken a seat, the game is over, or the end was taken back."""
        chat, is_over = self._chats.get(live.match.number), live.match.record.result is not None
        if chat and event and (event.kind == "seat" or is_over != chat.was_over):
            chat.was_over = is_over
            self.renew_matches([live.match.number])

    async def _send_whole(self, chat: _Chat, readers: Iterable[Reader]) -> None:
        async with self._locked(chat):
            for reader in readers:
                if reading := chat.readers.get(reader):
                    with contextlib.suppress(StoreFailed):  # which is logged; the match goes on without its chat
                        told, last = await self._whole(chat.live, reader.visitor, reading.lang)
                        if reader in chat.readers:
                            reader.send_text(told.model_dump_json())
                            reading.last = last

    async def _whole(self, live: LiveMatch, person: str, lang: str) -> tuple[ChatMessage, int]:
        """Returns a chat as a person reads it, and the number of the last message in it, shown or not."""
        match, rooms = live.match, rooms_in(live.match, person)

        def read(connection: Connection) -> tuple[int, list[StoredLine], stored.Speaker]:
            last = stored.last_number(connection, match.number)
            lines = stored.last_lines(connection, match.number, rooms, REPLAYED)
            return last, lines, stored.speaker(connection, person)

        last, lines, speaker = await self._store.read("read the chat", match.number, read)
        shown = [line for line in lines if line.number <= last and not self._avoidance.hides(person, line.person)]
        avoided = self._avoidance.of(person)
        until = speaker.silent_until
        whole = ChatMessage(
            type="chat",
            rooms=list(rooms_in(match, person)),
            may_write_text=speaker.account is not None,
            silent_until=until if until and until > now() else None,
            phrases=phrase_data(lang),
            avoided={
                seat.player: AvoidedPlayer.model_validate({"number": found.number, "kind": found.kind})
                for seat in match.seats
                if (found := avoided.get(seat.visitor or ""))
            },
            lines=[_line_data(live, line, person, lang) for line in shown],
        )
        return whole, last

    # Messages

    async def say(self, live: LiveMatch, person: str, asked: SayRequest) -> None:
        """Stores a message and tells it to all who may read it; raises a `DamierError` that refuses it."""
        await asyncio.shield(self._begin(self._say(live, person, asked)))

    async def _say(self, live: LiveMatch, person: str, asked: SayRequest) -> None:
        if not person:
            raise NotAllowed(message("Open a page of this server first: only who has its cookie can write."))
        number, request = live.match.number, asked.id.replace("\0", "?")
        chat = self._chat(live)
        async with self._locked(chat):
            speaker, is_stored = await self._look_up(number, person, request)
            if is_stored:  # it was sent again, maybe to another process
                return
            rooms = rooms_in(live.match, person)
            room = asked.room or (rooms[0] if rooms else "players")
            if room not in rooms:
                raise NotAllowed(_closed_room(room, has_rooms=bool(rooms)))
            if (asked.phrase is None) == (asked.text is None):
                raise BadArgument(message("Send either a phrase or a text."))
            phrase = phrase_key(asked.phrase) if asked.phrase is not None else None
            text = message_text(asked.text) if asked.text is not None else ""
            if text and speaker.account is None:
                raise NotAllowed(message("Guests can send phrases only: sign in to write."))
            refuse_silent(speaker.silent_until)
            if not self._gate.has_passed(person, (number, request)):  # it was not stored then
                self._gate.enter(person, text or f"phrase {phrase}", (number, request))
            row = {
                "match": number,
                "room": room,
                "person": person,
                "phrase": phrase,
                "text": text,
                "at": now(),
                "request": request,
            }
            line = await self._store.write("store a message", number, partial(stored.add_line, row=row))
            if line:
                self._hub.announce("chat", number, line.number)
                if self._hub.is_shared:
                    with contextlib.suppress(StoreFailed):  # which is logged; the next comparison tries again
                        await self._read_on(chat)  # also what others have stored before it
                else:
                    self._tell(chat, line)

    async def _look_up(self, match: str, person: str, request: str) -> tuple[stored.Speaker, bool]:
        """Returns what decides whether a person may write, and whether a request is answered already."""

        def read(connection: Connection) -> tuple[stored.Speaker, bool]:
            return stored.speaker(connection, person), stored.has_line(connection, match, person, request)

        return await self._store.read("look up a person", match, read)

    def _tell(self, chat: _Chat, line: StoredLine) -> None:
        """Tells a message to all who have not got it; who has not got the whole chat yet gets it with that."""
        texts: dict[tuple[str, bool], str] = {}
        for reader, reading in tuple(chat.readers.items()):
            if reading.last is None or reading.last >= line.number:
                continue
            person, lang, reading.last = reader.visitor, reading.lang, line.number
            if line.room in rooms_in(chat.live.match, person) and not self._avoidance.hides(person, line.person):
                key = (lang, person == line.person)
                if key not in texts:
                    data = _line_data(chat.live, line, person, lang)
                    texts[key] = SaidMessage(type="said", line=data).model_dump_json()
                reader.send_text(texts[key])

    async def tell_removed(self, match: str, number: int, *, everywhere: bool = False) -> None:
        """Tells all readers of a chat that a message, which is deleted already, is gone."""
        if everywhere:
            self._hub.announce("chat", match, body={"removed": number})
        chat = self._chats.get(match)
        if chat:
            async with self._locked(chat):
                text = UnsaidMessage(type="unsaid", number=number).model_dump_json()
                for reader in tuple(chat.readers):
                    reader.send_text(text)

    # What other processes store

    def _hear(self, match: str, number: int, body: Any) -> None:
        if body and "people" in body:
            self.renew(body["people"])
        elif body and "removed" in body:
            self._begin(self.tell_removed(match, body["removed"]))
        elif body:
            self.renew_matches([match])
        elif (chat := self._chats.get(match)) and _is_behind(chat, number):
            self._begin(self._catch_up(chat))

    async def _catch_up(self, chat: _Chat) -> None:
        async with self._locked(chat):
            with contextlib.suppress(StoreFailed):  # which is logged; the next message or comparison tries again
                await self._read_on(chat)

    async def _read_on(self, chat: _Chat) -> None:
        """Tells what is stored after the last message that each reader has got. Called under the lock of the chat."""
        got = [reading.last for reading in chat.readers.values() if reading.last is not None]
        if got:
            number = chat.live.match.number
            read = partial(stored.lines_after, match=number, number=min(got))
            for line in await self._store.read("read the chat", number, read):
                self._tell(chat, line)

    async def _compare(self) -> None:
        """Reads on in all chats that are behind, because announcements may have been lost."""
        read_by_some = [number for number, chat in self._chats.items() if chat.readers]
        for first in range(0, len(read_by_some), _AT_ONCE):
            some = read_by_some[first : first + _AT_ONCE]
            last = await self._store.read("compare chats", "", partial(stored.last_numbers, matches=some))
            for number in some:
                if (chat := self._chats.get(number)) and _is_behind(chat, last.get(number, 0)):
                    await self._catch_up(chat)

    async def _renew_all(self) -> None:
        self.renew_matches(tuple(self._chats))

    # Chats in memory: those that somebody reads or writes in

    def _chat(self, live: LiveMatch) -> _Chat:
        is_over = live.match.record.result is not None
        return self._chats.setdefault(live.match.number, _Chat(live, was_over=is_over))

    @contextlib.asynccontextmanager
    async def _locked(self, chat: _Chat) -> AsyncIterator[None]:
        chat.users += 1
        try:
            async with chat.lock:
                yield
        finally:
            chat.users -= 1
            self._let_go(chat)

    def _let_go(self, chat: _Chat) -> None:
        if not chat.readers and not chat.users:
            self._chats.pop(chat.live.match.number, None)

    def _begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begins a task that is finished even if the one who asks goes away."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _is_behind(chat: _Chat, number: int) -> bool:
    return any(reading.last is not None and reading.last < number for reading in chat.readers.values())


def _closed_room(room: str, *, has_rooms: bool) -> Message:
    if not has_rooms:
        return message("Nobody else plays here: there is nobody to write to.")
    if room == "players":
        return message("Only the players write there until the game is over.")
    return message("Players do not write to the spectators until the game is over.")


def _line_data(live: LiveMatch, line: StoredLine, person: str, lang: str) -> ChatLine:
    players = live.match.players_of(line.person)
    return ChatLine.model_validate(
        {
            "number": line.number,
            "room": line.room,
            "name": line.name,
            "account": line.account,
            "player": players[0] if players else None,
            "is_mine": line.person == person,
            "phrase": line.phrase,
            "text": phrase_text(line.phrase, lang) if line.phrase else line.text,
            "at": line.at,
        }
    )
