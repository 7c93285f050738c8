"""Puzzles as wire models: the list, one puzzle, the verdict on an answer, hints, and the solution with its reasons."""

from __future__ import annotations

import damier
from damier.core.messages import message, shown
from damier.server.errors import NotFound
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


class UnknownPuzzle(NotFound):
    """A visitor asked for a puzzle that does not exist."""


def find_puzzle(name: str, number: str) -> Puzzle:
    """Returns a puzzle; raises `UnknownPuzzle`."""
    damier.load(name)  # raises `UnknownGame`
    for puzzle in shipped_puzzles(name):
        if puzzle.id == number:
            return puzzle
    raise UnknownPuzzle(message("There is no puzzle {number} of this game.", number=shown(number)))


def puzzle_list(name: str, lang: str) -> PuzzleList:
    """Returns all puzzles of a game, easy ones first."""
    damier.load(name)
    found = sorted(shipped_puzzles(name), key=lambda puzzle: (puzzle.difficulty, puzzle.id))
    used = {puzzle.theme for puzzle in found}
    return PuzzleList(
        themes={theme: text.render(lang) for theme, text in THEMES.items() if theme in used},
        puzzles=[
            PuzzleEntry(id=each.id, theme=each.theme, difficulty=each.difficulty, rating=each.rating) for each in found
        ],
    )


def puzzle_data(name: str, number: str, lang: str) -> PuzzleData:
    """Returns a puzzle without its answer."""
    puzzle = find_puzzle(name, number)
    return PuzzleData(
        id=puzzle.id,
        game=puzzle.game,
        options=puzzle.options,
        start=puzzle.position,
        theme=puzzle.theme,
        task=puzzle.task().render(lang),
        player=puzzle.solver,
        player_name=puzzle.loaded.player_name(puzzle.solver).render(lang),
        difficulty=puzzle.difficulty,
        rating=puzzle.rating,
        actions=puzzle.actions,
        choices=list(puzzle.choices),
    )


def puzzle_verdict(name: str, number: str, answer: PuzzleAnswer, lang: str) -> PuzzleVerdictData:
    """Returns whether the actions so far are right, and what the opponent does."""
    verdict = judge(find_puzzle(name, number), answer.actions)
    return PuzzleVerdictData.model_validate(
        {
            "kind": verdict.kind,
            "reply": verdict.reply,
            "refutation": verdict.refutation,
            "sentence": verdict.said.render(lang),
        }
    )


def puzzle_hint(name: str, number: str, asked: PuzzleHintRequest, lang: str) -> PuzzleHintData:
    """Returns which piece or part of the board to look at, then the action."""
    found = hint(find_puzzle(name, number), asked.actions, asked.step)
    return PuzzleHintData(sentence=found.said.render(lang), cells=list(found.cells), action=found.action)


def puzzle_solution(name: str, number: str, lang: str) -> PuzzleSolution:
    """Returns how the game goes on with best play, why the answer is right, and what other tries run into."""
    puzzle = find_puzzle(name, number)
    why = reasons(puzzle.game, puzzle.id)
    return PuzzleSolution(
        answer=puzzle.answer,
        line=list(puzzle.line),
        reasons=[said.render(lang) for said in why.said],
        tries=[
            PuzzleTryData(actions=list(each.actions), line=list(each.line), sentence=each.said.render(lang))
            for each in why.tries
        ],
    )
