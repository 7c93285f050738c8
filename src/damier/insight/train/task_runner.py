"""Calls one function with many sets of arguments, on processes of this machine or the nodes of a cluster, in order."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any

from damier.cluster.nodes import Task, run_in_order

if TYPE_CHECKING:
    from damier.cluster.nodes import Nodes


FAR = 8
"""Games of a call that goes to another process."""


class TaskRunner:
    """What calls functions: the nodes of a cluster, processes, or else this process itself."""

    def __init__(self, cluster: Nodes | None = None, pool: ProcessPoolExecutor | None = None) -> None:
        self._cluster, self._pool = cluster, pool

    @property
    def at_once(self) -> int:
        """How many games a call should play: few where that is all that Ctrl-C loses, more where calls travel."""
        return FAR if self._cluster or self._pool else 1

    def call(self, function: Callable[..., Any], calls: Sequence[tuple[Any, ...]]) -> Generator[Any, None, None]:
        """Yields what a function of a module returns for each tuple of arguments, in their order."""
        if self._cluster:
            tasks = [Task(f"{function.__name__} {number}", function, call) for number, call in enumerate(calls)]
            yield from run_in_order(self._cluster, tasks)
        elif self._pool:
            yield from self._pool.map(function, *zip(*calls, strict=True)) if calls else ()
        else:
            yield from (function(*call) for call in calls)


@contextlib.contextmanager
def task_runner(jobs: int = 1, cluster: Nodes | None = None) -> Iterator[TaskRunner]:
    """Yields the nodes of a cluster if there is one, `jobs` processes if there are to be several, else this process."""
    if cluster is not None or jobs == 1:
        yield TaskRunner(cluster)
        return
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _ignore_interrupt)
    try:
        yield TaskRunner(pool=pool)
    finally:
        pool.shutdown(cancel_futures=True)  # after Ctrl-C, only calls that have begun are waited for


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
