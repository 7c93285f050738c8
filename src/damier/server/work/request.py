"""Work for pages in a process of its own: rules, boards, records and pictures, whose cost a visitor chooses.

The event loop only passes bytes on. Nothing here imports the web framework: this module is for the worker processes.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from damier.engine.limit import Limit
from damier.engine.pool.request import EngineCache, Request
from damier.games import register

if TYPE_CHECKING:
    from damier.core.definition import Definition

PAGES = (
    "damier.server.analysis.lines",
    "damier.server.correspondence.conditional",
    "damier.server.game_data",
    "damier.server.learn.lesson_data",
    "damier.server.learn.puzzle_data",
    "damier.server.learn.solution_data",
    "damier.server.lobby.downloads",
    "damier.server.records.reading",
    "damier.server.records.setup",
    "damier.server.share.pictures",
)
"""The modules with functions for page requests, which a process imports before the first visitor waits for it."""

LONGEST = 10.0
"""Seconds for one request: many times what the longest takes on an idle machine."""

_LIMIT = Limit(seconds=LONGEST)


@dataclass(frozen=True)
class PageRequest(Request[bytes]):
    """Calls a function of a module with some arguments; the answer is what it returns, as JSON, or its bytes."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    limit: Limit = _LIMIT

    def answer(self, engines: EngineCache, report: Callable[[Any], object]) -> bytes:  # noqa: ARG002  # no engine
        """Returns the encoded result."""
        found = self.function(*self.arguments)
        return found if isinstance(found, bytes) else to_json(found)


def prepare_process(games: Sequence[Definition], modules: Sequence[str]) -> None:
    """Registers games from outside the package in a worker process, and imports modules."""
    for game in games:
        register(game)
    for name in modules:
        importlib.import_module(name)
