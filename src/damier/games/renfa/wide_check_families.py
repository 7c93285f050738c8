"""Families of positions of Renfa-Bomba on 6x6 cells, for the verifier of tables: the numbering a second time.

It shares nothing with ``wide_index.py`` but the specification in docs/tables.md. The idea, the layout and the words of
a family are those of ``check_families.py``, for 36 cells. Sets of 36 cells do not fit int32, so the layout has int64
words, and the rank of a set is the sum of three numbers (LOW, MIDDLE, HIGH), by 12 cells each. Most functions are the
same text as in ``check_families.py``: they read the constants of their own module, as ``wide_index.py`` explains.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from damier.core.kernel.bits import bit_count, lowest
from damier.core.kernel.contract import State, Words
from damier.core.options import Options
from damier.games.renfa.wide_check import BESIDE, BOARD, IMAGES, image_of, write_detonations

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_BOMBS = 5
BOMBS, LAST, LISTS = 0, 1, 2
SETS, BASES, FIXED, CLASSES, JOINED, COUNT, LIST_SIZE = 0, 1, 2, 3, 4, 5, 6
PAIRS = LISTS + LIST_SIZE * (MOST_BOMBS + 1)
PAIR_SIZE = 3
LOW = PAIRS + PAIR_SIZE * 64
MIDDLE = LOW + 4096
HIGH = MIDDLE + 8 * 4096
ALL_SETS = HIGH + 8 * 4096

BASE, HAND, OWN, FIXING, SIDE, OPENING, BESIDE_BASE, TURNED = 6, 7, 8, 9, 10, 11, 16, 52

LANES = 64
SPACES = 36
POSITIVE = (1 << 62) - 1  # a mask that changes no index, but tells the compiler that it is not negative

#: By cell and number of lower cells of a set: what the cell adds to the rank of the set.
STEPS = [comb(cell, below + 1) for cell in range(36) for below in range(8)]


def family_numbers(options: Options) -> NDArray[np.int64]:
    """Returns the *layout*."""
    import numpy as np

    bombs = int(options["bombs"])
    sets = [np.zeros(1, np.int64)]
    for count in range(1, bombs + 1):
        sets.append(np.concatenate([sets[-1][: comb(high, count - 1)] | 1 << high for high in range(count - 1, 36)]))
    lists: list[NDArray[np.int64]] = []
    head = [bombs, int(options["last"])]
    at = ALL_SETS
    pictures = np.array(IMAGES, np.int64).reshape(8, 6, 64)
    for count, of_count in enumerate(sets):
        images = np.stack([sum(turned[row][of_count >> 6 * row & 63] for row in range(6)) for turned in pictures], 1)
        least = images.min(axis=1)
        is_base = least == of_count
        bases = of_count[is_base]
        fixing = ((images[is_base] == bases[:, None]) << np.arange(8)).sum(axis=1)
        classes = 8 * bases.searchsorted(least) + images.argmin(axis=1)
        joined = _joined(sets[count - 1], of_count) if count else bases[:0]
        for each in (of_count, bases, fixing, classes, joined):
            head.append(at)
            lists.append(each)
            at += len(each)
        head.append(len(bases))
    head += [0] * (PAIRS - len(head))
    kinds = [*head[LISTS + COUNT :: LIST_SIZE], 0, 0]  # as many as there are rows of pairs
    for own in range(8):
        for enemy in range(8):
            few, many = sorted((own - int(options["last"]), enemy - int(options["last"])))
            # The positions in which the player on move has fewer bombs come first.
            first = kinds[enemy] * comb(36 - enemy, own) if own > enemy else 0
            head += [first, comb(36 - own, enemy), many * (many - 1) // 2 + few - 1]
    low = [_rank_from(cells, 0, 0) for cells in range(4096)]
    middle = [_rank_from(cells, 12, count) for count in range(8) for cells in range(4096)]
    high = [_rank_from(cells, 24, count) for count in range(8) for cells in range(4096)]
    return np.concatenate([np.array([*head, *low, *middle, *high]), *lists]).astype(np.int64)


def _joined(sets: NDArray[np.int64], larger: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the list `joined` of sets and of the sets with one cell more."""
    import numpy as np

    few = sets[sets < 1 << SPACES]
    cells = 1 << np.arange(SPACES)
    found = np.where(few[:, None] & cells, 0, 1 + larger.searchsorted(few[:, None] | cells))
    rows = np.zeros((-(-len(few) // LANES) * LANES, SPACES), np.int64)
    rows[: len(few)] = found
    return rows.reshape(-1, LANES, SPACES).swapaxes(1, 2).ravel()


def _rank_from(cells: int, shift: int, below: int) -> int:
    """Returns what cells add to the rank of a set; their numbers are `shift` higher and `below` cells are lower."""
    found = [cell + shift for cell in range(12) if cells >> cell & 1]
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
    base = layout[layout[LISTS + LIST_SIZE * enemy + BASES] + family] & BOARD
    words[0] = subsets_beside(enemy, own)
    words[1] = first + family * words[0]
    words[3] = first + family * size
    words[4] = size
    words[BASE] = base
    words[HAND] = hand
    words[OWN] = own
    words[FIXING] = layout[layout[LISTS + LIST_SIZE * enemy + FIXED] + family]
    for symmetry in range(8):
        words[TURNED + symmetry] = image_of(base, symmetry)
    beside, passed = 0, 0
    for part in range(3):
        words[OPENING + part] = 0
    for cell in range(36):
        if base >> cell & 1:
            passed += 1
        else:
            words[BESIDE_BASE + beside] = cell
            # First by 4, then by 2 and by 1: where the cell is before each.
            words[OPENING + 2] |= (passed >> 2) << beside
            words[OPENING + 1] |= (passed >> 1 & 1) << beside + (passed & 4)
            words[OPENING] |= (passed & 1) << beside + (passed & 6)
            beside += 1
    words[SIDE] = beside


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


def best_inside(layout: Words, words: Words, merits: Words, best: Words, lanes: Words, reached: Words) -> None:
    own, hand, side = words[OWN], words[HAND], words[SIDE]
    joined = layout[LISTS + LIST_SIZE * (own + (1 if hand else 0)) + JOINED]
    if hand:
        for first in range(0, words[0], LANES):
            for i in range(first, min(first + LANES, words[0])):
                at = joined + first * SPACES + i - first
                most = 0
                for cell in range(side):
                    most = max(most, merits[layout[at + cell * LANES & POSITIVE] & POSITIVE])
                best[1 + i & POSITIVE] = most
        return
    for i in range(words[0] + 1):
        best[i & POSITIVE] = 0
    for i in range(36 * LANES):
        lanes[i & POSITIVE] = 0
    total = subsets_beside(36 - side, own - 1)
    for first in range(0, total, LANES):
        count = min(LANES, total - first)
        at = joined + first * SPACES
        for cell in range(side):
            lane = words[BESIDE_BASE + cell] * LANES
            for i in range(count):
                lanes[lane + i & POSITIVE] = merits[layout[at + i & POSITIVE] & POSITIVE]
            at += LANES
        for i in range(36 * LANES):
            reached[i & POSITIVE] = 0
        for line in range(6):
            sweep(lanes, reached, 6 * line, 1)
            sweep(lanes, reached, 6 * line + 5, -1)
            sweep(lanes, reached, line, 6)
            sweep(lanes, reached, line + 30, -6)
        at = joined + first * SPACES
        for cell in range(side):
            # A bomb with two enemies beside it does not move.
            if bit_count(BESIDE[words[BESIDE_BASE + cell]] & words[BASE]) < 2:
                lane = words[BESIDE_BASE + cell] * LANES
                for i in range(count):
                    place = layout[at + i & POSITIVE] & POSITIVE
                    best[place] = max(best[place], reached[lane + i & POSITIVE])
            at += LANES


def sweep(lanes: Words, reached: Words, first: int, step: int) -> None:
    """Tells each cell of a line what a bomb there reaches of the cells before it: the best up to a cell with 0.

    The best so far is behind the 36 cells of `reached`.
    """
    run = 36 * LANES
    for i in range(LANES):
        reached[run + i] = 0
    for at in range(6):
        cell = (first + at * step) * LANES & POSITIVE
        for i in range(LANES):
            here, before = lanes[cell + i], reached[run + i]
            reached[cell + i] = max(reached[cell + i], before)
            reached[run + i] = max(before, here) if here else here


def successors_outside(layout: Words, words: Words, state: State, out: Words) -> int:
    if words[HAND]:
        return 0
    return write_detonations(state[0], state[1], 1, out, 0)


def numbered(layout: Words, state: State) -> tuple[int, int]:
    own, enemy, hand = state[0], state[1], state[2] >> 1
    count, others = bit_count(own), bit_count(enemy)
    found = class_of(layout, own, count)
    pair = PAIRS + PAIR_SIZE * (8 * count + others)
    entry = (
        layout[pair] + (found >> 3) * layout[pair + 1] + least_beside(layout, found, count, image_of(enemy, found & 7))
    )
    return moving_tiers(layout) + hand - 1 if hand else layout[pair + 2] & POSITIVE, entry


def member_entry(layout: Words, words: Words, state: State) -> int:
    count = words[OWN]
    found = class_of(layout, state[0], count)
    pair = PAIRS + PAIR_SIZE * (8 * count + 36 - words[SIDE])
    least = least_beside(layout, found, count, words[TURNED + (found & 7)])
    return layout[pair] + (found >> 3) * layout[pair + 1] + least


def class_of(layout: Words, cells: int, count: int) -> int:
    """Returns 8 * the class of a set of `count` cells plus the symmetry that makes its base of it."""
    return layout[layout[LISTS + LIST_SIZE * count + CLASSES] + rank_of(layout, cells) & POSITIVE] & POSITIVE


def least_beside(layout: Words, found: int, count: int, cells: int) -> int:
    """Returns the least rank beside a base that the symmetries of the base give a set; `found` is as in `class_of`."""
    at = LISTS + LIST_SIZE * count
    base = layout[layout[at + BASES] + (found >> 3) & POSITIVE] & BOARD
    fixing = layout[layout[at + FIXED] + (found >> 3) & POSITIVE] >> 1
    least = rank_beside(base, cells)
    while fixing:
        least = min(least, rank_beside(base, image_of(cells, lowest(fixing) + 1)))
        fixing &= fixing - 1
    return least


def rank_beside(base: int, cells: int) -> int:
    """Returns the rank of a set when the cells of the base are left out."""
    rank = below = 0
    while cells:
        cell = lowest(cells)
        rank += STEPS[8 * (cell - bit_count(base & (1 << cell) - 1)) + below]
        cells &= cells - 1
        below += 1
    return rank


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
    return layout[LISTS + LIST_SIZE * count + COUNT]


def subsets_beside(count: int, chosen: int) -> int:
    """Returns how many sets of `chosen` cells there are beside `count` others."""
    ways = 1
    for i in range(chosen):
        ways = ways * (36 - count - i) // (i + 1)
    return ways


def third_word(hand: int) -> int:
    """Returns the third word of a state: the bombs to be placed, and the player who places the next one."""
    return hand << 1 | hand & 1


def opened(layout: Words, words: Words, count: int, i: int) -> int:
    """Returns the set of `count` cells beside the base with this rank."""
    cells = layout[layout[LISTS + LIST_SIZE * count + SETS] + i & POSITIVE] & BOARD
    cells += (cells & words[OPENING + 2]) * 15
    cells += (cells & words[OPENING + 1]) * 3
    return cells + (cells & words[OPENING])


def least_alias(layout: Words, words: Words, count: int, i: int) -> int:
    """Returns the least rank of all images of a set under the symmetries that leave the base as it is."""
    cells = opened(layout, words, count, i)
    least = i
    for symmetry in range(1, 8):
        if words[FIXING] >> symmetry & 1:
            least = min(least, rank_beside(words[BASE], image_of(cells, symmetry)))
    return least


def rank_of(layout: Words, cells: int) -> int:
    """Returns the rank of a set among those of as many cells."""
    low, middle = cells & 4095, cells >> 12 & 4095
    before = bit_count(low)
    rank = layout[LOW + low] + layout[MIDDLE + (before << 12) + middle]
    return rank + layout[HIGH + (before + bit_count(middle) << 12) + (cells >> 24 & 4095)]
