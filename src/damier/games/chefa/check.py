"""Chefa a second time, for the verifier of tables: from the rules' page alone, sharing nothing with the game's kernels.

A state is packed as ``rules.py`` says; what the functions do is documented in the contract. Lines are walked cell by
cell here, and the symmetries are made of two mirrors: the vertical one, and the rising diagonal.
"""

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.core.options import Options

HOLE = 12  # c3
BOARD = (1 << 25) - 1
ALL_PLACED = 8

#: By cell and direction (right, left, up, down): the four cells of the line from there, -1 beyond the edge.
LINES = [
    5 * (y + i * up) + x + i * right if 0 <= x + i * right < 5 and 0 <= y + i * up < 5 else -1
    for y in range(5)
    for x in range(5)
    for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1))
    for i in (1, 2, 3, 4)
]

#: By cell: its row; its column; the 2x2 square of which it is the corner with the lowest number, or 0.
ROWS = [0b11111 << 5 * y for y in range(5) for x in range(5)]
COLUMNS = [sum(1 << 5 * i + x for i in range(5)) for y in range(5) for x in range(5)]
SQUARES = [0b1100011 << 5 * y + x if x < 4 and y < 4 else 0 for y in range(5) for x in range(5)]

# The columns, and the diagonals by column less row.
COLUMN = [sum(1 << 5 * y + x for y in range(5)) for x in range(5)]
DIAGONAL = [sum(1 << 5 * y + x for y in range(5) for x in range(5) if x - y == d) for d in range(-4, 5)]


def numbers(options: Options) -> list[int]:
    return [0]


def player_on_move(state: State) -> int:
    return state[2] & 1


def shown_result(given: Rules, state: State) -> int:
    if has_goal(state[1]):
        return 2
    if has_goal(state[0]):
        return 1
    return 0


def has_goal(pawns: int) -> bool:
    """Tells whether four pawns are in one row, one column or a 2x2 square."""
    if bit_count(pawns) < 4:
        return False
    first = lowest(pawns)
    return not pawns & ~ROWS[first] or not pawns & ~COLUMNS[first] or pawns == SQUARES[first]


def successors(given: Rules, state: State, out: Words) -> int:
    own, enemy, rest = state
    if bit_count(own | enemy) < ALL_PLACED:
        return write_placements(own, enemy, rest & 1 ^ 1, out)
    n = 0
    pawns = own
    while pawns:
        origin = lowest(pawns)
        pawns &= pawns - 1
        for line in range(16 * origin, 16 * origin + 16, 4):
            n = write_moves(own, enemy, rest, origin, line, out, n)
    return n


def write_placements(own: int, enemy: int, other: int, out: Words) -> int:
    """Writes what follows when a pawn is put on an empty cell other than c3."""
    n = 0
    empty = BOARD & ~(own | enemy | bit(HOLE))
    while empty:
        n = write_state(enemy, own | empty & -empty, other, out, n)
        empty &= empty - 1
    return n


def write_moves(own: int, enemy: int, rest: int, origin: int, line: int, out: Words, n: int) -> int:
    """Writes what follows when a pawn steps onto the first cell of a line, or swaps with the first enemy on it."""
    other = rest & 1 ^ 1
    target = LINES[line]
    if target >= 0 and target != HOLE and not (own | enemy) & bit(target):
        n = write_state(enemy, own ^ bit(origin) ^ bit(target), other, out, n)
    for i in range(line, line + 4):
        target = LINES[i]
        if target < 0 or own & bit(target):
            return n
        if enemy & bit(target):
            both = bit(origin) | bit(target)
            ko = min(origin, target) << 5 | max(origin, target)
            if ko != rest >> 1:
                n = write_state(enemy ^ both, own ^ both, ko << 1 | other, out, n)
            return n
    return n


def write_state(own: int, enemy: int, rest: int, out: Words, n: int) -> int:
    """Writes a state as the next one and returns how many there are now."""
    out[3 * n] = own
    out[3 * n + 1] = enemy
    out[3 * n + 2] = rest
    return n + 1


def leads_group(given: Rules, state: State) -> bool:
    return state[2] >> 1 == 0


def group_members(given: Rules, state: State, count: int, out: Words, at: int) -> int:
    # A swap that was just made is forbidden: it is a swap that the leader has.
    n = 0
    for i in range(count):
        if out[3 * i + 2] >> 1:
            member = at + 5 * n
            out[member], out[member + 1] = state[0], state[1]
            out[member + 2] = out[3 * i + 2] ^ 1
            out[member + 3], out[member + 4] = i, i + 1
            n += 1
    return n


def mirrored(x: int) -> int:
    """Returns a board with column a for e, b for d and so on."""
    outer = x << 4 & COLUMN[4] | x >> 4 & COLUMN[0]
    inner = x << 2 & COLUMN[3] | x >> 2 & COLUMN[1]
    return outer | inner | x & COLUMN[2]


def transposed(x: int) -> int:
    """Returns a board with rows for columns: cell 5 * y + x goes up by 4 * (x - y)."""
    y = x & DIAGONAL[4]
    for d in range(1, 5):
        y |= (x & DIAGONAL[4 + d]) << 4 * d | (x & DIAGONAL[4 - d]) >> 4 * d
    return y


def _image(cells: int, mirrors: int) -> int:
    """Returns a board after as many mirrors, one and the other in turn: from 0 to 7, these are all symmetries."""
    for i in range(mirrors):
        cells = transposed(cells) if i & 1 else mirrored(cells)
    return cells


#: By symmetry, then by cells 0 to 8, 9 to 16 and 17 to 24: what the symmetry makes of these cells.
IMAGE_ROW = 1024
IMAGES = [
    _image(cells << first, mirrors)
    for mirrors in range(8)
    for first, size in ((0, 9), (9, 8), (17, 8))
    for cells in range(1 << size)
]


def image_of(cells: int, symmetry: int) -> int:
    """Returns the image of a board."""
    row = IMAGE_ROW * symmetry
    return (
        IMAGES[row + (cells & 511)] | IMAGES[row + 512 + (cells >> 9 & 255)] | IMAGES[row + 768 + (cells >> 17 & 255)]
    )


def is_image(state: State, other: State, symmetry: int) -> bool:
    if image_of(state[0], symmetry) != other[0] or image_of(state[1], symmetry) != other[1]:
        return False
    if state[2] >> 1 == 0 or other[2] >> 1 == 0:
        return state[2] >> 1 == other[2] >> 1
    return image_of(ko_cells(state[2]), symmetry) == ko_cells(other[2])


def image_hint(state: State) -> int:
    # After a swap it is the pair that is turned, else the own pawns.
    ko = state[2] >> 1
    if ko:
        return ko | (state[0] >> (ko >> 5) & 1) << 10
    return 2048 | state[0] * 0x9E3779B1 >> 21 & 2047


def ko_cells(rest: int) -> int:
    """Returns the two cells of a ko as a set, or no cells."""
    ko = rest >> 1
    return bit(ko >> 5) | bit(ko & 31) if ko else 0


def is_same(state: State, other: State) -> bool:
    found = False
    for i in range(8):
        found = found or is_image(state, other, i)
    return found
