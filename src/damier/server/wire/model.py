"""The base of all wire models."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class WireModel(BaseModel):
    """Data between server and client; an unknown key is an error on both ways."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class ErrorAnswer(WireModel):
    """The answer to a refused request."""

    error: str
    """One sentence."""


class LimitAnswer(ErrorAnswer):
    """The answer to a request beyond a limit."""

    limit: str
    """Its name; most are settings of the server."""

    seconds: int
    """After which a request may be accepted."""
