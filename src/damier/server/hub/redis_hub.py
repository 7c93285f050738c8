"""The hub of many processes, in Redis.

Each process keeps what it knows by itself as `LocalHub` does. One task sends what is new to Redis, at most a hundred
times a second and all of it in one round trip: announcements, tokens that were taken, who came and went. A second task
listens. No call waits for either; only a lease is a round trip of its own.

Redis may be emptied, restarted or out of reach at any moment. What was to be announced waits; who is here is sent again
when a process finds its own heartbeat gone; a lease that cannot be asked for is granted. A process hears its own
heartbeat: without it for `_SILENCE` seconds it connects again. Because the process that announces may be the one that
is cut off, all that is followed is compared with the database every `_SWEEP` seconds, and after each new connection.

A process whose heartbeats are not heard any more is dead: its people have gone, and its leases can be taken.

Keys begin with ``damier:`` and the name of the installation, so that several may share a Redis. Keys of limits are
hashes: no address of a visitor is stored.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import secrets
import time
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import redis.asyncio as client_of
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.server.front.limits import RateLimiter
from damier.server.hub.hub import PLACES, Kind, Missed
from damier.server.hub.local import LocalHub
from damier.server.hub.shared_limiter import SharedLimiter
from damier.server.store.refusals import reason
from damier.server.tasks import cancel

_log = logging.getLogger(__name__)

_PAUSE = 0.01  # seconds between two exchanges at least
_BEAT = 1.0  # seconds between two heartbeats
_SILENCE = 3.0  # seconds without any announcement, one's own heartbeat included, after which one connects again
_ALIVE = 3000  # milliseconds after its last heartbeat for which a process keeps its leases
_SWEEP = 3.0  # seconds between two comparisons with the database
_PARTS, _PRESENT = 20, 60  # of who is here, one part is sent again with each heartbeat; seconds for which that holds
_AT_ONCE = 200  # places that are sent in one exchange
_RETRY = 0.5  # seconds
_PATIENCE = 2.0  # seconds for an answer of Redis
_MOST_LETTERS = 5000  # announcements with a body that wait while Redis is out of reach
_FAULTS = (RedisError, OSError, TimeoutError)

_TAKE = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local levels = {}
for place, key in ipairs(KEYS) do
  local rate, burst, taken = tonumber(ARGV[3 * place - 2]), tonumber(ARGV[3 * place - 1]), tonumber(ARGV[3 * place])
  local kept = redis.call('HMGET', key, 'level', 'at')
  local level = burst
  if kept[1] then level = math.min(burst, kept[1] + math.max(0, now - kept[2]) * rate) end
  level = math.max(-burst, level - taken)
  redis.call('HSET', key, 'level', string.format('%.6f', level), 'at', string.format('%.6f', now))
  redis.call('EXPIRE', key, math.ceil(2 * burst / rate) + 1)
  levels[place] = string.format('%.6f', level)
end
return levels
"""
"""Takes tokens from buckets: three arguments for each, rate, burst and count; returns the levels, maybe negative."""

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
if holder and holder ~= ARGV[1] and redis.call('EXISTS', ARGV[3] .. holder) == 1 then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', ARGV[3] .. ARGV[1], 'lease', 'PX', ARGV[4], 'NX')
return 1
"""
"""Takes a lease for ARGV[2] milliseconds, unless another process has it that is alive."""

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
        self.is_shared = True
        self._outbox: dict[tuple[Kind, str], int] = {}
        """What is to be announced without a body: the last number of each."""

        self._letters: list[tuple[Kind, str, int, Any]] = []
        """What is to be announced with a body."""

        self._private: dict[str, list[tuple[Kind, str, int, Any]]] = {}
        """What some processes are to hear before the rest."""

        self._gone: dict[str, set[str]] = {}
        """Who has left each place since that was sent."""

        self._changed: set[str] = set(PLACES)
        """Places of which this process is to know anew who is there."""

        self._elsewhere: dict[str, set[tuple[str, str]]] = {}
        """Which processes have whom at a place. While Redis is out of reach, all of them stay."""

        self._heard_at: dict[str, float] = {}
        """When each other process was last heard."""

        self._has_heard = False
        self._has_news = asyncio.Event()
        self._is_reached = True
        self._tasks: list[asyncio.Task[None]] = []

    # Opening and closing

    async def open(self, installation: str = "") -> None:
        """Connects; raises `BadArgument`."""
        self._prefix = f"damier:{installation}:" if installation else self._prefix
        try:
            await self._redis.set(self._key("alive", self._process), "beat", px=_ALIVE)
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
                while self._changed or self._letters or self._outbox:
                    await self._synchronize()
                await self._redis.delete(self._key("alive", self._process))
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

    def announce(self, kind: Kind, number: str, seq: int = 0, body: Any = None) -> None:
        """Has all other processes hear of something."""
        if body is None:
            self._outbox[kind, number] = seq
        elif self._is_reached or len(self._letters) < _MOST_LETTERS:
            self._letters.append((kind, number, seq, body))
        self._has_news.set()

    def announce_at(self, place: str, kind: Kind, number: str, seq: int, body: Any) -> None:
        """Has the processes hear of something that have somebody at a place; nobody while Redis is out of reach."""
        if self._is_reached:
            for process in {process for process, _ in self._elsewhere.get(place, ()) if process in self._heard_at}:
                self._private.setdefault(process, []).append((kind, number, seq, body))

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
        elsewhere = self._elsewhere.get(place, ())
        return super().people(place) | {person for process, person in elsewhere if process in self._heard_at}

    async def look(self, place: str) -> set[str]:
        """Asks Redis who is at a place."""
        try:
            names = await self._redis.eval(_MEET, 1, self._key("here", place), _PRESENT, 0)
        except _FAULTS:
            return self.people(place)
        named = (name.split(":", 1) for name in names)
        return {person for process, person in named if process in self._heard_at} | super().people(place)

    async def lease(self, name: str, seconds: float) -> bool:
        """Takes or renews a lease; grants it if Redis is out of reach."""
        try:
            alive = self._key("alive", "")
            key, duration = self._key("lease", name), int(1000 * seconds)
            given = await self._redis.eval(_LEASE, 1, key, self._process, duration, alive, _ALIVE)
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
        beaten, part = float("-inf"), 0
        while True:
            now = loop.time()
            is_beat = now - beaten >= _BEAT
            if is_beat:
                beaten, part = now, (part + 1) % _PARTS
                self._changed.update(place for place in self._here if hash(place) % _PARTS == part)
                self._bury(now)
            try:
                await self._synchronize(is_beat=is_beat)
                self._note_reached(None)
                await asyncio.sleep(_PAUSE)
            except Exception as error:  # whatever it is, the next attempt is soon
                self._note_reached(error)
                await asyncio.sleep(_RETRY)
                beaten = float("-inf")
                continue
            if self._changed:
                continue
            try:
                async with asyncio.timeout(max(0.0, beaten + _BEAT - loop.time())):
                    await self._has_news.wait()
            except TimeoutError:
                continue

    def _bury(self, now: float) -> None:
        """Takes everybody off who is connected to a process that is not heard any more."""
        if self.is_deaf:  # nobody is heard
            return
        dead = {process for process, at in self._heard_at.items() if now - at > _SILENCE}
        for process in dead:
            del self._heard_at[process]
        for place, names in tuple(self._elsewhere.items()) if dead else ():
            if any(process in dead for process, _ in names):
                self._elsewhere[place] = {name for name in names if name[0] not in dead}
                self.hear("here", place, 0)

    async def _synchronize(self, *, is_beat: bool = False) -> None:
        """Sends all that is new in one round trip, and learns what others have sent."""
        self._has_news.clear()
        outbox, self._outbox = self._outbox, {}
        letters, self._letters = self._letters, []
        private, self._private = self._private, {}
        changed = set(islice(self._changed, _AT_ONCE))
        self._changed -= changed
        gone = {place: self._gone.pop(place) for place in changed if place in self._gone}
        pipeline = self._redis.pipeline(transaction=False)
        learn: list[Callable[[Any], None]] = []
        if taken := self._taken():
            keys = [self._key("limit", name, _hashed(key)) for name, key, _, _ in taken]
            arguments = [given for name, _, count, _ in taken for given in (*self._limiters[name][1:], count)]
            pipeline.eval(_TAKE, len(keys), *keys, *arguments)
            learn.append(_settling(taken))
        for place in changed:
            here, left = self._names(self._here.get(place, ())), self._names(gone.get(place, ()))
            pipeline.eval(_MEET, 1, self._key("here", place), _PRESENT, len(here), *here, *left)
            learn.append(self._learning(place))
        if is_beat:
            pipeline.set(self._key("alive", self._process), "beat", px=_ALIVE, get=True)
            learn.append(self._note_emptied)
        for process, some in private.items():
            pipeline.publish(self._key("news", process), json.dumps([self._process, some], separators=(",", ":")))
        if outbox or letters or is_beat:
            told = [*letters, *((kind, number, seq, None) for (kind, number), seq in outbox.items())]
            pipeline.publish(self._key("news"), json.dumps([self._process, told], separators=(",", ":")))
        if not len(pipeline):
            return
        try:
            answers = await pipeline.execute()
        except BaseException:
            self._outbox = {**outbox, **self._outbox}
            self._letters = [*letters, *self._letters][:_MOST_LETTERS]
            self._changed |= changed
            for place, people in gone.items():
                self._gone.setdefault(place, set()).update(people - self._here.get(place, {}).keys())
            raise
        for tell, answer in zip(learn, answers, strict=False):
            tell(answer)

    def _taken(self) -> list[tuple[str, str, int, SharedLimiter]]:
        """Returns which limits tokens were taken from since the last time: name, key, count, and the buckets."""
        return [
            (name, key, count, limiter)
            for name, (limiter, _, _) in self._limiters.items()
            for key, count in limiter.spent().items()
        ]

    def _names(self, people: Iterable[str]) -> list[str]:
        return [f"{self._process}:{person}" for person in people]

    def _note_emptied(self, alive: Any) -> None:
        """Sends who is here again if Redis has forgotten the last heartbeat, and so all."""
        if alive != "beat":
            self._changed.update(PLACES, self._here)
            self._has_news.set()

    def _learning(self, place: str) -> Callable[[Any], None]:
        def learn(names: list[str]) -> None:
            pairs = [name.split(":", 1) for name in names]
            others = {(process, person) for process, person in pairs if process != self._process}
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
                    await news.subscribe(self._key("news"), self._key("news", self._process))
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
                await self._call_all(self._missed)
                if self._has_heard:  # before the first time there was nothing to miss
                    await self._call_all(self._resumed)
                self._has_heard = True
            process, told = json.loads(got["data"])
            if process == self._process:
                continue
            if process not in self._heard_at:
                self._heard_at[process] = heard_at
                self._changed.update(PLACES, self._here)  # what it has of them counts now
                self._has_news.set()
            self._heard_at[process] = heard_at
            for kind, number, seq, body in told:
                if kind == "here":
                    self._notice_change(number)
                else:
                    self._hear_safely(kind, number, seq, body)
        raise TimeoutError("no heartbeat")

    def _notice_change(self, place: str) -> None:
        if place in PLACES or place in self._here:
            self._changed.add(place)
            self._has_news.set()

    def _hear_safely(self, kind: Kind, number: str, seq: int, body: Any) -> None:
        try:
            self.hear(kind, number, seq, body)
        except Exception:  # the others are to hear of it
            _log.exception("An announcement of %s %s could not be followed.", kind, number)

    async def _sweep_all(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP)
            await self._call_all(self._missed)

    async def _call_all(self, callbacks: list[Missed]) -> None:
        for missed in callbacks:
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


def _settling(taken: list[tuple[str, str, int, SharedLimiter]]) -> Callable[[Any], None]:
    def settle(levels: list[str]) -> None:
        for (_, key, _, limiter), level in zip(taken, levels, strict=True):
            limiter.settle(key, float(level))

    return settle


def _hashed(key: str) -> str:
    return hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
