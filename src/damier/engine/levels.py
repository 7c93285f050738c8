"""Opponents: full strength, and eight levels from a first game to full strength.

A weak level is not a strong one that plays at random now and then. It looks at few positions, does not see some of the
actions, its own and the opponent's, when it looks ahead (the same ones all game long in the same position, like a
person with blind spots), and takes any action that seems nearly as good as the best. Its own win at once it always
sees.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.engine.engine import Engine
from damier.engine.limit import Limit
from damier.engine.methods.method import Clock

if TYPE_CHECKING:
    from damier.core.definition import Strength
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.analysis import Analysis, Line

LEVELS = range(1, 9)

#: What one calls the levels.
NAMES = {
    1: message("First game"),
    2: message("Newcomer"),
    3: message("Beginner"),
    4: message("Learner"),
    5: message("Player"),
    6: message("Good player"),
    7: message("Expert"),
    8: message("Full strength"),
}

CONTEMPT = 200  # a player plays on rather than repeat; see `Method.contempt`
_MAIN_SHARE = 0.85  # of a turn's time, for the search that should find the whole turn
_LINES = 8  # actions that a careless level compares
_MEMORY = 4  # MB of a level's table: it looks at few positions
_SOON = 3  # plies to a win that every level sees


class EnginePlayer:
    """A player at full strength."""

    def __init__(self, game: Game, *, threads: int = 1, memory: int = 64, method: str | None = None) -> None:
        self.name = method or "full"
        self.engine = Engine(game, threads=threads, memory=memory, method=method, uses_tables=method is None)
        self.engine.method.contempt = CONTEMPT
        self.last: Analysis | None = None
        """What the last search found."""

    def warm_up(self) -> None:
        """Loads the compiled code now, so that it does not take time from the first turn."""
        self.engine.warm_up()

    def choose(self, record: Record, limit: Limit) -> list[str]:
        """Returns the actions of a whole turn, as far as they are the player's own."""
        clock = Clock(limit)
        playing, mover, turn = record.copy(), record.mover, record.turn
        chosen: list[str] = []
        first = limit
        if limit.seconds is not None and self.engine.game.traits.has_long_turns:
            first = Limit(limit.seconds * _MAIN_SHARE, limit.nodes, limit.depth)
        while playing.result is None and playing.mover == mover and playing.turn == turn:
            *_, self.last = self.engine.analyse(playing, clock.rest if chosen else first, 1)
            for text in self.last.best.actions:
                if playing.result is None and playing.mover == mover and playing.turn == turn:
                    playing.play(text)
                    chosen.append(text)
        return chosen

    def new_game(self) -> None:
        """Forgets the game before."""
        self.engine.new_game()

    def close(self) -> None:
        """Ends the running search."""
        self.engine.close()


class LevelPlayer:
    """A player of one of the eight levels."""

    def __init__(self, game: Game, level: int, seed: int = 0, strength: Strength | None = None) -> None:
        """With a strength, the level is only a name: that is how levels are measured out."""
        if level not in LEVELS:
            raise BadArgument(
                message(
                    "The level takes a whole number from {low} to {high}, not {value}.",
                    low=LEVELS[0],
                    high=LEVELS[-1],
                    value=shown(str(level)),
                )
            )
        self.name = f"level:{level}"
        self.level = level
        self._seed, self._games = seed, 0
        strengths = game.definition.levels(game.options)
        self._strength = strength or (strengths[level - 1] if level <= len(strengths) else None)
        self._full = EnginePlayer(game) if self._strength is None else None
        self._engine = self._full.engine if self._full else Engine(game, memory=_MEMORY)
        self._engine.method.contempt = CONTEMPT

    def warm_up(self) -> None:
        """Loads the compiled code now, so that it does not take time from the first turn."""
        self._engine.warm_up()

    def choose(self, record: Record, limit: Limit) -> list[str]:
        """Returns the next action, or all of a turn at full strength."""
        if self._full:
            return self._full.choose(record, limit)
        strength, method = self._strength, self._engine.method
        assert strength is not None
        chance = random.Random(f"{self._seed} {self._games} {len(record.played)}")
        method.overlooked = round(1024 * strength.overlooked)
        method.stream = random.Random(f"{self._seed} {self._games}").getrandbits(62)
        lines = _LINES if strength.margin else 1
        nodes = min(strength.nodes, limit.nodes or strength.nodes)
        *_, last = self._engine.analyse(record, Limit(limit.seconds, nodes, limit.depth), lines)
        player = record.game.players.index(record.mover)
        return [_chosen(last, player, strength.margin, chance).actions[0]]

    def new_game(self) -> None:
        """Forgets the game before and gets other blind spots."""
        self._games += 1
        self._engine.new_game()

    def close(self) -> None:
        """Ends the running search."""
        self._engine.close()


def _chosen(analysis: Analysis, player: int, margin: float, chance: random.Random) -> Line:
    """Returns one of the lines that seem nearly as good as the best."""
    best = analysis.best
    if best.value.winner == analysis.mover and best.value.distance is not None and best.value.distance <= _SOON:
        return best
    good = [line for line in analysis.lines if line.value.chances[player] >= best.value.chances[player] - margin]
    return chance.choice(good)
