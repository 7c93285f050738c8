"""Omba for two a second time, for the verifier of tables: from the rules' page alone, sharing nothing with the kernels.

A state is packed as ``rules.py`` says; what the functions do is documented in ``solve/verify_chances.py``. A piece is
walked here step by step for all rolls at once, and the symmetries are made of two mirrors: the vertical one, and the
rising diagonal.

Where a piece can end depends on the heights alone, so it is kept in `out`, behind the actions, for the next state that
has the same.
"""

from damier.core.kernel.bits import bit, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.core.options import Options

CHECK_HIGHEST = 6  # number of the die
CHECK_ENTRIES = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7  # b1, a2, c2, b3
CHECK_OUTSIDE = 9

#: By cell: the cells that share an edge with it, as a set.
CHECK_BESIDE = [
    sum(1 << to for to in range(9) if abs(to % 3 - cell % 3) + abs(to // 3 - cell // 3) == 1) for cell in range(9)
]

# Behind the actions in `out`: the heights plus 1, then the ends by cell and from outside.
CHECK_KEPT = 4 * 64
CHECK_ENDS = CHECK_KEPT + 1

# The heights of columns, and of diagonals by column less row.
CHECK_COLUMN = [sum(15 << 4 * (3 * y + x) for y in range(3)) for x in range(3)]
CHECK_DIAGONAL = [sum(15 << 4 * (3 * y + x) for y in range(3) for x in range(3) if x - y == d) for d in range(-2, 3)]

#: By number of mirrors, one and the other in turn, and cell: where they take it.
CHECK_IMAGE = [
    cell
    for cells in (
        "012345678", "210543876", "630741852", "852741630", "876543210", "678345012", "258147036", "036147258",
    )
    for cell in map(int, cells)
]  # fmt: skip


def check_numbers(options: Options) -> list[int]:
    return [0]


def check_mover(state: State) -> int:
    return state[2] & 1


# Actions


def check_rolled(given: Rules, state: State, out: Words) -> int:
    heights, owners, rest = state
    if out[CHECK_KEPT] != heights + 1:
        check_keep_ends(heights, out)
    player = check_mover(state)
    n = 0
    if rest >> 5 + 3 * player & 7:
        left = rest - (1 << 5 + 3 * player)
        n = check_put((heights, owners, left), out[CHECK_ENDS + CHECK_OUTSIDE], out, n)
    for cell in range(9):
        if check_height(heights, cell):
            top = 2 * (check_below(heights, cell + 1) - 1)
            if owners >> top & 3 == player:
                others = owners & bit(top) - 1 | owners >> top + 2 << top
                n = check_put((heights - bit(4 * cell), others, rest), out[CHECK_ENDS + cell], out, n)
    return n


def check_put(state: State, ends: int, out: Words, n: int) -> int:
    """Writes what follows when a piece that was taken ends where it can; returns how many there are now."""
    heights, owners, rest = state
    for cell in range(9):
        rolls = ends >> 6 * cell & 63
        if rolls:
            top = 2 * check_below(heights, cell + 1)
            out[4 * n] = rolls
            out[4 * n + 1] = heights + bit(4 * cell)
            out[4 * n + 2] = owners & bit(top) - 1 | check_mover(state) << top | owners >> top << top + 2
            out[4 * n + 3] = rest ^ 1
            n += 1
    return n


def check_keep_ends(heights: int, out: Words) -> None:
    """Keeps where the piece on top of each cell, or one from outside, can end."""
    out[CHECK_KEPT] = heights + 1
    for cell in range(9):
        level = check_height(heights, cell) - 1
        out[CHECK_ENDS + cell] = check_walked(heights, bit(cell), CHECK_BESIDE[cell], level) if level >= 0 else 0
    out[CHECK_ENDS + CHECK_OUTSIDE] = check_walked(heights, 0, CHECK_ENTRIES, 0)


def check_walked(heights: int, walked: int, choices: int, level: int) -> int:
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
        height = check_height(heights, cell)
        points = (spent >> 3 * steps & 7) + 1 + abs((levels >> 4 * steps & 15) - height)
        if points <= CHECK_HIGHEST:
            found |= bit(6 * cell + points - 1)
        if points < CHECK_HIGHEST:
            walked |= bit(cell)
            walk = walk & bit(4 * steps) - 1 | cell << 4 * steps
            steps += 1
            spent = spent & bit(3 * steps) - 1 | points << 3 * steps
            levels = levels & bit(4 * steps) - 1 | height << 4 * steps
            choices = choices & bit(9 * steps) - 1 | CHECK_BESIDE[cell] << 9 * steps
    return found


def check_height(heights: int, cell: int) -> int:
    """Returns the height of the stack on a cell."""
    return heights >> 4 * cell & 15


def check_below(heights: int, cell: int) -> int:
    """Returns how many pieces are on the cells with lower numbers: the sum of digits to the base of 16."""
    return (heights & bit(4 * cell) - 1) % 15


# Symmetries


def check_same(state: State, other: State) -> bool:
    if check_seen(state) != check_seen(other):
        return False
    heights, wanted = state[0], other[0]
    pieces, wanted_pieces = check_own(state), check_own(other)
    for i in range(8):
        if heights == wanted and check_turned(state[0], pieces, wanted, 9 * i) == wanted_pieces:
            return True
        heights = check_transposed(heights) if i & 1 else check_mirrored(heights)
    return False


def check_seen(state: State) -> int:
    """Returns the third word as if the first player were to roll."""
    rest = state[2]
    if check_mover(state):
        return rest & ~(1 | 63 << 5) | (rest >> 5 & 7) << 8 | (rest >> 8 & 7) << 5
    return rest


def check_own(state: State) -> int:
    """Returns the owners as if the first player were to roll."""
    pieces = check_below(state[0], 9)
    return state[1] ^ (bit(2 * pieces) - 1) // 3 if check_mover(state) else state[1]


def check_turned(heights: int, owners: int, wanted: int, image: int) -> int:
    """Returns the owners when the cells are where the mirrors take them, which gives the heights wanted."""
    turned = 0
    for cell in range(9):
        size = 2 * check_height(heights, cell)
        turned |= (owners & bit(size) - 1) << 2 * check_below(wanted, CHECK_IMAGE[image + cell])
        owners >>= size
    return turned


def check_mirrored(x: int) -> int:
    """Returns heights with column a for c."""
    return x << 8 & CHECK_COLUMN[2] | x >> 8 & CHECK_COLUMN[0] | x & CHECK_COLUMN[1]


def check_transposed(x: int) -> int:
    """Returns heights with rows for columns: cell 3 * y + x goes up by 2 * (x - y)."""
    y = x & CHECK_DIAGONAL[2]
    for d in range(1, 3):
        y |= (x & CHECK_DIAGONAL[2 + d]) << 8 * d | (x & CHECK_DIAGONAL[2 - d]) >> 8 * d
    return y
