"""Redis is emptied, killed, started again or does not answer: nothing is lost, and hubs recover by themselves."""

import asyncio
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from damier.core.errors import BadArgument
from damier.server.hub import redis_hub
from damier.server.hub.choice import make_hub
from damier.server.hub.hub import LOBBY, Hub
from damier.server.hub.redis_hub import RedisHub
from tests.server.hub.hubs import open_hubs, redis_address, until
from tools.redis import program, start, stop

SLOW = 1 / 3600


class OwnRedis:
    """A Redis that a test may stop and start."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server, self.address = start(folder)

    def kill(self) -> None:
        stop(self._server)

    def start(self) -> None:
        self._server, _ = start(self._folder)

    def signal(self, number: int) -> None:
        os.kill(self._server.pid, number)

    def command(self, *words: str) -> None:
        path = self.address.removeprefix("unix://")
        subprocess.run([program("redis-cli"), "-s", path, *words], check=True, capture_output=True)

    def end(self) -> None:
        if self._server.poll() is None:
            stop(self._server)


@pytest.fixture
def own() -> Iterator[OwnRedis]:
    with tempfile.TemporaryDirectory(prefix="damier-redis-") as name:
        server = OwnRedis(Path(name))
        yield server
        server.end()


class Reader:
    """Follows one match by announcements, and reads on by number, as a process with listeners does."""

    def __init__(self, hub: Hub, stored: dict[str, int]) -> None:
        self.seen: dict[str, int] = {}
        self.sweeps = 0
        self._stored = stored
        hub.listen("match", self._hear, self._read)

    def _hear(self, number: str, _seq: int, _body: object) -> None:
        self.seen[number] = self._stored[number]

    async def _read(self) -> None:
        self.sweeps += 1
        self.seen.update(self._stored)


def test_what_is_committed_while_redis_is_down_is_seen_and_announced_later(own: OwnRedis) -> None:
    async def run() -> None:
        stored: dict[str, int] = {"x": 1}
        async with open_hubs("redis", 2, own.address) as (one, other):
            reader = Reader(other, stored)
            await asyncio.to_thread(own.kill)
            await until(lambda: one.is_deaf and other.is_deaf)
            stored["x"] = 2
            one.announce("match", "x", 2)
            await until(lambda: reader.seen.get("x") == 2)  # from the database alone
            await asyncio.to_thread(own.start)
            await until(lambda: not one.is_deaf and not other.is_deaf)
            stored["y"] = 1
            one.announce("match", "y", 1)
            await until(lambda: reader.seen.get("y") == 1)

    asyncio.run(run())


def test_a_process_that_was_cut_off_announces_what_waited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_hub, "_SWEEP", 3600.0)  # so that only announcements tell

    async def run() -> None:
        async with open_hubs("redis") as (one, other):
            assert isinstance(one, RedisHub)
            heard: list[int] = []
            other.listen("match", lambda _number, seq, _body: heard.append(seq))
            with patch.object(one._redis, "pipeline", side_effect=OSError("cut off")):
                one.announce("match", "x", 1)
                await until(lambda: not one._is_reached)
                one.announce("match", "x", 2)
            await until(lambda: heard == [2])

    asyncio.run(run())


@pytest.mark.parametrize("fault", ["flush", "kill", "stop"])
def test_presence_is_whole_again_after_a_fault(own: OwnRedis, fault: str) -> None:
    async def run() -> None:
        async with open_hubs("redis", 2, own.address) as (one, other):
            one.enter(LOBBY, "ann")
            other.enter(LOBBY, "bob")
            await until(lambda: one.people(LOBBY) == other.people(LOBBY) == {"ann", "bob"})
            await asyncio.to_thread(_cause, own, fault)
            one.enter(LOBBY, "eve")
            other.leave(LOBBY, "bob")
            await asyncio.to_thread(_mend, own, fault)
            await until(lambda: one.people(LOBBY) == other.people(LOBBY) == {"ann", "eve"})

    asyncio.run(run())


def _cause(own: OwnRedis, fault: str) -> None:
    if fault == "flush":
        own.command("flushall")
    elif fault == "kill":
        own.kill()
    else:
        own.signal(signal.SIGSTOP)


def _mend(own: OwnRedis, fault: str) -> None:
    if fault == "kill":
        own.start()
    elif fault == "stop":
        own.signal(signal.SIGCONT)


def test_limits_hold_in_each_process_while_redis_is_down(own: OwnRedis) -> None:
    async def run() -> None:
        async with open_hubs("redis", 2, own.address) as hubs:
            one, other = [hub.limiter("tries", SLOW, 3) for hub in hubs]
            await asyncio.to_thread(own.kill)
            assert [one.take("ann") for _ in range(4)] == [True, True, True, False]
            assert [other.take("ann") for _ in range(4)] == [True, True, True, False]
            await asyncio.to_thread(own.start)
            await until(lambda: not any(hub.is_deaf for hub in hubs))
            assert not one.take("ann")

    asyncio.run(run())


def test_a_lease_is_granted_while_redis_is_down_and_held_by_one_afterwards(own: OwnRedis) -> None:
    async def run() -> None:
        async with open_hubs("redis", 2, own.address) as (one, other):
            await asyncio.to_thread(own.kill)
            assert await one.lease("turn", 60)
            assert await other.lease("turn", 60)
            assert not await one.answers()
            await one.release("turn")
            await asyncio.to_thread(own.start)
            assert await one.lease("turn", 60)
            assert not await other.lease("turn", 60)
            assert await one.answers()

    asyncio.run(run())


def test_a_hub_that_hears_no_heartbeat_connects_again_and_reads_what_it_missed(
    own: OwnRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_hub, "_SWEEP", 3600.0)

    async def run() -> None:
        stored = {"x": 1}
        async with open_hubs("redis", 2, own.address) as (_one, other):
            reader = Reader(other, stored)
            own.signal(signal.SIGSTOP)
            await until(lambda: other.is_deaf)
            stored["x"] = 5
            own.signal(signal.SIGCONT)
            await until(lambda: reader.seen.get("x") == 5)
            assert not other.is_deaf

    asyncio.run(run())


def test_a_hub_closes_while_redis_is_down(own: OwnRedis, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with open_hubs("redis", 1, own.address) as (one,):
            one.enter(LOBBY, "ann")
            await asyncio.to_thread(own.kill)
            await until(lambda: "out of reach, the server goes on without it" in caplog.text)

    asyncio.run(run())
    assert "what was left could not be sent" in caplog.text


def test_no_address_of_a_visitor_is_stored_in_redis() -> None:
    address = redis_address()

    async def run() -> None:
        async with open_hubs("redis", 1, address) as (one,):
            assert isinstance(one, RedisHub)
            limiter = one.limiter("requests", SLOW, 3)
            assert limiter.take("203.0.113.7")
            async with asyncio.timeout(60):
                while not (keys := await one._redis.keys("*limit*")):
                    await asyncio.sleep(0.01)
            assert not any("203.0.113" in key for key in keys)
            assert await one._redis.ttl(keys[0]) > 0

    asyncio.run(run())


@pytest.mark.parametrize("text", ["localhost:6379", "http://secret@host", "redis"])
def test_an_address_that_is_none_is_refused_with_one_sentence(text: str) -> None:
    with pytest.raises(BadArgument) as refused:
        make_hub(text)
    assert str(refused.value).endswith("is no Redis: give an address such as redis://host:6379/0.")
    assert "secret" not in str(refused.value)


def test_a_redis_that_does_not_answer_at_the_start_is_refused_with_one_sentence(tmp_path: Path) -> None:
    hub = make_hub(f"unix://{tmp_path}/nobody.sock")
    with pytest.raises(BadArgument, match=r"^Redis cannot be used: .*\.$"):
        asyncio.run(hub.open())
