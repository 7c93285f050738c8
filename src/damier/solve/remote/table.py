"""Probes a table on a server: header and list of blocks are read once, then single blocks, by HTTP ranges.

Opening takes two requests (a third for more than 44 million entries), an entry of a block that is not cached one more,
of some kilobytes. The same checksums are compared as in a file. An ETag holds the table still: if it changes on the
server, reading raises `TableChanged`.
"""

from __future__ import annotations

import re
import threading

from damier.core.messages import message
from damier.solve.file.reader import BadTable, TableReader, quoted
from damier.solve.remote.connection import MOST_BYTES, SECONDS, ServerAnswer, ServerConnection, request_path

_HEAD = 3 << 15  # bytes that are read at once from the beginning: files begin with 64 kB for the header
_TAIL = 1 << 15  # and from the end, where the list of blocks is
_CACHE_BLOCKS = 1024  # 16 MB of one byte each: a request costs more than memory
_LARGEST = 1 << 50  # bytes of a file that a server may claim
_CONTENT_RANGE = re.compile(r"bytes ([0-9]{1,20})-([0-9]{1,20})/([0-9]{1,20})", re.ASCII)


class TableChanged(BadTable):
    """A table is another one than when it was opened."""


class RemoteTable(TableReader):
    """A table at an HTTP address, open for reading: on a damier server, or any server that answers ranges.

    Raises `BadTable` as for a file, `TableChanged`, and the errors of `ServerConnection`.
    """

    def __init__(self, url: str, *, seconds: float = SECONDS, cache_blocks: int = _CACHE_BLOCKS) -> None:
        """`seconds` is the time-out."""
        self.url = url
        super().__init__(RemoteBytes(url, seconds), quoted(url), cache_blocks)


class RemoteBytes:
    """The bytes of a file on a server, read by ranges: the `TableSource` of a remote table."""

    def __init__(self, url: str, seconds: float) -> None:
        self._name, self._path = quoted(url), request_path(url)
        self._connection = ServerConnection(url, seconds)
        self._lock = threading.Lock()
        self._size = self._tail_start = 0
        self._tag: str | None = None
        self._date: str | None = None
        try:
            self._head = self._tail = self._first_part()
            if self._size > _HEAD:
                self._tail_start = max(_HEAD, self._size - _TAIL)
                self._tail = self._read(self._tail_start, self._size)
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice, /) -> bytes:
        start, end = int(part.start), int(part.stop)
        if end <= len(self._head):
            return self._head[start:end]
        if start >= self._tail_start:
            return self._tail[start - self._tail_start : end - self._tail_start]
        with self._lock:
            return self._read(start, end)

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()

    def _first_part(self) -> bytes:
        """Reads the beginning of the file; keeps its size and what identifies its version."""
        answer = self._connection.get(self._path, {"Range": f"bytes=0-{_HEAD - 1}"}, _HEAD)
        if answer.status == 416:
            raise BadTable(message("The file {file} is not a table of exact values.", file=self._name))
        start, end, self._size = self._range_of(answer)
        if (start, end) != (0, min(_HEAD, self._size)) or self._size > _LARGEST:
            raise self._connection.wrong(message("it is another part of the file"))
        tag = answer.headers.get("ETag", "")
        self._tag = tag if tag.startswith('"') else None  # a weak one does not identify bytes
        self._date = answer.headers.get("Last-Modified")
        return answer.body

    def _read(self, start: int, end: int) -> bytes:
        """Reads a part of the file."""
        if end - start > MOST_BYTES:
            raise BadTable(message("The table {file} is damaged in its list of blocks.", file=self._name))
        headers = {"Range": f"bytes={start}-{end - 1}"}
        if condition := self._tag or self._date:
            headers["If-Range"] = condition
        answer = self._connection.get(self._path, headers, end - start)
        if not self._is_same(answer):
            raise TableChanged(message("The table {file} has changed: open it again.", file=self._name))
        if self._range_of(answer) != (start, end, self._size):
            raise self._connection.wrong(message("it is another part of the file"))
        return answer.body

    def _is_same(self, answer: ServerAnswer) -> bool:
        """Tells whether an answer is about the version of the file that was opened."""
        found = _CONTENT_RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if answer.status == 416 or (found and int(found[3]) != self._size):
            return False
        if self._tag:
            return bool(answer.headers.get("ETag") == self._tag)
        return bool(answer.headers.get("Last-Modified") == self._date)

    def _range_of(self, answer: ServerAnswer) -> tuple[int, int, int]:
        """Returns the start and the end of the part that was sent, and the size of the file; raises `BadAnswer`."""
        if answer.status != 206:
            raise self._connection.wrong(message("it is the whole file, where a part was requested"))
        found = _CONTENT_RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if not found:
            raise self._connection.wrong(message("it does not say which part of the file it is"))
        start, end, size = int(found[1]), int(found[2]) + 1, int(found[3])
        if end - start != len(answer.body) or end > size:
            raise self._connection.wrong(message("its length is not the stated one"))
        return start, end, size
