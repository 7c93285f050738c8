"""Attacks on the server as bounded clients, each of one visitor at one loopback address.

Run as ``python -m bench.attackers NAME ADDRESS --seconds 15``, which prints as JSON how the server answered;
``bench.attacks`` measures what others notice. Traffic goes to loopback addresses alone; every attack ends by itself.
Tests run the same functions at a small size.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psutil
import uvloop

import damier
from bench.load import Answer, Browser, Page, Refused, Socket, long_game
from bench.served import raise_file_limit

ATTACKER = "127.0.0.66"
MOST = 50_000  # requests of one attack
LONG, SHORT = "badia", "chefa"  # games that can last long; games that begin with many positions
COOKIE = "damier_visitor"
_FAILED = (Refused, OSError, EOFError, TimeoutError, asyncio.IncompleteReadError)


class Attacker:
    """A visitor who attacks, and how often the server answered in which way."""

    def __init__(
        self, address: str, seconds: float, *, source: str = ATTACKER, pid: int = 0, match: str = "", size: float = 1.0
    ) -> None:
        if not source.startswith("127."):
            raise ValueError("attacks come from loopback addresses alone")
        self.address, self.source, self.pid, self.match = address, source, pid, match
        self.browser = Browser(address, source)
        if not self.browser.host.startswith("127."):
            raise ValueError("attacks go to loopback addresses alone")
        self.tally: Counter[str] = Counter()
        self.answers: list[Answer] = []
        """The first refusals."""

        self.sockets: list[Socket] = []
        self._size, self._end = size, time.monotonic() + seconds
        self._left = MOST

    @property
    def refused(self) -> int:
        """How many requests and sockets were refused."""
        return sum(n for what, n in self.tally.items() if what in ("429", "503") or what.startswith(("closed", "not")))

    @property
    def is_over(self) -> bool:
        """Whether it is time to stop."""
        return time.monotonic() >= self._end or self._left <= 0

    def sized(self, count: int) -> int:
        """Returns a number of clients, smaller in tests."""
        return max(1, round(count * self._size))

    @property
    def seconds_left(self) -> float:
        """Seconds until it is time to stop."""
        return max(0.0, self._end - time.monotonic())

    async def rest(self) -> None:
        """Waits until it is time to stop."""
        await asyncio.sleep(self.seconds_left)

    async def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        browser: Browser | None = None,
    ) -> Answer | None:
        """Sends a request and counts the status of its answer; returns None if there was none."""
        self._left -= 1
        try:
            answer = await (browser or self.browser).ask(method, path, body, headers)
        except _FAILED as error:
            self.tally[f"not answered: {type(error).__name__}"] += 1
            return None
        self.tally[str(answer.status)] += 1
        if answer.status >= 400 and len(self.answers) < 1000:
            self.answers.append(answer)
        return answer

    async def flood(self, request: Callable[[int], Awaitable[object]], at_once: int) -> None:
        """Calls `request` with 0, 1, 2 and so on, `at_once` of them at a time, until it is time to stop."""
        numbers = iter(range(MOST))

        async def go_on() -> None:
            for number in numbers:
                await request(number)
                if self.is_over:
                    return

        await asyncio.gather(*(go_on() for _ in range(self.sized(at_once))))

    async def socket(self, path: str) -> Socket | None:
        """Opens a socket and counts how it ends; its messages are dropped."""
        self._left -= 1
        try:
            socket = await self.browser.socket(path, lambda _: None)
        except _FAILED as error:
            self.tally[f"not opened: {error or type(error).__name__}"] += 1
            return None
        self.tally["opened"] += 1
        self.sockets.append(socket)
        socket.closed.add_done_callback(lambda code: self._count_close(code.result()))
        return socket

    async def page(self, number: str) -> Page:
        """Opens the page of a match."""
        page = await Page.open(self.browser, number)
        self.sockets.append(page.socket)
        return page

    def close(self) -> None:
        """Closes all connections."""
        for socket in self.sockets:
            socket.close()
        self.browser.close()

    def _count_close(self, code: int) -> None:
        if code != 1000:
            self.tally[f"closed {code}"] += 1


Run = Callable[[Attacker], Awaitable[None]]
Prepare = Callable[[Path], Mapping[str, str]]


@dataclass(frozen=True)
class Attack:
    """An attack: what it does, and what its server is started with."""

    name: str
    what: str
    run: Run
    prepare: Prepare = lambda _: {}
    """Fills the folder of the server before it starts; returns its environment."""

    settles: bool = True
    """Whether the kernels are compiled before the attack begins."""


ATTACKS: dict[str, Attack] = {}


def attack(what: str, prepare: Prepare = lambda _: {}, *, settles: bool = True) -> Callable[[Run], Run]:
    """Registers an attack under the name of its function."""

    def register(run: Run) -> Run:
        name = getattr(run, "__name__", "").replace("_", "-")
        ATTACKS[name] = Attack(name, what, run, prepare, settles)
        return run

    return register


def line(game: str, actions: tuple[str, ...] | list[str]) -> dict[str, object]:
    """Returns a game given whole, as requests have it."""
    return {"game": game, "options": {}, "start": None, "actions": list(actions)}


# Engines


def _empty_cache(folder: Path) -> Mapping[str, str]:
    return {"DAMIER_CACHE": str(folder / "cache")}


def _unwritable_cache(folder: Path) -> Mapping[str, str]:
    (folder / "file").touch()
    return {"DAMIER_CACHE": str(folder / "file" / "cache")}


async def _computer_matches(attacker: Attacker, count: int, level: int) -> None:
    """Begins matches in which the computer has the first move."""
    await attacker.browser.get_cookie()
    names = damier.games()

    async def begin(number: int) -> None:
        game = names[number % len(names)]
        await attacker.ask("POST", "/api/matches", {"game": game, "seats": [{"level": level}, "me"]})

    await asyncio.gather(*(begin(number) for number in range(attacker.sized(count))))


@attack("12 matches against level 6, empty kernel cache", _empty_cache, settles=False)
async def compile_herd(attacker: Attacker) -> None:
    """Begins matches while nothing is compiled."""
    await _computer_matches(attacker, 12, 6)
    await attacker.rest()


@attack("12 matches against level 6, unwritable kernel cache", _unwritable_cache, settles=False)
async def unwritable_cache(attacker: Attacker) -> None:
    """Begins matches where nothing can be cached."""
    await _computer_matches(attacker, 12, 6)
    await attacker.rest()


async def _analyses(attacker: Attacker, count: int) -> None:
    await attacker.browser.get_cookie()
    sockets = [await attacker.socket("/api/lines/live") for _ in range(count)]
    while not attacker.is_over:
        for number, socket in enumerate(sockets):
            if socket and not socket.closed.done():
                actions = long_game(SHORT, 12, seed=number)
                socket.send({"id": str(number), "lines": 3, **line(SHORT, actions)})
        await asyncio.sleep(min(5.0, attacker.seconds_left))


@attack("2 live analyses")
async def two_analyses(attacker: Attacker) -> None:
    """Analyses two positions."""
    await _analyses(attacker, 2)


@attack("8 live analyses")
async def eight_analyses(attacker: Attacker) -> None:
    """Analyses eight positions."""
    await _analyses(attacker, 8)


@attack("200 analysis sockets, each with a query")
async def analysis_sockets(attacker: Attacker) -> None:
    """Analyses many positions."""
    await _analyses(attacker, attacker.sized(200))


@attack("60 matches against level 8, begun at once")
async def computer_matches(attacker: Attacker) -> None:
    """Begins many matches against the strongest level."""
    await _computer_matches(attacker, 60, 8)
    await attacker.rest()


@attack("300 reviews at once")
async def reviews(attacker: Attacker) -> None:
    """Has games reviewed."""
    await attacker.browser.get_cookie()

    async def review(number: int) -> None:
        await attacker.ask("POST", "/api/lines/review", line(SHORT, long_game(SHORT, 60, seed=number % 20)))

    tasks = [asyncio.create_task(review(number)) for number in range(attacker.sized(300))]
    _, waiting = await asyncio.wait(tasks, timeout=attacker.seconds_left + 0.1)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    attacker.tally["given up"] += len(waiting)


@attack("values of positions, 20 at once")
async def values(attacker: Attacker) -> None:
    """Asks for the values of positions."""
    await attacker.browser.get_cookie()

    async def look(number: int) -> None:
        await attacker.ask("POST", "/api/lines/values", line(SHORT, long_game(SHORT, 30, seed=number % 40)))

    await attacker.flood(look, 20)


# Limits by cookie and address


@attack("a new match with an invented cookie for each request, 20 at once")
async def invented_cookies(attacker: Attacker) -> None:
    """Begins matches as somebody else each time."""

    async def begin(_: int) -> None:
        cookie = {"Cookie": f"{COOKIE}={secrets.token_urlsafe(24)}"}
        await attacker.ask("POST", "/api/matches", {"game": SHORT, "seats": ["me", "me"]}, cookie)

    await attacker.flood(begin, 20)


@attack("GET /api/matches without a cookie, 40 at once")
async def no_cookie(attacker: Attacker) -> None:
    """Asks without a cookie."""

    async def look(_: int) -> None:
        await attacker.ask("GET", "/api/matches", headers={"Cookie": ""})

    await attacker.flood(look, 40)


@attack("a new page as a new visitor, 20 at once")
async def new_visitors(attacker: Attacker) -> None:
    """Fetches the first page without a cookie, so that each time a new one is given."""

    async def look(_: int) -> None:
        await attacker.ask("GET", "/", headers={"Cookie": "", "Accept": "text/html"})

    await attacker.flood(look, 20)


# Rules in the event loop


@attack("GET /explore/...?actions= with 1,999 actions, 40 at once")
async def long_addresses(attacker: Attacker) -> None:
    """Opens pages of very long games."""
    await attacker.browser.get_cookie()
    actions = quote(",".join(long_game(LONG, 1999)))

    async def look(_: int) -> None:
        await attacker.ask("GET", f"/explore/{LONG}?actions={actions}")

    await attacker.flood(look, 40)


@attack("the states of a game of 2,000 actions, 8 at once")
async def long_lines(attacker: Attacker) -> None:
    """Asks for all boards of a very long game."""
    await attacker.browser.get_cookie()
    body = line(LONG, long_game(LONG, 2000))

    async def look(_: int) -> None:
        await attacker.ask("POST", "/api/lines/states", body)

    await attacker.flood(look, 8)


def long_record(games: int = 29, most: int = 400_000) -> str:
    """Returns a record of several long games, at most `most` letters."""
    texts = []
    for number in range(games):
        actions = long_game(LONG, 2000, seed=number % 4)
        texts.append(f'[Game "{LONG}"]\n\n{" ".join(actions)}\n')
        if sum(map(len, texts)) > most:
            texts.pop()
            break
    return "\n".join(texts)


@attack("a record of 29 long games of 400 kB, 4 at once")
async def long_records(attacker: Attacker) -> None:
    """Has very long records read."""
    await attacker.browser.get_cookie()
    body = json.dumps({"text": long_record(), "number": 1}).encode()

    async def read(_: int) -> None:
        await attacker.ask("POST", "/api/records/read", body)

    await attacker.flood(read, 4)


@attack("pictures of different positions, 100 at once")
async def pictures(attacker: Attacker) -> None:
    """Asks for pictures that nobody asked for before."""
    await attacker.browser.get_cookie()

    async def draw(number: int) -> None:
        actions = quote(",".join(long_game(SHORT, 10 + number % 7, seed=number)))
        await attacker.ask("GET", f"/api/pictures/position.png?game={SHORT}&actions={actions}")

    await attacker.flood(draw, 100)


@attack("oEmbed of games of 300 actions and pages for frames, 20 at once")
async def embeds(attacker: Attacker) -> None:
    """Asks what other sites ask for."""
    await attacker.browser.get_cookie()
    actions = ",".join(long_game(LONG, 300))
    shown = quote(f"http://localhost:{attacker.browser.port}/explore/{LONG}?actions={actions}", safe="")

    async def look(number: int) -> None:
        path = f"/embed/{LONG}?actions={quote(actions)}" if number % 2 else f"/oembed?url={shown}"
        await attacker.ask("GET", path)

    await attacker.flood(look, 20)


@attack("answers to lessons and puzzles, 20 at once")
async def judges(attacker: Attacker) -> None:
    """Has answers judged."""
    await attacker.browser.get_cookie()
    steps = (await attacker.browser.get("/api/lessons")).data[SHORT]["steps"]
    puzzles = (await attacker.browser.get(f"/api/puzzles/{SHORT}")).data["puzzles"]

    async def judge(number: int) -> None:
        if number % 2:
            step = steps[number % len(steps)]
            await attacker.ask("POST", f"/api/games/{SHORT}/lesson/{step}", {"cells": ["a1", "b2"]})
        else:
            puzzle = puzzles[number % len(puzzles)]["id"]
            await attacker.ask("POST", f"/api/puzzles/{SHORT}/{puzzle}/judge", {"actions": ["c3"]})

    await attacker.flood(judge, 20)


@attack("table builds, 8 at once")
async def table_builds(attacker: Attacker) -> None:
    """Asks for tables again and again."""
    await attacker.browser.get_cookie()
    choices = [{"game": "chefa"}, {"game": "badia"}, {"game": "omba", "options": {"players": 2}}]

    async def build(number: int) -> None:
        await attacker.ask("POST", "/api/tables/build", choices[number % len(choices)])

    await attacker.flood(build, 8)


@attack("files of the client, 40 at once")
async def files(attacker: Attacker) -> None:
    """Fetches one file again and again."""

    async def fetch(_: int) -> None:
        await attacker.ask("GET", "/static/app.js")

    await attacker.flood(fetch, 40)


# Sockets and connections


@attack("a new connection for each request, 40 at once")
async def reconnects(attacker: Attacker) -> None:
    """Opens a connection for each request."""

    async def ask(_: int) -> None:
        browser = Browser(attacker.address, attacker.source)
        await attacker.ask("GET", "/api/games", browser=browser)
        browser.close()

    await attacker.flood(ask, 40)


@attack("a new connection for each request, closed before the answer, 40 at once")
async def hit_and_run(attacker: Attacker) -> None:
    """Sends requests whose answers nobody waits for."""

    async def ask(_: int) -> None:
        try:
            writer = (await attacker.browser.connect())[1]
            writer.write(attacker.browser.head("GET", "/api/games", {}) + b"\r\n")
            await asyncio.sleep(0)
            writer.close()
            attacker.tally["sent"] += 1
        except OSError as error:
            attacker.tally[f"not connected: {type(error).__name__}"] += 1

    await attacker.flood(ask, 40)


@attack("1,000 sockets on a match of others, as a spectator")
async def spectator_sockets(attacker: Attacker) -> None:
    """Watches one match many times over."""
    await attacker.browser.get_cookie()
    number = attacker.match
    if not number:
        number = (await attacker.browser.post("/api/matches", {"game": LONG, "seats": ["me", "me"]})).data["number"]
    await _hold_sockets(attacker, number)
    await attacker.rest()


@attack("1,000 sockets on one's own match, while one plays")
async def seat_sockets(attacker: Attacker) -> None:
    """Plays one match with many sockets."""
    await attacker.browser.get_cookie()
    match = await attacker.browser.post("/api/matches", {"game": LONG, "seats": ["me", "me"]})
    number = match.data["number"]
    playing = await attacker.page(number)
    await _hold_sockets(attacker, number)
    await _play_fast(attacker, playing)


async def _hold_sockets(attacker: Attacker, number: str) -> None:
    opening = [attacker.socket(f"/api/matches/{number}/live") for _ in range(attacker.sized(1000))]
    for first in range(0, len(opening), 25):
        await asyncio.gather(*opening[first : first + 25])


async def _play_fast(attacker: Attacker, page: Page) -> None:
    rng = random.Random(1)
    while not attacker.is_over:
        try:
            state = await page.state()
            if state["result"]:
                return
            answer = await page.play(rng.choice(state["actions"])["action"])
        except _FAILED as error:
            attacker.tally[f"not played: {error or type(error).__name__}"] += 1
            return
        attacker.tally["429" if answer["type"] == "refused" else "played"] += 1


@attack("a match of up to 2,000 actions, played as fast as the server confirms")
async def fast_match(attacker: Attacker) -> None:
    """Plays one long match."""
    await attacker.browser.get_cookie()
    match = await attacker.browser.post("/api/matches", {"game": LONG, "seats": ["me", "me"]})
    page = await attacker.page(match.data["number"])
    for action in long_game(LONG, 2000):
        while not attacker.is_over:
            try:
                answer = await page.play(action)
            except _FAILED as error:
                attacker.tally[f"not played: {error or type(error).__name__}"] += 1
                return
            attacker.tally["429" if answer["type"] == "refused" else "played"] += 1
            if answer["type"] == "done":
                break
    await attacker.rest()


async def _half_sent(attacker: Attacker, count: int, data: bytes) -> None:
    """Holds connections on which a request was only begun."""
    held = []
    for number in range(attacker.sized(count)):
        if attacker.is_over:
            break
        try:
            reader, writer = await attacker.browser.connect()
        except OSError as error:
            attacker.tally[f"not connected: {type(error).__name__}"] += 1
            continue
        writer.write(data)
        held.append((reader, writer))
        if number % 50 == 0:
            await asyncio.sleep(0)
    attacker.tally["connected"] += len(held)
    await attacker.rest()
    closed = sum(await asyncio.gather(*(_is_closed(reader) for reader, _ in held)))
    attacker.tally["closed by the server"] += closed
    attacker.tally["still open"] += len(held) - closed
    for _, writer in held:
        writer.close()


async def _is_closed(reader: asyncio.StreamReader) -> bool:
    """Tells whether the server has closed a connection."""
    try:
        async with asyncio.timeout(0.5):
            await reader.read()  # to its end
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


@attack("3,000 requests with half a head")
async def half_heads(attacker: Attacker) -> None:
    """Begins many requests."""
    await _half_sent(attacker, 3000, b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nAccept: ")


@attack("3,000 requests with half a body")
async def half_bodies(attacker: Attacker) -> None:
    """Begins many bodies."""
    head = b"POST /api/records/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    await _half_sent(attacker, 3000, head + b'Content-Length: 300000\r\n\r\n{"text": "')


@attack("bodies of 10 MB, 8 at once")
async def big_bodies(attacker: Attacker) -> None:
    """Sends more than the server takes."""
    await attacker.browser.get_cookie()
    body = b'{"text": "' + b"a" * 10_000_000 + b'"}'

    async def send(_: int) -> None:
        await attacker.ask("POST", "/api/records/read", body)

    await attacker.flood(send, 8)


@attack("the first page with random Host headers, 20 at once")
async def random_hosts(attacker: Attacker) -> None:
    """Pretends to ask another server."""
    await attacker.browser.get_cookie()

    async def look(number: int) -> None:
        await attacker.ask("GET", "/", headers={"Host": f"host{number}.example"})

    await attacker.flood(look, 20)


# Faults of the operator


def engine_workers(pid: int) -> list[psutil.Process]:
    """Returns the engine processes of a server."""
    found = []
    for child in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if any("engine.pool.worker" in part for part in child.cmdline()):
                found.append(child)
    return found


@attack("every engine process is killed every second")
async def worker_kills(attacker: Attacker) -> None:
    """Kills the engines while they think."""
    await _computer_matches(attacker, 4, 6)
    while not attacker.is_over:
        for worker in engine_workers(attacker.pid):
            with contextlib.suppress(psutil.NoSuchProcess):
                worker.kill()
                attacker.tally["killed"] += 1
        await asyncio.sleep(1)


def _table(content: bytes) -> Prepare:
    def write(folder: Path) -> Mapping[str, str]:
        tables = folder / "tables"
        tables.mkdir()
        for name in (SHORT, LONG):
            (tables / f"{name}.table").write_bytes(content)
        return {}

    return write


async def _ask_table(attacker: Attacker) -> None:
    await _computer_matches(attacker, 6, 3)
    actions = long_game(SHORT, 30)

    async def look(_: int) -> None:
        await attacker.ask("POST", "/api/lines/values", line(SHORT, actions))
        await asyncio.sleep(0.5)

    await attacker.flood(look, 1)


@attack("an empty table file", _table(b""))
async def empty_table(attacker: Attacker) -> None:
    """Plays and asks for values where a table is empty."""
    await _ask_table(attacker)


@attack("a damaged table file", _table(random.Random(1).randbytes(100_000)))
async def damaged_table(attacker: Attacker) -> None:
    """Plays and asks for values where a table is damaged."""
    await _ask_table(attacker)


def main() -> None:
    """Runs one attack and prints how the server answered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=sorted(ATTACKS))
    parser.add_argument("address")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--pid", type=int, default=0, help="of the server, to kill its engines")
    parser.add_argument("--match", default="", help="the number of a match of others")
    chosen = parser.parse_args()
    raise_file_limit()

    async def run() -> Attacker:
        attacker = Attacker(chosen.address, chosen.seconds, pid=chosen.pid, match=chosen.match)
        await ATTACKS[chosen.name].run(attacker)
        attacker.close()
        return attacker

    attacker = uvloop.run(run())
    print(json.dumps({"refused": attacker.refused, "tally": attacker.tally}))


if __name__ == "__main__":
    main()
