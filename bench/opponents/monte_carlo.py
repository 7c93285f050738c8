"""A Monte-Carlo bot for Sensei: some thousand random games a turn, allotted to the turns by UCB1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.opponents import bandit
from bench.opponents.turn_lists import Turns, stood_twice, words
from damier.core.kernel.bits import mix
from damier.engine.player import Player

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.limit import Limit

#: Weight of what is unknown against what is known. The bandit against alpha-beta of depth 1 in 80 games each scored
#: 45 % with 0.1, 57 % with 0.2, 44 % with 0.4, 35 % with 1.0.
COURAGE = 0.2
RIPE = 100  # visits before a node of the tree has children: 48 % in 60 such games; 30 scored 45 % in 80
LONGEST = 100  # turns of a random game
NODES = 400_000  # of a tree; full, it grows no more
DEEPEST = 1_000


class MonteCarloPlayer(Player):
    """Plays the turn that most random games went through; with `tree` the answers are searched in the same way."""

    def __init__(self, game: Game, playouts: int = 8000, seed: int = 0, tree: bool = False) -> None:
        self.name = f"monte-carlo {'tree' if tree else 'bandit'} {playouts}"
        self._playouts = playouts
        self._seed = seed
        self._turns = Turns(game, bandit)
        most = self._turns.most
        self._ripe = RIPE if tree else playouts + 1
        room = NODES if tree else 2 + 2 * most
        self._tree = words(bandit.NODE * room), words(room), words(room)
        self._lists = words(2 * most), words(2 * most)
        self._path = words(DEEPEST)

    def choose(self, record: Record, limit: Limit) -> list[str]:  # noqa: ARG002  # the number of games is the limit
        """Returns a whole turn."""
        state = record.position.state
        nodes, visits, points = self._tree
        self._turns.kernels.explore(
            self._turns.rules,
            state,
            self._playouts,
            self._ripe,
            COURAGE,
            LONGEST,
            mix(mix(self._seed) ^ len(record.played)),
            stood_twice(record),
            self._tree,
            self._lists,
            self._turns.scratch,
            self._path,
        )
        first, count = int(nodes[bandit.CHILD]), int(nodes[bandit.CHILDREN])
        best = max(range(first, first + count), key=lambda child: (visits[child], points[child]))
        return self._turns.texts(state, int(nodes[bandit.NODE * best + bandit.CODE]))
