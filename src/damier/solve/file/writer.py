"""Writes a table file atomically, in one pass.

Writes go to ``FILE.part``, which is renamed to ``FILE`` once it is complete and synced. Space is reserved at its
beginning for the header, whose checksums are known last. Blocks are compressed in groups of a fixed size by any number
of threads and written in order: the same entries give the same bytes, whatever the threads and the sizes of the arrays
appended.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import zstandard

from damier.solve.file import header as layout
from damier.solve.file.header import BLOCK_ENTRIES, HEAD, TableHeader, parse_header, sum_frame

if TYPE_CHECKING:
    from damier.solve.file.reader import Entries

_LEVEL = 6  # compression: higher levels take many times as long and save a tenth
_GROUP = 64  # blocks that a thread compresses at a time
_RESERVE = 4096  # bytes for header fields that are known only at the end


class TableWriter:
    """A table file being written: `append` entries, then `finish`. An unfinished file is removed.

    `header` holds the fields known from the start; `reserve` is the space in bytes for those known later. Raises
    `ValueError` with the name of an invalid field, and `OSError` if the file cannot be written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        header: TableHeader,
        *,
        level: int = _LEVEL,
        threads: int = 1,
        reserve: int = _RESERVE,
    ) -> None:
        end = max((tier.first + tier.entries for tier in header.tiers), default=0)
        text = replace(header, entries=end).text()
        parse_header(text)
        self.path = Path(path)
        self._header = header
        self._room = len(text.encode()) + reserve
        self._dtype = np.dtype(f"<u{header.entry_bytes}")
        self._block_size = BLOCK_ENTRIES * header.entry_bytes
        self._level = level
        self._digest = hashlib.sha256()
        self._size = 0  # bytes appended
        self._group = bytearray()  # bytes not compressed yet
        self._seek_table = bytearray()
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._most_waiting = 2 * threads
        self._waiting: deque[Future[list[bytes]]] = deque()
        self._is_done = False  # finished or discarded
        self._part = self.path.with_name(self.path.name + ".part")
        self._stream = self._part.open("wb")
        size = HEAD.size + len(layout.SIGNATURE) + self._room
        for frame_size in (size, layout.SUM_SIZE):
            self._stream.write(bytes(frame_size))
            self._seek_table += layout.SEEK_ENTRY.pack(frame_size, 0, layout.SUM_OF_NOTHING)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if not self._is_done:
            self.discard()
            if kind is None:
                raise RuntimeError("the table was neither finished nor discarded")

    def append(self, entries: Entries) -> None:
        """Appends an array of entries, which has the table's type."""
        if entries.ndim != 1 or entries.dtype.newbyteorder("<") != self._dtype:
            raise TypeError(
                f"entries must be one-dimensional {self._dtype}, not {entries.ndim}-dimensional {entries.dtype}"
            )
        if self._is_done:
            raise ValueError("the table is finished: nothing can be appended")
        data = np.ascontiguousarray(entries, self._dtype).view(np.uint8).data
        self._digest.update(data)
        self._size += len(data)
        while data:
            room = _GROUP * self._block_size - len(self._group)
            self._group += data[:room]
            data = data[room:]
            if len(self._group) == _GROUP * self._block_size:
                self._compress()

    def finish(
        self, *, counts: dict[str, int] | None = None, longest: int | None = None, extra: dict[str, Any] | None = None
    ) -> TableHeader:
        """Completes and renames the file; returns its header.

        Raises `ValueError` if the header exceeds its space or does not fit the entries; the writer stays usable.
        """
        # Step 1. The header, padded with spaces.
        header = replace(
            self._header,
            entries=self._size // self._dtype.itemsize,
            counts=self._header.counts if counts is None else counts,
            longest=self._header.longest if longest is None else longest,
            extra=self._header.extra if extra is None else {**self._header.extra, **extra},
            sha256=self._digest.hexdigest(),
        )
        parse_header(header.text())
        text = header.text().encode()
        if len(text) > self._room:
            raise ValueError(f"the header takes {len(text)} bytes, more than the {self._room} reserved")
        content = layout.SIGNATURE + text.ljust(self._room)
        frame = HEAD.pack(layout.HEADER_MAGIC, len(content)) + content
        # Step 2. The blocks that are left.
        self._compress()
        while self._waiting:
            self._write(self._waiting.popleft().result())
        # Step 3. The list of blocks at the end, then the header at the beginning.
        frames = len(self._seek_table) // layout.SEEK_ENTRY.size
        footer = layout.FOOTER.pack(frames, layout.WITH_CHECKSUMS, layout.FOOTER_MAGIC)
        self._stream.write(HEAD.pack(layout.SEEK_MAGIC, len(self._seek_table) + len(footer)))
        self._stream.write(self._seek_table + footer)
        self._stream.seek(0)
        self._stream.write(frame + sum_frame(frame))
        # Step 4. On the disk, under its name.
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._close()
        self._part.replace(self.path)
        self._is_done = True
        sync_folder(self.path.parent)
        return header

    def discard(self) -> None:
        """Stops and removes the unfinished file."""
        self._is_done = True
        with contextlib.suppress(OSError):  # a full disk, again
            self._close()
        self._part.unlink(missing_ok=True)

    def _close(self) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
        self._stream.close()

    def _compress(self) -> None:
        """Compresses the collected blocks, in the pool if there is one."""
        data = bytes(self._group)
        self._group.clear()
        if not self._pool:
            self._write(_frames(data, self._block_size, self._level))
            return
        self._waiting.append(self._pool.submit(_frames, data, self._block_size, self._level))
        if len(self._waiting) > self._most_waiting:
            self._write(self._waiting.popleft().result())

    def _write(self, frames: list[bytes]) -> None:
        for frame in frames:
            size = zstandard.frame_content_size(frame)
            checksum = int.from_bytes(frame[-4:], "little")  # the frame's own
            self._seek_table += layout.SEEK_ENTRY.pack(len(frame), size, checksum)
            self._stream.write(frame)


def _frames(data: bytes, block_size: int, level: int) -> list[bytes]:
    """Compresses blocks; a fresh compressor makes the bytes independent of the thread."""
    compressor = zstandard.ZstdCompressor(
        level=level, write_checksum=True, write_content_size=True, write_dict_id=False, threads=0
    )
    view = memoryview(data)
    return [compressor.compress(view[start : start + block_size]) for start in range(0, len(data), block_size)]


def sync_folder(folder: Path) -> None:
    """Syncs the new name to disk, on systems that can."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
