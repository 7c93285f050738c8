"""Exhaustive search for a forced win within a number of turns, as an algorithm bound to a game.

An AND-OR search: one action of the player must win, all actions of the opponent must lose. Depth counts the player's
turns, not plies. Transpositions within a turn are skipped (`is_needless`), and wins that a kernel detects are not
searched (`quick_win`); every other end of a turn is examined. Repetition plays no role: no position can occur for the
third time within two turns.
"""

from damier.core.kernel.contract import (
    MAX_ACTIONS,
    PLAYING,
    Rules,
    State,
    Words,
    actions,
    apply,
    is_needless,
    mover,
    outcome,
    quick_win,
    settled,
)

FAILS, FORCES, STOPPED = 0, 1, 2

# Words of `work`: two numbers, then a row of actions for each ply.
NODES, NODE_LIMIT = 0, 1
FIRST_ROW = 2
MOST_PLIES = 24


def force_words(most_actions: int) -> int:
    """Returns the size of the array `work` for games with up to `most_actions` actions."""
    return FIRST_ROW + MOST_PLIES * most_actions


def forces(rules: Rules, state: State, before: int, player: int, turns: int, ply: int, work: Words, out: Words) -> int:
    """Tells whether `player` forces a win within `turns` turns, including the current one if it is the player's.

    `before` is the previous action of the same turn, or -1. Returns FORCES, FAILS, or STOPPED at a limit.
    """
    result = outcome(rules, state)
    if result != PLAYING:
        return FORCES if result == player else FAILS
    work[NODES] += 1
    if work[NODES] > work[NODE_LIMIT] or ply >= MOST_PLIES:
        return STOPPED
    is_own = mover(rules, state) == player
    if turns == 0:
        return FAILS
    if is_own and quick_win(rules, state):
        return FORCES
    n = actions(rules, state, out)
    if n == 0:
        return FAILS if is_own else FORCES
    at = FIRST_ROW + ply * MAX_ACTIONS
    for i in range(n):
        work[at + i] = out[i]
    decisive = FORCES if is_own else FAILS
    found = FAILS if is_own else FORCES
    for i in range(at, at + n):
        action = work[i]
        if before >= 0 and is_needless(rules, state, before, action):
            continue
        following = apply(rules, state, action)
        has_ended = settled(rules, following)
        left = turns - 1 if has_ended and is_own else turns
        answer = forces(rules, following, -1 if has_ended else action, player, left, ply + 1, work, out)
        if answer == decisive:
            return answer
        if answer == STOPPED:
            found = STOPPED
    return found
