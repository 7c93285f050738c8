"""Edits position strings: replaces pieces, side to move, hands, and the parts that the game lists.

Every position string begins with the board and the side to move, followed by the hands in games that have them; see
`damier.core.notation`. What is not replaced is kept, so the result may not be a legal position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from damier.core.errors import BadPosition
from damier.core.messages import message, shown
from damier.core.notation import part_text, rows_text, with_part

if TYPE_CHECKING:
    from damier.core.game import Game

_BOARD, _SIDE, _HANDS = 0, 1, 2


def fields_of(game: Game, text: str | None) -> list[str]:
    """Returns the fields of a position string, or those of the start if their number is wrong."""
    first = str(game.start).split(" ")
    fields = (text or "").split(" ")
    return fields if len(fields) == len(first) else first


def set_up(
    game: Game,
    text: str | None,
    pieces: Iterable[tuple[str, str]],
    side: str | None = None,
    hands: Sequence[int] | None = None,
    parts: Mapping[str, str] | None = None,
) -> str:
    """Returns a position string with these pieces, each a player and a cell, lower ones of a stack first.

    `parts` are texts of parts of the game, by name; those that are not named are kept.
    """
    fields = fields_of(game, text)
    fields[_BOARD] = _board_text(game, pieces)
    if side is not None:
        fields[_SIDE] = side
    if hands is not None and game.drawing.has_hands:
        fields[_HANDS] = ",".join(map(str, hands))
    for part in game.parts:
        if parts and part.name in parts:
            fields = with_part(part, fields, parts[part.name])
    return " ".join(fields)


def parts_of(game: Game, text: str) -> dict[str, str]:
    """Returns the texts of the parts in a position string, by name; those of the start if it has too few fields."""
    fields = fields_of(game, text)
    return {part.name: part_text(part, fields) for part in game.parts}


def _board_text(game: Game, pieces: Iterable[tuple[str, str]]) -> str:
    drawing = game.drawing
    cells = {cell.name for cell in drawing.cells if cell.can_hold}
    stacks: dict[str, str] = dict.fromkeys(cells, "")
    for player, cell in pieces:
        if cell not in cells:
            raise BadPosition(message("There is no cell {cell} on this board.", cell=shown(cell)))
        if player not in drawing.looks:
            players = ", ".join(drawing.looks)
            raise BadPosition(
                message("The player is one of {players}, not {text}.", players=players, text=shown(player))
            )
        letter = drawing.looks[player].letter
        stacks[cell] = stacks[cell] + letter if drawing.view == "isometric" else letter
    first = str(game.start).split(" ")[_BOARD]
    if drawing.view == "isometric":
        return _stacks_text(first.count("/") + 1, stacks)
    board = _empty_board(first, {look.letter for look in drawing.looks.values()})
    size = first.count("/") + 1
    return rows_text([stacks.get(_name(i, size)) or board[i] for i in range(len(board))], size)


def _stacks_text(size: int, stacks: dict[str, str]) -> str:
    names = [_name(i, size) for i in range(size * size)]
    rows = [",".join(stacks[name] or "-" for name in names[row * size : (row + 1) * size]) for row in range(size)]
    return "/".join(reversed(rows))


def _empty_board(text: str, letters: set[str]) -> list[str]:
    """Returns the letter of each cell of a board without pieces, cell 0 first."""
    board: list[str] = []
    for row in text.split("/"):
        cells = [" " * int(letter) if letter.isdigit() else letter for letter in row]
        board = [" " if letter in letters else letter for letter in "".join(cells)] + board
    return board


def _name(cell: int, size: int) -> str:
    return "abcdefgh"[cell % size] + str(cell // size + 1)
