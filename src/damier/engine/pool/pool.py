"""A pool of engines in worker processes, which cannot take this program down, behind a fair queue of jobs.

A process that dies is replaced and its job retried. Every job has an owner and a priority; `schedule` decides which
comes next and which makes way. One lock guards all state; callbacks of jobs are called without it.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import logging
import math
import os
import pickle
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import InvalidStateError
from types import TracebackType
from typing import TYPE_CHECKING, Any

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import Number, counted, message, plain
from damier.core.ranges import check_whole
from damier.engine.fault import EngineFault
from damier.engine.pool.job import Answer, Job
from damier.engine.pool.process import WorkerProcess
from damier.engine.pool.request import AnalyseRequest, ChooseRequest, ProbeRequest, Request
from damier.engine.pool.schedule import Schedule

if TYPE_CHECKING:
    from damier.engine.pool.worker import Reply

__all__ = ["AnalyseRequest", "ChooseRequest", "Job", "ProbeRequest", "QueueFull", "Request", "WorkerDied", "Workers"]

_MOST_PROCESSES = 1024
_MOST_MEMORY = 1 << 20  # MB
_MOST_WAITING = 1_000_000
_LONGEST_REASON = 200  # letters

_log = logging.getLogger(__name__)


class WorkerDied(EngineFault):
    """Every process that tried a job has died."""


class QueueFull(DamierError):
    """More requests wait than the queue may hold: of one owner, or of one priority."""


class Workers:
    """A pool of engines in processes, which are started when needed and end with this one.

    >>> import damier
    >>> from damier.engine.limit import Limit
    >>> game = damier.load(damier.games()[1])
    >>> with Workers(count=1) as workers:
    ...     job = workers.submit(AnalyseRequest(game, actions=("a1",), limit=Limit(nodes=500)))
    ...     job.result(timeout=60).mover
    'w'
    """

    def __init__(
        self,
        count: int | None = None,
        memory: int = 64,
        *,
        per_owner: int | None = None,
        queued_per_owner: int = 16,
        queued: int = 1000,
        niceness: int = 0,
        prepare: Callable[[], object] | None = None,
        grace: float = 10.0,
        longest: float = 600.0,
        tries: int = 2,
    ) -> None:
        """Uses `count` processes, by default one for each core, with `memory` MB for each engine.

        An owner may hold `per_owner` processes and have `queued_per_owner` jobs of a priority in the queue, which takes
        `queued` jobs of each priority. Processes run with `niceness` and call `prepare` when they start. A job may take
        `grace` seconds longer than its limit, or `longest` seconds if it has none. It is given up when `tries`
        processes have died.
        """
        self._count = (os.cpu_count() or 1) if count is None else count
        self._per_owner = self._count if per_owner is None else per_owner
        self._queued_per_owner, self._queued = queued_per_owner, queued
        self._settings = memory, niceness, pickle.dumps(prepare)
        check_whole("count", self._count, 1, _MOST_PROCESSES)
        check_whole("memory", memory, 1, _MOST_MEMORY)
        check_whole("per_owner", self._per_owner, 1, _MOST_PROCESSES)
        check_whole("queued_per_owner", queued_per_owner, 1, _MOST_WAITING)
        check_whole("queued", queued, 1, _MOST_WAITING)
        self._grace, self._longest, self._tries = grace, longest, tries
        self._numbers = itertools.count()
        self._waiting: list[Job[Any]] = []
        self._processes: list[WorkerProcess] = []
        self._settled: list[tuple[Callable[[Any], object], object]] = []  # called when the lock is free
        self._changed = threading.Condition()
        self._watcher: threading.Thread | None = None
        self._is_closed = False

    def submit(self, request: Request[Answer], owner: str = "", group: str | None = None) -> Job[Answer]:
        """Queues a request; raises `QueueFull`, or `BadArgument` if the pool is closed.

        Owners of one `group` share processes fairly with other groups; by default an owner is a group of its own.
        """
        job = Job(request, owner, owner if group is None else group, next(self._numbers))
        with self._change():
            if self._is_closed:
                raise BadArgument(message("The workers have been closed and take no more requests."))
            self._refuse_if_full(job)
            self._waiting.append(job)
        job.add_done_callback(lambda _: self._settle(job))
        return job

    def _refuse_if_full(self, job: Job[Any]) -> None:
        alike = [other.owner for other in self._waiting if other.priority == job.priority]
        if alike.count(job.owner) >= self._queued_per_owner:
            raise QueueFull(
                counted(
                    "{count} request of yours is waiting already: wait until it is done.",
                    "{count} requests of yours are waiting already: wait until one is done.",
                    count=self._queued_per_owner,
                )
            )
        if len(alike) >= self._queued:
            raise QueueFull(message("Too many requests are waiting: try again in a moment."))

    def start(self) -> None:
        """Starts all processes now, instead of when they are needed."""
        with self._change():
            while len(self._processes) < self._count and not self._is_closed:
                self._start()

    def load(self) -> dict[int, tuple[int, int]]:
        """Returns how many requests of each priority wait and run."""
        with self._changed:
            waiting = Counter(job.priority for job in self._waiting)
            running = Counter(process.job.priority for process in self._processes if process.job)
        return {priority: (waiting[priority], running[priority]) for priority in {*waiting, *running}}

    @property
    def pids(self) -> list[int]:
        """The ids of the running processes."""
        with self._changed:
            return [process.pid for process in self._processes]

    def close(self) -> None:
        """Cancels all jobs and ends all processes."""
        with self._changed:
            self._is_closed = True
            jobs = self._waiting + [process.job for process in self._processes if process.job]
            processes = self._processes[:]
            self._waiting.clear()
            self._processes.clear()
            self._changed.notify_all()
        for process in processes:
            process.close()
        for job in jobs:
            job.cancel()
        for process in processes:
            process.join()
        atexit.unregister(self.close)

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def _change(self) -> Iterator[None]:
        """Holds the lock for a change, then assigns jobs, then calls what the change has settled."""
        with self._changed:
            yield
            if not self._is_closed:
                self._assign()
                self._preempt()
                self._changed.notify_all()
            settled, self._settled = self._settled, []
        for settle, outcome in settled:
            with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
                settle(outcome)

    def _assign(self) -> None:
        """Gives jobs to idle processes, and starts processes up to the count."""
        while job := self._schedule().next_job():
            idle = [process for process in self._processes if process.is_idle]
            if not idle and len(self._processes) >= self._count:
                return
            self._waiting.remove(job)
            try:
                process = min(idle, key=lambda each: each.affinity != job.request.affinity) if idle else self._start()
            except (OSError, RuntimeError) as error:  # no more processes, or threads, can be started
                _log.error("a worker process does not start: %s", error)
                reason = plain(str(getattr(error, "strerror", None) or error), _LONGEST_REASON)
                self._settled.append(
                    (job.set_exception, EngineFault(message("An engine does not start: {reason}.", reason=reason)))
                )
            else:
                process.begin(job, self._seconds_for(job))

    def _preempt(self) -> None:
        """Stops a job for one that must not wait, and puts it back into the queue; one that stops is enough."""
        job = self._schedule().next_job()
        if job is None or any(process.is_stopping for process in self._processes):
            return
        victim = self._schedule().victim_of(job)
        for process in self._processes:
            if victim and process.job is victim:
                process.drop()
                self._waiting.append(victim)

    def _schedule(self) -> Schedule:
        running = [process.job for process in self._processes if process.job]
        return Schedule(self._waiting, running, self._per_owner)

    def _seconds_for(self, job: Job[Any]) -> float:
        """Returns how long a job may take."""
        seconds = job.request.limit.seconds
        return self._longest if seconds is None else seconds + self._grace

    def _start(self) -> WorkerProcess:
        if self._watcher is None:
            watcher = threading.Thread(target=self._watch, daemon=True)
            watcher.start()
            self._watcher = watcher
            atexit.register(self.close)
        process = WorkerProcess(self._settings, self._handle)
        self._processes.append(process)
        return process

    def _handle(self, process: WorkerProcess, reply: Reply | None) -> None:
        """Handles a reply, or the death of a process."""
        if reply is None:
            with self._change():
                self._replace(process)
            return
        ticket, is_last, content = reply
        if isinstance(content, logging.LogRecord):
            logging.getLogger(content.name).handle(content)
            return
        if not ticket:
            with self._change():
                process.be_ready()
            return
        if not is_last:
            if job := process.job:
                job.add(content)
            return
        with self._change():
            if job := process.job:
                self._settled.append(
                    (job.set_exception if isinstance(content, DamierError) else job.set_result, content)
                )
            process.rest()

    def _replace(self, process: WorkerProcess) -> None:
        """Removes a process that has died; another retries its job, unless it has had all its tries."""
        if process not in self._processes:  # closed
            return
        self._processes.remove(process)
        job = process.job
        if job is None:
            _log.warning("idle worker process %d died with status %s", process.pid, process.status)
            return
        job.tries += 1
        _log.warning(
            "worker process %d died with status %s on %s, try %d of %d",
            process.pid,
            process.status,
            type(job.request).__name__,
            job.tries,
            self._tries,
        )
        if job.tries < self._tries:
            self._waiting.append(job)
        else:
            sentence = counted(
                "The engine died {count} time over this request, which is given up.",
                "The engine died {count} times over this request, which is given up.",
                count=self._tries,
            )
            self._settled.append((job.set_exception, WorkerDied(sentence)))

    def _settle(self, job: Job[Any]) -> None:
        """Drops a job that has been cancelled."""
        if job.cancelled():
            job.set_running_or_notify_cancel()  # for `concurrent.futures.wait`
            with self._change():
                if job in self._waiting:
                    self._waiting.remove(job)
                for process in self._processes:
                    if process.job is job:
                        process.drop()

    def _watch(self) -> None:
        """Ends searches that take too long, and kills processes that do not stop."""
        while True:
            with self._changed:
                if self._is_closed:
                    return
                first = min((process.deadline for process in self._processes), default=math.inf)
                rest = None if first == math.inf else max(0.0, first - time.monotonic())
                if self._changed.wait(rest):
                    continue  # something has changed, perhaps the deadline
            with self._change():
                for process in self._processes:
                    if process.deadline <= time.monotonic():
                        self._end_overdue(process)

    def _end_overdue(self, process: WorkerProcess) -> None:
        job = process.job
        if job is None:
            _log.warning("worker process %d did not stop its search and is killed", process.pid)
            process.kill()
            process.deadline = math.inf
            return
        _log.warning(
            "%s took more than %g s in worker process %d",
            type(job.request).__name__,
            self._seconds_for(job),
            process.pid,
        )
        process.drop()
        seconds = Number(self._seconds_for(job), "g")
        sentence = message("This took more than {seconds} s and was stopped.", seconds=seconds)
        self._settled.append((job.set_exception, EngineFault(sentence)))
