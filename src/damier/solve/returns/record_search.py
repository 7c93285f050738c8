"""The path search after the actions of a record: whether a player can force a win with the situations so far.

``path_search.py`` says what the answers are worth. Compiled code needs the whole table in memory; plain Python is ready
at once and reads the few entries that it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.solve.returns import path_search

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.solve.file.reader import TableReader
    from damier.solve.tables import Tables


class RecordSearch:
    """The path search for one game with its table."""

    def __init__(self, tables: Tables, *, compiled: bool) -> None:
        self._game, numbering = tables.game, tables.numbering
        self._is_compiled = compiled
        self._kernels = bind(self._game.definition.rules, subsets, numbering.index, path_search, compiled=compiled)
        self._given: Any = self._game.rules, numbering.numbers.data, _Entries(tables.file), numbering.firsts.data
        if compiled:
            entries = np.concatenate([np.zeros(0, np.uint8), *tables.file.blocks()])
            self._given = numbering.rules, numbering.numbers, entries, numbering.firsts
        self._out = self._words(self._kernels.MAX_ACTIONS)
        self._cache = self._words(1)  # unused: every record has a path of its own
        self.nodes = 0
        """How many nodes the last search visited."""

    def _words(self, count: int) -> Any:
        return np.zeros(count, np.int64) if self._is_compiled else [0] * count

    def answer(self, record: Record, action: str, winner: str, plies: int, wide: int, limit: int) -> int:
        """Searches for a forced win of `winner` within `plies`, starting with a legal `action`.

        Returns PROVED, REFUTED, or STOPPED after `limit` nodes.
        """
        settled = [each.state for each in record.positions if each.is_settled]
        work = self._words(path_search.path_words(len(settled) + plies, self._kernels.MAX_ACTIONS))
        for ply, state in enumerate(settled):
            self._kernels.enter_path(self._given[0], state, ply, work)
        work[path_search.NODE_LIMIT] = limit
        following = record.position.play(action).state
        player = self._game.players.index(winner)
        arrays = work, self._cache, self._out
        found = self._kernels.force(*self._given, following, player, len(settled), plies - 1, wide, *arrays)
        self.nodes = min(int(work[path_search.NODES]), limit)
        return int(found)


class _Entries:
    """The entries of a table, read one by one."""

    def __init__(self, file: TableReader) -> None:
        self._file = file

    def __getitem__(self, place: int) -> int:
        return self._file.read(place)
