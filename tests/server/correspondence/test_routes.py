"""Vacations and conditional turns over HTTP: what is answered, refused, and shown to whom."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.server.accounts import make, name_like, refused
from tests.server.pages import Player, live
from tests.server.served import another_browser, served

SLOW = {"kind": "correspondence", "base": 172_800, "increment": 86_400, "cap": 345_600}
DAY = 86_400_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    home: Path = tmp_path_factory.mktemp("home")
    with served(home) as client:
        yield client


class Pair:
    """Ann and Bob with accounts, and a match between them in which Ann is to act."""

    def __init__(self, server: TestClient) -> None:
        self.ann, self.bob = another_browser(server), another_browser(server)
        self.name = make(self.ann, name_like("Ann"))["name"]
        make(self.bob, name_like("Bob"))
        asked = {"game": "chefa", "seats": ["me", "open"], "clock": SLOW}
        match = self.ann.post("/api/matches", json=asked).json()
        self.number, self.player = match["number"], match["seats"][0]["player"]
        (invitation,) = match["invitations"].values()
        self.bob.post(f"/api/matches/{self.number}/seats", json={"invitation": invitation})
        self.path = f"/api/matches/{self.number}/conditional"
        self.actions = [each["action"] for each in match["state"]["actions"]]

    def play(self, client: TestClient, action: str) -> None:
        body = {"id": action, "do": "play", "action": action}
        assert client.post(f"/api/matches/{self.number}/act", json=body).status_code == 200

    def history(self) -> list[str]:
        state = self.ann.get(f"/api/matches/{self.number}").json()["state"]
        return [each["action"] for each in state["history"]]


def test_a_vacation_begins_is_seen_and_ends(server: TestClient) -> None:
    pair = Pair(server)
    assert pair.ann.get("/api/account/vacation").json() == {
        "allowance": 30,
        "period": 365,
        "left": 30,
        "ends_in": None,
    }
    with live(pair.bob, pair.number) as socket:
        page = Player(socket)
        begun = pair.ann.post("/api/account/vacation", json={"days": 7}).json()
        assert begun["left"] == 23
        assert 6 * DAY < begun["ends_in"] <= 7 * DAY
        message = page.next("event")
        assert message["event"]["kind"] == "vacation"
        assert message["event"]["player"] == pair.player
        assert 6 * DAY < message["event"]["lasts"] <= 7 * DAY
        assert set(message["event"]) == {"kind", "player", "lasts"}
        assert 6 * DAY < message["clocks"]["away"][pair.player] <= 7 * DAY
        assert message["history"] == {"kept": 0, "added": []}
        assert pair.ann.delete("/api/account/vacation").json()["ends_in"] is None
        assert page.next("event")["event"] == {"kind": "return", "player": pair.player}
    assert refused(pair.ann.delete("/api/account/vacation")) == (400, "You are not on vacation.")
    assert refused(pair.ann.post("/api/account/vacation", json={"days": 99}))[0] == 400


def test_guests_have_no_vacation(server: TestClient) -> None:
    guest = another_browser(server)
    for answer in (
        guest.get("/api/account/vacation"),
        guest.post("/api/account/vacation", json={"days": 1}),
        guest.delete("/api/account/vacation"),
    ):
        assert refused(answer) == (403, "Sign in first.")


def planned(pair: Pair) -> tuple[str, str]:
    """Has Bob plan an answer to Ann's first action; returns both actions."""
    action, answer = pair.actions[0], pair.actions[1]
    asked = {"turn": 1, "lines": [[[action], [answer]]]}
    stored = pair.bob.put(pair.path, json=asked)
    assert stored.status_code == 200, stored.text
    assert stored.json()["lines"] == asked["lines"]
    return action, answer


def test_an_answer_is_entered_seen_by_its_player_alone_and_played(server: TestClient) -> None:
    pair = Pair(server)
    about: dict[str, Any] = {"turn": 1, "base": 0, "most_lines": 12, "most_answers": 6}
    assert pair.bob.get(pair.path).json() == {**about, "can_enter": True, "lines": []}
    action, answer = planned(pair)
    assert pair.bob.get(pair.path).json()["lines"] == [[[action], [answer]]]
    assert pair.ann.get(pair.path).json() == {**about, "can_enter": False, "lines": []}
    watcher = another_browser(server)
    assert refused(watcher.get(pair.path)) == (403, "You are watching this match: only seated players can act.")
    for client in (pair.ann, pair.bob, watcher):
        assert f'"{answer}"' not in client.get(f"/api/matches/{pair.number}").text.split('"actions":')[0]
    with live(pair.ann, pair.number) as socket:
        assert "lines" not in socket.receive_json()
    pair.play(pair.ann, action)
    assert pair.history() == [action, answer]
    assert pair.bob.get(pair.path).json()["lines"] == []


def test_lines_are_removed_and_replaced(server: TestClient) -> None:
    pair = Pair(server)
    action, _ = planned(pair)
    assert pair.bob.put(pair.path, json={"turn": 1, "lines": []}).json()["lines"] == []
    pair.play(pair.ann, action)
    assert pair.history() == [action]


@pytest.mark.parametrize(
    ("lines", "status", "sentence"),
    [
        ([[["nonsense"], ["a1"]]], 400, None),
        ([[[]]], 400, "A line ends with your own turn: play your answer, too."),
        ([[["a1"]] * 99], 422, None),
        ("x", 422, None),
    ],
)
def test_wrong_lines_are_refused_and_change_nothing(
    server: TestClient, lines: object, status: int, sentence: str | None
) -> None:
    pair = Pair(server)
    action, answer = planned(pair)
    given = refused(pair.bob.put(pair.path, json={"turn": 1, "lines": lines}))
    assert given[0] == status
    assert sentence in (None, given[1])
    assert pair.bob.get(pair.path).json()["lines"] == [[[action], [answer]]]


def test_late_lines_are_refused(server: TestClient) -> None:
    pair = Pair(server)
    pair.play(pair.ann, pair.actions[0])
    asked = {"turn": 1, "lines": []}
    assert refused(pair.bob.put(pair.path, json=asked)) == (
        400,
        "Conditional turns can be entered while the other player is to act.",
    )
    assert refused(pair.ann.put(pair.path, json=asked)) == (
        400,
        "The game has gone on: look at the board, and plan again.",
    )


def test_the_export_has_vacations_and_conditional_turns(server: TestClient) -> None:
    pair = Pair(server)
    planned(pair)
    pair.bob.post("/api/account/vacation", json={"days": 2})
    data = pair.bob.get("/api/account/export").json()
    assert data["conditional_turns"][0]["match"] == pair.number
    (vacation,) = data["vacations"]
    assert vacation["until"] - vacation["began"] == 2 * DAY
    assert pair.ann.get("/api/account/export").json()["conditional_turns"] == []
