"""Puzzles over HTTP: listed, shown without their answer, judged, and solved."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

import damier
from damier.teach.puzzles.puzzle import shipped_puzzles

every_game = pytest.mark.parametrize("name", damier.games())


def first_of_each_theme(name: str) -> list[Any]:
    return list({puzzle.theme: puzzle for puzzle in shipped_puzzles(name)}.values())


@every_game
def test_puzzles_are_listed_easy_ones_first(client: TestClient, name: str) -> None:
    data = client.get(f"/api/puzzles/{name}").json()
    assert len(data["puzzles"]) == len(shipped_puzzles(name)) >= 100
    difficulties = [puzzle["difficulty"] for puzzle in data["puzzles"]]
    assert difficulties == sorted(difficulties)
    assert {puzzle["theme"] for puzzle in data["puzzles"]} == set(data["themes"])


@every_game
def test_the_answer_is_not_told_before_it_is_asked_for(client: TestClient, name: str) -> None:
    for puzzle in first_of_each_theme(name):
        data = client.get(f"/api/puzzles/{name}/{puzzle.id}?lang=de").json()
        assert data["start"] == puzzle.position
        assert data["task"] == puzzle.task().render("de")
        assert not {"answer", "line", "tree", "goal", "value"} & set(data)
        assert data["player_name"] == puzzle.loaded.player_name(puzzle.solver).render("de")
        assert (data["rating"], bool(data["choices"])) == (puzzle.rating, puzzle.theme == "count_rolls")
        solution = client.get(f"/api/puzzles/{name}/{puzzle.id}/solution?lang=de").json()
        assert (solution["line"], solution["answer"]) == (list(puzzle.line), puzzle.answer)
        assert solution["reasons"]
        for each in solution["tries"]:
            line = {"game": name, "options": puzzle.options, "start": puzzle.position, "actions": each["line"]}
            assert client.post("/api/lines/states", json=line).status_code == 200
            assert each["sentence"]


@every_game
def test_a_hint_says_where_to_look_and_then_what_to_play(client: TestClient, name: str) -> None:
    for puzzle in first_of_each_theme(name):
        path = f"/api/puzzles/{name}/{puzzle.id}/hint"
        first, second = (client.post(path, json={"actions": [], "step": step}).json() for step in (1, 2))
        assert first["action"] is None
        assert first["sentence"]
        judged = client.post(f"/api/puzzles/{name}/{puzzle.id}/judge", json={"actions": [second["action"]]}).json()
        assert judged["kind"] in ("right", "solved")
    assert client.post(path, json={"actions": ["z9"], "step": 1}).status_code == 400 or puzzle.choices
    assert client.post(path, json={"step": 3}).status_code == 422


@every_game
def test_the_solution_is_judged_right_to_its_end(client: TestClient, name: str) -> None:
    for puzzle in first_of_each_theme(name):
        played: list[str] = []
        for action in puzzle.line or [puzzle.answer]:
            played.append(action)
            answer = client.post(f"/api/puzzles/{name}/{puzzle.id}/judge", json={"actions": played})
            if answer.status_code == 400:  # a reply that is not whole yet
                continue
            verdict = answer.json()
            assert verdict["kind"] in ("right", "solved"), (puzzle.id, played, verdict)
            if verdict["kind"] == "solved":
                break
        assert verdict["kind"] == "solved", puzzle.id


def test_other_actions_are_wrong_and_answered(client: TestClient) -> None:
    puzzle = next(each for each in shipped_puzzles("chefa") if each.theme == "only_draw")
    wrong = next(text for text in puzzle.start.actions() if text != puzzle.answer)
    verdict = client.post(f"/api/puzzles/chefa/{puzzle.id}/judge?lang=fr", json={"actions": [wrong]}).json()
    assert verdict["kind"] == "wrong"
    assert verdict["refutation"]
    assert verdict["sentence"].startswith("Faux")


@pytest.mark.parametrize(
    ("path", "status"),
    [("nonsense", 404), ("chefa/nonsense", 404), ("chefa/nonsense/solution", 404)],
)
def test_what_is_not_there_is_not_found(client: TestClient, path: str, status: int) -> None:
    answer = client.get(f"/api/puzzles/{path}")
    assert answer.status_code == status
    assert answer.json()["error"].endswith(".")


@pytest.mark.parametrize(
    "body", [{}, {"actions": []}, {"actions": ["z9"]}, {"actions": ["a1"] * 300}, {"actions": [1]}]
)
def test_what_is_no_answer_is_refused(client: TestClient, body: dict[str, Any]) -> None:
    puzzle = shipped_puzzles("chefa")[0]
    answer = client.post(f"/api/puzzles/chefa/{puzzle.id}/judge", json=body)
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]
