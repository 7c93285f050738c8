"""Renfa-Bomba: place bombs, slide them like rooks, blow up the enemy's without losing your own.

Material   a square board of 5 to 8 cells a side; `bombs` bombs each.
Phase 1    in turn, each player puts a bomb on an empty cell. Nothing explodes.
Phase 2    move an own bomb like a rook, over and onto empty cells only; a bomb with two or more enemy neighbours is
           pinned. Or detonate an enemy bomb that has an own bomb, pinned or not, as a neighbour: the whole
           edge-connected group of bombs of both colours disappears.
End        after a detonation a player with `last` bombs or fewer has lost, the one who detonated included.
Ruling: if both players have `last` bombs or fewer, the game is drawn.

State, from the point of view of the player on move (cells as in ``cells.py``, `size` a row):

    word 0   own bombs, one bit per cell (on 8x8 bit 63 is in use: these words are never shifted)
    word 1   enemy bombs
    word 2   bit 0: the player on move (0 Black, 1 White); bits 1-7: bombs still to place, both players together

Action: kind * 4096 + from * 64 + to; a placement and a detonation have only `to`.
"""

from collections.abc import Sequence

from damier.core.kernel.bits import bit, bit_count, highest, lowest
from damier.core.kernel.cells import EAST, NORTH, SOUTH, WEST, neighbours, ray
from damier.core.kernel.contract import DRAW, PLAYING, REPETITION_DRAWS, Rules, State, Words

PLACE, MOVE, DETONATE = 0, 1, 2
REPETITION = REPETITION_DRAWS
MAX_ACTIONS = 288  # at most four bombs can reach each of 64 cells, and 32 bombs to detonate

# Where the numbers of the options stand in `rules`.
SIZE, BOMBS, LAST, BOARD = 0, 1, 2, 3
NEIGHBOURS = 4
EAST_OF, NORTH_OF, WEST_OF, SOUTH_OF = 68, 132, 196, 260


def numbers(size: int, bombs: int, last: int) -> list[int]:
    """Returns the rules: the options, the board, and tables of neighbours and rays, 64 words each."""
    tables = [neighbours(size)] + [ray(size, way) for way in (EAST, NORTH, WEST, SOUTH)]
    board = 0
    for cell in range(size * size):
        board |= bit(cell)
    return [size, bombs, last, board] + [word for table in tables for word in table + [0] * (64 - len(table))]


def side_of(state: State) -> int:
    """Returns the player on move."""
    return state[2] & 1


def to_place(state: State) -> int:
    """Returns how many bombs both players together have still to place."""
    return state[2] >> 1


def kind_of(action: int) -> int:
    """Returns the kind of an action."""
    return action >> 12


def origin_of(action: int) -> int:
    """Returns the cell that an action starts from."""
    return action >> 6 & 63


def target_of(action: int) -> int:
    """Returns the cell that an action leads to."""
    return action & 63


def start(rules: Rules) -> State:
    return 0, 0, 2 * rules[BOMBS] << 1


def mover(rules: Rules, state: State) -> int:
    return side_of(state)


def actions(rules: Rules, state: State, out: Words) -> int:
    own, enemy = state[0], state[1]
    if to_place(state):
        return place_actions(rules[BOARD] & ~(own | enemy), out)
    n = 0
    bombs = own
    while bombs:
        cell = lowest(bombs)
        bombs ^= bit(cell)
        if not is_pinned(rules, cell, enemy):
            n = move_actions(rules, cell, own | enemy, out, n)
    bombs = enemy
    while bombs:
        cell = lowest(bombs)
        bombs ^= bit(cell)
        if rules[NEIGHBOURS + cell] & own:
            out[n] = DETONATE << 12 | cell
            n += 1
    return n


def place_actions(empty: int, out: Words) -> int:
    n = 0
    while empty:
        out[n] = lowest(empty)
        empty ^= bit(out[n])
        n += 1
    return n


def is_pinned(rules: Rules, cell: int, enemy: int) -> bool:
    """Tells whether a bomb has two or more enemy neighbours."""
    return bit_count(rules[NEIGHBOURS + cell] & enemy) >= 2


def move_actions(rules: Rules, cell: int, bombs: int, out: Words, n: int) -> int:
    open_cells = reach(rules, cell, bombs)
    while open_cells:
        to = lowest(open_cells)
        open_cells ^= bit(to)
        out[n] = MOVE << 12 | cell << 6 | to
        n += 1
    return n


def reach(rules: Rules, cell: int, bombs: int) -> int:
    """Returns the cells a rook reaches: each ray as far as the nearest bomb."""
    cells = rules[EAST_OF + cell] | rules[NORTH_OF + cell] | rules[WEST_OF + cell] | rules[SOUTH_OF + cell]
    if not cells & bombs:
        return cells
    line = rules[EAST_OF + cell] & bombs
    if line:
        cells &= ~rules[EAST_OF + lowest(line)]
    line = rules[NORTH_OF + cell] & bombs
    if line:
        cells &= ~rules[NORTH_OF + lowest(line)]
    line = rules[WEST_OF + cell] & bombs
    if line:
        cells &= ~rules[WEST_OF + highest(line)]
    line = rules[SOUTH_OF + cell] & bombs
    if line:
        cells &= ~rules[SOUTH_OF + highest(line)]
    return cells & ~bombs


def apply(rules: Rules, state: State, action: int) -> State:
    own, enemy, side, hand = state[0], state[1], side_of(state), to_place(state)
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    if kind == PLACE:
        own |= bit(to)
        hand -= 1
    elif kind == MOVE:
        own ^= bit(origin) | bit(to)
    else:
        group = chain(rules, to, own | enemy)
        own &= ~group
        enemy &= ~group
    return enemy, own, hand << 1 | 1 - side


def chain(rules: Rules, cell: int, bombs: int) -> int:
    """Returns the edge-connected group of bombs of either colour that goes off with the one on a cell."""
    group = bit(cell)
    fresh = group
    while fresh:
        cell = lowest(fresh)
        fresh ^= bit(cell)
        caught = rules[NEIGHBOURS + cell] & bombs & ~group
        group |= caught
        fresh |= caught
    return group


def outcome(rules: Rules, state: State) -> int:
    side, hand = side_of(state), to_place(state)
    if hand:
        return PLAYING
    own_lost = bit_count(state[0]) <= rules[LAST]
    enemy_lost = bit_count(state[1]) <= rules[LAST]
    if own_lost:
        return DRAW if enemy_lost else 1 - side
    return side if enemy_lost else PLAYING


def permute(rules: Rules, state: State, cells: Sequence[int], swap: bool) -> State:
    own, enemy = 0, 0
    for cell in range(rules[SIZE] * rules[SIZE]):
        if state[0] & bit(cell):
            own |= bit(cells[cell])
        if state[1] & bit(cell):
            enemy |= bit(cells[cell])
    return own, enemy, state[2]


def permute_action(rules: Rules, action: int, cells: Sequence[int]) -> int:
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    return kind << 12 | (cells[origin] << 6 if kind == MOVE else 0) | cells[to]
