"""Turns a network in floating point into the integers of ``core/kernel/network.py``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.kernel.bind import bind
from damier.core.kernel.network import SCALE_BITS, TOP, ZERO, packed
from damier.insight.train.learn import OUTPUT_UNIT

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.insight.train.learn import Weights


def quantised(game: Game, weights: Weights, width: int, stretch: float = 1.0) -> list[int]:
    """Returns the words of a network whose outputs are multiplied by `stretch`.

    `width` inputs are on at a time: the rows are cut off where as many could leave their 16 bits.
    """
    kernels = bind(game.definition.rules, game.definition.evaluate)
    rows, blocked = weights["rows"].astype(float), kernels.INPUT_BLOCK * kernels.BLOCK_COUNT
    if blocked:
        rows[:blocked] += np.tile(weights["shared"], (kernels.BLOCK_COUNT, 1))
    biases = np.clip(np.rint(TOP * weights["biases"]), -ZERO // 2, ZERO // 2).astype(int)
    most = (ZERO - 1 - int(np.abs(biases).max())) // width
    numbers = np.vstack([np.clip(np.rint(TOP * rows), -most, most).astype(int), biases + ZERO])
    words = [packed(four.tolist()) for four in numbers.reshape(-1, 4)]
    for outputs, bias in zip(weights["outputs"], weights["output_biases"], strict=True):
        words += _integers(outputs * OUTPUT_UNIT / TOP, stretch)
        words += _integers([bias * OUTPUT_UNIT], stretch)
    return words + _integers(weights["terms"], stretch)


def _integers(numbers: Iterable[Any], stretch: float) -> list[int]:
    """Returns log-odds as integers of the network."""
    return [round(float(number) * stretch * (1000 << SCALE_BITS)) for number in numbers]
