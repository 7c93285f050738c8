"""A game being played that is cut off after `max_actions` actions: what all adapters play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.draw.textboard import board_text

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record

MOST_ACTIONS = 1000
"""How many actions a game may have, rolls included, before an adapter cuts it off."""


class LimitedGame:
    """A record that is cut off after `max_actions` actions, rolls included."""

    def __init__(self, record: Record, max_actions: int) -> None:
        self.record, self.max_actions = record, max_actions

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.record.game

    @property
    def mover(self) -> int:
        """The number of the player on move; -1 if a roll is due."""
        mover = self.record.mover
        return -1 if mover == "chance" else self.game.players.index(mover)

    @property
    def is_cut(self) -> bool:
        """Whether the game has been cut off."""
        return self.record.result is None and self.record.count >= self.max_actions

    @property
    def is_over(self) -> bool:
        """Whether the game has ended or been cut off."""
        return self.record.result is not None or self.is_cut

    def rewards(self) -> list[float]:
        """Returns what each player gets: 1 for winning, the others share a loss of 1; 0 before the end and if drawn."""
        players, result = self.game.players, self.record.result
        if result is None or result.winner is None:
            return [0.0] * len(players)
        return [1.0 if player == result.winner else -1 / (len(players) - 1) for player in players]

    def text(self) -> str:
        """Returns the board as text."""
        return board_text(self.record.position, result=self.record.result)
