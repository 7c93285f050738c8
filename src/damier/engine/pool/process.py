"""A worker process as its parent sees it: start, send orders, receive replies, stop, kill, close.

One thread of the parent writes and one reads, so that no full pipe blocks anything.
"""

from __future__ import annotations

import contextlib
import logging
import math
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any

from damier.engine.child_process import start_detached

if TYPE_CHECKING:
    from damier.engine.pool.job import Job
    from damier.engine.pool.worker import Order, Reply, WorkerSettings

_START_SECONDS = 60.0  # for a process to start, on a busy machine
_STOP_SECONDS = 2.0  # for a search to stop; then its process is killed
_CLOSE_SECONDS = 5.0  # for an idle process to end by itself
_START = (
    "import pickle, sys; sys.path[:], *settings = pickle.load(sys.stdin.buffer);"
    "from damier.engine.pool.worker import serve_parent; serve_parent(*settings)"
)


class WorkerProcess:
    """A process that answers requests. All but `pid` is used under the lock of the pool."""

    def __init__(self, settings: WorkerSettings, handle: Callable[[WorkerProcess, Reply | None], None]) -> None:
        """`handle` is called with each reply, and with None when the process has ended, from another thread."""
        self.job: Job[Any] | None = None
        self.affinity: object = None
        """Of the last job."""
        self.is_idle = True
        self.deadline = math.inf
        """When the job, or stopping it, has taken too long."""
        self._is_ready, self._seconds = False, 0.0
        self._ticket = 0
        self._handle = handle
        self._orders: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._process = start_detached([sys.executable, "-P", "-X", "faulthandler", "-c", _START])
        self._orders.put((sys.path, *settings, logging.getLogger("damier").getEffectiveLevel()))
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._write, self._read)]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status once it has ended; negative for a signal."""
        return self._process.returncode

    @property
    def is_stopping(self) -> bool:
        """Whether it is stopping a search."""
        return self.job is None and not self.is_idle

    def begin(self, job: Job[Any], seconds: float) -> None:
        """Sends a job that may take `seconds`."""
        self._ticket += 1
        self.job, self.affinity, self.is_idle = job, job.request.affinity, False
        self._seconds = seconds
        self.deadline = time.monotonic() + seconds + (0.0 if self._is_ready else _START_SECONDS)
        self._send((self._ticket, job.data))

    def be_ready(self) -> None:
        """Notes that the process has started: the time of its job begins now."""
        self._is_ready = True
        if self.job:
            self.deadline = time.monotonic() + self._seconds

    def drop(self) -> None:
        """Takes the job away and stops its search."""
        self.job, self.deadline = None, time.monotonic() + _STOP_SECONDS
        self._send((self._ticket, None))

    def rest(self) -> None:
        """Marks the process as idle."""
        self.job, self.is_idle, self.deadline = None, True, math.inf

    def kill(self) -> None:
        """Ends the process at once."""
        self._process.kill()

    def close(self) -> None:
        """Lets an idle process end by itself, so that it can close the programs it has started; kills a busy one."""
        if self.is_idle:
            self._orders.put(None)
        else:
            self._process.kill()

    def join(self) -> None:
        """Waits until a closed process has ended; kills it if that takes too long."""
        try:
            self._process.wait(_CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(_STOP_SECONDS)

    def _send(self, order: Order) -> None:
        self._orders.put(order)

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe
        with contextlib.suppress(OSError), pipe:  # ended: the reader notices
            while (order := self._orders.get()) is not None:
                pipe.write(pickle.dumps(order))
                pipe.flush()

    def _read(self) -> None:
        pipe = self._process.stdout
        assert pipe
        with pipe:
            while (reply := _load(pipe)) is not None:
                self._handle(self, reply)
        self._process.kill()
        self._process.wait()
        self._orders.put(None)
        self._handle(self, None)


def _load(pipe: IO[bytes]) -> Reply | None:
    """Returns the next reply of a process; None when it has ended, perhaps in the middle of one, or sends nonsense."""
    try:
        ticket, is_last, content = pickle.load(pipe)
    except Exception:  # half a pickle may raise anything
        return None
    return ticket, is_last, content
