"""Compiles the kernels of every game's random games, batches and searches, on all cores, before the tests need them.

python -m tools.kernels     what is compiled already takes a fraction of a second
"""

import os
from concurrent.futures import ProcessPoolExecutor

import damier
from damier.engine.engine import METHODS, Engine
from damier.search import batch, game_batch


def compile_batch(name: str) -> None:
    """Compiles perft and random games."""
    batch.warm_up(damier.load(name))


def compile_steps(name: str) -> None:
    """Compiles what games that are stepped together need."""
    game_batch.warm_up(damier.load(name))


def compile_search(name: str, method: str) -> None:
    """Compiles a search method, if it suits the game."""
    try:
        engine = Engine(damier.load(name), method=method)
    except damier.BadArgument:
        return
    engine.warm_up()


def main() -> None:
    """Compiles everything; a failure is raised."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(compile_search, name, method) for name in damier.games() for method in METHODS]
        jobs += [pool.submit(work, name) for work in (compile_batch, compile_steps) for name in damier.games()]
        for job in jobs:
            job.result()


if __name__ == "__main__":
    main()
