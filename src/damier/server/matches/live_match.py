"""A match in memory: its connections, its lock, and the messages that they are sent.

An event is encoded once for all connections: the part of the state that all visitors share once for each language, the
part that depends on the seats that a visitor holds once for each holder and once for all spectators. Nothing that an
event costs grows with the match.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Protocol

from damier.server.matches.match_data import (
    common_state,
    event_data,
    history_change,
    match_state,
    own_state,
    snapshot,
)
from damier.server.people.nicknames import given_nickname
from damier.server.wire.matches import NamesMessage, PresenceMessage, SeatData, SnapshotMessage

if TYPE_CHECKING:
    from damier.server.matches.match import Event, Match
    from damier.server.wire.matches import CommonState, MatchSnapshot
    from damier.server.wire.model import WireModel


class Listener(Protocol):
    """A connection that follows a match."""

    visitor: str

    def send_text(self, text: str) -> None:
        """Sends a message that is encoded already."""

    def handle_event(self, seq: int, event: Event) -> None:
        """Handles an event, which has just changed the match."""


class LiveMatch:
    """A match in memory."""

    def __init__(self, match: Match, address: str = "") -> None:
        self.match = match
        self.address = address
        """Where the match was begun or a player was last connected from, if known: for a fair share of the engines."""

        self.nicknames: dict[str, str] = {}
        """Those that visitors at the board have chosen, by visitor."""

        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.due: asyncio.Task[None] | None = None
        """What happens without a request: rolls that could not be stored, and the computer's turn."""

        self.notice: WireModel | None = None
        """What the pages are told of it: that the computer is thinking, or why its turn is delayed."""

        self.is_doubtful = False
        """Whether the database may have events that are not in memory, because storing them failed."""

        self._here: Counter[str] = Counter()
        """How many connections each visitor has."""

        self._told_here: list[str] = []
        self._known_seq = -1
        self._common: dict[str, CommonState] = {}
        """The part of the state after the last event that all visitors share, by language."""

        self._encoded: dict[object, str] = {}
        """Parts of the message about the last event, by what they depend on."""

    @property
    def is_in_use(self) -> bool:
        """Whether somebody follows the match, or it is being changed."""
        return bool(self.listeners or self.due or self.lock.locked())

    # Connections

    def join(self, listener: Listener, lang: str) -> None:
        """Adds a connection, sends it a snapshot, and informs all others if a seat is now present."""
        self.listeners.add(listener)
        self._here[listener.visitor] += 1
        listener.send_text(self._snapshot_text(listener.visitor, lang))
        if self.notice:
            listener.send_text(self.notice.model_dump_json())
        self.tell_presence()

    def leave(self, listener: Listener) -> None:
        """Removes a connection, and informs all others if a seat is no longer present."""
        self.listeners.discard(listener)
        self._here[listener.visitor] -= 1
        if not self._here[listener.visitor]:
            del self._here[listener.visitor]
        self.tell_presence()

    def tell_presence(self) -> None:
        """Informs all connections which seats are present, if that has changed."""
        seats = [seat.player for seat in self.match.seats if seat.visitor in self._here]
        if seats != self._told_here:
            self._told_here = seats
            self.broadcast(PresenceMessage(type="here", seats=seats))

    def broadcast(self, message: WireModel) -> None:
        """Sends a message to all connections."""
        text = message.model_dump_json()
        for listener in tuple(self.listeners):
            listener.send_text(text)

    # Messages

    def event_text(self, seq: int, event: Event, visitor: str, lang: str) -> str:
        """Returns the message about an event, which is the last one of the match."""
        self._forget_old()
        mine = tuple(self.match.players_of(visitor))
        key = (lang, mine)
        if key not in self._encoded:
            parts = (self._event_part(seq, event), self._common_part(lang), self._own_part(visitor, mine))
            self._encoded[key] = "".join(parts)
        return self._encoded[key]

    def _forget_old(self) -> None:
        if self._known_seq != self.match.seq:
            self._known_seq, self._common, self._encoded = self.match.seq, {}, {}

    def _common_state(self, lang: str) -> CommonState:
        self._forget_old()
        if lang not in self._common:
            self._common[lang] = common_state(self.match, lang)
        return self._common[lang]

    def _event_part(self, seq: int, event: Event) -> str:
        if "event" not in self._encoded:
            happened, change = event_data(event).model_dump_json(), history_change(self.match, event).model_dump_json()
            self._encoded["event"] = f'{{"type":"event","seq":{seq},"event":{happened},"history":{change},"state":'
        return self._encoded["event"]

    def _common_part(self, lang: str) -> str:
        """Returns the state without its closing brace."""
        if lang not in self._encoded:
            self._encoded[lang] = self._common_state(lang).model_dump_json(exclude={"last_turns"})[:-1]
        return self._encoded[lang]

    def _own_part(self, visitor: str, mine: tuple[str, ...]) -> str:
        """Returns the rest of the state and the end of the message."""
        if mine not in self._encoded:
            self._encoded[mine] = f",{own_state(self.match, visitor).model_dump_json()[1:]}}}"
        return self._encoded[mine]

    def _snapshot_text(self, visitor: str, lang: str) -> str:
        return SnapshotMessage(type="snapshot", **vars(self.snapshot(visitor, lang))).model_dump_json()

    # Seats and the whole match

    def nickname(self, visitor: str) -> str:
        """Returns the nickname of a visitor who holds a seat."""
        return self.nicknames.get(visitor) or given_nickname(visitor)

    def seats(self, visitor: str, lang: str) -> list[SeatData]:
        """Returns the seats, as a visitor sees them."""
        return [
            SeatData(
                player=seat.player,
                name=self.match.game.player_name(seat.player).render(lang),
                nickname=self.nickname(seat.visitor) if seat.visitor else None,
                kind=seat.kind,
                level=seat.level,
                is_mine=seat.visitor == visitor,
                is_here=seat.visitor in self._here,
            )
            for seat in self.match.seats
        ]

    def rename(self, visitor: str, nickname: str) -> None:
        """Changes the nickname of a visitor, and informs all connections."""
        self.nicknames[visitor] = nickname
        players = self.match.players_of(visitor)
        self.broadcast(NamesMessage(type="names", nicknames=dict.fromkeys(players, nickname)))

    def replace_visitor(self, visitor: str, other: str) -> None:
        """Gives the seats of a visitor to another name, and informs all connections of the nickname."""
        self.match.replace_visitor(visitor, other)
        self.nicknames.pop(visitor, None)
        players = self.match.players_of(other)
        self.broadcast(NamesMessage(type="names", nicknames=dict.fromkeys(players, self.nickname(other))))

    def snapshot(self, visitor: str, lang: str) -> MatchSnapshot:
        """Returns all that a visitor may know of the match."""
        state = match_state(self._common_state(lang), self.match, visitor)
        return snapshot(state, self.match, self.seats(visitor, lang), visitor)

    def show(self, notice: WireModel) -> None:
        """Sends a notice to all connections, now and until the next event, unless it is shown already."""
        if notice != self.notice:
            self.notice = notice
            self.broadcast(notice)
