"""Engines in processes of their own, which cannot take the program down: a queue of jobs and those who do them.

A process that dies is replaced and its job done once more by another. Whoever asks is an owner: who has more than a
share of the processes while others wait has to give some back. All of it is behind one lock; callbacks of jobs are
called without it. Per process, one thread of this program reads and one writes, so that no full pipe stops anything.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import itertools
import math
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from concurrent.futures import Future, InvalidStateError
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, TypeVar, overload

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message, plain, shown
from damier.core.ranges import check_whole
from damier.engine.analysis import Analysis
from damier.engine.pool.worker import AnalyseRequest, ChooseRequest, ProbeRequest
from damier.engine.protocols.programs import EngineFault

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.engine.pool.worker import Order, Reply, Request

__all__ = ["AnalyseRequest", "ChooseRequest", "Job", "ProbeRequest", "Workers"]

Answer = TypeVar("Answer")

_MOST_PROCESSES = 1024
_MOST_MEMORY = 1 << 20  # MB
_MOST_WAITING = 1_000_000
_TRIES = 2  # of a job whose process dies
_STOP_SECONDS = 2.0  # for a search that is told to stop; then its process is killed
_LONGEST_REASON = 200  # letters
_START = (
    "import pickle, sys; sys.path[:], memory = pickle.load(sys.stdin.buffer);"
    "from damier.engine.pool.worker import serve_parent; serve_parent(memory)"
)


class Job(Future[Answer]):
    """A request that has been handed in: a future, which may be awaited and watched while it grows."""

    def __init__(self, request: Request, owner: str, number: int) -> None:
        super().__init__()
        self.request = request
        self.owner = owner
        self.data = pickle.dumps(request)
        self.number = number
        self.tries = 0
        self._found: list[Analysis] = []
        self._listeners: list[Callable[[Analysis], object]] = []
        self._lock = threading.Lock()

    @property
    def is_analysis(self) -> bool:
        """Whether it can wait for those who choose an action."""
        return isinstance(self.request, AnalyseRequest)

    def results(self) -> Iterator[Analysis]:
        """Yields all analyses from the first on as they come; ends when the job does, with its error if it fails."""
        news: queue.SimpleQueue[Analysis | None] = queue.SimpleQueue()
        self._listen(news.put)
        while (analysis := news.get()) is not None:
            yield analysis
        self._raise_failure()

    async def aresults(self) -> AsyncIterator[Analysis]:
        """Yields what `results` yields, to an event loop."""
        loop = asyncio.get_running_loop()
        news: asyncio.Queue[Analysis | None] = asyncio.Queue()

        def hear(analysis: Analysis | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(news.put_nowait, analysis)

        self._listen(hear)
        while (analysis := await news.get()) is not None:
            yield analysis
        self._raise_failure()

    def __await__(self) -> Generator[Any, None, Answer]:
        return asyncio.wrap_future(self).__await__()

    def hear(self, analysis: Analysis) -> None:
        """Takes the next analysis: for those who do the job."""
        with self._lock:
            self._found.append(analysis)
            for listener in self._listeners:
                listener(analysis)

    def _listen(self, hear: Callable[[Analysis | None], object]) -> None:
        """Lets a listener hear what was found so far and will be, then None."""
        with self._lock:
            for analysis in self._found:
                hear(analysis)
            self._listeners.append(hear)
        self.add_done_callback(lambda _: hear(None))

    def _raise_failure(self) -> None:
        if not self.cancelled() and (error := self.exception()):
            raise error


class _Process:
    """A process with an engine, and the way to it."""

    def __init__(self, memory: int, hear: Callable[[_Process, Reply | None], None]) -> None:
        self.job: Job[Any] | None = None
        self.game: Game | None = None
        """What it has searched last."""
        self.is_idle = True
        self.deadline = math.inf
        """When the time of its job is over or, if it has been told to stop, its own."""
        self._ticket = 0
        self._hear = hear
        self._orders: queue.SimpleQueue[object] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-X", "faulthandler", "-c", _START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is not meant for it
        )
        self._orders.put((sys.path, memory))
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._write, self._read)]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_stopping(self) -> bool:
        """Whether it has been told to stop and has not done so yet."""
        return self.job is None and not self.is_idle

    def begin(self, job: Job[Any], seconds: float) -> None:
        """Gives it a job that may take so long."""
        self._ticket += 1
        self.job, self.game, self.is_idle = job, job.request.game, False
        self.deadline = time.monotonic() + seconds
        self._order((self._ticket, job.data))

    def drop(self) -> None:
        """Takes its job away from it and gives it some time to stop."""
        self.job, self.deadline = None, time.monotonic() + _STOP_SECONDS
        self._order((self._ticket, None))

    def rest(self) -> None:
        """Notes that it has done or dropped its job."""
        self.job, self.is_idle, self.deadline = None, True, math.inf

    def kill(self) -> None:
        """Ends the process at once."""
        self._process.kill()

    def join(self) -> None:
        """Waits until everything of a killed process has ended."""
        self._process.wait()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(_STOP_SECONDS)

    def _order(self, order: Order) -> None:
        self._orders.put(order)

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe
        with contextlib.suppress(OSError), pipe:  # it has died, as its output will tell
            while (order := self._orders.get()) is not None:
                pipe.write(pickle.dumps(order))
                pipe.flush()

    def _read(self) -> None:
        pipe = self._process.stdout
        assert pipe
        with pipe:
            while (reply := _load(pipe)) is not None:
                self._hear(self, reply)
        self._process.kill()
        self._process.wait()
        self._orders.put(None)
        self._hear(self, None)


def _load(pipe: IO[bytes]) -> Reply | None:
    """Returns the next reply of a process, or None when it has died, perhaps in the middle of one."""
    try:
        reply: Reply = pickle.load(pipe)
    except Exception:  # half a pickle may raise anything
        return None
    return reply


class Workers:
    """A pool of engines in processes, which are started when they are needed and end with this one.

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
        grace: float = 10.0,
        longest: float = 600.0,
    ) -> None:
        self._count = (os.cpu_count() or 1) if count is None else count
        self._memory = memory
        self._per_owner = self._count if per_owner is None else per_owner
        self._queued_per_owner = queued_per_owner
        check_whole("count", self._count, 1, _MOST_PROCESSES)
        check_whole("memory", memory, 1, _MOST_MEMORY)
        check_whole("per_owner", self._per_owner, 1, _MOST_PROCESSES)
        check_whole("queued_per_owner", queued_per_owner, 1, _MOST_WAITING)
        self._grace, self._longest = grace, longest
        self._numbers = itertools.count()
        self._waiting: list[Job[Any]] = []
        self._crew: list[_Process] = []
        self._news: list[tuple[Callable[[Any], object], object]] = []  # to be told when the lock is free
        self._changed = threading.Condition()
        self._watcher: threading.Thread | None = None
        self._is_closed = False

    @overload
    def submit(self, request: AnalyseRequest | ProbeRequest, owner: str = "") -> Job[Analysis]: ...

    @overload
    def submit(self, request: ChooseRequest, owner: str = "") -> Job[list[str]]: ...

    def submit(self, request: Request, owner: str = "") -> Job[Any]:
        """Hands in a request; raises `BadArgument` if its owner has too many waiting or the workers are closed."""
        job: Job[Any] = Job(request, owner, next(self._numbers))
        with self._change():
            if self._is_closed:
                raise BadArgument(message("The workers have been closed and take no more requests."))
            if sum(other.owner == owner for other in self._waiting) >= self._queued_per_owner:
                raise BadArgument(
                    message(
                        "{count} requests of {owner} are waiting already; no more are taken until one is done.",
                        count=self._queued_per_owner,
                        owner=shown(owner),
                    )
                )
            self._waiting.append(job)
        job.add_done_callback(lambda _: self._settle(job))
        return job

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes that have been started and live."""
        with self._changed:
            return [process.pid for process in self._crew]

    def close(self) -> None:
        """Cancels all jobs and ends all processes."""
        with self._changed:
            self._is_closed = True
            jobs = self._waiting + [process.job for process in self._crew if process.job]
            crew = self._crew[:]
            self._waiting.clear()
            self._crew.clear()
            self._changed.notify_all()
        for process in crew:
            process.kill()
        for job in jobs:
            job.cancel()
        for process in crew:
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
        """Holds the lock for a change, hands out what can be, and then tells everybody concerned."""
        with self._changed:
            yield
            if not self._is_closed:
                self._hand_out()
                self._make_way()
                self._changed.notify_all()
            news, self._news = self._news, []
        for tell, what in news:
            with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
                tell(what)

    def _hand_out(self) -> None:
        """Gives jobs to processes that have none, and starts those that are missing."""
        while self._waiting:
            idle = [process for process in self._crew if process.is_idle]
            if not idle and len(self._crew) >= self._count:
                return
            held = self._held()
            job = min(self._waiting, key=lambda each: _rank(each, held[each.owner], self._per_owner))
            self._waiting.remove(job)
            try:
                process = min(idle, key=lambda each: each.game != job.request.game) if idle else self._start()
            except (OSError, RuntimeError) as error:  # no more processes, or threads, can be started
                reason = plain(str(getattr(error, "strerror", None) or error), _LONGEST_REASON)
                self._news.append(
                    (job.set_exception, EngineFault(message("An engine does not start: {reason}.", reason=reason)))
                )
            else:
                process.begin(job, self._seconds_for(job))

    def _make_way(self) -> None:
        """Puts jobs of owners who hold more than their share back into the queue, for those who have less."""
        share, held = self._per_owner, self._held()
        waiting = Counter(job.owner for job in self._waiting)
        due = sum(min(count, share - held[owner]) for owner, count in waiting.items() if held[owner] < share)
        due -= sum(process.is_stopping for process in self._crew)  # they will be free soon
        busy = [(process, process.job) for process in self._crew if process.job]
        for process, job in sorted(busy, key=lambda each: (each[1].is_analysis, each[1].number), reverse=True):
            if due > 0 and held[job.owner] > share:
                process.drop()
                self._waiting.append(job)
                held[job.owner] -= 1
                due -= 1

    def _held(self) -> Counter[str]:
        """Returns how many processes work for each owner."""
        return Counter(process.job.owner for process in self._crew if process.job)

    def _seconds_for(self, job: Job[Any]) -> float:
        """Returns how long a job may take before something must be wrong."""
        seconds = job.request.limit.seconds
        return self._longest if seconds is None else seconds + self._grace

    def _start(self) -> _Process:
        if self._watcher is None:
            watcher = threading.Thread(target=self._watch, daemon=True)
            watcher.start()
            self._watcher = watcher
            atexit.register(self.close)
        process = _Process(self._memory, self._hear)
        self._crew.append(process)
        return process

    def _hear(self, process: _Process, reply: Reply | None) -> None:
        """Takes a reply, or the news that a process has died."""
        if reply is None:
            with self._change():
                self._bury(process)
            return
        _, is_last, content = reply
        if not is_last:
            if (job := process.job) and isinstance(content, Analysis):
                job.hear(content)
            return
        with self._change():
            if job := process.job:
                self._news.append((job.set_exception if isinstance(content, DamierError) else job.set_result, content))
            process.rest()

    def _bury(self, process: _Process) -> None:
        """Lets the job of a process that has died be done by another, unless that was not the first."""
        if process not in self._crew:
            return
        self._crew.remove(process)
        if job := process.job:
            job.tries += 1
            if job.tries < _TRIES:
                self._waiting.append(job)
            else:
                sentence = message("The engine died {count} times over this request, which is given up.", count=_TRIES)
                self._news.append((job.set_exception, EngineFault(sentence)))

    def _settle(self, job: Job[Any]) -> None:
        """Drops a job that is done because it was cancelled."""
        if job.cancelled():
            job.set_running_or_notify_cancel()  # for those who wait for several futures
            with self._change():
                if job in self._waiting:
                    self._waiting.remove(job)
                for process in self._crew:
                    if process.job is job:
                        process.drop()

    def _watch(self) -> None:
        """Ends searches that go on for too long, and processes that do not stop."""
        while True:
            with self._changed:
                if self._is_closed:
                    return
                first = min((process.deadline for process in self._crew), default=math.inf)
                rest = None if first == math.inf else max(0.0, first - time.monotonic())
                if self._changed.wait(rest):
                    continue  # something has changed, perhaps the deadline
            with self._change():
                for process in self._crew:
                    if process.deadline <= time.monotonic():
                        self._end_overdue(process)

    def _end_overdue(self, process: _Process) -> None:
        job = process.job
        if job is None:
            process.kill()
            process.deadline = math.inf
            return
        process.drop()
        seconds = f"{self._seconds_for(job):g}"
        sentence = message("The search did not end within {seconds} seconds and was stopped.", seconds=seconds)
        self._news.append((job.set_exception, EngineFault(sentence)))


def _rank(job: Job[Any], held: int, share: int) -> tuple[bool, bool, int, int]:
    """Returns by what jobs are ordered: lower comes first."""
    return held >= share, job.is_analysis, held, job.number
