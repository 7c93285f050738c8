"""Per-thread scratch memory of a search: an array of words, laid out the same for all searches up to FREE.

A rank and an action share a word, the rank above, so that the best candidate is the largest number.
"""

from damier.core.kernel.bits import mix
from damier.core.kernel.contract import NETWORK_AT, Rules, State, Words, judged, terms
from damier.search.table import ACTION_BITS

MAX_PLY = 120

NODES, NODE_LIMIT, STOP = 0, 1, 2
GENERATION = 3  # of the table; older entries give way
OVERLOOKED = 4  # actions of 1024 that a weak player does not see
STREAM = 5  # which ones
LINE_LENGTHS = 16
LINES = LINE_LENGTHS + MAX_PLY + 2  # the best line found from each ply
HISTORY = LINES + (MAX_PLY + 2) * (MAX_PLY + 2)  # the history heuristic: a score for each action of each of two players
HISTORY_SIZE = 1 << 13
TERM_WEIGHTS = HISTORY + 2 * HISTORY_SIZE  # what each term of the evaluation counts for
MOST_TERMS = 64
NETWORK_SUMS = TERM_WEIGHTS + MOST_TERMS  # what the network keeps from one state to the next
MOST_SUMS = 64
FREE = NETWORK_SUMS + MOST_SUMS

MOST_RANK = 1 << 36


def estimate(rules: Rules, work: Words, state: State, out: Words) -> int:
    """Returns an estimate of the log-odds, in thousandths, that the player on move wins (the first player at a die)."""
    if NETWORK_AT and len(rules) > NETWORK_AT:
        return judged(rules, work, NETWORK_SUMS, state, out)
    n = terms(rules, state, out)
    value = 0
    for i in range(n):
        value += work[TERM_WEIGHTS + i] * out[i]
    return value


def next_candidate(work: Words, at: int, i: int, n: int) -> int:
    """Returns the best of candidates `i` to `n` and moves it to place `i`; they stand in `work` from `at` on."""
    best = at + i
    for j in range(at + i + 1, at + n):
        if work[j] > work[best]:
            best = j
    chosen = work[best]
    work[best] = work[at + i]
    work[at + i] = chosen
    return chosen & (1 << ACTION_BITS) - 1


def praise(work: Words, player: int, action: int, depth: int) -> None:
    """Adds to the history score of an action that has caused a cutoff."""
    at = HISTORY + player * HISTORY_SIZE + (action & HISTORY_SIZE - 1)
    work[at] += depth * depth + 1
    if work[at] >= 1 << 30:
        for i in range(2 * HISTORY_SIZE):
            work[HISTORY + i] >>= 1


def extend_line(work: Words, ply: int, action: int) -> None:
    """Sets the best line from this ply to an action followed by the best line from the next ply."""
    at, following = LINES + ply * (MAX_PLY + 2), LINES + (ply + 1) * (MAX_PLY + 2)
    n = work[LINE_LENGTHS + ply + 1]
    work[at] = action
    for i in range(n):
        work[at + 1 + i] = work[following + i]
    work[LINE_LENGTHS + ply] = n + 1


def is_overlooked(work: Words, key: int, action: int) -> bool:
    """Tells whether a weak player does not see an action here."""
    return mix(work[STREAM] ^ key ^ action) & 1023 < work[OVERLOOKED]
