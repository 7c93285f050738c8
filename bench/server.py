"""Measures the server with real sockets: how soon an action is confirmed while many matches are played.

Run as ``python -m bench.server``: one server process with its default settings, 200 matches with clocks of two visitors
each, 400 sockets, an action a second in every match. Prints the median and the 99th percentile of the time from sending
an action to its confirmation, the CPU time of the server for each action, the same in matches of 20, 500 and 2,000
actions, errors, how late flags fall of which as many are due at about the same time, and memory after 1,000 matches.

``--matches 500`` plays more; if the 99th percentile misses its target, the largest number of matches that meets it is
searched for. ``--minutes 20`` plays on and prints the memory every minute. The client is one process beside the server;
its own CPU time is printed, so that one sees which of the two is the limit.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

import psutil
import uvloop

import damier
from bench.load import GAMES, Browser, Match, Page, Players, long_game
from bench.rules import Figure
from bench.served import Served, served

MEDIAN, SLOWEST, WORK = 20.0, 150.0, 1.5  # targets: ms, ms, ms of CPU for an action
GROWTH = 5.0  # per cent of memory within a soak
STEP = 25  # matches by which the search for the largest number is exact
LENGTHS = (20, 500, 2000)
WINDOW = 50  # actions of each match that are measured at a length
LONG_MATCHES = 4
FLAGS, FLAG_SECONDS, LATE = 50, 20, 100.0  # flags that are measured, the time of their clocks, and a target in ms
LONG_GAME = "badia"
MATCHES = 1000
NO_LIMITS = {
    f"DAMIER_{name}": "1000000"
    for name in ("REQUESTS_PER_SECOND", "REQUESTS_PER_ADDRESS", "MATCHES_PER_HOUR", "MATCHES_PER_ADDRESS")
}


class Trial:
    """One run of many matches, and what it took."""

    def __init__(self, server: Served) -> None:
        self._server = server
        self._own = psutil.Process(os.getpid())

    def _client_cpu(self) -> float:
        times = self._own.cpu_times()
        return times.user + times.system

    async def run(self, count: int, seconds: float) -> None:
        """Begins `count` matches and plays them for `seconds`, the first two of which are not measured."""
        players = Players(self._server.address)
        await players.begin(count)
        players.measured.is_counting = False
        players.play()
        await asyncio.sleep(2)
        players.measured.is_counting = True
        began, cpu, own = time.perf_counter(), self._server.cpu, self._client_cpu()
        await asyncio.sleep(seconds)
        spent = time.perf_counter() - began
        done = len(players.measured.times)
        self.cpu, self.client = (self._server.cpu - cpu) / spent, (self._client_cpu() - own) / spent
        self.work = 1000 * (self._server.cpu - cpu) / max(done, 1)
        await players.end()
        self.count, self.measured = count, players.measured

    @property
    def is_met(self) -> bool:
        """Whether the 99th percentile meets its target, without errors."""
        return self.measured.percentile(0.99) <= SLOWEST and not self.measured.errors

    @property
    def limit(self) -> str:
        """What limits the number of matches."""
        return f"CPU of a core: server {100 * self.cpu:.0f} %, client {100 * self.client:.0f} %"

    def show(self) -> None:
        """Prints the figures."""
        measured = self.measured
        note = f"{len(measured.times)} actions in {self.count} matches, {2 * self.count} sockets"
        print(Figure("confirmation median", measured.percentile(0.5), "ms", at_most=MEDIAN, note=note))
        print(Figure("confirmation 99 %", measured.percentile(0.99), "ms", at_most=SLOWEST, note=self.limit))
        print(Figure("work of the server per action", self.work, "ms CPU", at_most=WORK))
        errors = "; ".join(f"{count} x {text}" for text, count in measured.errors.most_common(3))
        print(Figure("errors", measured.errors.total(), "", at_most=0, note=errors), flush=True)


async def find_largest(server: Served, high: int, seconds: float) -> None:
    """Prints the largest number of matches below `high` that meets the target."""
    low, best = 0, "not measured"
    while high - low > STEP:
        count = (low + high) // 2 // STEP * STEP or STEP
        if count in (low, high):
            break
        trial = Trial(server)
        await trial.run(count, seconds)
        slow = trial.measured.percentile(0.99)
        print(f"  {count} matches: 99 % within {slow:.0f} ms; {trial.limit}", flush=True)
        low, high, best = (count, high, trial.limit) if trial.is_met else (low, count, best)
    print(f"most matches with 99 % within {SLOWEST:.0f} ms: {low} ({best})")


async def soak(server: Served, count: int, minutes: int) -> None:
    """Plays for `minutes` and prints the memory after each."""
    players = Players(server.address)
    await players.begin(count)
    players.play()
    kept: list[float] = []
    for minute in range(1, minutes + 1):
        await asyncio.sleep(60)
        kept.append(server.memory)
        measured = players.measured
        slow = measured.percentile(0.99)
        print(f"  minute {minute}: {kept[-1]:.1f} MB, 99 % within {slow:.0f} ms, {measured.errors.total()} errors")
        measured.times.clear()
    await players.end()
    first = kept[min(4, len(kept) - 1)]
    print(Figure("growth from minute 5 to the end", 100 * (kept[-1] / first - 1), "%", at_most=GROWTH))


async def measure_lengths(server: Served) -> None:
    """Prints the CPU for an action in matches of several lengths, each of two visitors."""
    record, line = damier.load(LONG_GAME).record(), []
    for action in long_game(LONG_GAME, max(LENGTHS) + WINDOW):
        line.append((record.mover, action))
        record.play(action)
    pages: list[dict[str, Page]] = []
    for number in range(LONG_MATCHES):
        first, second = (Browser(server.address, f"127.2.0.{number + 1}") for _ in range(2))
        match = (await first.post("/api/matches", {"game": LONG_GAME, "seats": ["me", "open"]})).data
        (invitation,) = match["invitations"].values()
        await second.post(f"/api/matches/{match['number']}/seats", {"invitation": invitation})
        players = [seat["player"] for seat in match["seats"]]
        opened = [await Page.open(browser, match["number"]) for browser in (first, second)]
        pages.append(dict(zip(players, opened, strict=True)))

    async def play(match: dict[str, Page], start: int, end: int) -> None:
        for player, action in line[start:end]:
            answer = await match[player].play(action)
            if answer["type"] != "done":
                raise RuntimeError(answer["error"])

    played = 0
    for length in LENGTHS:
        await asyncio.gather(*(play(match, played, length) for match in pages))
        before = server.cpu
        await asyncio.gather(*(play(match, length, length + WINDOW) for match in pages))
        played = length + WINDOW
        work = 1000 * (server.cpu - before) / (WINDOW * len(pages))
        print(Figure(f"work per action after {length} actions", work, "ms CPU", at_most=WORK), flush=True)
    for match in pages:
        for page in match.values():
            page.socket.close()


async def measure_flags(server: Served, count: int) -> None:
    """Prints how late flags fall in matches that nobody plays on, from the last action sent until the page is told."""
    clock = {"kind": "live", "base": FLAG_SECONDS, "increment": 0}
    matches = [Match(server.address, number, clock) for number in range(count)]
    for first in range(0, count, 8):
        await asyncio.gather(*(match.begin() for match in matches[first : first + 8]))
    late = sorted(await asyncio.gather(*(match.wait_for_flag(FLAG_SECONDS) for match in matches)))
    note = f"{count} clocks of {FLAG_SECONDS} s"
    print(Figure("a flag falls late by, median", late[count // 2], "ms", at_most=LATE, note=note))
    print(Figure("a flag falls late by, 99 %", late[count * 99 // 100], "ms", at_most=LATE), flush=True)
    for match in matches:
        match.close()


async def fill(server: Served, count: int) -> None:
    """Begins matches until there are `count`, from many addresses."""
    for number in range(count):
        browser = Browser(server.address, f"127.3.{number // 2500}.{number // 10 % 250 + 1}")
        await browser.post("/api/matches", {"game": GAMES[number % len(GAMES)], "seats": ["me", "me"]})
        browser.close()


async def measure(server: Served, count: int, seconds: float, minutes: int) -> None:
    """Measures many matches, and what follows from the arguments."""
    if minutes:
        await soak(server, count, minutes)
        return
    trial = Trial(server)
    await trial.run(count, seconds)
    trial.show()
    if not trial.is_met:
        await find_largest(server, count, min(seconds, 10))
    await measure_flags(server, min(FLAGS, count))
    await fill(server, max(0, MATCHES - count))
    print(Figure("memory after 1,000 matches", server.memory, "MB", at_most=400))


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--minutes", type=int, default=0, help="play on for so long and watch the memory")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="damier-bench-") as folder, served(Path(folder)) as server:
        print(Figure("server start", server.start, "s", at_most=2.0), flush=True)
        server.settle()
        uvloop.run(measure(server, chosen.matches, chosen.seconds, chosen.minutes))
    if not chosen.minutes:
        with tempfile.TemporaryDirectory(prefix="damier-bench-") as folder, served(Path(folder), NO_LIMITS) as server:
            server.settle()
            uvloop.run(measure_lengths(server))


if __name__ == "__main__":
    main()
