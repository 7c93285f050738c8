"""Kernels that derive every entry of a table of outcomes again, from the entries of its successors.

The kernels are bound to a game's numbering and to the independent rules in its ``check.py``; the game's own rules and
the solver play no part. A win or loss in n plies rests on one in n - 1, down to finished games, so entries that all
follow from their successors are right by induction on n. Drawn entries are right, too: of all positions that the table
wrongly calls drawn, take one with the shortest true distance; its successors are right, so it could not follow from
them.

The numbering is not trusted either: the number of each successor must unrank to the same position, up to symmetry, and
must not be free. So every position that can be reached from the start has been derived.

What ``check.py`` provides is documented in the contract: `successors`, `shown_result`, `player_on_move`, `is_same`.
"""

from collections.abc import Sequence

from damier.core.kernel.contract import (
    Rules,
    State,
    Words,
    is_same,
    player_on_move,
    rank,
    shown_result,
    successors,
    tier,
    unrank,
)
from damier.solve.codes import DRAWN, FREE, LOST, MARKED, WON

MOST_FOLLOWING = 512  # successors of one position
TOO_FAR = 256  # the distance does not fit in a byte
MISTAKEN = -1  # the number of a state is not its own


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
    is_drawn = False
    shortest, longest = TOO_FAR, -1
    for i in range(successors(given, state, out)):
        following = (out[3 * i], out[3 * i + 1], out[3 * i + 2])
        code = code_found(given, rules, numbers, firsts, entries, following)
        if code == MISTAKEN:
            return -1 - i
        if code == DRAWN:
            is_drawn = True
        elif (code < LOST) == (player_on_move(following) == player_on_move(state)):
            shortest = min(shortest, plies_of(code))
        else:
            longest = max(longest, plies_of(code))
    if shortest < TOO_FAR:
        return shortest + 1 if shortest + 1 < WON else TOO_FAR
    if is_drawn:
        return DRAWN
    return LOST + longest + 1 if LOST + longest + 1 < MARKED else TOO_FAR


def code_found(given: Rules, rules: Rules, numbers: Words, firsts: Words, entries: Sequence[int], state: State) -> int:
    """Returns the code of a state: of its result, else from the table; MISTAKEN if its number is not its own."""
    result = shown_result(given, state)
    if result:
        return result_code(result)
    number, entry = tier(rules, state), rank(rules, numbers, state)
    if number < 0 or number + 1 >= len(firsts) or entry < 0 or entry >= firsts[number + 1] - firsts[number]:
        return MISTAKEN
    code = entries[firsts[number] + entry]
    if code >= MARKED or not is_same(state, unrank(rules, numbers, number, entry)):
        return MISTAKEN
    return code


def result_code(result: int) -> int:
    """Returns the code of a decided state."""
    if result == 3:
        return DRAWN
    return WON if result == 1 else LOST


def plies_of(code: int) -> int:
    """Returns the distance in plies of a win or loss code."""
    return 0 if code == WON else code % LOST
