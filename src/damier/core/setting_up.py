"""How a position is set up by hand: the parts of a position string besides board, side to move and hands.

A game lists its parts in ``editor.py``, each as a `Part`: which field of the position string holds it and how a person
chooses it. An editor needs no more: it shows a tool for each part and writes the text that is chosen into the field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from damier.core.messages import Message

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

    field: int
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
    text = fields[part.field] if part.field < len(fields) else NONE
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
        items = found[part.field].split(",")
        items[part.item] = text
        text = ",".join(items)
    found[part.field] = text
    return found
