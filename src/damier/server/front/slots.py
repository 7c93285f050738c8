"""Slots: how many requests of a kind may be served at a time, in all and for each visitor."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator

from damier.core.messages import message
from damier.engine.pool.pool import QueueFull


class Slots:
    """At most `most` requests at a time, and `per_owner` of one visitor."""

    def __init__(self, most: int, per_owner: int) -> None:
        self._most, self._per_owner = most, per_owner
        self._taken: Counter[str] = Counter()

    @contextlib.contextmanager
    def enter(self, owner: str) -> Iterator[None]:
        """Takes a slot for as long as the context lasts; raises `QueueFull`."""
        if self._taken[owner] >= self._per_owner or self._taken.total() >= self._most:
            raise QueueFull(message("Too many requests are waiting: try again in a moment."))
        self._taken[owner] += 1
        try:
            yield
        finally:
            self._taken[owner] -= 1
            if not self._taken[owner]:
                del self._taken[owner]
