"""Judges answers to the steps of a lesson by the rules: every right answer counts, not only a listed one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument, IllegalAction
from damier.core.messages import Message, message, shown
from damier.core.ranges import check_whole
from damier.teach.lessons.conditions import CONDITIONS, Fault, LessonAttempt, any_of
from damier.teach.lessons.lesson import refusal
from damier.teach.lessons.search import Turn, after, beginnings, is_turn_on, turns

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.teach.lessons.lesson import Lesson, LessonStep, LessonTask

_MOST_ACTIONS = 8  # of an answer; no turn is longer


@dataclass(frozen=True)
class LessonVerdict:
    """The verdict on an answer."""

    status: str
    """``right``, ``go_on`` while the turn can still become right, or ``wrong``."""

    sentence: str
    position: str
    """The position after the learner's actions, or before them if one is refused."""

    replies: Turn = ()
    """Actions to show: the rest of the learner's turn if it is not over, then the opponent's answer."""

    position_after_replies: str = ""
    """The position after `replies`."""


def judge(
    lesson: Lesson, step_number: int, actions: Sequence[str], cell: str | None, lang: str = "en"
) -> LessonVerdict:
    """Judges an answer to a step, counted from 1: the actions played so far, or the cell clicked."""
    step = _step(lesson, step_number)
    kind = step.task.kind
    if kind == "read":
        return _right(step, step.record, lang)
    if kind == "cell":
        if cell is None:
            raise BadArgument(message("This step asks for a cell."))
        if cell in step.task.cells:
            return _right(step, step.record, lang)
        return _wrong_cell(step, cell, lang)
    if not 1 <= len(actions) <= _MOST_ACTIONS:
        raise BadArgument(message("This step asks for an action."))
    if kind == "refused":
        return _judge_refused(step, actions[0], lang)
    try:
        record = _played(step.record, actions)
    except IllegalAction as error:
        return _verdict("wrong", error.message, step.record, lang)
    judged = _judge_action if kind == "action" else _judge_any
    return judged(step, record, tuple(actions), lang)


def right_answers(lesson: Lesson, step_number: int) -> Iterator[Turn]:
    """Yields right answers: actions, or a cell; () for a step that is only read."""
    step = _step(lesson, step_number)
    task = step.task
    if task.kind == "read":
        yield ()
    elif task.kind == "cell":
        yield from ((cell,) for cell in task.cells)
    elif task.kind == "any":
        yield from _fulfilling(task, step.record, step.record, ())
    else:
        yield from task.actions


def _step(lesson: Lesson, number: int) -> LessonStep:
    check_whole("step", number, 1, len(lesson.steps))
    return lesson.steps[number - 1]


def _played(start: Record, actions: Sequence[str]) -> Record:
    """Returns the game after the learner's actions, all in one turn."""
    record = start.copy()
    for text in actions:
        if record.mover != start.mover:
            raise IllegalAction(message("The turn is over before {action}.", action=shown(text)))
        record.play(text)
    return record


def _wrong_cell(step: LessonStep, cell: str, lang: str) -> LessonVerdict:
    """Returns why a cell is wrong, as the lesson says it."""
    if cell not in [each.name for each in step.record.game.drawing.cells]:
        return _verdict("wrong", message("There is no cell {cell} on this board.", cell=shown(cell)), step.record, lang)
    text = message("{cell} is not what this step asks for: read it again, or try another cell.", cell=cell)
    verdict = _verdict("wrong", text, step.record, lang)
    return replace(verdict, sentence=step.why_wrong(cell, lang) or verdict.sentence)


def _judge_refused(step: LessonStep, action: str, lang: str) -> LessonVerdict:
    """Accepts any action that is refused for the same reason as a listed one."""
    reason = refusal(step.record, action)
    if reason is None:
        text = message(
            "{action} is allowed. Here you should try something that is forbidden: {wanted}.",
            action=_named(step, action),
            wanted=_wanted(step),
        )
        return _verdict("wrong", text, step.record, lang)
    wanted = [refusal(step.record, turn[0]) for turn in step.task.actions]
    if any(other is not None and other.text == reason.text for other in wanted):
        return _verdict("right", reason, step.record, lang)
    text = message("{reason} But this step is about something else: try {wanted}.", reason=reason, wanted=_wanted(step))
    return _verdict("wrong", text, step.record, lang)


def _wanted(step: LessonStep) -> Message:
    """Returns the actions that a step asks for, as its text has named them already."""
    return any_of([_named(step, "+".join(turn)) for turn in step.task.actions])


def _named(step: LessonStep, text: str) -> Message:
    """Returns an action as it is called on buttons, or its own text."""
    name = None if "+" in text else step.record.game.action_name(text)
    return name or Message("{action}", {"action": text})


def _judge_action(step: LessonStep, record: Record, actions: Turn, lang: str) -> LessonVerdict:
    if actions in step.task.actions:
        return _right(step, record, lang)
    if any(turn[: len(actions)] == actions for turn in step.task.actions):
        return _verdict("go_on", _GO_ON, record, lang)
    text = message(
        "{action} is allowed, but this step asks for something else: {wanted}.",
        action=_named(step, actions[-1]),
        wanted=_wanted(step),
    )
    return _verdict("wrong", text, record, lang)


def _judge_any(step: LessonStep, record: Record, actions: Turn, lang: str) -> LessonVerdict:
    task, start = step.task, step.record
    attempt = LessonAttempt(start, record, actions)
    rest: Turn = ()
    if _is_due(task, attempt) and _fault(task, attempt) is None:
        return _right(step, record, lang)
    if _can_go_on(task, attempt):
        if next(_fulfilling(task, start, record, actions), None) is not None:
            return _verdict("go_on", _GO_ON, record, lang)
        if _is_due(task, attempt):
            text = message(
                "After {action}, the rest of the turn is too short for what this step asks for.",
                action=_named(step, actions[-1]),
            )
            return _verdict("wrong", text, record, lang)
        rest, then = next(turns(record))  # the fault shows at the end of the turn
        attempt = LessonAttempt(start, then, (*actions, *rest))
    fault = _explained(task, attempt)
    verdict = _verdict("wrong", fault.message, record, lang, (*rest, *fault.reply))
    reason = None if fault.reply else step.why_wrong(None, lang)
    return replace(verdict, sentence=f"{verdict.sentence} {reason}") if reason else verdict


def _fulfilling(task: LessonTask, start: Record, record: Record, actions: Turn) -> Iterator[Turn]:
    """Yields the continuations after `actions` that fulfil a task, without needless actions."""
    found: list[Turn] = []
    for rest, then in beginnings(record):
        attempt = LessonAttempt(start, then, (*actions, *rest))
        is_longer = any(rest[: len(short)] == short for short in found)
        if task.within is not None and len(attempt.actions) > task.within:
            return
        if not is_longer and _is_due(task, attempt) and _fault(task, attempt) is None:
            found.append(rest)
            yield attempt.actions


def _is_due(task: LessonTask, attempt: LessonAttempt) -> bool:
    """Tells whether the condition can be judged now: most at any time, some at the end of the turn."""
    is_over = not is_turn_on(attempt.after, attempt.player)
    return is_over or not any(CONDITIONS[name].ends_turn for name in task.condition)


def _can_go_on(task: LessonTask, attempt: LessonAttempt) -> bool:
    has_more = task.within is None or len(attempt.actions) < task.within
    return has_more and is_turn_on(attempt.after, attempt.player)


def _fault(task: LessonTask, attempt: LessonAttempt) -> Fault | None:
    return next((fault for _, fault in _faults(task, attempt)), None)


def _explained(task: LessonTask, attempt: LessonAttempt) -> Fault:
    """Returns the best explanation of a wrong answer."""
    name, fault = next(_faults(task, attempt))
    return CONDITIONS[name].explain(attempt) or fault


def _faults(task: LessonTask, attempt: LessonAttempt) -> Iterator[tuple[str, Fault]]:
    for name, parameters in task.condition.items():
        fault = CONDITIONS[name].judge(attempt, parameters)
        if fault is not None:
            yield name, fault


_GO_ON = message("Good so far: your turn goes on.")


def _right(step: LessonStep, record: Record, lang: str) -> LessonVerdict:
    verdict = _verdict("right", message("Right!"), record, lang)
    return (
        verdict
        if step.done is None
        else LessonVerdict("right", step.done.get(lang, step.done["en"]), verdict.position, (), verdict.position)
    )


def _verdict(status: str, text: Message, record: Record, lang: str, replies: Turn = ()) -> LessonVerdict:
    then = after(record, replies)
    return LessonVerdict(status, text.render(lang), str(record.position), replies, str(then.position))
