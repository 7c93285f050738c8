"""Shapes of Omba for two, for the verifier of tables: the numbering a second time, and where actions lead in it.

It shares nothing with ``index.py`` but the specification in that module's docstring. A *shape* is the nine heights of
a board. Entries that follow each other have the same shape, the first of its kind, and differ in which pieces are the
own ones: so where a piece can end, the shape that an action leads to, its first entry there and where each piece goes
are found once for a shape. Then the place of a successor is a matter of three look-ups in small tables.

The *key* of a shape is the word of the pieces on each cell and all before it, four bits for each cell: shapes are
ordered by it.

*layout* has, as `shape_numbers` makes them:

    0 PIECES      how many pieces each player has
    1 LISTS       for each number of pieces on the board: where the keys of its kinds begin, and how many there are
    RANKS         by set of pieces: its rank among the sets of as many
    SETS          the sets of pieces, by number of pieces and then in order
    keys          for each number of pieces: the least keys of the kinds, in order

The words of a shape:

    0 FIRST       its first entry in the tier
    1 HEIGHTS     the heights
    2 COUNT       how many pieces are on the board
    3 SIZE        how many of them are the own ones
    4 REST        the third word of its states
    5 ACTIONS     how many actions there are, whosever the pieces are
    8 WAYS        for each action: the piece that it moves (OUTSIDE_PIECE: one from the hand), the rolls that allow
                  it, the first place of the shape that it leads to, and which pieces are the next player's there, by
                  the own ones before: three tables by four pieces each, whose exclusive or it is
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from damier.core.kernel.bits import bit
from damier.core.kernel.contract import State, Words
from damier.games.omba.check import BESIDE, ENTRIES, IMAGE, OUTSIDE, ends_of_walks, height_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_PIECES = 12  # on the board
PIECES, LISTS = 0, 1
RANKS = LISTS + 2 * (MOST_PIECES + 1)
SETS = RANKS + 4096
KEYS = SETS + 4096

FIRST, HEIGHTS, COUNT, SIZE, REST, ACTIONS, WAYS = 0, 1, 2, 3, 4, 5, 8
MOVED, ROLLS, PLACE, TABLES, WAY_SIZE = 0, 1, 2, 4, 52
OUTSIDE_PIECE = 12
SHAPE_WORDS = WAYS + 90 * WAY_SIZE

ALL_CELLS = (1 << 36) - 1  # four bits each
EACH_CELL = 0x111111111
POSITIVE = (1 << 62) - 1  # a mask that changes no index, but tells the compiler that it is not negative

#: By number of pieces and of own ones: how many sets there are; and where the sets of as many begin in SETS.
CHOICES = [comb(n, k) for n in range(MOST_PIECES + 1) for k in range(16)]
SETS_BEGIN = [sum(comb(MOST_PIECES, i) for i in range(k)) for k in range(MOST_PIECES + 1)]


def shape_numbers(start: State) -> NDArray[np.int64]:
    """Returns the *layout* for games that begin with a state, in which all pieces are in the hands."""
    import numpy as np

    pieces = start[2] >> 5 & 7
    sets = np.arange(4096)
    order = np.lexsort((sets, np.bitwise_count(sets)))
    ranks = np.empty(4096, np.int64)
    ranks[order] = np.arange(4096) - np.array(SETS_BEGIN)[np.bitwise_count(order)]
    lists: list[NDArray[np.int64]] = []
    head = [pieces]
    for count in range(MOST_PIECES + 1):
        keys = _least_keys(count) if count <= 2 * pieces else order[:0]
        head += [KEYS + sum(map(len, lists)), len(keys)]
        lists.append(keys)
    return np.concatenate([np.array(head), ranks, order, *lists]).astype(np.int64)


def _least_keys(count: int) -> NDArray[np.int64]:
    """Returns the least key of each kind of `count` pieces, in order."""
    import numpy as np

    heights = np.zeros((1, 0), np.uint8)
    for _ in range(8):  # one cell more, with any number of the pieces that are left
        added = np.tile(np.arange(count + 1, dtype=np.uint8), len(heights))
        heights = np.column_stack([np.repeat(heights, count + 1, axis=0), added])
        heights = heights[heights.sum(axis=1) <= count]
    heights = np.column_stack([heights, (count - heights.sum(axis=1)).astype(np.uint8)])
    keys = []
    for cells in np.array(IMAGE).reshape(8, 9):
        turned = np.empty_like(heights)
        turned[:, cells] = heights
        keys.append((np.cumsum(turned, axis=1, dtype=np.int64) << 4 * np.arange(9)).sum(axis=1))
    return np.unique(np.min(keys, axis=0))


def open_shape(layout: Words, firsts: Words, number: int, entry: int, words: Words) -> int:
    more = 0
    while (more + 1) * (more + 2) // 2 <= number:
        more += 1
    own_hand, enemy_hand, first = more, number - more * (more + 1) // 2, 0
    entries = part_entries(layout, own_hand, enemy_hand)
    if entry >= entries:
        own_hand, enemy_hand, first = enemy_hand, own_hand, entries
    count, size = 2 * layout[PIECES] - own_hand - enemy_hand, layout[PIECES] - own_hand
    ways = CHOICES[16 * count + size]
    kind = (entry - first) // ways
    key = layout[layout[LISTS + 2 * count] + kind]
    words[FIRST] = first + kind * ways
    words[HEIGHTS] = heights_of(key)
    words[COUNT] = count
    words[SIZE] = size
    words[REST] = own_hand << 5 | enemy_hand << 8
    words[ACTIONS] = 0
    if own_hand:
        add_ways(layout, firsts, words, OUTSIDE, own_hand - 1, enemy_hand)
    if size:
        for cell in range(9):
            if height_of(words[HEIGHTS], cell):
                add_ways(layout, firsts, words, cell, own_hand, enemy_hand)
    return words[FIRST] + ways


def shape_state(layout: Words, words: Words, entry: int) -> State:
    enemy = own_set(layout, words, entry) ^ (1 << words[COUNT]) - 1
    enemy = (enemy | enemy << 8) & 0xFF00FF
    enemy = (enemy | enemy << 4) & 0x0F0F0F
    enemy = (enemy | enemy << 2) & 0x333333
    return words[HEIGHTS], (enemy | enemy << 1) & 0x555555, words[REST]


def shape_places(layout: Words, words: Words, entry: int, out: Words) -> int:
    own = own_set(layout, words, entry) | 1 << OUTSIDE_PIECE
    low, middle, high = TABLES + (own & 15), TABLES + 16 + (own >> 4 & 15), TABLES + 32 + (own >> 8 & 15)
    n = 0
    way = WAYS
    for _ in range(words[ACTIONS]):
        following = words[way + low & POSITIVE] ^ words[way + middle & POSITIVE] ^ words[way + high & POSITIVE]
        out[2 * n & POSITIVE] = words[way + ROLLS & POSITIVE]
        out[2 * n + 1 & POSITIVE] = words[way + PLACE & POSITIVE] + layout[RANKS + (following & 4095)]
        n += own >> words[way + MOVED & POSITIVE] & 1
        way += WAY_SIZE
    return n


def own_set(layout: Words, words: Words, entry: int) -> int:
    """Returns the set of own pieces of an entry of a shape."""
    return layout[SETS + SETS_BEGIN[words[SIZE]] + entry - words[FIRST]] & 4095


def part_entries(layout: Words, own_hand: int, enemy_hand: int) -> int:
    """Returns how many entries the positions with these hands have."""
    count = 2 * layout[PIECES] - own_hand - enemy_hand
    return layout[LISTS + 2 * count + 1] * CHOICES[16 * count + layout[PIECES] - own_hand]


def add_ways(layout: Words, firsts: Words, words: Words, origin: int, own_hand: int, enemy_hand: int) -> None:
    """Adds the actions of the piece on top of a cell, or of one from the hand; the hands are those after it."""
    heights = words[HEIGHTS]
    if origin == OUTSIDE:
        ends = ends_of_walks(heights, 0, ENTRIES, 0)
    else:
        ends = ends_of_walks(heights, bit(origin), BESIDE[origin], height_of(heights, origin) - 1)
    for cell in range(9):
        rolls = ends >> 6 * cell & 63
        if rolls:
            way = WAYS + WAY_SIZE * words[ACTIONS]
            words[ACTIONS] += 1
            words[way + ROLLS] = rolls
            learn_way(layout, firsts, words, way, origin, cell, own_hand, enemy_hand)


def learn_way(
    layout: Words, firsts: Words, words: Words, way: int, origin: int, target: int, own_hand: int, enemy_hand: int
) -> None:
    """Writes where an action leads."""
    heights, count = words[HEIGHTS] + bit(4 * target), words[COUNT]
    words[way + MOVED] = OUTSIDE_PIECE
    if origin == OUTSIDE:
        count += 1
    else:
        heights -= bit(4 * origin)
        words[way + MOVED] = (words[HEIGHTS] * EACH_CELL >> 4 * origin & 15) - 1
    least, symmetry = key_of_image(heights, 0), 0
    for i in range(1, 8):
        key = key_of_image(heights, i)
        if key < least:
            least, symmetry = key, i
    words[way + PLACE] = first_place(layout, firsts, least, count, enemy_hand, own_hand)
    # Where each piece goes: of the next player are all but the own ones and, if it was not on the board, the new one.
    for i in range(48):
        words[way + TABLES + i] = 0
    rest = (1 << count) - 1
    piece = 0
    for cell in range(9):
        to = least << 4 >> 4 * IMAGE[9 * symmetry + cell] & 15
        left = height_of(words[HEIGHTS], cell) - (1 if cell == origin else 0)
        for level in range(left):
            words[way + TABLES + 16 * (piece >> 2) + (1 << (piece & 3))] = 1 << to + level
            piece += 1
        if cell == target and origin == OUTSIDE:
            rest ^= 1 << to + left
        if cell == origin:
            there = least << 4 >> 4 * IMAGE[9 * symmetry + target] & 15
            there += height_of(words[HEIGHTS], target)
            words[way + TABLES + 16 * (piece >> 2) + (1 << (piece & 3))] = 1 << there
            piece += 1
    for part in range(way + TABLES, way + TABLES + 48, 16):
        for some in range(3, 16):
            lowest_bit = some & -some
            if some != lowest_bit:
                words[part + some] = words[part + lowest_bit] ^ words[part + (some ^ lowest_bit)]
    for some in range(16):
        words[way + TABLES + some] ^= rest


def first_place(layout: Words, firsts: Words, key: int, count: int, own_hand: int, enemy_hand: int) -> int:
    """Returns the first place in the table of the shape with a key."""
    low, high = layout[LISTS + 2 * count], layout[LISTS + 2 * count] + layout[LISTS + 2 * count + 1]
    begin = low
    while high - low > 1:
        middle = (low + high) // 2
        if layout[middle] <= key:
            low = middle
        else:
            high = middle
    more, less = max(own_hand, enemy_hand), min(own_hand, enemy_hand)
    first = part_entries(layout, more, less) if own_hand < enemy_hand else 0
    return (
        firsts[more * (more + 1) // 2 + less] + first + (low - begin) * CHOICES[16 * count + layout[PIECES] - own_hand]
    )


def key_of_image(heights: int, symmetry: int) -> int:
    """Returns the key of what a symmetry makes of a shape."""
    turned = 0
    for cell in range(9):
        turned |= height_of(heights, cell) << 4 * IMAGE[9 * symmetry + cell]
    return turned * EACH_CELL & ALL_CELLS


def heights_of(key: int) -> int:
    """Returns the shape with a key."""
    return key - (key << 4 & ALL_CELLS)


def state_image(state: State, symmetry: int) -> State:
    heights, owners, rest = state
    key = key_of_image(heights, symmetry & 7)
    turned = 0
    for cell in range(9):
        size = 2 * height_of(heights, cell)
        turned |= (owners & bit(size) - 1) << 2 * (key << 4 >> 4 * IMAGE[9 * (symmetry & 7) + cell] & 15)
        owners >>= size
    if symmetry & 8:
        pieces = key >> 32
        turned ^= (bit(2 * pieces) - 1) // 3
        rest = (rest >> 5 & 7) << 8 | (rest >> 8 & 7) << 5 | rest & 1 ^ 1
    return heights_of(key), turned, rest
