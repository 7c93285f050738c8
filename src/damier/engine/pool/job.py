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

from damier.engine.analysis import Analysis

if TYPE_CHECKING:
    from damier.engine.pool.request import Request

Answer = TypeVar("Answer")


class Job(Future[Answer]):
    """A submitted request: a future that can also be awaited, and watched for its analyses."""

    def __init__(self, request: Request[Answer], owner: str, number: int) -> None:
        super().__init__()
        self.request = request
        self.owner = owner
        self.data = pickle.dumps(request)
        self.number = number
        self.tries = 0
        self._found: list[Analysis] = []
        self._listeners: list[Callable[[Analysis], object]] = []
        self._lock = threading.Lock()

    def results(self) -> Iterator[Analysis]:
        """Yields all analyses from the first on as they come; raises the error of the job if it fails."""
        news: queue.SimpleQueue[Analysis | None] = queue.SimpleQueue()
        self._listen(news.put)
        while (analysis := news.get()) is not None:
            yield analysis
        self._raise_failure()

    async def aresults(self) -> AsyncIterator[Analysis]:
        """Yields what `results` yields, in an event loop."""
        loop = asyncio.get_running_loop()
        news: asyncio.Queue[Analysis | None] = asyncio.Queue()

        def put(analysis: Analysis | None) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(news.put_nowait, analysis)

        self._listen(put)
        while (analysis := await news.get()) is not None:
            yield analysis
        self._raise_failure()

    def __await__(self) -> Generator[Any, None, Answer]:
        return asyncio.wrap_future(self).__await__()

    def add(self, analysis: Analysis) -> None:
        """Adds an analysis and passes it to the listeners."""
        with self._lock:
            self._found.append(analysis)
            for listener in self._listeners:
                listener(analysis)

    def _listen(self, listener: Callable[[Analysis | None], object]) -> None:
        """Calls a listener with all analyses so far, those to come, and finally None."""
        with self._lock:
            for analysis in self._found:
                listener(analysis)
            self._listeners.append(listener)
        self.add_done_callback(lambda _: listener(None))

    def _raise_failure(self) -> None:
        if not self.cancelled() and (error := self.exception()):
            raise error
