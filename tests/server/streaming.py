"""Raw clients of streams, at a server that listens: what is sent over the wire, line by line."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from typing import Any

from damier.server.front.visitors import COOKIE
from damier.server.people.credentials import COOKIE as SESSION_COOKIE
from tests.server.accounts import PASSWORD, name_like

SECONDS = 60.0  # after which a test gives up waiting


class Visitor:
    """A visitor of a server, with a cookie."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port = port
        self._streams: list[Lines] = []
        self.headers = {"Content-Type": "application/json"}
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/me") as answer:
            self.headers["Cookie"] = answer.headers["Set-Cookie"].partition(";")[0]
        assert self.headers["Cookie"].startswith(COOKIE)
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def delete(self, path: str) -> int:
        """Returns the status of a request that deletes something."""
        address = f"http://127.0.0.1:{self.port}{path}"
        with urllib.request.urlopen(urllib.request.Request(address, headers=self.headers, method="DELETE")) as got:
            return int(got.status)

    def post(self, path: str, body: object) -> tuple[int, Any]:
        """Returns the status and the answer of a request."""
        address = f"http://127.0.0.1:{self.port}{path}"
        try:
            with urllib.request.urlopen(
                urllib.request.Request(address, json.dumps(body).encode(), self.headers)
            ) as got:
                return got.status, json.loads(got.read() or b"null")
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def sign_up(self) -> str:
        """Makes an account of the visitor, who is signed in to it, and returns its name."""
        name = name_like("Ann")
        body = json.dumps({"name": name, "password": PASSWORD}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/account", body, self.headers)
        with urllib.request.urlopen(request) as answer:
            cookies = [each.partition(";")[0] for each in answer.headers.get_all("Set-Cookie")]
        self.headers["Cookie"] = next(each for each in cookies if each.startswith(f"{SESSION_COOKIE}="))
        return name

    def new_token(self, *scopes: str) -> dict[str, Any]:
        """Makes a token of the visitor's account."""
        status, made = self.post("/api/account/tokens", {"label": "x", "scopes": list(scopes)})
        assert status == 201, made
        return dict(made)

    def begin(self, game: str, *seats: Any) -> dict[str, Any]:
        """Begins a match and returns its snapshot."""
        status, snapshot = self.post("/api/matches", {"game": game, "seats": list(seats)})
        assert status == 201, snapshot
        return dict(snapshot)

    def take_seat(self, snapshot: dict[str, Any]) -> None:
        """Takes the first open seat of a match."""
        invitation = next(iter(snapshot["invitations"].values()))
        assert self.post(f"/api/matches/{snapshot['number']}/seats", {"invitation": invitation})[0] == 200

    def act(self, number: str, request: str, do: str, **given: Any) -> tuple[int, Any]:
        """Acts in a match."""
        return self.post(f"/api/matches/{number}/act", {"id": request, "do": do, **given})

    def stream(self, path: str, **headers: str) -> Lines:
        """Opens a stream."""
        self._streams.append(Lines(self.port, f"/api/stream/{path}", {**self.headers, **headers}))
        return self._streams[-1]

    def close(self) -> None:
        """Closes all streams."""
        for stream in self._streams:
            stream.close()


class Lines:
    """An open stream, or the refusal of one."""

    def __init__(self, port: int, path: str, headers: dict[str, str]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        self._connection.request("GET", path, headers=headers)
        self.socket = self._connection.sock
        self.answer = self._connection.getresponse()
        self.status = self.answer.status

    def raw(self) -> bytes:
        """Returns the next line, which may be blank; nothing at the end."""
        return self.answer.readline()

    def next(self) -> dict[str, Any]:
        """Returns the next message."""
        while (line := self.raw()) == b"\n":
            pass
        assert line, "the stream has ended"
        found: dict[str, Any] = json.loads(line)
        return found

    def until(self, kind: str) -> list[dict[str, Any]]:
        """Returns the messages up to the next one of a kind."""
        found = [self.next()]
        while found[-1]["type"] != kind:
            found.append(self.next())
        return found

    def close(self) -> None:
        """Closes the connection."""
        self.answer.close()
        self._connection.close()
