"""Builds the table of a game whose numbering has families; ``family_retrograde.py`` explains the idea.

The table and its working files are those of ``outcomes.py``, to the byte. An interrupted build repeats the tier that it
was in: the statuses of members are in memory only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.solve.build import family_retrograde
from damier.solve.build.outcomes import BEGINNING, BuildStage, DistanceOverflow, OutcomeBuilder
from damier.solve.codes import DRAWN
from damier.solve.numbering import family_module
from damier.solve.parallel import run_chunks

if TYPE_CHECKING:
    from pathlib import Path

    from damier.solve.build.outcomes import Show
    from damier.solve.numbering import Numbering

_FAMILIES = 4  # families that a thread takes at once: some milliseconds of work


class FamilyBuilder(OutcomeBuilder):
    """Builds one table of wins, draws and losses, family by family."""

    def __init__(self, numbering: Numbering, path: Path, threads: int, show: Show) -> None:
        self._words = [np.zeros(family_retrograde.FAMILY_WORDS, np.int64) for _ in range(threads)]
        super().__init__(numbering, path, threads, show)

    def _modules(self) -> tuple[ModuleType, ...]:
        *modules, retrograde = super()._modules()
        return *modules, family_module(self._numbering, 0), retrograde, family_retrograde

    def _resume(self) -> BuildStage | None:
        stage = super()._resume()
        return stage and replace(stage, begun=0, plies=0, farthest=0)

    def _compile(self) -> None:
        self._mores = [np.zeros_like(out) for out in self._outs]
        for work in (self._begin_work(0), self._spread_work(0, 1), self._free_work(0), self._place_work(0)):
            work(0, 0, 0)

    def _begin_work(self, tier: int) -> Callable[[int, int, int], int]:
        return self._family_work("begin_families", tier, lambda t: (self._marks, self._words[t], self._outs[t]))

    def _spread_work(self, tier: int, plies: int) -> Callable[[int, int, int], int]:
        return self._family_work(
            "spread", tier, lambda t: (plies, self._marks, self._words[t], self._outs[t], self._mores[t])
        )

    def _free_work(self, tier: int) -> Callable[[int, int, int], int]:
        return self._family_work("free_aliases", tier, lambda t: (self._words[t],), skip=1)

    def _place_work(self, tier: int) -> Callable[[int, int, int], int]:
        return self._family_work("place_families", tier, lambda t: (self._words[t], self._outs[t]), skip=1)

    def _family_work(
        self, step: str, tier: int, more: Callable[[int], tuple[Any, ...]], skip: int = 0
    ) -> Callable[[int, int, int], int]:
        """Returns a function that runs a kernel on families; `more` gives its last arguments for a thread."""
        numbering, function = self._numbering, getattr(self._kernels, step)
        arrays = (numbering.rules, numbering.numbers, self._values, numbering.firsts)[skip:]

        def work(low: int, high: int, thread: int) -> int:
            return int(function(*arrays, tier, low, high, *more(thread)))

        return work

    def _run(self, stage: BuildStage, work: Callable[[int, int, int], int], begin: float, end: float) -> int:
        """Runs a step over all families of a tier, as a share of the work on it; returns the largest result."""
        count = self._count(stage.tier)

        def done(reached: int) -> None:
            self._progress(stage, begin + (end - begin) * reached / count)

        return run_chunks(work, 0, count, self._threads, done, _FAMILIES)[1]

    def _count(self, tier: int) -> int:
        return int(self._kernels.family_count(self._numbering.numbers, tier))

    def _is_placing(self, tier: int) -> bool:
        """Tells whether all actions lead to the tier below."""
        self._kernels.open_family(self._numbering.numbers, tier, 0, self._words[0])
        return int(self._words[0][family_retrograde.BLOCK_TIER]) != tier

    def _begin(self, stage: BuildStage) -> BuildStage:
        """Initialises all entries of a tier from the tiers below, or decides them."""
        if self._is_placing(stage.tier):
            self._fill(stage.tier, self._codes.free)
            self._run(stage, self._place_work(stage.tier), 0.0, 1.0)
            return replace(stage, tier=stage.tier + 1)
        self._fill(stage.tier, DRAWN)
        farthest = self._run(stage, self._begin_work(stage.tier), 0.0, BEGINNING)
        return replace(stage, plies=1, farthest=farthest)

    def _fill(self, number: int, code: int) -> None:
        for entries in self._slices(number):
            entries[:] = code

    def _distance(self, stage: BuildStage) -> BuildStage:
        """Processes one distance of a tier, or completes the tier."""
        if stage.plies > stage.farthest + 1:
            self._run(stage, self._free_work(stage.tier), 1.0, 1.0)
            return replace(stage, tier=stage.tier + 1, begun=0, plies=0, farthest=0)
        shown = self._shown(stage)
        farthest = max(stage.farthest, self._run(stage, self._spread_work(stage.tier, stage.plies), shown, shown))
        if farthest > self._codes.most_plies:
            raise DistanceOverflow(f"{farthest} plies do not fit in a byte")
        return replace(stage, plies=stage.plies + 1, farthest=farthest)
