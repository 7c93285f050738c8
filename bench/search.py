"""Measures the searches: nodes per second, two threads against one, the first answer, and the node count `Bench`.

The node count is a fingerprint: the nodes of fixed positions searched to a fixed depth on one thread with an empty
table. It changes with rules, order of actions, evaluation and search, and with nothing else.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import damier
from damier.engine.engine import Engine
from damier.engine.limit import Limit

if TYPE_CHECKING:
    from bench.rules import Figure

#: Games, their target in million nodes per second, and the depth for two threads.
GAMES: tuple[tuple[str, float, int], ...] = (
    ("renfa", 2.0, 8),
    ("chefa", 4.0, 11),
    ("badia", 2.0, 12),
    ("sensei", 4.0, 14),
    ("omba", 2.0, 9),
)

#: The searches of the node count: game, options, depth.
COUNTED: tuple[tuple[str, dict[str, str], int], ...] = (
    ("renfa", {}, 5),
    ("chefa", {}, 7),
    ("badia", {}, 7),
    ("sensei", {}, 8),
    ("sensei", {"variant": "arashi"}, 6),
    ("omba", {}, 6),
)
POSITIONS = 4  # of each


def position_of(game: damier.Game, number: int) -> damier.Record:
    """Returns a game after some random actions, determined by the number; the die is not due."""
    rng = random.Random(number)
    while True:
        record = game.record()
        for _ in range(8 + 4 * number):
            if record.result is None:
                record.play(rng.choice(record.actions()))
        if record.mover == "chance":
            record.play(rng.choice(record.actions()))
        if record.result is None and record.mover != "chance":
            return record


def node_count() -> int:
    """Returns the number of nodes of all fixed searches."""
    total = 0
    for name, options, depth in COUNTED:
        game = damier.load(name, **options)
        engine = Engine(game, memory=4)
        engine.warm_up()
        for number in range(POSITIONS):
            engine.new_game()
            for last in engine.analyse(position_of(game, number), Limit(depth=depth), 1):
                nodes = last.nodes
            total += nodes
    return total


def open_position(game: damier.Game) -> damier.Record:
    """Returns the first of the fixed positions that a short search does not decide."""
    engine = Engine(game, memory=4)
    engine.warm_up()
    for number in range(100):
        record = position_of(game, number)
        *_, last = engine.analyse(record, Limit(nodes=300_000), 1)
        if not last.best.value.is_forced:
            return record
    return game.record()


def measured_speed(name: str, at_least: float, seconds: float) -> Figure:
    """Measures nodes per second of CPU on one thread."""
    from bench.rules import Figure

    game = damier.load(name)
    engine = Engine(game)
    engine.warm_up()
    record = open_position(game)
    began = time.process_time()
    *_, last = engine.analyse(record, Limit(seconds=seconds), 1)
    spent = time.process_time() - began
    return Figure(
        f"search {name}", last.nodes / spent / 1e6, "M nodes/s", at_least=at_least, note=f"depth {last.depth}"
    )


def measured_threads(name: str, depth: int, rounds: int) -> Figure:
    """Measures the time of two threads to a depth against that of one, alternating over several positions."""
    from bench.rules import Figure

    game = damier.load(name)
    times = {1: 0.0, 2: 0.0}
    for number in range(max(2, rounds)):
        record = position_of(game, number)
        for threads in times:
            engine = Engine(game, threads=threads)
            engine.warm_up()
            began = time.perf_counter()
            for _ in engine.analyse(record, Limit(depth=depth), 1):
                pass
            times[threads] += time.perf_counter() - began
    return Figure(f"search {name} two threads to depth {depth}", times[2] / times[1], "of one", at_most=0.7)


def measured_first_answer(name: str, home: Path, environment: Callable[[Path], dict[str, str]]) -> list[Figure]:
    """Measures the time to the first analysis in a new process, with an empty cache and with a full one."""
    from bench.rules import Figure

    code = (
        "import time; began = time.perf_counter(); import damier; from damier.engine.engine import Engine; "
        "from damier.engine.limit import Limit; "
        f"game = damier.load('{name}'); engine = Engine(game); next(engine.analyse(game.start, Limit(seconds=5))); "
        "print(time.perf_counter() - began)"
    )

    def first() -> float:
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment(home), capture_output=True, text=True, check=True
        )
        return float(done.stdout)

    cold = first()
    engine = "from damier.engine.engine import Engine"
    warm_up = f"import damier; {engine}; Engine(damier.load('{name}')).warm_up()"
    subprocess.run([sys.executable, "-c", warm_up], env=environment(home), check=True)
    warm = min(first() for _ in range(3))
    return [
        Figure(f"first answer {name} cold", cold, "s", at_most=2.0),
        Figure(f"first answer {name} warm", warm, "s", at_most=0.2),
    ]


def measure(tell: Callable[..., Any], quick: bool, home: Path, environment: Callable[[Path], dict[str, str]]) -> None:
    """Measures everything and reports each figure at once."""
    for name, at_least, depth in GAMES:
        tell(measured_speed(name, at_least, 1.0 if quick else 3.0))
        if not quick:
            tell(measured_threads(name, depth, 5))
    for name in ("sensei",) if quick else damier.games():
        tell(*measured_first_answer(name, home, environment))
