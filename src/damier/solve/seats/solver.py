"""Solves a game for three and more players, tier by tier: what each seat can force, and max-n.

`Seats` holds the numbering of a game, `SeatSolver` computes one array for it after the other. An array has a number for
each entry and seat (``sweeps.py``): four bytes, or two with a coarser unit. Nothing else grows with the game, except
two bytes for each entry of the largest tier.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.kernel.bind import bind
from damier.solve.seats import sweeps
from damier.solve.seats.sweeps import (
    COALITION,
    HELP,
    LOWER,
    MOST_SEATS,
    NEAREST,
    NOBODY,
    ROLLER,
    SIDES,
    UPPER,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from damier.core.kernel.contract import State

    Array = NDArray[np.integer[Any]]

ONE = 64_800 << 4
"""Certainty in the arrays of bounds: an error of a unit a turn is some 0.00003 after all."""

FINE_ONE = 64_800 << 14
"""Certainty in the vectors of max-n."""

TIE = FINE_ONE // 50
"""Actions whose own chances differ by less than 2 % are nearly tied.

With half of it, max-n for three with two pieces each still changed by 7 % after 300 sweeps.
"""

ENOUGH = FINE_ONE // 10**7
"""A change with which max-n has converged."""

MOST_SWEEPS = 300
UNDAMPED = 30  # sweeps of max-n; then each goes a half of the way, from twice as many on a third, and so on

Report = Callable[[int, int, int], None]
"""Receives, after a sweep: the tier, the number of the sweep, how many numbers or how much has changed."""


@dataclass(frozen=True)
class SolvedSeats:
    """An array of a game and how it was made."""

    values: Array
    one: int
    sweeps: int
    """Of the tier that took most."""

    change: int
    """The greatest change of a number in the last sweep of any tier; 0 for bounds."""

    def chances(self, place: int, seats: int) -> list[float]:
        """Returns the numbers of an entry, as chances."""
        return [int(value) / self.one for value in self.values[place : place + seats]]


class Seats:
    """The positions of a game with its kernels; `numbering` is the module that numbers them (``seats.py``)."""

    def __init__(self, rules_module: ModuleType, numbering: Sequence[ModuleType], rules: Sequence[int]) -> None:
        self.kernels: SimpleNamespace = bind(rules_module, *numbering, sweeps, compiled=True)
        self.rules = np.array(rules, np.int64)
        self.numbers = np.asarray(numbering[-1].index_numbers(list(rules)), np.int32)
        tiers = range(self.kernels.tier_count(self.rules))
        self.players = [int(self.kernels.tier_seats(self.rules, number)) for number in tiers]
        self.sizes = [int(self.kernels.tier_entries(self.rules, self.numbers, number)) for number in tiers]
        spans = [size * players for size, players in zip(self.sizes, self.players, strict=True)]
        self.begins = np.concatenate([[0], np.cumsum(spans)]).astype(np.int64)
        """Where the numbers of each tier begin; the last item is the length of an array."""

        self.start: State = self.kernels.start(self.rules)

    def place(self, state: State) -> int:
        """Returns where the numbers of a state before a roll begin."""
        number = self.kernels.tier(self.rules, state)
        return int(self.begins[number] + self.kernels.rank(self.rules, self.numbers, state) * self.players[number])


class SeatSolver:
    """Computes arrays of one game, on one thread."""

    def __init__(self, seats: Seats, report: Report | None = None) -> None:
        self.seats, self._report = seats, report
        kernels = seats.kernels
        self._out = np.zeros(kernels.FOLLOWER_ROOM, np.int32)
        self._room = np.zeros(SIDES * MOST_SEATS * kernels.MOST_TOGETHER, np.int32)
        self._wide = np.zeros(SIDES * (4 + MOST_SEATS) * kernels.MOST_TOGETHER, np.int64)

    def bounds(
        self,
        others: int,
        side: int,
        *,
        one: int = ONE,
        lower: SolvedSeats | None = None,
        values: Array | None = None,
        first_tier: int = 0,
    ) -> SolvedSeats:
        """Returns bounds of what each seat can force: `others` is COALITION or HELP, `side` LOWER or UPPER.

        With lower bounds against a coalition, upper ones take half the time: where two are in, a player cannot have
        more than what the lower bound of the other leaves. `values` overrides the array that is filled; it may be a
        file mapped into memory, with the tiers before `first_tier` solved.
        """
        seats = self.seats
        array = np.zeros(int(seats.begins[-1]), np.int32) if values is None else values
        most = 0
        for number in range(first_tier, len(seats.sizes)):
            here = array[seats.begins[number] : seats.begins[number + 1]]
            if lower is not None and side == UPPER and others == COALITION and seats.players[number] == 2:
                given = lower.values[seats.begins[number] : seats.begins[number + 1]]
                here[0::2], here[1::2] = one - given[1::2], one - given[0::2]
                continue
            here[:] = 0 if side == LOWER else one
            most = max(most, self._bound_tier(number, array, one, others, side))
        return SolvedSeats(array, one, most, 0)

    def _bound_tier(self, number: int, array: Array, one: int, others: int, side: int) -> int:
        """Sweeps a tier until a full sweep changes nothing; returns the number of sweeps."""
        seats, size = self.seats, self.seats.sizes[number]
        rests = np.zeros(size, np.uint16)
        sweep, is_full, changed = 0, False, 1
        while changed or not is_full:
            is_full = changed == 0
            changed = seats.kernels.bound(
                seats.rules, seats.numbers, seats.begins, number, 0, size, array, one, others, side,
                rests, is_full, self._room, self._out,
            )  # fmt: skip
            sweep += 1
            if self._report:
                self._report(number, sweep, changed)
        return sweep

    def max_n(self, tilt: int = 0, *, one: int = FINE_ONE, tie: int = TIE, enough: int = ENOUGH) -> SolvedSeats:
        """Returns the vectors that value iteration for max-n ends with, and its last change: it need not converge."""
        array = np.zeros(int(self.seats.begins[-1]), np.int32)
        return self._iterate(array, tie, tilt, array, one, NOBODY, NEAREST, enough)

    def responses(
        self, profile: SolvedSeats, side: int, *, is_free: bool, tilt: int = 0, tie: int = TIE
    ) -> SolvedSeats:
        """Returns bounds of what a seat gets against a profile, free to depart from it or keeping to it, too."""
        array = np.full_like(profile.values, 0 if side == LOWER else profile.one)
        chooser = ROLLER if is_free else NOBODY
        return self._iterate(array, tie, tilt, profile.values, profile.one, chooser, side, ENOUGH)

    def _iterate(
        self, array: Array, tie: int, tilt: int, guides: Array, one: int, chooser: int, side: int, enough: int
    ) -> SolvedSeats:
        seats = self.seats
        most = last = 0
        for number, size in enumerate(seats.sizes):
            sweep, change = 0, one
            while change > enough and sweep < MOST_SWEEPS:
                damping = 1 + sweep // UNDAMPED if side == NEAREST else 1
                change = seats.kernels.respond(
                    seats.rules, seats.numbers, seats.begins, number, 0, size, guides, tie, tilt, array, one,
                    chooser, side, damping, self._wide, self._out,
                )  # fmt: skip
                sweep += 1
                if self._report:
                    self._report(number, sweep, change)
            most, last = max(most, sweep), max(last, change)
        return SolvedSeats(array, one, most, last)

    def count_failures(self, solved: SolvedSeats, others: int, side: int) -> int:
        """Returns how many numbers are not proved to be bounds, with successors from the rules alone."""
        seats, kernels = self.seats, self.seats.kernels
        rolls, out = np.zeros(kernels.MAX_ACTIONS, np.int64), np.zeros(kernels.MAX_ACTIONS, np.int64)
        room = np.zeros(2 * MOST_SEATS, np.int64)
        return sum(
            kernels.check_bound(
                seats.rules, seats.numbers, seats.begins, number, 0, size, solved.values, solved.one, others, side,
                rolls, room, out,
            )
            for number, size in enumerate(seats.sizes)
        )  # fmt: skip


__all__ = ["COALITION", "HELP", "LOWER", "UPPER", "SeatSolver", "Seats", "SolvedSeats"]
