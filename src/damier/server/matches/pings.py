"""The lag of a connection, measured by the server: how long its pings take to come back.

A page that answers late can raise its lag, and with it what it is forgiven, but not above its quota.
"""

from __future__ import annotations

import secrets
from collections import deque

_KEPT = 4  # measurements of which the mean counts


class Pings:
    """The pings of one connection."""

    def __init__(self) -> None:
        self._sent: tuple[str, float] | None = None
        self._lags: deque[float] = deque(maxlen=_KEPT)

    @property
    def lag(self) -> int:
        """The mean of the last measurements in milliseconds; 0 without one."""
        return int(1000 * sum(self._lags) / len(self._lags)) if self._lags else 0

    def send(self, now: float) -> str:
        """Returns the id of a ping that is sent now; an earlier one counts no more."""
        number = secrets.token_hex(4)
        self._sent = number, now
        return number

    def receive(self, number: str, now: float) -> bool:
        """Measures the lag by an answer; returns False for one that was not asked for."""
        if self._sent is None or self._sent[0] != number:
            return False
        self._lags.append(max(0.0, now - self._sent[1]))
        self._sent = None
        return True
