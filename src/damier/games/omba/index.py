"""Numbers the positions of Omba for two before a roll, up to symmetry and exchange of the players.

A position is seen by the player who is to roll: own pieces and enemy pieces. Its *shape* is the nine heights; shapes
that symmetries of the board make of one another are a *kind*, and the one of them that comes first stands for it.

Tier    how many pieces are in the two hands, whoever has which: x(x + 1) / 2 + y for x in one and y, not more, in the
        other. Bringing a piece in leads to a lower tier. The start alone is the last tier.
Entry   first the positions with x in the own hand, then those with y, unless x is y. Of these, kind by kind, turned so
        that they have the kind's shape: the rank of the set of own pieces among all sets of as many. The pieces count
        stack after stack, each from bottom to top.

Where a symmetry leaves the kind's shape as it is, the least number counts and the others are left free.

`index_numbers` returns

    SUMS        what the pieces on the cells up to 2i and up to 2i + 1 add to the rank of a shape, i from 0 to 3
    RANKS       the rank of a set of pieces among those of as many
    OWN_SETS    for each size: the sets of pieces in order
    SETS_WITH   for each size and piece: the sets that have it, in order
    SHAPES      for each number of pieces on the board: where its KINDS and CHOSEN begin, and how many kinds there are
    KINDS       for each number of pieces and shape: kind * 8 + the symmetry that turns the shape into the kind's
    CHOSEN      for each number of pieces and kind: the heights of the first seven cells of its shape, those of the
                other two, and the symmetries that leave it as it is, one bit each
"""

from __future__ import annotations

import functools
import itertools
from math import comb
from typing import Any

from damier.core.kernel.bits import lowest
from damier.core.kernel.cells import square_symmetries
from damier.core.kernel.contract import Rules, State, Words
from damier.core.messages import Message, message
from damier.games.omba.rules import (
    ALL_PREFIXES,
    OUTSIDE,
    PIECES,
    WALK_BEGIN,
    WALK_CELL,
    WALK_LENGTH,
    WALK_SKIP,
    hand,
    height,
    prefix,
    turn,
)

INDEX = "omba", 1
MOST_PIECES = 12  # on the board
MOST_IN_HAND = 6
HIGHEST_ROLL = 6
ALL_CELLS = (1 << 36) - 1  # four bits each
POSITIVE = (1 << 62) - 1  # a mask that changes no index, but tells the compiler that it is not negative

SUMS = 0
RANKS = SUMS + 4 * 256
OWN_SETS = RANKS + 4096
SETS_WITH = OWN_SETS + 4096
SHAPES = SETS_WITH + MOST_PIECES * 2048
KINDS_BEGIN, CHOSEN_BEGIN, KIND_COUNT, SHAPES_ROW = 0, 1, 2, 3
KINDS = SHAPES + (MOST_PIECES + 1) * SHAPES_ROW
CHOSEN_ROW = 3

#: WAYS[16 * n + k]: how many sets of k of n pieces there are.
WAYS = [comb(n, k) for n in range(MOST_PIECES + 1) for k in range(16)]

#: Where the sets of k pieces begin in OWN_SETS and SETS_WITH.
SIZE_BEGIN = [sum(comb(MOST_PIECES, i) for i in range(k)) for k in range(MOST_PIECES + 1)]
SIZE_BEGIN_WITH = [sum(i * comb(MOST_PIECES, i) for i in range(k)) for k in range(MOST_PIECES + 1)]

#: For each tier: the greater number of pieces in a hand, and the other.
MORE = [x for x in range(MOST_IN_HAND + 1) for _ in range(x + 1)]
LESS = [y for x in range(MOST_IN_HAND + 1) for y in range(x + 1)]

_SYMMETRIES = list(square_symmetries(3).values())
TURNED_CELL = [cell for symmetry in _SYMMETRIES for cell in symmetry]

# For `followers`.
MOST_TOGETHER = comb(12, 6)
PARTS = 2 + 81 * 3 + (72 + 9) * comb(11, 5) * 2
FOLLOWER_ROOM = PARTS + 3 * 16
NEW_PIECE = 12


def index_numbers(rules: Rules) -> Words:
    import numpy as np

    sets = sorted(range(4096), key=lambda own: (own.bit_count(), own))
    ranks = np.zeros(4096, np.int32)
    ranks[sets] = [place - SIZE_BEGIN[own.bit_count()] for place, own in enumerate(sets)]
    with_piece = [[own for own in sets if own >> piece & 1] for piece in range(MOST_PIECES)]
    sets_with = sorted(itertools.chain.from_iterable(with_piece), key=int.bit_count)
    shapes = np.zeros((MOST_PIECES + 1, SHAPES_ROW), np.int32)
    at = KINDS
    lists: list[Any] = []
    for count in range(2 * rules[PIECES] + 1):
        kinds, chosen = _kinds(_shapes(count))
        shapes[count] = at, at + len(kinds), len(chosen)
        at += kinds.size + chosen.size
        lists += [kinds, chosen]
    parts = (_sums(), ranks, np.array(sets), np.array(sets_with), shapes, *lists)
    numbers: Any = np.concatenate([part.ravel().astype(np.int32) for part in parts])
    words: Words = numbers
    return words


@functools.cache
def _sums() -> Any:
    """Returns SUMS: a shape is a choice of 8 borders between pieces, ranked as sets are."""
    import numpy as np

    sums = np.zeros((4, 256), np.int32)
    for i, first, second in itertools.product(range(4), range(16), range(16)):
        sums[i, first | second << 4] = comb(first + 2 * i, 2 * i + 1) + comb(second + 2 * i + 1, 2 * i + 2)
    return sums


def _shapes(count: int) -> Any:
    """Returns the heights of all shapes of `count` pieces in order, a row each."""
    import numpy as np

    prefixes = np.full((1, 1), count, np.uint8)
    for _ in range(8):  # from the last cell back, as many pieces up to it as up to the next, or fewer
        ways = prefixes[:, 0].astype(np.int64) + 1
        begins = np.repeat(np.cumsum(ways) - ways, ways)
        before = (np.arange(len(begins)) - begins).astype(np.uint8)
        prefixes = np.column_stack([before, np.repeat(prefixes, ways, axis=0)])
    return np.diff(prefixes, axis=1, prepend=np.uint8(0))


def _shape_ranks(shapes: Any) -> Any:
    import numpy as np

    prefixes = np.cumsum(shapes, axis=1, dtype=np.uint8)
    sums = _sums()
    return sum(sums[i, prefixes[:, 2 * i] | prefixes[:, 2 * i + 1] << 4] for i in range(4))


def _kinds(shapes: Any) -> tuple[Any, Any]:
    """Returns KINDS and CHOSEN of all shapes of as many pieces."""
    import numpy as np

    ranks = np.zeros((8, len(shapes)), np.int32)
    for symmetry, cells in enumerate(_SYMMETRIES):
        image = np.zeros_like(shapes)
        image[:, cells] = shapes
        ranks[symmetry] = _shape_ranks(image)
    least = ranks.min(axis=0)
    chosen = np.unique(least)
    rows = np.zeros((len(chosen), CHOSEN_ROW), np.int32)
    heights = shapes[chosen].astype(np.int32)
    rows[:, 0] = (heights[:, :7] << 4 * np.arange(7)).sum(axis=1)
    rows[:, 1] = heights[:, 7] | heights[:, 8] << 4
    rows[:, 2] = ((ranks[:, chosen] == chosen[None]) << np.arange(8)[:, None]).sum(axis=0)
    return np.searchsorted(chosen, least) * 8 + ranks.argmin(axis=0), rows


# Tiers and their parts


def tier_count(rules: Rules) -> int:
    return (rules[PIECES] + 1) * (rules[PIECES] + 2) // 2


def tier_name(rules: Rules, number: int) -> Message:
    return message("{more} and {less} pieces in hand", more=MORE[number], less=LESS[number])


def tier(rules: Rules, state: State) -> int:
    return tier_of(hand(state, 0), hand(state, 1))


def tier_of(in_hand: int, in_other: int) -> int:
    """Returns the tier of positions with these numbers of pieces in the two hands."""
    more = max(in_hand, in_other)
    return more * (more + 1) // 2 + min(in_hand, in_other)


def tier_entries(rules: Rules, numbers: Words, number: int) -> int:
    entries = part_entries(rules, numbers, MORE[number], LESS[number])
    return entries if MORE[number] == LESS[number] else 2 * entries


def part_entries(rules: Rules, numbers: Words, own_hand: int, enemy_hand: int) -> int:
    """Returns how many entries the positions with these hands have."""
    count = 2 * rules[PIECES] - own_hand - enemy_hand
    kinds = numbers[SHAPES + count * SHAPES_ROW + KIND_COUNT]
    return kinds * WAYS[16 * count + rules[PIECES] - own_hand]


def part_first(rules: Rules, numbers: Words, own_hand: int, enemy_hand: int) -> int:
    """Returns the first entry in its tier of the positions with these hands."""
    return part_entries(rules, numbers, enemy_hand, own_hand) if own_hand < enemy_hand else 0


def part_at(rules: Rules, numbers: Words, number: int, entry: int) -> tuple[int, int, int]:
    """Returns the first number of the part of a tier that has an entry, and how many pieces are in the hands there."""
    more, less = MORE[number], LESS[number]
    entries = part_entries(rules, numbers, more, less)
    if more == less or entry < entries:
        return 0, more, less
    return entries, less, more


# Shapes


def kind_and_symmetry(numbers: Words, heights: int, count: int) -> int:
    """Returns kind * 8 + symmetry of a shape of `count` pieces."""
    prefixes = heights * ALL_PREFIXES & ALL_CELLS
    shape = numbers[SUMS + (prefixes & 255)] + numbers[SUMS + 256 + (prefixes >> 8 & 255)]
    shape += numbers[SUMS + 512 + (prefixes >> 16 & 255)] + numbers[SUMS + 768 + (prefixes >> 24 & 255)]
    return numbers[numbers[SHAPES + count * SHAPES_ROW + KINDS_BEGIN] + shape]


def chosen_row(numbers: Words, count: int, kind: int) -> int:
    """Returns where the numbers of a kind begin."""
    return numbers[SHAPES + count * SHAPES_ROW + CHOSEN_BEGIN] + kind * CHOSEN_ROW


def chosen_heights(numbers: Words, row: int) -> int:
    """Returns the shape of a kind."""
    return numbers[row] | numbers[row + 1] << 28


def turned(heights: int, symmetry: int, chosen: int, pieces: int, width: int) -> int:
    """Returns the pieces of a shape, `width` bits each, reordered as a symmetry turns it into the `chosen` one."""
    begins = chosen * ALL_PREFIXES << 4
    result = 0
    for cell in range(9):
        size = height(heights, cell) * width
        stack = pieces & (1 << size) - 1
        pieces >>= size
        result |= stack << width * height(begins, TURNED_CELL[9 * symmetry + cell])
    return result


# Positions


def rank(rules: Rules, numbers: Words, state: State) -> int:
    heights, player = state[0], turn(state)
    count = prefix(heights, 8)
    own_hand, enemy_hand = hand(state, player), hand(state, 1 - player)
    found = kind_and_symmetry(numbers, heights, count)
    row = chosen_row(numbers, count, found >> 3)
    chosen = chosen_heights(numbers, row)
    own = turned(heights, found & 7, chosen, own_pieces(state[1], player, count), 1)
    least = numbers[RANKS + own]
    fixing = numbers[row + 2] & ~1
    while fixing:
        image = turned(chosen, lowest(fixing), chosen, own, 1)
        least = min(least, numbers[RANKS + image])
        fixing &= fixing - 1
    first = part_first(rules, numbers, own_hand, enemy_hand)
    return first + (found >> 3) * WAYS[16 * count + rules[PIECES] - own_hand] + least


def own_pieces(owners: int, player: int, count: int) -> int:
    """Returns the set of a player's pieces from the owners, two bits each."""
    seconds = owners & 0x555555
    seconds = (seconds | seconds >> 1) & 0x333333
    seconds = (seconds | seconds >> 2) & 0x0F0F0F
    seconds = (seconds | seconds >> 4) & 0xFF00FF
    seconds = (seconds | seconds >> 8) & 0xFFFF
    return seconds if player == 1 else seconds ^ (1 << count) - 1


def owners_of(own: int, count: int) -> int:
    """Returns the owners of all pieces, two bits each, when the first player has a set of them."""
    seconds = own ^ (1 << count) - 1
    seconds = (seconds | seconds << 8) & 0xFF00FF
    seconds = (seconds | seconds << 4) & 0x0F0F0F
    seconds = (seconds | seconds << 2) & 0x333333
    return (seconds | seconds << 1) & 0x555555


def unrank(rules: Rules, numbers: Words, number: int, entry: int) -> State:
    first, own_hand, enemy_hand = part_at(rules, numbers, number, entry)
    count = 2 * rules[PIECES] - own_hand - enemy_hand
    size = rules[PIECES] - own_hand
    ways = WAYS[16 * count + size]
    kind = (entry - first) // ways
    heights = chosen_heights(numbers, chosen_row(numbers, count, kind))
    own = numbers[OWN_SETS + SIZE_BEGIN[size] + entry - first - kind * ways]
    return heights, owners_of(own, count), own_hand << 5 | enemy_hand << 8


# Followers: the positions after a roll and an action


def followers(rules: Rules, numbers: Words, number: int, entry: int, out: Words) -> int:
    first, own_hand, enemy_hand = part_at(rules, numbers, number, entry)
    count = 2 * rules[PIECES] - own_hand - enemy_hand
    ways = WAYS[16 * count + rules[PIECES] - own_hand]
    kind = (entry - first) // ways
    heights = chosen_heights(numbers, chosen_row(numbers, count, kind))
    first += kind * ways
    out[0] = first
    out[1] = 0
    at = 2
    for piece in range(10):
        origin = piece - 1 if piece else OUTSIDE  # in the order of the actions
        if own_hand if origin == OUTSIDE else height(heights, origin) and own_hand < rules[PIECES]:
            at = add_actions(rules, numbers, heights, origin, own_hand, enemy_hand, out, at)
    return first + ways


def add_actions(
    rules: Rules, numbers: Words, heights: int, origin: int, own_hand: int, enemy_hand: int, out: Words, at: int
) -> int:
    """Adds the actions of the piece on top of a cell, or of one from outside; returns where they end."""
    count, size = prefix(heights, 8), rules[PIECES] - own_hand
    level = 0
    if origin == OUTSIDE:
        sets, ways = OWN_SETS + SIZE_BEGIN[size], WAYS[16 * count + size]
        own_hand -= 1
    else:
        ways = WAYS[16 * (count - 1) + size - 1]
        level = height(heights, origin) - 1
        top = prefix(heights, origin) - 1
        sets = SETS_WITH + SIZE_BEGIN_WITH[size] + top * WAYS[16 * (MOST_PIECES - 1) + size - 1]
    cells = reach(heights, origin, level)
    for to in range(9):
        rolls = rolls_of(cells, to)
        if rolls:
            out[1] += 1
            out[at] = rolls
            out[at + 1] = tier_of(own_hand, enemy_hand)
            out[at + 2] = ways
            first = learn_action(rules, numbers, heights, origin, to, own_hand, enemy_hand, out)
            at = add_followers(numbers, sets, ways, first, out, at + 3)
    return at


def add_followers(numbers: Words, sets: int, ways: int, first: int, out: Words, at: int) -> int:
    """Adds where an action leads from each of some sets of own pieces; returns where they end."""
    for i in range(ways):
        own = numbers[sets + i & POSITIVE]
        enemy = out[PARTS + (own & 15)] ^ out[PARTS + 16 + (own >> 4 & 15)] ^ out[PARTS + 32 + (own >> 8 & 15)]
        out[at + 2 * i & POSITIVE] = numbers[RANKS + (own & 4095)]
        out[at + 2 * i + 1 & POSITIVE] = first + numbers[RANKS + (enemy & 4095)]
    return at + 2 * ways


def reach(heights: int, origin: int, level: int) -> int:
    """Returns the cells on which a piece from a cell or from outside can end, nine bits for each roll from 1 on."""
    cells = 0
    spent = 0  # points spent after k steps, in bits 4k to 4k+3
    levels = level  # level after k steps, likewise
    node = WALK_BEGIN[origin]
    last = WALK_BEGIN[origin + 1]
    while node < last:
        cell, before = WALK_CELL[node], 4 * (WALK_LENGTH[node] - 1)
        to = height(heights, cell)
        cost = (spent >> before & 15) + 1 + abs((levels >> before & 15) - to)
        if cost <= HIGHEST_ROLL:
            cells |= 1 << 9 * (cost - 1) + cell
        if cost < HIGHEST_ROLL:
            below = (16 << before) - 1
            spent = spent & below | cost << before + 4
            levels = levels & below | to << before + 4
            node += 1
        else:
            node = WALK_SKIP[node]
    return cells


def rolls_of(cells: int, to: int) -> int:
    """Returns the rolls for which `reach` found a cell: bit 0 for a 1."""
    rolls = 0
    for i in range(HIGHEST_ROLL):
        rolls |= (cells >> 9 * i + to & 1) << i
    return rolls


def learn_action(
    rules: Rules, numbers: Words, heights: int, origin: int, to: int, own_hand: int, enemy_hand: int, out: Words
) -> int:
    """Writes the images of sets of pieces under an action; returns the first entry of the kind it leads to."""
    pieces = 0xBA9876543210  # the pieces by number, in their order
    moved = NEW_PIECE
    if origin != OUTSIDE:
        moved = prefix(heights, origin) - 1
        pieces = pieces & (1 << 4 * moved) - 1 | pieces >> 4 * moved + 4 << 4 * moved
        heights -= 1 << 4 * origin
    place = 4 * prefix(heights, to)
    pieces = pieces & (1 << place) - 1 | moved << place | pieces >> place << place + 4
    heights += 1 << 4 * to
    count = prefix(heights, 8)
    found = kind_and_symmetry(numbers, heights, count)
    chosen = chosen_heights(numbers, chosen_row(numbers, count, found >> 3))
    learn_sets(count, turned(heights, found & 7, chosen, pieces, 4), out)
    first = part_first(rules, numbers, enemy_hand, own_hand)
    return first + (found >> 3) * WAYS[16 * count + rules[PIECES] - enemy_hand]


def learn_sets(count: int, pieces: int, out: Words) -> None:
    """Writes PARTS: which are the enemy's pieces after an action, for each set of own pieces before it.

    `pieces` are the numbers before the action in the order after it. A set is looked up in three parts of four pieces,
    which an exclusive or puts together; the first part has all pieces, and the own ones are taken out.
    """
    enemy = (1 << count) - 1
    for part in range(3):
        out[PARTS + 16 * part] = 0
    for place in range(count):
        piece = pieces >> 4 * place & 15
        if piece == NEW_PIECE:
            enemy ^= 1 << place
        else:
            out[PARTS + 16 * (piece >> 2) + (1 << (piece & 3))] = 1 << place
    for part in range(3):
        for some in range(3, 16):
            rest = some & some - 1
            if rest:
                out[PARTS + 16 * part + some] = out[PARTS + 16 * part + rest] ^ out[PARTS + 16 * part + (some ^ rest)]
    for some in range(16):
        out[PARTS + some] ^= enemy
