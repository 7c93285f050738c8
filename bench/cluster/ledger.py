"""The ledger: what clients were promised and what they heard, compared with what the database has afterwards.

It is kept by clients alone and shares no code with the server. Every comparison that fails is a `Problem`, which names
the match. Checked is that

- no confirmed action is lost, changed, stored under another number or more than once, and none was invented;
- the actions of a player are stored in the order in which they were sent, and events are numbered without gaps;
- every listener heard the stored events, in order and without gaps while connected, and at the end heard the last;
- every player still has the seat, in the database and in every snapshot;
- no clock has run out, stood still for others or run ahead of the clock on the wall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

ENDED_BY_THE_CLOCK = ("flag", "abort", "claim")
"""The kinds of events that only a clock or an absence can bring about, since the players do not ask for them."""

RAN_AHEAD = 1500  # milliseconds by which the server time may seem to run ahead between two actions


@dataclass(frozen=True)
class Problem:
    """A promise that was not kept."""

    match: str
    what: str
    """``lost``, ``doubled``, ``order``, ``heard``, ``seat``, ``clock`` or ``stuck``."""

    sentence: str

    def __str__(self) -> str:
        return f"match {self.match}: {self.what}: {self.sentence}"


# What clients write down


@dataclass
class Request:
    """A request to play an action."""

    id: str
    player: str
    action: str
    sent: float
    """Seconds of the clock on the wall, which never goes back, when it was sent for the first time."""

    seq: int | None = None
    """The number that was confirmed."""

    confirmed: float = 0.0
    refusal: str = ""


@dataclass(frozen=True)
class Heard:
    """An event as a listener heard it."""

    seq: int
    kind: str
    player: str | None
    action: str | None


@dataclass(frozen=True)
class Snapshot:
    """A snapshot as a listener got it."""

    seq: int
    actions: tuple[str, ...]
    """The last actions."""

    older: int
    """How many actions before them were left out."""

    mine: tuple[str, ...]
    """The players whose seats are the listener's."""


@dataclass
class ListenerLedger:
    """What one page was told, over all its connections."""

    name: str
    mine: tuple[str, ...]
    """The players whose seats it has."""

    told: list[Snapshot | Heard] = field(default_factory=list)
    """In the order in which they came; a snapshot begins a connection."""

    is_closed_for_good: str = ""
    """The reason for which the server has told the page not to connect again."""


@dataclass
class MatchLedger:
    """What the clients of a match know of it."""

    number: str
    visitors: dict[str, str] = field(default_factory=dict)
    """By player; only of seats that were confirmed."""

    requests: list[Request] = field(default_factory=list)
    listeners: list[ListenerLedger] = field(default_factory=list)
    is_left: bool = False
    """Whether the pages were closed before the last event may have reached them."""


# What the database has


@dataclass(frozen=True)
class StoredEvent:
    """An event of the database."""

    seq: int
    kind: str
    player: str | None = None
    action: str | None = None
    visitor: str | None = None
    request: str | None = None
    at: int | None = None
    """The server time."""


@dataclass(frozen=True)
class StoredMatch:
    """A match of the database."""

    number: str
    visitors: Mapping[str, str | None]
    """By player."""

    events: Sequence[StoredEvent]
    """In the order of their numbers."""


# The comparison


def problems(ledgers: Iterable[MatchLedger], stored: Mapping[str, StoredMatch]) -> list[Problem]:
    """Compares everything that clients know with the database."""
    found: list[Problem] = []
    for ledger in ledgers:
        match = stored.get(ledger.number)
        if match is None:
            found.append(Problem(ledger.number, "lost", "the match is not in the database"))
            continue
        for what, sentence in _problems_of(ledger, match):
            found.append(Problem(ledger.number, what, sentence))
    return found


def _problems_of(ledger: MatchLedger, match: StoredMatch) -> Iterator[tuple[str, str]]:
    yield from _numbering(match)
    yield from _confirmations(ledger, match)
    yield from _order(ledger)
    yield from _listeners(ledger, match)
    yield from _seats(ledger, match)
    yield from _endings(match)
    yield from _times(ledger, match)


def _numbering(match: StoredMatch) -> Iterator[tuple[str, str]]:
    for place, event in enumerate(match.events, 1):
        if event.seq != place:
            yield "order", f"event {place} of the database has the number {event.seq}"
            return


def _confirmations(ledger: MatchLedger, match: StoredMatch) -> Iterator[tuple[str, str]]:
    sent = {request.id: request for request in ledger.requests}
    times = Counter(event.request for event in match.events if event.request)
    for name, count in times.items():
        if count > 1:
            yield "doubled", f"request {name} is stored {count} times"
    by_request = {event.request: event for event in match.events if event.request}
    for event in match.events:
        if event.kind == "play" and event.request not in sent:
            yield "doubled", f"event {event.seq}, {event.player} plays {event.action}: no client sent it"
    for request in ledger.requests:
        kept = by_request.get(request.id)
        text = f"request {request.id}, {request.player} plays {request.action}"
        if request.seq is not None and kept is None:
            yield "lost", f"{text}: confirmed as event {request.seq}, and not stored"
        elif request.seq is not None and kept is not None and kept.seq != request.seq:
            yield "order", f"{text}: confirmed as event {request.seq}, stored as {kept.seq}"
        if kept is not None and (kept.action, kept.player) != (request.action, request.player):
            yield "lost", f"{text}: stored is that {kept.player} plays {kept.action}"


def _order(ledger: MatchLedger) -> Iterator[tuple[str, str]]:
    last: dict[str, Request] = {}
    for request in ledger.requests:
        if request.seq is None:
            continue
        before = last.get(request.player)
        if before and before.seq is not None and before.seq >= request.seq:
            yield "order", f"{request.player} sent {before.id} first: events {before.seq} and {request.seq}"
        last[request.player] = request


def _listeners(ledger: MatchLedger, match: StoredMatch) -> Iterator[tuple[str, str]]:
    actions = [event.action for event in match.events if event.action and event.kind in ("play", "roll")]
    counts = [0]
    for event in match.events:
        counts.append(counts[-1] + (event.kind in ("play", "roll")))
    by_number = {event.seq: event for event in match.events}
    for listener in ledger.listeners:
        seq = 0
        for told in listener.told:
            if isinstance(told, Snapshot):
                seq = told.seq
                if seq >= len(counts):
                    yield "heard", f"{listener.name} got a snapshot of event {seq}, which is not stored"
                elif actions[told.older : counts[seq]] != list(told.actions):
                    yield "heard", f"{listener.name} got a snapshot of event {seq} with other actions than are stored"
                continue
            if told.seq != seq + 1:
                yield "heard", f"{listener.name} heard event {told.seq} after event {seq}"
            seq, kept = told.seq, by_number.get(told.seq)
            if kept is None or (kept.kind, kept.player, kept.action) != (told.kind, told.player, told.action):
                yield "heard", f"{listener.name} heard {told}, stored is {kept}"
        if seq != len(match.events) and not ledger.is_left:
            yield "stuck", f"{listener.name} has heard of {seq} events of {len(match.events)}"
        if listener.is_closed_for_good:
            yield "stuck", f"{listener.name} was closed for good: {listener.is_closed_for_good}"


def _seats(ledger: MatchLedger, match: StoredMatch) -> Iterator[tuple[str, str]]:
    for player, visitor in ledger.visitors.items():
        if match.visitors.get(player) != visitor:
            yield "seat", f"the seat of {player} is {match.visitors.get(player)}'s, it was {visitor}'s"
    for listener in ledger.listeners:
        for told in listener.told:
            if isinstance(told, Snapshot) and set(told.mine) != set(listener.mine):
                yield "seat", f"{listener.name} was told to have the seats {told.mine}, and has {listener.mine}"
    for event in match.events:
        if event.kind == "play" and event.player and ledger.visitors.get(event.player, event.visitor) != event.visitor:
            yield "seat", f"event {event.seq} of {event.player} is of {event.visitor}"


def _endings(match: StoredMatch) -> Iterator[tuple[str, str]]:
    for event in match.events:
        if event.kind in ENDED_BY_THE_CLOCK:
            yield "clock", f"event {event.seq} is {event.kind} of {event.player}"


def _times(ledger: MatchLedger, match: StoredMatch) -> Iterator[tuple[str, str]]:
    """The server time of an action lies between the moment when it was sent and the moment when it was confirmed."""
    timed = [event for event in match.events if event.at is not None]
    for before, after in pairwise(timed):
        if (after.at or 0) < (before.at or 0):
            yield "clock", f"time went back between events {before.seq} and {after.seq}: {before.at} to {after.at} ms"
    requests = {request.seq: request for request in ledger.requests if request.seq is not None}
    known = [(event, requests[event.seq]) for event in timed if event.seq in requests]
    for (before, first), (after, second) in pairwise(known):
        passed = (after.at or 0) - (before.at or 0)
        most = 1000 * (second.confirmed - first.sent)
        if passed > most + RAN_AHEAD:
            yield "clock", f"{passed} ms between events {before.seq} and {after.seq}, of which {most:.0f} have passed"
