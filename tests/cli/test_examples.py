"""Every example of every help text runs as it is written."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from damier.cli import main
from damier.cli.commands import COMMANDS
from damier.cli.examples import fill_in
from damier.core import folders
from damier.server.front.connections import Connections
from tests.cli.calling import called
from tests.server.databases import add_accounts, filled
from tests.server.listening import listening
from tests.solve.table_server import table_server

STOPPED = {"bench", "bot", "engine", "serve"}  # run until they are stopped, or for minutes
SERVER = "http://127.0.0.1:8000"  # that examples name; another one may be running on this machine
LONG = {"exam", "fit", "match", "puzzles", "train"}  # take ten seconds each
COMPLETED = [
    pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in COMMANDS if name not in STOPPED
]


def examples(command: str, capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    """Returns the examples in the help of a command, as words without the first, ``damier``."""
    with pytest.raises(SystemExit):
        main([command, "--help"])
    _, _, text = capsys.readouterr().out.partition("examples:\n")
    lines = [shlex.split(line) for line in text.splitlines()]
    assert lines
    assert all(words[0] == "damier" for words in lines)
    return [words[1:] for words in lines]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Builds the small table that some examples read."""
    folder = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folders, "table_folder", lambda: folder)
        assert main(shlex.split(fill_in("solve {small} --json"))) == 0
        yield


@pytest.fixture
def in_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes to an empty folder on a machine with one core, and puts the command ``damier`` on the path."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {0}, raising=False)
    program = tmp_path / "bin" / "damier"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m damier "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(os.path.abspath, filter(None, sys.path))))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the database that some examples read."""
    filled(tmp_path / "matches.sqlite", 3)
    add_accounts(tmp_path / "matches.sqlite", "Ann", "Bob")
    monkeypatch.setenv("DAMIER_DATABASE", str(tmp_path / "matches.sqlite"))


@pytest.fixture
def server(tables: None) -> Iterator[str]:  # they are what it serves
    """Starts the server of tables that some examples name, and returns its address."""
    with table_server(folders.table_folder()) as served:
        yield served.address


@pytest.mark.usefixtures("tables", "in_a_shell", "database")
@pytest.mark.parametrize("command", COMPLETED)
def test_the_examples_of_a_command_run(command: str, server: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = examples(command, capsys)
    assert any(words[0] == command for words in lines)
    for words in lines:
        status, out, err = called(*(server if word == SERVER else word for word in words))
        assert (status, err) == (0, ""), words
        assert out or "--svg" in words


@pytest.mark.slow
@pytest.mark.usefixtures("in_a_shell")
def test_the_examples_of_engine_run_until_the_stream_ends(capsys: pytest.CaptureFixture[str]) -> None:
    for words in examples("engine", capsys):
        if words[0] != "engine":
            status, out, err = called(*words)
            assert (status, err) == (0, ""), words
            assert out
            continue
        question = "list_commands\nquit\n" if "gtp" in words else "ugi\nquit\n"
        done = subprocess.run(["damier", *words], input=question, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, ""), words
        assert done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("in_a_shell")
@pytest.mark.parametrize("command", [pytest.param("bench", marks=pytest.mark.slow), "serve"])
def test_the_examples_of_long_commands_begin_and_can_be_stopped(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DAMIER_DATABASE", str(tmp_path / "matches.sqlite"))
    monkeypatch.setenv("BROWSER", "true")  # a program that does nothing
    for words in examples(command, capsys):
        if "--port" in words:
            words[words.index("--port") + 1] = "0"  # a free one: another server may be running on this machine
        process = subprocess.Popen(
            ["damier", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stdout
        try:
            line = "" if "--json" in words else process.stdout.readline()  # data is printed whole, at the end
            os.killpg(process.pid, signal.SIGINT)
            _, err = process.communicate(timeout=60)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        assert line or "--json" in words, err
        assert "Traceback" not in err or "--json" in words


@pytest.mark.slow
@pytest.mark.usefixtures("in_a_shell")
def test_the_examples_of_bot_play_until_they_are_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with listening(tmp_path, Connections(100, 100, ()), workers=1) as served:
        for words in examples("bot", capsys):
            words = [f"http://127.0.0.1:{served.port}" if word == SERVER else word for word in words]
            process = subprocess.Popen(["damier", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            assert process.stdout
            try:
                name, line = process.stdout.readline(), process.stdout.readline()
                while "--matches" not in words and not line.startswith("Ready"):
                    line = process.stdout.readline()
                if "--matches" not in words:
                    process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=120)
            finally:
                process.kill()
            assert name.startswith("Plays as ")
            assert (process.returncode, err) == (0, ""), words
            assert out.splitlines()[-1] == "Leaves no match."
        served.services.stop_streams()
