"""Builds the table of a game without chance: retrograde analysis, tier by tier, that can be interrupted at any time.

The entries are in a file that is mapped into memory (``NAME.work``), beside it how far the work has come
(``NAME.work.json``). Every step may be repeated, so whatever ended the work, Ctrl-C, a kill or a crash, the next call
goes on from there. When all tiers are done the entries are written as a table and the working files are removed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.atomic_file import write_whole
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind, kernel_folder
from damier.solve.build import retrograde
from damier.solve.codes import DRAWN, FREE, LOST, MARKED, MOST_PLIES, SAFE, WON
from damier.solve.file.header import TableHeader, new_header
from damier.solve.file.writer import TableWriter
from damier.solve.parallel import run_chunks

if TYPE_CHECKING:
    from damier.solve.numbering import Numbering

    Show = Callable[[float, str], None]

_SAVING = 5.0  # seconds between notes of how far a tier has begun
_BEGINNING = 0.6  # of a tier's work, for progress
_SLICE = 1 << 22  # entries written at a time


@dataclass(frozen=True)
class BuildStage:
    """How far the work has come."""

    sources: str
    """Of the code that does it: another version begins again."""

    tier: int = 0
    begun: int = 0
    """Up to which number the tier has begun."""

    plies: int = 0
    """The distance that is due; 0 while the tier begins."""

    farthest: int = 0
    seconds: float = 0.0
    """Spent so far."""


class DistanceOverflow(RuntimeError):
    """A distance does not fit the coding: a fault of the program."""


class OutcomeBuilder:
    """The work on one table."""

    def __init__(self, numbering: Numbering, path: Path, threads: int, show: Show) -> None:
        self._numbering, self._path, self._threads, self._show = numbering, path, threads, show
        definition = numbering.game.definition
        modules = (definition.rules, subsets, numbering.index, retrograde)
        self._kernels = bind(*modules, compiled=True)
        self._sources = kernel_folder(*modules).name
        self._file = path.with_name(path.name + ".work")
        self._note = path.with_name(path.name + ".work.json")
        room = max(self._kernels.MAX_ACTIONS, 3 * self._kernels.MAX_PREDECESSORS) + 64
        self._outs = [np.zeros(room, np.int64) for _ in range(threads)]
        self._values: Any = np.zeros(1, np.uint8)
        self._escapes = np.zeros(max(tier.entries for tier in numbering.tiers), np.uint8)
        self._saved = -1  # the tier that these are of; they are not kept when the work is interrupted
        self._compile()

    def run(self) -> TableHeader:
        """Does what is left of the work and returns the header of the table."""
        stage = self._resume()
        is_new = stage is None
        stage = stage or BuildStage(self._sources)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        mode: Any = "w+" if is_new else "r+"
        self._values = np.memmap(self._file, np.uint8, mode, shape=(self._numbering.entries,))
        self._began = time.perf_counter() - stage.seconds
        if stage.plies:  # the distance that is repeated may have written its values already: count them
            stage = replace(stage, farthest=self._farthest(stage.tier))
        while stage.tier < len(self._numbering.tiers):
            stage = self._begin(stage) if stage.plies == 0 else self._distance(stage)
            self._save(stage)
        header = self._write()
        self._values = np.zeros(1, np.uint8)  # Windows removes no file that is mapped
        self._file.unlink()
        self._note.unlink()
        return header

    def _resume(self) -> BuildStage | None:
        """Returns how far an earlier call came, if its work can be used."""
        try:
            stage = BuildStage(**json.loads(self._note.read_text("utf-8")))
            size = self._file.stat().st_size
        except (OSError, ValueError, TypeError):
            return None
        return stage if stage.sources == self._sources and size == self._numbering.entries else None

    def _save(self, stage: BuildStage) -> None:
        stage = replace(stage, seconds=round(time.perf_counter() - self._began, 1))
        write_whole(self._note, json.dumps(asdict(stage)))

    def _compile(self) -> None:
        """Compiles everything, on no numbers at all."""
        self._call("begin", 0)(0, 0, 0)
        self._call("reach_back", 0, 1, True, self._escapes)(0, 0, 0)
        self._call("settle_marked", 0, 1, self._escapes)(0, 0, 0)

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
        """Looks at all entries of a tier from outside."""
        entries = self._numbering.tiers[stage.tier].entries
        saved = time.monotonic()

        def done(reached: int) -> None:
            nonlocal saved
            self._progress(stage, _BEGINNING * reached / entries)
            if time.monotonic() - saved > _SAVING:
                saved = time.monotonic()
                self._save(replace(stage, begun=reached))

        run_chunks(self._call("begin", stage.tier), stage.begun, entries, self._threads, done)
        return replace(stage, begun=entries, plies=1, farthest=self._farthest(stage.tier))

    def _farthest(self, number: int) -> int:
        """Returns the longest distance in a tier."""
        summary = _summary(sum(_counts(entries) for entries in self._slices(number)))
        return max((*summary["wins"], *summary["losses"]), default=0)

    def _slices(self, number: int) -> Iterator[Any]:
        """Yields the entries of a tier, some at a time."""
        tier = self._numbering.tiers[number]
        for low in range(tier.first, tier.first + tier.entries, _SLICE):
            yield np.asarray(self._values[low : min(low + _SLICE, tier.first + tier.entries)])

    def _distance(self, stage: BuildStage) -> BuildStage:
        """Does one distance of a tier, or ends the tier."""
        if stage.plies > stage.farthest + 1:
            self._replace(stage.tier, SAFE, DRAWN)
            return replace(stage, tier=stage.tier + 1, begun=0, plies=0, farthest=0)
        farthest = stage.farthest
        if self._step(stage, "reach_back", True)[0]:
            farthest = max(farthest, stage.plies)
        if self._mark(stage):
            farthest = max(farthest, self._step(stage, "settle_marked")[1])
        if farthest > MOST_PLIES:
            raise DistanceOverflow(f"{farthest} plies do not fit a byte.")
        return replace(stage, plies=stage.plies + 1, farthest=farthest)

    def _mark(self, stage: BuildStage) -> bool:
        """Marks what may be lost in the distance that is due; the first time, all that is not known."""
        if self._saved == stage.tier:
            return self._step(stage, "reach_back", False)[0] > 0
        codes = stage.plies - 1 or WON, LOST + stage.plies - 1
        if not any((entries == code).any() for entries in self._slices(stage.tier) for code in codes):
            return False
        self._replace(stage.tier, DRAWN, MARKED)
        self._saved = stage.tier
        return True

    def _replace(self, tier: int, code: int, other: int) -> None:
        """Puts one code for another all over a tier."""
        for entries in self._slices(tier):
            entries[entries == code] = other

    def _step(self, stage: BuildStage, step: str, *more: int) -> tuple[int, int]:
        """Does one step of a distance for all entries of a tier."""
        entries = self._numbering.tiers[stage.tier].entries
        shown = 1 - (1 - _BEGINNING) / (1 + stage.plies / 4)
        work = self._call(step, stage.tier, stage.plies, *more, self._escapes)
        return run_chunks(work, 0, entries, self._threads, lambda _reached: self._progress(stage, shown))

    def _write(self) -> TableHeader:
        """Writes the table and returns its header."""
        numbering = self._numbering
        totals = np.zeros(256, np.int64)
        by_tier = []
        with TableWriter(self._path, new_header(numbering), threads=self._threads, reserve=1 << 16) as writer:
            for number, tier in enumerate(numbering.tiers):
                counts, written = np.zeros(256, np.int64), tier.first
                for entries in self._slices(number):
                    counts += _counts(entries)
                    writer.append(entries)
                    written += len(entries)
                    self._show(written / numbering.entries, "")
                totals += counts
                by_tier.append({"name": tier.name, **_summary(counts)})
            if totals[MARKED]:
                raise DistanceOverflow("Entries are left undecided.")
            summary = _summary(totals)
            return writer.finish(
                counts={name: summary[name] for name in ("win", "draw", "loss", "free")},
                longest=max((*summary["wins"], *summary["losses"]), default=0),
                extra={"tiers": by_tier},
            )


def _counts(entries: Any) -> Any:
    return np.bincount(entries, minlength=256)


def _summary(counts: Any) -> dict[str, Any]:
    """Returns how many entries win, draw and lose, and how many in how many plies."""
    wins = {plies: int(counts[plies]) for plies in range(1, SAFE) if counts[plies]}
    losses = {plies: int(counts[LOST + plies]) for plies in range(MARKED - LOST) if counts[LOST + plies]}
    return {
        "win": sum(wins.values()) + int(counts[WON]),
        "draw": int(counts[DRAWN]),
        "loss": sum(losses.values()),
        "free": int(counts[FREE]),
        "already won": int(counts[WON]),
        "wins": wins,
        "losses": losses,
    }
