"""Wire models of clocks, vacations and conditional turns."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from damier.server.wire.model import WireModel

_LONGEST_TURN = 40  # actions

TurnActions = Annotated[list[Annotated[str, Field(max_length=32)]], Field(max_length=_LONGEST_TURN)]
"""The actions of a whole turn."""


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


class VacationRequest(WireModel):
    """A vacation that begins now."""

    days: int
    """From 1 to `left` of `VacationData`."""


class VacationData(WireModel):
    """The vacation days of an account."""

    allowance: int
    """How many days an account has."""

    period: int
    """Within how many days."""

    left: int
    """How many are left; those of a running vacation are not among them."""

    ends_in: int | None
    """After how many milliseconds the running vacation ends; null if none runs."""


class ConditionalRequest(WireModel):
    """The conditional turns of a player, instead of those before."""

    turn: int
    """The turn that the other player is to make, as the state of the match has it: lines begin with it."""

    lines: list[Annotated[list[TurnActions], Field(max_length=64)]] = Field(max_length=64)
    """Each has whole turns: the other player's, one's own, and so on; it ends with one's own."""


class ConditionalData(WireModel):
    """The conditional turns of a player, which nobody else sees."""

    turn: int
    """The present turn of the match."""

    base: int
    """How many actions of the match come before that turn."""

    can_enter: bool
    """Whether turns can be entered now: while the other player is to act."""

    lines: list[list[list[str]]]
    most_lines: int
    most_answers: int
    """Of a line."""
