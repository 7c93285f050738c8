"""Iterative deepening: searches deeper and deeper, on one thread or several, until a limit is reached.

Several threads search the same root and share the transposition table (lazy SMP). Only the first one counts: the others
fill the table with what it will need.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Generic, TypeVar

from damier.engine.analysis import Analysis, Line
from damier.engine.limit import MOST_DEPTH
from damier.engine.methods.buffers import SearchBuffers
from damier.engine.methods.kernel_loader import Exercise, shared_loader
from damier.engine.methods.method import Clock, Method
from damier.engine.methods.transposition import TranspositionTable
from damier.search import scratch

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.limit import Limit


class SearchThread(SearchBuffers, ABC):
    """Per-thread state of an iterative search."""

    @abstractmethod
    def deepen(self, depth: int, clock: Clock) -> bool:
        """Searches the root to a depth; returns whether it found something new. Stopped, it may be incomplete."""

    @abstractmethod
    def help(self, number: int) -> None:
        """Searches the same root until stopped, only to fill the transposition table, as thread `number`."""

    @abstractmethod
    def lines(self) -> tuple[Line, ...]:
        """Returns the best lines found so far."""

    @abstractmethod
    def is_decided(self, depth: int) -> bool:
        """Returns whether searching deeper than `depth` cannot change the best lines."""


Thread = TypeVar("Thread", bound=SearchThread)


class IterativeSearch(Method, Generic[Thread]):
    """A search by iterative deepening, with its transposition table."""

    def __init__(
        self, game: Game, algorithms: tuple[ModuleType, ...], exercise: Exercise, threads: int, memory: int
    ) -> None:
        super().__init__(game, shared_loader(game, algorithms, exercise))
        self.threads = threads
        self.table = TranspositionTable(memory)
        self._running: list[Thread] = []

    @abstractmethod
    def make_thread(
        self, kernels: SimpleNamespace, record: Record, lines: int, entries: memoryview, nodes: int | None
    ) -> Thread:
        """Returns a thread that searches for `lines` lines from a record and visits at most `nodes` nodes."""

    def clear(self) -> None:
        """Empties the transposition table."""
        self.table.clear()

    def stop(self) -> None:
        """Ends the running search."""
        self.is_stopped = True
        self._end()

    def _end(self) -> None:
        for thread in self._running:
            thread.work[scratch.STOP] = 1

    def run(self, kernels: SimpleNamespace, record: Record, limit: Limit, lines: int) -> Iterator[Analysis]:
        """Yields an analysis after each depth; at a die the lines are its outcomes."""
        clock = Clock(limit, self._end)
        count = 1 if kernels is self.loader.plain else self.threads
        entries = self.table.entries_for(limit)
        nodes = limit.nodes and max(1, limit.nodes // count)
        self._running = [self.make_thread(kernels, record, lines, entries, nodes) for _ in range(count)]
        for thread in self._running:
            thread.configure(self, self.table.generation)
        helpers = [
            threading.Thread(target=thread.help, args=(number,), daemon=True)
            for number, thread in enumerate(self._running[1:], 1)
        ]
        for helper in helpers:
            helper.start()
        if self.is_stopped:
            self._end()
        try:
            yield from self._deepen(record, clock)
        finally:
            self._end()
            for helper in helpers:
                helper.join()

    def _deepen(self, record: Record, clock: Clock) -> Iterator[Analysis]:
        first = self._running[0]
        for depth in range(1, (clock.limit.depth or MOST_DEPTH) + 1):
            is_improved = first.deepen(depth, clock)
            is_complete = not first.is_stopped
            if is_improved or depth == 1:
                nodes = sum(thread.nodes for thread in self._running)
                reached = depth if is_complete else depth - 1
                yield Analysis(record.mover, reached, nodes, clock.seconds, first.lines())
            if not is_complete or first.is_decided(depth):
                return
