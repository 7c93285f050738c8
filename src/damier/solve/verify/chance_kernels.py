"""Kernels that derive every winning chance of a table again, from those of its successors.

For games of two with a die. The kernels are bound to a game's numbering and to the independent rules in its
``check.py``; the game's own rules and the solver play no part. An entry is the chance V that the player to roll wins:
the mean over the rolls of the best action's 1 - V, and a roll without an action loses.

`gather` evaluates the rules once. Of the successors of an entry for a roll it keeps the *rivals*: those whose entry is
at most RIVALRY units above the least. `settle` updates chances from the rivals, starting with the entries, until they
converge; that is quick. `lengthen` finds T, about how many turns the game lasts: the longer game among nearly equal
chances, but the shorter one where a win is certain. `prove` then checks that L = V - margin * T and U = V + margin * T,
clamped to 0 and 1, are bounds. Finally each entry must equal V rounded; very close to a tie either way will do.

The proof. `prove` checks that L(s), unless it is 0, is less than the mean of the best 1 - U(s') of the rivals, and that
U(s), unless it is 1, is more than the mean of the best 1 - L(s'). What is no rival has no part in that: all bounds are
found less than a unit from their entries, so its L is greater than the U of the rival with the least entry. Let a
player always take the action with the least U(s'). What the player has, L(s) before own rolls and 1 - U(s) before the
other's, grows by more than SLACK a turn on average while it is not 0, whatever the other does, and 1 is the most. So it
ends, with 0 or with a won game; and it is won at least as often as L(s) said at first. U is a bound likewise.

The numbering is not trusted either: the number of each successor must unrank to the same position, up to symmetry, in
this tier or an earlier one. So every position that can be reached from the start is derived.

Where a game describes shapes, `gather_shapes` takes the place of `gather`, in a quarter of the time: all places are
those of the specification, and the numbering is compared with it once for each entry (`is_numbered`).

What ``check.py`` provides is documented in the contract: `rolled_successors` and `is_same`; and for shapes
`open_shape`, `shape_state`, `shape_places` and `state_image`.
"""

from collections.abc import MutableSequence, Sequence

from damier.core.kernel.contract import (
    Rules,
    State,
    Words,
    is_same,
    open_shape,
    rank,
    rolled_successors,
    shape_places,
    shape_state,
    state_image,
    tier,
    unrank,
)
from damier.solve.codes import CERTAIN

Numbers = MutableSequence[float]
"""Chances or turns: a list in plain Python, an array in compiled code."""

SIDES = 6
MOST_ROLLED = 64  # successors of one position over all rolls
ROLLED_ROOM = 4 * (MOST_ROLLED + 32)
RIVALRY = 2  # units: the best successor is among the rivals even if entries are wrong by one unit
SLACK = 1e-14  # more than rounding errors
NARROW = 0.2  # units: largest distance of a bound from its chance
NONE = 1 << 16  # more than any entry
NOWHERE = -1  # the place of a state whose number is not its own

# In `out`, behind the actions: the two best successors for each roll, as entry and place.
BEST = 2 * 90
SECOND = BEST + SIDES
PLACE_BITS = 32
POSITIVE = (1 << 62) - 1  # a mask that changes no index, but tells the compiler that it is not negative


def gather(
    given: Rules,
    rules: Rules,
    numbers: Words,
    firsts: Words,
    entries: Sequence[int],
    number: int,
    low: int,
    high: int,
    rivals: Words,
    out: Words,
) -> int:
    """Writes the rivals of the entries ``[low, high)`` of a tier; returns how many.

    They are stored roll by roll, as 2 * place + 1 for the last of a roll and 2 * place for the others; a lost roll has
    the place after all entries. Returns -1 - entry if the number of a successor of `entry` is not its own.
    """
    n = 0
    for entry in range(low, high):
        state = unrank(rules, numbers, number, entry)
        count = rolled_successors(given, state, out)
        for i in range(0, 4 * count, 4):
            place = place_found(rules, numbers, firsts, number, (out[i + 1], out[i + 2], out[i + 3]))
            if place == NOWHERE:
                return -1 - entry
            out[i + 1] = place
            out[i + 2] = entries[place]
        for roll in range(SIDES):
            n = keep_rivals(len(entries), count, roll, rivals, n, out)
    return n


def gather_shapes(
    layout: Words,
    rules: Rules,
    numbers: Words,
    firsts: Words,
    entries: Sequence[int],
    number: int,
    low: int,
    high: int,
    rivals: Words,
    words: Words,
    out: Words,
) -> int:
    """Does what `gather` does, shape by shape: all places are those of the specification.

    Returns -1 - entry if the numbering has another place for the position of `entry`.
    """
    n = 0
    begin = low
    while begin < high:
        end = open_shape(layout, firsts, number, begin, words)
        for entry in range(begin, min(end, high)):
            if not is_numbered(layout, rules, numbers, number, entry, end, words):
                return -1 - entry
            n = add_rivals(entries, shape_places(layout, words, entry, out), rivals, n, out)
        begin = end
    return n


def is_numbered(layout: Words, rules: Rules, numbers: Words, number: int, entry: int, end: int, words: Words) -> bool:
    """Tells whether the numbering has the position of an entry where the specification says, up to symmetry.

    The entry must unrank to that position, and an image of it must rank to the entry or to another one of the same
    shape and position: for each entry another image than for the one before.
    """
    due, shown = shape_state(layout, words, entry), unrank(rules, numbers, number, entry)
    if shown[0] != due[0] or shown[1] != due[1] or shown[2] != due[2]:
        return False
    image = state_image(due, entry & 15)
    found = rank(rules, numbers, image)
    if tier(rules, image) != number:
        return False
    return found == entry or (words[0] <= found < end and is_same(due, shape_state(layout, words, found)))


def add_rivals(entries: Sequence[int], count: int, rivals: Words, n: int, out: Words) -> int:
    """Appends the rivals of an entry by the rolls and places of its `count` successors; returns the new number.

    Mostly there is one for each roll. A successor is an entry and its place in one word: the least one is the best.
    """
    lost = NONE << PLACE_BITS | len(entries)
    for roll in range(SIDES):
        out[BEST + roll] = lost
        out[SECOND + roll] = lost
    for i in range(count):
        rolls, place = out[2 * i & POSITIVE], out[2 * i + 1 & POSITIVE]
        offered = entries[place & POSITIVE] << PLACE_BITS | place
        for roll in range(SIDES):
            each, best = offered if rolls >> roll & 1 else lost, out[BEST + roll]
            out[SECOND + roll] = min(out[SECOND + roll], max(best, each))
            out[BEST + roll] = min(best, each)
    has_more = False
    for roll in range(SIDES):
        has_more |= out[SECOND + roll] >> PLACE_BITS <= min(NONE - 1, (out[BEST + roll] >> PLACE_BITS) + RIVALRY)
    for roll in range(SIDES):
        least = out[BEST + roll] >> PLACE_BITS
        if has_more and least < NONE:
            for i in range(count):
                if out[2 * i] >> roll & 1 and entries[out[2 * i + 1]] <= least + RIVALRY:
                    rivals[n] = 2 * out[2 * i + 1]
                    n += 1
        else:
            rivals[n] = 2 * (out[BEST + roll] & (1 << PLACE_BITS) - 1)
            n += 1
        rivals[n - 1] += 1
    return n


def place_found(rules: Rules, numbers: Words, firsts: Words, most: int, state: State) -> int:
    """Returns the number of a state in the table; NOWHERE if that is not its own, or not in a tier up to `most`."""
    number = tier(rules, state)
    if number < 0 or number > most:
        return NOWHERE
    entry = rank(rules, numbers, state)
    if entry < 0 or entry >= firsts[number + 1] - firsts[number]:
        return NOWHERE
    return firsts[number] + entry if is_same(state, unrank(rules, numbers, number, entry)) else NOWHERE


def keep_rivals(lost: int, count: int, roll: int, rivals: Words, n: int, out: Words) -> int:
    """Appends the rivals for one roll; returns the new number of rivals."""
    least = NONE
    for i in range(0, 4 * count, 4):
        if out[i] >> roll & 1:
            least = min(least, out[i + 2])
    for i in range(0, 4 * count, 4):
        if out[i] >> roll & 1 and out[i + 2] <= least + RIVALRY:
            rivals[n] = 2 * out[i + 1]
            n += 1
    if least == NONE:
        rivals[n] = 2 * lost
        n += 1
    rivals[n - 1] += 1
    return n


def settle(low: int, high: int, values: Numbers, rivals: Words) -> float:
    """Updates the chances of ``[low, high)``; returns the greatest change."""
    change = 0.0
    at = 0
    for place in range(low, high):
        total = 0.0
        for _ in range(SIDES):
            least = 2.0
            is_last = 0
            while not is_last:
                least = min(least, values[rivals[at] >> 1])
                is_last = rivals[at] & 1
                at += 1
            total += 1 - least
        change = max(change, abs(total / SIDES - values[place]))
        values[place] = total / SIDES
    return change


def lengthen(low: int, high: int, values: Numbers, turns: Numbers, margin: float, rivals: Words) -> float:
    """Updates the turns of ``[low, high)``; returns the greatest growth."""
    growth = 0.0
    at = 0
    for place in range(low, high):
        total = 0.0
        for _ in range(SIDES):
            least, chosen = 2.0, 0.0
            is_last = 0
            while not is_last:
                each = rivals[at] >> 1
                under = max(0.0, values[each] - margin * turns[each])
                if under < least or (under == least and turns[each] < chosen):
                    least, chosen = under, turns[each]
                is_last = rivals[at] & 1
                at += 1
            total += chosen
        growth = max(growth, 1 + total / SIDES - turns[place])
        turns[place] = 1 + total / SIDES
    return growth


def prove(low: int, high: int, values: Numbers, turns: Numbers, margin: float, rivals: Words) -> int:
    """Returns for how many places of ``[low, high)`` the bounds do not follow from those of the rivals."""
    failed = 0
    at = 0
    for place in range(low, high):
        under, over = 0.0, 0.0
        for _ in range(SIDES):
            least_under, least_over = 1.0, 1.0
            is_last = 0
            while not is_last:
                each = rivals[at] >> 1
                wrong = margin * turns[each]
                least_under = min(least_under, max(0.0, values[each] - wrong))
                least_over = min(least_over, values[each] + wrong)
                is_last = rivals[at] & 1
                at += 1
            under += (1 - least_over) / SIDES
            over += (1 - least_under) / SIDES
        wrong = margin * turns[place]
        is_under = values[place] - wrong <= 0 or values[place] - wrong + SLACK < under
        is_over = values[place] + wrong >= 1 or values[place] + wrong - SLACK > over
        failed += 0 if is_under and is_over and CERTAIN * wrong < NARROW else 1
    return failed
