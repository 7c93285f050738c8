"""Derives the entries of a table of outcomes family by family; ``family_kernels.py`` explains the idea."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from damier.core.messages import Number, message
from damier.solve.numbering import family_module
from damier.solve.parallel import run_chunks
from damier.solve.verify import family_kernels, outcome_kernels
from damier.solve.verify.verifier import Found, WrongEntry, bound

if TYPE_CHECKING:
    from damier.solve.file.header import Tier
    from damier.solve.verify.outcomes import OutcomeVerifier

_FAMILIES = 4  # families that a thread takes at once: some milliseconds of work


class Families:
    """Derives the entries of a table family by family."""

    def __init__(self, verifier: OutcomeVerifier) -> None:
        self._of, numbering = verifier, verifier.numbering
        module = family_module(numbering, 1)
        self._kernels = bound(numbering, module, outcome_kernels, family_kernels, compiled=True)
        self._layout = module.family_numbers(verifier.game.options)
        threads = range(verifier.threads)
        self._words = [np.zeros(family_kernels.FAMILY_WORDS, np.int64) for _ in threads]
        largest = 1 + int(self._kernels.largest_family(self._layout, len(numbering.tiers), self._words[0]))
        sizes = largest, largest, family_kernels.LANES, family_kernels.LANES
        self._bytes = [[np.zeros(size, verifier.entries.dtype) for size in sizes] for _ in threads]
        self._outs = [np.zeros(family_kernels.ROOM, np.int64) for _ in threads]
        self._derived(0, 0, 0, 0, compares=False)

    def count(self, number: int) -> int:
        """Returns how many families a tier has."""
        return int(self._kernels.family_count(self._layout, number))

    def derive(self, number: int, tier: Tier) -> None:
        """Derives the entries of a tier; raises `WrongEntry` for one that is wrong."""
        verifier, families = self._of, self.count(number)
        compares = self._has_block_in(number, number) or not self._has_block_in(number - 1, number - 1)
        wrong: list[tuple[int, int]] = []  # first family of the chunk, place

        def work(low: int, high: int, thread: int) -> int:
            derived = self._derived(number, low, high, thread, compares=compares)
            if derived == family_kernels.WRONG:
                wrong.append((low, int(self._outs[thread][0])))
            if wrong:
                raise Found
            return derived

        def done(reached: int) -> None:
            verifier.show_done(tier, tier.entries * reached / families)

        try:
            derived, _ = run_chunks(work, 0, families, verifier.threads, done, _FAMILIES)
        except Found:
            _, place = min(wrong)  # chunks are begun in order and finished: the same for any number of threads
            raise verifier.wrong_place(place) from None
        used = tier.entries - int(np.count_nonzero(verifier.part(tier) == verifier.numbering.codes.free))
        if derived != used:
            raise WrongEntry(
                message(
                    "The table {file} has {used} positions in '{tier}', and by the rules there are {derived}.",
                    file=verifier.name,
                    used=Number(used),
                    tier=tier.name,
                    derived=Number(derived),
                )
            )

    def _has_block_in(self, number: int, block_tier: int) -> bool:
        """Tells whether the blocks of the families of a tier are in a tier."""
        self._kernels.open_family(self._layout, number, 0, self._words[0])
        return int(self._words[0][family_kernels.BLOCK_TIER]) == block_tier

    def _derived(self, number: int, low: int, high: int, thread: int, *, compares: bool) -> int:
        verifier, numbering = self._of, self._of.numbering
        given = (verifier.given, self._layout, numbering.rules, numbering.numbers, numbering.firsts, verifier.entries)
        scratch = self._words[thread], *self._bytes[thread], self._outs[thread]
        return int(self._kernels.derived_families(*given, number, low, high, compares, *scratch))
