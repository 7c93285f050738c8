"""Ratings over HTTP and in matches: leaderboards, courses, what a match changes, and a server that was killed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.core.messages import message
from damier.server.app import create_app
from damier.server.ratings.glicko import NEW, Rating, rate_game
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.store.statements import ratings as stored
from damier.server.store.store import Store, StoreFailed, now
from tests.server.pages import Player, live
from tests.server.ratings.rated_matches import ANN, BOB, add_account, add_match
from tests.server.served import SETTINGS, another_browser

CLOCK = {"kind": "live", "base": 180, "increment": 2}
WON, LOST = (round(each.value) for each in rate_game([NEW, NEW], [[0], [1]]))


@pytest.fixture
def services(tmp_path: Path) -> Services:
    return Services(ServerSettings.read({**SETTINGS, "database": str(tmp_path / "matches.sqlite")}))


@pytest.fixture
def ann(services: Services) -> Iterator[TestClient]:
    """The browser of one player."""
    with TestClient(create_app(services)) as client:
        yield client


@pytest.fixture
def bob(ann: TestClient) -> TestClient:
    """The browser of the other player."""
    return another_browser(ann)


def begin_rated(ann: TestClient, bob: TestClient, *, is_rated: bool = True) -> str:
    """Begins a match with a clock between two browsers and returns its number."""
    asked = {"game": "chefa", "seats": ["me", "open"], "clock": CLOCK, "is_rated": is_rated}
    match = ann.post("/api/matches", json=asked).json()
    number: str = match["number"]
    bob.post(f"/api/matches/{number}/seats", json={"invitation": match["invitations"]["w"]})
    return number


def in_loop(client: TestClient, function: Any, *arguments: Any, **more: Any) -> Any:
    """Calls an async function in the loop of the server."""
    assert client.portal is not None
    return client.portal.call(lambda: function(*arguments, **more))


def make_account(client: TestClient, services: Services, number: str, player: int, name: str) -> str:
    """Makes the person at a seat an account, and returns the person."""
    live_match = in_loop(client, services.referee.find, number)
    person: str = live_match.match.seats[player].visitor
    in_loop(client, add_account, services.store, person, name)
    return person


def test_both_players_are_told_what_a_rated_match_has_changed(ann: TestClient, bob: TestClient) -> None:
    number = begin_rated(ann, bob)
    with live(ann, number) as first, live(bob, number) as second:
        one, other = Player(first), Player(second)
        assert [seat["rating"] for seat in one.snapshot["seats"]] == [{"value": 1500, "is_provisional": True}] * 2
        assert one.snapshot["ratings"] is None
        assert other.ask("resign")["type"] == "done"
        expected = {
            "changes": {
                "b": {"before": 1500, "after": WON, "is_provisional": True},
                "w": {"before": 1500, "after": LOST, "is_provisional": True},
            },
            "why_unrated": None,
        }
        assert one.next("ratings") == {"type": "ratings", **expected}
        assert other.next("ratings") == {"type": "ratings", **expected}
    shot = ann.get(f"/api/matches/{number}").json()
    assert shot["ratings"] == expected
    assert [seat["rating"]["value"] for seat in shot["seats"]] == [1500, 1500]  # before the game


def test_a_match_that_is_loaded_again_knows_what_it_has_changed(
    ann: TestClient, bob: TestClient, services: Services
) -> None:
    number = begin_rated(ann, bob)
    with live(bob, number) as socket:
        player = Player(socket)
        player.ask("resign")
        player.next("ratings")
    assert services.referee.let_go(number)
    shot = ann.get(f"/api/matches/{number}").json()
    assert shot["ratings"]["changes"]["b"]["after"] == WON
    second = begin_rated(ann, bob)
    values = [seat["rating"]["value"] for seat in ann.get(f"/api/matches/{second}").json()["seats"]]
    assert values == [WON, LOST]


def test_a_casual_match_changes_nothing(ann: TestClient, bob: TestClient, services: Services) -> None:
    number = begin_rated(ann, bob, is_rated=False)
    with live(bob, number) as socket:
        Player(socket).ask("resign")
    assert in_loop(ann, services.ratings.rate, number) is None
    assert ann.get(f"/api/matches/{number}").json()["ratings"] is None


def test_matches_without_a_clock_show_no_ratings(ann: TestClient) -> None:
    shot = ann.post("/api/matches", json={"game": "chefa", "seats": ["me", "me"]}).json()
    assert [seat["rating"] for seat in shot["seats"]] == [None, None]


def test_levels_show_their_measured_ratings(ann: TestClient) -> None:
    games = {game["name"]: game for game in ann.get("/api/games").json()}
    level = games["chefa"]["levels"][2]
    assert level["rating"] is not None
    assert 0 < level["rating_error"] <= 200
    assert games["chefa"]["levels"][4]["rating"] == 1500  # the anchor
    shot = ann.post("/api/matches", json={"game": "chefa", "seats": ["me", {"level": 3}]}).json()
    assert shot["seats"][1]["rating"] == {"value": level["rating"], "is_provisional": False}
    assert games["renfa"]["levels"][2]["rating"] is not None
    other = {"game": "renfa", "options": {"bombs": 5}, "seats": ["me", {"level": 3}]}
    assert ann.post("/api/matches", json=other).json()["seats"][1]["rating"] is None  # measured with usual options


def test_a_leaderboard_is_empty_at_first_and_paged(ann: TestClient, services: Services) -> None:
    assert ann.get("/api/ratings/chefa.live").json() == {
        "pool": "chefa.live",
        "page": 1,
        "pages": 1,
        "entries": [],
        "most_deviation": 75,
    }
    for number in range(60):
        person = f"{number:032}"
        rating = Rating(1500 + number, 60, 0.06, 30)
        in_loop(ann, add_account, services.store, person, f"Name{number}")

        def add(connection: Any, person: str = person, rating: Rating = rating) -> None:
            stored.store_rating(connection, person, "chefa.live", rating, now())

        in_loop(ann, services.store.write, "store", "", add)
    page = ann.get("/api/ratings/chefa.live?page=2").json()
    assert (page["pages"], len(page["entries"])) == (2, 10)
    first = page["entries"][0]
    assert (first["place"], first["name"], first["value"], first["deviation"]) == (51, "Name9", 1509, 60)
    assert ann.get("/api/ratings/chefa.live?page=3").json()["entries"] == []


@pytest.mark.parametrize("pool", ["nogame.live", "chefa.fast", "chefa-3.live", "chefa"])
def test_an_unknown_leaderboard_is_refused(ann: TestClient, pool: str) -> None:
    answer = ann.get(f"/api/ratings/{pool}")
    assert answer.status_code == 404
    assert answer.json() == {"error": f"There are no ratings '{pool}'."}


def test_a_page_of_a_leaderboard_is_a_number_from_one_on(ann: TestClient) -> None:
    assert ann.get("/api/ratings/omba-4.correspondence+programs?page=1").status_code == 200
    for page in ("0", "1001", "x"):
        assert ann.get(f"/api/ratings/chefa.live?page={page}").status_code == 422


def test_the_ratings_of_an_account_have_their_course(ann: TestClient, bob: TestClient, services: Services) -> None:
    number = begin_rated(ann, bob)
    make_account(ann, services, number, 0, "Ann")
    assert ann.get("/api/people/Ann/ratings").json() == {"name": "Ann", "pools": []}
    with live(bob, number) as socket:
        player = Player(socket)
        player.ask("resign")
        player.next("ratings")
    (pool,) = ann.get("/api/people/Ann/ratings").json()["pools"]
    assert [point["value"] for point in pool.pop("points")] == [WON]
    assert pool == {
        "pool": "chefa.live",
        "game": "chefa",
        "players": 2,
        "speed": "live",
        "has_programs": False,
        "rating": {"value": WON, "is_provisional": True},
        "deviation": 290,
        "games": 1,
    }
    answer = ann.get("/api/people/Nobody/ratings")
    assert (answer.status_code, answer.json()) == (404, {"error": "There is no account 'Nobody'."})


def test_deleting_oneself_deletes_the_ratings_and_takes_them_off_the_page(
    ann: TestClient, bob: TestClient, services: Services
) -> None:
    number = begin_rated(ann, bob)
    person = make_account(ann, services, number, 0, "Ann")
    with live(bob, number) as socket:
        player = Player(socket)
        player.ask("resign")
        player.next("ratings")
    assert in_loop(ann, services.ratings.of, person, "chefa.live") != NEW
    ann.delete("/api/me")
    assert in_loop(ann, services.ratings.of, person, "chefa.live") == NEW
    seats = bob.get(f"/api/matches/{number}").json()["seats"]
    assert [seat["rating"] and seat["rating"]["value"] for seat in seats] == [None, 1500]


def test_a_match_that_ended_before_a_kill_is_rated_at_the_next_start(database: str) -> None:
    async def fill() -> None:
        store = Store(database)
        await store.open()
        for day in range(1, 4):
            at = f"2026-11-{day:02}T12:00:00.000Z"
            await add_match(store, f"n{day}", [ANN, BOB], [day % 2, 1 - day % 2], at=at)
        await store.close()

    asyncio.run(fill())
    services = Services(ServerSettings.read({**SETTINGS, "database": database}))
    with TestClient(create_app(services)) as client:
        in_loop(client, settled, services)
        many = in_loop(client, services.ratings.many, [ANN, BOB, "c" * 32], "chefa.live")
        assert {person: rating.games for person, rating in many.items()} == {ANN: 3, BOB: 3, "c" * 32: 0}
        assert many[BOB].value > many[ANN].value
        assert in_loop(client, services.ratings.rate_ended) == 0


async def settled(services: Services) -> None:
    """Waits until the matches that ended before the start are rated."""
    async with asyncio.timeout(20):
        while services.ratings.is_catching_up:
            await asyncio.sleep(0.01)


def test_a_match_is_rated_when_the_database_works_again(
    ann: TestClient, bob: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.server.ratings.ratings._WAITS", (0.01, 0.01, 0.01))
    write, failures = services.store.write, iter([True, True])

    async def failing(what: str, number: str, work: Any) -> Any:
        if what == "rate the match" and next(failures, False):
            raise StoreFailed(message("The disk is full."))
        return await write(what, number, work)

    monkeypatch.setattr(services.store, "write", failing)
    number = begin_rated(ann, bob)
    with live(bob, number) as socket:
        player = Player(socket)
        player.ask("resign")
        assert player.next("ratings")["changes"]["b"]["after"] == WON
