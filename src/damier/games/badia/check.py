"""Badia a second time, for the verifier of tables: from the rules' page alone, sharing nothing with the game's kernels.

Cells and states are as ``rules.py`` says; what the functions do is documented in the contract. The rule against
returning to an earlier situation plays no part: tables take a game that goes round for drawn.
"""

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.core.options import Options

CENTRE = 16
RIM = (1 << 16) - 1
ARROWS = 1 << 2 | 1 << 6 | 1 << 10 | 1 << 14
SQUARES = RIM & ~ARROWS
ALL_PLACED = 10

#: By cell: the cells that it touches.
TOUCHING = [
    1 << (cell + 1) % 16 | 1 << (cell - 1) % 16 | (1 << CENTRE if ARROWS >> cell & 1 else 0) for cell in range(16)
] + [ARROWS]


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
    """Tells whether five pawns on the rim, one of them on an arrow, touch in a chain: four pairs of neighbours."""
    if bit_count(pawns) != 5 or pawns & ~RIM or bit_count(pawns & ARROWS) != 1:
        return False
    next_ones = pawns << 1 & RIM | pawns >> 15
    return bit_count(pawns & next_ones) == 4


def successors(given: Rules, state: State, out: Words) -> int:
    if waiting_in(state[2]):
        return write_choices(state, out)
    if bit_count(state[0] | state[1]) < ALL_PLACED:
        return write_placements(state, out)
    n = 0
    pawns = state[0]
    while pawns:
        origin = lowest(pawns)
        pawns &= pawns - 1
        if origin + 1 != own_marker_of(state[2]):
            n = write_moves(state, origin, out, n)
    return n


def own_marker_of(rest: int) -> int:
    """Returns the cell of the own marker and 1, or 0."""
    return rest >> 1 & 31


def enemy_marker_of(rest: int) -> int:
    """Returns the cell of the enemy's marker and 1, or 0."""
    return rest >> 6 & 31


def waiting_in(rest: int) -> int:
    """Returns 0, or 1 if an own pawn waits, or 2 if it waits with the marker."""
    return rest >> 11


def write_choices(state: State, out: Words) -> int:
    """Writes what follows when the owner puts the displaced pawn on any empty cell; the same player goes on."""
    own, enemy, rest = state
    n = 0
    empty = (RIM | bit(CENTRE)) & ~(own | enemy)
    while empty:
        cell = lowest(empty)
        empty &= empty - 1
        marker = cell + 1 if waiting_in(rest) == 2 else own_marker_of(rest)
        n = write_state(own | bit(cell), enemy, rest & 1, marker, enemy_marker_of(rest), 0, out, n)
    return n


def write_placements(state: State, out: Words) -> int:
    """Writes what follows when a pawn is put on an empty square; nobody has a marker yet."""
    own, enemy, rest = state
    n = 0
    empty = SQUARES & ~(own | enemy)
    while empty:
        n = write_state(enemy, own | empty & -empty, rest & 1 ^ 1, 0, 0, 0, out, n)
        empty &= empty - 1
    return n


def write_moves(state: State, origin: int, out: Words, n: int) -> int:
    """Writes what follows when a pawn moves to any cell that it touches."""
    own, enemy, rest = state
    targets = TOUCHING[origin] & ~own
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        if not enemy & bit(target):
            moved = own ^ bit(origin) ^ bit(target)
            n = write_state(enemy, moved, rest & 1 ^ 1, enemy_marker_of(rest), target + 1, 0, out, n)
        elif SQUARES & bit(target):
            n = write_displacements(state, origin, target, bit(origin), out, n)
        elif target == CENTRE:
            n = write_displacements(state, origin, target, RIM & ~(own | enemy), out, n)
        elif not (own | enemy) & bit(CENTRE):
            n = write_displacements(state, origin, target, bit(CENTRE), out, n)
        elif ARROWS & ~(own | enemy):
            n = write_displacements(state, origin, target, ARROWS & ~(own | enemy), out, n)
        else:
            n = write_left_to_owner(state, origin, target, out, n)
    return n


def write_displacements(state: State, origin: int, target: int, puts: int, out: Words, n: int) -> int:
    """Writes what follows when a pawn moves and the enemy on its target goes to one of the cells in `puts`."""
    own, enemy, rest = state
    moved = own ^ bit(origin) ^ bit(target)
    while puts:
        cell = lowest(puts)
        puts &= puts - 1
        marker = enemy_marker_of(rest)
        if marker == target + 1:
            marker = cell + 1
        n = write_state(enemy ^ bit(target) ^ bit(cell), moved, rest & 1 ^ 1, marker, target + 1, 0, out, n)
    return n


def write_left_to_owner(state: State, origin: int, target: int, out: Words, n: int) -> int:
    """Writes what follows when the enemy on the target is left to its owner, who is on move."""
    own, enemy, rest = state
    moved = own ^ bit(origin) ^ bit(target)
    marker = enemy_marker_of(rest)
    if marker == target + 1:
        return write_state(enemy ^ bit(target), moved, rest & 1 ^ 1, 0, target + 1, 2, out, n)
    return write_state(enemy ^ bit(target), moved, rest & 1 ^ 1, marker, target + 1, 1, out, n)


def write_state(
    own: int, enemy: int, player: int, own_marker: int, enemy_marker: int, waiting: int, out: Words, n: int
) -> int:
    """Writes a state as the next one and returns how many there are now."""
    out[3 * n] = own
    out[3 * n + 1] = enemy
    out[3 * n + 2] = player | own_marker << 1 | enemy_marker << 6 | waiting << 11
    return n + 1


def leads_group(given: Rules, state: State) -> bool:
    return waiting_in(state[2]) > 0 or own_marker_of(state[2]) == 0


def group_members(given: Rules, state: State, count: int, out: Words, at: int) -> int:
    # The own marker forbids the moves of one pawn, which follow each other.
    own, enemy, rest = state
    if waiting_in(rest) or bit_count(own | enemy) < ALL_PLACED:
        return 0
    n = i = 0
    pawns = own
    while pawns:
        origin = pawns & -pawns
        pawns ^= origin
        member = at + 5 * n
        out[member], out[member + 1], out[member + 2] = own, enemy, rest | lowest(origin) + 1 << 1
        out[member + 3] = i
        while i < count and not out[3 * i + 1] & origin:
            i += 1
        out[member + 4] = i
        n += 1
    return n


def is_image(state: State, other: State, symmetry: int) -> bool:
    if fixed_part(state) != fixed_part(other):
        return False
    row = IMAGE_ROW * symmetry
    if turned(rims(state[0], state[1]), row) != rims(other[0], other[1]):
        return False
    return turned(markers_on_rims(state[2]), row) == markers_on_rims(other[2])


def image_hint(state: State) -> int:
    # A waiting pawn's position is turned by the enemy's marker, any other one by the own pawns.
    if waiting_in(state[2]):
        return enemy_marker_of(state[2])
    return 2048 | state[0] * 0x9E3779B1 >> 21 & 2047


def is_same(state: State, other: State) -> bool:
    found = False
    for i in range(8):
        found = found or is_image(state, other, i)
    return found


def fixed_part(state: State) -> int:
    """Returns what no symmetry changes: who holds the centre, whose marker is there, and whether a pawn waits."""
    own, enemy, rest = state
    fixed = own >> CENTRE | enemy >> CENTRE << 1 | waiting_in(rest) << 2
    if own_marker_of(rest) == CENTRE + 1:
        fixed |= 16
    if enemy_marker_of(rest) == CENTRE + 1:
        fixed |= 32
    return fixed


def rims(own: int, enemy: int) -> int:
    """Returns two sets of cells of the rim beside each other."""
    return own & RIM | (enemy & RIM) << 16


def markers_on_rims(rest: int) -> int:
    """Returns the markers that are on the rim, on two rims beside each other."""
    own, enemy = own_marker_of(rest), enemy_marker_of(rest)
    marked = 0
    if 0 < own <= CENTRE:
        marked = bit(own - 1)
    if 0 < enemy <= CENTRE:
        marked |= bit(enemy + 15)
    return marked


def turned(x: int, row: int) -> int:
    """Returns what a symmetry makes of two rims: four parts of eight cells, of which the table has the images."""
    first = IMAGES[row + (x & 255)] | IMAGES[row + 256 + (x >> 8 & 255)]
    return first | (IMAGES[row + (x >> 16 & 255)] | IMAGES[row + 256 + (x >> 24 & 255)]) << 16


def _image(cells: int, symmetry: int) -> int:
    """Returns cells of the rim after a mirror that leaves cells 0 and 8 where they are, and some quarter turns."""
    found = [cell for cell in range(16) if cells >> cell & 1]
    return sum(1 << ((-cell if symmetry & 4 else cell) + 4 * (symmetry & 3)) % 16 for cell in found)


#: By symmetry, half of the rim and cells of it: what the symmetry makes of these cells.
IMAGE_ROW = 512
IMAGES = [_image(cells << 8 * half, symmetry) for symmetry in range(8) for half in range(2) for cells in range(256)]
