"""Trying again: later and later, as the server asks, and until the client is closed."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from damier.client.errors import ConnectionLost, LimitReached
from damier.core.messages import message

T = TypeVar("T")

_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 30.0  # seconds; each pause is twice the one before


class Closed(ConnectionLost):
    """The client was closed while it waited."""

    def __init__(self) -> None:
        super().__init__(message("The connection is closed."))


class Backoff:
    """The pauses between attempts, by up to a fifth more or less, so that many clients do not come at once."""

    def __init__(self, closed: threading.Event) -> None:
        self._closed = closed
        self.reset()

    def reset(self) -> None:
        """Begins with short pauses again, after a success."""
        self._next = _FIRST_PAUSE

    def wait(self, error: Exception, until: float | None = None) -> None:
        """Waits before the next attempt; raises the error if that would be later than `until`, or `Closed`."""
        seconds = self._next * random.uniform(0.8, 1.2)
        if isinstance(error, LimitReached):
            seconds = max(seconds, error.seconds)
        self._next = min(2 * self._next, _LONGEST_PAUSE)
        if until is not None and time.monotonic() + seconds > until:
            raise error
        if self._closed.wait(seconds):
            raise Closed from error


def retried(call: Callable[[], T], patience: float, closed: threading.Event) -> T:
    """Returns what a call returns, trying again for `patience` seconds while the server is away or busy."""
    pauses, until = Backoff(closed), time.monotonic() + patience
    while True:
        try:
            return call()
        except (ConnectionLost, LimitReached) as error:
            if isinstance(error, Closed):
                raise
            pauses.wait(error, until)
