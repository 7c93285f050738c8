"""A shared place: a folder, or any address of fsspec such as ``s3://bucket/tables``, with files that carry checksums.

A file, called a *piece*, is a line ``DAMIER-PIECE 1``, a line of JSON that says what the piece is, and the content. The
JSON has the SHA-256 of the content. Writing need not be atomic: of a piece that was cut off or changed, the content or
its description does not fit, and it counts as missing. Only the driver reads and writes here; nodes need no access.
"""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

from damier.core.errors import BadArgument
from damier.core.messages import message, shown

_log = logging.getLogger(__name__)

_FIRST_LINE = b"DAMIER-PIECE 1\n"
_LONGEST_HEAD = 1 << 16  # bytes
_SUFFIX = ".piece"
_PROBE = "writable"


def piece_bytes(head: dict[str, Any], content: bytes) -> bytes:
    """Returns the bytes of a piece."""
    line = json.dumps({**head, "sha256": hashlib.sha256(content).hexdigest()}, sort_keys=True)
    return _FIRST_LINE + line.encode() + b"\n" + content


def parse_piece(data: bytes, head: dict[str, Any]) -> bytes:
    """Returns the content of a piece; raises `ValueError` if it is damaged or is not what `head` says."""
    end = data.find(b"\n", len(_FIRST_LINE), len(_FIRST_LINE) + _LONGEST_HEAD)
    if not data.startswith(_FIRST_LINE) or end < 0:
        raise ValueError("it is no piece")
    try:
        found = json.loads(data[len(_FIRST_LINE) : end])
    except RecursionError:
        raise ValueError("its description is nested too deeply") from None
    content = data[end + 1 :]
    if found != {**head, "sha256": hashlib.sha256(content).hexdigest()}:
        raise ValueError("its content or its description is another one")
    return content


class SharedPlace:
    """The pieces of one piece of work, in a folder of a shared place."""

    def __init__(self, address: str, folder: str) -> None:
        """Opens the place; raises `BadArgument` if it cannot be written."""
        import fsspec

        self.address = address
        try:
            self._files, root = fsspec.url_to_fs(address)
            self._folder = f"{root.rstrip('/')}/{folder}"
            self._files.makedirs(self._folder, exist_ok=True)
            self._files.pipe_file(self._path(_PROBE), piece_bytes({}, b""))
            self._files.rm_file(self._path(_PROBE))
        except (OSError, ValueError, ImportError, NotImplementedError) as error:
            why = getattr(error, "strerror", None) or str(error).splitlines()[0] or type(error).__name__
            raise BadArgument(
                message("The shared place {place} cannot be written: {why}.", place=shown(address), why=why.rstrip("."))
            ) from None

    def _path(self, name: str) -> str:
        return f"{self._folder}/{name}{_SUFFIX}"

    def write(self, name: str, head: dict[str, Any], content: bytes) -> None:
        """Writes a piece; raises `BadArgument` if that fails."""
        try:
            self._files.pipe_file(self._path(name), piece_bytes(head, content))
        except OSError as error:
            raise BadArgument(
                message(
                    "The shared place {place} cannot be written: {why}.",
                    place=shown(self.address),
                    why=error.strerror or str(error),
                )
            ) from None

    def read(self, name: str, head: dict[str, Any]) -> bytes | None:
        """Returns the content of a piece; None if it is not there, or if it is damaged, which is logged."""
        try:
            return parse_piece(self._files.cat_file(self._path(name)), head)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            _log.warning("'%s' is damaged and not used: %s.", self._path(name), error)
            return None

    def names(self) -> list[str]:
        """Returns the names of all pieces."""
        try:
            found = self._files.ls(self._folder, detail=False, refresh=True)
        except FileNotFoundError:
            return []
        names = [str(path).rsplit("/", 1)[-1] for path in found]
        return sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))

    def remove(self, name: str) -> None:
        """Removes a piece, if it is there."""
        try:
            self._files.rm_file(self._path(name))
        except FileNotFoundError:
            return

    def clear(self) -> None:
        """Removes the folder with all its pieces."""
        self._files.rm(self._folder, recursive=True)
