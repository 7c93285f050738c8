"""What a node holds while a table is built: all entries up to the tier being solved, once for all its threads.

The steps are those of ``retrograde.py``, run on the node's own entries. Of `reach_back` every node takes its share of
the tier and tells the others which entries it has changed (``changes.py``). `begin` and `settle_marked` write their own
range only, so what they have written is the answer. When a node has merged the answers of the others, all nodes have
the same entries again.

Memory: a byte for each entry of the table and one for each entry of the largest tier, for its escapes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.kernel import subsets
from damier.core.kernel.bind import bind, kernel_folder
from damier.solve.build import retrograde
from damier.solve.build.outcomes import DistanceOverflow
from damier.solve.cluster import changes
from damier.solve.cluster.pieces import packed, unpacked
from damier.solve.codes import DRAWN, LOST, MARKED, MOST_PLIES, SAFE, WON
from damier.solve.memory import peak_memory
from damier.solve.numbering import Numbering
from damier.solve.parallel import CHUNK, run_chunks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from damier.core.game import Game
    from damier.solve.cluster.pieces import Codes

_SLICE = 1 << 20  # entries whose changes are written together

Gaps = dict[int, "Codes"]
"""Changed entries of a tier: the gaps of each slice that has any, by where in the tier it begins."""


@dataclass(frozen=True)
class Reached:
    """What a node has changed in its share of a distance."""

    has_won: bool
    """Whether wins at this distance may have been written."""

    has_sources: bool
    """Whether the share has entries that may make others lost."""

    wins: Gaps
    marks: Gaps


@dataclass(frozen=True)
class Settled:
    """Decided entries of a range, in the order of the entries that were marked."""

    farthest: int
    codes: Codes
    """Compressed."""

    escapes: Codes

    @property
    def count(self) -> int:
        """How many entries have been decided."""
        return len(self.escapes)


class TierEntries:
    """The entries of one tier as a node or the driver has them; both merge the answers of nodes in the same way."""

    def __init__(self, kernels: Any, values: Codes, first: int, entries: int, escapes: Codes, threads: int) -> None:
        self._kernels, self.values, self.first, self.entries = kernels, values, first, entries
        self._escapes, self._threads = escapes, threads

    @property
    def codes(self) -> Codes:
        """The entries of the tier alone."""
        return self.values[self.first : self.first + self.entries]

    def gaps(self, code: int) -> Gaps:
        """Returns which entries have `code`."""
        found: Gaps = {}

        def work(low: int, high: int, _thread: int) -> int:
            room = np.empty(high - low, np.uint8)
            size = self._kernels.write_gaps(self.values, self.first + low, self.first + high, code, room)
            if size:
                found[low] = room[:size].copy()
            return 0

        run_chunks(work, 0, self.entries, self._threads, chunk=_SLICE)
        return found

    def put(self, gaps: Gaps, code: int) -> None:
        """Writes `code` to entries."""
        for low, each in gaps.items():
            self._kernels.put_gaps(self.values, self.first + low, each, code)

    def merge(self, plies: int, reached: list[Reached]) -> None:
        """Writes what nodes have reached: first all wins, then the marks of what is still open."""
        for each in reached:
            self.put(each.wins, plies)
        for each in reached:
            self.put(each.marks, MARKED)

    def mark_all(self) -> None:
        """Marks all open entries."""
        self.replace(DRAWN, MARKED)

    def merge_settled(self, low: int, high: int, settled: Settled) -> None:
        """Writes the decided entries of a range."""
        codes = unpacked(settled.codes, settled.count)
        where = self.values, self._escapes, self.first, self.first + low, self.first + high
        self._kernels.put_settled(*where, codes, settled.escapes)

    def replace(self, code: int, other: int) -> None:
        """Replaces `code` by `other`."""
        for low in range(0, self.entries, _SLICE):
            part = self.codes[low : low + _SLICE]
            part[part == code] = other

    def farthest(self) -> int:
        """Returns the longest distance in the tier."""
        counts = np.zeros(256, np.int64)
        for low in range(0, self.entries, _SLICE):
            counts += np.bincount(self.codes[low : low + _SLICE], minlength=256)
        wins, losses = np.flatnonzero(counts[1:SAFE]) + 1, np.flatnonzero(counts[LOST:MARKED])
        return int(max(wins.max(initial=0), losses.max(initial=0)))


class OutcomeReplica:
    """The worker of a node: its copy of the entries, and the steps on them."""

    def __init__(self, game: Game, threads: int) -> None:
        self._numbering, self._threads = Numbering(game), threads
        self._kernels = bind(*modules(self._numbering), compiled=True)
        self._changes = change_kernels(self._numbering)
        room = 3 * max(self._kernels.MAX_ACTIONS, self._kernels.MAX_PREDECESSORS) + 64
        self._outs = [np.zeros(room, np.int64) for _ in range(threads)]
        self._values: Codes = np.zeros(self._numbering.entries, np.uint8)
        self._escapes: Codes = np.zeros(max(tier.entries for tier in self._numbering.tiers), np.uint8)
        self._compile()
        self._spent = time.process_time()

    def spent(self) -> tuple[float, int]:
        """Returns the CPU seconds since the kernels were compiled, and the peak memory in bytes."""
        return time.process_time() - self._spent, peak_memory()

    def _compile(self) -> None:
        """Compiles the kernels by running them on empty ranges."""
        self._call("begin", 0)(0, 0, 0)
        self._call("reach_back", 0, 1, True, self._escapes)(0, 0, 0)
        self._call("settle_marked", 0, 1, self._escapes)(0, 0, 0)
        compile_changes(self._changes)

    def _call(self, step: str, tier: int, *more: Any) -> Callable[[int, int, int], int]:
        numbering, function = self._numbering, getattr(self._kernels, step)
        arrays = numbering.rules, numbering.numbers, self._values, numbering.firsts

        def work(low: int, high: int, thread: int) -> int:
            return int(function(*arrays, tier, low, high, *more, self._outs[thread]))

        return work

    def _tier(self, number: int) -> TierEntries:
        tier = self._numbering.tiers[number]
        return TierEntries(self._changes, self._values, tier.first, tier.entries, self._escapes, self._threads)

    def load(self, number: int, low: int, high: int, data: Codes) -> None:
        """Writes the compressed entries of a range: of a solved tier, or of one that goes on from there."""
        self._tier(number).codes[low:high] = unpacked(data, high - low)

    def load_ranges(self, number: int, ranges: list[tuple[int, int]], *data: Codes) -> None:
        """Does the same for several ranges of a tier: one call takes less than many."""
        for (low, high), each in zip(ranges, data, strict=True):
            self.load(number, low, high, each)

    def begin(self, number: int, low: int, high: int) -> Codes:
        """Initialises a range of a tier from the tiers below; returns its entries, compressed."""
        run_chunks(self._call("begin", number), low, high, self._threads)
        return packed(self._tier(number).codes[low:high])

    def reach(self, number: int, plies: int, has_escapes: bool, share: list[int], shares: int) -> Reached:
        """Visits the predecessors of a share of a tier's entries at distance `plies` - 1.

        The shares interleave, so that each has its part of every region of the tier.
        """
        tier = self._tier(number)
        chunks = [chunk for chunk in range(-(-tier.entries // CHUNK)) if chunk % shares in share]

        def over(work: Callable[[int, int, int], int]) -> int:
            def one(index: int, _end: int, thread: int) -> int:
                low = CHUNK * chunks[index]
                return work(low, min(low + CHUNK, tier.entries), thread)

            return run_chunks(one, 0, len(chunks), self._threads, chunk=1)[0]

        has_won = over(self._call("reach_back", number, plies, True, self._escapes)) > 0
        if has_escapes:
            has_sources = over(self._call("reach_back", number, plies, False, self._escapes)) > 0
        else:
            codes = plies - 1 or WON, LOST + plies - 1
            first, changes = tier.first, self._changes

            def has_source(low: int, high: int, _thread: int) -> int:
                return int(any(changes.has_code(self._values, first + low, first + high, code) for code in codes))

            has_sources = over(has_source) > 0
        wins = tier.gaps(plies) if has_won else {}
        marks = tier.gaps(MARKED) if has_escapes and has_sources else {}
        return Reached(has_won, has_sources, wins, marks)

    def merge(self, number: int, plies: int, marks_all: bool, *reached: Reached) -> None:
        """Writes what other nodes have reached; with `marks_all` marks all open entries."""
        tier = self._tier(number)
        tier.merge(plies, list(reached))
        if marks_all:
            tier.mark_all()

    def settle(self, number: int, plies: int, low: int, high: int) -> Settled:
        """Decides the marked entries of a range."""
        work, changes = self._call("settle_marked", number, plies, self._escapes), self._changes
        first = self._tier(number).first
        found: dict[int, tuple[Codes, Codes]] = {}

        def settle(low: int, high: int, thread: int) -> int:
            places = np.empty(high - low, np.int64)
            count = int(changes.find_marked(self._values, first + low, first + high, places))
            if count == 0:
                return 0
            farthest = work(low, high, thread)
            found[low] = self._values[places[:count]], self._escapes[places[:count] - first]
            return farthest

        farthest = run_chunks(settle, low, high, self._threads)[1]
        nothing = np.zeros(0, np.uint8)
        codes = np.concatenate([nothing, *(found[at][0] for at in sorted(found))])
        return Settled(farthest, packed(codes), np.concatenate([nothing, *(found[at][1] for at in sorted(found))]))

    def merge_settled(self, number: int, ranges: list[tuple[int, int]], *settled: Settled) -> None:
        """Writes the decided entries of the ranges of other nodes."""
        tier = self._tier(number)
        for (low, high), each in zip(ranges, settled, strict=True):
            tier.merge_settled(low, high, each)

    def finish(self, number: int) -> None:
        """Calls the entries drawn that are still open."""
        self._tier(number).replace(SAFE, DRAWN)

    def solve(self, number: int) -> Codes:
        """Solves a whole tier, which is small; returns its entries, compressed."""
        tier = self._tier(number)
        self.begin(number, 0, tier.entries)
        plies, farthest, has_escapes = 1, tier.farthest(), False
        while plies <= farthest + 1:
            reached = self.reach(number, plies, has_escapes, [0], 1)
            if reached.has_won:
                farthest = max(farthest, plies)
            if reached.has_sources:
                if not has_escapes:
                    tier.mark_all()
                has_escapes = True
                farthest = max(farthest, self.settle(number, plies, 0, tier.entries).farthest)
            check_distance(farthest)
            plies += 1
        self.finish(number)
        return packed(tier.codes)


def check_distance(farthest: int) -> None:
    """Raises `DistanceOverflow` for a distance that does not fit the coding."""
    if farthest > MOST_PLIES:
        raise DistanceOverflow(f"{farthest} plies do not fit in a byte")


def modules(numbering: Numbering) -> tuple[Any, ...]:
    """Returns what the solver's kernels are bound of: the same as without a cluster, so they are compiled once."""
    return numbering.game.definition.rules, subsets, numbering.index, retrograde


def change_kernels(numbering: Numbering) -> Any:
    """Returns the compiled kernels for changes."""
    return bind(numbering.game.definition.rules, changes, compiled=True)


def sources(numbering: Numbering) -> str:
    """Returns a digest of the code of the solver."""
    return kernel_folder(*modules(numbering)).name


def compile_changes(kernels: Any) -> None:
    """Compiles the kernels for changes by running them on empty ranges."""
    values, nothing = np.zeros(1, np.uint8), np.zeros(0, np.uint8)
    places: NDArray[np.int64] = np.zeros(0, np.int64)
    kernels.has_code(values, 0, 0, 0)
    kernels.write_gaps(values, 0, 0, 0, nothing)
    kernels.put_gaps(values, 0, nothing, 0)
    kernels.find_marked(values, 0, 0, places)
    kernels.put_settled(values, nothing, 0, 0, 0, nothing, nothing)
