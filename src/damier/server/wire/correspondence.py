"""Wire models of vacations and conditional turns."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from damier.server.wire.model import WireModel

_LONGEST_TURN = 40  # actions

TurnActions = Annotated[list[Annotated[str, Field(max_length=32)]], Field(max_length=_LONGEST_TURN)]
"""The actions of a whole turn."""


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
