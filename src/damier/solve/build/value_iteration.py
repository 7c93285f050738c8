"""Value iteration for games of two players and a die: winning chances with a proved error.

An entry is a position before a roll. Its value V is the chance that the player to roll wins with best play of both: the
mean over the rolls of the best action's 1 - V; a roll without an action loses. Actions pass the turn, and none ends the
game. Chances are fixed-point integers: ONE is certainty. All tiers share one array; a tier follows those that its
actions lead to. The last item of the array is ONE and no entry: the value after a lost roll.

Of one tier:

    1. `choose` finds the best follower of every entry and roll by the current chances, and updates the chances. Then
       `settle` updates them several times with these followers fixed, which is quick (modified policy iteration). This
       is repeated until the chances converge.
    2. `lengthen` finds T, the expected number of turns with the followers chosen. A turn is a roll, with or without an
       action: there is one action less than turns. Then `choose` runs again, preferring the longer game among followers
       of nearly equal chance, and `lengthen` again.
    3. `prove` shows that no V is wrong by more than T times a margin.

The proof. L = V - margin * T and U = V + margin * T, clamped to 0 and ONE, are integers. `prove` checks exactly
that L(s) is less than the mean of the best 1 - U(s') unless it is 0, and U(s) more than the mean of the best 1 - L(s')
unless it is ONE. Let a player always take the action with the least U(s'), and let X be L(s) when that player is to
roll, 1 - U(s) when the other is, 1 after a win and 0 after a loss. Whatever the other does, X, while it is more than 0,
grows by at least 1 / (6 ONE) a turn on average, and it is never more than 1. So it ends at 0 or in a win, and the win
is at least as likely as the initial X. Therefore L and U are bounds, and nobody can do better by playing on for ever.

T is bounded, too: if T never differs by more than a share q of a turn from 1 + the mean T of the followers, the
expected number of turns is between T / (1 + q) and T / (1 - q). It is finite: play that is optimal up to the margin
ends.

Every kernel processes a range of entries. A tier is swept in *waves*: threads share the entries of a wave, read what
earlier waves have written, and their results are written when the wave is complete. So the arrays are the same for any
number of threads. An interrupted tier is solved again from its beginning, with the same result.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.kernel.bits import highest, lowest
from damier.core.kernel.contract import (
    PLAYING,
    Rules,
    State,
    Words,
    actions,
    apply,
    followers,
    outcome,
    rank,
    tier,
    unrank,
)
from damier.solve.codes import CERTAIN

if TYPE_CHECKING:
    from types import SimpleNamespace

    from numpy.typing import NDArray

    Array = NDArray[np.integer[Any]]

SIDES = 6
ONE = SIDES**12  # fits in 32 bits; the mean over up to 12 rolls is an integer
TURN = SIDES**7  # fixed-point unit of turns

ERROR = 1e-6
MOST_TURNS = 32  # ERROR holds if no position is expected to last longer
STRETCH = 1e-4  # relative error of the expected turns

QUICK_SWEEPS = 20  # at most, for each sweep with all actions
MOST_SWEEPS = 400
MOST_PROOFS = 8
WAVES = 256
LEAST_WAVE = 256
FIRST_TURNS = 10  # initial guess

_POSITIVE = (1 << 62) - 1  # a mask that changes no index, but tells the compiler that it is not negative


def choose(
    rules: Rules,
    numbers: Words,
    firsts: Words,
    here: int,
    low: int,
    high: int,
    values: Words,
    turns: Words,
    margin: int,
    best: Words,
    fresh: Words,
    room: Words,
    out: Words,
) -> int:
    """Writes the best followers and new chances of ``[low, high)``; returns the greatest change of a chance.

    `room` holds the best follower so far of each roll and entry of a group: its badness, and its place in the low bits.
    """
    lost = len(values) - 1
    shift = highest(lost) + 1
    worst = values[lost] + 1 << shift | lost
    entry = low
    while entry < high:
        following = followers(rules, numbers, here, entry, out)
        first = out[0]
        size = following - first
        for i in range(SIDES * size):
            room[i & _POSITIVE] = worst
        at = 2
        for _ in range(out[1]):
            rolls, there, count = out[at], firsts[out[at + 1]], out[at + 2]
            rate(there, count, values, turns, margin, shift, room, SIDES * size, out, at + 3)
            while rolls:
                offer(count, room, SIDES * size, lowest(rolls) * size, out, at + 3)
                rolls &= rolls - 1
            at += 3 + 2 * count
        for each in range(entry, min(following, high)):
            at = each - first
            for roll in range(SIDES):
                best[SIDES * each + roll & _POSITIVE] = room[roll * size + at & _POSITIVE] & (1 << shift) - 1
        entry = following
    return settle(firsts, here, low, high, values, best, fresh)


def rate(
    there: int,
    count: int,
    values: Words,
    turns: Words,
    margin: int,
    shift: int,
    room: Words,
    rated: int,
    out: Words,
    at: int,
) -> None:
    """Writes how bad the successors of an action are to `room`, from `rated` on, with their places in the low bits."""
    for i in range(count):
        place = there + out[at + 2 * i + 1 & _POSITIVE] & _POSITIVE
        room[rated + i & _POSITIVE] = badness(values, turns, place, margin) << shift | place


def offer(count: int, room: Words, rated: int, first: int, out: Words, at: int) -> None:
    """Makes the successors of an action the best followers for a roll, from `first` on, where they are better."""
    for i in range(count):
        known = first + out[at + 2 * i & _POSITIVE] & _POSITIVE
        room[known] = min(room[known], room[rated + i & _POSITIVE])


def badness(values: Words, turns: Words, place: int, margin: int) -> int:
    """Returns a sort key of a follower: less is better.

    It is the chance if the margin is 0, else its lower bound, so that the longer game is preferred among nearly equal
    chances. Where the lower bound is 0, it is the chance again.
    """
    if margin == 0:
        return values[place]
    wrong = margin_at(turns, place, margin)
    return values[place] - (wrong if values[place] > wrong else values[len(values) - 1])


def settle(firsts: Words, here: int, low: int, high: int, values: Words, best: Words, fresh: Words) -> int:
    """Writes new chances of ``[low, high)`` from their best followers; returns the greatest change."""
    change, first = 0, firsts[here]
    certain = SIDES * values[len(values) - 1]
    for entry in range(low, high):
        total = certain + SIDES // 2
        for i in range(SIDES):
            total -= values[best[SIDES * entry + i & _POSITIVE]]
        fresh[entry - low & _POSITIVE] = total // SIDES
        change = max(change, abs(total // SIDES - values[first + entry & _POSITIVE]))
    return change


def lengthen(firsts: Words, here: int, low: int, high: int, turns: Words, best: Words, fresh: Words) -> int:
    """Writes the expected turns of ``[low, high)``; returns the greatest change."""
    change, first = 0, firsts[here]
    for entry in range(low, high):
        total = SIDES * TURN + SIDES // 2
        for i in range(SIDES):
            total += turns[best[SIDES * entry + i & _POSITIVE]]
        fresh[entry - low & _POSITIVE] = total // SIDES
        change = max(change, abs(total // SIDES - turns[first + entry & _POSITIVE]))
    return change


def margin_at(turns: Words, place: int, margin: int) -> int:
    """Returns the error bound of the chance at a place."""
    return turns[place] * margin // TURN


def prove(
    rules: Rules,
    numbers: Words,
    firsts: Words,
    here: int,
    low: int,
    high: int,
    values: Words,
    turns: Words,
    margin: int,
    room: Words,
    out: Words,
) -> int:
    """Returns for how many entries of ``[low, high)`` the bounds do not follow from those of the followers.

    `room` holds the least lower and upper bounds of the followers of a group of entries.
    """
    certain = values[len(values) - 1]
    failed = 0
    entry = low
    while entry < high:
        following = followers(rules, numbers, here, entry, out)
        first = out[0]
        for i in range(2 * SIDES * (following - first)):
            room[i & _POSITIVE] = certain
        at = 2
        for _ in range(out[1]):
            rolls, there, count = out[at], firsts[out[at + 1]], out[at + 2]
            lower_bounds(rolls, there, count, values, turns, margin, room, out, at + 3)
            at += 3 + 2 * count
        for each in range(entry, min(following, high)):
            if not is_enclosed(values, turns, firsts[here] + each, margin, room, 2 * SIDES * (each - first)):
                failed += 1
        entry = following
    return failed


def lower_bounds(
    rolls: int, there: int, count: int, values: Words, turns: Words, margin: int, room: Words, out: Words, at: int
) -> None:
    """Lowers the least bounds of followers to those of an action's successors, for the rolls that allow it."""
    certain = values[len(values) - 1]
    for i in range(count):
        place = there + out[at + 2 * i + 1 & _POSITIVE] & _POSITIVE
        wrong = margin_at(turns, place, margin)
        under, over = max(0, values[place] - wrong), min(certain, values[place] + wrong)
        left = rolls
        while left:
            known = 2 * (SIDES * out[at + 2 * i & _POSITIVE] + lowest(left)) & _POSITIVE
            room[known] = min(room[known], under)
            room[known + 1] = min(room[known + 1], over)
            left &= left - 1


def is_enclosed(values: Words, turns: Words, place: int, margin: int, room: Words, at: int) -> bool:
    """Tells whether the bounds of an entry follow from the least bounds of its followers."""
    certain = values[len(values) - 1]
    wrong = margin_at(turns, place, margin)
    under, over = values[place] - wrong, values[place] + wrong
    least, most = 0, 0
    for i in range(at, at + 2 * SIDES, 2):
        least += certain - room[i + 1]
        most += certain - room[i]
    return (under <= 0 or SIDES * under < least) and (over >= certain or SIDES * over > most)


def chance_by_rules(
    rules: Rules, numbers: Words, firsts: Words, values: Words, state: State, rolls: Words, out: Words
) -> int:
    """Returns SIDES times the chance of a state before a roll, by the rules and the chances of its followers."""
    certain = values[len(values) - 1]
    total = 0
    for i in range(actions(rules, state, rolls)):
        rolled = apply(rules, state, rolls[i])
        if outcome(rules, rolled) == PLAYING:
            least = certain + 0
            for j in range(actions(rules, rolled, out)):
                following = apply(rules, rolled, out[j])
                least = min(least, values[firsts[tier(rules, following)] + rank(rules, numbers, following)])
            total += certain - least
    return total


def count_used(rules: Rules, numbers: Words, here: int, low: int, high: int) -> int:
    """Returns how many numbers of ``[low, high)`` belong to a position."""
    used = 0
    for entry in range(low, high):
        if rank(rules, numbers, unrank(rules, numbers, here, entry)) == entry:
            used += 1
    return used


class NotProved(RuntimeError):
    """The chances of a tier cannot be proved: best play may go on for ever, or the requested error is too small."""


@dataclass(frozen=True)
class SolvedTier:
    """Statistics of a solved tier."""

    number: int
    entries: int
    sweeps: int
    """Sweeps with all actions, without those of proofs."""

    quick_sweeps: int
    """Sweeps with fixed followers, for chances and turns."""

    error: float
    """Proved bound of the error of every chance."""

    most_turns: float
    """The longest expected game, in turns."""


Step = Callable[[int, int, "Array", int], int]
"""Processes ``[low, high)`` on `thread` and writes to an array; returns a number."""

Report = Callable[[int, int, float], None]
"""Receives, after a sweep with all actions: the tier, the number of these sweeps, the greatest change of a chance."""


def place_count(kernels: SimpleNamespace, rules: Any, numbers: Any) -> int:
    """Returns the length of the arrays of a game: all entries and one more."""
    tiers = range(kernels.tier_count(rules))
    return 1 + sum(int(kernels.tier_entries(rules, numbers, number)) for number in tiers)


class ChanceSolver:
    """Solves a game tier by tier into two arrays of `place_count` numbers, which may be files mapped into memory.

    `kernels` are the compiled ones of a game, bound with its ``index.py`` and this module; `rules` and `numbers` are
    arrays. `values` receives the chances, where `one` is certainty, and `turns` the expected turns in units of
    1 / TURN. Both have one type, unsigned 32 or signed 64 bits. A tier needs those below it, solved with the same `one`
    and `error`. Besides the arrays, solving a tier takes 24 bytes for each of its entries.
    """

    def __init__(
        self,
        kernels: SimpleNamespace,
        rules: Array,
        numbers: Array,
        values: Array,
        turns: Array,
        *,
        one: int = ONE,
        error: float = ERROR,
        threads: int = 1,
        report: Report | None = None,
    ) -> None:
        self.kernels, self.rules, self.numbers = kernels, rules, numbers
        self.values, self.turns = np.asarray(values), np.asarray(turns)
        self.values[-1], self.turns[-1] = one, 0
        self.one, self.threads, self.report = one, threads, report
        self.margin = int(error * one / MOST_TURNS)
        """The error bound of a chance, for each expected turn."""
        tiers = range(kernels.tier_count(rules))
        self.sizes = [int(kernels.tier_entries(rules, numbers, number)) for number in tiers]
        self.firsts = np.array([sum(self.sizes[:number]) for number in tiers], np.int64)
        self._outs = [np.zeros(kernels.FOLLOWER_ROOM, np.int32) for _ in range(threads)]
        self._rooms = [np.zeros(2 * SIDES * kernels.MOST_TOGETHER, np.int64) for _ in range(threads)]
        self._pool: ThreadPoolExecutor | None = None

    def compile(self) -> None:
        """Compiles the kernels by running them on empty ranges."""
        best, fresh = np.zeros(SIDES, np.uint32), np.zeros(1, self.values.dtype)
        steps = (self._chooser(0, best, 0), self._settler(0, best), self._lengthener(0, best), self._prover(0))
        for step in steps:
            step(0, 0, fresh, 0)

    def solve_tier(self, number: int) -> SolvedTier:
        """Solves a tier from its beginning; raises `NotProved` if its chances cannot be proved."""
        with ThreadPoolExecutor(self.threads) as self._pool:
            return self._solve(number)

    def _solve(self, number: int) -> SolvedTier:
        best = np.zeros(SIDES * self.sizes[number], np.uint32)
        self._here(self.values, number)[:] = self.one // 2
        self._here(self.turns, number)[:] = FIRST_TURNS * TURN
        sweeps, quick_sweeps = self._find_values(number, best)
        quick_sweeps += self._find_turns(number, best)
        for _ in range(MOST_PROOFS):
            self._sweep(number, self._chooser(number, best, self.margin), self.values, is_kept=False)
            sweeps += 1
            quick_sweeps += self._find_turns(number, best)
            failed = sum(self._sweep(number, self._prover(number), self.values, is_kept=False))
            if failed == 0:
                break
        else:
            raise NotProved(f"The chances of {failed} entries of tier {number} are not proved.")
        longest = int(self._here(self.turns, number).max())
        error = margin_at([longest], 0, self.margin) / self.one
        return SolvedTier(number, self.sizes[number], sweeps, quick_sweeps, error, longest / TURN)

    def _find_values(self, number: int, best: Array) -> tuple[int, int]:
        """Finds the chances and best followers of a tier; returns the number of sweeps and quick sweeps."""
        choose_best, settle_best = self._chooser(number, best, 0), self._settler(number, best)
        quick_sweeps = 0
        last_change = self.one
        for sweep in range(1, MOST_SWEEPS + 1):
            change = max(self._sweep(number, choose_best, self.values))
            if self.report:
                self.report(number, sweep, change / self.one)
            if change <= self.margin // 2:
                return sweep, quick_sweeps
            if change < last_change:  # else the choices may cycle, which `choose` alone does not
                for _ in range(QUICK_SWEEPS):
                    quick_sweeps += 1
                    if max(self._sweep(number, settle_best, self.values)) <= change // 32:
                        break
            last_change = change
        raise NotProved(f"The chances of tier {number} still change after {MOST_SWEEPS} sweeps.")

    def _find_turns(self, number: int, best: Array) -> int:
        """Finds the expected turns with the followers chosen; returns the number of quick sweeps."""
        lengthen_best = self._lengthener(number, best)
        most = int(STRETCH * TURN) - 1  # rounding loses less than one
        for sweep in range(1, MOST_SWEEPS + 1):
            if max(self._sweep(number, lengthen_best, self.turns)) > most:
                continue
            if max(self._sweep(number, lengthen_best, self.turns, is_kept=False)) <= most:
                return sweep
        raise NotProved(f"The expected turns in tier {number} still change after {MOST_SWEEPS} sweeps.")

    def _chooser(self, number: int, best: Array, margin: int) -> Step:
        def step(low: int, high: int, fresh: Array, thread: int) -> int:
            where = self.rules, self.numbers, self.firsts, number, low, high
            room, out = self._rooms[thread], self._outs[thread]
            return int(self.kernels.choose(*where, self.values, self.turns, margin, best, fresh, room, out))

        return step

    def _settler(self, number: int, best: Array) -> Step:
        def step(low: int, high: int, fresh: Array, _thread: int) -> int:
            return int(self.kernels.settle(self.firsts, number, low, high, self.values, best, fresh))

        return step

    def _lengthener(self, number: int, best: Array) -> Step:
        def step(low: int, high: int, fresh: Array, _thread: int) -> int:
            return int(self.kernels.lengthen(self.firsts, number, low, high, self.turns, best, fresh))

        return step

    def _prover(self, number: int) -> Step:
        def step(low: int, high: int, _fresh: Array, thread: int) -> int:
            where = self.rules, self.numbers, self.firsts, number, low, high
            room, out = self._rooms[thread], self._outs[thread]
            return int(self.kernels.prove(*where, self.values, self.turns, self.margin, room, out))

        return step

    def _here(self, array: Array, number: int) -> Array:
        """Returns the part of an array with a tier's entries."""
        return array[self.firsts[number] : self.firsts[number] + self.sizes[number]]

    def _sweep(self, number: int, step: Step, array: Array, *, is_kept: bool = True) -> list[int]:
        """Runs a step over a tier, wave by wave, and writes to `array` if `is_kept`; returns all results."""
        size = self.sizes[number]
        waves = min(WAVES, 1 + size // LEAST_WAVE)
        results: list[int] = []
        for wave in range(waves):
            low, high = size * wave // waves, size * (wave + 1) // waves
            fresh = np.empty(high - low, array.dtype)
            results += self._share(step, low, high, fresh)
            if is_kept:
                self._here(array, number)[low:high] = fresh
        return results

    def _share(self, step: Step, low: int, high: int, fresh: Array) -> list[int]:
        """Runs a step over ``[low, high)`` in all threads; returns the result of each."""

        def work(thread: int) -> int:
            begin, end = (low + (high - low) * i // self.threads for i in (thread, thread + 1))
            return step(begin, end, fresh[begin - low : end - low], thread)

        if self._pool is None or self.threads == 1:
            return [work(thread) for thread in range(self.threads)]
        return list(self._pool.map(work, range(self.threads)))


def coded_chances(values: Array) -> NDArray[np.uint16]:
    """Converts chances from units of 1 / ONE to 16-bit units of 1 / CERTAIN, rounded to the nearest."""
    return ((values.astype(np.int64) * (2 * CERTAIN) + ONE) // (2 * ONE)).astype(np.uint16)
