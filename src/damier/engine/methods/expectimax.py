"""Iterative deepening for two players and a die: every action of the root with the value of what it leads to."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING

from damier.core.kernel.bind import bind
from damier.core.kernel.contract import CHANCE, PLAYING
from damier.engine.analysis import Analysis, Line, Value
from damier.engine.limit import MOST_DEPTH, Limit
from damier.engine.methods.buffers import Workplace
from damier.engine.methods.kernel_loader import Readiness
from damier.engine.methods.method import Clock, Method
from damier.engine.methods.transposition import Memory
from damier.search import expectimax, table
from damier.search import scratch as words
from damier.search.expectimax import CERTAIN

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.kernel.contract import State
    from damier.core.record import Record

ALGORITHMS = (table, words, expectimax)
_LONGEST_LINE = 20


class Expectimax(Method):
    """Expectimax for one game of two players with chance, with its table."""

    def __init__(self, game: Game, threads: int = 1, memory: int = 64) -> None:
        super().__init__()
        self.game = game
        self.readiness = Readiness(game, ALGORITHMS, exercise)
        self.threads = threads
        self._memory = Memory(memory)
        self._searchers: list[Searcher] = []

    def clear(self) -> None:
        """Empties the table."""
        self._memory.clear()

    def stop(self) -> None:
        """Ends the running search."""
        self.is_stopped = True
        self._end()

    def _end(self) -> None:
        for each in self._searchers:
            each.work[words.STOP] = 1

    def run(self, kernels: SimpleNamespace, record: Record, limit: Limit, lines: int) -> Iterator[Analysis]:
        """Yields growing analyses; at a die the lines are its outcomes."""
        clock = Clock(limit, self._end)
        threads = 1 if kernels is self.readiness.plain else self.threads
        entries = self._memory.table_for(limit)
        nodes = limit.nodes and max(1, limit.nodes // threads)
        self._searchers = [Searcher(self.game, kernels, entries, nodes) for _ in range(threads)]
        for each in self._searchers:
            each.follow(self, self._memory.generation)
        roots = _Roots(self.game, record, self.root_actions(record), lines)
        helpers = [
            threading.Thread(target=each.help, args=(roots.states, i), daemon=True)
            for i, each in enumerate(self._searchers[1:], 1)
        ]
        for helper in helpers:
            helper.start()
        if self.is_stopped:
            self._end()
        try:
            yield from self._deepen(roots, record, clock)
        finally:
            self._end()
            for helper in helpers:
                helper.join()

    def _deepen(self, roots: _Roots, record: Record, clock: Clock) -> Iterator[Analysis]:
        search = self._searchers[0]
        for depth in range(1, (clock.limit.depth or MOST_DEPTH) + 1):
            clock.call(lambda depth=depth: search.search(roots, depth))  # type: ignore[misc]
            if clock.is_over:
                self._end()
            if roots.is_improved or depth == 1:
                nodes = sum(each.nodes for each in self._searchers)
                yield self._analysis(roots, record, depth - bool(search.is_stopped), nodes, clock.seconds)
            if search.is_stopped or (roots.is_certain and depth > 2):
                return

    def _analysis(self, roots: _Roots, record: Record, depth: int, nodes: int, seconds: float) -> Analysis:
        lines = tuple(
            Line(
                tuple(self.game.action_text(code) for code in self._searchers[0].continued(roots.states[code], code)),
                _value(value),
            )
            for value, code in roots.best()
        )
        return Analysis(record.mover, depth, nodes, seconds, lines)


class _Roots:
    """The actions of the root (or the outcomes of its die) with the states they lead to and the values found so far."""

    def __init__(self, game: Game, record: Record, codes: list[int], lines: int) -> None:
        kernels, rules, state = game.kernels, game.rules, record.position.state
        self.player: int = kernels.mover(rules, state)
        self.states: dict[int, State] = {code: kernels.apply(rules, state, code) for code in codes}
        self.values = dict.fromkeys(codes, CERTAIN // 2)
        self.is_improved = False
        self._lines = len(codes) if self.player == CHANCE else min(lines, len(codes))

    def best(self) -> list[tuple[int, int]]:
        """Returns the best values with their actions; at a die all outcomes as they come."""
        pairs = [(value, code) for code, value in self.values.items()]
        if self.player != CHANCE:
            pairs.sort(key=lambda pair: pair[0] if self.player else -pair[0])
        return pairs[: self._lines]

    @property
    def is_certain(self) -> bool:
        """Whether nothing is left to find out."""
        return all(value in (0, CERTAIN) for value, _ in self.best())

    def window(self, found: dict[int, int]) -> tuple[int, int]:
        """Returns between which values the next action is worth knowing exactly."""
        if self.player == CHANCE or len(found) < self._lines:
            return -1, CERTAIN + 1
        ranked = sorted(found.values(), reverse=self.player == 0)
        limit = ranked[self._lines - 1]
        return (limit, CERTAIN + 1) if self.player == 0 else (-1, limit)


class Searcher(Workplace):
    """One thread with its arrays."""

    def __init__(self, game: Game, kernels: SimpleNamespace, entries: memoryview, nodes: int | None) -> None:
        super().__init__(game, kernels, entries, expectimax.words_for(kernels.MAX_ACTIONS), nodes)

    def expect(self, state: State, depth: int, low: int, high: int) -> int:
        """Returns the value of a state."""
        return int(self.kernels.expect(self.rules, self.table, self.work, self.out, state, depth, low, high, 1))

    def search(self, roots: _Roots, depth: int) -> None:
        """Searches all actions of the root to a depth, best first, and leaves their values with the root."""
        found: dict[int, int] = {}
        roots.is_improved = False
        for _, code in sorted(((v, c) for c, v in roots.values.items()), reverse=roots.player == 0):
            low, high = roots.window(found)
            value = self.expect(roots.states[code], depth - 1, low, high)
            if self.is_stopped:
                break
            # outside the window the value is only a bound: what it belongs to is not among the best
            found[code] = min(value, low - 1) if value <= low else max(value, high + 1) if value >= high else value
        if len(found) == len(roots.values) or (found and roots.player != CHANCE):
            # what a stopped search has not reached is worse than what it has: the best came first
            worst = min(found.values()) if roots.player == 0 else max(found.values())
            for code in roots.values:
                if code not in found:
                    roots.values[code] = (
                        min(roots.values[code], worst) if roots.player == 0 else max(roots.values[code], worst)
                    )
            roots.values.update(found)
            roots.is_improved = True

    def help(self, states: dict[int, State], number: int) -> None:
        """Searches the same root beside another thread, for the sake of the table they share."""
        depth = 1 + number % 2
        while not self.is_stopped and depth < MOST_DEPTH:
            for state in list(states.values())[::-1]:
                self.expect(state, depth, -1, CERTAIN + 1)
            depth += 1

    def continued(self, state: State, code: int) -> list[int]:
        """Returns a line that begins with an action, with what the table knows of how it goes on until a die is due."""
        kernels, rules = plain(self.game), self.game.rules
        entries = memoryview(self.table).cast("B").cast("q")
        line, out = [code], [0] * kernels.MAX_ACTIONS
        while kernels.outcome(rules, state) == PLAYING and kernels.mover(rules, state) != CHANCE:
            data = kernels.probe(entries, kernels.blend(*state))
            code = kernels.entry_action(data)
            if not data or code not in out[: kernels.actions(rules, state, out)] or len(line) == _LONGEST_LINE:
                break
            state = kernels.apply(rules, state, code)
            line.append(code)
        return line


def _value(value: int) -> Value:
    chance = value / CERTAIN
    return Value((chance, 1 - chance))


def plain(game: Game) -> SimpleNamespace:
    """Returns the kernels of this search as plain Python."""
    return bind(game.definition.rules, *ALGORITHMS, game.definition.evaluate)


def exercise(game: Game, kernels: SimpleNamespace) -> None:
    """Runs every compiled function of this search once."""
    search = Searcher(game, kernels, Memory(1).table_for(Limit(nodes=1)), 1)
    search.expect(game.start.state, 1, -1, CERTAIN + 1)
