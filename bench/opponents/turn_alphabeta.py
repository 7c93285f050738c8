"""An alpha-beta bot for Sensei: whole turns to a fixed depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.opponents import progress, turn_search
from bench.opponents.turn_lists import Turns, stood_twice, words
from damier.core.kernel.bits import mix
from damier.engine.player import Player

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.limit import Limit

WEIGHTS = (
    *(0, 10, 21, 33, 46, 60, 75),  # stones by rows advanced
    *(0, 6, 14, 24, 36, 50, 0),  # the character by rows advanced
    8,  # passes
    8,  # forward passes
    10,  # lines that are open to the far row
    6,  # stones blocked by an enemy in front of them
    12,  # enemy stones ahead of the character
    40,  # the threat to win in the next turn
)
ENTRIES = 1 << 16


class TurnAlphaBetaPlayer(Player):
    """Plays the best turn at a fixed depth of turns."""

    def __init__(self, game: Game, depth: int = 3, seed: int = 0) -> None:
        self.name = f"turn alpha-beta {depth}"
        self._depth = depth
        self._seed = seed
        self._turns = Turns(game, progress, turn_search)
        self.weights = np.array(WEIGHTS)
        self._frames = words(turn_search.FRAME * depth)
        room = self._turns.most * depth
        self._scores = words(room)
        self._lists = words(room), words(room)
        self._memory = words(turn_search.ENTRY * ENTRIES)

    def choose(self, record: Record, limit: Limit) -> list[str]:  # noqa: ARG002  # the depth is the limit
        """Returns a whole turn."""
        state = record.position.state
        self.value(record)
        results, codes = (part[: self._frames[turn_search.TURNS]] for part in self._lists)
        best = codes[results == self._frames[turn_search.BEST_WORD]][0]
        return self._turns.texts(state, int(best))

    def value(self, record: Record) -> int:
        """Returns what the present position is worth for the player on move."""
        value = 0
        repeated = stood_twice(record)
        for depth in range(1, self._depth + 1):
            room = depth * self._turns.most
            value = self._turns.kernels.search(
                self._turns.rules,
                record.position.state,
                depth,
                mix(mix(self._seed) ^ len(record.played)),
                self.weights,
                repeated,
                self._memory,
                self._frames,
                self._scores,
                (self._lists[0][:room], self._lists[1][:room]),
                self._turns.scratch,
            )
        return int(value)

    def new_game(self) -> None:
        """Forgets the positions of the game before."""
        self._memory[:] = 0
