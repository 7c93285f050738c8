"""Chat, avoided people and reports in both databases: limits, moving to an account, forgetting, deleting."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from damier.server.errors import NotNow, TooManyRequests
from damier.server.people.names import skeleton
from damier.server.store.statements import avoided, chat, people, reports
from damier.server.store.statements.avoided import Avoided
from damier.server.store.statements.forgetting import forget
from damier.server.store.statements.moving import move
from damier.server.store.statements.old_matches import delete_if_old
from damier.server.store.statements.reports import StoredReport
from damier.server.store.store import Store
from tests.server.databases import ANN, BOB, filled
from tests.server.stores import rows

AT = "2026-11-17T12:00:00.000Z"
CAT = "c" * 32


class Shelf:
    """A store with one match, whose methods wait."""

    def __init__(self, database: str) -> None:
        (self.match,) = filled(database, 1)
        self.database = database
        self.store, self.runner = Store(database), asyncio.Runner()
        self.runner.run(self.store.open())

    def do(self, work: Callable[..., Any], *given: Any) -> Any:
        return self.runner.run(self.store.write("test", "", lambda connection: work(connection, *given)))

    def say(self, text: str, person: str = ANN, room: str = "players", request: str = "") -> Any:
        row = {"match": self.match, "room": room, "person": person, "phrase": None, "text": text, "at": AT}
        return self.do(chat.add_line, {**row, "request": request or text})

    def texts(self, *rooms: str, count: int = 50) -> list[str]:
        return [line.text for line in self.do(chat.last_lines, self.match, rooms or ("players",), count)]


@pytest.fixture
def shelf(database: str) -> Iterator[Shelf]:
    found = Shelf(database)
    yield found
    found.runner.run(found.store.close())
    found.runner.close()


def account(shelf: Shelf, person: str, name: str) -> None:
    row = {"person": person, "name": name, "skeleton": skeleton(name), "created": AT}
    assert shelf.do(people.add_account, row)


def report(number: str, **given: Any) -> StoredReport:
    about = {
        "reporter": ANN,
        "person": BOB,
        "name": "Bob",
        "match": None,
        "reason": "spam",
        "words": "!",
        "context": "[]",
    }
    return StoredReport(number=number, created=AT, **{**about, **given})


def test_messages_are_read_back_with_the_names_of_today(shelf: Shelf) -> None:
    first = shelf.say("hello")
    assert (first.text, first.name, first.account, first.room) == ("hello", "Ann", None, "players")
    assert shelf.say("again", request="hello") is None  # the same request
    shelf.say("look", CAT, "spectators")
    account(shelf, CAT, "Cat")
    assert shelf.texts() == ["hello"]
    assert shelf.texts("players", "spectators") == ["hello", "look"]
    (look,) = shelf.do(chat.lines_by, CAT, 5)
    assert (look.name, look.account) == ("Cat", "Cat")
    assert shelf.do(chat.find_line, "another", look.number) is None
    assert shelf.do(chat.remove_line, shelf.match, look.number)
    assert not shelf.do(chat.remove_line, shelf.match, look.number)
    assert shelf.texts("spectators") == []


def test_a_room_keeps_its_last_messages(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MOST_KEPT", 3)
    for number in range(6):
        shelf.say(str(number))
        shelf.say(f"s{number}", CAT, "spectators")
    assert shelf.texts() == ["3", "4", "5"]
    assert shelf.texts(count=2) == ["4", "5"]
    assert shelf.texts("spectators") == ["s3", "s4", "s5"]


def test_a_silence_is_replaced_by_the_next(shelf: Shelf) -> None:
    assert shelf.do(chat.speaker, ANN) == chat.Speaker("Ann", None, None)
    for until in (AT, "2026-11-18T12:00:00.000Z"):
        shelf.do(chat.silence, ANN, until)
        assert shelf.do(chat.speaker, ANN).silent_until == until


def test_a_list_of_avoided_people_has_an_end(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(avoided, "MOST", 2)
    shelf.do(avoided.avoid, Avoided(ANN, BOB, "1", "mute", AT))
    shelf.do(avoided.avoid, Avoided(ANN, BOB, "2", "block", AT))  # replaces it
    shelf.do(avoided.avoid, Avoided(ANN, CAT, "3", "mute", AT))
    with pytest.raises(NotNow, match=r"^You have muted and blocked 2 people: end one of that first\.$"):
        shelf.do(avoided.avoid, Avoided(ANN, "d" * 32, "4", "mute", AT))
    assert [each.number for each in shelf.do(avoided.avoided_by, ANN)] == ["2", "3"]
    assert shelf.do(avoided.end_avoiding, BOB, "2") is None  # which is Ann's
    assert shelf.do(avoided.end_avoiding, ANN, "2") == BOB
    assert [each.other for each in shelf.do(avoided.all_avoided)] == [CAT]


def test_reports_wait_in_order_and_have_limits(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.do(reports.add_report, report("1"))
    with pytest.raises(NotNow, match=r"^You have reported this person already: a moderator will look at it\.$"):
        shelf.do(reports.add_report, report("2"))
    shelf.do(reports.add_report, report("3", reporter=CAT))
    found, waiting = shelf.do(reports.open_reports, 1)
    assert ([each.number for each in found], waiting) == (["1"], 2)
    assert shelf.do(reports.close_report, "1", AT)
    assert not shelf.do(reports.close_report, "1", AT)
    shelf.do(reports.add_report, report("4"))  # the first one is closed
    monkeypatch.setattr(reports, "MOST_OPEN", 2)
    with pytest.raises(TooManyRequests, match="Too many reports wait for a moderator: try again later"):
        shelf.do(reports.add_report, report("5", person=ANN, reporter=BOB))
    shelf.do(reports.delete_old, "2027")
    assert shelf.do(reports.find_report, "1") is None
    assert shelf.do(reports.find_report, "4") == report("4")


def logged(person: str, moderator: str = CAT) -> dict[str, Any]:
    about = {"at": AT, "moderator": moderator, "moderator_name": "Cat", "person": person, "name": "Bob"}
    return {**about, "what": "remove", "detail": "rude", "why": "so", "report": "1", "match": None}


def fill(shelf: Shelf) -> None:
    """Stores something of each kind about Bob."""
    shelf.say("hello")
    shelf.say("rude", BOB)
    context = json.dumps([{"person": ANN, "text": "hello"}, {"person": BOB, "text": "rude"}])
    shelf.do(reports.add_report, report("1", context=context))
    shelf.do(reports.add_report, report("2", reporter=BOB, person=ANN, context=context))
    shelf.do(avoided.avoid, Avoided(ANN, BOB, "1", "block", AT))
    shelf.do(avoided.avoid, Avoided(BOB, CAT, "2", "mute", AT))
    shelf.do(chat.silence, BOB, AT)
    shelf.do(reports.add_to_log, logged(BOB))
    shelf.do(reports.add_to_log, logged(ANN, BOB))


def test_making_an_account_takes_all_along(shelf: Shelf) -> None:
    fill(shelf)
    new = "e" * 32
    account(shelf, new, "Bobby")
    shelf.do(move, BOB, new)
    assert [(line.text, line.name) for line in shelf.do(chat.lines_by, new, 9)] == [("rude", "Bobby")]
    assert {(each.person, each.other) for each in shelf.do(avoided.all_avoided)} == {(ANN, new), (new, CAT)}
    assert shelf.do(chat.speaker, new).silent_until == AT
    assert shelf.do(reports.find_report, "1").person == shelf.do(reports.find_report, "2").reporter == new
    assert new in shelf.do(reports.find_report, "2").context
    everything = [rows(shelf.database, f"SELECT * FROM {table}") for table in TABLES]
    assert BOB not in str([[tuple(row) for row in found] for found in everything])


TABLES = ("chat_lines", "avoided", "silences", "reports")


def test_who_is_forgotten_leaves_no_word(shelf: Shelf) -> None:
    fill(shelf)
    shelf.do(forget, BOB)
    assert shelf.texts() == ["hello"]
    assert shelf.do(avoided.all_avoided) == []
    assert shelf.do(chat.speaker, BOB).silent_until is None
    assert shelf.do(reports.find_report, "1") is None
    left = shelf.do(reports.find_report, "2")
    assert (left.reporter, left.words, json.loads(left.context)) == ("", "", [{"person": ANN, "text": "hello"}])
    everything = [rows(shelf.database, f"SELECT * FROM {table}") for table in TABLES]
    told = str([[tuple(row) for row in found] for found in everything])
    assert BOB not in told
    assert "rude" not in told
    log = shelf.do(reports.log_entries, 10)
    assert [(row.person, row.name, row.detail, row.moderator) for row in log] == [
        (ANN, "Bob", "rude", ""),
        ("", "", "", CAT),
    ]


def test_the_chat_is_deleted_with_its_match(shelf: Shelf) -> None:
    shelf.say("hello")
    bounds = {"cutoff": "9999", "event": 2**62, "match": 2**62}
    assert shelf.do(delete_if_old, shelf.match, bounds)
    assert shelf.texts() == []
