"""Where a game's table is, whether it has been built, its other files and its lock. Imports no NumPy."""

from __future__ import annotations

import contextlib
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from damier.core import folders
from damier.core.errors import BadArgument
from damier.core.messages import message, shown

if TYPE_CHECKING:
    from damier.core.game import Game


SUFFIX = ".table"
LEAF_SUFFIX = ".words"

_UNFINISHED = re.compile(r"\.work(\.json(\.new)?)?|(\.[0-9a-f]{16})?\.part")  # what builds and downloads leave


def table_path(game: Game, folder: Path | None = None) -> Path:
    """Returns the path of a game's table, built or not; `folder` overrides the user's folder of tables."""
    options = "".join(f"-{name}={value}" for name, value in game.options.items())
    return (folder or folders.table_folder()) / f"{game.name}{options}{SUFFIX}"


def has_table(game: Game, folder: Path | None = None) -> bool:
    """Tells whether a game's table has been built; `folder` overrides the user's folder of tables."""
    try:
        found = table_path(game, folder).stat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size > 0  # an empty file was never written


def download_path(path: Path, sha256: str) -> Path:
    """Returns the file in which a download of a table grows; the digest tells versions of the table apart."""
    return path.with_name(f"{path.name}.{sha256[:16]}.part")


def tiers_folder(path: Path) -> Path:
    """Returns the folder in which a build on a cluster keeps solved tiers, unless it is given a shared place."""
    return path.with_name(path.name + ".tiers")


def unfinished_files(path: Path) -> list[Path]:
    """Returns the files that unfinished builds and downloads of a table have left."""
    try:
        files = sorted(path.parent.iterdir())
    except OSError:
        return []
    left = [
        file
        for file in files
        if file.name.startswith(path.name) and _UNFINISHED.fullmatch(file.name, len(path.name)) and file.is_file()
    ]
    return left + sorted(file for file in tiers_folder(path).rglob("*.piece") if file.is_file())


def leaf_folder() -> Path:
    """Returns the folder for the parts of tables that searches have in memory (``leaves.py``)."""
    return folders.cache_folder() / "leaves"


def leaf_files(path: Path) -> list[Path]:
    """Returns the files in that folder that were written for a table, or for an earlier one in its place."""
    return sorted(leaf_folder().glob(f"{path.stem}-*{LEAF_SUFFIX}"))


def remove_table(game: Game, folder: Path | None = None) -> dict[Path, int]:
    """Deletes a game's table, what unfinished builds and downloads have left, and what searches have in memory of it.

    Returns the files with their sizes.
    """
    path = table_path(game, folder)
    if not (path.is_file() or unfinished_files(path)):
        return {}
    with locked(path):
        everything = (path, *unfinished_files(path), *leaf_files(path))
        files = {file: file.stat().st_size for file in everything if file.is_file()}
        for file in files:
            file.unlink()
    return files


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Locks a table against two processes; the operating system frees the lock of a killed process."""
    from filelock import FileLock, Timeout  # costs 50 ms: only where a table is built

    file = path.with_name(path.name + ".lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(file).acquire(timeout=0)
    except Timeout:
        raise BadArgument(
            message("Another process is building or fetching {file} already.", file=shown(str(path)))
        ) from None
    except OSError as error:
        raise BadArgument(
            message("The folder {folder} cannot be written: {why}.", folder=shown(str(path.parent)), why=error.strerror)
        ) from None
    with lock:
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # Windows removes it after the release
                file.unlink()
