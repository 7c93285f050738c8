"""The statistics of matches: Elo differences with error bars, sequential tests, ratings of many.

The unit is the pair: two games from one opening with sides exchanged, scored 0 to 1. The games of a pair share the
unfairness of their opening, so they are not independent; pairs are. All errors come from the variance of pair scores,
to which one pair is added, half lost and half won, so that no error is zero.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

from damier.core.errors import BadArgument
from damier.core.messages import Number, message, shown

CONFIDENCE = 0.95
_DEVIATIONS = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)  # standard deviations on either side
_SCALE = 400 / math.log(10)  # Elo points in one unit of the logistic curve
_MOST_ELO = 1000.0
_BISECTIONS = 50  # enough for an LLR to 12 digits
_STEPS = 100  # of Newton's method at most; about five are needed
_PRECISE = 1e-10


def elo_of_score(score: float) -> float:
    """Returns the Elo difference for an expected score; infinite for 0 and 1 and beyond.

    >>> round(elo_of_score(0.75), 1)
    190.8
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return _SCALE * math.log(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """Returns the expected score at an Elo difference.

    >>> score_of_elo(0)
    0.5
    """
    return 1 / (1 + math.exp(-elo / _SCALE))


@dataclass(frozen=True)
class Estimate:
    """The strength of one player relative to another, estimated from pairs of games."""

    score: float
    """Points per game, 0 to 1; one half before the first game."""

    elo: float
    """The Elo difference, infinite if every game was won or every game lost."""

    low: float
    high: float
    """The bounds of the 95 % interval of the difference."""

    superiority: float
    """The likelihood that the first player is the stronger one."""

    @property
    def error(self) -> float:
        """Half the distance from `low` to `high`."""
        return (self.high - self.low) / 2


def estimate(scores: Iterable[float]) -> Estimate:
    """Returns the estimate from the scores of pairs.

    >>> found = estimate([1.0, 0.5, 0.5, 0.75] * 25)
    >>> f"{found.elo:.0f} ± {found.error:.0f}"
    '137 ± 34'
    """
    counts = Counter(scores)
    n = counts.total()
    score = sum(value * count for value, count in counts.items()) / n if n else 0.5
    weights = _with_one_more(counts)
    mean, variance = _moments(weights)
    deviation = math.sqrt(variance / (n + 1))
    reach = _DEVIATIONS * deviation
    return Estimate(
        score,
        elo_of_score(score),
        elo_of_score(mean - reach),
        elo_of_score(mean + reach),
        NormalDist().cdf((mean - 0.5) / deviation),
    )


def _with_one_more(counts: Mapping[float, int]) -> dict[float, float]:
    """Returns the weight of each score, with one more pair that is half lost and half won."""
    weights = {0.0: 0.5, 1.0: 0.5}
    for value, count in counts.items():
        weights[value] = weights.get(value, 0.0) + count
    return weights


def _moments(weights: Mapping[float, float]) -> tuple[float, float]:
    """Returns the mean and the variance."""
    total = sum(weights.values())
    mean = sum(value * weight for value, weight in weights.items()) / total
    return mean, sum((value - mean) ** 2 * weight for value, weight in weights.items()) / total


@dataclass(frozen=True)
class Sprt:
    """A sequential test of two hypotheses: that the Elo difference is `elo0`, or that it is `elo1`.

    After each pair the log-likelihood ratio is compared with two bounds; the test ends when it leaves them.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability of accepting `elo1` if the difference is `elo0`."""

    beta: float = 0.05
    """The probability of accepting `elo0` if the difference is `elo1`."""

    def __post_init__(self) -> None:
        if not -_MOST_ELO <= self.elo0 < self.elo1 <= _MOST_ELO:
            raise BadArgument(
                message(
                    "A sequential test takes two Elo differences from {low} to {high}, the smaller first, not {given}.",
                    low=Number(-_MOST_ELO, "g"),
                    high=Number(_MOST_ELO, "g"),
                    given=shown(f"{self.elo0:g},{self.elo1:g}"),
                )
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadArgument(message("The error rates of a sequential test lie between 0 and 0.5."))

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which `elo0` and `elo1` are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Mapping[float, int]) -> float:
        """Returns the log-likelihood ratio of the two hypotheses for the number of pairs with each score.

        The likelihood under a hypothesis is the highest of all distributions over the scores seen whose mean is the
        score that the hypothesis expects.
        """
        if not counts:
            return 0.0
        weights = _with_one_more(counts)
        return _log_likelihood(weights, score_of_elo(self.elo1)) - _log_likelihood(weights, score_of_elo(self.elo0))

    def verdict(self, llr: float) -> str | None:
        """Returns the accepted hypothesis, ``elo0`` or ``elo1``; None while the test goes on."""
        low, high = self.bounds
        if llr <= low:
            return "elo0"
        return "elo1" if llr >= high else None


@dataclass
class SprtRun:
    """A running sequential test. It takes pairs in their order, and none after its verdict."""

    sprt: Sprt
    llr: float = 0.0
    verdict: str | None = None
    seen: int = 0
    """The number of pairs taken into account."""

    _counts: Counter[float] = field(default_factory=Counter, repr=False, compare=False)

    def see(self, score: float) -> None:
        """Adds the score of the next pair."""
        if self.verdict is None:
            self._counts[score] += 1
            self.seen += 1
            self.llr = self.sprt.llr(self._counts)
            self.verdict = self.sprt.verdict(self.llr)

    def data(self) -> dict[str, Any]:
        """Returns the test as data for JSON."""
        sprt = self.sprt
        return {
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "alpha": sprt.alpha,
            "beta": sprt.beta,
            "llr": round(self.llr, 4),
            "bounds": [round(bound, 4) for bound in sprt.bounds],
            "accepted": self.verdict,
        }


def _log_likelihood(weights: Mapping[float, float], mean: float) -> float:
    """Returns the highest log-likelihood of a distribution with a given mean, up to a constant.

    By Lagrange's method its probabilities are w / (1 + x (value - mean)), with x such that the mean is right. That sum
    decreases in x, and since 0 and 1 are among the values it has its zero between the poles.
    """
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(_BISECTIONS):
        x = (low + high) / 2
        slope = sum(weight * (value - mean) / (1 + x * (value - mean)) for value, weight in weights.items())
        low, high = (x, high) if slope > 0 else (low, x)
    return -sum(weight * math.log1p(x * (value - mean)) for value, weight in weights.items())


@dataclass(frozen=True)
class Meeting:
    """The pairs between two of many players, who are given by their numbers."""

    first: int
    second: int
    scores: Sequence[float]
    """Of the first player, pair by pair."""


@dataclass(frozen=True)
class Ratings:
    """The Elo ratings of many players; their mean is 0."""

    elos: tuple[float, ...]
    errors: tuple[float, ...]
    """Half the width of the 95 % interval of each rating."""

    is_tamed: bool
    """Whether one drawn pair was added to every meeting, because some ratings would be infinite otherwise."""


def ratings(count: int, meetings: Sequence[Meeting]) -> Ratings:
    """Returns the maximum-likelihood ratings of the Bradley-Terry model, in which a draw is half a win.

    Newton's method maximises the likelihood. The errors are those of the sandwich estimator, the curvature on both
    sides of the variance of the pairs, since the games of a pair are not independent.
    """
    import numpy as np

    first = np.array([meeting.first for meeting in meetings], np.intp)
    second = np.array([meeting.second for meeting in meetings], np.intp)
    games = np.array([2.0 * len(meeting.scores) for meeting in meetings])
    points = np.array([2.0 * math.fsum(meeting.scores) for meeting in meetings])
    is_tamed = not _is_comparable(count, meetings)
    if is_tamed:
        games, points = games + 2, points + 1

    sides = np.zeros((len(meetings), count))  # +1 for the first player of a meeting, -1 for the second
    sides[np.arange(len(meetings)), first] += 1
    sides[np.arange(len(meetings)), second] -= 1
    strengths = np.zeros(count)

    def likelihood(values: Any) -> float:
        differences = sides @ values
        return float(points @ differences - games @ np.logaddexp(0, differences))

    def climb() -> tuple[Any, Any]:
        expected = 1 / (1 + np.exp(-(sides @ strengths)))
        curvature = sides.T @ (sides * (games * expected * (1 - expected))[:, None])
        return expected, np.linalg.pinv(curvature, rcond=_PRECISE, hermitian=True)

    for _ in range(_STEPS):
        expected, inverse = climb()
        step = inverse @ (sides.T @ (points - games * expected))
        now = likelihood(strengths)
        while likelihood(strengths + step) < now and float(abs(step).max()) > _PRECISE:
            step = step / 2
        strengths = strengths + step
        if float(abs(step).max()) < _PRECISE:
            break

    expected, inverse = climb()
    scatter = [_scatter(meeting, float(share)) for meeting, share in zip(meetings, expected, strict=True)]
    spread = inverse @ (sides.T @ (sides * np.array(scatter)[:, None])) @ inverse
    errors = _DEVIATIONS * _SCALE * np.sqrt(np.maximum(np.diag(spread), 0))
    strengths = _SCALE * (strengths - strengths.mean())
    return Ratings(tuple(map(float, strengths)), tuple(map(float, errors)), is_tamed)


def _scatter(meeting: Meeting, expected: float) -> float:
    """Returns the squared deviations of the points of a meeting's pairs from the expected ones, with one more pair."""
    weights = _with_one_more(Counter(meeting.scores))
    return sum(weight * (2 * (value - expected)) ** 2 for value, weight in weights.items())


def _is_comparable(count: int, meetings: Sequence[Meeting]) -> bool:
    """Returns whether points connect every player with every other in both directions; else ratings are infinite."""
    ahead: dict[int, set[int]] = {player: set() for player in range(count)}
    behind: dict[int, set[int]] = {player: set() for player in range(count)}
    for meeting in meetings:
        points = math.fsum(meeting.scores)
        for winner, loser, taken in (
            (meeting.first, meeting.second, points),
            (meeting.second, meeting.first, len(meeting.scores) - points),
        ):
            if taken > 0:
                ahead[winner].add(loser)
                behind[loser].add(winner)
    return all(len(_reached(links)) == count for links in (ahead, behind))


def _reached(links: Mapping[int, set[int]]) -> set[int]:
    """Returns the players that can be reached from the first."""
    reached, todo = {0}, [0]
    while todo:
        new = links[todo.pop()] - reached
        reached |= new
        todo += new
    return reached
