"""Renfa-Bomba on 6x6 cells a second time, for the verifier of tables: from the rules' page alone.

It shares nothing with the game's kernels. A state is packed as ``rules.py`` says, cell 6 * row + column; what the
functions do is documented in the contract. Lines are walked cell by cell here, and the symmetries come from
coordinates: bit 0 of their number mirrors the columns, bit 1 the rows, bit 2 then exchanges columns and rows. *given*
has the numbers `bombs` and `last`. Ten functions are the same text as in ``check.py``: they read the tables of their
own module, as ``wide_index.py`` explains. Measured on a busy machine: 1.6 us of CPU for an entry of the table of 3
bombs.
"""

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.core.options import Options

LAST = 1  # where the option is in what is given

BOARD = (1 << 36) - 1
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def _cell(column: int, row: int) -> int:
    """Returns the number of a cell, -1 beyond the edge."""
    return 6 * row + column if 0 <= column < 6 and 0 <= row < 6 else -1


#: By cell and direction: the five cells of the line from there, -1 beyond the edge.
LINES = [
    _cell(cell % 6 + i * right, cell // 6 + i * up) for cell in range(36) for right, up in STEPS for i in range(1, 6)
]

#: By cell: the cells that share an edge with it.
BESIDE = [sum(1 << LINES[line] for line in range(20 * cell, 20 * cell + 20, 5) if LINES[line] >= 0)
                for cell in range(36)]  # fmt: skip


def _image(cell: int, symmetry: int) -> int:
    """Returns the cell to which a symmetry brings a cell."""
    column = 5 - cell % 6 if symmetry & 1 else cell % 6
    row = 5 - cell // 6 if symmetry & 2 else cell // 6
    return _cell(row, column) if symmetry & 4 else _cell(column, row)


#: By symmetry, row and cells of the row: what the symmetry makes of these cells.
IMAGES = [
    sum(1 << _image(6 * row + column, symmetry) for column in range(6) if cells >> column & 1)
    for symmetry in range(8)
    for row in range(6)
    for cells in range(64)
]


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
            for line in range(20 * origin, 20 * origin + 20, 5):
                for i in range(line, line + 5):
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


def image_of(cells: int, symmetry: int) -> int:
    """Returns the image of a board, row by row."""
    at = 384 * (symmetry & 7)
    lower = IMAGES[at + (cells & 63)] | IMAGES[at + 64 + (cells >> 6 & 63)] | IMAGES[at + 128 + (cells >> 12 & 63)]
    upper = IMAGES[at + 192 + (cells >> 18 & 63)] | IMAGES[at + 256 + (cells >> 24 & 63)]
    return lower | upper | IMAGES[at + 320 + (cells >> 30 & 63)]


def is_image(state: State, other: State, symmetry: int) -> bool:
    if image_of(state[0], symmetry) != other[0] or image_of(state[1], symmetry) != other[1]:
        return False
    return state[2] >> 1 == other[2] >> 1


def is_same(state: State, other: State) -> bool:
    found = False
    for i in range(8):
        found = found or is_image(state, other, i)
    return found


def state_image(state: State, symmetry: int) -> State:
    return image_of(state[0], symmetry), image_of(state[1], symmetry), state[2]
