"""An engine for tests that always finds the same, and players that use it."""

import threading
from collections.abc import Iterator
from typing import cast

import damier
from damier.engine.analysis import Analysis, Line, Value
from damier.engine.engine import Engine
from damier.engine.levels import FULL_STRENGTH, EnginePlayer
from damier.engine.limit import Limit
from damier.engine.player import Player, RandomPlayer
from damier.engine.protocols.session import PlayerSettings

PATIENCE = 60  # seconds after which an event that does not come is a failure


class MadeUpEngine:
    """Finds the first action in the order of the alphabet, and lines as long as it has looked ahead."""

    made: "list[MadeUpEngine]" = []  # noqa: RUF012  # shared on purpose: tests look for the engines that were made

    def __init__(self, game: damier.Game, settings: PlayerSettings) -> None:
        self.settings = settings
        self.game = game
        self.limits: list[Limit] = []
        self.games = 0
        self.is_closed = False
        self._stopped = threading.Event()
        MadeUpEngine.made.append(self)

    def analyse(self, start: damier.Record | damier.Position, limit: Limit, lines: int = 3) -> Iterator[Analysis]:
        assert isinstance(start, damier.Record)
        self._stopped.clear()
        self.limits.append(limit)
        chances = (0.6, 0.4, 0.0, 0.0)
        for depth in range(1, (limit.depth or 1) + 1):
            found = [
                Line(line, Value(chances)) for line in (_line(start, first, depth) for first in start.actions()[:lines])
            ]
            yield Analysis(start.mover, depth, 10 * depth, 0.0, tuple(found))
        if limit == Limit():
            assert self._stopped.wait(PATIENCE)

    must_compile = False

    def warm_up(self) -> None:
        """Is ready."""

    def stop(self) -> None:
        self._stopped.set()

    def new_game(self) -> None:
        self.games += 1

    def close(self) -> None:
        self.is_closed = True


def _line(record: damier.Record, first: str, depth: int) -> tuple[str, ...]:
    """Returns an action and the first of each further position."""
    position, actions = record.position.play(first), [first]
    while len(actions) < depth and position.result is None and position.mover != "chance":
        actions.append(position.actions()[0])
        position = position.play(actions[-1])
    return tuple(actions)


def playing(engine: MadeUpEngine) -> Player:
    """Returns a player at full strength that thinks with a made-up engine."""
    return EnginePlayer(engine.game, engine=cast(Engine, engine))


def made_up(game: damier.Game, settings: PlayerSettings) -> Player:
    if settings.level < FULL_STRENGTH:
        return RandomPlayer(settings.seed)
    return playing(MadeUpEngine(game, settings))


def at_random(game: damier.Game, settings: PlayerSettings) -> Player:
    return RandomPlayer(1)
