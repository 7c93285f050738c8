"""Measures a table built by two nodes of a local Ray cluster against one node, and against no cluster.

Run as ``python -m bench.cluster``; ``--bombs`` is the size of the table (default: 5, some minutes). Needs two
idle cores: the figures are ratios of wall-clock time, without starting the cluster.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

import damier
from bench.rules import Figure
from bench.solve import MEMORY, unseen
from damier.cluster.nodes import ClusterChoice
from damier.solve.build.solver import solve
from damier.solve.cluster.solver import solve_on_cluster


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


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bombs", type=int, default=5)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="damier-bench-") as folder:
        game = damier.load("renfa", bombs=chosen.bombs)
        measured_nodes(game, Path(folder), lambda figure: print(figure, flush=True))


if __name__ == "__main__":
    main()
