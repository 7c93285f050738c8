"""A naive twin of Glicko-2: the steps of Glickman's paper, one after the other, in the paper's letters."""

from __future__ import annotations

from itertools import pairwise
from math import exp, log, pi, sqrt

TAU = 0.5


class SeveralSolutions(Exception):
    """Step 5 has several solutions."""


def naive_rate(
    r: float, rd: float, sigma: float, games: list[tuple[float, float, float, float]], *, periods: float = 1.0
) -> tuple[float, float, float]:
    """Returns rating, deviation and volatility after a period with games (rating, deviation, score, weight)."""
    # Step 2
    mu, phi = (r - 1500) / 173.7178, rd / 173.7178
    opponents = [((rj - 1500) / 173.7178, rdj / 173.7178, sj, wj) for rj, rdj, sj, wj in games]

    def g(phi: float) -> float:
        return 1 / sqrt(1 + 3 * phi**2 / pi**2)

    def expectation(muj: float, phij: float) -> float:
        return 1 / (1 + exp(-g(phij) * (mu - muj)))

    # Step 3
    v = 1 / sum(
        wj * g(phij) ** 2 * expectation(muj, phij) * (1 - expectation(muj, phij)) for muj, phij, _, wj in opponents
    )
    # Step 4
    delta = v * sum(wj * g(phij) * (sj - expectation(muj, phij)) for muj, phij, sj, wj in opponents)
    # Step 5
    a = log(sigma**2)

    def f(x: float) -> float:
        first = exp(x) * (delta**2 - phi**2 - v - exp(x)) / (2 * (phi**2 + v + exp(x)) ** 2)
        return first - (x - a) / TAU**2

    # f falls from plus to minus: bisection finds its zero, slowly and surely; after absurd results there are several
    grid = [a + step / 10 for step in range(-200, 201)]
    if sum((f(x) > 0) != (f(y) > 0) for x, y in pairwise(grid)) != 1:
        raise SeveralSolutions
    low, high = a - 20.0, a + 20.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma_new = exp(low / 2)
    # Step 6
    phi_star = sqrt(phi**2 + sigma_new**2 * periods)
    # Step 7
    phi_new = 1 / sqrt(1 / phi_star**2 + 1 / v)
    mu_new = mu + phi_new**2 * sum(wj * g(phij) * (sj - expectation(muj, phij)) for muj, phij, sj, wj in opponents)
    # Step 8
    return 173.7178 * mu_new + 1500, 173.7178 * phi_new, sigma_new
