"""The five games, each in a package of its own that knows nothing of the others."""

import importlib

from damier.core.definition import Definition
from damier.core.errors import UnknownGame
from damier.core.game import Game
from damier.core.messages import message, shown

#: In the order of the rule sheets.
_NAMES = ("renfa", "chefa", "badia", "sensei", "omba")


def games() -> tuple[str, ...]:
    """Returns the names of the games."""
    return _NAMES


def load(name: str, /, **options: object) -> Game:
    """Returns a game; an option that it does not have or does not take raises `BadOption`."""
    return Game(definition(name), **options)


def definition(name: str) -> Definition:
    """Returns a game before its options are chosen."""
    if name not in _NAMES:
        raise UnknownGame(
            message("There is no game {name}: the games are {names}.", name=shown(str(name)), names=", ".join(_NAMES))
        )
    module = importlib.import_module(f"damier.games.{name}")
    game: Definition = module.GAME
    return game
