"""A file of arrays about games that are made one after the other: it is written whole and gone on with."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.core.ranges import check_whole
from damier.insight.train.rows_file import Rows, no_self_play, other_settings, rows_file

FORMAT = 1
_MOST_GAMES = 10_000_000
_SAVE_AFTER = 60.0  # seconds of play that may be lost

PlayRanges = Callable[[list[tuple[int, int]]], Generator[list[Rows], None, None]]
"""Takes ranges of games, the first one's number and that of the one after the last; yields the rows of each range."""


class GameFile:
    """A file with the rows of games 0 to n - 1, and the setting that they were made with."""

    def __init__(self, file: Path, setting: Mapping[str, object]) -> None:
        """The ending of the file's name is its format: see ``rows_file.py``."""
        self._target = rows_file(file)
        self._setting = json.dumps({"format": FORMAT, **setting})

    def extend(
        self, games: int, play: PlayRanges, at_once: int = 1, progress: Callable[[float], None] | None = None
    ) -> tuple[int, Rows]:
        """Plays until the file has `games` games, `at_once` in a range; returns how many it had, and all rows."""
        check_whole("games", games, 1, _MOST_GAMES)
        before, stored = self._target.read(self._setting)
        parts = [] if stored is None else [stored]
        done, saved = before, time.monotonic()
        ranges = [(first, min(first + at_once, games)) for first in range(before, games, at_once)]
        with contextlib.closing(play(ranges)) as played:
            try:
                for each in played:
                    parts += each
                    done += len(each)
                    if progress:
                        progress(done / games)
                    if time.monotonic() - saved > _SAVE_AFTER:
                        parts = [self._save(done, parts)]
                        saved = time.monotonic()
            finally:  # Ctrl-C, too
                if done > before:
                    parts = [self._save(done, parts)]
        return before, parts[0]

    def _save(self, games: int, parts: list[Rows]) -> Rows:
        """Writes all rows to the file; returns them."""
        rows: Rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        self._target.write(self._setting, games, rows)
        return rows


def read_games(file: Path, expected: Mapping[str, object]) -> tuple[dict[str, Any], int, Rows]:
    """Returns the setting of a file, how many games it has, and their rows.

    Raises `BadArgument` if there is no such file, or none with what is `expected` of its setting.
    """
    found = rows_file(file).read_any()
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
