"""Glicko-2 for two to four players: pure arithmetic, without storage or clocks.

A rating is a value, its deviation (how uncertain the value is, as a standard deviation) and a volatility (how much the
strength itself changes). The method is that of Mark Glickman's paper "Example of the Glicko-2 system" (2013), with each
game as a period of its own, and three additions:

- The deviation grows with the days since the last game, not with each game: `aged`.
- A game of three or four players counts as results between pairs of them, all against the ratings before the game. Who
  is better placed than another has beaten that one; who share the first place have drawn; others who are equal are not
  compared, because the game does not say which of them was better. The pairs of one game are not independent, so each
  weighs less than a game of two: `pair_weight`.
- Values and deviations have bounds, so that no run of results makes a rating absurd or unable to move.

Players of known strength come out in order and calibrated: ``docs/ratings.md`` has what was measured. A game of four
takes 80 microseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

FIRST_VALUE = 1500.0
FIRST_DEVIATION = 350.0
FIRST_VOLATILITY = 0.06
LEAST_VALUE = 100.0
LEAST_DEVIATION = 45.0
"""Below it a rating would hardly move any more, whatever happens."""

MOST_VOLATILITY = 0.12
"""After absurd results the paper's equation has several solutions, of which the highest would ruin a rating."""

PROVISIONAL_DEVIATION = 110.0
"""A rating with a higher deviation is provisional."""

LISTED_DEVIATION = 75.0
"""Leaderboards list ratings with at most this deviation."""

PERIOD_DAYS = 4.0
"""The length of a rating period: a certain rating (45) is provisional again (110) after a year without games."""

TAU = 0.5
"""How fast the volatility changes."""

_SCALE = 400 / math.log(10)  # points in one unit of the paper's scale
_PRECISE = 1e-6  # of the logarithm of the variance, as in the paper


@dataclass(frozen=True)
class Rating:
    """The rating of one player in one pool."""

    value: float = FIRST_VALUE
    deviation: float = FIRST_DEVIATION
    volatility: float = FIRST_VOLATILITY
    games: int = 0

    @property
    def is_provisional(self) -> bool:
        """Whether the value is still too uncertain to be compared."""
        return self.deviation > PROVISIONAL_DEVIATION

    @property
    def is_listed(self) -> bool:
        """Whether the value is certain enough for a leaderboard."""
        return self.deviation <= LISTED_DEVIATION


NEW = Rating()
"""The rating of somebody who has not played yet."""


@dataclass(frozen=True)
class Comparison:
    """What one player achieved against another."""

    opponent: Rating
    score: float
    """1 for a win, one half for a draw, 0 for a loss."""

    weight: float = 1.0
    """How much it counts, compared with a game of two."""


def aged(rating: Rating, days: float) -> Rating:
    """Returns a rating after some days without a game: only its deviation has grown.

    >>> aged(Rating(1500, 45), 365).deviation > 109
    True
    """
    spread = rating.volatility * _SCALE
    grown = math.sqrt(rating.deviation**2 + spread**2 * max(0.0, days) / PERIOD_DAYS)
    return _with(rating, deviation=min(FIRST_DEVIATION, grown))


def listed_days(rating: Rating) -> float | None:
    """Returns for how many days without a game a rating stays certain enough for a leaderboard; None if it is not.

    >>> listed_days(Rating(1500, 80)), round(listed_days(Rating(1500, 60)))
    (None, 75)
    """
    if not rating.is_listed:
        return None
    return PERIOD_DAYS * (LISTED_DEVIATION**2 - rating.deviation**2) / (rating.volatility * _SCALE) ** 2


def rate_game(ratings: Sequence[Rating], order: Sequence[Sequence[int]]) -> list[Rating]:
    """Returns the ratings of all players after a game.

    `order` has the places in `ratings`, best first; who are equal stand together. All ratings are aged to the game.
    """
    results: list[list[Comparison]] = [[] for _ in ratings]
    weight = pair_weight(order)
    for better, worse, score in compared_pairs(order):
        results[better].append(Comparison(ratings[worse], score, weight))
        results[worse].append(Comparison(ratings[better], 1 - score, weight))
    return [rate(rating, each) for rating, each in zip(ratings, results, strict=True)]


def compared_pairs(order: Sequence[Sequence[int]]) -> Iterator[tuple[int, int, float]]:
    """Yields the pairs that a game compares, with the score of the first of them.

    >>> list(compared_pairs([[2], [0, 1]]))
    [(2, 0, 1.0), (2, 1, 1.0)]
    """
    for place, group in enumerate(order):
        for index, player in enumerate(group):
            if place == 0:
                yield from ((player, equal, 0.5) for equal in group[index + 1 :])
            for behind in order[place + 1 :]:
                yield from ((player, other, 1.0) for other in behind)


def pair_weight(order: Sequence[Sequence[int]]) -> float:
    """Returns how much a pair of a game counts, compared with a game of two.

    In a game that ends like a lottery with one ticket for each unit of strength (Plackett and Luce), the first of m
    players tells as much of each of them as 2 (m - 1) / m games of two, all m being equal, and gives m - 1 pairs. The
    second of the rest tells more in the same way, and so on; the last place that several share tells nothing.

    >>> pair_weight([[0], [1]]), pair_weight([[0], [1, 2, 3]])
    (1.0, 0.5)
    """
    left = sum(map(len, order))
    if len(order) == 1:
        return 2 / left
    told, pairs = 0.0, 0
    for group in order[:-1]:
        for _ in group:
            told += 2 * (left - 1) / left
            pairs += left - 1
            left -= 1
    return told / pairs


def rate(rating: Rating, results: Sequence[Comparison]) -> Rating:
    """Returns a rating after some results at the same time, by the steps of the paper."""
    if not results:
        return _with(rating, games=rating.games + 1)
    # Step 2: to the scale of the paper.
    value, deviation = _unit_value(rating), rating.deviation / _SCALE
    # Steps 3 and 4: how much the results tell (the inverse of the paper's v), and in which direction.
    told = surprise = 0.0
    for result in results:
        factor = _certainty(result.opponent.deviation / _SCALE)
        expected = _logistic(factor * (value - _unit_value(result.opponent)))
        told += result.weight * factor**2 * expected * (1 - expected)
        surprise += result.weight * factor * (result.score - expected)
    told = max(told, 1e-12)  # nobody is so much better that a result tells nothing at all
    # Step 5: the volatility.
    volatility = min(MOST_VOLATILITY, _new_volatility(rating.volatility, deviation, 1 / told, surprise / told))
    # Steps 6 to 8. The deviation has grown by `aged` already.
    after = 1 / math.sqrt(1 / deviation**2 + told)
    moved = FIRST_VALUE + _SCALE * (value + after**2 * surprise)
    bounded = min(FIRST_DEVIATION, max(LEAST_DEVIATION, after * _SCALE))
    return Rating(max(LEAST_VALUE, moved), bounded, volatility, rating.games + 1)


def expected_score(rating: Rating, opponent: Rating) -> float:
    """Returns the expected score of a player against another, from 0 to 1; a draw counts one half.

    The deviations of both draw it towards one half.

    >>> round(expected_score(Rating(1700, 50), Rating(1500, 50)), 2)
    0.75
    """
    factor = _certainty(math.hypot(rating.deviation, opponent.deviation) / _SCALE)
    return _logistic(factor * (rating.value - opponent.value) / _SCALE)


def winning_chances(ratings: Sequence[Rating]) -> list[float]:
    """Returns the chance of each player to come first; for two players, that is `expected_score`.

    >>> [round(chance, 2) for chance in winning_chances([Rating(1700, 50), Rating(1500, 50), Rating(1500, 50)])]
    [0.61, 0.2, 0.2]
    """
    mean = sum(rating.value for rating in ratings) / len(ratings)
    squares = [rating.deviation**2 for rating in ratings]
    strengths = []
    for rating, square in zip(ratings, squares, strict=True):
        others = (sum(squares) - square) / (len(ratings) - 1)
        factor = _certainty(math.sqrt(square + others) / _SCALE)
        strengths.append(math.exp(factor * (rating.value - mean) / _SCALE))
    return [strength / sum(strengths) for strength in strengths]


def _with(rating: Rating, *, deviation: float | None = None, games: int | None = None) -> Rating:
    return Rating(
        rating.value,
        rating.deviation if deviation is None else deviation,
        rating.volatility,
        rating.games if games is None else games,
    )


def _unit_value(rating: Rating) -> float:
    return (rating.value - FIRST_VALUE) / _SCALE


def _certainty(deviation: float) -> float:
    """Returns the paper's g: how much a deviation takes from what a result tells."""
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _logistic(exponent: float) -> float:
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, exponent))))


def _new_volatility(volatility: float, deviation: float, variance: float, change: float) -> float:
    """Returns the volatility that is likeliest after a change, by the Illinois method (step 5)."""
    start = math.log(volatility**2)

    def slope(x: float) -> float:
        grown = deviation**2 + variance + math.exp(x)
        return math.exp(x) * (change**2 - grown) / (2 * grown**2) - (x - start) / TAU**2

    low = start
    if change**2 > deviation**2 + variance:
        high = math.log(change**2 - deviation**2 - variance)
    else:
        steps = 1
        while slope(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > _PRECISE:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = slope(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return math.exp(low / 2)
