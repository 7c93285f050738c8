"""Search kernels that are ready at once and fast soon: plain Python first, compiled code when it has been loaded.

Loading takes some tenths of a second from the cache; without one, compiling takes ten seconds or more. That is done by
a process of its own, since compiling in a thread would stall everything else; it goes on even if this one ends, so
that the next start is quick.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING

from damier.core.kernel.bind import bind

if TYPE_CHECKING:
    from damier.core.game import Game

Exercise = Callable[["Game", SimpleNamespace], None]
"""Runs every compiled function that a search will call once, on next to no work."""


class Readiness:
    """The kernels of one kind of search for one game."""

    def __init__(self, game: Game, algorithms: tuple[ModuleType, ...], exercise: Exercise) -> None:
        self._game = game
        self._algorithms = algorithms
        self._exercise = exercise
        self._compiled: SimpleNamespace | None = None
        self._is_begun = False
        self.is_ready = threading.Event()

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
        """Returns the compiled kernels, here and now."""
        if self._compiled is None:
            definition = self._game.definition
            kernels = bind(definition.rules, *self._algorithms, definition.evaluate, compiled=True)
            self._exercise(self._game, kernels)
            with contextlib.suppress(OSError):
                self._stamp().touch()
            self._compiled = kernels
            self.is_ready.set()
        return self._compiled

    @property
    def is_cached(self) -> bool:
        """Whether the compiled kernels only have to be loaded."""
        return self._stamp().exists()

    def prepare(self, on_loading: Callable[[], None]) -> None:
        """Begins to make the compiled kernels ready, if that has not been done.

        If another process has to compile them first, `on_loading` is called when it is done and this one begins to load
        them: plain Python running at the same time would slow that down.
        """
        if not self._is_begun:
            self._is_begun = True
            threading.Thread(target=self._prepare, args=(on_loading,), daemon=True).start()

    def _prepare(self, on_loading: Callable[[], None]) -> None:
        if not self.is_cached:
            _compile_elsewhere(self)
            on_loading()
        try:
            self.load()
        finally:
            self.is_ready.set()

    def _stamp(self) -> Path:
        """Returns the file that says that everything has been compiled once."""
        from damier.core.kernel.bind import kernel_folder

        definition = self._game.definition
        folder = kernel_folder(definition.rules, *self._algorithms, definition.evaluate)
        return folder / "complete"

    def __reduce__(self) -> tuple[object, ...]:
        names = [module.__name__ for module in self._algorithms]
        return _unpickled, (self._game, names, self._exercise)


def _unpickled(game: Game, names: list[str], exercise: Exercise) -> Readiness:
    import importlib

    return Readiness(game, tuple(importlib.import_module(name) for name in names), exercise)


def _compile_elsewhere(readiness: Readiness) -> None:
    """Lets another process fill the cache; if it fails, the kernels are compiled here."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        process = subprocess.Popen(
            [sys.executable, "-c", "from damier.engine.methods.kernel_loader import compile_here; compile_here()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is not meant for it
        )
        process.communicate(pickle.dumps(readiness))


def compile_here() -> None:
    """Compiles what standard input names: the other process of `_compile_elsewhere`."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)
    pickle.load(sys.stdin.buffer).load()
