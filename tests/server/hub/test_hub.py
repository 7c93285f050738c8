"""The contract of the hub, on both forms: in one process, and in Redis."""

import asyncio

import pytest

from damier.server.hub.hub import LOBBY, match_place
from tests.server.hub.hubs import KINDS, open_hubs, until

SLOW = 1 / 3600  # tokens a second


@pytest.mark.parametrize("kind", KINDS)
def test_an_announcement_is_heard_by_all_other_processes_and_not_by_its_own(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind, 3) as hubs:
            heard: list[list[tuple[str, int]]] = [[], [], []]
            for hub, news in zip(hubs, heard, strict=True):
                hub.listen("match", lambda number, seq, _body, news=news: news.append((number, seq)))  # type: ignore[misc]
            hubs[0].announce("match", "one", 7)
            await until(lambda: heard[1] == heard[2] == [("one", 7)])
            hubs[1].announce("match", "two", 1)
            await until(lambda: heard[2][1:] == [("two", 1)])
            assert heard[0] == [("two", 1)]
            assert heard[1] == [("one", 7)]

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_every_announcement_with_a_body_is_heard_in_order(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind) as (one, other):
            heard: list[tuple[str, int, object]] = []
            other.listen("match", lambda number, seq, body: heard.append((number, seq, body)))
            for seq in range(1, 4):
                one.announce("match", "x", seq, {"event": [seq, "ä"]})
            await until(lambda: len(heard) == 3)
            assert heard == [("x", seq, {"event": [seq, "ä"]}) for seq in range(1, 4)]

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_announced_at_a_place_is_heard_there_alone_and_first(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind, 3) as hubs:
            one, other, third = hubs
            heard: dict[str, list[str]] = {"other": [], "third": []}
            for hub, name in ((other, "other"), (third, "third")):
                for what in ("state", "match"):
                    hub.listen(what, lambda _n, seq, _b, name=name, what=what: heard[name].append(f"{what} {seq}"))  # type: ignore[misc]
            place = match_place("x")
            one.enter(place, "ann")
            other.enter(place, "bob")
            third.enter(match_place("y"), "eve")
            await until(lambda: one.people(place) == {"ann", "bob"})
            for seq in (1, 2):
                one.announce_at(place, "state", "x", seq, {"en": "{}"})
                one.announce("match", "x", seq, {"event": None})
            await until(lambda: heard["third"] == ["match 1", "match 2"] and len(heard["other"]) == 4)
            for seq in (1, 2):
                assert heard["other"].index(f"state {seq}") < heard["other"].index(f"match {seq}")

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_anybody_can_look_who_is_at_any_place(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind) as (one, other):
            one.enter(match_place("x"), "ann")
            async with asyncio.timeout(60):
                while await other.look(match_place("x")) != {"ann"}:
                    await asyncio.sleep(0.01)
            assert await other.look(match_place("y")) == set()

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_listeners_of_a_kind_hear_of_it(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind) as (one, other):
            matches: list[str] = []
            tournaments: list[str] = []
            other.listen("match", lambda number, _seq, _body: matches.append(number))
            other.listen("tournament", lambda number, _seq, _body: tournaments.append(number))
            one.announce("tournament", "cup", 3)
            one.announce("match", "final", 1)
            await until(lambda: matches == ["final"])
            assert tournaments == ["cup"]

    asyncio.run(run())


def test_a_listener_that_fails_does_not_stop_later_announcements(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with open_hubs("redis") as (one, other):
            heard: list[int] = []

            def listen(_number: str, seq: int, _body: object) -> None:
                heard.append(seq)
                raise ValueError("a fault")

            other.listen("match", listen)
            one.announce("match", "x", 1)
            await until(lambda: heard == [1])
            one.announce("match", "x", 2)
            await until(lambda: heard == [1, 2])

    asyncio.run(run())
    assert "could not be followed" in caplog.text


@pytest.mark.parametrize("kind", KINDS)
def test_processes_empty_a_bucket_together(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind) as hubs:
            one, other = [hub.limiter("tries", SLOW, 4) for hub in hubs]
            assert one.take("ann")
            assert one.take("ann")
            taken = 2
            async with asyncio.timeout(60):
                while other.take("ann"):
                    taken += 1
                    await asyncio.sleep(0.2)  # in which the processes compare their buckets
            assert 4 <= taken <= 6  # in Redis, two more at most were taken before they had done so
            await until(lambda: one.wait("ann") > 0 or (one.take("ann") and False))
            assert other.take("bob")
            assert 0 < other.wait("ann") <= 5 * 3600

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_limits_with_other_names_have_other_buckets(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind) as (one, other):
            first, second = one.limiter("a", SLOW, 1), other.limiter("b", SLOW, 1)
            assert first.take("ann")
            assert second.take("ann")
            await until(lambda: first.wait("ann") > 0 and second.wait("ann") > 0)

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_who_is_at_a_place_is_known_to_all_until_the_last_connection_has_gone(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind) as (one, other):
            for hub, person in ((one, "ann"), (one, "ann"), (other, "ann"), (other, "bob")):
                hub.enter(LOBBY, person)
            await until(lambda: one.people(LOBBY) == other.people(LOBBY) == {"ann", "bob"})
            one.leave(LOBBY, "ann")
            other.leave(LOBBY, "bob")
            await until(lambda: one.people(LOBBY) == {"ann"})
            one.leave(LOBBY, "ann")
            other.enter(LOBBY, "eve")
            await until(lambda: one.people(LOBBY) == other.people(LOBBY) == {"ann", "eve"})
            other.leave(LOBBY, "ann")
            await until(lambda: one.people(LOBBY) == other.people(LOBBY) == {"eve"})
            assert one.people("elsewhere") == set()

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_listeners_are_told_who_comes_and_goes(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind) as (one, other):
            seen: list[set[str]] = []
            other.listen("here", lambda place, _seq, _body: seen.append(other.people(place)))
            one.enter(LOBBY, "ann")
            await until(lambda: bool(seen) and seen[-1] == {"ann"})
            one.leave(LOBBY, "ann")
            await until(lambda: seen[-1] == set())

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_the_people_of_a_process_that_ends_have_gone(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind, 1) as (one,):
            async with open_hubs(kind, 1, _address_of(one)) as (other,):
                other.enter(LOBBY, "ann")
                if kind == "redis":
                    await until(lambda: one.people(LOBBY) == {"ann"})
            await until(lambda: one.people(LOBBY) == set())

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_one_process_at_a_time_has_a_lease(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind) as (one, other):
            assert await one.lease("turn", 60)
            assert await one.lease("turn", 60)
            assert not await other.lease("turn", 60)
            assert await other.lease("another turn", 60)
            await other.release("turn")  # which is not its own
            assert not await other.lease("turn", 60)
            await one.release("turn")
            assert await other.lease("turn", 60)

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_a_lease_that_is_not_renewed_passes_on(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind) as (one, other):
            assert await one.lease("turn", 0.05)
            async with asyncio.timeout(60):
                while not await other.lease("turn", 60):
                    await asyncio.sleep(0.02)
            assert not await one.lease("turn", 60)

    asyncio.run(run())


@pytest.mark.parametrize("kind", KINDS)
def test_a_hub_answers(kind: str) -> None:
    async def run() -> None:
        async with open_hubs(kind) as hubs:
            assert [await hub.answers() for hub in hubs] == [True, True]

    asyncio.run(run())


def _address_of(hub: object) -> str:
    """Returns the Redis of a hub; "" for one of this process."""
    return getattr(hub, "address", "")
