"""A ``damier serve`` process of its own for measurements: started in an empty folder, watched, and ended."""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import psutil

_LONGEST_START = 60.0  # seconds
_LONGEST_SETTLING = 180.0  # seconds; compiling all kernels for the first time takes a minute
_IDLE = 0.1  # seconds of CPU in a second


class Served:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], address: str, folder: Path, start: float) -> None:
        self.address, self.folder, self.start = address, folder, start
        self.pid = process.pid
        self._process = psutil.Process(process.pid)

    @property
    def log(self) -> str:
        """What the server has logged."""
        return (self.folder / "log").read_text(encoding="utf-8")

    @property
    def cpu(self) -> float:
        """CPU seconds of the server process, without its children."""
        times = self._process.cpu_times()
        return times.user + times.system

    @property
    def memory(self) -> float:
        """Resident memory of the server process in MB."""
        return float(self._process.memory_info().rss) / 2**20

    @property
    def children(self) -> list[psutil.Process]:
        """All processes that the server started and that run."""
        return self._process.children(recursive=True)

    @property
    def memory_of_all(self) -> float:
        """Resident memory of the server and all its children in MB."""
        total = self.memory
        for child in self.children:
            with contextlib.suppress(psutil.NoSuchProcess):
                total += float(child.memory_info().rss) / 2**20
        return total

    @property
    def cpu_of_all(self) -> float:
        """CPU seconds of the server and of the children that run."""
        total = self.cpu
        for child in self.children:
            with contextlib.suppress(psutil.NoSuchProcess):
                times = child.cpu_times()
                total += times.user + times.system
        return total

    def settle(self) -> None:
        """Waits until the server and its children are idle: kernels are compiled."""
        end = time.monotonic() + _LONGEST_SETTLING
        before = self.cpu_of_all
        while time.monotonic() < end:
            time.sleep(1)
            now = self.cpu_of_all
            if abs(now - before) < _IDLE:
                return
            before = now


@contextlib.contextmanager
def served(folder: Path, environment: Mapping[str, str] | None = None) -> Iterator[Served]:
    """Runs a server whose database, tables and log are in `folder`; its other settings are the defaults."""
    raise_file_limit()
    command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--port", "0"]
    settings = {"DAMIER_HOME": str(folder), "DAMIER_DATABASE": str(folder / "matches.sqlite")}
    if "DAMIER_CACHE" not in os.environ:  # a home of its own would have an empty cache
        from damier.core.folders import cache_folder

        settings["DAMIER_CACHE"] = str(cache_folder())
    began = time.perf_counter()
    with (folder / "log").open("w", encoding="utf-8") as log:
        every = {**os.environ, **settings, **(environment or {})}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=every)
    try:
        assert process.stdout
        words = process.stdout.readline().split()
        if len(words) < 4:
            raise RuntimeError(f"the server did not start: {(folder / 'log').read_text()}")
        yield Served(process, words[3].rstrip("/"), folder, time.perf_counter() - began)
    finally:
        started = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        try:
            process.wait(_LONGEST_START)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for child in started:
            with contextlib.suppress(psutil.NoSuchProcess):  # one that compiles would go on and fill the cache
                child.kill()
        psutil.wait_procs(started, _LONGEST_START)
        if process.stdout:
            process.stdout.close()


def raise_file_limit() -> None:
    """Allows this process and those that it starts as many open connections as the system does."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Processes:
    """Counts the processes that a server starts, as far as they are seen when `look` is called."""

    def __init__(self, server: Served) -> None:
        self._server = server
        self._before = {child.pid for child in server.children}
        self._seen: set[int] = set()
        self.most = len(self._before)
        """The most that ran at once."""

        self.memory = server.memory_of_all
        """The most memory of all at once, in MB."""

    @property
    def started(self) -> int:
        """How many were started."""
        return len(self._seen)

    def look(self) -> None:
        """Counts those that run now."""
        pids = {child.pid for child in self._server.children}
        self._seen |= pids - self._before
        self.most = max(self.most, len(pids))
        self.memory = max(self.memory, self._server.memory_of_all)
