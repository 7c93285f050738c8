"""Lessons: from the aim of a game to a first tactic, in small steps.

The lesson of a game is ``games/<name>/lesson.json``; ``docs/lessons.md`` specifies the file. Reading it checks
everything that needs no search: texts, cells, positions, that actions to be played are legal and those to be refused
are not.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from damier.core.errors import DamierError, IllegalAction
from damier.core.messages import Message, message, shown
from damier.games import definition, games, load
from damier.teach.lessons.conditions import CONDITIONS
from damier.teach.lessons.fields import (
    BadLesson,
    check_fields,
    read_actions,
    read_cells,
    read_condition,
    read_list,
    read_name,
    read_number,
    read_object,
    read_one_of,
    read_position,
    read_steps,
    read_text,
)
from damier.teach.lessons.search import after
from damier.teach.material import find_material, read_material

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.teach.lessons.conditions import Parameters
    from damier.teach.lessons.search import Turn

Text = Mapping[str, str]
"""A text by language."""

#: The fields of each kind of task besides `kind`; those that end with ``?`` are optional.
TASKS = {
    "read": (),
    "cell": ("cells",),
    "action": ("actions",),
    "any": ("condition", "within?"),
    "refused": ("actions",),
}
#: The chapters of a lesson, in their order. The basics are what a newcomer needs for a first match.
CHAPTERS = ("basics", "tactics", "details", "variants")
_STEP = (
    *("id", "chapter?", "options?", "title", "text"),
    *("position?", "setup?", "cells?", "task", "hint?", "done?", "wrong?"),
)
_LONGEST = {"title": 60, "text": 420, "hint": 200, "done": 240}  # characters
_LONGEST_REASON = 200
_MOST_WITHIN = 8
_FILE = "lesson.json"


@dataclass(frozen=True)
class LessonTask:
    """What a step asks for."""

    kind: str
    """``read``, ``cell``, ``action``, ``any`` or ``refused``."""

    cells: tuple[str, ...] = ()
    """The cells of which one must be clicked."""

    actions: tuple[Turn, ...] = ()
    """The turns of which one must be played, or tried and refused."""

    condition: Mapping[str, Parameters] = field(default_factory=dict)
    """What the actions must fulfil: all of it."""

    within: int | None = None
    """How many actions are allowed; None for the whole turn."""


@dataclass(frozen=True)
class WrongAnswer:
    """Why some answers are wrong."""

    text: Text
    """The reason; ``{cell}`` stands for the cell that was clicked."""

    cells: tuple[str, ...] = ()
    """The cells that are wrong for this reason; none for all other answers."""


@dataclass(frozen=True)
class LessonStep:
    """One idea and one task."""

    id: str
    """Its name in addresses and in the progress of learners: it never changes, whatever comes before or after it."""

    chapter: str
    """One of `CHAPTERS`."""

    title: Text
    text: Text
    record: Record
    """The position with its history, of a game with the options of the step. Copy it before playing on."""

    task: LessonTask
    cells: tuple[str, ...] = ()
    """Cells to highlight."""

    hint: Text | None = None
    done: Text | None = None
    """Feedback when the task is done."""

    wrong: tuple[WrongAnswer, ...] = ()
    """Why answers are wrong."""

    def why_wrong(self, cell: str | None, lang: str) -> str | None:
        """Returns why a cell or, without one, any other wrong answer is wrong; None if the lesson does not say."""
        for answer in self.wrong:
            if not answer.cells or cell in answer.cells:
                return answer.text[lang].replace("{cell}", cell or "")
        return None


@dataclass(frozen=True)
class Lesson:
    """The lesson of a game."""

    game: Game
    steps: tuple[LessonStep, ...]
    numbered: tuple[str, ...] = ()
    """The ids of the steps that learners' progress once called 1, 2, 3 and so on."""

    def number_of(self, step_id: str) -> int | None:
        """Returns the number of a step, counted from 1, or None if there is no such step."""
        return next((number for number, step in enumerate(self.steps, 1) if step.id == step_id), None)


@functools.cache
def load_lesson(name: str) -> Lesson:
    """Returns the lesson of a game; raises `MaterialMissing` if it comes without one."""
    missing = message("There is no lesson for {game}.", game=definition(name).title)
    return read_lesson(read_material(name, _FILE, missing))


def has_lesson(name: str) -> bool:
    """Tells whether a game comes with a lesson."""
    return find_material(name, _FILE) is not None


def read_lesson(text: str) -> Lesson:
    """Returns the lesson in the text of a file; raises `BadLesson` with what is wrong."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise BadLesson(message("The lesson is not JSON: see line {line}.", line=line)) from None
    try:
        fields = read_object("lesson", data)
        check_fields(fields, ("game", "options?", "numbered?", "steps"))
        game = load(read_one_of("game", fields["game"], games()), **read_object("options", fields.get("options", {})))
        numbered = tuple(read_name("numbered", name) for name in read_list("numbered", fields.get("numbered", [])))
        data = read_steps(fields["steps"])
    except BadLesson:
        raise
    except DamierError as error:
        raise BadLesson(error.message) from None
    steps = _read_steps(game, data)
    if unknown := set(numbered) - {step.id for step in steps}:
        raise BadLesson(message("There is no step {step}.", step=shown(min(unknown))))
    return Lesson(game, steps, numbered)


def _read_steps(game: Game, data: list[Any]) -> tuple[LessonStep, ...]:
    steps: list[LessonStep] = []
    for number, one in enumerate(data, 1):
        try:
            step = _read_step(game, one, steps[-1] if steps else None)
            _check_order(step, steps)
            steps.append(step)
        except DamierError as error:
            problem = error.message
            raise BadLesson(message("Step {number}: {problem}", number=number, problem=problem)) from None
    return tuple(steps)


def _check_order(step: LessonStep, before: list[LessonStep]) -> None:
    if any(other.id == step.id for other in before):
        raise BadLesson(message("There are two steps {step}.", step=shown(step.id)))
    if before and CHAPTERS.index(step.chapter) < CHAPTERS.index(before[-1].chapter):
        raise BadLesson(message("The chapters come in this order: {names}.", names=", ".join(CHAPTERS)))


def _read_step(lesson_game: Game, data: object, before: LessonStep | None) -> LessonStep:
    fields = read_object("step", data)
    check_fields(fields, _STEP)
    game = _game_of(lesson_game, read_object("options", fields.get("options", {})))
    texts = {name: read_text(name, fields[name], most) for name, most in _LONGEST.items() if name in fields}
    record = game.record(read_position(game, fields["position"])) if "position" in fields else _continued(game, before)
    for turn in read_actions("setup", fields.get("setup", []), can_be_empty=True):
        record = after(record, turn)
    task = _read_task(game, record, fields["task"])
    return LessonStep(
        read_name("id", fields["id"]),
        read_one_of("chapter", fields.get("chapter", CHAPTERS[0]), CHAPTERS),
        texts["title"],
        texts["text"],
        record,
        task,
        read_cells(game, "cells", fields.get("cells", []), can_be_empty=True),
        texts.get("hint"),
        texts.get("done"),
        _read_wrong(game, task, fields.get("wrong", [])),
    )


def _read_wrong(game: Game, task: LessonTask, data: object) -> tuple[WrongAnswer, ...]:
    """Returns why answers are wrong; cells are named only where a cell is asked for, and only the last names none."""
    found = []
    for one in read_list("wrong", data):
        fields = read_object("wrong", one)
        check_fields(fields, ("text", "cells?"))
        cells = read_cells(game, "cells", fields["cells"]) if "cells" in fields else ()
        found.append(WrongAnswer(read_text("text", fields["text"], _LONGEST_REASON), cells))
    named = [bool(answer.cells) for answer in found]
    is_valid = all(named[:-1]) if task.kind == "cell" else task.kind == "any" and named == [False]
    if found and not is_valid:
        raise BadLesson(
            message(
                "Reasons name cells where a step asks for one; the last, or the only one of a condition, names none."
            )
        )
    return tuple(found)


def _game_of(game: Game, options: dict[str, Any]) -> Game:
    """Returns the game with some options changed."""
    return load(game.name, **{**game.options, **options}) if options else game


def _continued(game: Game, before: LessonStep | None) -> Record:
    """Returns the board as the previous step left it, or the start if there is none or it has other options."""
    if before is None or before.record.game.options != game.options:
        return game.record()
    task = before.task
    if task.kind == "any" or (task.kind == "action" and len(task.actions) > 1):
        raise BadLesson(message("The position is missing: the previous step may end in several positions."))
    return after(before.record, task.actions[0]) if task.kind == "action" else before.record


def _read_task(game: Game, record: Record, data: object) -> LessonTask:
    fields = read_object("task", data)
    kind = read_one_of("kind", fields.get("kind"), tuple(TASKS))
    check_fields(fields, ("kind", *TASKS[kind]))
    if kind not in ("read", "cell") and (record.result or record.mover == "chance"):
        raise BadLesson(message("No player can act in this position."))
    task = LessonTask(
        kind,
        read_cells(game, "cells", fields["cells"]) if kind == "cell" else (),
        read_actions("actions", fields["actions"]) if "actions" in fields else (),
        read_condition(game, fields["condition"]) if kind == "any" else {},
        read_number("within", fields["within"], 1, _MOST_WITHIN) if "within" in fields else None,
    )
    if task.within and any(CONDITIONS[name].ends_turn for name in task.condition):
        raise BadLesson(message("A condition on what the opponent can do is judged after the turn, not within it."))
    for actions in task.actions:
        _check_actions(record, kind, actions)
    return task


def _check_actions(record: Record, kind: str, actions: Turn) -> None:
    """Raises if actions to play are illegal or leave the turn, or if actions to be refused are legal."""
    if kind == "action":
        record.copy().play_turn("+".join(actions))
    elif refusal(record, actions[0]) is None or len(actions) > 1:
        raise BadLesson(message("{action} is not refused in the position.", action=shown("+".join(actions))))


def refusal(record: Record, action: str) -> Message | None:
    """Returns why an action is refused, or None if it is legal."""
    try:
        after(record, (action,))
    except IllegalAction as error:
        return error.message
    return None
