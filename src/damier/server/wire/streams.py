"""Wire models of the streams for programs: newline-delimited JSON over HTTP, one message a line."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from damier.server.wire.board import ResultData
from damier.server.wire.civility.chat import ChatMessage, SaidMessage, UnsaidMessage
from damier.server.wire.lobby import SeekData
from damier.server.wire.matches import (
    DelayedMessage,
    EventMessage,
    MatchSummary,
    NamesMessage,
    OfferData,
    PresenceMessage,
    RatingsMessage,
    SnapshotMessage,
    ThinkingMessage,
)
from damier.server.wire.model import WireModel


class BegunMessage(WireModel):
    """The person plays in a match: it has begun, or it was being played when the stream was opened."""

    type: Literal["begun"]
    match: MatchSummary


class TurnMessage(WireModel):
    """It has become the person's turn; further actions of the same turn are not told."""

    type: Literal["turn"]
    number: str
    seq: int
    """Of the event that made it so."""

    player: str
    """For whom the person is to act."""


class OfferMessage(WireModel):
    """An offer in a match waits for the person's answer."""

    type: Literal["offer"]
    number: str
    seq: int
    offer: OfferData


class OverMessage(WireModel):
    """A match of the person is over."""

    type: Literal["over"]
    number: str
    seq: int
    result: ResultData


class VacationMessage(WireModel):
    """A player of a match of the person, who may be the person, is on vacation or has ended one early."""

    type: Literal["vacation"]
    number: str
    seq: int
    player: str
    ends_in: int | None
    """After how many milliseconds the vacation ends; null if it was ended."""


class ChallengeMessage(WireModel):
    """Somebody challenges the person."""

    type: Literal["challenge"]
    seek: SeekData


class ReadyMessage(WireModel):
    """All that is current has been told; what follows is new."""

    type: Literal["ready"]


class EndMessage(WireModel):
    """The last line of a stream that the server ends."""

    type: Literal["end"]
    why: Literal["newer", "signed_out", "slow", "stopping", "failed"]
    """A newer stream has taken its place, the person is signed out, the client reads too slowly, the server stops, or
    it failed."""

    error: str
    """One sentence."""


PersonLine = Annotated[
    BegunMessage
    | TurnMessage
    | OfferMessage
    | OverMessage
    | VacationMessage
    | ChallengeMessage
    | ReadyMessage
    | EndMessage,
    Field(discriminator="type"),
]
"""A line of the stream of a person's events."""

MatchLine = Annotated[
    SnapshotMessage
    | EventMessage
    | ThinkingMessage
    | DelayedMessage
    | PresenceMessage
    | NamesMessage
    | RatingsMessage
    | ChatMessage
    | SaidMessage
    | UnsaidMessage
    | EndMessage,
    Field(discriminator="type"),
]
"""A line of the stream of a match."""
