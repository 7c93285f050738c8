"""Numbers the positions of Chefa up to symmetry.

Tier 0     all pawns are placed. First the positions without a ko: the class of the own pawns, then the rank of the
           enemy's among the cells left. Then those with a ko, one block for each class of pairs (own cell, enemy cell)
           that a swap can leave: the rank of the other three own pawns among the cells that are neither of the pair nor
           between it, then that of the other three enemy pawns among the cells left.
Tier 1..8  1 to 8 pawns are still to be placed: as positions without a ko.

Where a symmetry leaves the class's own pawns (or the pair) as they are, the least number counts and the others are
left free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.kernel.bits import bit, bit_count, highest, lowest
from damier.core.kernel.cells import square_symmetries
from damier.core.kernel.contract import Rules, State, Words
from damier.core.kernel.subsets import (
    BINOMIALS,
    chosen_set,
    class_and_symmetry,
    class_count,
    closed_up,
    fixing_symmetries,
    image,
    nth_set,
    opened_up,
    set_rank,
    subset_numbers,
)
from damier.core.messages import Message, message
from damier.games.chefa.rules import (
    CELLS,
    EAST_OF,
    HOLE,
    NEIGHBOURS,
    NORTH_OF,
    PAWNS,
    SOUTH_OF,
    WEST_OF,
    is_open_line,
    ko_of,
    pair,
    side_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INDEX = "chefa", 1
MAX_PREDECESSORS = 17 * 17
OTHERS = PAWNS - 1
_SYMMETRIES = list(square_symmetries(5).values())


def _pair_classes() -> tuple[list[int], list[int], list[int], list[int], list[int]]:
    """Returns for each pair class * 8 + symmetry or -1; for each class its cells, what is taken, fixing, and sizes."""
    classes = [-1] * 625
    cells: list[int] = []
    taken: list[int] = []
    fixing: list[int] = []
    sizes: list[int] = []
    for own in range(25):
        for enemy in range(25):
            if own == enemy or HOLE & (bit(own) | bit(enemy)) or not is_open_line(own, enemy, 0):
                continue
            images = [(symmetry[own], symmetry[enemy]) for symmetry in _SYMMETRIES]
            least = min(images)
            if least == (own, enemy):
                between = 0
                for rays, back in ((EAST_OF, WEST_OF), (NORTH_OF, SOUTH_OF), (WEST_OF, EAST_OF), (SOUTH_OF, NORTH_OF)):
                    if rays[own] >> enemy & 1:
                        between = rays[own] & back[enemy]
                classes[own * 25 + enemy] = 8 * len(cells)
                cells.append(own * 25 + enemy)
                taken.append(bit(own) | bit(enemy) | between | HOLE)
                fixing.append(sum(bit(i) for i, each in enumerate(images) if each == least))
                free = 25 - bit_count(taken[-1])
                sizes.append(BINOMIALS[32 * free + OTHERS] * BINOMIALS[32 * (free - OTHERS) + OTHERS])
            else:
                # `least` has been met before, since pairs come in order
                classes[own * 25 + enemy] = classes[least[0] * 25 + least[1]] + images.index(least)
    return classes, cells, taken, fixing, sizes


PAIR_CLASS, PAIR_CELLS, PAIR_TAKEN, PAIR_FIXING, PAIR_SIZES = _pair_classes()
PAIR_COUNT = len(PAIR_CELLS)
PAIR_FIRST = [sum(PAIR_SIZES[:i]) for i in range(PAIR_COUNT + 1)]  # less the positions without a ko

#: By number less the positions without a ko, shifted by KIND_SHIFT: the class of the first number of this beginning.
KIND_SHIFT = 18
KIND_AT = [sum(first <= at for first in PAIR_FIRST) - 1 for at in range(0, PAIR_FIRST[-1], 1 << KIND_SHIFT)]


def index_numbers(rules: Rules) -> NDArray[np.int32]:
    return subset_numbers(_SYMMETRIES, CELLS, PAWNS)


def tier_count(rules: Rules) -> int:
    return 2 * PAWNS + 1


def tier_name(rules: Rules, number: int) -> Message:
    count = 2 * PAWNS - number
    return message("1 pawn placed") if count == 1 else message("{count} pawns placed", count=count)


def tier(rules: Rules, state: State) -> int:
    return 2 * PAWNS - bit_count(state[0] | state[1])


def placed(number: int) -> tuple[int, int]:
    """Returns how many pawns the player on move and the other have placed in a tier."""
    count = 2 * PAWNS - number
    return count // 2, count - count // 2


def tier_entries(rules: Rules, numbers: Words, number: int) -> int:
    own, enemy = placed(number)
    entries = class_count(numbers, own) * BINOMIALS[32 * (24 - own) + enemy]
    return entries + PAIR_FIRST[PAIR_COUNT] if number == 0 else entries


def rank(rules: Rules, numbers: Words, state: State) -> int:
    if ko_of(state):
        return ko_rank(numbers, state[0], state[1], ko_of(state) >> 5, ko_of(state) & 31)
    own, enemy = state[0], state[1]
    count = bit_count(own)
    found = class_and_symmetry(numbers, count, set_rank(numbers, own, bit_count(own & 4095)))
    kind = found >> 3
    enemy = image(numbers, found & 7, enemy)
    own = chosen_set(numbers, count, kind) | HOLE
    least = rank_closed(numbers, enemy, own)
    fixing = fixing_symmetries(numbers, count, kind) & ~1
    while fixing:
        least = min(least, rank_closed(numbers, image(numbers, lowest(fixing), enemy), own))
        fixing &= fixing - 1
    return kind * BINOMIALS[32 * (24 - count) + bit_count(enemy)] + least


def rank_closed(numbers: Words, cells: int, taken: int) -> int:
    """Returns the rank of a set among those of the cells that are not taken."""
    cells = closed_up(cells, taken)
    return set_rank(numbers, cells, bit_count(cells & 4095))


def ko_rank(numbers: Words, own: int, enemy: int, cell: int, other: int) -> int:
    """Returns the number of a position after a swap of two cells."""
    if not own >> cell & 1:
        cell, other = other, cell
    found = PAIR_CLASS[cell * 25 + other]
    kind = found >> 3
    own = image(numbers, found & 7, own ^ bit(cell))
    enemy = image(numbers, found & 7, enemy ^ bit(other))
    taken = PAIR_TAKEN[kind]
    free = 25 - bit_count(taken)
    least = ranks_closed(numbers, own, enemy, taken, free)
    fixing = PAIR_FIXING[kind] & ~1
    while fixing:
        symmetry = lowest(fixing)
        fixing &= fixing - 1
        turned = ranks_closed(numbers, image(numbers, symmetry, own), image(numbers, symmetry, enemy), taken, free)
        least = min(least, turned)
    return no_ko_entries(numbers) + PAIR_FIRST[kind] + least


def ranks_closed(numbers: Words, own: int, enemy: int, taken: int, free: int) -> int:
    """Returns the number of three own and three enemy pawns on the cells that are not taken."""
    size = BINOMIALS[32 * (free - OTHERS) + OTHERS]
    return rank_closed(numbers, own, taken) * size + rank_closed(numbers, enemy, taken | own)


def no_ko_entries(numbers: Words) -> int:
    """Returns how many numbers the positions without a ko have when all pawns are placed."""
    return class_count(numbers, PAWNS) * BINOMIALS[32 * (24 - PAWNS) + PAWNS]


def unrank(rules: Rules, numbers: Words, number: int, entry: int) -> State:
    own_count, enemy_count = placed(number)
    side = number & 1
    if number == 0 and entry >= no_ko_entries(numbers):
        return unrank_ko(numbers, entry - no_ko_entries(numbers))
    size = BINOMIALS[32 * (24 - own_count) + enemy_count]
    own = chosen_set(numbers, own_count, entry // size)
    return own, opened_up(nth_set(numbers, enemy_count, entry % size), own | HOLE), side


def unrank_ko(numbers: Words, entry: int) -> State:
    """Returns a position after a swap."""
    kind = KIND_AT[entry >> KIND_SHIFT]
    while entry >= PAIR_FIRST[kind + 1]:
        kind += 1
    entry -= PAIR_FIRST[kind]
    taken = PAIR_TAKEN[kind]
    size = BINOMIALS[32 * (25 - bit_count(taken) - OTHERS) + OTHERS]
    own = opened_up(nth_set(numbers, OTHERS, entry // size), taken)
    enemy = opened_up(nth_set(numbers, OTHERS, entry % size), taken | own)
    cell, other = PAIR_CELLS[kind] // 25, PAIR_CELLS[kind] % 25
    return own | bit(cell), enemy | bit(other), pair(cell, other) << 1


def predecessors(rules: Rules, state: State, out: Words) -> int:
    own, enemy, side, ko = state[1], state[0], 1 - side_of(state), ko_of(state)
    if tier(rules, state) > 0:
        return 0  # a placement comes from another tier
    if ko:  # the swap taken back; it was not forbidden then
        both = bit(ko >> 5) | bit(ko & 31)
        return add_with_kos(own ^ both, enemy ^ both, side, ko, out, 0)
    n = 0
    pawns = own
    while pawns:
        cell = lowest(pawns)
        pawns &= pawns - 1
        origins = NEIGHBOURS[cell] & ~(own | enemy)
        while origins:
            n = add_with_kos(own ^ bit(cell) ^ bit(lowest(origins)), enemy, side, 0, out, n)
            origins &= origins - 1
    return n


def add_with_kos(own: int, enemy: int, side: int, excepted: int, out: Words, n: int) -> int:
    """Adds a position without a ko and with every ko that it may have, but for one."""
    n = add(own, enemy, side, out, n)
    pawns = own
    while pawns:
        cell = lowest(pawns)
        pawns &= pawns - 1
        seen = partners_seen(cell, own | enemy) & enemy
        while seen:
            ko = pair(cell, lowest(seen))
            seen &= seen - 1
            if ko != excepted:
                n = add(own, enemy, ko << 1 | side, out, n)
    return n


def add(own: int, enemy: int, word: int, out: Words, n: int) -> int:
    out[3 * n] = own
    out[3 * n + 1] = enemy
    out[3 * n + 2] = word
    return n + 1


def partners_seen(cell: int, pawns: int) -> int:
    """Returns the nearest pawns in the four directions from a cell."""
    seen = 0
    if EAST_OF[cell] & pawns:
        seen |= EAST_OF[cell] & pawns & -(EAST_OF[cell] & pawns)
    if NORTH_OF[cell] & pawns:
        seen |= NORTH_OF[cell] & pawns & -(NORTH_OF[cell] & pawns)
    return seen | last_of(WEST_OF[cell] & pawns) | last_of(SOUTH_OF[cell] & pawns)


def last_of(cells: int) -> int:
    """Returns the highest cell of a set as a set."""
    return bit(highest(cells)) if cells else 0
