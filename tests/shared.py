"""What all workers of a test run share: made once, by the first worker that needs it, behind a file lock.

The process that starts the run makes a folder and names it in the environment, which its workers inherit; it removes
the folder when the run ends. Compiled kernels need nothing here: the binder locks its cache folders itself.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import psutil
from filelock import FileLock

from damier.core.game import Game
from damier.solve.build.solver import solve
from damier.solve.tables import Tables

_VARIABLE = "DAMIER_TEST_RUN"
_MEMORY = 2**33
_PATIENCE = 10  # seconds for a process to quit


def begin_run() -> bool:
    """Makes the folder of the run; returns False in a worker, which inherits it."""
    if _VARIABLE in os.environ:
        return False
    os.environ[_VARIABLE] = tempfile.mkdtemp(prefix="damier-tests-")
    os.chmod(os.environ[_VARIABLE], 0o711)  # PostgreSQL may run as a user of its own, who has to pass
    return True


def run_folder() -> Path:
    """Returns the folder of the run."""
    return Path(os.environ[_VARIABLE])


def end_run() -> None:
    """Ends the shared processes and removes the folder of the run."""
    folder = Path(os.environ.pop(_VARIABLE))
    for file in folder.glob("*/pid"):
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(int(file.read_text()))
            if (file.parent / "quits").exists():  # frees what would outlive it, such as shared memory
                process.send_signal(signal.SIGQUIT)
                psutil.wait_procs([process], _PATIENCE)
            for each in (*process.children(recursive=True), process):
                each.kill()
    shutil.rmtree(folder, ignore_errors=True)


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


def shared_process(
    name: str, start: Callable[[Path], tuple[subprocess.Popen[str], str]], *, quits: bool = False
) -> str:
    """Returns the address of a process of this run, which the first caller starts with a folder of its own.

    One that `quits` is sent SIGQUIT at the end, the others are killed.
    """

    def begin(folder: Path) -> None:
        home = process_home(name)
        home.mkdir()
        process, address = start(home)
        _started.append(process)
        (folder / "address").write_text(address)
        (folder / "pid").write_text(str(process.pid))
        if quits:
            (folder / "quits").touch()

    return (shared(name, begin) / "address").read_text()


def process_home(name: str) -> Path:
    """Returns the folder that a process of this run was started with."""
    return Path(os.environ[_VARIABLE]) / f"{name}-home"


_started: list[subprocess.Popen[str]] = []  # kept: a process that is collected while it runs is a warning


def built_table(game: Game) -> Tables:
    """Returns the table of a game, built once for all workers. Tests must not change its file: they copy it first."""

    def build(folder: Path) -> None:
        solve(game, threads=2, memory=_MEMORY, folder=folder / "tables", show=lambda *_: None)

    numbers = "-".join(map(str, game.rules[:4]))  # tests also shrink a game by its numbers
    home = shared(f"{game.name}-{game.options_text.replace(' ', '-')}-{numbers}", build)
    return Tables(game, home / "tables")
