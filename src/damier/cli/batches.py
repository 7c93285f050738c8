"""The commands that count and measure: perft, playouts, bench."""

import argparse
import importlib
import sys
import time
from pathlib import Path
from typing import Any

from damier.cli.output import chosen_game, print_json, progress
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.search import batch


def perft(chosen: argparse.Namespace) -> None:
    """Counts the action sequences of exactly so many actions."""
    game = chosen_game(chosen)
    position = game.position(chosen.position)
    began = time.perf_counter()
    with progress(f"perft {chosen.depth}") as show:
        if chosen.divide:
            divided = batch.perft_divided(game, position, chosen.depth, show)
            count = sum(divided.values())
        else:
            divided, count = None, batch.perft(game, position, chosen.depth, show)
    seconds = time.perf_counter() - began
    if chosen.json:
        data: dict[str, Any] = {"game": game.name, "options": game.options, "position": str(position)}
        data.update(depth=chosen.depth, count=count, seconds=round(seconds, 3))
        print_json(data if divided is None else {**data, "divided": divided})
        return
    for action, part in (divided or {}).items():
        print(f"{action} {part}")
    print(count)


def playouts(chosen: argparse.Namespace) -> None:
    """Plays random games and tells how they end."""
    game = chosen_game(chosen)
    position = game.position(chosen.position)
    batch.warm_up(game)  # so that the time below is the games' own
    began = time.perf_counter()
    with progress(f"{chosen.n} games", "games", chosen.n) as show:
        games = batch.playouts(game, chosen.n, chosen.seed, position, chosen.max_actions, chosen.threads, show)
    seconds = time.perf_counter() - began
    summary = games.summary(game.players)
    rate = round(summary["actions"] / seconds) if chosen.n else 0
    if chosen.json:
        head = {"game": game.name, "options": game.options, "position": str(position), "games": chosen.n}
        timing = {"seconds": round(seconds, 4), "actions_per_second": rate}
        print_json({**head, "seed": chosen.seed, "threads": chosen.threads, **summary, **timing})
        return
    for who, count in summary["results"].items():
        print(f"{who:6} {count:10} {100 * count / max(chosen.n, 1):6.2f} %")
    if lengths := summary["lengths"]:
        print("actions a game: " + ", ".join(f"{name} {value}" for name, value in lengths.items()))
    print(f"{summary['actions']} actions in {seconds:.2f} s: {rate / 1e6:.2f} M actions/s")


def bench(chosen: argparse.Namespace) -> None:
    """Measures speed and prints the figures beside their targets."""
    checkout = Path(__file__).parents[3]
    if not (checkout / "bench" / "rules.py").exists():
        raise BadArgument(
            message("The benchmarks come with the source, not with the installed package: use make bench in a clone.")
        )
    sys.path.insert(0, str(checkout))
    measurements = importlib.import_module("bench.rules")
    figures = measurements.run(report=lambda line: None if chosen.json else print(line, flush=True), quick=chosen.quick)
    if chosen.json:
        print_json(figures)
