"""Ratings on pages: leaderboards, the change after a rated game, the course of a rating."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from damier.server.ratings.glicko import NEW, rate_game
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
TITLES = {"en": "Leaderboard", "fr": "Palmarès", "de": "Bestenliste"}
BEGIN = """async () => {
  const clock = {kind: "live", base: 180, increment: 2};
  const body = JSON.stringify({game: "chefa", seats: ["me", "open"], clock, is_rated: true});
  const headers = {"Content-Type": "application/json"};
  return await (await fetch("/api/matches", {method: "POST", headers, body})).json();
}"""
RESIGN = """(number) => new Promise((done) => {
  const socket = new WebSocket(`ws://${location.host}/api/matches/${number}/live`);
  socket.onopen = () => socket.send(JSON.stringify({id: "1", do: "resign"}));
  socket.onmessage = ({data}) => JSON.parse(data).type === "done" && done(socket.close());
})"""
SHOW = """async () => {
  const part = document.querySelector("script[type=module][src]").src.replace(/app\\.js.*/, "ui/ratings/ratings-of.js");
  const {ratingsOf} = await import(part);
  document.getElementById("page").replaceChildren(ratingsOf("Ann"));
}"""


def picture(page: Page, name: str) -> None:
    """Writes a screenshot, if a folder for them is given."""
    if folder := os.environ.get("DAMIER_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def answer(page: Page, pattern: str, data: Callable[[str], Any]) -> None:
    """Answers requests of a page in the server's place."""

    def fulfil(route: Route) -> None:
        route.fulfill(content_type="application/json", body=json.dumps(data(route.request.url)))

    page.route(re.compile(pattern), fulfil)


@pytest.mark.parametrize("lang", TITLES)
def test_an_empty_leaderboard_says_how_to_get_on_it(arrive: Arrive, lang: str) -> None:
    page = arrive(locale=lang).page
    page.goto("/")
    page.get_by_role("link", name=TITLES[lang], exact=True).click()
    expect(page).to_have_url(re.compile("/leaderboard"))
    expect(page.get_by_role("heading", level=1, name=TITLES[lang])).to_be_visible()
    expect(page.locator(".leaderboard-empty")).to_contain_text("20")
    assert "ratings." not in page.locator("#page").inner_text()  # no key without a text
    picture(page, f"empty-{lang}")


def test_a_leaderboard_is_chosen_by_keyboard_and_has_an_address(arrive: Arrive) -> None:
    page = arrive(viewport={"width": 320, "height": 640}).page
    asked: list[str] = []

    def board(url: str) -> dict[str, Any]:
        asked.append(url)
        about = {"is_program": False, "deviation": 60, "games": 30, "at": "2026-11-17T12:00:00.000Z"}
        entries = [{"place": 1 + i, "name": f"Name{i}", "value": 1900 - 7 * i, **about} for i in range(12)]
        return {"pool": "", "page": 1, "pages": 2, "entries": entries, "most_deviation": 75}

    answer(page, r"/api/ratings/", board)
    page.goto("/leaderboard")
    expect(page.locator(".leaderboard tbody tr")).to_have_count(12)
    games = page.get_by_role("tablist").first.get_by_role("tab")
    games.first.focus()
    page.keyboard.press("End")
    expect(games.last).to_be_focused()
    page.get_by_role("tab", name="Correspondence").click()
    page.locator("select[name=players]").select_option("4")
    page.get_by_label("Games with programs").check()
    page.get_by_role("button", name="Next").click()
    name = games.last.get_attribute("data-tab")
    expect(page).to_have_url(f"/leaderboard?game={name}&speed=correspondence&players=4&programs=&page=2")
    assert f"/api/ratings/{name}-4.correspondence%2Bprograms?page=2" in asked[-1]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(page, "leaderboard-phone")
    page.reload()
    expect(page.get_by_label("Games with programs")).to_be_checked()
    expect(page.get_by_role("tab", name="Correspondence")).to_have_attribute("aria-selected", "true")


def test_both_players_see_what_a_rated_game_changes(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive(color_scheme="dark")
    ann.page.goto("/")
    match = ann.page.evaluate(BEGIN)
    ann.page.goto(f"/m/{match['number']}")
    bob.page.goto(f"/m/{match['number']}#{match['invitations']['w']}")
    bob.page.get_by_role("button", name="Take the seat").click()
    expect(ann.page.locator(".seat-rating")).to_have_text(["1500?", "1500?"])
    bob.page.evaluate(RESIGN, match["number"])
    won, lost = (round(each.value) for each in rate_game([NEW, NEW], [[0], [1]]))
    expect(ann.page.locator(".seat-rating .good")).to_have_text(f"+{won - 1500}")
    expect(ann.page.locator(".seat-rating .bad")).to_have_text(f"−{1500 - lost}")
    expect(ann.page.locator("#page")).to_contain_text(f"Your rating: {won} (+{won - 1500}).")
    expect(bob.page.locator("#page")).to_contain_text(f"Your rating: {lost} (−{1500 - lost}).")
    picture(ann.page, "match-end")
    picture(bob.page, "match-end-dark")
    ann.page.reload()
    expect(ann.page.locator(".seat-rating .good")).to_have_text(f"+{won - 1500}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_ratings_of_a_person_have_their_course(arrive: Arrive, scheme: str) -> None:
    page = arrive(color_scheme=scheme).page
    values = [1500, 1662, 1580, 1610, 1544, 1571, 1633, 1720, 1699]
    points = [{"at": f"2026-11-{day:02}T12:00:00.000Z", "value": value} for day, value in enumerate(values, 1)]
    pool = {"pool": "chefa.live", "game": "chefa", "players": 2, "speed": "live", "has_programs": False}
    known = {"rating": {"value": 1699, "is_provisional": False}, "deviation": 80, "games": 9, "points": points}
    answer(page, r"/api/people/Ann/ratings", lambda _url: {"name": "Ann", "pools": [{**pool, **known}]})
    page.goto("/leaderboard")
    expect(page.locator(".leaderboard-empty")).to_be_visible()
    page.evaluate(SHOW)
    expect(page.get_by_role("heading", level=3)).to_have_text("Chefa · Live")
    expect(page.locator(".rating-card")).to_contain_text("9 rated games")
    graph = page.get_by_role("img", name="Chefa · Live: from 1500 to 1699, at best 1720.")
    expect(graph).to_be_visible()
    picture(page, f"graph-{scheme}")
