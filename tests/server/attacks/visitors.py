"""Visitors beside an attack: where they connect from, what they do meanwhile, and how refusals must look."""

import asyncio
import itertools
import time
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from bench.attackers import ATTACKS, Attacker
from bench.load import Answer, Browser, Match, Measured, Page
from bench.served import Served

Result = TypeVar("Result")

PATIENCE = 20.0  # seconds that nobody waits for, however slow the machine is
_numbers = itertools.count()


def new_address() -> str:
    """Returns a loopback address that no test has used, so that its limits are fresh."""
    number = next(_numbers)
    return f"127.66.{number // 250}.{number % 250 + 1}"


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Runs a scenario; connections that it closed have ended afterwards."""

    async def whole() -> Result:
        try:
            return await work
        finally:
            rest = asyncio.all_tasks() - {asyncio.current_task()}
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            await asyncio.sleep(0.1)

    return asyncio.run(whole())


class Others:
    """Two visitors who play a match, and one who opens pages."""

    def __init__(self, server: Served) -> None:
        self._match = Match(server.address, next(_numbers))
        for browser in self._match.browsers:
            browser.source = new_address()
        self._reader = Browser(server.address, new_address())
        self.measured = Measured()

    async def begin(self) -> str:
        """Begins the match and returns its number."""
        await self._match.begin()
        return self._match.number

    async def stay(self, until: asyncio.Event) -> None:
        """Plays and reads until the event is set, at least twice; raises `TimeoutError` after a long wait."""
        rounds = 0
        while rounds < 2 or not until.is_set():
            for path in ("/api/games", "/static/app.js", "/"):
                async with asyncio.timeout(PATIENCE):
                    assert (await self._reader.get(path)).status == 200
            async with asyncio.timeout(PATIENCE):
                await self._match.act(self.measured)
            rounds += 1
            await asyncio.sleep(0.2)

    def close(self) -> None:
        """Closes all connections."""
        self._match.close()
        self._reader.close()


async def attacked(server: Served, name: str, seconds: float, size: float) -> tuple[Attacker, Others]:
    """Runs an attack while others play and read; returns the attacker and the others."""
    others, until = Others(server), asyncio.Event()
    number = await others.begin()
    attacker = Attacker(server.address, seconds, source=new_address(), pid=server.pid, match=number, size=size)
    staying = asyncio.create_task(others.stay(until))
    await asyncio.sleep(0)
    attack = asyncio.ensure_future(ATTACKS[name].run(attacker))
    attack.add_done_callback(lambda _: until.set())
    try:
        await asyncio.wait([attack, staying], timeout=seconds + PATIENCE, return_when=asyncio.FIRST_EXCEPTION)
        until.set()
        await staying
        if attack.done():
            attack.result()
    finally:
        for task in (attack, staying):
            task.cancel()
        await asyncio.gather(attack, staying, return_exceptions=True)
        attacker.close()
        others.close()
    return attacker, others


async def seconds_of_computer(server: Served, game: str = "sensei", level: int = 3) -> float:
    """Begins a match against the computer, plays an action and returns how long its answer takes."""
    browser = Browser(server.address, new_address())
    answer = await browser.post("/api/matches", {"game": game, "seats": ["me", {"level": level}]})
    page = await Page.open(browser, answer.data["number"])
    began = time.monotonic()
    mover = (state := await page.state())["mover"]
    while state["mover"] == mover:
        done = await page.play(state["actions"][0]["action"])
        state = await page.state(done["seq"])
    async with asyncio.timeout(PATIENCE):
        await page.my_turn()
    page.socket.close()
    browser.close()
    return time.monotonic() - began


def check_refusals(answers: Iterable[Answer]) -> None:
    """Asserts that who is too fast, or finds the server busy, is told so and when to come back."""
    for answer in answers:
        if answer.status in (429, 503):
            is_page = answer.headers["content-type"].startswith("text/html")
            assert ".</p>" in answer.body.decode() if is_page else answer.data["error"].endswith(".")
            assert int(answer.headers["retry-after"]) >= 1
