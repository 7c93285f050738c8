"""What a Sensei player looks at: the character, the stones that could carry it on, and what stands in their way.

Everything is counted for both players and taken as a difference, the player on move first. Rows are counted from the
player's own side. A *landing* is a cell of the far row on which a stone stands or which one reaches in a turn; a
*launcher* is a stone from which the character could pass to a landing.
"""

from damier.core.kernel.bits import bit_count, lowest
from damier.core.kernel.contract import Rules, State, Words
from damier.core.kernel.network import HIDDEN, ROW_WORDS, SCALE_BITS, TOP, ZERO
from damier.games.sensei.rules import (
    BOARD,
    CHARACTER,
    EAST_OF,
    FRESH,
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
    STONE,
    WEST_OF,
    character,
    character_moves_left,
    edges,
    kind_of,
    lines,
    origin_of,
    passes,
    settled,
    side_of,
    slide,
    stone_moves_left,
    stones,
    target_of,
)

#: The terms. Stones that slide have the same with weights of their own, after these.
TERMS = (
    "rows gained by the stones",
    "rows gained by the stones, squared",
    "rows gained by the character",
    "rows gained by the character, squared",
    "stones the character can pass to",
    "stones ahead that it can pass to",
    "open lines to the far row",
    "enemy stones ahead of the character",
    "stones with an enemy in front of them",
    "landings",
    "launchers",
    "the character can pass to a launcher",
    "the character is on a launcher",
    "contacts of a chain that nearly blocks",
    "to begin a turn",
    "stone moves left",
    "character move left",
    "cells the stones can move to",
    "rows gained by the foremost stone, squared",
    "stones with no enemy before them in their column",
    "enemy stones on the lines ahead of the character",
)
ROWS, ROWS_SQUARED, CHARACTER_ROWS, CHARACTER_SQUARED, PASSES, FORWARD, OPEN_LINES, GUARDS = 0, 1, 2, 3, 4, 5, 6, 7
HELD, LANDINGS, LAUNCHERS, NEAR, ARMED, CONTACTS, TURN, MOVES_LEFT, PASS_LEFT = 8, 9, 10, 11, 12, 13, 14, 15, 16
FREEDOM, FOREMOST, RUNNERS, WATCHERS, TERM_COUNT = 17, 18, 19, 20, 21

# Tuned by matches on 2026-11-16: 13,200 games of 5,000 nodes a turn from a fit to 700 games (19,457 rows, loss 0.647),
# then 8,640 games of 10,000 nodes with the last four terms. Sliding stones have the same until they are tuned.
WEIGHTS = [124, 16, 140, 10, 56, 103, 211, -40, -27, 51, 110, 255, 434, -25, 200, 70, 8, 32, 17, 46, 12] * 2

LOSS_PER_PLY = 120

# The network (``core/kernel/network.py``). A player sees the board from their own side, and has 98 inputs for each cell
# of their own character: 49 for own stones and 49 for enemy stones. Then come 49 each for the own and the enemy
# character. The phases are what is left of the turn, as in word 2.
NETWORK_AT = 4
INPUT_BLOCK, BLOCK_COUNT, INPUT_COUNT = 98, 49, 98 * 49 + 98
PHASES = [0, 4, 3, 0, 2, 1, 0, 0]
PHASE_COUNT = 5
ENEMY_ROWS, CHARACTER_ROWS_AT = NETWORK_AT + 49 * ROW_WORDS, NETWORK_AT + 49 * 98 * ROW_WORDS
BIASES_AT = NETWORK_AT + INPUT_COUNT * ROW_WORDS
OUTPUTS_AT = BIASES_AT + ROW_WORDS
TERMS_AT = OUTPUTS_AT + PHASE_COUNT * (2 * HIDDEN + 1)
VIEW = 2 + ROW_WORDS  # words of a player's view: both words of the state, and the sums
LANE = (1 << 16) - 1


def is_needless(rules: Rules, state: State, before: int, action: int) -> bool:
    # Stone moves come before the character's where both orders are possible, and the one with the lower number first.
    if kind_of(before) == CHARACTER:
        # but the stone that carried it could not move before
        return kind_of(action) == STONE and origin_of(action) != origin_of(before)
    if kind_of(before) != STONE or kind_of(action) != STONE:
        return False
    left, reached_cell = origin_of(before), target_of(before)
    origin, to = origin_of(action), target_of(action)
    if origin == reached_cell:  # the same stone: round a corner, one way is enough
        corner = left + to - reached_cell
        is_straight = corner == reached_cell or left == to or rules[SLIDES]
        return not is_straight and corner < reached_cell and not (stones(state[0]) | stones(state[1])) >> corner & 1
    if action >= before:
        return False
    return not (way(origin, to) >> left & 1 or way(left, reached_cell) >> to & 1)


def way(origin: int, to: int) -> int:
    """Returns the cells that a stone passes on its way and the one that it reaches."""
    if to > origin:
        line = EAST_OF[origin] if EAST_OF[origin] >> to & 1 else NORTH_OF[origin]
        return line & (2 << to) - 1
    line = WEST_OF[origin] if WEST_OF[origin] >> to & 1 else SOUTH_OF[origin]
    return line & ~((1 << to) - 1)


def quick_win(rules: Rules, state: State) -> int:
    if not character_moves_left(state):
        return 0  # the character has moved already
    return plies_home(rules, state[0], state[1], side_of(state), stone_moves_left(state))


def has_threat(rules: Rules, state: State) -> bool:
    return plies_home(rules, state[1], state[0], 1 - side_of(state), 2) > 0


def passed(rules: Rules, state: State) -> State:
    return state[1], state[0], FRESH | 1 - side_of(state)


def plies_home(rules: Rules, word: int, other: int, player: int, moves: int) -> int:
    """Returns in how many actions a player's character gets home with at most `moves` stone moves and a pass, or 0."""
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
    player, first = side_of(state), TERM_COUNT * rules[SLIDES]
    for i in range(2 * TERM_COUNT):
        out[i] = 0
    count(rules, state[0], state[1], player, 1, out, first)
    count(rules, state[1], state[0], 1 - player, -1, out, first)
    if settled(rules, state):
        out[first + TURN] = 1
    else:
        out[first + TURN] = -1  # the opponent's begins next
        out[first + MOVES_LEFT] = stone_moves_left(state)
        out[first + PASS_LEFT] = character_moves_left(state)
    return 2 * TERM_COUNT


def count(rules: Rules, word: int, other: int, player: int, sign: int, out: Words, first: int) -> None:
    """Adds the terms of one player."""
    own, enemy, carrier = stones(word), stones(other), character(word)
    rows = squares = 0
    for i in range(1, 7):
        n = bit_count(own >> 7 * (6 - i if player else i) & ROW_1)
        rows += n * i
        squares += n * i * i
    row = 6 - carrier // 7 if player else carrier // 7
    out[first + ROWS] += sign * rows
    out[first + ROWS_SQUARED] += sign * squares
    out[first + CHARACTER_ROWS] += sign * row
    out[first + CHARACTER_SQUARED] += sign * row * row
    targets, ahead = passes(carrier, own, enemy), rows_ahead(carrier, player)
    out[first + PASSES] += sign * bit_count(targets)
    out[first + FORWARD] += sign * bit_count(targets & ahead)
    out[first + OPEN_LINES] += sign * bit_count(far_cells(carrier, enemy, player))
    out[first + GUARDS] += sign * bit_count(enemy & ahead)
    out[first + HELD] += sign * bit_count((own >> 7 if player else own << 7) & enemy)
    blocked = own | enemy | rules[PITS]
    landings = reached(rules, own & ~(1 << carrier), blocked) & (ROW_1 if player else ROW_7)
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
    supporters = own & ~(1 << carrier)
    out[first + FREEDOM] += sign * bit_count(edges(supporters) & BOARD & ~blocked)
    out[first + FOREMOST] += sign * foremost_row(supporters, player) ** 2
    out[first + RUNNERS] += sign * bit_count(own & ~behind(enemy, player))
    out[first + WATCHERS] += sign * bit_count(lines_ahead(carrier, player) & enemy)
    wall = own | rules[PITS]
    columns = wall | wall >> 28
    columns |= columns >> 14
    if bit_count((columns | columns >> 7) & ROW_1) >= 6:
        out[first + CONTACTS] += sign * bit_count(edges(own) & enemy)


def foremost_row(cells: int, player: int) -> int:
    """Returns how many rows the foremost of some stones has gained."""
    for i in range(6, 0, -1):
        if cells >> 7 * (6 - i if player else i) & ROW_1:
            return i
    return 0


def behind(enemy: int, player: int) -> int:
    """Returns the enemy stones and all cells from which a forward move in the column runs into one."""
    cells = enemy
    if player:
        cells |= cells << 7
        cells |= cells << 14
        return cells | cells << 28
    cells |= cells >> 7
    cells |= cells >> 14
    return cells | cells >> 28


def lines_ahead(cell: int, player: int) -> int:
    """Returns the three lines from a cell towards the far row."""
    if player:
        return SOUTH_OF[cell] | SOUTH_EAST_OF[cell] | SOUTH_WEST_OF[cell]
    return NORTH_OF[cell] | NORTH_EAST_OF[cell] | NORTH_WEST_OF[cell]


def rows_ahead(cell: int, player: int) -> int:
    """Returns the rows between a cell and the far row, that row included."""
    begin = cell - cell % 7
    return (1 << begin) - 1 if player else BOARD & ~((1 << begin + 7) - 1)


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


def inputs(rules: Rules, state: State, player: int, out: Words) -> int:
    mine = 0 if player == side_of(state) else 1
    own, enemy = state[mine], state[1 - mine]
    block = 98 * seen(character(own), player)
    n = 0
    for cell in range(49):
        out[n] = block + seen(cell, player)
        n += stones(own) >> cell & 1
        out[n] = block + 49 + seen(cell, player)
        n += stones(enemy) >> cell & 1
    out[n] = 49 * 98 + seen(character(own), player)
    out[n + 1] = 49 * 98 + 49 + seen(character(enemy), player)
    return n + 2


def phase(rules: Rules, state: State) -> int:
    return PHASES[state[2] >> 1]


def seen(cell: int, player: int) -> int:
    """Returns a cell as a player numbers it, from their own side."""
    return 48 - cell if player else cell


def judged(rules: Rules, sums: Words, at: int, state: State, out: Words) -> int:
    player = side_of(state)
    own_view, enemy_view = at + player * VIEW, at + (1 - player) * VIEW
    follow(rules, sums, own_view, state[0], state[1], player)
    follow(rules, sums, enemy_view, state[1], state[0], 1 - player)
    weights = OUTPUTS_AT + phase(rules, state) * (2 * HIDDEN + 1)
    total = rules[weights + 2 * HIDDEN] + weighted(rules, sums, own_view + 2, weights)
    total += weighted(rules, sums, enemy_view + 2, weights + HIDDEN)
    terms(rules, state, out)
    first = TERM_COUNT * rules[SLIDES]
    for i in range(TERM_COUNT):
        total += rules[TERMS_AT + first + i] * out[first + i]
    return total >> SCALE_BITS


def follow(rules: Rules, sums: Words, view: int, own: int, enemy: int, player: int) -> None:
    """Brings a player's sums from the state that they stand for to another one."""
    own_before, enemy_before = sums[view], sums[view + 1]
    sums[view], sums[view + 1] = own, enemy
    block = seen(character(own), player) * 98 * ROW_WORDS
    if own_before == 0 or character(own_before) != character(own):  # a new block of inputs: begin anew
        for i in range(ROW_WORDS):
            sums[view + 2 + i] = rules[BIASES_AT + i]
        add_rows(rules, sums, view + 2, NETWORK_AT + block, stones(own), player)
        add_rows(rules, sums, view + 2, ENEMY_ROWS + block, stones(enemy), player)
        add_rows(rules, sums, view + 2, CHARACTER_ROWS_AT, 1 << character(own), player)
        add_rows(rules, sums, view + 2, CHARACTER_ROWS_AT + 49 * ROW_WORDS, 1 << character(enemy), player)
        return
    exchange_rows(rules, sums, view + 2, NETWORK_AT + block, stones(own_before), stones(own), player)
    exchange_rows(rules, sums, view + 2, ENEMY_ROWS + block, stones(enemy_before), stones(enemy), player)
    if character(enemy_before) != character(enemy):
        before, now = 1 << character(enemy_before), 1 << character(enemy)
        exchange_rows(rules, sums, view + 2, CHARACTER_ROWS_AT + 49 * ROW_WORDS, before, now, player)


def add_rows(rules: Rules, sums: Words, at: int, rows: int, cells: int, player: int) -> None:
    """Adds the rows of some cells."""
    while cells:
        row = rows + seen(lowest(cells), player) * ROW_WORDS
        cells &= cells - 1
        for i in range(ROW_WORDS):
            sums[at + i] += rules[row + i]


def exchange_rows(rules: Rules, sums: Words, at: int, rows: int, before: int, now: int, player: int) -> None:
    """Subtracts the rows of cells that are left and adds those of as many that are reached."""
    left, entered = before & ~now, now & ~before
    while left:
        old, new = rows + seen(lowest(left), player) * ROW_WORDS, rows + seen(lowest(entered), player) * ROW_WORDS
        left &= left - 1
        entered &= entered - 1
        for i in range(ROW_WORDS):
            sums[at + i] += rules[new + i] - rules[old + i]


def weighted(rules: Rules, sums: Words, at: int, weights: int) -> int:
    """Returns the weighted sum of what is left of a player's sums when both ends are cut off."""
    total = 0
    for i in range(ROW_WORDS):
        word, first = sums[at + i], weights + 4 * i
        total += min(max((word & LANE) - ZERO, 0), TOP) * rules[first]
        total += min(max((word >> 16 & LANE) - ZERO, 0), TOP) * rules[first + 1]
        total += min(max((word >> 32 & LANE) - ZERO, 0), TOP) * rules[first + 2]
        total += min(max((word >> 48 & LANE) - ZERO, 0), TOP) * rules[first + 3]
    return total
