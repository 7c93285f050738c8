"""How the words of an evaluation network are laid out, and the file that has them.

For each of two players there is a sum over the inputs that are on, as that player sees the state: rows of HIDDEN
numbers, one row for each input and one of biases. What lies below 0 or above TOP is cut off. The 2 * HIDDEN numbers,
those of the player on move first, are weighted by the output weights of the state's phase; the game's `terms` are
weighted, too; all is added and divided by 2 ** SCALE_BITS, rounding down. The result is the log-odds of the player on
move in thousandths.

A word of a row has four numbers of 16 bits, the lowest first. Rows are added as whole words: that is exact as long as
no sum leaves its 16 bits; ``insight/train/quantise.py`` cuts the weights off for that. The row of biases has ZERO added
to each number, so that no sum is negative. Integers only: plain Python and compiled code agree to the bit.

    words: INPUT_COUNT rows of ROW_WORDS words
           the row of biases
           for each phase, 2 * HIDDEN output weights and a bias
           a weight for each term

A file is MAGIC and the words, 8 bytes each, the lowest byte first.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from pathlib import Path

HIDDEN = 16
ROW_WORDS = HIDDEN // 4
TOP = 255
ZERO = 1 << 14
SCALE_BITS = 8
MAGIC = b"damier-network1\n"


def word_count(inputs: int, phases: int, terms: int) -> int:
    """Returns how many words a network has."""
    return (inputs + 1) * ROW_WORDS + phases * (2 * HIDDEN + 1) + terms


def packed(numbers: Sequence[int]) -> int:
    """Returns four numbers as a word."""
    return sum(number << 16 * i for i, number in enumerate(numbers))


def read_network(file: Path, count: int) -> array[int]:
    """Returns the `count` words of a file; raises ValueError if it is none or one of another layout."""
    content = file.read_bytes()
    if not content.startswith(MAGIC) or len(content) != len(MAGIC) + 8 * count:
        raise ValueError(f"{file.name} is not a network of {count} words")
    words = array("q", content[len(MAGIC) :])
    if sys.byteorder == "big":
        words.byteswap()
    return words


def network_bytes(words: Sequence[int]) -> bytes:
    """Returns the content of the file of a network."""
    return MAGIC + b"".join(int(word).to_bytes(8, "little", signed=True) for word in words)
