"""The worker process: answers requests of its parent, one after the other.

Orders come on standard input and replies go to standard output, both as pickles; only the parent is at the other end.
One thread reads orders while another searches, so that a search can be stopped. When the parent ends, however it ends,
the closed pipe is noticed and this process ends too.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from logging.handlers import QueueHandler
from typing import IO

from damier.core.errors import DamierError
from damier.core.messages import message
from damier.engine.fault import EngineFault
from damier.engine.pool.request import EngineCache

Order = tuple[int, bytes | None]
"""What the parent sends: a ticket with a pickled request, or without one to stop the request of that ticket.

Tickets are ascending numbers."""

Reply = tuple[int, bool, object]
"""What the parent gets: the ticket, whether this is the last reply to it, and an analysis, the answer or an error.

With ticket 0 it is a log record, which the parent logs as its own, or None when the process is ready."""

WorkerSettings = tuple[int, int, bytes]
"""The size of each engine in MB, the niceness, and what to call at the start, pickled."""

_STOP_INTERVAL = 0.005  # seconds until a search is stopped again

_log = logging.getLogger(__name__)


class Worker:
    """Answers one request after the other until its orders end."""

    def __init__(
        self, orders: IO[bytes], replies: IO[bytes], memory: int, leave: Callable[[int], object] = os._exit
    ) -> None:
        self._orders, self._replies, self._leave = orders, replies, leave
        self._engines = EngineCache(memory)
        self._due: queue.SimpleQueue[tuple[int, bytes] | None] = queue.SimpleQueue()
        self._received = self._answered = self._stopped = 0  # tickets
        self._lock = threading.Lock()
        self._writing = threading.Lock()

    def run(self) -> None:
        """Answers requests; calls `leave` when the orders end, also in the middle of a search."""
        threading.Thread(target=self._read_orders, daemon=True).start()
        while due := self._due.get():
            answer = self._answer(*due)
            with self._lock:
                self._answered = due[0]
            self._reply((due[0], True, answer))
        self._engines.close()
        self._leave(0)

    def _read_orders(self) -> None:
        """Reads orders as they come."""
        with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):  # closed, perhaps in the middle of one
            while True:
                ticket, data = pickle.load(self._orders)
                if data is not None:
                    self._received = ticket
                    self._due.put((ticket, data))
                else:
                    threading.Thread(target=self._stop, args=(ticket,), daemon=True).start()
        self._due.put(None)
        with self._lock:
            is_busy = self._received > self._answered
        if is_busy:
            self._leave(0)

    def _stop(self, ticket: int) -> None:
        """Stops a request until it ends: it may not have begun yet, or start another search for the rest of a turn."""
        self._stopped = ticket
        while True:
            with self._lock:  # so that it does not stop the next one
                if self._answered >= ticket:
                    return
                self._engines.stop()
            time.sleep(_STOP_INTERVAL)

    def _answer(self, ticket: int, data: bytes) -> object:
        try:
            return pickle.loads(data).answer(self._engines, lambda found: self._reply((ticket, False, found)))
        except DamierError as error:
            from damier.solve.file.reader import BadTable  # imports NumPy: not before it is needed

            if isinstance(error, BadTable):
                _log.error("worker process %d cannot use a table, rebuild it: %s", os.getpid(), error)
            return error
        except MemoryError:
            _log.critical("worker process %d is out of memory and ends", os.getpid())
            self._leave(1)  # a new process has more
            return []
        except Exception:
            if self._stopped == ticket:  # before it had found anything
                return []
            _log.exception("worker process %d failed on a request", os.getpid())
            self._engines.close()
            return EngineFault(message("The engine has failed; the log says why."))

    def _reply(self, reply: Reply) -> None:
        data = pickle.dumps(reply)
        with self._writing, contextlib.suppress(OSError):  # the parent has ended: the end of the orders follows
            self._replies.write(data)
            self._replies.flush()

    def say_ready(self) -> None:
        """Tells the parent that the process has started."""
        self._reply((0, False, None))

    def send_log(self, record: logging.LogRecord) -> None:
        """Sends a log record to the parent."""
        self._reply((0, False, record))


class _ParentHandler(QueueHandler):
    """Sends log records to the parent, where logging is configured."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(None)  # type: ignore[arg-type]  # no queue: records go through the pipe
        self._worker = worker

    def enqueue(self, record: logging.LogRecord) -> None:
        """Sends a record."""
        self._worker.send_log(record)


def serve_parent(memory: int, niceness: int, prepare: bytes, log_level: int) -> None:
    """Answers the parent on standard input and output: what the process runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    prints = sys.stderr.fileno() if sys.stderr else os.open(os.devnull, os.O_WRONLY)
    os.dup2(prints, sys.stdout.fileno())  # nothing that is printed may mix with the replies
    worker = Worker(sys.stdin.buffer, replies, memory)
    log = logging.getLogger("damier")
    log.setLevel(log_level)
    log.addHandler(_ParentHandler(worker))
    with contextlib.suppress(OSError, AttributeError):  # not everywhere, and not needed
        os.nice(niceness)
    if call := pickle.loads(prepare):
        call()
    worker.say_ready()
    worker.run()
