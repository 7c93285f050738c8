"""Players and spectators who talk, over sockets without a browser."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

from tests.server.pages import begin


def board(ann: TestClient, bob: TestClient, game: str = "chefa") -> str:
    """Begins a match of two browsers, and returns its number."""
    match = begin(ann, game, "me", "open")
    answer = bob.post(f"/api/matches/{match['number']}/seats", json={"invitation": match["invitations"]["w"]})
    assert answer.is_success, answer.text
    return str(match["number"])


class Talker:
    """A page of a match that follows its chat; `with` closes it."""

    def __init__(self, client: TestClient, number: str, lang: str = "en") -> None:
        self._session: WebSocketTestSession = client.websocket_connect(f"/api/matches/{number}/live?lang={lang}")
        self.count = 0
        self.waiting: list[dict[str, Any]] = []

    def __enter__(self) -> Talker:
        self.socket = self._session.__enter__()
        self.chat = self.next("chat")
        return self

    def __exit__(self, *given: Any) -> None:
        self._session.__exit__(*given)

    def next(self, *kinds: str) -> dict[str, Any]:
        """Returns the next message of one of some kinds; those of others wait."""
        for told in self.waiting:
            if told["type"] in kinds:
                self.waiting.remove(told)
                return told
        while True:
            received: dict[str, Any] = self.socket.receive_json()
            if received["type"] in kinds:
                return received
            self.waiting.append(received)

    def ask(self, do: str, **given: Any) -> dict[str, Any]:
        """Sends a request and returns the answer."""
        self.count += 1
        self.socket.send_json({"id": f"r{self.count}", "do": do, **given})
        return self.next("done", "refused")

    def say(self, **given: Any) -> str:
        """Writes; returns the sentence of a refusal, "" if there is none."""
        return str(self.ask("say", **given).get("error", ""))

    def heard(self) -> tuple[str, str, str]:
        """Returns room, name and text of the next message of somebody."""
        line = self.next("said")["line"]
        return line["room"], line["name"], line["text"]

    def texts(self) -> list[str]:
        """Returns the messages of the chat as it was last sent."""
        return [line["text"] for line in self.chat["lines"]]
