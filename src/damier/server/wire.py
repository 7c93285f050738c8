"""What requests may contain."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Level(BaseModel):
    """A seat of the computer."""

    model_config = ConfigDict(extra="forbid")
    level: int = Field(ge=1, le=8)


class Chosen(BaseModel):
    """A game with its options."""

    model_config = ConfigDict(extra="forbid")
    game: str = Field(max_length=32)
    options: dict[str, int | str] = Field(default_factory=dict, max_length=16)


class Played(Chosen):
    """A game and what has been played in it, from its first position or another."""

    start: str | None = Field(default=None, max_length=400)
    actions: list[Annotated[str, Field(max_length=32)]] = Field(default_factory=list, max_length=2000)


class NewMatch(Chosen):
    """What a new match is to be."""

    seats: list[Literal["me", "open"] | Level] = Field(min_length=2, max_length=4)


class Tried(Played):
    """A game being played, and what somebody tried to do in it: an action, or cells that were chosen."""

    action: str | None = Field(default=None, max_length=200)
    cells: list[Annotated[str, Field(max_length=8)]] = Field(default_factory=list, max_length=8)


class Studied(Played):
    """A question about a game being played: how many lines, and a name for the question."""

    id: str = Field(default="", max_length=64)
    lines: int = Field(default=3, ge=1, le=8)


class Invitation(BaseModel):
    """What takes an open seat."""

    model_config = ConfigDict(extra="forbid")
    invitation: str = Field(max_length=64)


class Attempt(BaseModel):
    """What somebody tried to do: an action, or cells that were chosen."""

    model_config = ConfigDict(extra="forbid")
    action: str | None = Field(default=None, max_length=200)
    cells: list[Annotated[str, Field(max_length=8)]] = Field(default_factory=list, max_length=8)
