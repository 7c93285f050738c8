"""Options of a game: declared with type, range, default and help, checked in one place."""

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, SupportsIndex

from damier.core.errors import BadOption
from damier.core.messages import Message, message, shown

Value = int | str
Options = dict[str, Value]


@dataclass(frozen=True)
class WholeNumber:
    """An option that takes a whole number from `low` to `high`."""

    name: str
    default: int
    low: int
    high: int
    help: Message
    title: Message | None = None
    """A label for a form ("Bombs"); without it, the name."""

    phrase: Message | None = None
    """The option with its value in a list of options ("{value} bombs"); without it, title and value."""

    names: Mapping[int, Message] = field(default_factory=dict)
    """The values in words, where a number alone says too little; then for all of the range."""

    @property
    def takes(self) -> Message:
        """What the option takes, as part of a sentence."""
        return message("a whole number from {low} to {high}", low=self.low, high=self.high)

    def parse(self, value: object) -> int:
        """Returns the value as a number of the range."""
        if isinstance(value, str) and re.fullmatch("0|[1-9][0-9]{0,8}", value, re.ASCII):
            value = int(value)
        if isinstance(value, SupportsIndex) and not isinstance(value, bool):
            number = operator.index(value)
            if self.low <= number <= self.high:
                return number
        raise refusal(self.name, self.takes, value)

    def declaration(self) -> dict[str, Any]:
        """Returns the option as data, for a form."""
        return {"name": self.name, "type": "integer", "default": self.default, "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Choice:
    """An option that takes one of a list of words."""

    name: str
    default: str
    choices: tuple[str, ...]
    help: Message
    title: Message | None = None
    """A label for a form ("Bombs"); without it, the name."""

    phrase: Message | None = None
    """The option with its value in a list of options ("{value} bombs"); without it, title and value."""

    names: Mapping[str, Message] = field(default_factory=dict)
    """The choices in words; without it, the choices."""

    @property
    def takes(self) -> Message:
        """What the option takes, as part of a sentence."""
        return message("one of {choices}", choices=", ".join(self.choices))

    def parse(self, value: object) -> str:
        """Returns the value, one of the choices."""
        if not isinstance(value, str) or value not in self.choices:
            raise refusal(self.name, self.takes, value)
        return value

    def declaration(self) -> dict[str, Any]:
        """Returns the option as data, for a form."""
        return {"name": self.name, "type": "choice", "default": self.default, "choices": list(self.choices)}


@dataclass(frozen=True)
class CellList:
    """An option that takes a set of cells, such as ``c3,e3``; its default may depend on other options."""

    name: str
    default: str
    cells: tuple[str, ...]
    help: Message
    title: Message | None = None
    """A label for a form ("Bombs"); without it, the name."""

    phrase: Message | None = None
    """The option with its value in a list of options ("{value} bombs"); without it, title and value."""

    needs: Mapping[str, str] = field(default_factory=dict)
    """The values of other options that this one goes with; without it, it is always there."""

    partners: Mapping[str, str] = field(default_factory=dict)
    """For a form: the cell that is chosen along with each cell."""

    @property
    def takes(self) -> Message:
        """What the option takes, as part of a sentence."""
        return message("cells separated by commas, such as {example}", example=self.default)

    def parse(self, value: object) -> str:
        """Returns the cells in the order of the board, separated by commas."""
        if isinstance(value, str):
            names: Sequence[object] = value.split(",", len(self.cells)) if value else []
        elif isinstance(value, (list, tuple, set, frozenset)):
            names = list(value)
        else:
            raise refusal(self.name, self.takes, value)
        for name in names:
            if name not in self.cells or names.count(name) > 1:
                raise refusal(self.name, self.takes, value)
        return ",".join(cell for cell in self.cells if cell in names)

    def declaration(self) -> dict[str, Any]:
        """Returns the option as data, for a form."""
        return {"name": self.name, "type": "cells", "default": self.default, "cells": list(self.cells)}


Option = WholeNumber | Choice | CellList


def option_title(option: Option) -> Message:
    """Returns the label of an option: its title, or its name where it has none."""
    return option.title or Message("{name}", {"name": option.name})


def option_names(option: Option) -> dict[str, Message]:
    """Returns the values of an option in words, by value; empty where the values speak for themselves."""
    return {} if isinstance(option, CellList) else {str(value): text for value, text in option.names.items()}


def option_phrase(option: Option, value: Value) -> Message:
    """Returns an option with its value as part of a list: "5 bombs", "Variant shizukana"."""
    said = option_names(option).get(str(value), value)
    if option.phrase:
        return Message(option.phrase.text, {**option.phrase.values, "value": said})
    return Message("{title} {value}", {"title": option_title(option), "value": said})


def refusal(name: str, takes: Message, value: object) -> BadOption:
    """Returns the error for a value that an option does not take."""
    return BadOption(
        message("The option {name} takes {takes}, not {value}.", name=name, takes=takes, value=shown(str(value)))
    )


def parse_given(options: Sequence[Option], given: Mapping[str, object]) -> Options:
    """Returns the given options, checked one by one; the game then adds the defaults and checks them together."""
    known = {option.name: option for option in options}
    values: Options = {}
    for name, value in given.items():
        if name not in known:
            if not known:
                raise BadOption(message("There is no option {name}: this game has none.", name=shown(name)))
            names = ", ".join(known)
            raise BadOption(message("There is no option {name}: this game has {names}.", name=shown(name), names=names))
        values[name] = known[name].parse(value)
    return values
