"""Settings of the server: from flags, else from the environment, else defaults."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotated_types import Ge, Le
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from damier.core import folders
from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.engine.limit import Limit


class ServerSettings(BaseSettings):
    """The settings; each can be given in the environment as ``DAMIER_`` and its name in capitals."""

    model_config = SettingsConfigDict(env_prefix="DAMIER_", env_ignore_empty=True, frozen=True, extra="forbid")

    host: str = "127.0.0.1"
    port: int = Field(default=0, ge=0, le=65535)
    """0 takes a free port."""

    database: str = ""
    """A file; by default ``matches.sqlite`` in the user's data folder."""

    workers: int = Field(default=2, ge=1, le=256)
    """Processes in which engines run."""

    seconds: float = 1.0
    """Thinking time of the computer for a turn at full strength."""

    requests_per_second: int = Field(default=20, ge=1, le=10**6)
    """Limit for each visitor, after a burst of three times as many."""

    matches_per_hour: int = Field(default=120, ge=1, le=10**6)
    """Limit of new matches for each visitor."""

    origin: str = ""
    """The public address, if the server is behind a proxy."""

    @property
    def database_file(self) -> Path:
        """The file of the database."""
        return Path(self.database) if self.database else folders.data_folder() / "matches.sqlite"

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> ServerSettings:
        """Returns the settings; a value of `given` that is not None overrides the environment. Raises `BadArgument`."""
        values = {name: given[name] for name in cls.model_fields if given.get(name) is not None}
        try:
            settings = cls(**values)
        except ValidationError as error:
            raise _refusal(error) from None
        Limit(seconds=settings.seconds)  # raises `BadArgument`
        return settings


def _refusal(error: ValidationError) -> BadArgument:
    """Returns the first error as one sentence."""
    first = error.errors()[0]
    name, text = str(first["loc"][0]), shown(str(first["input"]))
    bounds = ServerSettings.model_fields[name].metadata
    if not bounds:
        return BadArgument(message("{name} takes a number, not {text}.", name=name, text=text))
    low = next(bound.ge for bound in bounds if isinstance(bound, Ge))
    high = next(bound.le for bound in bounds if isinstance(bound, Le))
    return BadArgument(
        message(
            "{name} takes a whole number from {low} to {high}, not {value}.", name=name, low=low, high=high, value=text
        )
    )
