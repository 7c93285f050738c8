"""Files of rows: arrays of one length with names, as npz or as Parquet, by the ending of the file's name.

A file also has a setting, which says how its rows were made, and how many games they are of. It is replaced
atomically: it always has all rows or is as it was. The bytes depend on the rows alone, not on how often the file was
gone on with.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from damier.core.errors import BadArgument
from damier.core.folders import cannot_write, replacing
from damier.core.messages import message, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

Rows = dict[str, "NDArray[Any]"]
"""Arrays of one length, by name."""

_ROW_GROUP = 65536  # rows that a reader of Parquet takes at a time


def other_settings(path: Path) -> BadArgument:
    """Returns the error of a file whose games were made in another way."""
    return BadArgument(message("The file {file} has games of other settings: name another one.", file=shown(str(path))))


def no_self_play(path: Path) -> BadArgument:
    """Returns the error of a file that is damaged, or of another kind."""
    return BadArgument(message("The file {file} is not one of self-play: name another one.", file=shown(str(path))))


def check_ending(path: Path, endings: Collection[str]) -> None:
    """Refuses a file whose name has none of the endings."""
    if path.suffix not in endings:
        raise BadArgument(
            message(
                "The file {file} needs a name with one of the endings {endings}.",
                file=shown(path.name or str(path)),
                endings=", ".join(endings),
            )
        )


class RowsFile(ABC):
    """A file of rows, which need not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self, setting: str, columns: Collection[str]) -> tuple[int, Rows | None]:
        """Returns how many games the file has, and its rows; raises `BadArgument` if they are of another setting."""
        stored = self.read_any(columns)
        if stored is None:
            return 0, None
        found, games, rows = stored
        if found != setting:
            raise other_settings(self.path)
        return games, rows

    def read_any(self, columns: Collection[str]) -> tuple[str, int, Rows] | None:
        """Returns the setting of the file, how many games it has, and its rows; None if there is no file.

        Raises `BadArgument` if it has other arrays than `columns`.
        """
        if not self.path.exists():
            return None
        try:
            setting, games, rows = self._read()
        except Exception:  # whatever a damaged file makes its reader raise
            raise no_self_play(self.path) from None
        lengths = {array.shape[:1] for array in rows.values()}
        if set(rows) != set(columns) or len(lengths) != 1 or lengths == {()}:
            raise no_self_play(self.path)
        return setting, games, rows

    def write(self, setting: str, games: int, rows: Rows) -> None:
        """Writes all rows; raises `BadArgument` if the file cannot be written."""
        try:
            with replacing(self.path) as stream:
                self._write(stream, setting, games, rows)
        except OSError as error:
            raise cannot_write(self.path, error.errno) from None

    @abstractmethod
    def _read(self) -> tuple[str, int, Rows]:
        """Returns the setting, the number of games and the rows."""

    @abstractmethod
    def _write(self, stream: BinaryIO, setting: str, games: int, rows: Rows) -> None:
        """Writes a new file."""


class NpzFile(RowsFile):
    """Rows as an npz file, which `numpy.load` reads."""

    def _read(self) -> tuple[str, int, Rows]:
        with self.path.open("rb") as stream, np.load(stream) as stored:
            rows = {name: stored[name] for name in stored.files}
        return str(rows.pop("setting")), int(rows.pop("games")), rows

    def _write(self, stream: BinaryIO, setting: str, games: int, rows: Rows) -> None:
        np.savez_compressed(stream, setting=np.array(setting), games=np.array(games), **rows)  # type: ignore[arg-type]  # names of arrays are free


class ParquetFile(RowsFile):
    """Rows as a Parquet file: a column for each array, whose rows are lists where it has more than one axis.

    The setting and the number of games are metadata of the file, and so are the shapes of rows, by column.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            import pyarrow  # noqa: F401  # only whether it is there
        except ImportError:
            raise BadArgument(
                message(
                    "{option} needs packages that are not installed: '{command}' installs them.",
                    option=shown(path.name),
                    command='pip install "damier[parquet]"',
                )
            ) from None

    def _read(self) -> tuple[str, int, Rows]:
        from pyarrow import parquet

        with self.path.open("rb") as stream:
            table = parquet.ParquetFile(stream).read()
        facts = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
        rows = {}
        for name in table.column_names:
            column = table.column(name).combine_chunks()
            shape = [int(size) for size in facts.get(f"shape.{name}", "").split()]
            rows[name] = (column.flatten() if shape else column).to_numpy(zero_copy_only=False).reshape(-1, *shape)
        return facts["setting"], int(facts["games"]), rows

    def _write(self, stream: BinaryIO, setting: str, games: int, rows: Rows) -> None:
        import pyarrow
        from pyarrow import parquet

        facts = {"setting": setting, "games": str(games)}
        columns = {}
        for name, array in rows.items():
            values = pyarrow.array(array.reshape(-1))
            if array.ndim > 1:
                facts[f"shape.{name}"] = " ".join(map(str, array.shape[1:]))
                values = pyarrow.FixedSizeListArray.from_arrays(values, int(np.prod(array.shape[1:])))
            columns[name] = values
        table = pyarrow.table(columns).replace_schema_metadata(facts)
        parquet.write_table(table, stream, compression="zstd", row_group_size=_ROW_GROUP)


_KINDS: dict[str, type[RowsFile]] = {".npz": NpzFile, ".parquet": ParquetFile}


def rows_file(path: Path) -> RowsFile:
    """Returns the file of a path by the ending of its name; raises `BadArgument` if no format has it."""
    check_ending(path, _KINDS)
    return _KINDS[path.suffix](path)
