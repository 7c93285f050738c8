"""Badia a second time, for the verifier of tables: from the rules' page alone, sharing nothing with the game's kernels.

Cells and states are as ``rules.py`` says; what the functions do is documented in ``solve/verify.py``. The rule against
returning to an earlier situation plays no part: tables take a game that goes round for drawn.
"""

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.core.options import Options

CHECK_CENTRE = 16
CHECK_RIM = (1 << 16) - 1
CHECK_ARROWS = 1 << 2 | 1 << 6 | 1 << 10 | 1 << 14
CHECK_SQUARES = CHECK_RIM & ~CHECK_ARROWS
CHECK_ALL_PLACED = 10

#: By cell: the cells that it touches.
CHECK_TOUCHING = [
    1 << (cell + 1) % 16 | 1 << (cell - 1) % 16 | (1 << CHECK_CENTRE if CHECK_ARROWS >> cell & 1 else 0)
    for cell in range(16)
] + [CHECK_ARROWS]

# Two rims beside each other in a word.
CHECK_TWICE = 1 + (1 << 16)


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
    """Tells whether five pawns on the rim, one of them on an arrow, touch in a chain: four pairs of neighbours."""
    if bit_count(pawns) != 5 or pawns & ~CHECK_RIM or bit_count(pawns & CHECK_ARROWS) != 1:
        return False
    next_ones = pawns << 1 & CHECK_RIM | pawns >> 15
    return bit_count(pawns & next_ones) == 4


def check_following(given: Rules, state: State, out: Words) -> int:
    if check_waiting(state[2]):
        return check_chosen(state, out)
    if bit_count(state[0] | state[1]) < CHECK_ALL_PLACED:
        return check_placed(state, out)
    n = 0
    pawns = state[0]
    while pawns:
        origin = lowest(pawns)
        pawns &= pawns - 1
        if origin + 1 != check_own_marker(state[2]):
            n = check_moved(state, origin, out, n)
    return n


def check_own_marker(rest: int) -> int:
    """Returns the cell of the own marker and 1, or 0."""
    return rest >> 1 & 31


def check_enemy_marker(rest: int) -> int:
    """Returns the cell of the enemy's marker and 1, or 0."""
    return rest >> 6 & 31


def check_waiting(rest: int) -> int:
    """Returns 0, or 1 if an own pawn waits, or 2 if it waits with the marker."""
    return rest >> 11


def check_chosen(state: State, out: Words) -> int:
    """Writes what follows when the owner puts the displaced pawn on any empty cell; the same player goes on."""
    own, enemy, rest = state
    n = 0
    empty = (CHECK_RIM | bit(CHECK_CENTRE)) & ~(own | enemy)
    while empty:
        cell = lowest(empty)
        empty &= empty - 1
        marker = cell + 1 if check_waiting(rest) == 2 else check_own_marker(rest)
        n = check_written(own | bit(cell), enemy, rest & 1, marker, check_enemy_marker(rest), 0, out, n)
    return n


def check_placed(state: State, out: Words) -> int:
    """Writes what follows when a pawn is put on an empty square; nobody has a marker yet."""
    own, enemy, rest = state
    n = 0
    empty = CHECK_SQUARES & ~(own | enemy)
    while empty:
        n = check_written(enemy, own | empty & -empty, rest & 1 ^ 1, 0, 0, 0, out, n)
        empty &= empty - 1
    return n


def check_moved(state: State, origin: int, out: Words, n: int) -> int:
    """Writes what follows when a pawn moves to any cell that it touches."""
    own, enemy, rest = state
    targets = CHECK_TOUCHING[origin] & ~own
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        if not enemy & bit(target):
            moved = own ^ bit(origin) ^ bit(target)
            n = check_written(enemy, moved, rest & 1 ^ 1, check_enemy_marker(rest), target + 1, 0, out, n)
        elif CHECK_SQUARES & bit(target):
            n = check_put(state, origin, target, bit(origin), out, n)
        elif target == CHECK_CENTRE:
            n = check_put(state, origin, target, CHECK_RIM & ~(own | enemy), out, n)
        elif not (own | enemy) & bit(CHECK_CENTRE):
            n = check_put(state, origin, target, bit(CHECK_CENTRE), out, n)
        elif CHECK_ARROWS & ~(own | enemy):
            n = check_put(state, origin, target, CHECK_ARROWS & ~(own | enemy), out, n)
        else:
            n = check_left(state, origin, target, out, n)
    return n


def check_put(state: State, origin: int, target: int, puts: int, out: Words, n: int) -> int:
    """Writes what follows when a pawn moves and the enemy on its target goes to one of the cells in `puts`."""
    own, enemy, rest = state
    moved = own ^ bit(origin) ^ bit(target)
    while puts:
        cell = lowest(puts)
        puts &= puts - 1
        marker = check_enemy_marker(rest)
        if marker == target + 1:
            marker = cell + 1
        n = check_written(enemy ^ bit(target) ^ bit(cell), moved, rest & 1 ^ 1, marker, target + 1, 0, out, n)
    return n


def check_left(state: State, origin: int, target: int, out: Words, n: int) -> int:
    """Writes what follows when the enemy on the target is left to its owner, who is on move."""
    own, enemy, rest = state
    moved = own ^ bit(origin) ^ bit(target)
    marker = check_enemy_marker(rest)
    if marker == target + 1:
        return check_written(enemy ^ bit(target), moved, rest & 1 ^ 1, 0, target + 1, 2, out, n)
    return check_written(enemy ^ bit(target), moved, rest & 1 ^ 1, marker, target + 1, 1, out, n)


def check_written(
    own: int, enemy: int, player: int, own_marker: int, enemy_marker: int, waiting: int, out: Words, n: int
) -> int:
    """Writes a state as the next one and returns how many there are now."""
    out[3 * n] = own
    out[3 * n + 1] = enemy
    out[3 * n + 2] = player | own_marker << 1 | enemy_marker << 6 | waiting << 11
    return n + 1


def check_same(state: State, other: State) -> bool:
    if check_fixed(state) != check_fixed(other):
        return False
    pawns, markers = check_rims(state[0], state[1]), check_marked(state[2])
    wanted, wanted_markers = check_rims(other[0], other[1]), check_marked(other[2])
    for i in range(8):
        if pawns == wanted and markers == wanted_markers:
            return True
        if i == 3:
            pawns, markers = check_mirrored(pawns), check_mirrored(markers)
        else:
            pawns, markers = check_turned(pawns), check_turned(markers)
    return False


def check_fixed(state: State) -> int:
    """Returns what no symmetry changes: who holds the centre, whose marker is there, and whether a pawn waits."""
    own, enemy, rest = state
    fixed = own >> CHECK_CENTRE | enemy >> CHECK_CENTRE << 1 | check_waiting(rest) << 2
    if check_own_marker(rest) == CHECK_CENTRE + 1:
        fixed |= 16
    if check_enemy_marker(rest) == CHECK_CENTRE + 1:
        fixed |= 32
    return fixed


def check_rims(own: int, enemy: int) -> int:
    """Returns two sets of cells of the rim beside each other."""
    return own & CHECK_RIM | (enemy & CHECK_RIM) << 16


def check_marked(rest: int) -> int:
    """Returns the markers that are on the rim, on two rims beside each other."""
    own, enemy = check_own_marker(rest), check_enemy_marker(rest)
    marked = 0
    if 0 < own <= CHECK_CENTRE:
        marked = bit(own - 1)
    if 0 < enemy <= CHECK_CENTRE:
        marked |= bit(enemy + 15)
    return marked


def check_turned(x: int) -> int:
    """Returns two rims after a quarter turn: every cell four on."""
    return x << 4 & 0xFFF0 * CHECK_TWICE | x >> 12 & 0x000F * CHECK_TWICE


def check_mirrored(x: int) -> int:
    """Returns two rims after the mirror that leaves cells 0 and 8 where they are: cell i goes to 16 - i."""
    x = x << 8 & 0xFF00 * CHECK_TWICE | x >> 8 & 0x00FF * CHECK_TWICE
    x = x << 4 & 0xF0F0 * CHECK_TWICE | x >> 4 & 0x0F0F * CHECK_TWICE
    x = x << 2 & 0xCCCC * CHECK_TWICE | x >> 2 & 0x3333 * CHECK_TWICE
    x = x << 1 & 0xAAAA * CHECK_TWICE | x >> 1 & 0x5555 * CHECK_TWICE
    return x << 1 & 0xFFFE * CHECK_TWICE | x >> 15 & 0x0001 * CHECK_TWICE
