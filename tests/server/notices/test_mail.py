"""E-mails: after an address is confirmed, in the person's language, with a link that stops them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from damier.core.errors import BadArgument
from damier.server.notices import links
from damier.server.settings import ServerSettings
from tests.server.accounts import make, refused
from tests.server.notices.receivers import MailServer, mail_server
from tests.server.notices.served import ORIGIN, challenge, services_of, settle, telling
from tests.server.served import another_browser

TO = "ann@example.org"
SENDER = {"smtp_host": "127.0.0.1", "smtp_security": "none", "smtp_from": "damier@example.org", "origin": ORIGIN}


@pytest.fixture
def post(tmp_path: Path) -> Iterator[tuple[TestClient, MailServer]]:
    """A server, and the mail server that it uses."""
    with mail_server() as mails, telling(tmp_path, **SENDER, smtp_port=mails.port) as client:
        yield client, mails


def link_in(mail: EmailMessage, what: str) -> str:
    found = re.search(rf"{ORIGIN}/notices\?{what}=\S+", mail.get_content())
    assert found
    return found[0]


def token_in(mail: EmailMessage, what: str) -> str:
    return urlsplit(link_in(mail, what)).query.partition("=")[2]


def confirmed(client: TestClient, mails: MailServer, lang: str = "en") -> tuple[TestClient, str]:
    """Returns a browser with an account whose address is confirmed, and its name."""
    browser = another_browser(client)
    name = make(browser)["name"]
    assert browser.put(f"/api/account/email?lang={lang}", json={"email": TO}).status_code == 200
    settle(client)
    answer = another_browser(client).post(f"/api/notices/confirm?token={token_in(mails.got[-1], 'confirm')}")
    assert answer.status_code == 204, answer.text
    return browser, name


def test_an_address_is_confirmed_before_anything_else_is_sent(post: tuple[TestClient, MailServer]) -> None:
    client, mails = post
    ann, bob = another_browser(client), another_browser(client)
    name = make(ann)["name"]
    make(bob)
    assert ann.put("/api/account/email?lang=de", json={"email": TO}).status_code == 200
    challenge(bob, name)
    settle(client)
    assert [each["Subject"] for each in mails.got] == ["Bestätige deine E-Mail-Adresse · damier"]
    assert name in mails.got[0].get_content()
    assert ann.get("/api/notices").json()["email"] == {"address": TO, "is_confirmed": False}
    token = token_in(mails.got[0], "confirm")
    assert another_browser(client).post(f"/api/notices/confirm?token={token}").status_code == 204
    assert ann.get("/api/notices").json()["email"] == {"address": TO, "is_confirmed": True}
    challenge(bob, name, "badia")
    settle(client)
    told = mails.got[-1]
    assert told["Subject"] == "Eine Herausforderung · damier"
    assert (told["To"], told["From"], told["Auto-Submitted"]) == (TO, "damier@example.org", "auto-generated")
    assert told["Content-Language"] == "de"
    assert "fordert dich heraus: Badia, 2 Tage + 1 Tag/Zug." in told.get_content().replace("\n", " ")
    assert f"{ORIGIN}/lobby/" in told.get_content()


def test_one_click_stops_all_e_mails(post: tuple[TestClient, MailServer]) -> None:
    client, mails = post
    ann, name = confirmed(client, mails)
    bob = another_browser(client)
    make(bob)
    challenge(bob, name)
    settle(client)
    mail = mails.got[-1]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = mail["List-Unsubscribe"].strip("<>")
    assert address.startswith(f"{ORIGIN}/api/notices/unsubscribe?token=")
    one_click = another_browser(client).post(address.removeprefix(ORIGIN), data={"List-Unsubscribe": "One-Click"})
    assert one_click.status_code == 204
    assert not any(each["email"] for each in ann.get("/api/notices").json()["kinds"])
    count = len(mails.got)
    challenge(bob, name, "badia")
    settle(client)
    assert len(mails.got) == count
    assert link_in(mail, "unsubscribe").startswith(f"{ORIGIN}/notices?unsubscribe=")


def test_a_link_is_good_for_its_purpose_and_its_address_alone(post: tuple[TestClient, MailServer]) -> None:
    client, mails = post
    ann = another_browser(client)
    make(ann)
    ann.put("/api/account/email", json={"email": TO})
    settle(client)
    token = token_in(mails.got[0], "confirm")
    not_valid = (400, "This link is not valid, or too old: ask for a new one.")
    assert refused(client.post(f"/api/notices/unsubscribe?token={token}")) == not_valid
    assert refused(client.post(f"/api/notices/confirm?token={token[:-3]}")) == not_valid
    ann.put("/api/account/email", json={"email": "other@example.org"})
    answer = client.post(f"/api/notices/confirm?token={token}")
    assert refused(answer) == (400, "The account has another address by now, or none.")
    assert ann.get("/api/notices").json()["email"]["is_confirmed"] is False


def test_a_link_expires(post: tuple[TestClient, MailServer], monkeypatch: pytest.MonkeyPatch) -> None:
    client, mails = post
    ann = another_browser(client)
    make(ann)
    ann.put("/api/account/email", json={"email": TO})
    settle(client)
    monkeypatch.setattr(links, "CONFIRM_SECONDS", -1)
    answer = client.post(f"/api/notices/confirm?token={token_in(mails.got[0], 'confirm')}")
    assert refused(answer)[0] == 400


def test_a_person_and_a_mailbox_get_few_e_mails_to_confirm(post: tuple[TestClient, MailServer]) -> None:
    client, mails = post
    ann, bob = another_browser(client), another_browser(client)
    make(ann)
    make(bob)
    ann.put("/api/account/email", json={"email": TO})
    for _ in range(2):
        assert ann.post("/api/notices/confirmation").status_code == 204
    too_many = (429, "Several e-mails were sent already: wait a day.")
    assert refused(ann.post("/api/notices/confirmation")) == too_many
    assert refused(bob.put("/api/account/email", json={"email": TO.upper()})) == too_many
    assert bob.get("/api/account").json()["email"] == "", "Nothing was changed."
    settle(client)
    assert len(mails.got) == 3


def test_a_person_gets_a_limited_number_of_e_mails(post: tuple[TestClient, MailServer]) -> None:
    client, mails = post
    _, name = confirmed(client, mails)
    bob = another_browser(client)
    make(bob)
    for _ in range(14):
        seek = challenge(bob, name)
        settle(client)
        assert bob.delete(f"/api/seeks/{seek}").status_code == 204
    assert len(mails.got) == 1 + 10


def test_a_mail_that_is_put_off_is_sent_again_and_one_that_is_refused_is_not(tmp_path: Path) -> None:
    for refusals, code, tries, got in ((2, 451, 3, 1), (1, 550, 1, 0), (9, 451, 3, 0)):
        home = tmp_path / f"{refusals}-{code}"
        home.mkdir()
        with mail_server(refusals, code) as mails, telling(home, **SENDER, smtp_port=mails.port) as client:
            make(client)
            client.put("/api/account/email", json={"email": TO})
            settle(client)
            assert (mails.tries, len(mails.got)) == (tries, got)


def test_who_has_a_page_open_gets_no_e_mail(post: tuple[TestClient, MailServer]) -> None:
    client, mails = post
    ann, name = confirmed(client, mails)
    bob = another_browser(client)
    make(bob)
    with ann.websocket_connect("/api/notices/live") as page:
        assert page.receive_json() == {"type": "notices", "notices": []}
        seek = challenge(bob, name)
        told = page.receive_json()
        assert (told["type"], told["notice"]["path"]) == ("notice", f"/lobby/{seek}")
        settle(client)
    assert len(mails.got) == 1


def test_without_a_mail_server_none_is_offered(tmp_path: Path) -> None:
    with telling(tmp_path) as client:
        make(client)
        assert client.get("/api/notices").json()["email"] is None
        assert client.put("/api/account/email", json={"email": TO}).json()["email"] == TO
        assert refused(client.post("/api/notices/confirmation")) == (400, "This server sends no e-mails.")
        assert services_of(client).notices.mailer is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"smtp_host": "mail"}, "smtp_from is an address such as damier@example.org, not ''."),
        (
            {"smtp_host": "mail", "smtp_from": "damier@example.org"},
            "E-mails have links: give the public address of the server with --origin.",
        ),
        ({"push_contact": "me"}, "push_contact is an address such as mailto:ann@example.org, not 'me'."),
        ({"smtp_security": "ssl"}, "smtp_security is one of starttls, tls, none, not 'ssl'."),
    ],
)
def test_settings_with_which_nothing_could_be_sent_are_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(BadArgument) as error:
        ServerSettings.read(given)
    assert str(error.value) == said


@pytest.mark.parametrize(
    ("given", "subject"),
    [
        ({}, "mailto:operator@localhost"),
        ({"contact": "ann@example.org"}, "mailto:ann@example.org"),
        ({"contact": "Ann, room 12", "origin": "https://example.org/"}, "https://example.org"),
        ({"push_contact": "bob@example.org", "contact": "ann@example.org"}, "mailto:bob@example.org"),
        ({"push_contact": "https://example.org/contact"}, "https://example.org/contact"),
    ],
)
def test_push_services_are_told_whom_to_ask(given: dict[str, str], subject: str) -> None:
    assert ServerSettings.read(given).push_subject == subject


def test_the_password_of_the_mail_server_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMIER_SMTP_PASSWORD", "secret")
    settings = ServerSettings.read({})
    assert settings.smtp_password.get_secret_value() == "secret"
    assert "secret" not in repr(settings)
