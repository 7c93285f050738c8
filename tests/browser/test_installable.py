"""The site as an app: pages open without a connection, with a sentence."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import Arrive, check

READY = "() => navigator.serviceWorker.ready.then(({active}) => active !== null)"
KEPT = """async () => (await Promise.all((await caches.keys()).map(async (name) =>
  (await (await caches.open(name)).keys()).map(({url}) => new URL(url).pathname)))).flat()"""


@pytest.mark.parametrize(
    ("lang", "said"), [("en-GB", "No connection"), ("fr", "Pas de connexion"), ("de", "Keine Verbindung")]
)
def test_a_page_opens_without_a_connection_and_goes_on_with_one(arrive: Arrive, lang: str, said: str) -> None:
    visitor = arrive(service_workers="allow", locale=lang)
    page = visitor.page
    page.goto("/privacy")
    expect(page.locator("#top")).to_be_visible()
    assert page.evaluate(READY)
    kept = page.evaluate(KEPT)
    assert "/offline" in kept
    assert [path for path in kept if not path.startswith("/static/")] == ["/offline"], "No data is kept."
    visitor.may_fail = True
    visitor.context.set_offline(True)
    for path in ("/", "/learn"):
        page.goto(path)
        expect(page.get_by_role("heading")).to_have_text(said)
        expect(page.locator("section:visible")).to_have_count(1)
    check(visitor)
    visitor.context.set_offline(False)
    expect(page.locator("#top")).to_be_visible(timeout=30_000)
    visitor.may_fail = False
