"""Calls one function with many sets of arguments, on processes of this machine or the nodes of a cluster, in order."""

from __future__ import annotations

import contextlib
import math
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.cluster.nodes import Task, run_in_order
from damier.engine.limit import Limit
from damier.engine.pool.pool import Job, Request, Workers

if TYPE_CHECKING:
    from damier.cluster.nodes import Nodes
    from damier.engine.pool.request import EngineCache


FAR = 8
"""Games of a call that goes to another machine."""

NEAR = 2
"""Games of a call that goes to another process."""

_AHEAD = 3  # calls in the queue for each process
_TRIES = 3  # processes that may die over a call
_UNTIL_DONE = Limit()


@dataclass(frozen=True)
class CallRequest(Request[Any]):
    """Asks a process to call a function of a module."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    limit: Limit = _UNTIL_DONE

    def answer(self, engines: EngineCache, report: Callable[[Any], object]) -> Any:  # noqa: ARG002  # calls need neither
        """Returns what the function returns."""
        return self.function(*self.arguments)


class TaskRunner:
    """What calls functions: the nodes of a cluster, `jobs` processes, or else this process itself."""

    def __init__(self, jobs: int = 1, cluster: Nodes | None = None, workers: Workers | None = None) -> None:
        self._jobs, self._cluster, self._workers = jobs, cluster, workers

    @property
    def at_once(self) -> int:
        """How many games a call should play: few where that is all that Ctrl-C loses, more where calls travel."""
        return FAR if self._cluster else NEAR if self._workers else 1

    def call(self, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]) -> Generator[Any, None, None]:
        """Yields what a function of a module returns for each tuple of arguments, in their order."""
        if self._cluster:
            tasks = (Task(f"{function.__name__} {number}", function, call) for number, call in enumerate(calls))
            yield from run_in_order(self._cluster, tasks)
        elif self._workers:
            running: deque[Job[Any]] = deque()
            for call in calls:
                running.append(self._workers.submit(CallRequest(function, call)))
                if len(running) >= _AHEAD * self._jobs:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        else:
            yield from (function(*call) for call in calls)


@contextlib.contextmanager
def task_runner(jobs: int = 1, cluster: Nodes | None = None) -> Iterator[TaskRunner]:
    """Yields the nodes of a cluster if there is one, `jobs` processes if there are to be several, else this process.

    After Ctrl-C the processes end at once, and so they do when this process is killed.
    """
    if cluster is not None or jobs == 1:
        yield TaskRunner(cluster=cluster)
        return
    with Workers(count=jobs, queued_per_owner=_AHEAD * jobs, longest=math.inf, tries=_TRIES) as workers:
        yield TaskRunner(jobs, workers=workers)
