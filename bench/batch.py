"""Measures games stepped together (``game.batch``): steps a second with masks, and with masks and observations.

Run as ``python -m bench.batch`` (``--quick`` for a noisier answer, ``--json`` for the data). Rates are per second of
CPU on one thread. Beside each stands, measured in turn in the same run, the rate of random games (``game.playouts``),
which have no masks and are played one at a time, and of the C twin where there is one (``*_playout.c``): the ratio says
what masks and many games at once cost, whatever the machine. The best round of each counts. Then threads against one,
by the clock on the wall, and at last games of OpenSpiel, PettingZoo and pgx, as far as they are installed, beside those
of damier (``peers.py`` says what is measured; ``--alone`` leaves them out).
"""

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import damier
from bench.peers import all_peers
from bench.rules import BATCHES, MAX_ACTIONS, THREADS, Figure, Playouts, Report, built_twins, run_twin

GAMES = 1024  # of a batch, stepped together
SHARED_GAMES = 16_384  # for two threads, which take some hundreds at a time
STEPS = 64  # of a round
JUDGED = ("chefa", "sensei")  # the games with targets
WITH_MASKS, WITH_PLANES = 3.0, 1.0  # M steps a second that they have to reach
FREE_CORES = 1.5  # two threads are judged only if the load of the machine is lower


def seconds(work: Callable[[], object]) -> float:
    """Returns the CPU time of some work."""
    began = time.process_time()
    work()
    return time.process_time() - began


def line_of(figure: Figure) -> str:
    """Returns a figure without a target as a line."""
    return f"{figure.name:42} {figure.value:>8.2f} {figure.unit:12} ({figure.note})"


def measured(playouts: Playouts, rounds: int, twin: Path | None) -> list[Figure]:
    """Measures a batch, random games and C, in turn."""
    game = damier.load(playouts.name, **playouts.options)
    batch = game.batch(GAMES, threads=1)
    for _ in range(200):  # from the first positions to those of the middle of a game; compiles
        batch.step(batch.sample())
        batch.observe()
    actions = int(game.playouts(playouts.games).lengths.sum(dtype="int64"))
    best = dict.fromkeys(("masks", "planes", "sample", "playouts", "C"), float("inf"))
    for _ in range(rounds):
        spent = dict.fromkeys(("masks", "planes", "sample"), 0.0)
        for _ in range(STEPS):
            began = time.process_time()
            chosen = batch.sample()
            spent["sample"] += time.process_time() - began
            spent["masks"] += seconds(lambda chosen=chosen: batch.step(chosen))  # type: ignore[misc]
            spent["planes"] += seconds(batch.observe)
        for name, time_spent in spent.items():
            best[name] = min(best[name], time_spent / STEPS / GAMES)
        best["playouts"] = min(best["playouts"], seconds(lambda: game.playouts(playouts.games)) / actions)
        if twin:
            answer = run_twin(twin, "playouts", playouts.games, 0, MAX_ACTIONS)
            best["C"] = min(best["C"], answer["seconds"] / actions)
    least = (WITH_MASKS, WITH_PLANES) if playouts.name in JUDGED and not playouts.options else (None, None)
    masks, planes = best["masks"], best["masks"] + best["planes"]
    note = f"to random games {best['playouts'] / masks:.2f}, to C {best['C'] / masks:.2f}"
    if twin is None:
        note = f"to random games {best['playouts'] / masks:.2f}"
    sampled = f"{1e-6 / (planes + best['sample']):.1f} with drawing the actions"
    return [
        Figure(f"{playouts.title}: with masks", 1e-6 / masks, "M steps/s", least[0], note=note),
        Figure(f"{playouts.title}: and observations", 1e-6 / planes, "M steps/s", least[1], note=sampled),
    ]


def measured_threads(playouts: Playouts, rounds: int) -> list[Figure]:
    """Measures how much faster two threads step and observe than one, and all cores, by the clock on the wall."""
    game = damier.load(playouts.name, **playouts.options)
    cores = os.cpu_count() or 1
    batches = {threads: game.batch(SHARED_GAMES, threads=threads) for threads in sorted({1, 2, cores})}
    stepped, both = dict.fromkeys(batches, float("inf")), dict.fromkeys(batches, float("inf"))
    for _ in range(rounds):
        for threads, batch in batches.items():
            chosen = batch.sample()
            began = time.perf_counter()
            batch.step(chosen)
            stepped[threads] = min(stepped[threads], time.perf_counter() - began)
            batch.observe()
            both[threads] = min(both[threads], time.perf_counter() - began)
    is_fair = os.getloadavg()[0] < FREE_CORES
    name, note = playouts.title, f"wall; {SHARED_GAMES * 1e-6 / both[cores]:.1f} with observations"
    return [
        Figure(f"{name}: two threads to one", both[1] / both[2], at_least=THREADS, is_fair=is_fair, note="wall"),
        Figure(f"{name}: with masks, {cores} cores", SHARED_GAMES * 1e-6 / stepped[cores], "M steps/s", note=note),
    ]


def measured_peers(rounds: int, report: Report) -> list[Figure]:
    """Measures games of other projects and damier's, round after round, in thousands of steps a second of CPU."""
    peers = all_peers(GAMES, report)
    best = [float("inf")] * len(peers)
    for _ in range(rounds):
        for i, peer in enumerate(peers):
            steps, spent = peer.run()
            best[i] = min(best[i], spent / steps)
    return [
        Figure(f"{peer.title}", 1e-3 / cost, "k steps/s", note=f"with {peer.shows}")
        for peer, cost in zip(peers, best, strict=True)
    ]


def main() -> None:
    """Prints the figures as lines or as JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.batch",
        description="Measures games stepped together, beside those of OpenSpiel, PettingZoo and pgx if they are "
        "installed. pgx, and pygame for the games of PettingZoo, are not dependencies: pip install pgx pygame.",
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds: noisier")
    parser.add_argument("--json", action="store_true", help="the data instead of lines")
    parser.add_argument(
        "--alone",
        action="store_true",
        help="damier alone; else OpenSpiel, PettingZoo (with pygame) and pgx if installed",
    )
    chosen = parser.parse_args()
    rounds = 4 if chosen.quick else 15
    figures: list[Figure] = []

    def tell(*fresh: Figure) -> None:
        figures.extend(fresh)
        for figure in fresh:
            if not chosen.json:
                print(figure if figure.at_least else line_of(figure), flush=True)

    def report(line: str) -> None:
        if not chosen.json:
            print(line, flush=True)

    twins = built_twins(report)
    for playouts in BATCHES:
        tell(*measured(playouts, rounds, twins.get(playouts.name) if playouts.has_twin else None))
    for playouts in BATCHES:
        tell(*measured_threads(playouts, 4 * rounds))
    if not chosen.alone:
        tell(*measured_peers(rounds, report))
    if chosen.json:
        print(json.dumps([figure.data() for figure in figures], indent=2))


if __name__ == "__main__":
    main()
