"""Judges answers to the steps of a lesson by the rules: every right answer counts, not only a listed one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument, IllegalAction
from damier.core.messages import Message, message, shown
from damier.core.ranges import check_whole
from damier.teach.lessons.conditions import CONDITIONS, Fault, LessonAttempt
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
        return _verdict("wrong", message("Not {cell}: try another cell.", cell=shown(cell)), step.record, lang)
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


def _judge_refused(step: LessonStep, action: str, lang: str) -> LessonVerdict:
    """Accepts any action that is refused for the same reason as a listed one."""
    reason = refusal(step.record, action)
    if reason is None:
        text = message("{action} is allowed: try what the text says is forbidden.", action=action)
        return _verdict("wrong", text, step.record, lang)
    wanted = [refusal(step.record, turn[0]) for turn in step.task.actions]
    is_right = any(other is not None and other.text == reason.text for other in wanted)
    return _verdict("right" if is_right else "wrong", reason, step.record, lang)


def _judge_action(step: LessonStep, record: Record, actions: Turn, lang: str) -> LessonVerdict:
    if actions in step.task.actions:
        return _right(step, record, lang)
    if any(turn[: len(actions)] == actions for turn in step.task.actions):
        return _verdict("go_on", _GO_ON, record, lang)
    text = message("{action} is allowed, but something else is asked for here.", action=actions[-1])
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
            text = message("After {action}, you can no longer do this in this turn.", action=actions[-1])
            return _verdict("wrong", text, record, lang)
        rest, then = next(turns(record))  # the fault shows at the end of the turn
        attempt = LessonAttempt(start, then, (*actions, *rest))
    fault = _explained(task, attempt)
    return _verdict("wrong", fault.message, record, lang, (*rest, *fault.reply))


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
