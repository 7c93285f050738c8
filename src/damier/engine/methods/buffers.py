"""What one thread of a search works at: arrays for compiled code, lists for plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from damier.search import scratch as words

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.engine.methods.method import Method

_NEVER = 1 << 62


class Workplace:
    """The arrays of one thread."""

    def __init__(self, game: Game, kernels: SimpleNamespace, entries: memoryview, size: int, nodes: int | None) -> None:
        """With the table's entries, room for so many words of work, and the most nodes to visit."""
        self.game, self.kernels = game, kernels
        room = max(kernels.MAX_ACTIONS, words.MOST_TERMS)
        self.rules: Any = game.rules
        self.table: Any = entries
        self.work: Any = [0] * size
        self.out: Any = [0] * room
        if not isinstance(kernels.probe, FunctionType):
            import numpy as np

            self.rules, self.table = np.array(game.rules), np.frombuffer(entries, np.int64)
            self.work, self.out = np.zeros(size, np.int64), np.zeros(room, np.int64)
        self.work[words.NODE_LIMIT] = nodes or _NEVER
        self.weigh(kernels.WEIGHTS)

    def weigh(self, weights: Sequence[int]) -> None:
        """Sets what each term of the evaluation counts for."""
        self.work[words.TERM_WEIGHTS : words.TERM_WEIGHTS + len(weights)] = weights

    def follow(self, method: Method, generation: int) -> None:
        """Takes over what a method is set to."""
        self.work[words.GENERATION] = generation
        self.work[words.OVERLOOKED], self.work[words.STREAM] = method.overlooked, method.stream
        if method.weights is not None:
            self.weigh(method.weights)

    @property
    def is_stopped(self) -> bool:
        """Whether the search has been told to stop, or has reached its number of nodes."""
        return bool(self.work[words.STOP])

    @property
    def nodes(self) -> int:
        """How many positions have been visited."""
        return int(self.work[words.NODES])
