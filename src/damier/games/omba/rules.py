"""Omba (Docker): roll, climb, bury; the last player able to move wins.

Material   3x3 board; 6, 4 or 3 pieces each for 2, 3 or 4 players; a die.
A turn     roll; then use exactly that many points with one piece: bring one in from the hand, or move an own piece that
           is on top of its stack.
Costs      a piece stands at a level, the number of pieces under it. From level s to an edge-neighbouring cell with a
           stack of height t it costs 1 + |s - t|, and the piece is then at level t. It may travel over stacks.
Entry      by the middle of a side. Ruling: coming in is a step from level 0, so it costs 1 + the height there.
Going back Ruling: no cell twice in one move, the starting cell included.
End        a player without an action for the number rolled is out; their pieces stay. The last one left wins.
Giving up  Ruling: of three and four players, one who resigns or runs out of time is out in the same way.

Cells          State

    6 7 8        word 0   the height of cell i in bits 4i to 4i+3
    3 4 5        word 1   owners (0 to 3), two bits each, stack after stack, each from bottom to top
    0 1 2        word 2   bits 0-1: the player whose turn it is; bits 2-4: the die, 0 before the roll; bits 5-16: hands,
                          three bits each; bits 17-18: how many are out; bits 19-24: who, in order, two bits each

Action: kind * 256 + from * 16 + to; a roll has the number as `to`, an entry only `to`.
"""

from collections.abc import Sequence

from damier.core.kernel.contract import CHANCE, PLAYING, Rules, State, Words

ROLL, ENTER, MOVE = 0, 1, 2
MAX_ACTIONS = 64  # six pieces on top and one from the hand, to at most nine cells each
ALL_PREFIXES = 0x111111111

# Where the numbers of the options stand in `rules`.
PLAYERS, PIECES = 0, 1
OUTSIDE = 9


def _walks() -> tuple[list[int], list[int], list[int], list[int]]:
    """Returns all walks of one to six steps without a cell twice, as a tree in the order of a depth-first walk.

    Node by node: the cell, the number of steps, and the next node that does not go through this one; and for each
    origin (nine cells and OUTSIDE) its first node, the last number being the end of the tree.
    """
    steps = [[to for to in range(9) if abs(to % 3 - i % 3) + abs(to // 3 - i // 3) == 1] for i in range(9)]
    steps.append([1, 3, 5, 7])  # from outside, the middle of each side
    cells: list[int] = []
    lengths: list[int] = []
    skips: list[int] = []

    def visit(walk: list[int]) -> None:
        for to in steps[walk[-1]] if len(walk) <= 6 else []:
            if to not in walk:
                node = len(cells)
                cells.append(to)
                lengths.append(len(walk))
                skips.append(0)
                visit([*walk, to])
                skips[node] = len(cells)

    begins = []
    for origin in range(10):
        begins.append(len(cells))
        visit([origin])
    return cells, lengths, skips, [*begins, len(cells)]


WALK_CELL, WALK_LENGTH, WALK_SKIP, WALK_BEGIN = _walks()


def numbers(players: int) -> list[int]:
    """Returns the rules: the number of players and of pieces each."""
    return [players, 12 // players]


def kind_of(action: int) -> int:
    """Returns the kind of an action."""
    return action >> 8


def origin_of(action: int) -> int:
    """Returns the cell that an action starts from."""
    return action >> 4 & 15


def target_of(action: int) -> int:
    """Returns the cell that an action leads to."""
    return action & 15


def out_player(state: State, i: int) -> int:
    """Returns the player who was the i-th to go out, from 0."""
    return state[2] >> 19 + 2 * i & 3


def start(rules: Rules) -> State:
    hands = 0
    for player in range(rules[PLAYERS]):
        hands |= rules[PIECES] << 5 + 3 * player
    return 0, 0, hands


def turn(state: State) -> int:
    """Returns the player whose turn it is, before and after the roll."""
    return state[2] & 3


def die(state: State) -> int:
    """Returns the number rolled, or 0 before the roll."""
    return state[2] >> 2 & 7


def hand(state: State, player: int) -> int:
    """Returns how many pieces a player has not yet brought in."""
    return state[2] >> 5 + 3 * player & 7


def out_count(state: State) -> int:
    """Returns how many players are out."""
    return state[2] >> 17 & 3


def is_out(state: State, player: int) -> bool:
    """Tells whether a player is out."""
    for i in range(out_count(state)):
        if out_player(state, i) == player:
            return True
    return False


def height(heights: int, cell: int) -> int:
    """Returns the height of the stack on a cell."""
    return heights >> 4 * cell & 15


def prefix(heights: int, cell: int) -> int:
    """Returns how many pieces stand on the cells up to and including this one."""
    return heights * ALL_PREFIXES >> 4 * cell & 15


def mover(rules: Rules, state: State) -> int:
    if die(state) == 0 and outcome(rules, state) == PLAYING:
        return CHANCE
    return turn(state)


def actions(rules: Rules, state: State, out: Words) -> int:
    points = die(state)
    n = 0
    if points == 0:
        for number in range(1, 7):
            out[n] = ROLL << 8 | number
            n += 1
        return n
    player, heights = turn(state), state[0]
    if hand(state, player):
        n = end_actions(ENTER << 8, ends(heights, OUTSIDE, 0, points, False), out, n)
    for cell in range(9):
        if is_top(state, cell, player):
            n = end_actions(
                MOVE << 8 | cell << 4, ends(heights, cell, height(heights, cell) - 1, points, False), out, n
            )
    return n


def end_actions(code: int, cells: int, out: Words, n: int) -> int:
    for cell in range(9):
        if cells >> cell & 1:
            out[n] = code | cell
            n += 1
    return n


def is_top(state: State, cell: int, player: int) -> bool:
    """Tells whether the stack on a cell has a piece of this player on top."""
    if height(state[0], cell) == 0:
        return False
    return state[1] >> 2 * (prefix(state[0], cell) - 1) & 3 == player


def ends(heights: int, origin: int, level: int, points: int, is_one_enough: bool) -> int:
    """Returns the set of cells on which a piece from a cell or from outside can end with exactly `points` points.

    If one is enough, the search stops at the first.
    """
    cells = 0
    spent = 0  # points spent after k steps, in bits 4k to 4k+3
    levels = level  # level after k steps, likewise
    node = WALK_BEGIN[origin]
    last = WALK_BEGIN[origin + 1]
    while node < last and not (is_one_enough and cells):
        cell, before = WALK_CELL[node], 4 * (WALK_LENGTH[node] - 1)
        to = height(heights, cell)
        cost = (spent >> before & 15) + 1 + abs((levels >> before & 15) - to)
        if cost < points:
            below = (16 << before) - 1
            spent = spent & below | cost << before + 4
            levels = levels & below | to << before + 4
            node += 1
        else:
            if cost == points:
                cells |= 1 << cell
            node = WALK_SKIP[node]
    return cells


def has_action(rules: Rules, state: State, points: int) -> bool:
    """Tells whether the player whose turn it is can use exactly `points` points."""
    player, heights = turn(state), state[0]
    if hand(state, player) and ends(heights, OUTSIDE, 0, points, True):
        return True
    for cell in range(9):
        if is_top(state, cell, player) and ends(heights, cell, height(heights, cell) - 1, points, True):
            return True
    return False


def apply(rules: Rules, state: State, action: int) -> State:
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    if kind == ROLL:
        if has_action(rules, state, to):
            return state[0], state[1], state[2] | to << 2
        return knock_out(rules, state)
    heights, owners, word, player = state[0], state[1], state[2], turn(state)
    if kind == ENTER:
        word -= 1 << 5 + 3 * player
    else:
        at = 2 * (prefix(heights, origin) - 1)
        owners = owners & (1 << at) - 1 | owners >> at + 2 << at
        heights -= 1 << 4 * origin
    at = 2 * prefix(heights, to)
    owners = owners & (1 << at) - 1 | player << at | owners >> at << at + 2
    heights += 1 << 4 * to
    return pass_turn(rules, (heights, owners, word & ~(7 << 2)))


def knock_out(rules: Rules, state: State) -> State:
    """Returns the state after the player whose turn it is has gone out."""
    return pass_turn(rules, (state[0], state[1], listed_out(state, turn(state))))


def listed_out(state: State, player: int) -> int:
    """Returns word 2 with a player listed as the last one to have gone out."""
    count = out_count(state)
    return state[2] & ~(3 << 17) | count + 1 << 17 | player << 19 + 2 * count


def eliminate(rules: Rules, state: State, player: int) -> State:
    if rules[PLAYERS] == 2 or is_out(state, player) or outcome(rules, state) != PLAYING:
        return state
    word = listed_out(state, player)
    if player == turn(state):
        return pass_turn(rules, (state[0], state[1], word & ~(7 << 2)))
    if out_count(state) == rules[PLAYERS] - 2:  # the last one left has won, and whatever was rolled is discarded
        word &= ~(7 << 2)
    return state[0], state[1], word


def standing(rules: Rules, state: State, player: int) -> int:
    for i in range(out_count(state)):
        if out_player(state, i) == player:
            return rules[PLAYERS] - 1 - i
    return 0


def pass_turn(rules: Rules, state: State) -> State:
    """Returns the state in which it is the turn of the next player still in."""
    player = (turn(state) + 1) % rules[PLAYERS]
    while is_out(state, player):
        player = (player + 1) % rules[PLAYERS]
    return state[0], state[1], state[2] & ~3 | player


def outcome(rules: Rules, state: State) -> int:
    return turn(state) if out_count(state) == rules[PLAYERS] - 1 else PLAYING


def settled(rules: Rules, state: State) -> bool:
    return die(state) == 0


def permute(rules: Rules, state: State, cells: Sequence[int], swap: bool) -> State:
    heights, owners = 0, 0
    for cell in range(9):
        heights |= height(state[0], cell) << 4 * cells[cell]
    for cell in range(9):
        size = height(state[0], cell)
        stack = state[1] >> 2 * (prefix(state[0], cell) - size) & (1 << 2 * size) - 1
        owners |= stack << 2 * (prefix(heights, cells[cell]) - size)
    return heights, owners, state[2]


def permute_action(rules: Rules, action: int, cells: Sequence[int]) -> int:
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    if kind == ROLL:
        return action
    return kind << 8 | (cells[origin] << 4 if kind == MOVE else 0) | cells[to]
