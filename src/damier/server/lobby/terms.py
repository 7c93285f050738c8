"""The terms of a seek: read from requests and from the database, and refused where nobody could play on them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import damier
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.lobby.pairing import Terms
from damier.server.matches.clock import parse_control
from damier.server.matches.shared_games import shared_game
from damier.server.wire.clocks import ClockTerms
from damier.server.wire.lobby import TermsData

if TYPE_CHECKING:
    from damier.core.game import Game


def parse_terms(given: Sequence[TermsData]) -> tuple[Terms, ...]:
    """Returns the terms of a request, each once; raises `BadArgument`, `UnknownGame` or `BadOption`."""
    return tuple(dict.fromkeys(_parsed(each) for each in given))


def _parsed(given: TermsData) -> Terms:
    game = damier.load(given.game, **given.options)
    if len(game.players) != 2:
        raise BadArgument(message("The lobby pairs two players: invite more by link."))
    if given.is_rated and given.clock is None:
        raise BadArgument(message("A rated game needs a clock."))
    if given.is_rated and game.options != damier.load(given.game).options:
        raise BadArgument(message("A rated game has the usual options."))
    control = parse_control(given.clock.model_dump()) if given.clock else None
    return Terms(game.name, json.dumps(dict(game.options)), control, given.is_rated)


def game_of(terms: Terms) -> Game:
    """Returns the game that is played on some terms."""
    return shared_game(damier.load(terms.game, **json.loads(terms.options)))


def pool_of_terms(terms: Terms) -> str | None:
    """Returns the pool of ratings for some terms: as `pool_of` for a match; None without a clock."""
    return f"{terms.game}.{terms.clock.speed}" if terms.clock else None


def is_live(terms: Sequence[Terms]) -> bool:
    """Tells whether a seek ends with its page: somebody who is away cannot play a live game."""
    return any(each.clock is not None and each.clock.speed == "live" for each in terms)


def terms_data(terms: Terms) -> TermsData:
    """Returns terms as wire model; options that have their default are left out."""
    usual = damier.load(terms.game).options
    options = {name: value for name, value in json.loads(terms.options).items() if usual.get(name) != value}
    clock = ClockTerms(**terms.clock.data()) if terms.clock else None
    return TermsData(game=terms.game, options=options, clock=clock, is_rated=terms.is_rated)


def stored_terms(terms: Sequence[Terms]) -> str:
    """Returns terms as the database has them."""
    return json.dumps(
        [
            {
                "game": each.game,
                "options": json.loads(each.options),
                "clock": each.clock.data() if each.clock else None,
                "is_rated": each.is_rated,
            }
            for each in terms
        ]
    )


def read_stored_terms(text: str) -> tuple[Terms, ...]:
    """Returns terms of the database; raises a `DamierError` if a game or an option of theirs is gone."""
    return tuple(_read(each) for each in json.loads(text))


def _read(data: dict[str, Any]) -> Terms:
    game = damier.load(data["game"], **data["options"])
    clock = parse_control(data["clock"]) if data["clock"] else None
    return Terms(game.name, json.dumps(dict(game.options)), clock, data["is_rated"])
