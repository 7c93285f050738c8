"""Kernels that derive every entry of a table of outcomes again, family by family.

A *family* is a set of positions of a tier from which most actions lead into one *block*, a range of entries of a tier,
and hand the move over (``families.py`` of a game; the contract describes its functions). The block of a family is read
once, into a copy that fits into the processor's cache; an action that leads into it costs a look-up there. Only the
other actions and the entry itself need the game's numbering. Measured: 0.37 us for an entry with 9 successors on
average, where ``outcome_kernels.py``, which finds every successor by the numbering, takes 1 us.

Besides the rules, the functions of a family describe the numbering a second time, and the two are compared:

- Each entry of a block must unrank to the state that the family says. It is free exactly if the family says that a
  symmetry makes a lower entry of it, and the copy has the code of that entry then.
- The number of each member, and of each successor outside the block, must unrank to the same position up to symmetry,
  as in ``outcome_kernels.py``.

A member that a symmetry makes a lower member of is left out, so each position is derived once; the caller compares
their number with that of the entries in use.
"""

from collections.abc import MutableSequence, Sequence

from damier.core.kernel.contract import (
    Rules,
    State,
    Words,
    block_alias,
    block_state,
    family_count,
    family_member,
    likely_symmetry,
    member_alias,
    open_family,
    player_on_move,
    successors_inside,
    successors_outside,
    unrank,
)
from damier.solve.codes import DRAWN, FREE, LOST, MARKED, WON
from damier.solve.verify.outcome_kernels import (
    MISTAKEN,
    PLACES,
    POSITIVE,
    TOO_FAR,
    best_code,
    code_between,
    place_found,
)

Codes = MutableSequence[int]
"""One code for each entry of a block."""

FAMILY_WORDS = 16
MEMBERS, BLOCK_TIER, BLOCK_FIRST, BLOCK_SIZE = 0, 2, 3, 4
WRONG = -1
NOWHERE = -1  # in `out` after WRONG: the number of a state is not its own


def largest_block(layout: Words, tiers: int, words: Words) -> int:
    """Returns the size of the largest block of the families of all tiers."""
    largest = 0
    for number in range(tiers):
        for family in range(family_count(layout, number)):
            open_family(layout, number, family, words)
            largest = max(largest, words[BLOCK_SIZE])
    return largest


def derived_families(
    given: Rules,
    layout: Words,
    rules: Rules,
    numbers: Words,
    firsts: Words,
    entries: Sequence[int],
    number: int,
    low: int,
    high: int,
    words: Words,
    block: Codes,
    out: Words,
) -> int:
    """Derives the entries of the families ``[low, high)`` of a tier; returns how many.

    Returns WRONG if one does not follow; then `out` has its place in the table, or NOWHERE and the three words of a
    state whose number is not its own.
    """
    derived = 0
    for family in range(low, high):
        open_family(layout, number, family, words)
        wrong = copied_block(layout, rules, numbers, firsts, entries, words, block)
        if wrong >= 0:
            out[0] = wrong
            return WRONG
        for i in range(words[MEMBERS]):
            if member_alias(layout, words, i) == i:
                state = family_member(layout, words, i)
                found = place_found(given, rules, numbers, firsts, state, likely_symmetry(layout, state))
                place = found >> 3
                if found == MISTAKEN or place < firsts[number] or place >= firsts[number + 1]:
                    out[0], out[1], out[2], out[3] = NOWHERE, state[0], state[1], state[2]
                    return WRONG
                due = family_code(given, layout, rules, numbers, firsts, entries, words, block, i, state, out)
                if entries[place & POSITIVE] != due:
                    out[0] = place
                    return WRONG
                derived += 1
    return derived


def copied_block(
    layout: Words, rules: Rules, numbers: Words, firsts: Words, entries: Sequence[int], words: Words, block: Codes
) -> int:
    """Copies the codes of a family's block, with aliases filled in; returns the place of a wrong entry, or -1."""
    tier, first = words[BLOCK_TIER], words[BLOCK_FIRST]
    start = firsts[tier] + first
    for i in range(words[BLOCK_SIZE]):
        least = block_alias(layout, words, i)
        shown, due = unrank(rules, numbers, tier, first + i), block_state(layout, words, i)
        is_there = shown[0] == due[0] and shown[1] == due[1] and shown[2] == due[2]
        code = entries[start + least & POSITIVE]
        if not is_there or code >= MARKED or (least != i and entries[start + i & POSITIVE] != FREE):
            return start + i
        block[i] = code
    return -1


def family_code(
    given: Rules,
    layout: Words,
    rules: Rules,
    numbers: Words,
    firsts: Words,
    entries: Sequence[int],
    words: Words,
    block: Codes,
    i: int,
    state: State,
    out: Words,
) -> int:
    """Returns the code that member `i` of a family should have; -1 if the number of a successor is not its own."""
    is_drawn = False
    shortest, longest = TOO_FAR, -1
    for at in range(successors_inside(layout, words, i, state, out)):
        code = block[out[at] & POSITIVE]
        is_drawn |= code == DRAWN
        shortest = min(shortest, code - LOST if code >= LOST else TOO_FAR)
        longest = max(longest, -1 if code >= LOST or code == DRAWN else 0 if code == WON else code)
    n = successors_outside(layout, words, state, out)
    if n == 0:
        return code_between(shortest, is_drawn, longest)
    for at in range(n):
        following = (out[3 * at], out[3 * at + 1], out[3 * at + 2])
        found = place_found(given, rules, numbers, firsts, following, likely_symmetry(layout, following))
        if found == MISTAKEN:
            return -1
        out[PLACES + at] = found >> 3 << 1 | (player_on_move(following) == player_on_move(state))
    return best_code(entries, n, out, shortest, is_drawn, longest)
