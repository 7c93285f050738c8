"""Winning chances of a position as one number per player, from a short search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.engine.engine import Engine
from damier.engine.limit import Limit
from damier.engine.turns import player_to_act

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.analysis import Analysis

_NODES = 2_000
_NODES_OF_MANY = 10_000  # with three or four players, where most nodes are those of random games
_MEMORY = 16  # MB


def overall_chances(analysis: Analysis) -> tuple[float, ...]:
    """Returns the winning chances of all players: of the best line, or the mean over all rolls where the die is due."""
    if analysis.mover != "chance":
        return analysis.best.value.chances
    rolls = [line.value.chances for line in analysis.lines]
    return tuple(sum(of_player) / len(rolls) for of_player in zip(*rolls, strict=True))


class EngineJudge:
    """Returns the winning chance of the player on move or about to roll, by a short deterministic search."""

    def __init__(self, game: Game) -> None:
        self._engine = Engine(game, memory=_MEMORY)
        self._limit = Limit(nodes=_NODES if len(game.players) == 2 else _NODES_OF_MANY)

    def __call__(self, record: Record) -> float:
        """Returns the chance in an undecided record."""
        player = player_to_act(record.position)
        if player is None:  # every roll loses
            return 0.0
        *_, last = self._engine.analyse(record, self._limit, 1)
        return overall_chances(last)[record.game.players.index(player)]
