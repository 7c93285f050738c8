"""Tunes the weights of a game's evaluation by results: games between players with randomly perturbed weights.

In every pair of games all weights of both players are perturbed, each by an amount that moves the evaluation of a
typical position about as much as the others do. The correlation of scores and perturbations estimates the gradient;
after some hundred pairs the weights take a step along it, and the next round begins. Near the optimum the correlation
vanishes, and the steps become random and small. The result is the mean over the last half of the rounds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.core.kernel.bind import bind
from damier.engine.levels import EnginePlayer
from damier.engine.limit import Limit
from damier.engine.methods.evaluation import HAND_MADE
from damier.insight.train.fit import MOST_ACTIONS, played_rows
from damier.insight.train.task_runner import task_runner

if TYPE_CHECKING:
    from damier.cluster.nodes import Nodes
    from damier.core.game import Game
    from damier.core.record import Record

_STRETCH = 150.0  # thousandths of log-odds by which a perturbed weight typically moves the evaluation
_WIDEST = 300.0  # largest perturbation, for terms that are rare
_SAMPLE = 30  # games that measure the size of the terms
_PACE = 7.0  # learning rate, in perturbations
_INERTIA = 0.5  # momentum
_CHUNK = 25  # pairs in one task of a process
_OPENING = (2, 4)  # turns, at least and at most


@dataclass(frozen=True)
class Tuning:
    """The state of a tuning after a round."""

    weights: tuple[int, ...]
    games: int
    rounds: int
    slope: float
    """Root mean square of the gradient in the last round; ..."""

    noise: float
    """... what it would be by chance."""


@dataclass(frozen=True)
class WeightTrial:
    """Two games from one opening, sides exchanged."""

    change: tuple[float, ...]
    """The first player's weights minus the second's, in spreads."""

    score: float
    """The first player's score, 0 to 1."""


def tune(
    game: Game,
    rounds: int,
    pairs: int,
    nodes: int = 5000,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[float], None] | None = None,
    cluster: Nodes | None = None,
) -> Iterator[Tuning]:
    """Yields the state after each round of `pairs` pairs, played by `jobs` processes or the nodes of a cluster."""
    import numpy as np

    begin = np.array(bind(game.definition.rules, game.definition.evaluate).WEIGHTS, float)
    spreads = _spreads(game, nodes, seed)
    weights, step, path = begin.copy(), np.zeros(len(begin)), []
    with task_runner(jobs, cluster) as runner:
        for number in range(rounds):
            chunks = [(f"{seed} {number} {i}", min(_CHUNK, pairs - i)) for i in range(0, pairs, _CHUNK)]
            played: list[WeightTrial] = []
            calls = [(game, tuple(weights), spreads, n, nodes, name) for name, n in chunks]
            for part in runner.call(_play_pairs, calls):
                played += part
                if progress:
                    progress((number + len(played) / pairs) / rounds)
            changes = np.array([pair.change for pair in played])
            scores = np.array([pair.score for pair in played]) - 0.5
            sizes = np.maximum((changes**2).sum(axis=0), 1)
            slopes = changes.T @ scores / sizes
            step = _INERTIA * step + slopes
            weights = weights + _PACE * step * np.array(spreads)
            path.append(weights)
            mean = np.mean(path[len(path) // 2 :], axis=0)
            yield Tuning(
                tuple(round(float(weight)) for weight in mean),
                2 * pairs * (number + 1),
                number + 1,
                float(np.sqrt((slopes**2).mean())),
                float(np.sqrt((scores**2).mean() * (1 / sizes).mean())),
            )


def _spreads(game: Game, nodes: int, seed: int) -> tuple[float, ...]:
    """Returns the size of the perturbation of each weight; 0 for terms that do not occur."""
    import numpy as np

    player = EnginePlayer(game, memory=4, evaluation=HAND_MADE)
    player.warm_up()
    rows: list[list[int]] = []
    for number in range(_SAMPLE):
        played, _ = played_rows(game, player, nodes, random.Random(f"{seed} sample {number}"))
        rows += [row for _, row in played]
    sizes = np.sqrt((np.array(rows, float) ** 2).mean(axis=0))
    return tuple(min(_WIDEST, _STRETCH / size) if size else 0.0 for size in sizes)


def _play_pairs(
    game: Game, weights: tuple[float, ...], spreads: tuple[float, ...], pairs: int, nodes: int, name: str
) -> list[WeightTrial]:
    """Plays pairs with perturbed weights."""
    chance = random.Random(name)
    players = [EnginePlayer(game, memory=4) for _ in range(2)]
    for player in players:
        player.warm_up()
    found = []
    for _ in range(pairs):
        changes = [[chance.gauss(0, 1) for _ in spreads] for _ in players]
        for player, change in zip(players, changes, strict=True):
            player.engine.method.weights = [
                round(weight + spread * part) for weight, spread, part in zip(weights, spreads, change, strict=True)
            ]
        opening, dice = _opening(game, chance), chance.getrandbits(32)
        score = sum(_score(opening, players, side, nodes, dice) for side in (0, 1)) / 2
        found.append(WeightTrial(tuple(a - b for a, b in zip(*changes, strict=True)), score))
    return found


def _opening(game: Game, chance: random.Random) -> Record:
    """Returns a game after some random turns that is not over."""
    while True:
        record, turns = game.record(), chance.randint(*_OPENING)
        while record.result is None and record.turn < turns:
            record.play(chance.choice(record.actions()))
        if record.result is None:
            return record


def _score(opening: Record, players: list[EnginePlayer], side: int, nodes: int, dice: int) -> float:
    """Plays one game and returns the score of the first of two players, who plays `side`."""
    record, chance = opening.copy(), random.Random(dice)
    for player in players:
        player.new_game()
    names = record.game.players
    while record.result is None and len(record.played) < MOST_ACTIONS:
        if record.mover == "chance":
            record.play(chance.choice(record.actions()))
            continue
        seat: Any = names.index(record.mover)
        for text in players[(seat + side) % 2].choose(record, Limit(nodes=nodes)):
            record.play(text)
    if record.result is None or record.result.winner is None:
        return 0.5
    return float((names.index(record.result.winner) + side) % 2 == 0)
