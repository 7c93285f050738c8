"""Nicknames: given, chosen, refused, stored, and shown to everybody at the board."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from damier.core.errors import BadArgument
from damier.server.people.nicknames import LONGEST, SHORTEST, chosen_nickname, given_nickname
from tests.server.pages import Player, begin, live
from tests.server.served import another_browser, served

REFUSAL = (
    "A nickname has 2 to 20 characters: letters, digits, spaces, hyphens, underscores, full stops and apostrophes."
)


def test_a_guest_has_a_nickname_of_two_words_which_stays(ann: TestClient, bob: TestClient) -> None:
    mine = ann.get("/api/me").json()
    assert mine == ann.get("/api/me").json()
    assert len(mine["nickname"].split("-")) == 2
    assert len({another_browser(ann).get("/api/me").json()["nickname"] for _ in range(20)}) > 10
    assert bob.get("/api/me").cookies


def test_given_nicknames_can_be_chosen_too() -> None:
    given = {given_nickname(str(number)) for number in range(5000)}
    assert len(given) > 1500
    assert {chosen_nickname(name) for name in given} == given


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Ann   Lee ", "Ann Lee"),
        ("Zoé", "Zoé"),
        ("Zoe\u0301", "Zoé"),
        ("Ömer_7", "Ömer_7"),
        ("O'Neil Jr.", "O'Neil Jr."),
        ("日本", "日本"),
        ("हिन्दी", "हिन्दी"),
        ("محمد", "محمد"),
        ("42", "42"),
        ("a" * LONGEST, "a" * LONGEST),
    ],
)
def test_names_of_any_script_are_taken(ann: TestClient, text: str, name: str) -> None:
    answer = ann.put("/api/me", json={"nickname": text})
    assert (answer.status_code, answer.json()) == (200, {"nickname": name})
    assert ann.get("/api/me").json() == {"nickname": name}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "   ",
        "..",
        "-_-",
        "a" * (LONGEST + 1),
        "x" * 100_000,
        "a\tb",
        "a\nb",
        "a\u00a0b",
        "a\u200bb",
        "a\u202eb",
        "\u3164\u3164",
        "\u115f\u1160",
        "a\ufe0fb",
        "\u0301ab",
        "ab" + "\u0331\u0332\u0333\u0331\u0332",
        "<b>bold</b>",
        "a&b",
        'a"b',
        "smile \U0001f600",
        "\ue000\ue001",
        "\x00\x00",
    ],
)
def test_other_names_are_refused_with_one_sentence(ann: TestClient, text: str) -> None:
    before = ann.get("/api/me").json()
    answer = ann.put("/api/me", json={"nickname": text})
    assert (answer.status_code, answer.json()) == (400, {"error": REFUSAL})
    assert ann.get("/api/me").json() == before


def test_a_lone_surrogate_is_refused(ann: TestClient) -> None:
    answer = ann.put("/api/me", content=b'{"nickname": "a\\ud800b"}', headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)


@given(st.text(max_size=30) | st.text(st.characters(categories=["L", "M", "N", "Zs", "Cf"]), max_size=22))
def test_what_is_accepted_can_be_seen_and_is_accepted_again(text: str) -> None:
    try:
        name = chosen_nickname(text)
    except BadArgument as refusal:
        assert str(refusal.message) == REFUSAL
        return
    assert SHORTEST <= len(name) <= LONGEST
    assert chosen_nickname(name) == name == name.strip()
    assert not {unicodedata.category(letter)[0] for letter in name} & {"C", "S"}
    assert not set(name) & set('<>&"/\\')


def test_another_site_cannot_rename_a_visitor(ann: TestClient) -> None:
    answer = ann.put("/api/me", json={"nickname": "Mallory"}, headers={"Origin": "https://elsewhere.example"})
    assert answer.status_code == 403


def test_players_and_spectators_see_nicknames_and_their_changes(ann: TestClient, bob: TestClient) -> None:
    ann.put("/api/me", json={"nickname": "Ann"})
    match = begin(ann, "chefa", "me", "open")
    number = match["number"]
    assert [seat["nickname"] for seat in match["seats"]] == ["Ann", None]
    bob.put("/api/me", json={"nickname": "Bob"})
    bob.post(f"/api/matches/{number}/seats", json={"invitation": match["invitations"]["w"]})
    eve = another_browser(ann)
    with live(eve, number) as socket:
        watcher = Player(socket)
        assert [seat["nickname"] for seat in watcher.snapshot["seats"]] == ["Ann", "Bob"]
        bob.put("/api/me", json={"nickname": "Robert"})
        assert watcher.next("names") == {"type": "names", "nicknames": {"w": "Robert"}, "account": None}
    assert [seat["nickname"] for seat in eve.get(f"/api/matches/{number}").json()["seats"]] == ["Ann", "Robert"]
    assert [seat["nickname"] for seat in ann.get("/api/matches").json()[0]["seats"]] == ["Ann", "Robert"]


def test_the_computer_has_no_nickname(ann: TestClient) -> None:
    seats = begin(ann, "chefa", "me", {"level": 1})["seats"]
    assert [seat["nickname"] for seat in seats] == [ann.get("/api/me").json()["nickname"], None]


def test_a_nickname_survives_a_restart(tmp_path: Path) -> None:
    with served(tmp_path) as ann:
        ann.put("/api/me", json={"nickname": "Ann"})
        number, cookies = begin(ann, "chefa", "me", "me")["number"], ann.cookies
    with served(tmp_path) as again:
        assert [seat["nickname"] for seat in again.get(f"/api/matches/{number}").json()["seats"]] == ["Ann", "Ann"]
        again.cookies = cookies
        assert again.get("/api/me").json() == {"nickname": "Ann"}
