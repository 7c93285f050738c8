"""Perft and random games of a `Game`: plain Python for small jobs, compiled code for large ones.

Both give the same numbers. Plain functions start at once; whatever exceeds their budget is left to the compiled ones,
which take some seconds to compile the first time and less than half a second to load from the cache.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from damier.cluster.nodes import Task, run_in_order
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import DRAW, PLAYING, REPETITION_FREE
from damier.core.ranges import check_whole
from damier.search import history, playout
from damier.search import perft as perft_algorithm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from damier.cluster.nodes import Nodes
    from damier.core.game import Game
    from damier.core.position import Position

    Progress = Callable[[float], None]
    """Called now and then with the share of the work that is done."""

_PLAIN_STATES = 20_000  # states that plain Python visits in about the time in which compiled code is loaded
_MOST_DEPTH = 1_000
_MOST_GAMES = 1_000_000_000
_MOST_ACTIONS = 1_000_000  # whose history takes 50 MB a thread
_SLICE = 4_000_000  # states that compiled code visits before it looks up, for progress and Ctrl-C
_MOST_THREADS = 1024
_CHUNK = 250  # games that a thread takes at a time
_TASK = 20_000  # games of a task on a cluster
_WORD = 1 << 64


class Playouts(NamedTuple):
    """Random games: for each its result and its length in actions."""

    results: NDArray[np.int8]
    """The number of the winner in the order of the players, -1 for a draw, -2 for a game cut off."""

    lengths: NDArray[np.int32]

    def summary(self, players: Sequence[str]) -> dict[str, Any]:
        """Returns how often each player won, how often nobody did, and how long the games were."""
        names = {DRAW: "draw", PLAYING: "cut", **dict(enumerate(players))}
        counts = {names[code]: int((self.results == code).sum()) for code in (*range(len(players)), DRAW, PLAYING)}
        lengths: dict[str, float] = {}
        if len(self.lengths):
            lengths = {"mean": round(float(self.lengths.mean()), 2)}
            lengths.update(min=int(self.lengths.min()), max=int(self.lengths.max()))
        return {"results": counts, "lengths": lengths, "actions": int(self.lengths.sum(dtype="int64"))}


def compiled_kernels(game: Game) -> SimpleNamespace:
    """Returns the game's compiled random games and perft."""
    return bind(game.definition.rules, history, playout, perft_algorithm, compiled=True)


def warm_up(game: Game) -> None:
    """Compiles the game's random games or loads them from the cache, if that has not been done yet."""
    _Games(game, game.start, 0, 0, 0).play_compiled(1, None)


#: Games whose compiled random games or perft have been used in this process: no need to begin with the plain ones.
_warm: set[tuple[str, str]] = set()


def perft(game: Game, position: Position, depth: int, progress: Progress | None = None) -> int:
    """Returns the number of sequences of exactly `depth` actions from a position."""
    check_whole("depth", depth, 0, _MOST_DEPTH)
    return _count(game, position, depth, None, progress) if depth else 1


def perft_divided(game: Game, position: Position, depth: int, progress: Progress | None = None) -> dict[str, int]:
    """Returns the number of sequences of exactly `depth` actions for each first action."""
    check_whole("depth", depth, 1, _MOST_DEPTH)
    counts: dict[str, int] = {}
    actions = position.actions()
    for text in actions:
        counts[text] = _count(game, position, depth, game.parse_action(text), None)
        if progress:
            progress(len(counts) / len(actions))
    return counts


def _count(game: Game, position: Position, depth: int, first: int | None, progress: Progress | None) -> int:
    """Counts with plain Python as far as its budget reaches, then with compiled code from there on."""
    kernels = bind(game.definition.rules, perft_algorithm)
    width = kernels.MAX_ACTIONS
    stack, out = [0] * perft_algorithm.stack_for(depth, width), [0] * width
    kernels.begin(game.rules, position.state, stack, out)
    if first is not None:
        perft_algorithm.keep_only(stack, first)
    budget = 100 if (game.name, "perft") in _warm else _PLAIN_STATES
    if kernels.count_on(game.rules, depth, stack, out, budget):
        return stack[1]
    import numpy as np

    rules, words, more_words = np.array(game.rules), np.array(stack), np.array(out)
    while not compiled_kernels(game).count_on(rules, depth, words, more_words, _SLICE):
        if progress:
            progress(_share_done(words, width))
    _warm.add((game.name, "perft"))
    return int(words[1])


def _share_done(stack: NDArray[np.int64], width: int) -> float:
    """Returns the share of a count that is done, from the first levels of its stack."""
    share, part = 0.0, 1.0
    for level in range(min(int(stack[0]), 3)):
        at = perft_algorithm.HEAD + level * (perft_algorithm.LEVEL + width)
        part /= max(int(stack[at + 7]), 1)
        share += part * (int(stack[at + 7]) - int(stack[at + 8]) - 1)
    return share


def playouts(
    game: Game,
    n: int,
    seed: int,
    position: Position,
    max_actions: int,
    threads: int,
    progress: Progress | None = None,
    cluster: Nodes | None = None,
) -> Playouts:
    """Plays n random games from a position; see `Game.playouts`. A cluster plays the same games as threads do."""
    check_whole("n", n, 0, _MOST_GAMES)
    check_whole("max_actions", max_actions, 0, _MOST_ACTIONS)
    check_whole("threads", threads, 1, _MOST_THREADS)
    check_whole("seed", seed, -_WORD, _WORD)
    stream = (int(seed) + (_WORD >> 1)) % _WORD - (_WORD >> 1)  # the low 64 bits of the seed
    if cluster is not None:
        return _play_on_cluster(cluster, game, position, stream, int(max_actions), int(n), progress)
    games = _Games(game, position, stream, int(max_actions), int(n))
    if (game.name, "playouts") not in _warm and max_actions <= _PLAIN_STATES:
        games.play_plain(_PLAIN_STATES)
    if games.done < n:
        games.play_compiled(threads, progress)
    return Playouts(games.results, games.lengths)


def _play_on_cluster(
    nodes: Nodes, game: Game, position: Position, stream: int, max_actions: int, n: int, progress: Progress | None
) -> Playouts:
    """Plays games as tasks of a cluster, some thousands each."""
    import numpy as np

    results, lengths = np.empty(n, np.int8), np.empty(n, np.int32)
    setting = game, str(position), stream, max_actions
    tasks = (
        Task(f"random games {first}-{min(first + _TASK, n)}", _play_range, (*setting, first, min(_TASK, n - first)))
        for first in range(0, n, _TASK)
    )
    first = 0
    for played in run_in_order(nodes, tasks):
        end = first + len(played.results)
        results[first:end], lengths[first:end] = played
        first = end
        if progress:
            progress(first / n)
    return Playouts(results, lengths)


def _play_range(game: Game, position: str, stream: int, max_actions: int, first: int, count: int) -> Playouts:
    """Plays some of a batch of games."""
    games = _Games(game, game.position(position), stream, max_actions, count, first)
    games.play_compiled(1, None)
    return Playouts(games.results, games.lengths)


class _Games:
    """A batch of random games, or a part from game `first` on: the first `done` of them have been played."""

    def __init__(self, game: Game, position: Position, stream: int, max_actions: int, n: int, first: int = 0) -> None:
        import numpy as np

        self.game, self._first = game, first
        self.results, self.lengths = np.empty(n, np.int8), np.empty(n, np.int32)
        self.done = 0
        self._setting = (position.state, stream)
        self._max_actions = max_actions
        is_free = game.traits.repetition == REPETITION_FREE  # no history needed
        self._situations = 0 if is_free else max_actions + 1

    def play_plain(self, budget: int) -> None:
        """Plays in plain Python until all games are played or some thousands of actions have been."""
        kernels = bind(self.game.definition.rules, history, playout)
        out, seen = [0] * kernels.MAX_ACTIONS, [0] * history.slots_for(self._situations)
        while self.done < len(self.results) and budget > 0:
            self._play(kernels, self.game.rules, out, seen, self.done, 1)
            budget -= int(self.lengths[self.done])
            self.done += 1

    def play_compiled(self, threads: int, progress: Progress | None) -> None:
        """Plays the games that are left in compiled code, each thread a chunk at a time."""
        import numpy as np

        kernels, rules = compiled_kernels(self.game), np.array(self.game.rules)
        n = len(self.results)
        chunks = iter(range(self.done, n, _CHUNK))
        is_stopped = threading.Event()

        def work() -> None:
            out = np.zeros(kernels.MAX_ACTIONS, np.int64)
            seen = np.zeros(history.slots_for(self._situations), np.int64)
            for first in chunks:
                self._play(kernels, rules, out, seen, first, _CHUNK)
                if is_stopped.is_set():
                    return
                if progress:
                    progress(min(first + _CHUNK, n) / n)

        if (self.game.name, "playouts") not in _warm:  # compile in one thread
            nothing = np.zeros(1, np.int64)
            self._play(kernels, rules, nothing, nothing, 0, 0)
            _warm.add((self.game.name, "playouts"))
        threads = min(threads, max(1, -(-(n - self.done) // _CHUNK)))
        if threads == 1:
            work()
            return
        with ThreadPoolExecutor(threads) as pool:
            try:
                for job in [pool.submit(work) for _ in range(threads)]:
                    job.result()
            finally:
                is_stopped.set()  # so that Ctrl-C does not wait for the games that are left

    def _play(self, kernels: SimpleNamespace, rules: Any, out: Any, seen: Any, first: int, count: int) -> None:
        results, lengths = self.results[first : first + count], self.lengths[first : first + count]
        kernels.play_batch(rules, *self._setting, self._first + first, self._max_actions, out, seen, results, lengths)
