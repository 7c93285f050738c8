"""Numbers the positions of Renfa-Bomba on 6x6 cells, with at most 5 bombs each, up to symmetry and exchange of colours.

Tiers, blocks and the order within a block are those of ``index.py``, which numbers 5x5 cells. Sets of 36 cells do not
fit int32, so the array of numbers has int64 words, and ranks and symmetries are looked up in other pieces:

    30 31 32 33 34 35      a6 .. f6
    24 25 26 27 28 29
    18 19 20 21 22 23
    12 13 14 15 16 17
     6  7  8  9 10 11
     0  1  2  3  4  5      a1 .. f1

The numbers that `index_numbers` makes:

    MAPS       what each of 8 symmetries makes of a board, in four pieces of 9 cells
    LOW        the rank of a set within the first 12 cells
    MIDDLE     what a set of the next 12 cells adds to it, by how many lie in the first 12
    HIGH       what a set of the last 12 cells adds to it, by how many lie in the first 24
    BLOCKS     for each number of own and of enemy bombs: where the classes and kinds of the own sets and the enemy sets
               stand, the first number of the block, how many classes it has, and how many numbers for each
    TIERS      for each tier: its two blocks (twice the same if there is but one) and the third word of its states
    sets       for each number of bombs: the sets of as many cells in order
    classes    for each of these: class * 8 + the symmetry that turns the set into the one chosen for its class
    kinds      for each class: which cells close up by 1, by 2 and by 4 (see `closed_by`), and the chosen set. Above the
               cells, the first has the symmetries 1 to 7 that leave the chosen set as it is.

Thirteen functions are the same text as in ``index.py`` (`rank`, `exits`, `stays`, `entries_before` and others), and are
here nevertheless. They read constants of their module, such as TIERS and CELLS, which compiled code has as constants,
and the binder gives each module's functions that module's names. To write them once, they would have to get these
numbers as arguments or from the array, which makes each of these look-ups longer in the innermost loops, or the binder
would have to clone them into two modules, so that they would mean something else when they are called without it.

Measured on one thread of a busy machine, in CPU time: 2.8 s to build the table of 3 bombs with its 6.7 million entries.
"""

from __future__ import annotations

import itertools
from math import comb
from typing import TYPE_CHECKING, Any

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.cells import square_symmetries
from damier.core.kernel.contract import LONG_CODES, Rules, State, Words
from damier.games.renfa.index import tier_name as tier_name  # not a kernel: called as it is
from damier.games.renfa.rules import BOARD, BOMBS, DETONATE, LAST, MOVE, place_actions, to_place

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INDEX = "renfa-6x6", 1
WON, LOST, SAFE, MOST_PLIES, MARKED, FREE = LONG_CODES  # 4 bombs take up to 339 plies to win against 3
FAMILIES = None, "wide_check_families"  # for the verifier alone
SIDE = 6
BOARD_CELLS = SIDE * SIDE
MOST_BOMBS = 5
MAX_PREDECESSORS = 10 * MOST_BOMBS  # on 6x6 cells a rook reaches at most ten
MOST_TIERS = MOST_BOMBS * (MOST_BOMBS + 1) // 2 + 2 * MOST_BOMBS

MAPS = 0  # 4 * 512 numbers for each symmetry
LOW = MAPS + 8 * 4 * 512
MIDDLE = LOW + 4096
HIGH = MIDDLE + (MOST_BOMBS + 1) * 4096
BLOCKS = HIGH + (MOST_BOMBS + 1) * 4096  # 8 numbers each
OWN_CLASSES, OWN_KINDS, ENEMY_SETS, BLOCK_FIRST, BLOCK_CLASSES, CLASS_SIZE = 0, 1, 2, 3, 4, 5
TIERS = BLOCKS + 8 * 64  # 3 numbers each
LISTS = TIERS + 3 * MOST_TIERS

CELLS = (1 << BOARD_CELLS) - 1
LOWER_CELLS = (1 << 24) - 1
POSITIVE = (1 << 62) - 1  # a mask that changes no index, but tells the compiler that it is not negative
WEST_COLUMN = sum(1 << SIDE * row for row in range(SIDE))
EAST_COLUMN = WEST_COLUMN << SIDE - 1
COLUMN_TO_ROW = sum(1 << 5 * i for i in range(SIDE))  # a product brings every sixth bit together, from bit 25 on


def _line_reach(place: int, taken: int) -> list[int]:
    """Returns the places that a rook reaches in a line of six; `taken` has a bit for each place with a bomb."""
    reached = []
    for step in (-1, 1):
        to = place + step
        while 0 <= to < SIDE and not taken & bit(to):
            reached.append(to)
            to += step
    return reached


#: By place in a line and by the bombs in it: what a rook reaches in the lowest row, and in the column at the west.
ROW_REACH = [sum(bit(to) for to in _line_reach(place, taken)) for place in range(SIDE) for taken in range(64)]
COLUMN_REACH = [sum(bit(SIDE * to) for to in _line_reach(place, taken)) for place in range(SIDE) for taken in range(64)]


def index_numbers(rules: Rules) -> NDArray[np.int64]:
    import numpy as np

    symmetries = np.array(list(square_symmetries(SIDE).values()))
    lists: list[Any] = []
    places = []
    at = LISTS
    for count in range(rules[BOMBS] + 1):
        sets = _sets(count)
        classes, chosen, fixing = _classes(sets, symmetries)
        kinds = _kinds(chosen, fixing)
        lists += [sets, classes, kinds]
        places.append((at, at + sets.size, at + sets.size + classes.size, len(chosen)))
        at += sets.size + classes.size + kinds.size
    head = _maps(symmetries), *_ranks(), np.array(_blocks(places)), np.array(_tiers(rules))
    return np.concatenate([part.ravel().astype(np.int64) for part in (*head, *lists)])


def _maps(symmetries: Any) -> Any:
    """Returns MAPS."""
    import numpy as np

    maps = np.zeros((8, 4, 512), np.int64)
    cells = np.arange(512)
    for cell in range(BOARD_CELLS):
        maps[:, cell // 9] |= (cells >> cell % 9 & 1)[None] << symmetries[:, cell, None]
    return maps


def _ranks() -> list[Any]:
    """Returns LOW, MIDDLE and HIGH: the cell with the number c, the n-th of a set, adds comb(c, n) to its rank."""
    import numpy as np

    cells = np.arange(4096)
    found = []
    for first, most in ((0, 0), (12, MOST_BOMBS), (24, MOST_BOMBS)):
        added = np.zeros((most + 1, 4096), np.int64)
        for before in range(most + 1):
            below = np.full(4096, before)
            for i in range(12):
                here = cells >> i & 1
                below += here
                added[before] += here * np.array([comb(first + i, n) for n in range(32)])[below]
        found.append(added)
    return found


def _sets(count: int) -> Any:
    """Returns the sets of `count` cells in order."""
    import numpy as np

    cells = np.array(list(itertools.combinations(range(BOARD_CELLS), count)), np.int64)
    return np.sort((1 << cells).sum(axis=1).astype(np.int64))


def _classes(sets: Any, symmetries: Any) -> tuple[Any, Any, Any]:
    """Returns the class and symmetry of each set, the set chosen for each class, and what leaves that as it is."""
    import numpy as np

    images = np.zeros((8, len(sets)), np.int64)
    for cell in range(BOARD_CELLS):
        images |= (sets >> cell & 1)[None] << symmetries[:, cell, None]
    least = images.min(axis=0)
    chosen = np.unique(least)
    classes = np.searchsorted(chosen, least) * 8 + images.argmin(axis=0)
    places = np.searchsorted(sets, chosen)
    fixing = ((images[:, places] == chosen[None]) << np.arange(8)[:, None]).sum(axis=0)
    return classes, chosen, fixing


def _kinds(chosen: Any, fixing: Any) -> Any:
    """Returns the four numbers of each class."""
    import numpy as np

    kinds = np.zeros((len(chosen), 4), np.int64)
    below = np.zeros(len(chosen), np.int64)
    for cell in range(BOARD_CELLS):
        is_taken = chosen >> cell & 1
        to = np.full(len(chosen), cell)
        for part in range(3):
            moves = (below >> part & 1) * (1 - is_taken)
            kinds[:, part] |= moves << to
            to -= moves << part
        below += is_taken
    kinds[:, 0] |= fixing >> 1 << BOARD_CELLS
    kinds[:, 3] = chosen
    return kinds


def _blocks(places: list[tuple[int, int, int, int]]) -> list[int]:
    """Returns BLOCKS; `places` tells by number of bombs where sets, classes and kinds stand, and how many kinds."""
    blocks = []
    for own in range(8):
        for enemy in range(8):
            block = [0] * 8
            if max(own, enemy) < len(places):
                first = places[enemy][3] * comb(BOARD_CELLS - enemy, own) if own > enemy else 0
                _, classes, kinds, count = places[own]
                block[:6] = classes, kinds, places[enemy][0], first, count, comb(BOARD_CELLS - own, enemy)
            blocks += block
    return blocks


def _tiers(rules: Rules) -> list[int]:
    """Returns TIERS."""
    least, bombs = rules[LAST] + 1, rules[BOMBS]
    tiers = []
    for many in range(least, bombs + 1):
        for few in range(least, many + 1):
            tiers += [block_of(few, many), block_of(many, few), 0]
    for hand in range(1, 2 * bombs + 1):
        own = bombs - (hand + 1) // 2
        block = block_of(own, 2 * bombs - hand - own)
        tiers += [block, block, hand << 1 | hand & 1]
    return tiers + [0] * (3 * MOST_TIERS - len(tiers))


def block_of(own: int, enemy: int) -> int:
    """Returns where the numbers of a block stand, by how many bombs the player on move and the other have."""
    return BLOCKS + 64 * own + 8 * enemy


def moving_tiers(rules: Rules) -> int:
    """Returns how many tiers there are once all bombs are placed."""
    counts = rules[BOMBS] - rules[LAST]
    return counts * (counts + 1) // 2


def tier_count(rules: Rules) -> int:
    return moving_tiers(rules) + 2 * rules[BOMBS]


def tier_entries(rules: Rules, numbers: Words, number: int) -> int:
    block = numbers[TIERS + 3 * number + 1]
    return numbers[block + BLOCK_FIRST] + numbers[block + BLOCK_CLASSES] * numbers[block + CLASS_SIZE]


def tier(rules: Rules, state: State) -> int:
    hand = to_place(state)
    if hand:
        return moving_tiers(rules) + hand - 1
    own, enemy = bit_count(state[0]) - rules[LAST], bit_count(state[1]) - rules[LAST]
    many = max(own, enemy)
    return (many * (many - 1) >> 1) + min(own, enemy) - 1


def rank(rules: Rules, numbers: Words, state: State) -> int:
    own, enemy = state[0], state[1]
    block = block_of(bit_count(own), bit_count(enemy))
    found = numbers[numbers[block + OWN_CLASSES] + rank_of(numbers, own) & POSITIVE]
    kind = numbers[block + OWN_KINDS] + (found >> 3) * 4 & POSITIVE
    least = least_rank(numbers, kind, turned(numbers, found & 7, enemy))
    return numbers[block + BLOCK_FIRST] + (found >> 3) * numbers[block + CLASS_SIZE] + least


def is_used(rules: Rules, numbers: Words, number: int, entry: int, state: State) -> bool:
    at = TIERS + 3 * number
    block = numbers[at + 1]
    if entry < numbers[block + BLOCK_FIRST]:
        block = numbers[at]
    entry -= numbers[block + BLOCK_FIRST]
    size = numbers[block + CLASS_SIZE]
    number = entry // size
    kind = numbers[block + OWN_KINDS] + number * 4 & POSITIVE
    if numbers[kind] >> BOARD_CELLS == 0:
        return True
    return least_rank(numbers, kind, state[1]) == entry - number * size


def least_rank(numbers: Words, kind: int, enemy: int) -> int:
    """Returns the rank of the enemy's bombs, turned as the class demands: the least of all ways to turn them so."""
    least = rank_of(numbers, closed_by(numbers, kind, enemy))
    fixing = numbers[kind] >> BOARD_CELLS << 1
    while fixing:
        least = min(least, rank_of(numbers, closed_by(numbers, kind, turned(numbers, lowest(fixing), enemy))))
        fixing &= fixing - 1
    return least


def turned(numbers: Words, symmetry: int, cells: int) -> int:
    """Returns the image of a set under a symmetry."""
    at = MAPS + (symmetry << 11)
    lower = numbers[at + (cells & 511)] | numbers[at + 512 + (cells >> 9 & 511)]
    return lower | numbers[at + 1024 + (cells >> 18 & 511)] | numbers[at + 1536 + (cells >> 27 & 511)]


def rank_of(numbers: Words, cells: int) -> int:
    """Returns the rank of a set among those of as many cells."""
    low = cells & 4095
    middle = numbers[MIDDLE + (bit_count(low) << 12) + (cells >> 12 & 4095)]
    high = numbers[HIGH + (bit_count(cells & LOWER_CELLS) << 12) + (cells >> 24 & 4095)]
    return numbers[LOW + low] + middle + high


def closed_by(numbers: Words, kind: int, cells: int) -> int:
    """Returns a set renumbered as if the cells of the set chosen for a class were not on the board.

    A cell moves down by as many cells as are taken below it, at most seven: by 1, by 2 and by 4 where need be.
    """
    moving = cells & numbers[kind]
    cells ^= moving ^ moving >> 1
    moving = cells & numbers[kind + 1]
    cells ^= moving ^ moving >> 2
    moving = cells & numbers[kind + 2]
    return cells ^ moving ^ moving >> 4


def opened_by(numbers: Words, kind: int, cells: int) -> int:
    """Returns the set that `closed_by` makes `cells` of."""
    moving = cells & numbers[kind + 2] >> 4
    cells ^= moving ^ moving << 4
    moving = cells & numbers[kind + 1] >> 2
    cells ^= moving ^ moving << 2
    moving = cells & (numbers[kind] & CELLS) >> 1
    return cells ^ moving ^ moving << 1


def unrank(rules: Rules, numbers: Words, number: int, entry: int) -> State:
    at = TIERS + 3 * number
    block = numbers[at + 1]
    if entry < numbers[block + BLOCK_FIRST]:
        block = numbers[at]
    entry -= numbers[block + BLOCK_FIRST]
    size = numbers[block + CLASS_SIZE]
    number = entry // size
    kind = numbers[block + OWN_KINDS] + number * 4 & POSITIVE
    enemy = numbers[numbers[block + ENEMY_SETS] + entry - number * size & POSITIVE]
    return numbers[kind + 3], opened_by(numbers, kind, enemy), numbers[at + 2]


def exits(rules: Rules, state: State, out: Words) -> int:
    own, enemy = state[0], state[1]
    if to_place(state):
        return place_actions(rules[BOARD] & ~(own | enemy), out)
    bombs = enemy & beside(own)
    n = 0
    while bombs:
        out[n] = DETONATE << 12 | lowest(bombs)
        bombs &= bombs - 1
        n += 1
    return n


def states_outside(rules: Rules, state: State, out: Words) -> int:
    own, enemy = state[0], state[1]
    n = 0
    if to_place(state):
        empty = rules[BOARD] & ~(own | enemy)
        while empty:
            n = add(enemy, own | empty & -empty, state[2] - 2 ^ 1, out, n)
            empty &= empty - 1
        return n
    bombs = enemy & beside(own)
    while bombs:
        group = bombs & -bombs
        more = beside(group) & (own | enemy)
        while more & ~group:
            group |= more
            more = beside(group) & (own | enemy)
        bombs &= ~group  # the others of the group set off the same
        n = add(enemy & ~group, own & ~group, state[2] ^ 1, out, n)
    return n


def add(own: int, enemy: int, word: int, out: Words, n: int) -> int:
    """Writes a state as the next one and returns how many there are now."""
    out[3 * n] = own
    out[3 * n + 1] = enemy
    out[3 * n + 2] = word
    return n + 1


def stays(rules: Rules, state: State, part: int, out: Words) -> int:
    own, enemy = state[0], state[1]
    if to_place(state) or part >= bit_count(own):
        return -1
    bombs = own  # each is a part
    for _ in range(part):
        bombs &= bombs - 1
    cell = lowest(bombs)
    if touched_twice(enemy) >> cell & 1:
        return 0
    open_cells = rook_reach(cell, own | enemy)
    n = 0
    while open_cells:
        out[n] = MOVE << 12 | cell << 6 | lowest(open_cells)
        open_cells &= open_cells - 1
        n += 1
    return n


def entries_outside(rules: Rules, numbers: Words, state: State, out: Words) -> int:
    own, enemy = state[0], state[1]
    if to_place(state) == 0:
        return 0
    out[0] = tier(rules, (enemy, own | 1 << lowest(~(own | enemy)), state[2] - 2 ^ 1))
    block = block_of(bit_count(enemy), bit_count(own) + 1)
    found = numbers[numbers[block + OWN_CLASSES] + rank_of(numbers, enemy) & POSITIVE]
    kind = numbers[block + OWN_KINDS] + (found >> 3) * 4 & POSITIVE
    first = numbers[block + BLOCK_FIRST] + (found >> 3) * numbers[block + CLASS_SIZE]
    own, enemy = turned(numbers, found & 7, own), numbers[kind + 3]
    empty = CELLS & ~(own | enemy)
    n = 0
    while empty:
        n += 1
        out[n] = own | empty & -empty
        empty &= empty - 1
    for i in range(1, n + 1):
        out[i] = first + least_rank(numbers, kind, out[i])
    return n


def entries_after(rules: Rules, numbers: Words, state: State, part: int, out: Words) -> int:
    own, enemy = state[0], state[1]
    if to_place(state) or part > 1:
        return -1
    block = block_of(bit_count(enemy), bit_count(own))
    found = numbers[numbers[block + OWN_CLASSES] + rank_of(numbers, enemy) & POSITIVE]
    kind = numbers[block + OWN_KINDS] + (found >> 3) * 4 & POSITIVE
    first = numbers[block + BLOCK_FIRST] + (found >> 3) * numbers[block + CLASS_SIZE]
    # The position is turned once. The enemy's bombs, which have the class after the move, stay where they are.
    own, enemy = turned(numbers, found & 7, own), numbers[kind + 3]
    bombs = own & ~touched_twice(enemy)
    bombs = bombs & bombs - 1 if part else bombs & -bombs  # often the first bomb has a move that decides
    is_symmetric = numbers[kind] >> BOARD_CELLS != 0
    n = 0
    while bombs:
        cell = lowest(bombs)
        bombs &= bombs - 1
        others, open_cells = own ^ bit(cell), rook_reach(cell, own | enemy)
        if is_symmetric:
            while open_cells:
                out[n] = first + least_rank(numbers, kind, others | open_cells & -open_cells)
                open_cells &= open_cells - 1
                n += 1
        others, open_cells = closed_by(numbers, kind, others), closed_by(numbers, kind, open_cells)
        while open_cells:
            out[n] = first + rank_of(numbers, others | open_cells & -open_cells)
            open_cells &= open_cells - 1
            n += 1
    return n


def entries_before(rules: Rules, numbers: Words, state: State, hands_over: bool, out: Words) -> int:
    if to_place(state) or not hands_over:
        return 0
    own, enemy = state[1], state[0]
    block = block_of(bit_count(own), bit_count(enemy))
    classes, kinds = numbers[block + OWN_CLASSES], numbers[block + OWN_KINDS]
    first, size = numbers[block + BLOCK_FIRST], numbers[block + CLASS_SIZE]
    free = ~touched_twice(enemy)
    bombs = own
    n = 0
    while bombs:
        cell = lowest(bombs)
        bombs &= bombs - 1
        others = own ^ bit(cell)
        origins = rook_reach(cell, own | enemy) & free
        while origins:
            out[n] = others | origins & -origins
            origins &= origins - 1
            n += 1
    for i in range(n):  # a second loop, so that the memory accesses overlap
        found = numbers[classes + rank_of(numbers, out[i]) & POSITIVE]
        kind = kinds + (found >> 3) * 4 & POSITIVE
        out[i] = first + (found >> 3) * size + least_rank(numbers, kind, turned(numbers, found & 7, enemy))
    return n


def predecessors(rules: Rules, state: State, out: Words) -> int:
    if to_place(state):
        return 0  # a placement comes from another tier
    own, enemy, word = state[1], state[0], state[2] ^ 1
    free = ~touched_twice(enemy)  # where a bomb was not pinned
    bombs = own
    n = 0
    while bombs:
        cell = lowest(bombs)
        bombs &= bombs - 1
        others = own ^ bit(cell)
        origins = rook_reach(cell, own | enemy) & free
        while origins:
            n = add(others | origins & -origins, enemy, word, out, n)
            origins &= origins - 1
    return n


def beside(cells: int) -> int:
    """Returns the cells that have a neighbour in a set; those above the board are not removed."""
    return cells << 1 & ~WEST_COLUMN | cells >> 1 & ~EAST_COLUMN | cells << SIDE | cells >> SIDE


def touched_twice(cells: int) -> int:
    """Returns the cells that have two or more neighbours in a set."""
    east, west = cells << 1 & ~WEST_COLUMN, cells >> 1 & ~EAST_COLUMN
    north, south = cells << SIDE, cells >> SIDE
    return east & west | north & south | (east | west) & (north | south)


def rook_reach(cell: int, bombs: int) -> int:
    """Returns the empty cells that a rook reaches."""
    row, column = cell // SIDE, cell % SIDE
    in_row = bombs >> SIDE * row & 63
    in_column = (bombs >> column & WEST_COLUMN) * COLUMN_TO_ROW >> 25 & 63
    return ROW_REACH[64 * column + in_row] << SIDE * row | COLUMN_REACH[64 * row + in_column] << column
