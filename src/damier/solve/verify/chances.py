"""Verifies a table of winning chances; ``chance_kernels.py`` explains the idea.

It takes 14 bytes of memory for each entry and 25 more for each entry of the largest tier. Measured on a busy machine
with 30 million entries: 1 GB and 4 us of CPU for an entry, half of it for the rules.

Threads read entries while others write them, so chances differ from run to run, by much less than the proved bound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from damier.core.messages import Message, Number, message
from damier.solve.codes import CERTAIN
from damier.solve.parallel import CHUNK, run_chunks
from damier.solve.verify import chance_kernels as algorithm
from damier.solve.verify.verifier import Verifier, WrongEntry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from damier.core.kernel.contract import State
    from damier.solve.file.header import Tier

    Rivals = NDArray[np.int32]
    Step = Callable[[int, int, Rivals], float]
    """Processes the places ``[low, high)`` with their rivals; returns a number."""

MARGIN = 1e-10  # error bound of a chance, for each turn that the game lasts
LEAST_CHANGE = MARGIN / 10  # of a chance: convergence
LEAST_GROWTH = 0.5  # of the turns: convergence
TIE = 0.001  # units: this close to a tie an entry may be rounded either way; the solver needs 0.00055
FIRST_TURNS = 10  # initial guess
MOST_SWEEPS = 500

_SLICE = 1 << 12  # entries whose rivals are gathered in one call
_GATHERING = 0.6  # share of the work on a tier, for progress
_HALF = 10  # sweeps after which progress shows half of the rest


class ChanceVerifier(Verifier):
    """Verifies one table of winning chances."""

    algorithm = algorithm

    def compile(self) -> None:
        """Allocates buffers for each thread and compiles the kernels by running them on empty ranges."""
        rooms = range(self.threads)
        self.outs = [np.zeros(algorithm.ROLLED_ROOM, np.int64) for _ in rooms]
        self.gathered = [np.zeros(_SLICE * algorithm.SIDES * algorithm.MOST_ROLLED, np.int32) for _ in rooms]
        self.rivals: dict[int, Rivals] = {}
        self.values, self.turns = np.zeros(0), np.zeros(0, np.float32)
        self._gather(0, 0, 0, 0)
        for step in (self._settle, self._lengthen, self._failed):
            step(0, 0, self.gathered[0])

    def load(self) -> None:
        """Reads all entries, the initial chances."""
        super().load()
        count = len(self.entries)
        self.values, self.turns = np.empty(count + 1), np.empty(count + 1, np.float32)
        np.divide(self.entries, CERTAIN, out=self.values[:count])
        self.turns[:count] = FIRST_TURNS
        self.values[count], self.turns[count] = 1, 0  # after a lost roll

    def is_found(self, state: State) -> bool:
        """Tells whether the number of a state is its own."""
        _, rules, numbers, firsts, _ = self.plain()
        place: int = self.bound(compiled=False).place_found(rules, numbers, firsts, len(firsts) - 2, state)
        return place != algorithm.NOWHERE

    def derive(self, number: int, tier: Tier) -> None:
        """Derives the entries of a tier."""
        # Step 1. What may follow, by the rules.
        entry = self.first_wrong(tier, lambda *where: self._gather(number, *where), _GATHERING)
        if entry >= 0:
            raise self.wrong_number(tier, entry, self._mistaken(number, tier, entry))
        # Step 2. Chances and turns.
        self._repeat(tier, self._settle, LEAST_CHANGE)
        self._repeat(tier, self._lengthen, LEAST_GROWTH)
        # Step 3. The entries, and the proof.
        self._compare(tier)
        if sum(self._sweep(tier, self._failed)):
            raise WrongEntry(
                message("The chances in '{tier}' of the table {file} are not proved.", tier=tier.name, file=self.name)
            )
        self.rivals.clear()

    def _gather(self, number: int, low: int, high: int, thread: int) -> int:
        """Stores the rivals of ``[low, high)``; returns the first entry that leads to a wrong number, or -1."""
        numbering, rivals = self.numbering, self.gathered[thread]
        given = (self.given, numbering.rules, numbering.numbers, numbering.firsts, self.entries, number)
        parts: list[Rivals] = []
        for begin in range(low, max(high, low + 1), _SLICE):
            end = min(high, begin + _SLICE)
            count = int(self.kernels.gather(*given, begin, end, rivals, self.outs[thread]))
            if count < 0:
                return -1 - count
            parts.append(rivals[:count].copy())
        self.rivals[low] = np.concatenate(parts)
        return -1

    def _mistaken(self, number: int, tier: Tier, entry: int) -> State:
        """Returns the first successor of an entry whose number is not its own."""
        kernels, out = self.bound(compiled=False), [0] * algorithm.ROLLED_ROOM
        given, rules, numbers, firsts, _ = self.plain()
        count = kernels.rolled_successors(given, self.state(tier, entry), out)
        states = ((out[i + 1], out[i + 2], out[i + 3]) for i in range(0, 4 * count, 4))
        nowhere = algorithm.NOWHERE
        return next(state for state in states if kernels.place_found(rules, numbers, firsts, number, state) == nowhere)

    def _repeat(self, tier: Tier, step: Step, least: float) -> None:
        """Sweeps a tier until changes are at most `least`, MOST_SWEEPS times at most."""
        for sweep in range(MOST_SWEEPS):
            if max(self._sweep(tier, step)) <= least:
                return
            if step == self._settle:
                share = _GATHERING + (1 - _GATHERING) * sweep / (sweep + _HALF)
                self.show_done(tier, share * tier.entries)

    def _sweep(self, tier: Tier, step: Step) -> list[float]:
        """Runs a step over a tier in all threads; returns the results."""
        results: list[float] = []

        def work(low: int, high: int, _thread: int) -> int:
            results.append(step(tier.first + low, tier.first + high, self.rivals[low]))
            return 0

        run_chunks(work, 0, tier.entries, self.threads)
        return results

    def _settle(self, low: int, high: int, rivals: Rivals) -> float:
        return float(self.kernels.settle(low, high, self.values, rivals))

    def _lengthen(self, low: int, high: int, rivals: Rivals) -> float:
        return float(self.kernels.lengthen(low, high, self.values, self.turns, MARGIN, rivals))

    def _failed(self, low: int, high: int, rivals: Rivals) -> float:
        return float(self.kernels.prove(low, high, self.values, self.turns, MARGIN, rivals))

    def _compare(self, tier: Tier) -> None:
        """Compares the entries of a tier with the chances; raises `WrongEntry` for the one with the greatest error.

        An entry that is wrong by more than RIVALRY units may have misled play: then the expected chance is approximate.
        """
        worst, farthest, most = -1, 0.5 + TIE, 0.0  # in units
        for low in range(tier.first, tier.first + tier.entries, CHUNK):
            places = slice(low, min(low + CHUNK, tier.first + tier.entries))
            distances = np.abs(CERTAIN * self.values[places] - self.entries[places])
            bounds = CERTAIN * MARGIN * self.turns[places]
            most = max(most, float((distances + bounds).max()))
            distances -= bounds
            if distances.max() > farthest:
                worst, farthest = low + int(distances.argmax()), float(distances.max())
        if worst >= 0:
            stored, due = self.entries[worst] / CERTAIN, self.values[worst]
            raise self.wrong_value(tier, worst - tier.first, chance_text(stored), chance_text(due))
        self.error = max(self.error or 0.0, most / CERTAIN)


def chance_text(chance: float) -> Message:
    """Returns a chance with enough digits to tell two entries apart."""
    return message("{percent} %", percent=Number(100 * chance, ".4f"))
