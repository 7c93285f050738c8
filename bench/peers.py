"""Games of other projects for learning programs, to be measured beside damier's batches in the same run.

What counts as a step is the same for all: an action that was chosen before is played, a game that has ended is begun
anew, and the mask of the legal actions is there, in the second figure what the player on move observes too. Choosing
the action is not measured. The games differ, so a rate says what a learner gets from each project, not whose code is
better: tic-tac-toe has nine actions, chess thousands.

- OpenSpiel has its games in C++, one state at a time, stepped from Python (``pyspiel``).
- PettingZoo has its classics in Python, one game at a time; they need pygame, which damier does not install.
- pgx has its games in JAX, many at once, compiled by XLA; here on one thread of the CPU, though it is made for
  accelerators. It is not a dependency: ``pip install pgx``. Its step always writes observations.

A project that is not installed is named and left out.
"""

import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

import damier

Report = Callable[[str], None]

STEPS = 2_000  # of a round, of games that are stepped one at a time
ROUND = 0.1  # seconds of CPU at least, of games that are stepped together
OPENSPIEL = ("tic_tac_toe", "connect_four", "breakthrough", "chess")
PETTINGZOO = ("tictactoe_v3", "connect_four_v3")
PGX = ("tic_tac_toe", "connect_four", "chess")
OURS = ("chefa", "sensei")  # damier's games by its own batches and by its adapters


@dataclass(frozen=True)
class Peer:
    """Something to measure: `run` makes some steps and returns how many, and their CPU time in seconds."""

    title: str
    shows: str
    """``masks``, or ``observations`` if these are written beside the masks."""

    run: Callable[[], tuple[int, float]]


def all_peers(games: int, report: Report) -> list[Peer]:
    """Returns what is to be compared, damier's batches of so many games first; says what is left out."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    peers = [peer for name in OURS for peer in batches(name, games)]
    for package, project, find, install in (
        ("pyspiel", "OpenSpiel", openspiel_games, "pip install open_spiel"),
        ("pygame", "PettingZoo", pettingzoo_games, "pip install pettingzoo pygame"),
        ("pgx", "pgx", lambda: pgx_games(games), "pip install pgx"),
    ):
        try:
            import_module(package)
        except ModuleNotFoundError:
            report(f"{package} is not installed, so the games of {project} are left out: {install}")
        else:
            peers += find()
    return peers


def batches(name: str, games: int) -> list[Peer]:
    """Returns damier's batch of a game, on one thread."""
    batch = damier.load(name).batch(games, threads=1)
    for _ in range(200):  # from the first positions to those of the middle of a game; compiles
        batch.step(batch.sample())

    def run(is_observed: bool) -> tuple[int, float]:
        steps, spent = 0, 0.0
        while steps == 0 or spent < ROUND:
            chosen = batch.sample()
            began = time.process_time()
            batch.step(chosen)
            batch.mask()
            if is_observed:
                batch.observe()
            spent += time.process_time() - began
            steps += games
        return steps, spent

    return in_both_ways(f"damier {name}, {games} together", run)


def in_both_ways(title: str, run: Callable[[bool], tuple[int, float]]) -> list[Peer]:
    """Returns a peer with masks and the same with observations."""
    return [Peer(title, "masks", lambda: run(False)), Peer(title, "observations", lambda: run(True))]


def openspiel_games() -> list[Peer]:
    """Returns games of OpenSpiel in C++, and damier's as OpenSpiel plays them."""
    import_module("damier.adapters.openspiel")
    names = {f"OpenSpiel {name}": name for name in OPENSPIEL}
    names |= {f"damier {name} in OpenSpiel": f"damier_{name}" for name in OURS}
    return [peer for title, name in names.items() for peer in openspiel_game(title, name)]


def openspiel_game(title: str, name: str) -> list[Peer]:
    """Returns a game of OpenSpiel: random games are played first, then played again while time is taken."""
    game = import_module("pyspiel").load_game(name)
    rng, recorded, count = random.Random(name), [], 0
    while count < STEPS:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        recorded.append(state.history())
        count += len(recorded[-1])

    def run(is_observed: bool) -> tuple[int, float]:
        began = time.process_time()
        for actions in recorded:
            state = game.new_initial_state()
            for action in actions:
                state.legal_actions_mask()
                if is_observed:
                    state.observation_tensor()
                state.apply_action(action)
        return count, time.process_time() - began

    return in_both_ways(title, run)


def pettingzoo_games() -> list[Peer]:
    """Returns classics of PettingZoo, and damier's games as PettingZoo plays them; all write observations."""
    ours = import_module("damier.adapters.pettingzoo")
    environments = {
        f"PettingZoo {name.removesuffix('_v3')}": import_module(f"pettingzoo.classic.{name}").raw_env()
        for name in PETTINGZOO
    }
    environments |= {f"damier {name} in PettingZoo": ours.raw_env(name) for name in OURS}
    return [Peer(title, "observations", pettingzoo_run(env)) for title, env in environments.items()]


def pettingzoo_run(env: Any) -> Callable[[], tuple[int, float]]:
    """Returns what plays random games of an environment for a round."""
    rng = random.Random(1)

    def run() -> tuple[int, float]:
        spent = 0.0
        env.reset(seed=1)
        for _ in range(STEPS):
            mask = env.observe(env.agent_selection)["action_mask"]
            chosen = rng.choice(np.flatnonzero(mask).tolist())
            began = time.process_time()
            env.step(chosen)
            if any(env.terminations.values()) or any(env.truncations.values()):
                env.reset()
            env.last()
            spent += time.process_time() - began
        return STEPS, spent

    return run


def pgx_games(games: int) -> list[Peer]:
    """Returns games of pgx, as many at once as damier's batches have, on one thread of the CPU."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    return [Peer(f"pgx {name}, {games} together", "observations", pgx_run(name, games)) for name in PGX]


def pgx_run(name: str, games: int) -> Callable[[], tuple[int, float]]:
    """Returns what steps random games of pgx for a round; the first call compiles."""
    jax, pgx = import_module("jax"), import_module("pgx")
    auto_reset = import_module("pgx.experimental").auto_reset
    env = pgx.make(name)
    begin = jax.jit(jax.vmap(env.init))
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    choose = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.where(mask, 0.0, -jax.numpy.inf)))
    keys = [jax.random.PRNGKey(5)]

    def fresh_keys() -> Any:
        keys[0], key = jax.random.split(keys[0])
        return jax.random.split(key, games)

    states = [begin(fresh_keys())]

    def run() -> tuple[int, float]:
        steps, spent = 0, 0.0
        while steps == 0 or spent < ROUND:
            one = fresh_keys()
            chosen = jax.block_until_ready(choose(one[0], states[0].legal_action_mask))
            began = time.process_time()
            states[0] = jax.block_until_ready(step(states[0], chosen, one))
            spent += time.process_time() - began
            steps += games
        return steps, spent

    run()
    return run
