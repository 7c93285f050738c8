"""Requests about games given whole: states, values, refusals, reviews, live analysis, and the building of tables."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import damier
from damier.engine.analysis import Analysis, Line, Value
from damier.engine.pool.request import EngineCache
from damier.server.analysis.evaluation import line_value, own_moves
from damier.server.analysis.reasons import hint_reason
from damier.server.analysis.requests import Findings
from damier.solve.location import table_path
from tests.server.pages import Player
from tests.server.served import served

OPTIONS = {"size": 5, "bombs": 3}
SMALL = {"game": "renfa", "options": OPTIONS}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with served(tmp_path) as client:
        yield client


def told(client: TestClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = client.post(f"/api/lines/{path}", json=body)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


def test_a_state_is_that_of_the_record(client: TestClient) -> None:
    played = ["a1", "b1", "c1"]
    data = told(client, "state", {"game": "chefa", "actions": played})
    record = damier.load("chefa").record()
    for action in played:
        record.play(action)
    assert data["position"] == str(record.position)
    assert [each["action"] for each in data["actions"]] == record.actions()
    assert data["last"] == {"action": "c1", "cells": ["c1"], "player": "b"}


def test_states_are_those_of_every_moment(client: TestClient) -> None:
    played = ["roll:3", "@a2"]
    states = told(client, "states", {"game": "omba", "actions": played})["states"]
    record = damier.load("omba").record()
    assert states[0]["position"] == str(record.position)
    for action, state in zip(played, states[1:], strict=True):
        record.play(action)
        assert state["position"] == str(record.position)
        assert state["last"]["action"] == action


def test_a_position_of_ones_own_may_be_the_first(client: TestClient) -> None:
    start = "4B/5/5/5/5 w 2,3"
    assert told(client, "state", {**SMALL, "start": start})["position"] == start


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"game": "nonsense"}, "nonsense"),
        ({"game": "chefa", "actions": ["a1", "a1"]}, "There is already a pawn on a1."),
        ({"game": "chefa", "start": "x"}, "x"),
        ({"game": "chefa", "actions": ["a1"] * 2001}, "actions"),
        ({"game": "chefa", "more": 1}, "more"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(client: TestClient, body: dict[str, Any], sentence: str) -> None:
    for path in ("state", "states", "values", "why", "review"):
        answer = client.post(f"/api/lines/{path}", json=body)
        assert 400 <= answer.status_code < 500
        assert sentence in answer.json()["error"]


def test_why_says_the_rule(client: TestClient) -> None:
    body = {"game": "chefa", "actions": ["a1"], "cells": ["c3"]}
    assert "centre" in told(client, "why", body)["sentence"]


def test_a_review_comes_line_by_line(client: TestClient) -> None:
    actions = ["a1", "b2", "c1", "d4", "e5"]
    answer = client.post("/api/lines/review", json={"game": "chefa", "actions": actions})
    first, *steps = [json.loads(line) for line in answer.text.splitlines()]
    assert sum(first["chances"]) == pytest.approx(1, abs=1e-3)
    assert [step["action"] for step in steps] == actions
    assert all(step["loss"] is None or 0 <= step["loss"] <= 1 for step in steps)
    assert all(step["has_choice"] for step in steps)
    assert steps[4]["mark"] in ("?", "??"), "Black could win by force."
    for step in steps:
        assert [action for turn in step["better_turns"] for action in turn] == step["better"]
        record = damier.load("chefa").record()
        for action in (*actions[: step["number"]], *step["better"]):
            record.play(action)


def await_build(client: TestClient) -> None:
    """Waits until the table that the server builds is done."""

    async def wait() -> None:
        await client.app.state.services.builds.task  # type: ignore[attr-defined]  # the type is that of any application

    assert client.portal
    client.portal.call(wait)


def test_a_table_is_built_and_then_values_are_exact(client: TestClient) -> None:
    assert not told(client, "values", SMALL)["is_exact"]
    look = client.post("/api/tables/look", json=SMALL).json()
    assert look["is_solvable"]
    assert not look["is_built"]
    assert client.post("/api/tables/build", json=SMALL).status_code == 202
    assert client.post("/api/tables/build", json={"game": "badia"}).status_code == 400  # one after the other
    look = client.post("/api/tables/look", json=SMALL).json()
    assert look["error"] is None
    assert look["progress"] is None or 0 <= look["progress"]["share"] <= 1
    await_build(client)
    assert client.post("/api/tables/look", json=SMALL).json()["is_built"]
    values = told(client, "values", SMALL)
    assert values["is_exact"]
    assert values["is_from_table"]
    assert all(value["is_proved"] for value in values["values"].values())
    expected = damier.load("renfa", **OPTIONS).tables.action_values("5/5/5/5/5 b 3,3")
    assert {action: value["value"] for action, value in values["values"].items()} == {
        action: value.outcome for action, value in expected.items()
    }
    assert client.post("/api/tables/build", json=SMALL).json()["is_built"]
    check_hint_of_table(client, {action: value.outcome for action, value in expected.items()})


def check_hint_of_table(client: TestClient, expected: dict[str, str]) -> None:
    """Checks that a hint counts the actions that are as good as it."""
    number = client.post("/api/matches", json={**SMALL, "seats": ["me", "me"]}).json()["number"]
    told = client.get(f"/api/matches/{number}/hint").json()
    kept, outcomes = list(expected.values()).count(expected[told["action"]]), set(expected.values())
    assert expected[told["action"]] == min(outcomes, key=["win", "draw", "loss"].index)
    if outcomes == {"draw"}:
        assert told["reason"] == "With best play the game stays a draw, whichever action is played."
    else:
        assert told["reason"].startswith(f"{kept} of {len(expected)} actions keep the {expected[told['action']]};")


def test_plies_are_counted_as_own_moves_too() -> None:
    assert [own_moves(plies) for plies in (None, 1, 2, 3, 4)] == [None, 1, 1, 2, 2]


def test_values_of_a_table_that_are_not_proved_are_told_apart() -> None:
    record = damier.load("badia").record()
    found = Findings(EngineCache(1), record, "en")
    proved, other = (Line(("a1",), Value((1.0, 0.0), "b", 9, is_proved)) for is_proved in (True, False))
    for lines, is_exact in (((proved,), True), ((proved, other), False)):
        analysis = Analysis("b", 9, 2, 0.0, lines, is_from_table=True)
        assert analysis.is_exact == is_exact
        assert (found.note(analysis) is None) == is_exact
        assert [line_value(record, analysis, line, "en").is_proved for line in lines] == [True, False][: len(lines)]
    assert found.note(Analysis("b", 9, 2, 0.0, (other,))) is None  # a search


@pytest.mark.parametrize(
    ("is_proved", "reason"),
    [
        (True, "It wins by force, in at most 9 plies."),
        (False, "No win is proved; the computer gives Black about 100 %."),
    ],
)
def test_a_hint_says_that_it_wins_only_if_that_is_proved(is_proved: bool, reason: str) -> None:
    analysis = Analysis("b", 9, 2, 0.0, (Line(("a1",), Value((1.0, 0.0), "b", 9, is_proved)),))
    assert str(hint_reason(damier.load("badia").record(), analysis)) == reason


def test_a_damaged_table_is_replaced_by_the_engine_and_a_note(client: TestClient) -> None:
    file = table_path(damier.load("renfa", **OPTIONS))
    file.parent.mkdir(parents=True)
    file.write_bytes(b"not a table")
    values = told(client, "values", SMALL)
    assert values["note"] == "The table of this game is damaged: these values are estimates of the engine."
    assert not values["is_from_table"]
    assert len(values["values"]) == 25
    number = client.post("/api/matches", json={**SMALL, "seats": ["me", {"level": 8}]}).json()["number"]
    assert client.get(f"/api/matches/{number}/hint").json()["reason"]
    with client.websocket_connect(f"/api/matches/{number}/live") as socket:
        player = Player(socket)
        player.play("a1")
        assert player.next("event")["event"]["player"] == "w"
    answer = client.post("/api/lines/review", json={**SMALL, "actions": ["a1"]})
    assert [json.loads(line).get("error") for line in answer.text.splitlines()] == [None, None]
    assert str(file.parent) not in answer.text


@pytest.mark.parametrize("body", [{"game": "sensei"}, {"game": "renfa", "options": {"bombs": 7}}])
def test_tables_that_take_hours_or_cannot_be_are_not_begun(client: TestClient, body: dict[str, Any]) -> None:
    assert not client.post("/api/tables/look", json=body).json()["is_solvable"]
    answer = client.post("/api/tables/build", json=body)
    assert answer.status_code == 400
    assert answer.json()["error"].endswith(".")


def test_live_lines_come_until_one_asks_again(client: TestClient) -> None:
    with client.websocket_connect("/api/lines/live") as socket:
        socket.send_json({"id": "1", "game": "sensei", "lines": 2})
        first = socket.receive_json()
        assert first["id"] == "1"
        assert len(first["lines"]) == 2
        assert len(first["chances"]) == 2
        assert sum(first["chances"]) == pytest.approx(1, abs=1e-3)
        for line in first["lines"]:
            assert [action for turn in line["turns"] for action in turn] == line["actions"]
            assert line["routes"][0]["target"] in line["actions"][0]
        assert not first["is_exact"]
        socket.send_json({"id": "2", "game": "chefa", "actions": ["a1", "a1"]})
        while (answer := socket.receive_json())["id"] != "2":
            pass
        assert answer["error"] == "There is already a pawn on a1."
        socket.send_json({"id": "3", "game": "chefa", "lines": 99})
        assert "error" in socket.receive_json()
        socket.send_json({"id": "4"})  # stops


def test_live_lines_of_a_game_that_is_over_are_none(client: TestClient) -> None:
    with client.websocket_connect("/api/lines/live") as socket:
        won = ["a1", "a2", "b1", "b2", "d1", "d2", "c1"]
        socket.send_json({"id": "1", "game": "chefa", "actions": won})
        assert socket.receive_json() == {"id": "1", "lines": [], "is_done": True}
