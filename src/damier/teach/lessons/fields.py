"""Reads the fields of a lesson file: each function returns a valid value or raises `BadLesson` with what is valid."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from damier.core.errors import DamierError
from damier.core.messages import LANGUAGES, Message, message, shown
from damier.teach.lessons.conditions import CONDITIONS, Parameters

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.teach.lessons.search import Turn

_NO_BREAK = "\u00a0"  # the space before some signs in French
_NAME = re.compile(r"[a-z][a-z0-9-]{0,29}")  # of a step: it stands in addresses
_MOST_STEPS = 60
_MOST_PARTS = 30  # of a list of cells or actions
_LONGEST_PART = 60  # characters of an action or a turn
_MOST_COUNT = 64
_SIGNS = ("-", "=", "*", "^", ">", "@", "end")
"""What distinguishes kinds of actions in any notation."""


class BadLesson(DamierError):
    """A lesson cannot be read."""


def _refused(field: str, takes: Message) -> BadLesson:
    return BadLesson(message("{field} takes {takes}.", field=shown(field), takes=takes))


def read_object(field: str, value: object) -> dict[str, Any]:
    """Returns a JSON object."""
    if not isinstance(value, dict):
        raise _refused(field, message("an object with fields"))
    return value


def check_fields(fields: Mapping[str, object], allowed: Sequence[str]) -> None:
    """Raises if a required field is missing or a field is unknown; names that end with ``?`` are optional."""
    names = [name.removesuffix("?") for name in allowed]
    if unknown := [name for name in fields if name not in names]:
        raise BadLesson(message("There is no field {field} here.", field=shown(unknown[0])))
    if missing := [name for name in allowed if not name.endswith("?") and name not in fields]:
        raise BadLesson(message("The field {field} is missing.", field=shown(missing[0])))


def read_steps(value: object) -> list[Any]:
    """Returns the steps, not yet read."""
    if not isinstance(value, list) or not 1 <= len(value) <= _MOST_STEPS:
        raise _refused("steps", message("a list of 1 to {most} steps", most=_MOST_STEPS))
    return value


def read_list(field: str, value: object) -> list[Any]:
    """Returns a list."""
    if not isinstance(value, list) or len(value) > _MOST_PARTS:
        raise _refused(field, message("a list of at most {most} entries", most=_MOST_PARTS))
    return value


def read_text(field: str, value: object, most: int) -> dict[str, str]:
    """Returns a text that has every language, each of at most `most` letters."""
    is_text = isinstance(value, dict) and sorted(value) == sorted(LANGUAGES)
    if not isinstance(value, dict) or not is_text or not all(_is_text(one, most) for one in value.values()):
        takes = message(
            "a text in each of {languages}, of at most {most} letters", languages=", ".join(LANGUAGES), most=most
        )
        raise _refused(field, takes)
    return value


def _is_text(value: object, most: int) -> bool:
    if not isinstance(value, str) or not 1 <= len(value) <= most or value.strip() != value:
        return False
    return value.replace(_NO_BREAK, " ").isprintable()


def read_one_of(field: str, value: object, names: Sequence[str]) -> str:
    """Returns one of `names`."""
    if not isinstance(value, str) or value not in names:
        raise _refused(field, message("one of {names}", names=", ".join(names)))
    return value


def read_name(field: str, value: object) -> str:
    """Returns the id of a step."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise _refused(field, message("a short name of small letters, digits and hyphens"))
    return value


def read_number(field: str, value: object, low: int, high: int) -> int:
    """Returns an integer from `low` to `high`."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise _refused(field, message("a whole number from {low} to {high}", low=low, high=high))
    return value


def read_position(game: Game, value: object) -> Position:
    """Returns the position of a position string."""
    if not isinstance(value, str):
        raise _refused("position", message("a position string"))
    return game.parse(value)


def read_cells(game: Game, field: str, value: object, *, can_be_empty: bool = False) -> tuple[str, ...]:
    """Returns names of cells of the board."""
    names = [cell.name for cell in game.drawing.cells]
    cells = _read_parts(value, can_be_empty=can_be_empty)
    if cells is None or not all(cell in names for cell in cells):
        raise _refused(field, message("a list of cells of the board"))
    return cells


def read_actions(field: str, value: object, *, can_be_empty: bool = False) -> tuple[Turn, ...]:
    """Returns actions, or turns of several joined with ``+``."""
    texts = _read_parts(value, can_be_empty=can_be_empty)
    if texts is None:
        raise _refused(field, message("a list of actions"))
    return tuple(tuple(text.split("+")) for text in texts)


def _read_parts(value: object, *, can_be_empty: bool) -> tuple[str, ...] | None:
    if not isinstance(value, list) or len(value) > _MOST_PARTS or not (value or can_be_empty):
        return None
    is_short = all(isinstance(part, str) and len(part) <= _LONGEST_PART for part in value)
    return tuple(value) if is_short else None


def read_condition(game: Game, value: object) -> dict[str, Parameters]:
    """Returns the conditions of a task by name; there is at least one."""
    suiting = [name for name, condition in CONDITIONS.items() if condition.suits(game.traits)]
    condition = read_object("condition", value)
    if not condition:
        raise _refused("condition", message("one of {names}", names=", ".join(suiting)))
    for name in condition:
        read_one_of("condition", name, suiting)
    return {name: _read_parameters(game, name, parameters) for name, parameters in condition.items()}


def _read_parameters(game: Game, condition: str, value: object) -> Parameters:
    kinds = CONDITIONS[condition].parameters
    fields = read_object(condition, value)
    check_fields(fields, tuple(kinds))
    names = {name.removesuffix("?"): kind for name, kind in kinds.items()}
    return {name: _read_parameter(game, name, names[name], given) for name, given in fields.items()}


def _read_parameter(game: Game, name: str, kind: str, value: object) -> object:
    if kind == "cells":
        return read_cells(game, name, value)
    if kind == "number":
        return read_number(name, value, 1, _MOST_COUNT)
    if kind == "turns":
        return read_number(name, value, 2, 3)
    choices = {"player": game.players, "mark": tuple(game.drawing.marks), "sign": _SIGNS}
    return read_one_of(name, value, choices[kind])
