"""Forced wins under the forbidden return a second time: by the rules of ``check.py``, with the whole history.

It shares no code with the game's rules, nor with the search that it checks: it takes states, not actions, keeps the
situations in an array of its own, and has no cache. The table only orders what is tried, which changes no answer.
"""

from damier.core.kernel.contract import (
    Rules,
    State,
    Words,
    player_on_move,
    rank,
    shown_result,
    successors,
    tier,
)

MOST = 64  # successors
PLIES = 40
ROW = 3 + 3 * MOST + MOST


def waits(state: State) -> bool:
    """Tells whether a displaced pawn waits, so that the turn is not over; see the bits in the game's ``rules.py``."""
    return state[2] >> 11 & 3 != 0


def stood_before(state: State, ply: int, path: Words) -> bool:
    """Tells whether a placement with this player on move is on the path; one with a waiting pawn never is."""
    if waits(state):
        return False
    for i in range(ply + 1):
        at = ROW * i
        if path[at] == state[0] and path[at + 1] == state[1] and path[at + 2] == player_on_move(state):
            return True
    return False


def order_of(given: Rules, rules: Rules, numbers: Words, firsts: Words, entries: Words, state: State) -> int:
    """Returns what to try first, the least, for the player who moved there: lost soon, then drawn, then won late."""
    if shown_result(given, state):
        return 0
    code = entries[firsts[tier(rules, state)] + rank(rules, numbers, state)] & 255
    return code - 128 if code >= 128 else 130 if code == 0 else 300 - code


def forced(
    given: Rules,
    rules: Rules,
    numbers: Words,
    firsts: Words,
    entries: Words,
    state: State,
    winner: int,
    ply: int,
    left: int,
    path: Words,
    out: Words,
) -> bool:
    """Tells whether `winner` forces a win in `left` plies; `path` has a row for each ply before."""
    player = player_on_move(state)
    result = shown_result(given, state)
    if result:
        return (result == 1) == (player == winner)
    at = ROW * ply
    path[at], path[at + 1], path[at + 2] = (-1, -1, -1) if waits(state) else (state[0], state[1], player)
    count = successors(given, state, out)
    n = 0
    for every in range(2):
        if every == 0 or (n == 0 and waits(state)):  # who has to put a pawn down may always
            for i in range(count):
                following = (out[3 * i], out[3 * i + 1], out[3 * i + 2])
                if every or not stood_before(following, ply, path):
                    for j in range(3):
                        path[at + 3 + 3 * n + j] = following[j]
                    n += 1
    if n == 0:
        return player != winner
    if left == 0:
        return False
    for i in range(n):
        following = (path[at + 3 + 3 * i], path[at + 4 + 3 * i], path[at + 5 + 3 * i])
        path[at + 3 + 3 * MOST + i] = order_of(given, rules, numbers, firsts, entries, following)
    for _ in range(n):
        best = 0
        for i in range(n):
            if path[at + 3 + 3 * MOST + i] < path[at + 3 + 3 * MOST + best]:
                best = i
        path[at + 3 + 3 * MOST + best] = 1000
        following = (path[at + 3 + 3 * best], path[at + 4 + 3 * best], path[at + 5 + 3 * best])
        is_won = forced(given, rules, numbers, firsts, entries, following, winner, ply + 1, left - 1, path, out)
        if is_won == (player == winner):
            return is_won
    return player != winner
