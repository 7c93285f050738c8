"""Kernels of the retrograde analysis of one tier by families: what ``retrograde.py`` does, in half the time.

For games whose numbering has families (``families.py``; the contract describes them): the actions that stay within the
tier lead from the members of a family to the entries of one block, which fits into the processor's cache. So all work
along these actions, most of all work, is done within a block. What is found for a member is written once to its own
entry, anywhere in the tier.

    1. `begin_families` looks at the actions that leave the tier, and counts those that stay.
    2. Distances d follow in turn. `spread` visits the entries at distance d - 1. One that is lost makes members that
       lead to it wins in d plies; one that is won takes one off the counts of these members. A member whose count
       reaches 0 is lost, unless an action out of the tier holds the draw.
    3. The rest is drawn. `free_aliases` frees the numbers that stand for the same position as a lower one; until then
       they have the code of their position, so that counts are right.

The *status* of a member is a byte:

    1 to 125    won in as many plies: found, or by leaving the tier; a shorter win replaces it
    SAFE        leaving the tier holds the draw
    128 + n     n actions are left that stay in the tier and are not known to lose
    ENDED       lost

Each member is written by the one thread that has its family, and a step reads only codes that were complete before it,
so the table does not depend on the number of threads. Statuses are not stored: an interrupted tier begins again.

Tiers from which all actions lead to the tier below (`place_families`) need no statuses: each member is decided by the
block of its family.
"""

from damier.core.kernel.contract import (
    Rules,
    State,
    Words,
    block_alias,
    count_inside,
    entries_of,
    family_member,
    members_before,
    open_family,
    states_outside,
    successors_inside,
)
from damier.solve.build.retrograde import best_code, judge, next_with
from damier.solve.codes import DRAWN, FREE, LOST, SAFE, WON

FAMILY_WORDS = 16
MEMBERS, FIRST_MEMBER, BLOCK_TIER, BLOCK_FIRST, BLOCK_SIZE = 0, 1, 2, 3, 4

COUNTED = 128  # the status of a member without actions left
ENDED = 255
MOST_COUNTED = ENDED - COUNTED - 1

_POSITIVE = (1 << 62) - 1  # a mask that changes no index, but tells the compiler that it is not negative


def begin_families(
    rules: Rules,
    numbers: Words,
    values: Words,
    firsts: Words,
    here: int,
    low: int,
    high: int,
    statuses: Words,
    words: Words,
    out: Words,
) -> int:
    """Initialises the members of the families ``[low, high)`` from outside the tier; returns the longest distance."""
    farthest = 0
    for family in range(low, high):
        open_family(numbers, here, family, words)
        for i in range(words[MEMBERS]):
            state = family_member(numbers, words, i)
            n = states_outside(rules, state, out)
            code = judge(rules, numbers, values, firsts, here, state, out, n)
            status = code
            if code >= LOST:
                count = count_inside(numbers, words, i, state)
                status = COUNTED + count if count else ENDED
            statuses[words[FIRST_MEMBER] + i & _POSITIVE] = status
            if status < SAFE or status == ENDED:
                write(numbers, values, firsts[here], state, code, out)
                farthest = max(farthest, code & 127)
    return farthest


def write(numbers: Words, values: Words, first: int, state: State, code: int, out: Words) -> None:
    """Writes the code of a state to its entries."""
    for i in range(entries_of(numbers, state, out)):
        values[first + out[i] & _POSITIVE] = code


def spread(
    rules: Rules,
    numbers: Words,
    values: Words,
    firsts: Words,
    here: int,
    low: int,
    high: int,
    plies: int,
    statuses: Words,
    words: Words,
    out: Words,
    more: Words,
) -> int:
    """Visits the members that lead to entries at distance `plies` - 1 of the blocks of the families ``[low, high)``.

    Returns the longest distance that it has written.
    """
    farthest = 0
    lost, won = LOST + plies - 1, plies - 1 if plies > 1 else WON
    for family in range(low, high):
        open_family(numbers, here, family, words)
        start = firsts[here] + words[BLOCK_FIRST]
        end = start + words[BLOCK_SIZE]
        at = next_with(values, start, end, lost, won)
        while at < end:
            is_lost = values[at] == lost
            n = members_before(numbers, words, at - start, out)
            if is_lost:
                found = win_members(numbers, values, firsts[here], plies, statuses, words, out, n, more)
            else:
                found = count_members(rules, numbers, values, firsts, here, plies, statuses, words, out, n, more)
            farthest = max(farthest, found)
            at = next_with(values, at + 1, end, lost, won)
    return farthest


def win_members(
    numbers: Words,
    values: Words,
    first: int,
    plies: int,
    statuses: Words,
    words: Words,
    out: Words,
    n: int,
    more: Words,
) -> int:
    """Writes a win in `plies` for the `n` members in `out` without a shorter one; returns `plies` if there are any."""
    found = 0
    for i in range(n):
        at = words[FIRST_MEMBER] + out[i] & _POSITIVE
        if statuses[at] > plies:
            statuses[at] = plies
            write(numbers, values, first, family_member(numbers, words, out[i]), plies, more)
            found = plies
    return found


def count_members(
    rules: Rules,
    numbers: Words,
    values: Words,
    firsts: Words,
    here: int,
    plies: int,
    statuses: Words,
    words: Words,
    out: Words,
    n: int,
    more: Words,
) -> int:
    """Takes one off the counts of the `n` members in `out`; returns the longest distance of those that are lost."""
    farthest = 0
    for i in range(n):
        at = words[FIRST_MEMBER] + out[i] & _POSITIVE
        status = statuses[at]
        if COUNTED < status < ENDED:
            statuses[at] = status - 1
            if status == COUNTED + 1:
                state = family_member(numbers, words, out[i])
                k = states_outside(rules, state, more)
                longest = judge(rules, numbers, values, firsts, here, state, more, k) - LOST
                statuses[at] = ENDED
                longest = max(longest, plies)
                write(numbers, values, firsts[here], state, LOST + longest, more)
                farthest = max(farthest, longest)
    return farthest


def free_aliases(numbers: Words, values: Words, firsts: Words, here: int, low: int, high: int, words: Words) -> int:
    """Frees the entries in the blocks of ``[low, high)`` that a lower entry stands for; returns how many."""
    freed = 0
    for family in range(low, high):
        open_family(numbers, here, family, words)
        start = firsts[here] + words[BLOCK_FIRST]
        for i in range(words[BLOCK_SIZE]):
            if block_alias(numbers, words, i) != i:
                values[start + i & _POSITIVE] = FREE
                freed += 1
    return freed


def place_families(
    numbers: Words, values: Words, firsts: Words, here: int, low: int, high: int, words: Words, out: Words
) -> int:
    """Decides the members of the families ``[low, high)``, all of whose actions lead into the block; returns how many.

    The entries of the tier are free before.
    """
    decided = 0
    for family in range(low, high):
        open_family(numbers, here, family, words)
        start = firsts[words[BLOCK_TIER]] + words[BLOCK_FIRST]
        for i in range(words[MEMBERS]):
            state = family_member(numbers, words, i)
            n = successors_inside(numbers, words, i, state, out)
            for j in range(n):
                place = start + out[j]
                if values[place & _POSITIVE] == FREE:
                    place = start + block_alias(numbers, words, out[j])
                out[j] = 2 * place
            code = best_code(values, out, n)
            entries = entries_of(numbers, state, out)
            least = out[0]
            for j in range(1, entries):
                least = min(least, out[j])
            values[firsts[here] + least & _POSITIVE] = DRAWN if code == SAFE else code
            decided += 1
    return decided
