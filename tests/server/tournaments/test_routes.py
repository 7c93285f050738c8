"""Tournaments over HTTP."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

import damier
from damier.server.matches.clock import LIVE_PRESETS
from tests.server.pages import Player, live
from tests.server.served import another_browser, served
from tests.server.tournaments.signing_up import sign_up

CLOCK = LIVE_PRESETS[0].data()
CUP = {"title": "Cup", "kind": "round_robin", "game": "sensei", "clock": CLOCK, "rounds": 1}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A server of its own: its lists are empty at first."""
    with served(tmp_path_factory.mktemp("home")) as client:
        yield client


def person(home: TestClient, name: str) -> TestClient:
    return sign_up(another_browser(home), name)


def make(client: TestClient, **given: Any) -> dict[str, Any]:
    answer = client.post("/api/tournaments", json={**CUP, **given})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def act(client: TestClient, number: str, do: str) -> dict[str, Any]:
    answer = client.post(f"/api/tournaments/{number}/acts", json={"do": do})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def wait_for(client: TestClient, number: str, is_so: Any) -> dict[str, Any]:
    """Returns the tournament as soon as something is true of it."""
    for _ in range(500):
        found: dict[str, Any] = client.get(f"/api/tournaments/{number}").json()
        if is_so(found):
            return found
        time.sleep(0.02)
    raise AssertionError(found)


def test_a_server_without_tournaments_has_an_empty_list(home: TestClient) -> None:
    assert home.get("/api/tournaments?status=ended").json() == {"tournaments": [], "before": None}


def test_two_people_play_a_tournament(home: TestClient) -> None:
    ann, bob, guest = person(home, "Ann"), person(home, "Bob"), another_browser(home)
    number = make(ann)["number"]
    assert [each["number"] for each in guest.get("/api/tournaments").json()["tournaments"]] == [number]
    act(ann, number, "join")
    own = act(bob, number, "join")["own"]
    assert own == {
        "is_signed_in": True,
        "is_playing": True,
        "match": None,
        "can_join": False,
        "can_withdraw": True,
        "can_start": False,
        "can_cancel": False,
    }
    act(ann, number, "start")
    begun = wait_for(bob, number, lambda found: found["own"]["match"])
    assert begun["pairings"]["number"] == 1
    match = begun["own"]["match"]
    assert begun["pairings"]["games"] == [
        {"first": "Ann", "second": "Bob", "match": match, "result": None, "is_forfeit": False}
    ]
    with live(bob, match) as socket:
        assert Player(socket).ask("resign")["type"] == "done"
    ended = wait_for(guest, number, lambda found: found["status"] == "ended")
    assert [(each["rank"], each["name"], each["points"], each["is_me"]) for each in ended["standings"]] == [
        (1, "Ann", 1.0, False),
        (2, "Bob", 0.0, False),
    ]
    assert ended["tie_breaks"] == ["sonneborn_berger", "direct", "wins"]
    answer = guest.get(f"/api/tournaments/{number}/records")
    assert answer.headers["content-disposition"] == f'attachment; filename="tournament-{number}.txt"'
    (record,) = damier.read_transcripts(answer.text)
    assert record.players == ("Ann", "Bob")
    assert record.tags["Event"] == "Cup"
    assert record.result
    assert record.result.reason == "resignation"
    listed = guest.get("/api/tournaments?status=ended").json()["tournaments"]
    assert [(each["number"], each["players"]) for each in listed] == [(number, 2)]


def test_a_page_that_knows_a_tournament_gets_it_only_when_it_has_changed(home: TestClient) -> None:
    cleo = person(home, "Cleo")
    number = make(cleo, title="Tags")["number"]
    first = cleo.get(f"/api/tournaments/{number}")
    known = {"If-None-Match": first.headers["etag"]}
    assert cleo.get(f"/api/tournaments/{number}", headers=known).status_code == 304
    assert another_browser(home).get(f"/api/tournaments/{number}", headers=known).status_code == 200
    act(cleo, number, "join")
    changed = cleo.get(f"/api/tournaments/{number}", headers=known)
    assert (changed.status_code, changed.json()["version"]) == (200, 1)
    act(cleo, number, "cancel")


@pytest.mark.parametrize(
    ("given", "status", "sentence"),
    [
        ({"rounds": 3}, 400, "In a round robin everybody meets once or twice."),
        (
            {"game": "omba", "options": {"players": 3}},
            400,
            "Tournaments are for two players: tables of three and four are not paired.",
        ),
        ({"starts": "2020-01-01T00:00:00.000Z"}, 400, "The tournament cannot start in the past."),
        ({"starts": "soon"}, 400, "This is not a time: 'soon'."),
        ({"title": ""}, 400, "The title of a tournament has 1 to 60 characters."),
    ],
)
def test_terms_that_do_not_fit_are_refused(home: TestClient, given: dict[str, Any], status: int, sentence: str) -> None:
    answer = person(home, "Dora").post("/api/tournaments", json={**CUP, **given})
    assert (answer.status_code, answer.json()) == (status, {"error": sentence})


def test_who_is_not_signed_in_can_only_look(home: TestClient) -> None:
    number = make(person(home, "Eve"), title="Look")["number"]
    guest = another_browser(home)
    for path, body in (("", CUP), (f"/{number}/acts", {"do": "join"})):
        answer = guest.post(f"/api/tournaments{path}", json=body)
        assert (answer.status_code, answer.json()) == (403, {"error": "Sign in first."})
    own = guest.get(f"/api/tournaments/{number}").json()["own"]
    assert not any(value for value in own.values())


def test_others_can_neither_start_nor_cancel(home: TestClient) -> None:
    number = make(person(home, "Finn"), title="Mine")["number"]
    other = person(home, "Gil")
    for do, sentence in (
        ("start", "Only its maker can start the tournament."),
        ("cancel", "Only its maker can cancel the tournament."),
    ):
        answer = other.post(f"/api/tournaments/{number}/acts", json={"do": do})
        assert (answer.status_code, answer.json()) == (403, {"error": sentence})


def test_another_page_cannot_act_for_a_visitor(home: TestClient) -> None:
    hal = person(home, "Hal")
    elsewhere = {"Origin": "https://elsewhere.example"}
    answer = hal.post("/api/tournaments", json=CUP, headers=elsewhere)
    assert (answer.status_code, answer.json()) == (403, {"error": "The request comes from another page."})
    number = make(hal)["number"]
    answer = hal.post(f"/api/tournaments/{number}/acts", json={"do": "join"}, headers=elsewhere)
    assert answer.status_code == 403


def test_a_tournament_that_does_not_exist_is_a_404(home: TestClient) -> None:
    for path in ("nothing", "nothing/records"):
        answer = home.get(f"/api/tournaments/{path}")
        assert (answer.status_code, answer.json()) == (404, {"error": "There is no such tournament."})


def test_lists_are_paged(home: TestClient) -> None:
    for number in range(21):
        made = make(person(home, f"Maker-{number}"), title=f"Cup {number}")["number"]
        assert made
    first = home.get("/api/tournaments").json()
    assert len(first["tournaments"]) == 20
    second = home.get("/api/tournaments", params={"before": first["before"]}).json()
    numbers = [each["number"] for each in first["tournaments"] + second["tournaments"]]
    assert len(set(numbers)) == len(numbers) > 20
    assert second["before"] is None


@pytest.mark.parametrize("path", ["/tournaments", "/t/nothing"])
def test_there_are_pages(home: TestClient, path: str) -> None:
    assert home.get(path, headers={"Accept": "text/html"}).status_code == 200
