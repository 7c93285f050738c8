"""Builds the table of a game without chance on several nodes; drives the replicas (``replica.py``).

A tier is cut into ranges. Nodes take ranges to initialise as they get free; then distance follows distance. Of each,
every node does its share of `reach_back`, the answers go to all others, and nodes take ranges of marked entries to
settle. The driver merges all answers, too, so it always has the tier as it was after the last complete step: when a
node is lost, all nodes get the tier from the driver, without escapes, as after an interruption of a local build.

Solved tiers go to a shared place, and so do initialised ranges of large tiers and, every few minutes, the entries of
the distance that has been reached. So the driver may be lost, too: the next one goes on from there. Tiers of up to
`WHOLE` entries are solved by one node: telling others would take longer.

Measured on one busy machine of two cores: see ``docs/cluster.md``.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from damier.cluster.nodes import MOST_TRIES, Call, NodeLost, Nodes, lost_too_often, spread
from damier.core.errors import DamierError
from damier.core.messages import message, shown
from damier.solve.build.outcomes import write_table
from damier.solve.cluster.pieces import BEGUN, PIECE, SOLVED, TierStore, at_distance, cut, packed, unpacked
from damier.solve.cluster.replica import (
    OutcomeReplica,
    Reached,
    Settled,
    TierEntries,
    change_kernels,
    check_distance,
    compile_changes,
)
from damier.solve.codes import DRAWN, SAFE
from damier.solve.parallel import CHUNK

if TYPE_CHECKING:
    from damier.solve.cluster.pieces import Codes
    from damier.solve.file.header import TableHeader, Tier
    from damier.solve.numbering import Numbering

    Show = Callable[[float, str], None]

WHOLE = 1 << 20
"""Entries of a tier that one node solves alone, at most."""

STORED = 1 << 24
"""Entries of a tier whose initialised ranges are stored one by one, at least."""

SAVING = 300.0
"""Seconds between two snapshots of a tier in the shared place."""

_RANGES = 64  # of a tier while it is initialised
_SETTLING = 4  # ranges of marked entries for each thread, if there are many
_MANY = 1 << 14  # bytes of marks: fewer are settled in no time, and calls take longer
_BEGINNING = 0.6  # share of a tier's work, for progress
_SHOWING = 0.5  # seconds

_log = logging.getLogger(__name__)


class _Work:
    """A tier being solved, as the driver has it."""

    def __init__(self, entries: TierEntries) -> None:
        self.entries = entries
        self.begun: dict[tuple[int, int], Codes] = {}
        """Ranges that have been initialised, with their compressed entries."""

        self.plies = 0
        """The distance to process next; 0 while the tier is initialised."""

        self.farthest = 0
        self.has_escapes = False
        """Whether all nodes have the escapes of all entries."""

        self.is_known = False
        """Whether all nodes have the tier as the driver has it."""

        self.saved = time.monotonic()


class ClusterBuilder:
    """Builds one table of wins, draws and losses on nodes."""

    def __init__(self, numbering: Numbering, path: Path, nodes: Nodes, store: TierStore, show: Show) -> None:
        self._numbering, self._path, self._nodes, self._store, self._show = numbering, path, nodes, store, show
        self._changes = change_kernels(numbering)
        compile_changes(self._changes)
        self._nodes.start(OutcomeReplica, numbering.game)
        self._held: dict[int, set[int]] = {node: set() for node in nodes.threads}  # tiers that each node has
        self._work: _Work | None = None
        self._merging: list[Call] = []  # calls whose answers say no more than that nothing went wrong
        self._began, self._solved = time.monotonic(), 0  # for the rate: when, and how many entries since
        self._shown = 0.0

    def run(self) -> TableHeader:
        """Builds the table, going on from what the shared place has; returns its header."""
        tiers = self._numbering.tiers
        missing = [number for number, tier in enumerate(tiers) if not self._store.is_whole(number, tier, SOLVED)]
        if len(missing) < len(tiers):
            _log.info("The shared place has %d of %d tiers.", len(tiers) - len(missing), len(tiers))
        for number in missing:
            self._solve_safely(number)
        return write_table(self._numbering, self._path, self._slices, sum(self._nodes.threads.values()), self._show)

    def _slices(self, number: int) -> Iterator[Codes]:
        """Yields the entries of a solved tier in slices."""
        for low, high, data in self._stored(number):
            yield unpacked(data, high - low)

    def _stored(self, number: int) -> Iterator[tuple[int, int, Codes]]:
        """Yields the ranges of a solved tier with their compressed entries."""
        tier = self._numbering.tiers[number]
        for low, high, data in self._store.pieces(number, tier, SOLVED):
            if data is None:
                raise DamierError(
                    message(
                        "'{tier}' of the table {file} was damaged while it was built; the same command repairs it.",
                        tier=tier.name,
                        file=shown(str(self._path)),
                    )
                )
            yield low, high, data

    def _solve_safely(self, number: int) -> None:
        """Solves a tier, again and again if nodes are lost."""
        tier = self._numbering.tiers[number]
        began = time.monotonic()
        self._work = None
        for _ in range(MOST_TRIES):
            try:
                self._load_below(number)
                self._solve_whole(number, tier) if tier.entries <= WHOLE else self._solve(number, tier)
                break
            except NodeLost:
                self._replace_lost()
        else:
            raise lost_too_often(tier.name)
        self._work = None
        self._solved += tier.entries
        seconds = time.monotonic() - began
        _log.info("Solved '%s': %d entries in %.1f s, %s.", tier.name, tier.entries, seconds, self._rate(0))

    def _replace_lost(self) -> None:
        """Gets new workers for lost ones; they know nothing yet, and all need the tier again."""
        new = self._nodes.replace_lost()
        self._held = {node: set() if node in new else self._held[node] for node in self._nodes.threads}
        self._merging = []
        if self._work:
            self._work.is_known = self._work.has_escapes = False

    def _load_below(self, number: int) -> None:
        """Gives all nodes the tiers below."""
        calls: list[Call] = []
        for below in range(number):
            needy = [node for node, held in self._held.items() if below not in held]
            if not needy:
                continue
            name = f"load {self._numbering.tiers[below].name}"
            for low, high, data in self._stored(below):
                shared = self._nodes.put(data)
                calls += [self._nodes.submit(node, "load", below, low, high, shared, name=name) for node in needy]
        for call in calls:
            call.answer()
        for held in self._held.values():
            held.update(range(number))

    def _solve_whole(self, number: int, tier: Tier) -> None:
        """Has one node solve a tier."""
        node = max(self._nodes.threads, key=lambda each: self._nodes.threads[each])
        call = self._nodes.submit(node, "solve", number, name=f"solve {tier.name} 0-{tier.entries}")
        data = call.answer()
        self._store.write_tier(number, SOLVED, unpacked(data, tier.entries))
        self._held[node].add(number)
        self._progress(tier, 1.0)

    def _solve(self, number: int, tier: Tier) -> None:
        """Has all nodes solve a tier, from where it is."""
        work = self._work or self._resume(number, tier)
        self._work = work
        if work.plies == 0:
            self._begin(number, tier, work)
        if not work.is_known:
            self._tell(number, tier, work)
        while work.plies <= work.farthest + 1:
            self._distance(number, tier, work)
        self._check_merged()
        finished = self._nodes.everywhere("finish", number, name=f"finish {tier.name}")
        work.entries.replace(SAFE, DRAWN)
        self._store.write_tier(number, SOLVED, work.entries.codes)
        self._store.forget(number, SOLVED)
        for call in finished:
            call.answer()
        for held in self._held.values():
            held.add(number)

    def _resume(self, number: int, tier: Tier) -> _Work:
        """Returns a tier as an earlier driver has left it in the shared place, or from its beginning."""
        codes: Codes = np.zeros(tier.entries, np.uint8)
        threads = 1  # the driver's machine may be a node
        work = _Work(TierEntries(self._changes, codes, 0, tier.entries, np.zeros(0, np.uint8), threads))
        for plies in self._store.distances(number):
            if self._read_distance(number, tier, plies, codes):
                work.plies, work.farthest = plies, work.entries.farthest()
                _log.info("Resuming '%s' at %d plies.", tier.name, plies)
                return work
        for low, high in self._ranges(tier):
            data = self._store.read(number, BEGUN, low, high) if tier.entries >= STORED else None
            if data is not None:
                work.begun[low, high] = data
                codes[low:high] = unpacked(data, high - low)
        if work.begun:
            _log.info("Resuming '%s' with %d ranges initialised.", tier.name, len(work.begun))
        return work

    def _read_distance(self, number: int, tier: Tier, plies: int, codes: Codes) -> bool:
        """Reads a snapshot of a tier; tells whether it is whole and undamaged."""
        for low, high, data in self._store.pieces(number, tier, at_distance(plies)):
            if data is None:
                return False
            codes[low:high] = unpacked(data, high - low)
        return True

    def _ranges(self, tier: Tier) -> list[tuple[int, int]]:
        """Returns the ranges in which a tier is initialised; they do not depend on the nodes."""
        size = min(PIECE, max(CHUNK, -(-tier.entries // _RANGES // CHUNK) * CHUNK))
        return cut(tier.entries, size)

    def _begin(self, number: int, tier: Tier, work: _Work) -> None:
        """Has the ranges of a tier initialised that are not yet."""

        def submit(node: int, low: int, high: int) -> Call:
            return self._nodes.submit(node, "begin", number, low, high, name=f"begin {tier.name} {low}-{high}")

        def done(low: int, high: int, data: Codes) -> None:
            work.begun[low, high] = data
            work.entries.codes[low:high] = unpacked(data, high - low)
            if tier.entries >= STORED:
                self._store.write(number, BEGUN, low, high, data)
            self._progress(tier, _BEGINNING * sum(high - low for low, high in work.begun) / tier.entries)

        spread(self._nodes, [each for each in self._ranges(tier) if each not in work.begun], submit, done)
        work.plies, work.farthest = 1, work.entries.farthest()

    def _tell(self, number: int, tier: Tier, work: _Work) -> None:
        """Gives all nodes the tier as the driver has it."""
        pieces = work.begun or {
            (low, high): packed(work.entries.codes[low:high]) for low, high in cut(tier.entries, PIECE)
        }
        shared = [self._nodes.put(data) for data in pieces.values()]
        for call in self._nodes.everywhere("load_ranges", number, list(pieces), *shared, name=f"load {tier.name}"):
            call.answer()
        work.begun = {}  # from now on the driver's entries are newer
        work.is_known = True

    def _distance(self, number: int, tier: Tier, work: _Work) -> None:
        """Processes one distance of a tier. The driver merges answers while the nodes are busy."""
        plies = work.plies
        # Step 1. Every node visits the predecessors of its share.
        calls = self._reach(number, tier, work)
        reached: list[Reached] = [call.answer() for call in calls]
        self._check_merged()
        has_sources = any(each.has_sources for each in reached)
        marks_all = has_sources and not work.has_escapes
        # Step 2. Every node merges what the others have reached.
        telling = {call.node for call, each in zip(calls, reached, strict=True) if each.wins or each.marks}
        for node in self._nodes.threads:
            others = [call for call in calls if call.node in telling - {node}]
            if others or marks_all:
                name = f"merge {tier.name}, {plies} plies"
                self._merging.append(self._nodes.submit(node, "merge", number, plies, marks_all, *others, name=name))

        def meanwhile() -> None:
            work.entries.merge(plies, reached)
            if marks_all:
                work.entries.mark_all()
            if any(each.has_won for each in reached):
                work.farthest = max(work.farthest, plies)

        # Step 3. What is marked is decided, range by range.
        marked = sum(len(gaps) for each in reached for gaps in each.marks.values())
        work.has_escapes |= has_sources
        if marks_all or marked:
            ranges = _SETTLING if marks_all or marked > _MANY else 1
            self._settle(number, tier, work, ranges, meanwhile)
        else:
            meanwhile()
        check_distance(work.farthest)
        work.plies += 1
        self._progress(tier, 1 - (1 - _BEGINNING) / (1 + work.plies / 4), work.plies)
        if time.monotonic() - work.saved > SAVING:
            self._save(number, work)

    def _check_merged(self) -> None:
        """Raises what went wrong when nodes merged answers; they did so before whatever they have answered since."""
        merging, self._merging = self._merging, []
        for call in merging:
            call.answer()

    def _reach(self, number: int, tier: Tier, work: _Work) -> list[Call]:
        """Has every node visit the predecessors of its share, which is as large as its number of threads."""
        shares = sum(self._nodes.threads.values())
        calls, taken = [], 0
        for node, threads in self._nodes.threads.items():
            share = list(range(taken, taken + threads))
            taken += threads
            name = f"reach back {tier.name}, {work.plies} plies, {share[0] + 1}-{share[-1] + 1} of {shares}"
            given = number, work.plies, work.has_escapes, share, shares
            calls.append(self._nodes.submit(node, "reach", *given, name=name))
        return calls

    def _settle(self, number: int, tier: Tier, work: _Work, ranges: int, meanwhile: Callable[[], None]) -> None:
        """Has the marked entries of a tier decided, in so many ranges for each thread, and tells all nodes."""
        plies = work.plies
        parts = ranges * sum(self._nodes.threads.values())
        size = max(CHUNK, -(-tier.entries // parts // CHUNK) * CHUNK)
        counts: dict[tuple[int, int], int] = {}

        def submit(node: int, low: int, high: int) -> Call:
            name = f"settle {tier.name}, {plies} plies, {low}-{high}"
            return self._nodes.submit(node, "settle", number, plies, low, high, name=name)

        def done(low: int, high: int, settled: Settled) -> None:
            counts[low, high] = settled.count
            work.entries.merge_settled(low, high, settled)
            work.farthest = max(work.farthest, settled.farthest)

        calls = spread(self._nodes, cut(tier.entries, size), submit, done, meanwhile)
        for node in self._nodes.threads:
            others = {call: where for call, where in calls.items() if call.node != node and counts[where]}
            if others:
                given = number, list(others.values()), *others
                name = f"merge {tier.name}, {plies} plies"
                self._merging.append(self._nodes.submit(node, "merge_settled", *given, name=name))

    def _save(self, number: int, work: _Work) -> None:
        """Stores the tier as it is, from where the next driver would go on; removes what was stored before."""
        stage = at_distance(work.plies)
        self._store.write_tier(number, stage, work.entries.codes)
        self._store.forget(number, stage)
        work.saved = time.monotonic()

    def _progress(self, tier: Tier, share: float, plies: int = 0) -> None:
        """Shows how far the table is, with the rate."""
        if time.monotonic() - self._shown < _SHOWING:
            return
        self._shown = time.monotonic()
        where = f"{tier.name}, {plies} plies" if plies else tier.name
        note = f"{where}, {self._rate(share * tier.entries)}"
        self._show((tier.first + share * tier.entries) / self._numbering.entries, note)

    def _rate(self, more: float) -> str:
        """Returns how many entries have been solved in a second so far."""
        seconds = max(time.monotonic() - self._began, 1e-9)
        return f"{(self._solved + more) / seconds / 1e6:.2f} M/s"
