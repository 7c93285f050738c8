"""Wire models of solved games; the facts of each solution are those of `damier.insight.report.facts`."""

from __future__ import annotations

from typing import Literal

from damier.insight.report.facts import (
    ChanceFact,
    ChanceSolution,
    OutcomeFact,
    OutcomeSolution,
    UnsolvedGame,
    VerificationFacts,
)
from damier.server.wire.games import OptionValues
from damier.server.wire.model import WireModel

SolutionFacts = OutcomeSolution | ChanceSolution | UnsolvedGame


class SolutionHeading(WireModel):
    """The names of a game and its players."""

    game: str
    title: str
    summary: str
    players: dict[str, str]
    usual: OptionValues


class GameSolutions(SolutionHeading):
    """Everything known of a game, the usual options first."""

    solutions: list[SolutionFacts]
    tier_names: dict[str, str]
    """The names of the parts of the tables in the visitor's language, by their names in the facts."""


class OutcomeSummary(WireModel):
    """A solved game in a list."""

    options: OptionValues
    metric: Literal["plies"]
    repetition: Literal["free", "draws", "forbidden"]
    value: OutcomeFact
    player: str
    verified: VerificationFacts | None
    entries: int
    bytes: int


class ChanceSummary(WireModel):
    """A solved game with a die, in a list."""

    options: OptionValues
    metric: Literal["probability"]
    repetition: Literal["free", "draws", "forbidden"]
    value: ChanceFact
    player: str
    chance: float
    error: float
    verified: VerificationFacts | None
    entries: int
    bytes: int


class UnsolvedSummary(WireModel):
    """A game that is not solved, in a list."""

    positions: int


class SolutionSummaries(SolutionHeading):
    """The most important facts of a game, the usual options first."""

    solutions: list[OutcomeSummary | ChanceSummary | UnsolvedSummary]
