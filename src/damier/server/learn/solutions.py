"""Requests about solved games: the facts of the reports, from files that `tools/solutions.py` writes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Depends, Request

import damier
from damier.games import definition
from damier.insight.report.facts import OutcomeSolution, UnsolvedGame, read_solution
from damier.server.dependencies import within_limits
from damier.server.visitors import language
from damier.server.wire.solutions import (
    ChanceSummary,
    GameSolutions,
    OutcomeSummary,
    SolutionFacts,
    SolutionSummaries,
    UnsolvedSummary,
)
from damier.solve.numbering import tier_names

router = APIRouter(prefix="/api/solutions", dependencies=[Depends(within_limits)])


@router.get("")
async def list_solutions(request: Request) -> list[SolutionSummaries]:
    """All games, each with the most important facts."""
    lang = language(request)
    return [
        SolutionSummaries(**_heading(name, lang), solutions=[_summary(each) for each in solutions(name)])
        for name in damier.games()
    ]


@router.get("/{name}", response_model_exclude_unset=True)
def show(name: str, request: Request) -> GameSolutions:
    """All facts of a game, for each option set that has been solved."""
    name, lang = damier.load(name).name, language(request)
    names = {key: text for each in solutions(name) for key, text in _tier_names(each, lang).items()}
    return GameSolutions(**_heading(name, lang), solutions=list(solutions(name)), tier_names=names)


def _tier_names(solution: SolutionFacts, lang: str) -> dict[str, str]:
    if isinstance(solution, UnsolvedGame):
        return {}
    game = damier.load(solution.game, **solution.options)
    return {name: text.render(lang) for name, text in tier_names(game).items()}


@lru_cache(16)
def solutions(name: str) -> tuple[SolutionFacts, ...]:
    """Returns the files of a game, the usual options first."""
    files = sorted((definition(name).folder / "solutions").glob("*.json"))
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
