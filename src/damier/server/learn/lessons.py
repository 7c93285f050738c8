"""The rule pages and the lessons, as data for the pages that show them."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field

import damier
from damier.core.drawing import HAND
from damier.core.messages import message
from damier.core.record import Record
from damier.server.dependencies import asking
from damier.server.matches.match import NotFound
from damier.server.view import action_guesses, drawing_data, record_state
from damier.server.visitors import language
from damier.teach.lessons.judge import judge, right_answers
from damier.teach.lessons.lesson import Lesson, LessonStep, has_lesson, load_lesson
from damier.teach.rules.blocks import Block, TextLine, rule_blocks

router = APIRouter(prefix="/api", dependencies=[Depends(asking)])

Data = dict[str, Any]


class LessonAnswer(BaseModel):
    """What a learner did in a step: actions, the cell that was asked for, or cells that were tried in vain."""

    model_config = ConfigDict(extra="forbid")
    actions: list[Annotated[str, Field(max_length=32)]] = Field(default_factory=list, max_length=8)
    cell: str | None = Field(default=None, max_length=8)
    cells: list[Annotated[str, Field(max_length=8)]] = Field(default_factory=list, max_length=8)


# Rules


@router.get("/games/{name}/rules")
def rules(name: str, request: Request) -> Data:
    """The rule page of a game."""
    return _rules_data(damier.load(name).name, language(request))


@lru_cache(64)
def _rules_data(name: str, lang: str) -> Data:
    title, *blocks = rule_blocks(name, lang)
    return {"title": title.lines[0][0].text, "blocks": [_block_data(block, lang) for block in blocks]}


def _block_data(block: Block, lang: str) -> Data:
    """Returns a part of the page; a picture as a game that can be played on."""
    data: Data = {"kind": block.kind, "id": block.id}
    if block.picture is not None:
        position = block.picture.position
        return {
            **data,
            "alt": block.picture.alt,
            "options": dict(position.game.options),
            "drawing": drawing_data(position.game, lang),
            "start": str(position),
            "actions": block.picture.actions,
            "state": record_state(position.game.record(position), lang),
        }
    if block.rows:
        return {**data, "rows": [[_line_data(cell) for cell in row] for row in block.rows]}
    return {**data, "level": block.level, "lines": [_line_data(line) for line in block.lines]}


def _line_data(line: TextLine) -> list[Data]:
    return [{"text": span.text, "style": span.style} for span in line]


# Lessons


@router.get("/lessons")
def lessons() -> dict[str, int]:
    """How many steps the lesson of each game has."""
    return {name: len(load_lesson(name).steps) for name in damier.games() if has_lesson(name)}


@router.get("/games/{name}/lesson")
def lesson(name: str, request: Request) -> Data:
    """The lesson of a game, without the answers."""
    found, lang = load_lesson(name), language(request)
    return {
        "game": found.game.name,
        "title": found.game.title,
        "options": dict(found.game.options),
        "drawing": drawing_data(found.game, lang),
        "steps": [_step_data(step, lang) for step in found.steps],
    }


def _step_data(step: LessonStep, lang: str) -> Data:
    return {
        "title": step.title[lang],
        "text": step.text[lang],
        "kind": step.task.kind,
        "cells": step.cells,
        "hint": step.hint and step.hint[lang],
        "buttons": _buttons(step),
        "start": str(step.record.start),
        "actions": step.record.played,
        "state": record_state(step.record, lang),
    }


def _buttons(step: LessonStep) -> list[str]:
    """Returns the actions to be tried in vain that have no cells to choose."""
    tried = {text for turn in step.task.actions for text in turn} if step.task.kind == "refused" else set()
    return sorted(text for text in tried if not step.record.game.action_cells(text))


class UnknownStep(NotFound):
    """There is no step of this number."""


def chosen(name: str, number: int) -> LessonStep:
    """Returns a step of a lesson; raises `UnknownStep`."""
    steps = load_lesson(name).steps
    if not 1 <= number <= len(steps):
        raise UnknownStep(message("The lesson has no step {number}.", number=number))
    return steps[number - 1]


Chosen = Annotated[LessonStep, Depends(chosen)]


@router.post("/games/{name}/lesson/{number}")
def answer(name: str, number: int, step: Chosen, given: LessonAnswer, request: Request) -> Data:
    """What there is to say of an answer, and how the board stands after it and after what the opponent would do."""
    lang = language(request)
    actions = _tried(load_lesson(name), number, given.cells) if given.cells else given.actions
    if given.cells and not actions:
        sentence = message("No action of this game is chosen that way.").render(lang)
        return {"status": "wrong", "sentence": sentence, "state": record_state(step.record, lang), "replies": []}
    verdict = judge(load_lesson(name), number, actions, given.cell, lang)
    played = actions if verdict.position != str(step.record.position) else ()
    states = _states(step.record, (*played, *verdict.replies), lang)
    return {
        "status": verdict.status,
        "sentence": verdict.sentence,
        "state": states[len(played)],
        "replies": states[len(played) + 1 :],
    }


def _tried(lesson: Lesson, number: int, cells: list[str]) -> list[str]:
    """Returns the action that cells stand for, in whatever order: the right one if there is any; else nothing."""
    orders = (cells, cells[::-1], [HAND, *cells])
    guesses = [text for order in orders for text in action_guesses(lesson.game, order)]
    right = [text for text in guesses if judge(lesson, number, [text], None).status == "right"]
    return (right or guesses)[:1]


@router.get("/games/{name}/lesson/{number}/answer")
def show_answer(name: str, number: int, step: Chosen, request: Request) -> Data:
    """A right answer: the cells to choose for it, its actions, and the boards after each."""
    turn = next(right_answers(load_lesson(name), number))
    if step.task.kind == "cell":
        return {"actions": [], "cells": turn, "states": []}
    cells = step.record.game.action_cells(turn[0]) if turn else ()
    played = () if step.task.kind == "refused" else turn
    return {"actions": turn, "cells": cells, "states": _states(step.record, played, language(request))[1:]}


def _states(start: Record, actions: tuple[str, ...], lang: str) -> list[Data]:
    """Returns how a game stands before some actions and after each."""
    record = start.copy()
    states = [record_state(record, lang)]
    for text in actions:
        record.play(text)
        states.append(record_state(record, lang))
    return states
