"""Omba for two a second time, for the verifier of tables: from the rules' page alone, sharing nothing with the kernels.

A state is packed as ``rules.py`` says; what the functions do is documented in the contract. A piece is walked here step
by step for all rolls at once, and the symmetries are made of two mirrors: the vertical one, and the rising diagonal.

Where a piece can end depends on the heights alone, so it is kept in `out`, behind the actions, for the next state that
has the same.
"""

from damier.core.kernel.bits import bit, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.core.options import Options

SHAPE_MODULE = "check_shapes"

HIGHEST = 6  # number of the die
ENTRIES = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7  # b1, a2, c2, b3
OUTSIDE = 9

#: By cell: the cells that share an edge with it, as a set.
BESIDE = [
    sum(1 << to for to in range(9) if abs(to % 3 - cell % 3) + abs(to // 3 - cell // 3) == 1) for cell in range(9)
]

# Behind the actions in `out`: the heights plus 1, then the ends by cell and from outside.
KEPT = 4 * 64
ENDS = KEPT + 1

# The heights of columns, and of diagonals by column less row.
COLUMN = [sum(15 << 4 * (3 * y + x) for y in range(3)) for x in range(3)]
DIAGONAL = [sum(15 << 4 * (3 * y + x) for y in range(3) for x in range(3) if x - y == d) for d in range(-2, 3)]

#: By number of mirrors, one and the other in turn, and cell: where they take it.
IMAGE = [
    cell
    for cells in (
        "012345678", "210543876", "630741852", "852741630", "876543210", "678345012", "258147036", "036147258",
    )
    for cell in map(int, cells)
]  # fmt: skip


def numbers(options: Options) -> list[int]:
    return [0]


def player_on_move(state: State) -> int:
    return state[2] & 1


# Actions


def rolled_successors(given: Rules, state: State, out: Words) -> int:
    heights, owners, rest = state
    if out[KEPT] != heights + 1:
        keep_ends(heights, out)
    player = player_on_move(state)
    n = 0
    if rest >> 5 + 3 * player & 7:
        left = rest - (1 << 5 + 3 * player)
        n = put_down((heights, owners, left), out[ENDS + OUTSIDE], out, n)
    for cell in range(9):
        if height_of(heights, cell):
            top = 2 * (pieces_below(heights, cell + 1) - 1)
            if owners >> top & 3 == player:
                others = owners & bit(top) - 1 | owners >> top + 2 << top
                n = put_down((heights - bit(4 * cell), others, rest), out[ENDS + cell], out, n)
    return n


def put_down(state: State, ends: int, out: Words, n: int) -> int:
    """Writes what follows when a piece that was taken ends where it can; returns how many there are now."""
    heights, owners, rest = state
    for cell in range(9):
        rolls = ends >> 6 * cell & 63
        if rolls:
            top = 2 * pieces_below(heights, cell + 1)
            out[4 * n] = rolls
            out[4 * n + 1] = heights + bit(4 * cell)
            out[4 * n + 2] = owners & bit(top) - 1 | player_on_move(state) << top | owners >> top << top + 2
            out[4 * n + 3] = rest ^ 1
            n += 1
    return n


def keep_ends(heights: int, out: Words) -> None:
    """Keeps where the piece on top of each cell, or one from outside, can end."""
    out[KEPT] = heights + 1
    for cell in range(9):
        level = height_of(heights, cell) - 1
        out[ENDS + cell] = ends_of_walks(heights, bit(cell), BESIDE[cell], level) if level >= 0 else 0
    out[ENDS + OUTSIDE] = ends_of_walks(heights, 0, ENTRIES, 0)


def ends_of_walks(heights: int, walked: int, choices: int, level: int) -> int:
    """Returns where a piece at a level can end: bit 6 * cell + points - 1.

    `walked` is the set of cells that are forbidden, and `choices` are those for the first step. Later, `choices` has
    nine bits for each step of a walk: what is left to be tried. The piece stands on the last cell of the walk.
    """
    found = 0
    steps, spent, walk, levels = 0, 0, 0, level  # three bits for what is spent after each step, four for the others
    while steps >= 0:
        left = choices >> 9 * steps & 511 & ~walked
        if left == 0:
            steps -= 1
            if steps >= 0:
                walked ^= bit(walk >> 4 * steps & 15)
            continue
        cell = lowest(left)
        choices &= ~bit(9 * steps + cell)
        height = height_of(heights, cell)
        points = (spent >> 3 * steps & 7) + 1 + abs((levels >> 4 * steps & 15) - height)
        if points <= HIGHEST:
            found |= bit(6 * cell + points - 1)
        if points < HIGHEST:
            walked |= bit(cell)
            walk = walk & bit(4 * steps) - 1 | cell << 4 * steps
            steps += 1
            spent = spent & bit(3 * steps) - 1 | points << 3 * steps
            levels = levels & bit(4 * steps) - 1 | height << 4 * steps
            choices = choices & bit(9 * steps) - 1 | BESIDE[cell] << 9 * steps
    return found


def height_of(heights: int, cell: int) -> int:
    """Returns the height of the stack on a cell."""
    return heights >> 4 * cell & 15


def pieces_below(heights: int, cell: int) -> int:
    """Returns how many pieces are on the cells with lower numbers: the sum of digits to the base of 16."""
    return (heights & bit(4 * cell) - 1) % 15


# Symmetries


def is_same(state: State, other: State) -> bool:
    if rest_seen(state) != rest_seen(other):
        return False
    heights, wanted = state[0], other[0]
    pieces, wanted_pieces = owners_seen(state), owners_seen(other)
    for i in range(8):
        if heights == wanted and owners_turned(state[0], pieces, wanted, 9 * i) == wanted_pieces:
            return True
        heights = transposed(heights) if i & 1 else mirrored(heights)
    return False


def rest_seen(state: State) -> int:
    """Returns the third word as if the first player were to roll."""
    rest = state[2]
    if player_on_move(state):
        return rest & ~(1 | 63 << 5) | (rest >> 5 & 7) << 8 | (rest >> 8 & 7) << 5
    return rest


def owners_seen(state: State) -> int:
    """Returns the owners as if the first player were to roll."""
    pieces = pieces_below(state[0], 9)
    return state[1] ^ (bit(2 * pieces) - 1) // 3 if player_on_move(state) else state[1]


def owners_turned(heights: int, owners: int, wanted: int, image: int) -> int:
    """Returns the owners when the cells are where the mirrors take them, which gives the heights wanted."""
    turned = 0
    for cell in range(9):
        size = 2 * height_of(heights, cell)
        turned |= (owners & bit(size) - 1) << 2 * pieces_below(wanted, IMAGE[image + cell])
        owners >>= size
    return turned


def mirrored(x: int) -> int:
    """Returns heights with column a for c."""
    return x << 8 & COLUMN[2] | x >> 8 & COLUMN[0] | x & COLUMN[1]


def transposed(x: int) -> int:
    """Returns heights with rows for columns: cell 3 * y + x goes up by 2 * (x - y)."""
    y = x & DIAGONAL[2]
    for d in range(1, 3):
        y |= (x & DIAGONAL[2 + d]) << 8 * d | (x & DIAGONAL[2 - d]) >> 8 * d
    return y
