"""Sensei as text. Position: ``board side characters left``; actions: ``a1-a2``, ``d1^b3``, ``end``."""

import re

from damier.core.errors import BadPosition
from damier.core.kernel.bits import bit, bit_count
from damier.core.kernel.cells import cell_names
from damier.core.kernel.contract import Rules, State
from damier.core.messages import message, shown
from damier.core.notation import (
    letter_set,
    malformed,
    parse_cell,
    parse_rows,
    parse_side,
    rows_text,
    split_fields,
)
from damier.games.sensei.rules import (
    CHARACTER,
    END,
    PITS,
    STONE,
    character,
    character_moves_left,
    kind_of,
    origin_of,
    side_of,
    stone_moves_left,
    target_of,
)

STONES = 7
PLAYERS = ("g", "r")
NAMES = (message("Green"), message("Red"))
CELLS = cell_names(7)
_LEFT = ("2,1", "2,0", "1,1", "1,0", "0,1")
FORMS = {2: ("{}-{}", "{}^{}")}
_ACTION = re.compile(r"([a-z][0-9])([-^])([a-z][0-9])", re.ASCII)


def position_text(rules: Rules, state: State) -> str:
    side, left = side_of(state), f"{stone_moves_left(state)},{character_moves_left(state)}"
    green, red = (state[1], state[0]) if side else (state[0], state[1])
    board = [
        "G" if green & bit(i) else "R" if red & bit(i) else "o" if rules[PITS] & bit(i) else " " for i in range(49)
    ]
    return f"{rows_text(board, 7)} {PLAYERS[side]} {CELLS[character(green)]},{CELLS[character(red)]} {left}"


def parse_position(rules: Rules, text: str) -> State:
    board_text, side_text, character_text, left_text = split_fields(text, "board side characters left")
    board = parse_rows(board_text, 7, "GRo")
    if letter_set(board, "o") != rules[PITS]:
        pits = ",".join(CELLS[i] for i in range(49) if rules[PITS] & bit(i))
        if not pits:
            raise BadPosition(message("This variant has no pits."))
        raise BadPosition(message("The pits of the board are not those of the options: {pits}.", pits=pits))
    green, red = letter_set(board, "G"), letter_set(board, "R")
    for player, own in ((NAMES[0], green), (NAMES[1], red)):
        if bit_count(own) != STONES:
            raise BadPosition(
                message(
                    "{player} has {stones} stones, not {count}.", player=player, stones=STONES, count=bit_count(own)
                )
            )
    side = parse_side(side_text, PLAYERS)
    names = character_text.split(",")
    if len(names) != 2 or not all(name in CELLS for name in names):
        raise BadPosition(
            message("The characters are two cells such as d1,d7, not {text}.", text=shown(character_text))
        )
    cells = [CELLS.index(name) for name in names]
    for player, own, cell in ((NAMES[0], green, cells[0]), (NAMES[1], red, cells[1])):
        if not own & bit(cell):
            raise BadPosition(
                message(
                    "The character of {player} is on {cell}, where they have no stone.", player=player, cell=CELLS[cell]
                )
            )
    if left_text not in _LEFT:
        raise BadPosition(
            message(
                "The actions left are one of {choices} (stone moves, character moves), not {text}.",
                choices=" ".join(_LEFT),
                text=shown(left_text),
            )
        )
    words = [green | cells[0] << 49, red | cells[1] << 49]
    word = int(left_text[0]) << 1 | int(left_text[2]) << 3 | side
    return words[side], words[1 - side], word


def action_text(rules: Rules, action: int) -> str:
    kind, origin, to = kind_of(action), origin_of(action), target_of(action)
    return "end" if kind == END else CELLS[origin] + "-^"[kind] + CELLS[to]


def parse_action(rules: Rules, text: str) -> int:
    if text == "end":
        return END << 12
    match = _ACTION.fullmatch(text)
    if not match:
        raise malformed(text, "a1-a2, d1^b3, end")
    kind = STONE if match[2] == "-" else CHARACTER
    return kind << 12 | parse_cell(match[1], CELLS) << 6 | parse_cell(match[3], CELLS)
