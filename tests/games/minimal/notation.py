"""Three in a row as text. Position: ``board side``; actions: ``b2``."""

from damier.core.kernel.cells import cell_names
from damier.core.kernel.contract import Rules, State
from damier.core.notation import (
    letter_set,
    malformed,
    parse_cell,
    parse_rows,
    parse_side,
    rows_text,
    split_fields,
    two_colours,
)

PLAYERS = ("x", "o")
CELLS = cell_names(3)


def position_text(rules: Rules, state: State) -> str:
    crosses, noughts = (state[1], state[0]) if state[2] else (state[0], state[1])
    return f"{rows_text(two_colours(crosses, noughts, 9, 'XO'), 3)} {PLAYERS[state[2]]}"


def parse_position(rules: Rules, text: str) -> State:
    board_text, side_text = split_fields(text, "board side")
    board, side = parse_rows(board_text, 3, "XO"), parse_side(side_text, PLAYERS)
    crosses, noughts = letter_set(board, "X"), letter_set(board, "O")
    return (noughts, crosses, 1) if side else (crosses, noughts, 0)


def action_text(rules: Rules, action: int) -> str:
    return CELLS[action]


def parse_action(rules: Rules, text: str) -> int:
    if len(text) != 2:
        raise malformed(text, "b2")
    return parse_cell(text, CELLS)
