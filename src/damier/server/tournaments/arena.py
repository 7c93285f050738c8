"""Arena: whoever is free is paired, again and again, until the time is up.

A win gives 2 points and a draw 1; after two wins in a row, games count double until one is not won. Players of like
rank and rating are paired: the cost of a pair is its gap in rank times `RANK_FACTOR` plus its gap in rating. The pairs
begin with the cheapest partner of each in the order of ranks, and two pairs exchange partners as long as that costs
less.

Nobody meets the last opponent again at once, unless only two are left to play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIN, DRAW = 2, 1  # points
STREAK = 2  # wins in a row after which games count double
RANK_FACTOR = 30  # rating points that a place between two players is worth
GRACE_SECONDS = 180  # after the end, in which running games still count

_Pair = tuple[int, int]


@dataclass(frozen=True)
class FreePlayer:
    """A player who waits for a game."""

    person: str
    rank: int
    """From 1 on, in the standings."""

    rating: int
    last: str | None = None
    """The last opponent."""

    balance: int = 0
    """How many games more were played first than second."""

    was_first: bool = False
    """Whether the last game was played first."""


def pair_free(players: Sequence[FreePlayer], *, is_last_pair: bool = False) -> list[tuple[str, str]]:
    """Returns pairs, who plays first being first; some may have to wait.

    `is_last_pair`: the tournament has no other players, so that the two may meet again.
    """
    waiting = sorted(players, key=lambda player: (player.rank, player.person))
    pairs = _improved(waiting, _first_pairs(waiting, is_last_pair), is_last_pair)
    return [_sides(waiting[one], waiting[other]) for one, other in pairs]


def pair_cost(one: FreePlayer, other: FreePlayer, is_last_pair: bool = False) -> float:
    """Returns what a pair costs; infinity if it is not allowed."""
    if not is_last_pair and (one.last == other.person or other.last == one.person):
        return float("inf")
    return abs(one.rank - other.rank) * RANK_FACTOR + abs(one.rating - other.rating)


def points(results: Sequence[float]) -> int:
    """Returns the points for results in the order in which the games ended: 1 is a win, 0.5 a draw, 0 a loss."""
    total = wins = 0
    for result in results:
        gained = WIN if result == 1 else DRAW if result == 0.5 else 0
        total += 2 * gained if wins >= STREAK else gained
        wins = wins + 1 if result == 1 else 0
    return total


def is_on_streak(results: Sequence[float]) -> bool:
    """Tells whether the next game counts double."""
    return len(results) >= STREAK and all(result == 1 for result in results[-STREAK:])


def _first_pairs(waiting: Sequence[FreePlayer], is_last_pair: bool) -> list[_Pair]:
    """Returns pairs of the places of players: each in turn takes the cheapest who is left."""
    left, pairs = list(range(len(waiting))), []
    while left:
        one = left.pop(0)
        costs = [(pair_cost(waiting[one], waiting[other], is_last_pair), other) for other in left]
        cost, other = min(costs, default=(float("inf"), -1))
        if cost < float("inf"):
            left.remove(other)
            pairs.append((one, other))
    return pairs


def _improved(waiting: Sequence[FreePlayer], pairs: list[_Pair], is_last_pair: bool) -> list[_Pair]:
    """Exchanges partners between two pairs, and with those who have none, as long as that costs less."""

    def cost(*places: _Pair) -> float:
        return sum(pair_cost(waiting[one], waiting[other], is_last_pair) for one, other in places)

    pairs = _all_paired(waiting, list(pairs), is_last_pair)
    is_better = True
    while is_better:
        is_better = False
        for first in range(len(pairs)):
            for second in range(first):
                (a, b), (c, d) = pairs[first], pairs[second]
                best = min(((a, c), (b, d)), ((a, d), (b, c)), key=lambda both: cost(*both))
                if cost(*best) < cost((a, b), (c, d)):
                    pairs[first], pairs[second] = best
                    is_better = True
    return pairs


def _all_paired(waiting: Sequence[FreePlayer], pairs: list[_Pair], is_last_pair: bool) -> list[_Pair]:
    """Breaks up a pair where that lets two who have no partner play as well."""
    left = sorted(set(range(len(waiting))) - {place for pair in pairs for place in pair})
    while len(left) >= 2:
        x, y = left[:2]
        for place, (a, b) in enumerate(pairs):
            options = (((a, x), (b, y)), ((a, y), (b, x)))
            costs = [sum(pair_cost(waiting[p], waiting[q], is_last_pair) for p, q in each) for each in options]
            if min(costs) < float("inf"):
                pairs[place : place + 1] = options[costs.index(min(costs))]
                break
        else:
            return pairs
        left = left[2:]
    return pairs


def _sides(one: FreePlayer, other: FreePlayer) -> tuple[str, str]:
    """Returns the two, who plays first being first: who has done so less often, else who did not last time."""
    keys = [(player.balance, player.was_first, player.rank) for player in (one, other)]
    return (one.person, other.person) if keys[0] <= keys[1] else (other.person, one.person)
