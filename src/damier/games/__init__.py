"""The five games, each in a package of its own that knows nothing of the others, and games registered from outside."""

import importlib

from damier.core.definition import Definition
from damier.core.errors import UnknownGame
from damier.core.game import Game
from damier.core.messages import message, shown

#: In the order of the rule sheets.
_NAMES = ("renfa", "chefa", "badia", "sensei", "omba")

_registered: dict[str, Definition] = {}


def games() -> tuple[str, ...]:
    """Returns the names of the games: the five, then those registered."""
    return (*_NAMES, *_registered)


def register(game: Definition) -> None:
    """Adds a game from outside this package for as long as the process runs.

    Other processes find the game as ``GAME`` in the package of its rules, so it must be importable there too.
    """
    if game.name in _NAMES:
        raise ValueError(f"{game.name} is the name of a game that comes with the program.")
    _registered[game.name] = game


def registered() -> tuple[Definition, ...]:
    """Returns the games that have been registered, to register them in another process."""
    return tuple(_registered.values())


def unregister(name: str) -> None:
    """Removes a registered game."""
    del _registered[name]


def load(name: str, /, **options: object) -> Game:
    """Returns a game; an option that it does not have or does not take raises `BadOption`."""
    return Game(definition(name), **options)


def definition(name: str) -> Definition:
    """Returns a game before its options are chosen."""
    if name in _registered:
        return _registered[name]
    if name not in _NAMES:
        names = ", ".join(games())
        raise UnknownGame(
            message("There is no game {name}: the games are {names}.", name=shown(str(name)), names=names)
        )
    module = importlib.import_module(f"damier.games.{name}")
    game: Definition = module.GAME
    return game
