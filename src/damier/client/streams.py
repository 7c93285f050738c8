"""Streams that connect again by themselves and deliver everything once.

After a lost connection the server tells all that is current again. What was delivered before is left out: a turn and an
offer are known by the number of their event, a match by its number. A match that ended meanwhile is looked up.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

from damier.client.connection import Connection, Lines
from damier.client.data import MatchView, SeatView, TimesLeft, state_fields
from damier.client.errors import BadLine, CallRefused, ConnectionLost, LimitReached, StreamReplaced, server_sentence
from damier.client.events import Challenge, Event, MatchBegun, MatchOver, MyTurn, OfferMade, Ready, parse_event
from damier.client.retry import Backoff, Closed
from damier.core.messages import message

_ENDED = message("The server has ended the stream.")

OnLoss = Callable[[Exception], object]
"""Handles the loss of a connection, before it is opened again."""


class _Stream:
    """A stream that is opened again when it is lost, until it is closed."""

    def __init__(self, connection: Connection, path: str, on_loss: OnLoss | None = None) -> None:
        self._connection, self._path, self._on_loss = connection, path, on_loss
        self._closed = threading.Event()
        self._lines: Lines | None = None
        self._pauses = Backoff(self._closed)

    def close(self) -> None:
        """Ends the stream, also from another thread: its iterator stops."""
        self._closed.set()
        if lines := self._lines:
            lines.close()

    def _reopen(self) -> None:
        """Loses the connection on purpose: the next one begins with all that is current."""
        if lines := self._lines:
            lines.close()

    def _handle_open(self) -> None:
        """Forgets what belongs to one connection."""

    def _messages(self) -> Iterator[dict[str, Any]]:
        """Yields the messages of one connection after the other; each begins anew with all that is current."""
        while not self._closed.is_set():
            try:
                self._handle_open()
                self._lines = lines = self._connection.open(self._path)
                if self._closed.is_set():
                    lines.close()
                try:
                    while (data := lines.next()) is not None:
                        self._pauses.reset()
                        if data["type"] == "end":
                            self._handle_end(data)
                            break
                        yield data
                finally:
                    lines.close()
                raise ConnectionLost(server_sentence(str(data["error"])) if data else _ENDED)
            except (ConnectionLost, LimitReached, BadLine) as error:
                if self._closed.is_set():
                    return
                if self._on_loss:
                    self._on_loss(error)
                try:
                    self._pauses.wait(error)
                except Closed:
                    return

    def _handle_end(self, data: dict[str, Any]) -> None:
        """Raises if the stream must not be opened again."""
        if data.get("why") in ("newer", "signed_out"):
            self._closed.set()
            raise StreamReplaced(server_sentence(str(data.get("error", ""))))


class EventStream(_Stream):
    """What concerns the person of the client: an iterator over events, each delivered once."""

    def __init__(
        self, connection: Connection, look_up: Callable[[str], MatchView], on_loss: OnLoss | None = None
    ) -> None:
        super().__init__(connection, "/api/stream/events", on_loss)
        self._look_up = look_up
        self._known: dict[str, int] = {}
        """The last event that was delivered of each match that is being played."""

        self._challenges: set[str] = set()
        """The challenges that were delivered and may be open."""

        self._replayed: set[str] = set()
        """The matches and challenges that were told since the stream was opened."""

    def __iter__(self) -> Iterator[Event]:
        for data in self._messages():
            try:
                event = parse_event(data)
            except (KeyError, TypeError, AttributeError):
                raise self._connection.wrong() from None
            if isinstance(event, Ready):
                self._challenges &= self._replayed
                yield from self._ended_meanwhile()
                yield event
            elif self._is_new(event):
                yield event

    def _handle_open(self) -> None:
        self._replayed = set()

    def _is_new(self, event: Event) -> bool:
        """Tells whether an event has not been delivered, and notes it."""
        if isinstance(event, MatchBegun):
            self._replayed.add(event.number)
            is_new = event.number not in self._known
            self._known.setdefault(event.number, -1)
            return is_new
        if isinstance(event, MyTurn | OfferMade):
            last = self._known.get(event.number, -1)
            if event.number in self._known:
                self._known[event.number] = max(event.seq, last)
            return event.seq > last
        if isinstance(event, MatchOver):
            return self._known.pop(event.number, None) is not None
        if isinstance(event, Challenge):
            self._replayed.add(event.number)
            is_new = event.number not in self._challenges
            self._challenges.add(event.number)
            return is_new
        return True

    def _ended_meanwhile(self) -> Iterator[Event]:
        """Yields the ends of matches that were over when the stream was opened again."""
        for number in set(self._known) - self._replayed:
            try:
                match = self._look_up(number)
            except CallRefused:  # it was deleted
                del self._known[number]
                continue
            if match.result:
                del self._known[number]
                yield MatchOver(number, match.seq, match.result)


class MatchStream(_Stream):
    """A match: an iterator over its states, the first as it stands, then one after each event."""

    def __init__(self, connection: Connection, number: str, on_loss: OnLoss | None = None) -> None:
        super().__init__(connection, f"/api/stream/matches/{quote(number, safe='')}", on_loss)
        self._match: MatchView | None = None

    def __iter__(self) -> Iterator[MatchView]:
        seq = -1
        for data in self._messages():
            try:
                match = self._after(data)
            except (KeyError, TypeError, AttributeError):
                raise self._connection.wrong() from None
            if match is None:  # an event was missed
                self._reopen()
            elif match.seq > seq:
                seq = match.seq
                yield match

    def _after(self, data: dict[str, Any]) -> MatchView | None:
        """Returns the match after a message; None if it does not follow what is known."""
        kind, match = data["type"], self._match
        if kind == "snapshot":
            self._match = MatchView.parse(data)
        elif match is None:
            return None
        elif kind == "event":
            kept = data["history"]["kept"] - match.older
            if data["seq"] != match.seq + 1 or not 0 <= kept <= len(match.history):
                return None
            added = tuple(entry["action"] for entry in data["history"]["added"])
            clocks = TimesLeft.parse(data.get("clocks")) or match.clocks
            fields = {**state_fields(data["state"]), "history": match.history[:kept] + added, "clocks": clocks}
            seats = _taken(match.seats, data["event"])
            self._match = dataclasses.replace(match, seq=data["seq"], seats=seats, **fields)
        elif kind == "here":
            here = data["seats"]
            seats = tuple(dataclasses.replace(seat, is_here=seat.player in here) for seat in match.seats)
            self._match = dataclasses.replace(match, seats=seats)
        elif kind == "names":
            names = data["nicknames"]
            seats = tuple(
                dataclasses.replace(seat, nickname=names.get(seat.player, seat.nickname)) for seat in match.seats
            )
            self._match = dataclasses.replace(match, seats=seats)
        return self._match


def _taken(seats: tuple[SeatView, ...], event: dict[str, Any]) -> tuple[SeatView, ...]:
    """Returns the seats after an event: one may have been taken."""
    if event["kind"] != "seat":
        return seats
    return tuple(dataclasses.replace(seat, kind="person") if seat.player == event["player"] else seat for seat in seats)
