"""Runs a compiled function over a range of numbers in several threads, a chunk at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

CHUNK = 1 << 16  # numbers: some milliseconds of work, so that Ctrl-C and progress do not wait

_PROGRESS_SECONDS = 0.2  # between two calls of `done`

Work = Callable[[int, int, int], int]
"""Processes ``[low, high)`` on `thread`; returns a count."""


def run_chunks(
    work: Work, low: int, high: int, threads: int, done: Callable[[int], None] | None = None, chunk: int = CHUNK
) -> tuple[int, int]:
    """Processes ``[low, high)`` in chunks; returns the sum and the maximum of the counts.

    `done` is called every 0.2 s, in the calling thread, with the number below which everything is done. Ctrl-C lets
    each thread finish its chunk and is then raised here.
    """
    chunks = _Chunks(low, high, chunk)
    with ThreadPoolExecutor(threads) as pool:
        tasks = [pool.submit(chunks.process, work, thread) for thread in range(threads)]
        try:
            for task in tasks:
                while True:
                    try:
                        task.result(timeout=_PROGRESS_SECONDS)
                        break
                    except TimeoutError:
                        if task.done():
                            raise
                        if done:
                            done(chunks.reached())
        finally:
            chunks.stop()
    counts = [task.result() for task in tasks]
    return sum(total for total, _ in counts), max(largest for _, largest in counts)


class _Chunks:
    """A range of numbers that threads share, a chunk at a time."""

    def __init__(self, low: int, high: int, size: int) -> None:
        self._next, self._high, self._size = low, high, size
        self._lock, self._is_stopped = threading.Lock(), threading.Event()
        self._begun: dict[int, int] = {}  # where the chunk of each thread begins

    def process(self, work: Work, thread: int) -> tuple[int, int]:
        """Processes chunks until none is left; returns the sum and the maximum of the counts."""
        total = largest = 0
        while not self._is_stopped.is_set():
            with self._lock:
                begin = self._next
                if begin >= self._high:
                    self._begun.pop(thread, None)
                    break
                self._next = end = min(self._high, begin + self._size)
                self._begun[thread] = begin
            count = work(begin, end, thread)
            total, largest = total + count, max(largest, count)
        return total, largest

    def reached(self) -> int:
        """Returns the number below which everything is done."""
        with self._lock:
            return min(self._begun.values(), default=self._next)

    def stop(self) -> None:
        """Lets no thread begin another chunk."""
        self._is_stopped.set()
