"""The evaluation of a Sensei position after a turn, as usual in public programs: an algorithm.

It counts progress of the stones and of the character, possible passes, open lines to the far row, and blocked stones.
"""

from bench.opponents.turns import WHOLE, aim, can_pass_home
from damier.core.kernel.bits import bit_count
from damier.core.kernel.contract import Rules, Words
from damier.games.sensei.rules import BOARD, ROW_1, character, passes, stones

# Indices of the weights: stones and the character by rows advanced, from 0 to 6, then single features.
STONES, CHARACTERS, PASSES, FORWARD, LINES, BLOCKED, GUARDS, THREAT = 0, 7, 14, 15, 16, 17, 18, 19
WEIGHTS = 20


def progress(own: int, enemy: int, side: int, weights: Words) -> int:
    """Returns the progress of a player, from the words of both sides."""
    mine, theirs, cell = stones(own), stones(enemy), character(own)
    value = 0
    row = ROW_1
    for i in range(7):
        advanced = 6 - i if side else i
        value += bit_count(mine & row) * weights[STONES + advanced]
        row <<= 7
    advanced = 6 - cell // 7 if side else cell // 7
    value += weights[CHARACTERS + advanced]
    targets = passes(cell, mine, theirs)
    ahead = ahead_of(cell, side)
    value += bit_count(targets) * weights[PASSES] + bit_count(targets & ahead) * weights[FORWARD]
    value += bit_count(aim(cell, theirs, side)) * weights[LINES]
    in_front = mine >> 7 if side else mine << 7 & BOARD
    value -= bit_count(in_front & theirs) * weights[BLOCKED]
    value -= bit_count(theirs & ahead) * weights[GUARDS]
    return value


def ahead_of(cell: int, side: int) -> int:
    """Returns the rows from a cell to the far row, without its own."""
    return (1 << 7 * (cell // 7)) - 1 if side else BOARD & ~((1 << 7 * (cell // 7 + 1)) - 1)


def evaluated(rules: Rules, own: int, enemy: int, side: int, weights: Words) -> int:
    """Returns the value of a position for the player who has just ended a turn."""
    value = progress(own, enemy, side, weights) - progress(enemy, own, 1 - side, weights)
    if can_pass_home(rules, own, enemy, WHOLE, side):
        value += weights[THREAT]
    return value
