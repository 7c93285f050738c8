"""The hub of many processes, in Redis.

Each process keeps what it knows by itself as `LocalHub` does. One task sends what is new to Redis, at most a hundred
times a second and all of it in one round trip: announcements, tokens that were taken, who came and went. A second task
listens. No call waits for either; only a lease is a round trip of its own.

Redis may be emptied, restarted or out of reach at any moment. What was to be announced waits; who is here is sent again
every few seconds; a lease that cannot be asked for is granted. A process hears its own heartbeat: without it for
`_SILENCE` seconds it connects again. Because the process that announces may be the one that is cut off, all that is
followed is compared with the database every `_SWEEP` seconds, and after each new connection.

Keys begin with ``damier:`` and the number of the Redis database, since channels belong to all of them. Keys of limits
are hashes: no address of a visitor is stored.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import secrets
import time
from collections.abc import Callable, Iterable
from typing import Any

import redis.asyncio as client_of
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.server.front.limits import RateLimiter
from damier.server.hub.hub import PLACES, Kind
from damier.server.hub.local import LocalHub
from damier.server.hub.shared_limiter import SharedLimiter
from damier.server.store.refusals import reason
from damier.server.tasks import cancel

_log = logging.getLogger(__name__)

_PAUSE = 0.01  # seconds between two exchanges at least
_BEAT = 1.0  # seconds between two heartbeats
_SILENCE = 3.0  # seconds without any announcement, one's own heartbeat included, after which one connects again
_SWEEP = 3.0  # seconds between two comparisons with the database
_REFRESH, _PRESENT = 5.0, 15  # seconds: how often who is here is sent again, and for how long that holds
_RETRY = 0.5  # seconds
_PATIENCE = 2.0  # seconds for an answer of Redis
_FAULTS = (RedisError, OSError, TimeoutError)

_TAKE = """
local rate, burst, taken = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local kept = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = burst
if kept[1] then level = math.min(burst, kept[1] + math.max(0, now - kept[2]) * rate) end
level = math.max(-burst, level - taken)
redis.call('HSET', KEYS[1], 'level', string.format('%.6f', level), 'at', string.format('%.6f', now))
redis.call('EXPIRE', KEYS[1], math.ceil(2 * burst / rate) + 1)
return string.format('%.6f', level)
"""
"""Takes tokens from a bucket; returns its level, which may be negative."""

_MEET = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local come = tonumber(ARGV[2])
for place = 3, 2 + come do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[place]) end
for place = 3 + come, #ARGV do redis.call('ZREM', KEYS[1], ARGV[place]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('EXPIRE', KEYS[1], ARGV[1])
return redis.call('ZRANGE', KEYS[1], 0, -1)
"""
"""Notes for ARGV[1] seconds who is at a place, the first ARGV[2] names, and who has left; returns who is there."""

_LEASE = """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
_RELEASE = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
"""


class RedisHub(LocalHub):
    """What many processes share, in Redis."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self._redis: Any = _client(address)
        self._process = secrets.token_hex(6)
        self._prefix = f"damier:{self._redis.connection_pool.connection_kwargs.get('db', 0)}:"
        self._limiters: dict[str, tuple[SharedLimiter, float, float]] = {}
        self._outbox: dict[tuple[Kind, str], int] = {}
        """The last number of each match and tournament that is to be announced."""

        self._gone: dict[str, set[str]] = {}
        """Who has left each place since that was sent."""

        self._changed: set[str] = set(PLACES)
        """Places of which this process is to know anew who is there."""

        self._elsewhere: dict[str, set[str]] = {}
        """Who is at a place by another process. While Redis is out of reach, all of them stay."""

        self._has_news = asyncio.Event()
        self._is_reached = True
        self._tasks: list[asyncio.Task[None]] = []

    # Opening and closing

    async def open(self) -> None:
        """Connects; raises `BadArgument`."""
        try:
            await self._redis.ping()
        except _FAULTS as error:
            await self._redis.aclose()
            raise BadArgument(message("Redis cannot be used: {why}.", why=reason(error))) from None
        self.is_deaf = True  # until the first heartbeat
        self._tasks = [asyncio.create_task(work()) for work in (self._synchronize_all, self._hear_all, self._sweep_all)]

    async def close(self) -> None:
        """Sends what waits, takes everybody off who is connected to this process, and disconnects."""
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            await cancel(task)
        if tasks:
            for place, here in self._here.items():
                self._gone.setdefault(place, set()).update(here)
            self._here = {}
            self._changed.update(self._gone)
            try:
                await self._synchronize()
            except _FAULTS as error:
                _log.warning("Redis: what was left could not be sent: %s", reason(error))
        await self._redis.aclose()

    async def answers(self) -> bool:
        """Tells whether Redis answers."""
        try:
            return bool(await self._redis.ping())
        except _FAULTS:
            return False

    # What is shared

    def announce(self, kind: Kind, number: str, seq: int) -> None:
        """Has all other processes hear of an event."""
        self._outbox[kind, number] = seq
        self._has_news.set()

    def limiter(self, name: str, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> RateLimiter:
        """Returns the buckets of a name."""
        limiter = SharedLimiter(rate, burst, clock, self._has_news.set)
        self._limiters[name] = limiter, rate, burst
        return limiter

    def enter(self, place: str, person: str) -> None:
        """Counts a connection."""
        self._gone.get(place, set()).discard(person)
        self._changed.add(place)
        super().enter(place, person)

    def leave(self, place: str, person: str) -> None:
        """Takes a connection off the count."""
        super().leave(place, person)
        if person not in self._here.get(place, ()):
            self._gone.setdefault(place, set()).add(person)
            self._changed.add(place)

    def people(self, place: str) -> set[str]:
        """Returns who is at a place."""
        return super().people(place) | self._elsewhere.get(place, set())

    async def lease(self, name: str, seconds: float) -> bool:
        """Takes or renews a lease; grants it if Redis is out of reach."""
        try:
            given = await self._redis.eval(_LEASE, 1, self._key("lease", name), self._process, int(1000 * seconds))
        except _FAULTS:
            return True
        return bool(given)

    async def release(self, name: str) -> None:
        """Gives a lease up; it runs out by itself if Redis is out of reach."""
        try:
            await self._redis.eval(_RELEASE, 1, self._key("lease", name), self._process)
        except _FAULTS:
            return

    def _key(self, *parts: str) -> str:
        return self._prefix + ":".join(parts)

    # Sending

    async def _synchronize_all(self) -> None:
        loop = asyncio.get_running_loop()
        refreshed = beaten = float("-inf")
        while True:
            now = loop.time()
            if now - refreshed >= _REFRESH:
                refreshed = now
                self._changed.update(PLACES, self._here)
            is_beat = now - beaten >= _BEAT
            beaten = now if is_beat else beaten
            try:
                await self._synchronize(is_beat=is_beat)
                self._note_reached(None)
                await asyncio.sleep(_PAUSE)
            except Exception as error:  # whatever it is, the next attempt is soon
                self._note_reached(error)
                await asyncio.sleep(_RETRY)
                refreshed = float("-inf")  # Redis may have been emptied
                continue
            try:
                async with asyncio.timeout(max(0.0, beaten + _BEAT - loop.time())):
                    await self._has_news.wait()
            except TimeoutError:
                continue

    async def _synchronize(self, *, is_beat: bool = False) -> None:
        """Sends all that is new in one round trip, and learns what others have sent."""
        self._has_news.clear()
        outbox, self._outbox = self._outbox, {}
        changed, self._changed = self._changed, set()
        gone, self._gone = self._gone, {}
        pipeline = self._redis.pipeline(transaction=False)
        learn: list[Callable[[Any], None]] = []
        for name, (limiter, rate, burst) in self._limiters.items():
            for key, count in limiter.spent().items():
                pipeline.eval(_TAKE, 1, self._key("limit", name, _hashed(key)), rate, burst, count)
                learn.append(_settling(limiter, key))
        for place in changed:
            here, left = self._names(self._here.get(place, ())), self._names(gone.get(place, ()))
            pipeline.eval(_MEET, 1, self._key("here", place), _PRESENT, len(here), *here, *left)
            learn.append(self._learning(place))
        if outbox or is_beat:
            told = [self._process, [[kind, number, seq] for (kind, number), seq in outbox.items()]]
            pipeline.publish(self._key("news"), json.dumps(told))
        if not len(pipeline):
            return
        try:
            answers = await pipeline.execute()
        except BaseException:
            self._outbox = {**outbox, **self._outbox}
            self._changed |= changed
            for place, people in gone.items():
                self._gone.setdefault(place, set()).update(people - self._here.get(place, {}).keys())
            raise
        for tell, answer in zip(learn, answers, strict=False):
            tell(answer)

    def _names(self, people: Iterable[str]) -> list[str]:
        return [f"{self._process}:{person}" for person in people]

    def _learning(self, place: str) -> Callable[[Any], None]:
        def learn(names: list[str]) -> None:
            pairs = [name.split(":", 1) for name in names]
            others = {person for process, person in pairs if process != self._process}
            if others != self._elsewhere.get(place, set()):
                self._elsewhere[place] = others
                self.hear("here", place, 0)
            if not others or (place not in PLACES and place not in self._here):
                self._elsewhere.pop(place, None)

        return learn

    def _note_reached(self, error: Exception | None) -> None:
        if error is not None and self._is_reached:
            _log.warning("Redis is out of reach, the server goes on without it: %s", reason(error))
        elif error is None and not self._is_reached:
            _log.warning("Redis is within reach again.")
        self._is_reached = error is None

    # Listening

    async def _hear_all(self) -> None:
        while True:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as news:
                    await news.subscribe(self._key("news"))
                    await self._hear_news(news)
            except _FAULTS:
                self.is_deaf = True
                await asyncio.sleep(_RETRY)

    async def _hear_news(self, news: Any) -> None:
        """Calls the listeners for each announcement; raises when there is no heartbeat."""
        loop = asyncio.get_running_loop()
        heard_at = loop.time()
        while loop.time() - heard_at < _SILENCE:
            got = await news.get_message(timeout=_BEAT)
            if got is None:
                continue
            heard_at = loop.time()
            if self.is_deaf:
                self.is_deaf = False
                await self._sweep()
            process, told = json.loads(got["data"])
            if process == self._process:
                continue
            for kind, number, seq in told:
                if kind == "here":
                    self._notice_change(number)
                else:
                    self._hear_safely(kind, number, seq)
        raise TimeoutError("no heartbeat")

    def _notice_change(self, place: str) -> None:
        if place in PLACES or place in self._here:
            self._changed.add(place)
            self._has_news.set()

    def _hear_safely(self, kind: Kind, number: str, seq: int) -> None:
        try:
            self.hear(kind, number, seq)
        except Exception:  # the others are to hear of it
            _log.exception("An announcement of %s %s could not be followed.", kind, number)

    async def _sweep_all(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP)
            await self._sweep()

    async def _sweep(self) -> None:
        for missed in self._missed:
            try:
                await missed()
            except Exception as error:  # the database may be out of reach: the next one is soon
                _log.warning("What was missed could not be read: %s", error)


def _client(address: str) -> Any:
    try:
        return client_of.from_url(
            address,
            decode_responses=True,
            socket_timeout=_PATIENCE,
            socket_connect_timeout=_PATIENCE,
            retry=Retry(NoBackoff(), 0),  # a listener has to know that it was cut off
        )
    except ValueError:
        raise BadArgument(
            message(
                "{text} is no Redis: give an address such as {example}.",
                text=shown(address.partition("://")[0] + "://…"),  # the rest may hold a password
                example="redis://host:6379/0",
            )
        ) from None


def _settling(limiter: SharedLimiter, key: str) -> Callable[[Any], None]:
    return lambda level: limiter.settle(key, float(level))


def _hashed(key: str) -> str:
    return hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
