"""Rating matches that have ended: which count, once each, in which pool."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, func, select

from damier.server.matches.match import Event, Match, Seat
from damier.server.ratings.fairness import PastGame, is_repeated, is_same_absence
from damier.server.ratings.glicko import NEW, Rating, aged, rate_game
from damier.server.ratings.pools import Pool, parse_pool, pool_of
from damier.server.ratings.rate_match import RatedMatch, level_rating, rate_match
from damier.server.ratings.ratings import thinned
from damier.server.store.schema import RatingChangeRow, RatingRow
from damier.server.store.statements import ratings as stored
from damier.server.store.statements.forgetting import forget
from damier.server.store.store import Store
from tests.server.ratings.rated_matches import ANN, BOB, CAT, DAN, LIVE, SLOW, add_account, add_match

Test = Callable[[Store], Awaitable[None]]
DAY = "2026-11-{:02}T12:00:00.000Z"
POOL = "chefa.live"


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[Store]:
    store = Store(database)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def run(database: str, test: Test) -> None:
    """Runs a test with a new database."""

    async def do() -> None:
        async with opened(database) as store:
            await test(store)

    asyncio.run(do())


async def rate_if_due(store: Store, number: str) -> RatedMatch | None:
    return await store.write("rate", number, partial(rate_match, number=number))


async def rate(store: Store, number: str) -> RatedMatch:
    rated = await rate_if_due(store, number)
    assert rated is not None
    return rated


async def ratings(store: Store, pool: str = POOL) -> dict[str, Rating]:
    people = [ANN, BOB, CAT, DAN]
    found = await store.read("read", "", partial(stored.find_ratings, people=people, pool=pool))
    return {person: each.rating for person, each in found.items()}


async def count(store: Store, table: Any) -> int:
    def read(connection: Connection) -> int:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())

    return await store.read("count", "", read)


def test_a_win_between_newcomers_is_rated_by_the_method(database: str) -> None:
    async def test(store: Store) -> None:
        await add_match(store, "one", [ANN, BOB], [1, 0])
        rated = await rate(store, "one")
        expected = rate_game([NEW, NEW], [[1], [0]])
        assert await ratings(store) == {ANN: expected[0], BOB: expected[1]}
        assert {each.player: (each.before, each.after) for each in rated.changes} == {
            "b": (1500, expected[0].value),
            "w": (1500, expected[1].value),
        }

    run(database, test)


def test_a_match_is_rated_once(database: str) -> None:
    async def test(store: Store) -> None:
        await add_match(store, "one", [ANN, BOB], [0, 1])
        first = await rate(store, "one")
        before = await ratings(store)
        assert await asyncio.gather(*(rate(store, "one") for _ in range(5))) == [first] * 5
        assert await ratings(store) == before
        assert await count(store, RatingChangeRow) == 2

    run(database, test)


def test_the_deviation_grows_between_two_games(database: str) -> None:
    async def test(store: Store) -> None:
        await add_match(store, "one", [ANN, BOB], [0, 1], at=DAY.format(1))
        await rate(store, "one")
        before = await ratings(store)
        await add_match(store, "two", [ANN, BOB], [[0, 1]], at=DAY.format(21))
        await rate(store, "two")
        expected = rate_game([aged(before[ANN], 20), aged(before[BOB], 20)], [[0, 1]])
        assert await ratings(store) == {ANN: expected[0], BOB: expected[1]}

    run(database, test)


def test_four_players_are_rated_in_a_pool_of_their_own(database: str) -> None:
    async def test(store: Store) -> None:
        await add_match(store, "four", [ANN, BOB, CAT, DAN], [2, [0, 1, 3]], game="omba")
        await rate(store, "four")
        found = await ratings(store, "omba-4.live")
        assert found[CAT].value > 1500 > found[ANN].value == found[BOB].value == found[DAN].value
        assert await ratings(store, "omba.live") == {}

    run(database, test)


@pytest.mark.parametrize(
    "given",
    [
        {"reason": "abort"},
        {"is_rated": False},
        {"control": None},
        {"people": [ANN, ANN]},
    ],
)
def test_such_a_match_is_not_rated(database: str, given: dict[str, Any]) -> None:
    async def test(store: Store) -> None:
        people = given.get("people", [ANN, BOB])
        await add_match(store, "one", people, [0, 1], **{key: each for key, each in given.items() if key != "people"})
        assert await rate_if_due(store, "one") is None
        assert await rate_if_due(store, "nowhere") is None
        assert await count(store, RatingRow) == await count(store, RatingChangeRow) == 0

    run(database, test)


def test_games_with_a_program_are_rated_apart(database: str) -> None:
    async def test(store: Store) -> None:
        await add_account(store, BOB, "Bot", is_program=True)
        await add_match(store, "one", [ANN, BOB], [0, 1])
        await rate(store, "one")
        assert await ratings(store) == {}
        assert set(await ratings(store, "chefa.live+programs")) == {ANN, BOB}

    run(database, test)


def test_a_level_of_the_computer_is_an_opponent_of_its_measured_rating(database: str) -> None:
    async def test(store: Store) -> None:
        await add_match(store, "one", [ANN, 3], [0, 1])
        await rate(store, "one")
        level = level_rating("chefa", 3)
        assert level is not None
        assert await ratings(store, "chefa.live+programs") == {ANN: rate_game([NEW, level], [[0], [1]])[0]}
        assert await count(store, RatingRow) == 1

    run(database, test)


def test_the_same_game_with_the_same_winner_counts_twice_and_no_more(database: str) -> None:
    async def test(store: Store) -> None:
        opening = ["a1", "b1", "c1"]
        for day in (1, 2, 3):
            await add_match(store, f"n{day}", [ANN, BOB], [0, 1], at=DAY.format(day), actions=opening)
        assert [(await rate(store, f"n{day}")).why_unrated for day in (1, 2)] == [None, None]
        before = await ratings(store)
        third = await rate(store, "n3")
        assert third.why_unrated == "repeated"
        assert all(change.before == change.after for change in third.changes)
        assert await ratings(store) == before
        others: dict[str, Any] = {
            "loser": {"order": [1, 0], "actions": opening},
            "other": {"order": [0, 1], "actions": ["a1", "b1", "d1"]},
            "drawn": {"order": [[0, 1]], "actions": opening},
        }
        for number, given in others.items():
            await add_match(store, number, [ANN, BOB], given["order"], at=DAY.format(4), actions=given["actions"])
            assert (await rate(store, number)).why_unrated is None, number
        await add_match(store, "seats", [BOB, ANN], [1, 0], at=DAY.format(5), actions=opening)
        assert (await rate(store, "seats")).why_unrated == "repeated"
        await add_match(store, "cat", [ANN, CAT], [0, 1], at=DAY.format(5), actions=opening)
        assert (await rate(store, "cat")).why_unrated is None

    run(database, test)


def test_a_repeated_game_counts_again_after_a_month() -> None:
    past = [PastGame("a1", ANN, DAY.format(1)), PastGame("a1", ANN, DAY.format(2))]
    assert is_repeated("a1", ANN, DAY.format(30), past)
    assert not is_repeated("a1", ANN, "2026-12-01T12:00:01.000Z", past)
    assert not is_repeated("a1", None, DAY.format(3), past)


def test_of_many_correspondence_games_that_an_absent_player_loses_on_time_the_first_counts(database: str) -> None:
    async def test(store: Store) -> None:
        for day, other in ((1, BOB), (2, CAT), (3, DAN)):
            lost: dict[str, Any] = {"control": SLOW, "reason": "time", "at": DAY.format(day)}
            await add_match(store, f"n{day}", [other, ANN], [0, 1], **lost)
        assert [(await rate(store, f"n{day}")).why_unrated for day in (1, 2, 3)] == [None, "timeouts", "timeouts"]
        assert set(await ratings(store, "chefa.correspondence")) == {ANN, BOB}
        await add_match(store, "back", [ANN, DAN], [1, 0], control=SLOW, at=DAY.format(5))
        await store.append("back", 1, [Event("play", "b", "a1")], ANN, "r1", columns={"updated": DAY.format(5)})
        await add_match(store, "again", [BOB, ANN], [0, 1], control=SLOW, reason="time", at=DAY.format(6))
        assert (await rate(store, "again")).why_unrated is None

    run(database, test)


def test_a_live_game_lost_on_time_always_counts(database: str) -> None:
    async def test(store: Store) -> None:
        for day, other in ((1, BOB), (2, CAT)):
            await add_match(store, f"n{day}", [other, ANN], [0, 1], reason="time", at=DAY.format(day))
            assert (await rate(store, f"n{day}")).why_unrated is None

    run(database, test)


def test_an_absence_lasts_a_week() -> None:
    assert is_same_absence(DAY.format(7), DAY.format(1), has_played_since=False)
    assert not is_same_absence(DAY.format(8), DAY.format(1), has_played_since=False)
    assert not is_same_absence(DAY.format(2), DAY.format(1), has_played_since=True)
    assert not is_same_absence(DAY.format(2), None, has_played_since=False)


def test_matches_without_a_rating_are_found_oldest_first(database: str) -> None:
    async def test(store: Store) -> None:
        for day in (3, 1, 2):
            await add_match(
                store, f"n{day}", [ANN, BOB], [0, 1], at=DAY.format(day), actions=["a1", f"{'bcd'[day - 1]}1"]
            )
        await add_match(store, "aborted", [ANN, BOB], [0, 1], reason="abort")
        await add_match(store, "unrated", [ANN, BOB], [0, 1], is_rated=False)
        find = partial(stored.unrated_matches, count=10)
        assert await store.read("find", "", find) == ["n1", "n2", "n3"]
        await rate(store, "n1")
        assert await store.read("find", "", find) == ["n2", "n3"]

    run(database, test)


def test_a_leaderboard_has_accounts_whose_rating_is_certain(database: str) -> None:
    async def test(store: Store) -> None:
        for person, name in ((ANN, "Ann"), (BOB, "Bob"), (CAT, "Cat")):
            await add_account(store, person, name)
        for person, value, deviation in ((ANN, 1600, 60), (BOB, 1700, 76), (CAT, 1800, 60), (DAN, 1900, 50)):
            rating = Rating(value, deviation, 0.06, 30)
            add = partial(stored.store_rating, person=person, pool=POOL, rating=rating, at=DAY.format(1))
            await store.write("store", "", add)

        async def board(at: str, first: int = 0) -> tuple[list[str], int]:
            find = partial(stored.leaderboard, pool=POOL, at=at, first=first, count=1)
            listed, total = await store.read("list", "", find)
            return [each.name for each in listed], total

        assert await board(DAY.format(2)) == (["Cat"], 2)
        assert await board(DAY.format(2), 1) == (["Ann"], 2)
        assert await board("2027-01-14T12:00:00.000Z") == (["Cat"], 2)
        assert await board("2027-01-15T12:00:00.000Z") == ([], 0)  # 75 days without a game

    run(database, test)


def test_ratings_move_with_a_guest_who_makes_an_account(database: str) -> None:
    async def test(store: Store) -> None:
        await add_match(store, "one", [ANN, BOB], [0, 1])
        await add_match(store, "two", [CAT, BOB], [0, 1], game="sensei")
        await add_match(store, "three", [ANN, BOB], [0, 1], game="sensei")
        for number in ("one", "two", "three"):
            await rate(store, number)
        chefa, sensei = await ratings(store), await ratings(store, "sensei.live")
        await store.write("move", "", lambda connection: stored.move_ratings(connection, ANN, CAT))
        assert await ratings(store) == {CAT: chefa[ANN], BOB: chefa[BOB]}
        assert await ratings(store, "sensei.live") == {CAT: sensei[CAT], BOB: sensei[BOB]}
        courses = await store.read("read", "", partial(stored.history, person=CAT))
        assert {pool: len(course) for pool, course in courses.items()} == {"chefa.live": 1, "sensei.live": 2}
        assert await store.read("read", "", partial(stored.history, person=ANN)) == {}

    run(database, test)


def test_ratings_are_deleted_with_the_person(database: str) -> None:
    async def test(store: Store) -> None:
        await add_match(store, "one", [ANN, BOB], [0, 1])
        await rate(store, "one")
        await store.write("forget", "", lambda connection: forget(connection, ANN))
        assert set(await ratings(store)) == {BOB}
        assert await count(store, RatingChangeRow) == 1
        assert await rate(store, "one")  # rated already
        assert await count(store, RatingRow) == 1

    run(database, test)


def test_pools_have_names_that_can_be_read_back() -> None:
    for pool in (Pool("go", 2, "live"), Pool("go", 4, "correspondence", has_programs=True)):
        assert parse_pool(pool.name) == pool
    for name in (
        "go",
        "go.fast",
        "go-2.live",
        "go-5.live",
        "go.live+",
        "go.live+programs+programs",
        ".live",
        "Go.live",
    ):
        assert parse_pool(name) is None, name


def test_a_match_has_a_pool_if_it_has_a_clock() -> None:
    import damier

    game = damier.load("chefa")
    people = [Seat("b", "person", visitor=ANN), Seat("w", "person", visitor=BOB)]
    about = "number", game, people, bytes(32), ANN, DAY.format(1)
    assert pool_of(Match(*about)) is None
    assert pool_of(Match(*about, control=LIVE)) == "chefa.live"
    assert pool_of(Match(*about, control=SLOW), [BOB]) == "chefa.correspondence+programs"


def test_a_long_course_is_thinned_evenly() -> None:
    assert thinned(list(range(10)), 20) == list(range(10))
    found = thinned(list(range(1000)), 100)
    assert (len(found), found[0], found[-1]) == (100, 0, 999)
    assert found == sorted(set(found))
