"""A model on paper: what 100,000 players at once would take, and what would break first.

python -m bench.cost_model                                    with the figures below
python -m bench.cost_model --players 10000 --pace 8           fewer players, who think longer
python -m bench.cost_model --server-ms 2.5 --core-hour 0.03   other measurements, other prices

Every input is a flag. Those of work were measured by ``python -m bench.cluster --part load``; the others are
assumptions. It is arithmetic, not a measurement: [docs/scaling.md](../docs/scaling.md) says what it leaves out.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

SECONDS_PER_MONTH = 730 * 3600
_NEVER = math.inf


def _input(value: float, text: str) -> Any:
    """Returns a field with a value by default and what it means."""
    return field(default=value, metadata={"text": text})


@dataclass(frozen=True)
class Inputs:
    """What is assumed and what was measured; each is a flag with dashes."""

    players: float = _input(100_000, "players who are there at once, each with a socket")
    playing: float = _input(1.0, "the share of them who play a live match against another; the rest only hold sockets")
    pace: float = _input(5.0, "seconds between two actions of a match")
    busy: float = _input(0.6, "the share of a core that is used at most, so that there is room for peaks")
    apart: float = _input(
        1.0, "the share of matches whose players are at different servers; 0 if a proxy chooses by the match"
    )
    server_ms: float = _input(2.85, "CPU of a server for an action, both players there, ms")
    other_ms: float = _input(1.05, "CPU of the second server for an action of which it has a player, ms")
    hear_ms: float = _input(0.17, "CPU of every other server to hear of an action that does not concern it, ms")
    postgresql_ms: float = _input(0.49, "CPU of PostgreSQL for an action, ms")
    transactions: float = _input(1.0, "transactions of PostgreSQL for an action")
    log_bytes: float = _input(1150, "bytes of its write-ahead log for an action")
    row_bytes: float = _input(500, "bytes that an action takes on its disk for good, with indexes")
    redis_ms: float = _input(0.13, "CPU of Redis for an action with two servers, ms")
    redis_server_ms: float = _input(0.002, "CPU of Redis for each further server that hears of an action, ms")
    redis_bytes: float = _input(1300, "bytes that Redis exchanges with the server of an action")
    state_bytes: float = _input(4600, "bytes of the state that Redis relays between the servers of a match, both ways")
    redis_server_bytes: float = _input(270, "bytes that Redis sends to every server for an action")
    page_bytes: float = _input(5000, "bytes that go to the pages of both players for an action, before compression")
    socket_kb: float = _input(60, "memory of a server for a socket and its share of a match, kB")
    server_mb: float = _input(170, "memory of a server with nobody there, MB")
    largest_database: float = _input(64, "cores of the largest machine for PostgreSQL")
    fastest_commits: float = _input(20_000, "transactions a second that its disk can confirm")
    core_hour: float = _input(0.04, "price of a core for an hour")
    gigabyte_month: float = _input(0.10, "price of a GB on disk for a month")
    gigabyte_out: float = _input(0.02, "price of a GB sent to players")
    reserve: float = _input(2.0, "how often PostgreSQL and Redis are paid: 2 with a standby for each")


@dataclass(frozen=True)
class Model:
    """What follows from the inputs."""

    inputs: Inputs

    @property
    def actions(self) -> float:
        """Actions a second."""
        return self.inputs.players * self.inputs.playing / 2 / self.inputs.pace

    @property
    def work_ms(self) -> float:
        """CPU of the servers that have players of a match, for an action."""
        return self.inputs.server_ms + self.inputs.apart * self.inputs.other_ms

    @property
    def servers(self) -> float:
        """Server processes, a core each; infinite if hearing of all actions alone takes what a core has."""
        free = 1000 * self.inputs.busy - self.actions * self.inputs.hear_ms
        return math.ceil(self.actions * self.work_ms / free) if free > 0 else _NEVER

    @property
    def postgresql_cores(self) -> float:
        """Cores of PostgreSQL."""
        return self.actions * self.inputs.postgresql_ms / 1000 / self.inputs.busy

    @property
    def redis_cores(self) -> float:
        """Cores of Redis, of which one process has one."""
        further = max(0.0, self.servers - 2) * self.inputs.redis_server_ms
        return self.actions * (self.inputs.redis_ms + further) / 1000 / self.inputs.busy

    @property
    def redis_megabytes(self) -> float:
        """MB a second that Redis receives and sends."""
        given = self.inputs
        each = given.redis_bytes + given.apart * given.state_bytes + given.redis_server_bytes * self.servers
        return self.actions * each / 1e6

    @property
    def megabytes_out(self) -> float:
        """MB a second to the pages."""
        return self.actions * self.inputs.page_bytes / 1e6

    @property
    def memory_gb(self) -> float:
        """GB of memory of all servers."""
        return (self.servers * self.inputs.server_mb + self.inputs.players * self.inputs.socket_kb / 1000) / 1000

    @property
    def disk_gb_month(self) -> float:
        """GB that are stored in a month at this rate, day and night."""
        return self.actions * self.inputs.row_bytes * SECONDS_PER_MONTH / 1e9

    def prices(self) -> dict[str, float]:
        """Returns what each part costs in a month at this rate, day and night."""
        core = self.inputs.core_hour * 730
        return {
            "servers": self.servers * core,
            "PostgreSQL": self.postgresql_cores * self.inputs.reserve * core,
            "Redis": self.redis_cores * self.inputs.reserve * core,
            "disk, of a month": self.disk_gb_month * self.inputs.gigabyte_month,
            "traffic to players": self.megabytes_out * SECONDS_PER_MONTH / 1000 * self.inputs.gigabyte_out,
        }

    def limits(self) -> dict[str, float]:
        """Returns the actions a second at which each part breaks, the first to break first, of those that do."""
        given = self.inputs
        found = {
            "every server hears of every action: one core is full": _quotient(1000 * given.busy, given.hear_ms),
            "one Redis is full, one core": self._redis_limit(),
            "PostgreSQL is full, the largest machine": _quotient(
                1000 * given.busy * given.largest_database, given.postgresql_ms
            ),
            "commits to the disk of PostgreSQL": _quotient(given.fastest_commits, given.transactions),
        }
        return dict(sorted(((k, v) for k, v in found.items() if v < _NEVER), key=lambda pair: pair[1]))

    def _redis_limit(self) -> float:
        """Returns the actions a second at which Redis needs a whole core: more actions need more servers that hear."""
        low, high = 0.0, 1e7
        for _ in range(60):
            middle = (low + high) / 2
            players = middle * 2 * self.inputs.pace / self.inputs.playing
            low, high = (
                (middle, high) if Model(replace(self.inputs, players=players)).redis_cores <= 1 else (low, middle)
            )
        return low


def _quotient(above: float, below: float) -> float:
    return above / below if below else _NEVER


def _text(value: float, form: str) -> str:
    """Returns a number; a dash for what no number of servers can reach."""
    return format(value, form) if 0 < value < _NEVER else "-"


def table(model: Model) -> str:
    """Returns the model as text."""
    given, actions = model.inputs, model.actions
    rows = [
        ("actions a second", _text(actions, ",.0f")),
        ("server processes, a core each", _text(model.servers, ",.0f")),
        ("sockets of each", _text(given.players / model.servers, ",.0f")),
        ("memory of all servers, GB", _text(model.memory_gb, ",.1f")),
        ("PostgreSQL: transactions a second", _text(actions * given.transactions, ",.0f")),
        ("PostgreSQL: write-ahead log, MB/s", _text(actions * given.log_bytes / 1e6, ",.1f")),
        ("PostgreSQL: cores", _text(model.postgresql_cores, ",.1f")),
        ("PostgreSQL: grows in a month by, GB", _text(model.disk_gb_month, ",.0f")),
        ("Redis: received and sent, MB/s", _text(model.redis_megabytes, ",.0f")),
        ("Redis: cores, of which it has one", _text(model.redis_cores, ",.2f")),
        ("to the pages, MB/s", _text(model.megabytes_out, ",.0f")),
    ]
    lines = [f"{given.players:,.0f} players at once, an action every {given.pace:g} s in each match", ""]
    lines += [f"  {name:44} {value:>16}" for name, value in rows]
    prices = model.prices()
    lines += ["", "A month at this rate, day and night, in the currency of the prices", ""]
    prices["all"] = sum(prices.values())
    lines += [f"  {name:44} {_text(price, ',.0f'):>16}" for name, price in prices.items()]
    lines += ["", "What breaks first, in actions a second", ""]
    for name, limit in model.limits().items():
        players = limit * 2 * given.pace / given.playing
        verdict = "BREAKS" if limit < actions else f"{limit / actions:.1f} times as many"
        lines.append(f"  {name:56} {limit:12,.0f}  {players:12,.0f} players  {verdict}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the model; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.cost_model", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for one in fields(Inputs):
        flag, text = f"--{one.name.replace('_', '-')}", f"{one.metadata['text']} (default: {one.default:g})"
        parser.add_argument(flag, type=float, default=one.default, help=text)
    given = vars(parser.parse_args(arguments))
    if any(not math.isfinite(value) or value < 0 for value in given.values()):
        parser.error("every number is 0 or more")
    if min(given["players"], given["playing"], given["pace"], given["busy"], given["server_ms"]) <= 0:
        parser.error("players, playing, pace, busy and server-ms are more than 0")
    print(table(Model(Inputs(**given))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
