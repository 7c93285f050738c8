"""Builds tables while the server runs: one at a time, each in a process of its own.

The process writes its progress to standard output as lines of JSON. It ends with the server, even a killed one, and the
next build resumes where it stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import damier
from damier.core.errors import DamierError
from damier.core.messages import message
from damier.server.tasks import cancel
from damier.server.wire.analysis import BuildProgress, TableStatus
from damier.solve.build.solver import Needs, needs, solve
from damier.solve.file.reader import BadTable, TableFile
from damier.solve.location import has_table, table_path
from damier.solve.numbering import NotSolvable

if TYPE_CHECKING:
    from damier.core.game import Game

_log = logging.getLogger(__name__)

MOST_ENTRIES = 400_000_000
"""The size limit of tables that a page may ask for: some minutes of work."""

_INTERVAL = 0.2  # seconds between reports of progress
_MEMORY = 4 << 30
_NICENESS = 19  # playing, analysing and pages come first
_PROGRAM = "import sys; from damier.server.analysis.builds import build; build(sys.argv[1])"


@lru_cache(64)
def _needs(game: Game) -> Needs | None:
    """Returns what building a table takes, or None for a game that cannot be solved."""
    try:
        return needs(game.tables)
    except NotSolvable:
        return None


def _is_built(game: Game) -> bool:
    """Tells whether a game's table is there and can be opened; one that cannot is built anew."""
    if not has_table(game):
        return False
    try:
        TableFile(table_path(game)).close()
    except BadTable:
        return False
    return True


class BuildRunning(DamierError):
    """A visitor asked for a table while another one is being built."""


@dataclass
class TableBuild:
    """A table that is being built, or whose build failed."""

    game: Game
    share: float = 0.0
    began: float = 0.0
    error: str | None = None

    @property
    def seconds_left(self) -> float | None:
        """The estimated time left, if there is an estimate yet."""
        spent = time.monotonic() - self.began
        return spent * (1 - self.share) / self.share if self.share > 0.02 else None


class TableBuilds:
    """Runs the builds, one at a time."""

    def __init__(self) -> None:
        self._build: TableBuild | None = None
        self.task: asyncio.Task[None] | None = None
        """The running build, or the last one."""

    def status(self, game: Game) -> TableStatus:
        """Returns the status of a game's table."""
        need = _needs(game)
        if need is None:
            return TableStatus(is_solvable=False, is_built=False, progress=None, error=None, minutes=None)
        build = self._build if self._build and self._build.game == game else None
        is_built = _is_built(game)
        progress = error = None
        if build and not is_built:
            error = build.error
            if error is None:
                progress = BuildProgress(share=round(build.share, 4), seconds=build.seconds_left)
        return TableStatus(
            is_solvable=need.entries <= MOST_ENTRIES,
            is_built=is_built,
            progress=progress,
            error=error,
            minutes=max(1, round(need.minutes)),
        )

    async def start(self, game: Game) -> None:
        """Begins to build a game's table, unless it is there or being built; raises `NotSolvable`."""
        need = await asyncio.to_thread(lambda: _needs(game) or needs(game.tables))
        if await asyncio.to_thread(_is_built, game):
            return
        if need.entries > MOST_ENTRIES:
            raise DamierError(
                message(
                    "This table takes about {time}: build it with '{command}'.",
                    time=need.time,
                    command=game.tables.command("solve"),
                )
            )
        if self.task and not self.task.done():
            if self._build and self._build.game == game:
                return
            raise BuildRunning(message("Another table is being built: wait until it is done."))
        self._build = TableBuild(game, began=time.monotonic())
        self.task = asyncio.create_task(self._run(self._build))

    async def _run(self, build: TableBuild) -> None:
        choice = json.dumps({"game": build.game.name, "options": dict(build.game.options)})
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _PROGRAM, choice, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        try:
            assert process.stdout
            async for line in process.stdout:
                report = json.loads(line)
                build.share = report.get("share", build.share)
                build.error = report.get("error", build.error)
            if await process.wait() and build.error is None:
                build.error = f"status {process.returncode}"
            _log_end(build)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def close(self) -> None:
        """Cancels the running build."""
        await cancel(self.task)


def _log_end(build: TableBuild) -> None:
    command = build.game.tables.command("solve")
    extra = {"game": build.game.name, "options": dict(build.game.options)}
    if build.error is None:
        _log.info("Built the table of '%s'.", command, extra=extra)
    else:
        _log.error("Building a table failed: %s. '%s' resumes the build.", build.error, command, extra=extra)


def build(choice: str) -> None:
    """Builds a table and reports its progress: the program of the process."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(OSError, AttributeError):  # not everywhere, and not needed
        os.nice(_NICENESS)
    chosen = json.loads(choice)
    reported = 0.0

    def show(share: float, _note: str = "") -> None:
        nonlocal reported
        if time.monotonic() - reported > _INTERVAL:
            reported = time.monotonic()
            _report({"share": share})

    try:
        solve(damier.load(chosen["game"], **chosen["options"]), threads=1, memory=_MEMORY, show=show)
        _report({"share": 1.0})
    except DamierError as error:
        _report({"error": str(error)})


def _end_with_parent() -> None:
    """Waits until standard input, which the server holds open, is closed."""
    sys.stdin.read()
    os._exit(1)


def _report(data: dict[str, float | str]) -> None:
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()
