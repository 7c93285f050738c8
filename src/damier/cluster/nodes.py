"""The seam between work and where it runs: `Nodes`, each with one worker, a Python object whose methods are called.

A driver starts a worker on every node and calls its methods; calls of one node run in the order in which they were
submitted. The answer of a call can be an argument of another: then it goes from node to node and not through the
driver. `LocalNodes` are threads of this process; `RayNodes` (``ray_nodes.py``) are those of a Ray cluster. Nothing else
in the package imports Ray.

When a node is lost, what was submitted to it raises `NodeLost`; `replace_lost` then starts new workers where it can.
Workers have no other memory than what their driver gives them, so the driver repeats that for new ones. `run_tasks` is
the driver for tasks that need no state: any node may run them, and again if it is lost.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message

Answer = TypeVar("Answer")

MOST_TRIES = 5
"""How often work is repeated whose node is lost, before the driver gives up."""

_MOST_WAITING = 2  # calls that a node has before it, so that it never waits for the driver


class NodeLost(Exception):
    """A node, or the process of its worker, has ended; what it was doing must be repeated."""


class NoNodes(DamierError):
    """No node is left."""


class Call(ABC):
    """A call of a worker's method. As an argument of another call it stands for its answer."""

    node: int
    name: str

    @abstractmethod
    def answer(self) -> Any:
        """Waits and returns the answer; raises `NodeLost`, or what the method has raised."""


class Nodes(ABC):
    """Nodes with a worker each. A node keeps its number when others are lost."""

    threads: dict[int, int]
    """How many threads the worker of each node may use, by the numbers of the nodes that are there."""

    runs_tasks = False
    """Whether the workers are those of `run_tasks`; they are kept from one call of it to the next."""

    @abstractmethod
    def start(self, make: Callable[..., Any], *arguments: Any) -> None:
        """Makes a worker on each node: ``make(*arguments, threads)``; `make` is a class or function of a module."""

    @abstractmethod
    def submit(self, node: int, method: str, *arguments: Any, name: str) -> Call:
        """Calls a method of a node's worker; `name` is what dashboards show."""

    @abstractmethod
    def put(self, value: Any) -> Any:
        """Stores a value once for all nodes; returns what stands for it as an argument of calls."""

    @abstractmethod
    def first_done(self, calls: Collection[Call], seconds: float | None = None) -> list[Call]:
        """Waits until one of the calls is done, or for so long; returns those that are done."""

    @abstractmethod
    def replace_lost(self) -> list[int]:
        """Replaces lost workers; returns the numbers of new ones. Raises `NoNodes` if none is left."""

    @abstractmethod
    def close(self) -> None:
        """Stops all workers."""

    def everywhere(self, method: str, *arguments: Any, name: str) -> list[Call]:
        """Calls a method of every worker."""
        return [self.submit(node, method, *arguments, name=name) for node in self.threads]


@dataclass(frozen=True)
class ClusterChoice:
    """Which cluster to use, and how much of it."""

    address: str
    """``local`` for one that is started on this machine, or HOST:PORT of one that runs."""

    nodes: int | None = None
    """How many nodes; by default one for each core of this machine, or all of the cluster."""

    threads: int | None = None
    """Threads of each node, at most; by default one on this machine, or all cores of a node."""

    node_memory: int | None = None
    """Bytes of memory of each node; by default its share of this machine, or what the node has."""

    shared: str | None = None
    """The shared place; by default a folder beside the table."""


def spread(
    nodes: Nodes,
    ranges: Iterable[tuple[int, int]],
    submit: Callable[[int, int, int], Call],
    done: Callable[[int, int, Any], None],
    meanwhile: Callable[[], None] | None = None,
) -> dict[Call, tuple[int, int]]:
    """Has nodes process ranges, each node the next one when it is free; returns the calls with their ranges.

    `submit` takes a node and a range; `meanwhile` is called before any answer is taken, `done` with each answer.
    """
    waiting, running = iter(ranges), dict[Call, tuple[int, int]]()
    finished: dict[Call, tuple[int, int]] = {}
    load = dict.fromkeys(nodes.threads, 0)
    is_left = True
    while is_left or running:
        while is_left and min(load.values()) < _MOST_WAITING:
            node = min(load, key=lambda each: load[each])
            following = next(waiting, None)
            is_left = following is not None
            if following is not None:
                running[submit(node, *following)] = following
                load[node] += 1
        if meanwhile:
            meanwhile()
            meanwhile = None
        for call in nodes.first_done(running) if running else ():
            finished[call] = where = running.pop(call)
            load[call.node] -= 1
            done(*where, call.answer())
    return finished


@dataclass(frozen=True, eq=False)
class Task(Generic[Answer]):
    """A call of a function of a module, which any node can do."""

    name: str
    function: Callable[..., Answer]
    arguments: tuple[Any, ...] = ()


class TaskWorker:
    """Runs tasks."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def run(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Runs a task."""
        return function(*arguments)


def run_tasks(nodes: Nodes, tasks: Iterable[Task[Answer]]) -> Generator[tuple[Task[Answer], Answer], None, None]:
    """Yields the answers of tasks as they are ready, one task at a time on each node; takes tasks as nodes get free.

    A task whose node is lost is run again, by another node, MOST_TRIES times at most.
    """
    if not nodes.runs_tasks:
        nodes.start(TaskWorker)
        nodes.runs_tasks = True
    waiting, again = iter(tasks), deque[Task[Answer]]()
    running: dict[Call, Task[Answer]] = {}
    tries: dict[Task[Answer], int] = {}
    while True:
        free = sorted(set(nodes.threads) - {call.node for call in running})
        for node in free:
            task = again.popleft() if again else next(waiting, None)
            if task is None:
                break
            running[nodes.submit(node, "run", task.function, *task.arguments, name=task.name)] = task
        if not running:
            return
        for call in nodes.first_done(running):
            task = running.pop(call)
            try:
                answer = call.answer()
            except NodeLost:
                tries[task] = tries.get(task, 0) + 1
                if tries[task] >= MOST_TRIES:
                    raise lost_too_often(task.name) from None
                again.append(task)
                nodes.replace_lost()
                continue
            yield task, answer


def run_in_order(nodes: Nodes, tasks: Iterable[Task[Answer]]) -> Generator[Answer, None, None]:
    """Yields the answers of tasks in the order of the tasks, each as soon as all before it are there."""
    order, early = deque[Task[Answer]](), dict[Task[Answer], Answer]()

    def noted() -> Iterator[Task[Answer]]:
        for task in tasks:
            order.append(task)
            yield task

    with contextlib.closing(run_tasks(nodes, noted())) as answers:
        for task, answer in answers:
            early[task] = answer
            while order and order[0] in early:
                yield early.pop(order.popleft())


def lost_too_often(what: str) -> BadArgument:
    """Returns the error of work that no node survives."""
    return BadArgument(
        message("{count} nodes were lost, one after the other, at '{task}'.", count=MOST_TRIES, task=what)
    )


class LocalCall(Call):
    """A call that a thread of this process runs."""

    def __init__(self, node: int, name: str, future: Future[Any]) -> None:
        self.node, self.name, self.future = node, name, future

    def answer(self) -> Any:
        """Waits and returns the answer, or raises what the method has raised."""
        return self.future.result()


class LocalNodes(Nodes):
    """Nodes that are threads of this process. Kernels and NumPy release the GIL, so they do run in parallel."""

    def __init__(self, count: int, threads: int = 1) -> None:
        self.threads = dict.fromkeys(range(count), threads)
        self._pools = [ThreadPoolExecutor(1) for _ in self.threads]
        self._workers: dict[int, Any] = {}

    def start(self, make: Callable[..., Any], *arguments: Any) -> None:
        """Makes the workers, one after the other."""
        self.runs_tasks = False
        self._workers = {node: make(*arguments, threads) for node, threads in self.threads.items()}

    def submit(self, node: int, method: str, *arguments: Any, name: str) -> Call:
        """Calls a method of a node's worker in its thread."""
        worker = self._workers[node]

        def work() -> Any:
            given = [each.answer() if isinstance(each, Call) else each for each in arguments]
            return getattr(worker, method)(*given)

        return LocalCall(node, name, self._pools[node].submit(work))

    def put(self, value: Any) -> Any:
        """Returns the value: all nodes are here."""
        return value

    def first_done(self, calls: Collection[Call], seconds: float | None = None) -> list[Call]:
        """Waits until one of the calls is done, or for so long; returns those that are done."""
        futures = {call.future: call for call in calls if isinstance(call, LocalCall)}
        return [futures[done] for done in wait(futures, seconds, FIRST_COMPLETED).done]

    def replace_lost(self) -> list[int]:
        """Returns nothing: threads are not lost."""
        return []

    def close(self) -> None:
        """Ends the threads."""
        for pool in self._pools:
            with contextlib.suppress(RuntimeError):
                pool.shutdown(cancel_futures=True)
