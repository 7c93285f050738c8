"""The benchmark of several servers runs: matches are played through faults, and its ledgers find what is broken."""

import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from bench.cluster.crew import Crew
from bench.cluster.faults import EVERY, Outcome, compare, run_rounds
from bench.cluster.installation import Installation, running
from bench.cluster.stored import read_matches
from bench.cluster.throughput import Measuring, temporary_folder

pytestmark = pytest.mark.slow

TABLES = 3


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    """Runs an installation of two servers, in a folder that PostgreSQL can reach as a user of its own."""
    with temporary_folder() as folder, running(Path(folder), 2, has_relays=True) as found:
        yield found


@pytest.mark.parametrize("fault", ["killed server", "PostgreSQL crashes", "Redis cut off"])
def test_matches_go_on_after_a_fault(installation: Installation, fault: str) -> None:
    outcome = run_rounds(installation, fault, 1, TABLES, seed=1)
    assert (outcome.rounds, outcome.latest, outcome.problems, outcome.died) == (1, 0, [], [])
    assert outcome.confirmed > TABLES
    assert outcome.bitten == (fault != "Redis cut off")


def test_what_is_taken_out_of_the_database_or_put_into_it_is_found(installation: Installation) -> None:
    crew = Crew("faults", 1, installation.addresses, EVERY, 1)
    try:
        crew.begin(TABLES)
        time.sleep(3)
        ledgers = crew.end()
    finally:
        crew.kill()
    address, numbers = installation.postgresql.address, [ledger.number for ledger in ledgers]
    outcome = Outcome("nothing")
    compare(outcome, ledgers, read_matches(address, numbers))
    assert outcome.problems == []
    lost, doubled, unseated = numbers[:3]
    with psycopg.connect(address) as connection:
        connection.execute("DELETE FROM events WHERE match = %s AND seq = 2", [lost])
        connection.execute(
            "INSERT INTO events (match, seq, data, visitor, request, at) "
            "SELECT match, 1000, data, visitor, 'another', at FROM events WHERE match = %s AND seq = 2",
            [doubled],
        )
        connection.execute(
            "UPDATE matches SET seats = replace(seats, visitor, 'cid') FROM visits WHERE number = match "
            "AND number = %s",
            [unseated],
        )
    compare(outcome, ledgers, read_matches(address, numbers))
    found = {(problem.match, problem.what) for problem in outcome.problems}
    assert {(lost, "lost"), (doubled, "doubled"), (unseated, "seat")} <= found


def test_load_is_measured(installation: Installation) -> None:
    with Measuring(installation, 1, 0.2) as measuring:
        measuring.begin(TABLES)
        sample = measuring.measure(1.0)
    assert sample.rate > 0
    assert sample.taken.errors.total() == 0
    assert sample.work.servers > 0
    assert abs(len(sample.taken.heard) - len(sample.taken.times)) <= TABLES  # one of each match may be on its way
