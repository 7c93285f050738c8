"""Requests about rule pages and lessons."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from damier.server.dependencies import PageDesk
from damier.server.front.visitors import language
from damier.server.learn.lesson_data import lesson_data, lesson_solution, lesson_steps, lesson_verdict, rule_page
from damier.server.wire.learn import (
    LessonAnswer,
    LessonData,
    LessonSolution,
    LessonSteps,
    LessonVerdictData,
    RulePage,
)

router = APIRouter(prefix="/api")


@router.get("/games/{name}/rules", response_model=RulePage)
async def rules(name: str, request: Request, desk: PageDesk) -> Response:
    """The rule page of a game."""
    return await desk.answer_once(rule_page, name, language(request))


@router.get("/lessons", response_model=dict[str, LessonSteps])
async def lessons(desk: PageDesk) -> Response:
    """The steps of each game's lesson."""
    return await desk.answer_once(lesson_steps)


@router.get("/games/{name}/lesson", response_model=LessonData)
async def lesson(name: str, request: Request, desk: PageDesk) -> Response:
    """The lesson of a game, without the answers."""
    return await desk.answer_once(lesson_data, name, language(request))


@router.post("/games/{name}/lesson/{step_id}", response_model=LessonVerdictData)
async def answer(name: str, step_id: str, given: LessonAnswer, request: Request, desk: PageDesk) -> Response:
    """The verdict on an answer, and the board after it and after the opponent's replies."""
    return await desk.answer(lesson_verdict, name, step_id, given, language(request))


@router.get("/games/{name}/lesson/{step_id}/answer", response_model=LessonSolution)
async def show_answer(name: str, step_id: str, request: Request, desk: PageDesk) -> Response:
    """A right answer: the cells to choose for it, its actions, and the board after each."""
    return await desk.answer_once(lesson_solution, name, step_id, language(request))
