"""Wire models of ratings."""

from __future__ import annotations

from typing import Literal

from damier.server.wire.model import WireModel


class RatingData(WireModel):
    """How strong a player is."""

    value: int
    is_provisional: bool
    """Whether the value is still uncertain."""


class RatingChangeData(WireModel):
    """What a match has changed in the rating of a player."""

    before: int
    after: int
    is_provisional: bool
    """Whether the value after the match is still uncertain."""


class MatchRatings(WireModel):
    """What a rated match has changed, once it is over."""

    changes: dict[str, RatingChangeData]
    """By player."""

    why_unrated: Literal["repeated", "timeouts"] | None
    """Why the game did not count: the same one again and again, or one of many that an absent player lost on time."""


class LeaderboardEntry(WireModel):
    """A line of a leaderboard."""

    place: int
    name: str
    is_program: bool
    value: int
    deviation: int
    games: int
    at: str
    """When the last game ended."""


class Leaderboard(WireModel):
    """A page of the best accounts of a pool."""

    pool: str
    page: int
    pages: int
    entries: list[LeaderboardEntry]
    most_deviation: int
    """The deviation up to which a rating is listed."""


class RatingPoint(WireModel):
    """The value of a rating after a game."""

    at: str
    value: int


class PoolRating(WireModel):
    """The rating of an account in a pool."""

    pool: str
    game: str
    players: int
    speed: Literal["live", "correspondence"]
    has_programs: bool
    rating: RatingData
    deviation: int
    games: int
    points: list[RatingPoint]
    """The course of the value, oldest first; of many games some are left out."""


class PersonRatings(WireModel):
    """All ratings of an account."""

    name: str
    pools: list[PoolRating]
