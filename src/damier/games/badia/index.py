"""Numbers the positions of Badia up to symmetry.

A marker that has been set never goes, so positions without one lead to those with it and never back.

Tier 0      all pawns are placed and both markers set. First the positions in which no pawn waits: the class of the own
            pawns, the rank of the enemy's among the cells left, the marked own pawn, the marked enemy pawn. Then those
            in which a displaced pawn waits, turned so that the enemy's marked pawn, which has displaced it, stands on
            cell 14: the rank of the pawns off the arrows (not all of cells 13, 15 and 16 are full; they come last, so
            the last ranks do not occur), the rank of the own ones among the eight other pawns, the own marker.
Tier 1      only the enemy's marker is set, and no pawn waits.
Tier 2      only the enemy's marker is set, and a pawn waits.
Tier 3      the enemy's marker is not set.
Tier 4..13  1 to 10 pawns are still to be placed: on squares only, so the classes of sets of squares come first.

Where several symmetries turn a position so, the least number counts and the others are left free. *numbers*:

    TURNS      what each of 8 symmetries makes of a set of cells, in two pieces of 9 and 8 cells
    NTH        for each k: the sets of k of 13 cells in the order of their words
    CHOSEN     for each k: the sets of k cells chosen, one for each class
    CLASSES    for each k: how many classes there are, and how many of them are of sets of squares
    CLASS_OF   for each set of at most 5 cells: class * 256 + the symmetries that turn it into the one chosen, as bits
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.core.kernel.subsets import BINOMIALS, opened_up
from damier.core.messages import Message, message
from damier.games.badia.rules import (
    ARROWS,
    CELLS,
    CENTRE,
    PAWNS,
    SQUARES,
    TOUCHING,
    enemy_marker_of,
    own_marker_of,
    pending,
    side_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INDEX = "badia", 1
ALTERNATES = False  # the owner of a displaced pawn puts it down and plays on
MAX_PREDECESSORS = 96  # of a move to c3: 4 arrows, 1 step and 5 displaced pawns, 4 pawns marked before

#: Turns of the ring by quarters, then mirrored ones; a cell goes to the number at its place.
RING_SYMMETRIES = [[*((sign * cell + 4 * i) % 16 for cell in range(16)), CENTRE] for sign in (1, -1) for i in range(4)]
#: [32 * symmetry + marker]: where a marker (a cell + 1, or 0) comes to.
TURNED_MARKER = [cells[i - 1] + 1 if 0 < i < 18 else 0 for cells in RING_SYMMETRIES for i in range(32)]
#: [cell]: the symmetries that turn it to cell 14, as bits; only arrows have any.
TO_14 = [sum(1 << i for i in range(8) if RING_SYMMETRIES[i][cell] == 14) for cell in range(17)]

ENEMY_MARKED, WAITING_UNMARKED, ENEMY_UNMARKED, PLACING = 1, 2, 3, 4  # tiers; placing is the first of ten
#: [tier]: how many ways there are to mark pawns that stand, and what the number of a marked pawn is multiplied by.
MARKINGS = [25, 5, 0, 6] + [1] * 10
OWN_FACTOR = [5, 0, 0, 1] + [0] * 10
ENEMY_FACTOR = [1, 1, 0, 0] + [0] * 10
#: How many ways there are to stand while a pawn waits, with the enemy's marker on cell 14.
OWN_OF_EIGHT = 70
WAITING = (1287 - 45) * OWN_OF_EIGHT

TURNS = 0
NTH = TURNS + 8 * 768
CHOSEN = NTH + 6 * 2048
CLASSES = CHOSEN + 6 * 1024
CLASS_OF = CLASSES + 6 * 2


def index_numbers(rules: Rules) -> NDArray[np.int32]:
    import numpy as np

    sets = np.arange(1 << 17)
    sizes = np.bitwise_count(sets)
    images = _images(sets)
    # the least image, sets of squares first
    least = images.min(axis=0)
    order = least | np.where(sets & ~SQUARES, 1 << 17, 0)
    ways = ((images == least) << np.arange(8)[:, None]).sum(axis=0)
    nth, chosen = np.zeros((6, 2048), np.int32), np.zeros((6, 1024), np.int32)
    classes, class_of = np.zeros((6, 2), np.int32), np.zeros(1 << 17, np.int32)
    for k in range(6):
        of_13 = sets[(sizes == k) & (sets < 1 << 13)]
        nth[k, : len(of_13)] = of_13
        here = sizes == k
        firsts, numbers = np.unique(order[here], return_inverse=True)
        chosen[k, : len(firsts)] = firsts & CELLS
        classes[k] = len(firsts), (firsts <= CELLS).sum()
        class_of[here] = numbers << 8 | ways[here]
    pieces = (np.hstack((images[:, :512], images[:, :: 1 << 9])), nth, chosen, classes, class_of)
    return np.concatenate([piece.ravel().astype(np.int32) for piece in pieces])


def _images(sets: Any) -> Any:
    """Returns the image of each set under each symmetry."""
    import numpy as np

    images = np.zeros((8, len(sets)), np.int64)
    for symmetry, cells in enumerate(RING_SYMMETRIES):
        for cell, to in enumerate(cells):
            images[symmetry] |= (sets >> cell & 1) << to
    return images


def tier_count(rules: Rules) -> int:
    return PLACING + 2 * PAWNS


def tier_name(rules: Rules, number: int) -> Message:
    if number >= PLACING:
        count = sum(placed(number))
        return message("1 pawn placed") if count == 1 else message("{count} pawns placed", count=count)
    return (
        message("10 pawns placed, both markers"),
        message("10 pawns placed, the enemy's marker"),
        message("10 pawns placed, the enemy's marker, a pawn waits"),
        message("10 pawns placed, no enemy marker"),
    )[number]


def tier(rules: Rules, state: State) -> int:
    is_marked, is_enemy_marked = own_marker_of(state) > 0 or pending(state) == 2, enemy_marker_of(state) > 0
    if pending(state):
        return 0 if is_marked else WAITING_UNMARKED
    to_place = 2 * PAWNS - bit_count(state[0] | state[1])
    if to_place:
        return ENEMY_UNMARKED + to_place
    if is_enemy_marked:
        return 0 if is_marked else ENEMY_MARKED
    return ENEMY_UNMARKED


def placed(number: int) -> tuple[int, int]:
    """Returns how many pawns the player on move and the other have placed in a tier."""
    count = 2 * PAWNS - max(number - ENEMY_UNMARKED, 0)
    return count // 2, count - count // 2


def open_cells(number: int) -> int:
    """Returns the cells that pawns may stand on in a tier."""
    return SQUARES if number >= PLACING else CELLS


def tier_entries(rules: Rules, numbers: Words, number: int) -> int:
    if number == WAITING_UNMARKED:
        return WAITING
    return standing_entries(numbers, number) + (PAWNS * WAITING if number == 0 else 0)


def standing_entries(numbers: Words, number: int) -> int:
    """Returns how many numbers the positions of a tier have in which no pawn waits."""
    own, enemy = placed(number)
    left = bit_count(open_cells(number)) - own
    return numbers[CLASSES + 2 * own + (number >= PLACING)] * BINOMIALS[32 * left + enemy] * MARKINGS[number]


def rank(rules: Rules, numbers: Words, state: State) -> int:
    own, enemy, own_marker, enemy_marker = state[0], state[1], own_marker_of(state), enemy_marker_of(state)
    here = tier(rules, state)
    if pending(state):
        return rank_waiting(numbers, here, own, enemy, own_marker, enemy_marker)
    found = numbers[CLASS_OF + own]
    own = numbers[CHOSEN + (bit_count(own) << 10) + (found >> 8)] & CELLS
    left = open_cells(here) & ~own
    size = BINOMIALS[32 * bit_count(left) + bit_count(enemy)] * MARKINGS[here]
    least = size
    ways = found & 255
    while ways:
        symmetry = lowest(ways)
        ways &= ways - 1
        cells = turned(numbers, symmetry, enemy)
        marks = OWN_FACTOR[here] * marked_pawn(own, TURNED_MARKER[32 * symmetry + own_marker])
        marks += ENEMY_FACTOR[here] * marked_pawn(cells, TURNED_MARKER[32 * symmetry + enemy_marker])
        least = min(least, rank_within(cells, left) * MARKINGS[here] + marks)
    return (found >> 8) * size + least


def rank_waiting(numbers: Words, here: int, own: int, enemy: int, own_marker: int, enemy_marker: int) -> int:
    """Returns the number of a position in which a pawn waits."""
    least = PAWNS * WAITING
    ways = TO_14[enemy_marker - 1]
    while ways:
        symmetry = lowest(ways)
        ways &= ways - 1
        cells = turned(numbers, symmetry, own)
        pawns = cells | turned(numbers, symmetry, enemy)
        entry = rank_within(pawns & ~ARROWS, CELLS & ~ARROWS) * OWN_OF_EIGHT + rank_within(cells, pawns ^ 1 << 14)
        if here == 0:
            entry = entry * PAWNS + marked_pawn(cells, TURNED_MARKER[32 * symmetry + own_marker])
        least = min(least, entry)
    return standing_entries(numbers, here) + least


def turned(numbers: Words, symmetry: int, cells: int) -> int:
    """Returns the image of a set under a symmetry."""
    at = TURNS + 768 * symmetry
    return numbers[at + (cells & 511)] | numbers[at + 512 + (cells >> 9)]


def marked_pawn(pawns: int, marker: int) -> int:
    """Returns which of some pawns is marked, counted from 0; the number of pawns when none is."""
    return bit_count(pawns & (1 << marker >> 1) - 1)


def rank_within(cells: int, board: int) -> int:
    """Returns the rank of a set among the sets of as many cells of a board, itself a set."""
    found = count = 0
    while cells:
        count += 1
        found += BINOMIALS[32 * bit_count(board & (cells & -cells) - 1) + count]
        cells &= cells - 1
    return found


def nth_within(numbers: Words, count: int, number: int, board: int) -> int:
    """Returns the `count`-cell subset of `board` of this rank."""
    return opened_up(numbers[NTH + (count << 11) + number] & CELLS, CELLS & ~board)


def nth_marker(pawns: int, number: int) -> int:
    """Returns the marker on the pawn of this number, counted from 0; 0 if there is no such pawn."""
    while number:
        pawns &= pawns - 1
        number -= 1
    return lowest(pawns) + 1 if pawns else 0


def unrank(rules: Rules, numbers: Words, number: int, entry: int) -> State:
    if number == WAITING_UNMARKED:
        return unrank_waiting(numbers, entry, PAWNS)
    if number == 0 and entry >= standing_entries(numbers, 0):
        entry -= standing_entries(numbers, 0)
        return unrank_waiting(numbers, entry // PAWNS, entry % PAWNS)
    own_count, enemy_count = placed(number)
    marks = entry % MARKINGS[number]
    entry //= MARKINGS[number]
    left = bit_count(open_cells(number)) - own_count
    size = BINOMIALS[32 * left + enemy_count]
    own = numbers[CHOSEN + (own_count << 10) + entry // size] & CELLS
    enemy = nth_within(numbers, enemy_count, entry % size, open_cells(number) & ~own)
    word = number & 1 ^ 1 if number >= PLACING else 0
    if OWN_FACTOR[number]:
        word |= nth_marker(own, marks // OWN_FACTOR[number]) << 1
    if ENEMY_FACTOR[number]:
        word |= nth_marker(enemy, marks % PAWNS) << 6
    return own, enemy, word


def unrank_waiting(numbers: Words, entry: int, marked: int) -> State:
    """Returns a position in which a pawn waits: the own pawn with a number is marked, 4 the one that waits, 5 none."""
    off_arrows = nth_within(numbers, PAWNS, entry // OWN_OF_EIGHT, CELLS & ~ARROWS)
    own = nth_within(numbers, PAWNS - 1, entry % OWN_OF_EIGHT, off_arrows | ARROWS ^ 1 << 14)
    waiting = 2 if marked == PAWNS - 1 else 1
    return own, (off_arrows | ARROWS) ^ own, waiting << 11 | 15 << 6 | nth_marker(own, marked) << 1


def predecessors(rules: Rules, state: State, out: Words) -> int:
    if tier(rules, state) > 0:
        return 0  # what comes before has fewer markers or pawns
    # the enemy has moved, and their marker tells which pawn
    others, movers, side = state[0], state[1], side_of(state)
    marker, to = own_marker_of(state), enemy_marker_of(state) - 1
    if pending(state):
        return before_waiting(others, movers, to + 1 if pending(state) == 2 else marker, to, 1 - side, out)
    n = add_answers(others, movers, marker, to, side, out, 0)
    origins = TOUCHING[to] & ~movers
    while origins:
        origin = lowest(origins)
        origins &= origins - 1
        before = movers ^ bit(origin) ^ bit(to)
        if others >> origin & 1:
            puts = bit(origin) if SQUARES >> to & 1 else 0
        else:
            n = add_moves(before, others, origin, marker, 1 - side, out, n)
            puts = displaced(others, movers, origin, to)
        while puts:
            put = lowest(puts)
            puts &= puts - 1
            moved_marker = to + 1 if marker == put + 1 else marker
            n = add_moves(before, others ^ bit(put) ^ bit(to), origin, moved_marker, 1 - side, out, n)
    return n


def displaced(others: int, movers: int, origin: int, to: int) -> int:
    """Returns the pawns that a move from a cell, empty now, may have displaced and put where they are."""
    if to == CENTRE:
        return others
    if ARROWS >> to & 1 and (origin == CENTRE or (others | movers) >> CENTRE & 1):
        return others & (ARROWS | 1 << CENTRE)  # from an arrow: to the centre that was empty, or else to an arrow
    return 0


def before_waiting(others: int, movers: int, marker: int, to: int, side: int, out: Words) -> int:
    """Adds the positions before a move that has left a pawn to its owner: the centre was full then."""
    pawns = others | movers
    origins = TOUCHING[to] & ~pawns if pawns >> CENTRE & 1 else 1 << CENTRE
    n = 0
    while origins:
        origin = lowest(origins)
        origins &= origins - 1
        n = add_moves(movers ^ bit(origin) ^ bit(to), others | bit(to), origin, marker, side, out, n)
    return n


def add_moves(own: int, enemy: int, origin: int, enemy_marker: int, side: int, out: Words, n: int) -> int:
    """Adds a position with the own marker on each pawn but the one that is to move."""
    pawns = own ^ bit(origin)
    while pawns:
        out[3 * n] = own
        out[3 * n + 1] = enemy
        out[3 * n + 2] = enemy_marker << 6 | lowest(pawns) + 1 << 1 | side
        pawns &= pawns - 1
        n += 1
    return n


def add_answers(own: int, enemy: int, marker: int, to: int, side: int, out: Words, n: int) -> int:
    """Adds the positions in which one of the own pawns waited, the enemy having come to a cell."""
    if not ARROWS >> to & 1 or ARROWS & ~(own | enemy):
        return n
    pawns = own & ~ARROWS
    while pawns:
        waiting = pawns & -pawns
        pawns ^= waiting
        if TOUCHING[to] & ~((own | enemy) ^ waiting):
            is_marked = marker == lowest(waiting) + 1
            out[3 * n] = own ^ waiting
            out[3 * n + 1] = enemy
            out[3 * n + 2] = (2 << 11 if is_marked else 1 << 11 | marker << 1) | to + 1 << 6 | side
            n += 1
    return n
