"""Pages that are open: told at once what happens elsewhere, and what waited when they came."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

import damier
from damier.server.matches.clock import LIVE_PRESETS
from damier.server.tournaments.outcome import origin_text
from tests.server.accounts import make
from tests.server.notices.receivers import push_service, wait_for
from tests.server.notices.served import accept, call, challenge, play, services_of, settle, telling
from tests.server.served import another_browser


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    with telling(tmp_path) as client:
        yield client


def two(server: TestClient) -> tuple[TestClient, str, TestClient, str]:
    ann, bob = another_browser(server), another_browser(server)
    return ann, make(ann)["name"], bob, make(bob)["name"]


def follow(client: TestClient) -> WebSocketTestSession:
    return client.websocket_connect("/api/notices/live")


def next_told(page: WebSocketTestSession) -> dict[str, Any]:
    told: dict[str, Any] = page.receive_json()
    return told


def test_a_page_is_told_of_challenges_turns_and_the_end(server: TestClient) -> None:
    ann, _, bob, name = two(server)
    seek = challenge(ann, name)
    with bob.websocket_connect("/api/notices/live?lang=fr") as page:
        waiting = next_told(page)["notices"]
        assert [(each["kind"], each["title"], each["path"]) for each in waiting] == [
            ("challenge", "Un défi", f"/lobby/{seek}")
        ]
        match = accept(bob, seek)
        assert next_told(page) == {"type": "gone", "tag": f"seek-{seek}"}
        if play(bob, match, "b1"):
            assert next_told(page) == {"type": "gone", "tag": f"match-{match}"}
        assert play(ann, match, "a1")
        told = next_told(page)
        assert (told["type"], told["notice"]["kind"], told["notice"]["path"]) == ("notice", "turn", f"/m/{match}")
        assert play(bob, match, "b2")
        assert next_told(page) == {"type": "gone", "tag": f"match-{match}"}
        assert ann.post(f"/api/matches/{match}/act", json={"id": "a2", "do": "resign"}).status_code == 200
        assert next_told(page)["notice"]["title"] == "Vous gagnez"
    with follow(bob) as later:
        assert [each["title"] for each in next_told(later)["notices"]] == ["You win"]


def test_a_page_that_comes_later_finds_the_turns_that_wait(server: TestClient) -> None:
    ann, _, bob, name = two(server)
    match = accept(bob, challenge(ann, name))
    mover = ann if ann.get(f"/api/matches/{match}").json()["state"]["is_my_turn"] else bob
    with follow(mover) as page:
        assert [each["path"] for each in next_told(page)["notices"] if each["kind"] == "turn"] == [f"/m/{match}"]


def test_a_declined_challenge_is_told_to_its_owner(server: TestClient) -> None:
    ann, _, bob, name = two(server)
    with follow(ann) as page:
        assert next_told(page)["notices"] == []
        assert bob.post(f"/api/seeks/{challenge(ann, name)}/decline").status_code == 204
        told = next_told(page)["notice"]
        assert (told["title"], told["text"]) == ("Your challenge is declined", f"{name} declines: Chefa.")


def test_a_game_of_a_tournament_is_told_to_both(server: TestClient) -> None:
    ann, anns, bob, bobs = two(server)
    services = services_of(server)
    people = [call(server, services.accounts.find, name).person for name in (anns, bobs)]

    async def begin() -> str:
        live = await services.referee.begin_between(
            damier.load("chefa"), people, control=LIVE_PRESETS[0], is_rated=False, origin=origin_text("cup", 1)
        )
        return live.match.number

    with push_service() as service, follow(ann) as page:
        bob.post("/api/notices/push", json=service.subscription())
        assert next_told(page)["notices"] == []
        number = call(server, begin)
        told = next_told(page)["notice"]
        assert (told["kind"], told["path"]) == ("tournament", f"/m/{number}")
        wait_for(lambda: service.got)
        assert service.got[0][0]["ttl"] == "60"
        assert service.got[0][0]["urgency"] == "high"


def test_a_reminder_is_given_once_when_it_is_due(server: TestClient) -> None:
    ann, _, bob, name = two(server)
    match = accept(bob, challenge(ann, name))
    mover = ann if ann.get(f"/api/matches/{match}").json()["state"]["is_my_turn"] else bob
    services = services_of(server)

    async def pass_time() -> None:
        services.referee.time.go_on(services.referee.time.now() + 40 * 3_600_000)
        services.notices.reminders._until = -1  # half an hour has passed, too
        await services.notices.reminders.run_due()
        await services.notices.reminders.run_due()

    with push_service() as service, follow(mover) as page:
        mover.post("/api/notices/push", json=service.subscription())
        settle(server)
        next_told(page)
        call(server, pass_time)
        told = next_told(page)["notice"]
        assert (told["kind"], told["title"]) == ("reminder", "Your time is running out")
        assert told["text"].startswith("You have 7 hours for your turn")
        wait_for(lambda: service.got)
        settle(server)
        assert len(service.got) == 1


def test_a_page_is_disconnected_when_its_session_ends(server: TestClient) -> None:
    ann, _, _, _ = two(server)
    with follow(ann) as page:
        next_told(page)
        assert ann.post("/api/account/sign-out").status_code == 204
        with pytest.raises(WebSocketDisconnect) as closed:
            page.receive_json()
        assert closed.value.code == 1008


def test_a_page_sends_signs_of_life_and_nothing_else(server: TestClient) -> None:
    with follow(another_browser(server)) as page:
        assert next_told(page) == {"type": "notices", "notices": []}
        page.send_json({"do": "stay"})
        page.send_json({"do": "shout"})
        with pytest.raises(WebSocketDisconnect) as closed:
            page.receive_json()
        assert closed.value.code == 1007


def test_a_token_does_not_open_the_connection(server: TestClient) -> None:
    ann, _, _, _ = two(server)
    token = ann.post("/api/account/tokens", json={"label": "x", "scopes": ["read"]}).json()["token"]
    program = another_browser(server)
    with (
        pytest.raises(WebSocketDisconnect),
        program.websocket_connect("/api/notices/live", headers={"Authorization": f"Bearer {token}"}) as page,
    ):
        page.receive_json()


def test_a_full_outbox_drops_what_does_not_fit_and_the_match_goes_on(server: TestClient) -> None:
    ann, _, bob, name = two(server)
    services_of(server).notices.outbox._most = 0
    match = accept(bob, challenge(ann, name))
    assert play(ann, match, "a1") or play(bob, match, "b1")
    assert 'damier_notices_total{channel="all",outcome="dropped"}' in services_of(server).metrics.text().decode()


def test_a_fault_in_the_notices_never_reaches_a_match(
    server: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ann, _, bob, name = two(server)
    match = accept(bob, challenge(ann, name))
    monkeypatch.setattr("damier.server.notices.decide.of_event", lambda *_given: 1 / 0)
    assert play(ann, match, "a1") or play(bob, match, "b1")
    assert any("its players could not be told" in each for each in caplog.messages)
