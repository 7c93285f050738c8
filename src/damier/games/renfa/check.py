"""Renfa-Bomba on 5x5 cells a second time, for the verifier of tables: from the rules' page alone.

It shares nothing with the game's kernels. A state is packed as ``rules.py`` says; what the functions do is documented
in the contract. Lines are walked cell by cell here, and the symmetries are made of two mirrors: the vertical one, and
the rising diagonal. *given* has the numbers `bombs` and `last`.
"""

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.core.options import Options

LAST = 1  # where the option is in what is given

BOARD = (1 << 25) - 1

#: By cell and direction (right, left, up, down): the four cells of the line from there, -1 beyond the edge.
LINES = [
    5 * (y + i * up) + x + i * right if 0 <= x + i * right < 5 and 0 <= y + i * up < 5 else -1
    for y in range(5)
    for x in range(5)
    for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1))
    for i in (1, 2, 3, 4)
]

#: By cell: the cells that share an edge with it.
BESIDE = [sum(1 << LINES[line] for line in range(16 * cell, 16 * cell + 16, 4) if LINES[line] >= 0)
                for cell in range(25)]  # fmt: skip

# The columns, and the diagonals by column less row.
COLUMN = [sum(1 << 5 * y + x for y in range(5)) for x in range(5)]
DIAGONAL = [sum(1 << 5 * y + x for y in range(5) for x in range(5) if x - y == d) for d in range(-4, 5)]


def numbers(options: Options) -> list[int]:
    return [int(options["bombs"]), int(options["last"])]


def player_on_move(state: State) -> int:
    return state[2] & 1


def shown_result(given: Rules, state: State) -> int:
    if state[2] >> 1:
        return 0
    has_lost = bit_count(state[0]) <= given[LAST]
    has_won = bit_count(state[1]) <= given[LAST]
    if has_lost:
        return 3 if has_won else 2
    return 1 if has_won else 0


def successors(given: Rules, state: State, out: Words) -> int:
    own, enemy, rest = state
    other = rest & 1 ^ 1
    if rest >> 1:
        return write_placements(own, enemy, (rest >> 1) - 1 << 1 | other, out)
    return write_detonations(own, enemy, other, out, write_moves(own, enemy, other, out))


def write_placements(own: int, enemy: int, rest: int, out: Words) -> int:
    """Writes what follows when a bomb is put on an empty cell."""
    n = 0
    empty = BOARD & ~(own | enemy)
    while empty:
        n = write_state(enemy, own | empty & -empty, rest, out, n)
        empty &= empty - 1
    return n


def write_moves(own: int, enemy: int, other: int, out: Words) -> int:
    """Writes what follows when a bomb moves: not with two enemies beside it, over and onto empty cells only."""
    n = 0
    bombs = own
    while bombs:
        origin = lowest(bombs)
        bombs &= bombs - 1
        if bit_count(BESIDE[origin] & enemy) < 2:
            for line in range(16 * origin, 16 * origin + 16, 4):
                for i in range(line, line + 4):
                    target = LINES[i]
                    if target < 0 or (own | enemy) & bit(target):
                        break
                    n = write_state(enemy, own ^ bit(origin) ^ bit(target), other, out, n)
    return n


def write_detonations(own: int, enemy: int, other: int, out: Words, n: int) -> int:
    """Writes what follows when an enemy bomb beside an own one goes off: once for a group, whichever bomb it is."""
    bombs = enemy
    while bombs:
        target = lowest(bombs)
        bombs &= bombs - 1
        if BESIDE[target] & own:
            group = group_of(target, own | enemy)
            bombs &= ~group
            n = write_state(enemy & ~group, own & ~group, other, out, n)
    return n


def group_of(target: int, bombs: int) -> int:
    """Returns the bombs that a bomb sets off, with those that these set off, and so on."""
    group = waiting = bit(target)
    while waiting:
        fresh = BESIDE[lowest(waiting)] & bombs & ~group
        group |= fresh
        waiting = waiting & waiting - 1 | fresh
    return group


def write_state(own: int, enemy: int, rest: int, out: Words, n: int) -> int:
    """Writes a state as the next one and returns how many there are now."""
    out[3 * n] = own
    out[3 * n + 1] = enemy
    out[3 * n + 2] = rest
    return n + 1


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


#: By row, cells of it and symmetry: what the symmetry makes of these cells.
IMAGES = [_image(cells << 5 * row, mirrors) for row in range(5) for cells in range(32) for mirrors in range(8)]


def image_of(cells: int, symmetry: int) -> int:
    """Returns the image of a board, row by row."""
    lower = IMAGES[8 * (cells & 31) + symmetry] | IMAGES[256 + 8 * (cells >> 5 & 31) + symmetry]
    upper = IMAGES[768 + 8 * (cells >> 15 & 31) + symmetry] | IMAGES[1024 + 8 * (cells >> 20 & 31) + symmetry]
    return lower | IMAGES[512 + 8 * (cells >> 10 & 31) + symmetry] | upper


def state_image(state: State, symmetry: int) -> State:
    return image_of(state[0], symmetry), image_of(state[1], symmetry), state[2]


def is_image(state: State, other: State, symmetry: int) -> bool:
    if image_of(state[0], symmetry) != other[0] or image_of(state[1], symmetry) != other[1]:
        return False
    return state[2] >> 1 == other[2] >> 1


def is_same(state: State, other: State) -> bool:
    found = False
    for i in range(8):
        found = found or is_image(state, other, i)
    return found
