"""The privacy page: what it says, and the button that deletes a visitor's data."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
TITLES = {"en": "Privacy", "fr": "Confidentialité", "de": "Datenschutz"}


@pytest.mark.parametrize("lang", TITLES)
def test_the_first_page_leads_to_what_is_stored(arrive: Arrive, lang: str) -> None:
    page = arrive(locale=lang).page
    page.goto("/")
    page.get_by_role("link", name=TITLES[lang], exact=True).click()
    expect(page).to_have_url("/privacy")
    expect(page.get_by_role("heading", level=1, name=TITLES[lang])).to_be_visible()
    expect(page.get_by_role("heading", level=2)).to_have_count(9)
    assert "privacy." not in page.locator("#page").inner_text()  # no key without a text


def test_the_page_fits_a_phone(arrive: Arrive) -> None:
    page = arrive(viewport={"width": 320, "height": 640}).page
    page.goto("/privacy")
    expect(page.get_by_role("button", name="Delete my data")).to_be_visible()
    expect(page.locator(".places-button")).to_have_text("Places")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_visitor_deletes_their_data_after_a_question(arrive: Arrive) -> None:
    visitor = arrive()
    page = visitor.page
    page.goto("/")
    page.evaluate("fetch('/api/me', {method: 'PUT', headers: {'Content-Type': 'application/json'},"
                  " body: JSON.stringify({nickname: 'Annika'})})")  # fmt: skip
    page.evaluate("localStorage.setItem('damier.lessons', '{}'); localStorage.setItem('other', 'x')")
    page.goto("/privacy")
    expect(page.locator(".me")).to_contain_text("Annika")
    before = visitor.page.context.cookies()
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert visitor.page.context.cookies() == before
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete my data").click()
    expect(page.get_by_text("Your data is deleted.")).to_be_visible()
    assert page.context.cookies() == []
    assert page.evaluate("Object.keys(localStorage)") == ["other"]
    expect(page.locator(".me")).to_be_hidden()
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.locator(".me")).to_have_text(re.compile(r"\w-\w+"))


def test_the_dialog_of_the_nickname_leads_to_what_is_stored(arrive: Arrive) -> None:
    page = arrive().page
    page.goto("/solutions")
    page.locator(".me").click()
    page.get_by_role("link", name="What is stored about you").click()
    expect(page).to_have_url("/privacy")
    expect(page.get_by_role("dialog")).to_have_count(0)
