"""The lobby over HTTP and its socket."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from damier.server.services import Services
from tests.server.lobby.scene import BLITZ, SLOW, terms
from tests.server.pages import begin
from tests.server.served import another_browser, served

GONE = "Somebody else was faster, or the seek is closed."


@pytest.fixture
def ann(server: TestClient) -> TestClient:
    return named(server, "Ann")


@pytest.fixture
def bob(server: TestClient) -> TestClient:
    return named(server, "Bob")


def named(server: TestClient, nickname: str) -> TestClient:
    """Returns a browser with a cookie."""
    client = another_browser(server)
    assert client.put("/api/me", json={"nickname": nickname}).is_success
    return client


def lobby(client: TestClient, **given: Any) -> WebSocketTestSession:
    return client.websocket_connect("/api/lobby/live", **given)


def until(socket: WebSocketTestSession, kind: str) -> dict[str, Any]:
    """Returns the next message of a kind."""
    while True:
        told: dict[str, Any] = socket.receive_json()
        if told["type"] == kind:
            return told


def seek(client: TestClient, *given: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = client.post("/api/seeks", json={"terms": list(given), **more})
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()
    return data


def test_two_find_each_other_and_their_pages_are_told(ann: TestClient, bob: TestClient) -> None:
    with lobby(ann) as socket:
        assert until(socket, "state")["type"] == "state"
        made = seek(ann, terms("sensei", BLITZ))
        assert made["match"] is None
        assert until(socket, "mine")["type"] == "mine"
        found = seek(bob, terms("sensei", BLITZ))
        assert found["seek"] is None
        told = until(socket, "paired")
        assert told == {
            "type": "paired",
            "seek": made["seek"]["number"],
            "match": found["match"],
            "game": "sensei",
        }
    match = ann.get(f"/api/matches/{found['match']}").json()
    assert sorted(seat["nickname"] for seat in match["seats"]) == ["Ann", "Bob"]
    assert match["has_help"] is False


def test_a_seek_is_listed_with_its_owner_and_terms(ann: TestClient, bob: TestClient) -> None:
    made = seek(ann, terms("badia", SLOW), side=0)["seek"]
    listed = bob.get("/api/lobby").json()
    (found,) = [each for each in listed["seeks"] if each["number"] == made["number"]]
    clock = {**SLOW, "delay": 0}
    assert found == {
        "number": made["number"],
        "kind": "open",
        "owner": {"name": "Ann", "is_program": False, "has_account": False},
        "rating": None,
        "rival": None,
        "terms": [{"game": "badia", "options": {}, "clock": clock, "is_rated": False}],
        "side": 0,
        "reach": None,
        "is_live": False,
        "created": made["created"],
    }
    assert bob.post(f"/api/seeks/{made['number']}/accept", json={}).is_success
    assert [each for each in bob.get("/api/lobby").json()["seeks"] if each["number"] == made["number"]] == []


def test_of_three_browsers_that_accept_at_once_one_plays(server: TestClient, ann: TestClient) -> None:
    number = seek(ann, terms("chefa", SLOW))["seek"]["number"]
    guests = [named(server, name) for name in ("Bob", "Cat", "Dan")]
    answers: list[Any] = []
    barrier = threading.Barrier(len(guests))

    def accept(guest: TestClient) -> None:
        barrier.wait()
        answers.append(guest.post(f"/api/seeks/{number}/accept", json={}))

    threads = [threading.Thread(target=accept, args=(guest,)) for guest in guests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400]
    assert [answer.json()["error"] for answer in answers if answer.status_code == 400] == [GONE, GONE]


def test_a_link_shows_who_challenges_and_can_be_accepted_once(ann: TestClient, bob: TestClient) -> None:
    number = seek(ann, terms("chefa"), kind="link")["seek"]["number"]
    shown = bob.get(f"/api/seeks/{number}").json()
    assert (shown["state"], shown["is_mine"], shown["seek"]["owner"]["name"]) == ("open", False, "Ann")
    match = bob.post(f"/api/seeks/{number}/accept", json={}).json()["match"]
    assert ann.get(f"/api/seeks/{number}").json()["match"] == match
    assert bob.get("/api/seeks/nowhere").status_code == 404
    assert bob.get(f"/lobby/{number}").status_code == 200


def test_only_the_owner_withdraws_a_seek(ann: TestClient, bob: TestClient) -> None:
    number = seek(ann, terms("renfa"))["seek"]["number"]
    refused = bob.delete(f"/api/seeks/{number}")
    assert (refused.status_code, refused.json()["error"]) == (403, "Only the owner of a seek can withdraw it.")
    assert ann.delete(f"/api/seeks/{number}").status_code == 204
    refused = ann.delete(f"/api/seeks/{number}")
    assert (refused.status_code, refused.json()["error"]) == (400, GONE)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/seeks", {"terms": [terms("chefa")]}),
        ("DELETE", "/api/seeks/x", None),
        ("POST", "/api/seeks/x/accept", {}),
        ("POST", "/api/seeks/x/decline", None),
        ("PUT", "/api/lobby/wishes", {"games": []}),
    ],
)
def test_pages_of_other_sites_cannot_act(ann: TestClient, method: str, path: str, body: Any) -> None:
    answer = ann.request(method, path, json=body, headers={"Origin": "http://elsewhere.example"})
    assert (answer.status_code, answer.json()["error"]) == (403, "The request comes from another page.")


def test_pages_of_other_sites_cannot_follow_the_lobby(ann: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), lobby(ann, headers={"Origin": "http://elsewhere.example"}):
        pass


def test_what_no_page_sends_ends_the_socket(ann: TestClient) -> None:
    with lobby(ann) as socket:
        until(socket, "state")
        socket.send_json({"do": "stay"})
        socket.send_text("nonsense")
        with pytest.raises(WebSocketDisconnect) as ended:
            until(socket, "never")
    assert ended.value.code == 1007


def test_nobody_has_more_than_twenty_lobby_sockets(ann: TestClient) -> None:
    with contextlib.ExitStack() as opened:
        for _ in range(20):
            until(opened.enter_context(lobby(ann)), "state")
        with lobby(ann) as more, pytest.raises(WebSocketDisconnect) as ended:
            more.receive_json()
    assert (ended.value.code, ended.value.reason) == (1013, "You have too many pages open: close some.")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"terms": []}, 422),
        ({"terms": [terms("nothing")]}, 404),
        ({"terms": [terms("chefa", options={"size": 99})]}, 400),
        ({"terms": [terms("chefa", {"kind": "live", "base": -1})]}, 422),
        ({"terms": [terms("chefa")], "side": 2}, 422),
        ({"terms": [terms("chefa")], "kind": "challenge", "rival": "Nobody"}, 404),
    ],
)
def test_what_is_wrong_is_refused(ann: TestClient, body: dict[str, Any], status: int) -> None:
    answer = ann.post("/api/seeks", json=body)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"].endswith(".")


def test_wishes_are_kept(ann: TestClient, bob: TestClient) -> None:
    assert ann.get("/api/lobby/wishes").json() == {"games": []}
    assert ann.put("/api/lobby/wishes", json={"games": ["sensei", "badia", "badia"]}).json() == {
        "games": ["badia", "sensei"]
    }
    assert ann.get("/api/lobby/wishes").json() == {"games": ["badia", "sensei"]}
    assert bob.get("/api/lobby/wishes").json() == {"games": []}
    assert ann.put("/api/lobby/wishes", json={"games": ["nothing"]}).status_code == 404


def test_matches_of_the_lobby_can_be_watched_and_those_by_link_are_not_listed(ann: TestClient, bob: TestClient) -> None:
    by_link = begin(ann, "chefa", "me", "open")["number"]
    number = seek(ann, terms("chefa", SLOW))["seek"]["number"]
    match = bob.post(f"/api/seeks/{number}/accept", json={}).json()["match"]
    listed = another_browser(ann).get("/api/lobby/matches?game=chefa").json()["matches"]
    numbers = [each["number"] for each in listed]
    assert numbers[0] == match
    assert by_link not in numbers
    assert sorted(seat["person"]["name"] for seat in listed[0]["seats"]) == ["Ann", "Bob"]


def test_a_seek_is_shown_under_the_new_nickname(ann: TestClient) -> None:
    number = seek(ann, terms("badia"))["seek"]["number"]
    assert ann.put("/api/me", json={"nickname": "Anna"}).is_success
    assert ann.get(f"/api/seeks/{number}").json()["seek"]["owner"]["name"] == "Anna"
    names = {each["number"]: each["owner"]["name"] for each in ann.get("/api/lobby").json()["seeks"]}
    assert names[number] == "Anna"
    assert ann.delete(f"/api/seeks/{number}").status_code == 204


def test_who_is_forgotten_leaves_the_lobby(ann: TestClient, bob: TestClient) -> None:
    number = seek(ann, terms("badia"))["seek"]["number"]
    assert ann.delete("/api/me").status_code == 204
    assert bob.post(f"/api/seeks/{number}/accept", json={}).json()["error"] == GONE


def test_a_restarted_server_keeps_stored_seeks(tmp_path: Path) -> None:
    with served(tmp_path) as first:
        stays, goes = seek(first, terms("chefa"))["seek"], seek(first, terms("chefa", BLITZ))["seek"]
    with served(tmp_path) as second:
        services: Services = second.app.state.services  # type: ignore[attr-defined]
        assert [each["number"] for each in second.get("/api/lobby").json()["seeks"]] == [stays["number"]]
        assert services.lobby.feed.listeners == set()
        assert second.get(f"/api/seeks/{goes['number']}").status_code == 404
