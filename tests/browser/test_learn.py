"""The pages to learn from: a lesson walked through, the rules with boards that are played on, the way to both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import came, check
from tests.browser.samples import sample
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
LESSON = "async (game) => (await fetch(`/api/games/${game}/lesson?lang=en`)).json()"
ANSWER = "async ([game, step]) => (await fetch(`/api/games/${game}/lesson/${step}/answer?lang=en`)).json()"
PHONE = {"width": 360, "height": 740}


def opened(visitor: Visitor, address: str) -> Visitor:
    visitor.page.goto(address)
    visitor.page.locator("svg.board").first.wait_for()
    return visitor


def do_step(visitor: Visitor, game: str, step: dict[str, Any]) -> None:
    """Does what a step asks for, with clicks."""
    verdict = visitor.page.locator(".verdict.right")
    if step["kind"] != "read":
        answer = visitor.page.evaluate(ANSWER, [game, step["id"]])
        if step["kind"] in ("cell", "refused"):
            for cell in answer["cells"][:-1]:
                visitor.click(cell)
                expect(visitor.cell(cell)).to_have_attribute("aria-selected", "true")
            visitor.click(answer["cells"][-1])
        else:
            visitor.play(step["state"]["actions"], answer["actions"][0])
        expect(verdict).to_be_visible()
    visitor.page.get_by_role("button", name="Next", exact=True).click()


def test_the_basics_are_walked_through_and_remembered(arrive: Arrive) -> None:
    visitor = opened(arrive(reduced_motion="reduce"), "/learn/chefa")
    page = visitor.page
    lesson = page.evaluate(LESSON, "chefa")
    basics = [step for step in lesson["steps"] if step["chapter"] == "basics"]
    for number, step in enumerate(basics, 1):
        expect(page.get_by_role("heading", name=step["title"], exact=True)).to_be_visible()
        expect(page.locator(".lesson-head")).to_contain_text(f"The basics: step {number} of {len(basics)}")
        do_step(visitor, "chefa", step)
        if number == 3:
            page.reload()  # the lesson goes on where it was left
    expect(page.get_by_role("heading", name="You know the game now")).to_be_focused()
    expect(page.locator(".chapters .tick.done")).to_have_count(len(basics))
    page.get_by_role("button", name="Go on: Tactics").click()
    expect(page.get_by_role("heading", name=lesson["steps"][len(basics)]["title"], exact=True)).to_be_focused()
    opened(visitor, "/learn")
    done = f"{len(basics)} of {len(lesson['steps'])} steps"
    expect(page.locator(".card", has_text="Chefa")).to_contain_text(done)
    expect(page.locator(".card", has_text="Badia")).to_contain_text("Start the lesson")


@pytest.mark.parametrize(
    ("game", "step_id"),
    [("renfa", "larger-board"), ("sensei", "over-pits"), ("omba", "four-players")],
)
def test_a_variant_is_learnt_on_its_own_board(arrive: Arrive, game: str, step_id: str) -> None:
    visitor = opened(arrive(reduced_motion="reduce"), f"/learn/{game}#aim")
    page = visitor.page
    lesson = page.evaluate(LESSON, game)
    step = next(step for step in lesson["steps"] if step["id"] == step_id)
    page.get_by_role("button", name=step["title"], exact=True).click()
    expect(page.get_by_role("heading", name=step["title"], exact=True)).to_be_focused()
    cells = lesson["boards"][step["board"]]["drawing"]["cells"]
    expect(page.locator('.board [role="gridcell"]')).to_have_count(len(cells))
    do_step(visitor, game, step)


def test_progress_kept_by_number_is_not_lost(arrive: Arrive) -> None:
    visitor = opened(arrive(), "/learn")
    page = visitor.page
    page.evaluate("localStorage.setItem('damier.lessons', JSON.stringify({chefa: [1, 2, 7, 99]}))")
    opened(visitor, "/learn/chefa")
    for title in ("The aim", "The hole", "Three with two gaps"):
        expect(page.get_by_role("button", name=f"{title}, done", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Placing pawns")).to_be_visible()
    visitor.click("b3")
    expect(page.locator(".verdict.right")).to_be_visible()
    kept = page.evaluate("JSON.parse(localStorage.getItem('damier.lessons')).chefa")
    assert kept == ["aim", "hole", "two-gaps", "placing"]
    page.goto("/learn/chefa#7")  # an address of the time of numbers
    page.reload()
    expect(page.get_by_role("heading", name="Three with two gaps")).to_be_visible()


def test_the_end_of_the_basics_leads_to_a_match(arrive: Arrive) -> None:
    visitor = opened(arrive(), "/learn/omba#play-on")
    visitor.page.get_by_role("button", name="Next", exact=True).click()
    expect(visitor.page.get_by_role("link", name="Solve puzzles")).to_have_attribute("href", "/puzzles/omba")
    expect(visitor.page.get_by_role("link", name="Read the rules")).to_have_attribute("href", "/rules/omba")
    visitor.page.get_by_role("button", name="Play a first match").click()
    visitor.page.wait_for_url("**/m/*")
    visitor.wait_for_board()


def test_the_end_with_basic_steps_left_leads_to_the_first_of_them(arrive: Arrive) -> None:
    visitor = opened(arrive(), "/learn/chefa#play-on")
    page = visitor.page
    steps = page.evaluate(LESSON, "chefa")["steps"]
    basics = [step for step in steps if step["chapter"] == "basics"]
    page.get_by_role("button", name="Next", exact=True).click()  # the last basic step is to be read
    expect(page.get_by_role("heading", name="Some basic steps are open")).to_be_focused()
    expect(page.locator(".lesson-text")).to_contain_text(f"You have done 1 of {len(basics)} basic steps.")
    page.get_by_role("button", name="Do the open steps").click()
    expect(page.get_by_role("heading", name=steps[0]["title"], exact=True)).to_be_focused()


def test_a_wrong_answer_is_answered_on_the_board_and_taken_back(arrive: Arrive) -> None:
    visitor = opened(arrive(reduced_motion="reduce"), "/learn/chefa#watch")
    page = visitor.page
    right = page.evaluate(ANSWER, ["chefa", "watch"])["actions"]
    before = page.locator(".board .piece").count()
    visitor.click(next(cell for cell in ("a1", "a2") if cell not in right))
    expect(page.locator(".verdict.wrong")).to_contain_text("wins at once")
    expect(page.locator(".lesson .status")).to_contain_text("White wins")
    retry = page.get_by_role("button", name="Try again")
    expect(retry).to_be_focused()
    retry.press("Enter")
    expect(page.locator(".verdict")).to_be_empty()
    expect(page.locator(".board .piece")).to_have_count(before)
    visitor.click(right[0])
    expect(page.locator(".verdict.right")).to_be_visible()


def test_hints_and_answers_are_shown_and_do_not_count_as_done(arrive: Arrive) -> None:
    visitor = opened(arrive(reduced_motion="reduce"), "/learn/chefa#watch")
    page = visitor.page
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".verdict")).to_contain_text("One right answer")
    page.get_by_role("button", name="Next", exact=True).click()
    assert page.evaluate("localStorage.getItem('damier.lessons')") is None
    page.goto("/learn/chefa#threat")
    page.reload()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".verdict p")).not_to_be_empty()


def test_a_lesson_is_done_with_the_keyboard(arrive: Arrive) -> None:
    visitor = opened(arrive(reduced_motion="reduce"), "/learn/chefa#hole")
    page = visitor.page
    page.locator('.board [tabindex="0"]').focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".verdict.right")).to_contain_text("c3")
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Placing pawns")).to_be_focused()


def test_a_board_of_the_rules_is_played_on(arrive: Arrive) -> None:
    visitor = opened(arrive(), "/rules/renfa")
    figure = visitor.page.locator("#renfa-chain")
    expect(figure).to_contain_text("White to move")
    before = figure.locator(".piece").count()
    figure.locator('[role="gridcell"][data-cell="b3"] .hit').first.click()
    figure.get_by_role("button", name="Detonate b3").click()
    expect(figure).to_contain_text("Black to move")
    expect(figure.locator(".piece:not(.gone)")).to_have_count(before - 5)
    figure.get_by_role("button", name="Back to the picture").click()
    expect(figure.locator(".piece:not(.gone)")).to_have_count(before)
    expect(figure).to_contain_text("White to move")


def test_a_refusal_links_to_its_rule(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.begin("chefa", ["me", "me"])
    visitor.click("c3")
    link = visitor.page.locator(".board-place").get_by_role("link", name="Rules")
    expect(link).to_have_attribute("href", "/rules/chefa#material")
    opened(visitor, "/rules/chefa#material")
    expect(visitor.page.locator("#material")).to_be_focused()
    expect(visitor.page.locator("#material")).to_be_in_viewport()


def test_every_ruling_is_marked_and_can_be_reached(arrive: Arrive) -> None:
    visitor = opened(arrive(locale="fr-FR"), "/rules/badia")
    page = visitor.page
    expect(page.locator(".ruling")).to_have_count(7)
    page.get_by_role("link", name="Interprétation 5", exact=True).click()
    expect(page.locator("#ruling-5")).to_be_in_viewport()
    expect(page.locator("#ruling-5")).to_contain_text("Interprétation 5")
    assert page.url.endswith("/rules/badia#ruling-5")
    expect(page.locator("figure svg.board")).to_have_count(6)


def test_the_cards_of_the_first_page_lead_to_the_lessons(arrive: Arrive) -> None:
    visitor = opened(arrive(), "/")
    visitor.page.get_by_role("link", name="Learn Sensei").click()
    expect(visitor.page.get_by_role("heading", name="Sensei: lesson")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_the_pages_to_learn_from_are_accessible(arrive: Arrive, theme: str) -> None:
    visitor = came(arrive, theme)
    for game in ("renfa", "omba"):
        check(opened(visitor, f"/rules/{game}"))
    visitor.page.locator("#omba-out .under button").first.click()  # a roll of 1
    expect(visitor.page.locator("#omba-out .rule-status.over")).to_be_visible()
    check(visitor)
    check(opened(visitor, "/learn/omba"))
    opened(visitor, "/learn/chefa#watch")
    visitor.click("a1")
    expect(visitor.page.locator(".verdict.wrong")).to_be_visible()
    check(visitor)
    visitor.page.evaluate("localStorage.setItem('damier.lessons', JSON.stringify({chefa: [1, 2, 3], omba: [1]}))")
    check(opened(visitor, "/learn"))


@pytest.mark.parametrize(
    ("path", "locale"),
    sample(
        ["/learn", "/rules/sensei", "/rules/omba", "/learn/badia#marker", "/learn/omba#pieces-stay"],
        ["de-DE", "en-GB", "fr-FR"],
    ),
)
def test_the_pages_fit_a_phone(arrive: Arrive, path: str, locale: str) -> None:
    visitor = opened(arrive(viewport=PHONE, locale=locale), path)
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    if path.startswith("/learn/"):  # the board comes first
        board, text = (visitor.page.locator(part).bounding_box() for part in (".lesson svg.board", ".lesson-text"))
        assert board is not None
        assert text is not None
        assert board["y"] < text["y"]
