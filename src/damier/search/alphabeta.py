"""Alpha-beta on actions, for two players without chance, as an algorithm that is bound to a game.

Values are for the player on move: a win at ply p of the search is worth WIN - p, so that the shortest win and the
longest loss are best; between them stand estimates in thousandths of a unit of log-odds. The same player may act
several times in a row: a value changes its sign only where the mover changes.

Wins in the table (``table.py``) count from the position, not from the root. A position that comes again on the path is
a draw, or may not be entered at all, by the game's rule; such a value holds on this path only, and *taint* says so: the
ply of the earliest situation that a value depends on. A value that depends on what lies before its own node is never
put into the table.

Where a table of exact values is in memory, the first position on a path that it has is a *leaf*: its value is exact
(``solve/covering.py`` says why), and the search goes no further.
"""

from damier.core.kernel.bits import blend, mix
from damier.core.kernel.contract import (
    DRAW,
    LOSS_PER_PLY,
    MAX_ACTIONS,
    NO_LEAF,
    PLAYING,
    REPETITION,
    REPETITION_DRAWS,
    REPETITION_FREE,
    Rules,
    State,
    Words,
    actions,
    apply,
    has_threat,
    is_needless,
    leaf,
    mover,
    must_answer,
    outcome,
    passed,
    quick_win,
    settled,
    situation,
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

WIN = 30_000
PROVED = WIN - 1_000  # values beyond are wins and losses, not estimates

# More words of `work` than all searches have (``work.py``).
TAINT = 8  # of the value returned last
IS_EXACT = 9  # search every action to the full depth
HORIZON = 10  # no extension beyond this ply
ROOT_ACTIONS = 11
ROOT_PLAYER = 12
CONTEMPT = 13  # how much the root's player dislikes a draw
KILLERS = FREE  # two actions for each ply that have cut a search off
PATH = KILLERS + 2 * (MAX_PLY + 2)  # the hash of the situation at each ply, 0 in the middle of a turn
PLAYED = PATH + MAX_PLY + 2  # the action that has led to each ply, -1 at the root
CANDIDATES = PLAYED + MAX_PLY + 2  # the actions of each ply with their rank; then the situations of the game

PASSED = -2  # instead of an action

SURE_DEPTH = 6  # from the horizon, up to which a large lead is taken to last
LOST_DEPTH = 4  # up to which one who is far behind is taken to stay so
LEAST_LAG = 300  # of one who is far behind, and twice LOSS_PER_PLY more for each ply to the horizon
PASS_DEPTH = 4  # from which on it is worth asking what passing would do

NEVER = 1 << 20  # no taint
BEFORE = -1  # the taint of a situation before the root


def words_for(situations: int, max_actions: int) -> int:
    """Returns the size in words of the scratch memory of a search after `situations` situations of a game."""
    slots = 16
    while slots < 2 * situations:
        slots *= 2
    return CANDIDATES + (MAX_PLY + 2) * max_actions + 2 * slots


# The situations of the game so far: an open hash table at the end of `work`, hash and count.


def seen_place(work: Words, key: int) -> int:
    """Returns where in `work` the count of a situation stands, or would."""
    begin = CANDIDATES + (MAX_PLY + 2) * MAX_ACTIONS
    mask = (len(work) - begin) // 2 - 1
    i = key & mask
    while work[begin + 2 * i + 1] and work[begin + 2 * i] != key:
        i = i + 1 & mask
    return begin + 2 * i


def note_seen(rules: Rules, work: Words, state: State) -> None:
    """Counts a situation of the game so far."""
    if settled(rules, state):
        at = seen_place(work, situation_key(rules, state))
        work[at] = situation_key(rules, state)
        work[at + 1] += 1


def situation_key(rules: Rules, state: State) -> int:
    """Returns the hash of the situation of a state."""
    here = situation(rules, state)
    return blend(here[0], here[1], here[2])


def seen_ply(work: Words, key: int, ply: int) -> int:
    """Returns the latest ply before this one at which a situation stood, BEFORE if in the game, else NEVER."""
    i = ply - 1
    while i >= 0:
        if work[PATH + i] == key:
            return i
        i -= 1
    times = work[seen_place(work, key) + 1]
    if times >= (2 if REPETITION == REPETITION_DRAWS else 1):
        return BEFORE
    return NEVER


def to_table(value: int, ply: int) -> int:
    """Returns a value at a ply as it counts from there, for the table."""
    if value > PROVED:
        return value + ply
    return value - ply if value < -PROVED else value


def from_table(value: int, ply: int) -> int:
    """Returns a value of the table as it counts at a ply."""
    if value > PROVED:
        return value - ply
    return value + ply if value < -PROVED else value


def draw_value(work: Words, player: int) -> int:
    """Returns what a draw is worth to a player."""
    return -work[CONTEMPT] if player == work[ROOT_PLAYER] else work[CONTEMPT]


def leaf_value(known: int, ply: int) -> int:
    """Returns the value for the player on move of a leaf that is won or lost and comes after a ply."""
    return WIN - ply - known if known > 0 else ply - known - WIN


def state_key(rules: Rules, state: State, before: int) -> int:
    """Returns the hash of a state for the table; in the middle of a turn it counts which action came before."""
    key = blend(state[0], state[1], state[2])
    return key if before < 0 or settled(rules, state) else key ^ mix(before)


def rank_candidates(rules: Rules, work: Words, out: Words, state: State, ply: int, first: int) -> int:
    """Writes the actions of a state with their ranks to the candidates of a ply, returns how many."""
    n = actions(rules, state, out)
    at = CANDIDATES + ply * MAX_ACTIONS
    history = HISTORY + mover(rules, state) * HISTORY_SIZE
    killer, other = work[KILLERS + 2 * ply], work[KILLERS + 2 * ply + 1]
    before = -1 if settled(rules, state) else work[PLAYED + ply]
    count = 0
    for i in range(n):
        action = out[i]
        if before >= 0 and is_needless(rules, state, before, action):
            continue
        if action == first:
            rank = 4 * MOST_RANK
        elif action == killer:
            rank = 2 * MOST_RANK
        elif action == other:
            rank = MOST_RANK
        else:
            rank = work[history + (action & HISTORY_SIZE - 1)]
        work[at + count] = rank << ACTION_BITS | action
        count += 1
    return count


def search(
    rules: Rules,
    table: Words,
    leaves: Words,
    work: Words,
    out: Words,
    state: State,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
) -> int:
    """Returns the value of an undecided state at a ply, exact between alpha and beta, else a bound.

    `work[PATH + ply]` is set by the caller. What is returned once `work[STOP]` is set means nothing.
    """
    # Step 1. Stop, if that is due.
    work[LINE_LENGTHS + ply] = 0
    if work[NODES] >= work[NODE_LIMIT]:
        work[STOP] = 1
    if work[STOP]:
        return 0
    # Step 2. A win at the next ply is the best that can come, a loss at this one the worst.
    work[TAINT] = NEVER
    alpha = max(alpha, ply - WIN)
    beta = min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha
    if ply >= MAX_PLY:
        return max(-PROVED, min(PROVED, estimate(rules, work, state, out)))
    # Step 3. A win that shows at a glance; the horizon.
    best = -2 * WIN
    quick = quick_win(rules, state)
    if quick and (quick <= depth or not work[IS_EXACT]):
        best = WIN - ply - quick
        if best >= beta or quick == 1 or depth <= 0:
            return best
        alpha = max(alpha, best)
    is_threatened = ply < work[HORIZON] and has_threat(rules, state)
    if depth <= 0:
        if work[IS_EXACT] and actions(rules, state, out) == 0:
            return ply - WIN
        if not is_threatened:
            return max(-PROVED, min(PROVED, estimate(rules, work, state, out)))
        depth = 1  # a win has to be stopped: look further
    # Step 4. What the table knows.
    key = state_key(rules, state, work[PLAYED + ply])
    data = probe(table, key)
    first = -1
    is_narrow = beta - alpha == 1
    if data:
        first = entry_action(data)
        value, bound = from_table(entry_value(data), ply), entry_bound(data)
        if work[IS_EXACT]:
            is_enough = is_narrow and entry_depth(data) == depth
        else:
            is_enough = (is_narrow and entry_depth(data) >= depth) or abs(value) > PROVED
        if is_enough and ((bound & LOWER and value >= beta) or (bound & UPPER and value <= alpha)):
            return value
    elif depth >= 4 and not work[IS_EXACT]:
        depth -= 1  # without a first action from the table a shallower search finds one more cheaply
    # Step 5. A player far ahead or far behind near the horizon, or ahead even if this turn were passed, need not be
    # looked at closer.
    player = mover(rules, state)
    if LOSS_PER_PLY and is_narrow and not is_threatened and not work[IS_EXACT] and abs(beta) < PROVED:
        here = min(PROVED, estimate(rules, work, state, out))
        if depth <= SURE_DEPTH and here - LOSS_PER_PLY * depth >= beta:
            return here
        if depth <= LOST_DEPTH and here + LEAST_LAG + 2 * LOSS_PER_PLY * depth <= alpha:
            return max(-PROVED, here)
        if depth >= PASS_DEPTH and here >= beta and work[PLAYED + ply] != PASSED and settled(rules, state):
            following = passed(rules, state)
            if mover(rules, following) != player:
                work[PLAYED + ply + 1] = PASSED
                work[PATH + ply + 1] = 0
                work[NODES] += 1
                deeper = depth - 3 - depth // 3
                value = -search(rules, table, leaves, work, out, following, deeper, -beta, 1 - beta, ply + 1)
                if work[STOP]:
                    return 0
                if value >= beta:
                    if work[TAINT] >= ply:
                        work[TAINT] = NEVER
                    return min(PROVED, value)
    # Step 6. All actions, the most promising first.
    n = rank_candidates(rules, work, out, state, ply, first)
    lowest = alpha
    best_action = 0
    best_taint = NEVER
    taint = NEVER  # of what is true of all actions together
    tried = 0
    is_free = False
    i = 0
    while i < n:
        action = next_candidate(work, CANDIDATES + ply * MAX_ACTIONS, i, n)
        i += 1
        if work[OVERLOOKED] and tried and is_overlooked(work, key, action):
            continue
        following = apply(rules, state, action)
        work[NODES] += 1
        work[PLAYED + ply + 1] = action
        result = outcome(rules, following)
        known = leaf(leaves, following) if result == PLAYING else NO_LEAF
        child_taint = NEVER
        work[LINE_LENGTHS + ply + 1] = 0
        value = draw_value(work, player)
        is_judged = True
        if result != PLAYING:
            if result != DRAW:
                value = WIN - ply - 1 if result == player else ply + 1 - WIN
        elif known != NO_LEAF:
            if known:
                value = leaf_value(known, ply)
                if mover(rules, following) != player:
                    value = -value
        else:
            is_judged = False
            work[PATH + ply + 1] = 0
            if REPETITION != REPETITION_FREE and settled(rules, following):
                work[PATH + ply + 1] = situation_key(rules, following)
                earlier = seen_ply(work, work[PATH + ply + 1], ply + 1)
                if earlier != NEVER and REPETITION == REPETITION_DRAWS:
                    is_judged = True
                    child_taint = earlier
                elif earlier != NEVER and not is_free:
                    taint = min(taint, earlier)
                    if i == n and tried == 0 and must_answer(rules, state):
                        is_free = True  # all answers return: all are allowed
                        i = 0
                    continue
        tried += 1
        if not is_judged:
            turns = mover(rules, following) != player
            deeper = depth - 1
            reduced = 0
            if tried > 3 and depth >= 3 and not is_threatened and not work[IS_EXACT]:
                reduced = 1 + (tried > 9) + (depth > 6)
                if LOSS_PER_PLY:
                    reduced = 1 + (tried > 8) + (tried > 16) + (depth > 6) + (depth > 9)
            value = alpha + 1
            if tried > 1:  # a narrow window: is it better at all?
                low, high = (-alpha - 1, -alpha) if turns else (alpha, alpha + 1)
                value = search(rules, table, leaves, work, out, following, deeper - reduced, low, high, ply + 1)
                if turns:
                    value = -value
                if reduced and value > alpha:
                    value = search(rules, table, leaves, work, out, following, deeper, low, high, ply + 1)
                    if turns:
                        value = -value
            if value > alpha and (tried == 1 or value < beta):
                low, high = (-beta, -alpha) if turns else (alpha, beta)
                value = search(rules, table, leaves, work, out, following, deeper, low, high, ply + 1)
                if turns:
                    value = -value
            child_taint = work[TAINT]
            if work[STOP]:
                return 0
        if value > best:
            best = value
            best_action = action
            best_taint = child_taint
            if value > alpha:
                alpha = value
                extend_line(work, ply, action)
                if value >= beta:
                    praise(work, player, action, depth)
                    if work[KILLERS + 2 * ply] != action:
                        work[KILLERS + 2 * ply + 1] = work[KILLERS + 2 * ply]
                        work[KILLERS + 2 * ply] = action
                    break
    # Step 7. Without an action the player has lost.
    if tried == 0 and best < -WIN:
        best = ply - WIN
    # Step 8. Remember, unless it holds on this path only.
    bound = LOWER if best >= beta else EXACT if best > lowest else UPPER
    if bound != LOWER:
        best_taint = min(best_taint, taint)
    if best_taint >= ply:
        best_taint = NEVER
        if bound == UPPER:
            best_action = max(first, 0)
        keep(table, work[GENERATION], key, best_action, depth, bound, to_table(best, ply))
    work[TAINT] = best_taint
    return best


def search_root(
    rules: Rules,
    table: Words,
    leaves: Words,
    work: Words,
    out: Words,
    state: State,
    depth: int,
    alpha: int,
    beta: int,
    first: int,
) -> int:
    """Searches the root's actions from number `first` on; returns the best value and puts its action at `first`.

    The root's actions stand as the candidates of ply 0, best first, without ranks. A value at or below alpha is a bound
    on all of them and leaves their order as it was; what is returned once `work[STOP]` is set is the best so far, or
    -2 * WIN if not even the first action was searched.
    """
    player = mover(rules, state)
    work[ROOT_PLAYER] = player
    best = -2 * WIN
    best_at = -1
    work[PATH] = situation_key(rules, state) if settled(rules, state) else 0
    work[LINE_LENGTHS] = 0
    for i in range(first, work[ROOT_ACTIONS]):
        action = work[CANDIDATES + i]
        work[PLAYED + 1] = action
        following = apply(rules, state, action)
        result = outcome(rules, following)
        known = leaf(leaves, following) if result == PLAYING else NO_LEAF
        work[LINE_LENGTHS + 1] = 0
        work[NODES] += 1
        value = -work[CONTEMPT]
        if result != PLAYING:
            if result != DRAW:
                value = WIN - 1 if result == player else 1 - WIN
        elif known != NO_LEAF:
            if known:
                value = leaf_value(known, 0)
                if mover(rules, following) != player:
                    value = -value
        else:
            work[PATH + 1] = 0
            is_draw = False
            if REPETITION != REPETITION_FREE and settled(rules, following):
                work[PATH + 1] = situation_key(rules, following)
                if REPETITION == REPETITION_DRAWS:
                    is_draw = seen_ply(work, work[PATH + 1], 1) != NEVER
            turns = mover(rules, following) != player
            if not is_draw:
                value = alpha + 1
                if i > first:
                    low, high = (-alpha - 1, -alpha) if turns else (alpha, alpha + 1)
                    value = search(rules, table, leaves, work, out, following, depth - 1, low, high, 1)
                    if turns:
                        value = -value
                if value > alpha and not work[STOP]:
                    low, high = (-beta, -alpha) if turns else (alpha, beta)
                    value = search(rules, table, leaves, work, out, following, depth - 1, low, high, 1)
                    if turns:
                        value = -value
                if work[STOP]:
                    break
        if value > best:
            best = value
            if value > alpha:
                best_at = i
                alpha = value
                extend_line(work, 0, action)
                if value >= beta:
                    break
    if best_at > first:
        action = work[CANDIDATES + best_at]
        for i in range(best_at, first, -1):
            work[CANDIDATES + i] = work[CANDIDATES + i - 1]
        work[CANDIDATES + first] = action
    return best
