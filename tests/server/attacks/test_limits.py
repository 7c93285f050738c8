"""Limits hold by visitor and by address, whatever cookies a visitor invents."""

import asyncio
import secrets

import pytest

from bench.attackers import COOKIE
from bench.load import Answer, Browser, Page, Refused, Socket
from bench.served import Served
from tests.server.attacks.visitors import check_refusals, new_address, run

TOO_FAST = "Your network sends too many requests: wait a moment."


def invented() -> dict[str, str]:
    return {"Cookie": f"{COOKIE}={secrets.token_urlsafe(24)}"}


async def flooded(browser: Browser, count: int, headers: list[dict[str, str]]) -> list[Answer]:
    """Sends requests at once and returns the answers."""
    answers = await asyncio.gather(*(browser.get("/api/matches", headers[n % len(headers)]) for n in range(count)))
    browser.close()
    return list(answers)


@pytest.mark.parametrize("kind", ["invented", "none"])
def test_a_cookie_that_is_invented_or_missing_does_not_evade_the_limit(strict_server: Served, kind: str) -> None:
    async def scenario() -> None:
        attacker = Browser(strict_server.address, new_address())
        headers = [invented() for _ in range(80)] if kind == "invented" else [{"Cookie": ""}]
        answers: list[Answer] = []
        for part in range(0, 80, 16):
            answers += await flooded(attacker, 16, headers[part:] or headers)
        refused = [answer for answer in answers if answer.status == 429]
        assert refused
        assert {answer.data["error"] for answer in refused} == {TOO_FAST}
        check_refusals(refused)
        other = Browser(strict_server.address, new_address())
        assert (await other.get("/api/matches")).status == 200
        other.close()

    run(scenario())


def test_a_cookie_that_the_server_did_not_sign_is_replaced(strict_server: Served) -> None:
    async def scenario() -> None:
        browser = Browser(strict_server.address, new_address())
        answer = await browser.get("/api/me", invented())
        assert answer.headers["set-cookie"].startswith(f"{COOKIE}=")
        given = dict(browser.cookies)
        again = await browser.get("/api/me")
        assert "set-cookie" not in again.headers
        assert browser.cookies == given
        assert again.data["nickname"] == answer.data["nickname"]
        browser.close()

    run(scenario())


def test_a_visitor_with_new_cookies_cannot_begin_more_matches_than_an_address_may(strict_server: Served) -> None:
    async def scenario() -> None:
        source, statuses = new_address(), []
        for _ in range(14):
            browser = Browser(strict_server.address, source)
            answer = await browser.post("/api/matches", {"game": "chefa", "seats": ["me", "me"]})
            browser.close()
            statuses.append(answer.status)
            await asyncio.sleep(0.1)
        assert statuses == [201] * 10 + [429] * 4
        assert answer.data["error"] == "Many matches were begun from your network: wait a while."
        assert (answer.data["limit"], str(answer.data["seconds"])) == (
            "matches_per_address",
            answer.headers["retry-after"],
        )
        check_refusals([answer])

    run(scenario())


def test_sockets_of_a_visitor_are_limited_and_players_keep_theirs(strict_server: Served) -> None:
    async def scenario() -> None:
        player = Browser(strict_server.address, new_address())
        match = (await player.post("/api/matches", {"game": "chefa", "seats": ["me", "me"]})).data
        page = await Page.open(player, match["number"])
        spectator = Browser(strict_server.address, new_address())
        await spectator.get_cookie()
        opened: list[Socket] = []
        refused = 0
        for _ in range(12):
            try:
                opened.append(await spectator.socket(f"/api/matches/{match['number']}/live", lambda _: None))
            except Refused:
                refused += 1
        await asyncio.sleep(0.5)
        left = [socket for socket in opened if not socket.closed.done()]
        assert len(left) == 5
        assert refused + len(opened) - len(left) == 7
        assert page.is_open
        action = (await page.state())["actions"][0]["action"]
        assert (await page.play(action))["type"] == "done"
        for socket in (*left, page.socket):
            socket.close()
        player.close()
        spectator.close()

    run(scenario())


@pytest.mark.parametrize(
    "begun",
    [
        b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nAccept: ",
        b'POST /api/records/read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\n{"text": "',
    ],
    ids=["head", "body"],
)
def test_connections_of_an_address_are_limited(strict_server: Served, begun: bytes) -> None:
    async def scenario() -> None:
        attacker = Browser(strict_server.address, new_address())
        held = []
        for _ in range(40):
            reader, writer = await attacker.connect()
            writer.write(begun)
            held.append((reader, writer))
        await asyncio.sleep(1)
        still_open = 0
        for reader, writer in held:
            try:
                await asyncio.wait_for(reader.read(), 0.02)
            except TimeoutError:
                still_open += 1
            except OSError:
                pass
            writer.close()
        assert still_open <= 20
        other = Browser(strict_server.address, new_address())
        assert (await other.get("/api/games")).status == 200
        other.close()

    run(scenario())


def test_a_foreign_host_is_not_put_into_links(open_server: Served) -> None:
    async def scenario() -> None:
        browser = Browser(open_server.address, new_address())
        answer = await browser.get("/explore/chefa?actions=a1", {"Host": "evil.example", "Accept": "text/html"})
        assert b"://evil.example" not in answer.body
        browser.close()

    run(scenario())


def test_a_body_that_is_too_long_is_refused_before_it_is_sent(open_server: Served) -> None:
    async def scenario() -> None:
        browser = Browser(open_server.address, new_address())
        reader, writer = await browser.connect()
        fields = {"Content-Length": "10000000", "Content-Type": "application/json"}
        writer.write(browser.head("POST", "/api/records/read", fields) + b"\r\n")
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        assert head.startswith(b"HTTP/1.1 413")
        assert b"The request is longer than" in await asyncio.wait_for(reader.readuntil(b"}"), 10)
        writer.close()

    run(scenario())
