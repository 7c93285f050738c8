"""Kernels that derive every entry of a table of outcomes again, from the entries of its successors.

The kernels are bound to a game's numbering and to the independent rules in its ``check.py``; the game's own rules and
the solver play no part. A win or loss in n plies rests on one in n - 1, down to finished games, so entries that all
follow from their successors are right by induction on n. Drawn entries are right, too: of all positions that the table
wrongly calls drawn, take one with the shortest true distance; its successors are right, so it could not follow from
them.

The numbering is not trusted either: the number of each successor must unrank to the same position, up to symmetry, and
must not be free. So every position that can be reached from the start has been derived.

What ``check.py`` provides is documented in the contract: `successors`, `shown_result`, `player_on_move`, `is_same`
and `is_image`. The symmetry of the last successor is tried first for the next one: it is the same if both have left the
other player's pieces as they were.
"""

from collections.abc import Sequence

from damier.core.kernel.contract import (
    Rules,
    State,
    Words,
    is_image,
    player_on_move,
    rank,
    shown_result,
    successors,
    tier,
    unrank,
)
from damier.solve.codes import DRAWN, FREE, LOST, MARKED, WON

MOST_FOLLOWING = 512  # successors of one position
TOO_FAR = 1 << 16  # the distance fits no code
PLACES = 3 * MOST_FOLLOWING  # in `out`, behind the states of the successors
ROOM = PLACES + MOST_FOLLOWING
MISTAKEN = -1 << 62  # the number of a state is not its own
SYMMETRIES = 8
POSITIVE = (1 << 62) - 1  # a mask that changes no index, but tells the compiler that it is not negative


def first_wrong(
    given: Rules,
    rules: Rules,
    numbers: Words,
    firsts: Words,
    entries: Sequence[int],
    number: int,
    low: int,
    high: int,
    out: Words,
) -> int:
    """Returns the first entry of a tier in ``[low, high)`` that does not follow from others, or -1."""
    for entry in range(low, high):
        if entries[firsts[number] + entry] != code_due(given, rules, numbers, firsts, entries, number, entry, out):
            return entry
    return -1


def code_due(
    given: Rules,
    rules: Rules,
    numbers: Words,
    firsts: Words,
    entries: Sequence[int],
    number: int,
    entry: int,
    out: Words,
) -> int:
    """Returns the code that an entry should have by the codes of its successors, which are left in `out`.

    Returns TOO_FAR if the distance fits no code, and -1 - i if the number of successor i is not its own.
    """
    state = unrank(rules, numbers, number, entry)
    if tier(rules, state) != number or rank(rules, numbers, state) != entry:
        return FREE
    result = shown_result(given, state)
    if result:
        return result_code(result)
    n = successors(given, state, out)
    symmetry = 0
    for i in range(n):
        following = (out[3 * i], out[3 * i + 1], out[3 * i + 2])
        found = place_found(given, rules, numbers, firsts, following, symmetry)
        if found == MISTAKEN:
            return -1 - i
        symmetry = found & 7
        out[PLACES + i] = found >> 3 << 1 | (player_on_move(following) == player_on_move(state))
    return best_code(entries, n, out, TOO_FAR, False, -1)


def best_code(entries: Sequence[int], n: int, out: Words, shortest: int, is_drawn: bool, longest: int) -> int:
    """Returns the code that a state should have by the `n` places in `out`, as `code_due`.

    A place is doubled, plus 1 if the same player is on move there. No branch depends on an entry, so that the memory
    accesses overlap. The other arguments tell what further successors offer, as for `code_between`.
    """
    is_free = False
    for i in range(n):
        place = out[PLACES + i] >> 1
        code = entries[place & POSITIVE] if place >= 0 else -1 - place
        is_free |= code >= MARKED
        is_drawn |= code == DRAWN
        plies = 0 if code == WON else code & WON
        is_win = (code < LOST) == (out[PLACES + i] & 1 == 1)
        shortest = min(shortest, plies if is_win and code != DRAWN else TOO_FAR)
        longest = max(longest, -1 if is_win or code == DRAWN else plies)
    if is_free:
        return -1 - first_free(entries, n, out)
    return code_between(shortest, is_drawn, longest)


def code_between(shortest: int, is_drawn: bool, longest: int) -> int:
    """Returns the code of a state by the plies after which successors are won at best (TOO_FAR: none is), whether one
    is drawn, and the plies after which they are lost at best (-1: none is).
    """
    if shortest < TOO_FAR:
        return shortest + 1 if shortest + 1 < WON else TOO_FAR
    if is_drawn:
        return DRAWN
    return LOST + longest + 1 if LOST + longest + 1 < MARKED else TOO_FAR


def first_free(entries: Sequence[int], n: int, out: Words) -> int:
    """Returns the first of the `n` places in `out` whose entry is free."""
    for i in range(n):
        place = out[PLACES + i] >> 1
        if place >= 0 and entries[place] >= MARKED:
            return i
    return n


def place_found(given: Rules, rules: Rules, numbers: Words, firsts: Words, state: State, symmetry: int) -> int:
    """Returns 8 * the number of a state in the table plus the symmetry that makes of it the one of that number.

    The symmetry given is tried first. A decided state has -1 - its code as a number. Returns MISTAKEN if the number is
    not that of the state; it may still be free.
    """
    result = shown_result(given, state)
    if result:
        return -1 - result_code(result) << 3 | symmetry
    return own_place(rules, numbers, firsts, state, symmetry)


def own_place(rules: Rules, numbers: Words, firsts: Words, state: State, symmetry: int) -> int:
    """Returns what `place_found` does, and the number in the table of a decided state, too."""
    number, entry = tier(rules, state), rank(rules, numbers, state)
    if number < 0 or number + 1 >= len(firsts) or entry < 0 or entry >= firsts[number + 1] - firsts[number]:
        return MISTAKEN
    shown = unrank(rules, numbers, number, entry)
    if not is_image(state, shown, symmetry):
        symmetry = 0
        while symmetry < SYMMETRIES and not is_image(state, shown, symmetry):
            symmetry += 1
        if symmetry == SYMMETRIES:
            return MISTAKEN
    return firsts[number] + entry << 3 | symmetry


def is_found(given: Rules, rules: Rules, numbers: Words, firsts: Words, entries: Sequence[int], state: State) -> bool:
    """Tells whether the number of a state is its own and not free."""
    found = place_found(given, rules, numbers, firsts, state, 0)
    return found != MISTAKEN and (found < 0 or entries[found >> 3] < MARKED)


def result_code(result: int) -> int:
    """Returns the code of a decided state."""
    if result == 3:
        return DRAWN
    return WON if result == 1 else LOST
