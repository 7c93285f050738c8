"""Random games, each action equally likely, as an algorithm that is bound to a game.

Game number i of a batch draws from a random stream of its own that depends on the seed and on i alone, so a batch has
the same results however it is cut into pieces for several threads.
"""

from damier.core.kernel.bits import advance, below, mix
from damier.core.kernel.contract import (
    DRAW,
    PLAYING,
    REPETITION,
    REPETITION_DRAWS,
    REPETITION_FORBIDDEN,
    REPETITION_FREE,
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
from damier.search.history import note, times_seen


def play_batch(
    rules: Rules,
    state: State,
    seed: int,
    first: int,
    limit: int,
    out: Words,
    seen: Words,
    results: Words,
    lengths: Words,
) -> None:
    """Plays games number `first` and on from a state; one result and one length for each place in the arrays."""
    for i in range(len(results)):
        result, length = play_game(rules, state, mix(mix(seed) ^ first + i), limit, out, seen, first + i + 1)
        results[i] = result
        lengths[i] = length


def play_game(
    rules: Rules, state: State, stream: int, limit: int, out: Words, seen: Words, stamp: int
) -> tuple[int, int]:
    """Plays one random game of at most `limit` actions; returns its outcome and its length in actions."""
    length = 0
    if REPETITION != REPETITION_FREE and settled(rules, state):
        note(seen, stamp, situation(rules, state))
    while True:
        result = outcome(rules, state)
        if result != PLAYING:
            return result, length
        n = actions(rules, state, out)
        if length == limit and n > 0:
            return PLAYING, length
        is_free = False
        following = state
        while n > 0:
            stream = advance(stream)
            i = below(stream, n)
            following = apply(rules, state, out[i])
            if REPETITION != REPETITION_FORBIDDEN:
                break
            if is_free or not settled(rules, following):
                break
            if times_seen(seen, stamp, situation(rules, following)) == 0:
                break
            n -= 1  # a forbidden return: draw again from the others
            out[i] = out[n]
            if n == 0 and must_answer(rules, state):
                n = actions(rules, state, out)
                is_free = True
        if n == 0:
            return 1 - mover(rules, state), length
        state = following
        length += 1
        if REPETITION != REPETITION_FREE and settled(rules, state):
            times = note(seen, stamp, situation(rules, state))
            if times >= 3 and REPETITION == REPETITION_DRAWS:
                return DRAW, length
