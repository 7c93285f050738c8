"""Expectimax search of games of two players with a die: the value of every action of the root."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING

from damier.core.kernel.bind import bind
from damier.core.kernel.contract import CHANCE, PLAYING
from damier.engine.analysis import Line, Value
from damier.engine.limit import MOST_DEPTH, Limit
from damier.engine.methods.iterative import IterativeSearch, SearchThread
from damier.engine.methods.transposition import TranspositionTable
from damier.search import expectimax, scratch, table
from damier.search.expectimax import CERTAIN

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.kernel.contract import State
    from damier.core.record import Record
    from damier.engine.methods.method import Clock

ALGORITHMS = (table, scratch, expectimax)
_LONGEST_LINE = 20  # plies


class _Roots:
    """The actions of the root, or the outcomes of its die, with the states they lead to and the values found so far."""

    def __init__(self, game: Game, record: Record, codes: list[int], lines: int) -> None:
        kernels, rules, state = game.kernels, game.rules, record.position.state
        self.player: int = kernels.mover(rules, state)
        self.states: dict[int, State] = {code: kernels.apply(rules, state, code) for code in codes}
        self.values = dict.fromkeys(codes, CERTAIN // 2)
        self._lines = len(codes) if self.player == CHANCE else min(lines, len(codes))

    def best(self) -> list[tuple[int, int]]:
        """Returns the best values with their actions; at a die all outcomes in their order."""
        pairs = [(value, code) for code, value in self.values.items()]
        if self.player != CHANCE:
            pairs.sort(key=lambda pair: pair[0] if self.player else -pair[0])
        return pairs[: self._lines]

    @property
    def is_certain(self) -> bool:
        """Whether the outcome of every best action is proved."""
        return all(value in (0, CERTAIN) for value, _ in self.best())

    def window(self, found: dict[int, int]) -> tuple[int, int]:
        """Returns the window in which the value of the next action matters."""
        if self.player == CHANCE or len(found) < self._lines:
            return -1, CERTAIN + 1
        ranked = sorted(found.values(), reverse=self.player == 0)
        limit = ranked[self._lines - 1]
        return (limit, CERTAIN + 1) if self.player == 0 else (-1, limit)


class ExpectimaxThread(SearchThread):
    """The buffers of one thread and its root."""

    def __init__(
        self,
        game: Game,
        kernels: SimpleNamespace,
        record: Record,
        actions: list[int],
        entries: memoryview,
        nodes: int | None,
        lines: int = 1,
    ) -> None:
        super().__init__(game, kernels, entries, expectimax.words_for(kernels.MAX_ACTIONS), nodes)
        self._roots = _Roots(game, record, actions, lines)

    def expect(self, state: State, depth: int, low: int, high: int) -> int:
        """Returns the value of a state."""
        return int(self.kernels.expect(self.rules, self.table, self.work, self.out, state, depth, low, high, 1))

    def deepen(self, depth: int, clock: Clock) -> bool:
        """Searches all actions of the root, best first; returns whether their values were updated."""
        found: dict[int, int] = {}
        clock.call(partial(self._search, depth, found))
        return self._update(found)

    def _search(self, depth: int, found: dict[int, int]) -> None:
        """Adds the values of the actions to `found`, until stopped."""
        roots = self._roots
        for _, code in sorted(((v, c) for c, v in roots.values.items()), reverse=roots.player == 0):
            low, high = roots.window(found)
            value = self.expect(roots.states[code], depth - 1, low, high)
            if self.is_stopped:
                return
            # outside the window the value is only a bound, and the action not among the best
            found[code] = min(value, low - 1) if value <= low else max(value, high + 1) if value >= high else value

    def _update(self, found: dict[int, int]) -> bool:
        """Takes over the values of a search; one that was stopped counts only for players, not for the die."""
        roots = self._roots
        if len(found) < len(roots.values) and (not found or roots.player == CHANCE):
            return False
        # the best came first, so actions that a stopped search has not reached are worse
        bound, worst = (min, min(found.values())) if roots.player == 0 else (max, max(found.values()))
        for code, value in roots.values.items():
            if code not in found:
                roots.values[code] = bound(value, worst)
        roots.values.update(found)
        return True

    def is_decided(self, depth: int) -> bool:
        """Returns whether the outcome of every best action is proved."""
        return self._roots.is_certain and depth > 2

    def lines(self) -> tuple[Line, ...]:
        """Returns the best lines with their continuations from the transposition table."""
        text, states = self.game.action_text, self._roots.states
        return tuple(
            Line(tuple(map(text, self.continued(states[code], code))), _value(value))
            for value, code in self._roots.best()
        )

    def help(self, number: int) -> None:
        """Searches the same root in the opposite order until stopped."""
        states = list(self._roots.states.values())[::-1]
        depth = 1 + number % 2
        while not self.is_stopped and depth < MOST_DEPTH:
            for state in states:
                self.expect(state, depth, -1, CERTAIN + 1)
            depth += 1

    def continued(self, state: State, code: int) -> list[int]:
        """Returns the line from `code`, which leads to `state`, continued from the table until a die is due."""
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


class Expectimax(IterativeSearch[ExpectimaxThread]):
    """Expectimax by iterative deepening."""

    def __init__(self, game: Game, threads: int = 1, memory: int = 64) -> None:
        super().__init__(game, ALGORITHMS, exercise, threads, memory)

    def make_thread(
        self, kernels: SimpleNamespace, record: Record, lines: int, entries: memoryview, nodes: int | None
    ) -> ExpectimaxThread:
        """Returns a thread that searches from a record."""
        return ExpectimaxThread(self.game, kernels, record, self.root_actions(record), entries, nodes, lines)


def _value(value: int) -> Value:
    chance = value / CERTAIN
    return Value((chance, 1 - chance))


def plain(game: Game) -> SimpleNamespace:
    """Returns the kernels of this search as plain Python."""
    return bind(game.definition.rules, *ALGORITHMS, game.definition.evaluate)


def exercise(game: Game, kernels: SimpleNamespace) -> None:
    """Runs every compiled function of this search once."""
    record = game.record()
    entries = TranspositionTable(1).entries_for(Limit(nodes=1))
    thread = ExpectimaxThread(game, kernels, record, record.codes(), entries, 1)
    thread.expect(game.start.state, 1, -1, CERTAIN + 1)
