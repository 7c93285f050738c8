"""The tables in a folder: what each file holds, and whether it can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from damier.core import folders
from damier.core.errors import DamierError
from damier.core.messages import Message, message
from damier.solve.file.reader import BadTable, TableFile, quoted
from damier.solve.location import SUFFIX, table_path
from damier.solve.tables import Tables

if TYPE_CHECKING:
    from damier.core.game import Game


@dataclass(frozen=True)
class FoundTable:
    """A file in a folder of tables."""

    path: Path
    bytes: int
    game: Game | None = None
    """None if the file is damaged or of a game that is not known here."""

    entries: int = 0
    problem: Message | None = None
    """What is wrong with the file; None if it can be probed."""


def found_tables(load: Callable[..., Game], folder: Path | None = None) -> Iterator[FoundTable]:
    """Yields the tables in a folder, by name; `load` makes a game of its name and options.

    Headers and lists of blocks are checked, blocks are not.
    """
    try:
        paths = sorted((folder or folders.table_folder()).iterdir())
    except OSError:
        return
    for path in paths:
        if path.suffix == SUFFIX and path.is_file():
            yield found_table(load, path)


def found_table(load: Callable[..., Game], path: Path) -> FoundTable:
    """Returns what a file holds."""
    try:
        size = path.stat().st_size
        with TableFile(path) as table:
            header = table.header
    except OSError:  # deleted just now
        return FoundTable(path, 0, problem=_foreign(path))
    except BadTable as error:
        return FoundTable(path, size, problem=error.message)
    try:
        game = load(header.game, **header.options)
        if table_path(game, path.parent) == path and Tables(game, path.parent).fits(header):
            return FoundTable(path, size, game, header.entries)
    except DamierError:
        pass
    return FoundTable(path, size, entries=header.entries, problem=_foreign(path))


def _foreign(path: Path) -> Message:
    return message("The table {file} has another name than its game, or another version.", file=quoted(str(path)))
