"""The lobby in simulated time: seeks, pairing, challenges, expiry, what pages are told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message
from damier.server.errors import NotAllowed, NotFound, NotNow
from damier.server.lobby import pairing
from damier.server.lobby.lobby import ABSENCE, LIFE
from damier.server.lobby.seeks import matchmaking
from damier.server.lobby.seeks.owners import GRACE
from damier.server.matches.live_match import LiveMatch
from damier.server.wire.lobby import NewSeek, SeekData
from tests.server.lobby.scene import ANN, BLITZ, BOB, CAT, SLOW, Scene, live, slow, staged, terms

Play = Callable[[Callable[[Scene], Coroutine[Any, Any, Any]]], Any]
GONE = r"^Somebody else was faster, or the seek is closed\.$"


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return lambda scene: staged(tmp_path, scene)


async def open_seek(scene: Scene, person: str, new: NewSeek) -> str:
    answer = await scene.lobby.seek(person, new)
    assert answer.seek, "it was paired at once"
    return answer.seek.number


async def people_of(scene: Scene, match: str) -> list[str | None]:
    return [seat.visitor for seat in (await scene.referee.find(match)).match.seats]


def numbers(scene: Scene) -> list[str]:
    return sorted(seek.number for seek in scene.lobby._open.waiting())


def test_two_who_seek_the_same_are_paired_and_both_are_told(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        ann, bob = await scene.arrive(ANN), await scene.arrive(BOB)
        number = await open_seek(scene, ANN, live())
        answer = await scene.lobby.seek(BOB, live())
        assert answer.seek is None
        assert answer.match
        assert sorted(filter(None, await people_of(scene, answer.match))) == [ANN, BOB]
        told = {"type": "paired", "seek": number, "match": answer.match, "game": "chefa"}
        assert ann.last("paired") == told
        assert bob.last("paired")["match"] == answer.match
        assert numbers(scene) == []
        match = (await scene.referee.find(answer.match)).match
        assert (match.control.text() if match.control else "", match.is_rated) == ("3+2", False)

    play(scene)


def test_any_of_several_games_at_several_clocks_will_do(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        many = [terms(game, clock) for game in ("chefa", "badia") for clock in (BLITZ, SLOW)]
        await open_seek(scene, ANN, NewSeek.model_validate({"terms": many}))
        answer = await scene.lobby.seek(BOB, slow("badia"))
        assert answer.match
        match = (await scene.referee.find(answer.match)).match
        assert (match.game.name, match.control and match.control.speed) == ("badia", "correspondence")

    play(scene)


def test_each_gets_the_side_that_was_asked_for(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        await open_seek(scene, ANN, live(side=1))
        answer = await scene.lobby.seek(BOB, live())
        assert answer.match
        assert await people_of(scene, answer.match) == [BOB, ANN]

    play(scene)


def test_a_range_of_ratings_widens_until_two_are_paired(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        scene.ratings.values = {ANN: 1900.0, BOB: 1500.0}
        await scene.arrive(ANN)
        bob = await scene.arrive(BOB)
        await open_seek(scene, ANN, live(reach=100))
        await open_seek(scene, BOB, live(reach=100))
        await scene.pass_time(29)
        assert "paired" not in bob.kinds()
        await scene.pass_time(1)
        assert "paired" in bob.kinds()

    play(scene)


def test_who_is_blocked_is_never_paired_and_cannot_accept(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        scene.lobby.are_blocked = lambda one, other: {one, other} == {ANN, BOB}
        number = await open_seek(scene, ANN, slow())
        await open_seek(scene, BOB, slow())
        with pytest.raises(NotAllowed, match=r"^You cannot play with this person\.$"):
            await scene.lobby.accept(BOB, number)
        with pytest.raises(NotAllowed, match=r"^You cannot play with this person\.$"):
            await scene.lobby.seek(BOB, slow(kind="challenge", rival="Ann"))

    play(scene)


def test_two_are_not_paired_again_for_an_hour_after_an_abort(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        await open_seek(scene, ANN, slow())
        answer = await scene.lobby.seek(BOB, slow())
        assert answer.match
        aborted: LiveMatch = await scene.referee.find(answer.match)
        scene.lobby._matchmaking.after_game(aborted)  # it has no result
        ann = await scene.arrive(ANN)
        assert ann.kinds().count("paired") == 1
        await open_seek(scene, ANN, slow())
        await open_seek(scene, BOB, slow())
        await scene.pass_time(3599)
        assert ann.kinds().count("paired") == 1
        await scene.pass_time(1)
        assert ann.kinds().count("paired") == 2

    play(scene)


def test_who_withdraws_while_pairs_are_found_does_not_play(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(scene: Scene) -> None:
        number, loop = await open_seek(scene, ANN, slow()), asyncio.get_running_loop()

        find = pairing.pairs

        def withdrawn_meanwhile(*given: Any) -> list[pairing.Pair]:
            found = find(*given)
            asyncio.run_coroutine_threadsafe(scene.lobby.withdraw(ANN, number), loop).result(20)
            return found

        with monkeypatch.context() as patch:
            patch.setattr(matchmaking, "_AT_ONCE", 0)  # in a thread
            patch.setattr(pairing, "pairs", withdrawn_meanwhile)
            other = await open_seek(scene, BOB, slow())
        assert numbers(scene) == [other]
        assert await scene.store.recent(BOB) == []

    play(scene)


# Accepting


def test_of_three_who_accept_at_once_one_plays_and_the_others_are_told(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        number = await open_seek(scene, ANN, slow())
        guests = [BOB, CAT, "d" * 32]
        asked = (scene.lobby.accept(person, number) for person in guests)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        matches = [answer for answer in answers if isinstance(answer, str)]
        refused = [str(answer) for answer in answers if isinstance(answer, NotNow)]
        assert (len(matches), refused) == (1, ["Somebody else was faster, or the seek is closed."] * 2)
        assert len(await scene.store.recent(ANN)) == 1

    play(scene)


def test_a_seek_whose_match_cannot_be_stored_is_open_again(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(scene: Scene) -> None:
        number = await open_seek(scene, ANN, slow())

        async def fail(*_: Any, **__: Any) -> None:
            raise NotNow(message("The request failed: {why}.", why="test"))

        with monkeypatch.context() as patch:
            patch.setattr(scene.referee, "begin_between", fail)
            with pytest.raises(NotNow, match="test"):
                await scene.lobby.accept(BOB, number)
        assert numbers(scene) == [number]
        assert await scene.lobby.accept(BOB, number)

    play(scene)


def test_who_accepts_must_be_within_the_range(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        scene.ratings.values = {ANN: 1500.0, BOB: 2000.0}
        number = await open_seek(scene, ANN, slow(reach=100))
        with pytest.raises(NotAllowed, match=r"^Your rating is outside the range that this seek asks for\.$"):
            await scene.lobby.accept(BOB, number)
        assert await scene.lobby.accept(CAT, number)  # has no rating yet

    play(scene)


def test_nobody_accepts_their_own_seek(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        number = await open_seek(scene, ANN, slow())
        with pytest.raises(NotNow, match=r"^This is your own seek: wait until somebody accepts it\.$"):
            await scene.lobby.accept(ANN, number)
        with pytest.raises(BadArgument, match=r"^The seek does not offer that\.$"):
            await scene.lobby.accept(BOB, number, 1)

    play(scene)


def test_a_live_game_ends_the_other_searches_of_both(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        for person in (ANN, BOB):
            await scene.arrive(person)
        await open_seek(scene, BOB, live("badia"))
        stays = await open_seek(scene, BOB, slow("badia"))
        number = await open_seek(scene, ANN, live())
        await scene.lobby.accept(BOB, number)
        assert numbers(scene) == [stays]

    play(scene)


# Live seeks


def test_a_live_seek_dies_ten_seconds_after_the_last_page_has_gone(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        first, second = await scene.arrive(ANN), await scene.arrive(ANN)
        number = await open_seek(scene, ANN, live())
        scene.lobby.leave(first)
        await scene.pass_time(60)
        assert numbers(scene) == [number]
        scene.lobby.leave(second)
        await scene.pass_time(GRACE - 1)
        assert numbers(scene) == [number]
        await scene.pass_time(1)
        assert numbers(scene) == []

    play(scene)


def test_a_page_that_comes_back_in_time_keeps_the_seek(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        page = await scene.arrive(ANN)
        number = await open_seek(scene, ANN, live())
        scene.lobby.leave(page)
        await scene.pass_time(GRACE - 1)
        page = await scene.arrive(ANN)
        await scene.pass_time(GRACE)
        assert [seek["number"] for seek in page.last("mine")["seeks"]] == [number]

    play(scene)


def test_a_live_seek_without_any_page_dies_too(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        await open_seek(scene, ANN, live())
        await scene.pass_time(GRACE)
        assert numbers(scene) == []

    play(scene)


def test_the_stream_of_a_program_keeps_its_live_seek_as_a_page_does(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        streams = {ANN}
        scene.lobby.owners.has_stream = streams.__contains__
        number = await open_seek(scene, ANN, live())
        page = await scene.arrive(ANN)
        scene.lobby.leave(page)
        await scene.pass_time(60)
        assert numbers(scene) == [number]
        streams.clear()
        scene.lobby.stream_ended(ANN)
        await scene.pass_time(GRACE - 1)
        assert numbers(scene) == [number]
        await scene.pass_time(1)
        assert numbers(scene) == []

    play(scene)


def test_a_stream_that_ends_beside_a_page_ends_no_seek(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        await scene.arrive(ANN)
        number = await open_seek(scene, ANN, live())
        scene.lobby.stream_ended(ANN)
        await scene.pass_time(60)
        assert numbers(scene) == [number]

    play(scene)


def test_a_new_search_replaces_the_one_before(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        await scene.arrive(ANN)
        await open_seek(scene, ANN, live())
        number = await open_seek(scene, ANN, live("badia"))
        assert numbers(scene) == [number]

    play(scene)


def test_who_was_away_when_paired_is_told_on_the_next_page(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        number = await open_seek(scene, ANN, live())
        match = await scene.lobby.accept(BOB, number)
        page = await scene.arrive(ANN)
        assert page.last("paired")["match"] == match
        assert "paired" not in (await scene.arrive(ANN)).kinds()

    play(scene)


# Stored seeks


def test_a_restart_keeps_stored_seeks_and_drops_live_ones(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        number = await open_seek(scene, ANN, slow())
        await open_seek(scene, BOB, live("badia"))
        await scene.restart()
        assert numbers(scene) == [number]
        assert await scene.lobby.accept(CAT, number)

    play(scene)


def test_a_stored_seek_lives_for_14_days_while_its_owner_comes(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        number = await open_seek(scene, ANN, slow())
        for _ in range(3):
            await scene.pass_time(LIFE / 4)
            scene.lobby.leave(await scene.arrive(ANN))
        assert numbers(scene) == [number]
        await scene.pass_time(LIFE / 4 + 1)
        assert numbers(scene) == []

    play(scene)


def test_a_stored_seek_ends_when_its_owner_does_not_come(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        await open_seek(scene, ANN, slow())
        await scene.pass_time(ABSENCE + 1)
        assert numbers(scene) == []

    play(scene)


def test_only_the_owner_withdraws(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        number = await open_seek(scene, ANN, slow())
        with pytest.raises(NotAllowed, match=r"^Only the owner of a seek can withdraw it\.$"):
            await scene.lobby.withdraw(BOB, number)
        await scene.lobby.withdraw(ANN, number)
        with pytest.raises(NotNow, match=GONE):
            await scene.lobby.withdraw(ANN, number)
        with pytest.raises(NotNow, match=GONE):
            await scene.lobby.accept(BOB, number)

    play(scene)


# Challenges


def test_a_challenge_is_for_one_person_alone(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        bob, cat = await scene.arrive(BOB), await scene.arrive(CAT)
        number = await open_seek(scene, ANN, slow(kind="challenge", rival="Bob"))
        scene.lobby.feed.flush()
        (challenge,) = bob.last("mine")["challenges"]
        assert (challenge["number"], challenge["owner"]["name"]) == (number, "Ann")
        assert scene.lobby.feed.state_text().count(number) == 0
        assert "mine" in cat.kinds()
        assert cat.last("mine")["challenges"] == []
        for refused in (scene.lobby.accept(CAT, number), scene.lobby.show(CAT, number)):
            with pytest.raises(NotFound, match=r"^There is no such seek\.$"):
                await refused
        match = await scene.lobby.accept(BOB, number)
        assert sorted(filter(None, await people_of(scene, match))) == [ANN, BOB]

    play(scene)


def test_a_challenge_can_be_declined_by_the_one_challenged(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        ann = await scene.arrive(ANN)
        number = await open_seek(scene, ANN, slow(kind="challenge", rival="Bob"))
        with pytest.raises(NotAllowed, match=r"^Only the person who is challenged can decline\.$"):
            await scene.lobby.decline(ANN, number)
        await scene.lobby.decline(BOB, number)
        assert ann.last("declined") == {"type": "declined", "seek": number, "name": "Bob"}
        assert (await scene.lobby.show(ANN, number)).state == "declined"

    play(scene)


def test_a_link_works_for_anybody_and_is_not_listed(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        number = await open_seek(scene, ANN, slow(kind="link"))
        await open_seek(scene, BOB, slow())  # fits, but a link is for those who have it
        assert number not in scene.lobby.feed.state_text()
        shown = await scene.lobby.show(CAT, number)
        assert (shown.seek.owner.name, shown.is_mine, shown.state, shown.match) == ("Ann", False, "open", None)
        match = await scene.lobby.accept(CAT, number)
        shown = await scene.lobby.show(CAT, number)
        assert (shown.state, shown.match) == ("taken", match)
        assert (await scene.lobby.show(BOB, number)).match is None

    play(scene)


@pytest.mark.parametrize(
    ("asked", "kind", "sentence"),
    [
        ({"kind": "challenge", "rival": "Nobody"}, NotFound, "There is no player 'Nobody'."),
        ({"kind": "challenge"}, NotFound, "There is no player ''."),
        ({"kind": "challenge", "rival": "Ann"}, BadArgument, "You cannot challenge yourself."),
        ({"rival": "Bob"}, BadArgument, "Only a challenge names an opponent."),
        ({"terms": [terms("chefa", is_rated=True)]}, BadArgument, "A rated game needs a clock."),
        (
            {"terms": [terms("omba", options={"players": 3})]},
            BadArgument,
            "The lobby pairs two players: invite more by link.",
        ),
        (
            {"terms": [terms("renfa", BLITZ, is_rated=True, options={"bombs": 3})]},
            BadArgument,
            "A rated game has the usual options.",
        ),
    ],
)
def test_what_cannot_be_is_refused(play: Play, asked: dict[str, Any], kind: type[DamierError], sentence: str) -> None:
    async def scene(scene: Scene) -> None:
        with pytest.raises(kind) as refused:
            await scene.lobby.seek(ANN, slow(**asked))
        assert str(refused.value) == sentence
        assert numbers(scene) == []

    play(scene)


# Pages


def test_changes_are_collected_and_versions_have_no_gap(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        page = await scene.arrive("")
        assert page.told[0] == {
            "type": "state",
            "version": 0,
            "counts": {"people": 1, "matches": 0, "seeks": {}},
            "seeks": [],
            "playing": {},
            "weekly": None,
        }
        first = await open_seek(scene, ANN, slow())
        second = await open_seek(scene, BOB, slow("badia"))
        await scene.lobby.withdraw(ANN, first)
        third = await open_seek(scene, CAT, slow())
        scene.lobby.feed.flush()
        listed: dict[str, Any] = {}
        for version, change in enumerate(page.told[1:], 1):
            assert (change["type"], change["version"]) == ("change", version)
            listed |= {each["number"]: each for each in change["added"]}
            for number in change["removed"]:
                del listed[number]
        assert sorted(listed) == sorted([second, third])
        assert page.counts()["seeks"] == {"badia": 1, "chefa": 1}
        late = await scene.arrive("")
        assert {each["number"]: each for each in late.told[0]["seeks"]} == listed

    play(scene)


def test_at_most_five_updates_a_second_are_sent(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        page, loop = await scene.arrive(""), asyncio.get_running_loop()
        began = loop.time()
        for _ in range(50):
            number = await open_seek(scene, ANN, slow())
            await asyncio.sleep(0.01)
            await scene.lobby.withdraw(ANN, number)
            await asyncio.sleep(0.01)
        assert len(page.told) <= 2 + 5 * (loop.time() - began)  # the state, and one change before the first pause

    play(scene)


def test_who_wishes_to_be_told_of_a_game_is_named_to_those_who_tell(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        told: list[tuple[str, list[str]]] = []

        def note(seek: SeekData, people: Any) -> None:
            told.append((seek.number, list(people)))

        scene.lobby.on_seek(note)
        await scene.lobby.wishes.choose(BOB, ["chefa"])
        await scene.lobby.wishes.choose(ANN, ["chefa"])
        number = await open_seek(scene, ANN, slow())
        other = await open_seek(scene, ANN, slow("badia"))
        assert told == [(number, [BOB]), (other, [])]

    play(scene)


def test_the_weekly_hour_is_part_of_the_state(tmp_path: Path) -> None:
    async def scene(scene: Scene) -> None:
        page = await scene.arrive("")
        assert page.told[0]["weekly"] == {"start": "2026-11-22T19:00:00Z", "seconds": 3600}

    staged(tmp_path, scene, weekly="sun 19:00")


def test_the_best_match_of_each_game_is_shown_live(play: Play) -> None:
    async def scene(scene: Scene) -> None:
        scene.ratings.values = {ANN: 2000.0, BOB: 1900.0, CAT: 1500.0, "d" * 32: 1400.0}
        found = []
        for one, other in ((ANN, BOB), (CAT, "d" * 32)):
            number = await open_seek(scene, one, live())
            found.append(await scene.lobby.accept(other, number))
        page = await scene.arrive("")
        await scene.lobby.playing.choose()
        scene.lobby.feed.flush()
        shown = page.playing("chefa")
        assert (shown["number"], sorted(shown["names"])) == (found[0], ["Ann", "Bob"])
        assert sorted(rating["value"] for rating in shown["ratings"]) == [1900, 2000]
        assert (page.counts()["matches"], shown["pieces"]) == (2, [])
        best = await scene.referee.find(found[0])
        mover = best.match.seat("b").visitor
        await scene.referee.act(best, mover or "", "1", "play", action="a1")
        scene.lobby.feed.flush()
        assert [piece["cell"] for piece in page.playing("chefa")["pieces"]] == ["a1"]
        await scene.referee.act(best, mover or "", "2", "resign")
        await scene.lobby.playing.choose()
        scene.lobby.feed.flush()
        assert page.playing("chefa")["number"] == found[1]

    play(scene)
