"""Games in which puzzles are looked for: players of several levels, with occasional random actions."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from damier.core.position import Position
from damier.engine.levels import LevelPlayer
from damier.engine.limit import Limit

if TYPE_CHECKING:
    from damier.core.game import Game

_LEVELS = (1, 2, 3, 4)
_AT_RANDOM = (0.0, 0.1, 0.3, 0.5)  # shares of random actions, one drawn for each player of a game
_LONGEST = 90  # actions of a game


class SourceGames:
    """Plays one game after the other; the same seed gives the same games."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self._random = random.Random(f"puzzles {game!r} {seed}")
        self._players = {level: LevelPlayer(game, level, seed) for level in _LEVELS}
        for player in self._players.values():
            player.warm_up()

    def positions(self) -> list[Position]:
        """Plays a game and returns its positions at the beginning of a turn, before or after a roll."""
        chance, record = self._random, self.game.record()
        seats = {player: (chance.choice(_LEVELS), chance.choice(_AT_RANDOM)) for player in self.game.players}
        for player in self._players.values():
            player.new_game()
        found: list[Position] = []
        while record.result is None and len(record.played) < _LONGEST:
            mover, position = record.mover, record.position
            if mover == "chance":
                found.append(position)
                record.play(chance.choice(record.actions()))
                continue
            if position.is_settled or self.game.traits.has_chance:
                found.append(position)
            level, share = seats[mover]
            if chance.random() < share:
                record.play(chance.choice(record.actions()))
            else:
                record.play(self._players[level].choose(record, Limit())[0])
        return found
