"""A match on disk: the records of its games, and the state needed to resume it after an interruption.

``FILE`` grows pair by pair. ``FILE.json`` has the settings, the results so far and the length of ``FILE`` at that time;
it is replaced atomically. If ``FILE`` is longer than that when a match is resumed, the rest was being written when the
power failed: it is cut off and its pairs are played again.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from damier.core.errors import BadArgument
from damier.core.folders import cannot_write, write_whole
from damier.core.messages import message, shown
from damier.engine.arena.pairs import PairResult

_FORMAT, _VERSION = "damier-match", 1
_PAUSE = 1.0  # seconds between two writes of the state: short games end faster than a disk should write
_LARGEST = 1 << 30  # bytes of the state


class MatchFile:
    """The files of a match being played."""

    def __init__(
        self, file: str | os.PathLike[str], settings: dict[str, Any], meetings: int, resume: bool = False
    ) -> None:
        self._records = Path(file)
        self._state = self._records.with_name(self._records.name + ".json")
        self._settings = settings
        self.pairs: dict[tuple[int, int], PairResult] = {}
        """The pairs played, by meeting and number."""
        self.seconds = 0.0
        """The time they have taken."""
        self._length = 0
        self._written = 0.0
        exists = [path for path in (self._records, self._state) if path.exists()]
        if exists and not resume:
            raise BadArgument(
                message(
                    "The file {file} exists already: choose another name, or go on with it by {option}.",
                    file=shown(str(exists[0])),
                    option="--resume",
                )
            )
        if exists and (self._state in exists or self._records.stat().st_size):  # else nothing was played
            self._read(meetings)
        self._stream = self._open(settings["games"] // 2)

    def _open(self, pairs: int) -> BinaryIO:
        try:
            stream = self._records.open("r+b" if self._records.exists() else "x+b")
        except OSError as error:
            raise cannot_write(self._records, error.errno) from None
        if stream.seek(0, os.SEEK_END) < self._length or any(number >= pairs for _, number in self.pairs):
            stream.close()
            raise self._damaged()
        stream.truncate(self._length)
        stream.seek(self._length)
        return stream

    def _read(self, meetings: int) -> None:
        """Reads the state of a match to resume."""
        try:
            with self._state.open("rb") as stream:
                data = json.loads(stream.read(_LARGEST))
            if (data["format"], data["version"]) != (_FORMAT, _VERSION):
                raise ValueError
            before, self.seconds, self._length = data["settings"], float(data["seconds"]), int(data["length"])
            for pair in map(_parse_pair, data["pairs"]):
                if not 0 <= pair.meeting < meetings or (pair.meeting, pair.number) in self.pairs:
                    raise ValueError
                self.pairs[pair.meeting, pair.number] = pair
            if self._length < 0 or not isinstance(before, dict):
                raise ValueError
        except OSError as error:
            raise BadArgument(
                message("The file {file} cannot be read: {why}.", file=shown(str(self._state)), why=error.strerror)
            ) from None
        except (ValueError, TypeError, KeyError, IndexError, RecursionError, OverflowError):
            raise self._damaged() from None
        for name, value in self._settings.items():
            if before.get(name) != value:
                raise BadArgument(
                    message(
                        "The match in {file} has {name} {before}, not {given}; it goes on only as it began.",
                        file=shown(str(self._records)),
                        name=name,
                        before=shown(_setting(before.get(name))),
                        given=shown(_setting(value)),
                    )
                )

    def _damaged(self) -> BadArgument:
        return BadArgument(
            message(
                "The files {file} and {state} do not belong to one match.",
                file=shown(self._records.name),
                state=shown(self._state.name),
            )
        )

    def add(self, pair: PairResult, text: str, seconds: float, summary: Callable[[], dict[str, Any]]) -> None:
        """Writes a pair that has been played."""
        data = (("\n" if self._length else "") + text).encode("utf-8")
        self._stream.write(data)
        self._stream.flush()
        self._length += len(data)
        self.pairs[pair.meeting, pair.number] = pair
        self.seconds = seconds
        if time.monotonic() - self._written >= _PAUSE:
            self.write(summary())

    def write(self, summary: dict[str, Any]) -> None:
        """Writes the state."""
        head = {
            "format": _FORMAT,
            "version": _VERSION,
            "settings": self._settings,
            "seconds": round(self.seconds, 3),
            "length": self._length,
            "result": summary,
        }
        pairs = ",\n".join(json.dumps(_pair_data(pair)) for _, pair in sorted(self.pairs.items()))
        text = json.dumps(head, indent=1)[:-2] + f',\n "pairs": [\n{pairs}\n]}}\n'
        os.fsync(self._stream.fileno())
        write_whole(self._state, text)
        self._written = time.monotonic()

    def close(self, summary: dict[str, Any]) -> None:
        """Writes the state and closes the records, without half a pair at the end."""
        try:
            self._stream.truncate(self._length)
            self.write(summary)
        finally:
            self._stream.close()


def _setting(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _pair_data(pair: PairResult) -> list[Any]:
    return [pair.meeting, pair.number, *pair.points, *pair.turns, pair.too_long, *pair.faults]


def _parse_pair(data: Any) -> PairResult:
    """Returns the pair that `_pair_data` encoded; raises `ValueError` or `TypeError` for other data."""
    meeting, number, first, second, turns, more_turns, too_long, *faults = data
    pair = PairResult(meeting, number, (first, second), (turns, more_turns), too_long, tuple(faults))
    is_sound = (
        isinstance(data, list)
        and all(type(value) is int and value >= 0 for value in (meeting, number, turns, more_turns, too_long))
        and all(type(value) in (int, float) and 0 <= value <= 1 for value in pair.points)
        and all(isinstance(fault, str) for fault in faults)
    )
    if not is_sound:
        raise ValueError
    return pair
