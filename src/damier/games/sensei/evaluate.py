"""What a Sensei player looks at: the character, the stones that could carry it on, and what stands in their way.

Everything is counted for both players and taken as a difference, the player on move first. Rows are counted from the
player's own side. A *landing* is a cell of the far row on which a stone stands or which one reaches in a turn; a
*launcher* is a stone from which the character could pass to a landing.
"""

from damier.core.bits import bit_count, highest, lowest
from damier.core.kernels import Rules, State, Words
from damier.games.sensei.rules import (
    BOARD,
    NORTH_EAST_OF,
    NORTH_OF,
    NORTH_WEST_OF,
    PITS,
    ROW_1,
    ROW_7,
    SLIDES,
    SOUTH_EAST_OF,
    SOUTH_OF,
    SOUTH_WEST_OF,
    character,
    edges,
    lines,
    passes,
    settled,
    slide,
    stones,
)

#: The terms. Stones that slide have the same with weights of their own, after these.
TERMS = (
    "stones at home",
    "row of the foremost stone",
    "row of the second stone",
    "stones on the far row",
    *(f"character on row {row}" for row in range(2, 7)),
    "stones the character can pass to",
    "rows gained by the best pass",
    "landings",
    "launchers",
    "the character can pass to a launcher",
    "the character is on a launcher",
    "columns blocked",
    "contacts of a blocking chain",
    "to begin a turn",
    "stone moves left",
    "character move left",
)
HOME, FOREMOST, SECOND, FAR, CHARACTER_ROWS = 0, 1, 2, 3, 4
PASSES, GAIN, LANDINGS, LAUNCHERS, NEAR, ARMED, BLOCKED, CONTACTS = 9, 10, 11, 12, 13, 14, 15, 16
TURN, MOVES_LEFT, PASS_LEFT, COUNT = 17, 18, 19, 20

WEIGHTS = [60, 120, 110, 0, 120, 537, 505, 682, 854, 82, 0, 0, 46, 23, 418, 0, 0, 90, 40, 40] * 2


def quick_win(rules: Rules, state: State) -> int:
    if not state[2] >> 3:
        return 0  # the character has moved already
    return plies_home(rules, state[0], state[1], state[2] & 1, state[2] >> 1 & 3)


def has_threat(rules: Rules, state: State) -> bool:
    return plies_home(rules, state[1], state[0], 1 - (state[2] & 1), 2) > 0


def plies_home(rules: Rules, word: int, other: int, player: int, moves: int) -> int:
    """Returns in how many actions a player's character gets home with at most so many stone moves and a pass, or 0."""
    own, enemy, carrier = stones(word), stones(other), character(word)
    goals = far_cells(carrier, enemy, player)
    if goals == 0:
        return 0
    movable = own & ~(1 << carrier)
    if goals & movable:
        return 1
    if moves == 0:
        return 0
    blocked = own | enemy | rules[PITS]
    near = sources(rules, goals & ~blocked, blocked)
    if near & movable:
        return 2
    if moves == 2 and sources(rules, near & ~blocked, blocked) & movable:
        return 3
    return 0


def far_cells(cell: int, enemy: int, player: int) -> int:
    """Returns the cells of the far row to which the character could pass from a cell, were stones there."""
    if player:
        cells = open_line(SOUTH_OF[cell], enemy) | open_line(SOUTH_EAST_OF[cell], enemy)
        return (cells | open_line(SOUTH_WEST_OF[cell], enemy)) & ROW_1
    cells = open_line(NORTH_OF[cell], enemy) | open_line(NORTH_EAST_OF[cell], enemy)
    return (cells | open_line(NORTH_WEST_OF[cell], enemy)) & ROW_7


def open_line(line: int, enemy: int) -> int:
    """Returns a line if no enemy stone stands on it, else nothing."""
    return 0 if line & enemy else line


def sources(rules: Rules, cells: int, blocked: int) -> int:
    """Returns the cells from which one stone move leads to one of some empty cells, whatever stands there."""
    if not rules[SLIDES]:
        return edges(cells)
    found = 0
    while cells:
        cell = lowest(cells)
        cells &= cells - 1
        found |= lines(cell, blocked)
    return found


def terms(rules: Rules, state: State, out: Words) -> int:
    player, first = state[2] & 1, COUNT * rules[SLIDES]
    for i in range(2 * COUNT):
        out[i] = 0
    count(rules, state[0], state[1], player, 1, out, first)
    count(rules, state[1], state[0], 1 - player, -1, out, first)
    if settled(rules, state):
        out[first + TURN] = 1
    else:
        out[first + MOVES_LEFT] = state[2] >> 1 & 3
        out[first + PASS_LEFT] = state[2] >> 3
    return 2 * COUNT


def count(rules: Rules, word: int, other: int, player: int, sign: int, out: Words, first: int) -> None:
    """Adds what one player has to the terms."""
    own, enemy, carrier = stones(word), stones(other), character(word)
    movable = own & ~(1 << carrier)
    home, far = (ROW_7, ROW_1) if player else (ROW_1, ROW_7)
    out[first + HOME] += sign * bit_count(own & home)
    out[first + FAR] += sign * min(2, bit_count(own & far))
    foremost = lowest(movable) if player else highest(movable)
    second = movable & ~(1 << foremost)
    second = lowest(second) if player else highest(second)
    out[first + FOREMOST] += sign * (6 - foremost // 7 if player else foremost // 7)
    out[first + SECOND] += sign * (6 - second // 7 if player else second // 7)
    row = 6 - carrier // 7 if player else carrier // 7
    if row:
        out[first + CHARACTER_ROWS + row - 1] += sign
    targets = passes(carrier, own, enemy)
    out[first + PASSES] += sign * bit_count(targets)
    if targets:
        reach = 6 - lowest(targets) // 7 if player else highest(targets) // 7
        out[first + GAIN] += sign * max(0, reach - row)
    blocked = own | enemy | rules[PITS]
    landings = reached(rules, movable, blocked) & far
    out[first + LANDINGS] += sign * bit_count(landings)
    if landings:
        launchers = 0
        left = own
        while left:
            cell = lowest(left)
            left &= left - 1
            if far_cells(cell, enemy, player) & landings & ~(1 << cell):
                launchers |= 1 << cell
        out[first + LAUNCHERS] += sign * bit_count(launchers)
        out[first + NEAR] += sign * (launchers & targets != 0)
        out[first + ARMED] += sign * (launchers >> carrier & 1)
    wall = own | rules[PITS]
    columns = wall | wall >> 28
    columns |= columns >> 14
    columns = (columns | columns >> 7) & ROW_1
    blocking = bit_count(columns)
    out[first + BLOCKED] += sign * (blocking == 7)
    if blocking >= 6:
        out[first + CONTACTS] += sign * bit_count(edges(own) & enemy)


def reached(rules: Rules, movable: int, blocked: int) -> int:
    """Returns the cells on which stones stand or which they reach with two moves."""
    if rules[SLIDES]:
        cells = movable
        while movable:
            cells |= slide(lowest(movable), blocked)
            movable &= movable - 1
        return cells | edges(cells) & BOARD & ~blocked
    empty = BOARD & ~blocked
    cells = movable | edges(movable) & empty
    return cells | edges(cells) & empty
