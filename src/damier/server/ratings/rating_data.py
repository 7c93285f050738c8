"""Ratings as wire models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import damier
from damier.server.ratings.glicko import PROVISIONAL_DEVIATION, Rating
from damier.server.ratings.pools import parse_pool
from damier.server.ratings.rate_match import find_changes, level_rating, seat_ratings
from damier.server.wire.ratings import (
    LeaderboardEntry,
    MatchRatings,
    PoolRating,
    RatingChangeData,
    RatingData,
    RatingPoint,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from damier.server.matches.match import Match, Seat
    from damier.server.ratings.rate_match import RatedMatch
    from damier.server.store.statements.ratings import Listed


def rating_data(rating: Rating) -> RatingData:
    """Returns a rating."""
    return RatingData(value=round(rating.value), is_provisional=rating.is_provisional)


def match_ratings(rated: RatedMatch) -> MatchRatings:
    """Returns what a match has changed."""
    changes = {
        change.player: RatingChangeData(
            before=round(change.before),
            after=round(change.after),
            is_provisional=change.deviation > PROVISIONAL_DEVIATION,
        )
        for change in rated.changes
    }
    return MatchRatings(changes=changes, why_unrated=rated.why_unrated)


def shown_ratings(
    connection: Connection, match: Match, seats: Sequence[Seat]
) -> tuple[dict[str, RatingData], MatchRatings | None]:
    """Returns the ratings of the players of a match before its game, by player, and what it has changed in them."""
    rated = find_changes(connection, match.number) if match.is_rated and match.record.result else None
    if rated:
        told = match_ratings(rated)
        before = {
            player: RatingData(value=change.before, is_provisional=change.is_provisional)
            for player, change in told.changes.items()
        }
        return before, told
    if match.control is None:
        return {}, None
    found = seat_ratings(connection, match.game.name, match.control, seats)
    return {player: rating_data(rating) for player, rating in found.items()}, None


def shown_levels(match: Match) -> dict[str, RatingData]:
    """Returns the measured ratings of the computer's levels in a match, by player."""
    if match.game.options != damier.load(match.game.name).options:
        return {}  # measured with the usual options only
    levels = {seat.player: level_rating(match.game.name, seat.level) for seat in match.seats if seat.level}
    return {player: rating_data(rating) for player, rating in levels.items() if rating and not rating.is_provisional}


def leaderboard_entry(place: int, listed: Listed) -> LeaderboardEntry:
    """Returns a line of a leaderboard."""
    return LeaderboardEntry(
        place=place,
        name=listed.name,
        is_program=listed.is_program,
        value=round(listed.rating.value),
        deviation=round(listed.rating.deviation),
        games=listed.rating.games,
        at=listed.at,
    )


def pool_rating(name: str, rating: Rating, course: Sequence[tuple[str, float]]) -> PoolRating | None:
    """Returns the rating of an account in a pool; None for a pool of a form that is no longer known."""
    pool = parse_pool(name)
    if pool is None:
        return None
    return PoolRating(
        pool=name,
        game=pool.game,
        players=pool.players,
        speed=pool.speed,
        has_programs=pool.has_programs,
        rating=rating_data(rating),
        deviation=round(rating.deviation),
        games=rating.games,
        points=[RatingPoint(at=at, value=round(value)) for at, value in course],
    )
