"""Builds the table of a game with a die: winning chances, tier by tier, that can be interrupted at any time.

Chances and turns are in a file that is mapped into memory (``NAME.work``), beside it what tiers are solved
(``NAME.work.json``). Whatever ended the work, Ctrl-C, a kill or a crash, the next call begins the tier again in which
it ended. When all tiers are done the chances are written as a table and the working files are removed.
"""

from __future__ import annotations

import json
import math
import mmap
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.bind import bind, kernel_folder
from damier.solve import values
from damier.solve.headers import new_header
from damier.solve.table_file import TableHeader
from damier.solve.table_writer import TableWriter
from damier.solve.values import ERROR, MOST_TURNS, ONE, SIDES, TURN, ChanceSolver, SolvedTier, coded_chances

if TYPE_CHECKING:
    from damier.solve.numbering import Numbering

    Show = Callable[[float, str], None]

_SLICE = 1 << 22  # entries written at a time
_WRITING = 0.05  # of the work, for progress
_FIRST_CHANGE, _LAST_CHANGE = 0.5, ERROR / MOST_TURNS / 2  # of chances, in the sweeps of a tier


def chance_memory(numbering: Numbering) -> int:
    """Returns how many bytes the work takes, beside the program: chances, turns, and the followers of one tier."""
    return 8 * numbering.entries + 4 * SIDES * max(tier.entries for tier in numbering.tiers)


class ChanceBuilder:
    """The work on one table."""

    def __init__(self, numbering: Numbering, path: Path, threads: int, show: Show) -> None:
        self._numbering, self._path, self._threads, self._show = numbering, path, threads, show
        modules = (numbering.game.definition.rules, numbering.index, values)
        self._kernels = bind(*modules, compiled=True)
        self._sources = kernel_folder(*modules).name
        self._file = path.with_name(path.name + ".work")
        self._note = path.with_name(path.name + ".work.json")
        self._solver_on(np.zeros((2, numbering.entries + 1), np.uint32)).compile()

    def run(self) -> TableHeader:
        """Does what is left of the work and returns the header of the table."""
        solved = self._resume()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        shape, mode = (2, self._numbering.entries + 1), "r+" if solved else "w+"
        arrays: Any = np.memmap(self._file, np.uint32, mode, shape=shape)  # type: ignore[call-overload]  # of a mode
        solver = self._solver_on(arrays)
        for number in range(len(solved), len(self._numbering.tiers)):
            solved.append(solver.solve_tier(number))
            self._save(solved)
            arrays._mmap.madvise(mmap.MADV_DONTNEED)  # what the next tiers need is read again
        header = self._write(arrays, solved)
        self._file.unlink()
        self._note.unlink()
        return header

    def _solver_on(self, arrays: Any) -> ChanceSolver:
        numbering = self._numbering
        where = self._kernels, numbering.rules, numbering.numbers, arrays[0], arrays[1]
        return ChanceSolver(*where, threads=self._threads, report=self._progress)

    def _resume(self) -> list[SolvedTier]:
        """Returns the tiers that an earlier call has solved, if its work can be used."""
        try:
            note = json.loads(self._note.read_text("utf-8"))
            solved = [SolvedTier(**tier) for tier in note["tiers"]]
            is_ours = note["sources"] == self._sources
            size = self._file.stat().st_size
        except (OSError, ValueError, TypeError, KeyError):
            return []
        return solved if is_ours and size == 8 * (self._numbering.entries + 1) else []

    def _save(self, solved: list[SolvedTier]) -> None:
        part = self._note.with_name(self._note.name + ".part")
        note = {"sources": self._sources, "tiers": [asdict(tier) for tier in solved]}
        part.write_text(json.dumps(note), "utf-8")
        part.replace(self._note)

    def _progress(self, number: int, sweep: int, change: float) -> None:
        """Shows how far a tier has come, by how small the changes have become."""
        tier = self._numbering.tiers[number]
        share = math.log(_FIRST_CHANGE / max(change, _LAST_CHANGE)) / math.log(_FIRST_CHANGE / _LAST_CHANGE)
        done = tier.first + max(0.0, share) * tier.entries
        self._show((1 - _WRITING) * done / self._numbering.entries, f"{tier.name}, {sweep}")

    def _write(self, arrays: Any, solved: list[SolvedTier]) -> TableHeader:
        """Writes the table and returns its header."""
        entries, tiers = self._numbering.entries, self._numbering.tiers
        with TableWriter(self._path, new_header(self._numbering), threads=self._threads, reserve=1 << 16) as writer:
            for low in range(0, entries, _SLICE):
                writer.append(coded_chances(np.asarray(arrays[0, low : min(low + _SLICE, entries)])))
                self._show(1 - _WRITING + _WRITING * low / entries, "")
            start = self._numbering.place(self._numbering.game.start.state)
            turns = int(arrays[1, start]) / TURN
            return writer.finish(
                extra={
                    "error": max(tier.error for tier in solved),
                    "start": {"chance": int(arrays[0, start]) / ONE, "actions": turns - 1},
                    "tiers": [{"name": tier.name, **asdict(each)} for tier, each in zip(tiers, solved, strict=True)],
                }
            )
