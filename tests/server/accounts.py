"""Browsers with accounts."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi.testclient import TestClient

PASSWORD = "correct horse"


def name_like(start: str) -> str:
    """Returns a name that no other test has."""
    return f"{start}-{secrets.token_hex(4)}"


def make(client: TestClient, name: str = "", password: str = PASSWORD, **more: Any) -> dict[str, Any]:
    """Makes an account, to which the browser is signed in."""
    body = {"name": name or name_like("Ann"), "password": password, **more}
    answer = client.post("/api/account", json=body)
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()
    return data


def sign_in(client: TestClient, name: str, password: str = PASSWORD) -> None:
    """Signs a browser in."""
    answer = client.post("/api/account/sign-in", json={"name": name, "password": password})
    assert answer.status_code == 200, answer.text


def refused(answer: Any) -> tuple[int, str]:
    """Returns the status and the sentence of a refusal."""
    return answer.status_code, answer.json()["error"]
