"""Derives the entries of a table of outcomes group by group; ``group_kernels.py`` explains the idea.

A bit of memory more for each entry and thread tells what has been derived.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from damier.solve.codes import BYTE_CODES
from damier.solve.verify import family_kernels, group_kernels, outcome_kernels
from damier.solve.verify.verifier import WrongEntry, bound

if TYPE_CHECKING:
    from types import SimpleNamespace

    from damier.solve.file.header import Tier
    from damier.solve.verify.outcomes import OutcomeVerifier

_SLICE = 1 << 22  # entries compared together


def has_groups(verifier: OutcomeVerifier) -> bool:
    """Tells whether the independent rules of a game describe groups, and its table has an entry of one byte."""
    return hasattr(verifier.check, "group_members") and verifier.numbering.codes == BYTE_CODES


class Groups:
    """Derives the entries of a table group by group."""

    def __init__(self, verifier: OutcomeVerifier) -> None:
        self._of = verifier
        self._kernels = self._bound(compiled=True)
        threads = range(verifier.threads)
        self._outs = [np.zeros(group_kernels.ROOM, np.int64) for _ in threads]
        self._derived = [np.zeros(verifier.numbering.entries // 8 + 1, np.uint8) for _ in threads]
        self._first_wrong(0, 0, 0, 0)

    def derive_all(self) -> None:
        """Derives all entries; raises `WrongEntry` for one that is wrong.

        The last tier comes first: a leader has fewer restrictions than the members, which may be in lower tiers, and
        what has been derived is passed over.
        """
        tiers = self._of.numbering.tiers
        for number in range(len(tiers) - 1, -1, -1):
            self._derive(number, tiers[number])
        self._compare_free()

    def _derive(self, number: int, tier: Tier) -> None:
        """Derives the groups whose leaders are in a tier."""

        def search(low: int, high: int, thread: int) -> int:
            return self._first_wrong(number, low, high, thread)

        entry = self._of.first_wrong(tier, search)
        if entry >= 0:
            raise self._error(tier, entry)

    def _compare_free(self) -> None:
        """Raises `WrongEntry` if an entry is free that was derived, or is not free and was not."""
        verifier = self._of
        for low in range(0, len(verifier.entries), _SLICE):
            codes = verifier.entries[low : low + _SLICE]
            marks = np.bitwise_or.reduce([bits[low // 8 : (low + _SLICE) // 8] for bits in self._derived])
            is_derived = np.unpackbits(marks, count=len(codes), bitorder="little")
            wrong = np.flatnonzero((codes == verifier.numbering.codes.free) == is_derived)
            if len(wrong):
                raise verifier.wrong_place(low + int(wrong[0]))

    def _bound(self, *, compiled: bool) -> SimpleNamespace:
        modules = outcome_kernels, family_kernels, group_kernels
        return bound(self._of.numbering, *modules, compiled=compiled)

    def _first_wrong(self, number: int, low: int, high: int, thread: int) -> int:
        verifier, numbering = self._of, self._of.numbering
        given = (verifier.given, numbering.rules, numbering.numbers, numbering.firsts, verifier.entries)
        where = self._derived[thread], number, low, high, self._outs[thread]
        return int(self._kernels.first_wrong_group(*given, *where))

    def _error(self, tier: Tier, entry: int) -> WrongEntry:
        """Returns the error in the group of a leader."""
        verifier, out = self._of, [0] * group_kernels.ROOM
        leader, derived = verifier.state(tier, entry), bytearray(len(self._derived[0]))
        found = self._bound(compiled=False).wrong_in_group(*verifier.plain(), derived, tier.first + entry, leader, out)
        if found > 0:
            return verifier.wrong_place(found - 1)
        state = out[0], out[1], out[2]
        if found == group_kernels.MISTAKEN_MEMBER:
            return verifier.not_found(verifier.position(state)[1:-1])
        return verifier.wrong_number(tier, entry, state)
