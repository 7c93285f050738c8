"""Per-thread state of an alpha-beta search: its buffers, the root, and the best lines so far."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import PLAYING, REPETITION_DRAWS, REPETITION_FORBIDDEN, REPETITION_FREE
from damier.engine.analysis import Line, Value
from damier.engine.limit import Limit
from damier.engine.methods.iterative import SearchThread
from damier.engine.methods.transposition import TranspositionTable
from damier.search import alphabeta, scratch, table
from damier.search.alphabeta import PROVED, WIN
from damier.solve import leaf_lookup

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.kernel.contract import State
    from damier.core.record import Record
    from damier.engine.methods.method import Clock
    from damier.solve.leaves import Leaves

_NO_LEAVES = memoryview(bytes(8 * leaf_lookup.HEAD)).cast("q")

_ALL = 2 * WIN  # beyond every value
_WINDOW = 300  # half the first aspiration window around the value of the depth before
_NARROW_WINDOW = 120  # where the search prunes by how reliable the evaluation is (LOSS_PER_PLY)
_LEAST_DEPTH = 4  # from which on an aspiration window pays
_EXTENSION = 8  # plies beyond the depth where a win has to be stopped
_LONGEST_LINE = 40  # plies of a line that is continued from the transposition table
_CERTAIN_WIN, _CERTAIN_LOSS = 3, 2  # plies: the last action leads to a position in which nobody has won before


class AlphaBetaThread(SearchThread):
    """The buffers of one thread, its root and the lines it has found."""

    def __init__(
        self,
        game: Game,
        kernels: SimpleNamespace,
        record: Record,
        actions: list[int],
        entries: memoryview,
        nodes: int | None,
        lines: int = 1,
        leaves: Leaves | None = None,
    ) -> None:
        """With `leaves`, the search ends at positions that they have; that of the record must not be one of these."""
        self.state = record.position.state
        positions = record.positions if game.traits.repetition != REPETITION_FREE else ()
        size = alphabeta.words_for(len(positions), kernels.MAX_ACTIONS)
        super().__init__(game, kernels, entries, size, nodes)
        self._leaves = leaves
        self._leaf_words = self.words(leaves.words if leaves else _NO_LEAVES)
        for position in positions[:-1]:
            kernels.note_seen(self.rules, self.work, position.state)
        self.actions = actions
        self.place_actions(self.actions)
        self.value = 0
        self.line: list[int] = []
        self._mover = record.mover
        self._has_repeated = bool(record.repeated)
        self._situations: Counter[State] = Counter()
        """How often each situation has stood, where the third time is a draw."""

        if game.traits.repetition == REPETITION_DRAWS:
            situation = game.kernels.situation
            self._situations.update(situation(game.rules, each.state) for each in positions if each.is_settled)
        self._count = min(lines, len(actions))
        self._best: list[tuple[int, list[int]]] = []
        """Value and line of the deepest search so far, best first."""

    def place_actions(self, codes: list[int]) -> None:
        """Sets the actions of the root and their order."""
        self.work[alphabeta.ROOT_ACTIONS] = len(codes)
        for i, code in enumerate(codes):
            self.work[alphabeta.CANDIDATES + i] = code

    def deepen(self, depth: int, clock: Clock) -> bool:
        """Searches for one line after the other; returns whether it found any."""
        found: list[tuple[int, list[int]]] = []
        while len(found) < self._count and not self.is_stopped:
            rank = len(found)
            clock.call(partial(self.search, depth, rank, self._best[rank][0] if self._best else 0))
            if self.line:
                found.append((self.value, self.line))
        if found or not self._best:
            self._best = _merged(found, self._best, self._count) or [(0, [self.actions[0]])]
        return bool(found)

    def is_decided(self, depth: int) -> bool:
        """Returns whether the end of every line is proved and within the depth."""
        return all(abs(value) > PROVED and depth >= WIN - abs(value) for value, _ in self._best)

    def lines(self) -> tuple[Line, ...]:
        """Returns the best lines with their continuations from the transposition table."""
        text = self.game.action_text
        return tuple(
            Line(tuple(map(text, self.continued(codes))), value_of(self.game, self._mover, value, self._proves(value)))
            for value, codes in self._best
        )

    def _proves(self, value: int) -> bool:
        """Tells whether a value is a win or loss that the history of the game cannot spoil.

        The transposition table has values of other histories. Where a position that has stood twice may not come again
        or a return is forbidden, only the shortest wins and losses are certain.
        """
        if abs(value) <= PROVED:
            return False
        repetition = self.game.traits.repetition
        if repetition == REPETITION_FREE or (repetition == REPETITION_DRAWS and not self._has_repeated):
            return True
        plies = WIN - abs(value)
        if repetition == REPETITION_DRAWS:
            return plies == 1
        return plies <= (_CERTAIN_WIN if value > 0 else _CERTAIN_LOSS)

    def search(self, depth: int, first: int, guess: int) -> None:
        """Searches all actions of the root but the `first` best; sets `value` and `line`, which is empty if stopped."""
        self.work[alphabeta.HORIZON] = 0 if self.work[alphabeta.IS_EXACT] else depth + _EXTENSION
        low, high, window = -_ALL, _ALL, _NARROW_WINDOW if self.kernels.LOSS_PER_PLY else _WINDOW
        if depth >= _LEAST_DEPTH and abs(guess) < PROVED:
            low, high = guess - window, guess + window
        self.line = []
        while True:
            value = int(
                self.kernels.search_root(
                    self.rules,
                    self.table,
                    self._leaf_words,
                    self.work,
                    self.out,
                    self.state,
                    depth,
                    low,
                    high,
                    first,
                )
            )
            if value > low:
                self.value, self.line = value, self._found_line()
            if self.is_stopped or low < value < high:
                return
            window *= 4
            if value <= low:
                low = value - window if value > -PROVED and window < PROVED else -_ALL
            else:
                high = value + window if value < PROVED and window < PROVED else _ALL

    def help(self, number: int) -> None:
        """Searches the same root in another order until stopped."""
        turned = number % len(self.actions)
        self.place_actions(self.actions[turned:] + self.actions[:turned])
        depth, guess = 1 + number % 2, 0
        while not self.is_stopped and depth < scratch.MAX_PLY - _EXTENSION:
            self.search(depth, 0, guess)
            guess = self.value
            depth += 1

    def _found_line(self) -> list[int]:
        n = int(self.work[scratch.LINE_LENGTHS])
        return [int(code) for code in self.work[scratch.LINES : scratch.LINES + n]]

    def continued(self, line: list[int]) -> list[int]:
        """Returns a line, continued from the transposition table as far as the history of the game allows."""
        kernels, rules = plain(self.game), self.game.rules
        if kernels.REPETITION == REPETITION_FORBIDDEN:
            return line  # the table does not know what the history forbids
        state, line, met, seen = self.state, list(line), set(), self._situations.copy()
        code = -1
        for code in line:
            state = kernels.apply(rules, state, code)
            met.add(state)
            if kernels.settled(rules, state):
                seen[kernels.situation(rules, state)] += 1
        if self._leaves and kernels.outcome(rules, state) == PLAYING and self._leaves.has(state):
            return line + self._leaves.best_line(state)
        entries = memoryview(self.table).cast("B").cast("q")
        out = [0] * kernels.MAX_ACTIONS
        while len(line) < _LONGEST_LINE and kernels.outcome(rules, state) == PLAYING:
            if kernels.REPETITION == REPETITION_DRAWS and seen[kernels.situation(rules, state)] >= 3:
                break
            data = kernels.probe(entries, kernels.state_key(rules, state, code))
            code = kernels.entry_action(data)
            if not data or code not in out[: kernels.actions(rules, state, out)]:
                break
            state = kernels.apply(rules, state, code)
            if state in met:
                break
            met.add(state)
            line.append(code)
            if kernels.settled(rules, state):
                seen[kernels.situation(rules, state)] += 1
        return line


def _merged(
    found: list[tuple[int, list[int]]], before: list[tuple[int, list[int]]], lines: int
) -> list[tuple[int, list[int]]]:
    """Returns the lines of a search; one that was stopped is completed by the lines of the depth before.

    Those are no better than the lines found, but no loss is proved of them that was not proved before.
    """
    firsts, worst = {line[0] for _, line in found}, min((value for value, _ in found), default=WIN)
    rest = [(min(value, max(worst, -PROVED)), line) for value, line in before if line[0] not in firsts]
    return (sorted(found, key=lambda each: -each[0]) + rest)[:lines]


def value_of(game: Game, mover: str, value: int, is_proved: bool) -> Value:
    """Returns a search value as winning chances of both players."""
    winner = distance = None
    chance = 1 / (1 + math.exp(-value / 1000))
    if abs(value) > PROVED:
        winner = mover if value > 0 else game.opponent(mover)
        chance, distance = float(value > 0), WIN - abs(value)
    chances = (chance, 1 - chance) if mover == game.players[0] else (1 - chance, chance)
    return Value(chances, winner, distance, is_proved)


def algorithms(game: Game) -> tuple[ModuleType, ...]:
    """Returns the modules of this search: those that look positions up only if tables of other options have any."""
    definition = game.definition
    if definition.index is None or definition.covered_by is None:
        return table, scratch, alphabeta
    return table, scratch, alphabeta, subsets, definition.index, leaf_lookup


def plain(game: Game) -> SimpleNamespace:
    """Returns the kernels of this search as plain Python."""
    return bind(game.definition.rules, *algorithms(game), game.definition.evaluate)


def exercise(game: Game, kernels: SimpleNamespace) -> None:
    """Runs every compiled function of this search once."""
    record = game.record()
    entries = TranspositionTable(1).entries_for(Limit(nodes=1))
    thread = AlphaBetaThread(game, kernels, record, record.codes(), entries, 1)
    kernels.note_seen(thread.rules, thread.work, thread.state)
    thread.search(1, 0, 0)
