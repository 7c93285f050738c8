"""Expectimax for two players and a die, as an algorithm that is bound to a game.

A value is the winning chance of the first player in parts of CERTAIN: the first player wants much, the second little,
and the die has the average of its outcomes, all equally likely (rounded down). At a die the search knows between which
values the outcomes still to come must lie, 0 and CERTAIN, and stops when the average can no longer matter (the pruning
known as Star1). Estimates are log-odds like those of alpha-beta, turned into chances by a table.
"""

import math

from damier.core.kernel.bits import blend
from damier.core.kernel.contract import (
    CHANCE,
    MAX_ACTIONS,
    PLAYING,
    Rules,
    State,
    Words,
    actions,
    apply,
    mover,
    outcome,
)
from damier.search.scratch import (
    FREE,
    GENERATION,
    HISTORY,
    HISTORY_SIZE,
    LINE_LENGTHS,
    MAX_PLY,
    MOST_RANK,
    NODE_LIMIT,
    NODES,
    OVERLOOKED,
    STOP,
    estimate,
    extend_line,
    is_overlooked,
    next_candidate,
    praise,
)
from damier.search.table import (
    ACTION_BITS,
    EXACT,
    LOWER,
    UPPER,
    entry_action,
    entry_bound,
    entry_depth,
    entry_value,
    keep,
    probe,
)

CERTAIN = 10**9
CANDIDATES = FREE

STEPS, FLATTEST = 100, 8  # of the table of chances: entries for a unit of log-odds; units beyond which it is flat
CHANCES = [round(CERTAIN / (1 + math.exp(-i / STEPS))) for i in range(-FLATTEST * STEPS, FLATTEST * STEPS + 1)]


def words_for(max_actions: int) -> int:
    """Returns how many words of work a search needs."""
    return CANDIDATES + (MAX_PLY + 2) * max_actions


def first_chance(rules: Rules, work: Words, state: State, out: Words) -> int:
    """Returns an estimate of the first player's winning chance in parts of CERTAIN."""
    value = estimate(rules, work, state, out)
    if mover(rules, state) == 1:
        value = -value
    value = max(-FLATTEST * STEPS, min(FLATTEST * STEPS, value * STEPS // 1000))
    return CHANCES[value + FLATTEST * STEPS]


def expect(
    rules: Rules,
    table: Words,
    work: Words,
    out: Words,
    state: State,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
) -> int:
    """Returns the value of a state, exact between alpha and beta, else a bound; nothing once `work[STOP]` is set."""
    # Step 1. Count, and stop if that is due.
    work[LINE_LENGTHS + ply] = 0
    work[NODES] += 1
    if work[NODES] >= work[NODE_LIMIT]:
        work[STOP] = 1
    if work[STOP]:
        return 0
    # Step 2. The end of the game, and the horizon.
    result = outcome(rules, state)
    if result != PLAYING:
        return CERTAIN if result == 0 else 0
    if depth <= 0 or ply >= MAX_PLY:
        return first_chance(rules, work, state, out)
    # Step 3. What the table knows.
    key = blend(state[0], state[1], state[2])
    data = probe(table, key)
    first = -1
    if data:
        first = entry_action(data)
        value, bound = entry_value(data), entry_bound(data)
        is_enough = bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
        if is_enough and entry_depth(data) >= depth:
            return value
    player = mover(rules, state)
    n = actions(rules, state, out)
    at = CANDIDATES + ply * MAX_ACTIONS
    # Step 4. A die: the average, given up when it can no longer matter.
    if player == CHANCE:
        for i in range(n):
            work[at + i] = out[i]
        total = 0
        for i in range(n):
            following = apply(rules, state, work[at + i])
            most_to_come = CERTAIN * (n - 1 - i)
            low = max((alpha + 1) * n - 1 - total - most_to_come, -1)
            high = min(beta * n - total, CERTAIN + 1)
            value = expect(rules, table, work, out, following, depth - 1, low, high, ply + 1)
            if work[STOP]:
                return 0
            total += value
            if value <= low:
                value = (total + most_to_come) // n
                keep(table, work[GENERATION], key, 0, depth, UPPER, value)
                return value
            if value >= high:
                value = total // n
                keep(table, work[GENERATION], key, 0, depth, LOWER, value)
                return value
        keep(table, work[GENERATION], key, 0, depth, EXACT, total // n)
        return total // n
    # Step 5. A player: all actions, the most promising first.
    history = HISTORY + player * HISTORY_SIZE
    for i in range(n):
        rank = MOST_RANK if out[i] == first else work[history + (out[i] & HISTORY_SIZE - 1)]
        work[at + i] = rank << ACTION_BITS | out[i]
    sign = 1 if player == 0 else -1
    best = -1 if player == 0 else CERTAIN + 1
    best_action = 0
    low, high = alpha, beta
    for i in range(n):
        action = next_candidate(work, at, i, n)
        if i and work[OVERLOOKED] and is_overlooked(work, key, action):
            continue
        following = apply(rules, state, action)
        value = expect(rules, table, work, out, following, depth - 1, low, high, ply + 1)
        if work[STOP]:
            return 0
        if (value - best) * sign > 0:
            best = value
            best_action = action
            extend_line(work, ply, action)
            if player == 0:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                praise(work, player, action, depth)
                break
    bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
    keep(table, work[GENERATION], key, best_action, depth, bound, best)
    return best
