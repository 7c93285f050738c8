"""Counts action sequences of an exact length: the measure by which rule engines are compared.

Chance outcomes count as actions; a finished game contributes nothing deeper. The history begins at the given state and
is the path from there, which is short, so it is simply scanned.
"""

from damier.core.kernels import (
    MAX_ACTIONS,
    PLAYING,
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


def begin(rules: Rules, state: State, repetition: int, stack: Words, out: Words) -> None:
    """Prepares the stack for a count from a state."""
    stack[0], stack[1] = 0, 0
    enter(rules, state, repetition, stack, out, 0)


def keep_only(stack: Words, action: int) -> None:
    """Leaves a single first action of a count that has just begun."""
    stack[HEAD + LEVEL] = action
    stack[HEAD + 7], stack[HEAD + 8] = 1, 1


def count_on(rules: Rules, repetition: int, depth: int, stack: Words, out: Words, budget: int) -> bool:
    """Goes on with a count of sequences of exactly `depth` actions (1 or more) for at most `budget` states.

    Returns whether the count is complete; it stands in ``stack[1]``.
    """
    level, total = stack[0], stack[1]
    while level >= 0 and budget > 0:
        at = HEAD + level * (LEVEL + MAX_ACTIONS)
        if level == depth - 1:  # the last action: count, do not play
            total += stack[at + 8]
            level -= 1
        elif stack[at + 8] == 0:
            level -= 1
        else:
            stack[at + 8] -= 1
            here = (stack[at], stack[at + 1], stack[at + 2])
            following = apply(rules, here, stack[at + LEVEL + stack[at + 8]])
            level += 1
            budget -= 1
            enter(rules, following, repetition, stack, out, level)
    stack[0], stack[1] = level, total
    return level < 0


def enter(rules: Rules, state: State, repetition: int, stack: Words, out: Words, level: int) -> None:
    """Puts a state on the stack with its legal actions: none if the game is over there."""
    at = HEAD + level * (LEVEL + MAX_ACTIONS)
    stack[at], stack[at + 1], stack[at + 2] = state[0], state[1], state[2]
    key = situation(rules, state)
    stack[at + 3], stack[at + 4], stack[at + 5] = key[0], key[1], key[2]
    stack[at + 6] = 1 if settled(rules, state) else 0
    stack[at + 7], stack[at + 8] = 0, 0
    if outcome(rules, state) != PLAYING:
        return
    if repetition == REPETITION_DRAWS and stack[at + 6] and times_on_path(stack, level, key) >= 3:
        return
    n = actions(rules, state, out)
    kept = 0
    for i in range(n):
        if repetition == REPETITION_FORBIDDEN:
            following = apply(rules, state, out[i])
            if settled(rules, following) and times_on_path(stack, level, situation(rules, following)) > 0:
                continue
        stack[at + LEVEL + kept] = out[i]
        kept += 1
    if kept == 0 and must_answer(rules, state):
        for i in range(n):
            stack[at + LEVEL + i] = out[i]
        kept = n
    stack[at + 7], stack[at + 8] = kept, kept


def times_on_path(stack: Words, level: int, key: State) -> int:
    """Returns how often a situation stands at the end of a turn on the path down to a level."""
    times = 0
    for i in range(level + 1):
        at = HEAD + i * (LEVEL + MAX_ACTIONS)
        if stack[at + 6] and stack[at + 3] == key[0] and stack[at + 4] == key[1] and stack[at + 5] == key[2]:
            times += 1
    return times
