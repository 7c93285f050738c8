"""The events of a person's stream, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from damier.client.data import ClockView, Data, MatchEnding, OfferView, SeatView


@dataclass(frozen=True)
class MatchBegun:
    """The person plays in a match that has begun, or that was being played when the stream was opened."""

    number: str
    game: str
    options: Mapping[str, Any]
    seats: tuple[SeatView, ...]
    clock: ClockView | None
    is_rated: bool


@dataclass(frozen=True)
class MyTurn:
    """It has become the person's turn."""

    number: str
    seq: int
    player: str


@dataclass(frozen=True)
class OfferMade:
    """An offer waits for the person's answer."""

    number: str
    seq: int
    offer: OfferView


@dataclass(frozen=True)
class MatchOver:
    """A match of the person is over."""

    number: str
    seq: int
    result: MatchEnding


@dataclass(frozen=True)
class Challenge:
    """Somebody challenges the person: `Client.accept` and `Client.decline` answer."""

    number: str
    owner: str
    is_program: bool
    terms: tuple[Mapping[str, Any], ...]
    """Each with ``game``, ``options``, ``clock`` and ``is_rated``."""


@dataclass(frozen=True)
class Ready:
    """All that was current has been told; what follows is new."""


@dataclass(frozen=True)
class OtherEvent:
    """An event that this version does not know."""

    type: str
    data: Data = field(repr=False)


Event = MatchBegun | MyTurn | OfferMade | MatchOver | Challenge | Ready | OtherEvent


def parse_event(data: Data) -> Event:
    """Returns the event of a line."""
    kind = data["type"]
    if kind == "begun":
        match = data["match"]
        seats = tuple(SeatView.parse(seat) for seat in match["seats"])
        clock, is_rated = ClockView.parse(match.get("clock")), bool(match.get("is_rated", False))
        return MatchBegun(match["number"], match["game"], dict(match["options"]), seats, clock, is_rated)
    if kind == "turn":
        return MyTurn(data["number"], data["seq"], data["player"])
    if kind == "offer":
        offer = OfferView.parse(data["offer"])
        assert offer
        return OfferMade(data["number"], data["seq"], offer)
    if kind == "over":
        result = MatchEnding.parse(data["result"])
        assert result
        return MatchOver(data["number"], data["seq"], result)
    if kind == "challenge":
        seek = data["seek"]
        owner = seek["owner"]
        return Challenge(seek["number"], owner["name"], owner["is_program"], tuple(seek["terms"]))
    return Ready() if kind == "ready" else OtherEvent(kind, data)
