"""A file of arrays about games that are made one after the other: it is written whole and gone on with."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import time
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.core.ranges import check_whole
from damier.insight.train.rows_file import Rows, no_self_play, other_settings, rows_file

FORMAT = 1
MOST_GAMES = 10_000_000
_SAVE_AFTER = 60.0  # seconds of play that may be lost

PlayRanges = Callable[[Iterable[tuple[int, int]]], Generator[list[Rows], None, None]]
"""Takes ranges of games, the first one's number and that of the one after the last; yields the rows of each range."""


class GameFile:
    """A file with the rows of games 0 to n - 1, and the setting that they were made with."""

    def __init__(self, file: Path, setting: Mapping[str, object], columns: Collection[str]) -> None:
        """The rows have an array for each of the `columns`; the ending of the name is the format (``rows_file.py``)."""
        self._target, self._columns = rows_file(file), columns
        self._setting = json.dumps({"format": FORMAT, **setting})

    def extend(
        self, games: int, play: PlayRanges, at_once: int = 1, progress: Callable[[float], None] | None = None
    ) -> tuple[int, Rows]:
        """Plays until the file has `games` games, `at_once` in a range; returns how many it had, and all rows."""
        check_whole("games", games, 1, MOST_GAMES)
        before, stored = self._target.read(self._setting, self._columns)
        parts: list[Rows] = []  # a game each
        rows = stored or {}
        saved = time.monotonic()
        ranges = ((first, min(first + at_once, games)) for first in range(before, games, at_once))
        with contextlib.closing(play(ranges)) as played:
            try:
                for each in played:
                    parts += each
                    if progress:
                        progress((before + len(parts)) / games)
                    if time.monotonic() - saved > _SAVE_AFTER:
                        self._save(before, stored, parts)
                        saved = time.monotonic()
            finally:  # Ctrl-C, too
                if parts:
                    rows = self._save(before, stored, parts)
        return before, rows

    def _save(self, before: int, stored: Rows | None, parts: list[Rows]) -> Rows:
        """Writes all rows to the file, those that it had and those of more games; returns them."""
        found = [*([] if stored is None else [stored]), *parts]
        rows: Rows = {name: np.concatenate([part[name] for part in found]) for name in self._columns}
        self._target.write(self._setting, before + len(parts), rows)
        return rows


def read_games(
    file: Path, expected: Mapping[str, object], columns: Collection[str]
) -> tuple[dict[str, Any], int, Rows]:
    """Returns the setting of a file, how many games it has, and their rows, which have these `columns`.

    Raises `BadArgument` if there is no such file, or none with what is `expected` of its setting.
    """
    found = rows_file(file).read_any(columns)
    if found is None:
        why = os.strerror(errno.ENOENT)
        raise BadArgument(message("The file {file} cannot be used: {why}.", file=shown(str(file)), why=why))
    text, games, rows = found
    try:
        setting = dict(json.loads(text))
    except (ValueError, TypeError):
        raise no_self_play(file) from None
    if any(setting.get(name) != value for name, value in expected.items()):
        raise other_settings(file)
    return setting, games, rows
