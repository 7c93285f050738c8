"""Requests about puzzles: the list, one puzzle, the verdict on an answer, hints, and the solution with its reasons."""

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
    PuzzleHintData,
    PuzzleHintRequest,
    PuzzleList,
    PuzzleSolution,
    PuzzleTryData,
    PuzzleVerdictData,
)
from damier.teach.puzzles.hints import hint
from damier.teach.puzzles.judge import judge
from damier.teach.puzzles.puzzle import THEMES, Puzzle, shipped_puzzles
from damier.teach.puzzles.reasons import reasons

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
        puzzles=[
            PuzzleEntry(id=each.id, theme=each.theme, difficulty=each.difficulty, rating=each.rating) for each in found
        ],
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
        player=puzzle.solver,
        player_name=puzzle.loaded.player_name(puzzle.solver).render(language(request)),
        difficulty=puzzle.difficulty,
        rating=puzzle.rating,
        actions=puzzle.actions,
        choices=list(puzzle.choices),
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


@router.post("/{name}/{number}/hint")
def give_hint(puzzle: FoundPuzzle, asked: PuzzleHintRequest, request: Request) -> PuzzleHintData:
    """Which piece or part of the board to look at, then the action."""
    found = hint(puzzle, asked.actions, asked.step)
    return PuzzleHintData(sentence=found.said.render(language(request)), cells=list(found.cells), action=found.action)


@router.get("/{name}/{number}/solution")
def show_solution(puzzle: FoundPuzzle, request: Request) -> PuzzleSolution:
    """How the game goes on with best play, why the answer is right, and what other tries run into."""
    lang, why = language(request), reasons(puzzle.game, puzzle.id)
    return PuzzleSolution(
        answer=puzzle.answer,
        line=list(puzzle.line),
        reasons=[said.render(lang) for said in why.said],
        tries=[
            PuzzleTryData(actions=list(each.actions), line=list(each.line), sentence=each.said.render(lang))
            for each in why.tries
        ],
    )
