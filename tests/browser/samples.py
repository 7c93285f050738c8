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
    """Returns all combinations; all are slow but the first and the last, which differ in every place."""
    values = [list(axis) for axis in axes]
    quick = [tuple(axis[0] for axis in values), tuple(axis[-1] for axis in values)]
    return [pytest.param(*each, marks=[] if each in quick else [pytest.mark.slow]) for each in product(*values)]
