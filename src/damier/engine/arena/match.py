"""Matches between two players: pairs of games from random openings, up to a number or until a test has decided."""

from __future__ import annotations

import contextlib
import copy
import functools
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.core.ranges import check_whole
from damier.engine.arena.elo import Estimate, Sprt, SprtRun, estimate
from damier.engine.arena.match_file import MatchFile
from damier.engine.arena.one_game import MAX_TURNS, PlayedGame, play_game
from damier.engine.arena.openings import Judge, opening_turns, openings
from damier.engine.arena.pairs import MatchPlan, PairResult, PairTask, play_pairs
from damier.engine.limit import Limit

if TYPE_CHECKING:
    from damier.cluster.nodes import Nodes
    from damier.core.game import Game
    from damier.engine.arena.entrants import Entrant

__all__ = ["DEFAULT_LIMIT", "MAX_TURNS", "MatchResult", "PairResult", "PlayedGame", "play_game", "play_match"]

DEFAULT_LIMIT = Limit(seconds=1)
"""For a turn, by default."""


class _HasData(Protocol):
    def data(self) -> dict[str, Any]: ...


Outcome = TypeVar("Outcome", bound=_HasData)

_MOST_GAMES = 10_000_000
_MOST_JOBS = 1024
_MOST_TURNS = 100_000
_MOST_OPENING = 100  # turns


@dataclass(frozen=True)
class MatchResult:
    """The result of a match from the view of its first player."""

    first: str
    second: str
    pairs: tuple[PairResult, ...]
    """In the order of their numbers."""

    seconds: float
    sprt: SprtRun | None = None

    @property
    def games(self) -> int:
        """The number of games played."""
        return 2 * len(self.pairs)

    @functools.cached_property
    def _points(self) -> Counter[float]:
        return Counter(point for pair in self.pairs for point in pair.points)

    @property
    def wins(self) -> int:
        """Games won."""
        return self._points[1.0]

    @property
    def losses(self) -> int:
        """Games lost."""
        return self._points[0.0]

    @property
    def draws(self) -> int:
        """Games drawn."""
        return self.games - self.wins - self.losses

    @functools.cached_property
    def estimate(self) -> Estimate:
        """The Elo difference of the players with its error."""
        return estimate(pair.score for pair in self.pairs)

    @property
    def score(self) -> float:
        """Points per game, 0 to 1."""
        return self.estimate.score

    @property
    def elo(self) -> float:
        """The Elo difference, infinite if every game was won or every game lost."""
        return self.estimate.elo

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval of the Elo difference."""
        return self.estimate.error

    @property
    def pair_counts(self) -> dict[float, int]:
        """The number of pairs with each score, lowest first."""
        return dict(sorted(Counter(pair.score for pair in self.pairs).items()))

    @property
    def length(self) -> float:
        """Turns per game."""
        return sum(sum(pair.turns) for pair in self.pairs) / max(self.games, 1)

    @property
    def games_per_second(self) -> float:
        """The speed of the match."""
        return self.games / self.seconds if self.seconds > 0 else 0.0

    @property
    def too_long(self) -> int:
        """The number of games drawn for their length."""
        return sum(pair.too_long for pair in self.pairs)

    @property
    def faults(self) -> tuple[str, ...]:
        """A sentence for each game lost by a fault."""
        return tuple(fault for pair in self.pairs for fault in pair.faults)

    def data(self) -> dict[str, Any]:
        """Returns the result as data for JSON; infinite numbers are null."""
        found = self.estimate
        return {
            "first": self.first,
            "second": self.second,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": round(found.score, 6),
            "expected_score": 0.5,
            "elo": _finite(found.elo),
            "error": _finite(found.error),
            "low": _finite(found.low),
            "high": _finite(found.high),
            "superiority": round(found.superiority, 6),
            "pair_scores": {f"{score:.4g}": count for score, count in self.pair_counts.items()},
            "turns_per_game": round(self.length, 2),
            "sprt": self.sprt and self.sprt.data(),
            "too_long": self.too_long,
            "faults": list(self.faults),
        }


def _finite(value: float) -> float | None:
    return round(value, 2) if math.isfinite(value) else None


def play_match(
    game: Game,
    a: Entrant,
    b: Entrant,
    *,
    games: int = 200,
    limit: Limit = DEFAULT_LIMIT,
    openings: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    sprt: Sprt | None = None,
    max_turns: int = MAX_TURNS,
    judge: Judge | None = None,
    save: str | os.PathLike[str] | None = None,
    resume: bool = False,
    on_pair: Callable[[MatchResult], None] | None = None,
    cluster: Nodes | None = None,
) -> MatchResult:
    """Plays a match and returns its result from the view of `a`.

    The same seed gives the same games with any number of jobs, if the limits are nodes or depth and the players use one
    thread. With a `cluster` its nodes play instead of processes. `on_pair` is called with the result so far before the
    first pair and after each.
    """
    plan = plan_of(game, (a, b), ((0, 1),), games, limit, openings, seed, max_turns, judge)
    test = SprtRun(sprt) if sprt else None

    def result(pairs: Sequence[PairResult], seconds: float) -> MatchResult:
        if test:
            for number, pair in enumerate(pairs):
                if number == pair.number and number == test.seen:  # no earlier pair is missing
                    test.see(pair.score)
            if test.verdict:
                pairs = pairs[: test.seen]
        return MatchResult(a.name, b.name, tuple(pairs), seconds, copy.copy(test))

    return run(
        plan,
        result,
        jobs=jobs,
        judge=judge,
        settings={"sprt": [sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta] if sprt else None},
        save=save,
        resume=resume,
        cluster=cluster,
        on_pair=on_pair,
        is_over=lambda _: bool(test and test.verdict),
    )


def plan_of(
    game: Game,
    entrants: tuple[Entrant, ...],
    meetings: tuple[tuple[int, int], ...],
    games: int,
    limit: Limit,
    openings: int | None,
    seed: int,
    max_turns: int,
    judge: Judge | None,
) -> MatchPlan:
    """Returns the plan of a match; raises `BadArgument` for numbers out of range."""
    turns = opening_turns(game) if openings is None else openings
    check_whole("games", games, 2, _MOST_GAMES)
    if games % 2:
        raise BadArgument(message("Games come in pairs, so their number is even, not {games}.", games=games))
    check_whole("openings", turns, 0, _MOST_OPENING)
    check_whole("max_turns", max_turns, 1, _MOST_TURNS)
    return MatchPlan(game, entrants, meetings, games // 2, limit, turns, seed, max_turns, judge is not None)


def run(
    plan: MatchPlan,
    result: Callable[[Sequence[PairResult], float], Outcome],
    *,
    jobs: int | None,
    judge: Judge | None,
    settings: dict[str, Any],
    save: str | os.PathLike[str] | None,
    resume: bool,
    cluster: Nodes | None = None,
    on_pair: Callable[[Outcome], None] | None,
    is_over: Callable[[Outcome], bool],
) -> Outcome:
    """Plays the pairs of a plan and returns `result` of them, in the order of meetings and numbers.

    With `save` every pair is written to a file as soon as it has been played.
    """
    jobs = _jobs(plan, jobs)
    if resume and save is None:
        raise BadArgument(message("Only a match that was saved can go on: {option} is missing.", option="--save"))
    file = None if save is None else MatchFile(save, {**plan.settings(), **settings}, len(plan.meetings), resume)
    pairs = dict(file.pairs) if file else {}
    began = time.monotonic() - (file.seconds if file else 0.0)

    def so_far() -> Outcome:
        return result([pair for _, pair in sorted(pairs.items())], time.monotonic() - began)

    latest = so_far()
    try:
        if file:
            file.write(latest.data())
        if on_pair:
            on_pair(latest)
        if is_over(latest):
            return latest
        with contextlib.closing(play_pairs(plan, _tasks(plan, judge, set(pairs)), jobs, cluster)) as played:
            for pair, text in played:
                pairs[pair.meeting, pair.number] = pair
                latest = so_far()
                if file:
                    file.add(pair, text, time.monotonic() - began, latest.data)
                if on_pair:
                    on_pair(latest)
                if is_over(latest):
                    break
    finally:
        if file:
            file.close(latest.data())
    return latest


def _tasks(plan: MatchPlan, judge: Judge | None, done: set[tuple[int, int]]) -> Iterator[PairTask]:
    """Yields the pairs left to play, opening by opening."""
    numbers = range(plan.pairs)
    if len(done) == plan.pairs * len(plan.meetings):
        return
    for number, opening in zip(numbers, openings(plan.game, plan.openings, plan.seed, judge), strict=False):
        for meeting in range(len(plan.meetings)):
            if (meeting, number) not in done:
                yield PairTask(meeting, number, opening)


def _jobs(plan: MatchPlan, jobs: int | None) -> int:
    """Returns the number of processes: `jobs`, or by default as many as the cores allow."""
    if jobs is None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        jobs = max(1, cores // max(entrant.threads for entrant in plan.entrants))
    check_whole("jobs", jobs, 1, _MOST_JOBS)
    return min(jobs, plan.pairs * len(plan.meetings))
