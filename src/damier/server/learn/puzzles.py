"""Requests about puzzles: which there are, one of them, whether an answer is right, and the solution."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field

import damier
from damier.core.messages import message, shown
from damier.server.dependencies import asking
from damier.server.matches.match import NotFound
from damier.server.visitors import language
from damier.teach.puzzles.judge import judge
from damier.teach.puzzles.puzzle import THEMES, Puzzle, shipped_puzzles

router = APIRouter(prefix="/api/puzzles", dependencies=[Depends(asking)])


class UnknownPuzzle(NotFound):
    """There is no puzzle of this number."""


class Answer(BaseModel):
    """The actions from the position of a puzzle on, the opponent's replies among them."""

    model_config = ConfigDict(extra="forbid")
    actions: list[Annotated[str, Field(max_length=32)]] = Field(min_length=1, max_length=200)


def chosen(name: str, number: str) -> Puzzle:
    """Returns a puzzle; raises `UnknownPuzzle`."""
    damier.load(name)  # says if there is no such game
    for puzzle in shipped_puzzles(name):
        if puzzle.id == number:
            return puzzle
    raise UnknownPuzzle(message("There is no puzzle {number} of this game.", number=shown(number)))


Chosen = Annotated[Puzzle, Depends(chosen)]


@router.get("/{name}")
def list_puzzles(name: str, request: Request) -> dict[str, Any]:
    """All puzzles of a game, easy ones first."""
    damier.load(name)
    lang = language(request)
    found = sorted(shipped_puzzles(name), key=lambda puzzle: (puzzle.difficulty, puzzle.id))
    used = {puzzle.theme for puzzle in found}
    return {
        "themes": {theme: text.render(lang) for theme, text in THEMES.items() if theme in used},
        "puzzles": [{"id": each.id, "theme": each.theme, "difficulty": each.difficulty} for each in found],
    }


@router.get("/{name}/{number}")
def show_puzzle(puzzle: Chosen, request: Request) -> dict[str, Any]:
    """A puzzle without its answer."""
    return {
        "id": puzzle.id,
        "game": puzzle.game,
        "options": puzzle.options,
        "start": puzzle.position,
        "theme": puzzle.theme,
        "task": puzzle.task().render(language(request)),
        "difficulty": puzzle.difficulty,
        "actions": puzzle.actions,
    }


@router.post("/{name}/{number}/judge")
def judge_answer(puzzle: Chosen, answer: Answer, request: Request) -> dict[str, Any]:
    """Whether the actions so far are right, and what the opponent does."""
    verdict = judge(puzzle, answer.actions)
    return {
        "kind": verdict.kind,
        "reply": list(verdict.reply),
        "refutation": list(verdict.refutation),
        "sentence": verdict.said.render(language(request)),
    }


@router.get("/{name}/{number}/solution")
def show_solution(puzzle: Chosen) -> dict[str, Any]:
    """How the game goes on with best play."""
    return {"line": list(puzzle.line)}
