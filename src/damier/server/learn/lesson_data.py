"""Rule pages and lessons as wire models."""

from __future__ import annotations

from dataclasses import dataclass

import damier
from damier.core.drawing import HAND
from damier.core.messages import message, shown
from damier.core.record import Record
from damier.server.board_data import action_data, drawing_data, play_state
from damier.server.errors import NotFound
from damier.server.refusals import explain_clicks, likely_actions
from damier.server.wire.board import ActionData, PlayState
from damier.server.wire.learn import (
    LessonAnswer,
    LessonBoard,
    LessonData,
    LessonSolution,
    LessonStepData,
    LessonSteps,
    LessonVerdictData,
    PageBlock,
    PictureBlock,
    RulePage,
    TableBlock,
    TextBlock,
    TextSpan,
)
from damier.teach.lessons.judge import judge, right_answers
from damier.teach.lessons.lesson import CHAPTERS, Lesson, LessonStep, has_lesson, load_lesson
from damier.teach.rules.blocks import Block, TextLine, rule_blocks

# Rules


def rule_page(name: str, lang: str) -> RulePage:
    """Returns the rule page of a game."""
    title, *blocks = rule_blocks(damier.load(name).name, lang)
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


def lesson_steps() -> dict[str, LessonSteps]:
    """Returns the steps of each game's lesson."""
    return {name: _steps_of(load_lesson(name)) for name in damier.games() if has_lesson(name)}


def _steps_of(lesson: Lesson) -> LessonSteps:
    return LessonSteps(
        steps=[step.id for step in lesson.steps],
        basics=[step.id for step in lesson.steps if step.chapter == CHAPTERS[0]],
        numbered=list(lesson.numbered),
    )


def lesson_data(name: str, lang: str) -> LessonData:
    """Returns the lesson of a game, without the answers."""
    found = load_lesson(name)
    games = list(dict.fromkeys(step.record.game for step in found.steps))
    return LessonData(
        game=found.game.name,
        title=found.game.title,
        boards=[LessonBoard(options=dict(game.options), drawing=drawing_data(game, lang)) for game in games],
        steps=[_step_data(step, games.index(step.record.game), lang) for step in found.steps],
        numbered=list(found.numbered),
    )


def _step_data(step: LessonStep, board: int, lang: str) -> LessonStepData:
    return LessonStepData.model_validate(
        {
            "id": step.id,
            "chapter": step.chapter,
            "board": board,
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


@dataclass(frozen=True)
class FoundStep:
    """A step with its place in a lesson."""

    lesson: Lesson
    number: int

    @property
    def step(self) -> LessonStep:
        """The step itself."""
        return self.lesson.steps[self.number - 1]

    @property
    def record(self) -> Record:
        """Its position with its history."""
        return self.step.record


def find_step(name: str, step_id: str) -> FoundStep:
    """Returns a step of a lesson; raises `UnknownStep`."""
    lesson = load_lesson(name)
    number = lesson.number_of(step_id)
    if number is None:
        raise UnknownStep(message("The lesson has no step {step}.", step=shown(step_id)))
    return FoundStep(lesson, number)


def lesson_verdict(name: str, step_id: str, given: LessonAnswer, lang: str) -> LessonVerdictData:
    """Returns the verdict on an answer, and the board after it and after the opponent's replies."""
    found = find_step(name, step_id)
    record = found.record
    actions = _attempted(found, given.cells) if given.cells else given.actions
    if given.cells and not actions:
        sentence = " ".join(each.render(lang) for each in explain_clicks(record, given.cells))
        return LessonVerdictData(status="wrong", sentence=sentence, state=play_state(record, lang), replies=[])
    verdict = judge(found.lesson, found.number, actions, given.cell, lang)
    played = actions if verdict.position != str(record.position) else ()
    states = _states(record, (*played, *verdict.replies), lang)
    return LessonVerdictData.model_validate(
        {
            "status": verdict.status,
            "sentence": verdict.sentence,
            "state": states[len(played)],
            "replies": states[len(played) + 1 :],
        }
    )


def _attempted(found: FoundStep, cells: list[str]) -> list[str]:
    """Returns the action that cells stand for, in any order: the right one if there is one, or no action."""
    orders = (cells, cells[::-1], [HAND, *cells])
    guesses = [text for order in orders for text in found.record.game.guess_actions(order)]
    right = [text for text in guesses if judge(found.lesson, found.number, [text], None).status == "right"]
    return (right or likely_actions(found.record, cells))[:1]


def lesson_solution(name: str, step_id: str, lang: str) -> LessonSolution:
    """Returns a right answer: the cells to choose for it, its actions, and the board after each."""
    found = find_step(name, step_id)
    turn, kind = list(next(right_answers(found.lesson, found.number))), found.step.task.kind
    if kind == "cell":
        return LessonSolution(actions=[], names=[], cells=turn, states=[])
    game = found.record.game
    cells = game.action_cells(turn[0]) if turn else ()
    played = () if kind == "refused" else tuple(turn)
    names = [action_data(game, text, lang).name or text for text in turn]
    states = _states(found.record, played, lang)[1:]
    return LessonSolution(actions=turn, names=names, cells=list(cells), states=states)


def _states(start: Record, actions: tuple[str, ...], lang: str) -> list[PlayState]:
    """Returns the states before some actions and after each."""
    record = start.copy()
    states = [play_state(record, lang)]
    for text in actions:
        record.play(text)
        states.append(play_state(record, lang))
    return states
