"""Deleting one's data, and what the privacy page says."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from damier.server.app import create_app
from damier.server.front.visitors import COOKIE
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.store.schema import Base
from tests.server.pages import Player, begin, live
from tests.server.served import SETTINGS, another_browser
from tests.server.stores import rows


@pytest.fixture
def services(database: str) -> Services:
    given = {"database": database, "keep_days": 90, "contact": "ann@example.org"}
    return Services(ServerSettings.read({**SETTINGS, **given}))


@pytest.fixture
def ann(services: Services) -> Iterator[TestClient]:
    """The browser of one player."""
    with TestClient(create_app(services), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def bob(ann: TestClient) -> TestClient:
    """The browser of the other player."""
    return another_browser(ann)


def visitor_in(services: Services) -> str:
    """Returns the visitor who has a nickname."""
    ((visitor,),) = rows(services.settings.database, "SELECT visitor FROM nicknames")
    return str(visitor)


def dump(services: Services) -> str:
    """Returns all rows of all tables."""
    database = services.settings.database
    return repr({table: rows(database, f"SELECT * FROM {table}") for table in Base.metadata.tables})


def test_a_visitor_who_deletes_their_data_is_in_no_row_and_the_others_play_on(
    services: Services, ann: TestClient, bob: TestClient
) -> None:
    match = begin(ann, "chefa", "me", "open")
    second = begin(ann, "chefa", "me", "me")["number"]
    number = match["number"]
    bob.post(f"/api/matches/{number}/seats", json={"invitation": match["invitations"]["w"]})
    ann.put("/api/me", json={"nickname": "Annika"})
    visitor = visitor_in(services)
    with live(ann, number) as socket:
        Player(socket).play("a1")
    assert visitor in dump(services)
    with live(bob, number) as socket:
        player = Player(socket)
        assert player.snapshot["seats"][0]["nickname"] == "Annika"
        answer = ann.delete("/api/me")
        assert (answer.status_code, answer.content) == (204, b"")
        names = player.next("names")["nicknames"]
        assert list(names) == ["b"]
        assert names["b"] != "Annika"
        player.play("b1")
    assert COOKIE not in ann.cookies
    assert visitor not in dump(services)
    assert "Annika" not in dump(services)
    assert ann.get("/api/matches").json() == []
    assert [each["number"] for each in bob.get("/api/matches").json()] == [number]
    visits = rows(services.settings.database, "SELECT match, visitor FROM visits")
    names_of = {visit.match: visit.visitor for visit in visits if visit.match in (number, second)}
    assert len(set(names_of.values())) == len(names_of)  # nothing links the two matches


def test_the_matches_of_a_deleted_visitor_can_be_loaded_again(services: Services, ann: TestClient) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    with live(ann, number) as socket:
        Player(socket).play("a1")
    ann.delete("/api/me")
    before = ann.get(f"/api/matches/{number}").json()
    assert services.referee.let_go(number)
    assert ann.get(f"/api/matches/{number}").json() == before
    assert not before["seats"][0]["is_mine"]


def test_data_that_cannot_be_deleted_stays_with_its_visitor(services: Services, ann: TestClient) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    rows(services.settings.database, "ALTER TABLE nicknames RENAME TO lost")
    assert ann.delete("/api/me").status_code == 503
    rows(services.settings.database, "ALTER TABLE lost RENAME TO nicknames")
    assert COOKIE in ann.cookies
    assert ann.get(f"/api/matches/{number}").json()["seats"][0]["is_mine"]
    assert [each["number"] for each in ann.get("/api/matches").json()] == [number]


def test_another_site_cannot_delete_the_data_of_a_visitor(services: Services, ann: TestClient) -> None:
    begin(ann, "chefa", "me", "me")
    answer = ann.delete("/api/me", headers={"Origin": "https://evil.example"})
    assert (answer.status_code, answer.json()) == (403, {"error": "The request comes from another page."})
    assert len(ann.get("/api/matches").json()) == 1


def test_who_has_no_data_may_delete_it(bob: TestClient) -> None:
    assert bob.delete("/api/me").status_code == 204


def test_the_privacy_page_gets_the_settings(ann: TestClient) -> None:
    assert ann.get("/api/privacy").json() == {"keep_days": 90, "is_logging": False, "contact": "ann@example.org"}
    assert ann.get("/privacy").status_code == 200
