"""Chefa a second time, for the verifier of tables: from the rules' page alone, sharing nothing with the game's kernels.

A state is packed as ``rules.py`` says; what the functions do is documented in ``solve/verify.py``. Lines are walked
cell by cell here, and the symmetries are made of two mirrors: the vertical one, and the rising diagonal.
"""

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.core.options import Options

CHECK_HOLE = 12  # c3
CHECK_BOARD = (1 << 25) - 1
CHECK_ALL_PLACED = 8

#: By cell and direction (right, left, up, down): the four cells of the line from there, -1 beyond the edge.
CHECK_LINES = [
    5 * (y + i * up) + x + i * right if 0 <= x + i * right < 5 and 0 <= y + i * up < 5 else -1
    for y in range(5)
    for x in range(5)
    for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1))
    for i in (1, 2, 3, 4)
]

#: By cell: its row; its column; the 2x2 square of which it is the corner with the lowest number, or 0.
CHECK_ROWS = [0b11111 << 5 * y for y in range(5) for x in range(5)]
CHECK_COLUMNS = [sum(1 << 5 * i + x for i in range(5)) for y in range(5) for x in range(5)]
CHECK_SQUARES = [0b1100011 << 5 * y + x if x < 4 and y < 4 else 0 for y in range(5) for x in range(5)]

# Two boards beside each other in a word: the columns, and the diagonals by column less row.
CHECK_TWICE = 1 + (1 << 25)
CHECK_COLUMN = [CHECK_TWICE * sum(1 << 5 * y + x for y in range(5)) for x in range(5)]
CHECK_DIAGONAL = [
    CHECK_TWICE * sum(1 << 5 * y + x for y in range(5) for x in range(5) if x - y == d) for d in range(-4, 5)
]


def check_numbers(options: Options) -> list[int]:
    return [0]


def check_mover(state: State) -> int:
    return state[2] & 1


def check_result(given: Rules, state: State) -> int:
    if check_goal(state[1]):
        return 2
    if check_goal(state[0]):
        return 1
    return 0


def check_goal(pawns: int) -> bool:
    """Tells whether four pawns are in one row, one column or a 2x2 square."""
    if bit_count(pawns) < 4:
        return False
    first = lowest(pawns)
    return not pawns & ~CHECK_ROWS[first] or not pawns & ~CHECK_COLUMNS[first] or pawns == CHECK_SQUARES[first]


def check_following(given: Rules, state: State, out: Words) -> int:
    own, enemy, rest = state
    if bit_count(own | enemy) < CHECK_ALL_PLACED:
        return check_placed(own, enemy, rest & 1 ^ 1, out)
    n = 0
    pawns = own
    while pawns:
        origin = lowest(pawns)
        pawns &= pawns - 1
        for line in range(16 * origin, 16 * origin + 16, 4):
            n = check_moved(own, enemy, rest, origin, line, out, n)
    return n


def check_placed(own: int, enemy: int, other: int, out: Words) -> int:
    """Writes what follows when a pawn is put on an empty cell other than c3."""
    n = 0
    empty = CHECK_BOARD & ~(own | enemy | bit(CHECK_HOLE))
    while empty:
        n = check_written(enemy, own | empty & -empty, other, out, n)
        empty &= empty - 1
    return n


def check_moved(own: int, enemy: int, rest: int, origin: int, line: int, out: Words, n: int) -> int:
    """Writes what follows when a pawn steps onto the first cell of a line, or swaps with the first enemy on it."""
    other = rest & 1 ^ 1
    target = CHECK_LINES[line]
    if target >= 0 and target != CHECK_HOLE and not (own | enemy) & bit(target):
        n = check_written(enemy, own ^ bit(origin) ^ bit(target), other, out, n)
    for i in range(line, line + 4):
        target = CHECK_LINES[i]
        if target < 0 or own & bit(target):
            return n
        if enemy & bit(target):
            both = bit(origin) | bit(target)
            ko = min(origin, target) << 5 | max(origin, target)
            if ko != rest >> 1:
                n = check_written(enemy ^ both, own ^ both, ko << 1 | other, out, n)
            return n
    return n


def check_written(own: int, enemy: int, rest: int, out: Words, n: int) -> int:
    """Writes a state as the next one and returns how many there are now."""
    out[3 * n] = own
    out[3 * n + 1] = enemy
    out[3 * n + 2] = rest
    return n + 1


def check_same(state: State, other: State) -> bool:
    boards, ko = state[0] | state[1] << 25, check_pair(state[2])
    wanted, wanted_ko = other[0] | other[1] << 25, check_pair(other[2])
    for i in range(8):
        if boards == wanted and ko == wanted_ko:
            return True
        if i & 1:
            boards, ko = check_transposed(boards), check_transposed(ko)
        else:
            boards, ko = check_mirrored(boards), check_mirrored(ko)
    return False


def check_pair(rest: int) -> int:
    """Returns the two cells of a ko as a set, or no cells."""
    ko = rest >> 1
    return bit(ko >> 5) | bit(ko & 31) if ko else 0


def check_mirrored(x: int) -> int:
    """Returns two boards with column a for e, b for d and so on."""
    outer = x << 4 & CHECK_COLUMN[4] | x >> 4 & CHECK_COLUMN[0]
    inner = x << 2 & CHECK_COLUMN[3] | x >> 2 & CHECK_COLUMN[1]
    return outer | inner | x & CHECK_COLUMN[2]


def check_transposed(x: int) -> int:
    """Returns two boards with rows for columns: cell 5 * y + x goes up by 4 * (x - y)."""
    y = x & CHECK_DIAGONAL[4]
    for d in range(1, 5):
        y |= (x & CHECK_DIAGONAL[4 + d]) << 4 * d | (x & CHECK_DIAGONAL[4 - d]) >> 4 * d
    return y
