"""Chefa for learners: its actions by number, and what a player sees of a position as planes of 5x5.

Actions: placements, steps, swaps, each in the order of the cells that they name. Planes: the pawns of both players, the
two cells of the swap that may not be undone, and the pawns that both have still to place.
"""

from damier.core.kernel.bits import bit, bit_count
from damier.core.kernel.contract import Rules, State, Words
from damier.core.traits import Plane
from damier.games.chefa.rules import (
    CELLS,
    COLUMN,
    HOLE,
    NEIGHBOURS,
    PAWNS,
    PLACE,
    ROW,
    STEP,
    SWAP,
    ko_of,
)


def action_codes(rules: Rules) -> list[int]:
    board = [cell for cell in range(25) if CELLS >> cell & 1]
    codes = [PLACE << 10 | cell for cell in board]
    for kind, targets in ((STEP, NEIGHBOURS), (SWAP, [(ROW[i] | COLUMN[i]) & ~HOLE & ~bit(i) for i in range(25)])):
        codes += [kind << 10 | cell << 5 | to for cell in board for to in range(25) if targets[cell] >> to & 1]
    return codes


def plane_list(rules: Rules) -> list[Plane]:
    hands = [Plane(name, is_number=True, most=PAWNS) for name in ("own-hand", "enemy-hand")]
    return [Plane("own-pawns"), Plane("enemy-pawns"), Plane("ko"), *hands]


def grid(rules: Rules) -> list[list[int]]:
    return [list(range(row, row + 5)) for row in range(0, 25, 5)]


def planes(rules: Rules, state: State, out: Words) -> int:
    ko = ko_of(state)
    out[0], out[1] = state[0], state[1]
    out[2] = bit(ko >> 5) | bit(ko & 31) if ko else 0
    out[3], out[4] = PAWNS - bit_count(state[0]), PAWNS - bit_count(state[1])
    return 5
