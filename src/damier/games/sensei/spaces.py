"""Sensei for learners: its actions by number, and what a player sees of a position as planes of 7x7.

Actions: stone moves, character moves, the end of the turn; the moves in the order of the cells that they name. Pits
and, for stones, what lies behind them cannot be reached. Planes: the stones and the character of both players, the row
that the own character has to reach, the pits, and the moves left in this turn. The board is never turned: the goal
tells which way a player goes, so that a half turn, which exchanges the players, is a symmetry of the planes, too.
"""

from damier.core.kernel.contract import Rules, State, Words
from damier.core.traits import Plane
from damier.games.sensei.rules import (
    BOARD,
    CHARACTER,
    END,
    NEIGHBOURS,
    PITS,
    ROW_1,
    ROW_7,
    SLIDES,
    STONE,
    character,
    character_moves_left,
    passes,
    side_of,
    slide,
    stone_moves_left,
    stones,
)


def action_codes(rules: Rules) -> list[int]:
    free = BOARD & ~rules[PITS]
    board = [cell for cell in range(49) if free >> cell & 1]
    steps = {cell: slide(cell, rules[PITS]) if rules[SLIDES] else NEIGHBOURS[cell] & free for cell in board}
    lines = {cell: passes(cell, free, 0) for cell in board}
    return [
        kind << 12 | cell << 6 | to
        for kind, targets in ((STONE, steps), (CHARACTER, lines))
        for cell in board
        for to in board
        if targets[cell] >> to & 1
    ] + [END << 12]


def plane_list(rules: Rules) -> list[Plane]:
    cells = ("own-stones", "enemy-stones", "own-character", "enemy-character", "goal", "pits")
    left = [Plane("stone-moves-left", is_number=True, most=2), Plane("character-moves-left", is_number=True)]
    return [*map(Plane, cells), *left]


def grid(rules: Rules) -> list[list[int]]:
    return [list(range(row, row + 7)) for row in range(0, 49, 7)]


def planes(rules: Rules, state: State, out: Words) -> int:
    out[0], out[1] = stones(state[0]), stones(state[1])
    out[2], out[3] = 1 << character(state[0]), 1 << character(state[1])
    out[4] = ROW_1 if side_of(state) else ROW_7
    out[5] = rules[PITS]
    out[6], out[7] = stone_moves_left(state), character_moves_left(state)
    return 8
