"""Chefa: line up four pawns or make a square; the centre is not a cell.

Material   5x5 board whose centre c3 can never be entered and never blocks; 4 pawns each.
Phase 1    in turn, each player puts a pawn on an empty cell.
Phase 2    step an own pawn to an edge-neighbouring empty cell, or exchange an own pawn with an enemy pawn in the same
           row or column, all cells between them empty (c3 counts as empty).
Ko         the swap the opponent has just made may not be undone; it stands for one turn.
Aim        all 4 own pawns in one row or column, or in a 2x2 square.
Ruling: a gap in the line is allowed; the sheet says aligned, not adjacent.
Ruling: an action that completes both goals wins for the player who acted.

State, from the point of view of the player on move (cells as in ``cells.py``):

    word 0   own pawns, one bit per cell
    word 1   enemy pawns
    word 2   bit 0: the player on move (0 Black, 1 White); bits 1-10: the ko, lower cell * 32 + higher cell, or 0
             (cell 0 is never the higher one, so 0 is no pair)

Action: kind * 1024 + from * 32 + to; a placement has only `to`, a swap names the own pawn first.
"""

from collections.abc import Sequence

from damier.core.kernel.bits import bit, bit_count, highest, lowest
from damier.core.kernel.cells import EAST, NORTH, SOUTH, WEST, cell_set, neighbours, ray
from damier.core.kernel.contract import PLAYING, REPETITION_DRAWS, Rules, State, Words

PAWNS = 4
PLACE, STEP, SWAP = 0, 1, 2
REPETITION = REPETITION_DRAWS
MAX_ACTIONS = 32  # 4 pawns with 4 directions each, or 24 cells to place on

HOLE = cell_set(5, "c3")
CELLS = (1 << 25) - 1 & ~HOLE
NEIGHBOURS = [cells & ~HOLE for cells in neighbours(5)]
EAST_OF, NORTH_OF, WEST_OF, SOUTH_OF = ray(5, EAST), ray(5, NORTH), ray(5, WEST), ray(5, SOUTH)
FIRST, LAST = 1, 1 << 24  # a1 and e5
ROW = [0b11111 << cell // 5 * 5 for cell in range(25)]
COLUMN = [0b100001000010000100001 << cell % 5 for cell in range(25)]
#: The 2x2 square of which a cell is the lower left one, or 0.
SQUARE = [0b1100011 << cell if cell % 5 < 4 and cell < 20 else 0 for cell in range(25)]


def side_of(state: State) -> int:
    """Returns the player on move."""
    return state[2] & 1


def ko_of(state: State) -> int:
    """Returns the ko, or 0."""
    return state[2] >> 1


def kind_of(action: int) -> int:
    """Returns the kind of an action."""
    return action >> 10


def origin_of(action: int) -> int:
    """Returns the cell that an action starts from."""
    return action >> 5 & 31


def target_of(action: int) -> int:
    """Returns the cell that an action leads to."""
    return action & 31


def start(rules: Rules) -> State:
    return 0, 0, 0


def mover(rules: Rules, state: State) -> int:
    return side_of(state)


def is_placing(own: int) -> bool:
    """Tells whether the player whose pawns these are still has pawns to place."""
    return bit_count(own) < PAWNS


def actions(rules: Rules, state: State, out: Words) -> int:
    own, enemy, ko = state[0], state[1], ko_of(state)
    if is_placing(own):
        return place_actions(own | enemy, out)
    ko_cells = bit(ko >> 5) | bit(ko & 31) if ko else 0
    n = 0
    pawns = own
    for _ in range(PAWNS):
        cell = lowest(pawns)
        pawns &= pawns - 1
        n = step_actions(cell, own | enemy, out, n)
        n = swap_actions(cell, own | enemy, partners(cell, enemy, ko_cells), out, n)
    return n


def partners(cell: int, enemy: int, ko_cells: int) -> int:
    """Returns the enemy pawns that the pawn on a cell may be swapped with if it sees them."""
    return enemy & ~ko_cells if ko_cells >> cell & 1 else enemy


def place_actions(pawns: int, out: Words) -> int:
    n = 0
    empty = CELLS & ~pawns
    while empty:
        out[n] = lowest(empty)
        n += 1
        empty &= empty - 1
    return n


# Which steps and swaps are legal cannot be foretold, and a wrong guess costs the processor more than the work itself:
# each candidate is written without a question, and `n` counts on only if it is legal.


def step_actions(cell: int, pawns: int, out: Words, n: int) -> int:
    empty = (NEIGHBOURS[cell] & ~pawns) << 5 >> cell  # bit 5 would be the cell itself
    step = STEP << 10 | cell << 5 | cell
    out[n] = step - 5
    n += empty & 1
    out[n] = step - 1
    n += empty >> 4 & 1
    out[n] = step + 1
    n += empty >> 6 & 1
    out[n] = step + 5
    n += empty >> 10 & 1
    return n


def swap_actions(cell: int, pawns: int, others: int, out: Words, n: int) -> int:
    # Where a ray meets no pawn, a corner of the board stands for one: it lies on the ray only as its last cell, empty.
    n = swap_action(cell, lowest(EAST_OF[cell] & pawns | LAST), EAST_OF[cell] & others, out, n)
    n = swap_action(cell, lowest(NORTH_OF[cell] & pawns | LAST), NORTH_OF[cell] & others, out, n)
    n = swap_action(cell, highest(WEST_OF[cell] & pawns | FIRST), WEST_OF[cell] & others, out, n)
    return swap_action(cell, highest(SOUTH_OF[cell] & pawns | FIRST), SOUTH_OF[cell] & others, out, n)


def swap_action(cell: int, nearest: int, others: int, out: Words, n: int) -> int:
    """Adds the swap with the nearest pawn in a direction, if that is a partner."""
    out[n] = SWAP << 10 | cell << 5 | nearest
    return n + (others >> nearest & 1)


def is_open_line(cell: int, other: int, pawns: int) -> bool:
    """Tells whether two cells share a row or column with no pawn between them."""
    if cell > other:
        cell, other = other, cell
    if EAST_OF[cell] >> other & 1:
        return EAST_OF[cell] & WEST_OF[other] & pawns == 0
    if NORTH_OF[cell] >> other & 1:
        return NORTH_OF[cell] & SOUTH_OF[other] & pawns == 0
    return False


def pair(cell: int, other: int) -> int:
    """Returns the number of a swap as the ko remembers it, whichever of the two cells comes first."""
    return min(cell, other) << 5 | max(cell, other)


def apply(rules: Rules, state: State, action: int) -> State:
    own, enemy, side = state[0], state[1], side_of(state)
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    ko = 0
    if kind == PLACE:
        own |= bit(to)
    else:
        both = bit(origin) | bit(to)
        own ^= both
        if kind == SWAP:
            enemy ^= both
            ko = pair(origin, to)
    return enemy, own, ko << 1 | 1 - side


def outcome(rules: Rules, state: State) -> int:
    own, enemy, side = state[0], state[1], side_of(state)
    if has_goal(enemy):  # the player who has just acted comes first
        return 1 - side
    if has_goal(own):
        return side
    return PLAYING


def has_goal(pawns: int) -> bool:
    """Tells whether four pawns stand in one row, one column or a 2x2 square."""
    if bit_count(pawns) < PAWNS:
        return False
    first = lowest(pawns)
    return pawns & ~ROW[first] == 0 or pawns & ~COLUMN[first] == 0 or pawns == SQUARE[first]


def permute(rules: Rules, state: State, cells: Sequence[int], swap: bool) -> State:
    own, enemy, side, ko = 0, 0, side_of(state), ko_of(state)
    for cell in range(25):
        own |= (state[0] >> cell & 1) << cells[cell]
        enemy |= (state[1] >> cell & 1) << cells[cell]
    if ko:
        ko = pair(cells[ko >> 5], cells[ko & 31])
    return own, enemy, ko << 1 | side


def permute_action(rules: Rules, action: int, cells: Sequence[int]) -> int:
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    if kind == PLACE:
        return cells[to]
    return kind << 10 | cells[origin] << 5 | cells[to]
