"""Verifies a table of wins, draws and losses on several nodes: each has the whole table, and ranges are independent.

The driver reads the table, checks its checksums and its header, and gives it to the nodes; they derive ranges again as
they get free. A lost node costs the ranges that it had begun.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from damier.cluster.nodes import MOST_TRIES, Call, NodeLost, Nodes, lost_too_often, spread
from damier.solve.cluster.pieces import PIECE, cut, packed, unpacked
from damier.solve.memory import peak_memory
from damier.solve.numbering import Numbering
from damier.solve.parallel import CHUNK, run_chunks
from damier.solve.verify import outcome_kernels
from damier.solve.verify.outcomes import OutcomeVerifier
from damier.solve.verify.verifier import bound, check_module

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.solve.cluster.pieces import Codes
    from damier.solve.file.header import Tier
    from damier.solve.tables import Tables

    Show = Callable[[float, str], None]

_RANGES = 64  # of a tier


class VerifyingReplica:
    """The worker of a node: the whole table, and the kernels that derive its entries."""

    def __init__(self, game: Game, threads: int) -> None:
        self._numbering, self._threads = Numbering(game), threads
        self._kernels = bound(self._numbering, outcome_kernels, compiled=True)
        self._given = np.array(check_module(self._numbering).numbers(game.options), np.int64)
        self._entries: Codes = np.zeros(self._numbering.entries, np.uint8)
        self._outs = [np.zeros(outcome_kernels.ROOM, np.int64) for _ in range(threads)]
        self._first_wrong(0, 0, 0, 0)
        self._spent = time.process_time()

    def spent(self) -> tuple[float, int]:
        """Returns the CPU seconds since the kernels were compiled, and the peak memory in bytes."""
        return time.process_time() - self._spent, peak_memory()

    def load(self, low: int, high: int, data: Codes) -> None:
        """Writes the compressed entries of a range of the table."""
        self._entries[low:high] = unpacked(data, high - low)

    def first_wrong(self, number: int, low: int, high: int) -> int:
        """Returns the first entry of a range of a tier that does not follow from others, or -1."""
        wrong: list[int] = []

        def work(low: int, high: int, thread: int) -> int:
            if not wrong or low < min(wrong):
                entry = self._first_wrong(number, low, high, thread)
                if entry >= 0:
                    wrong.append(entry)
            return 0

        run_chunks(work, low, high, self._threads)
        return min(wrong, default=-1)

    def _first_wrong(self, number: int, low: int, high: int, thread: int) -> int:
        numbering = self._numbering
        given = self._given, numbering.rules, numbering.numbers, numbering.firsts, self._entries
        return int(self._kernels.first_wrong(*given, number, low, high, self._outs[thread]))


class ClusterVerifier(OutcomeVerifier):
    """Verifies one table of wins, draws and losses on nodes."""

    uses_families = False

    def __init__(self, tables: Tables, nodes: Nodes, show: Show) -> None:
        super().__init__(tables, 1, show)
        self._nodes = nodes
        self._knowing: set[int] = set()  # nodes that have the table
        nodes.start(VerifyingReplica, self.game)

    def derive(self, number: int, tier: Tier) -> None:
        """Derives the entries of a tier; raises `WrongEntry` for the first that is wrong."""
        left = set(cut(tier.entries, max(CHUNK, -(-tier.entries // _RANGES // CHUNK) * CHUNK)))
        wrong: list[int] = []

        def following() -> Iterator[tuple[int, int]]:
            for each in sorted(left):
                if wrong:
                    return
                yield each

        def submit(node: int, low: int, high: int) -> Call:
            name = f"verify {tier.name} {low}-{high}"
            return self._nodes.submit(node, "first_wrong", number, low, high, name=name)

        def done(low: int, high: int, entry: int) -> None:
            left.discard((low, high))
            if entry >= 0:
                wrong.append(entry)
            self.show_done(tier, tier.entries - sum(high - low for low, high in left))

        for _ in range(MOST_TRIES):
            try:
                self._tell()
                spread(self._nodes, following(), submit, done)
                break
            except NodeLost:
                self._knowing -= set(self._nodes.replace_lost())
        else:
            raise lost_too_often(tier.name)
        if wrong:
            raise self.wrong_entry(number, tier, min(wrong))

    def _tell(self) -> None:
        """Gives the table to the nodes that do not have it."""
        needy = [node for node in self._nodes.threads if node not in self._knowing]
        calls: list[Call] = []
        for low, high in cut(len(self.entries), PIECE) if needy else ():
            shared = self._nodes.put(packed(self.entries[low:high]))
            name = f"load entries {low}-{high}"
            calls += [self._nodes.submit(node, "load", low, high, shared, name=name) for node in needy]
        for call in calls:
            call.answer()
        self._knowing.update(needy)
