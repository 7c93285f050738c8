"""A file of arrays about games that are made one after the other: it is written whole and gone on with."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from damier.core.ranges import check_whole
from damier.insight.train.rows_file import NpzFile, Rows

FORMAT = 1
_MOST_GAMES = 10_000_000
_SAVE_AFTER = 60.0  # seconds of play that may be lost


class GameFile:
    """An npz file with the rows of games 0 to n - 1, and the setting that they were made with."""

    def __init__(self, file: Path, setting: Mapping[str, object]) -> None:
        self._target = NpzFile(file)
        self._setting = json.dumps({"format": FORMAT, **setting})

    def extend(
        self, games: int, make: Callable[[int], Rows], progress: Callable[[float], None] | None = None
    ) -> tuple[int, Rows]:
        """Adds what `make` returns for each number of a game below `games`; returns how many there were, and all."""
        check_whole("games", games, 1, _MOST_GAMES)
        before, stored = self._target.read(self._setting)
        parts = [] if stored is None else [stored]
        done, saved = before, time.monotonic()
        try:
            for number in range(before, games):
                parts.append(make(number))
                done = number + 1
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
