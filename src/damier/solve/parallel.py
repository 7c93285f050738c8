"""Runs a compiled function over a range of numbers in several threads, a chunk at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

CHUNK = 1 << 16  # numbers: some milliseconds of work, so that Ctrl-C and progress do not wait

Work = Callable[[int, int, int], int]
"""Does the numbers from the first to the second as thread number so-and-so and returns a count."""


def run_chunks(
    work: Work, low: int, high: int, threads: int, done: Callable[[int], None] | None = None, chunk: int = CHUNK
) -> tuple[int, int]:
    """Does a range of numbers; returns the sum and the largest of the counts.

    `done` is told, in the calling thread and now and then, up to which number all are done. Ctrl-C ends all threads
    after their chunks and then goes on to the caller.
    """
    lock, is_over = threading.Lock(), threading.Event()
    position = low
    running: dict[int, int] = {}

    def worker(number: int) -> tuple[int, int]:
        nonlocal position
        total = largest = 0
        while not is_over.is_set():
            with lock:
                begin = position
                if begin >= high:
                    running.pop(number, None)
                    break
                position = min(high, begin + chunk)
                running[number] = begin
            count = work(begin, min(high, begin + chunk), number)
            total, largest = total + count, max(largest, count)
        return total, largest

    with ThreadPoolExecutor(threads) as pool:
        tasks = [pool.submit(worker, number) for number in range(threads)]
        try:
            for task in tasks:
                while True:
                    try:
                        task.result(timeout=0.2)
                        break
                    except TimeoutError:
                        if task.done():
                            raise
                        if done:
                            with lock:
                                reached = min(running.values(), default=position)
                            done(reached)
        finally:
            is_over.set()
    counts = [task.result() for task in tasks]
    return sum(total for total, _ in counts), max(largest for _, largest in counts)
