"""Rebuilds a match from its rows by replaying its events, and refuses rows that cannot be a match.

SQLite does not see damage within a text or number. What is checked here: JSON, seats, the numbering of events, that
every action was legal and its player's to play, and that every roll follows from the seed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import damier
from damier.core.messages import message
from damier.engine.levels import LEVELS
from damier.server.errors import ServerFailed
from damier.server.matches.clock import VACATION_EVENTS, parse_control
from damier.server.matches.endings import ENDINGS
from damier.server.matches.match import COMPUTER, OPEN, PERSON, Event, Match, Seat
from damier.server.matches.shared_games import shared_game

_OFFERS = ("offer", "accept", "decline", "withdraw")
_KINDS = frozenset([*ENDINGS, *VACATION_EVENTS, *_OFFERS, "play", "roll", "undo", "rematch", "seat"])
_SEED_BYTES = 32
_ERRORS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, StopIteration)


class DamagedMatch(ServerFailed):
    """The stored data of a match is damaged."""

    def __init__(self, why: str) -> None:
        super().__init__(
            message("The stored data of this match is damaged: only the operator of this server can restore it.")
        )
        self.why = why
        """What is wrong, in English, for the log and for operators."""


def stored_match(number: str, row: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> Match:
    """Returns the match of a row and its events in their order; raises `DamagedMatch`."""
    match = begun_match(number, row)
    for _ in replay_events(match, events):
        pass
    return match


def begun_match(number: str, row: Mapping[str, Any]) -> Match:
    """Returns the match of a row, without its events; raises `DamagedMatch`."""
    try:
        return _begun(number, row)
    except _ERRORS as error:
        raise DamagedMatch(f"the match itself: {_reason(error)}") from error


def replay_events(match: Match, events: Sequence[Mapping[str, Any]]) -> Iterator[int]:
    """Adds the rows of events to a match and yields the number of each; raises `DamagedMatch`."""
    for seq, each in enumerate(events, 1):
        try:
            _expect(each["match"] == match.number and each["seq"] == seq, "it is missing")
            event = parse_event(each["data"])
            _check(match, event)
            match.add(event)
            if each["request"] is not None:
                _expect(isinstance(each["visitor"], str), "it has no visitor")
                match.requests[each["visitor"], each["request"]] = seq
        except _ERRORS as error:
            raise DamagedMatch(f"event {seq}: {_reason(error)}") from error
        yield seq


def parse_event(text: str) -> Event:
    """Returns an event of its text."""
    return Event(**json.loads(text))


def parse_seats(text: str) -> list[Seat]:
    """Returns seats of their text."""
    return [Seat(**seat) for seat in json.loads(text)]


def _begun(number: str, row: Mapping[str, Any]) -> Match:
    """Returns a match without its events."""
    _expect(row["number"] == number, "its number differs")
    game = shared_game(damier.load(row["game"], **json.loads(row["options"])))
    seats = parse_seats(row["seats"])
    _expect([seat.player for seat in seats] == list(game.players), "the seats are not those of the players")
    for seat in seats:
        _expect(_is_whole(**vars(seat)), f"the seat of {seat.player} is wrong")
    _expect(isinstance(row["seed"], bytes) and len(row["seed"]) == _SEED_BYTES, "the seed is wrong")
    _expect(isinstance(row["creator"], str), "the creator is wrong")
    datetime.fromisoformat(row["created"])
    control = parse_control(json.loads(row["clock"])) if row["clock"] is not None else None
    _expect(isinstance(row["origin"], str) and type(row["begun"]) is int, "its origin or its beginning is wrong")
    about = number, game, seats, row["seed"], row["creator"], row["created"]
    told = {"control": control, "origin": row["origin"], "begun": row["begun"]}
    return Match(*about, allows_help=bool(row["allows_help"]), is_rated=bool(row["is_rated"]), **told)


def _is_whole(player: str, kind: Any, level: Any, visitor: Any, invitation: Any) -> bool:  # noqa: ARG001  # checked
    """Tells whether the parts of a seat fit together."""
    if not isinstance(invitation, str | None):
        return False
    if kind == COMPUTER:
        return type(level) is int and level in LEVELS and visitor is None
    if kind == PERSON:
        return isinstance(visitor, str) and level is None
    return kind == OPEN and visitor is None and level is None


def _check(match: Match, event: Event) -> None:
    """Raises `ValueError` for an event that `Match.decide` could not have made."""
    _expect(event.kind in _KINDS, "its kind is unknown")
    players = (*match.game.players, None)
    _expect(event.player in players, "its player is unknown")
    if event.kind == "play":
        _expect(event.player == match.record.mover, "its player was not on move")
    elif event.kind == "roll":
        _expect(replace(event, at=None) == match.due_roll(), "the roll does not follow from the seed")
    elif event.kind == "undo":
        _expect(type(event.to) is int and 0 <= event.to < len(match.actors), "it takes back to nowhere")
    elif event.kind == "offer" and event.what == "undo":
        _expect(type(event.to) is int and 0 <= event.to < len(match.actors), "it offers to take back to nowhere")
    elif event.kind == "rematch":
        _expect(isinstance(event.number, str), "it names no match")
    if event.kind in ("play", "roll"):
        _expect(isinstance(event.action, str), "it has no action")
    if event.kind in ("resign", "offer", "accept", "seat", "flag", "claim"):
        _expect(event.player is not None, "it has no player")
    if event.kind == "claim":
        _expect(event.absent in match.game.players and event.what in ("win", "draw"), "it claims nothing")
    if match.clocks:
        _expect(type(event.at) is int and event.at >= match.clocks.since, "its time is wrong")
        _expect(event.lag is None or (type(event.lag) is int and event.lag >= 0), "its lag is wrong")
    if event.kind in VACATION_EVENTS:
        _expect(match.clocks is not None and event.player is not None, "it stops no clock")
        _expect((type(event.until) is int) == (event.kind == "vacation"), "its end is wrong")
    if event.kind in _OFFERS:
        _expect(event.what in ("draw", "undo", "rematch"), "what it offers is unknown")


def _expect(is_so: bool, problem: str) -> None:
    if not is_so:
        raise ValueError(problem)


def _reason(error: BaseException) -> str:
    return str(error).rstrip(".") or type(error).__name__
