"""Retrograde analysis of one tier, as an algorithm that is bound to a game: win, draw, loss and distance in plies.

Each entry is one byte (`codes`): how the game ends with best play for the player on move, the winner shortest, the
loser longest. The entries of all tiers stand in one array, a tier after those that its actions may lead to.

    1. `begin` judges every entry of the tier by what is known outside: ends of the game and solved tiers. A value found
       there stands in the array from the beginning, however far the end is, and waits until its distance is due.
    2. Then the distances come in turn. What has been found to end in d - 1 plies decides the positions before it:
       `reach_back` writes the wins in d, then marks what might be lost, and `settle_marked` judges that by all that is
       known to end within d - 1 plies.
    3. What is left is drawn.

Every function works on a range of numbers, so that threads can share a tier. In each of the three steps all threads
write the same value into an entry or only their own entries, so the table does not depend on their number. A step can
be repeated: after an interruption the same distance begins again.
"""

from damier.core.kernels import (
    ALTERNATES,
    DRAW,
    PLAYING,
    Rules,
    State,
    Words,
    actions,
    apply,
    exits,
    mover,
    outcome,
    predecessors,
    rank,
    tier,
    unrank,
)
from damier.solve.codes import DRAWN, FREE, LOST, MARKED, MOST_PLIES, WON


def child_code(
    rules: Rules,
    numbers: Words,
    values: Words,
    firsts: Words,
    here: int,
    player: int,
    following: State,
    latest: int,
) -> int:
    """Returns what is known of a successor, as if the other player were on move in it; DRAWN if nothing.

    Known are ends, solved tiers, and what ends within `latest` plies in tier `here`.
    """
    result = outcome(rules, following)
    if result == DRAW:
        return DRAWN
    if result != PLAYING:
        return LOST if result == player else WON
    there = tier(rules, following)
    if there == here and latest == 0:
        return DRAWN
    code = values[firsts[there] + rank(rules, numbers, following)]
    if code == DRAWN or code >= MARKED or (there == here and code & 127 > latest):
        return DRAWN
    if mover(rules, following) != player:
        return code
    return WON if code == LOST else code ^ 128


def judge(
    rules: Rules, numbers: Words, values: Words, firsts: Words, here: int, state: State, out: Words, n: int
) -> int:
    """Returns the code of a state from `n` of its actions, in `out`; DRAWN if what is outside does not decide it."""
    player = mover(rules, state)
    shortest = MOST_PLIES + 2
    longest = 0
    is_open = False
    for i in range(n):
        following = apply(rules, state, out[i])
        code = child_code(rules, numbers, values, firsts, here, player, following, 0)
        if code == DRAWN:
            is_open = True
        elif code >= LOST:
            shortest = min(shortest, code - LOST + 1)
        else:
            longest = max(longest, 1 if code == WON else code + 1)
    if shortest <= MOST_PLIES + 1:
        return shortest
    return DRAWN if is_open else LOST + longest


def plies_to_loss(
    rules: Rules,
    numbers: Words,
    values: Words,
    firsts: Words,
    here: int,
    state: State,
    latest: int,
    out: Words,
) -> int:
    """Returns in how many plies a state is lost by what is known; 0 if it is not, or not yet."""
    player = mover(rules, state)
    longest = 0
    for i in range(actions(rules, state, out)):
        following = apply(rules, state, out[i])
        code = child_code(rules, numbers, values, firsts, here, player, following, latest)
        if code == DRAWN or code >= LOST:
            return 0
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
                if code >= LOST and actions(rules, state, out) > n:
                    code = DRAWN  # there are more actions, within the tier
                decided += code != DRAWN
            else:
                code = DRAWN if result == DRAW else WON if result == mover(rules, state) else LOST
        values[firsts[here] + entry] = code
    return decided


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
    out: Words,
) -> int:
    """Goes back from what a range of numbers has in one ply less; returns how many positions before it looked at.

    With `wins` it writes the wins in so many plies, else it marks what may be lost now.
    """
    tried = 0
    lost, won = LOST + plies - 1, plies - 1 if plies > 1 else WON
    for entry in range(low, high):
        code = values[firsts[here] + entry]
        if (code != lost and code != won) or (ALTERNATES and (code == lost) != wins):
            continue
        state = unrank(rules, numbers, here, entry)
        player = mover(rules, state)
        n = predecessors(rules, state, out)
        for i in range(n):
            before = (out[3 * i], out[3 * i + 1], out[3 * i + 2])
            if ((mover(rules, before) == player) == (code == won)) == wins:
                at = firsts[here] + rank(rules, numbers, before)
                if not wins:
                    if values[at] == DRAWN:
                        values[at] = MARKED
                elif values[at] == DRAWN or plies < values[at] < WON:
                    values[at] = plies
                tried += 1
    return tried


def settle_marked(
    rules: Rules, numbers: Words, values: Words, firsts: Words, here: int, low: int, high: int, plies: int, out: Words
) -> int:
    """Judges the marked ones of a range of numbers; returns the longest distance found."""
    farthest = 0
    for entry in range(low, high):
        at = firsts[here] + entry
        if values[at] == MARKED:
            state = unrank(rules, numbers, here, entry)
            found = plies_to_loss(rules, numbers, values, firsts, here, state, plies - 1, out)
            values[at] = LOST + found if found else DRAWN
            farthest = max(farthest, found)
    return farthest
