"""A game of rules and notation alone: every route serves it, or says in a sentence what it does not have."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.games import register, unregister
from tests.games.minimal import GAME
from tests.server.pages import Player, begin, live
from tests.server.served import served

LINE = {"game": "rows", "actions": ["b2", "a1"]}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    register(GAME)
    with served(tmp_path_factory.mktemp("home")) as client:
        yield client
    unregister("rows")


def posted(client: TestClient, path: str, **body: Any) -> dict[str, Any]:
    answer = client.post(path, json={**LINE, **body})
    assert answer.is_success, answer.text
    data: dict[str, Any] = answer.json()
    return data


@pytest.mark.parametrize(
    "path",
    [
        "/api/games/rows/rules",
        "/api/games/rows/lesson",
        "/api/games/rows/lesson/1/answer",
        "/api/puzzles/rows/1",
        "/api/puzzles/rows/1/solution",
    ],
)
def test_what_it_does_not_have_is_not_found(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"].endswith(".")


def test_lists_leave_it_out_or_are_empty(client: TestClient) -> None:
    assert "rows" not in client.get("/api/lessons").json()
    assert client.get("/api/puzzles/rows").json() == {"themes": {}, "puzzles": []}
    solved = client.get("/api/solutions/rows").json()
    assert (solved["title"], solved["solutions"], solved["tier_names"]) == ("Rows", [], {})
    assert next(game for game in client.get("/api/solutions").json() if game["game"] == "rows")["solutions"] == []


def test_it_is_analysed(client: TestClient) -> None:
    assert posted(client, "/api/lines/state")["position"] == "3/1X1/O2 x"
    assert len(posted(client, "/api/lines/states")["states"]) == 3
    assert len(posted(client, "/api/lines/values")["values"]) == 7
    refused = posted(client, "/api/lines/why", cells=["b2"])
    sentence = "This action is not possible now. Click one of a2, a3, b1, b3, c1, c2, c3."
    assert refused == {"sentence": sentence, "rules": None}
    assert len(client.post("/api/lines/review", json=LINE).text.splitlines()) == 3
    with client.websocket_connect("/api/lines/live") as socket:
        socket.send_json({"id": "1", **LINE})
        while not (told := socket.receive_json())["is_done"]:
            pass
        assert told["lines"]


def test_it_has_no_table(client: TestClient) -> None:
    body = {"game": "rows"}
    assert not client.post("/api/tables/look", json=body).json()["is_solvable"]
    answer = client.post("/api/tables/build", json=body)
    assert answer.status_code == 400
    assert answer.json()["error"].endswith(".")


def test_its_records_are_read_and_written(client: TestClient) -> None:
    read = client.post("/api/records/read", json={"text": "b2 a1", "game": "rows"}).json()
    assert [node["action"] for node in read["tree"]] == ["", "b2", "a1"]
    tree = [{"parent": node["parent"], "action": node["action"]} for node in read["tree"]]
    written = client.post("/api/records/write", json={"game": "rows", "tree": tree}).json()["text"]
    assert client.post("/api/records/read", json={"text": written}).json()["tree"] == read["tree"]
    assert posted(client, "/api/records/picture")["picture"].startswith("<svg")
    pieces = [{"player": "x", "cell": "a1"}, {"player": "o", "cell": "c3"}]
    setup = client.post("/api/records/setup", json={"game": "rows", "pieces": pieces}).json()
    assert (setup["position"], setup["problem"]) == ("2O/3/X2 x", None)


def test_it_is_played_against_the_computer_and_shared(client: TestClient) -> None:
    number = begin(client, "rows", "me", {"level": 8})["number"]
    with live(client, number) as socket:
        player = Player(socket)
        while not player.state["result"]:
            if player.state["is_my_turn"]:
                player.play(player.state["actions"][0]["action"])
            else:
                player.next("event")
    for path in (f"/m/{number}", "/explore/rows?actions=b2", f"/embed/match/{number}"):
        assert client.get(path).is_success
    for path in (f"/api/pictures/match/{number}.png", "/api/pictures/position.png?game=rows&actions=b2"):
        assert client.get(path).content.startswith(b"\x89PNG")
    assert client.get(f"/oembed?url=http://testserver/m/{number}").json()["type"] == "rich"
