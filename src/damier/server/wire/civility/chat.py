"""Wire models of the chat of a match: messages of its socket and of its stream."""

from __future__ import annotations

from typing import Literal

from damier.server.wire.model import WireModel

Room = Literal["players", "spectators"]
"""The rooms of a match."""

AvoidedKind = Literal["mute", "block"]


class ChatLine(WireModel):
    """A message that somebody has written."""

    number: int
    room: Room
    name: str
    """Of the author, as others see them now."""

    account: str | None
    """The name of the author's account; null for a guest."""

    player: str | None
    """The player that the author is; null for a spectator."""

    is_mine: bool
    phrase: str | None
    """The key of a ready-made phrase; null for text of the author's own."""

    text: str
    """Plain text; a phrase in the reader's language."""

    at: str


class PhraseData(WireModel):
    """A ready-made phrase."""

    key: str
    text: str


class AvoidedPlayer(WireModel):
    """A player of the match whom the visitor has muted or blocked."""

    number: str
    """Of the entry in the visitor's list."""

    kind: AvoidedKind


class ChatMessage(WireModel):
    """The chat of a match as a visitor may read it: first, and again when what the visitor may read has changed."""

    type: Literal["chat"]
    rooms: list[Room]
    """Those that the visitor reads and may write in, their own first."""

    may_write_text: bool
    """False for guests, who have phrases only."""

    silent_until: str | None
    """Until when a moderator has stopped the visitor's messages; null if that is over, or nobody has."""

    phrases: list[PhraseData]
    avoided: dict[str, AvoidedPlayer]
    """By player."""

    lines: list[ChatLine]
    """The last ones of each room, the oldest first."""


class SaidMessage(WireModel):
    """Somebody has written a message."""

    type: Literal["said"]
    line: ChatLine


class UnsaidMessage(WireModel):
    """A moderator has removed a message."""

    type: Literal["unsaid"]
    number: int
