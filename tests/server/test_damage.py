"""Damaged databases: refused at start with a sentence, or each damaged match is a 503 with a sentence."""

import json
import logging
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.cli import main
from damier.server.app import create_app
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.store import integrity
from damier.server.store.refusals import BadDatabase
from tests.server.databases import filled
from tests.server.served import SETTINGS

DAMAGED = "The stored data of this match is damaged: only the operator of this server can restore it."
UNREADABLE = "The server could not store or read the match: try again."
NUMBER = "number-0001"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that is not damaged."""
    file = tmp_path_factory.mktemp("whole") / "matches.sqlite"
    filled(file, 40)
    return file


@pytest.fixture
def file(whole: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return Path(shutil.copy(whole, tmp_path / "matches.sqlite"))


@contextmanager
def served(file: Path) -> Iterator[TestClient]:
    services = Services(ServerSettings.read({**SETTINGS, "database": str(file)}))
    with TestClient(create_app(services), raise_server_exceptions=False) as client:
        yield client


def changed(file: Path, statement: str, *values: Any) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        assert connection.execute(statement, values).rowcount == 1
    connection.close()


def event_of(file: Path, seq: int) -> dict[str, Any]:
    with sqlite3.connect(file) as connection:
        row = connection.execute("SELECT data FROM events WHERE match = ? AND seq = ?", (NUMBER, seq)).fetchone()
    connection.close()
    data: dict[str, Any] = json.loads(row[0])
    return data


def event_is(file: Path, seq: int, data: Any) -> None:
    text = data if isinstance(data, str) else json.dumps(data)
    changed(file, "UPDATE events SET data = ? WHERE match = ? AND seq = ?", text, NUMBER, seq)


def match_is(column: str, value: Any) -> Callable[[Path], None]:
    return lambda file: changed(file, f"UPDATE matches SET {column} = ? WHERE number = ?", value, NUMBER)


def cell_text(column: str, text: str) -> Callable[[Path], None]:
    """Returns a damage that stores bytes which are not text."""
    blob = f"CAST(x'{text}' AS TEXT)"
    return lambda file: changed(file, f"UPDATE matches SET {column} = {blob} WHERE number = ?", NUMBER)


DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "JSON of an event": (lambda file: event_is(file, 2, '{"kind": "pl'), "event 2: "),
    "unknown key of an event": (lambda file: event_is(file, 2, {"kynd": "play"}), "event 2: "),
    "unknown kind": (lambda file: event_is(file, 2, {"kind": "plaz"}), "event 2: its kind is unknown"),
    "unknown action": (lambda file: event_is(file, 1, {**event_of(file, 1), "action": "zz9"}), "event 1: "),
    "illegal action": (lambda file: event_is(file, 2, {**event_of(file, 1), "player": "w"}), "event 2: "),
    "wrong player": (
        lambda file: event_is(file, 1, {**event_of(file, 1), "player": "w"}),
        "event 1: its player was not on move",
    ),
    "list instead of an action": (lambda file: event_is(file, 1, {**event_of(file, 1), "action": [1]}), "event 1: "),
    "undo to nowhere": (
        lambda file: event_is(file, 2, {"kind": "undo", "player": "b", "to": 99}),
        "event 2: it takes back to nowhere",
    ),
    "missing event": (
        lambda file: changed(file, "DELETE FROM events WHERE match = ? AND seq = 2", NUMBER),
        "event 2: it is missing",
    ),
    "unknown game": (match_is("game", "chess"), "the match itself: "),
    "unknown option": (match_is("options", '{"wings": 2}'), "the match itself: "),
    "JSON of the seats": (match_is("seats", '[{"player": '), "the match itself: "),
    "too few seats": (match_is("seats", "[]"), "the match itself: the seats are not those of the players"),
    "seats of another type": (match_is("seats", 7), "the match itself: "),
    "short seed": (match_is("seed", b"x"), "the match itself: the seed is wrong"),
    "seed of another type": (match_is("seed", "text"), "the match itself: the seed is wrong"),
    "time": (match_is("created", "yesterday"), "the match itself: "),
    "bytes that are not text": (cell_text("creator", "ff41"), "cannot load the match: "),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_match_is_a_sentence_and_one_record_of_the_log(
    file: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    damage, why = DAMAGES[name]
    damage(file)
    with served(file) as client:
        answer = client.get(f"/api/matches/{NUMBER}")
        assert (answer.status_code, answer.json()) == (503, {"error": DAMAGED})
        (record,) = [each for each in caplog.records if each.levelno >= logging.WARNING]
        assert vars(record)["match"] == NUMBER
        assert why in record.getMessage()
        assert client.get("/api/matches/number-0002").status_code == 200


def test_a_roll_that_does_not_follow_from_the_seed_is_damage(file: Path) -> None:
    number = "number-0004"  # of a game with a die
    changed(file, "UPDATE matches SET seed = ? WHERE number = ?", b"\x07" * 32, number)
    with served(file) as client:
        assert client.get(f"/api/matches/{number}").json() == {"error": DAMAGED}


def test_a_damaged_match_is_left_out_of_the_lists(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    newest = "number-0039"
    changed(file, "UPDATE matches SET seats = 'nonsense' WHERE number = ?", newest)
    monkeypatch.setattr("damier.server.store.store.Store.recent", _all_of_ann)
    with served(file) as client:
        client.get("/api/me")  # gives a cookie
        listed = [match["number"] for match in client.get("/api/matches").json()]
        assert listed == ["number-0038", "number-0037"]
        assert newest not in client.get("/", headers={"Accept": "text/html"}).text


async def _all_of_ann(*_: Any) -> list[str]:
    return ["number-0039", "number-0038", "number-that-is-not-there", "number-0037"]


def test_a_damaged_file_is_refused_at_start(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = file.read_bytes()
    file.write_bytes(pages[: 4096 * 4] + b"\xff" * 300 + pages[4096 * 4 + 300 :])
    before = file.read_bytes()
    assert main(("serve", "--no-browser", "--database", str(file))) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert " is damaged: " in told.err
    assert told.err.endswith("See what can be read with damier check, or go back to a backup with damier restore.\n")
    assert file.read_bytes() == before


def test_an_index_that_misses_a_row_is_refused_at_start(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'visitor, begun', 'begun, visitor')"
                           " WHERE name = 'visits_by_visitor'")  # fmt: skip
    connection.close()
    with pytest.raises(BadDatabase, match="is damaged: row 1 missing from index visits_by_visitor"), served(file):
        pass


def test_a_large_file_gets_the_quick_check(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def problems(_path: Path, check: str, **_: Any) -> list[str]:
        asked.append(check)
        return []

    monkeypatch.setattr(integrity, "_FULLY_CHECKED", 1000)
    monkeypatch.setattr(integrity, "problems", problems)
    with served(file) as client:
        assert client.get("/healthz").status_code == 200
    assert asked == ["quick_check"]


@pytest.mark.parametrize("seed", range(12))
def test_sixty_damaged_bytes_are_refused_at_start_or_are_sentences(
    file: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    drawn, pages = random.Random(seed), bytearray(file.read_bytes())
    for place in drawn.sample(range(len(pages)), 60):
        pages[place] = drawn.randrange(256)
    file.write_bytes(pages)
    check_every_match(file)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_texts_and_numbers_that_sqlite_does_not_see_are_sentences(
    file: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    drawn, pages = random.Random(seed), bytearray(file.read_bytes())
    begins = [place for place in range(len(pages) - 30) if pages[place : place + 7] == b'{"kind"']
    for begin in drawn.sample(begins, 15):
        pages[begin + drawn.randrange(30)] = drawn.randrange(256)
    file.write_bytes(pages)
    check_every_match(file)


def check_every_match(file: Path) -> None:
    """Asserts that the server refuses a file, or answers every request about its matches."""
    try:
        with served(file) as client:
            client.get("/api/me")  # gives a cookie
            assert client.get("/").status_code == 200
            for place in range(40):
                answer = client.get(f"/api/matches/number-{place:04}")
                if answer.status_code != 200:
                    assert (answer.status_code, answer.json()["error"]) in [(503, DAMAGED), (503, UNREADABLE)]
    except BadDatabase as error:
        assert "is damaged" in str(error) or "another program" in str(error)
