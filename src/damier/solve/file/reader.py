"""Reads tables: files, and by their source whatever has their bytes. ``docs/tables.md`` specifies every byte.

Entries are stored in independent zstd frames of 2^14 entries, so reading one decompresses a single block, which an LRU
cache keeps. Header and seek table are in skippable frames: ``zstd -d`` restores the plain array. The checksum of a
block is compared whenever it is decompressed: a damaged block is named, never read as values.

Measured on 51.5 million entries of one bit each, on a busy machine: 27 us for an entry of a block that is not cached,
0.3 us for one that is; in a batch of 100,000, 0.9 us each if scattered, 0.03 us each if they share 200 blocks.
"""

from __future__ import annotations

import functools
import hashlib
import mmap
import operator
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, SupportsIndex

import numpy as np
import zstandard
from numpy.typing import NDArray

from damier.core.errors import DamierError
from damier.core.messages import message, plain
from damier.solve.file.header import (
    BLOCK_ENTRIES,
    BLOCK_SHIFT,
    FOOTER,
    FOOTER_MAGIC,
    HEAD,
    HEADER_FIELDS,
    HEADER_MAGIC,
    SEEK_ENTRY,
    SEEK_MAGIC,
    SIGNATURE,
    SUM_OF_NOTHING,
    SUM_SIZE,
    WITH_CHECKSUMS,
    TableHeader,
    parse_header,
    sum_frame,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

Entries = NDArray[np.unsignedinteger[Any]]
"""Entries of one byte or two."""

_CACHE_BLOCKS = 256
_SHOWN = 200  # characters of a path that a sentence repeats


class BadTable(DamierError):
    """A table file cannot be read, is not one, or is damaged."""


class _Threads(threading.local):
    """One decompressor per thread, as they are not thread-safe."""

    def __init__(self) -> None:
        self.decompressor = zstandard.ZstdDecompressor()


class TableSource(Protocol):
    """The bytes of a table, such as a memory-mapped file; only slices with both ends are read."""

    def __len__(self) -> int: ...

    def __getitem__(self, part: slice, /) -> bytes: ...

    def close(self) -> None:
        """Closes the source."""


class TableReader:
    """A table open for reading, by any number of threads at once.

    Raises `BadTable` with what is wrong, when it is opened or when an entry of a damaged block is read.
    """

    header: TableHeader

    def __init__(self, source: TableSource, name: str, cache_blocks: int = _CACHE_BLOCKS) -> None:
        """`name` is what sentences call the table."""
        self._bytes, self._name = source, name
        self._cache_blocks = cache_blocks
        self._block = functools.lru_cache(cache_blocks)(self._loaded)
        self._threads = _Threads()
        try:
            self._read_seek_table(self._read_header())
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return self.header.entries

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the source; nothing can be read afterwards."""
        self._bytes.close()
        self._block.cache_clear()

    def read(self, index: SupportsIndex) -> int:
        """Returns an entry."""
        number = operator.index(index)
        try:
            return self._block(number >> BLOCK_SHIFT)[number & (BLOCK_ENTRIES - 1)]
        except IndexError:
            raise self._out_of_range(number) from None

    def read_many(self, indices: NDArray[np.integer[Any]]) -> Entries:
        """Returns the entries at `indices`, in their order; decompresses each block once.

        A batch that needs more blocks than the cache holds does not use the cache.
        """
        numbers = np.asarray(indices)
        if numbers.ndim != 1 or (numbers.dtype.kind not in "iu" and numbers.size):
            raise TypeError(
                f"indices must be a one-dimensional array of integers, not {numbers.ndim}-dimensional {numbers.dtype}"
            )
        values = np.empty(len(numbers), self._dtype.newbyteorder("="))
        if not numbers.size:
            return values
        for number in (int(numbers.min()), int(numbers.max())):
            if not 0 <= number < len(self):
                raise self._out_of_range(number)
        numbers = numbers.astype(np.int64, copy=False)
        order = np.argsort(numbers >> BLOCK_SHIFT)
        numbers = numbers[order]
        blocks, places = numbers >> BLOCK_SHIFT, numbers & (BLOCK_ENTRIES - 1)
        starts = np.flatnonzero(np.diff(blocks, prepend=-1))
        ends = np.append(starts[1:], len(blocks))
        load = self._block if len(starts) <= self._cache_blocks else self._loaded
        for block, start, end in zip(blocks[starts].tolist(), starts.tolist(), ends.tolist(), strict=True):
            values[order[start:end]] = np.asarray(load(block))[places[start:end]]
        return values

    def blocks(self) -> Iterator[Entries]:
        """Yields the entries of the whole table, block by block."""
        for block in range(self.header.blocks):
            yield np.asarray(self._loaded(block))

    def check(self, progress: Callable[[float], None] | None = None) -> None:
        """Checks every checksum of the file; `progress` receives the share done so far."""
        digest = hashlib.sha256()
        for block in range(self.header.blocks):
            digest.update(self._decompressed(block))
            if progress:
                progress((block + 1) / self.header.blocks)
        if digest.hexdigest() != self.header.sha256:
            raise BadTable(
                message("The blocks of the table {file} do not match the SHA-256 in its header.", file=self._name)
            )

    def _loaded(self, block: int) -> memoryview:
        """Returns the entries of a block, read-only, in native byte order."""
        entries = np.frombuffer(self._decompressed(block), self._dtype)
        return entries.astype(self._dtype.newbyteorder("="), copy=False).data

    def _decompressed(self, block: int) -> bytes:
        """Returns the decompressed bytes of a block; raises `BadTable` if a checksum is wrong."""
        if not 0 <= block < self.header.blocks:
            raise IndexError
        _, size, checksum = self._seek_table[block].tolist()
        frame = self._bytes[int(self._starts[block]) : int(self._starts[block + 1])]
        try:
            about = zstandard.get_frame_parameters(frame)
            found = (about.content_size, about.has_checksum, about.dict_id, int.from_bytes(frame[-4:], "little"))
            if found == (size, True, 0, checksum):
                # zstd compares the checksum at the end of the frame with the content.
                return self._threads.decompressor.decompress(frame, allow_extra_data=False)
        except zstandard.ZstdError:
            pass
        first = block << BLOCK_SHIFT
        raise BadTable(
            message(
                "The table {file} is damaged in block {block}, which has the entries {first} to {last}.",
                file=self._name,
                block=block,
                first=first,
                last=first + size // self.header.entry_bytes - 1,
            )
        )

    def _read_header(self) -> int:
        """Reads the header; returns the offset of the first block."""
        start = HEAD.size + len(SIGNATURE)
        if len(self._bytes) < start:
            raise _foreign(self._name)
        magic, length = HEAD.unpack(self._bytes[0 : HEAD.size])
        if magic != HEADER_MAGIC or self._bytes[HEAD.size : start] != SIGNATURE:
            raise _foreign(self._name)
        first: int = HEAD.size + length + SUM_SIZE
        if len(self._bytes) < first:
            raise self._cut_short()
        frame = self._bytes[0 : HEAD.size + length]
        if self._bytes[len(frame) : first] != sum_frame(frame):
            raise BadTable(message("The table {file} is damaged in its header.", file=self._name))
        try:
            self.header = parse_header(frame[start:].decode("utf-8"))
        except (ValueError, RecursionError) as error:
            name = str(error) if str(error) in HEADER_FIELDS else "JSON"
            raise BadTable(
                message(
                    "The header of the table {file} has no {field} that this program can use.",
                    file=self._name,
                    field=name,
                )
            ) from None
        self._dtype = np.dtype(f"<u{self.header.entry_bytes}")
        return first

    def _read_seek_table(self, first: int) -> None:
        """Reads the seek table and checks it against header and file; the first block begins at offset `first`."""
        blocks, size = self.header.blocks, len(self._bytes)
        count, descriptor, magic = FOOTER.unpack(self._bytes[size - FOOTER.size : size])
        if magic != FOOTER_MAGIC:
            raise self._cut_short()
        length = (blocks + 2) * SEEK_ENTRY.size + FOOTER.size
        start = size - length - HEAD.size
        damaged = BadTable(message("The table {file} is damaged in its list of blocks.", file=self._name))
        if (count, descriptor) != (blocks + 2, WITH_CHECKSUMS) or start < first:
            raise damaged
        frame = self._bytes[start:size]
        table = np.frombuffer(frame[HEAD.size : -FOOTER.size], "<u4").reshape(-1, 3)
        self._seek_table = table[2:]
        self._starts = first + np.cumsum(np.append(0, self._seek_table[:, 0]), dtype=np.int64)
        sizes = np.full(blocks, BLOCK_ENTRIES * self.header.entry_bytes)
        sizes[-1:] = (self.header.entries - (blocks - 1) * BLOCK_ENTRIES) * self.header.entry_bytes
        if (
            frame[: HEAD.size] != HEAD.pack(SEEK_MAGIC, length)
            or table[:2].tolist() != [[first - SUM_SIZE, 0, SUM_OF_NOTHING], [SUM_SIZE, 0, SUM_OF_NOTHING]]
            or self._starts[-1] != start
            or not np.array_equal(self._seek_table[:, 1], sizes)
        ):
            raise damaged

    def _out_of_range(self, index: int) -> IndexError:
        return IndexError(f"the table has {len(self)} entries: there is no entry {index}")

    def _cut_short(self) -> BadTable:
        return BadTable(message("The table {file} is cut short or damaged at its end.", file=self._name))


class TableFile(TableReader):
    """A table file open for reading."""

    def __init__(self, path: str | os.PathLike[str], cache_blocks: int = _CACHE_BLOCKS) -> None:
        self.path = Path(path)
        name = quoted(str(self.path))
        try:
            with self.path.open("rb") as stream:
                source = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            why = error.strerror
            raise BadTable(message("The file {file} cannot be read: {why}.", file=name, why=why)) from None
        except ValueError:  # an empty file
            raise _foreign(name) from None
        super().__init__(source, name, cache_blocks)


def quoted(place: str) -> str:
    """Returns a path or an address for quoting in a sentence."""
    return f"'{plain(place, _SHOWN)}'"


def _foreign(name: str) -> BadTable:
    return BadTable(message("The file {file} is not a table of exact values.", file=name))
