"""`make run-cluster`: several servers on this machine, which leave nothing behind but their data."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from filelock import FileLock

from tools import debian
from tools.local_cluster import LocalCluster, NoCluster, main

ROOT = Path(__file__).parent.parent.parent.parent
PATIENCE = 120.0


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that other users can pass through, as PostgreSQL's may have to."""
    with tempfile.TemporaryDirectory(prefix="damier-cluster-", ignore_cleanup_errors=True) as name:
        yield Path(name)


def test_a_port_in_use_is_refused_with_one_sentence(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["--folder", str(folder), "--port", str(port)]) == 2
    said = capsys.readouterr().err
    assert re.fullmatch(rf"Port {port} cannot be used \(.+\): choose another with --port\.\n", said)
    assert list(folder.iterdir()) == []


def test_a_number_of_servers_out_of_bounds_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--servers", "0"])
    assert ended.value.code == 2
    assert "--servers takes a number from 1 to 16." in capsys.readouterr().err


def test_two_clusters_do_not_use_one_folder(folder: Path) -> None:
    cluster = LocalCluster(folder)
    with FileLock(folder / "lock"), pytest.raises(NoCluster, match="Another cluster uses the folder "):
        cluster.start()
    assert cluster.servers == []


@contextlib.contextmanager
def running(folder: Path, port: int) -> Iterator[str]:
    """Runs the command with one server, and ends it as Ctrl-C does; yields the address of the proxy."""
    options = ["--servers", "1", "--folder", str(folder), "--port", str(port)]
    command = [sys.executable, "-m", "tools.local_cluster", *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        assert process.stdout
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith("Ctrl-C"):
                break
        assert lines[0] == f"The proxy:  http://127.0.0.1:{port}/\n"
        yield f"http://127.0.0.1:{port}/"
        for _ in range(2):  # somebody who is impatient
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0


def processes_of(folder: Path) -> list[psutil.Process]:
    """Returns the processes that name a folder, in their command line or environment."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if any(str(folder) in word for word in (*process.cmdline(), *process.environ().values())):
                found.append(process)
    return found


@pytest.mark.slow
def test_a_cluster_leaves_its_data_and_nothing_else(folder: Path) -> None:
    port = debian.free_port()
    with running(folder, port) as address:
        data = json.dumps({"game": "chefa", "seats": ["me", "me"]}).encode()
        asked = urllib.request.Request(f"{address}api/matches", data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            number = json.load(answer)["number"]
    assert processes_of(folder) == []
    with (
        running(folder, port) as address,
        urllib.request.urlopen(f"{address}api/matches/{number}", timeout=PATIENCE) as answer,
    ):
        assert json.load(answer)["number"] == number
    assert processes_of(folder) == []
