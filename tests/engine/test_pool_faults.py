"""A fault at every message between the pool and a worker process: the job is done all the same, and so is the next."""

import functools
import itertools
import logging
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

import damier
from damier.engine.engine import Engine
from damier.engine.fault import EngineFault
from damier.engine.limit import Limit
from damier.engine.pool.pool import AnalyseRequest, Workers
from damier.engine.pool.process import WorkerProcess
from damier.engine.pool.worker import Reply, Worker

PATIENCE = 60  # seconds after which what does not come is a failure
CHEFA = damier.load("chefa")
REQUEST = AnalyseRequest(CHEFA, limit=Limit(nodes=60))


def die_in_the_middle(replies: IO[bytes], data: bytes) -> None:
    replies.write(data[: len(data) // 2])
    replies.flush()
    os._exit(3)


def send_garbage(replies: IO[bytes], data: bytes) -> None:
    replies.write(b"\xff" * len(data))
    replies.flush()


def send_something_else(replies: IO[bytes], data: bytes) -> None:
    replies.write(pickle.dumps("no reply"))
    replies.flush()


def send_nothing(replies: IO[bytes], data: bytes) -> None:
    del replies, data


def break_reply(flag: Path, place: int, breaking: Callable[[IO[bytes], bytes], None]) -> None:
    """Breaks the reply at index `place` of the first process; runs in the worker process."""
    numbers, send = itertools.count(), Worker._reply

    def reply(worker: Worker, content: Reply) -> None:
        if next(numbers) == place and not flag.exists():
            flag.touch()
            breaking(worker._replies, pickle.dumps(content))
        else:
            send(worker, content)

    Worker._reply = reply  # type: ignore[assignment, method-assign]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Fills the cache, so that no process has to compile."""
    Engine(CHEFA).warm_up()


@pytest.mark.parametrize(
    "breaking",
    [send_something_else, *(pytest.param(each, marks=pytest.mark.slow) for each in (die_in_the_middle, send_garbage))],
)
def test_a_reply_that_is_broken_anywhere_costs_a_process_and_no_answer(
    tmp_path: Path, breaking: Callable[[IO[bytes], bytes], None]
) -> None:
    for place in itertools.count():
        flag = tmp_path / str(place)
        with Workers(count=1, prepare=functools.partial(break_reply, flag, place, breaking)) as pool:
            answers = [pool.submit(REQUEST).result(PATIENCE) for _ in range(2)]
        assert answers[0].lines == answers[1].lines != ()
        if not flag.exists():
            break
    assert place >= 5  # each of two requests has a report and an answer, and one of the replies says "ready"


def test_an_answer_that_never_comes_is_a_sentence_and_the_next_request_is_answered(tmp_path: Path) -> None:
    answer = 2 * len(list(Engine(CHEFA).analyse(CHEFA.record(), REQUEST.limit)))  # beyond the reports, at least
    for place in range(1, answer + 2):
        prepare = functools.partial(break_reply, tmp_path / str(place), place, send_nothing)
        with Workers(count=1, prepare=prepare, longest=0.5, grace=0.0) as pool:
            for _ in range(2):
                try:
                    assert pool.submit(REQUEST).result(PATIENCE).lines
                except EngineFault as fault:
                    assert str(fault) == "This took more than 0.5 s and was stopped."
            assert pool.submit(REQUEST).result(PATIENCE).lines
    assert (tmp_path / "1").exists()


@pytest.mark.parametrize("place", range(3))
def test_an_order_that_is_broken_anywhere_costs_a_process_and_no_answer(
    place: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken: list[int] = []

    class BrokenPipe:
        """A pipe that breaks in the middle of an order."""

        def __init__(self, pipe: IO[bytes]) -> None:
            self._pipe, self._numbers = pipe, itertools.count()

        def write(self, data: bytes) -> None:
            if next(self._numbers) == place and not broken:
                broken.append(place)
                self._pipe.write(data[: len(data) // 2])
                self._pipe.flush()
                self._pipe.close()
                raise BrokenPipeError
            self._pipe.write(data)

        def flush(self) -> None:
            self._pipe.flush()

        def __enter__(self) -> "BrokenPipe":
            return self

        def __exit__(self, *error: object) -> None:
            self._pipe.close()

    write = WorkerProcess._write

    def write_broken(process: WorkerProcess) -> None:
        assert process._process.stdin
        process._process.stdin = BrokenPipe(process._process.stdin)  # type: ignore[assignment]
        write(process)

    monkeypatch.setattr(WorkerProcess, "_write", write_broken)
    with caplog.at_level(logging.WARNING), Workers(count=1) as pool:
        answers = [pool.submit(REQUEST).result(PATIENCE) for _ in range(2)]
    assert broken
    assert answers[0].lines == answers[1].lines != ()
