"""Engines: opponents at every level, analysis, matches, and protocols for other programs.

>>> import damier
>>> from damier.engine import Limit, analyse
>>> game = damier.load(damier.games()[1])
>>> *_, last = analyse(game.parse("5/5/W3W/B1B2/BB1WW b 0,0 -"), Limit(nodes=500))
>>> last.best.actions, last.best.value.winner
(('c2-b2',), 'b')
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from damier.core.position import Position
    from damier.core.record import Record
    from damier.engine.analysis import Analysis, Line, Value
    from damier.engine.engine import Engine
    from damier.engine.levels import EnginePlayer, LevelPlayer
    from damier.engine.limit import Limit

__all__ = ["Analysis", "Engine", "EnginePlayer", "LevelPlayer", "Limit", "Line", "Value", "analyse"]

_MODULES = {
    "Analysis": "analysis",
    "Engine": "engine",
    "EnginePlayer": "levels",
    "LevelPlayer": "levels",
    "Limit": "limit",
    "Line": "analysis",
    "Value": "analysis",
}
"""The modules of the names, imported on first use: importing one module does not import the others."""


if not TYPE_CHECKING:  # checkers know the names from above

    def __getattr__(name: str) -> object:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)


def analyse(start: Record | Position, limit: Limit, lines: int = 3) -> Iterator[Analysis]:
    """Yields better and better analyses of a game being played or of a position; none if the game is over.

    It uses a new engine. To keep the transposition table from one search to the next, use `Engine.analyse`.
    """
    from damier.engine.engine import Engine

    return Engine(start.game).analyse(start, limit, lines)
