"""Numbers sets of cells on boards of at most 25 cells: the building blocks of every game's ``index.py``.

Sets of k cells are ordered as their words are ("colexicographically"), so the sets within the first n cells come first.
Two disjoint sets are numbered by the first one's class under the board's symmetries and by the rank of the second among
the cells that are left. All functions read one array of numbers, made by `subset_numbers`; its layout:

    MAPS       what each of 8 symmetries makes of a board, in three pieces of 9, 8 and 8 cells
    LOW        the rank of a set within the first 12 cells
    HIGH       what a set of the other 13 cells adds to it, by how many lie in the first 12
    PLACES     for each k: where SETS, CLASSES, CHOSEN and FIXING begin, and how many classes there are
    SETS       for each k: the sets of k cells in order
    CLASSES    for each k and set: class * 8 + the symmetry that turns the set into the one chosen for its class;
               -1 for sets with a cell that the board does not have
    CHOSEN     for each k and class: the set chosen
    FIXING     for each k and class: the symmetries that leave the chosen set as it is, one bit each
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import comb
from typing import TYPE_CHECKING, Any

from damier.core.kernel.bits import lowest
from damier.core.kernel.contract import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BOARD_CELLS = 25
MOST_IN_SET = 8
SYMMETRIES = 8

PIECE = 1024  # numbers for one symmetry
MAPS = 0
LOW = MAPS + SYMMETRIES * PIECE
HIGH = LOW + 4096
PLACES = HIGH + 13 * 8192
SETS_AT, CLASSES_AT, CHOSEN_AT, FIXING_AT, CLASS_COUNT, PLACE_SIZE = 0, 1, 2, 3, 4, 5
SETS = PLACES + (MOST_IN_SET + 1) * PLACE_SIZE

#: BINOMIALS[32 * n + k]: how many sets of k of n cells there are.
BINOMIALS = [comb(n, k) for n in range(26) for k in range(32)]


def image(numbers: Words, symmetry: int, cells: int) -> int:
    """Returns the image of a set under a symmetry."""
    at = MAPS + symmetry * PIECE
    return numbers[at + (cells & 511)] | numbers[at + 512 + (cells >> 9 & 255)] | numbers[at + 768 + (cells >> 17)]


def set_rank(numbers: Words, cells: int, low_count: int) -> int:
    """Returns the rank of a set among those of as many cells; `low_count` of them are in the first 12 cells."""
    return numbers[LOW + (cells & 4095)] + numbers[HIGH + (low_count << 13) + (cells >> 12)]


def closed_up(cells: int, taken: int) -> int:
    """Returns a set renumbered as if the cells of another, disjoint set were not on the board."""
    gone = 0
    while taken:
        cell = lowest(taken) - gone
        taken &= taken - 1
        below = (1 << cell) - 1
        cells = cells & below | cells >> 1 & ~below
        gone += 1
    return cells


def opened_up(cells: int, taken: int) -> int:
    """Returns the inverse of `closed_up`: the set that it turns into `cells`."""
    while taken:
        below = (1 << lowest(taken)) - 1
        taken &= taken - 1
        cells = cells & below | (cells & ~below) << 1
    return cells


def nth_set(numbers: Words, count: int, rank: int) -> int:
    """Returns the `count`-cell subset of this rank."""
    return numbers[numbers[PLACES + count * PLACE_SIZE + SETS_AT] + rank]


def class_and_symmetry(numbers: Words, count: int, rank: int) -> int:
    """Returns class * 8 + symmetry of the `count`-cell subset of this rank."""
    return numbers[numbers[PLACES + count * PLACE_SIZE + CLASSES_AT] + rank]


def chosen_set(numbers: Words, count: int, number: int) -> int:
    """Returns the set chosen for a class."""
    return numbers[numbers[PLACES + count * PLACE_SIZE + CHOSEN_AT] + number]


def fixing_symmetries(numbers: Words, count: int, number: int) -> int:
    """Returns the symmetries that leave the set chosen for a class as it is, one bit each."""
    return numbers[numbers[PLACES + count * PLACE_SIZE + FIXING_AT] + number]


def class_count(numbers: Words, count: int) -> int:
    """Returns the number of classes of `count`-cell subsets."""
    return numbers[PLACES + count * PLACE_SIZE + CLASS_COUNT]


def subset_numbers(symmetries: Sequence[Sequence[int]], board: int, most: int) -> NDArray[np.int32]:
    """Returns the array for a board (a set of cells) with eight symmetries, for sets of at most `most` cells."""
    import numpy as np

    maps = np.zeros((SYMMETRIES, BOARD_CELLS), np.int32)
    maps[:] = symmetries
    parts: list[Any] = [_maps(maps), _low(), _high()]
    places = np.zeros((MOST_IN_SET + 1, PLACE_SIZE), np.int32)
    at = SETS
    lists: list[Any] = []
    for count in range(most + 1):
        sets = _sets(count)
        classes, chosen, fixing = _classes(sets, maps, board)
        for column, numbers in enumerate((sets, classes, chosen, fixing)):
            places[count, column] = at
            at += len(numbers)
            lists.append(numbers)
        places[count, CLASS_COUNT] = len(chosen)
    return np.concatenate([part.ravel().astype(np.int32) for part in (*parts, places, *lists)])


def _maps(symmetries: Any) -> Any:
    import numpy as np

    maps = np.zeros((SYMMETRIES, PIECE), np.int32)
    for begin, first, size in ((0, 0, 9), (512, 9, 8), (768, 17, 8)):
        cells = np.arange(1 << size)
        for i in range(size):
            maps[:, begin : begin + (1 << size)] |= (cells >> i & 1)[None] << symmetries[:, first + i][:, None]
    return maps


def _low() -> Any:
    import numpy as np

    ranks, below = np.zeros(4096, np.int32), np.zeros(4096, np.int32)
    cells = np.arange(4096)
    binomials = np.array(BINOMIALS).reshape(26, 32)
    for i in range(12):
        here = cells >> i & 1
        below += here
        ranks += here * binomials[i, below]
    return ranks


def _high() -> Any:
    import numpy as np

    added = np.zeros((13, 8192), np.int32)
    cells = np.arange(8192)
    binomials = np.array(BINOMIALS).reshape(26, 32)
    for low_count in range(13):
        below = np.full(8192, low_count)
        for i in range(13):
            here = cells >> i & 1
            below += here
            added[low_count] += here * binomials[12 + i, below]
    return added


def _sets(count: int) -> Any:
    import numpy as np

    words = [sum(1 << cell for cell in cells) for cells in itertools.combinations(range(BOARD_CELLS), count)]
    return np.sort(np.array(words, np.int32))


def _classes(sets: Any, symmetries: Any, board: int) -> tuple[Any, Any, Any]:
    """Returns the class and symmetry of each set, the set chosen for each class, and what leaves that as it is."""
    import numpy as np

    images = np.zeros((SYMMETRIES, len(sets)), np.int32)
    for symmetry in range(SYMMETRIES):
        for cell in range(BOARD_CELLS):
            images[symmetry] |= (sets >> cell & 1) << symmetries[symmetry, cell]
    least = images.min(axis=0)
    chosen = np.unique(least[sets & ~board == 0])
    classes = np.searchsorted(chosen, least) * 8 + images.argmin(axis=0)
    classes[sets & ~board != 0] = -1
    places = np.searchsorted(sets, chosen)
    fixing = ((images[:, places] == chosen[None]) << np.arange(SYMMETRIES)[:, None]).sum(axis=0)
    return classes, chosen, fixing
