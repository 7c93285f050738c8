"""The server in one process: matches over HTTP and sockets, what is refused, and what survives a restart."""

import asyncio
import hashlib
import json
import re
import sqlite3
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import damier
from damier.cli import main
from damier.core.errors import DamierError
from damier.server.app import create_app
from damier.server.matches import referee
from damier.server.services import Services
from damier.server.settings import ServerSettings
from damier.server.store.refusals import BadDatabase
from damier.server.store.store import Store
from tests.server.databases import downgrade
from tests.server.pages import Player, begin, live
from tests.server.served import SETTINGS, another_browser
from tests.server.stores import rows


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "matches.sqlite"


# Games


def test_games_are_told_in_the_visitors_language(ann: TestClient) -> None:
    games = ann.get("/api/games").json()
    assert [game["name"] for game in games] == list(damier.games())
    french = ann.get("/api/games", headers={"Accept-Language": "fr-CH, en;q=0.5"}).json()
    assert french == ann.get("/api/games?lang=fr").json() != games
    for game in games:
        assert game["picture"].startswith("<svg")
        assert [level["level"] for level in game["levels"]] == list(range(1, 9))


def test_what_is_said_to_be_solved_is_what_the_pages_on_solutions_say(ann: TestClient) -> None:
    solved = {game["name"]: game["solved"] for game in ann.get("/api/games").json()}
    for name, said in solved.items():
        page = Path(__file__).parents[2] / "docs" / "solutions" / f"{name}.md"
        assert page.exists() == (said is not None)
        if said:
            verdict = page.read_text("utf-8").split("**")[1]
            assert re.findall(r"[\d.]+ (?:plies|%)", said) == re.findall(r"[\d.]+ (?:plies|%)", verdict)
            assert ("obody" in said) == ("is a draw" in verdict)


@pytest.mark.parametrize("name", damier.games())
def test_an_example_is_a_game_that_goes_on(ann: TestClient, name: str) -> None:
    example = ann.get(f"/api/games/{name}/example").json()
    assert len(example["states"]) > 10
    cells = {cell["name"] for cell in example["drawing"]["cells"]}
    for state in example["states"]:
        assert {piece["cell"] for piece in state["pieces"]} <= cells


@pytest.mark.parametrize("name", damier.games())
def test_a_drawing_has_every_cell(ann: TestClient, name: str) -> None:
    drawing = ann.get(f"/api/games/{name}/drawing").json()
    assert [cell["name"] for cell in drawing["cells"]] == [cell.name for cell in damier.load(name).drawing.cells]
    assert set(drawing["looks"]) == set(damier.load(name).players)


def test_options_change_the_drawing_or_are_refused(ann: TestClient) -> None:
    assert len(ann.get("/api/games/renfa/drawing?size=8&bombs=16").json()["cells"]) == 64
    answer = ann.get("/api/games/renfa/drawing?size=9&lang=fr")
    assert answer.status_code == 400
    assert "size" in answer.json()["error"]


# Matches


def test_a_match_against_the_computer_is_played_to_its_end(ann: TestClient) -> None:
    number = begin(ann, "chefa", {"level": 1}, "me")["number"]
    with live(ann, number) as socket:
        player = Player(socket)
        for _ in range(2000):
            if player.state["result"]:
                break
            if player.state["is_my_turn"]:
                player.play(player.state["actions"][0]["action"])
            else:
                player.next("event")
        history = player.state["history"]
        assert player.state["result"]
    assert {step["player"] for step in history} == {"b", "w"}
    told = ann.get(f"/api/matches/{number}").json()
    assert told["state"]["result"]["sentence"]
    assert told["state"]["actions"] == []


def test_two_play_by_link_and_a_third_watches(ann: TestClient, bob: TestClient) -> None:
    match = begin(ann, "chefa", "me", "open")
    number, invitation = match["number"], match["invitations"]["w"]
    assert bob.get(f"/api/matches/{number}").json()["invitations"] == {}
    sat = bob.post(f"/api/matches/{number}/seats", json={"invitation": invitation})
    assert [seat["is_mine"] for seat in sat.json()["seats"]] == [False, True]
    eve = another_browser(ann)
    refused = eve.post(f"/api/matches/{number}/seats", json={"invitation": invitation})
    assert (refused.status_code, refused.json()["error"]) == (403, "Another player has taken this seat.")
    with live(ann, number) as first, live(bob, number) as second, live(eve, number) as third:
        black, white, watcher = Player(first), Player(second), Player(third)
        assert black.state["is_my_turn"]
        assert not white.state["is_my_turn"]
        black.play("a1")
        assert white.next("event")["event"] == {"kind": "play", "player": "b", "action": "a1"}
        assert white.state["is_my_turn"]
        assert watcher.next("event")["state"]["can"] == dict.fromkeys(
            ("undo", "resign", "offer_draw", "abort", "answer", "withdraw", "rematch", "help"), False
        )
        assert "watching" in watcher.ask("play", action="b2")["error"]
        assert "not your turn" in black.ask("play", action="b2")["error"]
        white.play("b2")
        black.next("event")
        assert black.ask("offer_draw")["type"] == "done"
        offer = white.next("event")["state"]["offer"]
        assert offer == {"what": "draw", "player": "b", "is_mine": False, "asked": ["w"]}
        assert white.ask("answer", yes=True)["type"] == "done"
        assert white.state["result"]["reason"] == "agreement"


def finished(ann: TestClient, bob: TestClient) -> str:
    """Returns the number of a match of two persons that is over."""
    match = begin(ann, "chefa", "me", "open")
    number, invitation = str(match["number"]), match["invitations"]["w"]
    assert bob.post(f"/api/matches/{number}/seats", json={"invitation": invitation}).is_success
    with live(ann, number) as socket:
        assert Player(socket).ask("resign")["type"] == "done"
    return number


def test_a_rematch_is_offered_and_all_are_told_when_it_begins(ann: TestClient, bob: TestClient) -> None:
    number, eve = finished(ann, bob), another_browser(ann)
    with live(ann, number) as first, live(bob, number) as second, live(eve, number) as third:
        black, white, watcher = Player(first), Player(second), Player(third)
        black.asked = 100  # a page never uses an id twice
        assert black.state["can"]["rematch"]
        assert black.ask("rematch")["type"] == "done"
        assert (black.state["can"]["rematch"], black.state["can"]["withdraw"]) == (False, True)
        event = white.next("event")
        assert event["event"] == {"kind": "offer", "player": "b", "what": "rematch"}
        assert event["state"]["offer"] == {"what": "rematch", "player": "b", "is_mine": False, "asked": ["w"]}
        assert event["state"]["can"]["answer"]
        assert watcher.next("event")["state"]["can"]["answer"] is False
        assert white.ask("answer", yes=False)["type"] == "done"
        assert black.next("event")["event"] == {"kind": "decline", "player": "w", "what": "rematch"}
        assert black.ask("rematch")["type"] == "done"
        assert black.ask("withdraw")["type"] == "done"
        assert "no offer" in white.ask("answer", yes=True)["error"]
        assert white.ask("rematch")["type"] == "done"
        assert black.ask("answer", yes=True)["type"] == "done"
        told = watcher.next("event")
        while told["event"]["kind"] != "rematch":
            told = watcher.next("event")
        other = told["event"]["number"]
        assert told["state"]["rematch"] == black.state["rematch"] == other
    assert bob.get(f"/api/matches/{number}").json()["state"]["rematch"] == other  # for one who comes back later
    assert [seat["is_mine"] for seat in ann.get(f"/api/matches/{other}").json()["seats"]] == [False, True]
    assert eve.get(f"/api/matches/{other}").json()["state"]["is_my_turn"] is False
    assert ann.get("/api/matches").json()[0]["number"] == bob.get("/api/matches").json()[0]["number"] == other


def test_against_the_computer_a_rematch_begins_at_once(ann: TestClient) -> None:
    number = begin(ann, "chefa", "me", {"level": 1})["number"]
    with live(ann, number) as socket:
        player = Player(socket)
        assert player.ask("resign")["type"] == "done"
        assert player.ask("rematch")["type"] == "done"
        other = player.state["rematch"]
    assert [seat["kind"] for seat in ann.get(f"/api/matches/{other}").json()["seats"]] == ["computer", "person"]


def test_a_request_that_is_sent_again_changes_nothing_twice(ann: TestClient) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    with live(ann, number) as socket:
        player = Player(socket)
        for _ in range(3):
            socket.send_json({"id": "once", "do": "play", "action": "a1"})
            assert player.next("done", "refused")["type"] == "done"
        assert player.seq == 1
    with live(ann, number) as socket:
        player = Player(socket)
        assert (player.seq, player.state["history"]) == (1, [{"action": "a1", "player": "b", "turn": 1}])
        socket.send_json({"id": "once", "do": "play", "action": "a1"})
        assert player.next("done", "refused") == {"type": "done", "id": "once", "seq": 1}


def test_of_two_that_race_for_a_turn_one_is_refused(ann: TestClient) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    answers: list[dict[str, Any]] = []

    def race(action: str) -> None:
        with live(ann, number) as socket:
            player = Player(socket)
            barrier.wait()
            socket.send_json({"id": action, "do": "play", "action": "c1"})
            answers.append(player.next("done", "refused"))

    barrier = threading.Barrier(2)
    threads = [threading.Thread(target=race, args=(name,)) for name in ("x", "y")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer["type"] for answer in answers) == ["done", "refused"]
    assert ann.get(f"/api/matches/{number}").json()["seq"] == 1


def test_a_refusal_says_why(ann: TestClient) -> None:
    number = begin(ann, "renfa", "me", "me")["number"]
    path = f"/api/matches/{number}/why"
    assert ann.post(path, json={"action": "c3-c4"}).json() == ann.post(path, json={"cells": ["c3", "c4"]}).json()
    assert ann.post(path, json={"cells": ["c3", "c4"]}).json()["sentence"].startswith("All bombs must be placed")
    assert ann.post(path, json={"cells": ["z9", "c4", "c4"]}).json()["sentence"] == "There is no cell z9 on this board."


def test_the_seed_is_shown_when_the_game_is_over(ann: TestClient) -> None:
    number = begin(ann, "omba", "me", "me")["number"]
    before = ann.get(f"/api/matches/{number}").json()["dice"]
    assert before["seed"] is None
    assert len(before["rolls"]) == 1
    with live(ann, number) as socket:
        player = Player(socket)
        assert player.ask("resign")["type"] == "done"
        seed = player.state["seed"]
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == before["hash"]
    assert ann.get(f"/api/matches/{number}").json()["dice"] == {**before, "seed": seed}


def test_values_and_hints_come_from_the_engine(ann: TestClient) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    values = ann.get(f"/api/matches/{number}/values").json()
    assert set(values["values"]) == set(damier.load("chefa").start.actions())
    hint = ann.get(f"/api/matches/{number}/hint").json()
    assert hint["action"] in values["values"]


def test_hints_and_values_between_persons_are_refused_unless_agreed(ann: TestClient, bob: TestClient) -> None:
    match = begin(ann, "chefa", "me", "open")
    assert (match["has_help"], match["state"]["can"]["help"]) == (False, False)
    for client in (ann, bob):
        for what in ("values", "hint"):
            refused = client.get(f"/api/matches/{match['number']}/{what}")
            sentence = "Hints and values are off in this match until the game is over."
            assert (refused.status_code, refused.json()["error"]) == (403, sentence)
    with live(ann, match["number"]) as socket:
        player = Player(socket)
        player.play("a1")
        assert not player.state["can"]["undo"]
        assert "Take-backs are off" in player.ask("undo")["error"]
        assert player.ask("resign")["type"] == "done"
        assert player.state["can"]["help"]
    asked = {"game": "chefa", "seats": ["me", "open"], "allows_help": True}
    match = ann.post("/api/matches", json=asked).json()
    assert match["has_help"]
    assert bob.get(f"/api/matches/{match['number']}").json()["has_help"]
    assert ann.get(f"/api/matches/{match['number']}/values").is_success


def test_recent_matches_are_the_visitors_own(ann: TestClient, bob: TestClient) -> None:
    assert ann.get("/api/matches").json() == []
    numbers = [begin(ann, name, "me", "me")["number"] for name in ("chefa", "badia")]
    assert [match["number"] for match in ann.get("/api/matches").json()] == numbers[::-1]
    assert bob.get("/api/matches").json() == []


# What is kept


def test_a_match_goes_on_after_a_restart(database: str) -> None:
    settings = ServerSettings.read({**SETTINGS, "database": database})
    with TestClient(create_app(Services(settings))) as client:
        number = begin(client, "omba", "me", {"level": 1})["number"]
        with live(client, number) as socket:
            player = Player(socket)
            player.play(player.state["actions"][0]["action"])
        cookies = client.cookies
    for _ in range(3):
        with TestClient(create_app(Services(settings)), cookies=cookies) as client, live(client, number) as socket:
            player = Player(socket)
            while not player.state["is_my_turn"]:
                player.next("event")
            player.play(player.state["actions"][-1]["action"])
            done = player.state["history"]
        kept = [json.loads(row.data)["action"] for row in rows(database, "SELECT data FROM events ORDER BY seq")]
        assert kept[: len(done)] == [step["action"] for step in done]


def test_matches_that_nobody_follows_leave_the_memory_and_are_loaded_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee, "_IDLE", 3)
    services = Services(ServerSettings.read({**SETTINGS, "database": database}))
    with TestClient(create_app(services)) as client:
        followed, idle = (begin(client, "chefa", "me", "me")["number"] for _ in range(2))
        with live(client, followed) as socket:
            player = Player(socket)
            player.play("a1")
            for _ in range(6):
                begin(client, "chefa", "me", "me")
            assert set(services.referee._live) >= {followed}
            assert idle not in services.referee._live
            assert services.referee.matches_in_memory == 5  # the one that is followed, three, and the newest
            player.play("b1")
        with live(client, idle) as socket:
            assert Player(socket).ask("play", action="a1")["type"] == "done"


def test_long_matches_that_nobody_follows_leave_the_memory_earlier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee, "_IDLE_EVENTS", 3)
    services = Services(ServerSettings.read({**SETTINGS, "database": str(tmp_path / "matches.sqlite")}))
    with TestClient(create_app(services)) as client:
        long, short = (begin(client, "chefa", "me", "me")["number"] for _ in range(2))
        with live(client, long) as socket:
            player = Player(socket)
            for action in ("a1", "b1", "c1", "d1"):
                player.play(action)
        for _ in range(50):  # until the socket has ended
            begin(client, "chefa", "me", "me")
            if long not in services.referee._live:
                break
        assert long not in services.referee._live
        assert short in services.referee._live


def test_a_new_database_is_for_its_owner_alone(file: Path) -> None:
    with TestClient(create_app(Services(ServerSettings.read({**SETTINGS, "database": str(file)})))) as client:
        begin(client, "chefa", "me", "me")
        files = sorted(file for file in file.parent.iterdir() if file.suffix != ".lock")
        assert len(files) == 3  # with the write-ahead log and its index
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


def test_an_offer_and_the_rematch_outlast_a_restart(database: str) -> None:
    settings = ServerSettings.read({**SETTINGS, "database": database})
    with TestClient(create_app(Services(settings))) as ann:
        bob = another_browser(ann)
        number = finished(ann, bob)
        with live(ann, number) as socket:
            socket.send_json({"id": "offer", "do": "rematch"})
            assert Player(socket).next("done", "refused")["type"] == "done"
        cookies = ann.cookies, bob.cookies
    yes = {"id": "yes", "do": "answer", "yes": True}
    with TestClient(create_app(Services(settings)), cookies=cookies[1]) as bob, live(bob, number) as socket:
        player = Player(socket)
        assert player.state["offer"]["what"] == "rematch"
        socket.send_json(yes)
        assert player.next("done", "refused")["type"] == "done"
        other = player.state["rematch"]
    with TestClient(create_app(Services(settings)), cookies=cookies[1]) as bob:
        with live(bob, number) as socket:
            player = Player(socket)
            socket.send_json(yes)  # sent again: nothing begins twice
            assert player.next("done", "refused") == {"type": "done", "id": "yes", "seq": player.seq}
            assert player.state["rematch"] == other
        ann = another_browser(bob)
        ann.cookies = cookies[0]
        assert [match["number"] for match in ann.get("/api/matches").json()] == [other, number]
        assert bob.get(f"/api/matches/{other}").json()["state"]["is_my_turn"]


async def loaded_help(file: Path, *numbers: str) -> list[bool]:
    store = Store(file)
    await store.open()
    try:
        found = [await store.load(number) for number in numbers]
        return [match.allows_help for match in found if match]
    finally:
        await store.close()


def test_what_was_agreed_is_stored_and_older_matches_keep_their_help(file: Path) -> None:
    settings = ServerSettings.read({**SETTINGS, "database": str(file)})
    with TestClient(create_app(Services(settings))) as client:
        numbers = [begin(client, "chefa", "me", "open")["number"]]
        asked = {"game": "chefa", "seats": ["me", "open"], "allows_help": True}
        numbers.append(client.post("/api/matches", json=asked).json()["number"])
    assert asyncio.run(loaded_help(file, *numbers)) == [False, True]
    downgrade(file, "0001")
    assert asyncio.run(loaded_help(file, *numbers)) == [True, True]


def test_a_file_of_a_newer_version_or_of_something_else_is_refused(file: Path) -> None:
    settings = ServerSettings.read({"database": str(file)})
    with TestClient(create_app(Services(settings))):
        pass
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DamierError, match="newer version"), TestClient(create_app(Services(settings))):
        pass
    file.unlink()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE things (a)")
    with pytest.raises(DamierError, match="another program"), TestClient(create_app(Services(settings))):
        pass
    file.write_bytes(b"no database at all, " * 100)
    with (
        pytest.raises(DamierError, match="is damaged: file is not a database"),
        TestClient(create_app(Services(settings))),
    ):
        pass


# What is refused


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"game": "ludo", "seats": ["me", "open"]}, 404),
        ({"game": "chefa", "seats": ["me"]}, 422),
        ({"game": "chefa", "seats": ["me", "open", "open"]}, 400),
        ({"game": "chefa", "seats": ["open", "open"]}, 400),
        ({"game": "chefa", "seats": ["me", {"level": 9}]}, 422),
        ({"game": "chefa", "seats": ["me", {"level": 1, "more": 2}]}, 422),
        ({"game": "chefa", "options": {"bombs": 1}, "seats": ["me", "open"]}, 400),
        ({"game": "chefa", "seats": ["me", "open"], "seed": 1}, 422),
        ([], 422),
    ],
)
def test_bad_matches_are_refused_with_a_sentence(ann: TestClient, body: Any, status: int) -> None:
    answer = ann.post("/api/matches", json=body)
    assert answer.status_code == status
    assert answer.json()["error"].endswith(".")
    assert ann.get("/api/matches").json() == []


def test_what_is_not_there_is_not_found(ann: TestClient) -> None:
    assert ann.get("/api/matches/nowhere").json() == {"error": "There is no such match."}
    assert ann.get("/api/matches/nowhere").status_code == 404
    for answer in (ann.get("/nowhere"), ann.delete("/api/matches"), ann.get("/static/nowhere.js")):
        assert answer.status_code in (404, 405)
        assert answer.json()["error"].endswith(".")
    with live(ann, "nowhere") as socket, pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_json()
    assert (closed.value.code, closed.value.reason) == (1008, "There is no such match.")

    page = ann.get("/nowhere", headers={"Accept": "text/html,*/*"})  # a browser gets a page
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")


def test_other_pages_cannot_act_for_a_visitor(ann: TestClient) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    foreign = {"Origin": "https://elsewhere.example"}
    assert ann.post("/api/matches", json={"game": "chefa", "seats": ["me", "me"]}, headers=foreign).status_code == 403
    with pytest.raises(WebSocketDisconnect), live(ann, number, headers=foreign):
        pass


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"id": 5}', '{"id": "' + "x" * 65 + '"}', "no json", "1e999"])
def test_what_is_no_request_ends_the_socket(ann: TestClient, text: str) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    with live(ann, number) as socket:
        player = Player(socket)
        socket.send_text(text)
        with pytest.raises(WebSocketDisconnect):
            player.next("never")


@pytest.mark.parametrize(
    "asked",
    [{}, {"do": 1}, {"do": "play"}, {"do": "play", "action": 5}, {"do": "play", "action": "x" * 300}, {"do": "fly"}],
)
def test_bad_requests_are_refused_and_the_socket_goes_on(ann: TestClient, asked: dict[str, Any]) -> None:
    number = begin(ann, "chefa", "me", "me")["number"]
    with live(ann, number) as socket:
        player = Player(socket)
        socket.send_json({"id": "x", **asked})
        assert player.next("done", "refused")["type"] == "refused"
        player.play("a1")


def test_a_page_can_always_ask_whether_the_server_answers(file: Path) -> None:
    settings = ServerSettings.read({**SETTINGS, "database": str(file), "requests_per_second": 1})
    with TestClient(create_app(Services(settings))) as client:
        assert {client.get("/api/alive").status_code for _ in range(20)} == {204}


async def opened_twice(file: Path, other: Path) -> None:
    first, second = Store(file), Store(other)
    await first.open()
    try:
        with pytest.raises(BadDatabase, match="Another damier uses the database"):
            await second.open()
    finally:
        await first.close()
    await second.open()
    await second.close()


def test_two_servers_cannot_have_one_file(file: Path) -> None:
    asyncio.run(opened_twice(file, file))


def test_a_link_to_the_file_of_another_server_is_no_way_around(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.sqlite"
    link.symlink_to(file)
    asyncio.run(opened_twice(file, link))


def test_pages_forbid_what_they_do_not_need(ann: TestClient) -> None:
    for path in ("/", "/m/abc", "/dice/abc"):
        answer = ann.get(path)
        assert answer.status_code == 200
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy


# ServerSettings


def test_settings_come_from_flags_then_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ServerSettings.read({}) == ServerSettings()
    monkeypatch.setenv("DAMIER_PORT", "8000")
    assert ServerSettings.read({"port": None, "more": 1}).port == 8000
    assert ServerSettings.read({"port": 9000}).port == 9000


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("PORT", "x", "port takes a whole number from 0 to 65535, not 'x'."),
        ("PORT", "70000", "port takes a whole number from 0 to 65535, not '70000'."),
        ("WORKERS", "0", "workers takes a whole number from 1 to 256, not '0'."),
        ("REQUESTS_PER_SECOND", "1.5", "requests_per_second takes a whole number from 1 to 1000000, not '1.5'."),
        ("MATCHES_PER_HOUR", "-1", "matches_per_hour takes a whole number from 1 to 1000000, not '-1'."),
        ("CONNECTIONS", "0", "connections takes a whole number from 10 to 1000000, not '0'."),
        ("REQUESTS_PER_ADDRESS", "x", "requests_per_address takes a whole number from 1 to 10000000, not 'x'."),
        ("ALLOWED_HOSTS", "a b", "allowed_hosts takes names of hosts such as games.example.org, not 'a b'."),
        ("ALLOWED_HOSTS", "http://x", "allowed_hosts takes names of hosts such as games.example.org, not 'http://x'."),
        ("TRUSTED_PROXIES", "proxy", "trusted_proxies takes addresses and networks such as 10.0.0.0/8, not 'proxy'."),
        (
            "TRUSTED_PROXIES",
            "10.0.0.1, 10.0.0.1/8",
            "trusted_proxies takes addresses and networks such as 10.0.0.0/8, not '10.0.0.1/8'.",
        ),
        ("ORIGIN", "example.org", "origin takes an address such as https://games.example.org, not 'example.org'."),
        ("ORIGIN", "http://[", "origin takes an address such as https://games.example.org, not 'http://['."),
        ("SECONDS", "soon", "seconds takes a number, not 'soon'."),
        ("SECONDS", "-1", "seconds takes a number from 0 to 1e+07, not '-1.0'."),
    ],
)
def test_a_wrong_setting_is_one_sentence_and_exit_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(f"DAMIER_{name}", value)
    assert main(("serve", "--no-browser")) == 2
    assert capsys.readouterr().err == f"damier: {said}\n"
