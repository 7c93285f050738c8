"""Rate limits: token buckets for each visitor and for each address.

The clock is monotonic: setting the time of the machine neither refills a bucket nor locks anybody out. A refusal is
held back for a second: refusing a request at once costs a fifth of serving it, and a client that does not wait would
send the next one at once.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable

from damier.core.messages import Message, message
from damier.server.errors import TooManyRequests

PENALTY_SECONDS = 1.0  # that the answer to a request beyond the limits is held back
NETWORK_TOO_FAST = message("Your network sends too many requests: wait a moment.")
_KEPT = 100_000  # buckets that are remembered


class RateLimiter:
    """Allows each key `rate` requests a second after a burst of `burst`."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> bool:
        """Takes one token from a bucket; returns False if it is empty."""
        level, at = self._level(key)
        is_left = level >= 1
        self._levels.pop(key, None)
        self._levels[key] = (level - 1 if is_left else level, at)
        if len(self._levels) > _KEPT:
            self._levels.popitem(last=False)
        return is_left

    def wait(self, key: str) -> float:
        """Returns the seconds until a bucket has a token."""
        return max(0.0, 1 - self._level(key)[0]) / self._rate

    def set_level(self, key: str, level: float) -> None:
        """Sets the level of a bucket, which may be in debt."""
        if key in self._levels:
            self._levels[key] = (level, self._clock())

    def _level(self, key: str) -> tuple[float, float]:
        at = self._clock()
        level, filled = self._levels.get(key, (self._burst, at))
        return min(self._burst, level + max(0.0, at - filled) * self._rate), at


class Allowance:
    """What visitors and addresses may have of one thing; who has no valid cookie has only the address's budget."""

    def __init__(
        self,
        visitors: RateLimiter,
        addresses: RateLimiter,
        for_visitor: Message,
        for_address: Message,
        limits: tuple[str, str] = ("requests_per_second", "requests_per_address"),
    ) -> None:
        self._kinds = ((visitors, for_visitor, limits[0]), (addresses, for_address, limits[1]))

    def spend(self, visitor: str, address: str) -> None:
        """Takes a token from both buckets; raises `TooManyRequests`.

        A visitor beyond the limit takes nothing from others at the same address.
        """
        for key, (limiter, sentence, limit) in zip((visitor, address), self._kinds, strict=True):
            if key and not limiter.take(key):
                raise TooManyRequests(sentence, limiter.wait(key), limit)


async def hold_back() -> None:
    """Waits before a request beyond the limits is refused."""
    await asyncio.sleep(PENALTY_SECONDS)
