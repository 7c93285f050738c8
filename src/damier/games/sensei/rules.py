"""Sensei (Diaballik): carry your character to the far row, by stones that move and passes between them.

Material   7x7 board; 7 stones and one character each.
A turn     one to three actions in any order: up to two stone moves (one stone twice, or two) and one character move.
Stone      along a row or column onto and over empty cells: one cell (shizukana) or any distance (arashi). A stone that
           carries its character does not move.
Character  from its stone to another own stone in line, diagonals included; only enemy stones between them block it.
Aim        the own character on the opponent's start row, at once and in the middle of a turn too.
Unfair     at the end of a turn, a player whose stones (pits count as theirs) connect column a to column g by edges or
           corners has lost if 3 or more enemy stones share an edge with that chain.
Ruling: unfair play is judged by itself; a player entitled to the claim would always make it.
Ruling: contact is by an edge; the chain is the whole connected group of stones and pits that spans the board.
If both players would lose by it at once, the one who has just ended the turn wins.

State, from the point of view of the player on move (cells as in ``cells.py``, 7 a row):

    word 0   bits 0-48: own stones; bits 49-54: the cell of the own character
    word 1   the same of the enemy
    word 2   bit 0: the player on move (0 Green, 1 Red); bits 1-2: stone moves left; bit 3: character moves left

Action: kind * 4096 + from * 64 + to.
"""

from collections.abc import Sequence

from damier.core.kernel.bits import bit_count, highest, lowest
from damier.core.kernel.cells import (
    EAST,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    cell_set,
    neighbours,
    ray,
)
from damier.core.kernel.contract import PLAYING, REPETITION_DRAWS, Rules, State, Words

STONE, CHARACTER, END = 0, 1, 2
REPETITION = REPETITION_DRAWS
MAX_ACTIONS = 152  # at most four stones reach each of 35 cells; six passes; the end of the turn

# Where the numbers of the options stand in `rules`.
SLIDES, PITS, GREEN, RED = 0, 1, 2, 3

MOVABLE = 6  # all stones but the one that carries the character

BOARD = (1 << 49) - 1
ROW_1, ROW_7 = 0b1111111, 0b1111111 << 42
FIRST, LAST = 1, 1 << 48  # a1 and g7
COLUMN_A = sum(1 << 7 * row for row in range(7))
COLUMN_G = COLUMN_A << 6
#: A fresh turn as word 2 without its side: two stone moves and one character move left.
FRESH = 2 << 1 | 1 << 3
TOUCHING = 3  # stones in contact with a chain that make it unfair

NEIGHBOURS = neighbours(7)
EAST_OF, NORTH_OF, WEST_OF, SOUTH_OF = ray(7, EAST), ray(7, NORTH), ray(7, WEST), ray(7, SOUTH)
NORTH_EAST_OF, NORTH_WEST_OF = ray(7, NORTH_EAST), ray(7, NORTH_WEST)
SOUTH_WEST_OF, SOUTH_EAST_OF = ray(7, SOUTH_WEST), ray(7, SOUTH_EAST)


def numbers(variant: str, pits: Sequence[str]) -> list[int]:
    """Returns the rules: whether stones slide, the pits, and the stones of both players at the start."""
    exchanged = cell_set(7, "b1", "f1", "b7", "f7") if variant == "shizukana-variant" else 0
    slides = int(variant.startswith("arashi"))
    return [slides, cell_set(7, *pits), ROW_1 ^ exchanged, ROW_7 ^ exchanged]


def side_of(state: State) -> int:
    """Returns the player on move."""
    return state[2] & 1


def stone_moves_left(state: State) -> int:
    """Returns how many stone moves are left in this turn."""
    return state[2] >> 1 & 3


def character_moves_left(state: State) -> int:
    """Returns how many character moves are left in this turn."""
    return state[2] >> 3


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
    return rules[GREEN] | 3 << 49, rules[RED] | 45 << 49, FRESH


def mover(rules: Rules, state: State) -> int:
    return side_of(state)


def stones(word: int) -> int:
    """Returns the stones of a player's word."""
    return word & BOARD


def character(word: int) -> int:
    """Returns the cell of the character of a player's word."""
    return word >> 49


def actions(rules: Rules, state: State, out: Words) -> int:
    own, enemy, carrier = stones(state[0]), stones(state[1]), character(state[0])
    n = 0
    if stone_moves_left(state):
        movable = own & ~(1 << carrier)
        if rules[SLIDES]:
            n = slide_actions(movable, own | enemy | rules[PITS], out, n)
        else:
            n = step_actions(movable, own | enemy | rules[PITS], out, n)
    if character_moves_left(state):
        n = target_actions(CHARACTER << 12 | carrier << 6, passes(carrier, own, enemy), out, n)
    out[n] = END << 12
    return n + (not settled(rules, state))


def step_actions(movable: int, blocked: int, out: Words, n: int) -> int:
    # Which steps are legal cannot be foretold, and a wrong guess costs the processor more than the work itself: each is
    # written without a question, and `n` counts on only if it is legal.
    empty = BOARD & ~blocked
    southward, westward = empty << 7, (empty & ~COLUMN_G) << 1  # the cells from which such a step is possible
    eastward, northward = (empty & ~COLUMN_A) >> 1, empty >> 7
    for _ in range(MOVABLE):
        cell = lowest(movable)
        movable &= movable - 1
        stay = STONE << 12 | cell << 6 | cell
        out[n] = stay - 7
        n += southward >> cell & 1
        out[n] = stay - 1
        n += westward >> cell & 1
        out[n] = stay + 1
        n += eastward >> cell & 1
        out[n] = stay + 7
        n += northward >> cell & 1
    return n


def slide_actions(movable: int, blocked: int, out: Words, n: int) -> int:
    while movable:
        cell = lowest(movable)
        movable &= movable - 1
        n = target_actions(STONE << 12 | cell << 6, slide(cell, blocked), out, n)
    return n


def target_actions(code: int, targets: int, out: Words, n: int) -> int:
    """Adds one action for each cell on which a stone or the character may land."""
    while targets:
        out[n] = code | lowest(targets)
        n += 1
        targets &= targets - 1
    return n


# Where nothing blocks a ray, the last cell of the board in its direction stands for a blocker: no ray goes on from it.


def slide(cell: int, blocked: int) -> int:
    """Returns the cells that a stone reaches along rows and columns before something blocks it."""
    return lines(cell, blocked) & ~blocked


def lines(cell: int, blocked: int) -> int:
    """Returns the same cells with those that block."""
    cells = EAST_OF[cell] & ~EAST_OF[lowest(EAST_OF[cell] & blocked | LAST)]
    cells |= NORTH_OF[cell] & ~NORTH_OF[lowest(NORTH_OF[cell] & blocked | LAST)]
    cells |= WEST_OF[cell] & ~WEST_OF[highest(WEST_OF[cell] & blocked | FIRST)]
    cells |= SOUTH_OF[cell] & ~SOUTH_OF[highest(SOUTH_OF[cell] & blocked | FIRST)]
    return cells


def passes(cell: int, own: int, enemy: int) -> int:
    """Returns the own stones in line with a cell that no enemy stone hides."""
    cells = EAST_OF[cell] & ~EAST_OF[lowest(EAST_OF[cell] & enemy | LAST)]
    cells |= NORTH_OF[cell] & ~NORTH_OF[lowest(NORTH_OF[cell] & enemy | LAST)]
    cells |= NORTH_EAST_OF[cell] & ~NORTH_EAST_OF[lowest(NORTH_EAST_OF[cell] & enemy | LAST)]
    cells |= NORTH_WEST_OF[cell] & ~NORTH_WEST_OF[lowest(NORTH_WEST_OF[cell] & enemy | LAST)]
    cells |= WEST_OF[cell] & ~WEST_OF[highest(WEST_OF[cell] & enemy | FIRST)]
    cells |= SOUTH_OF[cell] & ~SOUTH_OF[highest(SOUTH_OF[cell] & enemy | FIRST)]
    cells |= SOUTH_WEST_OF[cell] & ~SOUTH_WEST_OF[highest(SOUTH_WEST_OF[cell] & enemy | FIRST)]
    cells |= SOUTH_EAST_OF[cell] & ~SOUTH_EAST_OF[highest(SOUTH_EAST_OF[cell] & enemy | FIRST)]
    return cells & own


def apply(rules: Rules, state: State, action: int) -> State:
    own, enemy, word = state[0], state[1], state[2]
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    if kind == STONE:
        own ^= 1 << origin | 1 << to
        word -= 1 << 1
    elif kind == CHARACTER:
        own = stones(own) | to << 49
        word -= 1 << 3
    if kind == END or word >> 1 == 0:
        return enemy, own, FRESH | 1 - (word & 1)
    return own, enemy, word


def settled(rules: Rules, state: State) -> bool:
    return state[2] >> 1 == FRESH >> 1


def outcome(rules: Rules, state: State) -> int:
    own, enemy, side = state[0], state[1], side_of(state)
    if is_home(enemy, 1 - side):  # the player who has just acted comes first
        return 1 - side
    if is_home(own, side):
        return side
    if settled(rules, state):
        if is_unfair(stones(own), stones(enemy), rules[PITS]):
            return 1 - side
        if is_unfair(stones(enemy), stones(own), rules[PITS]):
            return side
    return PLAYING


def is_home(word: int, player: int) -> bool:
    """Tells whether a player's character stands on the opponent's start row."""
    cell = character(word)
    return cell < 7 if player else cell >= 42


def is_unfair(blocker: int, enemy: int, pits: int) -> bool:
    """Tells whether a chain of the blocker spans the board with three or more enemy stones in contact."""
    wall = blocker | pits
    columns = wall | wall >> 28
    columns |= columns >> 14
    columns |= columns >> 7
    if columns & ROW_1 != ROW_1:
        return False  # a column without a stone or pit: nothing spans the board
    seeds = wall & COLUMN_A
    while seeds:
        group = grow(seeds & -seeds, wall)
        if group & COLUMN_G and bit_count(edges(group) & enemy) >= TOUCHING:
            return True
        seeds &= ~group
    return False


def grow(group: int, wall: int) -> int:
    """Returns all cells of the wall that edges or corners connect to a part of it."""
    before = 0
    while group != before:
        before = group
        group |= (group & ~COLUMN_G) << 1 | (group & ~COLUMN_A) >> 1
        group = (group | group << 7 | group >> 7) & wall
        group |= before
    return group


def edges(group: int) -> int:
    """Returns the cells that share an edge with a cell of a group."""
    return (group << 7 | group >> 7 | (group & ~COLUMN_G) << 1 | (group & ~COLUMN_A) >> 1) & BOARD


def permute(rules: Rules, state: State, cells: Sequence[int], swap: bool) -> State:
    own, enemy = cells[character(state[0])] << 49, cells[character(state[1])] << 49
    for cell in range(49):
        own |= (state[0] >> cell & 1) << cells[cell]
        enemy |= (state[1] >> cell & 1) << cells[cell]
    return own, enemy, state[2] ^ (1 if swap else 0)


def permute_action(rules: Rules, action: int, cells: Sequence[int]) -> int:
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    if kind == END:
        return action
    return kind << 12 | cells[origin] << 6 | cells[to]
