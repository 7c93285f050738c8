"""Alpha-beta search of games of two players without chance."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

from damier.engine.methods.alphabeta_thread import AlphaBetaThread, algorithms, exercise
from damier.engine.methods.iterative import IterativeSearch
from damier.search import alphabeta

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record


class AlphaBeta(IterativeSearch[AlphaBetaThread]):
    """Alpha-beta by iterative deepening."""

    can_use_leaves = True

    def __init__(self, game: Game, threads: int = 1, memory: int = 64) -> None:
        super().__init__(game, algorithms(game), exercise, threads, memory)
        self.is_exact = False
        """Whether every action is searched to the full depth, as if there were no leaves."""

    def make_thread(
        self, kernels: SimpleNamespace, record: Record, lines: int, entries: memoryview, nodes: int | None
    ) -> AlphaBetaThread:
        """Returns a thread that searches from a record."""
        leaves = self.leaves
        if leaves and (self.is_exact or leaves.has(record.position.state)):
            leaves = None  # the history may matter to positions that follow one of the table
        thread = AlphaBetaThread(self.game, kernels, record, self.root_actions(record), entries, nodes, lines, leaves)
        thread.work[alphabeta.IS_EXACT] = int(self.is_exact)
        thread.work[alphabeta.CONTEMPT] = self.contempt
        return thread
