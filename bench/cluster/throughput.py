"""Load: how many actions a second one and two servers confirm, 1,000 matches at once, and the work for an action.

The clients, PostgreSQL and Redis run on the same machine as the servers and take CPU from them. So one server is
compared with two of the same limited share of a core, which leaves room for the rest (`cpu_limit`), and the CPU time of
each part for an action is printed: what a server could do with a core to itself follows from it.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bench.cluster.cpu_limit import NoLimits, limited
from bench.cluster.crew import Crew, Taken
from bench.cluster.installation import ENVIRONMENT, Installation, Traffic, Work, running
from bench.load import percentile
from bench.rules import Figure
from bench.served import served

MEDIAN, SLOWEST = 50.0, 300.0  # targets of a confirmation, ms
RATIO, COST = 1.7, 2.0  # targets: two servers to one, work with PostgreSQL and Redis to that with SQLite
KEPT = 0.95  # the share of the actions that should have been played which must have been
MATCHES, PACE = 1000, 2.0  # of the large load: an action every two seconds in each match
STEPS = (0.25, 0.5, 0.75, 1.0)  # in which it is reached
SHARE = 0.65  # of a core for each server that is compared: two leave a third of two cores to all the rest
FIRST = 160  # actions a second with a whole core, from which the rate is raised: the same for one server and two
FASTER = 1.25  # how much the rate is raised at a time
WARM = 2.0  # seconds that are not measured


@dataclass(frozen=True)
class Sample:
    """What was measured at one rate."""

    wanted: float
    """Actions a second that should have been played."""

    seconds: float
    taken: Taken
    work: Work
    clients: float
    """CPU seconds of the clients."""

    traffic: Traffic
    load: float
    """How many processes of this machine wanted a core, on average of the last minute."""

    @property
    def rate(self) -> float:
        """Actions that were confirmed, a second."""
        return len(self.taken.times) / self.seconds

    @property
    def slowest(self) -> float:
        """The time within which 99 of 100 actions were confirmed, in ms."""
        return percentile(self.taken.times, 0.99)

    @property
    def median(self) -> float:
        """The time within which half of the actions were confirmed, in ms."""
        return percentile(self.taken.times, 0.5)

    @property
    def is_met(self) -> bool:
        """Whether the 99th percentile meets its target, at the wanted rate and without errors."""
        return self.slowest <= SLOWEST and self.rate >= KEPT * self.wanted and not self.taken.errors

    @property
    def errors(self) -> str:
        """The most frequent errors."""
        return "; ".join(f"{count} x {text}" for text, count in self.taken.errors.most_common(3))

    def each(self, seconds: float) -> float:
        """Returns the CPU time for an action, in ms."""
        return 1000 * seconds / max(1, len(self.taken.times))

    @property
    def parts(self) -> str:
        """The CPU time of each part for an action."""
        work = self.work
        parts = {"servers": work.servers, "PostgreSQL": work.postgresql, "Redis": work.redis, "clients": self.clients}
        return ", ".join(f"{name} {self.each(spent):.2f}" for name, spent in parts.items())

    @property
    def cores(self) -> str:
        """How busy each part was, in cores."""
        work, over = self.work, self.seconds
        parts = {"servers": work.servers, "PostgreSQL": work.postgresql, "Redis": work.redis, "clients": self.clients}
        return ", ".join(f"{name} {100 * spent / over:.0f} %" for name, spent in parts.items())

    @property
    def amounts(self) -> str:
        """What else an action takes."""
        traffic, done = self.traffic, max(1, len(self.taken.times))
        return (
            f"{traffic.transactions / done:.1f} transactions, {traffic.log_bytes / done:.0f} bytes of WAL, "
            f"{traffic.commands / done:.1f} commands and {traffic.redis_bytes / done:.0f} bytes of Redis, "
            f"{self.taken.received / done:.0f} bytes to pages"
        )

    def __str__(self) -> str:
        heard = percentile(self.taken.heard, 0.99)
        line = (
            f"{self.rate:.0f} of {self.wanted:.0f} actions/s, median {self.median:.0f} ms, 99 % {self.slowest:.0f} ms"
        )
        errors = f"; {self.errors}" if self.errors else ""
        return f"{line}, heard {heard:.0f} ms; {self.cores} of a core; load {self.load:.1f}{errors}"


class Measuring:
    """An installation with matches that are played at a pace."""

    def __init__(self, installation: Installation, clients: int, every: float, *, is_together: bool = False) -> None:
        """`is_together`: both players of a match are at the same server. Nobody is at a third server."""
        self._installation, self.every, self.matches = installation, every, 0
        self._crew = Crew("load", clients, installation.addresses[:2], every, is_together)

    def begin(self, count: int) -> None:
        """Begins further matches."""
        self._crew.begin(count)
        self.matches += count

    def set_rate(self, rate: float) -> None:
        """Sets how many actions a second are to be played in all."""
        self.every = self.matches / rate
        self._crew.set_pace(self.every)

    def measure(self, seconds: float) -> Sample:
        """Waits until the pace is reached, then measures."""
        time.sleep(WARM + min(self.every, 5.0))
        self._crew.take()
        traffic = self._installation.traffic
        began, work, cpu = time.perf_counter(), self._installation.work, self._crew.cpu
        time.sleep(seconds)
        taken, spent = self._crew.take(), time.perf_counter() - began
        done, clients = self._installation.work - work, self._crew.cpu - cpu
        asked, load = self._installation.traffic - traffic, os.getloadavg()[0]
        return Sample(self.matches / self.every, spent, taken, done, clients, asked, load)

    def __enter__(self) -> Self:
        """Has nothing to do: clients run from the beginning."""
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Closes all pages; after a failure the clients are just ended."""
        try:
            if kind is None:
                self._crew.end()
        finally:
            self._crew.kill()


def find_rate(measuring: Measuring, first: float, seconds: float) -> Sample | None:
    """Raises the rate until the target is missed; returns the best sample that met it, None if the first did not."""
    rate, best = first, None
    while True:
        sample = _sample_at(measuring, rate, seconds)
        if not sample.is_met:
            break
        rate, best = rate * FASTER, sample
    for factor in (0.93, 0.86) if best else ():  # the step was large: a little less, from above
        sample = _sample_at(measuring, rate * factor, seconds)
        if sample.is_met:
            return sample
    return best


def _sample_at(measuring: Measuring, rate: float, seconds: float) -> Sample:
    """Measures at a rate; once more if the target is missed, as a server collects its garbage now and then."""
    measuring.set_rate(rate)
    for _ in range(2):
        sample = measuring.measure(seconds)
        print(f"  {sample}", flush=True)
        if sample.is_met:
            break
    return sample


SETUPS = {  # how many servers, and whether both players of a match are at the same one
    "one server": (1, False),
    "two servers, players apart": (2, False),
    "two servers, players together": (2, True),
}


def compare_servers(folder: Path, matches: int, seconds: float, clients: int, share: float) -> Iterator[Figure]:
    """One server against two, each limited to a share of a core; at two, players of a match are apart or together.

    Players are together where a proxy chooses the server by the number of the match.
    """
    found: dict[str, Sample] = {}
    limit = f"each server limited to {share:.0%} of a core"
    for name, (count, is_together) in SETUPS.items():
        place = folder / name.replace(" ", "-")
        place.mkdir()
        with running(place, count) as installation, ExitStack() as stack:
            print(f"{name}, {limit}", flush=True)
            measuring = stack.enter_context(Measuring(installation, clients, 5.0, is_together=is_together))
            measuring.begin(matches)
            pids = [server.process.pid for server in installation.servers if server.process]
            try:
                stack.enter_context(limited(pids, share))
            except NoLimits as error:
                limit = f"servers not limited: {error}"
            sample = find_rate(measuring, share * FIRST, seconds)
        yield Figure(f"{name}: actions/s", sample.rate if sample else None, "/s", at_least=0, note=f"{limit}; {sample}")
        if sample:
            found[name] = sample
            each, note = sample.each(sample.work.servers), f"ms of CPU: {sample.parts}"
            yield Figure(f"{name}: work of servers per action", each, "ms", at_least=0, note=note)
    one, *others = SETUPS
    for name in others:
        both = one in found and name in found
        ratio = found[name].rate / found[one].rate if both else None
        at = f"at 99 % within {SLOWEST:.0f} ms"
        yield Figure(f"{name}, to one: actions/s", ratio, "", at_least=RATIO, note=at)
        work = [found[key].each(found[key].work.servers) for key in (one, name)] if both else []
        note = "twice the work of one server per action, to that of two"
        yield Figure(f"{name}, to one: by CPU", 2 * work[0] / work[1] if work else None, "", at_least=RATIO, note=note)


def large_load(folder: Path, matches: int, seconds: float, clients: int) -> Iterator[Figure]:
    """Many live matches with two sockets each, an action every two seconds in each, on two servers."""
    last, best = None, None
    with running(folder, 2) as installation:
        print(f"{matches} matches, {2 * matches} sockets, 2 servers", flush=True)
        with Measuring(installation, clients, PACE) as measuring:
            for step in STEPS:
                measuring.begin(math.ceil(matches * step) - measuring.matches)
                last = measuring.measure(seconds)
                print(f"  {measuring.matches} matches: {last}", flush=True)
                best = measuring.matches if last.is_met else best
    assert last is not None
    note = f"{len(last.taken.times)} actions in {matches} matches; load {last.load:.1f}"
    yield Figure("confirmation, median", last.median, "ms", at_most=MEDIAN, note=note)
    yield Figure("confirmation, 99 %", last.slowest, "ms", at_most=SLOWEST, note=f"of a core: {last.cores}")
    heard = percentile(last.taken.heard, 0.99)
    yield Figure("heard by the other player, 99 %", heard, "ms", at_most=SLOWEST, note="at the other server")
    yield Figure("rate kept", 100 * last.rate / last.wanted, "%", at_least=100 * KEPT)
    yield Figure("errors", last.taken.errors.total(), "", at_most=0, note=last.errors)
    yield Figure("most matches that meet the targets", best or 0, "", at_least=matches, note=f"steps of {STEPS}")


def compare_cost(folder: Path, matches: int, seconds: float, clients: int) -> Iterator[Figure]:
    """The work for an action with PostgreSQL and Redis, against SQLite alone; one server, one action a second."""
    works: dict[str, tuple[float, str]] = {}
    alone = folder / "sqlite"
    alone.mkdir()
    print(f"cost of an action, {matches} matches: SQLite", flush=True)
    with served(alone, ENVIRONMENT) as server:
        server.settle()
        crew = Crew("load", clients, [server.address], 1.0)
        try:
            crew.begin(matches)
            time.sleep(WARM + 1)
            crew.take()
            before = server.cpu
            time.sleep(seconds)
            taken = crew.take()
            works["SQLite"] = 1000 * (server.cpu - before) / max(1, len(taken.times)), f"{len(taken.times)} actions"
            crew.end()
        finally:
            crew.kill()
    for count in (1, 2):
        place = folder / f"cost-{count}"
        place.mkdir()
        with running(place, count) as installation:
            with Measuring(installation, clients, 1.0) as measuring:
                measuring.begin(matches)
                sample = measuring.measure(seconds)
            title = f"PostgreSQL and Redis, {count} server{'s' * (count > 1)}"
            print(f"  {title}: {sample}", flush=True)
            works[title] = sample.each(sample.work.total), f"ms of CPU: {sample.parts}; {sample.amounts}"
    yield _work_of_hearing(folder, matches, seconds, clients)
    for name, (work, note) in works.items():
        yield Figure(f"work per action, {name}", work, "ms", at_least=0, note=note)
    base = works["SQLite"][0]
    for name, (work, _) in list(works.items())[1:]:
        yield Figure(f"{name}, to SQLite", work / base, "", at_most=COST, note="servers, PostgreSQL and Redis together")


def _work_of_hearing(folder: Path, matches: int, seconds: float, clients: int) -> Figure:
    """Returns what a third server, at which nobody plays, spends on hearing of an action."""
    place = folder / "hearing"
    place.mkdir()
    with running(place, 3) as installation:
        third = installation.servers[2]
        time.sleep(WARM)
        before = installation.work_of(third)
        time.sleep(seconds)
        idle = (installation.work_of(third) - before) / seconds
        with Measuring(installation, clients, 0.5) as measuring:
            measuring.begin(matches)
            before, began = installation.work_of(third), time.perf_counter()
            sample = measuring.measure(seconds)
            each = (installation.work_of(third) - before) / (time.perf_counter() - began) - idle
    note = f"at {sample.rate:.0f} actions/s; {100 * idle:.1f} % of a core when idle is not counted"
    return Figure(
        "work of a third server without players", 1000 * each / max(1.0, sample.rate), "ms", at_least=0, note=note
    )


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """Returns a folder for an installation that is removed at the end."""
    return tempfile.TemporaryDirectory(prefix="damier-cluster-", ignore_cleanup_errors=True)
