"""Monte-Carlo tree search of games of any number of players, with chance or without."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from damier.core.kernel.bind import bind
from damier.core.kernel.contract import CHANCE, REPETITION_FREE
from damier.engine.analysis import Analysis, Line, Value
from damier.engine.limit import Limit
from damier.engine.methods.kernel_loader import shared_loader
from damier.engine.methods.method import Clock, Method
from damier.engine.methods.transposition import zeroed_words
from damier.search import history, mcts
from damier.search.mcts import ACTION, COUNT, FIRST, MOVER, NODE, SUMS, VISITS, WHOLE

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record

ALGORITHMS = (history, mcts)
_NEVER = 1 << 62
_EXPLORATION = 700  # thousandths; 500 to 1000 are about equally strong at a thousand simulations
_LONGEST_GAME = 600  # plies of a random game before it counts as a draw
_SITUATIONS = _LONGEST_GAME + mcts.MAX_PLY + 2
_FIRST_SIMULATIONS = 32  # before the first report
_GROWTH = 2  # of the number of simulations from one report to the next
_LONGEST_LINE = 30
_LEAST_VISITS = 8  # of a node in a line


class TreeSearch(Method):
    """Monte-Carlo tree search for one game."""

    def __init__(self, game: Game, threads: int = 1, memory: int = 64) -> None:  # noqa: ARG002  # one thread
        super().__init__(game, shared_loader(game, ALGORITHMS, exercise))
        self.is_greedy = False
        self.simulations: int | None = None
        """The most simulations; None for no limit."""
        self._tree = zeroed_words(memory << 20)
        self._work: Any = [0] * mcts.WORDS

    def clear(self) -> None:
        """Does nothing: every search builds a new tree."""

    def stop(self) -> None:
        """Ends the running search."""
        self.is_stopped = True
        self._work[mcts.STOP] = 1

    def run(self, kernels: SimpleNamespace, record: Record, limit: Limit, lines: int) -> Iterator[Analysis]:
        """Yields analyses as the tree grows; at a die the lines are its outcomes."""
        clock = Clock(limit, self._end)
        tree, work, call = self._plant(kernels, record, limit)
        if self.is_stopped:
            self._end()
        goal, most = _FIRST_SIMULATIONS, self.simulations or _NEVER
        while True:
            clock.call(lambda goal=goal: call(min(goal, most) - int(work[mcts.SIMULATIONS])))  # type: ignore[misc]
            is_over = work[mcts.STOP] or work[mcts.SIMULATIONS] >= most
            yield self._analysis(tree, work, record, lines, clock.seconds)
            if is_over:
                return
            goal *= _GROWTH

    def _end(self) -> None:
        self._work[mcts.STOP] = 1

    def _plant(self, kernels: SimpleNamespace, record: Record, limit: Limit) -> tuple[Any, Any, Any]:
        """Creates the root; returns the tree, the scratch words and a function that runs `simulations` simulations."""
        game, state = self.game, record.position.state
        is_free = game.traits.repetition == REPETITION_FREE
        positions = () if is_free else record.positions[:-1]
        seen_size = history.slots_for(0 if is_free else _SITUATIONS)
        past_size = history.slots_for(len(positions))
        rules: Any = game.rules
        tree: Any = self._tree
        work: Any = [0] * mcts.WORDS
        out: Any = [0] * kernels.MAX_ACTIONS
        seen: Any = [0] * seen_size
        past: Any = [0] * past_size
        if kernels is not plain(game):
            import numpy as np

            rules, tree, work = np.array(rules), np.frombuffer(tree, np.int64), np.array(work)
            out, seen, past = np.array(out), np.zeros(seen_size, np.int64), np.zeros(past_size, np.int64)
        self._work = work
        work[mcts.NODE_LIMIT] = limit.nodes or _NEVER
        work[mcts.STREAM] = self.stream
        work[mcts.PLAYER_COUNT] = len(game.players)
        work[mcts.EXPLORATION] = _EXPLORATION
        work[mcts.LONGEST] = _LONGEST_GAME
        work[mcts.IS_GREEDY] = int(self.is_greedy)
        work[mcts.OVERLOOKED], work[mcts.BLIND_SPOTS] = self.overlooked, self.stream
        for position in positions:
            if position.is_settled:
                kernels.note(past, 1, game.kernels.situation(game.rules, position.state))
        kernels.plant(rules, tree, work, state)

        def call(simulations: int) -> None:
            kernels.run_simulations(rules, tree, work, out, seen, past, state, simulations)

        return tree, work, call

    def _analysis(self, tree: Any, work: Any, record: Record, lines: int, seconds: float) -> Analysis:
        children = sorted(_children(tree, 0), key=lambda at: (-int(tree[at + VISITS]), -_mean(tree, at, tree[MOVER])))
        if tree[MOVER] == CHANCE:
            children = _children(tree, 0)
            lines = len(record.actions())
        if not children:  # stopped before the first simulation
            even = Value((1 / len(self.game.players),) * len(self.game.players))
            found = [Line((text,), even) for text in record.actions()[:lines]]
        else:
            found = [self._line(tree, at) for at in children[:lines]]
        deepest = len(found[0].actions) if found else 0
        return Analysis(record.mover, deepest, int(work[mcts.NODES]), seconds, tuple(found))

    def _line(self, tree: Any, at: int) -> Line:
        players = len(self.game.players)
        chances = tuple(_mean(tree, at, player) for player in range(players))
        codes = [int(tree[at + ACTION])]
        while len(codes) < _LONGEST_LINE and tree[at + MOVER] != CHANCE:
            visited = [child for child in _children(tree, at) if tree[child + VISITS] >= _LEAST_VISITS]
            if not visited:
                break
            at = max(visited, key=lambda child: int(tree[child + VISITS]))
            codes.append(int(tree[at + ACTION]))
        return Line(tuple(self.game.action_text(code) for code in codes), Value(chances))


def _children(tree: Any, at: int) -> list[int]:
    count, first = int(tree[at + COUNT]), int(tree[at + FIRST])
    return [first + i * NODE for i in range(max(count, 0))]


def _mean(tree: Any, at: int, player: int) -> float:
    """Returns the mean result of a player at a node."""
    visits = int(tree[at + VISITS])
    return int(tree[at + SUMS + player]) / (visits * WHOLE) if visits else 0.5


def plain(game: Game) -> SimpleNamespace:
    """Returns the kernels of this search as plain Python."""
    return bind(game.definition.rules, *ALGORITHMS, game.definition.evaluate)


def exercise(game: Game, kernels: SimpleNamespace) -> None:
    """Runs every compiled function of this search once."""
    method = TreeSearch(game, memory=1)
    _, _, call = method._plant(kernels, game.record(), Limit())
    call(2)
    if game.traits.repetition != REPETITION_FREE:
        import numpy as np

        kernels.note(np.zeros(history.slots_for(1), np.int64), 1, game.start.state)
