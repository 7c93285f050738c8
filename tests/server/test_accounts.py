"""Accounts: made, signed in to, changed, recovered, exported and deleted."""

import asyncio
import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.server.app import create_app
from damier.server.front.visitors import COOKIE as GUEST
from damier.server.people.credentials import COOKIE
from damier.server.people.passwords import Passwords
from damier.server.services import Services
from damier.server.settings import ServerSettings
from tests.server.accounts import PASSWORD, make, name_like, refused, sign_in
from tests.server.pages import Player, begin, live
from tests.server.served import SETTINGS, another_browser

WRONG = (403, "The name or the password is wrong.")
FIRST = (403, "Sign in first.")


# Making


def test_an_account_is_made_and_signed_in(client: TestClient) -> None:
    name = name_like("Ann")
    client.get("/")
    assert GUEST in client.cookies
    made = make(client, name)
    assert made == {
        "name": name,
        "is_program": False,
        "is_moderator": False,
        "banned_until": None,
        "email": "",
        "has_password": True,
        "recovery_codes": 0,
        "created": made["created"],
    }
    assert GUEST not in client.cookies
    assert client.get("/api/account").json() == made
    assert client.get("/api/me").json() == {"nickname": name}
    assert f'"nickname":"{name}"' in client.get("/").text
    assert GUEST not in client.cookies


def test_a_guest_has_no_account(client: TestClient) -> None:
    client.get("/")
    assert refused(client.get("/api/account")) == FIRST


@pytest.mark.parametrize(
    ("password", "status", "sentence"),
    [
        ("short", 400, "A password has 8 to 200 characters."),
        ("x" * 201, 400, "A password has 8 to 200 characters."),
    ],
)
def test_a_password_is_neither_short_nor_endless(client: TestClient, password: str, status: int, sentence: str) -> None:
    answer = client.post("/api/account", json={"name": name_like("Ann"), "password": password})
    assert refused(answer) == (status, sentence)
    assert COOKIE not in client.cookies


def test_a_name_that_looks_like_another_is_taken(client: TestClient) -> None:
    name = name_like("Olli")
    make(client, name)
    other = another_browser(client)
    for given in (name, name.upper(), name.replace("O", "0"), name.replace("l", "I"), name.replace("-", "")):
        answer = other.post("/api/account", json={"name": given, "password": PASSWORD})
        assert refused(answer) == (400, "That name is taken, or looks like one that is: choose another.")
    assert COOKIE not in other.cookies


def test_who_is_signed_in_makes_no_second_account(client: TestClient) -> None:
    make(client)
    answer = client.post("/api/account", json={"name": name_like("Bob"), "password": PASSWORD})
    assert refused(answer) == (400, "You are signed in: sign out first.")


def test_a_guest_takes_everything_along(ann: TestClient, bob: TestClient) -> None:
    match = begin(ann, "chefa", "me", "open")
    number = match["number"]
    bob.post(f"/api/matches/{number}/seats", json={"invitation": match["invitations"]["w"]})
    ann.put("/api/me", json={"nickname": "Annika"})
    name = name_like("Ann")
    old = dict(ann.cookies)
    with live(bob, number) as theirs, live(ann, number) as mine:
        player, other = Player(mine), Player(theirs)
        player.play("a1")
        make(ann, name, settings={"damier": {"theme": "dark"}})
        told = other.next("names")
        assert (told["nicknames"], told["account"]) == ({"b": name}, name)
        other.play("b1")
        player.next("event")
        player.play("c1")  # over the socket that the guest had opened
    seat = ann.get(f"/api/matches/{number}").json()["seats"][0]
    assert (seat["nickname"], seat["account"], seat["is_mine"], seat["is_program"]) == (name, name, True, False)
    assert [each["number"] for each in ann.get("/api/matches").json()] == [number]
    assert ann.get("/api/account/settings").json() == {"settings": {"damier": {"theme": "dark"}}}
    services: Services = ann.app.state.services  # type: ignore[attr-defined]
    assert services.referee.let_go(number)
    again = ann.get(f"/api/matches/{number}").json()
    assert again["seats"][0]["is_mine"]
    assert [entry["action"] for entry in again["state"]["history"]] == ["a1", "b1", "c1"]
    guest = another_browser(ann)
    guest.cookies.update(old)
    assert guest.get("/api/matches").json() == []
    assert not guest.get(f"/api/matches/{number}").json()["seats"][0]["is_mine"]


# Signing in and out


def test_signing_in_and_out_on_another_browser(ann: TestClient, bob: TestClient) -> None:
    name = name_like("Ann")
    make(ann, name)
    number = begin(ann, "chefa", "me", "me")["number"]
    sign_in(bob, name.upper())
    assert [each["number"] for each in bob.get("/api/matches").json()] == [number]
    assert bob.post("/api/account/sign-out").status_code == 204
    assert COOKIE not in bob.cookies
    assert refused(bob.get("/api/account")) == FIRST
    assert ann.get("/api/account").status_code == 200


def test_a_guest_who_signs_in_is_the_guest_again_after_signing_out(ann: TestClient, bob: TestClient) -> None:
    name = name_like("Ann")
    make(ann, name)
    number = begin(bob, "chefa", "me", "me")["number"]
    sign_in(bob, name)
    assert bob.get("/api/matches").json() == []
    bob.post("/api/account/sign-out")
    assert [each["number"] for each in bob.get("/api/matches").json()] == [number]


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(client: TestClient) -> None:
    name = name_like("Ann")
    make(another_browser(client), name)
    for given in ({"name": name, "password": "wrong horse"}, {"name": name_like("No"), "password": PASSWORD}):
        assert refused(client.post("/api/account/sign-in", json=given)) == WRONG
    assert COOKIE not in client.cookies


def test_an_unknown_name_takes_as_long_as_a_wrong_password() -> None:
    async def seconds(passwords: Passwords, kept: str | None) -> float:
        best = 9.0
        for _ in range(5):
            began = time.process_time()
            assert await passwords.verify("wrong", kept) == (False, None)
            best = min(best, time.process_time() - began)
        return best

    async def measured() -> float:
        passwords = Passwords()
        kept = await passwords.hash(PASSWORD)
        await seconds(passwords, None)
        ratio = await seconds(passwords, None) / await seconds(passwords, kept)
        passwords.close()
        return ratio

    assert 0.5 < asyncio.run(measured()) < 2


def test_a_password_of_older_parameters_is_hashed_anew() -> None:
    async def verified() -> tuple[bool, str | None]:
        old, new = Passwords(passes=1, memory=8), Passwords(passes=2, memory=8)
        kept = await old.hash(PASSWORD)
        is_right, renewed = await new.verify(PASSWORD, kept)
        assert renewed
        assert await new.verify(PASSWORD, renewed) == (True, None)
        assert await new.verify("wrong", kept) == (False, None)
        old.close()
        new.close()
        return is_right, renewed

    assert asyncio.run(verified())[0]


def test_an_invented_session_is_a_guest(client: TestClient) -> None:
    client.cookies.set(COOKIE, "x" * 43)
    assert refused(client.get("/api/account")) == FIRST
    assert client.get("/").status_code == 200
    client.cookies.set(COOKIE, "x" * 5000)
    assert refused(client.get("/api/account")) == FIRST


def test_the_sessions_are_listed_and_can_be_ended(ann: TestClient, bob: TestClient) -> None:
    name = name_like("Ann")
    make(ann, name)
    agent = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}
    bob.post("/api/account/sign-in", json={"name": name, "password": PASSWORD}, headers=agent)
    third = another_browser(ann)
    sign_in(third, name)
    found = ann.get("/api/account/sessions").json()
    assert [(each["browser"], each["is_this"]) for each in found] == [
        ("", True),
        ("Firefox, Linux", False),
        ("", False),
    ]
    assert ann.delete(f"/api/account/sessions/{found[1]['number']}").status_code == 204
    assert refused(bob.get("/api/account")) == FIRST
    assert third.get("/api/account").status_code == 200
    assert ann.delete("/api/account/sessions").status_code == 204
    assert refused(third.get("/api/account")) == FIRST
    assert [each["is_this"] for each in ann.get("/api/account/sessions").json()] == [True]
    assert refused(ann.delete("/api/account/sessions/none")) == (404, "There is nothing of that number.")


def test_nobody_ends_the_sessions_of_another(ann: TestClient, bob: TestClient) -> None:
    make(ann)
    make(bob)
    number = ann.get("/api/account/sessions").json()[0]["number"]
    assert bob.delete(f"/api/account/sessions/{number}").status_code == 404
    assert ann.get("/api/account").status_code == 200


def test_signing_out_closes_the_pages_of_that_browser(ann: TestClient, bob: TestClient) -> None:
    name = name_like("Ann")
    make(ann, name)
    sign_in(bob, name)
    number = begin(ann, "chefa", "me", "me")["number"]
    with live(ann, number) as mine, live(bob, number) as theirs:
        Player(mine).play("a1")
        Player(theirs).play("b1")
        ann.delete("/api/account/sessions")
        closed = theirs.receive()
        while closed["type"] != "websocket.close":
            closed = theirs.receive()
        assert (closed["code"], closed["reason"]) == (1011, "You are signed out.")


# Changing


def test_another_password_signs_the_others_out(ann: TestClient, bob: TestClient) -> None:
    name = name_like("Ann")
    make(ann, name)
    sign_in(bob, name)
    wrong = ann.post("/api/account/password", json={"old": "wrong horse", "password": "another horse"})
    assert refused(wrong) == (403, "The old password is wrong.")
    assert refused(ann.post("/api/account/password", json={"password": "another horse"}))[0] == 403
    answer = ann.post("/api/account/password", json={"old": PASSWORD, "password": "another horse"})
    assert answer.status_code == 204
    assert ann.get("/api/account").status_code == 200
    assert refused(bob.get("/api/account")) == FIRST
    assert refused(bob.post("/api/account/sign-in", json={"name": name, "password": PASSWORD})) == WRONG
    sign_in(bob, name, "another horse")


def test_another_name_is_shown_at_once(ann: TestClient, bob: TestClient) -> None:
    make(ann)
    taken = name_like("Bob")
    make(bob, taken)
    number = begin(ann, "chefa", "me", "me")["number"]
    other = name_like("Zoe")
    with live(bob, number) as socket:
        player = Player(socket)
        assert ann.put("/api/account/name", json={"name": other}).json()["name"] == other
        assert player.next("names")["account"] == other
    assert ann.get("/api/me").json() == {"nickname": other}
    answer = ann.put("/api/account/name", json={"name": taken})
    assert refused(answer) == (400, "That name is taken, or looks like one that is: choose another.")
    assert ann.put("/api/account/name", json={"name": other.upper()}).json()["name"] == other.upper()


def test_who_is_signed_in_has_no_nickname_besides(client: TestClient) -> None:
    make(client)
    answer = client.put("/api/me", json={"nickname": "Bella"})
    assert refused(answer) == (403, "You are shown by the name of your account: change that.")
    assert refused(client.delete("/api/me")) == (403, "You are signed in: delete your account instead.")


@pytest.mark.parametrize(("text", "status"), [("ann@example.org", 200), ("", 200), ("ann", 400), ("a b@c.de", 400)])
def test_an_e_mail_address_is_optional(client: TestClient, text: str, status: int) -> None:
    make(client)
    assert client.put("/api/account/email", json={"email": text}).status_code == status
    assert client.get("/api/account").json()["email"] == (text if status == 200 else "")


def test_an_account_becomes_a_program_before_its_first_match(client: TestClient) -> None:
    make(client)
    assert client.post("/api/account/program").json()["is_program"]
    assert begin(client, "chefa", "me", "me")["seats"][0]["is_program"]
    other = another_browser(client)
    begin(other, "chefa", "me", "me")
    make(other)
    sentence = "Only an account that has not played can become a program's: make a new one."
    assert refused(other.post("/api/account/program")) == (400, sentence)
    assert make(another_browser(client), is_program=True)["is_program"]


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        ({}, 204),
        ({"damier": {"theme": "dark"}, "damier.lessons": {"x": ["a", "b"]}}, 204),
        ({"x": [[[[[]]]]]}, 204),
        ({"x": [[[[[[]]]]]]}, 422),
        ({"x": "y" * 100_000}, 422),
        ({"x": "\x00"}, 422),
        ([], 422),
        ("x", 422),
    ],
)
def test_settings_are_an_object_of_a_bounded_size(client: TestClient, settings: Any, status: int) -> None:
    make(client)
    assert client.put("/api/account/settings", json={"settings": settings}).status_code == status
    kept = client.get("/api/account/settings").json()["settings"]
    assert kept == (settings if status == 204 else {})


# Recovery, export, deletion


def test_a_recovery_code_works_once(ann: TestClient, bob: TestClient) -> None:
    name = name_like("Ann")
    make(ann, name)
    codes = ann.post("/api/account/recovery-codes").json()["codes"]
    assert len(set(codes)) == 10
    assert ann.get("/api/account").json()["recovery_codes"] == 10
    given = {"name": name, "code": f" {codes[3].upper()} ".replace("-", " "), "password": "another horse"}
    assert bob.post("/api/account/recover", json=given).status_code == 200
    assert bob.get("/api/account").json()["recovery_codes"] == 9
    assert refused(ann.get("/api/account")) == FIRST
    wrong = (403, "The name or the recovery code is wrong.")
    third = another_browser(ann)
    assert refused(third.post("/api/account/recover", json=given)) == wrong
    assert refused(third.post("/api/account/recover", json={**given, "name": name_like("No")})) == wrong
    sign_in(third, name, "another horse")
    bob.post("/api/account/recovery-codes")
    assert refused(third.post("/api/account/recover", json={**given, "code": codes[4]})) == wrong


def test_the_export_has_everything_but_secrets(client: TestClient) -> None:
    name = name_like("Ann")
    number = begin(client, "chefa", "me", "me")["number"]
    with live(client, number) as socket:
        Player(socket).play("a1")
    make(client, name, settings={"damier": {}})
    answer = client.get("/api/account/export")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="damier-{name}.json"'
    data = answer.json()
    assert data["account"]["name"] == name
    assert data["settings"] == {"damier": {}}
    assert [each["number"] for each in data["matches"]] == [number]
    assert data["matches"][0]["seats"] == ["b", "w"]
    assert "a1" in data["matches"][0]["record"]
    assert len(data["sessions"]) == 1
    assert not any(word in answer.text for word in ("argon2", "digest", client.cookies[COOKIE]))


@pytest.fixture
def services(tmp_path: Path) -> Services:
    return Services(ServerSettings.read({**SETTINGS, "database": str(tmp_path / "matches.sqlite")}))


@pytest.fixture
def alone(services: Services) -> Iterator[TestClient]:
    """A browser at a server of its own."""
    with TestClient(create_app(services), raise_server_exceptions=False) as client:
        yield client


def dump(services: Services) -> str:
    connection = sqlite3.connect(services.settings.database)
    lines = "\n".join(connection.iterdump())
    connection.close()
    return lines


def test_a_deleted_account_is_in_no_row_and_the_others_play_on(services: Services, alone: TestClient) -> None:
    bob = another_browser(alone)
    make(alone, "Annika", settings={"damier": {"lang": "fr"}})
    alone.post("/api/account/recovery-codes")
    match = begin(alone, "chefa", "me", "open")
    number = match["number"]
    bob.post(f"/api/matches/{number}/seats", json={"invitation": match["invitations"]["w"]})
    with live(alone, number) as socket:
        Player(socket).play("a1")
    person = asyncio.run(services.accounts.find("Annika"))
    assert person
    assert person.person in dump(services)
    wrong = alone.post("/api/account/deletion", json={"name": "annika", "password": PASSWORD})
    assert refused(wrong) == (400, "Type the name of your account to delete it: Annika.")
    wrong = alone.post("/api/account/deletion", json={"name": "Annika", "password": "wrong horse"})
    assert refused(wrong) == (403, "The password is wrong.")
    with live(bob, number) as socket:
        player = Player(socket)
        answer = alone.post("/api/account/deletion", json={"name": "Annika", "password": PASSWORD})
        assert answer.status_code == 204
        told = player.next("names")
        assert told["account"] is None
        assert told["nicknames"]["b"] != "Annika"
        player.play("b1")
    assert COOKIE not in alone.cookies
    assert person.person not in dump(services)
    assert "Annika" not in dump(services)
    assert refused(alone.get("/api/account")) == FIRST
    make(another_browser(alone), "Annika")


def test_secrets_are_stored_as_hashes(services: Services, alone: TestClient) -> None:
    make(alone, "Annika")
    codes = alone.post("/api/account/recovery-codes").json()["codes"]
    found = dump(services)
    assert "$argon2id$v=19$m=19456,t=4,p=1$" in found
    secrets = [PASSWORD, alone.cookies[COOKIE], *codes, *(code.replace("-", "") for code in codes)]
    assert not any(secret in found for secret in secrets)


def test_an_account_that_cannot_be_stored_changes_nothing(services: Services, alone: TestClient) -> None:
    number = begin(alone, "chefa", "me", "me")["number"]
    connection = sqlite3.connect(services.settings.database)
    connection.execute("ALTER TABLE nicknames RENAME TO lost")
    connection.commit()
    assert alone.post("/api/account", json={"name": "Annika", "password": PASSWORD}).status_code == 503
    connection.execute("ALTER TABLE lost RENAME TO nicknames")
    connection.commit()
    connection.close()
    assert COOKIE not in alone.cookies
    assert alone.get(f"/api/matches/{number}").json()["seats"][0]["is_mine"]
    make(alone, "Annika")
    assert alone.get(f"/api/matches/{number}").json()["seats"][0]["is_mine"]


def test_attempts_to_sign_in_are_limited_by_account_and_by_address(tmp_path: Path) -> None:
    given = {"database": str(tmp_path / "m.sqlite"), "sign_ins_per_hour": 3, "accounts_per_address": 1}
    with TestClient(create_app(Services(ServerSettings.read({**SETTINGS, **given})))) as client:
        make(client, "Annika")
        other = another_browser(client)
        for _ in range(3):
            assert refused(other.post("/api/account/sign-in", json={"name": "annIka", "password": "wrong"})) == WRONG
        answer = other.post("/api/account/sign-in", json={"name": "Annika", "password": PASSWORD})
        assert refused(answer) == (429, "That was tried too often: wait a while.")
        assert 1000 < int(answer.headers["Retry-After"]) <= 1200
        for count in range(12):  # the refused one took nothing of the address
            assert other.post("/api/account/sign-in", json={"name": f"N{count}x", "password": "x"}).status_code == 403
        answer = other.post("/api/account/sign-in", json={"name": "Nobody9", "password": "x"})
        assert refused(answer) == (429, "Your network has tried to sign in too often: wait a while.")
        answer = other.post("/api/account", json={"name": "Benedict", "password": PASSWORD})
        assert refused(answer) == (429, "Many accounts were made from your network: wait a while.")


def test_the_session_cookie_is_for_the_server_alone(tmp_path: Path) -> None:
    given = {"database": str(tmp_path / "m.sqlite"), "origin": "https://games.example.org"}
    with TestClient(create_app(Services(ServerSettings.read({**SETTINGS, **given})))) as client:
        body = {"name": "Annika", "password": PASSWORD}
        answer = client.post("/api/account", json=body, headers={"Host": "games.example.org"})
        cookie = next(each for each in answer.headers.get_list("set-cookie") if each.startswith(COOKIE))
        assert all(part in cookie for part in ("HttpOnly", "SameSite=lax", "Secure", "Max-Age=15552000"))
        assert "Secure" not in another_browser(client).post("/api/account/sign-in", json=body).headers["set-cookie"]


@pytest.mark.parametrize("path", ["", "/sign-in", "/sign-out", "/password", "/deletion", "/recover", "/program"])
def test_another_site_can_do_none_of_it(client: TestClient, path: str) -> None:
    name = name_like("Ann")
    make(client, name)
    body = {
        "": {"name": name_like("Bob"), "password": PASSWORD},
        "/password": {"old": PASSWORD, "password": "another horse"},
        "/deletion": {"name": name, "password": PASSWORD},
        "/recover": {"name": name, "code": "x", "password": PASSWORD},
    }.get(path, {"name": name, "password": PASSWORD})
    headers = {"Origin": "https://evil.example", "Content-Type": "application/json"}
    answer = client.post(f"/api/account{path}", content=json.dumps(body), headers=headers)
    assert refused(answer) == (403, "The request comes from another page.")
