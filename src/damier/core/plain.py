"""What stands in for the modules that a game leaves out: its refusals and its appearance.

A plain board is read off the position string, whose first field must be the board in rows as ``notation.py`` writes
them: rows from the top separated by ``/``, a digit for a run of empty cells, and for a piece the owner's name in the
notation, in capitals (``B/W`` for the players ``b`` and ``w``). A game with another kind of board needs an appearance.
"""

import re
from collections.abc import Sequence
from typing import Protocol

from damier.core.drawing import Cell, Drawing, Look, Piece, chequered_cells
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message, message

PLAIN_REASON = "rules"
"""The code of the reason for which a game without refusals of its own ends."""

#: By the rank of the player: the colour and the pattern of the discs.
_STYLES = (("noir", "solid"), ("blanc", "solid"), ("green", "stripes"), ("red", "dots"), ("blue", "crosses"))


class PlainRefusals:
    """Says that an action is not possible, but not why."""

    def why_illegal(self, rules: Rules, state: State, action: int) -> Message:
        """Returns the same sentence for every action."""
        return message("This action is not possible now.")

    def why_over(self, rules: Rules, state: State) -> str:
        """Returns the code for a game that its own rules have ended."""
        return PLAIN_REASON


class BoardText(Protocol):
    """What a plain appearance needs of a notation."""

    def position_text(self, rules: Rules, state: State) -> str:
        """Returns the position string."""

    def action_text(self, rules: Rules, action: int) -> str:
        """Returns an action as text."""


class PlainAppearance:
    """A chequered board with discs, read off the position string."""

    def __init__(self, notation: BoardText, players: Sequence[str]) -> None:
        self._notation, self._players = notation, players

    def board(self, rules: Rules, start: State) -> Drawing:
        """Returns the empty board of the size that the position string of a state shows."""
        rows = self._rows(rules, start)
        cells: tuple[Cell, ...] = chequered_cells(len(rows[0]), len(rows))
        looks = {
            player: Look(message("piece of player {number}", number=number), "disc", *style, player.upper())
            for number, (player, style) in enumerate(zip(self._players, _STYLES, strict=False), 1)
        }
        return Drawing(len(rows[0]), len(rows), cells, looks)

    def pieces(self, rules: Rules, state: State) -> list[Piece]:
        """Returns a disc for every letter of the board."""
        owners = {player.upper(): player for player in self._players}
        return [
            Piece(owners[letter], f"{column}{row}")
            for row, letters in enumerate(reversed(self._rows(rules, state)), 1)
            for column, letter in zip("abcdefghijklmnopqrstuvwxyz", letters, strict=False)
            if letter in owners
        ]

    def action_cells(self, rules: Rules, action: int) -> tuple[str, ...]:
        """Returns the cells that the text of the action names, in that order."""
        return tuple(re.findall("(?<![a-z])[a-z][1-9][0-9]?(?![0-9])", self._notation.action_text(rules, action)))

    def _rows(self, rules: Rules, state: State) -> list[str]:
        """Returns the rows of the board from the top, a space for an empty cell."""
        board = self._notation.position_text(rules, state).split(" ")[0]
        return re.sub("[0-9]+", lambda run: " " * int(run.group()), board).split("/")
