"""Forced wins by brute force: an AND/OR search in the subset of Python that the binder compiles.

The attacker is the player on move at the root. At the attacker's nodes one winning action is enough; at all others,
rolls included, every action must win. There is no evaluation, no move ordering and no window.

If a situation must not be repeated, the settled situations of the path are compared. If repetition draws, it plays no
role: along a shortest forced win the distance decreases with every action, so no position occurs twice. Then a
transposition table stores within how many plies a position is known to be won and known not to be.

The stack is explicit: FIELDS numbers in `frames` and a row of `lists` for each ply.
"""

from collections.abc import MutableSequence

from damier.core.kernel.bits import mix
from damier.core.kernel.contract import (
    PLAYING,
    REPETITION,
    REPETITION_FORBIDDEN,
    Rules,
    State,
    Words,
    actions,
    apply,
    mover,
    must_answer,
    outcome,
    settled,
    situation,
)

Rows = MutableSequence[Words]

NO = 0
YES = 1
UNKNOWN = -1

# The fields of a frame: three words of the state, then
COUNT = 3  # how many actions stand in the ply's row of `lists`
NEXT = 4  # how many of them have been tried
DECIDES = 5  # which value of an action decides the node: YES where the attacker acts, NO elsewhere
FIELDS = 6

# The fields of a row of the table: three words of the state, then
ATTACKER = 3  # the attacker's number and 1, so that 0 is an empty row
WON = 4  # the fewest plies within which it is known to be won
NOT_WON = 5  # the most plies within which it is known not to be
ROW_FIELDS = 6
NEVER = 1000


def wins_with(
    rules: Rules, state: State, first: int, depth: int, budget: int, frames: Words, lists: Rows, table: Rows
) -> int:
    """Tells whether the action `first` forces a win within `depth` plies; UNKNOWN if the budget of nodes runs out."""
    attacker = mover(rules, state)
    put(frames, 0, state, 1, YES)
    lists[0][0] = first
    ply = 0
    value = UNKNOWN
    while True:
        at = ply * FIELDS
        if value != frames[at + DECIDES] and frames[at + NEXT] < frames[at + COUNT]:
            budget -= 1
            if budget < 0:
                return UNKNOWN
            action = lists[ply][frames[at + NEXT]]
            frames[at + NEXT] += 1
            child = apply(rules, state_at(frames, ply), action)
            value = judged(rules, child, attacker, ply + 1, depth - ply - 1, frames, lists, table)
            if value == UNKNOWN:
                ply += 1
        else:
            if value != frames[at + DECIDES]:
                value = 1 - frames[at + DECIDES]
            if ply == 0:
                return value
            if REPETITION != REPETITION_FORBIDDEN:
                remember(table, state_at(frames, ply), attacker, depth - ply, value)
            ply -= 1


def judged(
    rules: Rules, state: State, attacker: int, ply: int, depth: int, frames: Words, lists: Rows, table: Rows
) -> int:
    """Returns the value of a state that needs no search; else prepares its frame and returns UNKNOWN."""
    result = outcome(rules, state)
    if result != PLAYING:
        return YES if result == attacker else NO
    if REPETITION != REPETITION_FORBIDDEN and depth > 0:
        value = recall(table, state, attacker, depth)
        if value != UNKNOWN:
            return value
    is_own = mover(rules, state) == attacker
    put(frames, ply, state, 0, YES if is_own else NO)
    count = actions(rules, state, lists[ply])
    if REPETITION == REPETITION_FORBIDDEN:
        count = allowed(rules, state, count, ply, frames, lists)
    if count == 0:  # a player without an action has lost
        return NO if is_own else YES
    if depth == 0:
        return NO
    frames[ply * FIELDS + COUNT] = count
    return UNKNOWN


def allowed(rules: Rules, state: State, count: int, ply: int, frames: Words, lists: Rows) -> int:
    """Moves the actions that return to no settled situation of the path to the front; returns how many."""
    kept = 0
    for i in range(count):
        action = lists[ply][i]
        if not returns(rules, apply(rules, state, action), ply, frames):
            lists[ply][i] = lists[ply][kept]
            lists[ply][kept] = action
            kept += 1
    return count if kept == 0 and must_answer(rules, state) else kept


def returns(rules: Rules, state: State, ply: int, frames: Words) -> bool:
    """Tells whether a state repeats a settled situation of the frames up to `ply`."""
    if not settled(rules, state):
        return False
    a, b, c = situation(rules, state)
    for earlier in range(ply + 1):
        before = state_at(frames, earlier)
        if settled(rules, before):
            x, y, z = situation(rules, before)
            if a == x and b == y and c == z:
                return True
    return False


def put(frames: Words, ply: int, state: State, count: int, decides: int) -> None:
    """Writes a new frame."""
    at = ply * FIELDS
    frames[at], frames[at + 1], frames[at + 2] = state
    frames[at + COUNT] = count
    frames[at + NEXT] = 0
    frames[at + DECIDES] = decides


def state_at(frames: Words, ply: int) -> State:
    """Returns the state of a frame."""
    at = ply * FIELDS
    return frames[at], frames[at + 1], frames[at + 2]


def row_of(table: Rows, state: State, attacker: int) -> int:
    """Returns the row of a state in the transposition table."""
    a, b, c = state
    return mix(mix(mix(a) + b) + c + attacker) & (len(table) - 1)


def recall(table: Rows, state: State, attacker: int, depth: int) -> int:
    """Returns YES or NO if the table knows whether a state is won within `depth` plies, else UNKNOWN."""
    row = table[row_of(table, state, attacker)]
    a, b, c = state
    if row[0] != a or row[1] != b or row[2] != c or row[ATTACKER] != attacker + 1:
        return UNKNOWN
    if depth >= row[WON]:
        return YES
    return NO if depth <= row[NOT_WON] else UNKNOWN


def remember(table: Rows, state: State, attacker: int, depth: int, value: int) -> None:
    """Stores whether a state is won within `depth` plies; always replaces."""
    row = table[row_of(table, state, attacker)]
    a, b, c = state
    if row[0] != a or row[1] != b or row[2] != c or row[ATTACKER] != attacker + 1:
        row[0], row[1], row[2] = state
        row[ATTACKER] = attacker + 1
        row[WON] = NEVER
        row[NOT_WON] = -1
    if value == YES:
        row[WON] = min(row[WON], depth)
    else:
        row[NOT_WON] = max(row[NOT_WON], depth)
