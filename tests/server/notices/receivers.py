"""What receives notices in tests: a push service with a browser's keys, and a mail server, on this machine."""

from __future__ import annotations

import base64
import json
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

PATIENCE = 60.0  # seconds


def wait_for(is_there: Callable[[], object]) -> None:
    """Waits until something is true."""
    end = time.monotonic() + PATIENCE
    while not is_there():
        assert time.monotonic() < end, "It did not happen."
        time.sleep(0.01)


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class PushService:
    """The push service of a browser: answers with the next status, the last one for ever."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses or (201,))
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"0123456789abcdef"
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.address = ""

    @property
    def keys(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": encoded(point), "auth": encoded(self.secret)}

    def subscription(self, path: str = "/one") -> dict[str, Any]:
        """What a browser tells the server of itself."""
        return {"endpoint": self.address + path, "keys": self.keys}

    def read(self, place: int = -1) -> dict[str, Any]:
        """Decrypts a message, as the browser does."""
        body = self.got[place][1]
        text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        found: dict[str, Any] = json.loads(text)
        return found


@contextmanager
def push_service(*statuses: int, location: str = "") -> Iterator[PushService]:
    """Runs a push service."""
    service = PushService(*statuses)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # of the standard library
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(service.statuses.pop(0) if len(service.statuses) > 1 else service.statuses[0])
            if location:
                self.send_header("Location", location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_given: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()


class MailServer:
    """A mail server that keeps what it gets; the first `refused` messages are put off."""

    def __init__(self, refused: int = 0, code: int = 451) -> None:
        self.refused, self.code = refused, code
        self.port = 0
        self.tries = 0
        self.got: list[EmailMessage] = []
        self.senders: list[str] = []

    def to(self, address: str) -> list[EmailMessage]:
        return [each for each in self.got if each["To"] == address]


@contextmanager
def mail_server(refused: int = 0, code: int = 451) -> Iterator[MailServer]:
    """Runs a mail server."""
    service = MailServer(refused, code)

    class Handler(socketserver.StreamRequestHandler):
        def say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

        def handle(self) -> None:
            self.say("220 here")
            while line := self.rfile.readline().decode().strip():
                verb = line.upper()[:4]
                if verb == "RCPT":
                    service.tries += 1
                    is_put_off = service.refused > 0
                    service.refused -= is_put_off
                    self.say(f"{service.code} not now" if is_put_off else "250 good")
                elif verb == "DATA":
                    self.say("354 go on")
                    lines = []
                    while (each := self.rfile.readline()) != b".\r\n":
                        lines.append(each[1:] if each.startswith(b"..") else each)
                    found = message_from_bytes(b"".join(lines), policy=default)
                    assert isinstance(found, EmailMessage)
                    service.got.append(found)
                    self.say("250 kept")
                elif verb == "MAIL":
                    service.senders.append(line)
                    self.say("250 good")
                elif verb == "QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say("250 good")

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    server = Server(("127.0.0.1", 0), Handler)
    service.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
