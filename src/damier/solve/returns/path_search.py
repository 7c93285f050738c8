"""Kernels that decide which forced wins of a table survive if the rules forbid a return to an earlier situation.

A table has no history: its wins hold if positions may be repeated. Under a forbidden return a value belongs to a
position *and* the situations before it. Here the history is fresh: it begins with the position, which counts as a first
occurrence if it stands at the end of a turn. The rule is that of ``core/record.py``: an action that would end a turn in
a situation of the path is illegal; a player without a legal action has lost, or may play any action if the game says so
(`must_answer`).

`force` decides whether one player, the *winner*, can force a win within a number of plies. It is an AND/OR search that
carries the situations of its path: one action of the winner must win, all actions that the history leaves to the loser
must fail. Results are not shared between paths, as they depend on the history; near the root they are shared between
searches with the same path, see `CACHED_PLIES`. The table is used in two ways:

    - It orders the actions: the winner's shortest win first, the loser's longest first. That changes no answer.
    - While more than `wide` plies are left, actions after which the table has no win in the plies left are pruned.

Its answers:

    PROVED    is always right: every allowed defence has been tried. The win may even be shorter than in the table,
              as the loser may not return either.
    REFUTED   is right if `wide` is at least the bound: then every allowed action of the winner has been tried and the
              loser has an answer to each, so the win cannot be forced within the bound. Longer wins remain possible.
              With a smaller `wide` it only says that the winning actions of the table are not enough.
    STOPPED   is no answer: the search has reached its node limit.

A game in which every situation is new has an end, though it may be far. So no REFUTED says that a position is not won
at all: the bound may have been too short.

Where the situation is the whole position, all wins survive: the winner goes where the distance falls, the loser cannot
make it rise, and a position that stood before has another distance. Where it is less (a marker left out), a line with
falling distances may return, and the winner may need an action that is forbidden.

Measured: 0.3 us of CPU for a node. Two plies more take eight to ten times as many nodes if `wide` is the bound.
"""

from damier.core.kernel.contract import (
    MAX_ACTIONS,
    PLAYING,
    Rules,
    State,
    Words,
    actions,
    apply,
    mover,
    must_answer,
    outcome,
    rank,
    settled,
    situation,
    tier,
    unrank,
)
from damier.solve.codes import DRAWN, LOST, MARKED, WON

REFUTED, PROVED, STOPPED = 0, 1, 2

NEVER = 255  # plies: more than a table has

# Words of `work`: three numbers, then a row for each ply of the path.
NODES, NODE_LIMIT, GROUP = 0, 1, 2
FIRST_ROW = 3
IN_ROW = 4  # whether the turn was over, the three words of the situation; then the actions

# A cache of answers near the root. Positions that differ only in what situations leave out (a marker) have mostly the
# same nodes a few plies later, after the same situations. An entry has all that an answer depends on, and the answer:
# the group of tasks, the plies left, the state, and for each ply of the path a flag and the situation.
CACHED_PLIES = 2
CACHE_ROW = 6 + 4 * CACHED_PLIES
CACHE_SLOTS = 1 << 14
LEAST_CACHED = 4  # plies left: less is not worth an entry

ACTION_ROOM = 1 << 40  # the rank of an action stands above it in one word


def path_words(plies: int, most_actions: int) -> int:
    """Returns the number of words of `work` that a search of `plies` needs."""
    return FIRST_ROW + (plies + 1) * (IN_ROW + most_actions)


def path_row(ply: int) -> int:
    """Returns where the row of a ply begins."""
    return FIRST_ROW + ply * (IN_ROW + MAX_ACTIONS)


def enter_path(rules: Rules, state: State, ply: int, work: Words) -> None:
    """Puts a state on the path."""
    at, here = path_row(ply), situation(rules, state)
    work[at] = 1 if settled(rules, state) else 0
    work[at + 1], work[at + 2], work[at + 3] = here[0], here[1], here[2]


def is_return(rules: Rules, state: State, ply: int, work: Words) -> bool:
    """Tells whether a state ends a turn in a situation of the path, which goes to `ply`."""
    if not settled(rules, state):
        return False
    here = situation(rules, state)
    for i in range(ply + 1):
        at = path_row(i)
        if work[at] and work[at + 1] == here[0] and work[at + 2] == here[1] and work[at + 3] == here[2]:
            return True
    return False


def allowed_actions(rules: Rules, state: State, ply: int, most: int, work: Words, out: Words) -> int:
    """Writes at most `most` actions that the path allows into the row of its last ply; returns how many."""
    n, kept, at = actions(rules, state, out), 0, path_row(ply) + IN_ROW
    for i in range(n):
        if not is_return(rules, apply(rules, state, out[i]), ply, work):
            work[at + kept] = out[i]
            kept += 1
            if kept == most:
                break
    if kept == 0 and must_answer(rules, state):
        for i in range(n):
            work[at + i] = out[i]
        kept = n
    return kept


def plies_by_table(
    rules: Rules, numbers: Words, values: Words, firsts: Words, state: State, winner: int, is_probed: bool
) -> int:
    """Returns the plies in which `winner` wins by the table, or NEVER; only finished games count unless `is_probed`."""
    result = outcome(rules, state)
    if result != PLAYING:
        return 0 if result == winner else NEVER
    if not is_probed:
        return NEVER
    code = values[firsts[tier(rules, state)] + rank(rules, numbers, state)]
    if code == DRAWN or code >= MARKED or (code < LOST) != (mover(rules, state) == winner):
        return NEVER
    return 0 if code == WON else code & WON


def rank_actions(
    rules: Rules,
    numbers: Words,
    values: Words,
    firsts: Words,
    state: State,
    winner: int,
    at: int,
    n: int,
    left: int,
    work: Words,
) -> None:
    """Adds a sort key above the bits of each of the `n` actions at `at`, least for the best: plies, or NEVER - plies.

    Once the loser has an action that does not lose by the table, the others are not probed.
    """
    is_winner = mover(rules, state) == winner
    is_probed = left > 1
    for i in range(at, at + n):
        following = apply(rules, state, work[i])
        plies = plies_by_table(rules, numbers, values, firsts, following, winner, is_probed)
        work[i] += (plies if is_winner else NEVER - plies) * ACTION_ROOM
        if plies == NEVER and not is_winner:
            is_probed = False


def least_first(work: Words, at: int, end: int) -> int:
    """Moves the least word from `at` to below `end` to the front and returns it."""
    least = at
    for i in range(at + 1, end):
        if work[i] < work[least]:
            least = i
    chosen = work[least]
    work[least] = work[at]
    work[at] = chosen
    return chosen


def cache_row(state: State, ply: int, left: int, work: Words, cache: Words) -> int:
    """Returns where the cache has an answer for a node, or where it may be written: there the key is put in place.

    A row without an answer has 0 as its last word, another one the answer plus 1.
    """
    mixed = state[0] * 0x9E3779B1 + state[1] * 0x85EBCA6B + state[2] * 0xC2B2AE35 + left
    for i in range(ply):
        for j in range(path_row(i), path_row(i) + 4):
            mixed = (mixed & 0xFFFFFFFFFFF) * 31 + work[j]
    at = (mixed >> 7 ^ mixed) % CACHE_SLOTS * CACHE_ROW
    is_same = put_word(cache, at, work[GROUP], True)
    is_same = put_word(cache, at + 1, left, is_same)
    for i in range(3):
        is_same = put_word(cache, at + 2 + i, state[i], is_same)
    for i in range(CACHED_PLIES):
        for j in range(4):
            is_same = put_word(cache, at + 5 + 4 * i + j, work[path_row(i) + j] if i < ply else -1, is_same)
    if not is_same:
        cache[at + CACHE_ROW - 1] = 0
    return at + CACHE_ROW - 1


def put_word(cache: Words, at: int, word: int, is_same: bool) -> bool:
    """Puts a word of a key in place; tells whether it and those before were there."""
    is_same = is_same and cache[at] == word
    cache[at] = word
    return is_same


def force(
    rules: Rules,
    numbers: Words,
    values: Words,
    firsts: Words,
    state: State,
    winner: int,
    ply: int,
    left: int,
    wide: int,
    work: Words,
    cache: Words,
    out: Words,
) -> int:
    """Tells whether `winner` can force a win in `left` plies, after the path in `work` up to `ply`.

    Answers are shared by `cache` where `work` names a GROUP, by a number above 0: searches for the same winner.
    """
    result = outcome(rules, state)
    if result != PLAYING:
        return PROVED if result == winner else REFUTED
    is_cached = work[GROUP] > 0 and ply <= CACHED_PLIES and left >= LEAST_CACHED
    if is_cached:
        known = cache[cache_row(state, ply, left, work, cache)]
        if known:
            return known - 1
    work[NODES] += 1
    if work[NODES] > work[NODE_LIMIT]:
        return STOPPED
    is_winner = mover(rules, state) == winner
    enter_path(rules, state, ply, work)
    n = allowed_actions(rules, state, ply, MAX_ACTIONS if left else 1, work, out)
    if n == 0:
        return REFUTED if is_winner else PROVED
    if left == 0:
        return REFUTED
    at = path_row(ply) + IN_ROW
    rank_actions(rules, numbers, values, firsts, state, winner, at, n, left, work)
    decisive, found = (PROVED, REFUTED) if is_winner else (REFUTED, PROVED)
    for i in range(at, at + n):
        chosen = least_first(work, i, at + n)
        plies = chosen // ACTION_ROOM if is_winner else NEVER - chosen // ACTION_ROOM
        if plies >= left and left > wide:
            found = found if is_winner else REFUTED
            break
        following = apply(rules, state, chosen % ACTION_ROOM)
        answer = force(rules, numbers, values, firsts, following, winner, ply + 1, left - 1, wide, work, cache, out)
        if answer == decisive:
            found = answer
            break
        if answer == STOPPED:
            found = STOPPED
    if is_cached and found != STOPPED:
        cache[cache_row(state, ply, left, work, cache)] = found + 1
    return found


def force_many(
    rules: Rules,
    numbers: Words,
    values: Words,
    firsts: Words,
    places: Words,
    winners: Words,
    plies: Words,
    wides: Words,
    groups: Words,
    limit: int,
    low: int,
    high: int,
    answers: Words,
    work: Words,
    cache: Words,
    out: Words,
) -> int:
    """Writes the answers of the tasks of the groups ``[low, high)``; returns how many.

    A task is the place of a position in the table, whether the player on move is the winner (else the other), the bound
    in plies, and `wide`; the history begins with the position. The tasks of group g are ``[groups[g], groups[g + 1])``:
    they have the same player on move, winner, bound and `wide`, so that they may share answers.
    """
    for group in range(low, high):
        work[GROUP] = group + 1 if groups[group + 1] - groups[group] > 1 else 0
        for i in range(groups[group], groups[group + 1]):
            number = 0
            while firsts[number + 1] <= places[i]:
                number += 1
            state = unrank(rules, numbers, number, places[i] - firsts[number])
            winner = mover(rules, state) if winners[i] else 1 - mover(rules, state)
            work[NODES], work[NODE_LIMIT] = 0, limit
            answers[i] = force(rules, numbers, values, firsts, state, winner, 0, plies[i], wides[i], work, cache, out)
    return groups[high] - groups[low]
