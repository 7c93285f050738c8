"""Shared parsing and printing for the games' notations: fields, rows of cells, lists of numbers, cell names.

Everything here refuses with a `BadPosition` that says what is wrong. Texts come from people and programs: only ASCII
digits count as digits, and nothing takes longer than the text is long.

At the end: how a position is set up by hand. A game lists the parts of its position string besides board, side to move
and hands as ``PARTS`` in ``editor.py``; an editor shows a tool for each and writes what is chosen into the field.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from damier.core.errors import BadPosition, IllegalAction
from damier.core.kernel.bits import bit
from damier.core.messages import Message, counted, message, shown

_LONGEST = 200  # characters; no position of any game comes near it


def split_fields(text: str, names: str) -> list[str]:
    """Returns the fields of a position string; `names` says what they are."""
    count = len(names.split())
    fields = text.split(" ") if len(text) <= _LONGEST else []
    if len(fields) != count or "" in fields:
        raise BadPosition(
            message(
                "A position has {count} fields separated by one space ({names}), not {text}.",
                count=count,
                names=names,
                text=shown(text),
            )
        )
    return fields


def parse_rows(text: str, size: int, letters: str) -> list[str]:
    """Returns what stands on each cell of a square board, cell 0 first: a letter, or a space for an empty cell."""
    rows = text.split("/")
    if len(rows) != size:
        raise BadPosition(message("The board has {size} rows separated by /, not {count}.", size=size, count=len(rows)))
    board: list[str] = []
    for number, row in zip(range(size, 0, -1), rows, strict=True):
        board = _parse_row(number, row, size, letters) + board
    return board


def _parse_row(number: int, row: str, size: int, letters: str) -> list[str]:
    cells: list[str] = []
    if run := re.search("[0-9]{2,}", row, re.ASCII):
        raise BadPosition(
            message(
                "Row {number} of the board writes a run of empty cells as {run}: one digit for the whole run.",
                number=number,
                run=shown(run.group()),
            )
        )
    for letter in row:
        if letter in letters:
            cells.append(letter)
        elif letter in "123456789"[:size]:
            cells += " " * int(letter)
        else:
            raise BadPosition(
                message(
                    "Row {number} of the board has {letter}, which is neither one of {letters} nor a number of empty "
                    "cells from 1 to {size}.",
                    number=number,
                    letter=shown(letter),
                    letters=" ".join(letters),
                    size=size,
                )
            )
    if len(cells) != size:
        raise BadPosition(
            counted(
                "Row {number} of the board has {count} cell, not {size}.",
                "Row {number} of the board has {count} cells, not {size}.",
                number=number,
                count=len(cells),
                size=size,
            )
        )
    return cells


def rows_text(board: Sequence[str], size: int) -> str:
    """Returns a board as text, the inverse of `parse_rows`."""
    rows = ["".join(board[row * size : (row + 1) * size]) for row in range(size - 1, -1, -1)]
    return re.sub(" +", lambda run: str(len(run.group())), "/".join(rows))


def parse_side(text: str, players: Sequence[str]) -> int:
    """Returns the number of the player on move."""
    if text not in players:
        raise BadPosition(
            message("The side to move is one of {players}, not {text}.", players=", ".join(players), text=shown(text))
        )
    return players.index(text)


def parse_numbers(text: str, count: int, highest: int, what: Message) -> list[int]:
    """Returns a list of whole numbers from 0 to `highest`, written without leading zeros."""
    parts = text.split(",")
    if len(parts) != count or not all(re.fullmatch("0|[1-9][0-9]?", part, re.ASCII) for part in parts):
        raise BadPosition(
            message(
                "{what} is written as {count} whole numbers separated by commas, not {text}.",
                what=what,
                count=count,
                text=shown(text),
            )
        )
    numbers = [int(part) for part in parts]
    if max(numbers) > highest:
        raise BadPosition(
            message("{what} goes up to {highest}, not {number}.", what=what, highest=highest, number=max(numbers))
        )
    return numbers


def parse_cell(text: str, names: Sequence[str]) -> int:
    """Returns the number of a cell named in an action."""
    if text not in names:
        raise IllegalAction(message("There is no cell {cell} on this board.", cell=text))
    return names.index(text)


def malformed(text: str, examples: str) -> IllegalAction:
    """Returns the error for a text that is not an action."""
    return IllegalAction(
        message("{text} is not an action: actions are written like {examples}.", text=shown(text), examples=examples)
    )


def two_colours(first: int, second: int, cells: int, letters: str) -> list[str]:
    """Returns what stands on each cell, given the sets of cells of two players."""
    return [letters[0] if first & bit(i) else letters[1] if second & bit(i) else " " for i in range(cells)]


def letter_set(board: Sequence[str], letter: str) -> int:
    """Returns the set of cells on which a letter stands."""
    cells = 0
    for i, here in enumerate(board):
        if here == letter:
            cells |= bit(i)
    return cells


def check_total(player: Message, on_board: int, in_hand: int, pieces: int) -> None:
    """Refuses a player whose pieces on the board and in hand do not add up to `pieces`."""
    if on_board + in_hand != pieces:
        raise BadPosition(
            message(
                "{player} must have {pieces} pieces in all, not {on_board} on the board and {in_hand} in hand.",
                player=player,
                on_board=on_board,
                in_hand=in_hand,
                pieces=pieces,
            )
        )


def check_hands(hands: Sequence[int], side: int) -> None:
    """Refuses hands that do not fit the side to move, where two players place the same number of pieces in turn."""
    if any(hands) and hands[1] - hands[0] != side:
        raise BadPosition(
            message("The hands {first},{second} do not fit the side to move.", first=hands[0], second=hands[1])
        )


# Setting up

NONE = "-"
"""The text of a part that is not there."""


@dataclass(frozen=True)
class Part:
    """One part of a position string."""

    name: str
    """The name in requests, such as ``die``."""

    title: Message
    """What the tool is called."""

    kind: Literal["cell", "pair", "choice", "players"]
    """How it is chosen: a cell, two cells, one of `choices`, or some players in an order."""

    field_number: int
    """Which field of the position string holds it, counted from 0."""

    item: int | None = None
    """Which item of the field, where the field is a list with commas; None: the whole field."""

    choices: Mapping[str, Message] = field(default_factory=dict)
    """For a choice: what may be written, with what it means."""

    player: str | None = None
    """For a cell: whose piece stands there."""

    mark: str | None = None
    """For a cell or a pair: the mark of the drawing that shows it."""

    can_be_none: bool = True
    """For a cell: whether it may be ``-``."""


def part_text(part: Part, fields: Sequence[str]) -> str:
    """Returns what the fields of a position string say of a part; ``-`` where they are too short."""
    text = fields[part.field_number] if part.field_number < len(fields) else NONE
    if part.item is None:
        return text
    items = text.split(",")
    return items[part.item] if part.item < len(items) else NONE


def with_part(part: Part, fields: Sequence[str], text: str) -> list[str]:
    """Returns the fields with another text for a part; the cells of a pair in alphabetical order."""
    found = list(fields)
    if part.kind == "pair":
        text = ",".join(sorted(text.split(",")))
    if part.item is not None:
        items = found[part.field_number].split(",")
        items[part.item] = text
        text = ",".join(items)
    found[part.field_number] = text
    return found
