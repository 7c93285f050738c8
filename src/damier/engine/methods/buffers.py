"""The arrays that one search thread works on: NumPy arrays for compiled code, lists for plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from damier.engine.methods.evaluation import HAND_MADE, rules_for
from damier.search import scratch

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.engine.methods.method import Method

_NEVER = 1 << 62


class SearchBuffers:
    """The arrays of one thread."""

    def __init__(self, game: Game, kernels: SimpleNamespace, entries: memoryview, size: int, nodes: int | None) -> None:
        """`entries` is the transposition table, `size` the words of scratch space, `nodes` the most nodes to visit."""
        self.game, self.kernels = game, kernels
        room = max(kernels.MAX_ACTIONS, scratch.MOST_TERMS)
        self.rules: Any = rules_for(game, None, self.is_compiled)
        self.table: Any = entries
        self.work: Any = [0] * size
        self.out: Any = [0] * room
        if self.is_compiled:
            import numpy as np

            self.table = self.words(entries)
            self.work, self.out = np.zeros(size, np.int64), np.zeros(room, np.int64)
        self.work[scratch.NODE_LIMIT] = nodes or _NEVER
        self.set_weights(kernels.WEIGHTS)

    @property
    def is_compiled(self) -> bool:
        """Whether the kernels are compiled, and so take arrays."""
        return not isinstance(self.kernels.probe, FunctionType)

    def words(self, words: memoryview) -> Any:
        """Returns int64 words as the kernels take them."""
        if not self.is_compiled:
            return words
        import numpy as np

        return np.frombuffer(words, np.int64)

    def set_weights(self, weights: Sequence[int]) -> None:
        """Sets the weight of each term of the evaluation."""
        self.work[scratch.TERM_WEIGHTS : scratch.TERM_WEIGHTS + len(weights)] = weights

    def configure(self, method: Method, generation: int) -> None:
        """Copies the settings of a method; `generation` marks the entries of this search in the table."""
        self.work[scratch.GENERATION] = generation
        self.work[scratch.OVERLOOKED], self.work[scratch.STREAM] = method.overlooked, method.stream
        if method.weights is not None:
            self.set_weights(method.weights)
        evaluation = HAND_MADE if method.weights is not None else method.evaluation
        self.rules = rules_for(self.game, evaluation, self.is_compiled)

    @property
    def is_stopped(self) -> bool:
        """Whether the search has been stopped or has reached its node limit."""
        return bool(self.work[scratch.STOP])

    @property
    def nodes(self) -> int:
        """The number of positions visited."""
        return int(self.work[scratch.NODES])
