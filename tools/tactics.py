"""Writes the tactics of the tests: positions with a forced win for the player on move, found by brute force.

    python -m tools.tactics GAME [--count N] [--seed S]

Positions come from random play that starts at random positions. Each is searched to the end with ``tools/forced.py``
for one ply, two, three and so on, all first actions apart, so that the distance is the shortest and the winning actions
are all that win in it. With a die, a win is forced when it comes whatever is rolled. The file depends on the count and
the seed alone; it takes a core from some seconds to a few minutes.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import damier
from damier.core.kernel.bind import bind
from damier.core.position import Position
from tests.games.random_positions import random_position
from tools import forced

FOLDER = Path(__file__).parent.parent / "tests" / "games"

#: The distances that make up a file, in equal shares, and how many positions are searched so deep if need be.
TRIES = {
    "renfa": {9: 3_000, 7: 10_000, 5: 10_000, 3: 10_000},
    "chefa": {7: 60_000, 5: 40_000, 3: 20_000},  # 9: none in 20,000 but the start, where every action wins
    "badia": {9: 12_000, 7: 20_000, 5: 20_000, 3: 20_000},
    "sensei": {9: 4_000, 8: 4_000, 7: 4_000, 6: 4_000, 5: 10_000, 3: 10_000},
    "omba": {2: 200_000},
}
_BUDGET = 20_000_000  # actions tried for one first action; a position that needs more is left out
_ROWS = 1 << 20  # of the table
_MOST_WINNING = 10  # first actions; nor may they be more than half of all
_LONGEST_PLAY = 20  # random actions after a random position


@dataclass
class Tactic:
    """One line of a file."""

    position: str
    winner: str
    distance: int
    winning: list[str]

    def line(self, has_die: bool) -> str:
        """Returns the line; with a die, without the distance."""
        distance = [] if has_die else [str(self.distance)]
        return "; ".join([self.position, self.winner, *distance, " ".join(self.winning)])


class Solver:
    """Looks for forced wins of one game in compiled code."""

    def __init__(self, game: damier.Game) -> None:
        self.game = game
        self._kernels = bind(game.definition.rules, forced, compiled=True)
        plies = max(TRIES[game.name]) + 1
        self._rules = np.array(game.rules, dtype=np.int64)
        self._frames = np.zeros(plies * forced.FIELDS, dtype=np.int64)
        self._lists = np.zeros((plies, self._kernels.MAX_ACTIONS), dtype=np.int64)
        self._table = np.zeros((_ROWS, forced.ROW_FIELDS), dtype=np.int64)

    def solve(self, position: Position, deepest: int) -> Tactic | None:
        """Returns the shortest forced win of the player on move, if there is one within `deepest` plies."""
        codes = position.judged()[1]
        for distance in range(1, deepest + 1):
            values = [self._wins_with(position, code, distance) for code in codes]
            if forced.UNKNOWN in values:
                return None
            winning = [code for code, value in zip(codes, values, strict=True) if value == forced.YES]
            if winning:
                texts = sorted(self.game.action_text(code) for code in winning)
                return Tactic(str(position), position.mover, distance, texts)
        return None

    def _wins_with(self, position: Position, code: int, distance: int) -> int:
        work: tuple[Any, ...] = self._frames, self._lists, self._table
        return int(self._kernels.wins_with(self._rules, position.state, code, distance, _BUDGET, *work))


@dataclass
class Pool:
    """The tactics of one distance: those with every piece on the board, and those with pieces still in hand."""

    share: int
    placed: list[Tactic] = field(default_factory=list)
    placing: list[Tactic] = field(default_factory=list)

    def room(self, is_placing: bool) -> list[Tactic] | None:
        """Returns where another tactic is to go, or None when there are enough of its kind."""
        if is_placing:
            return self.placing if 3 * len(self.placing) < 2 * self.share else None
        return self.placed if len(self.placed) < 2 * self.share else None

    def is_full(self) -> bool:
        """Tells whether the share is there, two thirds of it with every piece on the board."""
        return 3 * len(self.placed) >= 2 * self.share and len(self.placed) + len(self.placing) >= self.share

    def in_order(self) -> list[Tactic]:
        """Returns the tactics in the order in which they are taken."""
        first = -(-2 * self.share // 3)
        return self.placed[:first] + self.placing + self.placed[first:]


def sampled(game: damier.Game, rng: random.Random) -> Iterator[Position]:
    """Yields undecided positions of random play in which a player is on move, each once."""
    seen: set[Position] = set()
    while True:
        position = game.parse(random_position(game.name, {}, rng))
        longest = rng.choice((0, rng.randint(1, _LONGEST_PLAY)))
        played = 0
        while position.result is None and (played < longest or position.mover == "chance"):
            position = position.after(rng.choice(position.judged()[1]))
            played += 1
        if position.result is None and position not in seen:
            seen.add(position)
            yield position


def is_real_choice(tactic: Tactic, position: Position) -> bool:
    """Tells whether there are few enough winning actions."""
    return len(tactic.winning) <= min(_MOST_WINNING, len(position.actions()) // 2)


def tactics(game: damier.Game, count: int, seed: int) -> list[Tactic]:
    """Returns tactics by distance: equal shares, and more of what there is where a share could not be filled."""
    pools = search(game, count, seed)
    taken = [tactic for pool in pools.values() for tactic in pool.in_order()[: pool.share]]
    rest = [tactic for pool in pools.values() for tactic in pool.in_order()[pool.share :]]
    return sorted(taken + rest[: max(0, count - len(taken))], key=lambda tactic: tactic.distance)


def search(game: damier.Game, count: int, seed: int) -> dict[int, Pool]:
    """Returns the tactics found, the greatest distance first."""
    solver = Solver(game)
    tries = TRIES[game.name]
    pools = {distance: Pool(share=-(-count // len(tries))) for distance in tries}
    positions = sampled(game, random.Random(f"tactics {game.name} {seed}"))
    for deepest, most in tries.items():
        for _ in range(most):
            if pools[deepest].is_full():
                break
            position = next(positions)
            is_placing = any(position.hands().values())
            if pools[deepest].room(is_placing) is None:
                continue
            tactic = solver.solve(position, deepest)
            if tactic and tactic.distance in pools and is_real_choice(tactic, position):
                room = pools[tactic.distance].room(is_placing)
                if room is not None:
                    room.append(tactic)
        print(*(f"{d}: {len(p.placed)}+{len(p.placing)}" for d, p in sorted(pools.items())), file=sys.stderr)
    return pools


def heading(game: damier.Game, count: int, seed: int) -> list[str]:
    """Returns the comment at the head of a file."""
    command = f"# python -m tools.tactics {game.name} --count {count} --seed {seed}"
    if game.start.mover == "chance":
        return [
            f"# {game.title}: after a roll, actions that win for certain while others do not: every number that the",
            "# opponent may roll next leaves them without an action. Position; player; all such actions.",
            command,
        ]
    return [
        f"# {game.title}: forced wins of the player on move, found by exhaustive search. Position; winner; distance in",
        "# plies, both sides at their best; all first actions that win in it.",
        command,
    ]


def main() -> None:
    """Writes the file of a game."""
    parser = argparse.ArgumentParser(prog="python -m tools.tactics", description="Writes tests/tactics/GAME.txt.")
    parser.add_argument("game", choices=sorted(TRIES))
    parser.add_argument("--count", type=int, default=60, help="how many positions (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="of the random positions (default: 0)")
    args = parser.parse_args()
    game = damier.load(args.game)
    has_die = game.start.mover == "chance"
    lines = heading(game, args.count, args.seed)
    lines += [tactic.line(has_die) for tactic in tactics(game, args.count, args.seed)]
    (FOLDER / game.name / "tactics.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
