"""Kernels that derive every entry of a table of outcomes again, family by family.

A *family* is a set of positions of a tier from which most actions lead into one *block*, a range of entries of a tier,
and hand the move over (``families.py`` of a game; the contract describes its functions). The codes of a block are made
*merits*, of which the largest is the best for the player who leads there, with as many bytes: so what the actions into
the block offer to all members is a matter of maxima, which the game finds without a branch (`best_inside`). The other
actions and the entries themselves are anywhere in the table: their places are computed for a chunk of members first and
read then, so that the memory accesses overlap. Measured: 0.17 us for an entry with 9 successors on average, where
``outcome_kernels.py``, which finds every successor by the numbering, takes 1 us.

Tried and dropped: to look every successor up in the block by its rank (0.30 us); to let the numbering find the place
of each member and to unrank it again, which was half of that.

All places are those of the specification (`numbered`, `member_entry`): the code of the numbering plays no part in what
is derived. It is compared with the specification entry by entry:

- Each entry of a block must unrank to the state that the family says, and an image of that state must rank to it: for
  each entry another image than for the one before. So every position has the number that it should have, in one of its
  images at least.
- An entry is free exactly if the family says that a symmetry makes a lower entry of it, whose merit it has.

A member that a symmetry makes a lower member of is left out, so each position is derived once; the caller compares
their number with that of the entries in use.
"""

from collections.abc import MutableSequence, Sequence

from damier.core.kernel.contract import (
    Rules,
    Words,
    best_inside,
    block_alias,
    block_state,
    family_count,
    family_member,
    member_alias,
    member_entry,
    numbered,
    open_family,
    rank,
    shown_result,
    state_image,
    successors_outside,
    tier,
    unrank,
)
from damier.solve.codes import DRAWN, FREE, LOST, MARKED, WON
from damier.solve.verify.outcome_kernels import POSITIVE, TOO_FAR, result_code

Codes = MutableSequence[int]
"""One byte for each entry of a block, or for each member, behind one that is not used."""

FAMILY_WORDS = 64
LANES = 4096  # numbers of the two arrays that `best_inside` works with
CHUNK = 64  # members whose places are computed together
MOST_OUTSIDE = 16  # actions of a member that do not lead into the block
ROOM = 3 * MOST_OUTSIDE + 2 * CHUNK + 2 * CHUNK * MOST_OUTSIDE
MEMBERS, BLOCK_TIER, BLOCK_FIRST, BLOCK_SIZE = 0, 2, 3, 4
WRONG = -1

DRAW = LOST  # the merit of a draw
NO_VALUE = FREE  # the merit of an entry without a value

#: By the code of a position, if that has one byte: what it is worth to the player who leads there.
MERITS = [
    NO_VALUE if code >= MARKED
    else NO_VALUE - 1 - (code - LOST) if code >= LOST
    else DRAW if code == DRAWN
    else 1 if code == WON
    else 1 + code
    for code in range(256)
]  # fmt: skip


def largest_family(layout: Words, tiers: int, words: Words) -> int:
    """Returns the size of the largest block of all families, or the most members if that is more."""
    largest = 0
    for number in range(tiers):
        for family in range(family_count(layout, number)):
            open_family(layout, number, family, words)
            largest = max(largest, max(words[BLOCK_SIZE], words[MEMBERS]))
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
    compares: bool,
    words: Words,
    merits: Codes,
    best: Codes,
    lanes: Codes,
    reached: Codes,
    out: Words,
) -> int:
    """Derives the entries of the families ``[low, high)`` of a tier; returns how many.

    With `compares`, their blocks are compared with the numbering. Returns WRONG if one does not follow; then `out` has
    its place in the table.
    """
    derived = 0
    for family in range(low, high):
        open_family(layout, number, family, words)
        wrong = compared_block(layout, rules, numbers, firsts, words) if compares else -1
        if wrong < 0:
            wrong = read_block(layout, firsts, entries, words, merits)
        if wrong >= 0:
            out[0] = wrong
            return WRONG
        best_inside(layout, words, merits, best, lanes, reached)
        for first in range(0, words[MEMBERS], CHUNK):
            last = min(first + CHUNK, words[MEMBERS])
            found = derived_members(given, layout, firsts, entries, number, words, first, last, best, out)
            if found == WRONG:
                return WRONG
            derived += found
    return derived


def compared_block(layout: Words, rules: Rules, numbers: Words, firsts: Words, words: Words) -> int:
    """Compares a family's block with the numbering; returns the place of an entry that differs, or -1."""
    here, first = words[BLOCK_TIER], words[BLOCK_FIRST]
    for i in range(words[BLOCK_SIZE]):
        shown, due = unrank(rules, numbers, here, first + i), block_state(layout, words, i)
        image = state_image(due, i & 7)
        is_there = shown[0] == due[0] and shown[1] == due[1] and shown[2] == due[2] and tier(rules, image) == here
        if not is_there or rank(rules, numbers, image) != first + block_alias(layout, words, i):
            return firsts[here] + first + i
    return -1


def read_block(layout: Words, firsts: Words, entries: Sequence[int], words: Words, merits: Codes) -> int:
    """Writes the merits of the entries of a family's block; returns the place of a wrong entry, or -1."""
    start = firsts[words[BLOCK_TIER]] + words[BLOCK_FIRST]
    merits[0] = 0
    for i in range(words[BLOCK_SIZE]):
        least = block_alias(layout, words, i)
        code = entries[start + least & POSITIVE]
        if code >= MARKED or (least != i and entries[start + i & POSITIVE] != FREE):
            return start + i
        merits[1 + i & POSITIVE] = merit_of(code)
    return -1


def derived_members(
    given: Rules,
    layout: Words,
    firsts: Words,
    entries: Sequence[int],
    number: int,
    words: Words,
    first: int,
    last: int,
    best: Codes,
    out: Words,
) -> int:
    """Derives the entries of the members ``[first, last)`` of a family; returns how many, or WRONG.

    `best` has what the actions into the block offer. `out` has the successors of one member, the members with their
    places, and the places outside the block, each with the member that leads there.
    """
    members = 3 * MOST_OUTSIDE
    outside = members + 2 * CHUNK
    count = leading = 0
    for i in range(first, last):
        if member_alias(layout, words, i) != i:
            continue
        state = family_member(layout, words, i)
        out[members + 2 * count] = 1 + i
        out[members + 2 * count + 1] = firsts[number] + member_entry(layout, words, state)
        count += 1
        for at in range(successors_outside(layout, words, state, out)):
            following = (out[3 * at], out[3 * at + 1], out[3 * at + 2])
            result = shown_result(given, following)
            if result:
                best[1 + i & POSITIVE] = max(best[1 + i & POSITIVE], merit_of(result_code(result)))
            else:
                where, entry = numbered(layout, following)
                out[outside + 2 * leading] = 1 + i
                out[outside + 2 * leading + 1] = firsts[where] + entry
                leading += 1
    for at in range(leading):
        i, place = out[outside + 2 * at], out[outside + 2 * at + 1]
        best[i & POSITIVE] = max(best[i & POSITIVE], merit_of(entries[place & POSITIVE]))
    for at in range(count):
        i, place = out[members + 2 * at], out[members + 2 * at + 1]
        if entries[place & POSITIVE] != due_code(best[i & POSITIVE] + 0):
            out[0] = place
            return WRONG
    return count


def merit_of(code: int) -> int:
    """Returns what a position with a code is worth to the player who leads there."""
    if FREE < 256:
        return MERITS[code]
    if code >= LOST:
        return FREE if code >= MARKED else FREE - 1 - (code - LOST)
    if code == DRAWN:
        return LOST
    return 1 if code == WON else 1 + code


def due_code(merit: int) -> int:
    """Returns the code of a position by the largest merit of its successors; 0: there are none.

    Returns TOO_FAR if the distance fits no code, or if a successor has no value.
    """
    if merit > LOST:
        plies = FREE - merit
        return plies if 0 < plies < WON else TOO_FAR
    if merit == LOST:
        return DRAWN
    return LOST + merit if LOST + merit < MARKED else TOO_FAR
