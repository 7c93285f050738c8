"""Fits the weights of a game's evaluation: self-play, then logistic regression of the result on the terms.

The engine plays itself with few nodes a turn, from random openings and with occasional random actions, so that unequal
positions occur. Every undecided position at the end of a turn in which nothing wins at once is one row: its terms, and
the result for the player on move (1, 1/2 or 0). The new WEIGHTS maximise the likelihood, with a little ridge
regularisation. Opening actions are left out, and all games have the same weight, whatever their length. Terms that do
not occur keep their weights. A fit finds what correlates with winning, which need not be what wins: ``tune.py`` finds
that, at the price of many more games.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.cluster.nodes import Task, run_in_order
from damier.core.kernel.bind import bind
from damier.engine.levels import EnginePlayer
from damier.engine.limit import Limit
from damier.engine.methods.evaluation import HAND_MADE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from damier.cluster.nodes import Nodes
    from damier.core.game import Game

_OPENING = (2, 10)  # plies, at least and at most
_SLIP = 0.05  # share of random actions
MOST_ACTIONS = 300  # of a game; longer ones count as draws
_RIDGE = 1.0  # strength of the regularisation, in rows
_TASK = 10  # games of a task on a cluster
_STEPS = 30  # of Newton's method; it converges in less than ten


@dataclass(frozen=True)
class Fit:
    """New weights, and how well they predict results."""

    weights: tuple[int, ...]
    games: int
    rows: int
    loss: float
    """Mean negative log-likelihood of the results, in nats; ln 2 = 0.693 is a coin toss."""

    loss_before: float
    """The same with the old weights."""


def fit(
    game: Game,
    games: int,
    nodes: int = 500,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
    cluster: Nodes | None = None,
) -> Fit:
    """Returns weights fitted to `games` games of self-play, which the nodes of a cluster play if there is one."""
    import numpy as np

    rows: list[list[int]] = []
    results: list[float] = []
    weights: list[float] = []
    for number, (played, result) in enumerate(_self_play(game, games, nodes, seed, cluster)):
        for mover, row in played:
            rows.append(row)
            results.append(result[mover])
            weights.append(1 / len(played))
        if progress:
            progress((number + 1) / games)
    x, y, w = np.array(rows, float), np.array(results), np.array(weights)
    w *= len(w) / w.sum()
    before = np.array(bind(game.definition.rules, game.definition.evaluate).WEIGHTS, float) / 1000
    solved = np.where(x.any(axis=0), _regress(x, y, w), before)
    return Fit(
        tuple(round(1000 * value) for value in solved), games, len(y), _loss(x, y, w, solved), _loss(x, y, w, before)
    )


PlayedRows = tuple[list[tuple[int, list[int]]], list[float]]
"""The terms of the positions of a game with their movers, and the result for each player."""


def _self_play(game: Game, games: int, nodes: int, seed: int, cluster: Nodes | None) -> Iterator[PlayedRows]:
    """Yields the games in the order of their numbers."""
    if cluster is None:
        yield from _play_range(game, nodes, seed, 0, games)
        return
    tasks = (
        Task(
            f"games {first}-{min(first + _TASK, games)}", _played, (game, nodes, seed, first, min(_TASK, games - first))
        )
        for first in range(0, games, _TASK)
    )
    for played in run_in_order(cluster, tasks):
        yield from played


def _played(game: Game, nodes: int, seed: int, first: int, count: int) -> list[PlayedRows]:
    return list(_play_range(game, nodes, seed, first, count))


def _play_range(game: Game, nodes: int, seed: int, first: int, count: int) -> Iterator[PlayedRows]:
    """Plays `count` games from number `first` on."""
    player = EnginePlayer(game, memory=4, evaluation=HAND_MADE)
    player.engine.warm_up()
    for number in range(first, first + count):
        yield played_rows(game, player, nodes, random.Random(f"{seed} {number}"))


def played_rows(game: Game, player: EnginePlayer, nodes: int, chance: random.Random) -> PlayedRows:
    """Plays one game and returns the terms of its positions with their movers, and the result for each player."""
    kernels = bind(game.definition.rules, game.definition.evaluate)
    record, rows = game.record(), []
    opening = chance.randint(*_OPENING)
    player.new_game()
    while record.result is None and len(record.played) < MOST_ACTIONS:
        state = record.position.state
        if len(record.played) >= opening and record.position.is_settled and not kernels.quick_win(game.rules, state):
            out = [0] * 64
            n = kernels.terms(game.rules, state, out)
            rows.append((max(kernels.mover(game.rules, state), 0), out[:n]))
        if record.mover == "chance" or len(record.played) < opening or chance.random() < _SLIP:
            record.play(chance.choice(record.actions()))
            continue
        for text in player.choose(record, Limit(nodes=nodes)):
            record.play(text)
    winner = record.result.winner if record.result else None
    return rows, [0.5 if winner is None else float(winner == each) for each in game.players]


def _chances(x: Any, solved: Any) -> NDArray[np.float64]:
    import numpy as np

    chances: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(x @ solved, -30, 30)))
    return chances


def _loss(x: Any, y: Any, w: Any, solved: Any) -> float:
    import numpy as np

    p = np.clip(_chances(x, solved), 1e-9, 1 - 1e-9)
    return float((w * -(y * np.log(p) + (1 - y) * np.log(1 - p))).mean())


def _regress(x: Any, y: Any, w: Any) -> NDArray[np.float64]:
    """Returns the weights of a logistic regression by Newton's method."""
    import numpy as np

    solved = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        p = _chances(x, solved)
        slope = x.T @ (w * (y - p)) - _RIDGE * solved
        bend = (x * (w * p * (1 - p))[:, None]).T @ x + _RIDGE * np.eye(x.shape[1])
        solved = solved + np.linalg.solve(bend, slope)
    return solved
