"""Solutions, the explorer, and games on somebody else's page."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import FrameLocator, Route, expect

import damier
from damier.teach.puzzles.puzzle import shipped_puzzles
from tests.browser.accessibility import check
from tests.browser.samples import THEMES, sample
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
POSITION = "5/1B3/1W3/1W1B1/WB3 b 1,1 -"
SLOW = 120_000


# Solutions ------------------------------------------------------------------------------------------------------------


def test_the_list_says_what_is_known_and_what_is_not(arrive: Arrive) -> None:
    page = arrive().page
    page.goto("/solutions")
    expect(page.locator(".solution-card")).to_have_count(len(damier.games()))
    chefa = page.locator(".solution-card").filter(has_text="Chefa")
    expect(chefa.locator(".verdict")).to_have_text("With best play, Black, who begins, wins in 9 plies.")
    expect(chefa.locator(".badge-line")).to_have_text("every entry verified")
    renfa = page.locator(".solution-card").filter(has_text="Renfa-Bomba")
    expect(renfa.locator(".badge-line")).to_have_text(
        [
            "every entry verified",
            "5 bombs: every entry verified",
            "5 bombs, a player loses with no bomb left: every entry verified",
            "7 bombs: every entry verified",
            "a player loses with no bomb left: every entry verified",
            "board of 6 × 6, 3 bombs: every entry verified",
            "board of 6 × 6, 4 bombs: every entry verified",
        ]
    )
    sensei = page.locator(".solution-card").filter(has_text="Sensei")
    expect(sensei.locator(".verdict")).to_contain_text("Not solved")
    sensei.get_by_role("link", name="Why it is not solved").click()
    expect(page.locator(".certainty")).to_contain_text("2.3 × 10¹⁷")


def test_the_longest_win_is_played_through_on_a_board(arrive: Arrive) -> None:
    page = arrive(reduced_motion="reduce").page
    page.goto("/solutions/chefa")
    part = page.locator(".part-longest")
    expect(part.locator(".moments span").nth(2)).to_have_text("After 0 of 11")
    part.get_by_role("button", name="One on").click()
    expect(part.locator(".line-status")).to_have_text("White to move")
    part.get_by_role("button", name="To the end").click()
    expect(part.locator(".line-status")).to_have_text("Black wins: four pawns in a line.")
    part.get_by_role("button", name="Example 3").click()
    expect(part.locator(".line-actions li").first).to_contain_text("d2")


def test_numbers_stand_in_the_language_and_beside_the_plot(arrive: Arrive) -> None:
    page = arrive(locale="de-DE").page
    page.goto("/solutions/chefa")
    part = page.locator(".part-positions")
    expect(part.get_by_text("34.701.210 Stellungen")).to_be_visible()
    expect(part.locator("svg.plot rect")).to_have_count(11)
    part.locator(".plot-figure summary").click()
    expect(part.locator(".plot-figure tbody tr").first).to_contain_text("1.136.975")


def test_a_forbidden_return_ends_a_line_with_a_reason(arrive: Arrive) -> None:
    page = arrive().page
    page.goto("/solutions/badia")
    part = page.locator(".part-returns")
    expect(part.locator(".line-note")).to_contain_text("would return to an earlier situation")
    expect(part.locator(".line-actions s").first).to_be_visible()
    expect(part.get_by_text("Nothing more is known of it.")).to_be_visible()


def test_a_table_that_is_not_verified_says_so(arrive: Arrive) -> None:
    page = arrive().page

    def forget(route: Route) -> None:
        answer = route.fetch()
        known = answer.json()
        for each in known["solutions"]:
            if each["options"]["bombs"] == 7:
                each["verified"] = None
        route.fulfill(response=answer, json=known)

    page.route("**/api/solutions/renfa*", forget)
    page.goto("/solutions/renfa?bombs=7")
    expect(page.locator(".part-known")).to_contain_text("built but not checked")
    page.locator(".which a[href$='/renfa?bombs=5']").click()
    expect(page.locator(".part-known")).to_contain_text("have been checked with a second")


# The explorer ---------------------------------------------------------------------------------------------------------


def test_an_estimate_becomes_exact_when_the_table_is_built(arrive: Arrive) -> None:
    page = arrive(reduced_motion="reduce").page
    page.goto("/explore/renfa?bombs=3&last=0")
    expect(page.locator(".source.about")).to_be_visible()
    page.get_by_role("button", name="Compute the exact values").click()
    expect(page.locator(".source.exact")).to_be_visible(timeout=SLOW)
    expect(page.locator("ul.counts li").nth(1)).to_contain_text("25")
    expect(page.locator(".heat.draw")).to_have_count(25)
    expect(page.locator(".value-label")).to_have_count(25)


def test_one_goes_on_and_back_and_the_address_keeps_up(arrive: Arrive) -> None:
    visitor = arrive(reduced_motion="reduce")
    page = visitor.page
    page.goto("/explore/chefa")
    expect(page.locator(".value-groups button").first).to_be_visible()
    visitor.click("b2")
    expect(page.locator(".path-steps [aria-current]").first).to_have_text("b2")
    page.locator(".value-groups button").first.click()
    expect(page.locator(".explore-path li")).to_have_count(3)
    assert "actions=b2" in page.url
    page.reload()
    expect(page.locator(".explore-path li")).to_have_count(3)
    page.get_by_role("button", name="One back").click()
    expect(page.locator(".explore-path li")).to_have_count(2)
    page.get_by_text("Another position").click()
    page.get_by_label("Position", exact=True).fill(POSITION)
    page.locator(".fold .typed button").click()
    expect(visitor.cell("d2")).to_have_attribute("aria-label", "d2, black pawn")


def test_best_play_is_played_out(arrive: Arrive) -> None:
    page = arrive(reduced_motion="reduce").page
    page.goto("/explore/chefa?actions=a1,a2,a3,a4,a5,b1,b2,b3")
    expect(page.locator(".explore-best li")).to_have_text(["b2=a2"])
    page.get_by_role("button", name="Play it out").click()
    expect(page.locator(".explore-verdict")).to_contain_text("Black wins", timeout=SLOW)


def test_estimates_are_no_draws(arrive: Arrive) -> None:
    page = arrive(reduced_motion="reduce").page
    page.goto("/explore/sensei")
    counts = page.locator("ul.counts li")
    expect(counts).to_have_count(4)
    assert [text.split()[0] for text in counts.all_inner_texts()[:3]] == ["0", "0", "0"]
    actions = len(damier.load("sensei").start.actions())
    expect(counts.nth(3)).to_contain_text(f"{actions}")
    expect(counts.nth(3)).to_contain_text("undecided")


def test_the_explorer_says_what_is_not_proved(arrive: Arrive) -> None:
    page = arrive(reduced_motion="reduce").page
    win = {"value": "win", "distance": 9, "unit": "plies", "chance": 1.0, "text": "win in 9 plies"}
    values = {
        "a1": win | {"is_proved": False},
        "a2": win | {"distance": 3, "is_proved": True, "text": "win in 3 plies"},
    }
    told = {"is_from_table": True, "is_exact": False, "values": values, "note": "The table knows no history."}
    page.route("**/api/lines/values*", lambda route: route.fulfill(json=told))
    page.goto("/explore/chefa")
    expect(page.locator(".source.about")).to_have_text("The table knows no history.")
    expect(page.locator(".explore-verdict")).to_contain_text("win in 3 plies")
    expect(page.locator(".value-groups > li")).to_have_text(["win in 3 pliesa2", "win in 9 plies, not proveda1"])
    expect(page.locator("ul.counts li").first).to_contain_text("1 proven")
    expect(page.get_by_role("heading", name="How the table would go on")).to_be_visible()
    expect(page.get_by_role("button", name="Compute the exact values")).to_have_count(0)


# Other people's pages -------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def elsewhere(markup: str) -> Iterator[str]:
    """Serves a page from another origin; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/" else 204)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            if self.path == "/":
                self.wfile.write(f"<!doctype html><title>elsewhere</title>{markup}".encode())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name in the class it is of
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def frame(address: str, path: str) -> str:
    return f'<iframe src="{address}{path.replace("&", "&amp;")}" width="420" height="540" title="game"></iframe>'


def framed(visitor: Visitor) -> FrameLocator:
    return visitor.page.frame_locator("iframe")


def test_a_position_stands_on_another_page(arrive: Arrive, address: str) -> None:
    visitor = arrive()
    path = f"/embed/chefa?{urlencode({'position': POSITION, 'lang': 'fr', 'theme': 'dark'})}"
    with elsewhere(frame(address, path)) as page:
        visitor.page.goto(page)
        expect(framed(visitor).locator(".line-status")).to_have_text("Noir est au trait")
        expect(framed(visitor).locator("html")).to_have_attribute("data-theme", "dark")
        expect(framed(visitor).locator(".piece")).to_have_count(6)
        assert visitor.context.cookies() == []


def test_a_match_on_another_page_goes_on_by_itself(arrive: Arrive, address: str) -> None:
    player, visitor = arrive(), arrive()
    number = player.begin("chefa", ["me", "me"])
    with elsewhere(frame(address, f"/embed/match/{number}")) as page:
        visitor.page.goto(page)
        expect(framed(visitor).locator(".line-status")).to_have_text("Black to move")
        player.click("b2")
        expect(framed(visitor).locator(".line-status")).to_have_text("White to move")
        expect(framed(visitor).locator(".moments span").nth(2)).to_have_text("After 1 of 1")


def test_a_puzzle_is_solved_on_another_page(arrive: Arrive, address: str) -> None:
    visitor = arrive()
    puzzle = next(each for each in shipped_puzzles("chefa") if len(each.line) == 1)
    with elsewhere(frame(address, f"/embed/puzzle/chefa/{puzzle.id}")) as page:
        visitor.page.goto(page)
        mover = puzzle.loaded.player_name(puzzle.start.mover)
        expect(framed(visitor).locator(".line-status")).to_have_text(f"{mover} to move")
        cells = damier.load("chefa").action_cells(puzzle.answer)
        for cell in cells:
            framed(visitor).locator(f'.board [role="gridcell"][data-cell="{cell}"]').click()
        expect(framed(visitor).locator(".said-here")).not_to_be_empty()
        expect(framed(visitor).locator(".line-status")).to_contain_text(f"{mover} wins")
        expect(framed(visitor).locator(".sign.place, .sign.dot")).to_have_count(0)


def test_no_other_page_may_be_framed(arrive: Arrive, address: str) -> None:
    visitor = arrive()
    visitor.may_fail = True
    with elsewhere(frame(address, "/solutions")) as page:
        visitor.page.goto(page)
        expect(framed(visitor).locator("#page")).to_have_count(0)


# Accessibility --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "theme"), sample(["/solutions/badia", "/solutions", "/solutions/omba", "/solutions/sensei"], THEMES)
)
def test_solutions_are_accessible(arrive: Arrive, path: str, theme: str) -> None:
    visitor = arrive(color_scheme=theme, reduced_motion="reduce")
    visitor.page.goto(path)
    expect(visitor.page.locator("h1")).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    for fold in visitor.page.locator("summary").all():
        fold.click()
    check(visitor)


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_the_explorer_and_frames_are_accessible(arrive: Arrive, theme: str) -> None:
    visitor = arrive(color_scheme=theme, reduced_motion="reduce")
    for path in ("/explore/chefa?actions=a1", "/explore/omba?actions=roll:2"):
        visitor.page.goto(path)
        expect(visitor.page.locator(".value-groups")).to_be_visible()
        check(visitor)
    visitor.page.goto("/embed/chefa?actions=a1,b2")
    expect(visitor.page.locator(".line-status")).not_to_be_empty()
    check(visitor)


@pytest.mark.parametrize("path", ["/solutions", "/solutions/badia", "/explore/omba", "/explore/sensei"])
def test_nothing_is_wider_than_a_phone(arrive: Arrive, path: str) -> None:
    page = arrive(viewport={"width": 360, "height": 740}).page
    page.goto(path)
    expect(page.locator("h1")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
