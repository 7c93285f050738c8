"""Wire models of clocks."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from damier.server.wire.model import WireModel


class ClockTerms(WireModel):
    """A time control, in seconds."""

    kind: Literal["live", "correspondence"]
    base: int = Field(ge=1)
    """At the start."""

    increment: int = Field(default=0, ge=0)
    """What a turn adds."""

    delay: int = Field(default=0, ge=0)
    """How much of every turn is free; for games with a die."""

    cap: int | None = Field(default=None, ge=1)
    """How much a turn may fill a clock up to; for correspondence."""


class ClocksData(WireModel):
    """What the clocks show when the message is sent, in milliseconds."""

    left: dict[str, int]
    """By player."""

    running: str | None
    """The player whose time runs."""

    free: int
    """How long the running clock still stands because of the delay."""

    first: int | None
    """How long the first turn may still take, after which the match is aborted; null when the clocks run."""

    claim: int | None
    """After how long the others may claim the game, because the player to act has left; null if that one is here."""

    away: dict[str, int]
    """How long players are still on vacation, by player: their clocks stand still."""
