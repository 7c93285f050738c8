"""The client: calls of a damier server for programs, as methods that take and return plain data."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from damier.client.connection import Connection
from damier.client.data import ClockView, GameInfo, MatchView, SeekResult, TournamentView
from damier.client.retry import retried
from damier.client.streams import EventStream, MatchStream, OnLoss
from damier.core.errors import BadArgument
from damier.core.messages import message, shown

SeatChoice = str | int
"""``me``, ``open`` or a level of the computer."""


class Client:
    """Speaks with a server as one person; its methods may be called from several threads.

    Calls that change nothing twice are tried again for `patience` seconds if the server is away or busy; beginning a
    match and seeking are not, because they may have happened.
    """

    def __init__(
        self,
        address: str,
        token: str | None = None,
        *,
        cookie: str = "",
        lang: str = "en",
        patience: float = 10.0,
        seconds: float = 30.0,
    ) -> None:
        """Acts for the account of `token`; without one, as the guest of `cookie`, or as a new guest.

        `seconds` is the time-out of one request. Raises `BadArgument`; nothing is sent yet.
        """
        self._connection = Connection(address, token, cookie, lang, seconds)
        self._patience = patience
        self._closed = threading.Event()

    @property
    def address(self) -> str:
        """The address of the server."""
        return self._connection.address

    @property
    def cookie(self) -> str:
        """The cookie of the guest, to come back as the same one; empty before the first call and with a token."""
        return self._connection.cookie

    def close(self) -> None:
        """Ends calls that wait to be tried again, also from another thread."""
        self._closed.set()
        self._connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    # Games and matches

    def games(self) -> list[GameInfo]:
        """Returns the games of the server."""
        return [GameInfo.parse(data) for data in self._get("/api/games")]

    def nickname(self) -> str:
        """Returns the name that others see."""
        return str(self._get("/api/me")["nickname"])

    def begin(
        self,
        game: str,
        seats: Sequence[SeatChoice],
        *,
        options: Mapping[str, Any] | None = None,
        allows_help: bool = False,
        clock: ClockView | None = None,
        is_rated: bool = False,
    ) -> MatchView:
        """Begins a match: one seat for each player, ``me``, ``open`` or a level of the computer."""
        placed = [{"level": seat} if isinstance(seat, int) else seat for seat in seats]
        asked: dict[str, Any] = {"game": game, "options": dict(options or {}), "seats": placed}
        asked |= {"allows_help": allows_help} | _terms(clock, is_rated)
        return MatchView.parse(self._connection.ask("POST", "/api/matches", asked))

    def match(self, number: str) -> MatchView:
        """Returns a match as it stands."""
        return MatchView.parse(self._get(_match_path(number)))

    def take_seat(self, link: str) -> MatchView:
        """Takes the open seat of an invitation, given as its link."""
        number, invitation = parse_invitation(link)
        asked = {"invitation": invitation}
        return MatchView.parse(self._tried("POST", f"{_match_path(number)}/seats", asked))

    # Acting in a match; each returns the number of the event

    def play(self, number: str, action: str) -> int:
        """Plays an action for the player on move."""
        return self._act(number, "play", action=action)

    def undo(self, number: str) -> int:
        """Takes back to the last own action, or offers to."""
        return self._act(number, "undo")

    def resign(self, number: str) -> int:
        """Resigns."""
        return self._act(number, "resign")

    def offer_draw(self, number: str) -> int:
        """Offers a draw."""
        return self._act(number, "offer_draw")

    def answer(self, number: str, yes: bool) -> int:
        """Answers an offer."""
        return self._act(number, "answer", yes=yes)

    def withdraw(self, number: str) -> int:
        """Withdraws an own offer."""
        return self._act(number, "withdraw")

    def rematch(self, number: str) -> int:
        """Offers a rematch."""
        return self._act(number, "rematch")

    def abort(self, number: str) -> int:
        """Aborts a match in which not every player has had a turn yet."""
        return self._act(number, "abort")

    def claim(self, number: str, what: str = "win") -> int:
        """Claims a game as a ``win`` or as a ``draw``, because the player to act is away."""
        return self._act(number, "claim", what=what)

    def _act(self, number: str, do: str, **given: Any) -> int:
        """Sends a request, again with the same id if the answer was lost, so that it is carried out once."""
        asked = {"id": secrets.token_urlsafe(12), "do": do, **given}
        return int(self._tried("POST", f"{_match_path(number)}/act", asked)["seq"])

    # The lobby; these need a server that has one

    def seek(
        self,
        game: str,
        *,
        options: Mapping[str, Any] | None = None,
        clock: ClockView | None = None,
        is_rated: bool = False,
        side: int | None = None,
    ) -> SeekResult:
        """Waits in the lobby for an opponent, unless there is one already.

        With a live clock only while a stream of events is open: open it first.
        """
        return SeekResult.parse(self._seek([_way(game, options, clock, is_rated)], {"kind": "open", "side": side}))

    def challenge(
        self,
        name: str,
        game: str,
        *,
        options: Mapping[str, Any] | None = None,
        clock: ClockView | None = None,
        is_rated: bool = False,
        side: int | None = None,
    ) -> str:
        """Challenges an account by its name; returns the number of the challenge."""
        terms = [_way(game, options, clock, is_rated)]
        return str(self._seek(terms, {"kind": "challenge", "rival": name, "side": side})["seek"]["number"])

    def accept(self, number: str, terms: int = 0) -> str:
        """Accepts a challenge or a seek on one of its terms; returns the number of the match."""
        return str(self._connection.ask("POST", f"{_seek_path(number)}/accept", {"terms": terms})["match"])

    def decline(self, number: str) -> None:
        """Declines a challenge."""
        self._tried("POST", f"{_seek_path(number)}/decline")

    def seek_state(self, number: str) -> str:
        """Returns what has become of a seek: ``open``, ``taken``, ``declined``, ``withdrawn`` or ``expired``."""
        return str(self._get(_seek_path(number))["state"])

    def withdraw_seek(self, number: str) -> None:
        """Withdraws an own seek or challenge."""
        self._connection.ask("DELETE", _seek_path(number))

    def _seek(self, terms: Iterable[Any], more: Mapping[str, Any]) -> Any:
        return self._connection.ask("POST", "/api/seeks", {"terms": list(terms), **more})

    # Tournaments; these need the token of an account

    def make_tournament(
        self,
        title: str,
        kind: str,
        game: str,
        clock: ClockView,
        *,
        options: Mapping[str, Any] | None = None,
        is_rated: bool = False,
        rounds: int = 0,
        minutes: int = 0,
        starts: str | None = None,
    ) -> TournamentView:
        """Makes a tournament: ``round_robin`` or ``swiss`` with `rounds`, or ``arena`` with `minutes`."""
        asked = {"title": title, "kind": kind, **_way(game, options, clock, is_rated)}
        asked |= {"rounds": rounds, "minutes": minutes, "starts": starts}
        return TournamentView.parse(self._connection.ask("POST", "/api/tournaments", asked))

    def tournament(self, number: str) -> TournamentView:
        """Returns a tournament as it stands."""
        return TournamentView.parse(self._get(_tournament_path(number)))

    def join_tournament(self, number: str) -> TournamentView:
        """Joins a tournament: the server pairs, and the stream of events tells of each match that begins."""
        return self._take_part(number, "join")

    def leave_tournament(self, number: str) -> TournamentView:
        """Withdraws from a tournament."""
        return self._take_part(number, "withdraw")

    def start_tournament(self, number: str) -> TournamentView:
        """Starts an own tournament now."""
        return self._take_part(number, "start")

    def _take_part(self, number: str, do: str) -> TournamentView:
        return TournamentView.parse(self._connection.ask("POST", f"{_tournament_path(number)}/acts", {"do": do}))

    # Streams

    def events(self, on_loss: OnLoss | None = None) -> EventStream:
        """Returns what concerns the person, as an iterator that connects again by itself; `close` ends it."""
        return EventStream(self._connection, self.match, on_loss)

    def follow(self, number: str, on_loss: OnLoss | None = None) -> MatchStream:
        """Returns a match as an iterator over its states, which connects again by itself; `close` ends it."""
        return MatchStream(self._connection, number, on_loss)

    def let_go(self) -> None:
        """Closes the connection of this thread, which is about to end."""
        self._connection.let_go()

    def _get(self, path: str) -> Any:
        return self._tried("GET", path)

    def _tried(self, method: str, path: str, body: object = None) -> Any:
        return retried(lambda: self._connection.ask(method, path, body), self._patience, self._closed)


def parse_invitation(link: str) -> tuple[str, str]:
    """Returns the number of the match and the invitation of a link.

    >>> parse_invitation("http://127.0.0.1:8000/m/NUMBER#INVITATION")
    ('NUMBER', 'INVITATION')
    """
    try:
        parts = urlsplit(link)
    except ValueError:
        parts = urlsplit("")
    *_, before, number = ["", "", *parts.path.split("/")]
    if before != "m" or not number or not parts.fragment:
        example = "http://127.0.0.1:8000/m/NUMBER#INVITATION"
        raise BadArgument(
            message("An invitation is a link such as {example}, not {text}.", example=example, text=shown(link))
        )
    return number, parts.fragment


def _match_path(number: str) -> str:
    return f"/api/matches/{quote(number, safe='')}"


def _seek_path(number: str) -> str:
    return f"/api/seeks/{quote(number, safe='')}"


def _tournament_path(number: str) -> str:
    return f"/api/tournaments/{quote(number, safe='')}"


def _way(game: str, options: Mapping[str, Any] | None, clock: ClockView | None, is_rated: bool) -> dict[str, Any]:
    """Returns one way to play, as seeks have it."""
    return {"game": game, "options": dict(options or {}), **_terms(clock, is_rated)}


def _terms(clock: ClockView | None, is_rated: bool) -> dict[str, Any]:
    """Returns the terms that are not the usual ones: servers without clocks refuse the keys."""
    terms: dict[str, Any] = {"clock": clock.data()} if clock else {}
    return {**terms, "is_rated": True} if is_rated else terms
