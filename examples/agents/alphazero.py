"""What the small AlphaZero of ``examples/alphazero.py`` has learned, as agents of the exam: Renfa-Bomba and Chefa.

    damier exam renfa -o bombs=5 --agent python:examples.agents.alphazero:network
    damier exam chefa --agent python:examples.agents.alphazero:visits_200
    OPENBLAS_NUM_THREADS=1 python -m examples.agents.alphazero renfa    # learns again: writes weights/renfa.npz

The weights in the folder ``weights`` are those of that command, rounded to 16 bits. It plays the games of `TRAINED`
against itself, from a fixed seed: with the same NumPy on the same kind of processor the file is the same to the byte;
others round otherwise, which in the end changes games.
"""

import argparse
import functools
import time
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import damier
from examples import alphazero as example

WEIGHTS = Path(__file__).parent / "weights"
VISITS = 48  # of a search while learning
SEED = 0


class Training(NamedTuple):
    """What was learned from."""

    options: dict[str, int]
    games: int


TRAINED = {"renfa": Training({"bombs": 5}, 1600), "chefa": Training({}, 800)}


def network(record: damier.Record) -> str:
    """Returns the action that the network likes best, without a search."""
    spaces = record.game.spaces
    planes, mask = spaces.observe(record), spaces.mask(record)
    return spaces.action_text(int(example.best_action(stored_network(record.game), planes[None], mask[None])[0]))


def visits_200(record: damier.Record) -> str:
    """Returns the action that a tree search with the network visits most often, of 200 visits."""
    root = example.Node(record.position)
    example.search(stored_network(record.game), [root], 200)
    is_legal = record.game.spaces.mask(record)[root.numbers]  # the search leaves the history aside
    return record.game.spaces.action_text(int(root.numbers[np.where(is_legal, root.visits, -1).argmax()]))


@functools.cache
def stored_network(game: damier.Game) -> example.Network:
    """Returns the network of a game with the weights that are stored; raises `ValueError` if there are none."""
    if game not in [damier.load(name, **training.options) for name, training in TRAINED.items()]:
        raise ValueError("nothing has been learned for this game with these options")
    found = example.Network(game, np.random.default_rng(SEED))
    with np.load(WEIGHTS / f"{game.name}.npz") as stored:
        found.weights = [stored[name].astype(np.float64) for name in stored.files]
    return found


def learn(game: damier.Game, games: int, visits: int, seed: int = SEED) -> example.Network:
    """Returns a network that has learned from so many games against itself, or a few more."""
    rng = np.random.default_rng(seed)
    found, rows = example.Network(game, rng), deque[tuple[Any, example.Array, float]](maxlen=example.KEPT)
    for played in range(0, games, example.AT_ONCE):
        rows.extend(example.self_play(found, game, visits, rng))
        loss = example.learn_from(found, rows, rng)
        print(f"{played + example.AT_ONCE} games, loss {loss:.3f}, {time.process_time():.0f} s of CPU", flush=True)
    return found


def store(network: example.Network, file: Path) -> None:
    """Writes the weights of a network, rounded to 16 bits."""
    file.parent.mkdir(exist_ok=True)
    np.savez_compressed(file, *[each.astype(np.float16) for each in network.weights])


def main(given: list[str] | None = None) -> None:
    """Learns a game and writes the weights."""
    parser = argparse.ArgumentParser(description="Learns a game by self-play and writes the weights.")
    parser.add_argument("game", choices=TRAINED)
    parser.add_argument("--games", type=int, help="learn from so many games instead of those of TRAINED")
    parser.add_argument("--out", type=Path, help="the file (default: that of the agents)")
    arguments = parser.parse_args(given)
    training = TRAINED[arguments.game]
    learned = learn(damier.load(arguments.game, **training.options), arguments.games or training.games, VISITS)
    store(learned, arguments.out or WEIGHTS / f"{arguments.game}.npz")


if __name__ == "__main__":
    main()
