"""Kernels of the retrograde analysis of one tier: win, draw or loss, with the distance in plies.

Each entry is one byte (`codes`): the outcome with best play for the player on move, where the winner minimises the
distance and the loser maximises it. All tiers share one array; a tier follows those that its actions may lead to.

    1. `begin` initialises every entry from outside the tier: finished games and solved tiers. A value found there is
       written at once, whatever its distance, and used when that distance is processed.
    2. Distances d follow in turn. Entries at distance d - 1 decide their predecessors: `reach_back` writes the wins in
       d plies, then marks entries that may be lost, and `settle_marked` decides those by all entries known to end
       within d - 1 plies.
    3. The rest is drawn.

An entry with a drawing action out of the tier is SAFE and never marked. All others are marked the first time. An entry
that turns out not to be lost remembers its *escape*: its first successor that is not known to be won by the opponent.
It is marked again only when the escape is. Only the low eight bits of the escape's number are stored; a collision marks
an entry in vain, which is harmless.

Every step processes a range of numbers, so that threads can share a tier. In each step, threads write the same value to
an entry or write only their own entries, so the table does not depend on the number of threads. Steps are idempotent:
after an interruption the same distance starts again.
"""

from damier.core.kernel.contract import (
    ALTERNATES,
    DRAW,
    PLAYING,
    Rules,
    State,
    Words,
    apply,
    entries_after,
    entries_before,
    entries_outside,
    exits,
    is_used,
    mover,
    outcome,
    rank,
    states_outside,
    stays,
    tier,
    unrank,
)
from damier.solve.codes import DRAWN, FREE, LOST, MARKED, MOST_PLIES, SAFE, WON

_STRIDE = 64  # entries that `next_with` compares at once
_POSITIVE = (1 << 62) - 1  # a mask that changes no index, but tells the compiler that it is not negative


def child_place(
    rules: Rules, numbers: Words, firsts: Words, here: int, player: int, following: State, is_begun: bool
) -> int:
    """Returns 2 * the place of a successor, plus 1 if the same player is on move there.

    If no lookup is needed: -1 - its code for the other player, which is MARKED in tier `here` unless `is_begun`.
    """
    result = outcome(rules, following)
    if result == DRAW:
        return -1 - DRAWN
    if result != PLAYING:
        return -1 - (LOST if result == player else WON)
    there = tier(rules, following)
    if there == here and not is_begun:
        return -1 - MARKED
    return 2 * (firsts[there] + rank(rules, numbers, following)) + (mover(rules, following) == player)


def child_code(values: Words, place: int) -> int:
    """Returns the code at a result of `child_place`, as if the other player were on move."""
    if place < 0:
        return -1 - place
    code = values[place >> 1 & _POSITIVE]
    if not place & 1 or code == DRAWN:
        return code
    return WON if code == LOST else code ^ LOST


def judge(
    rules: Rules, numbers: Words, values: Words, firsts: Words, here: int, state: State, out: Words, n: int
) -> int:
    """Returns the code of a state by the `n` states in `out`, to which actions lead.

    If tiers outside do not decide it: SAFE if one of them offers a draw, else DRAWN.
    """
    player = mover(rules, state)
    for i in range(n):
        following = (out[3 * i], out[3 * i + 1], out[3 * i + 2])
        out[i] = child_place(rules, numbers, firsts, here, player, following, False)
    return best_code(values, out, n)


def judge_entries(values: Words, firsts: Words, out: Words, n: int) -> int:
    """Does the same as `judge` for the tier and the `n` entries in `out`, to which all actions lead."""
    first = firsts[out[0]]
    for i in range(n):
        out[i] = 2 * (first + out[i + 1])
    return best_code(values, out, n)


def best_code(values: Words, out: Words, n: int) -> int:
    """Returns the code of a state by the `n` places in `out`, as `judge`."""
    shortest = MOST_PLIES + 2
    longest = 0
    is_safe = is_open = False
    for i in range(n):  # a second loop, so that the memory accesses overlap
        code = child_code(values, out[i])
        is_safe |= code == DRAWN
        is_open |= code == MARKED
        shortest = min(shortest, code - LOST + 1 if code >= LOST else shortest)
        longest = max(longest, 1 if code == WON else code + 1)
    if shortest <= MOST_PLIES + 1:
        return shortest
    return SAFE if is_safe else DRAWN if is_open else LOST + longest


def plies_to_loss(
    rules: Rules, numbers: Words, values: Words, firsts: Words, here: int, state: State, latest: int, out: Words
) -> int:
    """Returns the distance at which a state is lost, by the entries known so far.

    If it is not lost, or not yet: -1 - the number of its escape.
    """
    longest, part = 0, 0
    n = entries_after(rules, numbers, state, part, out)
    while n >= 0:
        found = longest_within(values, firsts[here], latest, out, n)
        if found < 0:
            return found
        longest, part = max(longest, found), part + 1
        n = entries_after(rules, numbers, state, part, out)
    n = exits(rules, state, out)
    found = longest_loss(rules, numbers, values, firsts, here, state, latest, out, n)
    return max(longest, found) if found >= 0 else found


def longest_within(values: Words, first: int, latest: int, out: Words, n: int) -> int:
    """Does the same as `plies_to_loss` for the actions that lead to the `n` entries in `out`, within the tier."""
    longest = 0
    for i in range(n):
        code = values[first + out[i] & _POSITIVE]
        if code == DRAWN or code > latest:
            return -1 - out[i]
        longest = max(longest, code + 1)
    return longest


def longest_loss(
    rules: Rules, numbers: Words, values: Words, firsts: Words, here: int, state: State, latest: int, out: Words, n: int
) -> int:
    """Does the same as `plies_to_loss` for the `n` actions in `out`, of any kind."""
    player = mover(rules, state)
    longest = 0
    for i in range(n):
        following = apply(rules, state, out[i])
        place = child_place(rules, numbers, firsts, here, player, following, True)
        code = child_code(values, place)
        if code == DRAWN or code >= LOST or (place >> 1 >= firsts[here] and latest < code < WON):
            return -1 - ((place >> 1) - firsts[here])
        longest = max(longest, 1 if code == WON else code + 1)
    return longest


def begin(
    rules: Rules, numbers: Words, values: Words, firsts: Words, here: int, low: int, high: int, out: Words
) -> int:
    """Initialises the entries of ``[low, high)`` from outside the tier; returns how many are decided."""
    decided = 0
    for entry in range(low, high):
        state = unrank(rules, numbers, here, entry)
        code = FREE
        if is_used(rules, numbers, here, entry, state):
            result = outcome(rules, state)
            if result == PLAYING:
                n = entries_outside(rules, numbers, state, out)
                if n:
                    code = judge_entries(values, firsts, out, n)
                else:
                    n = states_outside(rules, state, out)
                    code = judge(rules, numbers, values, firsts, here, state, out, n)
                if code >= LOST and has_stays(rules, state, out):
                    code = DRAWN  # unknown: actions within the tier decide it
                decided += code != DRAWN
            else:
                code = DRAWN if result == DRAW else WON if result == mover(rules, state) else LOST
        values[firsts[here] + entry] = code
    return decided


def has_stays(rules: Rules, state: State, out: Words) -> bool:
    """Tells whether there are actions that stay within the tier."""
    part = 0
    n = stays(rules, state, part, out)
    while n == 0:
        part += 1
        n = stays(rules, state, part, out)
    return n > 0


def reach_back(
    rules: Rules,
    numbers: Words,
    values: Words,
    firsts: Words,
    here: int,
    low: int,
    high: int,
    plies: int,
    wins: bool,
    escapes: Words,
    out: Words,
) -> int:
    """Visits the predecessors of entries of ``[low, high)`` at distance `plies` - 1; returns how many it has changed.

    With `wins` it writes wins in `plies`, else it marks entries that may be lost.
    """
    concerned = 0
    lost, won = LOST + plies - 1, plies - 1 if plies > 1 else WON
    if ALTERNATES:
        lost, won = (lost, lost) if wins else (won, won)
    first = firsts[here]
    at = next_with(values, first + low, first + high, lost, won)
    while at < first + high:
        state = unrank(rules, numbers, here, at - first)
        n = entries_before(rules, numbers, state, (values[at] >= LOST) == wins, out)
        if wins:
            concerned += write_wins(values, first, plies, out, n)
        else:
            concerned += mark(values, first, escapes, at - first & 255, out, n)
        at = next_with(values, at + 1, first + high, lost, won)
    return concerned


def next_with(values: Words, at: int, end: int, code: int, other: int) -> int:
    """Returns the first place of ``[at, end)`` with `code` or `other`; `end` if there is none."""
    is_there = False
    while at + _STRIDE <= end and not is_there:
        at &= _POSITIVE  # lets the compiler vectorise the loop
        for i in range(_STRIDE):
            is_there |= (values[at + i] == code) | (values[at + i] == other)
        if not is_there:
            at += _STRIDE
    while at < end and values[at] != code and values[at] != other:
        at += 1
    return at


def write_wins(values: Words, first: int, plies: int, out: Words, n: int) -> int:
    """Writes a win in `plies` to the `n` entries in `out` without a shorter win or a loss."""
    for i in range(n):
        at = first + out[i] & _POSITIVE
        code = values[at]
        values[at] = plies if code == DRAWN or plies < code < WON else code
    return n


def mark(values: Words, first: int, escapes: Words, escape: int, out: Words, n: int) -> int:
    """Marks those of the `n` entries in `out` that have this escape; returns how many."""
    marked = 0
    for i in range(n):
        entry = out[i] & _POSITIVE
        if escapes[entry] == escape and values[first + entry] == DRAWN:
            values[first + entry] = MARKED
            marked += 1
    return marked


def settle_marked(
    rules: Rules,
    numbers: Words,
    values: Words,
    firsts: Words,
    here: int,
    low: int,
    high: int,
    plies: int,
    escapes: Words,
    out: Words,
) -> int:
    """Decides the marked entries of ``[low, high)``; returns the longest distance found."""
    farthest = 0
    first = firsts[here]
    at = next_with(values, first + low, first + high, MARKED, MARKED)
    while at < first + high:
        state = unrank(rules, numbers, here, at - first)
        found = plies_to_loss(rules, numbers, values, firsts, here, state, plies - 1, out)
        values[at] = LOST + found if found >= 0 else DRAWN
        escapes[at - first] = -1 - found & 255
        farthest = max(farthest, found)
        at = next_with(values, at + 1, first + high, MARKED, MARKED)
    return farthest
