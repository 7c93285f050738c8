"""Builds the table of a game without chance: retrograde analysis, tier by tier. A build can be interrupted at any time.

The entries are a memory-mapped file, ``NAME.work``; ``NAME.work.json`` holds the stage of the build. Every step is
idempotent, so after Ctrl-C, a kill or a crash the next call repeats the step that was interrupted and goes on. When all
tiers are solved, the table is written and the working files are removed.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.folders import write_whole
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind, kernel_folder
from damier.solve.build import retrograde
from damier.solve.codes import DRAWN, OutcomeCodes
from damier.solve.file.header import TableHeader, new_header
from damier.solve.file.writer import TableWriter
from damier.solve.parallel import run_chunks

if TYPE_CHECKING:
    from damier.solve.numbering import Numbering

    Show = Callable[[float, str], None]

_log = logging.getLogger(__name__)

_SAVING = 5.0  # seconds between snapshots of the stage while a tier begins
BEGINNING = 0.6  # share of a tier's work, for progress
_SLICE = 1 << 22  # entries processed together by NumPy
_RESERVED = {1: 1 << 16, 2: 1 << 18}  # bytes for the distances in the header, by the bytes of an entry


@dataclass(frozen=True)
class BuildStage:
    """How far a build has come."""

    sources: str
    """Digest of the code: a build of another version starts again."""

    tier: int = 0
    begun: int = 0
    """The number below which `begin` has processed the tier."""

    plies: int = 0
    """The distance being processed; 0 while the tier begins."""

    farthest: int = 0
    seconds: float = 0.0
    """Time spent so far."""


class DistanceOverflow(RuntimeError):
    """A distance does not fit the coding: a bug."""


class OutcomeBuilder:
    """Builds one table of wins, draws and losses."""

    def __init__(self, numbering: Numbering, path: Path, threads: int, show: Show) -> None:
        self._numbering, self._path, self._threads, self._show = numbering, path, threads, show
        modules = self._modules()
        self._kernels = bind(*modules, compiled=True)
        self._sources = kernel_folder(*modules).name
        self._file = path.with_name(path.name + ".work")
        self._note = path.with_name(path.name + ".work.json")
        room = 3 * max(self._kernels.MAX_ACTIONS, self._kernels.MAX_PREDECESSORS) + 64
        self._outs = [np.zeros(room, np.int64) for _ in range(threads)]
        self._codes = numbering.codes
        self._dtype = np.dtype(f"u{self._codes.entry_bytes}")
        self._values: Any = np.zeros(1, self._dtype)
        self._marks = np.zeros(max(tier.entries for tier in numbering.tiers), np.uint8)
        """A byte for each entry of the tier in work: the escapes of `retrograde`. An interruption loses them."""

        self._saved = -1  # the tier whose escapes these are
        self._compile()

    def _modules(self) -> tuple[ModuleType, ...]:
        """Returns the modules of the kernels, the game's rules first."""
        return self._numbering.game.definition.rules, subsets, self._numbering.index, retrograde

    def run(self) -> TableHeader:
        """Builds the table, resuming an interrupted build; returns its header."""
        stage = self._resume()
        is_new = stage is None
        if stage is not None:
            _log.info("Resuming the build of '%s' in tier %d at %d plies.", self._path, stage.tier, stage.plies)
        elif self._note.exists():
            _log.warning("An interrupted build of '%s' cannot be resumed: building it from the start.", self._path)
        stage = stage or BuildStage(self._sources)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        mode: Any = "w+" if is_new else "r+"
        self._values = np.memmap(self._file, self._dtype, mode, shape=(self._numbering.entries,))
        self._began = time.perf_counter() - stage.seconds
        if stage.plies:  # the distance to be repeated may have written values already
            stage = replace(stage, farthest=self._farthest(stage.tier))
        while stage.tier < len(self._numbering.tiers):
            stage = self._begin(stage) if stage.plies == 0 else self._distance(stage)
            self._save(stage)
        header = write_table(self._numbering, self._path, self._slices, self._threads, self._show)
        self._values = np.zeros(1, self._dtype)  # Windows removes no file that is mapped
        self._file.unlink()
        self._note.unlink()
        return header

    def _resume(self) -> BuildStage | None:
        """Returns the stage of an interrupted build; None if its files cannot be used."""
        try:
            stage = BuildStage(**json.loads(self._note.read_text("utf-8")))
            size = self._file.stat().st_size
        except (OSError, ValueError, TypeError):
            return None
        is_whole = size == self._numbering.entries * self._codes.entry_bytes
        return stage if stage.sources == self._sources and is_whole else None

    def _save(self, stage: BuildStage) -> None:
        stage = replace(stage, seconds=round(time.perf_counter() - self._began, 1))
        write_whole(self._note, json.dumps(asdict(stage)))

    def _compile(self) -> None:
        """Compiles the kernels by running them on empty ranges."""
        self._call("begin", 0)(0, 0, 0)
        self._call("reach_back", 0, 1, True, self._marks)(0, 0, 0)
        self._call("settle_marked", 0, 1, self._marks)(0, 0, 0)

    def _call(self, step: str, tier: int, *more: Any) -> Callable[[int, int, int], int]:
        numbering, function = self._numbering, getattr(self._kernels, step)
        arrays = numbering.rules, numbering.numbers, self._values, numbering.firsts

        def work(low: int, high: int, thread: int) -> int:
            return int(function(*arrays, tier, low, high, *more, self._outs[thread]))

        return work

    def _progress(self, stage: BuildStage, share: float) -> None:
        tier = self._numbering.tiers[stage.tier]
        note = f"{tier.name}, {stage.plies} plies" if stage.plies else tier.name
        self._show((tier.first + share * tier.entries) / self._numbering.entries, note)

    def _begin(self, stage: BuildStage) -> BuildStage:
        """Initialises all entries of a tier from the tiers below."""
        entries = self._numbering.tiers[stage.tier].entries
        saved = time.monotonic()

        def done(reached: int) -> None:
            nonlocal saved
            self._progress(stage, BEGINNING * reached / entries)
            if time.monotonic() - saved > _SAVING:
                saved = time.monotonic()
                self._save(replace(stage, begun=reached))

        run_chunks(self._call("begin", stage.tier), stage.begun, entries, self._threads, done)
        return replace(stage, begun=entries, plies=1, farthest=self._farthest(stage.tier))

    def _farthest(self, number: int) -> int:
        """Returns the longest distance in a tier."""
        counts = sum(_counts(entries, self._codes) for entries in self._slices(number))
        summary = _summary(counts, self._codes)
        return max((*summary["wins"], *summary["losses"]), default=0)

    def _slices(self, number: int) -> Iterator[Any]:
        """Yields the entries of a tier in slices."""
        tier = self._numbering.tiers[number]
        for low in range(tier.first, tier.first + tier.entries, _SLICE):
            yield np.asarray(self._values[low : min(low + _SLICE, tier.first + tier.entries)])

    def _distance(self, stage: BuildStage) -> BuildStage:
        """Processes one distance of a tier, or completes the tier."""
        if stage.plies > stage.farthest + 1:
            self._replace(stage.tier, self._codes.safe, DRAWN)
            return replace(stage, tier=stage.tier + 1, begun=0, plies=0, farthest=0)
        farthest = stage.farthest
        if self._step(stage, "reach_back", True)[0]:
            farthest = max(farthest, stage.plies)
        if self._mark(stage):
            farthest = max(farthest, self._step(stage, "settle_marked")[1])
        if farthest > self._codes.most_plies:
            raise DistanceOverflow(f"{farthest} plies do not fit in {self._codes.entry_bytes} bytes")
        return replace(stage, plies=stage.plies + 1, farthest=farthest)

    def _mark(self, stage: BuildStage) -> bool:
        """Marks entries that may be lost at this distance, at first all unknown ones; tells whether there are any."""
        if self._saved == stage.tier:
            return self._step(stage, "reach_back", False)[0] > 0
        codes = stage.plies - 1 or self._codes.won, self._codes.lost + stage.plies - 1
        if not any((entries == code).any() for entries in self._slices(stage.tier) for code in codes):
            return False
        self._replace(stage.tier, DRAWN, self._codes.marked)
        self._saved = stage.tier
        return True

    def _replace(self, tier: int, code: int, other: int) -> None:
        """Replaces `code` by `other` in a tier."""
        for entries in self._slices(tier):
            entries[entries == code] = other

    def _step(self, stage: BuildStage, step: str, *more: int) -> tuple[int, int]:
        """Runs one step of a distance over all entries of a tier."""
        entries = self._numbering.tiers[stage.tier].entries
        shown = self._shown(stage)
        work = self._call(step, stage.tier, stage.plies, *more, self._marks)
        return run_chunks(work, 0, entries, self._threads, lambda _reached: self._progress(stage, shown))

    def _shown(self, stage: BuildStage) -> float:
        """Returns the share of the work on a tier that is done before this distance: a guess, for progress."""
        return 1 - (1 - BEGINNING) / (1 + stage.plies / 4)


def write_table(
    numbering: Numbering, path: Path, slices: Callable[[int], Iterator[Any]], threads: int, show: Show
) -> TableHeader:
    """Writes the table and returns its header; `slices` yields the entries of a tier."""
    codes = numbering.codes
    totals = np.zeros(codes.count, np.int64)
    by_tier = []
    with TableWriter(path, new_header(numbering), threads=threads, reserve=_RESERVED[codes.entry_bytes]) as writer:
        for number, tier in enumerate(numbering.tiers):
            counts, written = np.zeros(codes.count, np.int64), tier.first
            for entries in slices(number):
                counts += _counts(entries, codes)
                writer.append(entries)
                written += len(entries)
                show(written / numbering.entries, "")
            totals += counts
            by_tier.append({"name": tier.name, **_summary(counts, codes)})
        if totals[codes.marked]:
            raise DistanceOverflow("entries are left undecided")
        summary = _summary(totals, codes)
        return writer.finish(
            counts={name: summary[name] for name in ("win", "draw", "loss", "free")},
            longest=max((*summary["wins"], *summary["losses"]), default=0),
            extra={"tiers": by_tier},
        )


def _counts(entries: Any, codes: OutcomeCodes) -> Any:
    return np.bincount(entries, minlength=codes.count)


def _summary(counts: Any, codes: OutcomeCodes) -> dict[str, Any]:
    """Returns the number of wins, draws and losses, and wins and losses by distance."""
    wins = {plies: int(counts[plies]) for plies in range(1, codes.safe) if counts[plies]}
    lost = counts[codes.lost : codes.marked]
    losses = {plies: int(count) for plies, count in enumerate(lost) if count}
    return {
        "win": sum(wins.values()) + int(counts[codes.won]),
        "draw": int(counts[DRAWN]),
        "loss": sum(losses.values()),
        "free": int(counts[codes.free]),
        "already won": int(counts[codes.won]),
        "wins": wins,
        "losses": losses,
    }
