"""Web Push: what a browser can read, what is tried again, and where nothing is sent."""

from __future__ import annotations

import base64
import json
import logging
import socket
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.notices import push
from damier.server.notices.notice import Notice
from damier.server.notices.push import Pusher, check_subscription, checked_addresses, is_public, public_key
from damier.server.notices.recipients import MOST_BROWSERS, subscription_number
from damier.server.store.statements.notices import Subscription
from tests.server.accounts import make, name_like, refused, sign_in
from tests.server.notices.receivers import PushService, push_service, wait_for
from tests.server.notices.served import accept, call, challenge, play, services_of, settle, telling
from tests.server.pages import live
from tests.server.served import another_browser

KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"  # the number 1


def subscription(service: PushService, **given: Any) -> Subscription:
    keys = service.keys
    about = {"endpoint": f"{service.address}/one", "p256dh": keys["p256dh"], "auth": keys["auth"], **given}
    return Subscription("n", "p", "", lang="de", browser="", created="", **about)


def a_notice() -> Notice:
    return Notice(
        "turn",
        "p",
        message("Your turn"),
        message("It is your turn against {names}: {game}.", names="Bob", game="X"),
        "/m/x",
        "t",
    )


@pytest.fixture
def server(tmp_path: Path) -> Any:
    with telling(tmp_path) as client:
        yield client


def test_a_browser_can_read_what_is_sent_and_the_service_knows_who_sends_it() -> None:
    with push_service() as service:
        assert (
            Pusher(KEY, "mailto:ann@example.org", allows_local=True).send(a_notice(), subscription(service))
            == "delivered"
        )
        assert service.read() == {
            "title": "Du bist am Zug",
            "body": "Du bist am Zug gegen Bob: X.",
            "path": "/m/x",
            "tag": "t",
            "lang": "de",
        }
        headers = service.got[0][0]
    assert (headers["ttl"], headers["content-encoding"]) == (str(3 * 86_400), "aes128gcm")
    token, key = (part.partition("=")[2] for part in headers["authorization"].removeprefix("vapid ").split(","))
    assert key == public_key(KEY)
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    assert (claims["sub"], claims["aud"]) == ("mailto:ann@example.org", service.address)


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (201, "delivered"),
        (202, "delivered"),
        (404, "gone"),
        (410, "gone"),
        (302, "gone"),
        (429, "retry"),
        (500, "retry"),
    ],
)
def test_the_answer_of_a_push_service_says_what_to_do(status: int, outcome: str) -> None:
    with push_service() as elsewhere, push_service(status, location=elsewhere.address) as service:
        assert Pusher(KEY, "mailto:a@b.org", allows_local=True).send(a_notice(), subscription(service)) == outcome
    assert elsewhere.got == [], "A redirect is not followed."


def test_a_service_that_does_not_answer_is_tried_again() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        service = PushService()
        service.address = f"http://127.0.0.1:{closed.getsockname()[1]}"
        assert Pusher(KEY, "mailto:a@b.org", allows_local=True).send(a_notice(), subscription(service)) == "retry"


def test_a_service_that_answers_byte_by_byte_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push, "_ALL_SECONDS", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        service = PushService()
        service.address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert Pusher(KEY, "mailto:a@b.org", allows_local=True).send(a_notice(), subscription(service)) == "retry"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.1",
        "172.16.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
    ]
    + [
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "::ffff:10.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::a00:1",
        "ff02::1",
        "::",
        "x",
    ],
)
def test_addresses_that_are_not_public_are_recognised(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::5db8:d70e"])
def test_public_addresses_are_recognised(address: str) -> None:
    assert is_public(address)


def test_a_name_that_leads_into_the_own_network_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 443)) for host in ("93.184.215.14", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_given, **_named: answers)
    monkeypatch.setattr(socket, "create_connection", lambda *_given: pytest.fail("It connects."))
    assert checked_addresses("push.example.org", 443, allows_local=False) == []
    to = subscription(PushService(), endpoint="https://push.example.org/x")
    assert Pusher(KEY, "mailto:a@b.org").send(a_notice(), to) == "gone"


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 443))]
    connected: list[Any] = []

    def connect(address: Any, _seconds: float) -> Any:
        connected.append(address)
        raise OSError

    monkeypatch.setattr(socket, "getaddrinfo", lambda *_given, **_named: answers)
    monkeypatch.setattr(socket, "create_connection", connect)
    to = subscription(PushService(), endpoint="https://push.example.org/x")
    assert Pusher(KEY, "mailto:a@b.org").send(a_notice(), to) == "retry"
    assert connected == [("93.184.215.14", 443)]


@pytest.mark.parametrize(
    "endpoint",
    ["http://push.example.org/x", "https://localhost/x", "https://10.0.0.1/x", "https://[::1]/x", "https://printer/x"]
    + ["https://push.example.org:8443/x", "https://ann:pw@push.example.org/x", "ftp://push.example.org/x", "x", ""]
    + ["https://push.example.org/é", "https://push.example.org/a b\n", "https://[x/", "https://push.example.org:x/"],
)
def test_an_endpoint_that_no_browser_gives_is_refused(endpoint: str) -> None:
    keys = PushService().keys
    with pytest.raises(BadArgument) as error:
        check_subscription(endpoint, keys["p256dh"], keys["auth"], allows_local=False)
    assert str(error.value) == "That is not the address of a push service."


def test_keys_that_no_browser_gives_are_refused(server: TestClient) -> None:
    browser = another_browser(server)
    for keys in ({"p256dh": "AAAA", "auth": "AAAA"}, {**PushService().keys, "auth": "é"}):
        body = {"endpoint": "https://push.example.org/x", "keys": keys}
        assert refused(browser.post("/api/notices/push", json=body)) == (400, "Those are not the keys of a browser.")
    assert browser.get("/api/notices").json()["browsers"] == []


def test_a_turn_in_a_correspondence_match_reaches_a_guest_and_an_account(server: TestClient) -> None:
    with push_service() as anns, push_service() as guests:
        ann, guest = another_browser(server), another_browser(server)
        name = make(ann)["name"]
        assert ann.post("/api/notices/push?lang=fr", json=anns.subscription()).status_code == 204
        assert guest.post("/api/notices/push?lang=de", json=guests.subscription()).status_code == 204
        seek = challenge(guest, name)
        wait_for(lambda: anns.got)
        assert anns.read()["title"] == "Un défi"
        assert anns.read()["path"] == f"/lobby/{seek}"
        match = accept(ann, seek)
        wait_for(lambda: guests.got)
        assert guests.read()["title"] == "Deine Herausforderung ist angenommen"
        is_anns = play(ann, match, "r1")
        first, second, receiver = (ann, guest, guests) if is_anns else (guest, ann, anns)
        before = len(receiver.got) if is_anns else len(anns.got)
        assert is_anns or play(first, match, "r1")
        settle(server)
        assert receiver.read()["path"] == f"/m/{match}"
        assert receiver.read()["title"] in ("Du bist am Zug", "À vous de jouer")
        assert len(receiver.got) >= before
        assert play(second, match, "r2")


def test_who_looks_at_the_match_is_not_told(server: TestClient) -> None:
    with push_service() as service:
        ann, bob = another_browser(server), another_browser(server)
        name = make(bob)["name"]
        make(ann)
        match = accept(bob, challenge(ann, name))
        first, second = (ann, bob) if ann.get(f"/api/matches/{match}").json()["state"]["is_my_turn"] else (bob, ann)
        second.post("/api/notices/push", json=service.subscription())
        settle(server)
        with live(second, match) as page:
            assert page.receive_json()["type"] == "snapshot"
            assert play(first, match, "r1")
            settle(server)
            assert service.got == []
        wait_for(lambda: not services_of(server).referee.peek(match).listeners)  # type: ignore[union-attr]
        assert second.post(f"/api/matches/{match}/act", json={"id": "r2", "do": "resign"}).status_code == 200
        wait_for(lambda: service.got)
        assert service.read()["title"] == "You lose"


def test_what_is_switched_off_is_not_sent(server: TestClient) -> None:
    with push_service() as service:
        ann, bob = another_browser(server), another_browser(server)
        name = make(bob)["name"]
        make(ann)
        bob.post("/api/notices/push", json=service.subscription())
        off = {"kinds": [{"kind": "challenge", "push": False, "email": True}]}
        kinds = bob.put("/api/notices", json=off).json()["kinds"]
        assert [each["kind"] for each in kinds if not each["push"]] == ["challenge"]
        challenge(ann, name)
        settle(server)
        assert service.got == []


def test_an_endpoint_that_is_gone_is_forgotten_and_one_that_fails_is_tried_again(server: TestClient) -> None:
    with push_service(410) as gone, push_service(500) as failing, push_service(500, 201) as slow:
        ann, bob = another_browser(server), another_browser(server)
        name = make(bob)["name"]
        make(ann)
        for service in (gone, failing, slow):
            assert bob.post("/api/notices/push", json=service.subscription()).status_code == 204
        challenge(ann, name)
        settle(server)
        assert [len(each.got) for each in (gone, failing, slow)] == [1, 3, 2]
        kept = {each["number"] for each in bob.get("/api/notices").json()["browsers"]}
        assert kept == {subscription_number(f"{each.address}/one") for each in (failing, slow)}
        text = services_of(server).metrics.text().decode()
        assert 'damier_notices_total{channel="push",outcome="given_up"}' in text


def test_a_wish_is_told_to_who_has_it_and_not_to_the_seeker(server: TestClient) -> None:
    with push_service() as service:
        ann, bob = another_browser(server), another_browser(server)
        for browser in (ann, bob):
            assert browser.put("/api/lobby/wishes", json={"games": ["badia"]}).status_code == 200
            browser.post("/api/notices/push", json=service.subscription(f"/{id(browser)}"))
        asked = {"terms": [{"game": "badia"}, {"game": "chefa"}]}
        assert ann.post("/api/seeks", json=asked).status_code == 201
        settle(server)
        assert [each["title"] for each in [service.read(place) for place in range(len(service.got))]] == [
            "Somebody seeks a game"
        ]
        assert service.read()["body"].endswith("seeks an opponent: Badia, and 1 more way to play.")


def test_a_person_has_a_limited_number_of_browsers_and_removes_them(server: TestClient) -> None:
    with push_service() as service:
        ann, bob = another_browser(server), another_browser(server)
        for each in range(MOST_BROWSERS + 2):
            assert ann.post("/api/notices/push", json=service.subscription(f"/{each}")).status_code == 204
        listed = ann.get("/api/notices").json()["browsers"]
        assert len(listed) == MOST_BROWSERS
        number = listed[0]["number"]
        bob.get("/")
        assert refused(bob.delete(f"/api/notices/push/{number}")) == (404, "There is nothing of that number.")
        assert ann.delete(f"/api/notices/push/{number}").status_code == 204
        assert len(ann.get("/api/notices").json()["browsers"]) == MOST_BROWSERS - 1


def test_a_browser_that_is_signed_out_gets_no_more_notices(server: TestClient) -> None:
    with push_service() as service, push_service() as others:
        ann, elsewhere, bob = another_browser(server), another_browser(server), another_browser(server)
        name = name_like("Ann")
        ann.post("/api/notices/push", json=service.subscription())  # as a guest, who makes an account
        make(ann, name)
        sign_in(elsewhere, name)
        elsewhere.post("/api/notices/push", json=others.subscription())
        make(bob)
        assert len(ann.get("/api/notices").json()["browsers"]) == 2
        assert ann.post("/api/account/sign-out").status_code == 204
        challenge(bob, name)
        settle(server)
        assert (len(service.got), len(others.got)) == (0, 1)
        assert len(elsewhere.get("/api/notices").json()["browsers"]) == 1


def test_the_export_has_browsers_and_settings_and_deletion_takes_them(server: TestClient) -> None:
    ann = another_browser(server)
    name = make(ann)["name"]
    with push_service() as service:
        ann.post("/api/notices/push", json=service.subscription())
        ann.put("/api/notices", json={"kinds": [{"kind": "over", "push": False, "email": False}]})
        exported = ann.get("/api/account/export").json()
        assert [each["endpoint"] for each in exported["push_subscriptions"]] == [f"{service.address}/one"]
        assert [each["off"] for each in exported["notice_settings"]] == ["over.email over.push"]
        assert service.keys["auth"] not in json.dumps(exported)
        person = call(server, services_of(server).accounts.find, name).person
        body = {"name": name, "password": "correct horse"}
        assert ann.post("/api/account/deletion", json=body).status_code == 204
        reached = call(server, services_of(server).notices.recipients.reached, person, "turn")
        assert (list(reached.browsers), reached.email) == ([], "")


def test_without_the_extra_pages_offer_no_push(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.setattr("damier.server.notices.notices.is_installed", lambda: False)
    with caplog.at_level(logging.INFO, "damier"), telling(tmp_path) as client:
        assert client.get("/api/notices").json()["push_key"] is None
        body = PushService().subscription()
        assert refused(client.post("/api/notices/push", json=body)) == (404, "This server does not offer Web Push.")
    said = [each for each in caplog.messages if "damier[push]" in each]
    assert said == ["There are no notices by Web Push: install damier[push] for them."]


def test_the_key_stays_the_same_after_a_restart(tmp_path: Path) -> None:
    found = []
    for _ in range(2):
        with telling(tmp_path) as client:
            found.append(client.get("/api/notices").json()["push_key"])
    assert found[0] == found[1]
    point = base64.urlsafe_b64decode(found[0] + "=")
    assert (len(point), point[0]) == (65, 4)
