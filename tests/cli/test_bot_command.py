"""``damier bot``: what is wrong is said in one sentence, and the cookie of a guest is kept."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from damier.client import Client
from damier.server.front.connections import Connections
from tests.cli.calling import called, refused
from tests.server.listening import Listening, listening


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("home"), Connections(100, 100, ()), workers=1) as served:
        yield served
        served.services.stop_streams()


@pytest.fixture
def address(server: Listening) -> str:
    return f"http://127.0.0.1:{server.port}"


@pytest.fixture(autouse=True)
def no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DAMIER_TOKEN", raising=False)


def test_what_is_wrong_is_said_in_one_sentence(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused("bot") == "The following arguments are required: --server; see damier bot --help."
    assert refused("bot", "--server", "here").startswith("An address is written as http://127.0.0.1:8000, not 'here'.")
    assert refused("bot", "--server", address, "--engine", "weak").startswith(
        "A player is one of level:1..level:8, full, "
    )
    assert refused("bot", "--server", address, "--games", "chess").startswith("There is no game 'chess'")
    assert refused("bot", "--server", address, "--at-once", "0").startswith(
        "at-once takes a whole number from 1 to 100"
    )
    assert refused("bot", "--server", address, "--join", "x").startswith("An invitation is a link such as http://")
    assert refused("bot", "--server", address, "--clock", "3+2") == "--clock and --rated go with --seek."
    assert refused("bot", "--server", address, "--seek", "chess").startswith("There is no game 'chess'")
    assert refused("bot", "--server", address, "--seek", "chefa", "--rated") == "A rated match needs a clock."
    status, _, said = called("bot", "--server", address, "--tournament", "x")
    assert (status, said) == (2, "damier: There is no such tournament.\n")
    given = ("--token", "x", "--guest", "y")
    assert refused("bot", "--server", address, *given) == "Give either --token or --guest, not both."
    monkeypatch.setenv("DAMIER_TOKEN", "two words")
    assert refused("bot", "--server", address) == "A token is one word of letters, digits and signs."


def test_a_server_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.client.retry._FIRST_PAUSE", 100.0)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    said = refused("bot", "--server", f"http://127.0.0.1:{port}")
    assert said.startswith(f"The server 'http://127.0.0.1:{port}' cannot be reached: ")


def test_an_invitation_that_is_none_is_refused_by_the_server(address: str) -> None:
    assert refused("bot", "--server", address, "--join", f"{address}/m/nowhere#x") == "There is no such match."


def test_the_cookie_of_a_guest_is_kept_for_its_owner_alone(address: str, tmp_path: Path) -> None:
    file = tmp_path / "cookie"
    game = "chefa"
    words = ("bot", "--server", address, "--guest", str(file), "--engine", "random", "--begin", game, "--matches", "1")
    first, second = called(*words, "--json"), called(*words)
    assert (first[0], second[0]) == (0, 0)
    assert file.stat().st_mode & 0o777 == 0o600
    name = second[1].splitlines()[0].removeprefix("Plays as ").rstrip(".")
    assert f'"event": "named", "name": "{name}"' in first[1]
    file.write_bytes(bytes([255]))
    assert refused(*words).endswith(" holds no cookie.")
    assert refused("bot", "--server", address, "--guest", str(tmp_path)).startswith("The file ")


def test_a_bot_takes_the_seat_of_an_invitation_and_says_what_it_leaves(address: str) -> None:
    with Client(address) as ann:
        match = ann.begin("chefa", ["open", "me"])
        (invitation,) = match.invitations.values()
        words = ["--server", address, "--engine", "random", "--join", f"{address}/m/{match.number}#{invitation}"]
        command = [sys.executable, "-m", "damier", "bot", *words]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout
        try:
            while "plays" not in process.stdout.readline():
                assert process.poll() is None
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
        assert (process.returncode, err) == (0, "")
        assert out.splitlines()[-1] == f"Leaves 1 match: {match.number}. Start the bot again to play on."
        assert len(ann.match(match.number).history) == 1
