"""What the protocol servers share: a game being played, the player that searches it, and the standard streams.

Servers are given a function that makes the player, so that they can be tested without an engine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from damier.engine.levels import FULL_STRENGTH, EnginePlayer, LevelPlayer

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.engine.player import Player


@dataclass(frozen=True)
class PlayerSettings:
    """How the player of a session is made."""

    memory: int = 64
    """In MB."""

    threads: int = 1
    level: int = FULL_STRENGTH
    seed: int = 0
    """Of the random choices of a level."""


MakePlayer = Callable[["Game", PlayerSettings], "Player"]


def make_player(game: Game, settings: PlayerSettings) -> Player:
    """Returns the engine, or a player of a level below full strength."""
    if settings.level < FULL_STRENGTH:
        return LevelPlayer(game, settings.level, settings.seed)
    return EnginePlayer(game, threads=settings.threads, memory=settings.memory, contempt=0)  # values are shown


class Session:
    """A game being played and its player, which is made when it is first needed."""

    def __init__(self, game: Game, settings: PlayerSettings, make: MakePlayer) -> None:
        self.record = game.record()
        self._settings = settings
        self._make = make
        self._player: Player | None = None

    @property
    def game(self) -> Game:
        """The game with its present options."""
        return self.record.game

    def player(self) -> Player:
        """Returns the player for this game and these settings."""
        if self._player is None:
            self._player = self._make(self.game, self._settings)
        return self._player

    def set_game(self, game: Game) -> None:
        """Starts a game with other options."""
        self.close()
        self.record = game.record()

    def set_settings(self, **changes: int) -> None:
        """Changes fields of the settings."""
        self.close()
        self._settings = replace(self._settings, **changes)

    def new_game(self) -> None:
        """Goes back to the start and forgets the previous game."""
        self.record = self.game.record()
        if self._player:
            self._player.new_game()

    def close(self) -> None:
        """Closes the player."""
        if self._player:
            self._player.close()
            self._player = None


def standard_input() -> Iterator[str]:
    """Yields the lines of standard input as they come; bytes that are not UTF-8 are replaced."""
    while line := sys.stdin.buffer.readline():
        yield line.decode("utf-8", "replace")


def write_standard_output(line: str) -> None:
    """Writes a line to standard output and flushes it."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
