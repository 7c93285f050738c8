"""Pages without a browser: matches over HTTP, and a player's socket."""

from typing import Any

from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession


def begin(client: TestClient, game: str, *seats: Any, **options: Any) -> dict[str, Any]:
    answer = client.post("/api/matches", json={"game": game, "options": options, "seats": list(seats)})
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()
    return data


def state_after(before: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """Returns the whole state after an event, as a page keeps it; `before` is the one that it changes."""
    older, change = before["older"], message["history"]
    kept = before["history"][: change["kept"] - older]
    return {**message["state"], "history": kept + change["added"], "older": older}


class Player:
    """A page with a socket."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.snapshot = self.next("snapshot")
        self.state: dict[str, Any] = self.snapshot["state"]
        self.seq: int = self.snapshot["seq"]
        self.asked = 0

    def next(self, *kinds: str) -> dict[str, Any]:
        """Returns the next message of one of some kinds."""
        while True:
            data: dict[str, Any] = self.socket.receive_json()
            if data["type"] == "event":
                assert data["seq"] == self.seq + 1
                self.seq, self.state = data["seq"], state_after(self.state, data)
            if data["type"] in kinds:
                return data

    def ask(self, do: str, **given: Any) -> dict[str, Any]:
        """Sends a request and returns the answer."""
        self.asked += 1
        self.socket.send_json({"id": f"r{self.asked}", "do": do, **given})
        return self.next("done", "refused")

    def play(self, action: str) -> None:
        answer = self.ask("play", action=action, seq=self.seq)
        assert answer["type"] == "done", answer


def live(client: TestClient, number: str, **given: Any) -> WebSocketTestSession:
    return client.websocket_connect(f"/api/matches/{number}/live", **given)
