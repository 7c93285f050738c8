"""Which job comes next, and which has to make way: pure decisions over what waits and what runs.

A request has a priority: playing comes before short analyses, these before live ones. An owner may hold `per_owner`
processes with requests of a priority and those above it. Owners belong to a group, such as a network address: among
equals, the group and then the owner that hold the fewest processes come first. A job makes way for one of a higher
priority, and for one of a group that holds at least two processes fewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from damier.engine.pool.job import Job


class Schedule:
    """The order of the jobs that wait, given those that run."""

    def __init__(self, waiting: Sequence[Job[Any]], running: Sequence[Job[Any]], per_owner: int) -> None:
        self._waiting, self._running, self._per_owner = waiting, running, per_owner
        self._owners = Counter(job.owner for job in running)
        self._groups = Counter(job.group for job in running)

    def next_job(self) -> Job[Any] | None:
        """Returns the job that gets the next free process; None if every owner with a waiting job has its share."""
        able = [job for job in self._waiting if self._held_above(job) < self._per_owner]
        return min(able, key=self._rank, default=None)

    def victim_of(self, job: Job[Any]) -> Job[Any] | None:
        """Returns the running job that makes way for a waiting one, if any."""
        least = self._groups[job.group] + 1
        yielding = [each for each in self._running if each.priority > job.priority]
        yielding = yielding or [
            each for each in self._running if each.priority == job.priority and self._groups[each.group] > least
        ]
        return max(yielding, key=self._dispensability, default=None)

    def _held_above(self, job: Job[Any]) -> int:
        """Returns how many processes the owner holds with jobs of this priority or a higher one."""
        return sum(each.owner == job.owner and each.priority <= job.priority for each in self._running)

    def _rank(self, job: Job[Any]) -> tuple[int, int, int, int]:
        return job.priority, self._groups[job.group], self._owners[job.owner], job.number

    def _dispensability(self, job: Job[Any]) -> tuple[int, int, int, int]:
        return job.priority, self._groups[job.group], self._owners[job.owner], job.number
