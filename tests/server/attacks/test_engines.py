"""The computer answers, whatever other visitors ask of the engines and whatever happens to their processes."""

import asyncio
import contextlib
import json
from collections.abc import Mapping
from pathlib import Path

import psutil
import pytest

from bench.attackers import ATTACKS, Attacker, engine_workers, line
from bench.load import Browser, long_game
from bench.served import Processes, Served, served
from tests.server.attacks.visitors import PATIENCE, new_address, run, seconds_of_computer

MOST_PROCESSES = 6  # engines, one that compiles and its helpers
KILLS = 12
LONG_PATIENCE = 12 * PATIENCE  # forty matches want the engines at once, while other tests take the cores


@pytest.mark.parametrize(
    "name",
    ["two-analyses", "reviews", *(pytest.param(each, marks=pytest.mark.slow) for each in ("eight-analyses", "values"))],
)
def test_the_computer_answers_others_during(open_server: Served, name: str) -> None:
    async def scenario() -> float:
        attacker = Attacker(open_server.address, PATIENCE, source=new_address(), size=0.2)
        attack = asyncio.ensure_future(ATTACKS[name].run(attacker))
        await asyncio.sleep(1)
        try:
            return await seconds_of_computer(open_server)
        finally:
            attack.cancel()
            await asyncio.gather(attack, return_exceptions=True)
            attacker.close()

    assert run(scenario()) < PATIENCE


@pytest.mark.slow
def test_the_computer_plays_in_every_match_that_was_begun_at_once(faulty_server: Served) -> None:
    async def scenario() -> None:
        with contextlib.closing(Browser(faulty_server.address, new_address())) as browser:
            await browser.get_cookie()
            body = {"game": "sensei", "seats": [{"level": 8}, "me"]}
            answers = await asyncio.gather(*(browser.post("/api/matches", body) for _ in range(40)))
            begun = [answer.data["number"] for answer in answers if answer.status == 201]
            assert begun
            await everywhere_played(browser, begun)

    run(scenario())


async def everywhere_played(browser: Browser, numbers: list[str]) -> None:
    """Waits until the computer has acted in all matches; raises `TimeoutError`."""
    waiting = set(numbers)
    async with asyncio.timeout(LONG_PATIENCE):
        while waiting:
            for number in sorted(waiting)[:5]:
                answer = await browser.get(f"/api/matches/{number}")
                if answer.status == 200 and answer.data["state"]["is_my_turn"]:
                    waiting.discard(number)
            await asyncio.sleep(0.3)


@pytest.mark.slow
def test_the_computer_plays_after_its_processes_were_killed_again_and_again(faulty_server: Served) -> None:
    async def scenario() -> None:
        with contextlib.closing(Browser(faulty_server.address, new_address())) as browser:
            body = {"game": "sensei", "seats": [{"level": 8}, "me"]}
            number = (await browser.post("/api/matches", body)).data["number"]
            killed = 0
            async with asyncio.timeout(LONG_PATIENCE):
                while killed < KILLS:
                    for worker in await asyncio.to_thread(engine_workers, faulty_server.pid):
                        try:
                            worker.kill()
                            killed += 1
                        except psutil.NoSuchProcess:
                            pass
                    if killed < KILLS and not await asyncio.to_thread(engine_workers, faulty_server.pid):
                        answer = await browser.post("/api/matches", body)
                        if answer.status == 201:
                            number = answer.data["number"]
                    await asyncio.sleep(0.1)
            await everywhere_played(browser, [number])

    run(scenario())


@pytest.mark.parametrize("game", ["chefa", "badia"], ids=["empty", "damaged"])
def test_a_table_that_cannot_be_read_is_replaced_by_the_engine(faulty_server: Served, game: str) -> None:
    async def scenario() -> None:
        assert await seconds_of_computer(faulty_server, game) < PATIENCE
        browser = Browser(faulty_server.address, new_address())
        asked = line(game, long_game(game, 20))
        values = await browser.post("/api/lines/values", asked)
        assert values.status == 200
        assert not values.data["is_from_table"]
        assert values.data["values"]
        status = await browser.post("/api/tables/look", {"game": game})
        assert not status.data["is_built"]
        live: asyncio.Queue[bytes] = asyncio.Queue()
        socket = await browser.socket("/api/lines/live", live.put_nowait)
        socket.send({"id": "1", "lines": 1, **asked})
        update = await asyncio.wait_for(live.get(), PATIENCE)
        assert "error" not in json.loads(update)
        for body in (values.body, status.body, update):
            assert str(faulty_server.folder).encode() not in body
        socket.close()
        browser.close()

    run(scenario())


def unwritable(folder: Path) -> Mapping[str, str]:
    (folder / "file").touch()
    return {"DAMIER_CACHE": str(folder / "file" / "cache")}


def empty(folder: Path) -> Mapping[str, str]:
    return {"DAMIER_CACHE": str(folder / "cache")}


@pytest.mark.slow
@pytest.mark.parametrize("cache", [empty, unwritable])
def test_few_processes_compile_however_many_matches_begin(tmp_path: Path, cache: object) -> None:
    assert callable(cache)

    async def scenario(server: Served) -> int:
        attacker = Attacker(server.address, 3, source=new_address())
        processes = Processes(server)
        attack = asyncio.ensure_future(ATTACKS["compile-herd"].run(attacker))
        while not attack.done():
            await asyncio.to_thread(processes.look)
            await asyncio.sleep(0.2)
        await attack
        attacker.close()
        return processes.most

    with served(tmp_path, cache(tmp_path)) as server:
        assert run(scenario(server)) <= MOST_PROCESSES
