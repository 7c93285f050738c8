"""Calls on several processes: in order, again if a process dies, and none is left when the command is killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from damier.engine.pool.pool import WorkerDied
from damier.insight.train.task_runner import task_runner


def doubled(number: int) -> int:
    return 2 * number


def dies_once(number: int, folder: Path) -> int:
    """Kills the process of the first call with this number."""
    mark = folder / str(number)
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def always_dies(_number: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_answers_come_in_the_order_of_the_calls() -> None:
    with task_runner(2) as runner:
        assert list(runner.call(doubled, ((number,) for number in range(20)))) == list(range(0, 40, 2))
        assert list(runner.call(doubled, ())) == []


def test_few_calls_are_taken_before_they_are_needed() -> None:
    taken = 0

    def calls() -> Iterator[tuple[int]]:
        nonlocal taken
        for taken in range(1, 1001):
            yield (taken,)

    with task_runner(2) as runner:
        answers = runner.call(doubled, calls())
        assert [next(answers) for _ in range(3)] == [2, 4, 6]
        assert taken < 12


def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    with task_runner(2) as runner:
        assert list(runner.call(dies_once, ((number, tmp_path) for number in range(8)))) == list(range(8))


def test_a_call_that_no_process_survives_is_given_up_with_a_sentence() -> None:
    with task_runner(2) as runner, pytest.raises(WorkerDied, match="The engine died 3 times over this request"):
        list(runner.call(always_dies, [(1,)]))


@pytest.mark.slow
@pytest.mark.parametrize("kill", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_no_process_is_left_when_the_command_ends(kill: signal.Signals, tmp_path: Path) -> None:
    file = tmp_path / "games.npz"
    words = ["selfplay", "chefa", "--games", "100000", "--nodes", "50", "--jobs", "2", "--out", str(file)]
    command = subprocess.Popen([sys.executable, "-m", "damier", *words], stderr=subprocess.PIPE)
    deadline = time.monotonic() + 120
    children: list[psutil.Process] = []
    while len(children) < 2:
        assert time.monotonic() < deadline
        children = psutil.Process(command.pid).children(recursive=True)
        time.sleep(0.1)
    command.send_signal(kill)
    _, said = command.communicate(timeout=60)
    assert b"Traceback" not in said
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive
