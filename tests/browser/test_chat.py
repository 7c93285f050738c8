"""Chat in the browser: two players and a spectator, mute and block, a report, and what a moderator does about it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from damier.server.store.administration import change
from damier.server.store.dialect import parse_database
from tests.browser.accessibility import check
from tests.browser.visitor import Visitor
from tests.server.accounts import name_like
from tests.shared import process_home

Arrive = Callable[..., Visitor]
SIGN_UP = """name => fetch('/api/account', {method: 'POST', headers: {'Content-Type': 'application/json'},
  body: JSON.stringify({name, password: 'correct horse'})}).then(answer => answer.ok)"""
SIT = """([number, invitation]) => fetch(`/api/matches/${number}/seats`, {method: 'POST',
  headers: {'Content-Type': 'application/json'}, body: JSON.stringify({invitation})}).then(answer => answer.ok)"""


def person(arrive: Arrive, start: str, **settings: object) -> tuple[Visitor, str]:
    """Lets somebody come who is signed in; returns the name, too."""
    visitor, name = arrive(**settings), name_like(start)
    visitor.page.goto("/privacy")
    assert visitor.page.evaluate(SIGN_UP, name)
    return visitor, name


def board(ann: Visitor, bob: Visitor) -> str:
    """Begins a match of two and opens its page for both; returns its number."""
    number = ann.begin("chefa", ["me", "open"])
    invitation = ann.page.evaluate("n => fetch(`/api/matches/${n}`).then(answer => answer.json())", number)
    bob.page.goto("/privacy")
    assert bob.page.evaluate(SIT, [number, invitation["invitations"]["w"]])
    bob.page.goto(f"/m/{number}")
    bob.wait_for_board()
    return number


def talk(page: Page) -> Locator:
    """Opens the chat and returns its messages."""
    page.get_by_role("tab", name="Chat").click()
    return page.get_by_role("log", name="Messages")


def appoint(name: str) -> None:
    """Makes a moderator of an account of the server that all browser tests share."""
    (database,) = process_home("server").rglob("*.sqlite")
    assert change(parse_database(database), name, is_moderator=True).is_moderator


def test_two_players_and_a_spectator_talk_report_and_are_moderated(arrive: Arrive) -> None:
    (ann, ann_name), (bob, bob_name) = person(arrive, "Ann"), person(arrive, "Bob")
    eve = arrive(locale="fr")
    number = board(ann, bob)
    eve.page.goto(f"/m/{number}")
    # what players write, players read
    hers = talk(ann.page)
    ann.page.get_by_label("Write a message").fill("Hello <i>Bob</i>")
    ann.page.keyboard.press("Enter")
    expect(hers).to_contain_text("Hello <i>Bob</i>")
    tab = bob.page.get_by_role("tab", name="Chat")
    expect(tab).to_contain_text("1 new message")
    his = talk(bob.page)
    expect(his).to_contain_text(f"{ann_name} Hello <i>Bob</i>")
    expect(tab).not_to_contain_text("new message")
    bob.page.get_by_role("button", name="Good luck and have fun!").click()
    expect(hers).to_contain_text("Good luck and have fun!")
    # a guest who watches has another room, phrases only, and another language
    eve.page.get_by_role("tab", name="Discussion").click()
    eve.page.get_by_role("button", name="Bonjour !").click()
    seen = eve.page.get_by_role("log")
    expect(seen).to_contain_text("Bonjour !")
    expect(seen).not_to_contain_text("Bob")
    expect(eve.page.get_by_label("Écrire un message")).to_be_hidden()
    expect(hers).not_to_contain_text("Hello!")
    # muted, and shown again
    ann.page.get_by_role("button", name=f"{bob_name}: mute, block, report").first.click()
    check(ann)
    ann.page.get_by_role("dialog").get_by_role("button", name="Mute").click()
    expect(hers).not_to_contain_text("Good luck")
    ann.page.get_by_role("button", name=f"{bob_name}: mute, block, report").first.click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Unmute").click()
    expect(hers).to_contain_text("Good luck")
    # a report, by the name at a message
    hers.get_by_role("button", name=bob_name).click()
    ann.page.get_by_role("button", name="Report …").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_label("Reason").select_option("spam")
    dialog.get_by_label("What happened?").fill("Too much luck")
    check(ann)
    dialog.get_by_role("button", name="Send the report").click()
    expect(dialog).to_contain_text("A moderator will look at it.")
    dialog.get_by_role("button", name="Close").click()
    # the end opens the rooms
    bob.page.get_by_role("button", name="Resign").click()
    bob.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ann.page.get_by_role("button", name="Spectators").click()
    expect(hers).to_contain_text("Hello!")
    check(ann)
    # a moderator
    judge, judge_name = person(arrive, "Judge")
    judge.may_fail = True
    judge.page.goto("/moderation")
    expect(judge.page.get_by_text("Only moderators may do that.")).to_be_visible()
    appoint(judge_name)
    judge.page.wait_for_timeout(6_000)  # the server notices within 5 s
    judge.page.goto("/account")
    judge.page.get_by_role("link", name="Moderation").click()
    report = judge.page.get_by_role("article", name=f"Report about {bob_name}")
    expect(report).to_contain_text("Too much luck")
    expect(report).to_contain_text("Good luck and have fun!")
    check(judge)
    report.get_by_label("Why").fill("Luck is enough once")
    report.get_by_role("button", name="No chat for 15 minutes").click()
    expect(report).to_contain_text("May not write until")
    expect(bob.page.get_by_role("alert").filter(has_text="A moderator has stopped your messages")).to_be_visible()
    expect(bob.page.get_by_label("Write a message")).to_be_hidden()
    report.get_by_label("Why").fill("Gone")
    report.get_by_role("button", name="Remove: Good luck").click()
    ann.page.get_by_role("button", name="Players").click()
    expect(hers).not_to_contain_text("Good luck")
    report.get_by_role("button", name="Close the report").click()
    expect(report).to_have_count(0)
    log = judge.page.get_by_role("region", name="Log").first
    expect(log).to_contain_text("Luck is enough once")
    expect(log).to_contain_text("message removed: Good luck and have fun!")
    # blocked, from the profile; ended on the page of the account
    ann.page.goto(f"/u/{bob_name}")
    ann.page.get_by_role("button", name=f"{bob_name}: mute").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Block").click()
    expect(ann.page.get_by_role("dialog")).to_have_count(0)
    ann.page.goto("/account")
    blocked = ann.page.get_by_role("region", name="Muted and blocked people")
    expect(blocked).to_contain_text(bob_name)
    check(ann)
    blocked.get_by_role("button", name=f"Unblock: {bob_name}").click()
    expect(blocked).to_contain_text("Nobody.")


@pytest.mark.parametrize(("lang", "theme", "width"), [("de", "dark", 390), ("fr", "light", 1280)])
def test_the_chat_is_accessible_fits_and_can_be_switched_off(arrive: Arrive, lang: str, theme: str, width: int) -> None:
    ann, _ = person(
        arrive,
        "Ann",
        locale=lang,
        color_scheme=theme,
        reduced_motion="reduce",
        viewport={"width": width, "height": 800},
    )
    board(ann, arrive())
    page = ann.page
    page.locator('[data-tab="chat"]').click()
    page.locator(".chat-form input").fill("x" * 200)
    page.keyboard.press("Enter")
    expect(page.locator(".chat-lines p")).to_have_count(2)
    check(ann)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not {"chat.", "person.", "report."} & {text[:5] for text in page.locator(".chat").inner_text().split()}
    page.locator(".person-more").click()
    expect(page.locator("dialog.person")).to_be_visible()
    assert "person." not in page.locator("dialog.person").inner_text()
    check(ann)
    page.keyboard.press("Escape")
    page.evaluate("""() => localStorage.setItem('damier', JSON.stringify({chat: false}))""")
    page.reload()
    ann.wait_for_board()
    expect(page.locator(".player-cards, .players").first).to_be_visible()
    expect(page.locator('[data-tab="chat"]')).to_be_hidden()
