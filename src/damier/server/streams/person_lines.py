"""The stream of a person's events: matches that begin and end, offers, and "it is your turn".

Opening it tells all that is current first, each match as it stands when its place comes, or earlier if it changes
meanwhile. Every event is handled in the moment in which it changes the match. So nothing is missed or told twice.

Events of other processes are announced. When announcements may have been missed, streams are ended, and clients open
them again; and every few seconds what was told is compared with the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.server.board_data import result_data
from damier.server.hub.hub import STREAMS
from damier.server.matches.clock import VACATION_EVENTS
from damier.server.matches.match_data import offer_data, summary
from damier.server.matches.referee import UnknownMatch
from damier.server.store.statements.clocks import last_events_of
from damier.server.store.stored_match import DamagedMatch
from damier.server.streams.lines import LineStream
from damier.server.streams.turns import offer_seq, turn_seq
from damier.server.wire.streams import (
    BegunMessage,
    OfferMessage,
    OverMessage,
    ReadyMessage,
    TurnMessage,
    VacationMessage,
)

if TYPE_CHECKING:
    from damier.server.hub.hub import Hub
    from damier.server.matches.live_match import LiveMatch
    from damier.server.matches.match import Event
    from damier.server.matches.referee import Referee
    from damier.server.store.store import Store
    from damier.server.wire.model import WireModel

    Replay = Callable[[str, str], Awaitable[list[WireModel]]]

_log = logging.getLogger(__name__)

_COMPARED = 10.0  # seconds between comparisons with the database
_AT_ONCE = 100  # people who are compared in one statement
_SESSION = "session "  # how the clients of sessions are named


def session_client(number: str) -> str:
    """Returns the name of the client that a session identifies."""
    return _SESSION + number


def token_client(number: str) -> str:
    """Returns the name of the client that an API token identifies."""
    return f"token {number}"


class PersonLines(LineStream):
    """One client of the stream of a person's events."""

    def __init__(self, person: str, lang: str, client: str = "", opened: int = 0) -> None:
        super().__init__(lang)
        self.person, self.client = person, client
        self.rank = opened, secrets.token_hex(8)
        """Of two streams of one client, the one of the higher rank is newer."""

        self.tasks: set[asyncio.Task[None]] = set()
        self.told: dict[str, int] = {}
        """The matches that are being played and that the client has been told of, with their last events then."""

    def tell_current(self, live: LiveMatch) -> None:
        """Tells a match as it stands, unless it is over or told already."""
        match = live.match
        if match.number in self.told or match.record.result or not match.players_of(self.person):
            return
        self.told[match.number] = match.seq
        self.send(BegunMessage(type="begun", match=summary(live.snapshot(self.person, self.lang))))
        self._tell_turn(live, turn_seq(match, match.players_of(self.person)))
        self._tell_offer(live)
        for player in match.clocks.away_at(live.time.now()) if match.clocks else ():
            self._tell_vacation(live, player)

    def handle(self, live: LiveMatch, event: Event | None) -> None:
        """Tells what an event, or the beginning of a match, means for the person."""
        match = live.match
        if match.number not in self.told:
            self.tell_current(live)
            if match.record.result and event and event.kind == "offer":
                self._tell_offer(live)
            return
        before = self.told[match.number]
        self.told[match.number] = match.seq
        if match.record.result:
            del self.told[match.number]
            result = result_data(match.record.position, match.record.result, self.lang)
            assert result
            self.send(OverMessage(type="over", number=match.number, seq=match.seq, result=result))
            return
        if event and event.kind in VACATION_EVENTS:
            self._tell_vacation(live, event.player)
        if (offered := offer_seq(match)) and offered > before:
            self._tell_offer(live)
        turn = turn_seq(match, match.players_of(self.person)) if match.seq > before else None
        if turn and turn > before:
            self._tell_turn(live, turn)

    def _tell_turn(self, live: LiveMatch, seq: int | None) -> None:
        match = live.match
        if seq is not None:
            self.send(TurnMessage(type="turn", number=match.number, seq=seq, player=match.record.mover))

    def _tell_vacation(self, live: LiveMatch, player: str | None) -> None:
        match = live.match
        if match.clocks and player is not None:
            left = match.clocks.away_at(live.time.now()).get(player)
            number, seq = match.number, match.seq
            self.send(VacationMessage(type="vacation", number=number, seq=seq, player=player, ends_in=left))

    def _tell_offer(self, live: LiveMatch) -> None:
        match, mine = live.match, live.match.players_of(self.person)
        seq = offer_seq(match)
        if match.offer and seq and set(mine) & set(match.asked_players()):
            offer = offer_data(match.offer, match.asked_players(), mine)
            self.send(OfferMessage(type="offer", number=match.number, seq=seq, offer=offer))


class PersonStreams:
    """The open streams of all persons' events: one for each token, or for each browser."""

    def __init__(self, referee: Referee, store: Store, hub: Hub) -> None:
        self._referee, self._store, self._hub = referee, store, hub
        self._open: dict[str, dict[str, PersonLines]] = {}
        """By person and by what identifies the client."""

        self._replays: list[Replay] = []
        self._on_leave: list[Callable[[str], None]] = []
        self._opened = int(time.time() * 1000)
        """The number of the last stream that was opened anywhere: a later one has a higher number."""

        self._compared_at = float("-inf")
        referee.on_event(self._handle)
        self._hub.listen("stream", self._hear_opened, self._compare_sometimes)
        self._hub.on_resume(self._begin_anew)

    def add_replay(self, replay: Replay) -> None:
        """Has a function called when a stream is opened, with the person and a language: it returns what is current."""
        self._replays.append(replay)

    def on_leave(self, callback: Callable[[str], None]) -> None:
        """Has a function called with the person of each stream that has ended. It must not wait."""
        self._on_leave.append(callback)

    def has(self, person: str) -> bool:
        """Tells whether a stream of a person is open."""
        return person in self._open

    def tell(self, person: str, line: WireModel) -> None:
        """Sends a line to the streams of a person."""
        for stream in tuple(self._open.get(person, {}).values()):
            stream.send(line)

    def open(self, person: str, client: str, lang: str) -> PersonLines:
        """Opens a stream in the place of the one that the same client may have open, and begins to fill it."""
        self._opened += 1
        stream = PersonLines(person, lang, client, self._opened)
        own = self._open.setdefault(person, {})
        if older := own.get(client):
            older.end("newer")
        own[client] = stream
        self._hub.enter(STREAMS, person)
        self._referee.follow_person(person)
        self._announce(stream)
        filling = asyncio.create_task(self._fill(stream))
        stream.tasks.add(filling)
        filling.add_done_callback(stream.tasks.discard)
        return stream

    def leave(self, client: str, stream: PersonLines) -> None:
        """Forgets a stream that has ended."""
        for task in stream.tasks:
            task.cancel()
        self._hub.leave(STREAMS, stream.person)
        self._referee.unfollow_person(stream.person)
        own = self._open.get(stream.person, {})
        if own.get(client) is stream:
            del own[client]
            if not own:
                del self._open[stream.person]
        for callback in self._on_leave:
            callback(stream.person)

    def end_all(self, person: str) -> None:
        """Ends the streams of a person who is forgotten."""
        self._end(person, lambda _client: True)

    def sign_out(self, person: str, *, session: str = "", besides: str = "") -> None:
        """Ends the streams of a session of a person, or of all sessions besides one; those of tokens go on."""
        ended = session_client(session)
        kept = session_client(besides)
        self._end(
            person,
            lambda client: client == ended if session else client.startswith(_SESSION) and client != kept,
        )

    def revoke(self, person: str, token: str) -> None:
        """Ends the stream of a token that is revoked."""
        self._end(person, lambda client: client == token_client(token))

    def _end(self, person: str, is_ended: Callable[[str], bool]) -> None:
        for client, stream in tuple(self._open.get(person, {}).items()):
            if is_ended(client):
                stream.end("signed_out")

    # Other processes

    def _announce(self, stream: PersonLines) -> None:
        opened, name = stream.rank
        if self._hub.is_shared:
            self._hub.announce("stream", stream.person, opened, [stream.client, name])

    def _hear_opened(self, person: str, opened: int, body: Sequence[str]) -> None:
        """Ends the stream of a client that has opened a newer one at another process, or has that one ended."""
        client, name = body
        self._opened = max(self._opened, opened)
        stream = self._open.get(person, {}).get(client)
        if stream is None or stream.is_ended:
            return
        if stream.rank < (opened, name):
            stream.end("newer")
        else:  # both were opened at once
            self._announce(stream)

    async def _begin_anew(self) -> None:
        """Ends all streams, because lines may have been missed: clients open them again."""
        for own in tuple(self._open.values()):
            for stream in tuple(own.values()):
                stream.end("failed")

    async def _compare_sometimes(self) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._compared_at >= _COMPARED:
            self._compared_at = now
            await self.compare()

    async def compare(self) -> None:
        """Tells what the database has and streams were not told, in case an announcement was lost."""
        people = iter(list(self._open))
        while some := list(islice(people, _AT_ONCE)):
            read = partial(last_events_of, people=some)
            found = await self._store.read("compare the matches of visitors", "", read)
            for person in some:
                for stream in tuple(self._open.get(person, {}).values()):
                    await self._tell_missed(stream, found.get(person, {}))

    async def _tell_missed(self, stream: PersonLines, stored: Mapping[str, int]) -> None:
        """Tells what has changed in matches that a stream was told of; `stored` are the last events of current ones."""
        ended = [number for number in stream.told if number not in stored]
        behind = [number for number, seq in stored.items() if seq > stream.told.get(number, -1)]
        for number in (*ended, *behind):
            try:
                stream.handle(await self._referee.find(number), None)
            except (UnknownMatch, DamagedMatch):  # deleted meanwhile; or logged
                stream.told.pop(number, None)

    async def _fill(self, stream: PersonLines) -> None:
        """Tells what is current, each match as it stands when its place comes."""
        try:
            for number in await self._referee.current(stream.person):
                with contextlib.suppress(UnknownMatch, DamagedMatch):  # deleted meanwhile; or logged
                    stream.tell_current(await self._referee.find(number))
                await stream.wait_for_room()
            for replay in self._replays:
                for line in await replay(stream.person, stream.lang):
                    stream.send(line)
                    await stream.wait_for_room()
            stream.send(ReadyMessage(type="ready"))
        except Exception as error:
            _log.error("The events of a person cannot be told: %s", error, exc_info=error)
            stream.end("failed")

    # Events of matches

    def _handle(self, live: LiveMatch, event: Event | None) -> None:
        for person in {seat.visitor for seat in live.match.seats if seat.visitor in self._open}:
            assert person is not None
            for stream in tuple(self._open[person].values()):
                stream.handle(live, event)
                if event and event.kind == "rematch" and event.number:
                    following = asyncio.create_task(self._tell_following(stream, event.number))
                    stream.tasks.add(following)
                    following.add_done_callback(stream.tasks.discard)

    async def _tell_following(self, stream: PersonLines, number: str) -> None:
        """Tells the match that follows another, which is loaded for it."""
        try:
            stream.tell_current(await self._referee.find(number))
        except DamierError as error:  # the client finds it when it opens its stream again
            _log.warning("Match %s: a rematch cannot be told: %s", number, error, extra={"match": number})
            stream.end("failed")
