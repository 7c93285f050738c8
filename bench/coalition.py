"""Measures how much a coalition can do in Omba for three and four: matches of tree searches from the start.

Run as ``python -m bench.coalition --players 3 --games 200 --simulations 300 --log FILE``. There is a match in which
everybody plays for themselves, and for each player one in which all others play against that player as one side, and
the player knows it. Everybody searches with the same number of simulations, each deciding for their own side. A game is
determined by seed, match and number; the log has a line for each, and games that are in it are not played again. What
is printed: how often each player won, with 95 % intervals (Wilson).

``--pieces`` is for games with fewer pieces each, whose values are known exactly (``python -m tools.seats``): there one
can see how far the searches are from them.
"""

import argparse
import json
import math
import random
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench import coalition_rules
from bench.coalition_rules import TEAMS
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import CHANCE, PLAYING
from damier.games.omba import rules as omba
from damier.search import history, mcts

EXPLORATION = 700  # thousandths, as the engine has it
LONGEST = 600  # plies of a random game before it counts as a draw
LONGEST_MATCH_GAME = 400  # turns; nobody has won then
WIDTH = 1.96  # standard deviations of a 95 % interval


def teams_of(players: int, alone: int | None) -> list[int]:
    """Returns the side of each player: their own, or 0 for the one who is alone and 1 for all others."""
    return [player if alone is None else int(player != alone) for player in range(players)]


class Search:
    """A tree search for players in sides."""

    def __init__(self, players: int, pieces: int, teams: list[int], simulations: int) -> None:
        self.kernels = bind(coalition_rules, omba, history, mcts, compiled=True)
        packed = sum(team << 2 * player for player, team in enumerate(teams))
        self.rules: Any = np.array([players, pieces, packed])
        assert len(self.rules) - 1 == TEAMS
        self.sides, self.simulations = len(set(teams)), simulations
        self.out: Any = np.zeros(self.kernels.MAX_ACTIONS, np.int64)
        self.tree: Any = np.zeros((simulations + 2) * self.kernels.MAX_ACTIONS * mcts.NODE, np.int64)
        self.empty: Any = np.zeros(history.slots_for(0), np.int64)

    def best(self, state: Any, stream: int) -> int:
        """Returns the action that most simulations have taken."""
        work: Any = np.zeros(mcts.WORDS, np.int64)
        work[mcts.NODE_LIMIT] = 1 << 62
        work[mcts.STREAM] = stream
        work[mcts.PLAYER_COUNT] = self.sides
        work[mcts.EXPLORATION] = EXPLORATION
        work[mcts.LONGEST] = LONGEST
        tree, kernels = self.tree, self.kernels
        kernels.plant(self.rules, tree, work, state)
        kernels.run_simulations(self.rules, tree, work, self.out, self.empty, self.empty, state, self.simulations)
        first = int(tree[mcts.FIRST])
        children = range(first, first + int(tree[mcts.COUNT]) * mcts.NODE, mcts.NODE)
        return int(tree[max(children, key=lambda at: int(tree[at + mcts.VISITS])) + mcts.ACTION])

    def winner(self, seed: str) -> int | None:
        """Plays a game; returns the player who wins, or None if it is cut off."""
        chance = random.Random(seed)
        kernels, state = self.kernels, omba.start(self.rules)
        for _ in range(2 * LONGEST_MATCH_GAME):
            if kernels.outcome(self.rules, state) != PLAYING:
                return int(state[2]) & 3
            n = kernels.actions(self.rules, state, self.out)
            if kernels.mover(self.rules, state) == CHANCE:
                action = int(self.out[chance.randrange(n)])
            else:
                action = int(self.out[0]) if n == 1 else self.best(state, chance.getrandbits(62))
            state = kernels.apply(self.rules, state, action)
        return None


def interval(wins: int, games: int) -> tuple[float, float]:
    """Returns the 95 % interval of a share of wins, by Wilson's formula."""
    share, z = wins / games, WIDTH**2 / games
    middle, half = share + z / 2, math.sqrt(z * (share * (1 - share) + z / 4))
    return (middle - half) / (1 + z), (middle + half) / (1 + z)


def main() -> None:
    """Plays the matches, or the rest of them, and prints a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=3)
    parser.add_argument("--pieces", type=int, help="pieces each (default: as the rules say)")
    parser.add_argument("--games", type=int, default=300, help="of each match")
    parser.add_argument("--simulations", type=int, default=400, help="of each search")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, required=True)
    given = parser.parse_args()
    pieces = given.pieces or 12 // given.players
    known = {}
    if given.log.exists():
        known = dict(json.loads(line) for line in given.log.read_text("utf-8").splitlines())
    for alone in (None, *range(given.players)):
        search = Search(given.players, pieces, teams_of(given.players, alone), given.simulations)
        began = time.process_time()
        winners = []
        for game in range(given.games):
            name = f"{given.players} {pieces} {alone} {given.simulations} {given.seed} {game}"
            if name not in known:
                known[name] = search.winner(name)
                with given.log.open("a", encoding="utf-8") as log:
                    log.write(json.dumps([name, known[name]]) + "\n")
            winners.append(known[name])
        print("everybody alone" if alone is None else f"all against player {alone + 1}", end="")
        for player in range(given.players) if alone is None else (alone,):
            wins = winners.count(player)
            low, high = interval(wins, given.games)
            share = f"{wins / given.games:.1%} ({low:.1%} to {high:.1%})"
            print(f"; {player + 1} wins {wins} of {given.games}: {share}", end="")
        print(f"; {winners.count(None)} cut off; {time.process_time() - began:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    main()
