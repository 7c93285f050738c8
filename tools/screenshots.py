"""Screenshots of every page and game, light and dark, wide and on a phone, to look at before a release.

python -m tools.screenshots [FOLDER]
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tools.browser import State, browser, play, served

SIZES = {"wide": {"width": 1280, "height": 860}, "phone": {"width": 390, "height": 844}}
THEMES = ("light", "dark")
PLACES = ("learn", "rules", "puzzles", "analyse", "explore", "solutions")
MIDDLE = 14  # actions after which a game is worth a picture
LONG = 120  # actions after which a player resigns
SEED = 5
COURSE_TIME = 60_000  # milliseconds in which the course of a long game begins to be drawn


def main() -> None:
    """Writes all screenshots into a folder."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "screenshots")
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, served(Path(home)) as address, browser() as window:
        for size in SIZES:
            for theme in THEMES:
                for name, page in pages(window, address, size, theme):
                    page.evaluate("() => scrollTo(0, 0)")
                    page.screenshot(path=folder / f"{name}-{size}-{theme}.png")
    print(f"{len(list(folder.glob('*.png')))} pictures in {folder}")


def pages(window: Browser, address: str, size: str, theme: str) -> Iterator[tuple[str, Page]]:
    """Visits all pages; yields each with its name."""
    settings: dict[str, Any] = {"viewport": SIZES[size], "color_scheme": theme, "reduced_motion": "reduce"}
    context = window.new_context(base_url=address, locale="en-GB", is_mobile=size == "phone", **settings)
    page = context.new_page()
    games = context.request.get("/api/games").json()
    page.goto("/")
    expect(page.locator(".card-board svg.board")).to_have_count(len(games))
    yield "home", page
    page.locator(".card button:not(.main)").nth(3).click()
    page.locator("dialog summary").click()
    yield "start", page
    for place in [link.get_attribute("href") or "/" for link in page.locator("#top a:not(.brand)").all()]:
        page.goto(place, wait_until="networkidle")
        yield place.strip("/").replace("/", "-"), page
    for game in games:
        for place in PLACES:
            page.goto(f"/{place}/{game['name']}", wait_until="networkidle")
            yield f"{game['name']}-{place}", page
        yield from matches(context, page, address, game)
    page.goto("/")
    expect(page.locator(".earlier a").first).to_be_visible()
    yield "home-later", page
    context.close()


def matches(context: BrowserContext, page: Page, address: str, game: dict[str, Any]) -> Iterator[tuple[str, Page]]:
    """A match in the middle, with values, with a piece picked up, at its end; with dice, their check too."""
    name, rng = game["name"], random.Random(SEED)
    number = begun(context, name, ["me", "me"])
    play(context, address, number, lambda state: chosen(rng, state, MIDDLE))
    show(page, number)
    yield f"{name}-match", page
    page.get_by_role("tab", name="Values").click()
    page.get_by_role("switch", name="Values").click()
    expect(page.locator(".value-label").first).to_be_visible()
    yield f"{name}-values", page
    page.get_by_role("switch", name="Values").click()
    page.locator(".hits .grab, .tray, .hits .open").first.click(force=True)
    yield f"{name}-picked", page
    play(context, address, number, lambda state: chosen(rng, state, LONG))
    show(page, number)
    if not page.locator(".status.over").count():
        page.get_by_role("button", name="Resign").click()
        page.locator("dialog button.main").click()
    expect(page.locator(".status.over")).to_be_visible()
    expect(page.locator(".end-course .course-line").first).to_be_visible(timeout=COURSE_TIME)
    yield f"{name}-end", page
    if game["has_chance"]:
        page.goto(f"/dice/{number}")
        expect(page.locator(".outcome p").first).to_be_visible()
        yield f"{name}-dice", page
    show(page, begun(context, name, ["me", "open"]))
    yield f"{name}-invitation", page


def begun(context: BrowserContext, game: str, seats: list[str]) -> str:
    """Begins a match; returns its number."""
    answer = context.request.post("/api/matches", data={"game": game, "seats": seats, "options": {}})
    number: str = answer.json()["number"]
    return number


def show(page: Page, number: str) -> None:
    """Opens the page of a match."""
    page.goto(f"/m/{number}")
    expect(page.get_by_role("grid")).to_be_visible()
    expect(page.locator(".players.below li").first).to_be_visible()


def chosen(rng: random.Random, state: State, most: int) -> str | None:
    """Returns a random action, or None once `most` have been played."""
    if len(state["history"]) >= most:
        return None
    action: str = rng.choice(state["actions"])["action"]
    return action


if __name__ == "__main__":
    main()
