"""Visitors find each other through the lobby and play."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import Arrive, came, check
from tests.browser.test_account import make, new_name
from tests.browser.visitor import Visitor

SLOW = {"kind": "correspondence", "base": 172_800, "increment": 86_400, "cap": 345_600}
MATCH = re.compile(r"/m/[\w-]+$")
ACCEPT = """async (number) => {
  const headers = {"Content-Type": "application/json"};
  const answer = await fetch(`/api/seeks/${number}/accept?lang=en`, {method: "POST", headers, body: "{}"});
  return [answer.status, await answer.json()];
}"""
CLOCK = "5 minutes and 3 seconds for each turn"
DELAY = "5 minutes; the first 12 seconds of each turn are free"


def seek(visitor: Visitor, game: str, **given: Any) -> str:
    """Opens a seek without a page; returns its number."""
    body = {"terms": [{"game": game, "clock": SLOW}], **given}
    answer = visitor.context.request.post("/api/seeks", data=body, headers={"Origin": visitor.address})
    assert answer.ok, answer.text()
    number: str = answer.json()["seek"]["number"]
    return number


def test_two_find_each_other_by_game_and_clock_and_play(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive()
    for visitor in (ann, bob):
        visitor.page.goto("/lobby")
        expect(visitor.page.get_by_role("heading", name="Play now")).to_be_visible()
    ann.page.get_by_role("button", name=f"Play Badia, {CLOCK}").click()
    expect(ann.page.get_by_role("heading", name="Looking for an opponent…")).to_be_visible()
    bob.page.get_by_role("button", name=f"Play Badia, {CLOCK}").click()
    for visitor in (ann, bob):
        expect(visitor.page).to_have_url(MATCH)
        visitor.wait_for_board()
    state = ann.state()
    first, second = (ann, bob) if state["is_my_turn"] else (bob, ann)
    first.play(state["actions"] or first.state()["actions"], first.state()["actions"][0]["action"])
    second.wait_until_drawn(second.state(0))


def test_of_three_who_accept_at_once_one_plays_and_the_others_read_why(arrive: Arrive) -> None:
    owner, guests = arrive(), [arrive() for _ in range(3)]
    owner.page.goto("/lobby")
    owner.page.get_by_role("button", name="Leave a seek").click()
    owner.page.locator("dialog select[name=game]").select_option("Sensei")
    owner.page.get_by_role("button", name="Offer it").click()
    expect(owner.page.get_by_role("heading", name="Your seeks and challenges")).to_be_visible()
    for guest in guests:
        guest.may_fail = True  # the browser tells of refused requests
        guest.page.goto("/lobby")
        expect(guest.page.get_by_role("button", name=re.compile("Sensei · 2 days"))).to_be_visible()
    listed = owner.context.request.get("/api/lobby").json()["seeks"]
    (number,) = [each["number"] for each in listed if each["terms"][0]["game"] == "sensei"]
    for guest in guests:
        guest.page.evaluate(f"window.answer = ({ACCEPT})({number!r})")
    answers = [guest.page.evaluate("window.answer") for guest in guests]
    assert sorted(status for status, _ in answers) == [200, 400, 400]
    refused = [answer["error"] for status, answer in answers if status == 400]
    assert refused == ["Somebody else was faster, or the seek is closed."] * 2
    expect(owner.page).to_have_url(MATCH)


def test_who_waits_plays_the_computer_and_is_offered_the_match(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive()
    ann.page.goto("/lobby")
    ann.page.get_by_role("button", name=f"Play Omba, {DELAY}").click()
    ann.page.get_by_role("button", name="Play the computer meanwhile").click()
    ann.wait_for_board()
    against_computer = ann.page.url
    expect(ann.page.get_by_text("Looking for an opponent: Omba 5d12")).to_be_visible()
    ann.page.reload()  # the seek outlives it
    expect(ann.page.get_by_text("Looking for an opponent: Omba 5d12")).to_be_visible()
    bob.page.goto("/lobby")
    bob.page.get_by_role("button", name=f"Play Omba, {DELAY}").click()
    expect(bob.page).to_have_url(MATCH)
    expect(ann.page).to_have_url(against_computer)
    ann.page.get_by_role("link", name="Go to the game").click()
    expect(ann.page).to_have_url(bob.page.url)
    ann.page.goto("/")
    expect(ann.page.locator(".earlier a")).to_have_count(2)  # the other one can be continued


def test_a_challenge_by_link_works_for_whoever_opens_it(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive()
    ann.page.goto("/lobby")
    ann.page.get_by_role("button", name="Challenge a friend").click()
    ann.page.get_by_role("button", name="Offer it").click()
    address = ann.page.get_by_label("Send this link; whoever opens it first plays").input_value()
    bob.page.goto(address)
    expect(bob.page.get_by_role("heading", name=re.compile("challenges you"))).to_be_visible()
    bob.page.get_by_role("button", name="Play", exact=True).click()
    expect(bob.page).to_have_url(MATCH)
    expect(ann.page).to_have_url(bob.page.url)


def test_a_live_challenge_by_name_stays_on_all_pages_until_it_is_accepted(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive()
    name = new_name("Bob")
    make(bob.page, name)
    ann.page.goto(f"/u/{name}")
    ann.page.get_by_role("link", name="Challenge", exact=True).click()
    expect(ann.page.get_by_role("radio", name="By name")).to_be_checked()
    expect(ann.page.get_by_label("Name of the player")).to_have_value(name)
    expect(ann.page).to_have_url(re.compile("/lobby$"))
    clocks = ann.page.get_by_label("Clock")
    clocks.select_option("3 minutes and 2 seconds for each turn")
    ann.page.locator("dialog select[name=game]").select_option("Omba")
    expect(clocks.locator("option:checked")).to_have_text("3 minutes; the first 8 seconds of each turn are free")
    ann.page.locator("dialog select[name=game]").select_option("Chefa")
    expect(ann.page.get_by_text("It stays as long as you are here, on any page")).to_be_visible()
    ann.page.locator("dialog").get_by_label("Rated").check()
    ann.page.get_by_role("button", name="Offer it").click()
    expect(ann.page.get_by_role("heading", name="Your seeks and challenges")).to_be_visible()
    ann.page.get_by_role("link", name="Learn", exact=True).click()
    expect(ann.page.get_by_text("Looking for an opponent: Chefa 3+2")).to_be_visible()
    ann.page.wait_for_timeout(12_000)  # longer than a live challenge outlives its owner
    bob.page.goto("/lobby")
    bob.page.get_by_role("button", name=re.compile("Chefa · 3[+]2 · rated")).first.click()
    expect(bob.page).to_have_url(MATCH)
    ann.page.get_by_role("link", name="Go to the game").click()
    expect(ann.page).to_have_url(bob.page.url)
    expect(ann.page.get_by_text("3+2 · rated")).to_be_visible()


def test_my_matches_are_filtered_and_the_next_one_is_a_click_away(arrive: Arrive, tmp_path: Path) -> None:
    ann, bob = arrive(), arrive()
    for visitor in (ann, bob):
        visitor.page.goto("/lobby")
    numbers = []
    for _ in range(2):
        number = seek(ann, "chefa", side=0)
        path, headers = f"/api/seeks/{number}/accept", {"Origin": bob.address}
        numbers.append(bob.context.request.post(path, data={}, headers=headers).json()["match"])
    ann.page.goto("/matches?state=mine")
    expect(ann.page.locator(".match-rows li")).to_have_count(2)
    ann.page.get_by_label("State").select_option("won")
    expect(ann.page.get_by_text("No match fits these filters.")).to_be_visible()
    with ann.page.expect_download() as download:
        ann.page.goto("/matches")
        ann.page.get_by_role("link", name="text", exact=True).click()
    file = tmp_path / "matches.txt"
    download.value.save_as(file)
    assert file.read_text().count("[Game ") == 2
    ann.page.goto(f"/m/{numbers[0]}")
    ann.wait_for_board()
    ann.click("a1")
    ann.confirm()
    ann.page.get_by_role("link", name=re.compile("Next game")).click()
    expect(ann.page).to_have_url(re.compile(numbers[1]))


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_the_lobby_and_its_forms_are_accessible(arrive: Arrive, theme: str) -> None:
    ann, bob = came(arrive, theme), arrive()
    bob.page.goto("/lobby")
    seek(bob, "renfa")
    ann.page.goto("/lobby")
    expect(ann.page.get_by_role("button", name=re.compile("Renfa-Bomba · 2 days")).first).to_be_visible()
    ann.page.get_by_role("button", name=f"Play Chefa, {CLOCK}").click()
    expect(ann.page.get_by_role("button", name="Stop looking")).to_be_visible()
    for fold in ("Any of several games", "All matches to watch", "Tell me when somebody wants to play"):
        ann.page.get_by_text(fold).click()
    check(ann)
    ann.page.get_by_role("button", name="Stop looking").click()
    ann.page.get_by_role("button", name="Challenge a friend").click()
    check(ann)
    ann.page.get_by_role("button", name="Offer it").click()
    expect(ann.page.get_by_role("heading", name="Your challenge")).to_be_visible()
    check(ann)
    ann.begin("chefa", ["me", "me"])
    ann.page.goto("/matches")
    expect(ann.page.locator(".match-rows li")).to_have_count(1)
    check(ann)
