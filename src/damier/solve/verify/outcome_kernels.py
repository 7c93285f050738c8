"""Derives every entry of a table a second time, from the entries of the positions that follow.

An algorithm that is bound to a game's numbering and to its ``check.py``, which has the rules a second time; rules and
solver play no part. A win or loss in n plies rests on one in n - 1, down to positions that show who has won, so entries
that all follow from their successors are right by induction on n. A position that is won or lost in truth, in as few
plies as any such that the table has for drawn, would follow from successors that are right; so drawn ones are too.

The numbering is not trusted either: whatever number it gives a position that follows must stand for this very position,
up to symmetry, and must not be free. So an entry of every position that the first one leads to has been derived.

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

MOST_FOLLOWING = 512  # positions that may follow one
TOO_FAR = 256  # due where the end is further than a byte can tell
MISTAKEN = -1  # found of a state whose number is not its own


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
    """Returns the first entry of a tier, from `low` to below `high`, that does not follow from others; or -1."""
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
    """Returns the code that an entry of a tier should have by those of the states that follow, left in `out`.

    It is TOO_FAR if no code can tell, and -1 - i if the number of the i-th of these states is not its own.
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
    """Returns the code of a state: from what it shows, else from the table; MISTAKEN if its number is not its own."""
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
    """Returns how far the end is by the code of a win or loss."""
    return 0 if code == WON else code % LOST
