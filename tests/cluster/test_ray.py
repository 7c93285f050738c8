"""Ray clusters of two nodes on this machine: the tables of every game, nodes and heads that are killed, and errors.

Ray runs in programs of its own here: its threads and sockets outlive what pytest would take for the end of a test.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

import damier
from damier.core.game import Game
from tests.shared import built_table

if sys.platform == "win32":
    pytest.skip("Ray's support of Windows is experimental", allow_module_level=True)

pytestmark = [pytest.mark.slow, pytest.mark.untraced]

RENFA_3 = ["renfa", "-o", "bombs=3"]
RENFA_4 = ["renfa", "-o", "bombs=4"]
WAITING = 900.0  # seconds
STARTS = 5  # of a cluster, at most, if the machine is busy


@dataclass
class TwoNodes:
    """A cluster that runs."""

    process: subprocess.Popen[str]
    address: str

    def kill_second(self) -> None:
        """Kills the second node."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("kill\n")
        self.process.stdin.flush()
        assert "KILLED" in self.process.stdout.readline()

    def kill_all(self) -> None:
        """Kills every process of the cluster, the head's first."""
        kill_tree(self.process)


@contextlib.contextmanager
def two_nodes(home: Path) -> Iterator[TwoNodes]:
    """Starts a cluster of two nodes with a core each; again if it does not start within Ray's 30 s."""
    for _ in range(STARTS):
        with _start_two_nodes(home) as process:
            assert process.stdout is not None
            line = "-"
            while line and not line.startswith("ADDRESS "):
                line = process.stdout.readline()
            if not line:
                continue
            try:
                yield TwoNodes(process, line.split()[1])
            finally:
                kill_tree(process)
            return
    pytest.fail(f"{STARTS} clusters did not start")


def _start_two_nodes(home: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.cluster.two_nodes"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "DAMIER_HOME": str(home)},
    )


def kill_tree(process: subprocess.Popen[str]) -> None:
    """Kills a process and all that it has started, and waits for their end."""
    with contextlib.suppress(psutil.NoSuchProcess):
        parent = psutil.Process(process.pid)
        family = [*parent.children(recursive=True), parent]
        for each in family:
            with contextlib.suppress(psutil.NoSuchProcess):
                each.kill()
        process.wait(WAITING)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoNodes]:
    with two_nodes(tmp_path_factory.mktemp("nodes")) as running:
        yield running


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "damier", *words]


def run(home: Path, *words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end."""
    environment = {**os.environ, "DAMIER_HOME": str(home)}
    done = subprocess.run(
        command(*words), env=environment, capture_output=True, text=True, timeout=WAITING, check=False
    )
    assert done.returncode == status, done.stderr
    return done


def answer(home: Path, *words: str) -> Any:
    return json.loads(run(home, *words, "--json").stdout)


def sha256(game: Game) -> str:
    """Returns the digest of the entries of a game's table that was built without a cluster."""
    return built_table(game).file.header.sha256


GAMES = [["renfa", "-o", "bombs=3"], ["chefa"], ["badia"]]


def load(words: list[str]) -> Game:
    return damier.load(words[0], **dict(word.split("=") for word in words[2:]))


@pytest.mark.parametrize("words", GAMES, ids=" ".join)
def test_tables_are_those_of_one_machine(cluster: TwoNodes, tmp_path: Path, words: list[str]) -> None:
    found = answer(tmp_path, "solve", *words, "--cluster", cluster.address, "--node-memory", "2G")
    assert found["sha256"] == sha256(load(words))
    assert [path.suffix for path in (tmp_path / "tables").iterdir()] == [".table"]  # no tiers are left
    if words == RENFA_3:
        checked = answer(tmp_path, "verify", *words, "--cluster", cluster.address)
        assert checked["verified"]


def test_a_cluster_on_this_machine_starts_and_ends_with_the_command(tmp_path: Path) -> None:
    found = answer(tmp_path, "solve", *RENFA_3, "--cluster", "local", "--nodes", "2", "--shared", str(tmp_path / "s"))
    assert found["sha256"] == sha256(load(RENFA_3))
    assert list((tmp_path / "s").rglob("*-solved-*.piece"))
    words = "solve", *RENFA_3, "--cluster", "local", "--nodes", "1", "--shared", f"file://{tmp_path}/s"
    again = run(tmp_path, *words, "--again", "--log-level", "info")
    assert "The shared place has 9 of 9 tiers." in again.stderr
    assert not [each for each in psutil.process_iter() if _is_ray(each, tmp_path)]


def _is_ray(process: psutil.Process, home: Path) -> bool:
    """Tells whether a process belongs to a cluster that a command with this home has started."""
    with contextlib.suppress(psutil.Error):
        is_own = process.environ().get("DAMIER_HOME") == str(home)
        return is_own and any(name in process.name() for name in ("raylet", "gcs_server"))
    return False


@contextlib.contextmanager
def building(home: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Starts a build of the game with four bombs, and waits until a small tier is solved."""
    environment = {**os.environ, "DAMIER_HOME": str(home), "RAY_gcs_rpc_server_reconnect_timeout_s": "5"}
    with subprocess.Popen(
        command("solve", *RENFA_4, "--log-level", "info", "--json", *words),
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            lines: list[str] = []
            while not any("Solved '2 against 4 bombs'" in line for line in lines):
                lines.append(process.stderr.readline())
                assert lines[-1], "".join(lines)
            yield process
        finally:
            kill_tree(process)


def test_a_node_killed_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    with two_nodes(tmp_path) as running, building(tmp_path, "--cluster", running.address) as process:
        running.kill_second()
        out, err = process.communicate(timeout=WAITING)
    assert process.returncode == 0, err
    assert "is lost; the others go on" in err
    assert json.loads(out)["sha256"] == sha256(load(RENFA_4))


def test_a_worker_killed_in_the_middle_changes_nothing(cluster: TwoNodes, tmp_path: Path) -> None:
    with building(tmp_path, "--cluster", cluster.address) as process:
        family = psutil.Process(cluster.process.pid).children(recursive=True)
        titles = {each: " ".join(_words(each)) for each in family}
        workers = [each for each, title in titles.items() if re.match("ray::(?!IDLE|.*Agent)", title)]
        assert len(workers) == 2, titles
        workers[0].kill()
        out, err = process.communicate(timeout=WAITING)
    assert process.returncode == 0, err
    assert "another one takes its place" in err
    assert json.loads(out)["sha256"] == sha256(load(RENFA_4))


def _words(process: psutil.Process) -> list[str]:
    with contextlib.suppress(psutil.Error):
        return process.cmdline()
    return []


def test_after_the_loss_of_the_head_a_new_cluster_goes_on(tmp_path: Path) -> None:
    shared = ["--shared", str(tmp_path / "shared")]
    with two_nodes(tmp_path) as running, building(tmp_path, "--cluster", running.address, *shared) as process:
        running.kill_all()
        _, err = process.communicate(timeout=WAITING)
        assert process.returncode != 0, err
    _damage(next((tmp_path / "shared").rglob("001-solved-*.piece")))
    with two_nodes(tmp_path) as running:
        words = "solve", *RENFA_4, "--cluster", running.address, *shared, "--log-level", "info", "--json"
        done = run(tmp_path, *words)
    assert "The shared place has " in done.stderr
    assert "is damaged and not used" in done.stderr
    assert json.loads(done.stdout)["sha256"] == sha256(load(RENFA_4))


def _damage(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[-1] ^= 255
    file.write_bytes(data)


def test_a_killed_driver_leaves_no_process_and_the_next_one_goes_on(tmp_path: Path) -> None:
    with building(tmp_path, "--cluster", "local", "--nodes", "2") as process:
        family = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        at_work = [each for each in family if not re.match("ray::.*Agent", " ".join(_words(each)))]
        _, alive = psutil.wait_procs(at_work, timeout=60)  # Ray's agents take a minute or two
        assert not alive
    done = run(tmp_path, "solve", *RENFA_4, "--cluster", "local", "--nodes", "1", "--log-level", "info", "--json")
    assert "The shared place has " in done.stderr
    assert json.loads(done.stdout)["sha256"] == sha256(load(RENFA_4))


def test_other_commands_give_the_same_on_a_cluster(cluster: TwoNodes, tmp_path: Path) -> None:
    home = tmp_path / "home"
    tables = built_table(load(RENFA_3))
    shutil.copytree(tables.folder, home / "tables")
    for words in (
        ["playouts", "chefa", "50000", "--seed", "5"],
        ["match", "chefa", "--a", "level:2", "--b", "random", "--games", "6", "--nodes", "20", "--max-turns", "40"],
        ["fit", "chefa", "--games", "6", "--nodes", "20"],
        ["fit", "chefa", "--by", "matches", "--games", "4", "--nodes", "20"],
    ):
        alone, together = answer(home, *words), answer(home, *words, "--cluster", cluster.address)
        timings = {"seconds", "games_per_second", "actions_per_second", "threads"}
        assert {key: alone[key] for key in set(alone) - timings} == {key: together[key] for key in set(alone) - timings}
    played = ["selfplay", *RENFA_3, "--games", "10", "--nodes", "20", "--exact", "--out"]
    run(home, *played, str(tmp_path / "alone.npz"))
    run(home, *played, str(tmp_path / "together.npz"), "--cluster", cluster.address)
    assert (tmp_path / "alone.npz").read_bytes() == (tmp_path / "together.npz").read_bytes()
    made = ["puzzles", *RENFA_3, "--make", "--count", "2", "--seed", "3", "--json"]
    assert run(home, *made).stdout == run(home, *made, "--cluster", "local").stdout


def refused(home: Path, *words: str) -> str:
    done = run(home, *words, status=2)
    lines = [line for line in done.stderr.splitlines() if line.startswith("damier: ")]
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_what_cannot_be_done_is_refused_in_one_sentence(cluster: TwoNodes, tmp_path: Path) -> None:
    solve = "solve", *RENFA_3, "--cluster"
    assert "needs 402.1 MB of memory on each node, which has 200.0 MB" in refused(
        tmp_path, *solve, cluster.address, "--node-memory", "200M"
    )
    assert "There is no Ray cluster at '127.0.0.1:1'" in refused(tmp_path, *solve, "127.0.0.1:1")
    assert "--cluster takes local or the address" in refused(tmp_path, *solve, "here")
    assert "cannot be written" in refused(tmp_path, *solve, "local", "--shared", "nowhere://x")
    assert "--nodes needs --cluster" in refused(tmp_path, "solve", *RENFA_3, "--nodes", "2")
    assert "has a die" in refused(tmp_path, "solve", "omba", "--cluster", "local")
    assert not (tmp_path / "tables").exists() or not any((tmp_path / "tables").iterdir())
    with contextlib.closing(_server()) as server:
        assert "There is no Ray cluster at" in refused(tmp_path, *solve, f"127.0.0.1:{server.getsockname()[1]}")


def _server() -> Any:
    """Returns a socket that takes connections and says nothing, as something else than Ray."""
    import socket

    return socket.create_server(("127.0.0.1", 0))


def test_a_node_keeps_to_its_memory(tmp_path: Path) -> None:
    program = (
        "import numpy as np; from damier.cluster.ray_nodes import limit_memory; limit_memory(200 << 20);"
        "a = np.ones(10 << 20, np.uint8); print('small', flush=True); b = np.ones(400 << 20, np.uint8)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "small\n"
    assert "MemoryError" in done.stderr
