"""Refuses numbers that are out of range, with the same sentence everywhere."""

import operator
from typing import SupportsIndex

from damier.core.errors import BadArgument
from damier.core.messages import message, shown


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Refuses what is not a whole number from `low` to `high`."""
    if not isinstance(value, SupportsIndex) or not low <= operator.index(value) <= high:
        raise BadArgument(
            message(
                "{name} takes a whole number from {low} to {high}, not {value}.",
                name=name,
                low=low,
                high=high,
                value=shown(str(value)),
            )
        )
