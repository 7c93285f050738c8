"""Requests about puzzles: the list, one puzzle, the verdict on an answer, and the solution."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request

import damier
from damier.core.messages import message, shown
from damier.server.dependencies import within_limits
from damier.server.errors import NotFound
from damier.server.visitors import language
from damier.server.wire.learn import (
    PuzzleAnswer,
    PuzzleData,
    PuzzleEntry,
    PuzzleList,
    PuzzleSolution,
    PuzzleVerdictData,
)
from damier.teach.puzzles.judge import judge
from damier.teach.puzzles.puzzle import THEMES, Puzzle, shipped_puzzles

router = APIRouter(prefix="/api/puzzles", dependencies=[Depends(within_limits)])


class UnknownPuzzle(NotFound):
    """A visitor asked for a puzzle that does not exist."""


def find_puzzle(name: str, number: str) -> Puzzle:
    """Returns a puzzle; raises `UnknownPuzzle`."""
    damier.load(name)  # raises `UnknownGame`
    for puzzle in shipped_puzzles(name):
        if puzzle.id == number:
            return puzzle
    raise UnknownPuzzle(message("There is no puzzle {number} of this game.", number=shown(number)))


FoundPuzzle = Annotated[Puzzle, Depends(find_puzzle)]


@router.get("/{name}")
def list_puzzles(name: str, request: Request) -> PuzzleList:
    """All puzzles of a game, easy ones first."""
    damier.load(name)
    lang = language(request)
    found = sorted(shipped_puzzles(name), key=lambda puzzle: (puzzle.difficulty, puzzle.id))
    used = {puzzle.theme for puzzle in found}
    return PuzzleList(
        themes={theme: text.render(lang) for theme, text in THEMES.items() if theme in used},
        puzzles=[PuzzleEntry(id=each.id, theme=each.theme, difficulty=each.difficulty) for each in found],
    )


@router.get("/{name}/{number}")
def show_puzzle(puzzle: FoundPuzzle, request: Request) -> PuzzleData:
    """A puzzle without its answer."""
    return PuzzleData(
        id=puzzle.id,
        game=puzzle.game,
        options=puzzle.options,
        start=puzzle.position,
        theme=puzzle.theme,
        task=puzzle.task().render(language(request)),
        difficulty=puzzle.difficulty,
        actions=puzzle.actions,
    )


@router.post("/{name}/{number}/judge")
def judge_answer(puzzle: FoundPuzzle, answer: PuzzleAnswer, request: Request) -> PuzzleVerdictData:
    """Whether the actions so far are right, and what the opponent does."""
    verdict = judge(puzzle, answer.actions)
    return PuzzleVerdictData.model_validate(
        {
            "kind": verdict.kind,
            "reply": verdict.reply,
            "refutation": verdict.refutation,
            "sentence": verdict.said.render(language(request)),
        }
    )


@router.get("/{name}/{number}/solution")
def show_solution(puzzle: FoundPuzzle) -> PuzzleSolution:
    """How the game goes on with best play."""
    return PuzzleSolution(line=list(puzzle.line))
