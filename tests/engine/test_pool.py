"""Engines in processes of their own: the same answers, stopping, dying, nonsense, fairness, and nothing left behind."""

import asyncio
import concurrent.futures
import dataclasses
import functools
import os
import pickle
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from typing import IO, Any

import pytest

import damier
from damier.core.errors import BadArgument, DamierError
from damier.engine.analysis import Analysis
from damier.engine.engine import Engine
from damier.engine.fault import EngineFault
from damier.engine.levels import LevelPlayer
from damier.engine.limit import Limit
from damier.engine.pool.pool import AnalyseRequest, ChooseRequest, Job, QueueFull, Workers
from damier.engine.pool.request import ANALYSING, LIVE
from damier.engine.pool.worker import Worker

PATIENCE = 60  # seconds after which what does not come is a failure
CHEFA, SENSEI = damier.load("chefa"), damier.load("sensei")
FEW = Limit(nodes=300)
SHORT, ENDLESS = AnalyseRequest(CHEFA, limit=FEW), AnalyseRequest(SENSEI)
OVER = "5/5/W3W/W3W/BBBB1 w 0,0 -"
GAMES: list[tuple[str, dict[str, object], tuple[str, ...]]] = [
    ("renfa", {"size": 6}, ("a1", "b2")),
    ("chefa", {}, ("c2",)),
    ("badia", {}, ("a1",)),
    ("sensei", {"variant": "arashi"}, ("a1-a2",)),
    ("omba", {}, ("roll:3",)),
    ("omba", {"players": 3}, ("roll:2",)),
]


class Call:
    """What is called in the process that is sent it."""

    def __init__(self, function: Callable[..., object], *args: object) -> None:
        self._called = function, args

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self._called


def calling(function: Callable[..., object], *args: object) -> AnalyseRequest:
    """Returns a request that calls a function in the process that gets it."""
    return AnalyseRequest(CHEFA, actions=Call(function, *args), limit=FEW)  # type: ignore[arg-type]


def timeless(analysis: Analysis) -> Analysis:
    return dataclasses.replace(analysis, seconds=0)


def expected(request: AnalyseRequest) -> Analysis:
    """Returns what an engine in this process finds."""
    record = request.game.record(request.start)
    for action in request.actions:
        record.play(action)
    *_, last = Engine(request.game, method=request.method).analyse(record, request.limit, request.lines)
    return timeless(last)


def begun(job: Job[Analysis]) -> Job[Analysis]:
    """Waits until a job has a first result."""
    next(job.results())
    return job


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Fills the cache, so that no process has to compile."""
    for game in (CHEFA, SENSEI):
        Engine(game).warm_up()


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(count=2) as pool:
        yield pool


@pytest.fixture
def one() -> Iterator[Workers]:
    """One process, which has been started."""
    with Workers(count=1) as pool:
        pool.submit(SHORT).result(PATIENCE)
        yield pool


# Answers


@pytest.mark.parametrize(("name", "options", "actions"), GAMES)
def test_an_analysis_is_the_one_of_an_engine_in_this_process(
    workers: Workers, name: str, options: dict[str, object], actions: tuple[str, ...]
) -> None:
    request = AnalyseRequest(damier.load(name, **options), actions=actions, limit=FEW, lines=2)
    assert timeless(workers.submit(request).result(PATIENCE)) == expected(request)


def test_an_analysis_begins_where_it_is_told_to_and_as_it_is_told_to(workers: Workers) -> None:
    start = "5/5/W3W/B1B2/BB1WW b 0,0 -"
    request = AnalyseRequest(CHEFA, start, ("c2-d2",), Limit(nodes=500), 4, 1, "mcts")
    found = workers.submit(request).result(PATIENCE)
    assert timeless(found) == expected(request)
    assert (found.mover, len(found.lines)) == ("w", 4)


def test_an_analysis_values_a_draw_at_exactly_half_whoever_has_played_before(one: Workers) -> None:
    """Players avoid draws; analyses in the same process do not."""
    turns = ("d1^e1", "end", "d7^e7", "end", "e1^d1", "end", "e7^d7", "end")
    repeated = (*turns, *turns[:-1])  # the end of this turn repeats the position for the third time
    one.submit(ChooseRequest(SENSEI, actions=repeated, limit=FEW)).result(PATIENCE)
    found = one.submit(AnalyseRequest(SENSEI, actions=repeated, limit=Limit(depth=2), lines=30)).result(PATIENCE)
    assert {line.actions[0]: line.value.chances for line in found.lines}["end"] == (0.5, 0.5)


def test_an_analysis_of_a_game_that_is_over_has_no_lines(workers: Workers) -> None:
    job = workers.submit(AnalyseRequest(CHEFA, OVER, limit=FEW))
    assert job.result(PATIENCE) == Analysis("w", 0, 0, 0.0, ())
    assert list(job.results()) == []


@pytest.mark.parametrize(("name", "options", "actions"), GAMES)
@pytest.mark.parametrize("level", [1, 4, 8])
def test_a_choice_is_the_one_of_a_player_in_this_process(
    workers: Workers, level: int, name: str, options: dict[str, object], actions: tuple[str, ...]
) -> None:
    game = damier.load(name, **options)
    record = game.record()
    for action in actions:
        record.play(action)
    chosen = workers.submit(ChooseRequest(game, None, actions, level, 7, FEW)).result(PATIENCE)
    assert chosen == LevelPlayer(game, level, 7).choose(record, FEW)


def test_analyses_grow_and_a_late_listener_gets_all(workers: Workers) -> None:
    job = workers.submit(AnalyseRequest(CHEFA, limit=Limit(nodes=3000)))
    found = list(job.results())
    assert len(found) > 2
    assert found[-1] == job.result(PATIENCE)
    assert found[-1].depth > found[0].depth
    assert list(job.results()) == found


def test_a_choice_has_no_analyses_to_hear(workers: Workers) -> None:
    assert list(workers.submit(ChooseRequest(CHEFA, level=1)).results()) == []


def test_any_number_of_threads_may_ask(workers: Workers) -> None:
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda i: workers.submit(SHORT, str(i)).result(PATIENCE), range(24)))
    assert {timeless(each) for each in found} == {expected(SHORT)}


# Event loops


def test_a_job_can_be_awaited_and_watched_in_an_event_loop(workers: Workers) -> None:
    async def main() -> None:
        job = workers.submit(AnalyseRequest(CHEFA, limit=Limit(nodes=3000)))
        found = [analysis async for analysis in job.aresults()]
        assert found[-1] == await job
        assert await workers.submit(ChooseRequest(CHEFA, level=1)) == await asyncio.wrap_future(
            workers.submit(ChooseRequest(CHEFA, level=1))
        )

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


def test_a_failure_is_raised_in_an_event_loop(workers: Workers) -> None:
    async def main() -> None:
        job = workers.submit(AnalyseRequest(CHEFA, "nonsense"))
        with pytest.raises(damier.BadPosition):
            await job
        with pytest.raises(damier.BadPosition):
            async for _ in job.aresults():
                pass

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


def test_a_task_that_is_cancelled_cancels_its_job(one: Workers) -> None:
    async def main() -> None:
        job = one.submit(ENDLESS)
        task = asyncio.ensure_future(job)
        async for _ in job.aresults():
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert job.cancelled()
        await one.submit(SHORT)

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


# Cancelling


@pytest.mark.parametrize("request_", [ENDLESS, ChooseRequest(SENSEI, limit=Limit())])
def test_a_cancelled_job_frees_its_process(one: Workers, request_: Any) -> None:
    running: Job[Any] = one.submit(request_)
    next_one = one.submit(SHORT)
    assert running.cancel()
    assert timeless(next_one.result(PATIENCE)) == expected(SHORT)
    with pytest.raises(CancelledError):
        running.result(PATIENCE)


def test_what_was_found_before_a_job_was_cancelled_can_be_heard(one: Workers) -> None:
    job = begun(one.submit(ENDLESS))
    assert job.cancel()
    assert list(job.results())
    assert concurrent.futures.wait([job], PATIENCE).done == {job}


def test_a_job_that_is_cancelled_while_it_waits_is_dropped(one: Workers) -> None:
    running = begun(one.submit(ENDLESS))
    waiting = one.submit(SHORT)
    assert waiting.cancel()
    assert list(waiting.results()) == []
    assert not running.done()
    running.cancel()
    one.submit(SHORT).result(PATIENCE)
    assert list(waiting.results()) == []


# Dying


def test_the_job_of_a_killed_process_is_done_by_another() -> None:
    with Workers(count=2) as workers:
        workers.submit(SHORT).result(PATIENCE)
        (first,) = workers.pids
        os.kill(first, signal.SIGSTOP)
        stuck = workers.submit(SHORT)
        assert timeless(workers.submit(SHORT).result(PATIENCE)) == expected(SHORT)
        assert not stuck.done()
        os.kill(first, signal.SIGKILL)
        assert timeless(stuck.result(PATIENCE)) == expected(SHORT)
        assert first not in workers.pids
        assert not is_alive(first)


@pytest.mark.parametrize(
    "request_",
    [calling(signal.raise_signal, signal.SIGKILL), calling(os._exit, 0), calling(bytearray, sys.maxsize)],
    ids=["killed", "exited", "out of memory"],
)
def test_a_job_over_which_two_processes_die_is_given_up(request_: AnalyseRequest) -> None:
    with Workers(count=2) as workers:
        other = begun(workers.submit(ENDLESS))
        deadly = workers.submit(request_)
        with pytest.raises(EngineFault) as fault:
            deadly.result(PATIENCE)
        assert str(fault.value) == "The engine died 2 times over this request, which is given up."
        assert not other.done()
        assert workers.submit(SHORT).result(PATIENCE)


def test_faults_of_processes_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with Workers(count=1) as workers:
        for request in (calling(int, "x"), calling(os._exit, 3)):
            with pytest.raises(EngineFault):
                workers.submit(request, "Ann").result(PATIENCE)
    failed, *died = caplog.records
    assert (failed.name, failed.levelname) == ("damier.engine.pool.worker", "ERROR")
    assert "ValueError: invalid literal" in failed.getMessage()
    assert [record.name for record in died] == ["damier.engine.pool.pool"] * 2
    for number, record in enumerate(died, 1):
        assert re.fullmatch(
            rf"worker process \d+ died with status 3 on AnalyseRequest, try {number} of 2",
            record.getMessage(),
        )


def test_an_idle_process_that_is_killed_is_replaced(one: Workers) -> None:
    (pid,) = one.pids
    os.kill(pid, signal.SIGKILL)
    assert one.submit(SHORT).result(PATIENCE)
    assert one.pids != [pid]


def test_a_search_that_does_not_end_in_time_is_reported_and_its_process_replaced() -> None:
    with Workers(count=1, grace=0.5) as workers:
        workers.submit(SHORT).result(PATIENCE)
        (pid,) = workers.pids
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(EngineFault) as fault:
            workers.submit(AnalyseRequest(CHEFA, limit=Limit(seconds=0.1))).result(PATIENCE)
        assert str(fault.value) == "This took more than 0.6 s and was stopped."
        assert workers.submit(SHORT).result(PATIENCE)
        assert pid not in workers.pids


def test_a_search_without_a_limit_ends_after_the_longest_time() -> None:
    with Workers(count=1, longest=0.5) as workers, pytest.raises(EngineFault, match=r"more than 0\.5 s"):
        list(workers.submit(ENDLESS).results())


def test_a_full_pipe_to_one_process_does_not_stop_the_others() -> None:
    with Workers(count=2) as workers:
        workers.submit(SHORT).result(PATIENCE)
        (first,) = workers.pids
        os.kill(first, signal.SIGSTOP)
        long = workers.submit(AnalyseRequest(CHEFA, actions=tuple(map(str, range(100_000)))))
        assert workers.submit(SHORT).result(PATIENCE)
        os.kill(first, signal.SIGCONT)
        with pytest.raises(damier.IllegalAction):
            long.result(PATIENCE)


def test_a_process_that_cannot_be_started_fails_its_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with Workers(count=1) as workers, pytest.raises(EngineFault) as fault:
        workers.submit(ENDLESS).result(PATIENCE)
    assert str(fault.value) == "An engine does not start: No such file or directory."


# Nonsense


def badly_optioned() -> damier.Game:
    game = damier.load("renfa")
    game.options = {**game.options, "size": 99}
    return game


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (
            AnalyseRequest(CHEFA, "nonsense"),
            "A position has 4 fields separated by one space (board side hand ko), not 'nonsense'.",
        ),
        (AnalyseRequest(CHEFA, actions=("a1", "a1")), "There is already a pawn on a1."),
        (AnalyseRequest(CHEFA, actions=("z9",)), "There is no cell z9 on this board."),
        (AnalyseRequest(CHEFA, lines=0), "lines takes a whole number from 1 to 1000, not '0'."),
        (AnalyseRequest(CHEFA, threads=0), "threads takes a whole number from 1 to 64, not '0'."),
        (AnalyseRequest(CHEFA, method="x"), "The method is one of alphabeta, expectimax, mcts, not 'x'."),
        (AnalyseRequest(CHEFA, method="expectimax"), "The method expectimax does not suit this game."),
        (AnalyseRequest(badly_optioned()), "The option size takes a whole number from 5 to 8, not '99'."),
        (ChooseRequest(CHEFA, level=99), "The level takes a whole number from 1 to 8, not '99'."),
        (ChooseRequest(CHEFA, OVER, level=1), "The game is over. Black wins: four pawns in a line."),
        (ChooseRequest(damier.load("omba")), "The die is due, so there is nothing to choose."),
        (calling(int, "x"), "The engine has failed; the log says why."),
    ],
)
def test_nonsense_fails_with_its_sentence_and_harms_no_process(workers: Workers, request_: Any, sentence: str) -> None:
    workers.submit(SHORT).result(PATIENCE)
    before = workers.pids
    with pytest.raises(DamierError) as error:
        workers.submit(request_).result(PATIENCE)
    assert str(error.value) == sentence
    assert set(before) <= set(workers.pids)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"count": 0}, "count takes a whole number from 1 to 1024, not '0'."),
        ({"memory": 0}, "memory takes a whole number from 1 to 1048576, not '0'."),
        ({"per_owner": 0}, "per_owner takes a whole number from 1 to 1024, not '0'."),
        ({"queued_per_owner": -1}, "queued_per_owner takes a whole number from 1 to 1000000, not '-1'."),
    ],
)
def test_workers_refuse_impossible_numbers(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadArgument) as error:
        Workers(**arguments)
    assert str(error.value) == sentence


# Fairness


def test_choosing_comes_before_analysing_and_otherwise_who_came_first(one: Workers) -> None:
    done: queue.SimpleQueue[str] = queue.SimpleQueue()
    running = begun(one.submit(ENDLESS))
    jobs: list[Job[Any]] = []
    for name in ("first analysis", "second analysis"):
        jobs.append(one.submit(SHORT))
        jobs[-1].add_done_callback(lambda _, name=name: done.put(name))  # type: ignore[misc]
    jobs.append(one.submit(ChooseRequest(CHEFA, level=1)))
    jobs[-1].add_done_callback(lambda _: done.put("choice"))
    running.cancel()
    assert [done.get(timeout=PATIENCE) for _ in jobs] == ["choice", "first analysis", "second analysis"]


def test_who_holds_fewer_processes_comes_first() -> None:
    with Workers(count=2) as workers:
        running = [begun(workers.submit(ENDLESS, owner)) for owner in ("busy", "other")]
        more = workers.submit(ENDLESS, "busy")
        new = workers.submit(SHORT, "new")
        running[1].cancel()
        new.result(PATIENCE)
        begun(more)


def test_nobody_holds_more_than_a_share_even_if_nobody_else_waits() -> None:
    with Workers(count=2, per_owner=1) as workers:
        first, second = begun(workers.submit(ENDLESS, "greedy")), workers.submit(ENDLESS, "greedy")
        assert workers.load() == {ANALYSING: (1, 1)}
        assert workers.submit(SHORT, "other").result(PATIENCE)
        assert not first.done()
        assert not second.running()
        first.cancel()
        begun(second)


def test_playing_stops_an_analysis_which_goes_on_later(one: Workers) -> None:
    times = []
    analysis = begun(one.submit(ENDLESS, "analyst"))
    for number in range(5):
        reports = analysis.results()
        next(reports)
        began = time.monotonic()
        choice = one.submit(ChooseRequest(CHEFA, level=1, seed=number), f"player {number}")
        assert choice.result(PATIENCE)
        times.append(time.monotonic() - began)
        assert not analysis.done()
    assert min(times) < 0.5  # seconds: to stop the one and do the other, on a busy machine; 60 before
    analysis.cancel()


def test_a_short_analysis_stops_the_live_one_of_the_same_owner() -> None:
    with Workers(count=1, per_owner=1) as workers:
        live = begun(workers.submit(dataclasses.replace(ENDLESS, priority=LIVE), "ann"))
        assert workers.submit(SHORT, "ann").result(PATIENCE)
        assert not live.done()


def test_a_group_that_holds_every_process_gives_one_back() -> None:
    with Workers(count=2, per_owner=1) as workers:
        held = [begun(workers.submit(ENDLESS, owner, group="house")) for owner in ("ann", "bob")]
        begun(workers.submit(ENDLESS, "eve", group="elsewhere"))
        assert not any(job.done() for job in held)
        assert workers.load() == {ANALYSING: (1, 2)}


def test_processes_can_be_started_and_prepared_before_they_are_needed() -> None:
    with Workers(count=2, prepare=functools.partial(os.putenv, "PREPARED", "yes"), niceness=1) as workers:
        workers.start()
        assert len(workers.pids) == 2
        assert workers.submit(SHORT).result(PATIENCE)


def test_a_nice_process_is_in_the_session_of_its_parent_where_niceness_counts_but_ctrl_c_does_not_reach_it() -> None:
    with Workers(count=1, niceness=3) as pool:
        pool.submit(SHORT).result(PATIENCE)
        (pid,) = pool.pids
        assert os.getsid(pid) == os.getsid(0)
        assert os.getpgid(pid) == pid != os.getpgid(0)
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + 3)


def test_what_had_to_make_way_is_done_later(one: Workers) -> None:
    done: queue.SimpleQueue[str] = queue.SimpleQueue()
    os.kill(one.pids[0], signal.SIGSTOP)  # does not stop by itself, and is killed
    analysis = one.submit(SHORT, "analyst")
    choice = one.submit(ChooseRequest(CHEFA, level=1), "player")
    for name, job in (("choice", choice), ("analysis", analysis)):
        job.add_done_callback(lambda _, name=name: done.put(name))  # type: ignore[misc]
    assert [done.get(timeout=PATIENCE) for _ in range(2)] == ["choice", "analysis"]
    assert timeless(analysis.result()) == expected(SHORT)


def test_an_owner_with_too_many_waiting_requests_is_refused() -> None:
    with Workers(count=1, queued_per_owner=2) as workers:
        running = begun(workers.submit(ENDLESS, "eager"))
        waiting = [workers.submit(SHORT, "eager") for _ in range(2)]
        with pytest.raises(QueueFull) as refusal:
            workers.submit(SHORT, "eager")
        assert str(refusal.value) == "2 requests of yours are waiting already: wait until one is done."
        other = workers.submit(SHORT, "other")
        waiting[0].cancel()
        waiting.append(workers.submit(SHORT, "eager"))
        running.cancel()
        for job in (*waiting[1:], other):
            job.result(PATIENCE)


def test_a_full_queue_refuses_what_is_of_its_priority() -> None:
    with Workers(count=1, queued=2) as workers:
        begun(workers.submit(ENDLESS, "eager"))
        waiting = [workers.submit(ENDLESS, owner) for owner in ("ann", "bob")]
        with pytest.raises(QueueFull) as refusal:
            workers.submit(SHORT, "eve")
        assert str(refusal.value) == "Too many requests are waiting: try again in a moment."
        assert workers.submit(ChooseRequest(CHEFA, level=1), "eve").result(PATIENCE)
        assert not any(job.done() for job in waiting)


# The end


def test_closing_ends_all_processes_and_cancels_all_jobs() -> None:
    workers = Workers(count=2)
    jobs = [workers.submit(ENDLESS) for _ in range(4)]
    begun(jobs[0])
    pids = workers.pids
    os.kill(pids[1], signal.SIGSTOP)
    workers.close()
    workers.close()
    assert all(job.cancelled() for job in jobs)
    assert workers.pids == []
    assert not any(is_alive(pid) for pid in pids)
    with pytest.raises(BadArgument) as refusal:
        workers.submit(ENDLESS)
    assert str(refusal.value) == "The workers have been closed and take no more requests."


def test_a_callback_may_submit_and_close() -> None:
    workers = Workers(count=1)
    closed = threading.Event()

    def close(_: object) -> None:
        workers.close()
        closed.set()

    workers.submit(SHORT).add_done_callback(
        lambda _: workers.submit(ChooseRequest(CHEFA, level=1)).add_done_callback(close)
    )
    assert closed.wait(PATIENCE)


def test_nothing_is_started_before_it_is_needed() -> None:
    with Workers() as workers:
        assert workers.pids == []


PROGRAM = """
import damier
from damier.engine.pool.pool import AnalyseRequest, Workers

workers = Workers(count=2)
game = damier.load("sensei")
for job in [workers.submit(AnalyseRequest(game)) for _ in range(2)]:
    next(job.results())
print("busy", flush=True)
{then}
"""


@pytest.mark.parametrize("then", ["", "input()", "import os; os._exit(0)"], ids=["ends", "killed", "exits"])
def test_no_process_outlives_the_program(then: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(then=then)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,  # which its processes hold open as long as they live
        text=True,
    ) as program:
        assert program.stdout
        assert program.stdout.readline() == "busy\n"
        if then == "input()":
            program.kill()
        assert program.communicate(timeout=PATIENCE) == ("", "")


# Inside the process


class Inside:
    """A worker in a thread of this process, spoken to as its parent does."""

    def __init__(self) -> None:
        (read_orders, write_orders), (read_replies, write_replies) = os.pipe(), os.pipe()
        self.files: list[IO[bytes]] = [os.fdopen(read_orders, "rb"), os.fdopen(write_replies, "wb")]
        self.orders, self.replies = os.fdopen(write_orders, "wb"), os.fdopen(read_replies, "rb")
        self.left: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.worker = Worker(self.files[0], self.files[1], 1, self.left.put)
        self.thread = threading.Thread(target=self.worker.run, daemon=True)
        self.thread.start()

    def send(self, ticket: int, request: object, is_stopped: bool = False) -> None:
        self.orders.write(pickle.dumps((ticket, pickle.dumps(request))))
        if is_stopped:
            self.orders.write(pickle.dumps((ticket, None)))
        self.orders.flush()

    def answer(self, ticket: int) -> object:
        while True:
            number, is_last, content = pickle.load(self.replies)
            assert number == ticket
            if is_last:
                return content

    def close(self) -> None:
        self.orders.close()
        self.thread.join()
        for file in (*self.files, self.replies):
            file.close()


@pytest.fixture
def inside() -> Iterator[Inside]:
    worker = Inside()
    yield worker
    worker.close()


def test_a_search_may_be_stopped_before_it_has_begun(inside: Inside) -> None:
    for ticket, request in enumerate([ENDLESS, ChooseRequest(SENSEI, limit=Limit())] * 3, 1):
        inside.send(ticket, request, is_stopped=True)
        assert not isinstance(inside.answer(ticket), DamierError)


def test_stopping_a_search_does_not_hit_the_next(inside: Inside) -> None:
    request = AnalyseRequest(SENSEI, limit=FEW)
    for ticket in range(1, 40, 2):
        inside.send(ticket, ENDLESS, is_stopped=True)
        inside.answer(ticket)
        inside.send(ticket + 1, request)
        found = inside.answer(ticket + 1)
        assert isinstance(found, Analysis)
        assert timeless(found) == expected(request)


def test_a_process_keeps_the_engines_it_has_met_last(inside: Inside) -> None:
    requests = [
        SHORT,
        ChooseRequest(CHEFA, limit=FEW),
        *(ChooseRequest(CHEFA, level=level, seed=1) for level in (1, 2, 3, 4, 1)),
    ]
    for ticket, request in enumerate(requests, 1):
        inside.send(ticket, request)
        inside.answer(ticket)
    kept = list(inside.worker._engines._kept)
    assert kept == [(CHEFA, "level", level, 1) for level in (2, 3, 4, 1)]


def test_a_failure_inside_is_a_sentence(inside: Inside) -> None:
    inside.send(1, AnalyseRequest(CHEFA, "nonsense"))
    assert isinstance(inside.answer(1), damier.BadPosition)
    inside.send(2, calling(int, "x"))
    assert isinstance(inside.answer(2), EngineFault)


def test_a_process_ends_when_its_orders_end() -> None:
    inside = Inside()
    inside.close()
    assert inside.left.get(timeout=PATIENCE) == 0


def test_a_process_ends_when_it_has_no_memory() -> None:
    inside = Inside()
    inside.send(1, calling(bytearray, sys.maxsize))
    assert inside.left.get(timeout=PATIENCE) == 1
    inside.close()
