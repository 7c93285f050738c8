"""Exhaustive search for the tests of puzzles: the brute force that wrote tests/tactics."""

from typing import Any

import numpy as np

import damier
from damier.core.kernel.bind import bind
from damier.core.position import Position
from tools import forced

DEEPEST = 7  # plies
BUDGET = 200_000_000  # actions tried


class Force:
    """Exhaustive search of one game with its options."""

    def __init__(self, game: damier.Game) -> None:
        self._kernels = bind(game.definition.rules, forced, compiled=True)
        self._rules = np.array(game.rules, np.int64)
        self._frames = np.zeros((DEEPEST + 2) * forced.FIELDS, np.int64)
        self._lists = np.zeros((DEEPEST + 2, self._kernels.MAX_ACTIONS), np.int64)
        self._table = np.zeros((1 << 18, forced.ROW_FIELDS), np.int64)

    def wins(self, position: Position, action: int | str, plies: int) -> bool:
        """Tells whether an action forces a win within `plies`."""
        if plies < 1:
            return False
        code = position.game.parse_action(action) if isinstance(action, str) else action
        work: tuple[Any, ...] = self._frames, self._lists, self._table
        found = self._kernels.wins_with(self._rules, position.state, code, plies, BUDGET, *work)
        assert found != forced.UNKNOWN
        return bool(found == forced.YES)

    def is_won(self, position: Position, plies: int) -> bool:
        """Tells whether the player on move can force a win within `plies`."""
        return any(self.wins(position, code, plies) for code in position.judged()[1])
