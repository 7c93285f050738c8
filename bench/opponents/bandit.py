"""Monte-Carlo search over whole turns as an algorithm: one bandit over the turns of the position, or a tree of bandits.

Every node stands for a position after a turn; its children are the turns that answer it, next to each other. A pass
down the nodes takes the child with the highest bound by UCB1 until it meets a node without children. That node gets
children once it has been visited often enough, and is played out at random otherwise. With a limit that no node
reaches, only the first has children: the flat bandit.

    tree     nodes, visits, points
    nodes    words each: own word of who moved, word of who is next, code of the turn, fate, first child, children
    visits   of each node
    points   of the player who moved into the node: 2 for a win, 1 for a draw
"""

from math import log, sqrt

from bench.opponents.turns import WHOLE, Lists, Scratch, can_pass_home, can_win, list_turns, result_of
from damier.core.kernel.bits import advance, below
from damier.core.kernel.contract import PLAYING, Rules, State, Words, actions, apply, outcome
from damier.games.sensei.rules import FRESH

Tree = tuple[Words, Words, Words]

NODE = 6
MOVED, NEXT, CODE, FATE, CHILD, CHILDREN = range(NODE)

# The fate of a node, from the point of view of the player who moved into it.
OPEN, WON, LOST, DRAWN = 0, 1, -1, 2


def explore(
    rules: Rules,
    state: State,
    playouts: int,
    ripe: int,
    courage: float,
    longest: int,
    stream: int,
    repeated: Words,
    tree: Tree,
    lists: Lists,
    scratch: Scratch,
    path: Words,
) -> None:
    """Grows a tree from a state, node 0, by `playouts` passes; a node gets children after `ripe` visits."""
    nodes, visits, points = tree
    clear(tree, 0, state[1], state[0], 0, OPEN)
    used = 1
    for _ in range(playouts):
        node, depth, left = 0, 0, state[2] >> 1
        side = state[2] & 1
        while True:
            at = NODE * node
            gained = points_for(nodes[at + FATE])
            if gained >= 0:
                break
            if (
                nodes[at + CHILDREN] == 0
                and (depth == 0 or visits[node] >= ripe)
                and has_room(tree, used, lists, path, depth)
            ):
                stream = advance(stream)
                here = (nodes[at + NEXT], nodes[at + MOVED], left << 1 | side)
                used = expand(rules, here, node, used, stream, repeated, tree, lists, scratch)
                if depth == 0:
                    nodes[FATE] = OPEN  # what is lost is played on
                continue
            if nodes[at + CHILDREN] == 0:
                stream = advance(stream)
                here = (nodes[at + NEXT], nodes[at + MOVED], FRESH | side)
                gained = 2 - played_out(rules, here, longest, stream, scratch[2])
                break
            node = chosen_child(tree, node, courage)
            side, left = 1 - side, WHOLE
            depth += 1
            path[depth] = node
        while depth > 0:
            node = path[depth]
            visits[node] += 1
            points[node] += gained
            gained = 2 - gained
            depth -= 1
        visits[0] += 1
        if nodes[CHILDREN] < 2:
            return  # nothing to choose


def has_room(tree: Tree, used: int, lists: Lists, path: Words, depth: int) -> bool:
    """Tells whether a node as deep as this may be given children."""
    return used + len(lists[0]) // 2 < len(tree[1]) and depth + 1 < len(path)


def clear(tree: Tree, node: int, moved: int, following: int, code: int, fate: int) -> None:
    """Makes a node new."""
    nodes, visits, points = tree
    at = NODE * node
    nodes[at + MOVED], nodes[at + NEXT], nodes[at + CODE], nodes[at + FATE] = moved, following, code, fate
    nodes[at + CHILD], nodes[at + CHILDREN] = 0, 0
    visits[node], points[node] = 0, 0


def points_for(fate: int) -> int:
    """Returns the points of a decided node, or -1 for an open one."""
    if fate == OPEN:
        return -1
    return 2 if fate == WON else 1 if fate == DRAWN else 0


def expand(
    rules: Rules,
    state: State,
    node: int,
    used: int,
    stream: int,
    repeated: Words,
    tree: Tree,
    lists: Lists,
    scratch: Scratch,
) -> int:
    """Gives a node its children from place `used` on and returns the next free place.

    A winning turn is the only child. Otherwise turns that lose at once, or let the opponent win at once, are left out
    if there are others.
    """
    enemy, side = state[1], state[2] & 1
    nodes, (words, codes) = tree[0], lists
    n = list_turns(rules, state, 0, lists, scratch)
    best = 0  # the highest grade of a turn: 1 loses, 2 lets the opponent win, 3 goes on, 4 wins
    kept = 0
    for i in range(n):
        word, code = words[i], codes[i]
        result = result_of(rules, word, enemy, side)
        grade = 1
        if result > 0:
            grade = 4
        elif result == 0:
            after = (enemy, word, FRESH | 1 - side)
            grade = 2 if can_win(rules, after, n, lists, scratch) else 3
        if grade > best:
            best, kept = grade, 0
        if grade == best and not (grade == 4 and kept):
            words[kept], codes[kept] = word, code
            kept += 1
    at = NODE * node
    if best == 4:
        nodes[at + FATE] = LOST
    elif best < 3:
        nodes[at + FATE] = WON
    nodes[at + CHILD], nodes[at + CHILDREN] = used, kept
    while kept > 0:
        stream = advance(stream)
        i = below(stream, kept)  # in random order
        fate = WON if best == 4 else LOST if best == 1 else OPEN
        if node == 0:
            for k in range(0, len(repeated), 2):
                if repeated[k] == words[i] and repeated[k + 1] == enemy and fate == OPEN:
                    fate = DRAWN
        clear(tree, used, words[i], enemy, codes[i], fate)
        used += 1
        kept -= 1
        words[i], codes[i] = words[kept], codes[kept]
    return used


def chosen_child(tree: Tree, node: int, courage: float) -> int:
    """Returns the child with the highest bound, the first one not yet visited before all others."""
    nodes, visits, points = tree
    first = nodes[NODE * node + CHILD]
    share = courage * courage * log(visits[node] + 1.0)
    best, highest_bound = first, -1.0
    for child in range(first, first + nodes[NODE * node + CHILDREN]):
        if visits[child] == 0:
            return child
        bound = points[child] / (2.0 * visits[child]) + sqrt(share / visits[child])
        if bound > highest_bound:
            best, highest_bound = child, bound
    return best


def played_out(rules: Rules, state: State, longest: int, stream: int, out: Words) -> int:
    """Plays at random from the beginning of a turn and returns the points of the player on move there.

    A player who can bring the character home within a turn does. A game of more than `longest` turns is a draw.
    """
    player = state[2] & 1
    for _ in range(longest):
        side = state[2] & 1
        if can_pass_home(rules, state[0], state[1], WHOLE, side):
            return 2 if side == player else 0
        while state[2] & 1 == side:
            n = actions(rules, state, out)
            if n == 0:
                return 0 if side == player else 2
            stream = advance(stream)
            state = apply(rules, state, out[below(stream, n)])
        winner = outcome(rules, state)
        if winner != PLAYING:
            return 2 if winner == player else 0
    return 1
