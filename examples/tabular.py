"""Tabular Q-learning at Chefa, compared with exact values.

    python examples/tabular.py --games 5000
    damier solve chefa        # once, about a minute: then the comparison is with exact values

Chefa is far too large for a table that is filled by playing, so every game begins at one position, from which a player
wins by force. Two players with one table play each other, mostly by what they know and sometimes at random. After a
game its actions are valued from the last to the first: an action that wins is worth 1, any other what the opponent's
best answer is worth, turned round and discounted. So a forced win in n plies should get the value DISCOUNT ** (n - 1),
and a forced loss in n plies minus that: this is what the learned values are compared with.
"""

import argparse
import contextlib
import random
import sys
import time
from typing import NamedTuple

import numpy as np

import damier
from damier.engine import Limit, analyse
from damier.solve.tables import TableMissing

POSITION = "B1BB1/4W/3W1/2W1B/3W1 w 0,0 -"  # White wins in 3 plies, with one action
DISCOUNT = 0.9
EXPLORING = 0.3  # share of random actions
MOST_ACTIONS = 8  # longer games are drawn


class Learner:
    """The value of every action that was ever played, for the player who plays it; 0 for all others."""

    def __init__(self, game: damier.Game, seed: int = 0) -> None:
        self.game, self._rng = game, random.Random(seed)
        self.values: dict[damier.Position, dict[int, float]] = {}

    def value(self, position: damier.Position) -> float:
        """Returns what a position is worth for the player on move: the value of its best action."""
        return max(self._of(position).values())

    def best(self, position: damier.Position) -> int:
        """Returns the best action, one of them at random if there are several."""
        values = self._of(position)
        most = max(values.values())
        return self._rng.choice([action for action, value in values.items() if value == most])

    def play(self, start: damier.Position) -> None:
        """Plays a game against itself and learns from it."""
        position, played = start, list[tuple[damier.Position, int]]()
        while position.result is None and len(played) < MOST_ACTIONS:
            values = self._of(position)
            action = self._rng.choice(list(values)) if self._rng.random() < EXPLORING else self.best(position)
            played.append((position, action))
            position = position.after(action)
        for before, action in reversed(played):
            self.values[before][action] = self._after(before, before.after(action))

    def _after(self, before: damier.Position, after: damier.Position) -> float:
        """Returns what an action is worth that leads from one position to another."""
        if (result := after.result) is not None:
            return 0.0 if result.winner is None else 1.0 if result.winner == before.mover else -1.0
        return -DISCOUNT * self.value(after)

    def _of(self, position: damier.Position) -> dict[int, float]:
        values = self.values.get(position)
        if values is None:
            values = self.values[position] = dict.fromkeys(position.judged()[1], 0.0)
        return values


class Comparison(NamedTuple):
    """Learned values beside exact ones."""

    positions: int
    """How many positions were compared: those in which something was learned."""

    agreeing: float
    """The share of them whose learned value has the sign of the exact one."""

    error: float
    """The mean distance between learned and exact value."""

    untaught: float
    """The same if every position were taken for a draw, as before learning."""


def compare(learner: Learner) -> Comparison:
    """Compares what was learned with the game's table; raises `TableMissing` if it has not been built."""
    taught = [position for position, values in learner.values.items() if any(values.values())]
    states = np.array([position.state for position in taught], np.int64).reshape(-1, 3)
    exact = learner.game.tables.probe_positions(states)
    truth = exact.outcomes * DISCOUNT ** np.maximum(exact.plies - 1.0, 0)
    if not taught:
        return Comparison(0, 0.0, 0.0, 0.0)
    learned = np.array([learner.value(position) for position in taught])
    is_same = np.sign(learned) == np.sign(truth)
    return Comparison(len(taught), float(is_same.mean()), float(abs(learned - truth).mean()), float(abs(truth).mean()))


def score_against_random(learner: Learner, start: damier.Position, games: int, seed: int = 0) -> float:
    """Returns the share of games that the player on move at the start wins against random actions."""
    rng, wins = random.Random(seed), 0
    for _ in range(games):
        record, player = learner.game.record(start), start.mover
        while record.result is None and record.count < MOST_ACTIONS:
            if record.mover == player:
                record.play(learner.game.action_text(learner.best(record.position)))
            else:
                record.play(rng.choice(record.actions()))
        wins += record.result is not None and record.result.winner == player
    return wins / games


def main(given: list[str] | None = None) -> Learner:
    """Learns, prints what was learned beside what is known, and returns the learner."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--position", default=POSITION, help="where games begin")
    parser.add_argument("--games", type=int, default=5000, help="games to learn from (default: 5000)")
    parser.add_argument("--seconds", type=float, help="stop learning after this time")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(given)
    game = damier.load("chefa")
    start, learner = game.parse(arguments.position), Learner(game, arguments.seed)
    print(f"before: wins {score_against_random(learner, start, 200):.0%} of 200 games against random actions")
    began, played = time.monotonic(), 0
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C ends learning
        while played < arguments.games and (arguments.seconds is None or time.monotonic() < began + arguments.seconds):
            learner.play(start)
            played += 1
    print(f"after {played} games: wins {score_against_random(learner, start, 200):.0%}")
    print(f"the position is worth {learner.value(start):+.3f}, by {game.action_text(learner.best(start))}")
    *_, proof = analyse(start, Limit(nodes=200_000), lines=1)
    if proof.best.value.is_forced:
        plies, action = proof.best.value.distance or 0, proof.best.actions[0]
        print(f"the engine proves a win in {plies} plies, worth {DISCOUNT ** (plies - 1):+.3f}, by {action}")
    try:
        found = compare(learner)
    except TableMissing as missing:
        print(f"No comparison with exact values. {missing}")
    else:
        print(
            f"{found.positions} positions: {found.agreeing:.0%} have the sign of the exact value; "
            f"error {found.error:.3f}, {found.untaught:.3f} before learning"
        )
    return learner


if __name__ == "__main__":
    try:
        main()
    except damier.DamierError as error:
        sys.exit(str(error))
