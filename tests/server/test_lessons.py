"""Rule pages and lessons as data: every part of a page is there, links lead somewhere, answers are judged."""

import ast
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import damier
from damier.core.messages import LANGUAGES, message
from damier.teach.rules.blocks import rule_blocks, rule_id
from damier.teach.rules.pages import pictures, rule_page

GAMES = damier.games()
REFUSALS = Path(damier.__file__).parent / "games"


def told(client: TestClient, path: str, lang: str = "en") -> dict[str, Any]:
    answer = client.get(path, params={"lang": lang})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


def judged(client: TestClient, game: str, step: int, **given: Any) -> dict[str, Any]:
    answer = client.post(f"/api/games/{game}/lesson/{step}", json=given, params={"lang": "en"})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


# Rules


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_rule_page_has_every_heading_ruling_and_picture(client: TestClient, game: str, lang: str) -> None:
    page = rule_page(game, lang)
    data = told(client, f"/api/games/{game}/rules", lang)
    kinds = [block["kind"] for block in data["blocks"]]
    assert kinds.count("heading") == page.count("\n## ") + page.count("\n### ")
    assert kinds.count("ruling") == page.count("\n> **")
    assert kinds.count("picture") == page.count("![")
    assert kinds.count("table") == page.count("|---|\n")
    assert page.startswith(f"# {data['title']}\n")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_no_word_of_a_rule_page_is_lost(game: str, lang: str) -> None:
    found = ""
    for block in rule_blocks(game, lang):
        lines = [*block.lines, *(cell for row in block.rows for cell in row)]
        found += "".join(span.text for line in lines for span in line) + (block.picture.alt if block.picture else "")
    page = rule_page(game, lang)
    for picture in pictures(game, page):
        assert picture.alt in found
    written = "".join(line for line in page.splitlines() if not line.startswith(("![", "|")))
    letters = [letter for letter in written if letter.isalpha()]
    assert len([letter for letter in found if letter.isalpha()]) > len(letters)


@pytest.mark.parametrize("game", GAMES)
def test_ids_are_the_same_in_every_language_and_each_is_used_once(game: str) -> None:
    ids = [[block.id for block in rule_blocks(game, lang) if block.id] for lang in LANGUAGES]
    assert ids[0] == ids[1] == ids[2]
    assert len(set(ids[0])) == len(ids[0])


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_says_in_words_what_it_is_and_more(game: str) -> None:
    for lang, word in zip(LANGUAGES, ("Ruling.", "Interprétation.", "Festlegung."), strict=True):
        rulings = [block for block in rule_blocks(game, lang) if block.kind == "ruling"]
        assert rulings
        for ruling in rulings:
            first, *others = ruling.lines[0]
            assert (first.text, first.style) == (word, "strong")
            assert len("".join(span.text for span in others)) > 80


def test_a_picture_is_a_game_that_goes_on(client: TestClient) -> None:
    blocks = told(client, "/api/games/sensei/rules")["blocks"]
    picture = next(block for block in blocks if block["id"] == "sensei-pits")
    line = {"game": "sensei", "options": picture["options"], "start": picture["start"]}
    assert picture["options"]["variant"] == "arashi-expert"
    legal = {each["action"] for each in picture["state"]["actions"]}
    assert set(picture["actions"]) <= legal
    state = client.post("/api/lines/state", json={**line, "actions": ["f1-f6"]}).json()
    assert state["last"]["action"] == "f1-f6"
    assert {cell["name"] for cell in picture["drawing"]["cells"] if cell["kind"] == "pit"} == {"c3", "e3", "c5", "e5"}


def test_there_are_no_rules_and_no_lesson_of_an_unknown_game(client: TestClient) -> None:
    for path in ("rules", "lesson", "lesson/1/answer"):
        assert client.get(f"/api/games/chess/{path}").status_code == 404
        assert client.get(f"/api/games/..%2Fchefa/{path}").status_code == 404


# Refusals and the rules that they name


def refusals(game: str) -> list[str]:
    """The English texts of all refusals of a game, those of how games end left out."""
    tree = ast.parse((REFUSALS / game / "refusals.py").read_text("utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name != "why_over"]
    calls = [node for function in functions for node in ast.walk(function) if isinstance(node, ast.Call)]
    found = [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "message"]
    return [str(text.value) for text in found if isinstance(text, ast.Constant)]


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_names_a_section_of_the_rules(game: str) -> None:
    sections = {block.id for block in rule_blocks(game, "en") if block.kind == "heading"}
    texts = refusals(game)
    assert len(texts) > 5
    for text in texts:
        assert rule_id(game, message(text)) in sections, text


def test_a_refusal_comes_with_the_address_of_its_rule(client: TestClient) -> None:
    def rules(cells: list[str], **line: Any) -> str:
        answer = client.post("/api/lines/why", json={"game": "chefa", "cells": cells, **line}).json()
        address: str = answer["rules"]
        return address

    assert rules(["c3"]) == "/rules/chefa#material"
    assert rules(["b3", "d3"], start="B3W/5/1W1BW/5/B1W1B w 0,0 b3,d3") == "/rules/chefa#ko"
    assert rules(["z9"]) == "/rules/chefa"


# Lessons


def test_the_number_of_steps_is_that_of_the_lessons(client: TestClient) -> None:
    counts = told(client, "/api/lessons")
    assert sorted(counts) == sorted(GAMES)
    for game in GAMES:
        assert counts[game] == len(told(client, f"/api/games/{game}/lesson")["steps"]) >= 8


@pytest.mark.parametrize("game", GAMES)
def test_the_answers_that_are_shown_are_right(client: TestClient, game: str) -> None:
    for number, step in enumerate(told(client, f"/api/games/{game}/lesson")["steps"], 1):
        answer = told(client, f"/api/games/{game}/lesson/{number}/answer")
        if step["kind"] == "cell":
            verdict = judged(client, game, number, cell=answer["cells"][0])
        else:
            verdict = judged(client, game, number, actions=answer["actions"])
        assert verdict["status"] == "right", (number, verdict)
        if answer["states"]:
            assert verdict["state"]["position"] == answer["states"][-1]["position"]
        else:
            assert verdict["state"]["position"] == step["state"]["position"]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_to_be_refused_can_be_clicked_or_has_a_button(client: TestClient, game: str) -> None:
    for number, step in enumerate(told(client, f"/api/games/{game}/lesson")["steps"], 1):
        if step["kind"] != "refused":
            continue
        answer = told(client, f"/api/games/{game}/lesson/{number}/answer")
        if not answer["cells"]:
            assert answer["actions"][0] in [button["action"] for button in step["buttons"]]
            continue
        cells = [cell for cell in answer["cells"] if cell != "@"]
        for order in (cells, cells[::-1]):
            assert judged(client, game, number, cells=order)["status"] == "right", (number, order)


def test_a_wrong_answer_is_told_with_what_the_opponent_does(client: TestClient) -> None:
    steps = told(client, "/api/games/chefa/lesson")["steps"]
    number = next(i for i, step in enumerate(steps, 1) if step["title"] == "Watch your opponent")
    right = told(client, f"/api/games/chefa/lesson/{number}/answer")["actions"]
    other = next(each["action"] for each in steps[number - 1]["state"]["actions"] if each["action"] not in right)
    verdict = judged(client, "chefa", number, actions=[other])
    assert verdict["status"] == "wrong"
    assert verdict["state"]["last"]["action"] == other
    assert verdict["replies"][-1]["result"]["winner"] == "w"


def test_a_lesson_is_told_in_the_language_asked_for(client: TestClient) -> None:
    titles = [told(client, "/api/games/chefa/lesson", lang)["steps"][0]["title"] for lang in LANGUAGES]
    assert len(set(titles)) == 3


@pytest.mark.parametrize(
    ("step", "body", "status"),
    [
        (99, {"actions": ["c3"]}, 404),
        (0, {"actions": ["c3"]}, 404),
        ("x", {"actions": ["c3"]}, 422),
        (2, {"actions": ["c3"], "more": 1}, 422),
        (2, {"actions": ["a" * 40]}, 422),
        (2, {"actions": ["c3"] * 9}, 422),
        (2, {}, 400),
        (4, {"actions": ["c3"]}, 400),
    ],
)
def test_what_is_no_answer_is_refused(client: TestClient, step: object, body: dict[str, Any], status: int) -> None:
    answer = client.post(f"/api/games/chefa/lesson/{step}", json=body)
    assert answer.status_code == status
    assert answer.json()["error"]


def test_cells_that_stand_for_nothing_are_wrong(client: TestClient) -> None:
    assert judged(client, "chefa", 2, cells=["z9", "a1", "b1", "c1"])["status"] == "wrong"
