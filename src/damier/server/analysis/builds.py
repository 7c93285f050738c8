"""Tables that are built while the server runs: one at a time, each in a process of its own, with its progress.

The process says on standard output, a line of JSON each, how far it has come. When the server ends, however it ends,
the process ends too; what it has done is not lost: the next build goes on from there.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import damier
from damier.core.errors import DamierError
from damier.core.messages import message
from damier.solve.build.solver import Needs, needs, solve
from damier.solve.location import has_table
from damier.solve.numbering import NotSolvable

if TYPE_CHECKING:
    from damier.core.game import Game

MOST_ENTRIES = 400_000_000
"""Of a table that a page may ask for: some minutes of work."""

_TELLING = 0.2  # seconds between lines
_MEMORY = 4 << 30
_START = "import sys; from damier.server.analysis.builds import build; build(sys.argv[1])"


@lru_cache(64)
def _needs(game: Game) -> Needs | None:
    """Returns what building a table takes, or None for a game that has none."""
    try:
        return needs(game.tables)
    except NotSolvable:
        return None


class Busy(DamierError):
    """Another table is being built."""


@dataclass
class Build:
    """A table that is being built, or whose building failed."""

    game: Game
    share: float = 0.0
    began: float = 0.0
    error: str | None = None

    @property
    def seconds_left(self) -> float | None:
        """How long it will take still, if that can be said yet."""
        spent = time.monotonic() - self.began
        return spent * (1 - self.share) / self.share if self.share > 0.02 else None


class Builds:
    """All of them."""

    def __init__(self) -> None:
        self._build: Build | None = None
        self._task: asyncio.Task[None] | None = None

    def data(self, game: Game) -> dict[str, Any]:
        """Returns what is known of a game's table."""
        need = _needs(game)
        if need is None:
            return {"is_solvable": False, "is_built": False, "progress": None, "error": None, "minutes": None}
        build = self._build if self._build and self._build.game == game else None
        is_built = has_table(game)
        is_running = build is not None and build.error is None and not is_built
        return {
            "is_solvable": need.entries <= MOST_ENTRIES,
            "is_built": is_built,
            "progress": {"share": round(build.share, 4), "seconds": build.seconds_left}
            if build and is_running
            else None,
            "error": build.error if build and not is_built else None,
            "minutes": max(1, round(need.minutes)),
        }

    def start(self, game: Game) -> None:
        """Begins to build a game's table, unless it is there or being built."""
        need = _needs(game) or needs(game.tables)  # says that there is none
        if has_table(game):
            return
        if need.entries > MOST_ENTRIES:
            raise DamierError(
                message(
                    "This table takes about {time}: build it with '{command}'.",
                    time=need.time,
                    command=game.tables.command("solve"),
                )
            )
        if self._task and not self._task.done():
            if self._build and self._build.game == game:
                return
            raise Busy(message("Another table is being built: wait until it is done."))
        self._build = Build(game, began=time.monotonic())
        self._task = asyncio.create_task(self._run(self._build))

    async def _run(self, build: Build) -> None:
        asked = json.dumps({"game": build.game.name, "options": dict(build.game.options)})
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _START, asked, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        try:
            assert process.stdout
            async for line in process.stdout:
                told = json.loads(line)
                build.share = told.get("share", build.share)
                build.error = told.get("error", build.error)
            if await process.wait() and build.error is None:
                build.error = f"status {process.returncode}"
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def close(self) -> None:
        """Ends what is going on."""
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task


def build(asked: str) -> None:
    """Builds a table and tells how far it is: what the process runs."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    chosen = json.loads(asked)
    told = 0.0

    def show(share: float, _note: str = "") -> None:
        nonlocal told
        if time.monotonic() - told > _TELLING:
            told = time.monotonic()
            _tell({"share": share})

    try:
        solve(damier.load(chosen["game"], **chosen["options"]), threads=1, memory=_MEMORY, show=show)
        _tell({"share": 1.0})
    except DamierError as error:
        _tell({"error": str(error)})


def _end_with_parent() -> None:
    """Waits until standard input, which the parent holds, is closed."""
    sys.stdin.read()
    os._exit(1)


def _tell(data: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()
