"""Renfa-Bomba as text. Position: ``board side hand``; actions: ``c3``, ``a1-a4``, ``*c3``."""

import re

from damier.core.errors import BadPosition
from damier.core.kernel.bits import bit_count
from damier.core.kernel.cells import cell_name, cell_names
from damier.core.kernel.contract import Rules, State
from damier.core.messages import message
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
from damier.games.renfa.rules import (
    BOMBS,
    DETONATE,
    MOVE,
    PLACE,
    SIZE,
    kind_of,
    origin_of,
    side_of,
    target_of,
    to_place,
)

PLAYERS = ("b", "w")
NAMES = (message("Black"), message("White"))
FORMS = {1: ("{}", "*{}"), 2: ("{}-{}",)}
_ACTION = re.compile(r"(\*?)([a-z][0-9])(?:-([a-z][0-9]))?", re.ASCII)


def position_text(rules: Rules, state: State) -> str:
    side, hand = side_of(state), to_place(state)
    black, white = (state[1], state[0]) if side else (state[0], state[1])
    board = rows_text(two_colours(black, white, rules[SIZE] ** 2, "BW"), rules[SIZE])
    return f"{board} {PLAYERS[side]} {hand // 2},{hand - hand // 2}"


def parse_position(rules: Rules, text: str) -> State:
    board_text, side_text, hand_text = split_fields(text, "board side hand")
    board = parse_rows(board_text, rules[SIZE], "BW")
    black, white = letter_set(board, "B"), letter_set(board, "W")
    side = parse_side(side_text, PLAYERS)
    hands = parse_numbers(hand_text, 2, rules[BOMBS], message("The hand"))
    counts = bit_count(black), bit_count(white)
    if max(counts) > rules[BOMBS]:
        raise BadPosition(message("A player has {bombs} bombs, not {count}.", bombs=rules[BOMBS], count=max(counts)))
    if any(hands):
        check_total(NAMES[0], counts[0], hands[0], rules[BOMBS])
        check_total(NAMES[1], counts[1], hands[1], rules[BOMBS])
    check_hands(hands, side)
    own, enemy = (white, black) if side else (black, white)
    return own, enemy, sum(hands) << 1 | side


def action_text(rules: Rules, action: int) -> str:
    kind, origin, to = (
        kind_of(action),
        cell_name(rules[SIZE], origin_of(action)),
        cell_name(rules[SIZE], target_of(action)),
    )
    if kind == MOVE:
        return f"{origin}-{to}"
    return f"*{to}" if kind == DETONATE else to


def parse_action(rules: Rules, text: str) -> int:
    match = _ACTION.fullmatch(text)
    if not match or (match[1] and match[3]):
        raise malformed(text, "c3, a1-a4, *c3")
    names = cell_names(rules[SIZE])
    cell = parse_cell(match[2], names)
    if match[1]:
        return DETONATE << 12 | cell
    if match[3]:
        return MOVE << 12 | cell << 6 | parse_cell(match[3], names)
    return PLACE << 12 | cell
