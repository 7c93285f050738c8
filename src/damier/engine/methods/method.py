"""What all search methods share: their settings, and a clock that stops searches."""

from __future__ import annotations

import dataclasses
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.analysis import Analysis
    from damier.engine.limit import Limit
    from damier.engine.methods.kernel_loader import KernelLoader
    from damier.solve.leaves import Leaves

#: Nodes up to which a search without a time limit runs in the calling thread, where nothing can interrupt it.
_DIRECT_NODES = 200_000


class Method(ABC):
    """A way of searching a game, with what it remembers. It runs one search at a time."""

    can_use_leaves = False
    """Whether its searches can end at positions of a table."""

    def __init__(self, game: Game, loader: KernelLoader) -> None:
        self.game = game
        self.loader = loader
        self.is_stopped = False
        """Whether `stop` has been called; reset it before a search."""
        self.contempt = 0
        """How much winning chance the player on move would give to avoid a draw, in thousandths of log-odds."""
        self.overlooked = 0
        """How many of 1024 actions a weak player does not see."""
        self.allowed: Collection[int] | None = None
        """The actions of the root to search; None for all."""
        self.leaves: Leaves | None = None
        """The part of a table in memory, at whose positions a search ends."""
        self.weights: Sequence[int] | None = None
        """The weights of the evaluation made by hand; None for those of the game."""
        self.evaluation: str | None = None
        """What judges positions: see ``evaluation.py``. None for the game's own choice."""
        self.stream = 1
        """The seed of everything random: which actions are overlooked, how random games go."""

    def root_actions(self, record: Record) -> list[int]:
        """Returns the actions to search from a record."""
        return [code for code in record.codes() if self.allowed is None or code in self.allowed]

    @abstractmethod
    def run(self, kernels: SimpleNamespace, record: Record, limit: Limit, lines: int) -> Iterator[Analysis]:
        """Yields better and better analyses of an undecided record until a limit is reached or `stop` is called."""

    @abstractmethod
    def stop(self) -> None:
        """Ends the running search within a few thousand nodes."""

    @abstractmethod
    def clear(self) -> None:
        """Forgets all previous searches."""


class Clock:
    """The time of one search, which calls `stop` when it is up."""

    def __init__(self, limit: Limit, stop: Callable[[], None] = lambda: None) -> None:
        self.limit = limit
        self._stop = stop
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float:
        """The time since the search began."""
        return time.perf_counter() - self._began

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.limit.seconds is not None and self.seconds >= self.limit.seconds

    @property
    def rest(self) -> Limit:
        """The limit without the time that has passed."""
        if self.limit.seconds is None:
            return self.limit
        return dataclasses.replace(self.limit, seconds=max(0.0, self.limit.seconds - self.seconds))

    def call(self, work: Callable[[], Any]) -> None:
        """Runs a part of the search until it ends or is stopped by the clock, by Ctrl-C or from another thread."""
        limit = self.limit
        if limit.seconds is None and limit.nodes is not None and limit.nodes <= _DIRECT_NODES:
            work()
            return
        failure: list[BaseException] = []

        def guarded() -> None:
            try:
                work()
            except BaseException as error:  # raised in the calling thread
                failure.append(error)

        thread = threading.Thread(target=guarded, daemon=True)
        thread.start()
        try:
            if limit.seconds is not None:
                thread.join(max(0.0, limit.seconds - self.seconds))
                if thread.is_alive():
                    self._stop()
            thread.join()
        except BaseException:
            self._stop()
            thread.join()
            raise
        if failure:
            raise failure[0]
        if self.is_over:
            self._stop()
