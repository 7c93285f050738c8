"""Passkeys, with an authenticator in software."""

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.server.app import create_app
from damier.server.people.credentials import COOKIE
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.store.store import now
from damier.server.tournaments.times import later, seconds_between
from tests.server.accounts import make, name_like, refused
from tests.server.authenticator import Authenticator
from tests.server.pages import begin
from tests.server.served import SETTINGS, another_browser
from tests.server.stores import rows

LATE = (400, "That took too long: try again.")
UNVERIFIED = (403, "The passkey could not be verified: try again.")


def started(client: TestClient, name: str | None = None) -> dict[str, Any]:
    answer = client.post("/api/account/passkeys/start", json={"name": name})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


def made_with(client: TestClient, key: Authenticator, name: str) -> None:
    """Makes an account with a passkey alone."""
    begun = started(client, name)
    body = {"number": begun["number"], "credential": key.make(begun["options"]), "label": "Phone"}
    answer = client.post("/api/account/passkeys/account", json=body)
    assert answer.status_code == 201, answer.text
    assert answer.json()["has_password"] is False


def added(client: TestClient, key: Authenticator) -> dict[str, Any]:
    begun = started(client)
    body = {"number": begun["number"], "credential": key.make(begun["options"]), "label": "Key"}
    answer = client.post("/api/account/passkeys", json=body)
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()
    return data


def sign_in_with(client: TestClient, key: Authenticator) -> Any:
    begun = client.post("/api/account/passkeys/challenge").json()
    body = {"number": begun["number"], "credential": key.use(begun["options"])}
    return client.post("/api/account/passkeys/sign-in", json=body)


def test_an_account_is_made_with_a_passkey_alone_and_signed_in_to_without_a_name(
    ann: TestClient, bob: TestClient
) -> None:
    key, name = Authenticator(), name_like("Ann")
    number = begin(ann, "chefa", "me", "me")["number"]
    options = started(ann, name)["options"]
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert options["authenticatorSelection"]["userVerification"] == "required"
    made_with(ann, key, name)
    assert [each["number"] for each in ann.get("/api/matches").json()] == [number]
    assert sign_in_with(bob, key).json()["name"] == name
    assert [each["number"] for each in bob.get("/api/matches").json()] == [number]
    (shown,) = bob.get("/api/account/passkeys").json()
    assert shown["label"] == "Phone"
    assert shown["used"]
    answer = bob.post("/api/account/sign-in", json={"name": name, "password": ""})
    assert refused(answer) == (403, "The name or the password is wrong.")


def test_several_passkeys_lead_in_and_the_last_way_stays(ann: TestClient, bob: TestClient) -> None:
    first, second = Authenticator(), Authenticator()
    made_with(ann, first, name_like("Ann"))
    number = added(ann, second)["number"]
    known = started(ann)["options"]["excludeCredentials"]
    assert len(known) == 2
    assert sign_in_with(bob, second).status_code == 200
    assert ann.delete(f"/api/account/passkeys/{number}").status_code == 204
    assert refused(sign_in_with(another_browser(ann), second)) == (403, "No account has this passkey.")
    last = ann.get("/api/account/passkeys").json()[0]["number"]
    sentence = "This passkey is the only way into your account: set a password first."
    assert refused(ann.delete(f"/api/account/passkeys/{last}")) == (400, sentence)
    assert ann.post("/api/account/password", json={"password": "correct horse"}).status_code == 204
    assert ann.delete(f"/api/account/passkeys/{last}").status_code == 204
    assert refused(ann.delete(f"/api/account/passkeys/{last}")) == (404, "There is nothing of that number.")


def test_a_challenge_is_good_once_and_for_its_purpose(client: TestClient) -> None:
    key = Authenticator()
    make(client)
    added(client, key)
    browser = another_browser(client)
    begun = browser.post("/api/account/passkeys/challenge").json()
    body = {"number": begun["number"], "credential": key.use(begun["options"])}
    assert browser.post("/api/account/passkeys/sign-in", json=body).status_code == 200
    assert refused(another_browser(client).post("/api/account/passkeys/sign-in", json=body)) == LATE
    begun = started(client)
    body = {"number": begun["number"], "credential": key.use({**begun["options"], "rpId": "testserver"})}
    assert refused(another_browser(client).post("/api/account/passkeys/sign-in", json=body)) == LATE


def test_the_challenge_of_one_account_adds_nothing_to_another(ann: TestClient, bob: TestClient) -> None:
    make(ann)
    make(bob)
    begun = started(ann)
    body = {"number": begun["number"], "credential": Authenticator().make(begun["options"])}
    assert refused(bob.post("/api/account/passkeys", json=body)) == LATE
    assert bob.get("/api/account/passkeys").json() == []


def test_a_challenge_ends_after_two_minutes(tmp_path: Path) -> None:
    database = str(tmp_path / "m.sqlite")
    settings = ServerSettings.read({**SETTINGS, "database": database})
    with TestClient(create_app(Services(settings))) as client:
        begun = started(client, "Annika")
        (until,) = (row[0] for row in rows(database, "SELECT until FROM passkey_challenges"))
        assert 60 < seconds_between(now(), until) <= 120
        rows(database, "UPDATE passkey_challenges SET until = :at", at=later(until, -121))
        body = {"number": begun["number"], "credential": Authenticator().make(begun["options"])}
        assert refused(client.post("/api/account/passkeys/account", json=body)) == LATE
        assert COOKIE not in client.cookies


@pytest.mark.parametrize(
    "key", [Authenticator("https://evil.example"), Authenticator(is_verified=False)], ids=["origin", "verification"]
)
def test_a_passkey_of_another_site_or_without_verification_is_refused(client: TestClient, key: Authenticator) -> None:
    begun = started(client, name_like("Ann"))
    body = {"number": begun["number"], "credential": key.make(begun["options"])}
    assert refused(client.post("/api/account/passkeys/account", json=body)) == UNVERIFIED
    assert COOKIE not in client.cookies


@pytest.mark.parametrize("credential", [{}, {"id": "x"}, {"id": 5, "response": []}, {"id": "AAAA", "response": {}}])
def test_what_is_no_credential_is_refused(client: TestClient, credential: dict[str, Any]) -> None:
    begun = started(client, name_like("Ann"))
    body = {"number": begun["number"], "credential": credential}
    assert refused(client.post("/api/account/passkeys/account", json=body)) == UNVERIFIED
    assert refused(client.post("/api/account/passkeys/sign-in", json=body))[0] == 403


def test_another_key_cannot_sign_for_a_passkey(ann: TestClient, bob: TestClient) -> None:
    mine, other = Authenticator(), Authenticator()
    made_with(ann, mine, name_like("Ann"))
    other.id = mine.id
    assert refused(sign_in_with(bob, other)) == UNVERIFIED


def test_a_name_that_is_taken_gets_no_passkey(ann: TestClient, bob: TestClient) -> None:
    name = name_like("Ann")
    make(ann, name)
    answer = bob.post("/api/account/passkeys/start", json={"name": name})
    assert refused(answer) == (400, "That name is taken, or looks like one that is: choose another.")
    key, free = Authenticator(), name_like("Bob")
    begun = started(bob, free)
    make(another_browser(ann), free)  # meanwhile
    body = {"number": begun["number"], "credential": key.make(begun["options"])}
    assert bob.post("/api/account/passkeys/account", json=body).status_code == 400


def test_passkeys_belong_to_the_public_address(tmp_path: Path) -> None:
    given = {"database": str(tmp_path / "m.sqlite"), "origin": "https://games.example.org"}
    with TestClient(create_app(Services(ServerSettings.read({**SETTINGS, **given})))) as client:
        client.headers["Host"] = "games.example.org"
        begun = started(client, "Annika")
        assert begun["options"]["rp"]["id"] == "games.example.org"
        key = Authenticator("https://games.example.org")
        body = {"number": begun["number"], "credential": key.make(begun["options"])}
        assert client.post("/api/account/passkeys/account", json=body).status_code == 201
