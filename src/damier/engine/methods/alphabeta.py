"""Iterative deepening: runs the alpha-beta kernels deeper and deeper, on one thread or several, and reports lines."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

from damier.engine.analysis import Analysis, Line, Value
from damier.engine.limit import MOST_DEPTH, Limit
from damier.engine.methods.alphabeta_thread import ALGORITHMS, Desk, exercise
from damier.engine.methods.kernel_loader import Readiness
from damier.engine.methods.method import Clock, Method
from damier.engine.methods.transposition import Memory
from damier.search import alphabeta
from damier.search import scratch as words
from damier.search.alphabeta import PROVED, WIN

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record


class AlphaBeta(Method):
    """Alpha-beta for one game of two players without chance, with its table."""

    def __init__(self, game: Game, threads: int = 1, memory: int = 64) -> None:
        super().__init__()
        self.game = game
        self.readiness = Readiness(game, ALGORITHMS, exercise)
        self.threads = threads
        self.is_exact = False
        """Whether every action is searched to the full depth."""
        self._memory = Memory(memory)
        self._desks: list[Desk] = []

    def clear(self) -> None:
        """Empties the table."""
        self._memory.clear()

    def stop(self) -> None:
        """Ends the running search."""
        self.is_stopped = True
        self._end()

    def _end(self) -> None:
        for desk in self._desks:
            desk.work[words.STOP] = 1

    def run(self, kernels: SimpleNamespace, record: Record, limit: Limit, lines: int) -> Iterator[Analysis]:
        """Yields growing analyses."""
        threads = 1 if kernels is self.readiness.plain else self.threads
        table = self._memory.table_for(limit)
        nodes = limit.nodes and max(1, limit.nodes // threads)
        actions = self.root_actions(record)
        self._desks = [Desk(self.game, kernels, record, actions, table, nodes) for _ in range(threads)]
        for desk in self._desks:
            desk.follow(self, self._memory.generation)
            desk.work[alphabeta.IS_EXACT] = int(self.is_exact)
            desk.work[alphabeta.CONTEMPT] = self.contempt
        helpers = [
            threading.Thread(target=desk.help, args=(i,), daemon=True) for i, desk in enumerate(self._desks[1:], 1)
        ]
        for helper in helpers:
            helper.start()
        if self.is_stopped:
            self._end()
        try:
            yield from self._deepen(record, limit, lines)
        finally:
            self._end()
            for helper in helpers:
                helper.join()

    def _deepen(self, record: Record, limit: Limit, lines: int) -> Iterator[Analysis]:
        desk, clock = self._desks[0], Clock(limit, self._end)
        lines = min(lines, len(desk.actions))
        best: list[tuple[int, list[int]]] = []  # value and line of the deepest search so far
        for depth in range(1, (limit.depth or MOST_DEPTH) + 1):
            found: list[tuple[int, list[int]]] = []
            while len(found) < lines and not desk.is_stopped:
                i = len(found)
                clock.call(partial(desk.search, depth, i, best[i][0] if best else 0))
                if desk.line:
                    found.append((desk.value, desk.line))
                if clock.is_over:
                    self._end()
            is_complete = len(found) == lines and not desk.is_stopped
            if found or not best:
                best = _merged(found, best, lines) or [(0, [desk.actions[0]])]
                yield self._analysis(record, best, depth if is_complete else depth - 1, clock.seconds)
            if not is_complete or all(abs(value) > PROVED and depth >= WIN - abs(value) for value, _ in best):
                return

    def _analysis(self, record: Record, best: list[tuple[int, list[int]]], depth: int, seconds: float) -> Analysis:
        desk = self._desks[0]
        lines = tuple(
            Line(
                tuple(self.game.action_text(code) for code in desk.continued(codes)),
                value_of(self.game, record.mover, value),
            )
            for value, codes in best
        )
        return Analysis(record.mover, depth, sum(each.nodes for each in self._desks), seconds, lines)


def _merged(
    found: list[tuple[int, list[int]]], before: list[tuple[int, list[int]]], lines: int
) -> list[tuple[int, list[int]]]:
    """Returns the lines of a search, completed by those of the one before if it was stopped on the way."""
    firsts, worst = {line[0] for _, line in found}, min((value for value, _ in found), default=WIN)
    rest = [(min(value, worst), line) for value, line in before if line[0] not in firsts]
    return (sorted(found, key=lambda each: -each[0]) + rest)[:lines]


def value_of(game: Game, mover: str, value: int) -> Value:
    """Returns what a search's value means for all players."""
    winner = distance = None
    chance = 1 / (1 + math.exp(-value / 1000))
    if abs(value) > PROVED:
        winner = mover if value > 0 else game.opponent(mover)
        chance, distance = float(value > 0), WIN - abs(value)
    return Value((chance, 1 - chance) if mover == game.players[0] else (1 - chance, chance), winner, distance)
