"""Games that are stepped together in compiled code, on NumPy arrays: for learners.

The arrays belong to the batch, are filled in place by every step and are never copied: copy what you keep. Each thread
takes some of the games at a time; what happens in a game depends on the seed, its number and its actions alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.errors import BadArgument, IllegalAction
from damier.core.kernel.bind import bind
from damier.core.kernel.bits import mix
from damier.core.kernel.contract import DRAW, PLAYING, REPETITION_FREE
from damier.core.messages import message, shown
from damier.core.position import Position
from damier.core.ranges import check_whole
from damier.search import history, stepping
from damier.search.spaces import Spaces

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from damier.core.game import Game

_MOST_GAMES = 1_000_000
_LEAST_ACTIONS = 10  # more than rolls that can come before the first action of a player
_MOST_ACTIONS = 1_000_000
_MOST_THREADS = 1024
_CHUNK = 512  # games that a thread takes at a time
_WORD = 1 << 64


def compiled_steps(game: Game) -> SimpleNamespace:
    """Returns the game's compiled steps and observations."""
    module = game.definition.spaces
    assert module is not None  # else there are no spaces
    return bind(game.definition.rules, history, stepping, module, compiled=True)


def warm_up(game: Game) -> None:
    """Compiles what batches of a game need, or loads it from the cache."""
    batch = game.batch(1, threads=1)
    batch.step(batch.sample())
    batch.observe()


class Batch:
    """n games that are stepped together.

    >>> import damier
    >>> batch = damier.load(damier.games()[1]).batch(1000, seed=7)
    >>> batch.observe().shape, batch.mask().shape
    ((1000, 6, 5, 5), (1000, 280))
    >>> while not batch.done.any():
    ...     batch.step(batch.sample())
    >>> set(batch.results[batch.done].tolist()) <= {0, 1, -1}
    True
    """

    def __init__(
        self, game: Game, n: int, seed: int, start: Position, max_actions: int, threads: int | None = None
    ) -> None:
        check_whole("n", n, 1, _MOST_GAMES)
        check_whole("seed", seed, -_WORD, _WORD)
        check_whole("max_actions", max_actions, _LEAST_ACTIONS, _MOST_ACTIONS)
        cores = os.cpu_count() or 1
        check_whole("threads", cores if threads is None else threads, 1, _MOST_THREADS)
        spaces = game.spaces
        if not _has_player_on_move(start):
            raise BadArgument(
                message("A batch begins where a player can act, not at {position}.", position=shown(str(start)))
            )
        self.game = game
        self.spaces: Spaces = spaces
        self.n = int(n)
        self.done: NDArray[np.bool_] = np.zeros(n, np.bool_)
        """Whether the last step ended a game; the next one has begun in its place."""

        self.results: NDArray[np.int8] = np.zeros(n, np.int8)
        """Of a game that the last step ended, the number of the winner, -1 for a draw, -2 if it was cut off.

        -2 where no game has ended.
        """

        self.lengths: NDArray[np.int32] = np.zeros(n, np.int32)
        """How many actions a game had that the last step ended, rolls included; 0 where none has ended."""

        self.movers: NDArray[np.int8] = np.zeros(n, np.int8)
        """The number of the player on move, in the order of `Game.players`."""

        self._tables = _histories(game, self.n, int(max_actions))
        self._mask = np.zeros((n, spaces.action_count), np.bool_)
        self._seen: NDArray[np.uint8] | None = None
        self._kernels = compiled_steps(game)
        self._rules = np.array(game.rules)
        self._setting = np.array([*start.state, max_actions])
        self._games = np.zeros((n, stepping.FIELDS), np.int64)
        for field, key in ((stepping.DICE, mix(_signed(seed))), (stepping.CHOICE, mix(mix(_signed(seed))))):
            self._games[:, field] = [mix(key ^ i) for i in range(n)]
        self._legal = np.zeros((n, self._kernels.MAX_ACTIONS), np.int32)
        self._reward_of = _rewards(len(game.players))
        self._threads = min(cores if threads is None else int(threads), -(-self.n // _CHUNK))
        self._pool = self._make_pool()
        self._play(np.full(n, stepping.BEGIN, np.int64))

    def _make_pool(self) -> ThreadPoolExecutor | None:
        return ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None  # beside the caller's

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_pool", "_kernels")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._pool, self._kernels = self._make_pool(), compiled_steps(self.game)

    @property
    def rewards(self) -> NDArray[np.float32]:
        """What each player got by the last step: 0, or at the end 1 for winning.

        A draw is 0 for all. Where one has won, the others share a loss of 1: -1 in a game of two.
        """
        return self._reward_of[self.results.astype(np.int64) - PLAYING]

    def mask(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Returns which actions are legal in each game, in an array of the batch that is read-only, or in `out`."""
        if out is None:
            view = self._mask.view()
            view.flags.writeable = False
            return view
        self._check_array("out", out, self._mask.shape, np.bool_)
        out[...] = self._mask
        return out

    def observe(self, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Returns what the player on move sees in each game, in an array of the batch or in `out`."""
        shape = (self.n, *self.spaces.shape)
        if out is None:
            if self._seen is None:
                self._seen = np.zeros(shape, np.uint8)
            out = self._seen
        else:
            self._check_array("out", out, shape, np.uint8)
        rows = out.reshape(self.n, -1)
        spaces = self.spaces

        def observe(part: slice) -> None:
            words = np.zeros(len(spaces.planes), np.int64)
            self._kernels.observe_games(self._rules, spaces.kinds, spaces.cells, self._games[part], words, rows[part])

        self._for_each_part(observe)
        return out

    def step(self, actions: ArrayLike) -> None:
        """Plays an action in each game, and rolls; where a game ends, the next one begins.

        An action that is not legal raises `IllegalAction`, and then nothing has changed.
        """
        try:
            given = np.asarray(actions)
        except ValueError:  # lists of different lengths
            given = np.array(None)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise BadArgument(
                message(
                    "actions takes an array of {n} whole numbers, not one of shape {shape} and type {type}.",
                    n=self.n,
                    shape=str(given.shape),
                    type=str(given.dtype),
                )
            )
        chosen = np.require(given, np.int64, ["C", "A", "W"])  # one type for the compiled code
        index = self._kernels.first_illegal(chosen, self._mask.view(np.uint8))
        if index >= 0:
            raise IllegalAction(
                message(
                    "The action {action} of game {index} is not legal: its mask has those that are.",
                    action=int(given[index]),
                    index=int(index),
                )
            )
        self._play(chosen)

    def sample(self) -> NDArray[np.int64]:
        """Returns a random legal action for each game, by the seed; the rolls of dice do not depend on it."""
        chosen = np.empty(self.n, np.int64)
        self._kernels.sample_games(self._games, self._legal, chosen)
        return chosen

    def position(self, index: int) -> Position:
        """Returns the present position of a game."""
        check_whole("index", index, 0, self.n - 1)
        first, second, third = self._games[index, :3].tolist()
        return Position(self.game, (first, second, third))

    def _play(self, chosen: NDArray[np.int64]) -> None:
        mask, done = self._mask.view(np.uint8), self.done.view(np.uint8)

        def play(part: slice) -> None:
            self._kernels.step_games(
                self._rules,
                self._setting,
                chosen[part],
                self.spaces.codes,
                self.spaces.numbers,
                self._games[part],
                self._tables[part],
                self._legal[part],
                mask[part],
                np.empty(self._kernels.MAX_ACTIONS, np.int64),
                done[part],
                self.results[part],
                self.lengths[part],
                self.movers[part],
            )

        self._for_each_part(play)

    def _for_each_part(self, work: Callable[[slice], None]) -> None:
        """Calls `work` for all games, at once or in parts, which this thread and others take one after the other.

        This thread does not wait for others to begin: where no core is free, it does all of the work.
        """
        if self._pool is None:
            work(slice(0, self.n))
            return
        parts = iter([slice(i, i + _CHUNK) for i in range(0, self.n, _CHUNK)])

        def take_parts() -> None:
            for part in parts:
                work(part)

        others = [self._pool.submit(take_parts) for _ in range(self._threads - 1)]
        try:
            take_parts()
        finally:
            for other in others:
                if not other.cancel():
                    other.result()

    def _check_array(self, name: str, array: Any, shape: tuple[int, ...], kind: type[np.generic]) -> None:
        is_array = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == kind
        if not is_array or not array.flags.c_contiguous or not array.flags.writeable:
            raise BadArgument(
                message(
                    "{name} takes a contiguous array of shape {shape} and type {type} that can be written.",
                    name=name,
                    shape=str(shape),
                    type=np.dtype(kind).name,
                )
            )


def _histories(game: Game, n: int, max_actions: int) -> NDArray[np.int64]:
    """Returns room for the situations of n games; the system gives memory only for what is used."""
    is_free = game.traits.repetition == REPETITION_FREE  # no history needed
    try:
        return np.zeros((n, 1 if is_free else history.slots_for(max_actions + 1)), np.int64)
    except MemoryError:
        raise BadArgument(
            message(
                "There is not enough memory for {n} games of up to {max_actions} actions: take fewer of either.",
                n=n,
                max_actions=max_actions,
            )
        ) from None


def _signed(seed: int) -> int:
    """Returns the low 64 bits of a seed as a word."""
    return (int(seed) + (_WORD >> 1)) % _WORD - (_WORD >> 1)


def _rewards(players: int) -> NDArray[np.float32]:
    """Returns what each player gets, by the result from PLAYING up."""
    table = np.zeros((players - PLAYING, players), np.float32)
    for winner in range(players):
        table[winner - PLAYING] = -1 / (players - 1)
        table[winner - PLAYING, winner] = 1
    assert not table[DRAW - PLAYING].any()
    return table


def _has_player_on_move(start: Position) -> bool:
    """Tells whether games from a position come to an action of a player, after at most one roll."""
    if start.mover != "chance":
        return start.result is None
    following = [start.after(code) for code in start.judged()[1]]
    return any(each.mover != "chance" and each.result is None for each in following)
