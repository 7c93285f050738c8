"""Exact values for pages from the tables of another server, where this machine has none: `--tables-from`."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.engine.exact import Exact
from damier.solve.numbering import NotSolvable
from damier.solve.tables import Tables

if TYPE_CHECKING:
    from damier.core.game import Game

_log = logging.getLogger(__name__)

_PAUSE = 60.0  # seconds without another try after a failure, or after the server did not offer the table


class RemoteTables:
    """The table of one game on another server. A server that fails is left alone for a minute: the engine searches."""

    def __init__(self, game: Game, server: str) -> None:
        self._game, self._tables = game, Tables(game, remote=server)
        self._paused_until = 0.0

    def find(self) -> Exact | None:
        """Returns the table; None if the server does not offer it, or has failed in the last minute."""
        if time.monotonic() < self._paused_until:
            return None
        try:
            if self._tables.is_built:
                return Exact(self._game, self._tables)
            self._pause()
        except NotSolvable:
            self._paused_until = float("inf")
        except DamierError as error:
            self.fail(error)
        return None

    def fail(self, error: DamierError) -> None:
        """Logs an error of the server and leaves it alone for a while."""
        _log.warning("the table of %s on another server cannot be used: %s", self._game.name, error)
        self.close()
        self._pause()

    def _pause(self) -> None:
        self._paused_until = time.monotonic() + _PAUSE

    def close(self) -> None:
        """Closes the connection; the next probe opens it again."""
        self._tables.close()
