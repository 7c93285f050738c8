"""Lesson files that are damaged: each is refused with one clear sentence, or can still be read."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier.teach.lessons.fields import BadLesson
from damier.teach.lessons.judge import judge
from damier.teach.lessons.lesson import read_lesson

FOLDER = Path(damier.__file__).parent / "games"
TEXTS = {name: (FOLDER / name / "lesson.json").read_text(encoding="utf-8") for name in damier.games()}


def damaged(name: str, change: Callable[[Any], object]) -> str:
    data = json.loads(TEXTS[name])
    change(data)
    return json.dumps(data)


DAMAGES: dict[str, Callable[[Any], object]] = {
    "The field 'steps' is missing.": lambda data: data.pop("steps"),
    "There is no field 'author' here.": lambda data: data.update(author="x"),
    "'game' takes one of": lambda data: data.update(game="go"),
    "There is no option": lambda data: data.update(options={"size": 5}),
    "'steps' takes a list of 1 to 60 steps.": lambda data: data.update(steps=[]),
    "Step 1: The field 'title' is missing.": lambda data: data["steps"][0].pop("title"),
    "Step 1: The field 'id' is missing.": lambda data: data["steps"][0].pop("id"),
    "Step 1: 'id' takes a short name": lambda data: data["steps"][0].update(id="Three gaps"),
    "Step 2: There are two steps 'aim'.": lambda data: data["steps"][1].update(id="aim"),
    "Step 2: 'chapter' takes one of basics": lambda data: data["steps"][1].update(chapter="history"),
    "Step 2: The chapters come in this order": lambda data: data["steps"][0].update(chapter="details"),
    "Step 2: There is no option": lambda data: data["steps"][1].update(options={"size": 5}),
    "There is no step 'lost'.": lambda data: data.update(numbered=["aim", "lost"]),
    "'numbered' takes a list": lambda data: data.update(numbered="aim"),
    "Step 2: 'text' takes a text in each of en, fr, de": lambda data: data["steps"][1]["text"].pop("de"),
    "Step 3: 'title' takes a text": lambda data: data["steps"][2]["title"].update(fr=""),
    "Step 4: 'hint' takes a text": lambda data: data["steps"][3]["hint"].update(en="x" * 300),
    "Step 4: 'wrong' takes a list": lambda data: data["steps"][3].update(wrong={}),
    "Step 4: 'cells' takes a list of cells": lambda data: data["steps"][3]["wrong"][0].update(cells=["z9"]),
    "Step 4: 'text' takes a text": lambda data: data["steps"][3]["wrong"][0].update(text="no"),
    "Step 4: Reasons name cells": lambda data: data["steps"][3]["wrong"].reverse(),
    "Step 2: Reasons name cells": lambda data: data["steps"][1].update(wrong=data["steps"][3]["wrong"]),
    "Step 3: Reasons name cells": lambda data: data["steps"][2].update(wrong=data["steps"][3]["wrong"]),
    "Step 1: The board": lambda data: data["steps"][0].update(position="5/5/5/5 b 4,4 -"),
    "Step 1: 'cells' takes a list of cells of the board.": lambda data: data["steps"][0].update(cells=["z9"]),
    "Step 2: 'kind' takes one of": lambda data: data["steps"][1]["task"].update(kind="sing"),
    "Step 2: 'a1' is not refused in the position.": lambda data: data["steps"][1]["task"].update(actions=["a1"]),
    "Step 3: 'condition' takes one of": lambda data: data["steps"][2]["task"].update(condition={"shines": {}}),
    "Step 3: 'condition' takes one of wins_at_once": lambda data: data["steps"][2]["task"].update(condition={}),
    "Step 3: 'at_least' takes a whole number": lambda data: data["steps"][2]["task"].update(
        condition={"removes": {"player": "b", "at_least": True}}
    ),
    "Step 3: 'player' takes one of b, w": lambda data: data["steps"][2]["task"].update(
        condition={"removes": {"player": "g", "at_least": 1}}
    ),
    "Step 5: 'within' takes a whole number from 1 to 8.": lambda data: data["steps"][4]["task"].update(within=0),
    "Step 6: A condition on what the opponent can do": lambda data: data["steps"][5]["task"].update(within=1),
    "Step 8: The centre c3": lambda data: data["steps"][7]["task"].update(actions=["b3-c3"]),
    "Step 9: The position is missing": lambda data: data["steps"][7]["task"].update(actions=["b3=d3", "b3-a3"]),
    "Step 1: No player can act in this position.": lambda data: data["steps"][0].update(
        task={"kind": "action", "actions": ["a1"]}
    ),
}


@pytest.mark.parametrize("sentence", DAMAGES)
def test_a_damaged_lesson_gives_one_clear_sentence(sentence: str) -> None:
    text = damaged("chefa", DAMAGES[sentence])
    with pytest.raises(BadLesson) as refused:
        read_lesson(text)
    assert str(refused.value).startswith(sentence)
    assert "{" not in str(refused.value)


def test_what_is_no_object_of_json_is_refused() -> None:
    with pytest.raises(BadLesson, match="The lesson is not JSON: see line 2"):
        read_lesson('{"game":\n')
    with pytest.raises(BadLesson, match="'lesson' takes an object with fields"):
        read_lesson("[]")


@pytest.mark.parametrize(
    ("name", "condition"), [("omba", "stops_win"), ("sensei", "makes_threat"), ("chefa", "winning_rolls")]
)
def test_a_condition_that_does_not_suit_the_game_is_refused(name: str, condition: str) -> None:
    data = json.loads(TEXTS[name])
    task = next(step["task"] for step in data["steps"] if step["task"]["kind"] == "any")
    task["condition"] = {condition: {}}
    with pytest.raises(BadLesson, match="'condition' takes one of"):
        read_lesson(json.dumps(data))


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yields the way to every value of a file."""
    keys = data.keys() if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield (*path, key)
        yield from places(data[key], (*path, key))


PLACES = {name: list(places(json.loads(text))) for name, text in TEXTS.items()}
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=12), st.just([]), st.just({}),
    st.lists(st.sampled_from(["a1", "c3", "zz", "a1-a2", "end", "roll:3"]), max_size=3),
    st.sampled_from(["read", "any", "action", "b", "w", "a1-a2+end", "5/5/5/5/5 b 4,4 -", "@c3", "renfa"]),
    st.dictionaries(st.sampled_from(["en", "kind", "cells", "wins_at_once", "stops_win"]), st.text(max_size=4)),
)  # fmt: skip


@settings(max_examples=250, deadline=None)
@given(st.data(), st.sampled_from(damier.games()), st.sampled_from(["put", "drop", "add"]))
def test_a_file_with_anything_anywhere_is_read_or_refused(data: st.DataObject, name: str, change: str) -> None:
    file = json.loads(TEXTS[name])
    *way, last = data.draw(st.sampled_from(PLACES[name]))
    parent = file
    for key in way:
        parent = parent[key]
    if change == "drop":
        del parent[last]
    elif change == "add" and isinstance(parent, dict):
        parent[data.draw(st.text(max_size=6))] = data.draw(ODD)
    else:
        parent[last] = data.draw(ODD)
    try:
        lesson = read_lesson(json.dumps(file))
    except BadLesson as error:
        assert error.sentence("de")
        return
    for number in range(1, len(lesson.steps) + 1):
        if lesson.steps[number - 1].task.kind == "read":
            assert judge(lesson, number, [], None).status == "right"


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(damier.games()), st.integers(0, 3000), st.text(max_size=3))
def test_a_file_cut_or_spoilt_in_the_middle_is_read_or_refused(name: str, at: int, put: str) -> None:
    text = TEXTS[name]
    for spoilt in (text[:at], text[:at] + put + text[at + 1 :], "[" * 100_000):
        try:
            read_lesson(spoilt)
        except BadLesson as error:
            assert error.sentence("fr")
