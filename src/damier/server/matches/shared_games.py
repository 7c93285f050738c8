"""One object for each game with its options, which all matches of that game share.

A game keeps its drawing and what else it has worked out, 100 kB; a match of 25 actions has 40 kB of its own
(2026-11-17).
"""

from __future__ import annotations

from collections import OrderedDict

from damier.core.game import Game

_KEPT = 256
_games: OrderedDict[tuple[int, str], Game] = OrderedDict()


def shared_game(game: Game) -> Game:
    """Returns the game that matches share with one that is equal to it."""
    key = (id(game.definition), game.options_text)  # a definition that is kept here keeps its id
    found = _games.setdefault(key, game)
    _games.move_to_end(key)
    if len(_games) > _KEPT:
        _games.popitem(last=False)
    return found
