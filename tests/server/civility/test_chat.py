"""Chat over the sockets and streams of a match: rooms, phrases, floods, replay, muted and blocked people."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damier.server.civility import chats
from damier.server.civility.text import plain_text
from damier.server.services import Services
from tests.server.accounts import make, name_like, refused
from tests.server.civility.talking import Talker, board
from tests.server.pages import begin
from tests.server.served import another_browser

MUTE, BLOCK = "mute", "block"


def signed_up(client: TestClient, start: str) -> str:
    """Makes an account and returns its name."""
    name: str = make(client, name_like(start))["name"]
    return name


def avoid(client: TestClient, kind: str, **who: Any) -> Any:
    return client.post("/api/avoided", json={"who": who, "kind": kind})


def test_players_and_spectators_have_rooms_of_their_own_until_the_end(
    ann: TestClient, bob: TestClient, client: TestClient
) -> None:
    name = signed_up(ann, "Ann")
    number = board(ann, bob)
    client.get("/api/me")  # which gives a cookie
    with Talker(ann, number) as player, Talker(bob, number, "de") as other, Talker(client, number) as spectator:
        assert player.chat["rooms"] == other.chat["rooms"] == ["players"]
        assert spectator.chat["rooms"] == ["spectators"]
        assert (player.chat["may_write_text"], other.chat["may_write_text"]) == (True, False)
        assert player.say(text="  Hello <b>Bob</b>\u202e\n ") == ""
        assert other.heard() == ("players", name, "Hello <b>Bob</b>")
        assert other.say(phrase="thanks") == ""
        mine, line = (player.next("said")["line"] for _ in range(2))
        assert (mine["is_mine"], mine["text"], mine["account"]) == (True, "Hello <b>Bob</b>", name)
        assert (line["text"], line["phrase"], line["player"], line["is_mine"]) == ("Thank you!", "thanks", "w", False)
        assert spectator.say(phrase="well_played") == ""
        assert spectator.heard()[::2] == ("spectators", "Well played!")
        # nobody writes where they do not read
        assert player.say(room="spectators", text="psst") == (
            "Players do not write to the spectators until the game is over."
        )
        assert spectator.say(room="players", phrase="sorry") == "Only the players write there until the game is over."
        # the end opens both rooms to all
        assert player.ask("resign")["type"] == "done"
        for each, rooms in ((player, ["players", "spectators"]), (spectator, ["spectators", "players"])):
            each.chat = each.next("chat")
            assert each.chat["rooms"] == rooms
            assert each.texts() == ["Hello <b>Bob</b>", "Thank you!", "Well played!"]
        other.chat = other.next("chat")
        assert other.texts() == ["Hello <b>Bob</b>", "Danke!", "Gut gespielt!"]
        assert player.say(room="spectators", text="That was close") == ""
        assert spectator.heard() == ("spectators", name, "That was close")


def test_a_spectator_who_sits_down_reads_the_other_room(ann: TestClient, bob: TestClient) -> None:
    match = begin(ann, "chefa", "me", "open")
    bob.get("/api/me")
    with Talker(bob, match["number"]) as talker:
        assert talker.say(phrase="hello") == ""
        answer = bob.post(f"/api/matches/{match['number']}/seats", json={"invitation": match["invitations"]["w"]})
        assert answer.is_success
        talker.chat = talker.next("chat")
        assert (talker.chat["rooms"], talker.texts()) == (["players"], [])


def test_what_is_not_allowed_is_refused_with_a_sentence(ann: TestClient, bob: TestClient, client: TestClient) -> None:
    signed_up(ann, "Ann")
    number = board(ann, bob)
    with Talker(ann, number) as account, Talker(bob, number) as guest:
        assert guest.say(text="hello") == "Guests can send phrases only: sign in to write."
        assert guest.say(phrase="rude") == (
            "There is no phrase 'rude': choose one of hello, good_luck, well_played, thanks, sorry, one_moment, "
            "good_game, goodbye."
        )
        assert account.say() == account.say(phrase="hello", text="x") == "Send either a phrase or a text."
        assert account.say(text="\u200b ") == "The message is empty: write something."
        assert account.say(text="x" * 201) == "A message has at most 200 characters: yours has 201."
        assert account.say(text="x" * 2001).startswith("The request is wrong at say.text:")
        assert account.say(text="x", room="lobby").startswith("The request is wrong at say.room:")
    alone = begin(client, "chefa", "me", {"level": 1})["number"]
    with Talker(client, alone) as talker:
        assert talker.chat["rooms"] == []
        assert talker.say(phrase="hello") == "Nobody else plays here: there is nobody to write to."


def test_a_request_that_is_sent_again_writes_once(ann: TestClient, bob: TestClient, server: TestClient) -> None:
    number = board(ann, bob)
    body = {"id": "once", "do": "say", "phrase": "hello"}
    services: Services = server.app.state.services  # type: ignore[attr-defined]
    for _ in range(2):
        assert ann.post(f"/api/matches/{number}/act", json=body).json()["type"] == "done"
    services.chats._gate._said.clear()  # as after a restart
    assert ann.post(f"/api/matches/{number}/act", json=body).json()["type"] == "done"
    with Talker(bob, number) as talker:
        assert talker.texts() == ["Hello!"]


def test_a_flood_is_refused_with_how_long_to_wait(ann: TestClient, bob: TestClient) -> None:
    number = board(ann, bob)
    with Talker(ann, number) as talker:
        for phrase in ("hello", "good_luck", "thanks", "sorry"):
            assert talker.say(phrase=phrase) == ""
        assert talker.say(phrase="hello").startswith("You wrote nearly the same a moment ago: wait ")
        assert talker.say(phrase="goodbye") == ""
        assert talker.say(phrase="good_game").startswith("You have written 5 messages in 10 seconds: wait ")
    answer = ann.post(f"/api/matches/{number}/act", json={"id": "more", "do": "say", "phrase": "good_game"})
    assert answer.status_code == 429
    assert answer.json()["limit"] == "chat"
    assert 1 <= answer.json()["seconds"] <= 10
    assert answer.headers["Retry-After"] == str(answer.json()["seconds"])


def test_who_comes_later_gets_the_last_messages(
    ann: TestClient, bob: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chats, "REPLAYED", 2)
    number = board(ann, bob)
    for person, phrase in ((ann, "hello"), (bob, "thanks"), (ann, "good_luck")):
        assert person.post(f"/api/matches/{number}/act", json={"id": phrase, "do": "say", "phrase": phrase}).is_success
    with Talker(bob, number, "fr") as talker:
        assert talker.texts() == ["Merci !", "Bonne chance et amusez-vous bien !"]
        assert [line["is_mine"] for line in talker.chat["lines"]] == [True, False]
        assert talker.chat["phrases"][0] == {"key": "hello", "text": "Bonjour !"}


def test_a_muted_person_is_not_read_and_does_not_notice(ann: TestClient, bob: TestClient, client: TestClient) -> None:
    number = board(ann, bob)
    with Talker(ann, number) as muting, Talker(bob, number) as muted:
        assert muted.say(phrase="hello") == ""
        assert muting.heard()[2] == "Hello!"
        entry = avoid(ann, MUTE, match=number, player="w").json()
        assert (entry["kind"], entry["account"]) == (MUTE, None)
        muting.chat = muting.next("chat")
        assert muting.texts() == []
        assert muting.chat["avoided"] == {"w": {"number": entry["number"], "kind": MUTE}}
        muted.chat = muted.next("chat")
        assert (muted.texts(), muted.chat["avoided"]) == (["Hello!"], {})
        assert muted.say(phrase="sorry") == ""
        assert muting.say(phrase="thanks") == ""
        assert muting.heard()[2] == "Thank you!"  # nothing of the other before it
        assert [muted.heard()[2] for _ in range(3)] == ["Hello!", "Sorry!", "Thank you!"]
        assert ann.get("/api/avoided").json() == [entry]
        assert client.get("/api/avoided").json() == []
        assert refused(bob.delete(f"/api/avoided/{entry['number']}")) == (404, "There is nothing of that number.")
        assert ann.delete(f"/api/avoided/{entry['number']}").status_code == 204
        muting.chat = muting.next("chat")
        assert muting.texts() == ["Hello!", "Sorry!", "Thank you!"]


def test_who_is_blocked_is_neither_read_nor_paired_nor_challenged(ann: TestClient, bob: TestClient) -> None:
    mine, theirs = signed_up(ann, "Ann"), signed_up(bob, "Bob")
    number = board(ann, bob)
    open_match = begin(bob, "chefa", "me", "open")
    challenge = {"kind": "challenge", "terms": [{"game": "chefa"}]}
    waiting = bob.post("/api/seeks", json={**challenge, "rival": mine}).json()["seek"]["number"]
    with Talker(ann, number) as blocking, Talker(bob, number) as blocked:
        assert avoid(ann, BLOCK, account=theirs.lower()).json()["name"] == theirs
        for each in (blocking, blocked):
            each.next("chat")
        assert blocking.say(text="not for you") == ""
        assert blocked.say(text="nor for you") == ""
        assert blocking.heard()[2] == "not for you"
        assert blocked.heard()[2] == "nor for you"
    assert bob.get(f"/api/seeks/{waiting}").json()["state"] == "withdrawn"
    no = (403, "You cannot play with this person.")
    assert refused(bob.post("/api/seeks", json={**challenge, "rival": mine})) == no
    assert refused(ann.post("/api/seeks", json={**challenge, "rival": theirs})) == no
    seat = {"invitation": open_match["invitations"]["w"]}
    assert refused(ann.post(f"/api/matches/{open_match['number']}/seats", json=seat)) == no
    slow = {"game": "badia", "clock": {"kind": "correspondence", "base": 86_400}}
    offered = bob.post("/api/seeks", json={"terms": [slow]}).json()["seek"]
    assert ann.post("/api/seeks", json={"terms": [slow]}).json()["match"] is None
    assert refused(ann.post(f"/api/seeks/{offered['number']}/accept", json={})) == no
    (entry,) = ann.get("/api/avoided").json()
    assert ann.delete(f"/api/avoided/{entry['number']}").status_code == 204
    assert ann.post(f"/api/matches/{open_match['number']}/seats", json=seat).is_success


def test_whom_one_can_avoid(ann: TestClient, bob: TestClient, client: TestClient) -> None:
    name = signed_up(ann, "Ann")
    number = board(ann, bob)
    assert refused(avoid(bob, BLOCK, account=name)) == (403, "Guests can mute only: sign in to block somebody.")
    assert refused(avoid(ann, MUTE, account=name)) == (400, "That is you: choose somebody else.")
    assert refused(avoid(ann, MUTE, account="nobody-here")) == (404, "There is no such account.")
    assert refused(avoid(ann, MUTE, match=number, player="r")) == (404, "Nobody sits there.")
    assert refused(avoid(ann, MUTE, match="x", player="b")) == (404, "There is no such match.")
    assert refused(avoid(ann, MUTE, match=number, line=10**9)) == (404, "There is no such message.")
    which = (400, "Name an account, or a match with a player or a message.")
    for who in ({}, {"match": number}, {"player": "w"}, {"account": name, "match": number, "player": "w"}):
        assert refused(avoid(ann, MUTE, **who)) == which
    client.get("/api/me")
    with Talker(client, number) as spectator:
        assert spectator.say(phrase="hello") == ""
        line = spectator.next("said")["line"]["number"]
    assert refused(avoid(ann, MUTE, match=number, line=line)) == (404, "There is no such message.")  # not hers to read
    watching = another_browser(ann)
    assert avoid(watching, MUTE, match=number, line=line).status_code == 201


def test_a_guest_who_makes_an_account_stays_blocked_and_keeps_the_messages(ann: TestClient, bob: TestClient) -> None:
    signed_up(ann, "Ann")
    number = board(ann, bob)
    with Talker(bob, number) as guest:
        assert guest.say(phrase="hello") == ""
        assert avoid(ann, BLOCK, match=number, player="w").status_code == 201
        guest.next("chat")
        name = signed_up(bob, "Bob")
        guest.chat = guest.next("chat")
        assert guest.chat["may_write_text"]
        assert guest.chat["lines"][0]["account"] == name
    assert [each["account"] for each in ann.get("/api/avoided").json()] == [name]
    challenge = {"kind": "challenge", "rival": name, "terms": [{"game": "chefa"}]}
    assert ann.post("/api/seeks", json=challenge).status_code == 403


def test_what_a_person_wrote_is_exported_and_deleted_with_the_account(ann: TestClient, bob: TestClient) -> None:
    name = signed_up(ann, "Ann")
    number = board(ann, bob)
    with Talker(bob, number) as talker:
        body = {"id": "1", "do": "say", "text": "remember me"}
        assert ann.post(f"/api/matches/{number}/act", json=body).is_success
        assert talker.heard()[2] == "remember me"
        assert avoid(ann, MUTE, match=number, player="w").status_code == 201
        found = json.loads(ann.get("/api/account/export").text)
        (line,) = found["chat"]
        assert {key: line[key] for key in ("match", "room", "phrase", "text")} == {
            "match": number,
            "room": "players",
            "phrase": None,
            "text": "remember me",
        }
        assert [each["kind"] for each in found["avoided"]] == [MUTE]
        talker.next("chat")
        deletion = {"name": name, "password": "correct horse"}
        assert ann.post("/api/account/deletion", json=deletion).status_code == 204
        talker.chat = talker.next("chat")
        assert talker.texts() == []
    with Talker(bob, number) as talker:
        assert talker.texts() == []


def test_a_guest_who_is_forgotten_takes_the_messages_along(ann: TestClient, bob: TestClient) -> None:
    number = board(ann, bob)
    with Talker(bob, number) as talker:
        assert ann.post(f"/api/matches/{number}/act", json={"id": "1", "do": "say", "phrase": "hello"}).is_success
        assert talker.heard()[2] == "Hello!"
        assert ann.delete("/api/me").status_code == 204
        talker.chat = talker.next("chat")
        assert talker.texts() == []


def test_nobody_without_a_cookie_writes(ann: TestClient, bob: TestClient, client: TestClient) -> None:
    number = board(ann, bob)
    answer = client.post(f"/api/matches/{number}/act", json={"id": "1", "do": "say", "phrase": "hello"})
    assert refused(answer) == (403, "Open a page of this server first: only who has its cookie can write.")


@pytest.fixture
def writer(ann: TestClient, bob: TestClient) -> tuple[TestClient, str]:
    """Somebody with an account, and the number of their match."""
    signed_up(ann, "Ann")
    return ann, board(ann, bob)


_ANY = st.text(st.characters(categories=("L", "M", "N", "P", "S", "Z", "C")), max_size=300)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=_ANY)
def test_any_text_is_written_as_plain_text_or_refused(
    server: TestClient, writer: tuple[TestClient, str], text: str
) -> None:
    ann, number = writer
    services: Services = server.app.state.services  # type: ignore[attr-defined]
    services.chats._gate._said.clear()
    body = json.dumps({"id": name_like("r"), "do": "say", "text": text})
    answer = ann.post(f"/api/matches/{number}/act", content=body, headers={"Content-Type": "application/json"})
    if answer.status_code == 200:
        with Talker(ann, number) as talker:
            assert talker.texts()[-1] == plain_text(text)
    else:
        assert answer.status_code in (400, 422)
        assert answer.json()["error"]
