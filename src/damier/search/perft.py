"""Counts action sequences of an exact length: the measure by which rule engines are compared.

Chance outcomes count as actions; a finished game contributes nothing deeper. The history begins at the given state and
is the path from there, which is short, so it is simply scanned.
"""

from damier.core.kernel.contract import (
    MAX_ACTIONS,
    PLAYING,
    REPETITION,
    REPETITION_DRAWS,
    REPETITION_FORBIDDEN,
    Rules,
    State,
    Words,
    actions,
    apply,
    must_answer,
    outcome,
    settled,
    situation,
)

#: The stack begins with the present level and the count so far. A level is three words of the state, three of its
#: situation, whether it is settled, how many actions it has, how many of them are left; then come the actions.
HEAD, LEVEL = 2, 9


def stack_for(depth: int, max_actions: int) -> int:
    """Returns how many words the stack of a count to this depth needs."""
    return HEAD + (depth + 1) * (LEVEL + max_actions)


def begin(rules: Rules, state: State, stack: Words, out: Words) -> None:
    """Prepares the stack for a count from a state."""
    stack[0], stack[1] = 0, 0
    enter(rules, state, stack, out, 0)


def keep_only(stack: Words, action: int) -> None:
    """Leaves a single first action of a count that has just begun."""
    stack[HEAD + LEVEL] = action
    stack[HEAD + 7], stack[HEAD + 8] = 1, 1


def count_on(rules: Rules, depth: int, stack: Words, out: Words, budget: int) -> bool:
    """Goes on with a count of sequences of exactly `depth` actions (1 or more) for at most `budget` states.

    Returns whether the count is complete; it stands in ``stack[1]``.
    """
    level, total = stack[0], stack[1]
    while level >= 0 and budget > 0:
        at = HEAD + level * (LEVEL + MAX_ACTIONS)
        if stack[at + 8] == 0:
            level -= 1
        elif level == depth - 1:  # the last action: count, do not play
            total += stack[at + 8]
            level -= 1
        else:
            stack[at + 8] -= 1
            here = (stack[at], stack[at + 1], stack[at + 2])
            following = apply(rules, here, stack[at + LEVEL + stack[at + 8]])
            budget -= 1
            if level == depth - 2:
                total += legal_actions(rules, following, stack, out, level + 1)
            else:
                level += 1
                enter(rules, following, stack, out, level)
    stack[0], stack[1] = level, total
    return level < 0


def enter(rules: Rules, state: State, stack: Words, out: Words, level: int) -> None:
    """Puts a state on the stack with its legal actions."""
    n = legal_actions(rules, state, stack, out, level)
    at = HEAD + level * (LEVEL + MAX_ACTIONS)
    stack[at], stack[at + 1], stack[at + 2] = state[0], state[1], state[2]
    stack[at + 7], stack[at + 8] = n, n
    for i in range(n):
        stack[at + LEVEL + i] = out[i]


def legal_actions(rules: Rules, state: State, stack: Words, out: Words, level: int) -> int:
    """Writes the legal actions of a state at a level, returns how many: none if the game is over there."""
    at = HEAD + level * (LEVEL + MAX_ACTIONS)
    key = situation(rules, state)
    is_settled = settled(rules, state)
    stack[at + 3], stack[at + 4], stack[at + 5] = key[0], key[1], key[2]
    stack[at + 6] = 1 if is_settled else 0
    if outcome(rules, state) != PLAYING:
        return 0
    if REPETITION == REPETITION_DRAWS and is_settled and times_on_path(stack, level, key) >= 3:
        return 0
    n = actions(rules, state, out)
    if REPETITION == REPETITION_FORBIDDEN:
        return without_returns(rules, state, stack, out, level, n)
    return n


def without_returns(rules: Rules, state: State, stack: Words, out: Words, level: int, n: int) -> int:
    """Strikes the actions that return to an earlier situation from the first `n`, returns how many are left."""
    kept = 0
    for i in range(n):
        following = apply(rules, state, out[i])
        if not settled(rules, following) or times_on_path(stack, level, situation(rules, following)) == 0:
            out[kept] = out[i]
            kept += 1
    if kept == 0 and must_answer(rules, state):
        return n  # nothing has been struck out yet
    return kept


def times_on_path(stack: Words, level: int, key: State) -> int:
    """Returns how often a situation stands at the end of a turn on the path down to a level."""
    times = 0
    for i in range(level + 1):
        at = HEAD + i * (LEVEL + MAX_ACTIONS)
        if stack[at + 6] and stack[at + 3] == key[0] and stack[at + 4] == key[1] and stack[at + 5] == key[2]:
            times += 1
    return times
