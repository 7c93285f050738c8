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


def judged(client: TestClient, game: str, step: str, **given: Any) -> dict[str, Any]:
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
    for path in ("rules", "lesson", "lesson/aim/answer"):
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


def test_the_list_of_steps_is_that_of_the_lessons(client: TestClient) -> None:
    found = told(client, "/api/lessons")
    assert sorted(found) == sorted(GAMES)
    for game in GAMES:
        lesson = told(client, f"/api/games/{game}/lesson")
        assert found[game]["steps"] == [step["id"] for step in lesson["steps"]]
        assert found[game]["basics"] == [step["id"] for step in lesson["steps"] if step["chapter"] == "basics"]
        assert found[game]["numbered"] == lesson["numbered"]


#: What learners' browsers keep as 1, 2, 3 and so on: this never changes.
NUMBERED = {
    "renfa": "aim placing nothing-explodes neighbours moving pinned pin-one chain count-first win-at-once "
    "danger both-down step-back play-on",
    "chefa": "aim hole placing four-in-a-row square watch two-gaps step swap ko win-step win-swap stop-a-win "
    "threat look-ahead play-on",
    "badia": "board aim one-arrow placing beside-an-arrow moving marker exchange push teleport in-the-air "
    "owner-decides no-way-back win-at-once stop-a-win threat win-by-force play-on",
    "sensei": "aim moving carrier reach blocked-way passing three-actions ending win-pass combine stop-a-win "
    "unfair variants play-on",
    "omba": "aim coming-in going-on exactly climbing buried coming-down over-a-stack going-out "
    "win-for-certain few-numbers play-on",
}


@pytest.mark.parametrize("game", GAMES)
def test_progress_kept_by_number_is_still_understood(client: TestClient, game: str) -> None:
    assert told(client, f"/api/games/{game}/lesson")["numbered"] == NUMBERED[game].split()


def test_a_step_with_other_options_has_a_board_of_its_own(client: TestClient) -> None:
    for game, step_id, options in (
        ("renfa", "larger-board", {"size": 7}),
        ("sensei", "other-pits", {"variant": "arashi-expert", "pits": "b4,f4"}),
        ("omba", "four-players", {"players": 4}),
    ):
        lesson = told(client, f"/api/games/{game}/lesson")
        step = next(step for step in lesson["steps"] if step["id"] == step_id)
        board, first = lesson["boards"][step["board"]], lesson["boards"][lesson["steps"][0]["board"]]
        assert options.items() <= board["options"].items()
        assert board["options"] != first["options"]
        cells = {cell["name"] for cell in board["drawing"]["cells"]}
        assert {piece["cell"] for piece in step["state"]["pieces"]} <= cells
        why = {"game": game, "options": board["options"], "start": step["start"], "actions": step["actions"]}
        assert client.post("/api/lines/why", json={**why, "cells": ["a1"]}).status_code == 200


@pytest.mark.parametrize("game", GAMES)
def test_the_answers_that_are_shown_are_right(client: TestClient, game: str) -> None:
    for step in told(client, f"/api/games/{game}/lesson")["steps"]:
        step_id = step["id"]
        answer = told(client, f"/api/games/{game}/lesson/{step_id}/answer")
        if step["kind"] == "cell":
            verdict = judged(client, game, step_id, cell=answer["cells"][0])
        else:
            verdict = judged(client, game, step_id, actions=answer["actions"])
        assert verdict["status"] == "right", (step_id, verdict)
        if answer["states"]:
            assert verdict["state"]["position"] == answer["states"][-1]["position"]
        else:
            assert verdict["state"]["position"] == step["state"]["position"]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_to_be_refused_can_be_clicked_or_has_a_button(client: TestClient, game: str) -> None:
    for step in told(client, f"/api/games/{game}/lesson")["steps"]:
        step_id = step["id"]
        if step["kind"] != "refused":
            continue
        answer = told(client, f"/api/games/{game}/lesson/{step_id}/answer")
        if not answer["cells"]:
            assert answer["actions"][0] in [button["action"] for button in step["buttons"]]
            continue
        cells = [cell for cell in answer["cells"] if cell != "@"]
        for order in (cells, cells[::-1]):
            assert judged(client, game, step_id, cells=order)["status"] == "right", (step_id, order)


def test_a_wrong_answer_is_told_with_what_the_opponent_does(client: TestClient) -> None:
    steps = told(client, "/api/games/chefa/lesson")["steps"]
    step = next(step for step in steps if step["title"] == "Watch your opponent")
    right = told(client, f"/api/games/chefa/lesson/{step['id']}/answer")["actions"]
    other = next(each["action"] for each in step["state"]["actions"] if each["action"] not in right)
    verdict = judged(client, "chefa", step["id"], actions=[other])
    assert verdict["status"] == "wrong"
    assert verdict["state"]["last"]["action"] == other
    assert verdict["replies"][-1]["result"]["winner"] == "w"


def test_a_lesson_is_told_in_the_language_asked_for(client: TestClient) -> None:
    titles = [told(client, "/api/games/chefa/lesson", lang)["steps"][0]["title"] for lang in LANGUAGES]
    assert len(set(titles)) == 3


@pytest.mark.parametrize(
    ("step", "body", "status"),
    [
        ("2", {"actions": ["c3"]}, 404),
        ("x" * 300, {"actions": ["c3"]}, 404),
        ("hole", {"actions": ["c3"], "more": 1}, 422),
        ("hole", {"actions": ["a" * 40]}, 422),
        ("hole", {"actions": ["c3"] * 9}, 422),
        ("hole", {}, 400),
        ("four-in-a-row", {"actions": ["c3"]}, 400),
    ],
)
def test_what_is_no_answer_is_refused(client: TestClient, step: str, body: dict[str, Any], status: int) -> None:
    answer = client.post(f"/api/games/chefa/lesson/{step}", json=body)
    assert answer.status_code == status
    assert answer.json()["error"]


def test_cells_that_stand_for_nothing_are_wrong(client: TestClient) -> None:
    assert judged(client, "chefa", "hole", cells=["z9", "a1", "b1", "c1"])["status"] == "wrong"
