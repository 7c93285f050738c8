"""Families of positions of Renfa-Bomba on 5x5 cells, for the verifier of tables: the numbering a second time.

It shares nothing with ``index.py`` but the specification in docs/tables.md and in that module's docstring. A *family*
has the positions in which the enemy's bombs are the least image of their class (*base*), with the own bombs on any
other cells. A move or a placement leaves the base where it is, and the other player is on move then: so it leads to the
*block* of the base, whose entries are ordered by the rank of the bombs that were moved or placed. That block fits
into the processor's cache, and all ranks in it are relative to one base.

*layout* has, as `family_numbers` makes them:

    0 BOMBS, 1 LAST   the options
    2 LISTS           for each number of cells: where its sets, its bases and its symmetries begin, how many bases
    LOW, HIGH         the rank of a set is the sum of two numbers: by its 12 low bits; by their count and the others
    sets              the sets of as many cells in order; those within the first n cells come first
    bases             the sets that are the least of their images, in order
    symmetries        for each set: the symmetry that makes the base of its class of it

The words of a family:

    0 to 4            how many members it has, and those before it; tier, first entry and size of its block
    6 BASE            the base
    7 HAND            the bombs to be placed before an action of a member
    8 OWN             how many own bombs the members have
    9 FIXING          the symmetries that leave the base as it is, bit 0 for the first
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.contract import State, Words
from damier.core.options import Options
from damier.games.renfa.check import BESIDE, BOARD, IMAGES, LINES, image_of, transposed, write_detonations

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_BOMBS = 7
BOMBS, LAST, LISTS = 0, 1, 2
SETS, BASES, TURNS, COUNT = 0, 1, 2, 3
LOW = LISTS + 4 * (MOST_BOMBS + 1)
HIGH = LOW + 4096
ALL_SETS = HIGH + 8 * 8192

BASE, HAND, OWN, FIXING = 6, 7, 8, 9


def _line_reach(cell: int, taken: int, first: int) -> int:
    """Returns the cells that a bomb reaches in two directions from the direction `first` on; `taken` cells stop it."""
    reached = 0
    for line in range(16 * cell + 4 * first, 16 * cell + 4 * first + 8, 4):
        for target in LINES[line : line + 4]:
            if target < 0 or taken & bit(target):
                break
            reached |= bit(target)
    return reached


#: By cell and the taken cells of its row, and of its column from the bottom: where a bomb can go.
ROW_WAYS = [_line_reach(cell, taken << cell // 5 * 5, 0) for cell in range(25) for taken in range(32)]
COLUMN_WAYS = [
    _line_reach(cell, sum(bit(5 * y + cell % 5) for y in range(5) if taken >> y & 1), 2)
    for cell in range(25)
    for taken in range(32)
]


def family_numbers(options: Options) -> NDArray[np.int64]:
    """Returns the *layout*."""
    import numpy as np

    bombs = int(options["bombs"])
    sets = [np.zeros(1, np.int64)]
    for count in range(1, bombs + 1):
        sets.append(np.concatenate([sets[-1][: comb(high, count - 1)] | 1 << high for high in range(count - 1, 25)]))
    lists, head = [], [bombs, int(options["last"])]
    at = ALL_SETS
    pictures = np.array(IMAGES, np.int64)
    for of_count in sets:
        images = sum(pictures[8 * (32 * row + (of_count[:, None] >> 5 * row & 31)) + np.arange(8)] for row in range(5))
        turns = images.argmin(axis=1)
        bases = of_count[images.min(axis=1) == of_count]
        head += [at, at + len(of_count), at + len(of_count) + len(bases), len(bases)]
        lists += [of_count, bases, turns]
        at += 2 * len(of_count) + len(bases)
    head += [0] * (LOW - len(head))
    low = [_rank_from(cells, 0, 0) for cells in range(4096)]
    high = [_rank_from(cells, 12, count) for count in range(8) for cells in range(8192)]
    return np.concatenate([np.array([*head, *low, *high], np.int64), *lists])


def _rank_from(cells: int, shift: int, below: int) -> int:
    """Returns what cells add to the rank of a set; their numbers are `shift` higher and `below` cells are lower."""
    found = [cell + shift for cell in range(13) if cells >> cell & 1]
    return sum(comb(cell, below + i + 1) for i, cell in enumerate(found))


def family_count(layout: Words, number: int) -> int:
    moving = moving_tiers(layout)
    if number >= moving:
        return bases_of(layout, placed(layout, number - moving + 1, 1))
    many, few = counts_of(layout, number)
    return bases_of(layout, many) + (bases_of(layout, few) if few != many else 0)


def open_family(layout: Words, number: int, family: int, words: Words) -> None:
    moving = moving_tiers(layout)
    hand = number - moving + 1 if number >= moving else 0
    if hand:
        own, enemy = placed(layout, hand, 0), placed(layout, hand, 1)
        size, first = subsets_beside(enemy, own + 1), 0
        words[2] = number - 1
    else:
        enemy, own = counts_of(layout, number)
        if family >= bases_of(layout, enemy):
            family -= bases_of(layout, enemy)
            own, enemy = enemy, own
        size = subsets_beside(enemy, own)
        # The positions in which the player on move has fewer bombs come first.
        first = bases_of(layout, own) * subsets_beside(own, enemy) if enemy > own else 0
        words[2] = number
    base = layout[layout[LISTS + 4 * enemy + BASES] + family]
    words[0] = subsets_beside(enemy, own)
    words[1] = first + family * words[0]
    words[3] = first + family * size
    words[4] = size
    words[BASE] = base
    words[HAND] = hand
    words[OWN] = own
    words[FIXING] = 0
    for symmetry in range(8):
        if image_of(base, symmetry) == base:
            words[FIXING] |= 1 << symmetry


def family_member(layout: Words, words: Words, i: int) -> State:
    return opened(layout, words, words[OWN], i), words[BASE], third_word(words[HAND])


def block_state(layout: Words, words: Words, i: int) -> State:
    hand = words[HAND]
    count = words[OWN] + (1 if hand else 0)
    return words[BASE], opened(layout, words, count, i), third_word(hand - 1 if hand else 0)


def member_alias(layout: Words, words: Words, i: int) -> int:
    return i if words[FIXING] == 1 else least_alias(layout, words, words[OWN], i)


def block_alias(layout: Words, words: Words, i: int) -> int:
    return i if words[FIXING] == 1 else least_alias(layout, words, words[OWN] + (1 if words[HAND] else 0), i)


def successors_inside(layout: Words, words: Words, i: int, state: State, out: Words) -> int:
    own, base = state[0], state[1]
    chosen = layout[layout[LISTS + 4 * words[OWN] + SETS] + i]  # the own bombs, with the cells of the base left out
    taken = own | base
    n = 0
    if words[HAND]:
        empty = BOARD & ~taken
        while empty:
            out[n] = rank_of(layout, chosen | closed_bit(base, lowest(empty)))
            empty &= empty - 1
            n += 1
        return n
    columns = transposed(taken)
    bombs = own
    while bombs:
        cell = lowest(bombs)
        bombs &= bombs - 1
        if bit_count(BESIDE[cell] & base) < 2:
            others = chosen ^ closed_bit(base, cell)
            row, column = cell // 5, cell % 5
            ways = ROW_WAYS[32 * cell + (taken >> 5 * row & 31)]
            ways |= COLUMN_WAYS[32 * cell + (columns >> 5 * column & 31)]
            while ways:
                out[n] = rank_of(layout, others | closed_bit(base, lowest(ways)))
                ways &= ways - 1
                n += 1
    return n


def successors_outside(layout: Words, words: Words, state: State, out: Words) -> int:
    if words[HAND]:
        return 0
    return write_detonations(state[0], state[1], 1, out, 0)


def likely_symmetry(layout: Words, state: State) -> int:
    own = state[0]
    return layout[layout[LISTS + 4 * bit_count(own) + TURNS] + rank_of(layout, own)]


def moving_tiers(layout: Words) -> int:
    """Returns how many tiers there are once all bombs are placed: one for each pair of numbers of bombs."""
    counts = layout[BOMBS] - layout[LAST]
    return counts * (counts + 1) // 2


def counts_of(layout: Words, number: int) -> tuple[int, int]:
    """Returns the larger and the smaller number of bombs of a tier in which all are placed."""
    many = 1
    while number >= many * (many + 1) // 2:
        many += 1
    return many + layout[LAST], number - many * (many - 1) // 2 + 1 + layout[LAST]


def placed(layout: Words, hand: int, enemy: int) -> int:
    """Returns how many bombs the player on move has on the board, or the enemy (1); `hand` are still to be placed."""
    count = 2 * layout[BOMBS] - hand
    return count + enemy >> 1


def bases_of(layout: Words, count: int) -> int:
    """Returns how many classes of sets of `count` cells there are."""
    return layout[LISTS + 4 * count + COUNT]


def subsets_beside(count: int, chosen: int) -> int:
    """Returns how many sets of `chosen` cells there are beside `count` others."""
    ways = 1
    for i in range(chosen):
        ways = ways * (25 - count - i) // (i + 1)
    return ways


def third_word(hand: int) -> int:
    """Returns the third word of a state: the bombs to be placed, and the player who places the next one."""
    return hand << 1 | hand & 1


def opened(layout: Words, words: Words, count: int, i: int) -> int:
    """Returns the set of `count` cells beside the base with this rank."""
    cells = layout[layout[LISTS + 4 * count + SETS] + i]
    base = words[BASE]
    while base:
        below = (base & -base) - 1
        cells = cells & below | (cells & ~below) << 1
        base &= base - 1
    return cells


def closed_bit(base: int, cell: int) -> int:
    """Returns the bit of a cell when the cells of the base are left out."""
    return 1 << cell - bit_count(base & (1 << cell) - 1)


def least_alias(layout: Words, words: Words, count: int, i: int) -> int:
    """Returns the least rank of all images of a set under the symmetries that leave the base as it is."""
    cells = opened(layout, words, count, i)
    least = i
    for symmetry in range(1, 8):
        if words[FIXING] >> symmetry & 1:
            image, chosen = image_of(cells, symmetry), 0
            while image:
                chosen |= closed_bit(words[BASE], lowest(image))
                image &= image - 1
            least = min(least, rank_of(layout, chosen))
    return least


def rank_of(layout: Words, cells: int) -> int:
    """Returns the rank of a set among those of as many cells."""
    low = cells & 4095
    return layout[LOW + low] + layout[HIGH + (bit_count(low) << 13) + (cells >> 12 & 8191)]
