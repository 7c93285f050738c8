"""The user's folders for the kernel cache and for tables, and atomic writes into them."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from damier.core.errors import BadArgument
from damier.core.messages import message, shown


def cache_folder() -> Path:
    """Returns the folder for what can be rebuilt: ``DAMIER_CACHE``, ``cache`` in ``DAMIER_HOME``, or the platform's."""
    if cache := os.environ.get("DAMIER_CACHE"):
        return Path(cache)
    if home := os.environ.get("DAMIER_HOME"):
        return Path(home) / "cache"
    import platformdirs  # costs 10 ms: only where a folder is needed

    return platformdirs.user_cache_path("damier", appauthor=False)


def data_folder() -> Path:
    """Returns the folder for data that must be kept: ``DAMIER_HOME``, or the platform's."""
    if home := os.environ.get("DAMIER_HOME"):
        return Path(home)
    import platformdirs

    return platformdirs.user_data_path("damier", appauthor=False)


def table_folder() -> Path:
    """Returns the folder for tables of exact values."""
    return data_folder() / "tables"


def cannot_write(file: Path | str, number: int | None) -> BadArgument:
    """Returns the error of a file or folder that cannot be written, by the number of the system's error."""
    why = os.strerror(number or 0)
    return BadArgument(message("The file {file} cannot be written: {why}.", file=shown(str(file)), why=why))


def write_whole(path: Path, text: str) -> None:
    """Atomically replaces a file with a text."""
    with replacing(path) as stream:
        stream.write(text.encode("utf-8"))


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Atomically replaces a file with what is written to the stream: beside it, synced, renamed.

    If that fails, the file is as it was and nothing is left beside it.
    """
    draft = path.with_name(path.name + ".new")
    try:
        with draft.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
