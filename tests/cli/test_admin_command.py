"""`damier admin`, beside a running server."""

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from damier.server.app import create_app
from damier.server.people import credentials
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.cli.calling import called
from tests.server.accounts import make, refused
from tests.server.databases import downgrade, filled
from tests.server.pages import Player, begin, live
from tests.server.served import SETTINGS

BANNED = (403, "This account is banned: it can read, but not play or write.")


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


@pytest.fixture
def ann(database: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A browser that is signed in to a server, which reads accounts again at once."""
    monkeypatch.setattr(credentials, "_FRESH", -1.0)
    with TestClient(create_app(Services(ServerSettings.read({**SETTINGS, "database": str(database)})))) as client:
        make(client, "Annika")
        yield client


def admin(database: Path, *words: str) -> str:
    status, out, err = called("admin", *words, "--database", str(database))
    assert (status, err) == (0, ""), err
    return out


def refusal(*words: str) -> str:
    status, out, err = called("admin", *words)
    assert (status, out) == (2, "")
    return err.removeprefix("damier: ").strip()


def test_accounts_are_listed(ann: TestClient, database: Path) -> None:
    made = ann.get("/api/account").json()
    assert admin(database, "list") == f"Annika                {made['created'][:10]}\n"
    assert json.loads(admin(database, "list", "--json")) == [
        {
            "name": "Annika",
            "is_program": False,
            "is_moderator": False,
            "banned_until": None,
            "created": made["created"],
        }
    ]


def test_a_moderator_is_made_while_the_server_runs(ann: TestClient, database: Path) -> None:
    assert admin(database, "moderator", "annika") == "Annika is a moderator.\n"
    assert ann.get("/api/account").json()["is_moderator"]
    assert "moderator" in admin(database, "list")
    assert admin(database, "moderator", "Annika", "--remove", "--lang", "de") == "Annika ist kein Moderator.\n"
    assert not ann.get("/api/account").json()["is_moderator"]


def test_a_banned_account_reads_and_exports_but_does_not_play(ann: TestClient, database: Path) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    with live(ann, number) as socket:
        player = Player(socket)
        player.play("a1")
        assert admin(database, "ban", "Annika", "--until", "2100-01-01") == "Annika is banned until 2100-01-01.\n"
        assert player.ask("play", action="b1")["error"] == BANNED[1]
    assert ann.get("/api/account").json()["banned_until"] == "2100-01-01T00:00:00.000Z"
    assert ann.get(f"/api/matches/{number}").status_code == 200
    assert ann.get("/api/account/export").json()["account"]["name"] == "Annika"
    assert refused(ann.post("/api/matches", json={"game": "chefa", "seats": ["me", "me"]})) == BANNED
    assert refused(ann.put("/api/account/name", json={"name": "Benedict"})) == BANNED
    assert "banned until 2100-01-01" in admin(database, "list")
    assert admin(database, "ban", "Annika", "--remove") == "Annika is not banned.\n"
    begin(ann, "chefa", "me", "me")
    assert admin(database, "ban", "Annika") == "Annika is banned for good.\n"
    assert "banned for good" in admin(database, "list")
    assert ann.post("/api/account/sign-out").status_code == 204
    given = {"name": "Annika", "password": "correct horse"}
    assert ann.post("/api/account/sign-in", json=given).status_code == 200
    assert ann.post("/api/account/deletion", json=given).status_code == 204


def test_the_account_of_a_program_is_made_with_a_token_that_plays(ann: TestClient, database: Path) -> None:
    token = admin(database, "program", "Robin").strip()
    bearer = {"Authorization": f"Bearer {token}"}
    made = ann.post("/api/matches", json={"game": "chefa", "seats": ["me", "open"]}, headers=bearer)
    assert made.status_code == 201
    seat = made.json()["seats"][0]
    assert (seat["account"], seat["is_program"]) == ("Robin", True)
    again = json.loads(admin(database, "program", "robin", "--json"))
    assert (again["name"], again["is_program"], again["token"] != token) == ("Robin", True, True)
    assert token not in database.read_bytes().decode("latin-1")  # only its digest is stored
    for _ in range(18):
        admin(database, "program", "Robin")
    full = "Robin has 20 tokens: revoke one first."
    assert refusal("program", "Robin", "--database", str(database)) == full
    person = "Annika is the account of a person: choose another name."
    assert refusal("program", "annika", "--database", str(database)) == person


def test_another_name_is_shown_in_open_matches(ann: TestClient, database: Path) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    assert admin(database, "rename", "Annika", "Zora") == "Annika is called Zora now.\n"
    assert ann.get("/api/account").json()["name"] == "Zora"
    assert ann.get(f"/api/matches/{number}").json()["seats"][0]["account"] == "Zora"
    taken = "That name is taken, or looks like one that is: choose another."
    assert refusal("rename", "Zora", "admin", "--database", str(database)) == taken


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["moderator", "Nobody"], "There is no account 'Nobody'."),
        (["ban", "Annika", "--until", "soon"], "'soon' is no day: write it as 2030-12-31."),
        (["ban", "Annika", "--until", "2020-01-01"], "'2020-01-01' is past: choose a later day."),
        (["moderator"], "moderator needs NAME."),
        (["rename", "Annika"], "rename needs NEW."),
        (["list", "Annika"], "list takes no NAME."),
        (["moderator", "Annika", "--until", "2100-01-01"], "moderator takes no --until."),
    ],
)
def test_what_makes_no_sense_is_refused(ann: TestClient, database: Path, words: list[str], sentence: str) -> None:
    assert refusal(*words, "--database", str(database)) == sentence


def test_a_database_that_is_missing_foreign_or_old_is_refused(database: Path, tmp_path: Path) -> None:
    assert refusal("list", "--database", str(database)).startswith("There is no database '")
    connection = sqlite3.connect(tmp_path / "foreign.sqlite")
    connection.execute("CREATE TABLE songs (title)")
    connection.close()
    assert "belongs to another program." in refusal("list", "--database", str(tmp_path / "foreign.sqlite"))
    filled(database, 1)
    assert admin(database, "list") == "There are no accounts.\n"
    downgrade(database, "0005")
    assert refusal("list", "--database", str(database)).endswith("start the server once to bring it up to date.")


def test_vacuuming_waits_until_no_server_uses_the_file(ann: TestClient, database: Path) -> None:
    assert refusal("vacuum", "--database", str(database)).startswith("Another damier uses the database ")
    assert ann.get("/api/account").status_code == 200


def test_vacuuming_says_how_large_the_database_is(database: Path) -> None:
    filled(database, 5)
    assert re.fullmatch(r"The database has [\d.]+ kB; it had [\d.]+ kB\.\n", admin(database, "vacuum"))
    sizes = json.loads(admin(database, "vacuum", "--json"))
    assert sizes["before"] == sizes["after"] == database.stat().st_size
