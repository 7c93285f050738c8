"""Rate limits that several processes share.

A process decides at once, from its own buckets; a moment later what it has taken is taken from the shared buckets too,
and its own are set to their level. So no request waits for the hub. Meanwhile two processes may let more through than
one would; the shared bucket is then in debt, by at most a burst, so that the rate holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from damier.server.front.limits import RateLimiter


class SharedLimiter(RateLimiter):
    """The buckets of one process, which are set to the shared ones now and then."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float], wake: Callable[[], None]) -> None:
        super().__init__(rate, burst, clock)
        self._spent: Counter[str] = Counter()
        self._wake = wake

    def take(self, key: str) -> bool:
        """Takes one token from a bucket; returns False if it is empty."""
        is_left = super().take(key)
        if is_left:
            self._spent[key] += 1
            self._wake()
        return is_left

    def spent(self) -> Counter[str]:
        """Returns how many tokens were taken from each bucket since the last call."""
        found, self._spent = self._spent, Counter()
        return found

    def settle(self, key: str, level: float) -> None:
        """Sets a bucket to the shared level, without what was taken meanwhile."""
        self.set_level(key, level - self._spent[key])
