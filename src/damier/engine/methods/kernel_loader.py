"""Loads search kernels: plain Python at once, compiled code in the background.

Loading compiled code takes some tenths of a second from the cache; without the cache, compiling takes ten seconds or
more. That is done by a child process, since compiling in a thread would stall all others. The child goes on even if
this process ends, so that the next start is quick.

All engines of a process share a loader, and a lock lets one process of the machine at a time have a child compile into
a folder: the others wait for it and load what it has written. Where nothing can be cached no child is started, since
it could hand nothing over; this process compiles for itself, once.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

from damier.core.kernel.bind import bind, kernel_folder
from damier.engine.child_process import start_detached

if TYPE_CHECKING:
    from damier.core.game import Game

Exercise = Callable[["Game", SimpleNamespace], None]
"""Calls every compiled function of a search once, with almost no work to do."""

_NICENESS = 15  # who plays comes before what compiles
_LONGEST_COMPILE = 600.0  # seconds for one set of kernels, on a busy machine

_log = logging.getLogger(__name__)


_loaders: dict[Path, KernelLoader] = {}
_loaders_lock = threading.Lock()


def shared_loader(game: Game, algorithms: tuple[ModuleType, ...], exercise: Exercise) -> KernelLoader:
    """Returns the loader of these kernels, the same for all engines of this process."""
    definition = game.definition
    folder = kernel_folder(definition.rules, *algorithms, definition.evaluate)
    with _loaders_lock:
        return _loaders.setdefault(folder, KernelLoader(game, algorithms, exercise))


class KernelLoader:
    """The kernels of one kind of search for one game."""

    def __init__(self, game: Game, algorithms: tuple[ModuleType, ...], exercise: Exercise) -> None:
        self._game = game
        self._algorithms = algorithms
        self._exercise = exercise
        self._compiled: SimpleNamespace | None = None
        self._loading = threading.Lock()
        self._begun = threading.Lock()
        self._is_begun = self._is_loading = False
        self._waiting: list[Callable[[], None]] = []
        self.is_done = threading.Event()
        """Set when the compiled kernels are ready, or could not be made ready."""

    @property
    def plain(self) -> SimpleNamespace:
        """The kernels as plain Python."""
        definition = self._game.definition
        return bind(definition.rules, *self._algorithms, definition.evaluate)

    @property
    def compiled(self) -> SimpleNamespace | None:
        """The compiled kernels, once they are ready."""
        return self._compiled

    def load(self) -> SimpleNamespace:
        """Loads the compiled kernels, or compiles them, and returns them."""
        with self._loading:
            if self._compiled is None:
                definition = self._game.definition
                if not self.is_cached:
                    _log.info("the kernels of %s are being compiled", self._game.name)
                kernels = bind(definition.rules, *self._algorithms, definition.evaluate, compiled=True)
                self._exercise(self._game, kernels)
                try:
                    self._stamp().touch()
                except OSError as error:  # the next process compiles again
                    _log.warning("compiled kernels of %s are not cached: %s", self._game.name, error)
                self._compiled = kernels
                self.is_done.set()
            return self._compiled

    @property
    def is_cached(self) -> bool:
        """Whether the compiled kernels only have to be loaded."""
        return self._stamp().exists()

    def prepare(self, on_loading: Callable[[], None]) -> None:
        """Starts to prepare the compiled kernels in the background, unless that has been done.

        If they have to be compiled first, `on_loading` is called when that is done and this process begins to load
        them: plain Python running at the same time would slow that down.
        """
        with self._begun:
            if self.is_done.is_set():
                return
            if self._is_loading:
                on_loading()
            else:
                self._waiting.append(on_loading)
            is_first, self._is_begun = not self._is_begun, True
        if is_first:
            threading.Thread(target=self._prepare, daemon=True).start()

    def _prepare(self) -> None:
        if not self.is_cached:
            self.fill_cache()
            with self._begun:
                self._is_loading = True
                waiting, self._waiting = self._waiting, []
            for on_loading in waiting:
                on_loading()
        try:
            self.load()
        except Exception:
            _log.exception("kernels of %s do not compile; the engine stays with plain Python", self._game.name)
        finally:
            self.is_done.set()

    def fill_cache(self) -> None:
        """Has a child process compile the kernels, unless they are cached; waits for one that does so already."""
        from filelock import FileLock, Timeout

        folder = self._stamp().parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder / "compiling", timeout=_LONGEST_COMPILE):
                if not self.is_cached:
                    self._compile_in_child()
        except Timeout:
            _log.warning("another process compiles the kernels of %s for too long", self._game.name)
        except OSError as error:
            _log.warning("the kernels of %s cannot be cached: %s", self._game.name, error)

    def _compile_in_child(self) -> None:
        """Fills the cache in a child process; if that fails, `load` compiles in this one."""
        try:
            process = start_detached(
                [sys.executable, "-c", "from damier.engine.methods.kernel_loader import compile_here; compile_here()"],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            _, errors = process.communicate(pickle.dumps(self))
        except (OSError, subprocess.SubprocessError) as error:
            _log.warning("no process to compile the kernels of %s: %s", self._game.name, error)
            return
        if process.returncode:
            last = errors.decode("utf-8", "replace").strip().splitlines()[-1:]
            _log.warning(
                "the process that compiles the kernels of %s ended with status %d: %s",
                self._game.name,
                process.returncode,
                *last or [""],
            )

    def _stamp(self) -> Path:
        """Returns the file that marks a complete cache."""
        definition = self._game.definition
        return kernel_folder(definition.rules, *self._algorithms, definition.evaluate) / "complete"

    def __reduce__(self) -> tuple[object, ...]:
        names = [module.__name__ for module in self._algorithms]
        return _unpickled, (self._game, names, self._exercise)


def _unpickled(game: Game, names: list[str], exercise: Exercise) -> KernelLoader:
    import importlib

    return KernelLoader(game, tuple(importlib.import_module(name) for name in names), exercise)


def compile_here() -> None:
    """Compiles the kernels of the loader on standard input: what the child process runs."""
    with contextlib.suppress(OSError, AttributeError):  # not everywhere, and not needed
        os.nice(_NICENESS)
    pickle.load(sys.stdin.buffer).load()
