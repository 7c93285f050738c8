"""The list of a person's own matches."""

from __future__ import annotations

import asyncio
import json
import random
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert

import damier
from damier.server.store.schema import MatchRow, VisitRow
from damier.server.store.statements.listed_matches import Filters, of_person
from damier.server.store.store import Store
from damier.transcript.read import read_transcripts
from tests.server.pages import Player, begin, live
from tests.server.served import another_browser

ME, OTHER = "a" * 32, "b" * 32


@pytest.fixture
def ann(server: TestClient) -> TestClient:
    client = another_browser(server)
    client.put("/api/me", json={"nickname": "Ann Lee"})
    return client


@pytest.fixture
def bob(server: TestClient) -> TestClient:
    client = another_browser(server)
    client.put("/api/me", json={"nickname": f"Bob {random.randrange(10**9)}"})
    return client


def between(ann: TestClient, bob: TestClient, game: str = "chefa") -> str:
    """Begins a match in which Ann plays first."""
    match = begin(ann, game, "me", "open")
    (invitation,) = match["invitations"].values()
    assert bob.post(f"/api/matches/{match['number']}/seats", json={"invitation": invitation}).is_success
    return str(match["number"])


def act(client: TestClient, number: str, do: str, **given: Any) -> None:
    with live(client, number) as socket:
        assert Player(socket).ask(do, **given)["type"] == "done"


def listed(client: TestClient, **query: Any) -> list[str]:
    answer = client.get("/api/my/matches", params=query)
    assert answer.status_code == 200, answer.text
    return [match["number"] for match in answer.json()["matches"]]


def test_matches_are_listed_by_last_event_and_filtered(ann: TestClient, bob: TestClient) -> None:
    first, second = between(ann, bob), between(ann, bob, "badia")
    alone = begin(ann, "chefa", "me", {"level": 1})["number"]
    assert listed(ann) == [alone, second, first]
    act(ann, first, "play", action="a1")
    assert listed(ann) == [first, alone, second]
    name = bob.get("/api/me").json()["nickname"]
    assert listed(ann, game="badia") == [second]
    assert listed(ann, state="mine") == [alone, second]
    assert listed(ann, state="waiting") == [first]
    assert listed(bob, state="mine") == [first]
    assert listed(ann, opponent="computer") == [alone]
    assert listed(ann, opponent=name) == [first, second]
    assert listed(ann, opponent="Nobody") == []
    assert listed(ann, rated=True) == []
    act(bob, first, "resign")
    assert listed(ann, state="won") == listed(bob, state="lost") == listed(ann, state="over") == [first]
    assert listed(ann, state="drawn") == []
    assert first not in listed(ann, state="running")
    (match,) = ann.get("/api/my/matches", params={"state": "won"}).json()["matches"]
    assert (match["outcome"], match["reason"], match["is_my_turn"]) == ("won", "resignation", False)
    assert [(seat["person"]["name"], seat["is_mine"]) for seat in match["seats"]] == [("Ann Lee", True), (name, False)]


def test_an_aborted_match_is_no_draw(ann: TestClient, bob: TestClient) -> None:
    number = between(ann, bob)
    act(bob, number, "abort")
    assert listed(ann, state="over") == [number]
    assert listed(ann, state="drawn") == listed(ann, state="won") == listed(ann, state="lost") == []
    for client in (ann, bob):
        (match,) = client.get("/api/my/matches", params={"opponent": None}).json()["matches"]
        assert (match["outcome"], match["reason"]) == ("aborted", "abort")


def test_who_has_no_cookie_has_no_matches(server: TestClient) -> None:
    nobody = another_browser(server)
    assert nobody.get("/api/my/matches").json() == {"matches": [], "before": None}
    assert nobody.get("/api/my/next").json() == {"number": None, "count": 0}


@pytest.mark.parametrize("query", ["state=best", "before=nonsense", "rated=perhaps", "opponent=" + "x" * 65])
def test_nonsense_is_refused(ann: TestClient, query: str) -> None:
    answer = ann.get(f"/api/my/matches?{query}")
    assert answer.status_code in (400, 422)
    assert answer.json()["error"].endswith(".")


def test_the_next_match_is_the_one_that_waits_longest(ann: TestClient, bob: TestClient) -> None:
    numbers = [between(ann, bob) for _ in range(3)]
    assert ann.get("/api/my/next").json() == {"number": numbers[0], "count": 3}
    assert ann.get("/api/my/next", params={"after": numbers[0]}).json() == {"number": numbers[1], "count": 2}
    act(ann, numbers[0], "play", action="a1")
    assert ann.get("/api/my/next").json() == {"number": numbers[1], "count": 2}
    assert bob.get("/api/my/next").json() == {"number": numbers[0], "count": 1}


def test_all_filtered_matches_can_be_downloaded_as_records(ann: TestClient, bob: TestClient) -> None:
    numbers = [between(ann, bob) for _ in range(23)]
    for number in numbers[:2]:
        act(ann, number, "play", action="a1")
    act(bob, numbers[0], "resign")
    begin(ann, "badia", "me", {"level": 2})
    answer = ann.get("/api/my/matches/records")
    assert answer.headers["content-disposition"] == 'attachment; filename="matches.txt"'
    found = read_transcripts(answer.text)
    assert len(found) == 24
    assert sorted(each.tags["Match"] for each in found if each.game.name == "chefa") == sorted(numbers)
    ended = next(each for each in found if each.tags["Match"] == numbers[0])
    assert (ended.players[0], ended.result and ended.result.reason) == ("Ann Lee", "resignation")
    assert [node.action for node in ended.main_line()] == ["a1"]
    (other,) = [each for each in found if each.game.name == "badia"]
    assert other.players == ("Ann Lee", "Computer, level 2")
    data = ann.get("/api/my/matches/records", params={"format": "json", "game": "chefa"}).json()
    assert len(data) == 23
    assert len(damier.read_transcripts(json.dumps(data))) == 23
    assert ann.get("/api/my/matches/records", params={"format": "json", "state": "drawn"}).json() == []
    assert ann.get("/api/my/matches/records", params={"state": "drawn"}).text == ""


# Many


def many(path: Path, count: int) -> Store:
    """Returns a store with many matches of one person, as their columns."""
    drawn, store = random.Random(1), Store(path)
    games = damier.games()
    matches, visits = [], []
    for place in range(count):
        ended = f"2026-11-{1 + place % 28:02}T00:00:{place % 60:02}.000Z" if place % 3 else None
        seats = [
            {"player": "b", "kind": "person", "level": None, "visitor": ME, "invitation": None},
            {"player": "w", "kind": "person", "level": None, "visitor": OTHER, "invitation": None},
        ]
        result = {"winner": drawn.choice(["b", "w", None]), "reason": "resignation", "order": ["b", "w"]}
        matches.append(
            {
                "number": f"n{place:05}",
                "game": games[place % len(games)],
                "options": "{}",
                "seats": json.dumps(seats),
                "seed": bytes(32),
                "creator": ME,
                "created": "2026-11-01T00:00:00.000Z",
                "allows_help": False,
                "is_rated": place % 2 == 0,
                "origin": "",
                "mover": None if ended else drawn.choice("bw"),
                "updated": ended or f"2026-11-{1 + place % 28:02}T01:00:00.000Z",
                "ended": ended,
                "result": json.dumps(result) if ended else None,
            }
        )
        visits += [{"match": f"n{place:05}", "visitor": person, "begun": "2026"} for person in (ME, OTHER)]

    async def fill() -> None:
        await store.open()
        await store.write("fill", "", lambda connection: connection.execute(insert(MatchRow), matches) and None)
        await store.write("fill", "", lambda connection: connection.execute(insert(VisitRow), visits) and None)

    with asyncio.Runner() as runner:
        runner.run(fill())
    return store


def test_the_parts_of_a_list_are_the_whole_list(tmp_path: Path) -> None:
    store = many(tmp_path / "matches.sqlite", 700)

    async def read(filters: Filters, count: int, cursor: str | None = None) -> list[str]:
        find = partial(of_person, person=ME, filters=filters, count=count, cursor=cursor)
        return [line.cursor for line in await store.read("list", "", find)]

    async def compare() -> None:
        for filters in (Filters(), Filters(state="mine"), Filters(state="won", is_rated=True), Filters(opponent=OTHER)):
            whole = await read(filters, 10_000)
            assert whole == sorted(whole, reverse=True)
            parts: list[str] = []
            while part := await read(filters, 30, parts[-1] if parts else None):
                parts += part
            assert parts == whole
        assert await read(Filters(opponent="computer"), 30) == []
        await store.close()

    asyncio.run(compare())


def test_a_list_of_five_thousand_matches_takes_little_time(tmp_path: Path) -> None:
    store = many(tmp_path / "matches.sqlite", 5_000)

    async def measure() -> list[float]:
        found = []
        for filters in (
            Filters(),
            Filters(state="mine"),
            Filters(state="drawn", game="badia"),
            Filters(opponent=OTHER),
        ):
            best = 10.0
            for _ in range(3):
                began = time.process_time()
                await store.read("list", "", partial(of_person, person=ME, filters=filters, count=31))
                best = min(best, time.process_time() - began)
            found.append(best)
        await store.close()
        return found

    times = asyncio.run(measure())
    assert max(times) < 0.2, times
