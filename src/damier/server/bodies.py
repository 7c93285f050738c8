"""What requests may contain."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Level(BaseModel):
    """A seat of the computer."""

    model_config = ConfigDict(extra="forbid")
    level: int = Field(ge=1, le=8)


class NewMatch(BaseModel):
    """What a new match is to be."""

    model_config = ConfigDict(extra="forbid")
    game: str = Field(max_length=32)
    options: dict[str, int | str] = Field(default_factory=dict, max_length=16)
    seats: list[Literal["me", "open"] | Level] = Field(min_length=2, max_length=4)


class Invitation(BaseModel):
    """What takes an open seat."""

    model_config = ConfigDict(extra="forbid")
    invitation: str = Field(max_length=64)


class Attempt(BaseModel):
    """What somebody tried to do: an action, or cells that were chosen."""

    model_config = ConfigDict(extra="forbid")
    action: str | None = Field(default=None, max_length=200)
    cells: list[Annotated[str, Field(max_length=8)]] = Field(default_factory=list, max_length=8)
