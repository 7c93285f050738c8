"""Measures a table built by two nodes of a local Ray cluster against one node, and against no cluster.

Run as ``python -m bench.nodes``; ``--bombs`` is the size of the table (default: 5, some minutes). Needs two
idle cores: the figures are ratios of wall-clock time, without starting the cluster. ``--parts`` prints instead where
the CPU time of the driver and of the nodes goes and how many bytes nodes answer, which busy cores hardly change.
"""

from __future__ import annotations

import argparse
import functools
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import damier
from bench.rules import Figure
from bench.solve import MEMORY, unseen
from damier.cluster.nodes import ClusterChoice, Nodes
from damier.solve.build.solver import solve
from damier.solve.cluster import outcomes, pieces, replica, solver
from damier.solve.cluster.solver import solve_on_cluster

SHARED = "begin", "reach", "settle"
"""What a node does for its share of a tier."""

REPEATED = "load", "load_ranges", "merge", "merge_settled", "finish"
"""What every node does with the whole tier, because it holds all entries."""

ALONE = ("solve",)
"""What one node does while the others wait: small tiers."""

DRIVER: dict[str, list[tuple[Any, str]]] = {
    "merge": [(replica.TierEntries, "merge"), (replica.TierEntries, "merge_settled"), (replica.TierEntries, "replace")],
    "store": [(pieces.TierStore, "write_tier"), (pieces.TierStore, "write")],
    "write": [(outcomes, "write_table")],
}
"""What the driver does besides waiting, by the functions that do it."""


def measured_nodes(game: damier.Game, folder: Path, tell: Callable[[Figure], None]) -> None:
    """Measures one node and two, and one thread without a cluster."""
    alone = solve(game, threads=1, memory=MEMORY, folder=folder / "alone", show=unseen)
    one, two = (
        solve_on_cluster(game, ClusterChoice("local", count), folder=folder / str(count), show=unseen)
        for count in (1, 2)
    )
    note = f"{one.seconds} s and {two.seconds} s; {one.cpu_seconds} s and {two.cpu_seconds} s of CPU"
    tell(Figure("solve on two nodes to one", (one.seconds or 1) / (two.seconds or 1), "", at_least=1.7, note=note))
    note = f"{alone.seconds} s without a cluster"
    ratio = (alone.seconds or 1) / (one.seconds or 1)
    tell(Figure("solve on one node to one thread", ratio, "", at_least=0.7, note=note))
    digests = {each.header.sha256 for each in (alone, one, two)}
    tell(Figure("solve on nodes the same entries", float(len(digests) == 1), "", at_least=1))


# Where the time goes -------------------------------------------------------------------------------------------------


class TimedReplica(replica.OutcomeReplica):
    """A worker that notes the CPU seconds of its calls and the bytes of their answers."""

    def __init__(self, game: damier.Game, threads: int) -> None:
        super().__init__(game, threads)
        self.parts: dict[str, tuple[float, int]] = {}
        self._is_inside = False  # a call within another one is not counted twice
        for name in (*SHARED, *REPEATED, *ALONE):
            setattr(self, name, self._timed(name, getattr(super(), name)))

    def _timed(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any) -> Any:
            if self._is_inside:
                return method(*arguments)
            began, self._is_inside = time.process_time(), True
            answer = method(*arguments)
            self._is_inside = False
            seconds, size = self.parts.get(name, (0.0, 0))
            self.parts[name] = seconds + time.process_time() - began, size + answer_bytes(answer)
            return answer

        return timed

    def noted(self) -> dict[str, tuple[float, int]]:
        """Returns the seconds and bytes by method."""
        return self.parts


def answer_bytes(answer: Any) -> int:
    """Returns the bytes of the arrays in an answer."""
    if isinstance(answer, np.ndarray):
        return answer.nbytes
    if isinstance(answer, dict):
        return sum(answer_bytes(each) for each in answer.values())
    return sum(answer_bytes(each) for each in vars(answer).values()) if hasattr(answer, "__dict__") else 0


def measured_parts(game: damier.Game, folder: Path, count: int) -> dict[str, Any]:
    """Builds a table on `count` nodes; returns the CPU seconds of each part, and bytes, of the driver and each node."""
    driver: dict[str, float] = {}
    nodes: list[dict[str, tuple[float, int]]] = []
    inside: list[str] = []  # a part within another one is not counted twice

    def timed(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*arguments: Any, **named: Any) -> Any:
            began, is_outer = time.process_time(), not inside
            inside.append(part)
            try:
                return function(*arguments, **named)
            finally:
                inside.pop()
                if is_outer:
                    driver[part] = driver.get(part, 0.0) + time.process_time() - began

        return call

    spent = solver._spent

    def noted(of: Nodes) -> tuple[float, int]:
        nodes.extend(call.answer() for call in of.everywhere("noted", name="parts"))
        driver["all"] = time.process_time() - driver.pop("began")
        return spent(of)

    class Builder(outcomes.ClusterBuilder):
        def run(self) -> Any:
            driver["began"] = time.process_time()
            return super().run()

    with ExitStack() as patched:
        for part, functions in DRIVER.items():
            for owner, name in functions:
                patched.enter_context(patch.object(owner, name, timed(part, getattr(owner, name))))
        patched.enter_context(patch.object(outcomes, "OutcomeReplica", TimedReplica))
        patched.enter_context(patch.object(outcomes, "ClusterBuilder", Builder))
        patched.enter_context(patch.object(solver, "_spent", noted))
        solved = solve_on_cluster(game, ClusterChoice("local", count), folder=folder, show=unseen)
    return {"driver": driver, "nodes": nodes, "seconds": solved.seconds, "sha256": solved.header.sha256}


def print_parts(found: dict[str, Any]) -> None:
    """Prints the parts and the bounds that follow from them."""
    driver, nodes = found["driver"], found["nodes"]
    for number, parts in enumerate(nodes):
        text = ", ".join(f"{name} {seconds:.2f} s {size / 1e6:.1f} MB" for name, (seconds, size) in parts.items())
        print(f"node {number + 1}: {text}")
    print("driver:", ", ".join(f"{name} {seconds:.2f} s" for name, seconds in driver.items()))
    kinds = {
        kind: sum(seconds for parts in nodes for name, (seconds, _) in parts.items() if name in names)
        for kind, names in (("shared", SHARED), ("repeated", REPEATED), ("alone", ALONE))
    }
    total = sum(kinds.values()) + driver["all"]
    print(f"shared {kinds['shared']:.2f} s, repeated {kinds['repeated']:.2f} s, alone {kinds['alone']:.2f} s of CPU")
    print(f"all {total:.2f} s of CPU: {total / 2:.2f} s at best on two cores; {found['seconds']} s by the clock")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bombs", type=int, default=5)
    parser.add_argument("--parts", action="store_true", help="print where the CPU time goes, on one node and on two")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="damier-bench-") as folder:
        game = damier.load("renfa", bombs=chosen.bombs)
        if not chosen.parts:
            measured_nodes(game, Path(folder), lambda figure: print(figure, flush=True))
            return
        for count in (1, 2):
            print(f"{count} node" if count == 1 else f"{count} nodes", flush=True)
            print_parts(measured_parts(game, Path(folder) / str(count), count))


if __name__ == "__main__":
    main()
