"""Chefa as text. Position: ``board side hand ko``; actions: ``a1``, ``a1-a2``, ``a1=a4``."""

import re

from damier.core.errors import BadPosition
from damier.core.kernel.bits import bit, bit_count
from damier.core.kernel.cells import cell_names
from damier.core.kernel.contract import Rules, State
from damier.core.messages import message, shown
from damier.core.notation import (
    check_hands,
    check_total,
    letter_set,
    malformed,
    parse_cell,
    parse_numbers,
    parse_rows,
    parse_side,
    rows_text,
    split_fields,
    two_colours,
)
from damier.games.chefa.rules import (
    HOLE,
    PAWNS,
    PLACE,
    STEP,
    SWAP,
    has_goal,
    is_open_line,
    kind_of,
    ko_of,
    origin_of,
    pair,
    side_of,
    target_of,
)

PLAYERS = ("b", "w")
NAMES = (message("Black"), message("White"))
CELLS = cell_names(5)
FORMS = {1: ("{}",), 2: ("{}-{}", "{}={}")}
_ACTION = re.compile("([a-z][0-9])(?:([-=])([a-z][0-9]))?", re.ASCII)


def position_text(rules: Rules, state: State) -> str:
    side, ko = side_of(state), ko_of(state)
    black, white = (state[1], state[0]) if side else (state[0], state[1])
    board = rows_text(two_colours(black, white, 25, "BW"), 5)
    hand = f"{PAWNS - bit_count(black)},{PAWNS - bit_count(white)}"
    ko_text = ",".join(sorted((CELLS[ko >> 5], CELLS[ko & 31]))) if ko else "-"
    return f"{board} {PLAYERS[side]} {hand} {ko_text}"


def parse_position(rules: Rules, text: str) -> State:
    board_text, side_text, hand_text, ko_text = split_fields(text, "board side hand ko")
    board = parse_rows(board_text, 5, "BW")
    black, white = letter_set(board, "B"), letter_set(board, "W")
    side = parse_side(side_text, PLAYERS)
    hands = parse_numbers(hand_text, 2, PAWNS, message("The hand"))
    if (black | white) & HOLE:
        raise BadPosition(message("No pawn can stand on c3."))
    check_total(NAMES[0], bit_count(black), hands[0], PAWNS)
    check_total(NAMES[1], bit_count(white), hands[1], PAWNS)
    check_hands(hands, side)
    own, enemy = (white, black) if side else (black, white)
    return own, enemy, parse_ko(ko_text, own, enemy) << 1 | side


def parse_ko(text: str, own: int, enemy: int) -> int:
    """Returns the ko of a position: the two cells of a swap that the player not on move can just have made."""
    if text == "-":
        return 0
    names = text.split(",")
    if len(names) != 2 or not all(name in CELLS for name in names) or names[0] >= names[1]:
        raise BadPosition(
            message("The ko is - or two cells in alphabetical order such as b3,d3, not {text}.", text=shown(text))
        )
    first, second = (CELLS.index(name) for name in names)
    holds_both = (own & bit(first) and enemy & bit(second)) or (own & bit(second) and enemy & bit(first))
    is_swap = bit_count(own) + bit_count(enemy) == 2 * PAWNS and holds_both and is_open_line(first, second, own | enemy)
    both = bit(first) | bit(second)
    if not is_swap or has_goal(own ^ both) or has_goal(enemy ^ both):
        raise BadPosition(
            message(
                "No swap can have left the ko {text}: it needs a pawn of each player in one line with nothing between, "
                "after the placement and before the end of the game.",
                text=text,
            )
        )
    return pair(first, second)


def action_text(rules: Rules, action: int) -> str:
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    return CELLS[to] if kind == PLACE else CELLS[origin] + " -="[kind] + CELLS[to]


def parse_action(rules: Rules, text: str) -> int:
    match = _ACTION.fullmatch(text)
    if not match:
        raise malformed(text, "a1, a1-a2, a1=a4")
    first, link, second = match.groups()
    cell = parse_cell(first, CELLS)
    if link is None:
        return PLACE << 10 | cell
    return (STEP if link == "-" else SWAP) << 10 | cell << 5 | parse_cell(second, CELLS)
