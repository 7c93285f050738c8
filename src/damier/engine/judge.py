"""How good a position is for its players, as a whole: what a search of it comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.engine.engine import Engine
from damier.engine.limit import Limit

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.core.record import Record
    from damier.engine.analysis import Analysis

_NODES = 2_000
_NODES_OF_MANY = 10_000  # with three or four players, of whose nodes most are those of random games
_MEMORY = 16  # MB


def overall_chances(analysis: Analysis) -> tuple[float, ...]:
    """Returns the winning chances of all players: those of the best line, or where the die is due the mean of all."""
    if analysis.mover != "chance":
        return analysis.best.value.chances
    rolls = [line.value.chances for line in analysis.lines]
    return tuple(sum(of_player) / len(rolls) for of_player in zip(*rolls, strict=True))


class EngineJudge:
    """Tells the winning chance of whoever is on move or about to roll, by a short search: always the same one."""

    def __init__(self, game: Game) -> None:
        self._engine = Engine(game, memory=_MEMORY)
        self._limit = Limit(nodes=_NODES if len(game.players) == 2 else _NODES_OF_MANY)

    def __call__(self, record: Record) -> float:
        """Returns the chance in an undecided record."""
        player = _player_to_act(record.position)
        if player is None:
            return 0.0
        *_, last = self._engine.analyse(record, self._limit, 1)
        return overall_chances(last)[record.game.players.index(player)]


def _player_to_act(position: Position) -> str | None:
    """Returns who is on move or about to roll; None if whatever they roll ends the game for them."""
    if position.mover != "chance":
        return position.mover
    for roll in position.actions():
        after = position.play(roll)
        if after.result is None and not after.is_settled:
            return after.mover
    return None
