"""How much a test does: a little in every run, all of it in the slow one."""

from typing import Any

import pytest


def quick_and_slow(quick: int, slow: int) -> list[Any]:
    """Returns two values for a parameter, the second marked slow."""
    return [quick, pytest.param(slow, marks=pytest.mark.slow)]
