"""Badia for learners: its actions by number, and what a player sees of a position as planes of 5x5.

Actions: placements, steps, swaps, displacements, displacements left to the owner, and answers; each in the order of the
numbers of its cells (``rules.py``), the cell of a displaced pawn last. Planes: the pawns and the marker of both
players, the pawns that both have still to place, and the displaced pawn of the player on move.
"""

from damier.core.kernel.bits import bit_count
from damier.core.kernel.contract import Rules, State, Words
from damier.core.traits import Plane
from damier.games.badia import notation
from damier.games.badia.rules import (
    ANSWER,
    ARROWS,
    CENTRE,
    DISPLACE,
    LEAVE,
    PAWNS,
    PLACE,
    RING,
    SQUARES,
    STEP,
    SWAP,
    TOUCHING,
    enemy_marker_of,
    own_marker_of,
    pending,
)


def action_codes(rules: Rules) -> list[int]:
    paths = [(cell, to) for cell in range(17) for to in range(17) if TOUCHING[cell] >> to & 1]
    to_squares = [path for path in paths if SQUARES >> path[1] & 1]
    to_arrows = [path for path in paths if ARROWS >> path[1] & 1]
    return [
        *(PLACE << 15 | cell for cell in range(17) if SQUARES >> cell & 1),
        *(STEP << 15 | cell << 5 | to for cell, to in paths),
        *(SWAP << 15 | cell << 5 | to for cell, to in to_squares),
        *(DISPLACE << 15 | put << 10 | cell << 5 | to for cell, to in paths for put in _goals(cell, to)),
        *(LEAVE << 15 | cell << 5 | to for cell, to in to_arrows),
        *(ANSWER << 15 | cell for cell in range(17) if not ARROWS >> cell & 1),  # all arrows are full then
    ]


def _goals(cell: int, to: int) -> list[int]:
    """Returns where the mover may ever put an enemy pawn that a pawn from a cell displaces."""
    if to == CENTRE:
        goals = RING
    elif ARROWS >> to & 1:
        goals = ARROWS | 1 << CENTRE
    else:
        goals = 0
    return [put for put in range(17) if goals >> put & 1 and put not in (cell, to)]


def plane_list(rules: Rules) -> list[Plane]:
    cells = ("own-pawns", "enemy-pawns", "own-marker", "enemy-marker")
    hands = [Plane(name, is_number=True, most=PAWNS) for name in ("own-hand", "enemy-hand")]
    return [*map(Plane, cells), *hands, Plane("waiting", is_number=True, most=2)]


def grid(rules: Rules) -> list[list[int]]:
    cells = [notation.CELLS.index(name) if name in notation.CELLS else -1 for name in notation.GRID]
    return [cells[row : row + 5] for row in range(0, 25, 5)]


def planes(rules: Rules, state: State, out: Words) -> int:
    waiting = pending(state)
    out[0], out[1] = state[0], state[1]
    out[2] = 1 << own_marker_of(state) >> 1  # no bit without a marker
    out[3] = 1 << enemy_marker_of(state) >> 1
    out[4] = PAWNS - bit_count(state[0]) - (1 if waiting else 0)
    out[5] = PAWNS - bit_count(state[1])
    out[6] = waiting
    return 7
