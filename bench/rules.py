"""Measures the rules (random games, perft, start-up, compiling) and the searches, each figure beside its target.

Run as ``python -m bench.rules`` (``--quick`` for a noisier answer in a minute, ``--json`` for the data).

Other work on the machine and its changing clock disturb every measurement, so what is compared is measured in turn,
round after round, and the best round of each counts. Rates are per second of CPU. Only two threads against one is by
the clock on the wall, and it is judged only if the machine has two cores to give: that is asked of two C programs.

The yardstick for two games is a C twin of the same algorithm (``*_playout.c``), which plays the very same random games:
equal checksums over results and lengths prove it. Without gcc these ratios are left out.

Two numbers at the end change only with behaviour, never with the machine: *Rules* is made of the results of small fixed
batches and of perft counts, *Bench* is the number of nodes of fixed searches (``search.py``).
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import damier
from bench import search
from damier.core.kernel.bits import mix

HERE = Path(__file__).parent
BUILD = HERE / "build"
SOURCE = Path(damier.__file__).parent.parent
MAX_ACTIONS = 10_000  # as in Game.playouts
THREADS = 1.7  # how much faster two threads have to be than one

Report = Callable[[str], None]


@dataclass(frozen=True)
class Figure:
    """One measured number, with the target it has to reach or to stay within."""

    name: str
    value: float | None
    """None if it could not be measured; then the note says why."""
    unit: str = ""
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""
    is_fair: bool = True
    """False if the machine was too busy with other work to judge the value."""

    @property
    def is_met(self) -> bool | None:
        """Whether the target is met; None if that cannot be judged."""
        if self.value is None or not self.is_fair:
            return None
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )

    def __str__(self) -> str:
        value = "-" if self.value is None else f"{self.value:.2f}"
        target = f">= {self.at_least:g}" if self.at_least is not None else f"<= {self.at_most:g}"
        verdict = {True: "met", False: "MISSED", None: "not judged"}[self.is_met]
        line = f"{self.name:42} {value:>8} {self.unit:12} target {target:7} {verdict}"
        return f"{line} ({self.note})" if self.note else line

    def data(self) -> dict[str, Any]:
        """Returns the figure as JSON has it."""
        return {**asdict(self), "is_met": self.is_met}


@dataclass(frozen=True)
class Playouts:
    """Random games to measure: a batch that lasts some tenths of a second, and a smaller one for two threads."""

    name: str
    games: int
    shared_games: int
    """An even number of the chunks that a thread takes at a time."""
    options: dict[str, str]
    has_twin: bool = False

    @property
    def title(self) -> str:
        """The game and the options that differ from its defaults."""
        return " ".join([self.name, *self.options.values()])


@dataclass(frozen=True)
class Perft:
    """A count to measure, from the start or from a position, both by damier and by the C twin."""

    name: str
    depth: int
    position: str | None = None


BATCHES = (
    Playouts("renfa", 200_000, 40_000, {}),
    Playouts("chefa", 20_000, 8_000, {}, has_twin=True),
    Playouts("badia", 6_000, 2_000, {}),
    Playouts("sensei", 20_000, 4_000, {}, has_twin=True),
    Playouts("sensei", 20_000, 4_000, {"variant": "arashi"}),
    Playouts("omba", 20_000, 4_000, {}),
)

COUNTS = (
    Perft("chefa", 7, "B3W/1W1B1/5/1W1B1/W3B b 0,0 -"),  # all pawns placed: the start would measure placements alone
    Perft("sensei", 8),
)

#: What the fingerprint is made of: games with options, and the depth of a perft from the start.
FINGERPRINT: tuple[tuple[str, dict[str, str], int], ...] = (
    ("renfa", {}, 3),
    ("renfa", {"size": "8", "bombs": "16", "last": "0"}, 2),
    ("chefa", {}, 3),
    ("badia", {}, 4),
    ("sensei", {}, 5),
    ("sensei", {"variant": "shizukana-variant"}, 5),
    ("sensei", {"variant": "arashi"}, 4),
    ("sensei", {"variant": "arashi-expert"}, 4),
    ("omba", {}, 5),
    ("omba", {"players": "3"}, 5),
    ("omba", {"players": "4"}, 5),
)

COMPILE = """
import sys, time
import damier.core.kernel.compile  # numba itself: not counted
from damier.search import batch
batch._PLAIN_STATES = 0  # straight to compiled code
import damier
game = damier.load(sys.argv[1])
began = time.process_time()
game.playouts(2)
game.perft(game.start, 3)
print(time.process_time() - began)
"""


def checksum(results: Iterable[int], lengths: Iterable[int]) -> int:
    """Returns a number that depends on every result and every length, the same as the twins compute."""
    total = 0
    for result, length in zip(results, lengths, strict=True):
        total = mix(total ^ length << 8 ^ result & 255)
    return total % (1 << 64)


def built_twins(report: Report) -> dict[str, Path]:
    """Compiles the C twins and returns the programs by game: none without gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        report("gcc is not here: ratios to C are left out.")
        return {}
    BUILD.mkdir(exist_ok=True)
    programs = {}
    for source in sorted(HERE.glob("*_playout.c")):
        program = BUILD / source.stem
        subprocess.run([gcc, "-O3", "-march=native", "-Wall", "-o", program, source], check=True)
        programs[source.stem.removesuffix("_playout")] = program
    return programs


def run_twin(program: Path, *arguments: object) -> dict[str, Any]:
    """Returns what a twin prints."""
    done = subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def measured_playouts(batch: Playouts, rounds: int, twin: Path | None) -> list[Figure]:
    """Measures a batch on one thread and in C, in turn."""
    game = damier.load(batch.name, **batch.options)
    games = game.playouts(batch.games)  # compiles
    actions = int(games.lengths.sum(dtype="int64"))
    expected = checksum(games.results.tolist(), games.lengths.tolist())
    cpu = in_c = float("inf")
    note = ""
    for _ in range(rounds):
        began = time.process_time()
        game.playouts(batch.games)
        cpu = min(cpu, time.process_time() - began)
        if twin:
            answer = run_twin(twin, "playouts", batch.games, 0, MAX_ACTIONS)
            in_c = min(in_c, answer["seconds"])
            if answer["checksum"] != expected:
                note = "THE TWIN PLAYS OTHER GAMES"
    figures = [Figure(f"playouts {batch.title}", actions / cpu / 1e6, "M actions/s", at_least=3)]
    if twin:
        note = note or f"C {actions / in_c / 1e6:.1f} M actions/s"
        figures.append(Figure(f"playouts {batch.title} to C", in_c / cpu, at_least=0.8, note=note))
    return figures


def measured_threads(batch: Playouts, rounds: int, program: Path | None) -> Figure:
    """Measures how much faster two threads are than one, and two processes of a program in the same minute."""
    name = f"playouts {batch.title} two threads to one"
    if (os.cpu_count() or 1) == 1:
        return Figure(name, None, at_least=THREADS, note="one core")
    game = damier.load(batch.name, **batch.options)

    def play(threads: int) -> None:
        game.playouts(batch.shared_games, threads=threads)

    def run_programs(count: int) -> None:
        command = [str(program), "playouts", "4000", "0", str(MAX_ACTIONS)]
        for child in [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(count)]:
            child.wait()

    best = {(work, count): float("inf") for work in (play, run_programs) for count in (1, 2)}
    for _ in range(rounds):
        for work, count in best:
            if work is play or program:
                began = time.perf_counter()
                work(count)
                best[work, count] = min(best[work, count], time.perf_counter() - began)
    ratio = best[play, 1] / best[play, 2]
    if not program:
        return Figure(name, ratio, at_least=THREADS)
    possible = 2 * best[run_programs, 1] / best[run_programs, 2]  # a program alone does half the work of two
    is_fair = possible >= THREADS or ratio >= THREADS
    return Figure(name, ratio, at_least=THREADS, note=f"two C programs {possible:.2f}", is_fair=is_fair)


def measured_perft(count: Perft, rounds: int, twin: Path | None) -> list[Figure]:
    """Measures a count in damier and in C, in turn."""
    game = damier.load(count.name)
    position = game.parse(count.position) if count.position else game.start
    nodes = game.perft(position, count.depth)  # compiles
    cpu = in_c = float("inf")
    note = ""
    for _ in range(rounds):
        began = time.process_time()
        game.perft(position, count.depth)
        cpu = min(cpu, time.process_time() - began)
        if twin:
            answer = run_twin(twin, "perft", count.depth, *position.state)
            in_c = min(in_c, answer["seconds"])
            if answer["nodes"] != nodes:
                note = "THE TWIN COUNTS OTHERWISE"
    title = f"perft {count.name} depth {count.depth}"
    if not twin:
        return [Figure(f"{title} to C", None, at_least=0.8, note=f"damier {nodes / cpu / 1e6:.0f} M nodes/s, no gcc")]
    note = note or f"{nodes / cpu / 1e6:.0f} M nodes/s, C {nodes / in_c / 1e6:.0f}"
    return [Figure(f"{title} to C", in_c / cpu, at_least=0.8, note=note)]


def child_environment(home: Path) -> dict[str, str]:
    """Returns the environment of a child process that uses this checkout and a cache of its own."""
    return {**os.environ, "PYTHONPATH": str(SOURCE), "DAMIER_HOME": str(home), "DAMIER_CACHE": ""}


def measured_start(name: str, arguments: list[str], at_most: float, rounds: int, home: Path) -> Figure:
    """Measures the CPU seconds of a Python process from its birth to its end."""
    best = float("inf")
    for _ in range(rounds):
        child = subprocess.Popen(
            [sys.executable, *arguments],
            env=child_environment(home),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            return Figure(name, None, "s CPU", at_most=at_most, note=f"exit code {child.returncode}")
        best = min(best, usage.ru_utime + usage.ru_stime)
    return Figure(name, best, "s CPU", at_most=at_most)


def measured_compile(name: str, rounds: int) -> list[Figure]:
    """Measures the CPU seconds of compiling a game's kernels into an empty cache, and of loading them from it."""

    def seconds(home: Path) -> float:
        done = subprocess.run(
            [sys.executable, "-c", COMPILE, name],
            env=child_environment(home),
            check=True,
            capture_output=True,
            text=True,
        )
        return float(done.stdout)

    cold = cached = float("inf")
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            cold = min(cold, seconds(Path(folder)))
            cached = min(cached, seconds(Path(folder)), seconds(Path(folder)))
    return [
        Figure(f"compile {name} cold", cold, "s CPU", at_most=5),
        Figure(f"compile {name} cached", cached, "s CPU", at_most=0.5),
    ]


def fingerprint() -> int:
    """Returns a number that changes only when results, lengths or counts do."""
    total = 0
    for name, options, depth in FINGERPRINT:
        game = damier.load(name, **options)
        games = game.playouts(200, seed=1, max_actions=2_000)
        total = mix(total ^ checksum(games.results.tolist(), games.lengths.tolist()))
        total = mix(total ^ game.perft(game.start, depth))
    return total % (1 << 32)


def run(report: Report, quick: bool = False) -> dict[str, Any]:
    """Measures everything, tells each figure to `report` as it comes, and returns them all."""
    rounds = 2 if quick else 7
    versions = {name: version(name) for name in ("numba", "llvmlite", "numpy")}
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), **versions}
    report(", ".join(f"{name} {value}" for name, value in machine.items()))
    figures: list[Figure] = []

    def tell(*fresh: Figure) -> None:
        figures.extend(fresh)
        for figure in fresh:
            report(str(figure))

    twins = built_twins(report)
    for batch in BATCHES:
        tell(*measured_playouts(batch, rounds, twins.get(batch.name) if batch.has_twin else None))
        tell(measured_threads(batch, 3 * rounds, next(iter(twins.values()), None)))
    for count in COUNTS:
        tell(*measured_perft(count, rounds, twins.get(count.name)))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        tell(measured_start("import damier", ["-c", "import damier"], 0.1, rounds, home))
        tell(measured_start("damier --help", ["-m", "damier", "--help"], 0.25, rounds, home))
        tell(measured_start("damier moves chefa", ["-m", "damier", "moves", "chefa"], 0.5, rounds, home))
    for name in ("sensei",) if quick else damier.games():
        tell(*measured_compile(name, 1 if quick else 2))
    with tempfile.TemporaryDirectory() as folder:
        search.measure(tell, quick, Path(folder), child_environment)
    behaviour, nodes = fingerprint(), search.node_count()
    missed = [figure.name for figure in figures if figure.is_met is False]
    report(f"Targets missed: {', '.join(missed) or 'none'}")
    report(f"Rules: {behaviour}")
    report(f"Bench: {nodes}")
    data = [figure.data() for figure in figures]
    return {"machine": machine, "figures": data, "fingerprint": behaviour, "nodes": nodes}


def main() -> None:
    """Prints the figures as lines or as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.rules", description="Measures the rules of damier.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: noisier, done in a minute")
    parser.add_argument("--json", action="store_true", help="the data instead of lines")
    chosen = parser.parse_args()
    figures = run(lambda line: None if chosen.json else print(line, flush=True), quick=chosen.quick)
    if chosen.json:
        print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
