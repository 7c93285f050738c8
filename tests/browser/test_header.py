"""The header in one row, fonts, sound, the nickname, and the first page with what it lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.samples import sample
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]

# The width that the page needs and has, and the vertical middles of all that the header shows.
HEADER = """() => [document.documentElement.scrollWidth, innerWidth,
  [...document.querySelectorAll("#top .brand, #top button:not(.skip), #top label, #top .places a")]
    .map((node) => node.getBoundingClientRect()).filter(({width}) => width > 0)
    .map(({x, y, width, height}) => [x, x + width, y + height / 2, Math.min(width, height)])]"""

# The families of the fonts that are loaded.
LOADED = """async () => {
  await document.fonts.ready;
  return [...document.fonts].filter(({status}) => status === "loaded").map(({family}) => family.replaceAll('"', ""));
}"""

# Counts the sounds that are made from now on.
COUNT_SOUNDS = """() => {
  window.sounds = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...given) { window.sounds++; return start.apply(this, given); };
}"""


@pytest.mark.parametrize("lang", sample(["de", "en", "fr"]))
def test_the_header_is_one_row_however_narrow(arrive: Arrive, lang: str) -> None:
    visitor = arrive(locale=lang)
    for width, height in ((390, 844), (320, 640), (640, 400), (1280, 800)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        for path in ("/", "/solutions"):
            visitor.page.goto(path)
            expect(visitor.page.locator(".me")).to_be_visible()
            needed, available, parts = visitor.page.evaluate(HEADER)
            assert needed <= available, f"{path} at {width}"
            assert len(parts) >= 6
            middles = [middle for _, _, middle, _ in parts]
            assert max(middles) - min(middles) < 8, f"{path} at {width}: {parts}"
            for (_, right, _, _), (left, _, _, _) in pairwise(parts):
                assert right <= left + 1, f"{path} at {width}: {parts}"
            assert min(size for *_, size in parts[1:]) >= 43.9, "Fingers need 44 pixels."


def test_the_places_open_as_a_list_on_a_phone(arrive: Arrive) -> None:
    page = arrive(viewport={"width": 390, "height": 844}).page
    page.goto("/")
    opener, link = page.get_by_role("button", name="Places"), page.locator(".places a", has_text="Learn")
    expect(link).to_be_hidden()
    opener.press("Enter")
    expect(link).to_be_visible()
    opener.press("Escape")
    expect(link).to_be_hidden()
    opener.click()
    link.click()
    expect(page).to_have_url(re.compile("/learn$"))
    expect(link).to_be_hidden()
    expect(opener).to_contain_text("Learn")


def test_the_fonts_are_loaded_and_used(arrive: Arrive) -> None:
    page = arrive().page
    page.goto("/")
    expect(page.locator(".card h2").first).to_be_visible()
    assert {"Damier Sans", "Damier Serif"} <= set(page.evaluate(LOADED))
    family = "(selector) => getComputedStyle(document.querySelector(selector)).fontFamily"
    assert page.evaluate(family, "body").startswith('"Damier Sans"')
    assert page.evaluate(family, ".card h2").startswith('"Damier Serif"')


def test_sounds_are_muted_by_one_click_and_stay_so(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.begin("chefa", ["me", "me"])
    visitor.page.evaluate(COUNT_SOUNDS)
    visitor.click("b1")
    visitor.wait_until_drawn(visitor.state(after=0))
    assert visitor.page.evaluate("() => sounds") > 0
    switch = visitor.page.locator("#top .sound")
    expect(switch).to_have_attribute("aria-checked", "true")
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
    visitor.page.reload()
    visitor.wait_for_board()
    expect(switch).to_have_attribute("aria-checked", "false")
    visitor.page.evaluate(COUNT_SOUNDS)
    visitor.click("c1")
    visitor.wait_until_drawn(visitor.state(after=1))
    assert visitor.page.evaluate("() => sounds") == 0


def test_a_nickname_is_changed_in_the_header_and_seen_by_the_other_player(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive()
    number = ann.begin("chefa", ["me", "open"])
    invitation = ann.context.request.get(f"/api/matches/{number}").json()["invitations"]["w"]
    ann.page.locator(".me").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("<b>x</b>")
    ann.may_fail = True  # the refusal below
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("A nickname has 2 to 20 characters")
    ann.may_fail = False
    dialog.get_by_role("textbox").fill("Ann O'Hara")
    dialog.get_by_role("textbox").press("Enter")
    expect(dialog).to_be_hidden()
    expect(ann.page.locator(".me")).to_contain_text("Ann O'Hara")
    headers = {"Origin": bob.address}
    assert bob.context.request.post(f"/api/matches/{number}/seats", data={"invitation": invitation}, headers=headers).ok
    bob.page.goto("/")
    expect(bob.page.locator(".earlier a")).to_contain_text("Ann O'Hara")


def test_a_match_is_continued_from_a_card_with_its_board(arrive: Arrive) -> None:
    visitor = arrive()
    number = visitor.begin("chefa", ["me", "me"])
    visitor.click("b1")
    visitor.wait_until_drawn(visitor.state(after=0))
    visitor.page.goto("/")
    card = visitor.page.locator(".earlier a")
    expect(card.locator("svg.board .piece")).to_have_count(1)
    card.click()
    expect(visitor.page).to_have_url(re.compile(f"/m/{number}$"))


def test_pits_are_chosen_by_clicking_with_those_opposite(arrive: Arrive) -> None:
    visitor = arrive()
    visitor.page.goto("/")
    visitor.page.get_by_role("button", name="Sensei: choose").click()
    dialog = visitor.page.get_by_role("dialog")
    dialog.locator("summary").click()
    expect(dialog.get_by_role("grid")).to_have_count(0)
    dialog.get_by_label("Variant").select_option("Arashi for experts, with pits")
    cell = '[role="gridcell"][data-cell="{}"]'
    expect(dialog.get_by_role("grid")).to_be_visible()
    dialog.locator(cell.format("c3")).click()
    expect(dialog.locator(cell.format("e5"))).to_have_attribute("aria-label", "e5")
    visitor.may_fail = True  # the refusal below
    dialog.locator(cell.format("b1")).click()
    expect(dialog.get_by_role("alert").first).to_have_text("The option pits leaves rows 1 and 7 free.")
    visitor.may_fail = False
    dialog.locator(cell.format("b4")).click()
    expect(dialog.locator(cell.format("f4"))).to_have_attribute("aria-label", "f4, chosen")
    expect(dialog.locator(cell.format("b4"))).to_be_focused()
    visitor.page.keyboard.press("ArrowRight")
    visitor.page.keyboard.press("Enter")
    expect(dialog.locator(cell.format("e4"))).to_have_attribute("aria-label", "e4, chosen")
    dialog.get_by_role("button", name="Start").click()
    expect(visitor.page).to_have_url(re.compile("/m/"))
    options = visitor.context.request.get(f"/api/matches/{visitor.number()}").json()["options"]
    assert options == {"variant": "arashi-expert", "pits": "e3,b4,c4,e4,f4,c5"}
