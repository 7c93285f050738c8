"""Verifies a table of winning chances; ``chance_kernels.py`` explains the idea.

It takes 2 bytes of memory for each entry, 12 for each entry of the tiers derived so far, and 26 for each of the tier
being derived. Measured on a busy machine with 30 million entries: 1.4 us of CPU for an entry, 0.4 of it for the rules,
shape by shape; 1.8 where every successor is found by its rank.

Threads read entries while others write them, so chances differ from run to run, by much less than the proved bound.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from damier.core.messages import Message, Number, message
from damier.solve.codes import CERTAIN
from damier.solve.parallel import CHUNK, run_chunks
from damier.solve.verify import chance_kernels as algorithm
from damier.solve.verify.verifier import Verifier, WrongEntry, bound

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from damier.core.kernel.contract import State
    from damier.solve.file.header import Tier

    Rivals = NDArray[np.int32]
    Step = Callable[[int, int, Rivals], float]
    """Processes the places ``[low, high)`` with their rivals; returns a number."""

    Gather = Callable[[int, int, Rivals], int]
    """Writes the rivals of the entries ``[low, high)``; returns how many, or -1 - an entry that is wrong."""

MARGIN = 1e-10  # error bound of a chance, for each turn that the game lasts
LEAST_CHANGE = MARGIN / 10  # of a chance: convergence
LEAST_GROWTH = 0.5  # of the turns: convergence
TIE = 0.001  # units: this close to a tie an entry may be rounded either way; the solver needs 0.00055
FIRST_TURNS = 10  # initial guess
MOST_SWEEPS = 500

_SLICE = 1 << 12  # entries whose rivals are gathered in one call
_GATHERING = 0.6  # share of the work on a tier, for progress
_HALF = 10  # sweeps after which progress shows half of the rest


class Shapes:
    """The shapes of a game, and the kernels that find successors shape by shape."""

    def __init__(self, verifier: Verifier) -> None:
        numbering = verifier.numbering
        package = verifier.check.__name__.rpartition(".")[0]
        module = importlib.import_module(f"{package}.{verifier.check.SHAPE_MODULE}")
        self.kernels = bound(numbering, module, algorithm, compiled=True)
        self.layout = module.shape_numbers(verifier.game.start.state)
        self.words = [np.zeros(module.SHAPE_WORDS, np.int64) for _ in range(verifier.threads)]


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
        self.shapes = Shapes(self) if hasattr(self.check, "SHAPE_MODULE") else None
        (self._gather if self.shapes is None else self._gather_shapes)(0, 0, 0, 0)
        for step in (self._settle, self._lengthen, self._failed):
            step(0, 0, self.gathered[0])

    def load(self) -> None:
        """Reads all entries; memory for chances and turns is taken as tiers are derived."""
        super().load()
        count = len(self.entries)
        self.values, self.turns = np.empty(count + 1), np.empty(count + 1, np.float32)
        self.values[count], self.turns[count] = 1, 0  # after a lost roll

    def is_found(self, state: State) -> bool:
        """Tells whether the number of a state is its own."""
        _, rules, numbers, firsts, _ = self.plain()
        place: int = self.bound(compiled=False).place_found(rules, numbers, firsts, len(firsts) - 2, state)
        return place != algorithm.NOWHERE

    def derive(self, number: int, tier: Tier) -> None:
        """Derives the entries of a tier."""
        here = slice(tier.first, tier.first + tier.entries)
        np.divide(self.entries[here], CERTAIN, out=self.values[here])  # the initial chances
        self.turns[here] = FIRST_TURNS
        # Step 1. What may follow, by the rules.
        mistaken = -1
        if self.shapes is not None:
            mistaken = self.first_wrong(tier, lambda *where: self._gather_shapes(number, *where), _GATHERING)
        if self.shapes is None or mistaken >= 0:  # then it is derived as it is numbered, which tells what is wrong
            self.rivals.clear()
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
        if mistaken >= 0:
            raise self.misplaced(tier, mistaken)

    def _gather(self, number: int, low: int, high: int, thread: int) -> int:
        """Stores the rivals of ``[low, high)``; returns the first entry that leads to a wrong number, or -1."""
        numbering = self.numbering
        given = (self.given, numbering.rules, numbering.numbers, numbering.firsts, self.entries, number)
        return self._keep(low, high, thread, lambda *where: self.kernels.gather(*given, *where, self.outs[thread]))

    def _gather_shapes(self, number: int, low: int, high: int, thread: int) -> int:
        """Does what `_gather` does, shape by shape; returns the first entry that is not numbered as specified."""
        numbering, shapes = self.numbering, self.shapes
        assert shapes is not None
        given = (shapes.layout, numbering.rules, numbering.numbers, numbering.firsts, self.entries, number)
        room = shapes.words[thread], self.outs[thread]
        return self._keep(low, high, thread, lambda *where: shapes.kernels.gather_shapes(*given, *where, *room))

    def _keep(self, low: int, high: int, thread: int, gather: Gather) -> int:
        """Stores the rivals of ``[low, high)`` as they are gathered; returns the first wrong entry, or -1."""
        rivals = self.gathered[thread]
        parts: list[Rivals] = []
        for begin in range(low, max(high, low + 1), _SLICE):
            count = int(gather(begin, min(high, begin + _SLICE), rivals))
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
