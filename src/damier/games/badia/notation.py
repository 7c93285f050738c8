"""Badia as text. Position: ``board side hand markers pending``.

Actions: ``a1``, ``a1-a2``, ``a1=a2``, ``b1-c1>c3`` (where the enemy pawn goes), ``b1-c1>?`` and its answer ``>e5``.
"""

import re

from damier.core.errors import BadPosition
from damier.core.kernel.bits import bit, bit_count
from damier.core.kernel.cells import cell_names
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message, shown
from damier.core.notation import (
    check_hands,
    check_total,
    malformed,
    parse_cell,
    parse_numbers,
    parse_rows,
    parse_side,
    rows_text,
    split_fields,
)
from damier.games.badia.rules import (
    ANSWER,
    ARROWS,
    DISPLACE,
    LEAVE,
    PAWNS,
    PLACE,
    SQUARES,
    STEP,
    SWAP,
    TOUCHING,
    enemy_marker_of,
    kind_of,
    origin_of,
    own_marker_of,
    pending,
    put_of,
    side_of,
    target_of,
)

PLAYERS = ("b", "w")
NAMES = (message("Black"), message("White"))
CELLS = ["a1", "b1", "c1", "d1", "e1", "e2", "e3", "e4", "e5", "d5", "c5", "b5", "a5", "a4", "a3", "a2", "c3"]
GRID = cell_names(5)
FORMS = {1: ("{}", ">{}"), 2: ("{}-{}", "{}={}", "{}-{}>?"), 3: ("{}-{}>{}",)}
_CELL = "([a-z][0-9])"
_ACTIONS = {
    PLACE: re.compile(_CELL),
    STEP: re.compile(f"{_CELL}-{_CELL}"),
    SWAP: re.compile(f"{_CELL}={_CELL}"),
    DISPLACE: re.compile(f"{_CELL}-{_CELL}>{_CELL}"),
    LEAVE: re.compile(rf"{_CELL}-{_CELL}>\?"),
    ANSWER: re.compile(f">{_CELL}"),
}


def position_text(rules: Rules, state: State) -> str:
    side, waiting = side_of(state), pending(state)
    pawns, in_air = [state[0], state[1]], [int(waiting > 0), 0]
    markers = [own_marker_of(state), enemy_marker_of(state)]
    if side:
        pawns, markers, in_air = pawns[::-1], markers[::-1], in_air[::-1]
    board = ["." if name not in CELLS else " " for name in GRID]
    for letter, cells in zip("BW", pawns, strict=True):
        for cell, name in enumerate(CELLS):
            if cells & bit(cell):
                board[GRID.index(name)] = letter
    hand = ",".join(str(PAWNS - bit_count(cells) - air) for cells, air in zip(pawns, in_air, strict=True))
    marker_text = ",".join(CELLS[marker - 1] if marker else "-" for marker in markers)
    return f"{rows_text(board, 5)} {PLAYERS[side]} {hand} {marker_text} {'-pm'[waiting]}"


def parse_position(rules: Rules, text: str) -> State:
    board_text, side_text, hand_text, marker_text, waiting_text = split_fields(text, "board side hand markers pending")
    black, white = _parse_board(board_text)
    side = parse_side(side_text, PLAYERS)
    hands = parse_numbers(hand_text, 2, PAWNS, message("The hand"))
    if waiting_text not in ("-", "p", "m"):
        raise BadPosition(message("The last field is -, p or m, not {text}.", text=shown(waiting_text)))
    waiting = "-pm".index(waiting_text)
    in_air = [int(waiting > 0 and side == player) for player in (0, 1)]
    check_total(NAMES[0], bit_count(black), hands[0], PAWNS - in_air[0])
    check_total(NAMES[1], bit_count(white), hands[1], PAWNS - in_air[1])
    check_hands(hands, side)
    if any(hands) and (black | white) & ~SQUARES:
        raise BadPosition(message("Pawns are placed on square cells only, not on arrows or on c3."))
    markers = _parse_markers(marker_text, (black, white))
    if any(hands) and any(markers):
        raise BadPosition(message("Placing sets no marker: both are - until all pawns are placed."))
    own, enemy = (white, black) if side else (black, white)
    own_marker, enemy_marker = (markers[1], markers[0]) if side else (markers[0], markers[1])
    if waiting:
        _check_waiting(waiting, own | enemy, own_marker, enemy_marker)
    return own, enemy, waiting << 11 | enemy_marker << 6 | own_marker << 1 | side


def _parse_board(text: str) -> tuple[int, int]:
    board = parse_rows(text, 5, "BW.")
    pawns = {"B": 0, "W": 0}
    for name, letter in zip(GRID, board, strict=True):
        if (letter == ".") == (name in CELLS):
            if letter == ".":
                raise BadPosition(message("The cell {cell} exists and cannot be written as a dot.", cell=name))
            raise BadPosition(message("There is no cell {cell}: it is written as a dot.", cell=name))
        if letter in pawns:
            pawns[letter] |= bit(CELLS.index(name))
    return pawns["B"], pawns["W"]


def _parse_markers(text: str, pawns: tuple[int, int]) -> list[int]:
    names = text.split(",")
    if len(names) != 2 or not all(name == "-" or name in CELLS for name in names):
        raise BadPosition(
            message("Each of the two markers is a cell or -, as in c1,- and not {text}.", text=shown(text))
        )
    markers = [CELLS.index(name) + 1 if name != "-" else 0 for name in names]
    for player, marker, own in zip(NAMES, markers, pawns, strict=True):
        if marker and not own & bit(marker - 1):
            raise _no_pawn_for_marker(player, CELLS[marker - 1])
    return markers


def _no_pawn_for_marker(player: Message, cell: str) -> BadPosition:
    return BadPosition(
        message("The marker of {player} is on {cell}, where they have no pawn.", player=player, cell=cell)
    )


def _check_waiting(waiting: int, pawns: int, own_marker: int, enemy_marker: int) -> None:
    """Refuses a waiting pawn that no move can have left: it came from an arrow with all arrows and c3 full."""
    is_possible = pawns & ARROWS == ARROWS and enemy_marker and ARROWS & bit(enemy_marker - 1)
    if not is_possible or not TOUCHING[enemy_marker - 1] & ~pawns:
        raise BadPosition(
            message(
                "A pawn waits for its owner only when all arrows are full and the opponent's marked pawn has come to "
                "one of them from a cell beside it that is empty now."
            )
        )
    if waiting == 2 and own_marker:
        raise BadPosition(message("With m the waiting pawn carries its owner's marker, which is then written -."))


def action_text(rules: Rules, action: int) -> str:
    kind, put, origin, to = kind_of(action), CELLS[put_of(action)], CELLS[origin_of(action)], CELLS[target_of(action)]
    return {
        PLACE: to,
        STEP: f"{origin}-{to}",
        SWAP: f"{origin}={to}",
        DISPLACE: f"{origin}-{to}>{put}",
        LEAVE: f"{origin}-{to}>?",
        ANSWER: f">{to}",
    }[kind]


def parse_action(rules: Rules, text: str) -> int:
    for kind, pattern in _ACTIONS.items():
        if match := pattern.fullmatch(text):
            cells = [parse_cell(name, CELLS) for name in match.groups()]
            if kind in (PLACE, ANSWER):
                return kind << 15 | cells[0]
            put = cells[2] if kind == DISPLACE else 0
            return kind << 15 | put << 10 | cells[0] << 5 | cells[1]
    raise malformed(text, "a1, a1-a2, a1=a2, b1-c1>c3, b1-c1>?, >e5")
