"""Numbers the positions of Renfa-Bomba on 5x5 cells, with at most 7 bombs each, up to symmetry and exchange of colours.

All bombs placed   a tier for each pair of numbers of bombs, by the larger and then by the smaller one. A detonation
                   takes bombs of both colours, so it leads to a tier with a lower number. A tier of unequal numbers has
                   two blocks: first the positions in which the player on move has fewer bombs, then the others.
Placing            then a tier for each number of bombs still to place, the empty board last; one block each.

A block is ordered by the class of the own bombs under the board's symmetries and by the rank of the enemy's among the
cells left. Where a symmetry leaves the class's chosen set as it is, the least number counts; the others are left free.

The numbers that `index_numbers` makes begin with MAPS, LOW and HIGH of ``subsets.py``; then come

    BLOCKS     for each number of own and of enemy bombs: where the classes and kinds of the own sets and the enemy sets
               stand, the first number of the block, how many classes it has, and how many numbers for each
    TIERS      for each tier: its two blocks (twice the same if there is but one) and the third word of its states
    sets       for each number of bombs: the sets of as many cells in order
    classes    for each of these: class * 8 + the symmetry that turns the set into the one chosen for its class
    kinds      for each class: which cells close up by 1, by 2 and by 4 (see `closed_by`), and the chosen set. Above the
               cells, the first two have the symmetries 1 to 3 and 4 to 7 that leave the chosen set as it is.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.cells import square_symmetries
from damier.core.kernel.contract import Rules, State, Words
from damier.core.kernel.subsets import HIGH, LOW, MAPS, PIECE, PLACE_SIZE, PLACES, subset_numbers
from damier.core.messages import Message, message
from damier.games.renfa.rules import BOARD, BOMBS, DETONATE, LAST, MOVE, place_actions, to_place

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INDEX = "renfa", 1
FAMILIES = "families", "check_families"  # modules that describe this numbering by families: for solver and verifier
MOST_BOMBS = 7
MAX_PREDECESSORS = 8 * MOST_BOMBS  # on 5x5 cells a rook reaches at most eight
MOST_TIERS = MOST_BOMBS * (MOST_BOMBS + 1) // 2 + 2 * MOST_BOMBS

BLOCKS = PLACES  # 8 numbers each
OWN_CLASSES, OWN_KINDS, ENEMY_SETS, BLOCK_FIRST, BLOCK_CLASSES, CLASS_SIZE = 0, 1, 2, 3, 4, 5
TIERS = BLOCKS + 8 * 64  # 3 numbers each
LISTS = TIERS + 3 * MOST_TIERS

CELLS = (1 << 25) - 1
POSITIVE = (1 << 31) - 1
WEST_COLUMN = 0b00001_00001_00001_00001_00001
EAST_COLUMN = WEST_COLUMN << 4


def _line_reach(place: int, taken: int) -> list[int]:
    """Returns the places that a rook reaches in a line of five; `taken` has a bit for each place with a bomb."""
    reached = []
    for step in (-1, 1):
        to = place + step
        while 0 <= to < 5 and not taken & bit(to):
            reached.append(to)
            to += step
    return reached


#: By cell and by the bombs of its row or column: the cells that a rook reaches in it.
ROW_REACH = [
    sum(bit(cell // 5 * 5 + to) for to in _line_reach(cell % 5, taken)) for cell in range(25) for taken in range(32)
]
COLUMN_REACH = [
    sum(bit(to * 5 + cell % 5) for to in _line_reach(cell // 5, taken)) for cell in range(25) for taken in range(32)
]


def index_numbers(rules: Rules) -> NDArray[np.int32]:
    import numpy as np

    base = subset_numbers(list(square_symmetries(5).values()), rules[BOARD], rules[BOMBS])
    lists: list[Any] = []
    places = []
    at = LISTS
    for count in range(rules[BOMBS] + 1):
        sets, classes, chosen, fixing, kinds = (int(n) for n in base[PLACES + count * PLACE_SIZE :][:PLACE_SIZE])
        tables = base[sets:classes], base[classes:chosen], _kinds(base[chosen:fixing], base[fixing : fixing + kinds])
        lists += tables
        places.append((at, at + tables[0].size, at + tables[0].size + tables[1].size, kinds))
        at += sum(table.size for table in tables)
    head = base[:PLACES], np.array(_blocks(places)), np.array(_tiers(rules))
    return np.concatenate([part.ravel().astype(np.int32) for part in (*head, *lists)])


def _kinds(chosen: Any, fixing: Any) -> Any:
    """Returns the four numbers of each class."""
    import numpy as np

    kinds = np.zeros((len(chosen), 4), np.int32)
    below = np.zeros(len(chosen), np.int32)
    for cell in range(25):
        is_taken = chosen >> cell & 1
        to = np.full(len(chosen), cell)
        for part in range(3):
            moves = (below >> part & 1) * (1 - is_taken)
            kinds[:, part] |= moves << to
            to -= moves << part
        below += is_taken
    kinds[:, 0] |= (fixing >> 1 & 7) << 25
    kinds[:, 1] |= (fixing >> 4) << 25
    kinds[:, 3] = chosen
    return kinds


def _blocks(places: list[tuple[int, int, int, int]]) -> list[int]:
    """Returns BLOCKS; `places` tells by number of bombs where sets, classes and kinds stand, and how many kinds."""
    blocks = []
    for own in range(8):
        for enemy in range(8):
            block = [0] * 8
            if max(own, enemy) < len(places):
                first = places[enemy][3] * comb(25 - enemy, own) if own > enemy else 0
                _, classes, kinds, count = places[own]
                block[:6] = classes, kinds, places[enemy][0], first, count, comb(25 - own, enemy)
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


def tier_name(rules: Rules, number: int) -> Message:
    hand = number - moving_tiers(rules) + 1
    if hand > 0:
        count = 2 * rules[BOMBS] - hand
        return message("1 bomb placed") if count == 1 else message("{count} bombs placed", count=count)
    many = 1
    while number >= many * (many + 1) // 2:
        many += 1
    few = number - many * (many - 1) // 2 + 1
    return message("{few} against {many} bombs", few=few + rules[LAST], many=many + rules[LAST])


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


def covered_tiers(rules: Rules, table: Rules) -> int:
    counts = min(rules[BOMBS], table[BOMBS]) - table[LAST]
    return counts * (counts + 1) // 2


def covered_tier(table: Rules, state: State) -> int:
    # Once all bombs are placed, nothing depends any more on how many there were.
    if to_place(state) or max(bit_count(state[0]), bit_count(state[1])) > table[BOMBS]:
        return -1
    return tier(table, state)


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
    return least_rank(numbers, kind, state[1]) == entry - number * size


def least_rank(numbers: Words, kind: int, enemy: int) -> int:
    """Returns the rank of the enemy's bombs, turned as the class demands: the least of all ways to turn them so."""
    least = rank_of(numbers, closed_by(numbers, kind, enemy))
    fixing = numbers[kind] >> 25 << 1 | numbers[kind + 1] >> 25 << 4
    while fixing:
        least = min(least, rank_of(numbers, closed_by(numbers, kind, turned(numbers, lowest(fixing), enemy))))
        fixing &= fixing - 1
    return least


# `turned` and `rank_of` are `image` and `set_rank` of ``subsets.py`` with indices of which the compiler sees that they
# are not negative: it leaves out the test for indices counted from the end, which makes `rank` a fifth faster.


def turned(numbers: Words, symmetry: int, cells: int) -> int:
    """Returns the image of a set under a symmetry."""
    at = MAPS + symmetry * PIECE
    first = numbers[at + (cells & 511)]
    return first | numbers[at + 512 + (cells >> 9 & 255)] | numbers[at + 768 + (cells >> 17 & 255)]


def rank_of(numbers: Words, cells: int) -> int:
    """Returns the rank of a set among those of as many cells."""
    low = cells & 4095
    return numbers[LOW + low] + numbers[HIGH + (bit_count(low) << 13) + (cells >> 12 & 8191)]


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
    moving = cells & (numbers[kind + 2] & CELLS) >> 4
    cells ^= moving ^ moving << 4
    moving = cells & (numbers[kind + 1] & CELLS) >> 2
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
    # the masks change nothing but make int64 of an int32, so that kernels are not compiled for both
    return numbers[kind + 3] & CELLS, opened_by(numbers, kind, enemy), numbers[at + 2] & POSITIVE


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
    taken = bit_count(enemy)
    out[0] = tier(rules, (enemy, own | 1 << lowest(~(own | enemy)), state[2] - 2 ^ 1))
    block = block_of(taken, bit_count(own) + 1)
    found = numbers[numbers[block + OWN_CLASSES] + rank_of(numbers, enemy) & POSITIVE]
    kind = numbers[block + OWN_KINDS] + (found >> 3) * 4 & POSITIVE
    first = numbers[block + BLOCK_FIRST] + (found >> 3) * numbers[block + CLASS_SIZE]
    own, enemy = turned(numbers, found & 7, own), numbers[kind + 3] & CELLS
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
    own, enemy = turned(numbers, found & 7, own), numbers[kind + 3] & CELLS
    bombs = own & ~touched_twice(enemy)
    bombs = bombs & bombs - 1 if part else bombs & -bombs  # often the first bomb has a move that decides
    is_symmetric = (numbers[kind] | numbers[kind + 1]) >> 25 != 0
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
    for i in range(n):  # a second loop: it makes `reach_back` twice as fast
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
            out[n] = others | origins & -origins
            out[n + 1] = enemy
            out[n + 2] = word
            n += 3
            origins &= origins - 1
    return n // 3


def beside(cells: int) -> int:
    """Returns the cells that have a neighbour in a set; those above the board are not removed."""
    return cells << 1 & ~WEST_COLUMN | cells >> 1 & ~EAST_COLUMN | cells << 5 | cells >> 5


def touched_twice(cells: int) -> int:
    """Returns the cells that have two or more neighbours in a set."""
    east, west = cells << 1 & ~WEST_COLUMN, cells >> 1 & ~EAST_COLUMN
    north, south = cells << 5, cells >> 5
    return east & west | north & south | (east | west) & (north | south)


def rook_reach(cell: int, bombs: int) -> int:
    """Returns the empty cells that a rook reaches."""
    row = bombs >> cell // 5 * 5 & 31
    column = (bombs >> cell % 5 & WEST_COLUMN) * 0x11111 >> 16 & 31  # the product brings every fifth bit together
    return ROW_REACH[32 * cell + row] | COLUMN_REACH[32 * cell + column]
