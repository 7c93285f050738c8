"""A match in memory: its connections, its lock, and the state that they are sent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from damier.server.matches.match_data import common_state, match_state, snapshot
from damier.server.nicknames import given_nickname
from damier.server.wire.matches import NamesMessage, SeatData

if TYPE_CHECKING:
    from damier.server.matches.match import Event, Match
    from damier.server.wire.matches import CommonState, MatchSnapshot, MatchState
    from damier.server.wire.model import WireModel


class Listener(Protocol):
    """A connection that follows a match."""

    visitor: str

    def send(self, message: WireModel) -> None:
        """Sends a message."""

    def handle_event(self, seq: int, event: Event) -> None:
        """Handles an event, which has just changed the match."""


class LiveMatch:
    """A match in memory."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.nicknames: dict[str, str] = {}
        """Those that visitors at the board have chosen, by visitor."""

        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.thinking: asyncio.Task[None] | None = None
        self._common: dict[str, CommonState] = {}
        self._common_seq = -1

    @property
    def here(self) -> set[str]:
        """The visitors who are connected."""
        return {listener.visitor for listener in self.listeners}

    def state(self, visitor: str, lang: str) -> MatchState:
        """Returns the state for a visitor; the part that all visitors share is made once for each event."""
        if self._common_seq != self.match.seq:
            self._common, self._common_seq = {}, self.match.seq
        if lang not in self._common:
            self._common[lang] = common_state(self.match, lang)
        return match_state(self._common[lang], self.match, visitor)

    def nickname(self, visitor: str) -> str:
        """Returns the nickname of a visitor who holds a seat."""
        return self.nicknames.get(visitor) or given_nickname(visitor)

    def seats(self, visitor: str, lang: str) -> list[SeatData]:
        """Returns the seats, as a visitor sees them."""
        here = self.here
        return [
            SeatData(
                player=seat.player,
                name=self.match.game.player_name(seat.player).render(lang),
                nickname=self.nickname(seat.visitor) if seat.visitor else None,
                kind=seat.kind,
                level=seat.level,
                is_mine=seat.visitor == visitor,
                is_here=seat.visitor in here,
            )
            for seat in self.match.seats
        ]

    def rename(self, visitor: str, nickname: str) -> None:
        """Changes the nickname of a visitor, and informs all connections."""
        self.nicknames[visitor] = nickname
        players = self.match.players_of(visitor)
        self.broadcast(NamesMessage(type="names", nicknames=dict.fromkeys(players, nickname)))

    def snapshot(self, visitor: str, lang: str) -> MatchSnapshot:
        """Returns all that a visitor may know of the match."""
        return snapshot(self.state(visitor, lang), self.match, self.seats(visitor, lang), visitor)

    def broadcast(self, message: WireModel) -> None:
        """Sends a message to all connections."""
        for listener in tuple(self.listeners):
            listener.send(message)
