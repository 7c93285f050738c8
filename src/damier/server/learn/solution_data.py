"""Solved games as wire models: the facts of the reports, from files that `tools/solutions.py` writes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import damier
from damier.games import definition
from damier.insight.report.facts import OutcomeSolution, UnsolvedGame, read_solution
from damier.server.wire.solutions import (
    ChanceSummary,
    GameSolutions,
    OutcomeSummary,
    SolutionFacts,
    SolutionSummaries,
    UnsolvedSummary,
)
from damier.solve.numbering import tier_names


def solution_summaries(lang: str) -> list[SolutionSummaries]:
    """Returns all games, each with the most important facts."""
    return [
        SolutionSummaries(**_heading(name, lang), solutions=[_summary(each) for each in solutions(name)])
        for name in damier.games()
    ]


def game_solutions(name: str, lang: str) -> bytes:
    """Returns all facts of a game, for each option set that has been solved, as JSON without what is not set."""
    name = damier.load(name).name
    names = {key: text for each in solutions(name) for key, text in _tier_names(each, lang).items()}
    found = GameSolutions(**_heading(name, lang), solutions=list(solutions(name)), tier_names=names)
    return found.model_dump_json(exclude_unset=True).encode()


def _tier_names(solution: SolutionFacts, lang: str) -> dict[str, str]:
    if isinstance(solution, UnsolvedGame):
        return {}
    game = damier.load(solution.game, **solution.options)
    return {name: text.render(lang) for name, text in tier_names(game).items()}


@lru_cache(16)
def solutions(name: str) -> tuple[SolutionFacts, ...]:
    """Returns the files of a game, the usual options first."""
    files = sorted((definition(name).folder / "solutions").glob("*.json"), key=lambda file: file.stem)
    found = [read_solution(file) for file in files]
    usual = dict(damier.load(name).options)
    return tuple(sorted(found, key=lambda each: getattr(each, "options", usual) != usual))


def _heading(name: str, lang: str) -> dict[str, Any]:
    """Returns the fields that every answer about a game begins with."""
    game = damier.load(name)
    return {
        "game": game.name,
        "title": game.title,
        "summary": game.definition.summary.render(lang),
        "players": {player: text.render(lang) for player, text in game.definition.player_names.items()},
        "usual": dict(game.options),
    }


def _summary(solution: SolutionFacts) -> OutcomeSummary | ChanceSummary | UnsolvedSummary:
    if isinstance(solution, UnsolvedGame):
        return UnsolvedSummary(positions=solution.positions)
    kind = OutcomeSummary if isinstance(solution, OutcomeSolution) else ChanceSummary
    given = {name: value for name, value in vars(solution).items() if name in kind.model_fields}
    return kind(**given, entries=solution.table.entries, bytes=solution.table.bytes)
