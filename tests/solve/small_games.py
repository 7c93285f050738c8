"""Games small enough to be solved in a test."""

import damier
from damier.core.game import Game


def small_omba(pieces: int) -> Game:
    """Returns Omba for two with this number of pieces each."""
    game = damier.load("omba")
    game.rules = [2, pieces]
    return game


def ignore_progress(_share: float, _note: str = "") -> None:
    """Shows nothing."""
