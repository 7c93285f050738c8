"""Requests about solved games."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from damier.server.dependencies import PageDesk
from damier.server.front.visitors import language
from damier.server.learn.solution_data import game_solutions, solution_summaries
from damier.server.wire.solutions import GameSolutions, SolutionSummaries

router = APIRouter(prefix="/api/solutions")


@router.get("", response_model=list[SolutionSummaries])
async def list_solutions(request: Request, desk: PageDesk) -> Response:
    """All games, each with the most important facts."""
    return await desk.answer_once(solution_summaries, language(request))


@router.get("/{name}", response_model=GameSolutions)
async def show(name: str, request: Request, desk: PageDesk) -> Response:
    """All facts of a game, for each option set that has been solved."""
    return await desk.answer_once(game_solutions, name, language(request))
