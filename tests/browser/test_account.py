"""Accounts in the browser: made by a guest who plays, signed in to elsewhere, with passkeys and recovery codes."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import came, check
from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
PASSWORD = "correct horse"
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


def new_name(start: str = "Ann") -> str:
    return f"{start}-{secrets.token_hex(4)}"


def panel(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title, exact=True)


def make(page: Page, name: str) -> None:
    """Makes an account on its page."""
    page.goto("/account")
    form = panel(page, "Make an account")
    form.get_by_label("Name: 2 to 20").fill(name)
    form.get_by_label("New password").fill(PASSWORD)
    form.get_by_role("button", name="Make an account", exact=True).click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto("/account")
    form = panel(page, "Sign in")
    form.get_by_label("Name", exact=True).first.fill(name)
    form.get_by_label("Password", exact=True).first.fill(password)
    form.get_by_role("button", name="Sign in", exact=True).click()


def test_settings_and_progress_follow_to_another_browser_which_can_be_signed_out(arrive: Arrive) -> None:
    first, second = arrive(), arrive()
    name = new_name()
    first.page.goto("/account")
    first.page.evaluate("localStorage.setItem('damier.lessons', JSON.stringify({chefa: ['one']}))")
    first.page.evaluate("localStorage.setItem('damier', JSON.stringify({theme: 'dark'}))")
    make(first.page, name)
    second.page.goto("/account")
    second.page.evaluate("localStorage.setItem('damier.lessons', JSON.stringify({chefa: ['two']}))")
    sign_in(second.page, name.upper())
    expect(second.page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(second.page.locator("html[data-theme=dark]")).to_have_count(1)
    second.page.wait_for_function("localStorage.getItem('damier.lessons').includes('one')")
    first.page.wait_for_timeout(100)
    settings = "fetch('/api/account/settings').then((answer) => answer.json())"
    first.page.wait_for_function(f"{settings}.then(({{settings}}) => settings['damier.lessons'].chefa.length === 2)")
    first.page.reload()
    rows = panel(first.page, "Signed-in browsers").locator("li")
    expect(rows).to_have_count(2)
    first.page.get_by_role("button", name="Sign out all others").click()
    expect(rows).to_have_count(1)
    second.may_fail = True
    second.page.reload()
    expect(second.page.get_by_role("heading", level=1, name="Account")).to_be_visible()
    first.page.get_by_role("button", name="Sign out", exact=True).click()
    expect(first.page.get_by_role("heading", level=1, name="Account")).to_be_visible()
    assert first.page.evaluate("localStorage.getItem('damier.lessons')") is None


def test_a_wrong_password_is_told_and_a_recovery_code_leads_in(arrive: Arrive) -> None:
    first, second = arrive(), arrive()
    name = new_name()
    make(first.page, name)
    first.page.get_by_role("button", name="Make new codes").click()
    expect(first.page.locator(".codes li")).to_have_count(10)
    code = first.page.locator(".codes li").first.inner_text()
    second.may_fail = True
    sign_in(second.page, name, "wrong horse")
    expect(second.page.get_by_text("The name or the password is wrong.")).to_be_visible()
    second.page.get_by_text("Password forgotten?").click()
    form = second.page.locator("details form")
    form.get_by_label("Name", exact=True).fill(name)
    form.get_by_label("Recovery code").fill(code)
    form.get_by_label("New password").fill("another horse")
    form.get_by_role("button", name="Set the new password").click()
    expect(second.page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(second.page.get_by_text("9 codes are left.")).to_be_visible()


def test_an_account_is_made_signed_in_to_and_extended_with_passkeys(arrive: Arrive) -> None:
    visitor = arrive()
    page, name = visitor.page, new_name()
    session = visitor.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})
    here = visitor.address.replace("127.0.0.1", "localhost")  # passkeys belong to names
    page.goto(f"{here}/account")
    form = panel(page, "Make an account")
    form.get_by_label("Name: 2 to 20").fill(name)
    form.get_by_role("button", name="Make one with a passkey").click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(panel(page, "Set a password")).to_be_visible()
    page.get_by_role("button", name="Sign out", exact=True).click()
    panel(page, "Sign in").get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    visitor.may_fail = True
    keys = panel(page, "Passkeys")
    keys.get_by_role("button", name="Remove Passkey").click()
    expect(keys.get_by_text("This passkey is the only way into your account: set a password first.")).to_be_visible()
    visitor.may_fail = False
    session.send("WebAuthn.addVirtualAuthenticator", {"options": {**KEY, "transport": "usb"}})
    keys.get_by_label("Label").fill("Stick")
    keys.get_by_role("button", name="Add a passkey").click()
    expect(keys.locator("li")).to_have_count(2)
    keys.get_by_role("button", name="Remove Stick").click()
    expect(keys.locator("li")).to_have_count(1)


def test_tokens_name_export_and_deletion(arrive: Arrive, tmp_path: Path) -> None:
    visitor = arrive()
    page, name, other = visitor.page, new_name(), new_name("Zoe")
    make(page, name)
    tokens = panel(page, "Tokens of programs")
    tokens.get_by_label("Label").fill("My bot")
    tokens.get_by_label("Play", exact=True).check()
    tokens.get_by_role("button", name="Make a token").click()
    expect(tokens.get_by_label("Copy the token")).to_have_value(re.compile("damier_"))
    expect(tokens.locator("li")).to_contain_text("Read your matches, Play")
    tokens.get_by_role("button", name="Remove My bot").click()
    expect(tokens.locator("li")).to_have_count(0)
    names = panel(page, "Change the name")
    names.get_by_label("2 to 20 letters").fill(other)
    names.get_by_role("button", name="Change the name").click()
    expect(page.locator(".me")).to_contain_text(other)
    with page.expect_download() as download:
        page.get_by_role("link", name="Export everything as a file").click()
    assert download.value.suggested_filename == f"damier-{other}.json"
    download.value.save_as(tmp_path / "export.json")
    assert json.loads((tmp_path / "export.json").read_text())["account"]["name"] == other
    page.get_by_text("Delete the account").first.click()
    form = page.locator("details form")
    form.get_by_label("Name", exact=True).fill(other)
    form.get_by_label("Password", exact=True).fill(PASSWORD)
    form.get_by_role("button", name="Delete the account").click()
    expect(page).to_have_url("/")
    expect(page.locator(".me")).not_to_contain_text(other)
    visitor.may_fail = True
    page.goto(f"/u/{other}")
    expect(page.get_by_text("There is no such account.")).to_be_visible()


def test_a_guest_who_plays_makes_an_account_and_plays_on(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive()
    number = ann.begin("chefa", ["me", "open"])
    shot = ann.context.request.get(f"/api/matches/{number}").json()
    invitation = shot["invitations"]["w"]
    answer = bob.context.request.post(f"/api/matches/{number}/seats", data={"invitation": invitation})
    assert answer.ok
    bob.page.goto(f"/m/{number}")
    bob.wait_for_board()
    ann.page.reload()
    ann.wait_for_board()
    ann.play(ann.state()["actions"], "a1")
    other = ann.context.new_page()
    name = new_name()
    make(other, name)
    expect(bob.page.get_by_role("link", name=name)).to_be_visible()  # at once
    bob.wait_until_drawn(bob.state(0))
    bob.play(bob.state()["actions"], "b1")
    ann.wait_until_drawn(ann.state(1))
    ann.play(ann.state()["actions"], "c1")  # on the page that was open all the time
    assert [entry["action"] for entry in ann.state(2)["history"]] == ["a1", "b1", "c1"]
    ann.page.goto("/")
    expect(ann.page.locator(".me")).to_contain_text(name)
    expect(ann.page.locator(".earlier a")).to_have_count(1)
    bob.page.get_by_role("link", name=name).click()
    expect(bob.page).to_have_url(f"/u/{name}")
    expect(bob.page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(bob.page.locator(".account-list li")).to_have_count(1)


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_the_pages_of_accounts_are_accessible(arrive: Arrive, theme: str) -> None:
    visitor = came(arrive, theme)
    page, name = visitor.page, new_name()
    page.goto("/account")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_text("Password forgotten?").click()
    check(visitor)
    make(page, name)
    page.get_by_role("button", name="Make new codes").click()
    expect(page.locator(".codes li")).to_have_count(10)
    check(visitor)
    page.goto(f"/u/{name}")
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    check(visitor)


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_the_page_fits_a_phone_in_every_language(arrive: Arrive, lang: str) -> None:
    page = arrive(viewport={"width": 320, "height": 640}, locale=lang).page
    page.goto("/account")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    name = new_name()
    page.locator("section").nth(1).locator("input").nth(0).fill(name)
    page.locator("section").nth(1).locator("input").nth(1).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(page.locator(".account-list li").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "account." not in page.locator("#page").inner_text()  # no key without a text
