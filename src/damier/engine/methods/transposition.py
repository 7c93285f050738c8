"""The transposition table: one block of words that plain Python and compiled code both read and write."""

from __future__ import annotations

import mmap
from typing import TYPE_CHECKING

from damier.search.table import BUCKET, GENERATIONS

if TYPE_CHECKING:
    from damier.engine.limit import Limit

_ENTRY = 16  # bytes
_ENTRIES_A_NODE = 2  # of a search with a node limit
_LEAST_ENTRIES = 256 * BUCKET


class TranspositionTable:
    """The transposition table of an engine."""

    def __init__(self, megabytes: int) -> None:
        entries = _LEAST_ENTRIES
        while 2 * entries * _ENTRY <= megabytes << 20:
            entries *= 2
        self._size = entries * _ENTRY
        self.generation = 0
        self.clear()

    def clear(self) -> None:
        """Empties the table."""
        self._words = zeroed_words(self._size)
        self.generation = 0

    def entries_for(self, limit: Limit) -> memoryview:
        """Returns the entries for the next search.

        With a node limit they are empty and as many as the limit says, so that the same search always gives the same
        answer; else they are all entries, with those of earlier searches.
        """
        if limit.nodes is None:
            self.generation = (self.generation + 1) % GENERATIONS
            return self._words
        entries = _LEAST_ENTRIES
        while entries < _ENTRIES_A_NODE * limit.nodes and 2 * entries * _ENTRY <= self._size:
            entries *= 2
        part = self._words[: entries * _ENTRY // 8]
        part[:] = memoryview(bytes(entries * _ENTRY)).cast("q")
        return part


def zeroed_words(size: int) -> memoryview:
    """Returns `size` bytes as zeroed int64 words; the system provides a page of them when it is first written to."""
    return memoryview(mmap.mmap(-1, size)).cast("q")
