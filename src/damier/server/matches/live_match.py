"""A match in memory: its connections, its lock, and the messages that they are sent.

An event is encoded once for all connections: the part of the state that all visitors share once for each language, the
part that depends on the seats that a visitor holds once for each holder and once for all spectators. Nothing that an
event costs grows with the match.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from damier.core.messages import LANGUAGES
from damier.server.correspondence.conditional import has_conditional_turns
from damier.server.hub.hub import match_place
from damier.server.matches.absence import Absence
from damier.server.matches.match import Event
from damier.server.matches.match_data import (
    common_state,
    event_data,
    history_change,
    match_state,
    own_state,
    snapshot,
)
from damier.server.matches.server_time import ServerTime
from damier.server.people.nicknames import given_nickname
from damier.server.wire.clocks import ClocksData
from damier.server.wire.matches import NamesMessage, PresenceMessage, RatingsMessage, SeatData, SnapshotMessage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damier.server.correspondence.conditional import ConditionalTurns
    from damier.server.hub.hub import Hub
    from damier.server.matches.match import Match, Seat
    from damier.server.people.account import AccountName
    from damier.server.wire.matches import CommonState, MatchSnapshot
    from damier.server.wire.model import WireModel
    from damier.server.wire.ratings import MatchRatings, RatingData


_SHORTEST_THOUGHT = 0.05  # seconds of the computer
_MOST_LAG = 3_600_000  # milliseconds: the quota of lag is always less


class Listener(Protocol):
    """A connection that follows a match."""

    visitor: str
    lag: int
    """How many milliseconds a message takes there and back, as the server has measured; 0 if it has not."""

    def send_text(self, text: str) -> None:
        """Sends a message that is encoded already."""

    def handle_event(self, seq: int, event: Event) -> None:
        """Handles an event, which has just changed the match."""


class LiveMatch:
    """A match in memory."""

    def __init__(self, match: Match, address: str = "", time: ServerTime | None = None, hub: Hub | None = None) -> None:
        """With a `hub`, which has other processes, players who are connected to these are here, too."""
        self.match = match
        self._hub, self._place = hub, match_place(match.number)
        self.time = time or ServerTime()
        self.absence = Absence(self.time.now())
        self.address = address
        """Where the match was begun or a player was last connected from, if known: for a fair share of the engines."""

        self.nicknames: dict[str, str] = {}
        """Those that visitors at the board have chosen, by visitor."""

        self.accounts: dict[str, AccountName] = {}
        """Of the visitors at the board who have one, by visitor."""

        self.ratings: dict[str, RatingData] = {}
        """Of the players before the game, by player, if the match has a clock."""

        self.rated: MatchRatings | None = None
        """What the match has changed in the ratings, once it has been rated."""

        self.conditional: dict[str, ConditionalTurns] = {}
        """The conditional turns of the players who have some, by player; nobody else sees them."""

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

        self._elsewhere: set[str] = set()
        """Who is connected to other processes."""

        self._goodbyes: set[str] = set()
        """Who has closed the page there."""

        self._told_here: list[str] = []
        self._known_seq = -1
        self._common: dict[str, CommonState] = {}
        """The part of the state after the last event that all visitors share, by language."""

        self._encoded: dict[object, str] = {}
        """Parts of the message about the last event, by what they depend on."""

        self._taken: dict[int, Mapping[str, str]] = {}
        """The states after events that come next, by number and language, as another process has encoded them."""

    @property
    def is_in_use(self) -> bool:
        """Whether somebody follows the match, or it is being changed."""
        return bool(self.listeners or self.due or self.lock.locked())

    @property
    def is_due(self) -> bool:
        """Whether something is to happen without a request: a roll, the computer's turn or a conditional turn."""
        return self.match.is_due or (bool(self.conditional) and self.due_answer() is not None)

    @property
    def may_have_conditional(self) -> bool:
        """Whether conditional turns may have been entered, here or elsewhere."""
        return bool(self.conditional) or has_conditional_turns(self.match)

    def due_answer(self) -> Event | None:
        """Returns the action of a conditional turn that is to be played now."""
        found = self.conditional.get(self.match.record.mover) if self.conditional else None
        return found.due(self.match.record) if found else None

    def conditional_after(self, event: Event, columns: Mapping[str, Any]) -> dict[str, ConditionalTurns | None]:
        """Returns the conditional turns that an event changes, by player; `columns` are those after the event."""
        record, is_over = self.match.record, columns.get("ended") is not None
        after = {
            player: turns.after(record, event, mover=columns.get("mover"), is_over=is_over)
            for player, turns in self.conditional.items()
        }
        return {player: turns for player, turns in after.items() if turns != self.conditional[player]}

    # Connections

    def join(self, listener: Listener, lang: str) -> None:
        """Adds a connection, sends it a snapshot, and informs all others if a seat is now present."""
        self.listeners.add(listener)
        self._here[listener.visitor] += 1
        if self._hub and listener.visitor:
            self._hub.enter(self._place, listener.visitor)
            self.note_elsewhere(self._hub.people(self._place))
        self.absence.come(listener.visitor)
        listener.send_text(self._snapshot_text(listener.visitor, lang))
        if self.notice:
            listener.send_text(self.notice.model_dump_json())
        self.tell_presence()

    def leave(self, listener: Listener, *, is_goodbye: bool = False) -> None:
        """Removes a connection, and informs all others if a seat is no longer present."""
        visitor = listener.visitor
        self.listeners.discard(listener)
        self._here[visitor] -= 1
        is_last = not self._here[visitor]
        if is_last:
            del self._here[visitor]
            if visitor not in self._elsewhere:
                self.absence.go(visitor, self.time.now(), is_goodbye=is_goodbye)
        if self._hub and visitor:
            if is_last and is_goodbye:
                self._hub.announce("goodbye", self.match.number, body=visitor)
            self._hub.leave(self._place, visitor)
        self.tell_presence()

    def is_here(self, visitor: str | None) -> bool:
        """Tells whether a visitor has a page of the match open, at whatever process."""
        return visitor in self._here or visitor in self._elsewhere

    def note_goodbye(self, visitor: str) -> None:
        """Notes that a visitor has closed the last page at another process."""
        self._goodbyes.add(visitor)

    def note_elsewhere(self, people: set[str]) -> None:
        """Notes who is connected, by the hub; those who are not at this process are at others."""
        elsewhere, before = people - self._here.keys(), self._elsewhere
        if elsewhere == before:
            return
        self._elsewhere = elsewhere
        for visitor in elsewhere:
            self._goodbyes.discard(visitor)
            self.absence.come(visitor)
        for visitor in before - elsewhere - self._here.keys():
            self.absence.go(visitor, self.time.now(), is_goodbye=visitor in self._goodbyes)
            self._goodbyes.discard(visitor)
        self.tell_presence()

    def tell_presence(self) -> None:
        """Informs all connections which seats are present, if that has changed."""
        seats = [seat.player for seat in self.match.seats if self.is_here(seat.visitor)]
        if seats != self._told_here:
            self._told_here = seats
            self.broadcast(PresenceMessage(type="here", seats=seats, clocks=self.clocks_data()))

    def broadcast(self, message: WireModel) -> None:
        """Sends a message to all connections."""
        text = message.model_dump_json()
        for listener in tuple(self.listeners):
            listener.send_text(text)

    # Clocks

    def clocks_data(self) -> ClocksData | None:
        """Returns what the clocks show now."""
        clocks, now = self.match.clocks, self.time.now()
        if clocks is None:
            return None
        shown = clocks.copy()
        shown.charge(now)
        first, away = clocks.deadline() if clocks.is_first else None, clocks.away_at(now)
        return ClocksData(
            left=shown.left,
            running=clocks.running,
            free=shown.free,
            first=max(0, first - now - away.get(clocks.running or "", 0)) if first is not None else None,
            claim=self.absence.claim_wait(self.match, now),
            away=away,
        )

    def lag_of(self, player: str | None) -> int:
        """Returns the lag of a player that the server has measured, in milliseconds; 0 if the player is not here."""
        visitor = self.match.seat(player).visitor if player else None
        return min((each.lag for each in self.listeners if visitor and each.visitor == visitor), default=0)

    def flag_time(self) -> int | None:
        """Returns the server time at which the running clock is over, lag that may be forgiven included.

        For a player who is connected to another process, that is as much as ever may be forgiven: that one measures it.
        """
        clocks = self.match.clocks
        if clocks is None:
            return None
        visitor = self.match.seat(clocks.running).visitor if clocks.running else None
        is_elsewhere = visitor not in self._here and visitor in self._elsewhere
        return clocks.flag_time(_MOST_LAG if is_elsewhere else self.lag_of(clocks.running))

    def overdue(self, at: int) -> Event | None:
        """Returns the event that has been due since the running clock is over, if it is at a time."""
        clocks, then = self.match.clocks, self.flag_time()
        if clocks is None or then is None or at < then:
            return None
        return Event("abort") if clocks.is_first else Event("flag", clocks.running)

    def timed_play(self, event: Event, arrived: int) -> Event:
        """Returns the event of an action with its time and the lag that is forgiven, if the match is timed."""
        clocks = self.match.clocks
        if clocks is None:
            return event
        at = max(arrived, clocks.since)
        return replace(event, at=at, lag=clocks.forgiven(at, self.lag_of(event.player)) or None)

    def thinking_time(self, seconds: float) -> float:
        """Returns how many seconds the computer may think, at most `seconds`: a twentieth of what is left to it."""
        clocks = self.match.clocks
        if clocks is None or clocks.running is None or clocks.is_first:
            return seconds
        left = clocks.left_at(self.time.now())[clocks.running] / 1000
        return min(seconds, max(_SHORTEST_THOUGHT, left / 20 + clocks.control.increment / 2))

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
            data = self.clocks_data()
            clocks = data.model_dump_json() if data else "null"
            told = f'"event":{happened},"history":{change},"clocks":{clocks}'
            self._encoded["event"] = f'{{"type":"event","seq":{seq},{told},"state":'
        return self._encoded["event"]

    def _common_part(self, lang: str) -> str:
        """Returns the state without its closing brace."""
        if lang not in self._encoded:
            taken = self._taken.get(self.match.seq, {}).get(lang)
            self._encoded[lang] = taken or self._common_state(lang).model_dump_json(exclude={"last_turns"})[:-1]
        return self._encoded[lang]

    def shared_states(self) -> dict[str, str]:
        """Returns the state after the last event by language, if it is encoded and somebody elsewhere will need it."""
        if not self._elsewhere or self._known_seq != self.match.seq:
            return {}
        return {lang: self._encoded[lang] for lang in LANGUAGES if lang in self._encoded}

    def take_states(self, seq: int, states: Mapping[str, str]) -> None:
        """Keeps the state after the event of a number, which comes next, as another process has encoded it."""
        self._taken = {number: taken for number, taken in self._taken.items() if number > self.match.seq}
        self._taken[seq] = states

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
                account=account.name if (account := self.accounts.get(seat.visitor or "")) else None,
                is_program=account is not None and account.is_program,
                kind=seat.kind,
                level=seat.level,
                is_mine=seat.visitor == visitor,
                is_here=self.is_here(seat.visitor),
                rating=self.ratings.get(seat.player),
            )
            for seat in self.match.seats
        ]

    def rename(self, visitor: str, nickname: str) -> None:
        """Changes the nickname of a visitor, and informs all connections."""
        self.nicknames[visitor] = nickname
        self._tell_name(visitor)

    def _tell_name(self, visitor: str) -> None:
        players, account = self.match.players_of(visitor), self.accounts.get(visitor)
        nicknames = dict.fromkeys(players, self.nickname(visitor))
        self.broadcast(NamesMessage(type="names", nicknames=nicknames, account=account.name if account else None))

    def replace_visitor(self, visitor: str, other: str) -> None:
        """Gives the seats of a visitor to another name, and informs all connections of the nickname."""
        self.match.replace_visitor(visitor, other)
        self.nicknames.pop(visitor, None)
        self.accounts.pop(visitor, None)
        for player in self.match.players_of(other):
            self.ratings.pop(player, None)
            self.conditional.pop(player, None)
        self._tell_name(other)

    def move_visitor(self, guest: str, person: str, name: AccountName) -> None:
        """Gives the seats and connections of a guest to the person of an account, and informs all connections."""
        for listener in self.listeners:
            if listener.visitor == guest:
                listener.visitor = person
        if here := self._here.pop(guest, 0):
            self._here[person] += here
            for hub in [self._hub] * here if self._hub else ():
                hub.leave(self._place, guest)
                hub.enter(self._place, person)
        self.nicknames[person], self.accounts[person] = name.name, name
        ratings, conditional = dict(self.ratings), dict(self.conditional)  # which move with the person
        self.replace_visitor(guest, person)
        self.ratings, self.conditional = ratings, conditional

    def renew_people(
        self, seats: list[Seat], nicknames: Mapping[str, str], accounts: Mapping[str, AccountName]
    ) -> None:
        """Takes over seats and names as the database has them, and informs all connections of those that differ."""
        before = {seat.player: self._shown_name(seat.visitor) for seat in self.match.seats}
        for old, new in zip(self.match.seats, seats, strict=True):
            if old.visitor and new.visitor and old.visitor != new.visitor:
                self.match.replace_visitor(old.visitor, new.visitor)
        self.match.seats = seats
        self.nicknames, self.accounts = dict(nicknames), dict(accounts)
        for seat in seats:
            if seat.visitor and self._shown_name(seat.visitor) != before[seat.player]:
                self._tell_name(seat.visitor)

    def _shown_name(self, visitor: str | None) -> tuple[str, AccountName | None]:
        return (self.nickname(visitor), self.accounts.get(visitor)) if visitor else ("", None)

    def tell_ratings(self, rated: MatchRatings) -> None:
        """Informs all connections what the match has changed in the ratings."""
        self.rated = rated
        self.broadcast(RatingsMessage(type="ratings", **vars(rated)))

    def snapshot(self, visitor: str, lang: str) -> MatchSnapshot:
        """Returns all that a visitor may know of the match."""
        state = match_state(self._common_state(lang), self.match, visitor)
        return snapshot(state, self.match, self.seats(visitor, lang), visitor, self.clocks_data(), self.rated)

    def show(self, notice: WireModel) -> None:
        """Sends a notice to all connections, now and until the next event, unless it is shown already."""
        if notice != self.notice:
            self.notice = notice
            self.broadcast(notice)
