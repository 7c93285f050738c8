"""Whether a player wins within so many turns, as an algorithm that is bound to a game: exhaustive, nothing estimated.

Where the player acts, one action is enough; where the opponent does, all must do. The player's turns are counted, not
plies. Actions that only lead where another order of the same turn leads too are left out (`is_needless`), and a win
that shows at a glance is not searched for (`quick_win`); every other end of a turn is looked at. Repetition plays no
role: in two turns no position comes for the third time.
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
    """Returns how many words of work a search needs."""
    return FIRST_ROW + MOST_PLIES * most_actions


def forces(rules: Rules, state: State, before: int, player: int, turns: int, ply: int, work: Words, out: Words) -> int:
    """Tells whether a player wins within so many turns, the present one counted if it is the player's.

    `before` is the action of the same turn that has led here, or -1.
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
