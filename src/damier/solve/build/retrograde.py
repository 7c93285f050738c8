"""Retrograde analysis of one tier, as an algorithm that is bound to a game: win, draw, loss and distance in plies.

Each entry is one byte (`codes`): how the game ends with best play for the player on move, the winner shortest, the
loser longest. The entries of all tiers stand in one array, a tier after those that its actions may lead to.

    1. `begin` judges every entry of the tier by what is known outside: ends of the game and solved tiers. A value found
       there stands in the array from the beginning, however far the end is, and waits until its distance is due.
    2. Then the distances come in turn. What has been found to end in d - 1 plies decides the positions before it:
       `reach_back` writes the wins in d, then marks what might be lost, and `settle_marked` judges that by all that is
       known to end within d - 1 plies.
    3. What is left is drawn.

What has a draw outside is SAFE from the beginning: it is never marked. Of the rest all is marked the first time. Then
an entry that is not lost has a *escape*, the first entry that it can go to and that is not known to be won there; it
is marked again only when that has fallen. Eight bits of the escape's number are kept: if another entry has the same
ones, an entry is marked in vain.

Every function works on a range of numbers, so that threads can share a tier. In each of the three steps all threads
write the same value into an entry or only their own entries, so the table does not depend on their number. A step can
be repeated: after an interruption the same distance begins again.
"""

from damier.core.kernel.contract import (
    ALTERNATES,
    DRAW,
    PLAYING,
    Rules,
    State,
    Words,
    apply,
    exits,
    mover,
    outcome,
    predecessors,
    rank,
    stays,
    tier,
    unrank,
)
from damier.solve.codes import DRAWN, FREE, LOST, MARKED, MOST_PLIES, SAFE, WON

_STRIDE = 64  # entries that `next_with` looks at together
_POSITIVE = (1 << 62) - 1  # a mask that changes no place, but shows the compiler that it is not negative


def child_place(
    rules: Rules, numbers: Words, firsts: Words, here: int, player: int, following: State, is_begun: bool
) -> int:
    """Returns 2 * the place of a successor, and 1 more if the same player is on move there.

    If it needs no looking up: -1 - its code for the other player; MARKED in tier `here` unless that has begun.
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
    """Returns the code that `child_place` has found, as if the other player were on move."""
    if place < 0:
        return -1 - place
    code = values[place >> 1 & _POSITIVE]
    if not place & 1 or code == DRAWN:
        return code
    return WON if code == LOST else code ^ 128


def judge(
    rules: Rules, numbers: Words, values: Words, firsts: Words, here: int, state: State, out: Words, n: int
) -> int:
    """Returns the code of a state from `n` of its actions, in `out`.

    If what is outside does not decide it: SAFE with a draw there, else DRAWN.
    """
    player = mover(rules, state)
    shortest = MOST_PLIES + 2
    longest = 0
    is_safe = is_open = False
    for i in range(n):
        following = apply(rules, state, out[i])
        out[i] = child_place(rules, numbers, firsts, here, player, following, False)
    for i in range(n):  # after the places, so that memory is asked for all values at once
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
    """Returns in how many plies a state is lost by what is known.

    If it is not, or not yet: -1 - the number of an entry of the tier that it can go to.
    """
    longest, part = 0, 0
    n = stays(rules, state, part, out)
    while n >= 0:
        found = longest_within(rules, numbers, values, firsts[here], state, latest, out, n)
        if found < 0:
            return found
        longest, part = max(longest, found), part + 1
        n = stays(rules, state, part, out)
    n = exits(rules, state, out)
    found = longest_loss(rules, numbers, values, firsts, here, state, latest, out, n)
    return max(longest, found) if found >= 0 else found


def longest_within(
    rules: Rules, numbers: Words, values: Words, first: int, state: State, latest: int, out: Words, n: int
) -> int:
    """Returns what `plies_to_loss` does, but by `n` actions within the tier, in `out`."""
    for i in range(n):
        out[i] = rank(rules, numbers, apply(rules, state, out[i]))
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
    """Returns what `plies_to_loss` does, but by `n` actions of any kind, in `out`."""
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
    """Writes what is known of a range of numbers from outside the tier; returns how many it decided."""
    decided = 0
    for entry in range(low, high):
        state = unrank(rules, numbers, here, entry)
        code = FREE
        if rank(rules, numbers, state) == entry:
            result = outcome(rules, state)
            if result == PLAYING:
                n = exits(rules, state, out)
                code = judge(rules, numbers, values, firsts, here, state, out, n)
                if code >= LOST and has_stays(rules, state, out):
                    code = DRAWN  # these decide it
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
    """Goes back from what a range of numbers has in one ply less; returns how many positions before it concerns.

    With `wins` it writes the wins in so many plies, else it marks what may be lost now.
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
    """Returns the first place from `at` on that has one of two codes; `end` if none has."""
    is_there = False
    while at + _STRIDE <= end and not is_there:
        at &= _POSITIVE  # now the compiler takes many entries at once
        for i in range(_STRIDE):
            is_there |= (values[at + i] == code) | (values[at + i] == other)
        if not is_there:
            at += _STRIDE
    while at < end and values[at] != code and values[at] != other:
        at += 1
    return at


def entries_before(rules: Rules, numbers: Words, state: State, hands_over: bool, out: Words) -> int:
    """Writes the numbers of the predecessors in which the other player is on move, or of the others."""
    player = mover(rules, state)
    n = 0
    for i in range(predecessors(rules, state, out)):
        before = (out[3 * i], out[3 * i + 1], out[3 * i + 2])
        if (mover(rules, before) != player) == hands_over:
            out[n] = rank(rules, numbers, before)
            n += 1
    return n


def write_wins(values: Words, first: int, plies: int, out: Words, n: int) -> int:
    """Makes `n` entries in `out` won in so many plies where no shorter win, or a loss, is known."""
    for i in range(n):
        at = first + out[i] & _POSITIVE
        code = values[at]
        values[at] = plies if code == DRAWN or plies < code < WON else code
    return n


def mark(values: Words, first: int, escapes: Words, escape: int, out: Words, n: int) -> int:
    """Marks those of `n` entries in `out` that a escape kept from being lost; returns how many."""
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
    """Judges the marked ones of a range of numbers; returns the longest distance found."""
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
