"""AlphaZero in 200 lines: a network that learns Renfa-Bomba from nothing but its own games, in NumPy.

    python examples/alphazero.py --seconds 60

The game has four bombs each, so that something is learned in a minute on one core. Many games are played at once: in
each, a tree search guided by the network (PUCT) chooses actions, and the positions that all searches want to know are
evaluated together. The network then learns what the searches chose and how the games ended, with every symmetry of the
board. Without any search it is tested against random actions and against a level of the engine, before and after.
"""

import argparse
import contextlib
import sys
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import damier
from damier.engine import LevelPlayer, Limit

Array = NDArray[np.float64]

HIDDEN = 128
AT_ONCE = 32  # games played at the same time
CURIOSITY = 1.5  # weight of what the network expects against what the search has found
NOISE, SPIKES = 0.25, 0.5  # share of random actions at the root, and how uneven they are
DRAWN = 8  # first actions that are drawn by visits; later the most visited one is played
MOST_ACTIONS = 80  # longer games are drawn
KEPT, BATCH, ROUNDS, RATE = 20_000, 256, 64, 0.005  # of learning


class Network:
    """Two layers: planes of a position in; the logits of actions and the result for the player on move out."""

    def __init__(self, game: damier.Game, rng: np.random.Generator) -> None:
        spaces = game.spaces
        self.spaces, self._updates, inputs = spaces, 0, int(np.prod(spaces.shape))
        self.most = np.maximum(spaces.most, 1)[:, None, None]
        self.weights = [
            rng.normal(0, (2 / inputs) ** 0.5, (inputs, HIDDEN)),
            np.zeros(HIDDEN),
            rng.normal(0, 0.01, (HIDDEN, spaces.action_count + 1)),
            np.zeros(spaces.action_count + 1),
        ]
        self._moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]

    def look(self, planes: NDArray[Any]) -> tuple[Array, Array, Array, Array]:
        """Returns inputs, hidden layer, logits and values of observations."""
        inputs = (planes / self.most).reshape(len(planes), -1)
        hidden = np.maximum(inputs @ self.weights[0] + self.weights[1], 0)
        out = hidden @ self.weights[2] + self.weights[3]
        return inputs, hidden, out[:, :-1], np.tanh(out[:, -1])

    def learn(self, planes: NDArray[Any], chosen: Array, results: Array) -> float:
        """Takes a step of Adam towards the actions that searches chose and the results; returns the loss."""
        inputs, hidden, logits, values = self.look(planes)
        chances = softmax(logits)
        slope = np.column_stack([chances - chosen, (values - results) * (1 - values**2)]) / len(planes)
        back = slope @ self.weights[2].T * (hidden > 0)
        self._updates += 1
        scale = RATE * (1 - 0.999**self._updates) ** 0.5 / (1 - 0.9**self._updates)
        slopes = [inputs.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0)]
        for weight, (first, second), each in zip(self.weights, self._moments, slopes, strict=True):
            first += 0.1 * (each - first)
            second += 0.001 * (each**2 - second)
            weight -= scale * first / (np.sqrt(second) + 1e-8)
        return float(-(chosen * np.log(chances + 1e-12)).sum(axis=1).mean() + ((values - results) ** 2).mean())


def softmax(logits: Array) -> Array:
    """Returns probabilities."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def points(result: damier.Result | None, player: str) -> float:
    """Returns 1 for a win, -1 for a loss, and 0 for a draw or a game that was cut off."""
    return 0.0 if result is None or result.winner is None else 1.0 if result.winner == player else -1.0


class Node:
    """A position of a search tree, with the visits of its actions and what they have brought the player on move."""

    def __init__(self, position: damier.Position) -> None:
        self.position, self.mover = position, position.mover
        self.end = None if position.result is None else points(position.result, self.mover)
        self.numbers = np.flatnonzero(position.game.spaces.mask(position))
        self.chances = np.zeros(0)
        self.visits = np.zeros(len(self.numbers))
        self.totals = np.zeros(len(self.numbers))
        self.children: dict[int, Node] = {}

    def descend(self) -> list[tuple["Node", int]]:
        """Returns the way to a position that the network has not seen, or to the end of a game."""
        node, way = self, list[tuple[Node, int]]()
        while node.end is None and len(node.chances):
            wish = node.chances * (node.visits.sum() + 1) ** 0.5 / (1 + node.visits)
            i = int((node.totals / np.maximum(node.visits, 1) + CURIOSITY * wish).argmax())
            way.append((node, i))
            if i not in node.children:
                code = int(node.position.game.spaces.codes[node.numbers[i]])
                node.children[i] = Node(node.position.after(code))
            node = node.children[i]
        return [*way, (node, -1)]


def search(network: Network, roots: list[Node], visits: int) -> None:
    """Visits the trees of all roots, so many times each; the network sees one position of each tree at a time."""
    for _ in range(visits):
        ways = [root.descend() for root in roots]
        new = [way[-1][0] for way in ways if way[-1][0].end is None]
        values = iter(())
        if new:
            planes = np.array([network.spaces.observe(node.position) for node in new])
            _, _, logits, found = network.look(planes)
            values = iter(found.tolist())
            for node, each in zip(new, logits, strict=True):
                node.chances = softmax(each[node.numbers])
        for way in ways:
            last = way[-1][0]
            value = next(values) if last.end is None else last.end
            for node, i in way[:-1]:
                node.visits[i] += 1
                node.totals[i] += value if node.mover == last.mover else -value


def self_play(
    network: Network, game: damier.Game, visits: int, rng: np.random.Generator, at_once: int = AT_ONCE
) -> list[tuple[Any, Array, float]]:
    """Plays games; returns observation, share of visits of each action, and result, for every position."""
    records = [game.record() for _ in range(at_once)]
    roots = [Node(game.start) for _ in records]
    rows: list[list[tuple[Any, Array, str]]] = [[] for _ in records]
    while going_on := [i for i, record in enumerate(records) if record.result is None and record.count < MOST_ACTIONS]:
        search(network, [roots[i] for i in going_on if not len(roots[i].chances)], 1)
        for i in going_on:
            noise = rng.dirichlet(np.full(len(roots[i].numbers), SPIKES))
            roots[i].chances = (1 - NOISE) * roots[i].chances + NOISE * noise
        search(network, [roots[i] for i in going_on], visits)
        for i in going_on:
            root, share = roots[i], np.zeros(game.spaces.action_count)
            share[root.numbers] = root.visits / root.visits.sum()
            rows[i].append((game.spaces.observe(records[i]), share, root.mover))
            action = rng.choice(len(share), p=share) if records[i].count < DRAWN else int(share.argmax())
            records[i].play(game.spaces.action_text(action))
            roots[i] = Node(records[i].position)
    played = []
    for record, positions in zip(records, rows, strict=True):
        for planes, share, mover in positions:
            played.append((planes, share, points(record.result, mover)))
    return played


def learn_from(network: Network, rows: Sequence[tuple[Any, Array, float]], rng: np.random.Generator) -> float:
    """Takes ROUNDS steps, each on random rows turned by a random symmetry of the board; returns the mean loss."""
    losses = []
    for _ in range(ROUNDS):
        chosen = [rows[i] for i in rng.integers(len(rows), size=BATCH)]
        planes, shares, results = (np.array(each) for each in zip(*chosen, strict=True))
        turn = network.spaces.symmetries[rng.integers(len(network.spaces.symmetries))]
        losses.append(network.learn(turn.turn_planes(planes), turn.turn_actions(shares), results))
    return float(np.mean(losses))


def best_action(network: Network, planes: NDArray[Any], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Returns the action that the network likes best in each position, without a search."""
    return np.asarray(np.where(masks, network.look(planes)[2], -np.inf).argmax(axis=1))


def score_against_random(network: Network, game: damier.Game, games: int, seed: int) -> float:
    """Returns the score against random actions, a draw being half a win: all games at once, as a batch."""
    batch = game.batch(games, seed=seed, threads=1)
    seats, results = np.arange(games) % 2, np.full(games, np.nan)
    while np.isnan(results).any():
        actions = np.where(batch.movers == seats, best_action(network, batch.observe(), batch.mask()), batch.sample())
        batch.step(actions)
        is_new = batch.done & np.isnan(results)
        results[is_new] = (1 + batch.rewards[np.arange(games), seats][is_new]) / 2
    return float(results.mean())


def score_against_level(network: Network, game: damier.Game, games: int, level: int, seed: int) -> float:
    """Returns the score against a level of the engine, a draw being half a win."""
    opponent, total = LevelPlayer(game, level, seed=seed), 0.0
    for number in range(games):
        record, player = game.record(), game.players[number % 2]
        opponent.new_game()
        while record.result is None and record.count < MOST_ACTIONS:
            if record.mover == player:
                planes, mask = game.spaces.observe(record), game.spaces.mask(record)
                record.play(game.spaces.action_text(int(best_action(network, planes[None], mask[None])[0])))
            else:
                record.play(opponent.choose(record, Limit(nodes=1000))[0])
        total += (1 + points(record.result, player)) / 2
    opponent.close()
    return total / games


def main(given: list[str] | None = None) -> dict[str, tuple[float, float]]:
    """Learns; returns the scores before and after, by opponent."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="time to learn (default: 60)")
    parser.add_argument("--games", type=int, help="learn from so many games instead: the same for a seed")
    parser.add_argument("--visits", type=int, default=48, help="positions that a search visits (default: 48)")
    parser.add_argument("--bombs", type=int, default=4, help="of each player (default: 4)")
    parser.add_argument("--level", type=int, default=1, help="of the engine, to test against (default: 1)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(given)
    if arguments.seed < 0:
        parser.error("--seed takes a whole number from 0 up")
    game, rng = damier.load("renfa", bombs=arguments.bombs), np.random.default_rng(arguments.seed)
    network, rows = Network(game, rng), deque[tuple[Any, Array, float]](maxlen=KEPT)

    def scores() -> dict[str, float]:
        level = score_against_level(network, game, 20, arguments.level, arguments.seed)
        return {"random": score_against_random(network, game, 400, arguments.seed), f"level:{arguments.level}": level}

    before, games, began = scores(), 0, time.monotonic()
    print("before:", before)
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C ends learning
        while games < arguments.games if arguments.games else time.monotonic() < began + arguments.seconds:
            rows.extend(self_play(network, game, arguments.visits, rng))
            games += AT_ONCE
            loss = learn_from(network, rows, rng)
            print(f"{games} games, {len(rows)} positions, loss {loss:.3f}")
    after = scores()
    print("after: ", after)
    return {name: (before[name], after[name]) for name in before}


if __name__ == "__main__":
    try:
        main()
    except damier.DamierError as error:
        sys.exit(str(error))
