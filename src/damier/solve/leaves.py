"""The part of a table that a search has in memory: `Leaves`, one array of words that ``leaf_lookup.py`` reads.

A search looks up a state at almost every node, which takes the entries uncompressed. They are decompressed once, into a
file of the cache folder, and every process maps that file: the processes of a pool share one copy, in memory that the
system can take back. Tiers are taken from the first one on as long as they fit into a limit: they have the positions
with the fewest pieces, which no action leaves. A file is named by the SHA-256 of its table, replaced atomically, and
its checksum is compared when it is opened. Where nothing can be written, the process has a copy of its own.

What that costs and gains is measured in ``docs/performance.md``.
"""

from __future__ import annotations

import logging
import mmap
import os
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import DRAW, PLAYING
from damier.solve import leaf_lookup
from damier.solve.covering import CoveringTables, cover_kernels
from damier.solve.leaf_lookup import (
    CHECKSUM,
    CODES_FROM,
    DIGEST,
    FIRSTS_FROM,
    HEAD,
    NUMBERS_FROM,
    RULES_FROM,
    TIERS,
    VERSION,
)
from damier.solve.location import LEAF_SUFFIX, leaf_files, leaf_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from damier.core.kernel.contract import State

_log = logging.getLogger(__name__)

_LAYOUT = 1  # the version of the words
_WORD = 8  # bytes
_PART = 1 << 24  # bytes that a checksum is taken of at once
_LONGEST_WRITE = 120.0  # seconds in which another process writes the file


class Leaves:
    """The first tiers of a table in memory."""

    def __init__(self, tables: CoveringTables, words: memoryview, path: Path | None) -> None:
        self.tables, self.words = tables, words
        self.path = path
        """The file that the words are mapped from; None if they are in memory of this process alone."""

        definition, self._table_rules = tables.game.definition, tables.covering.game.rules
        self._kernels = bind(definition.rules, subsets, tables.numbering.index, leaf_lookup)

    def has(self, state: State) -> bool:
        """Tells whether an undecided state is in these tiers."""
        return bool(0 <= self._kernels.covered_tier(self._table_rules, state) < self.words[TIERS])

    def best_line(self, state: State) -> list[int]:
        """Returns how best play goes on from an undecided state in these tiers: to the end if it is decided."""
        kernels, rules, line = self._kernels, self.tables.game.rules, list[int]()
        out = [0] * kernels.MAX_ACTIONS
        known = kernels.leaf(self.words, state)
        while known and (count := kernels.actions(rules, state, out)):
            player = kernels.mover(rules, state)
            _, code = max((self._merit(kernels.apply(rules, state, code), player), -code) for code in out[:count])
            line.append(-code)
            state = kernels.apply(rules, state, -code)
            known = kernels.leaf(self.words, state) if kernels.outcome(rules, state) == PLAYING else 0
        return line

    def _merit(self, state: State, player: int) -> float:
        """Returns how good a state is for a player: a near win is best, a near loss worst."""
        kernels, rules = self._kernels, self.tables.game.rules
        result = kernels.outcome(rules, state)
        if result != PLAYING:
            return 0.0 if result == DRAW else 1.0 if result == player else -1.0
        known = kernels.leaf(self.words, state)
        worth = 1 / (1 + known) if known > 0 else 1 / (known - 1) if known else 0.0
        return worth if kernels.mover(rules, state) == player else -worth


def open_leaves(tables: CoveringTables, megabytes: int) -> Leaves | None:
    """Returns as many tiers of a table as fit into `megabytes`; None if not even the first one does.

    Raises what opening or reading the table raises.
    """
    head = _head(tables, megabytes << 20)
    if head is None:
        return None
    size = _WORD * int(head[CODES_FROM]) + -(-_entries(tables, head) // _WORD) * _WORD
    path = leaf_path(tables, int(head[TIERS]))
    words = _mapped(path, head, size) or _written(tables, path, head, size)
    if words is not None:
        return Leaves(tables, words, path)
    own = mmap.mmap(-1, size)
    _write(tables, head, own)
    return Leaves(tables, memoryview(own).cast("q"), None)


def leaf_path(tables: CoveringTables, tiers: int) -> Path:
    """Returns the file for the first tiers of a table."""
    return leaf_folder() / f"{_stem(tables)}-{tiers}{LEAF_SUFFIX}"


def _stem(tables: CoveringTables) -> str:
    """Returns what the files of a table begin with."""
    return f"{tables.path.stem}-{tables.file.header.sha256[:16]}"


def _head(tables: CoveringTables, limit: int) -> NDArray[np.int64] | None:
    """Returns the first words of an array that takes at most `limit` bytes; the checksum is not set."""
    import numpy as np

    header, numbering = tables.file.header, tables.numbering
    if header.entry_bytes != 1:
        return None
    rules = HEAD + len(numbering.rules)
    numbers = rules + len(numbering.firsts)
    codes = numbers + len(numbering.numbers)
    tiers: int = cover_kernels(tables.game).covered_tiers(tables.game.rules, tables.covering.game.rules)
    while tiers > 0 and _WORD * codes + int(numbering.firsts[tiers]) + _WORD > limit:
        tiers -= 1
    if tiers <= 0:
        return None
    head = np.zeros(HEAD, np.int64)
    head[[TIERS, RULES_FROM, FIRSTS_FROM, NUMBERS_FROM, CODES_FROM]] = tiers, HEAD, rules, numbers, codes
    head[DIGEST] = int.from_bytes(bytes.fromhex(header.sha256[:16]), "little", signed=True)
    head[VERSION] = _LAYOUT
    return head


def _entries(tables: CoveringTables, head: NDArray[np.int64]) -> int:
    return int(tables.numbering.firsts[int(head[TIERS])])


def _mapped(path: Path, head: NDArray[np.int64], size: int) -> memoryview | None:
    """Returns the words of a file, if they are those of the table and undamaged."""
    try:
        with path.open("rb") as stream:
            if os.fstat(stream.fileno()).st_size != size:
                return None
            found = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):
        return None
    words = found.cast("q")
    expected = head.copy()
    checksum = zlib.crc32(expected.tobytes())
    for first in range(HEAD * _WORD, size, _PART):
        checksum = zlib.crc32(found[first : first + _PART], checksum)
    expected[CHECKSUM] = checksum
    if words[:HEAD].tolist() == expected.tolist():
        return words
    _log.warning("the file %s is damaged and is written again", path)
    return None


def _written(tables: CoveringTables, path: Path, head: NDArray[np.int64], size: int) -> memoryview | None:
    """Writes the file and returns its words; None if it cannot be written."""
    from filelock import FileLock, Timeout

    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(f"{path.name}.lock"), timeout=_LONGEST_WRITE):
            if words := _mapped(path, head, size):  # by another process, meanwhile
                return words
            try:
                with draft.open("wb") as stream:
                    _write(tables, head, stream)
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)
            _remove_earlier(tables)
    except (OSError, Timeout) as error:
        _log.warning("leaves of %s are not cached: %s", tables.path.name, error)
        return None
    return _mapped(path, head, size)


def _remove_earlier(tables: CoveringTables) -> None:
    """Removes what was written for earlier tables of the same options."""
    for file in leaf_files(tables.path):
        if not file.name.startswith(_stem(tables)):
            file.unlink(missing_ok=True)


def _write(tables: CoveringTables, head: NDArray[np.int64], out: IO[bytes] | mmap.mmap) -> None:
    """Writes all words to a file or to memory."""
    checksum = zlib.crc32(head.tobytes())
    out.write(head.tobytes())
    for part in _parts(tables, head):
        data = part.tobytes()
        checksum = zlib.crc32(data, checksum)
        out.write(data)
    whole = head.copy()
    whole[CHECKSUM] = checksum
    out.seek(0)
    out.write(whole.tobytes())


def _parts(tables: CoveringTables, head: NDArray[np.int64]) -> Iterator[NDArray[Any]]:
    """Yields all words but the first."""
    import numpy as np

    numbering = tables.numbering
    for array in (numbering.rules, numbering.firsts, numbering.numbers):
        yield array.astype(np.int64)
    left = _entries(tables, head)
    for block in tables.file.blocks():
        codes = block[:left]
        left -= len(codes)
        whole = np.zeros(-(-len(codes) // _WORD) * _WORD, np.uint8)
        whole[: len(codes)] = codes
        yield whole.view("<i8").astype(np.int64)
        if not left:
            return
