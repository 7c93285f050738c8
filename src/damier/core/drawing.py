"""What a client needs to draw a board and to offer actions without knowing the rules.

A `Drawing` is the empty board of a game with its options; pieces, marks and captions come from a position. Lengths are
in cells: (0, 0) is the upper left corner of the board, x grows to the right, y downwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from damier.core.messages import Message, message

if TYPE_CHECKING:
    from damier.core.outcome import Result
    from damier.core.position import Position

HAND = "@"
"""Stands for the hand of the player on move in a list of cells."""


@dataclass(frozen=True)
class Cell:
    """A place on the board."""

    name: str
    x: float
    y: float
    """The middle, where a piece stands."""

    outline: tuple[tuple[float, float], ...]
    """The corners, in order."""

    kind: str
    """What it is: ``light``, ``dark``, or a kind of the game's own, such as ``arrow`` or ``pit``."""

    fill: str
    """The token of its colour in the palette: ``light``, ``dark`` or ``hole``."""

    can_hold: bool = True
    """Whether a piece can stand here; false for holes and pits."""

    has_grain: bool = True
    """Whether the wood shows its grain."""


@dataclass(frozen=True)
class Look:
    """How the pieces of one player look; owners differ in pattern as well as in colour."""

    name: Message
    """What a piece is called: "black bomb"."""

    shape: str
    """The name of a drawing: ``disc``, ``drum`` (a flat cylinder, for stacks), or one in the game's ``art/``."""

    colour: str
    """A colour of pieces in the palette: ``noir``, ``blanc``, ``green``, ``red``, ``blue``, ``yellow``, ``mauve``."""

    pattern: str
    """``solid``, ``ring``, ``stripes``, ``dots`` or ``crosses``."""

    letter: str
    """One letter for text boards."""


@dataclass(frozen=True)
class Piece:
    """A piece on the board."""

    player: str
    cell: str
    level: int = 0
    """How many pieces stand under it."""

    marks: tuple[str, ...] = ()
    """Names in `Drawing.marks`."""


@dataclass(frozen=True)
class Drawing:
    """The empty board of a game, and how its pieces look."""

    width: float
    height: float
    cells: tuple[Cell, ...]
    looks: dict[str, Look]
    """By player."""

    marks: dict[str, Message] = field(default_factory=dict)
    """Marks of pieces and cells ("pinned", "ko") by name, with their text."""

    signs: dict[str, str] = field(default_factory=dict)
    """Text signs of marks and of cells that cannot be entered, by name.

    A mark has two characters, before and after the piece, such as ``()``; by default a star after it. A kind of cell
    has one; by default ``#``.
    """

    view: str = "flat"
    """``flat``, or ``isometric`` for boards with stacks."""

    has_hands: bool = False
    """Whether players hold pieces that are not on the board yet."""

    def cell(self, name: str) -> Cell:
        """Returns the cell called `name`."""
        return next(cell for cell in self.cells if cell.name == name)


def square_cells(size: int, special: dict[str, str] | None = None) -> tuple[Cell, ...]:
    """Returns the cells of a chequered square board; `special` gives cells that are neither light nor dark."""
    return chequered_cells(size, size, special)


def chequered_cells(width: int, height: int, special: dict[str, str] | None = None) -> tuple[Cell, ...]:
    """Returns the cells of a chequered board; `special` gives cells that are neither light nor dark."""
    cells = []
    for row in range(height):
        for column in range(width):
            name = "abcdefghijklmnopqrstuvwxyz"[column] + str(row + 1)
            fill = "light" if (row + column) % 2 else "dark"
            kind = (special or {}).get(name, fill)
            fill = "hole" if kind == "hole" else fill
            left, top = float(column), float(height - 1 - row)
            outline = ((left, top), (left + 1, top), (left + 1, top + 1), (left, top + 1))
            place = (name, left + 0.5, top + 0.5, outline)
            cells.append(Cell(*place, kind, fill, can_hold=name not in (special or {}), has_grain=fill != "hole"))
    return tuple(cells)


def pieces_on(
    names: Sequence[str], cells: int, player: str, marks: Mapping[str, tuple[str, ...]] | None = None
) -> list[Piece]:
    """Returns the pieces of a player on `cells`, a word with one bit for each of `names`; `marks` are by cell."""
    found = [name for number, name in enumerate(names) if cells >> number & 1]
    return [shared_piece(player, name, 0, marks.get(name, ()) if marks else ()) for name in found]


@lru_cache(20_000)
def shared_piece(player: str, cell: str, level: int = 0, marks: tuple[str, ...] = ()) -> Piece:
    """Returns a piece, always the same one: found faster than made, and compared by identity."""
    return Piece(player, cell, level, marks)


def piece_label(drawing: Drawing, piece: Piece, lang: str = "en") -> str:
    """Returns the text of a piece: "c3, black bomb, pinned"."""
    said = [drawing.looks[piece.player].name, *(drawing.marks[mark] for mark in piece.marks)]
    return ", ".join([piece.cell, *(part.render(lang) for part in said)])


def position_captions(position: Position, result: Result | None) -> list[Message]:
    """Returns what is written beside the board: who is on move and what the game adds, or how the game ended."""
    if result:
        return [result.message]
    game = position.game
    is_player = position.mover in game.players
    captions = [message("{player} to move", player=game.player_name(position.mover))] if is_player else []
    return captions + position.captions()


def die_shown(captions: Sequence[Message]) -> int | None:
    """Returns the points of the die that captions name as ``die``; None where no die lies on the table."""
    points = [caption.values.get("die") for caption in captions]
    return next((each for each in points if isinstance(each, int)), None)


def hand_captions(position: Position) -> dict[str, Message]:
    """Returns the text of each player's hand, or nothing once all hands are empty."""
    hands = position.hands()
    if not position.game.drawing.has_hands or not any(hands.values()):
        return {}
    name = position.game.player_name
    return {
        player: message("{player}: {count} in hand", player=name(player), count=count)
        for player, count in hands.items()
    }
