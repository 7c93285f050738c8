"""What a Chefa player looks at: goals that are half or nearly complete, and whether the last pawn can get there.

A goal is a row, a column or a 2x2 square. How many own pawns each goal holds is counted for all of them at once: two
bits for each goal in one word, added up over the pawns (four pawns in a goal would have ended the game).
"""

from damier.core.kernel.bits import bit_count, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.games.chefa.rules import CELLS, COLUMN, NEIGHBOURS, PAWNS, ROW, SQUARE, is_open_line, ko_of, partners

GOALS = (
    [ROW[5 * i] & CELLS for i in range(5)]
    + [COLUMN[i] & CELLS for i in range(5)]
    + [SQUARE[cell] for cell in range(25) if SQUARE[cell] and SQUARE[cell] & ~CELLS == 0]
)
#: For each cell a word with 1 in the two bits of every goal that it belongs to.
SHARES = [sum(1 << 2 * i for i, cells in enumerate(GOALS) if cells >> cell & 1) for cell in range(25)]
LOW_BITS = sum(1 << 2 * i for i in range(len(GOALS)))

TERMS = (
    "goals with three pawns",
    "goals with two pawns",
    "the last pawn is one step from a goal",
    "to be on move",
    "placing: goals with three pawns",
    "placing: goals with two pawns",
)


def quick_win(rules: Rules, state: State) -> int:
    return 1 if can_finish(state[0], state[1], ko_of(state)) else 0


def has_threat(rules: Rules, state: State) -> bool:
    return can_finish(state[1], state[0], 0)


def can_finish(own: int, enemy: int, ko: int) -> bool:
    """Tells whether a player could complete a goal with one action."""
    held = shares(own)
    threes = held & held >> 1 & LOW_BITS
    while threes:
        cells = GOALS[lowest(threes) >> 1]
        threes &= threes - 1
        missing, last = cells & ~own, own & ~cells
        if last:
            if can_reach(lowest(last), missing, own, enemy, ko):
                return True
        elif missing & ~enemy and bit_count(own) == PAWNS - 1:
            return True  # by placing the last pawn
    return False


def shares(own: int) -> int:
    """Returns how many of some pawns each goal holds, two bits a goal."""
    held = 0
    while own:
        held += SHARES[lowest(own)]
        own &= own - 1
    return held


def can_reach(cell: int, missing: int, own: int, enemy: int, ko: int) -> bool:
    """Tells whether the pawn on a cell can step or swap to one of some cells."""
    if NEIGHBOURS[cell] & missing & ~enemy:
        return True
    ko_cells = 1 << (ko >> 5) | 1 << (ko & 31) if ko else 0
    taken = missing & partners(cell, enemy, ko_cells)
    while taken:
        to = lowest(taken)
        taken &= taken - 1
        if is_open_line(cell, to, own | enemy):
            return True
    return False


# Fitted on 2026-11-16 to 1,500 games of 300 nodes a turn (134,852 rows, loss 0.619).
WEIGHTS = [25, 13, 337, 26, 2833, 511]


def terms(rules: Rules, state: State, out: Words) -> int:
    for i in range(6):
        out[i] = 0
    own, enemy = shares(state[0]), shares(state[1])
    own_threes, enemy_threes = own & own >> 1 & LOW_BITS, enemy & enemy >> 1 & LOW_BITS
    own_twos, enemy_twos = own >> 1 & ~own & LOW_BITS, enemy >> 1 & ~enemy & LOW_BITS
    first = 0 if bit_count(state[0]) == PAWNS else 4
    out[first] = bit_count(own_threes) - bit_count(enemy_threes)
    out[first + 1] = bit_count(own_twos) - bit_count(enemy_twos)
    if first == 0:
        out[2] = is_close(state[0], own_threes) - is_close(state[1], enemy_threes)
        out[3] = 1
    return 6


def is_close(own: int, threes: int) -> int:
    """Returns 1 if the pawn outside a goal with three is a neighbour of its missing cell, else 0."""
    while threes:
        cells = GOALS[lowest(threes) >> 1]
        threes &= threes - 1
        if own & ~cells and NEIGHBOURS[lowest(own & ~cells)] & cells & ~own:
            return 1
    return 0
