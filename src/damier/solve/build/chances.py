"""Builds the table of a game with a die: winning chances, tier by tier. A build can be interrupted at any time.

When a tier is solved, its chances and turns are written to ``NAME.work`` and the list of solved tiers to
``NAME.work.json``. After Ctrl-C, a kill or a crash the next call restarts the tier that was interrupted. When all tiers
are solved, the table is written and the working files are removed.
"""

from __future__ import annotations

import json
import logging
import math
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from damier.core.folders import write_whole
from damier.core.kernel.bind import bind, kernel_folder
from damier.solve.build import value_iteration
from damier.solve.build.value_iteration import (
    ERROR,
    MOST_TURNS,
    ONE,
    SIDES,
    TURN,
    ChanceSolver,
    SolvedTier,
    coded_chances,
)
from damier.solve.file.header import TableHeader, new_header
from damier.solve.file.writer import TableWriter

if TYPE_CHECKING:
    from damier.solve.numbering import Numbering

    Show = Callable[[float, str], None]

_log = logging.getLogger(__name__)

_SLICE = 1 << 22  # entries per write
_WRITING = 0.05  # share of the work, for progress
_FIRST_CHANGE, _LAST_CHANGE = 0.5, ERROR / MOST_TURNS / 2  # of chances, in the first and last sweep of a tier


def chance_memory(numbering: Numbering) -> int:
    """Returns the bytes of memory for chances, turns and the followers of the largest tier."""
    return 8 * numbering.entries + 4 * SIDES * max(tier.entries for tier in numbering.tiers)


class ChanceBuilder:
    """Builds one table of winning chances."""

    def __init__(self, numbering: Numbering, path: Path, threads: int, show: Show) -> None:
        self._numbering, self._path, self._threads, self._show = numbering, path, threads, show
        modules = (numbering.game.definition.rules, numbering.index, value_iteration)
        self._kernels = bind(*modules, compiled=True)
        self._sources = kernel_folder(*modules).name
        self._file = path.with_name(path.name + ".work")
        self._note = path.with_name(path.name + ".work.json")
        self._arrays = np.zeros((2, numbering.entries + 1), np.uint32)
        where = self._kernels, numbering.rules, numbering.numbers, self._arrays[0], self._arrays[1]
        self._solver = ChanceSolver(*where, threads=threads, report=self._progress)
        self._solver.compile()

    def run(self) -> TableHeader:
        """Builds the table, resuming an interrupted build; returns its header."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        solved = self._resume()
        if solved:
            _log.info("Resuming the build of '%s' after tier %d.", self._path, len(solved) - 1)
        elif self._note.exists():
            _log.warning("An interrupted build of '%s' cannot be resumed: building it from the start.", self._path)
        with self._file.open("r+b" if solved else "w+b") as stream:
            for number in range(len(self._numbering.tiers)):
                if number < len(solved):
                    self._read_tier(stream, number)
                else:
                    solved.append(self._solver.solve_tier(number))
                    self._write_tier(stream, number)
                    self._save(solved)
        header = self._write(solved)
        self._file.unlink()
        self._note.unlink()
        return header

    def _read_tier(self, stream: IO[bytes], number: int) -> None:
        """Reads the values of a tier that an earlier build has solved."""
        tier = self._numbering.tiers[number]
        stream.seek(8 * tier.first)
        for array in self._arrays:
            array[tier.first : tier.first + tier.entries] = np.frombuffer(stream.read(4 * tier.entries), np.uint32)

    def _write_tier(self, stream: IO[bytes], number: int) -> None:
        """Writes the values of a solved tier."""
        tier = self._numbering.tiers[number]
        stream.seek(8 * tier.first)
        for array in self._arrays:
            stream.write(array[tier.first : tier.first + tier.entries].data)
        stream.flush()
        os.fsync(stream.fileno())

    def _resume(self) -> list[SolvedTier]:
        """Returns the tiers that an interrupted build has solved; none if its files cannot be used."""
        try:
            note = json.loads(self._note.read_text("utf-8"))
            solved = [SolvedTier(**tier) for tier in note["tiers"]]
            is_ours = note["sources"] == self._sources
            size = self._file.stat().st_size
        except (OSError, ValueError, TypeError, KeyError):
            return []
        is_whole = size >= 8 * sum(tier.entries for tier in self._numbering.tiers[: len(solved)])
        return solved if is_ours and is_whole else []

    def _save(self, solved: list[SolvedTier]) -> None:
        note = {"sources": self._sources, "tiers": [asdict(tier) for tier in solved]}
        write_whole(self._note, json.dumps(note))

    def _progress(self, number: int, sweep: int, change: float) -> None:
        """Shows progress within a tier, estimated from the size of the last change."""
        tier = self._numbering.tiers[number]
        share = math.log(_FIRST_CHANGE / max(change, _LAST_CHANGE)) / math.log(_FIRST_CHANGE / _LAST_CHANGE)
        done = tier.first + max(0.0, share) * tier.entries
        self._show((1 - _WRITING) * done / self._numbering.entries, f"{tier.name}, {sweep}")

    def _write(self, solved: list[SolvedTier]) -> TableHeader:
        """Writes the table and returns its header."""
        entries, tiers, (chances, turns) = self._numbering.entries, self._numbering.tiers, self._arrays
        with TableWriter(self._path, new_header(self._numbering), threads=self._threads, reserve=1 << 16) as writer:
            for low in range(0, entries, _SLICE):
                writer.append(coded_chances(chances[low : min(low + _SLICE, entries)]))
                self._show(1 - _WRITING + _WRITING * low / entries, "")
            start = self._numbering.place(self._numbering.game.start.state)
            return writer.finish(
                extra={
                    "error": max(tier.error for tier in solved),
                    "start": {"chance": int(chances[start]) / ONE, "actions": int(turns[start]) / TURN - 1},
                    "tiers": [{"name": tier.name, **asdict(each)} for tier, each in zip(tiers, solved, strict=True)],
                }
            )
