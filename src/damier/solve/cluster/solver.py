"""Solves and verifies games on a cluster: estimates and checks the memory of nodes, then drives the work."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from damier.cluster.nodes import ClusterChoice, NodeLost, Nodes
from damier.cluster.ray_nodes import LOCAL, MOST_NODES, NodeSize, check_installed, ray_nodes
from damier.cluster.shared_place import SharedPlace
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.core.ranges import check_whole
from damier.solve.build.solver import Solved, check_disk, needs, size_text
from damier.solve.codes import CHANCE_CODING
from damier.solve.location import locked, tiers_folder
from damier.solve.memory import peak_memory, total_memory
from damier.solve.numbering import coding_of, name_of
from damier.solve.tables import Tables

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.solve.verify.verifier import Verified

    Show = Callable[[float, str], None]

_PROGRAM = 300 << 20  # bytes of a worker besides the entries
_MESSAGES = 100 << 20  # bytes of an object store besides what the largest tier needs


@dataclass(frozen=True)
class NodeNeeds:
    """The memory that a node takes."""

    worker: int
    store: int
    """Bytes of the object store, through which nodes tell each other what has changed."""

    @property
    def memory(self) -> int:
        """Both together."""
        return self.worker + self.store


def node_needs(tables: Tables, *, is_built: bool = False) -> NodeNeeds:
    """Returns the memory of a node that takes part in building a table, or in verifying it if it `is_built`."""
    if coding_of(tables.game) == CHANCE_CODING:
        raise BadArgument(
            message(
                "{game} has a die; its table is built and verified on one machine, without {option}.",
                game=name_of(tables.game),
                option="--cluster",
            )
        )
    numbering = tables.numbering
    if numbering.codes.entry_bytes != 1:
        raise BadArgument(
            message(
                "{game} has wins too long for a byte: its table is built and verified without {option}.",
                game=name_of(tables.game),
                option="--cluster",
            )
        )
    largest = max(tier.entries for tier in numbering.tiers)
    worker = numbering.entries + numbering.numbers.nbytes + _PROGRAM
    if is_built:
        return NodeNeeds(worker, min(largest, numbering.entries) // 2 + _MESSAGES)
    return NodeNeeds(worker + largest, largest + _MESSAGES)


def solve_on_cluster(game: Game, choice: ClusterChoice, *, folder: Path | None = None, show: Show) -> Solved:
    """Builds the table of a game on a cluster, going on from what the shared place has."""
    from damier.solve.cluster.outcomes import ClusterBuilder
    from damier.solve.cluster.pieces import TierStore
    from damier.solve.cluster.replica import sources

    tables = Tables(game, folder)
    need = _checked(tables, choice, node_needs(tables))
    with locked(tables.path):
        check_disk(tables, replace(needs(tables), disk=needs(tables).disk // 2))
        version = sources(tables.numbering)
        with _place(tables, choice, version) as place, open_nodes(tables, choice, need) as nodes:
            builder = ClusterBuilder(tables.numbering, tables.path, nodes, TierStore(place), show)
            began, worked = time.perf_counter(), time.process_time()
            header = builder.run()
            seconds, cpu = time.perf_counter() - began, time.process_time() - worked
            more, memory = _spent(nodes)
            if choice.shared is None:
                place.clear()
    size = tables.path.stat().st_size
    return Solved(header, tables.path, size, round(seconds, 1), round(cpu + more, 1), memory)


@contextlib.contextmanager
def _place(tables: Tables, choice: ClusterChoice, version: str) -> Iterator[SharedPlace]:
    """Yields the shared place of a table and a version of the solver; leaves no empty folder beside the table."""
    if choice.shared is not None:
        yield SharedPlace(choice.shared, f"{tables.path.stem}/{version}")
        return
    own = tiers_folder(tables.path)
    place = SharedPlace(str(own), version)
    try:
        yield place
    finally:
        for folder in (own / version, own):
            with contextlib.suppress(OSError):  # it has tiers to go on from
                folder.rmdir()


def verify_on_cluster(tables: Tables, choice: ClusterChoice, show: Show) -> Verified:
    """Derives every entry of a table a second time, on a cluster; raises `BadTable` or `WrongEntry`."""
    from damier.solve.cluster.verifier import ClusterVerifier

    _ = tables.file  # refuses what is missing or damaged before a cluster starts
    need = _checked(tables, choice, node_needs(tables, is_built=True))
    with open_nodes(tables, choice, need) as nodes:
        found = ClusterVerifier(tables, nodes, show).run()
        return replace(found, cpu_seconds=found.cpu_seconds + _spent(nodes)[0])


def _checked(tables: Tables, choice: ClusterChoice, need: NodeNeeds) -> NodeNeeds:
    """Refuses what can be refused before a cluster is there; returns what is needed."""
    check_installed()
    if choice.nodes is not None:
        check_whole("nodes", choice.nodes, 1, MOST_NODES)
    limit = choice.node_memory
    if limit is None and choice.address == LOCAL:
        limit = total_memory() // _local_count(choice)
    if limit is not None:
        _check_memory(tables, need, limit)
    return need


def _local_count(choice: ClusterChoice) -> int:
    return choice.nodes or os.cpu_count() or 1


def _check_memory(tables: Tables, need: NodeNeeds, limit: int) -> None:
    """Raises `BadArgument` if a node has less memory than the work takes."""
    if need.memory > limit:
        raise BadArgument(
            message(
                "{game} needs {needed} of memory on each node, which has {limit}: give it more with {option}.",
                game=name_of(tables.game),
                needed=size_text(need.memory),
                limit=size_text(limit),
                option="--node-memory",
            )
        )


@contextlib.contextmanager
def open_nodes(tables: Tables, choice: ClusterChoice, need: NodeNeeds) -> Iterator[Nodes]:
    """Yields the nodes of a cluster, each with the memory that is allowed, if that is enough."""
    memory = choice.node_memory or (total_memory() // _local_count(choice) if choice.address == LOCAL else None)
    size = NodeSize(choice.threads, memory, need.store)
    with ray_nodes(choice.address, choice.nodes, size) as nodes:
        if memory is None:
            _check_memory(tables, need, nodes.least_memory())
        yield nodes


def _spent(nodes: Nodes) -> tuple[float, int]:
    """Returns the CPU seconds of all nodes and the largest peak memory of a process, this one's or a node's."""
    total, peak = 0.0, peak_memory()
    for call in nodes.everywhere("spent", name="time and memory"):
        with contextlib.suppress(NodeLost):  # what it has done is done
            seconds, memory = call.answer()
            total, peak = total + seconds, max(peak, memory)
    return total, peak
