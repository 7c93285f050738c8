"""A job: a submitted request as a future that can be awaited and watched."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import queue
import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from damier.engine.pool.request import Request

Answer = TypeVar("Answer")


class Job(Future[Answer]):
    """A submitted request: a future that can also be awaited, and watched for what it reports."""

    def __init__(self, request: Request[Answer], owner: str, group: str, number: int) -> None:
        super().__init__()
        self.request = request
        self.priority = request.priority
        self.owner, self.group = owner, group
        self.data = pickle.dumps(request)
        self.number = number
        self.tries = 0
        self._found: list[Any] = []
        self._listeners: list[Callable[[Any], object]] = []
        self._lock = threading.Lock()

    def results(self) -> Iterator[Any]:
        """Yields all reports, such as analyses, from the first on as they come; raises the error of a failed job."""
        news: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._listen(news.put)
        while (report := news.get()) is not None:
            yield report
        self._raise_failure()

    async def aresults(self) -> AsyncIterator[Any]:
        """Yields what `results` yields, in an event loop."""
        loop = asyncio.get_running_loop()
        news: asyncio.Queue[Any] = asyncio.Queue()

        def put(report: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(news.put_nowait, report)

        self._listen(put)
        while (report := await news.get()) is not None:
            yield report
        self._raise_failure()

    def __await__(self) -> Generator[Any, None, Answer]:
        return asyncio.wrap_future(self).__await__()

    def add(self, report: Any) -> None:
        """Adds a report and passes it to the listeners."""
        with self._lock:
            self._found.append(report)
            for listener in self._listeners:
                listener(report)

    def _listen(self, listener: Callable[[Any], object]) -> None:
        """Calls a listener with all reports so far, those to come, and finally None."""
        with self._lock:
            for report in self._found:
                listener(report)
            self._listeners.append(listener)
        self.add_done_callback(lambda _: listener(None))

    def _raise_failure(self) -> None:
        if not self.cancelled() and (error := self.exception()):
            raise error
