"""Monte-Carlo tree search with chance nodes and a value for each player, as an algorithm that is bound to a game.

Each simulation walks down the tree (a player picks by upper confidence bounds on their own value, the die by chance),
adds the children of the node it ends at once that has been visited before, plays a random game from there, and adds its
result to all nodes on the way. The tree is one array of words; a node's children lie side by side. A node is reached by
one path only, so what the history forbids is left out when its children are made; so is what a weak player overlooks.

Results are counted in parts of WHOLE for each player: all for the winner, even shares in a draw or a game cut off.
"""

import math

from damier.core.kernel.bits import advance, below, blend, mix
from damier.core.kernel.contract import (
    CHANCE,
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
    quick_win,
    settled,
    situation,
)
from damier.search.history import note, times_seen

WHOLE = 12  # divisible among two, three and four players

# A node: visits, first child, number of children (-1 before they are made), the action that leads to it, who is on
# move, the outcome, then the sums of the players' results.
VISITS, FIRST, COUNT, ACTION, MOVER, OUTCOME, SUMS = 0, 1, 2, 3, 4, 5, 6
NODE = 10

# The words of `work`.
NODES, NODE_LIMIT, STOP = 0, 1, 2
STREAM = 3
USED = 4  # words of the tree
SIMULATIONS = 5
PLAYER_COUNT = 6
EXPLORATION = 7  # in thousandths
LONGEST = 8  # plies of a random game
IS_GREEDY = 9  # random games take a win that shows at a glance
OVERLOOKED = 10  # actions of 1024 that a weak player does not see, except at the root
BLIND_SPOTS = 11  # which ones
PATH = 16
MAX_PLY = 400
WORDS = PATH + MAX_PLY + 2


def plant(rules: Rules, tree: Words, work: Words, state: State) -> None:
    """Makes the root."""
    work[USED] = 0
    add_node(rules, tree, work, state, 0)


def add_node(rules: Rules, tree: Words, work: Words, state: State, action: int) -> None:
    """Adds a node without children to the end of the tree."""
    at = work[USED]
    for i in range(NODE):
        tree[at + i] = 0
    tree[at + COUNT] = -1
    tree[at + ACTION] = action
    tree[at + MOVER] = mover(rules, state)
    tree[at + OUTCOME] = outcome(rules, state)
    work[USED] = at + NODE


def run_simulations(
    rules: Rules, tree: Words, work: Words, out: Words, seen: Words, past: Words, state: State, simulations: int
) -> None:
    """Runs `simulations` simulations, or fewer if the search is stopped."""
    for _ in range(simulations):
        if work[NODES] >= work[NODE_LIMIT]:
            work[STOP] = 1
        if work[STOP]:
            return
        work[SIMULATIONS] += 1
        simulate(rules, tree, work, out, seen, past, state)


def simulate(rules: Rules, tree: Words, work: Words, out: Words, seen: Words, past: Words, state: State) -> None:
    """Runs one simulation from the root, which stands at the beginning of the tree."""
    stamp = work[SIMULATIONS]
    if REPETITION != REPETITION_FREE and settled(rules, state):
        note(seen, stamp, situation(rules, state))
    node, ply = 0, 0
    work[PATH] = 0
    result = tree[OUTCOME]
    while result == PLAYING and ply < MAX_PLY:
        if tree[node + COUNT] < 0:
            if tree[node + VISITS] == 0 and node > 0:
                break  # a new node: a random game from here
            expand(rules, tree, work, out, seen, past, stamp, state, node)
            if tree[node + COUNT] < 0:
                break  # the tree is full
        if tree[node + COUNT] == 0:
            result = 1 - tree[node + MOVER]  # no action left
            break
        node = pick(tree, work, node)
        state = apply(rules, state, tree[node + ACTION])
        work[NODES] += 1
        ply += 1
        work[PATH + ply] = node
        result = tree[node + OUTCOME]
        if REPETITION != REPETITION_FREE and settled(rules, state):
            key = situation(rules, state)
            times = note(seen, stamp, key) + times_seen(past, 1, key)
            if REPETITION == REPETITION_DRAWS and times >= 3 and result == PLAYING:
                result = DRAW
    if result == PLAYING:
        result = random_game(rules, work, out, seen, past, stamp, state)
    for i in range(ply + 1):
        at = work[PATH + i]
        tree[at + VISITS] += 1
        if result >= 0:
            tree[at + SUMS + result] += WHOLE
        else:
            for player in range(work[PLAYER_COUNT]):
                tree[at + SUMS + player] += WHOLE // work[PLAYER_COUNT]


def expand(
    rules: Rules,
    tree: Words,
    work: Words,
    out: Words,
    seen: Words,
    past: Words,
    stamp: int,
    state: State,
    node: int,
) -> None:
    """Adds the children of a node, if there is room for them."""
    n = actions(rules, state, out)
    if work[USED] + n * NODE > len(tree):
        return
    tree[node + FIRST] = work[USED]
    count = 0
    hidden = -1
    for i in range(n):
        following = apply(rules, state, out[i])
        if is_return(rules, seen, past, stamp, following):
            continue
        if node > 0 and tree[node + MOVER] != CHANCE and is_blind_to(work, state, out[i]):
            hidden = out[i]
            continue
        add_node(rules, tree, work, following, out[i])
        count += 1
    if count == 0 and hidden >= 0:  # something is always seen
        add_node(rules, tree, work, apply(rules, state, hidden), hidden)
        count = 1
    if count == 0 and n > 0 and must_answer(rules, state):
        for i in range(n):
            add_node(rules, tree, work, apply(rules, state, out[i]), out[i])
        count = n
    tree[node + COUNT] = count


def is_blind_to(work: Words, state: State, action: int) -> bool:
    """Tells whether a weak player does not see an action of a state."""
    if work[OVERLOOKED] == 0:
        return False
    return mix(work[BLIND_SPOTS] ^ blend(state[0], state[1], state[2]) ^ action) & 1023 < work[OVERLOOKED]


def is_return(rules: Rules, seen: Words, past: Words, stamp: int, state: State) -> bool:
    """Tells whether a state may not be entered because its situation has stood before."""
    if REPETITION != REPETITION_FORBIDDEN:
        return False
    if not settled(rules, state):
        return False
    key = situation(rules, state)
    return times_seen(seen, stamp, key) + times_seen(past, 1, key) > 0


def pick(tree: Words, work: Words, node: int) -> int:
    """Returns the child of a node that a simulation goes on to."""
    first, count, player = tree[node + FIRST], tree[node + COUNT], tree[node + MOVER]
    if player == CHANCE:
        work[STREAM] = advance(work[STREAM])
        return first + below(work[STREAM], count) * NODE
    work[STREAM] = advance(work[STREAM])
    begin = below(work[STREAM], count)  # so that untried children are tried in random order
    spread = math.log(tree[node + VISITS] + 1.0) * (work[EXPLORATION] / 1000.0) ** 2
    best = -1.0
    best_at = first
    for i in range(count):
        at = first + (begin + i) % count * NODE
        visits = tree[at + VISITS]
        if visits == 0:
            return at
        score = tree[at + SUMS + player] / (visits * float(WHOLE)) + math.sqrt(spread / visits)
        if score > best:
            best = score
            best_at = at
    return best_at


def random_game(rules: Rules, work: Words, out: Words, seen: Words, past: Words, stamp: int, state: State) -> int:
    """Plays a random game to its end, returns the outcome; DRAW if it is cut off."""
    stream = work[STREAM]
    length = 0
    result = outcome(rules, state)
    while result == PLAYING and length < work[LONGEST]:
        player = mover(rules, state)
        if work[IS_GREEDY] and quick_win(rules, state):
            result = player
            break
        n = actions(rules, state, out)
        following = state
        is_free = False
        while n > 0:
            stream = advance(stream)
            i = below(stream, n)
            following = apply(rules, state, out[i])
            if is_free or not is_return(rules, seen, past, stamp, following):
                break
            n -= 1
            out[i] = out[n]
            if n == 0 and must_answer(rules, state):
                n = actions(rules, state, out)
                is_free = True
        if n == 0:
            result = 1 - player
            break
        state = following
        length += 1
        work[NODES] += 1
        result = outcome(rules, state)
        if REPETITION != REPETITION_FREE and settled(rules, state):
            times = note(seen, stamp, situation(rules, state))
            if REPETITION == REPETITION_DRAWS and times >= 3 and result == PLAYING:
                result = DRAW
    work[STREAM] = stream
    return DRAW if result == PLAYING else result
