"""What all workers of a test run share: made once, by the first worker that needs it, behind a file lock.

The process that starts the run makes a folder and names it in the environment, which its workers inherit; it removes
the folder when the run ends. Compiled kernels need nothing here: the binder locks its cache folders itself.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock

from damier.core.game import Game
from damier.solve.build.solver import solve
from damier.solve.tables import Tables

_VARIABLE = "DAMIER_TEST_RUN"
_MEMORY = 2**33


def begin_run() -> bool:
    """Makes the folder of the run; returns False in a worker, which inherits it."""
    if _VARIABLE in os.environ:
        return False
    os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="damier-tests-")
    return True


def end_run() -> None:
    """Removes the folder of the run."""
    shutil.rmtree(os.environ.pop(_VARIABLE), ignore_errors=True)


def shared(name: str, make: Callable[[Path], object]) -> Path:
    """Returns the folder `name` of this run, filled by the first caller's `make`."""
    folder = Path(os.environ[_VARIABLE]) / name
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            unfinished = folder.with_name(f"{name}.unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(folder)
    return folder


def built_table(game: Game) -> Tables:
    """Returns the table of a game, built once for all workers. Tests must not change its file: they copy it first."""

    def build(folder: Path) -> None:
        solve(game, threads=2, memory=_MEMORY, folder=folder / "tables", show=lambda *_: None)

    numbers = "-".join(map(str, game.rules[:4]))  # tests also shrink a game by its numbers
    home = shared(f"{game.name}-{game.options_text.replace(' ', '-')}-{numbers}", build)
    return Tables(game, home / "tables")
