"""``docs/python.md`` names every public class and function of the stable interface, and its examples run."""

import ast
import dataclasses
import doctest
import functools
import inspect
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

import damier
import damier.client
import damier.engine
from damier.bot.bot import Bot
from damier.bot.terms import BotTerms
from damier.engine.player import Player
from damier.search.batch import Playouts
from damier.search.game_batch import Batch
from damier.search.spaces import Spaces, SpaceSymmetry
from damier.solve.tables import Tables
from damier.solve.value import TableValue, TableValues
from damier.transcript.tree import Node

PAGE = (Path(__file__).parents[1] / "docs" / "python.md").read_text(encoding="utf-8")
MODULES = (damier, damier.engine, damier.client)
OTHERS = (Bot, BotTerms, Player, Playouts, Batch, Spaces, SpaceSymmetry, Tables, TableValue, TableValues, Node)
LISTED = [getattr(module, name) for module in MODULES for name in module.__all__]
CLASSES = [*[each for each in LISTED if inspect.isclass(each)], *OTHERS]
ON_EVERY_ERROR = {"sentence"}
ON_EVERY_VIEW = {"parse"}


def members(owner: type) -> set[str]:
    """Returns the public methods, properties and fields of a class, with what its constructor sets."""
    ours = [each for each in owner.__mro__ if each.__module__.startswith("damier")]
    found = {
        name
        for each in ours
        for name, value in vars(each).items()
        if inspect.isroutine(value) or isinstance(value, property | functools.cached_property)
    }
    if dataclasses.is_dataclass(owner):
        found |= {field.name for field in dataclasses.fields(owner)}
    found |= set(getattr(owner, "_fields", ()))
    for each in ours:
        if "__init__" in vars(each) and not dataclasses.is_dataclass(each):
            found |= assigned(each)
    return {name for name in found if not name.startswith("_")}


def assigned(owner: type) -> set[str]:
    """Returns the attributes that the constructor of a class sets."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(owner.__init__)))  # type: ignore[misc]  # of this very class
    targets = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    return {node.attr for node in targets if isinstance(node.value, ast.Name) and node.value.id == "self"}


def section(name: str) -> str:
    """Returns what the page says of a class: the section with its heading, or its row of a table."""
    found = re.search(rf"(?ms)^### `{name}`\n(.*?)(?=^##)", PAGE + "\n##")
    row = re.search(rf"(?m)^\| `{name}` \|.*$", PAGE)
    assert found or row, f"{name} has neither a section nor a row"
    return (found.group(1) if found else "") + (row.group() if row else "")


def missing(owner: type, text: str) -> list[str]:
    """Returns the members that a text does not have between backticks, as a whole word."""
    shared = ON_EVERY_ERROR | {"message"} if issubclass(owner, Exception) else ON_EVERY_VIEW
    prose = re.sub(r"(?s)```.*?```", "", text)
    words = {word for code in re.findall(r"`([^`]+)`", prose) for word in re.findall(r"\w+", code)}
    return sorted(members(owner) - shared - words)


@pytest.mark.parametrize("owner", CLASSES, ids=lambda owner: owner.__name__)
def test_every_member_of_a_public_class_is_on_the_page(owner: type) -> None:
    assert missing(owner, section(owner.__name__)) == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_every_public_name_of_a_module_is_on_the_page(module: Any) -> None:
    assert [name for name in module.__all__ if not re.search(rf"`(?:damier\.)?{name}\b", PAGE)] == []


def test_what_all_classes_of_a_kind_have_is_on_the_page() -> None:
    for name in (*ON_EVERY_ERROR, *ON_EVERY_VIEW):
        assert f"`{name}(" in PAGE


def test_a_missing_name_is_noticed() -> None:
    class Other(damier.Record):
        def __init__(self) -> None:
            self.colour = "red"

        def sing(self) -> None:
            """Sings."""

    Other.__module__ = "damier.other"
    assert missing(Other, section("Record")) == ["colour", "sing"]


def test_the_python_of_the_page_does_what_it_says() -> None:
    example = doctest.DocTestParser().get_doctest(PAGE.replace("```", ""), {}, "python", "python.md", 0)
    assert len(example.examples) > 40
    outcome = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(example)
    assert outcome.failed == 0
