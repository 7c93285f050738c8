"""Requests about rule pages and lessons."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Depends, Request

import damier
from damier.core.drawing import HAND
from damier.core.messages import message
from damier.core.record import Record
from damier.server.board_data import action_data, drawing_data, play_state
from damier.server.dependencies import within_limits
from damier.server.errors import NotFound
from damier.server.refusals import explain_clicks, likely_actions
from damier.server.visitors import language
from damier.server.wire.board import ActionData, PlayState
from damier.server.wire.learn import (
    LessonAnswer,
    LessonData,
    LessonSolution,
    LessonStepData,
    LessonVerdictData,
    PageBlock,
    PictureBlock,
    RulePage,
    TableBlock,
    TextBlock,
    TextSpan,
)
from damier.teach.lessons.judge import judge, right_answers
from damier.teach.lessons.lesson import Lesson, LessonStep, has_lesson, load_lesson
from damier.teach.rules.blocks import Block, TextLine, rule_blocks

router = APIRouter(prefix="/api", dependencies=[Depends(within_limits)])

# Rules


@router.get("/games/{name}/rules")
def rules(name: str, request: Request) -> RulePage:
    """The rule page of a game."""
    return _rule_page(damier.load(name).name, language(request))


@lru_cache(64)
def _rule_page(name: str, lang: str) -> RulePage:
    title, *blocks = rule_blocks(name, lang)
    return RulePage(title=title.lines[0][0].text, blocks=[_block_data(block, lang) for block in blocks])


def _block_data(block: Block, lang: str) -> PageBlock:
    """Returns a part of the page; a picture as a game that can be played on."""
    if block.picture is not None:
        position = block.picture.position
        return PictureBlock(
            kind="picture",
            id=block.id,
            alt=block.picture.alt,
            options=dict(position.game.options),
            drawing=drawing_data(position.game, lang),
            start=str(position),
            actions=list(block.picture.actions),
            state=play_state(position.game.record(position), lang),
        )
    if block.rows:
        rows = [[_line_data(cell) for cell in row] for row in block.rows]
        return TableBlock(kind="table", id=block.id, rows=rows)
    lines = [_line_data(line) for line in block.lines]
    return TextBlock.model_validate({"kind": block.kind, "id": block.id, "level": block.level, "lines": lines})


def _line_data(line: TextLine) -> list[TextSpan]:
    return [TextSpan.model_validate(vars(span)) for span in line]


# Lessons


@router.get("/lessons")
def lessons() -> dict[str, int]:
    """The number of steps of each game's lesson."""
    return {name: len(load_lesson(name).steps) for name in damier.games() if has_lesson(name)}


@router.get("/games/{name}/lesson")
def lesson(name: str, request: Request) -> LessonData:
    """The lesson of a game, without the answers."""
    found, lang = load_lesson(name), language(request)
    return LessonData(
        game=found.game.name,
        title=found.game.title,
        options=dict(found.game.options),
        drawing=drawing_data(found.game, lang),
        steps=[_step_data(step, lang) for step in found.steps],
    )


def _step_data(step: LessonStep, lang: str) -> LessonStepData:
    return LessonStepData.model_validate(
        {
            "title": step.title[lang],
            "text": step.text[lang],
            "kind": step.task.kind,
            "cells": step.cells,
            "hint": step.hint and step.hint[lang],
            "buttons": _buttons(step, lang),
            "start": str(step.record.start),
            "actions": step.record.played,
            "state": play_state(step.record, lang),
        }
    )


def _buttons(step: LessonStep, lang: str) -> list[ActionData]:
    """Returns the illegal actions to try that have no cells to choose."""
    game = step.record.game
    tried = {text for turn in step.task.actions for text in turn} if step.task.kind == "refused" else set()
    return [action_data(game, text, lang) for text in sorted(tried) if not game.action_cells(text)]


class UnknownStep(NotFound):
    """A visitor asked for a step that the lesson does not have."""


def find_step(name: str, number: int) -> LessonStep:
    """Returns a step of a lesson; raises `UnknownStep`."""
    steps = load_lesson(name).steps
    if not 1 <= number <= len(steps):
        raise UnknownStep(message("The lesson has no step {number}.", number=number))
    return steps[number - 1]


FoundStep = Annotated[LessonStep, Depends(find_step)]


@router.post("/games/{name}/lesson/{number}")
def answer(name: str, number: int, step: FoundStep, given: LessonAnswer, request: Request) -> LessonVerdictData:
    """The verdict on an answer, and the board after it and after the opponent's replies."""
    lang = language(request)
    actions = _attempted(load_lesson(name), number, step.record, given.cells) if given.cells else given.actions
    if given.cells and not actions:
        sentence = " ".join(each.render(lang) for each in explain_clicks(step.record, given.cells))
        return LessonVerdictData(status="wrong", sentence=sentence, state=play_state(step.record, lang), replies=[])
    verdict = judge(load_lesson(name), number, actions, given.cell, lang)
    played = actions if verdict.position != str(step.record.position) else ()
    states = _states(step.record, (*played, *verdict.replies), lang)
    return LessonVerdictData.model_validate(
        {
            "status": verdict.status,
            "sentence": verdict.sentence,
            "state": states[len(played)],
            "replies": states[len(played) + 1 :],
        }
    )


def _attempted(lesson: Lesson, number: int, record: Record, cells: list[str]) -> list[str]:
    """Returns the action that cells stand for, in any order: the right one if there is one, or no action."""
    orders = (cells, cells[::-1], [HAND, *cells])
    guesses = [text for order in orders for text in lesson.game.guess_actions(order)]
    right = [text for text in guesses if judge(lesson, number, [text], None).status == "right"]
    return (right or likely_actions(record, cells))[:1]


@router.get("/games/{name}/lesson/{number}/answer")
def show_answer(name: str, number: int, step: FoundStep, request: Request) -> LessonSolution:
    """A right answer: the cells to choose for it, its actions, and the board after each."""
    turn = list(next(right_answers(load_lesson(name), number)))
    if step.task.kind == "cell":
        return LessonSolution(actions=[], names=[], cells=turn, states=[])
    game, lang = step.record.game, language(request)
    cells = step.record.game.action_cells(turn[0]) if turn else ()
    played = () if step.task.kind == "refused" else tuple(turn)
    names = [action_data(game, text, lang).name or text for text in turn]
    states = _states(step.record, played, lang)[1:]
    return LessonSolution(actions=turn, names=names, cells=list(cells), states=states)


def _states(start: Record, actions: tuple[str, ...], lang: str) -> list[PlayState]:
    """Returns the states before some actions and after each."""
    record = start.copy()
    states = [play_state(record, lang)]
    for text in actions:
        record.play(text)
        states.append(play_state(record, lang))
    return states
