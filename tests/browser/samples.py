"""Combinations of games, themes and languages: a sample in every run, all of them among the slow tests."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

THEMES = ("light", "dark")


def sample(*axes: Iterable[str]) -> list[ParameterSet]:
    """Returns all combinations; those that differ from the first values in more than one place are slow."""
    values = [list(axis) for axis in axes]
    firsts = [axis[0] for axis in values]
    found = []
    for each in product(*values):
        is_far = sum(value != first for value, first in zip(each, firsts, strict=True)) > 1
        found.append(pytest.param(*each, marks=[pytest.mark.slow] if is_far else []))
    return found
