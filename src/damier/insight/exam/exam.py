"""An exam of one agent: the sample, then games against the perfect opponent, and the result as data.

A result so far is there at any time, so that Ctrl-C wastes nothing. The same arguments give the same result, unless an
agent is limited by time or is itself not deterministic.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from damier.core.ranges import check_whole
from damier.core.version import __version__
from damier.engine.arena.entrants import parse_entrant
from damier.insight.exam.agents import DEFAULT_LIMIT, agent_policy
from damier.insight.exam.decision import Decision, LossSummary
from damier.insight.exam.perfect_play import (
    GAMES,
    MOST_ACTIONS,
    MOST_GAMES,
    ExamGame,
    PerfectPlay,
    SeatSummary,
    perfect_games,
    start_value,
)
from damier.insight.exam.regret import Regret, decide, exam_sample
from damier.insight.exam.sample import published_sample
from damier.insight.exam.version import EXAM_VERSION
from damier.insight.report.facts import Facts

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.engine.limit import Limit
    from damier.engine.policy import Policy
    from damier.solve.tables import Tables

    Show = Callable[[float, float], None]

_PER_GAME = 20  # decisions, for the time left


class SampleResult(Facts):
    """What an agent lost in the positions of a sample."""

    digest: str
    """The SHA-256 of the whole sample."""

    is_published: bool
    positions: int
    """How many of them the agent has met."""

    all: LossSummary
    groups: dict[str, LossSummary]


class PlayResult(Facts):
    """What an agent lost in games against the perfect opponent."""

    games: int
    seed: int
    most_actions: int
    seats: list[SeatSummary]
    all: LossSummary
    """Over the decisions in which a choice matters."""

    groups: dict[str, LossSummary]


class ExamResult(Facts):
    """The result of an exam."""

    exam: int
    """The version of the exam."""

    program: str
    game: str
    options: dict[str, int | str]
    agent: str
    limit: str
    """The limit of a search; a level may search less, and a Python function limits itself."""

    unit: str
    """``value`` (1 for a win, 0 for a draw, -1 for a loss) or ``chance`` (to win)."""

    table: str
    """The SHA-256 of the entries of the table."""

    sample: SampleResult
    play: PlayResult


class Exam:
    """An exam of one agent, which runs once."""

    def __init__(
        self,
        game: Game,
        agent: str,
        *,
        limit: Limit | None = None,
        positions: int | None = None,
        games: int = GAMES,
        seed: int = 0,
        tables: Tables | None = None,
    ) -> None:
        """`positions` is how many of the sample, by default all; raises `BadArgument` or `TableMissing`."""
        check_whole("games", games, 0, MOST_GAMES)
        check_whole("seed", seed, -(1 << 63), 1 << 63)
        self.game, self.agent, self.tables = game, agent, tables or game.tables
        self._limit = parse_entrant(agent).limit or limit or DEFAULT_LIMIT
        self._given_limit, self._count, self._seed = limit, games, seed
        assert self.tables.file  # raises if it is missing
        self.sample = exam_sample(game, self.tables)
        self._positions = self.sample.positions
        if positions is not None:
            check_whole("positions", positions, 0, len(self._positions))
            self._positions = self._positions[:positions]
        self.decisions: list[Decision] = []
        self.games: list[ExamGame] = []

    def run(self, show: Show = lambda _share, _rate: None) -> ExamResult:
        """Examines the agent; `show` gets the share done and the decisions a second."""
        began, whole = time.monotonic(), max(1, len(self._positions) + _PER_GAME * self._count)

        def tell() -> None:
            decisions = len(self.decisions) + sum(len(game.decisions) for game in self.games)
            done = len(self.decisions) + _PER_GAME * len(self.games)
            show(done / whole, decisions / max(1e-3, time.monotonic() - began))

        with self._policy() as policy:
            positions = [each.position for each in self._positions]
            for decision in decide(self.game, policy, positions, self.agent, self.tables):
                self.decisions.append(decision)
                tell()
        with self._policy() as policy:  # anew, so that the games do not depend on how many positions came before
            for game in perfect_games(self.game, policy, self._count, self._seed, self.agent, self.tables):
                self.games.append(game)
                tell()
        return self.result()

    def _policy(self) -> AbstractContextManager[Policy]:
        return agent_policy(self.game, self.agent, self._given_limit, self._seed)

    def result(self) -> ExamResult:
        """Returns the result of what has been done so far."""
        regret = Regret(self.game, tuple(self.decisions))
        play = PerfectPlay(self.game, tuple(self.games), start_value(self.tables))
        limit = {"seconds": self._limit.seconds, "nodes": self._limit.nodes, "depth": self._limit.depth}
        return ExamResult(
            exam=EXAM_VERSION,
            program=__version__,
            game=self.game.name,
            options=dict(self.game.options),
            agent=self.agent,
            limit=",".join(f"{name}={value}" for name, value in limit.items() if value is not None),
            unit="chance" if self.game.traits.has_chance else "value",
            table=self.tables.file.header.sha256,
            sample=SampleResult(
                digest=self.sample.digest,
                is_published=published_sample(self.game) is not None,
                positions=len(self.decisions),
                all=regret.all,
                groups=regret.groups,
            ),
            play=PlayResult(
                games=len(self.games),
                seed=self._seed,
                most_actions=MOST_ACTIONS,
                seats=play.seats,
                all=play.all,
                groups=play.groups,
            ),
        )
