"""Requests to worker processes, and the engines that a process keeps between them.

A request is pickled, so a subclass and everything in it must belong to an importable module.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from damier.core.errors import BadArgument, IllegalAction
from damier.core.messages import message
from damier.engine.analysis import Analysis
from damier.engine.engine import Engine
from damier.engine.exact import Exact, UsableTables
from damier.engine.levels import FULL_STRENGTH, EnginePlayer, LevelPlayer
from damier.engine.limit import Limit
from damier.engine.player import Report

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record

Answer = TypeVar("Answer", covariant=True)
Kept = TypeVar("Kept")

PLAYING, ANALYSING, LIVE = range(3)
"""Priorities of requests: what somebody waits for to go on playing, a short analysis, and one that runs on."""

_UNTIL_STOPPED, _ONE_SECOND, _TWENTY_SECONDS = Limit(), Limit(seconds=1.0), Limit(seconds=20.0)
_KEPT = 4  # engines and players of a process; what they remember makes the next search quicker


class EngineCache:
    """The engines and players that a process has used last."""

    def __init__(self, memory: int) -> None:
        """`memory` is for each engine, in MB."""
        self.memory = memory
        self._kept: OrderedDict[tuple[object, ...], Any] = OrderedDict()
        self._latest: object = None

    def get(self, key: tuple[object, ...], make: Callable[[], Kept]) -> Kept:
        """Returns what is kept under a key, or what `make` returns; closes what was used least recently."""
        engine: Kept = self._kept[key] if key in self._kept else make()
        self._kept[key] = self._latest = engine
        self._kept.move_to_end(key)
        while len(self._kept) > _KEPT:
            _close(self._kept.popitem(last=False)[1])
        return engine

    def stop(self) -> None:
        """Ends the search of the engine used last, if it is running; called from another thread."""
        if stop := getattr(self._latest, "stop", None):
            stop()

    def close(self) -> None:
        """Closes and forgets all engines."""
        for engine in self._kept.values():
            _close(engine)
        self._kept.clear()
        self._latest = None


def _close(engine: object) -> None:
    if close := getattr(engine, "close", None):
        close()


class Request(ABC, Generic[Answer]):
    """What a worker process is asked to do."""

    limit: Limit
    priority: int = PLAYING
    """One with a higher number waits for those with lower ones, and makes way for them."""

    @property
    def affinity(self) -> object:
        """The game: a process whose last request was of the same one is preferred, as its engines are warm."""
        return getattr(self, "game", None)

    @abstractmethod
    def answer(self, engines: EngineCache, report: Callable[[Any], object]) -> Answer:
        """Returns the answer, in the worker process; `report` sends the parent what is found meanwhile."""


def _record(request: AnalyseRequest | ChooseRequest | ProbeRequest) -> Record:
    record = request.game.record(request.start)
    for action in request.actions:
        record.play(action)
    return record


@dataclass(frozen=True)
class AnalyseRequest(Request[Analysis]):
    """Asks for an analysis of a game being played; the answer is the last one."""

    game: Game
    start: str | None = None
    """The position string from which it is played; None for the start of the game."""

    actions: tuple[str, ...] = ()
    """What has been played from there."""

    limit: Limit = _UNTIL_STOPPED
    lines: int = 3
    threads: int = 1
    method: str | None = None
    priority: int = ANALYSING

    def answer(self, engines: EngineCache, report: Report) -> Analysis:
        """Returns the last analysis; one without lines if the game is over."""
        record = _record(self)
        last = Analysis(record.mover, 0, 0, 0.0, ())
        engine = engines.get((self.game, "analysis", self.threads, self.method), lambda: self._engine(engines.memory))
        for last in engine.analyse(record, self.limit, self.lines):
            report(last)
        return last

    def _engine(self, memory: int) -> Engine:
        return Engine(
            self.game, threads=self.threads, memory=memory, method=self.method, uses_tables=self.method is None
        )


@dataclass(frozen=True)
class ChooseRequest(Request[list[str]]):
    """Asks for the next action of a level, or for the rest of the turn at full strength."""

    game: Game
    start: str | None = None
    actions: tuple[str, ...] = ()
    level: int = FULL_STRENGTH
    seed: int = 0
    """Of the random choices of a level; keep it for the whole game."""

    limit: Limit = _ONE_SECOND

    def answer(self, engines: EngineCache, report: Report) -> list[str]:  # noqa: ARG002  # a player chooses silently
        """Returns the actions to play."""
        record = _record(self)
        if result := record.result:
            raise IllegalAction(message("The game is over. {result}", result=result.message))
        if record.mover == "chance":
            raise BadArgument(message("The die is due, so there is nothing to choose."))
        if self.level == FULL_STRENGTH:
            player = engines.get((self.game, "full"), lambda: EnginePlayer(self.game, memory=engines.memory))
            player.vary(self.seed)
            return player.choose(record, self.limit)
        level = engines.get(
            (self.game, "level", self.level, self.seed), lambda: LevelPlayer(self.game, self.level, self.seed)
        )
        return level.choose(record, self.limit)


@dataclass(frozen=True)
class ProbeRequest(Request[Analysis]):
    """Asks for the exact value of every action from a table with the position, which must exist."""

    game: Game
    start: str | None = None
    actions: tuple[str, ...] = ()
    lines: int = 1 << 16
    plies: int = 1
    """The most plies of a line."""

    limit: Limit = _TWENTY_SECONDS

    def answer(self, engines: EngineCache, report: Report) -> Analysis:  # noqa: ARG002  # there is one answer
        """Returns the values as an analysis."""
        record = _record(self)
        tables = engines.get((self.game, "tables of engines"), lambda: UsableTables(self.game))
        exact = tables.find(record.position) or Exact(self.game)  # which raises what is missing
        return exact.analysis(record, exact.actions(record), self.lines, self.plies)
