"""Badia: gather five pawns in a block around the ring; arrows lead to the centre and back.

Material   a ring of 16 cells, 12 squares and 4 arrows, and a centre that touches the arrows; 5 pawns and a marker each.
Phase 1    in turn, each player puts a pawn on an empty square.
Phase 2    move an own pawn, not the one moved last (it carries the marker), to a touching cell without an own pawn:
           empty: it goes there; enemy on a square: the two exchange places; enemy on the centre: the mover puts that
           pawn on any empty square or arrow; enemy on an arrow: that pawn goes to the centre if it is empty, else the
           mover puts it on an empty arrow, else its owner puts it on any empty cell and then plays their turn.
Aim        five own pawns in a row on the ring with exactly one arrow among them.
Ruling: the board is the rim of 5x5 with the arrows in the middle of each side, and c3.
Ruling: placing sets no marker.
Ruling: where the mover decides, "empty" is judged before the move; where the owner decides, after it.
Ruling: forbidden is a return to an earlier placement with the same player to move, markers left out, at the end of a
complete turn. The owner's choice completes the mover's turn; if all choices are forbidden, all are allowed.

Cells                                 State, from the point of view of the player on move

    12 11 10  9  8     10 is an         word 0   own pawns, one bit per cell
    13     |     7     arrow, so        word 1   enemy pawns
    14 -- 16 --  6     are 14, 6        word 2   bit 0: the player on move (0 Black, 1 White)
    15     |     5     and 2                     bits 1-5, 6-10: own and enemy marker, cell + 1 or 0
     0  1  2  3  4                               bits 11-12: a displaced own pawn waits: 0 no, 1 yes, 2 with marker

Action: kind * 2**15 + put * 1024 + from * 32 + to; `put` is where a displaced pawn goes.
"""

from collections.abc import Sequence

from damier.core.kernel.bits import bit, bit_count, lowest
from damier.core.kernel.contract import PLAYING, REPETITION_FORBIDDEN, Rules, State, Words

PAWNS = 5
PLACE, STEP, SWAP, DISPLACE, LEAVE, ANSWER = 0, 1, 2, 3, 4, 5
REPETITION = REPETITION_FORBIDDEN
MAX_ACTIONS = 64  # fewer: the most are four pawns on arrows that may each put the enemy on c3 on seven cells

CENTRE = 16
ARROWS = 1 << 2 | 1 << 6 | 1 << 10 | 1 << 14
RING = (1 << 16) - 1
SQUARES = RING & ~ARROWS
CELLS = RING | 1 << CENTRE
TOUCHING = [
    1 << (cell + 1) % 16 | 1 << (cell - 1) % 16 | (1 << CENTRE if ARROWS >> cell & 1 else 0) for cell in range(16)
] + [ARROWS]
#: First cells of a run of five on the ring that has exactly one arrow: all but those that start on an arrow.
ONE_ARROW = RING & ~ARROWS


def side_of(state: State) -> int:
    """Returns the player on move."""
    return state[2] & 1


def own_marker_of(state: State) -> int:
    """Returns the cell of the own marker plus 1, or 0."""
    return state[2] >> 1 & 31


def enemy_marker_of(state: State) -> int:
    """Returns the cell of the enemy's marker plus 1, or 0."""
    return state[2] >> 6 & 31


def kind_of(action: int) -> int:
    """Returns the kind of an action."""
    return action >> 15


def put_of(action: int) -> int:
    """Returns where an action puts a displaced pawn."""
    return action >> 10 & 31


def origin_of(action: int) -> int:
    """Returns the cell that an action starts from."""
    return action >> 5 & 31


def target_of(action: int) -> int:
    """Returns the cell that an action leads to."""
    return action & 31


def start(rules: Rules) -> State:
    return 0, 0, 0


def mover(rules: Rules, state: State) -> int:
    return side_of(state)


def pending(state: State) -> int:
    """Returns 1 when the player on move has a displaced pawn to put down, 2 when it carries the marker, else 0."""
    return state[2] >> 11 & 3


def is_placing(state: State) -> bool:
    """Tells whether the player on move still has pawns to place."""
    return pending(state) == 0 and bit_count(state[0]) < PAWNS


def actions(rules: Rules, state: State, out: Words) -> int:
    own, enemy = state[0], state[1]
    if pending(state):
        return put_actions(ANSWER << 15, CELLS & ~(own | enemy), out, 0)
    if is_placing(state):
        return put_actions(PLACE << 15, SQUARES & ~(own | enemy), out, 0)
    n = 0
    marker = own_marker_of(state)
    pawns = own & ~bit(marker - 1) if marker else own
    while pawns:
        cell = lowest(pawns)
        pawns &= pawns - 1
        targets = TOUCHING[cell] & ~own
        while targets:
            to = lowest(targets)
            targets &= targets - 1
            n = move_actions(cell, to, own, enemy, out, n)
    return n


def put_actions(code: int, cells: int, out: Words, n: int) -> int:
    """Adds one action for each cell that a pawn may be put on."""
    while cells:
        out[n] = code | lowest(cells)
        n += 1
        cells &= cells - 1
    return n


def move_actions(cell: int, to: int, own: int, enemy: int, out: Words, n: int) -> int:
    """Adds the ways to move a pawn to a touching cell: several where the mover chooses where the enemy goes."""
    path = cell << 5 | to
    if not enemy >> to & 1:
        out[n] = STEP << 15 | path
        return n + 1
    if SQUARES >> to & 1:
        out[n] = SWAP << 15 | path
        return n + 1
    choices = displacements(to, own | enemy)
    if choices == 0:
        out[n] = LEAVE << 15 | path
        return n + 1
    while choices:
        out[n] = DISPLACE << 15 | lowest(choices) << 10 | path
        n += 1
        choices &= choices - 1
    return n


def displacements(to: int, pawns: int) -> int:
    """Returns the cells that an enemy pawn on the centre or on an arrow may be put on by the mover."""
    if to == CENTRE:
        return RING & ~pawns
    if not pawns >> CENTRE & 1:
        return 1 << CENTRE
    return ARROWS & ~pawns


def apply(rules: Rules, state: State, action: int) -> State:
    own, enemy, side = state[0], state[1], side_of(state)
    own_marker, enemy_marker = own_marker_of(state), enemy_marker_of(state)
    kind, put, origin, to = kind_of(action), put_of(action), origin_of(action), target_of(action)
    if kind == ANSWER:  # the same player goes on to their turn
        if pending(state) == 2:
            own_marker = to + 1
        return own | 1 << to, enemy, enemy_marker << 6 | own_marker << 1 | side
    waiting = 0
    if kind == PLACE:
        own |= 1 << to
    else:
        own ^= 1 << origin | 1 << to
        own_marker = to + 1
        if kind != STEP:
            enemy ^= 1 << to
            is_marked = enemy_marker == to + 1
            if kind == LEAVE:
                waiting = 2 if is_marked else 1
                if is_marked:
                    enemy_marker = 0
            else:
                if kind == SWAP:
                    put = origin
                enemy |= 1 << put
                if is_marked:
                    enemy_marker = put + 1
    return enemy, own, waiting << 11 | own_marker << 6 | enemy_marker << 1 | 1 - side


def settled(rules: Rules, state: State) -> bool:
    return pending(state) == 0


def situation(rules: Rules, state: State) -> State:
    return state[0], state[1], side_of(state)


def stage(rules: Rules, state: State) -> int:
    return bit_count(state[0] | state[1]) + (pending(state) > 0)  # pawns placed


def must_answer(rules: Rules, state: State) -> bool:
    return pending(state) != 0


def outcome(rules: Rules, state: State) -> int:
    side = side_of(state)
    if has_goal(state[1]):  # the player who has just acted comes first
        return 1 - side
    if has_goal(state[0]):
        return side
    return PLAYING


def has_goal(pawns: int) -> bool:
    """Tells whether there are five pawns in a row on the ring, exactly one of them on an arrow."""
    ring = pawns & RING
    ring |= ring << 16  # the ring twice, so that a run may pass from cell 15 to cell 0
    twos = ring & ring >> 1
    return twos & twos >> 2 & ring >> 4 & ONE_ARROW != 0


def permute(rules: Rules, state: State, cells: Sequence[int], swap: bool) -> State:
    own, enemy, word = 0, 0, state[2] & (3 << 11 | 1)
    for cell in range(17):
        own |= (state[0] >> cell & 1) << cells[cell]
        enemy |= (state[1] >> cell & 1) << cells[cell]
    for shift in range(1, 7, 5):
        marker = state[2] >> shift & 31
        if marker:
            word |= cells[marker - 1] + 1 << shift
    return own, enemy, word


def permute_action(rules: Rules, action: int, cells: Sequence[int]) -> int:
    kind, put, origin, to = kind_of(action), put_of(action), origin_of(action), target_of(action)
    code = kind << 15 | cells[to]
    if kind == DISPLACE:
        code |= cells[put] << 10
    if kind != PLACE and kind != ANSWER:
        code |= cells[origin] << 5
    return code
