"""The relay passes bytes on, and can be cut, blocked and mended."""

import socket
import threading
from collections.abc import Iterator

import pytest

from bench.cluster.relay import Relay


@pytest.fixture
def echo() -> Iterator[int]:
    """Runs a server that returns what it is sent, and returns its port."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    def answer(connection: socket.socket) -> None:
        with connection:
            while data := connection.recv(100):
                connection.sendall(data)

    threading.Thread(target=serve, daemon=True).start()
    yield listening.getsockname()[1]
    listening.close()


@pytest.fixture
def relay(echo: int) -> Iterator[Relay]:
    """Returns a relay to the server."""
    relay = Relay(echo)
    yield relay
    relay.close()


def connected(relay: Relay) -> socket.socket:
    return socket.create_connection(("127.0.0.1", relay.port), timeout=5)


def test_bytes_are_passed_on_both_ways(relay: Relay) -> None:
    with connected(relay) as client:
        assert answer_to(client, b"one") == b"one"


def answer_to(client: socket.socket, data: bytes) -> bytes:
    """Returns what the server answers; nothing if the connection has ended."""
    try:
        client.sendall(data)
        return client.recv(100)
    except ConnectionError:
        return b""


def test_a_cut_ends_connections_and_new_ones_until_it_is_mended(relay: Relay) -> None:
    with connected(relay) as client:
        assert answer_to(client, b"one") == b"one"
        relay.cut()
        assert answer_to(client, b"two") == b""
    with connected(relay) as client:
        assert answer_to(client, b"three") == b""
    relay.mend()
    with connected(relay) as client:
        assert answer_to(client, b"four") == b"four"


def test_what_was_blocked_arrives_once_it_is_mended(relay: Relay) -> None:
    with connected(relay) as client:
        relay.block()
        client.sendall(b"one")
        client.settimeout(0.2)
        with pytest.raises(TimeoutError):
            client.recv(100)
        relay.mend()
        client.settimeout(5)
        assert client.recv(100) == b"one"
