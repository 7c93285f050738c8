"""Measures what 200 matches notice of one visitor who attacks the server, attack by attack.

Run as ``python -m bench.attacks [NAME ...] [--seconds 15] [--matches 200] [--markdown]``. For each attack a server with
its default settings is started; visitors at many loopback addresses play an action a second in every match; then one
visitor, a process of its own at 127.0.0.66, runs the attack. Beside it, one player at another address plays against
the computer at level 3, and one visitor fetches a file and ``/api/games`` ten times a second.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvloop

from bench.attackers import ATTACKS, SHORT, Attack
from bench.load import LONGEST, Browser, Page, Players, Refused
from bench.served import Processes, Served, served

MEDIAN, SLOWEST, COMPUTER = 50.0, 500.0, 2.0  # targets: ms, ms, seconds
LEVEL = 3
FILES = ("/static/app.js", "/api/games")
WARM_UP = 3.0  # seconds of play before the attack
OVERTIME = 70.0  # seconds to wait for an answer of the computer after the attack
_FAILED = (Refused, OSError, EOFError, TimeoutError)


@dataclass
class Row:
    """What was measured during one attack."""

    what: str
    median: float = 0.0
    slowest: float = 0.0
    computer: float = 0.0
    """Seconds of the longest answer of the computer; `inf` if there was none."""

    files: float = 0.0
    longest_file: float = 0.0
    memory: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """MB of the server and its children: before, at most, after."""

    processes: int = 0
    refused: int = 0
    errors: int = 0
    notes: dict[str, int] = field(default_factory=dict)

    @property
    def is_met(self) -> bool:
        """Whether all targets are met."""
        times = self.median <= MEDIAN and self.slowest <= SLOWEST and self.computer <= COMPUTER
        return times and not self.errors


COLUMNS: dict[str, Callable[[Row], str]] = {
    "attack": lambda row: row.what,
    "median, ms": lambda row: f"{row.median:.0f}",
    "99 %, ms": lambda row: f"{row.slowest:.0f}",
    "computer, s": lambda row: f"{row.computer:.1f}" if row.computer < OVERTIME else "never",
    "files 99 %, longest, s": lambda row: f"{row.files:.2f}, {row.longest_file:.2f}",
    "memory before, most, after, MB": lambda row: ", ".join(f"{each:.0f}" for each in row.memory),
    "processes": lambda row: str(row.processes),
    "refused": lambda row: str(row.refused),
    "errors": lambda row: str(row.errors),
    "met": lambda row: "yes" if row.is_met else "no",
}


class ComputerProbe:
    """A player against the computer, who measures how long it takes to answer."""

    def __init__(self, address: str, source: str = "127.0.0.77") -> None:
        self._browser = Browser(address, source)
        self._rng = random.Random(2)
        self._asked: float | None = None
        self.times: list[float] = []
        self.errors: list[str] = []

    async def play(self, until: asyncio.Event) -> None:
        """Plays matches until the event is set and the computer has answered."""
        while not until.is_set():
            try:
                seats = ["me", {"level": LEVEL}]
                answer = await self._browser.post("/api/matches", {"game": SHORT, "seats": seats})
                if answer.status != 201:
                    raise Refused(f"status {answer.status}")
                page = await Page.open(self._browser, answer.data["number"])
                await self._play(page, until)
                page.socket.close()
            except _FAILED as error:
                self.errors.append(str(error) or type(error).__name__)
                await asyncio.sleep(1)

    async def _play(self, page: Page, until: asyncio.Event) -> None:
        """Plays a match, at least one action of it."""
        state = await page.my_turn()
        while not state["result"]:
            answer = await page.play(self._rng.choice(state["actions"])["action"])
            if answer["type"] == "refused":
                raise Refused(answer["error"])
            await page.state(answer["seq"])
            self._asked = time.perf_counter()
            state = await page.my_turn()
            self.times.append(time.perf_counter() - self._asked)
            self._asked = None
            if until.is_set():
                return
            await asyncio.sleep(0.3)

    @property
    def longest(self) -> float:
        """The longest time to an answer so far, `inf` if one has not come."""
        return float("inf") if self._asked or not self.times else max(self.times)


class FileProbe:
    """A visitor who fetches files, each over a new connection."""

    def __init__(self, address: str, source: str = "127.0.0.88") -> None:
        self._address, self._source = address, source
        self.times: list[float] = []
        self.errors: list[str] = []

    async def run(self, until: asyncio.Event) -> None:
        """Fetches until the event is set."""
        number = 0
        while not until.is_set():
            browser = Browser(self._address, self._source)
            began = time.perf_counter()
            try:
                answer = await browser.get(FILES[number % len(FILES)])
                if answer.status != 200:
                    self.errors.append(f"status {answer.status}")
            except _FAILED as error:
                self.errors.append(str(error) or type(error).__name__)
            self.times.append(time.perf_counter() - began)
            browser.close()
            number += 1
            await asyncio.sleep(0.1)


async def measure(server: Served, attack: Attack, matches: int, seconds: float) -> Row:
    """Plays, attacks, and returns what was measured from the attack's begin to its end."""
    players = Players(server.address)
    await players.begin(matches)
    players.measured.is_counting = False
    players.play()
    await asyncio.sleep(WARM_UP)
    processes, before = Processes(server), server.memory_of_all
    until = asyncio.Event()
    computer, files = ComputerProbe(server.address), FileProbe(server.address)
    probes = [asyncio.create_task(computer.play(until)), asyncio.create_task(files.run(until))]
    watching = asyncio.create_task(watch(processes))
    players.measured.is_counting = True
    tally = await run_attack(server, attack, players.matches[0].number if matches else "", seconds)
    players.measured.is_counting = False
    until.set()
    _, waiting = await asyncio.wait(probes, timeout=OVERTIME)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await players.end()
    watching.cancel()
    measured = players.measured
    fetched = sorted(files.times) or [float("inf")]
    errors = measured.errors.total() + len(computer.errors) + len(files.errors)
    notes = {**tally["tally"], **{f"player: {text}": n for text, n in measured.errors.items()}}
    notes |= {f"probe: {text}": 1 for text in (*computer.errors, *files.errors)}
    return Row(
        attack.what,
        measured.percentile(0.5),
        measured.percentile(0.99),
        computer.longest,
        fetched[len(fetched) * 99 // 100],
        fetched[-1],
        (before, processes.memory, server.memory_of_all),
        processes.started,
        tally["refused"],
        errors,
        notes,
    )


async def watch(processes: Processes) -> None:
    """Counts processes four times a second."""
    while True:
        await asyncio.to_thread(processes.look)
        await asyncio.sleep(0.25)


async def run_attack(server: Served, attack: Attack, match: str, seconds: float) -> dict[str, Any]:
    """Runs the attack in a process of its own and returns what it reports."""
    command = [sys.executable, "-m", "bench.attackers", attack.name, server.address]
    command += ["--seconds", str(seconds), "--pid", str(server.pid), f"--match={match}"]  # may begin with a dash
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        async with asyncio.timeout(seconds + 2 * LONGEST):
            output, _ = await process.communicate()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        return {"refused": 0, "tally": {"the attack did not end": 1}}
    found: dict[str, Any] = json.loads(output or b'{"refused": 0, "tally": {"the attack failed": 1}}')
    return found


def run(attack: Attack, matches: int, seconds: float) -> Row:
    """Starts a server and measures one attack."""
    with tempfile.TemporaryDirectory(prefix="damier-bench-") as name:
        folder = Path(name)
        with served(folder, attack.prepare(folder)) as server:
            if attack.settles:
                server.settle()
            return uvloop.run(measure(server, attack, matches, seconds))


def main() -> None:
    """Measures the attacks and prints a row for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(ATTACKS)}")
    parser.add_argument("--seconds", type=float, default=15.0, help="of each attack")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--markdown", action="store_true", help="print a table for docs/performance.md")
    chosen = parser.parse_args()
    if unknown := set(chosen.names) - set(ATTACKS):
        parser.error(f"unknown attacks: {', '.join(sorted(unknown))}")
    if chosen.markdown:
        print("| " + " | ".join(COLUMNS) + " |")
        print("|" + "---|" * len(COLUMNS), flush=True)
    for name in chosen.names or ATTACKS:
        row = run(ATTACKS[name], chosen.matches, chosen.seconds)
        if chosen.markdown:
            print("| " + " | ".join(show(row) for show in COLUMNS.values()) + " |", flush=True)
        else:
            print(f"{name}: " + "; ".join(f"{column} {show(row)}" for column, show in COLUMNS.items()))
            print("  answers: " + ", ".join(f"{n} x {what}" for what, n in row.notes.items()), flush=True)


if __name__ == "__main__":
    main()
