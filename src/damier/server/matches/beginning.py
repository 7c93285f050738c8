"""How a match begins: its seats, its terms and which of them may be rated, and the first rolls."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import damier
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.engine.levels import LEVELS
from damier.server.matches.clock import TimeControl, check_clock
from damier.server.matches.match import COMPUTER, OPEN, PERSON, Match, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damier.core.game import Game


@dataclass(frozen=True)
class MatchTerms:
    """What is agreed on before a match."""

    control: TimeControl | None = None
    is_rated: bool = False
    allows_help: bool = False
    origin: str = ""


def new_match(
    number: str, game: Game, seats: list[Seat], seed: bytes, creator: str, created: str, *, terms: MatchTerms, at: int
) -> Match:
    """Returns a match with the rolls that are due in it, begun at a server time; raises `BadArgument`."""
    check_clock(terms.control, has_chance=game.traits.has_chance)
    if terms.is_rated:
        check_rated(game, seats, terms.control, allows_help=terms.allows_help)
    match = Match(number, game, seats, seed, creator, created, **vars(terms), begun=at if terms.control else 0)
    while roll := match.due_roll():
        match.add(replace(roll, at=at) if terms.control else roll)
    return match


def asked_seat(player: str, given: str | int, visitor: str) -> Seat:
    """Returns the seat that a visitor asked for."""
    if given == "me":
        return Seat(player, PERSON, visitor=visitor)
    if given == "open":
        return Seat(player, OPEN, invitation=secrets.token_urlsafe(12))
    if isinstance(given, int) and given in LEVELS:
        return Seat(player, COMPUTER, level=given)
    low, high = LEVELS[0], LEVELS[-1]
    raise BadArgument(message("A seat is yours, open, or has a level from {low} to {high}.", low=low, high=high))


def check_rated(game: Game, seats: Sequence[Seat], control: TimeControl | None, *, allows_help: bool) -> None:
    """Raises `BadArgument` for a match that cannot be rated."""
    if control is None:
        raise BadArgument(message("A rated match needs a clock."))
    if any(seat.kind == COMPUTER for seat in seats):
        raise BadArgument(message("A match against the computer cannot be rated."))
    persons = [seat.visitor for seat in seats if seat.visitor]
    if len(persons) != len(set(persons)):
        raise BadArgument(message("A rated match needs another player in every seat."))
    if allows_help:
        raise BadArgument(message("A rated match has no hints, values or take-backs."))
    if not has_rated_options(game):
        raise BadArgument(
            message("A rated match is played with the usual options; only the number of players may differ.")
        )


def has_rated_options(game: Game) -> bool:
    """Tells whether a game has its usual options, apart from one that says how many play."""
    usual = damier.load(game.name)
    others = {name: value for name, value in game.options.items() if value != usual.options[name]}
    return all(
        len(damier.load(game.name, **{name: value}).players) != len(usual.players) for name, value in others.items()
    )
