"""Whole turns as texts, and the arrays that compiled code works in."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from bench.opponents import turns
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import PLAYING

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

    from damier.core.game import Game
    from damier.core.kernel.contract import State
    from damier.core.record import Record


class Turns:
    """The compiled kernels for turns of a game and some algorithms, with their scratch arrays."""

    def __init__(self, game: Game, *algorithms: ModuleType) -> None:
        self.game = game
        self.kernels = bind(game.definition.rules, turns, *algorithms, compiled=True)
        self.rules = np.array(game.rules)
        self.most = turns.MOST_SLIDING_TURNS if game.rules[self.kernels.SLIDES] else turns.MOST_TURNS
        places = 1 << (2 * self.most).bit_length()
        self.scratch = words(2 + 2 * places), words(3 * self.most), words(self.kernels.MAX_ACTIONS)

    def listed(self, state: State) -> list[tuple[int, list[str]]]:
        """Returns all turns from a state: for each the result (the word of the own side after it) and its actions."""
        results, codes = lists = words(self.most), words(self.most)
        n = self.kernels.list_turns(self.rules, state, 0, lists, self.scratch)
        return [(int(results[i]), self.texts(state, int(codes[i]))) for i in range(n)]

    def texts(self, state: State, code: int) -> list[str]:
        """Returns the actions of a turn given by its code, with `end` where it is needed."""
        game, mover = self.game, state[2] & 1
        found = []
        while code:
            found.append(code % (1 << turns.ACTION) - 1)
            code >>= turns.ACTION
        for action in reversed(found):
            state = game.kernels.apply(game.rules, state, action)
        texts = [game.action_text(action) for action in reversed(found)]
        if state[2] & 1 == mover and game.kernels.outcome(game.rules, state) == PLAYING:
            texts.append("end")
        return texts


def words(size: int) -> NDArray[np.int64]:
    """Returns a zeroed array for compiled code."""
    return np.zeros(size, np.int64)


def stood_twice(record: Record) -> NDArray[np.int64]:
    """Returns the positions that would end the game as a draw, each as the words of the last mover and the next."""
    counts = Counter(position.state for position in record.positions if position.is_settled)
    pairs = [(state[1], state[0]) for state, count in counts.items() if count >= 2]
    return np.array(pairs, np.int64).reshape(-1)
