"""Round robins: every entrant meets every other, and all are rated together."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.engine.arena.elo import Meeting, Ratings, ratings
from damier.engine.arena.match import DEFAULT_LIMIT, MAX_TURNS, MatchResult, plan_of, run
from damier.engine.arena.openings import Judge
from damier.engine.arena.pairs import PairResult
from damier.engine.limit import Limit

if TYPE_CHECKING:
    from damier.cluster.nodes import Nodes
    from damier.core.game import Game
    from damier.engine.arena.entrants import Entrant

_MOST_ENTRANTS = 100


@dataclass(frozen=True)
class Standing:
    """The result of one entrant."""

    name: str
    games: int
    score: float
    """Points per game, 0 to 1."""

    elo: float
    """The rating; the mean of all is 0."""

    error: float
    """Half the width of the 95 % interval of the rating."""


@dataclass(frozen=True)
class RoundRobinResult:
    """The result of a round robin."""

    entrants: tuple[str, ...]
    meetings: tuple[tuple[int, int], ...]
    """Who met whom, by their numbers in `entrants`."""

    matches: tuple[MatchResult, ...]
    """The result of each meeting."""

    seconds: float

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(match.games for match in self.matches)

    @property
    def games_per_second(self) -> float:
        """The speed of the tournament."""
        return self.games / self.seconds if self.seconds > 0 else 0.0

    @property
    def too_long(self) -> int:
        """The number of games drawn for their length."""
        return sum(match.too_long for match in self.matches)

    @property
    def faults(self) -> tuple[str, ...]:
        """A sentence for each game lost by a fault, with the meeting."""
        return tuple(f"{match.first} - {match.second}, {fault}" for match in self.matches for fault in match.faults)

    def ratings(self) -> Ratings:
        """Returns the ratings in the order of the entrants."""
        played = [
            Meeting(first, second, [pair.score for pair in match.pairs])
            for (first, second), match in zip(self.meetings, self.matches, strict=True)
        ]
        return ratings(len(self.entrants), played)

    def standings(self) -> list[Standing]:
        """Returns the entrants, the strongest first."""
        rated = self.ratings()
        table = []
        for number, name in enumerate(self.entrants):
            points, games = 0.0, 0
            for (first, second), match in zip(self.meetings, self.matches, strict=True):
                if number in (first, second):
                    points += match.games * (match.score if number == first else 1 - match.score)
                    games += match.games
            table.append(
                Standing(name, games, points / games if games else 0.5, rated.elos[number], rated.errors[number])
            )
        return sorted(table, key=lambda standing: -standing.elo)

    def score_between(self, first: str, second: str) -> float | None:
        """Returns the score of one entrant against another; None if they have not met."""
        for match in self.matches:
            if match.games and {match.first, match.second} == {first, second} and first != second:
                return match.score if match.first == first else 1 - match.score
        return None

    def data(self) -> dict[str, Any]:
        """Returns the result as data for JSON."""
        return {
            "standings": [
                {
                    "name": standing.name,
                    "games": standing.games,
                    "score": round(standing.score, 6),
                    "elo": round(standing.elo, 2),
                    "error": round(standing.error, 2),
                }
                for standing in self.standings()
            ],
            "is_tamed": self.ratings().is_tamed,
            "matches": [match.data() for match in self.matches],
        }


def play_round_robin(
    game: Game,
    entrants: Sequence[Entrant],
    *,
    games: int = 200,
    limit: Limit = DEFAULT_LIMIT,
    openings: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    max_turns: int = MAX_TURNS,
    judge: Judge | None = None,
    save: str | os.PathLike[str] | None = None,
    resume: bool = False,
    on_pair: Callable[[RoundRobinResult], None] | None = None,
    cluster: Nodes | None = None,
) -> RoundRobinResult:
    """Plays `games` games between every two entrants, all meetings from the same openings."""
    names = tuple(entrant.name for entrant in entrants)
    if not 2 <= len(names) <= _MOST_ENTRANTS:
        raise BadArgument(
            message("A round robin takes 2 to {most} entrants, not {count}.", most=_MOST_ENTRANTS, count=len(names))
        )
    for name in names:
        if names.count(name) > 1:
            raise BadArgument(message("{name} enters the round robin twice.", name=shown(name)))
    meetings = tuple(itertools.combinations(range(len(names)), 2))
    plan = plan_of(game, tuple(entrants), meetings, games, limit, openings, seed, max_turns, judge)

    def result(pairs: Sequence[PairResult], seconds: float) -> RoundRobinResult:
        parts: list[list[PairResult]] = [[] for _ in meetings]
        for pair in pairs:
            parts[pair.meeting].append(pair)
        matches = tuple(
            MatchResult(names[first], names[second], tuple(part), seconds)
            for (first, second), part in zip(meetings, parts, strict=True)
        )
        return RoundRobinResult(names, meetings, matches, seconds)

    return run(
        plan,
        result,
        jobs=jobs,
        judge=judge,
        settings={"sprt": None},
        save=save,
        resume=resume,
        cluster=cluster,
        on_pair=on_pair,
        is_over=lambda _: False,
    )
