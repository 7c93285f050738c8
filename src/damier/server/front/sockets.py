"""The open sockets: how many one visitor, one address and one match may have.

A visitor who holds a seat always gets in: beyond the limits, the oldest socket of the same visitor is closed instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from damier.core.messages import message
from damier.server.errors import TooManyRequests

if TYPE_CHECKING:
    from starlette.websockets import WebSocket

    from damier.core.messages import Message

# Close codes
ABNORMAL, INVALID_DATA, POLICY, FAILED, TRY_AGAIN = 1006, 1007, 1008, 1011, 1013  # the first: the connection broke

ALIVE = 15.0  # seconds without a message after which an `alive` is sent
CONNECTION_FAILED = message("The connection failed: it is opened again.")

_MOST_OF_HOLDER = 8  # sockets of one visitor who plays, for each match
_MOST_ANALYSES = 4  # analysis sockets of one visitor
_MOST_LOBBIES = 20  # lobby sockets of one visitor
_MOST_NOTICES = 20  # sockets of notices of one visitor
_MOST_STREAMS = 16  # of events, of one person: one for each token, and those that are being replaced
_RETRY_AFTER = 10.0  # seconds
_LIMITS = {"address": "sockets_per_address", "match": "spectators"}  # the limits' names, of what is counted
_LONGEST_REASON = 123  # bytes that a close frame has for it


class TooManySockets(TooManyRequests):
    """A visitor opened more sockets or streams than the limits allow."""

    def __init__(self, message: Message, limit: str) -> None:
        super().__init__(message, _RETRY_AFTER, limit)


class Replaceable(Protocol):
    """A socket that can be closed because the same visitor has opened newer ones."""

    def replace(self) -> None:
        """Closes the socket."""

    def sign_out(self) -> None:
        """Closes the socket because its session has ended."""


@dataclass(eq=False)
class _Open:
    """An open socket."""

    socket: Replaceable
    match: str
    is_holder: bool
    session: str
    """The number of the session; "" without one."""


@dataclass
class OpenSockets:
    """Counts the open sockets."""

    per_visitor: int
    per_address: int
    spectators: int
    """Of one match."""

    _of_visitor: dict[str, list[_Open]] = field(default_factory=dict)
    """The match sockets of each visitor who has a cookie, the oldest first."""

    _moved: dict[_Open, str] = field(default_factory=dict)
    """To whom the sockets of guests belong who have made an account since."""

    _counts: dict[tuple[str, str], int] = field(default_factory=dict)
    """The sockets of each address, the spectators of each match, and the analysis and lobby sockets of each visitor."""

    @contextmanager
    def follow(
        self, socket: Replaceable, visitor: str, address: str, match: str, *, is_holder: bool, session: str = ""
    ) -> Iterator[None]:
        """Counts a match socket while it is open; raises `TooManySockets`. A visitor without a cookie is ""."""
        own = self._of_visitor.get(visitor, [])
        if is_holder:
            self._make_room(own, match)
        elif len(own) >= self.per_visitor:
            raise TooManySockets(message("You have too many pages open: close some."), limit="sockets_per_visitor")
        with self._counted("address", address, None if is_holder else self.per_address, _crowded()):
            if is_holder:
                with self._listed(_Open(socket, match, True, session), visitor):
                    yield
            else:
                full = message("Too many people are watching this match.")
                opened = _Open(socket, match, False, session)
                with self._counted("match", match, self.spectators, full), self._listed(opened, visitor):
                    yield

    @contextmanager
    def analyse(self, owner: str, address: str) -> Iterator[None]:
        """Counts an analysis socket while it is open; raises `TooManySockets`."""
        full = message("You have too many analyses open: close some.")
        analyses = self._counted("analyses", owner, _MOST_ANALYSES, full)
        with analyses, self._counted("address", address, self.per_address, _crowded()):
            yield

    @contextmanager
    def visit_lobby(self, owner: str, address: str) -> Iterator[None]:
        """Counts a lobby socket while it is open; raises `TooManySockets`."""
        full = message("You have too many pages open: close some.")
        pages = self._counted("lobby", owner, _MOST_LOBBIES, full)
        with pages, self._counted("address", address, self.per_address, _crowded()):
            yield

    @contextmanager
    def follow_notices(self, owner: str, address: str) -> Iterator[None]:
        """Counts a socket of notices while it is open; raises `TooManySockets`."""
        full = message("You have too many pages open: close some.")
        pages = self._counted("notices", owner, _MOST_NOTICES, full)
        with pages, self._counted("address", address, self.per_address, _crowded()):
            yield

    @contextmanager
    def follow_person(self, person: str, address: str) -> Iterator[None]:
        """Counts a stream of a person's events while it is open; raises `TooManySockets`."""
        full = message("You have too many streams of events open: close some.")
        streams = self._counted("streams", person, _MOST_STREAMS, full)
        with streams, self._counted("address", address, self.per_address, _crowded()):
            yield

    def _make_room(self, own: list[_Open], match: str) -> None:
        """Closes a visitor's oldest socket if there are too many in a match, or in all."""
        here = [opened for opened in own if opened.is_holder and opened.match == match]
        oldest = here[0] if len(here) >= _MOST_OF_HOLDER else own[0] if len(own) >= self.per_visitor else None
        if oldest:
            own.remove(oldest)
            oldest.socket.replace()

    @contextmanager
    def _listed(self, opened: _Open, visitor: str) -> Iterator[None]:
        if not visitor:
            yield
            return
        self._of_visitor.setdefault(visitor, []).append(opened)
        try:
            yield
        finally:
            for who in (visitor, self._moved.get(opened, "")):
                own = self._of_visitor.get(who, [])
                if opened in own:
                    own.remove(opened)
                if not own:
                    self._of_visitor.pop(who, None)
            self._moved.pop(opened, None)

    def move(self, guest: str, person: str, session: str) -> None:
        """Counts the sockets of a guest for the person of an account, who is signed in by a session."""
        for opened in self._of_visitor.pop(guest, []):
            opened.session, self._moved[opened] = session, person
            self._of_visitor.setdefault(person, []).append(opened)

    def sessions(self) -> set[tuple[str, str]]:
        """Returns the persons and sessions of the match sockets that have one."""
        open_ones = ((person, opened.session) for person, own in self._of_visitor.items() for opened in own)
        return {(person, session) for person, session in open_ones if session}

    def sign_out(self, person: str, *, session: str = "", besides: str = "") -> None:
        """Closes the sockets of a session of a person, or of all besides one."""
        for opened in tuple(self._of_visitor.get(person, ())):
            if opened.session == session if session else opened.session != besides:
                opened.socket.sign_out()

    @contextmanager
    def _counted(self, kind: str, name: str, most: int | None, refusal: Message) -> Iterator[None]:
        key = (kind, name)
        count = self._counts.get(key, 0)
        if most is not None and count >= most:
            raise TooManySockets(refusal, limit=_LIMITS.get(kind, kind))
        self._counts[key] = count + 1
        try:
            yield
        finally:
            self._counts[key] -= 1
            if not self._counts[key]:
                del self._counts[key]

    @property
    def count(self) -> int:
        """How many sockets are open."""
        return sum(count for (kind, _), count in self._counts.items() if kind == "address")


def _crowded() -> Message:
    return message("Too many pages are open at your address: try again later.")


async def close_socket(socket: WebSocket, code: int, reason: str = "") -> None:
    """Closes a socket that may be closed already; a browser shows the page at most 123 bytes of the reason."""
    try:
        await socket.close(code, reason.encode()[:_LONGEST_REASON].decode(errors="ignore"))
    except Exception:
        return  # the client has gone
