"""Three in a row on 3x3 cells: in turn, each player puts a piece on an empty cell; a row, column or diagonal wins.

State, from the point of view of the player on move:

    word 0   own pieces, one bit per cell, row by row from the lower left
    word 1   enemy pieces
    word 2   the player on move

Action: the cell.
"""

from damier.core.kernel.bits import bit
from damier.core.kernel.contract import DRAW, PLAYING, Rules, State, Words

MAX_ACTIONS = 9
ALL = 0b111_111_111
LINES = [0b111, 0b111_000, 0b111_000_000, 0b001_001_001, 0b010_010_010, 0b100_100_100, 0b100_010_001, 0b001_010_100]


def start(rules: Rules) -> State:
    return 0, 0, 0


def mover(rules: Rules, state: State) -> int:
    return state[2]


def actions(rules: Rules, state: State, out: Words) -> int:
    n = 0
    for cell in range(9):
        if not (state[0] | state[1]) & bit(cell):
            out[n] = cell
            n += 1
    return n


def apply(rules: Rules, state: State, action: int) -> State:
    return state[1], state[0] | bit(action), 1 - state[2]


def outcome(rules: Rules, state: State) -> int:
    for i in range(8):
        if state[1] & LINES[i] == LINES[i]:
            return 1 - state[2]
        if state[0] & LINES[i] == LINES[i]:
            return state[2]
    return DRAW if state[0] | state[1] == ALL else PLAYING
