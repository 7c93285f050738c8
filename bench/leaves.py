"""Measures what a table for fewer bombs is worth to a search with more of them: leaves (``solve/covering.py``).

Run as ``python -m bench.leaves``; ``--bombs`` is the game, ``--table`` the table, which is built for the occasion or
taken from ``--folder``. Printed, each with leaves and without, as ratios:

    opening    the time to decompress the table into the cache, and to map and check what is there
    solving    of fixed positions with all bombs placed, how many are decided within a node limit, and the nodes and
               the CPU time of those that both decide; the speed of nodes
    match      a match at equal nodes a turn, from random placements with sides exchanged; a player with a table also
               plays exactly what the table has
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import random
import shutil
import tempfile
import time
from pathlib import Path

import damier
from damier.core.folders import cache_folder
from damier.engine.arena.elo import estimate
from damier.engine.arena.one_game import play_game
from damier.engine.arena.openings import openings
from damier.engine.engine import LEAF_MEMORY, Engine
from damier.engine.levels import CONTEMPT, EnginePlayer
from damier.engine.limit import Limit
from damier.solve.build.solver import solve
from damier.solve.covering import CoveringTables
from damier.solve.leaves import open_leaves
from damier.solve.location import leaf_files, table_path

MEMORY = 1 << 40
LONGEST = 120  # turns; a game is a draw then


def positions(game: damier.Game, tables: CoveringTables, count: int) -> list[damier.Record]:
    """Returns fixed positions of random games: all bombs are placed, and the table does not have them."""
    rng, found = random.Random(1), list[damier.Record]()
    while len(found) < count:
        record = game.record()
        while not record.result and len(record.played) < 40:
            record.play(rng.choice(record.actions()))
            is_open = not record.result and str(record.position).endswith(" 0,0")
            if is_open and not tables.covers(record.position.state) and rng.random() < 0.2:
                found.append(game.record(record.position))
                break
    return found


def decided(engine: Engine, record: damier.Record, nodes: int) -> tuple[int | None, int, float]:
    """Searches until an end is proved; returns the nodes for that, if it is, all nodes, and the CPU time."""
    engine.new_game()
    began = time.process_time()
    last = 0
    for analysis in engine.analyse(record, Limit(nodes=nodes), 1):
        last = analysis.nodes
        if analysis.best.value.is_forced:
            return analysis.nodes, last, time.process_time() - began
    return None, last, time.process_time() - began


def measure_opening(tables: CoveringTables) -> None:
    """Prints how long leaves take to open."""
    for what in ("decompressed into the cache", "mapped and checked"):
        began, spent = time.perf_counter(), time.process_time()
        found = open_leaves(tables, LEAF_MEMORY)
        assert found
        size = len(found.words) * 8 / 1e6
        took, cpu = time.perf_counter() - began, time.process_time() - spent
        print(f"opening   {size:.0f} MB {what}: {took:.2f} s ({cpu:.2f} s of CPU)")


def measure_solving(game: damier.Game, tables: CoveringTables, count: int, nodes: int) -> None:
    """Prints how many positions are decided, and what that takes."""
    engines = {"with": Engine(game, uses_tables=True), "without": Engine(game)}
    for engine in engines.values():
        engine.warm_up()
    solved: dict[str, list[int | None]] = {name: [] for name in engines}
    spent = dict.fromkeys(engines, 0.0)
    both = dict.fromkeys(engines, 0.0)
    visited = dict.fromkeys(engines, 0)
    for record in positions(game, tables, count):
        times = {}
        for name, engine in engines.items():
            found, every, times[name] = decided(engine, record, nodes)
            solved[name].append(found)
            spent[name] += times[name]
            visited[name] += every
        if all(solved[name][-1] for name in engines):
            for name in engines:
                both[name] += times[name]
    numbers = {name: sum(each is not None for each in found) for name, found in solved.items()}
    pairs = [(a, b) for a, b in zip(solved["with"], solved["without"], strict=True) if a and b]
    ratio = math.exp(sum(math.log(a / b) for a, b in pairs) / len(pairs)) if pairs else math.nan
    rates = {name: visited[name] / spent[name] / 1e6 for name in engines}
    print(f"solving   {numbers['with']} of {count} decided with leaves, {numbers['without']} without ({nodes:,} nodes)")
    print(f"          {len(pairs)} decided by both: {ratio:.3f} of the nodes, geometric mean")
    print(f"          {both['with'] / max(both['without'], 1e-9):.3f} of their CPU time")
    print(f"          {rates['with']:.2f} M nodes/s with leaves, {rates['without']:.2f} without")


def measure_match(game: damier.Game, pairs: int, nodes: int) -> None:
    """Prints the score of a player with leaves against one without."""
    blind = Engine(game)
    blind.method.contempt = CONTEMPT
    seeing, other = EnginePlayer(game), EnginePlayer(game, engine=blind)
    for player in (seeing, other):
        player.warm_up()
    scores = []
    for opening in itertools.islice(openings(game, 2 * int(game.options["bombs"]), 1), pairs):
        for seat, players in enumerate(((seeing, other), (other, seeing))):
            played = play_game(game, players, Limit(nodes=nodes), opening=opening, max_turns=LONGEST)
            scores.append(played.points({game.players[seat]}))
    found = estimate(scores)
    wins, draws = sum(each == 1 for each in scores), sum(each == 0.5 for each in scores)
    print(f"match     {wins} won, {draws} drawn, {len(scores) - wins - draws} lost of {len(scores)} ({nodes:,} nodes)")
    print(f"          {100 * found.score:.1f} %, {found.elo:+.0f} Elo ({found.low:+.0f} to {found.high:+.0f})")


def main() -> None:
    """Measures everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bombs", type=int, default=5)
    parser.add_argument("--table", type=int, default=4, help="bombs of the table")
    parser.add_argument("--folder", type=Path, help="a folder with that table")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=100_000, help="most nodes for a position")
    parser.add_argument("--pairs", type=int, default=30, help="pairs of games")
    parser.add_argument("--turn-nodes", type=int, default=3_000, help="nodes for a turn of a match")
    arguments = parser.parse_args()
    game, covering = (damier.load("renfa", bombs=bombs) for bombs in (arguments.bombs, arguments.table))
    with tempfile.TemporaryDirectory(prefix="damier-leaves-") as name:
        home = Path(name)
        os.environ.setdefault("DAMIER_CACHE", str(cache_folder()))
        os.environ["DAMIER_HOME"] = name
        folder = home / "tables"
        folder.mkdir()
        if arguments.folder:
            shutil.copy(table_path(covering, arguments.folder), folder)
        else:
            solve(covering, threads=1, memory=MEMORY, folder=folder, show=lambda _share, _note: None)
        tables = CoveringTables(game, covering)
        print(f"{game!r} with the table of {covering!r}")
        for file in leaf_files(tables.path):
            file.unlink()
        measure_opening(tables)
        measure_solving(game, tables, arguments.positions, arguments.nodes)
        if arguments.pairs:
            measure_match(game, arguments.pairs, arguments.turn_nodes)


if __name__ == "__main__":
    main()
