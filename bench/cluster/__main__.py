"""Measures several servers on one PostgreSQL and one Redis: load, faults under load, memory. Prints one table.

python -m bench.cluster                          everything: about an hour and a half
python -m bench.cluster --part load              one server against two, 1,000 matches at once, cost for an action
python -m bench.cluster --part faults --rounds 5 --fault "killed server" --fault "full disk"
python -m bench.cluster --part soak --soak 10    ten minutes
python -m bench.cluster --quick                  a few seconds of each, to see that all of it works

Everything runs on this machine, on 127.0.0.1, in a temporary folder. A full disk needs root: the database is then on a
small file system in memory. Limits of CPU need control groups that this program may change. Exit status 1 if a target
is missed.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.cluster import soak, throughput
from bench.cluster.faults import Outcome, run_rounds
from bench.cluster.installation import Installation, running
from bench.cluster.report import Report
from bench.cluster.small_disk import NoSmallDisk
from bench.rules import Figure

PARTS = ("load", "faults", "soak")
FAULTS = (
    "nothing",
    "killed server",
    "PostgreSQL restarts",
    "PostgreSQL crashes",
    "Redis restarts",
    "Redis flushed",
    "Redis cut off",
    "Redis silent",
    "full disk",
)
LOADS = ("servers", "matches", "cost")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures what was chosen; returns the exit status."""
    given = _parse(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends like Ctrl-C: no process stays
    report = Report(given.json)
    try:
        if "load" in given.part:
            for name, figures in _loads(given):
                report.add(name, list(figures))
        if "faults" in given.part:
            _faults(given, report)
        if "soak" in given.part:
            with throughput.temporary_folder() as folder:
                report.add("Soak", list(soak.soak(Path(folder), given.soak, given.servers, given.soak_matches)))
    except KeyboardInterrupt:
        print("Interrupted: the table has what was measured.")
    print()
    print(report.table())
    return 0 if report.is_met else 1


def _loads(given: argparse.Namespace) -> Iterator[tuple[str, Iterator[Figure]]]:
    seconds, clients = given.seconds, given.clients
    with throughput.temporary_folder() as folder:
        place = Path(folder)
        place.chmod(0o711)
        if "servers" in given.load:
            yield "One server and two", throughput.compare_servers(place, given.tables, seconds, clients, given.share)
        if "matches" in given.load:
            (place / "matches").mkdir()
            title = f"{given.matches} matches, an action every {throughput.PACE:g} s in each, two servers"
            yield title, throughput.large_load(place / "matches", given.matches, seconds, clients)
        if "cost" in given.load:
            yield "Cost of an action", throughput.compare_cost(place, given.tables, seconds, clients)


def _faults(given: argparse.Namespace, report: Report) -> None:
    has_small_disk = "full disk" in given.fault
    with throughput.temporary_folder() as folder:
        try:
            with running(Path(folder), given.servers, has_relays=True, has_small_disk=has_small_disk) as installation:
                _run_faults(given, report, installation)
        except NoSmallDisk as error:
            print(error)
            given.fault = [name for name in given.fault if name != "full disk"]
            _faults(given, report)


def _run_faults(given: argparse.Namespace, report: Report, installation: Installation) -> None:
    for name in given.fault:
        outcome: Outcome = run_rounds(installation, name, given.rounds, given.fault_tables, seed=given.seed)
        outcome.show()
        report.add(f"Faults, {len(installation.servers)} servers", list(outcome.figures()))
        if outcome.is_interrupted:
            raise KeyboardInterrupt


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.cluster", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--part", action="append", choices=PARTS, help="only this part; several may be given")
    add("--load", action="append", choices=LOADS, help="only this comparison of the part load")
    add("--fault", action="append", choices=FAULTS, help="only this fault; several may be given")
    add("--rounds", type=int, default=100, help="rounds of each fault (default: 100)")
    add("--servers", type=int, default=2, help="servers for faults and soak (default: 2)")
    add("--tables", type=int, default=100, help="matches to compare servers and cost (default: 100)")
    add("--fault-tables", type=int, default=16, help="matches during faults (default: 16)")
    add("--matches", type=int, default=throughput.MATCHES, help="matches of the large load (default: 1000)")
    add("--seconds", type=float, default=10.0, help="seconds for each measurement (default: 10)")
    add("--share", type=float, default=throughput.SHARE, help="share of a core of each server compared (default: 0.65)")
    add("--clients", type=int, default=1, help="processes of clients (default: 1)")
    add("--soak", type=float, default=30.0, metavar="MINUTES", help="length of the soak (default: 30)")
    add("--soak-matches", type=int, default=soak.MATCHES, help="matches of the soak (default: 60)")
    add("--seed", type=int, default=1, help="of the random choices (default: 1)")
    add("--quick", action="store_true", help="a few seconds and rounds of everything, which prove nothing")
    add("--json", type=Path, metavar="FILE", help="store all figures")
    given = parser.parse_args(arguments)
    given.part, given.load, given.fault = given.part or PARTS, given.load or LOADS, given.fault or FAULTS
    if given.quick:
        given.rounds, given.tables, given.fault_tables, given.matches = 1, 8, 4, 8
        given.seconds, given.soak, given.soak_matches = 1.0, 0.1, 4
    if not 1 <= given.rounds <= 1000 or not 1 <= given.servers <= 8 or not 1 <= given.matches <= 5000:
        parser.error("rounds are 1 to 1000, servers 1 to 8, matches 1 to 5000")
    if not 0 < given.soak <= 600 or not 1 <= given.seconds <= 300 or not 0.05 <= given.share <= 1:
        parser.error("the soak is at most 600 minutes, a measurement 1 to 300 seconds, a share 0.05 to 1")
    return given


if __name__ == "__main__":
    sys.exit(main())
