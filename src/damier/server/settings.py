"""What can be set of the server: one place, by environment or by flag."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from damier.core import folders
from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.core.ranges import check_whole
from damier.engine.limit import Limit

_PREFIX = "DAMIER_"


@dataclass(frozen=True)
class ServerSettings:
    """All of it. Each field may be given in the environment as ``DAMIER_`` and its name in capitals."""

    host: str = "127.0.0.1"
    port: int = 0
    """0 takes a free one."""

    database: str = ""
    """A file; by default ``matches.sqlite`` in the user's data folder."""

    workers: int = 2
    """Processes in which engines run."""

    seconds: float = 1.0
    """What the computer may think at full strength."""

    requests_per_second: int = 20
    """Of one visitor, after a burst of three times as many."""

    matches_per_hour: int = 120
    """That one visitor may begin."""

    origin: str = ""
    """The address at which visitors see the server, if a proxy stands before it."""

    @property
    def database_file(self) -> Path:
        """Where the matches are."""
        return Path(self.database) if self.database else folders.data_folder() / "matches.sqlite"

    @classmethod
    def read(cls, given: Mapping[str, Any], environment: Mapping[str, str] = os.environ) -> ServerSettings:
        """Returns the settings: what is given, else what the environment has, else as usual."""
        values: dict[str, Any] = {}
        for field in fields(cls):
            value = given.get(field.name)
            if value is None:
                value = environment.get(_PREFIX + field.name.upper())
            if value is not None:
                values[field.name] = _parsed(field.name, value, type(field.default))
        settings = cls(**values)
        Limit(seconds=settings.seconds)  # says if that is no time to think
        check_whole("port", settings.port, 0, 65535)
        check_whole("workers", settings.workers, 1, 256)
        check_whole("requests_per_second", settings.requests_per_second, 1, 10**6)
        check_whole("matches_per_hour", settings.matches_per_hour, 1, 10**6)
        return settings


def _parsed(name: str, value: Any, kind: type[Any]) -> Any:
    try:
        return kind(value)
    except ValueError:
        raise BadArgument(message("{name} takes a number, not {text}.", name=name, text=shown(str(value)))) from None
