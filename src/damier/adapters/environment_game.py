"""A game that an environment plays: a record, its dice, and what the player on move sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from damier.adapters.limited_game import LimitedGame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from damier.core.game import Game

Seen = dict[str, "NDArray[Any]"]
"""What a player sees: the planes as ``observation``, the legal actions as ``action_mask``."""


class EnvironmentGame(LimitedGame):
    """A game of an environment. Rolls are played by themselves, so that a player is on move until the end."""

    def __init__(self, game: Game, max_actions: int, rng: np.random.Generator) -> None:
        super().__init__(game.record(), max_actions)
        self._rng = rng
        self._roll()

    def play(self, text: str) -> None:
        """Plays an action, and what is rolled then; raises `IllegalAction` with the reason."""
        self.record.play(text)
        self._roll()

    def seen(self, player: int) -> Seen:
        """Returns what a player sees: the planes of the player on move, and a mask that is empty for all others."""
        is_acting = player == self.mover and not self.is_over
        mask = self.game.spaces.mask(self.record) if is_acting else np.zeros(self.game.spaces.action_count, np.bool_)
        return {"observation": self.game.spaces.observe(self.record), "action_mask": mask.astype(np.int8)}

    def _roll(self) -> None:
        """Plays the rolls that are due."""
        while not self.is_over and self.record.mover == "chance":
            actions = self.record.actions()
            self.record.play(actions[int(self._rng.integers(len(actions)))])


def observation_space(game: Game) -> spaces.Dict:
    """Returns the space of what a player sees."""
    high = np.broadcast_to(game.spaces.most[:, None, None], game.spaces.shape)
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros(game.spaces.shape, np.uint8), high.copy(), dtype=np.uint8),
            "action_mask": spaces.Box(0, 1, (game.spaces.action_count,), np.int8),
        }
    )


def action_space(game: Game) -> spaces.Discrete:
    """Returns the space of actions."""
    return spaces.Discrete(game.spaces.action_count)
