"""Notices in the browser: the bell, the page of settings, and what the service worker shows.

The browser's own push service is out of reach in tests, so `subscribe` is replaced there; the rest is real.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import Arrive, came, check
from tests.browser.visitor import Visitor
from tests.server.notices.receivers import PushService

PASSWORD = "correct horse"
SLOW = {"kind": "correspondence", "base": 172_800, "increment": 86_400, "cap": 345_600}
SUBSCRIBED = """(given) => {
  const made = {endpoint: given.endpoint, options: {}, toJSON: () => given};
  made.unsubscribe = async () => !(sessionStorage.subscribed = "");
  PushManager.prototype.subscribe = async function (asked) {
    if (!asked.userVisibleOnly || asked.applicationServerKey.length !== 87) throw new Error("asked in another way");
    sessionStorage.subscribed = "yes";
    return made;
  };
  PushManager.prototype.getSubscription = async () => (sessionStorage.subscribed ? made : null);
  Notification.requestPermission = async () => "granted";
}"""
READY = "() => navigator.serviceWorker.ready.then(({active}) => active !== null)"


def post(visitor: Visitor, path: str, data: Any = None, status: int = 200) -> Any:
    answer = visitor.context.request.post(path, data=data or {}, headers={"Origin": visitor.address})
    assert answer.status == status, answer.text()
    return answer.json() if status != 204 else None


def account(visitor: Visitor) -> str:
    name = f"Ann-{secrets.token_hex(4)}"
    post(visitor, "/api/account", {"name": name, "password": PASSWORD}, 201)
    return name


def challenge(visitor: Visitor, rival: str) -> str:
    asked = {"kind": "challenge", "rival": rival, "terms": [{"game": "chefa", "clock": SLOW}]}
    return str(post(visitor, "/api/seeks", asked, 201)["seek"]["number"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_page_says_what_happens_elsewhere_and_the_bell_keeps_it(arrive: Arrive, theme: str) -> None:
    ann, bob = came(arrive, theme), arrive()
    anns = account(ann)
    bobs = account(bob)
    ann.page.goto("/learn")
    with ann.page.expect_websocket(lambda socket: "notices/live" in socket.url):
        ann.page.reload()
    expect(ann.page.locator(".bell")).to_have_count(0)
    number = challenge(bob, anns)
    box = ann.page.locator(".notice-box")
    expect(box).to_contain_text(f"{bobs} challenges you: Chefa, 2 days + 1 day/turn.", timeout=30_000)
    check(ann)
    box.get_by_role("button", name="Close").click()
    expect(box).to_have_count(0)
    bell = ann.page.get_by_role("button", name="1 notice")
    expect(bell).to_be_visible()
    ann.page.set_viewport_size({"width": 320, "height": 640})
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= 320
    check(ann)
    bell.click()
    listed = ann.page.get_by_role("dialog", name="Notices")
    check(ann)
    listed.get_by_role("link", name="A challenge").click()
    expect(ann.page).to_have_url(re.compile(f"/lobby/{number}$"))
    expect(bell).to_be_hidden()
    ann.page.goto("/learn")
    expect(bell).to_be_visible()  # a page that comes later finds it
    assert bob.context.request.delete(f"/api/seeks/{number}", headers={"Origin": bob.address}).status == 204
    expect(bell).to_be_hidden(timeout=30_000)


def test_the_bell_speaks_the_language_that_is_chosen(arrive: Arrive) -> None:
    ann, bob = arrive(), arrive()
    anns = account(ann)
    account(bob)
    challenge(bob, anns)
    ann.page.goto("/learn")
    expect(ann.page.get_by_role("button", name="1 notice")).to_be_visible(timeout=30_000)
    ann.page.locator("select[name=lang]").select_option("de")
    expect(ann.page.get_by_role("button", name="1 Benachrichtigung")).to_be_visible(timeout=30_000)


def test_a_browser_is_switched_on_and_off_and_each_kind_is_chosen(arrive: Arrive) -> None:
    visitor = arrive(service_workers="allow", reduced_motion="reduce")
    page = visitor.page
    given = {"endpoint": f"https://push.example.org/{secrets.token_hex(8)}", "keys": PushService().keys}
    page.add_init_script(f"({SUBSCRIBED})({json.dumps(given)})")
    page.goto("/notices")
    expect(page.get_by_role("heading", level=1, name="Notices")).to_be_visible()
    check(visitor)
    page.get_by_role("button", name="Show notices in this browser").click()
    off = page.get_by_role("button", name="Show no more notices in this browser")
    expect(off).to_be_visible(timeout=30_000)
    options = visitor.context.request.get("/api/notices").json()
    assert len(options["browsers"]) == 1
    box = page.get_by_role("checkbox", name="Somebody challenges you: Browser")
    expect(box).to_be_checked()
    box.uncheck()
    expect(page.get_by_text("Stored.")).to_be_visible()
    page.reload()
    expect(off).to_be_visible(timeout=30_000)
    expect(box).not_to_be_checked()
    check(visitor)
    off.click()
    expect(page.get_by_role("button", name="Show notices in this browser")).to_be_visible(timeout=30_000)
    assert visitor.context.request.get("/api/notices").json()["browsers"] == []


def test_a_link_of_an_e_mail_needs_a_click_and_a_bad_one_says_so(arrive: Arrive) -> None:
    visitor = came(arrive, "light")
    page = visitor.page
    for what, text in (("confirm", "Confirm"), ("unsubscribe", "Send me no more e-mails")):
        page.goto(f"/notices?{what}=nonsense")
        visitor.may_fail = True
        page.get_by_role("button", name=text, exact=True).click()
        expect(page.get_by_text("This link is not valid, or too old: ask for a new one.")).to_be_visible()
        visitor.may_fail = False
        check(visitor)


WATCHED = """() => {
  self.shown = [];
  self.went = [];
  self.registration.showNotification = async (title, {body, tag, data}) => self.shown.push({title, body, tag, data});
  WindowClient.prototype.focus = async function () { self.went.push(`focus ${new URL(this.url).pathname}`); };
  self.clients.openWindow = async (url) => self.went.push(`open ${new URL(url).pathname}`);
}"""
CLICKED = """async (path) => {
  const event = new Event("notificationclick");
  const done = [];
  Object.assign(event, {notification: {data: path, close: () => self.went.push("close")}});
  event.waitUntil = (promise) => done.push(promise);
  self.dispatchEvent(event);
  await Promise.all(done);
  return self.went.splice(0);
}"""


def test_the_service_worker_shows_a_notice_unless_a_page_is_in_sight(arrive: Arrive) -> None:
    visitor = arrive(service_workers="allow")
    page = visitor.page
    page.goto("/privacy")
    assert page.evaluate(READY)
    session = visitor.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(
            each["registrationId"] for each in told["registrations"] if each["scopeURL"].startswith(visitor.address)
        ),
    )
    session.send("ServiceWorker.enable")
    wait(page, lambda: found and visitor.context.service_workers)
    worker = visitor.context.service_workers[0]
    worker.evaluate(WATCHED)
    told = {"title": "Your turn", "body": "It is your turn.", "path": "/learn", "tag": "match-x", "lang": "en"}
    push = {"origin": visitor.address, "registrationId": found[0]}
    session.send("ServiceWorker.deliverPushMessage", {**push, "data": json.dumps(told)})
    page.wait_for_timeout(500)
    assert worker.evaluate("() => self.shown") == [], "The page is in sight."
    page.goto("about:blank")
    session.send("ServiceWorker.deliverPushMessage", {**push, "data": json.dumps(told)})
    wait(page, lambda: worker.evaluate("() => self.shown"))
    shown = [{"title": "Your turn", "body": "It is your turn.", "tag": "match-x", "data": "/learn"}]
    assert worker.evaluate("() => self.shown") == shown
    assert worker.evaluate(CLICKED, "/learn") == ["close", "open /learn"]
    assert worker.evaluate(CLICKED, "https://example.org/") == ["close"], "Only pages of this site are opened."
    page.goto("/learn")
    assert worker.evaluate(CLICKED, "/learn") == ["close", "focus /learn"]


def wait(page: Page, is_there: Callable[[], Any]) -> None:
    for _ in range(300):
        if is_there():
            return
        page.wait_for_timeout(100)
    pytest.fail("It did not happen.")
