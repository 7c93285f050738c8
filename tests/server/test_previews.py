"""The route that says what the actions of a position do."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

import damier
from tests.games.option_sets import OPTION_SETS, name_of


@pytest.mark.parametrize(("name", "options"), OPTION_SETS, ids=[name_of(option_set) for option_set in OPTION_SETS])
def test_every_legal_action_has_a_preview(client: TestClient, name: str, options: dict[str, Any]) -> None:
    game = damier.load(name, **options)
    position = game.start if game.start.mover != "chance" else game.start.play("roll:3")
    answer = client.post("/api/previews", json={"game": name, "options": options, "position": str(position)})
    assert answer.status_code == 200
    assert list(answer.json()["previews"]) == position.actions()


def test_a_preview_tells_what_vanishes_in_the_language_of_the_visitor(client: TestClient) -> None:
    body = {"game": "renfa", "position": "5/5/WWB2/1B3/2BWB b 0,0"}
    answer = client.post("/api/previews?lang=de", json=body).json()["previews"]
    assert answer["*b3"] == {
        "sentence": "Nimmt Weiß a3 und b3, kostet Schwarz b2 und c3. Bomben übrig: Weiß 1, Schwarz 2. "
        "Schwarz gewinnt: Der Gegner hat zu wenige Bomben übrig.",
        "gone": [["b3"], ["b2", "a3", "c3"]],
        "moved": [],
        "placed": [],
        "is_irreversible": True,
        "ends_turn": True,
    }
    assert answer["b2-a2"]["moved"] == [{"origin": "b2", "path": [], "target": "a2"}]
    assert not answer["b2-a2"]["is_irreversible"]


def test_when_the_die_is_due_there_is_nothing_to_preview(client: TestClient) -> None:
    body = {"game": "omba", "position": str(damier.load("omba").start)}
    assert client.post("/api/previews", json=body).json() == {"previews": {}}


@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ({"game": "chess", "position": "x"}, 404, "There is no game"),
        ({"game": "chefa", "position": "nonsense"}, 400, None),
        ({"game": "renfa", "options": {"size": 99}, "position": "x"}, 400, None),
        ({"game": "chefa"}, 422, "The request is wrong at position"),
        ({"game": "chefa", "position": "5" * 500}, 422, "The request is wrong at position"),
        ({"game": "chefa", "position": "x", "more": 1}, 422, "The request is wrong at more"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    client: TestClient, body: dict[str, Any], status: int, sentence: str | None
) -> None:
    answer = client.post("/api/previews", json=body)
    assert answer.status_code == status
    assert answer.json()["error"].endswith(".")
    assert sentence is None or answer.json()["error"].startswith(sentence)


def test_states_of_matches_lessons_and_lines_have_a_guide(client: TestClient) -> None:
    line = client.post("/api/lines/state", json={"game": "chefa", "actions": ["a1"]}).json()
    begun = client.post("/api/matches", json={"game": "chefa", "options": {}, "seats": ["me", "me"]}).json()
    lesson = client.get("/api/games/chefa/lesson").json()
    states = [line, begun["state"], *(step["state"] for step in lesson["steps"] if step.get("state"))]
    assert len(states) > 2
    for state in states:
        assert (state["guide"] is None) == (not state["actions"])
    assert line["guide"]["title"] == "Place a pawn on an empty cell"
    assert line["guide"]["phase"] == "Placing: 4 pawns left"
