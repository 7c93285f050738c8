"""Seeks in the database."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.server.errors import NotNow, TooManyRequests
from damier.server.matches.match import PERSON, Match, Seat
from damier.server.store.statements import seeks
from damier.server.store.statements.forgetting import forget
from damier.server.store.statements.seeks import MOST_STORED, StoredSeek
from damier.server.store.store import Store
from tests.server.databases import ANN, BOB

AT = "2026-11-17T12:00:00.000Z"
LATER = "2026-11-18T12:00:00.000Z"


def made(number: str, person: str = ANN, **given: Any) -> StoredSeek:
    return replace(StoredSeek(number, person, "open", "[]", False, AT, AT), **given)


class Shelf:
    """A store whose methods wait."""

    def __init__(self, path: Path) -> None:
        self.store, self.runner = Store(path), asyncio.Runner()
        self.runner.run(self.store.open())

    def do(self, work: Callable[..., Any], *given: Any) -> Any:
        return self.runner.run(self.store.write("test", "", lambda connection: work(connection, *given)))

    def close(self) -> None:
        self.runner.run(self.store.close())
        self.runner.close()


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    found = Shelf(tmp_path / "matches.sqlite")
    yield found
    found.close()


def open_numbers(shelf: Shelf) -> list[str]:
    return [seek.number for seek in shelf.do(seeks.recover, AT)]


def test_a_seek_is_stored_with_all_that_it_says(shelf: Shelf) -> None:
    given = made("1", kind="challenge", rival=BOB, side=1, reach=200, terms='[{"game": "x"}]')
    shelf.do(seeks.add, given)
    assert shelf.do(seeks.find, "1") == given
    assert shelf.do(seeks.find, "2") is None


def test_a_restart_keeps_stored_seeks_and_drops_live_ones(shelf: Shelf) -> None:
    shelf.do(seeks.add, made("1"))
    shelf.do(seeks.add, made("2", is_live=True))
    assert open_numbers(shelf) == ["1"]
    assert shelf.do(seeks.find, "2") is None


def test_of_two_who_take_a_seek_one_gets_it(shelf: Shelf) -> None:
    shelf.do(seeks.add, made("1"))
    shelf.do(seeks.take, "m", ["1"], LATER)
    with pytest.raises(NotNow, match=r"^Somebody else was faster, or the seek is closed\.$"):
        shelf.do(seeks.take, "other", ["1"], LATER)
    assert shelf.do(seeks.find, "1") == made("1", state="taken", match="m", closed=LATER)


def test_two_seeks_are_taken_together_or_not_at_all(shelf: Shelf) -> None:
    for number in "12":
        shelf.do(seeks.add, made(number))
    shelf.do(seeks.close, ["2"], "withdrawn", AT)
    with pytest.raises(NotNow):
        shelf.do(seeks.take, "m", ["1", "2"], AT)
    assert shelf.do(seeks.find, "1") == made("1")


def test_a_seek_that_somebody_else_has_taken_begins_no_match(shelf: Shelf) -> None:
    shelf.do(seeks.add, made("1"))
    for number in ("one", "other"):
        take = partial(seeks.take, match=number, numbers=["1"], at=AT)
        with contextlib.suppress(NotNow):
            shelf.runner.run(shelf.store.add_match(a_match(number), take))
    assert shelf.runner.run(shelf.store.load("one"))
    assert shelf.runner.run(shelf.store.load("other")) is None


def test_a_seek_that_an_earlier_version_was_taking_is_open_again_unless_its_match_has_begun(shelf: Shelf) -> None:
    for number in "12":
        shelf.do(seeks.add, made(number, state="taking"))
    shelf.runner.run(shelf.store.add_match(a_match("number", origin=seeks.origin_of("1"))))
    assert open_numbers(shelf) == ["2"]
    assert shelf.do(seeks.find, "1").match == "number"


def test_a_further_process_leaves_live_seeks_open(shelf: Shelf) -> None:
    shelf.do(seeks.add, made("1", is_live=True))
    assert [seek.number for seek in shelf.do(partial(seeks.recover, at=AT, is_alone=False))] == ["1"]
    assert shelf.do(seeks.close_live, [ANN, BOB], AT) == ["1"]


def a_match(number: str, origin: str = "") -> Match:
    game = damier.load("chefa")
    seats = [Seat(player, PERSON, visitor=person) for player, person in zip(game.players, (ANN, BOB), strict=True)]
    return Match(number, game, seats, bytes(32), ANN, AT, origin=origin)


def test_a_person_may_have_some_stored_seeks_and_no_more(shelf: Shelf) -> None:
    for number in range(MOST_STORED):
        shelf.do(seeks.add, made(str(number)))
    with pytest.raises(TooManyRequests, match=r"^You have 10 open seeks and challenges: withdraw one first\.$"):
        shelf.do(seeks.add, made("more"))
    shelf.do(seeks.add, made("live", is_live=True))
    shelf.do(seeks.add, made("bob", BOB))
    shelf.do(seeks.close, ["0"], "withdrawn", AT)
    shelf.do(seeks.add, made("more"))


def test_a_full_lobby_says_so(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeks, "MOST_OPEN", 1)
    shelf.do(seeks.add, made("1"))
    with pytest.raises(TooManyRequests, match=r"^The lobby is full: try again later\.$"):
        shelf.do(seeks.add, made("2", BOB))


def test_old_seeks_and_those_of_absent_owners_expire(shelf: Shelf) -> None:
    shelf.do(seeks.add, made("old", created="2026-11-01"))
    shelf.do(seeks.add, made("absent", seen="2026-11-05"))
    shelf.do(seeks.add, made("fresh"))
    assert sorted(shelf.do(seeks.expire, "2026-11-03", "2026-11-10", AT)) == ["absent", "old"]
    assert open_numbers(shelf) == ["fresh"]


def test_an_owner_who_comes_back_keeps_the_seeks(shelf: Shelf) -> None:
    shelf.do(seeks.add, made("1", seen="2026-11-05"))
    shelf.do(seeks.saw, ANN, AT)
    assert shelf.do(seeks.expire, "2026-11-03", "2026-11-10", AT) == []


def test_a_closed_seek_cannot_be_closed_again_and_is_deleted_later(shelf: Shelf) -> None:
    shelf.do(seeks.add, made("1"))
    assert shelf.do(seeks.close, ["1"], "withdrawn", AT) == ["1"]
    assert shelf.do(seeks.close, ["1"], "declined", AT) == []
    shelf.do(seeks.delete_closed, AT)
    assert shelf.do(seeks.find, "1") == made("1", state="withdrawn", closed=AT)
    shelf.do(seeks.delete_closed, LATER)
    assert shelf.do(seeks.find, "1") is None


def test_wishes_are_stored_and_found_by_game(shelf: Shelf) -> None:
    shelf.do(seeks.store_wishes, ANN, ["one", "two"])
    shelf.do(seeks.store_wishes, BOB, ["two"])
    assert shelf.do(seeks.wishes, ANN) == ["one", "two"]
    assert shelf.do(seeks.wishing, ["two"]) == [ANN, BOB]
    shelf.do(seeks.store_wishes, ANN, ["one"])
    assert shelf.do(seeks.wishing, ["two"]) == [BOB]


def test_seeks_and_wishes_move_to_the_account_of_a_guest(shelf: Shelf) -> None:
    account = "c" * 32
    shelf.do(seeks.add, made("1"))
    shelf.do(seeks.add, made("2", BOB, kind="challenge", rival=ANN))
    shelf.do(seeks.store_wishes, ANN, ["one"])
    shelf.do(seeks.store_wishes, account, ["one", "two"])
    shelf.do(seeks.move, ANN, account)
    assert (shelf.do(seeks.find, "1").person, shelf.do(seeks.find, "2").rival) == (account, account)
    assert (shelf.do(seeks.wishes, ANN), shelf.do(seeks.wishes, account)) == ([], ["one", "two"])


def test_who_is_forgotten_leaves_no_seek(shelf: Shelf) -> None:
    shelf.do(seeks.add, made("1"))
    shelf.do(seeks.add, made("2", BOB, kind="challenge", rival=ANN))
    shelf.do(seeks.store_wishes, ANN, ["one"])
    shelf.do(forget, ANN)
    assert open_numbers(shelf) == []
    assert shelf.do(partial(seeks.wishes, person=ANN)) == []
