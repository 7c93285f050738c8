"""Families of positions of Renfa-Bomba on 5x5 cells, for the solver: the numbering of ``index.py`` turned around.

The numbering orders positions by the own bombs first. A *family* has the positions with the same bombs of the enemy
instead, the set chosen for its class (*base*), and the own bombs on any other cells, in the order of their ranks. A
move or a placement leaves the base where it is and hands the move over, so it leads to the *block* of the base:
consecutive entries, which fit into the processor's cache. *layout* are the numbers of ``index.py``.

The words of a family, after those that the contract names:

    6 KIND            where the numbers of the base's class stand
    7 MEMBER_SETS     where the sets are listed that members have as own bombs, with the cells of the base left out
    8 BLOCK_SETS      the same for the bombs that stand beside the base in the block
    9 THIRD           the third word of the members' states
"""

from damier.core.kernel.bits import bit_count, lowest
from damier.core.kernel.contract import State, Words
from damier.games.renfa.index import (
    BLOCK_CLASSES,
    BLOCK_FIRST,
    BLOCKS,
    CELLS,
    CLASS_SIZE,
    ENEMY_SETS,
    OWN_CLASSES,
    OWN_KINDS,
    POSITIVE,
    TIERS,
    block_of,
    closed_by,
    least_rank,
    opened_by,
    rank_of,
    rook_reach,
    touched_twice,
    turned,
)

KIND, MEMBER_SETS, BLOCK_SETS, THIRD = 6, 7, 8, 9


def family_count(layout: Words, number: int) -> int:
    at = TIERS + 3 * number
    block, other = layout[at], layout[at + 1]
    if layout[at + 2]:
        return layout[beside(block, 0) + BLOCK_CLASSES]
    return layout[block + BLOCK_CLASSES] + (layout[other + BLOCK_CLASSES] if other != block else 0)


def open_family(layout: Words, number: int, family: int, words: Words) -> None:
    at = TIERS + 3 * number
    block, third = layout[at], layout[at + 2]
    if third:  # placing: the block is in the tier below
        members, block = beside(block, 0), beside(block, 1)
        before = 0
        words[2] = number - 1
    else:
        if family >= layout[block + BLOCK_CLASSES]:
            family -= layout[block + BLOCK_CLASSES]
            block = layout[at + 1]
        members = block
        before = layout[block + BLOCK_FIRST]
        words[2] = number
    words[0] = layout[members + CLASS_SIZE]
    words[1] = before + family * layout[members + CLASS_SIZE]
    words[3] = layout[block + BLOCK_FIRST] + family * layout[block + CLASS_SIZE]
    words[4] = layout[block + CLASS_SIZE]
    words[KIND] = layout[block + OWN_KINDS] + 4 * family
    words[MEMBER_SETS] = layout[members + ENEMY_SETS]
    words[BLOCK_SETS] = layout[block + ENEMY_SETS]
    words[THIRD] = third


def beside(block: int, more: int) -> int:
    """Returns the block with the numbers of bombs exchanged, and with `more` bombs for the enemy then."""
    own, enemy = block - BLOCKS >> 6, block - BLOCKS >> 3 & 7
    return block_of(enemy, own + more)


def family_member(layout: Words, words: Words, i: int) -> State:
    kind = words[KIND] & POSITIVE
    own = opened_by(layout, kind, layout[words[MEMBER_SETS] + i & POSITIVE])
    return own, layout[kind + 3] & CELLS, words[THIRD]


def block_alias(layout: Words, words: Words, i: int) -> int:
    kind = words[KIND] & POSITIVE
    if (layout[kind] | layout[kind + 1]) >> 25 == 0:
        return i
    return least_rank(layout, kind, opened_by(layout, kind, layout[words[BLOCK_SETS] + i & POSITIVE]))


def successors_inside(layout: Words, words: Words, i: int, state: State, out: Words) -> int:
    kind = words[KIND] & POSITIVE
    own, base = state[0], state[1]
    if words[THIRD]:
        chosen = layout[words[MEMBER_SETS] + i & POSITIVE]
        empty = (1 << 25 - bit_count(base)) - 1 & ~chosen
        return write_ranks(layout, chosen, empty, out, 0)
    bombs = own & ~touched_twice(base)
    n = 0
    while bombs:
        cell = lowest(bombs)
        bombs &= bombs - 1
        others = closed_by(layout, kind, own ^ 1 << cell)
        n = write_ranks(layout, others, closed_by(layout, kind, rook_reach(cell, own | base)), out, n)
    return n


def count_inside(layout: Words, words: Words, i: int, state: State) -> int:
    own, base = state[0], state[1]
    if words[THIRD]:
        return 25 - bit_count(own | base)
    bombs = own & ~touched_twice(base)
    n = 0
    while bombs:
        n += bit_count(rook_reach(lowest(bombs), own | base))
        bombs &= bombs - 1
    return n


def members_before(layout: Words, words: Words, i: int, out: Words) -> int:
    if words[THIRD]:
        return 0
    kind = words[KIND] & POSITIVE
    chosen = layout[words[BLOCK_SETS] + i & POSITIVE]
    base, moved = layout[kind + 3] & CELLS, opened_by(layout, kind, chosen)
    free = ~touched_twice(base)  # where a bomb was not pinned
    taken, bombs, closed = base | moved, moved, chosen
    n = 0
    while bombs:
        origins = closed_by(layout, kind, rook_reach(lowest(bombs), taken) & free)
        n = write_ranks(layout, chosen ^ closed & -closed, origins, out, n)
        bombs &= bombs - 1
        closed &= closed - 1
    return n


def write_ranks(layout: Words, others: int, cells: int, out: Words, n: int) -> int:
    """Writes the ranks of a set with each of some cells added; returns how many ranks there are now."""
    while cells:
        out[n] = rank_of(layout, others | cells & -cells)
        cells &= cells - 1
        n += 1
    return n


def entries_of(layout: Words, state: State, out: Words) -> int:
    own, enemy = state[0], state[1]
    block = block_of(bit_count(own), bit_count(enemy))
    found = layout[layout[block + OWN_CLASSES] + rank_of(layout, own) & POSITIVE]
    kind = layout[block + OWN_KINDS] + (found >> 3) * 4 & POSITIVE
    first = layout[block + BLOCK_FIRST] + (found >> 3) * layout[block + CLASS_SIZE]
    enemy = turned(layout, found & 7, enemy)
    out[0] = first + rank_of(layout, closed_by(layout, kind, enemy))
    fixing = layout[kind] >> 25 << 1 | layout[kind + 1] >> 25 << 4
    n = 1
    while fixing:
        out[n] = first + rank_of(layout, closed_by(layout, kind, turned(layout, lowest(fixing), enemy)))
        fixing &= fixing - 1
        n += 1
    return n
