"""A server that sends notices at once, to addresses of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.server.app import create_app
from damier.server.notices.outbox import Outbox
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.served import SETTINGS

ORIGIN = "http://testserver"
SLOW = {"kind": "correspondence", "base": 172_800, "increment": 86_400, "cap": 345_600}


@contextmanager
def telling(home: Path, **given: Any) -> Iterator[TestClient]:
    """Runs a server and yields a browser."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAMIER_HOME", str(home))
        about = {**SETTINGS, "database": str(home / "matches.sqlite"), "push_local": True, **given}
        services = Services(ServerSettings.read(about))
        services.notices.outbox = Outbox(services.metrics, pauses=(0.01, 0.01))
        services.notices.delays = {}
        with TestClient(create_app(services)) as client:
            yield client


def services_of(client: TestClient) -> Services:
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    return services


def call(client: TestClient, function: Any, *arguments: Any) -> Any:
    """Calls a function in the loop of the server."""
    assert client.portal
    return client.portal.call(function, *arguments)


def settle(client: TestClient) -> None:
    """Waits until all that was to be sent is sent."""

    async def wait() -> None:
        outbox = services_of(client).notices.outbox
        while len(outbox):
            await outbox.settle()
            await asyncio.sleep(0.005)

    call(client, wait)


def challenge(client: TestClient, rival: str, game: str = "chefa") -> str:
    """Challenges an account on a clock for correspondence; returns the number."""
    asked = {"kind": "challenge", "rival": rival, "terms": [{"game": game, "clock": SLOW}]}
    answer = client.post("/api/seeks", json=asked)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["seek"]["number"])


def accept(client: TestClient, seek: str) -> str:
    """Accepts a seek; returns the number of the match."""
    answer = client.post(f"/api/seeks/{seek}/accept", json={})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["match"])


def play(client: TestClient, match: str, request: str) -> bool:
    """Plays the first legal action if it is the browser's turn; tells whether it was."""
    state = client.get(f"/api/matches/{match}").json()["state"]
    if not state["is_my_turn"]:
        return False
    body = {"id": request, "do": "play", "action": state["actions"][0]["action"]}
    answer = client.post(f"/api/matches/{match}/act", json=body)
    assert answer.status_code == 200, answer.text
    return True
