"""What one thread of an alpha-beta search has before it: its arrays, the root, and the best line so far."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

from damier.core.kernel.contract import PLAYING, REPETITION_FORBIDDEN, REPETITION_FREE
from damier.engine.limit import Limit
from damier.engine.methods.buffers import Workplace
from damier.engine.methods.transposition import Memory
from damier.search import alphabeta, table
from damier.search import scratch as words
from damier.search.alphabeta import PROVED, WIN

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record

ALGORITHMS = (table, words, alphabeta)

_ALL = 2 * WIN  # beyond every value
_WINDOW = 300  # the first guess of how far the value moves from one depth to the next
_LEAST_DEPTH = 4  # from which on such a guess is worth it
_EXTENSION = 8  # plies beyond the depth to which a search looks where a win has to be stopped
_LONGEST_LINE = 40  # plies of a line that is continued from the table


class Desk(Workplace):
    """The arrays of one thread, its root and what it has found."""

    def __init__(
        self,
        game: Game,
        kernels: SimpleNamespace,
        record: Record,
        actions: list[int],
        entries: memoryview,
        nodes: int | None,
    ) -> None:
        self.state = record.position.state
        positions = record.positions if game.traits.repetition != REPETITION_FREE else ()
        size = alphabeta.words_for(len(positions), kernels.MAX_ACTIONS)
        super().__init__(game, kernels, entries, size, nodes)
        for position in positions[:-1]:
            kernels.note_seen(self.rules, self.work, position.state)
        self.actions = actions
        self.place_actions(self.actions)
        self.value = 0
        self.line: list[int] = []

    def place_actions(self, codes: list[int]) -> None:
        """Sets the actions of the root and their order."""
        self.work[alphabeta.ROOT_ACTIONS] = len(codes)
        for i, code in enumerate(codes):
            self.work[alphabeta.CANDIDATES + i] = code

    def search(self, depth: int, first: int, guess: int) -> None:
        """Searches all actions but the first few; leaves the best `line` and its `value`, or no line when stopped."""
        self.work[alphabeta.HORIZON] = 0 if self.work[alphabeta.IS_EXACT] else depth + _EXTENSION
        low, high, window = -_ALL, _ALL, _WINDOW
        if depth >= _LEAST_DEPTH and abs(guess) < PROVED:
            low, high = guess - window, guess + window
        self.line = []
        while True:
            value = int(
                self.kernels.search_root(
                    self.rules, self.table, self.work, self.out, self.state, depth, low, high, first
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
        """Searches the same root beside another thread, for the sake of the table they share."""
        turned = number % len(self.actions)
        self.place_actions(self.actions[turned:] + self.actions[:turned])
        depth, guess = 1 + number % 2, 0
        while not self.is_stopped and depth < words.MAX_PLY - _EXTENSION:
            self.search(depth, 0, guess)
            guess = self.value
            depth += 1

    def _found_line(self) -> list[int]:
        n = int(self.work[words.LINE_LENGTHS])
        return [int(code) for code in self.work[words.LINES : words.LINES + n]]

    def continued(self, line: list[int]) -> list[int]:
        """Returns a line with what the table knows of how it goes on."""
        kernels, rules = plain(self.game), self.game.rules
        if kernels.REPETITION == REPETITION_FORBIDDEN:
            return line  # what the history forbids the table does not know
        state, line, met = self.state, list(line), set()
        code = -1
        for code in line:
            state = kernels.apply(rules, state, code)
            met.add(state)
        entries = memoryview(self.table).cast("B").cast("q")
        out = [0] * kernels.MAX_ACTIONS
        while len(line) < _LONGEST_LINE and kernels.outcome(rules, state) == PLAYING:
            data = kernels.probe(entries, kernels.state_key(rules, state, code))
            code = kernels.entry_action(data)
            if not data or code not in out[: kernels.actions(rules, state, out)]:
                break
            state = kernels.apply(rules, state, code)
            if state in met:
                break
            met.add(state)
            line.append(code)
        return line


def plain(game: Game) -> SimpleNamespace:
    """Returns the kernels of this search as plain Python."""
    from damier.core.kernel.bind import bind

    return bind(game.definition.rules, *ALGORITHMS, game.definition.evaluate)


def exercise(game: Game, kernels: SimpleNamespace) -> None:
    """Runs every compiled function of this search once."""
    record = game.record()
    desk = Desk(game, kernels, record, record.codes(), Memory(1).table_for(Limit(nodes=1)), 1)
    kernels.note_seen(desk.rules, desk.work, desk.state)
    desk.search(1, 0, 0)
