"""Measures the solver and the tables: entries per second, two threads against one, verifying, and the time of a probe.

Run as ``python -m bench.solve``; ``--game`` chooses another game than the quickest to solve and ``-o`` its options, as
in ``--game renfa -o bombs=5``. The baselines are a public C solver of small games, in positions per second of CPU, and
a careful C program for some tables, in seconds of CPU.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import damier
from bench.rules import Figure
from damier.solve.build.solver import solve
from damier.solve.file.header import BLOCK_ENTRIES
from damier.solve.file.reader import TableFile
from damier.solve.memory import peak_memory
from damier.solve.tables import Tables
from damier.solve.verify.verifier import verify

C_SOLVER = 1.65  # M positions per second of CPU, of a public C solver
C_SECONDS = {"renfa bombs=5": (88, 110), "renfa": (913, 1100), "omba": (80, 100)}
"""For some tables: seconds of CPU of a careful C program on one thread, and the target for damier."""
BATCH = 100_000
COLD, WARM = 500, 20_000  # probes
MEMORY = 1 << 40


def unseen(_share: float, _note: str) -> None:
    """Shows nothing."""


def measured_solving(game: damier.Game, folder: Path, tell: Callable[[Figure], None]) -> None:
    """Measures solving with one thread and with two; leaves a table in the folder."""
    alone, together = (
        solve(game, threads=threads, memory=MEMORY, folder=folder / str(threads), show=unseen) for threads in (1, 2)
    )
    rate = alone.header.entries / (alone.cpu_seconds or 1) / 1e6
    note = f"{alone.header.entries:,} in {alone.cpu_seconds} s of CPU, with writing; a C solver {C_SOLVER}"
    tell(Figure(f"solve {game.name}", rate, "M entries/s", at_least=3.0, note=note))
    chosen = [
        f"{name}={value}" for name, value in game.options.items() if value != damier.load(game.name).options[name]
    ]
    c_seconds, target = C_SECONDS.get(" ".join([game.name, *chosen]), (0, 0))
    if c_seconds:
        spent = alone.cpu_seconds or 0.0
        note = f"C {c_seconds} s: {spent / c_seconds:.2f} of it"
        tell(Figure(f"solve {game.name}, CPU of one thread", spent, "s", at_most=target, note=note))
    verified = verify(Tables(game, folder / "1"), 1, unseen).cpu_seconds / (alone.cpu_seconds or 1)
    tell(Figure(f"verify {game.name}, CPU to that of building", verified, "", at_most=1))
    ratio = (alone.seconds or 1) / (together.seconds or 1)
    tell(Figure(f"solve {game.name} two threads to one", ratio, "", at_least=1.6))
    is_same = alone.path.read_bytes() == together.path.read_bytes()
    tell(Figure(f"solve {game.name} the same bytes", float(is_same), "", at_least=1))
    memory = peak_memory() / 2**30
    tell(Figure(f"solve {game.name} memory", memory, "GB", at_most=0.5))


def measured_probing(tables: Tables, tell: Callable[[Figure], None]) -> None:
    """Measures how quickly a table answers: from the file, from what it has read, and in batches."""
    rng, entries = random.Random(1), tables.file.header.entries
    blocks = rng.sample(range(entries // BLOCK_ENTRIES), min(COLD, entries // BLOCK_ENTRIES))
    file = TableFile(tables.path)
    cold = _spent(lambda: [file.read(block * BLOCK_ENTRIES + 7) for block in blocks], rounds=1) / len(blocks)
    warm = _spent(lambda: [file.read(blocks[-1] * BLOCK_ENTRIES + i % 1000) for i in range(WARM)]) / WARM
    states = np.array([tables.numbering.state(rng.randrange(entries)) for _ in range(BATCH)], np.int64)
    tables.probe_many(states[:1])
    batch = _spent(lambda: tables.probe_many(states)) / BATCH
    tables.probe_positions(states[:1])
    values = _spent(lambda: tables.probe_positions(states)) / BATCH
    few = states[: BATCH // 50].repeat(50, axis=0)  # as many positions, in fewer blocks
    near = _spent(lambda: tables.probe_positions(few)) / BATCH
    own, enemy, rest = states[0].tolist()
    whole = _spent(lambda: [tables.state_value((own, enemy, rest)) for _ in range(WARM)]) / WARM
    tell(Figure("probe cold", cold * 1e6, "us", at_most=100, note="a block is read and decompressed"))
    tell(Figure("probe warm", warm * 1e6, "us", at_most=2, note=f"a whole position {whole * 1e6:.1f} us"))
    tell(Figure("probe in batches", batch * 1e6, "us each", at_most=2, note=f"{BATCH:,} random positions"))
    note = f"the same positions; {near * 1e6:.2f} us if each comes 50 times"
    tell(Figure("probe values in batches", values * 1e6, "us each", at_most=1, note=note))


def _spent(work: Callable[[], Any], rounds: int = 3) -> float:
    """Returns the CPU seconds of `work`, the best of `rounds`."""
    times = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="badia")
    parser.add_argument("-o", "--option", action="append", default=[], help="an option of the game, as name=value")
    parser.add_argument("--table", action="store_true", help="probe the game's own table instead of building one")
    chosen = parser.parse_args()
    given = dict(option.split("=", 1) for option in chosen.option)
    game = damier.load(chosen.game, **{name: int(value) if value.isdigit() else value for name, value in given.items()})
    with tempfile.TemporaryDirectory(prefix="damier-bench-") as folder:
        if not chosen.table:
            measured_solving(game, Path(folder), lambda figure: print(figure, flush=True))
        tables = game.tables if chosen.table else Tables(game, Path(folder) / "1")
        measured_probing(tables, lambda figure: print(figure, flush=True))


if __name__ == "__main__":
    main()
