"""Players of known strength who play games of two, three and four, and what ratings predict of them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from damier.server.ratings.glicko import NEW, Rating, aged, expected_score, rate_game, winning_chances

_SPREAD = 300  # standard deviation of the true values
_NEAR = 400  # opponents are not farther away than this, as a lobby pairs them, if there are enough


@dataclass
class Forecast:
    """Predicted and true chances of many results, with what happened."""

    predicted: list[float] = field(default_factory=list)
    true: list[float] = field(default_factory=list)
    happened: list[bool] = field(default_factory=list)

    def add(self, predicted: float, true: float, happened: bool) -> None:
        """Adds a result."""
        self.predicted.append(predicted)
        self.true.append(true)
        self.happened.append(happened)

    def loss(self, chances: Sequence[float]) -> float:
        """Returns the log-loss of chances: the lower, the better."""
        pairs = zip(chances, self.happened, strict=True)
        return -sum(math.log(chance if happened else 1 - chance) for chance, happened in pairs) / len(chances)

    def bins(self, count: int = 5) -> list[tuple[float, float, int]]:
        """Returns the mean prediction, the share that happened and the number of results in each bin of predictions."""
        found = []
        for number in range(count):
            inside = [
                (chance, happened)
                for chance, happened in zip(self.predicted, self.happened, strict=True)
                if number <= chance * count < number + 1
            ]
            if inside:
                mean = sum(chance for chance, _ in inside) / len(inside)
                found.append((mean, sum(happened for _, happened in inside) / len(inside), len(inside)))
        return found


class Simulation:
    """Players of known strength, rated by the games that they play."""

    def __init__(
        self, count: int, seed: int, sizes: Sequence[int] = (2, 3, 4), *, has_full_order: bool = False
    ) -> None:
        self._random = random.Random(seed)
        self._sizes, self._has_full_order = sizes, has_full_order
        self.true = [self._random.gauss(1500, _SPREAD) for _ in range(count)]
        self.ratings: list[Rating] = [NEW] * count
        self.forecast = Forecast()
        """Of games of two."""

        self.first = Forecast()
        """Who comes first in games of three and four."""

    def play(self, games: int, *, is_forecast: bool = False, days: float = 0.05) -> None:
        """Plays and rates some games, each some days after the last."""
        for _ in range(games):
            self._game(is_forecast, days)

    def _game(self, is_forecast: bool, days: float) -> None:
        self.ratings = [aged(rating, days) for rating in self.ratings] if days else self.ratings
        players = self._table(self._random.choice(self._sizes))
        order = self._order([self.true[player] for player in players])
        before = [self.ratings[player] for player in players]
        if is_forecast:
            self._predict(players, before, order[0][0])
        for player, rating in zip(players, rate_game(before, order), strict=True):
            self.ratings[player] = rating

    def _table(self, size: int) -> list[int]:
        """Returns the players of a game: one, and others who are not too far away."""
        first = self._random.randrange(len(self.true))
        others = [player for player in range(len(self.true)) if player != first]
        near = [player for player in others if abs(self.true[player] - self.true[first]) <= _NEAR]
        return [first, *self._random.sample(near if len(near) >= size - 1 else others, size - 1)]

    def _order(self, values: Sequence[float]) -> list[list[int]]:
        """Draws the order of a game by the lottery of Plackett and Luce; behind the first all are equal, if so told."""
        left, order = list(range(len(values))), []
        while left:
            first = self._random.choices(left, _shares([values[place] for place in left]))[0]
            left.remove(first)
            order.append([first])
            if not self._has_full_order and left:
                return [*order, left]
        return order

    def _predict(self, players: Sequence[int], before: Sequence[Rating], winner: int) -> None:
        true = _shares([self.true[player] for player in players])
        if len(players) == 2:
            self.forecast.add(expected_score(*before), true[0], winner == 0)
            return
        for place, chance in enumerate(winning_chances(before)):
            self.first.add(chance, true[place], winner == place)

    def rank_correlation(self) -> float:
        """Returns Spearman's correlation of the ratings with the true values."""
        rated, true = _ranks([rating.value for rating in self.ratings]), _ranks(self.true)
        count = len(rated)
        squares = sum((one - other) ** 2 for one, other in zip(rated, true, strict=True))
        return 1 - 6 * squares / (count * (count**2 - 1))

    def errors(self) -> list[float]:
        """Returns how many deviations each rating is away from the true value, the means of both being made equal."""
        shift = sum(rating.value - true for rating, true in zip(self.ratings, self.true, strict=True)) / len(self.true)
        pairs = zip(self.ratings, self.true, strict=True)
        return [(rating.value - shift - true) / rating.deviation for rating, true in pairs]


def _shares(values: Sequence[float]) -> list[float]:
    strengths = [10 ** ((value - values[0]) / 400) for value in values]
    return [strength / sum(strengths) for strength in strengths]


def _ranks(values: Sequence[float]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0] * len(values)
    for rank, place in enumerate(order):
        ranks[place] = rank
    return ranks
