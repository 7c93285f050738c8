"""Requests about puzzles: the list, one puzzle, the verdict on an answer, hints, and the solution with its reasons."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from damier.server.dependencies import PageDesk
from damier.server.front.visitors import language
from damier.server.learn.puzzle_data import puzzle_data, puzzle_hint, puzzle_list, puzzle_solution, puzzle_verdict
from damier.server.wire.learn import (
    PuzzleAnswer,
    PuzzleData,
    PuzzleHintData,
    PuzzleHintRequest,
    PuzzleList,
    PuzzleSolution,
    PuzzleVerdictData,
)

router = APIRouter(prefix="/api/puzzles")


@router.get("/{name}", response_model=PuzzleList)
async def list_puzzles(name: str, request: Request, desk: PageDesk) -> Response:
    """All puzzles of a game, easy ones first."""
    return await desk.answer_once(puzzle_list, name, language(request))


@router.get("/{name}/{number}", response_model=PuzzleData)
async def show_puzzle(name: str, number: str, request: Request, desk: PageDesk) -> Response:
    """A puzzle without its answer."""
    return await desk.answer_once(puzzle_data, name, number, language(request))


@router.post("/{name}/{number}/judge", response_model=PuzzleVerdictData)
async def judge_answer(name: str, number: str, answer: PuzzleAnswer, request: Request, desk: PageDesk) -> Response:
    """Whether the actions so far are right, and what the opponent does."""
    return await desk.answer(puzzle_verdict, name, number, answer, language(request))


@router.post("/{name}/{number}/hint", response_model=PuzzleHintData)
async def give_hint(name: str, number: str, asked: PuzzleHintRequest, request: Request, desk: PageDesk) -> Response:
    """Which piece or part of the board to look at, then the action."""
    return await desk.answer(puzzle_hint, name, number, asked, language(request))


@router.get("/{name}/{number}/solution", response_model=PuzzleSolution)
async def show_solution(name: str, number: str, request: Request, desk: PageDesk) -> Response:
    """How the game goes on with best play, why the answer is right, and what other tries run into."""
    return await desk.answer_once(puzzle_solution, name, number, language(request))
