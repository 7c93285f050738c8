"""The lessons of the five games: every right answer is accepted, every other legal one refused with a reason."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.core.errors import BadArgument, IllegalAction
from damier.core.messages import LANGUAGES
from damier.core.record import Record
from damier.solve.tables import Tables
from damier.solve.value import TableValue
from damier.teach.lessons.conditions import CONDITIONS
from damier.teach.lessons.judge import judge, right_answers
from damier.teach.lessons.lesson import TASKS, Lesson, LessonStep, load_lesson, read_lesson
from tests.teach import naive_lessons as lessons

PLURAL_OF_ONE = r"\b1 (pieces|rolls|turns|pièces|tours|Steine|Züge|Zügen)\b"
FOLDER = Path(damier.__file__).parent / "games"
STEPS = [(name, number) for name in damier.games() for number in range(1, len(load_lesson(name).steps) + 1)]


def number_of(name: str, step_id: str) -> int:
    found = load_lesson(name).number_of(step_id)
    assert found is not None, step_id
    return found


def steps_with(*kinds: str) -> list[tuple[str, int]]:
    return [(name, number) for name, number in STEPS if load_lesson(name).steps[number - 1].task.kind in kinds]


def sampled(steps: list[tuple[str, int]]) -> list[Any]:
    """Returns steps as parameters; of games with long turns, which take long, the later ones are for the slow run."""
    return [
        pytest.param(*step, marks=[pytest.mark.slow] if number > 10 and damier.load(name).traits.has_long_turns else [])
        for step in steps
        for name, number in [step]
    ]


def step_of(name: str, number: int) -> tuple[Lesson, LessonStep]:
    lesson = load_lesson(name)
    return lesson, lesson.steps[number - 1]


def played(record: Record, action: str) -> Record:
    then = record.copy()
    then.play(action)
    return then


def verdicts(lesson: Lesson, number: int, actions: list[str], cell: str | None = None) -> tuple[str, str]:
    """Returns the status in all languages, which is the same, and the position; every sentence says something."""
    found = [judge(lesson, number, actions, cell, lang) for lang in LANGUAGES]
    assert all(verdict.sentence.strip() and "{" not in verdict.sentence for verdict in found)
    assert not any(re.search(PLURAL_OF_ONE, verdict.sentence) for verdict in found)
    assert len({(verdict.status, verdict.position, verdict.replies) for verdict in found}) == 1
    return found[0].status, found[0].position


# What a lesson looks like


def test_every_game_has_a_lesson_and_every_lesson_a_game() -> None:
    assert sorted(file.parent.name for file in FOLDER.glob("*/lesson.json")) == sorted(damier.games())


@pytest.mark.parametrize("name", damier.games())
def test_a_lesson_is_long_enough_and_varied(name: str) -> None:
    steps = load_lesson(name).steps
    basics = [step for step in steps if step.chapter == "basics"]
    kinds = [step.task.kind for step in basics]
    assert 8 <= len(basics) <= 16
    assert len(steps) <= 40
    assert kinds.count("any") >= 3
    assert "refused" in kinds
    assert "cell" in kinds
    assert "action" in kinds or load_lesson(name).game.traits.has_long_turns
    assert kinds[0] == kinds[-1] == "read"
    assert {step.chapter for step in steps} >= {"basics", "tactics", "details"}
    assert any(step.chapter == "variants" for step in steps) == bool(load_lesson(name).game.options)
    assert {text for step in basics for text in step.task.condition} & {"wins_at_once", "wins_by_force"}


@pytest.mark.parametrize(("name", "number"), STEPS)
def test_texts_are_there_in_every_language_and_well_written(name: str, number: int) -> None:
    _, step = step_of(name, number)
    for text in (step.title, step.text, step.hint, step.done, *(answer.text for answer in step.wrong)):
        if text is None:
            continue
        assert sorted(text) == sorted(LANGUAGES)
        for sign in ":;!?":
            assert f" {sign}" not in "".join(text.values())
            parts = text["fr"].split(sign)[:-1]
            assert all(part.endswith("\u00a0") for part in parts), text["fr"]
        assert not any(word in text["fr"].lower().split() for word in ("tu", "ton", "tes"))
        assert text["en"] != text["fr"] != text["de"] != text["en"]
    for said in step.text.values():
        assert sum(said.count(end) for end in (". ", "! ", "? ", ".) ")) <= 4
        assert said[-1] in ".!"


def test_the_conditions_and_tasks_of_the_form_are_used() -> None:
    tasks = [step.task for name in damier.games() for step in load_lesson(name).steps]
    assert {condition for task in tasks for condition in task.condition} == set(CONDITIONS)
    assert {task.kind for task in tasks} == set(TASKS)


def test_the_page_on_lessons_names_every_task_and_condition() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lessons.md").read_text(encoding="utf-8")
    for word in (*TASKS, *CONDITIONS):
        assert f"`{word}`" in page


# Walking through the lessons


@pytest.mark.parametrize(("name", "number"), STEPS)
def test_the_right_answers_found_by_the_rules_are_accepted(name: str, number: int) -> None:
    lesson, step = step_of(name, number)
    answers = list(right_answers(lesson, number))
    assert answers
    for answer in answers[:12]:
        if step.task.kind == "cell":
            assert verdicts(lesson, number, [], answer[0])[0] == "right"
        elif step.task.kind == "read":
            assert verdicts(lesson, number, [])[0] == "right"
        elif step.task.kind == "refused":
            assert verdicts(lesson, number, list(answer)) == ("right", str(step.record.position))
        else:
            for length in range(1, len(answer)):
                assert verdicts(lesson, number, list(answer[:length]))[0] == "go_on"
            then = step.record.copy()
            for text in answer:
                then.play(text)
            assert verdicts(lesson, number, list(answer)) == ("right", str(then.position))


@pytest.mark.parametrize(("name", "number"), sampled(steps_with("action", "any", "refused")))
def test_every_other_legal_action_is_refused_with_a_reason(name: str, number: int) -> None:
    lesson, step = step_of(name, number)
    answers = set(right_answers(lesson, number)) if step.task.kind != "refused" else set()
    beginnings = {answer[:1] for answer in answers}
    statuses = []
    for action in step.record.actions():
        status, position = verdicts(lesson, number, [action])
        statuses.append(status)
        if (action,) in answers:
            assert status == "right"
        elif status == "go_on":
            assert played(step.record, action).mover == step.record.mover
        else:
            assert status == "wrong"
            assert (action,) not in beginnings
        assert (position == str(step.record.position)) == (step.task.kind == "refused")
    assert "wrong" in statuses


@pytest.mark.parametrize(("name", "number"), sampled(steps_with("any")))
def test_what_can_go_on_can_become_right(name: str, number: int) -> None:
    """Goes on, always with an action that is not wrong, until the step is done."""
    lesson, step = step_of(name, number)
    for first in step.record.actions():
        record, actions = step.record.copy(), [first]
        record.play(first)
        while (status := judge(lesson, number, actions, None).status) == "go_on":
            following = [text for text in record.actions()
                         if judge(lesson, number, [*actions, text], None).status != "wrong"]  # fmt: skip
            assert following, actions
            actions.append(following[len(actions) % len(following)])
            record.play(actions[-1])
        assert status == "right" or len(actions) == 1


@pytest.mark.parametrize(("name", "number"), steps_with("any"))
def test_replies_are_legal_and_end_where_the_verdict_says(name: str, number: int) -> None:
    lesson, step = step_of(name, number)
    for action in step.record.actions():
        verdict = judge(lesson, number, [action], None)
        record = step.record.copy()
        record.play(action)
        assert str(record.position) == verdict.position
        for reply in verdict.replies:
            record.play(reply)
        assert str(record.position) == verdict.position_after_replies
        if "wins at once" in verdict.sentence:
            assert record.result is not None
            assert record.result.winner not in (None, step.record.mover)


@pytest.mark.parametrize(("name", "number"), steps_with("cell"))
def test_every_cell_is_right_or_wrong(name: str, number: int) -> None:
    lesson, step = step_of(name, number)
    cells = [cell.name for cell in step.record.game.drawing.cells]
    right = [cell for cell in cells if verdicts(lesson, number, [], cell)[0] == "right"]
    assert sorted(right) == sorted(step.task.cells)
    assert len(right) < len(cells)


@pytest.mark.parametrize(("name", "number"), steps_with("refused"))
def test_what_is_to_be_refused_is_refused_by_the_rules(name: str, number: int) -> None:
    lesson, step = step_of(name, number)
    for (action,) in step.task.actions:
        with pytest.raises(IllegalAction) as refused:
            step.record.copy().play(action)
        assert judge(lesson, number, [action], None, "fr").sentence == refused.value.sentence("fr")


@pytest.mark.parametrize(("name", "number"), steps_with("cell", "action", "any"))
def test_a_right_answer_is_followed_by_a_sentence_why(name: str, number: int) -> None:
    """Where something is refused, the rules say why."""
    assert step_of(name, number)[1].done is not None


# Why answers are wrong


@pytest.mark.parametrize(("name", "number"), steps_with("cell"))
def test_the_lesson_says_of_every_wrong_cell_why_it_is_wrong(name: str, number: int) -> None:
    lesson, step = step_of(name, number)
    cells = {cell.name for cell in step.record.game.drawing.cells} - set(step.task.cells)
    for lang in LANGUAGES:
        said = {cell: judge(lesson, number, [], cell, lang).sentence for cell in sorted(cells)}
        for cell, sentence in said.items():
            assert cell in sentence or not step.wrong[-1].cells, sentence
            assert sentence == step.why_wrong(cell, lang)
        reasons = {answer.text[lang] for answer in step.wrong}
        assert {text.replace(cell, "{cell}") for cell, text in said.items()} | set(said.values()) >= reasons


@pytest.mark.parametrize(
    ("name", "step_id", "answer", "sentence"),
    [
        ("renfa", "neighbours", "e2", "The bomb on e2 does not share an edge with d3."),
        ("renfa", "neighbours", "c4", "The bomb on c4 is black: look for a white one."),
        ("renfa", "neighbours", "a1", "There is no bomb on a1."),
        ("renfa", "neighbours", "z9", "There is no cell 'z9' on this board."),
        ("badia", "one-arrow", "e3", "With e3 the block would have two arrows, c1 and e3: it needs exactly one."),
        ("badia", "one-arrow", "a2", "a2 does not touch the block of c1, d1, e1 and e2."),
    ],
)
def test_a_wrong_cell_is_refused_in_plain_words(name: str, step_id: str, answer: str, sentence: str) -> None:
    verdict = judge(load_lesson(name), number_of(name, step_id), [], answer)
    assert (verdict.status, verdict.sentence) == ("wrong", sentence)


@pytest.mark.parametrize(
    ("name", "step_id", "action", "sentence"),
    [
        (
            "renfa",
            "pin-one",
            "a1-a2",
            "Now no piece of White is pinned: at least 1 must be. "
            "A white bomb is pinned when two of your bombs share an edge with it.",
        ),
        ("renfa", "placing", "a1", "a1 is allowed, but this step asks for something else: c3."),
        (
            "renfa",
            "nothing-explodes",
            "a1",
            "a1 is allowed. Here you should try something that is forbidden: Detonate d3.",
        ),
        (
            "renfa",
            "pinned",
            "b1-b4",
            "There is already a bomb on b4. But this step is about something else: try b3-a3 or b3-b2.",
        ),
        (
            "renfa",
            "chain",
            "a2-a1",
            "a2-a1 is allowed, but this step asks for something else: Detonate b3 or Detonate c4.",
        ),
        (
            "renfa",
            "count-first",
            "*c4",
            "Only 2 pieces of White leave the board: at least 3 must. "
            "Detonate a white bomb of the group that has more white bombs than black ones.",
        ),
        (
            "chefa",
            "placing",
            "a1",
            "This does not bring a piece of yours to b3, d3, c2 or c4. "
            "The cells next to the hole share an edge with it.",
        ),
        (
            "sensei",
            "moving",
            "d1^c1",
            "This is another kind of action than the one asked for. You have moved the character. "
            "Move a stone instead.",
        ),
        (
            "sensei",
            "passing",
            "d3^a3",
            "This does not bring your piece with the sage to d6 or g6. Your stones in row 6 are on d6 and g6.",
        ),
        (
            "omba",
            "climbing",
            "@b2",
            "This covers no piece of player 2: at least 1 must be covered. The piece of player 2 is on a2.",
        ),
    ],
)
def test_a_wrong_action_is_refused_in_plain_words(name: str, step_id: str, action: str, sentence: str) -> None:
    verdict = judge(load_lesson(name), number_of(name, step_id), [action], None)
    assert verdict.status == "wrong"
    assert verdict.sentence.lower() == sentence.lower()  # "Player 2"


# The conditions, by naive code


def is_judged_after_one_action(name: str, number: int) -> bool:
    lesson, step = step_of(name, number)
    is_short = not lesson.game.traits.has_long_turns or step.task.within == 1 or "stops_win" in step.task.condition
    return step.task.kind == "any" and is_short


SINGLE = [place for place in STEPS if is_judged_after_one_action(*place)]


@pytest.mark.parametrize(("name", "number"), SINGLE)
def test_the_judge_agrees_with_naive_code(name: str, number: int) -> None:
    lesson, step = step_of(name, number)
    for action in step.record.actions():
        after = step.record.copy()
        after.play(action)
        expected = all(
            lessons.holds(condition, parameters, step.record, after, action)
            for condition, parameters in step.task.condition.items()
        )
        assert (judge(lesson, number, [action], None).status == "right") == expected, action


@pytest.mark.untraced  # several times as slow while coverage is measured
def test_a_long_turn_wins_exactly_where_naive_code_finds_a_win() -> None:
    lesson = load_lesson("sensei")
    for number, step in enumerate(lesson.steps, 1):
        if "wins_at_once" in step.task.condition and step.task.within is None:
            for action in step.record.actions():
                then = step.record.copy()
                then.play(action)
                can_win = lessons.can_win(then, step.record.mover)
                assert (judge(lesson, number, [action], None).status == "go_on") == can_win, action


def test_lessons_do_not_depend_on_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMIER_HOME", str(tmp_path))
    lesson = read_lesson((FOLDER / "chefa" / "lesson.json").read_text(encoding="utf-8"))
    assert not lesson.game.tables.is_built
    number = keeps_draw_step(lesson)
    assert list(right_answers(lesson, number)) == [("a2=b2",)]


def test_a_table_knows_better_than_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table here says that White wins after whatever Black does."""
    lesson = load_lesson("chefa")
    number = keeps_draw_step(lesson)
    monkeypatch.setattr(Tables, "action_values", lambda _, position: {position.actions()[0]: TableValue("win", 7)})
    verdict = judge(lesson, number, ["a2=b2"], None)
    assert verdict.status == "wrong"
    assert verdict.sentence == f"Then White plays {verdict.replies[0]} and is sure to win."


def keeps_draw_step(lesson: Lesson) -> int:
    return next(number for number, step in enumerate(lesson.steps, 1) if "keeps_draw" in step.task.condition)


# Answers that make no sense


def test_an_answer_of_the_wrong_kind_is_refused_with_a_sentence() -> None:
    lesson = load_lesson("chefa")
    kinds = [step.task.kind for step in lesson.steps]
    with pytest.raises(BadArgument, match="asks for a cell"):
        judge(lesson, kinds.index("cell") + 1, ["a1"], None)
    with pytest.raises(BadArgument, match="asks for an action"):
        judge(lesson, kinds.index("any") + 1, [], "a1")
    with pytest.raises(BadArgument, match="step takes a whole number from 1 to"):
        judge(lesson, 0, [], None)
    with pytest.raises(BadArgument, match="step takes"):
        judge(lesson, len(kinds) + 1, [], None)
    verdict = judge(lesson, kinds.index("any") + 1, ["c2", "a1"], None)
    assert (verdict.status, verdict.sentence) == ("wrong", "The turn is over before 'a1'.")


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(STEPS), st.lists(st.text(max_size=8) | st.sampled_from(["end", "a1", "c1-c2"]), max_size=4))
def test_whatever_is_answered_there_is_a_verdict_or_a_sentence(place: tuple[str, int], actions: list[str]) -> None:
    name, number = place
    try:
        verdict = judge(load_lesson(name), number, actions, actions[0] if actions else None, "de")
    except BadArgument as error:
        assert error.sentence("fr")
    else:
        assert verdict.status in ("right", "go_on", "wrong")
        assert verdict.sentence
