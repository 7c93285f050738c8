"""Renfa-Bomba for learners: its actions by number, and what a player sees of a position as planes of the board.

Actions: placements, moves, detonations, each in the order of the cells that they name. Planes: the bombs of both
players, and the bombs that both have still to place.
"""

from damier.core.kernel.contract import Rules, State, Words
from damier.core.traits import Plane
from damier.games.renfa.rules import BOMBS, DETONATE, MOVE, PLACE, SIZE, to_place


def action_codes(rules: Rules) -> list[int]:
    size = rules[SIZE]
    board = range(size * size)
    moves = [
        MOVE << 12 | cell << 6 | to
        for cell in board
        for to in board
        if cell != to and (cell // size == to // size or cell % size == to % size)
    ]
    return [*(PLACE << 12 | cell for cell in board), *moves, *(DETONATE << 12 | cell for cell in board)]


def plane_list(rules: Rules) -> list[Plane]:
    hands = [Plane(name, is_number=True, most=rules[BOMBS]) for name in ("own-hand", "enemy-hand")]
    return [Plane("own-bombs"), Plane("enemy-bombs"), *hands]


def grid(rules: Rules) -> list[list[int]]:
    size = rules[SIZE]
    return [list(range(row, row + size)) for row in range(0, size * size, size)]


def planes(rules: Rules, state: State, out: Words) -> int:
    hand = to_place(state)
    out[0], out[1] = state[0], state[1]
    out[2], out[3] = hand - hand // 2, hand // 2  # the player on move has one more to place, or as many
    return 4
