"""Compiling in the background: once for a process and once for a machine, and never for nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import damier
from damier.engine.engine import Engine
from damier.engine.limit import Limit
from damier.engine.methods.kernel_loader import KernelLoader
from tests.amounts import quick_and_slow

# A process that wants kernels; the child that would compile them is replaced by a pause that leaves a line.
WANTING = """
import sys, time
from pathlib import Path
import damier
from damier.engine.engine import Engine
from damier.engine.methods.kernel_loader import KernelLoader

def compile_in_child(self):
    with Path(sys.argv[1]).open("a") as file:
        file.write("compiled\\n")
    time.sleep(0.5)
    self._stamp().touch()

KernelLoader._compile_in_child = compile_in_child
loader = Engine(damier.load("chefa")).method.loader
loader.fill_cache()
print(loader.is_cached)
"""


@pytest.fixture
def children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replaces the children that compile in this process by entries in a list, with a cache of its own."""
    started: list[str] = []

    def compile_in_child(loader: KernelLoader) -> None:
        started.append(loader._game.name)
        time.sleep(0.2)

    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(KernelLoader, "_compile_in_child", compile_in_child)
    monkeypatch.setattr(KernelLoader, "load", lambda loader: loader.plain)
    return started


@pytest.mark.parametrize("count", quick_and_slow(5, 20))
def test_one_process_of_many_compiles(count: int, tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    environment = {**os.environ, "DAMIER_CACHE": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", WANTING, str(lines)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(count)]
    assert [process.communicate(timeout=120)[0].strip() for process in started] == ["True"] * count
    assert lines.read_text().splitlines() == ["compiled"]


def test_engines_of_a_process_start_one_child_for_a_game(children: list[str]) -> None:
    for name in ("chefa", "badia", "chefa", "badia", "chefa"):
        game = damier.load(name)
        *_, last = Engine(game).analyse(game.start, Limit(seconds=0.02))
        assert last.lines
    deadline = time.monotonic() + 10
    while len(children) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)  # for a child too many
    assert sorted(children) == ["badia", "chefa"]


def test_no_child_is_started_where_nothing_can_be_cached(
    children: list[str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "cache").write_text("a file in place of the folder")
    game = damier.load("chefa")
    for _ in range(3):
        engine = Engine(game)
        *_, last = engine.analyse(game.start, Limit(seconds=0.02))
        assert last.lines
    assert engine.method.loader.is_done.wait(10)
    assert children == []
    assert ["cannot be cached" in record.getMessage() for record in caplog.records] == [True]


def test_every_engine_that_waits_is_told_when_loading_begins(children: list[str]) -> None:
    loader = Engine(damier.load("chefa")).method.loader
    told = [threading.Event() for _ in range(3)]
    for event in told:
        loader.prepare(event.set)
    assert all(event.wait(10) for event in told)
    assert children == ["chefa"]
