"""Faults while matches are played, round after round, and the comparison of all ledgers with the database afterwards.

A round begins a fault, ends it, and waits until every table is whole again: an action that was confirmed after the end
of the fault has reached every page of its match. A server that is killed while another is up is over at once: pages
have to find the other one.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench.cluster.crew import Crew, Taken
from bench.cluster.installation import Installation
from bench.cluster.ledger import MatchLedger, Problem, StoredMatch, problems
from bench.cluster.relay import Relay
from bench.cluster.stored import read_matches
from bench.load import percentile
from bench.rules import Figure
from tools.local_cluster import DamierServer

WHOLE = 5.0  # target: seconds until all tables are whole again
GIVE_UP = 20.0  # seconds
EVERY = 0.4  # seconds between two actions of a match
BITES = 3.0  # seconds to wait until a full disk is noticed
SHOWN = 20  # problems that are printed


@dataclass
class Outcome:
    """What the rounds of one kind of fault have shown."""

    name: str
    rounds: int = 0
    whole: list[float] = field(default_factory=list)
    """Seconds until all tables were whole again, by round."""

    latest: int = 0
    """Tables that were not whole again after `GIVE_UP`, over all rounds."""

    bitten: int = 0
    """Rounds in which a page lost its connection or a request was refused."""

    taken: Taken = field(default_factory=Taken)
    problems: list[Problem] = field(default_factory=list)
    matches: int = 0
    confirmed: int = 0
    died: list[str] = field(default_factory=list)
    """Servers that ended although nobody killed them."""

    is_interrupted: bool = False
    """Whether Ctrl-C has ended the rounds; what was played until then is compared."""

    refused_and_stored: int = 0
    """Requests that were refused although they are stored: allowed, since storing had failed in between."""

    def figures(self) -> Iterator[Figure]:
        """Returns what the table says."""
        slowest, median = max(self.whole, default=float("nan")), percentile(self.whole, 0.5) / 1000
        noticed = f"{self.rounds} rounds, noticed by pages in {self.bitten}"
        yield Figure(f"{self.name}: whole again, median", median, "s", at_most=WHOLE, note=noticed)
        stuck = f"{self.latest} times a table was not within {GIVE_UP:.0f} s" if self.latest else ""
        yield Figure(f"{self.name}: whole again, latest", slowest, "s", at_most=WHOLE, note=stuck)
        kinds = Counter(problem.what for problem in self.problems)
        found = ", ".join(f"{count} {what}" for what, count in kinds.most_common())
        compared = f"{self.confirmed} confirmed actions in {self.matches} matches"
        if self.refused_and_stored:
            compared += f"; {self.refused_and_stored} refused, yet stored"
        note = f"{found}; {compared}" if found else compared
        if self.died:
            yield Figure(
                f"{self.name}: servers that ended", len(self.died), "", at_most=0, note="; ".join(self.died[:3])
            )
        yield Figure(f"{self.name}: broken promises", len(self.problems), "", at_most=0, note=note)

    def show(self) -> None:
        """Prints what was found, beyond the figures."""
        for problem in self.problems[:SHOWN]:
            print(f"  {problem}")
        if len(self.problems) > SHOWN:
            print(f"  and {len(self.problems) - SHOWN} more")
        for sentence, count in self.taken.errors.most_common(8):
            print(f"  refused {count} times: {sentence}")


class Faults:
    """The faults: each ends where it yields; what follows is clearing up."""

    def __init__(self, installation: Installation, crew: Crew, rng: random.Random) -> None:
        self._installation, self._crew, self._rng = installation, crew, rng
        self._killed: DamierServer | None = None
        self.kinds: dict[str, Callable[[], Iterator[None]]] = {
            "nothing": self._nothing,
            "killed server": self._kill,
            "PostgreSQL restarts": self._restart_postgresql,
            "PostgreSQL crashes": self._crash_postgresql,
            "Redis restarts": self._restart_redis,
            "Redis flushed": self._flush_redis,
            "Redis cut off": self._cut,
            "Redis silent": self._block,
        }
        if installation.has_small_disk:
            self.kinds["full disk"] = self._fill_disk

    def _pause(self, least: float, most: float) -> None:
        time.sleep(self._rng.uniform(least, most))

    def _nothing(self) -> Iterator[None]:
        yield

    def _kill(self) -> Iterator[None]:
        """The server starts again at once, or when the others have taken over; all pages are at the others then."""
        servers = self._installation.servers
        server = self._rng.choice([one for one in servers if one is not self._killed] or servers)
        self._killed = server
        server.kill()
        if len(servers) == 1:
            server.start()
            yield
        elif self._rng.random() < 0.5:
            server.start(wait=False)
            yield
            server.wait_until_up()
        else:
            yield
            server.start()

    def _restart_postgresql(self) -> Iterator[None]:
        self._installation.postgresql.restart()
        yield

    def _crash_postgresql(self) -> Iterator[None]:
        self._installation.postgresql.stop(immediate=True)
        self._pause(0.0, 1.0)
        self._installation.postgresql.start()
        yield

    def _restart_redis(self) -> Iterator[None]:
        self._installation.redis.kill()
        self._pause(0.0, 1.5)
        self._installation.redis.start()
        yield

    def _flush_redis(self) -> Iterator[None]:
        self._installation.redis.flush()
        yield

    def _some_relays(self) -> list[Relay]:
        relays = self._installation.relays
        return list(relays) if self._rng.random() < 0.5 else [self._rng.choice(relays)]

    def _cut(self) -> Iterator[None]:
        yield from self._disturb(Relay.cut, 2.0)

    def _block(self) -> Iterator[None]:
        yield from self._disturb(Relay.block, 3.0)

    def _disturb(self, begin: Callable[[Relay], None], longest: float) -> Iterator[None]:
        relays = self._some_relays()
        for relay in relays:
            begin(relay)
        self._pause(0.5, longest)
        for relay in relays:
            relay.mend()
        yield

    def _fill_disk(self) -> Iterator[None]:
        """The disk stays full until a request was refused, but not for long."""
        self._installation.fill_disk()
        end = time.monotonic() + BITES
        while time.monotonic() < end and not self._crew.count_refused():
            time.sleep(0.1)
        self._pause(0.0, 1.0)
        self._installation.empty_disk()
        self._installation.wait_for_postgresql()
        yield


# Rounds


def run_rounds(
    installation: Installation, name: str, rounds: int, tables: int, *, seed: int, clients: int = 1
) -> Outcome:
    """Plays at `tables` tables through `rounds` faults of one kind, and compares all ledgers with the database."""
    outcome, rng = Outcome(name), random.Random(f"{seed} {name}")
    crew = Crew("faults", clients, installation.addresses, EVERY, 1)
    try:
        faults = Faults(installation, crew, rng)
        crew.begin(tables)
        _wait_until_whole(crew, time.monotonic())
        crew.take()
        try:
            for _ in range(rounds):
                time.sleep(rng.uniform(0.2, 1.0))
                _run_round(installation, crew, faults.kinds[name], outcome)
                _show_progress(outcome, rounds)
        except KeyboardInterrupt:
            outcome.is_interrupted = True
        installation.wait_for_postgresql()
        ledgers = crew.end()
    finally:
        crew.kill()
    compare(outcome, ledgers, read_matches(installation.postgresql.address, [ledger.number for ledger in ledgers]))
    return outcome


def compare(outcome: Outcome, ledgers: Sequence[MatchLedger], stored: Mapping[str, StoredMatch]) -> None:
    """Compares ledgers with what is stored, and notes in the outcome what was found."""
    outcome.problems = problems(ledgers, stored)
    outcome.matches = len(ledgers)
    for ledger in ledgers:
        kept = {event.request for event in stored[ledger.number].events} if ledger.number in stored else set()
        outcome.confirmed += sum(request.seq is not None for request in ledger.requests)
        outcome.refused_and_stored += sum(bool(one.refusal) and one.id in kept for one in ledger.requests)


def _run_round(installation: Installation, crew: Crew, fault: Callable[[], Iterator[None]], outcome: Outcome) -> None:
    with contextmanager(fault)():
        ended = time.monotonic()
        whole = _wait_until_whole(crew, ended)
    outcome.rounds += 1
    outcome.whole.append(max((at - ended if at else GIVE_UP) for at in whole))
    outcome.latest += whole.count(None)
    taken = crew.take()
    outcome.bitten += bool(taken.lost or taken.errors)
    outcome.taken += taken
    for server in installation.servers:
        if not server.is_running:
            outcome.died.append(f"{server.name} in round {outcome.rounds}, log {server.log}")
            server.start()


def _wait_until_whole(crew: Crew, ended: float) -> list[float | None]:
    crew.fault_ended(ended)
    while True:
        whole = crew.whole()
        if None not in whole or time.monotonic() > ended + GIVE_UP:
            return whole
        time.sleep(0.05)


def _show_progress(outcome: Outcome, rounds: int) -> None:
    if outcome.rounds % 10 == 0 or outcome.rounds == rounds:
        slowest = max(outcome.whole[-10:])
        print(f"  {outcome.name}: round {outcome.rounds} of {rounds}, whole within {slowest:.1f} s", flush=True)
