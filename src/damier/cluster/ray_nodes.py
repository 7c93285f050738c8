"""Nodes of a Ray cluster, or of one started on this machine: one actor a node, which holds the worker.

Answers stay in the object store of the node that made them; NumPy arrays in them are mapped read-only by whoever gets
them, not copied. Ray's `memory` is bookkeeping for its scheduler: what keeps a worker to the memory of its node is a
limit that the operating system enforces (RLIMIT_DATA). Measured with Ray 2.60: starting two nodes takes 5 s, on a busy
machine 15 s and more; a round of calls to two nodes takes 1.6 ms.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import socket
import sys
import time
import warnings
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from damier.cluster.nodes import Call, NodeLost, Nodes, NoNodes
from damier.core.errors import BadArgument, DamierError
from damier.core.messages import Number, message, shown
from damier.core.version import __version__

LOCAL = "local"
MOST_NODES = 1024

_log = logging.getLogger(__name__)

_ADDRESS = re.compile(r"(?P<host>[A-Za-z0-9_.-]{1,253}|\[[0-9a-fA-F:]{2,45}\]):(?P<port>[0-9]{1,5})", re.ASCII)
_CONNECTING, _ANSWERING = 5.0, 20.0  # seconds
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))  # and settings, none
_FRAME_HEAD, _SETTINGS = 9, 4  # of HTTP/2: bytes, and the type of the first frame of a server
_NOT_MADE = "creation task"  # in what Ray says when the worker could not be made
_GRACE = 2.0  # seconds
_LEAST_STORE = 100 << 20  # bytes; Ray starts no smaller object store
_NOTICING = {"health_check_period_ms": 1000, "health_check_failure_threshold": 5}  # of nodes on this machine


@dataclass(frozen=True)
class NodeSize:
    """What a node gives its workers."""

    threads: int | None = None
    """Threads of a node, at most; by default one on this machine, or all cores of a node."""

    memory: int | None = None
    """Bytes for the worker and the object store of a node; None: no limit but the machine's."""

    store: int = _LEAST_STORE
    """Bytes of that for the object store."""

    is_divided: bool = False
    """Whether a node has a worker for each core, with one thread, instead of one with all."""


@contextlib.contextmanager
def ray_nodes(cluster: str, count: int | None, size: NodeSize) -> Iterator[RayNodes]:
    """Yields the nodes of a cluster: `cluster` is LOCAL or the address HOST:PORT of a Ray cluster.

    `count` is how many nodes to start or to use, by default one for each core or all there are.
    """
    check_installed()
    with warnings.catch_warnings(), contextlib.redirect_stdout(sys.stderr):  # where Ray prints what happens to nodes
        warnings.simplefilter("ignore")  # Ray's own modules warn of what is deprecated in others
        with _started(count, size) if cluster == LOCAL else _connected(cluster):
            nodes = RayNodes(count, size)
            try:
                yield nodes
            finally:
                nodes.close()


@contextlib.contextmanager
def ray_workers(cluster: str, jobs: int | None) -> Iterator[Nodes]:
    """Yields the cores of a cluster for `run_tasks`, `jobs` at most; `cluster` as for `ray_nodes`."""
    is_local = cluster == LOCAL
    size = NodeSize((jobs or os.cpu_count() or 1) if is_local else None, is_divided=True)
    with ray_nodes(cluster, 1 if is_local else None, size) as nodes:
        nodes.keep(jobs)
        yield nodes


def check_installed() -> None:
    """Refuses to go on without the packages of the extra."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else Ray warns of a change of its own
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent to anybody
    try:
        import fsspec  # noqa: F401  # only whether it is there
        import ray  # noqa: F401  # only whether it is there
    except ImportError:
        raise BadArgument(
            message(
                "{option} needs packages that are not installed: '{command}' installs them.",
                option="--cluster",
                command='pip install "damier[cluster]"',
            )
        ) from None


@contextlib.contextmanager
def _started(count: int | None, size: NodeSize) -> Iterator[None]:
    """Starts a cluster on this machine and connects to it; the first node is its head."""
    import ray
    from ray.cluster_utils import Cluster

    settings: dict[str, Any] = {"num_cpus": size.threads or 1, "object_store_memory": max(size.store, _LEAST_STORE)}
    settings["include_log_monitor"] = False  # nobody reads the logs of workers here; saves seconds of CPU
    head = {**settings, "include_dashboard": False, "no_monitor": True, "_system_config": _NOTICING}
    logging.getLogger("ray").setLevel(logging.ERROR)  # Ray tells of itself
    cluster = Cluster()
    try:
        try:
            cluster.add_node(**head)
            for _ in range((count or os.cpu_count() or 1) - 1):
                cluster.add_node(**settings)
            ray.init(cluster.address, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:  # Ray raises it bare when a node has not started after 30 s
            raise BadArgument(
                message(
                    "The cluster does not start on this machine: {why}.", why=str(error).splitlines()[0].rstrip(".")
                )
            ) from error
        try:
            yield
        finally:
            ray.shutdown()
    finally:
        cluster.shutdown()


@contextlib.contextmanager
def _connected(address: str) -> Iterator[None]:
    """Connects to a cluster that runs."""
    import ray

    _check_address(address)
    try:
        ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    except (ray.exceptions.RayError, ConnectionError, RuntimeError, ValueError, AssertionError) as error:
        raise _no_cluster(address, str(error).splitlines()[0] if str(error) else type(error).__name__) from None
    try:
        yield
    finally:
        ray.shutdown()


def _check_address(address: str) -> None:
    """Refuses an address where no server of HTTP/2, as Ray's is, answers: Ray itself would try for minutes."""
    match = _ADDRESS.fullmatch(address)
    if match is None or int(match["port"]) > 65535:
        raise BadArgument(
            message(
                "{option} takes {local} or the address of a Ray cluster as in {example}, not {text}.",
                option="--cluster",
                local=LOCAL,
                example="10.0.0.1:6379",
                text=shown(address),
            )
        )
    where = match["host"].strip("[]"), int(match["port"])
    try:
        with socket.create_connection(where, _CONNECTING) as connection:
            connection.settimeout(_ANSWERING)
            connection.sendall(_GREETING)
            frame = connection.recv(_FRAME_HEAD, socket.MSG_WAITALL)
    except (OSError, UnicodeError) as error:
        raise _no_cluster(address, getattr(error, "strerror", None) or str(error)) from None
    if len(frame) < _FRAME_HEAD or frame[3] != _SETTINGS:
        raise _no_cluster(address, "something else answers")


def _no_cluster(address: str, why: str) -> BadArgument:
    return BadArgument(
        message("There is no Ray cluster at {address}: {why}.", address=shown(address), why=why.rstrip("."))
    )


class _Actor:
    """What runs on a node: holds a worker within a limit of memory."""

    def __init__(self, make: Callable[..., Any], arguments: tuple[Any, ...], threads: int, memory: int | None) -> None:
        if memory is not None:
            limit_memory(memory)
        self._worker = make(*arguments, threads)

    def version(self) -> str:
        """Returns the version of the program on this node; answers when the worker is ready."""
        return __version__

    def call(self, method: str, *arguments: Any) -> Any:
        """Calls a method of the worker."""
        return getattr(self._worker, method)(*arguments)


def limit_memory(size: int) -> None:
    """Limits what this process allocates to `size` bytes, with what it has already; a MemoryError follows beyond."""
    if sys.platform == "win32":
        return
    import resource

    import psutil

    used = psutil.Process().memory_info()
    data = getattr(used, "data", used.vms)  # reserved address space counts, though most of it is never used
    with contextlib.suppress(ValueError, OSError):  # a lower limit of the system's
        resource.setrlimit(resource.RLIMIT_DATA, (data + max(0, size - used.rss),) * 2)


class RayCall(Call):
    """A call of an actor's method."""

    def __init__(self, nodes: RayNodes, node: int, name: str, ref: Any) -> None:
        self.node, self.name, self.ref = node, name, ref
        self._nodes = nodes

    def answer(self) -> Any:
        """Waits and returns the answer; raises `NodeLost`, or what the method has raised."""
        import ray
        from ray.exceptions import ActorDiedError, RayActorError, RayError, RayTaskError

        try:
            return ray.get(self.ref)
        except RayTaskError as error:
            cause = error.cause
            if isinstance(cause, MemoryError):
                raise self._nodes.too_little(self.name) from None
            if isinstance(cause, RayError):  # an argument was on a node that is lost
                raise NodeLost(self.name) from None
            if isinstance(cause, DamierError):
                raise cause from None
            raise
        except RayActorError as error:
            self._nodes.note_loss(self.node)
            if isinstance(error, ActorDiedError) and _NOT_MADE in str(error):
                raise self._nodes.not_made(self.name, str(error)) from None
            raise NodeLost(self.name) from None
        except RayError:
            raise NodeLost(self.name) from None


@dataclass(frozen=True)
class _Slot:
    """A place for a worker."""

    node_id: str
    threads: int


class RayNodes(Nodes):
    """The nodes of the cluster that this process is connected to."""

    def __init__(self, count: int | None, size: NodeSize) -> None:
        self._count, self._size = count, size
        self._making: tuple[Callable[..., Any], tuple[Any, ...]] | None = None
        self._slots = dict(enumerate(self._find_slots()))
        self._actors: dict[int, Any] = {}
        self._lost: set[int] = set()
        self.threads = {number: slot.threads for number, slot in self._slots.items()}

    def _find_slots(self) -> list[_Slot]:
        """Returns a slot for each node, or for each core of each node."""
        nodes = [(node_id, int(resources.get("CPU", 0))) for node_id, resources in _alive().items()]
        usable = [_Slot(node_id, min(cores, self._size.threads or cores)) for node_id, cores in nodes if cores >= 1]
        if self._count is not None and len(usable) < self._count:
            _log.warning("The cluster has %d nodes with cores instead of %d.", len(usable), self._count)
        usable = usable[: self._count]
        if not usable:
            raise NoNodes(message("The cluster has no node with a core for this work."))
        if self._size.is_divided:
            return [_Slot(slot.node_id, 1) for slot in usable for _ in range(slot.threads)]
        return usable

    def least_memory(self) -> int:
        """Returns the bytes of memory of the smallest node that is used."""
        found = _alive()
        return int(min(found[slot.node_id].get("memory", 0.0) for slot in self._slots.values()))

    def keep(self, count: int | None) -> None:
        """Uses only the first `count` slots."""
        for number in list(self._slots)[count:] if count is not None else ():
            del self._slots[number], self.threads[number]

    def start(self, make: Callable[..., Any], *arguments: Any) -> None:
        """Makes the workers, all at the same time, after ending earlier ones."""
        self.close()
        self.runs_tasks = False
        self._making = make, arguments
        for number in self._slots:
            self._actors[number] = self._start_actor(number)
        for number in list(self._slots):
            try:
                self._check_version(number)
            except NodeLost:
                self.replace_lost()

    def _start_actor(self, number: int) -> Any:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        assert self._making is not None, "no worker has been started"
        make, arguments = self._making
        slot = self._slots[number]
        memory = None if self._size.memory is None else max(1, self._size.memory - self._size.store)
        where = NodeAffinitySchedulingStrategy(slot.node_id, soft=False)
        actor = ray.remote(_Actor).options(num_cpus=slot.threads, scheduling_strategy=where)
        return actor.remote(make, arguments, slot.threads, memory)

    def _check_version(self, number: int) -> None:
        """Waits until a worker is ready; raises `BadArgument` if its node has another version of the program."""
        version = RayCall(self, number, "start", self._actors[number].version.remote()).answer()
        if version != __version__:
            raise BadArgument(
                message(
                    "A node of the cluster has version {other} of damier instead of {own}.",
                    other=str(version),
                    own=__version__,
                )
            )

    def submit(self, node: int, method: str, *arguments: Any, name: str) -> Call:
        """Calls a method of a node's worker."""
        given = [each.ref if isinstance(each, RayCall) else each for each in arguments]
        return RayCall(self, node, name, self._actors[node].call.options(name=name).remote(method, *given))

    def put(self, value: Any) -> Any:
        """Stores a value in the object store, from where each node fetches it once."""
        import ray

        return ray.put(value)

    def first_done(self, calls: Collection[Call], seconds: float | None = None) -> list[Call]:
        """Waits until one of the calls is done, or for so long; returns those that are done."""
        import ray

        refs = {call.ref: call for call in calls if isinstance(call, RayCall)}
        done, _ = ray.wait(list(refs), num_returns=1, timeout=seconds, fetch_local=False)
        return [refs[ref] for ref in done]

    def note_loss(self, number: int) -> None:
        """Notes that the process of a worker has ended."""
        self._lost.add(number)

    def not_made(self, what: str, why: str) -> BadArgument:
        """Returns the error of a worker that a node cannot make; `why` ends with a traceback."""
        if "MemoryError" in why:
            return self.too_little(what)
        reason = why.strip().splitlines()[-1].rstrip(".")
        return BadArgument(message("A node of the cluster cannot begin its work: {why}.", why=reason))

    def too_little(self, what: str) -> BadArgument:
        """Returns the error of work that does not fit into the memory of a node."""
        size = self._size.memory or self.least_memory()
        return BadArgument(
            message(
                "{size} GB of memory are too little for '{task}': give each node more with {option}.",
                size=Number(size / 2**30, ".1f"),
                task=what,
                option="--node-memory",
            )
        )

    def replace_lost(self) -> list[int]:
        """Starts new workers on nodes that are still there, and leaves out nodes that are not."""
        alive = _alive()
        if not self._lost and all(slot.node_id in alive for slot in self._slots.values()):
            time.sleep(_GRACE)  # an answer can be lost before the cluster has noticed why
            alive = _alive()
        new = []
        for number, slot in list(self._slots.items()):
            if slot.node_id not in alive:
                _log.warning("Node %d of the cluster is lost; the others go on.", number)
                del self._slots[number], self.threads[number], self._actors[number]
            elif number in self._lost:
                _log.warning("The worker of node %d has ended; another one takes its place.", number)
                self._actors[number] = self._start_actor(number)
                new.append(number)
        self._lost.clear()
        if not self._slots:
            raise NoNodes(message("All nodes of the cluster are lost; the same command goes on where it was."))
        return new

    def close(self) -> None:
        """Ends the workers."""
        import ray

        for actor in self._actors.values():
            with contextlib.suppress(Exception):  # it has ended already, or the cluster has
                ray.kill(actor)
        self._actors.clear()


def _alive() -> dict[str, dict[str, float]]:
    """Returns the resources of the nodes that are there, by their ids."""
    import ray

    return {node["NodeID"]: node["Resources"] for node in ray.nodes() if node["Alive"]}
