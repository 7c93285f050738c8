"""What is refused before Ray does anything: a missing extra, addresses without a cluster, options without one."""

import socket
import sys
import threading
from contextlib import closing

import pytest

from damier.cluster import ray_nodes
from damier.cluster.ray_nodes import _check_address
from damier.core.errors import BadArgument
from tests.cli.calling import called


@pytest.mark.parametrize("package", ["ray", "fsspec"])
@pytest.mark.parametrize("words", [["playouts", "chefa", "10"], ["solve", "chefa"]])
def test_without_the_extra_the_command_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, package: str, words: list[str]
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    status, _, err = called(*words, "--cluster", "local")
    assert status == 2
    assert err.endswith(
        "damier: --cluster needs packages that are not installed: 'pip install \"damier[cluster]\"' installs them.\n"
    )


@pytest.mark.parametrize("address", ["", "here", "10.0.0.1", "10.0.0.1:", ":1", "ray://10.0.0.1:1", "a:99999", "a b:1"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(BadArgument, match=r"--cluster takes local or the address of a Ray cluster"):
        _check_address(address)


def test_an_address_where_nothing_or_something_else_answers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setattr(ray_nodes, "_ANSWERING", 0.2)
        with pytest.raises(BadArgument, match=f"There is no Ray cluster at '{address}': timed out"):
            _check_address(address)
        monkeypatch.setattr(ray_nodes, "_ANSWERING", 20.0)

        def answer() -> None:
            server.accept()[0].close()  # the one that was given up
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                connection.recv(100)

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(BadArgument, match="something else answers"):
            _check_address(address)
        thread.join()
    with pytest.raises(BadArgument, match="There is no Ray cluster at"):
        _check_address(address)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["solve", "chefa", "--nodes", "2"], "--nodes needs --cluster."),
        (["verify", "chefa", "--shared", "here"], "--shared needs --cluster."),
        (["solve", "chefa", "--node-memory", "2G"], "--node-memory needs --cluster."),
        (["solve", "chefa", "--cluster", "local", "--memory", "2G"], "Give either --cluster or --memory, not both."),
        (["solve", "omba", "--cluster", "local"], "without --cluster."),
        (["solve", "renfa", "-o", "size=6", "-o", "bombs=3", "--cluster", "local"], "too long for a byte"),
        (["solve", "chefa", "--cluster", "local", "--node-memory", "9"], "needs 507.9 MB of memory on each node"),
        (["puzzles", "chefa", "--cluster", "local"], "--cluster needs --make."),
    ],
)
def test_options_that_do_not_fit_are_refused(
    words: list[str], sentence: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMIER_HOME", str(tmp_path))
    status, _, err = called(*words)
    assert status == 2
    assert sentence in err
    assert err.count("\n") == 1
