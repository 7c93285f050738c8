"""Rate limits: a token bucket for each visitor."""

from __future__ import annotations

import time
from collections import OrderedDict

_KEPT = 100_000  # visitors that are remembered


class RateLimiter:
    """Allows each visitor `rate` requests a second after a burst of `burst`."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, visitor: str, at: float | None = None) -> bool:
        """Takes one token from a visitor's bucket; returns False if it is empty."""
        at = time.monotonic() if at is None else at
        level, filled = self._levels.pop(visitor, (self._burst, at))
        level = min(self._burst, level + (at - filled) * self._rate)
        is_left = level >= 1
        self._levels[visitor] = (level - 1 if is_left else level, at)
        if len(self._levels) > _KEPT:
            self._levels.popitem(last=False)
        return is_left
