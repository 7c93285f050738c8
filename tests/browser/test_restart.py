"""A server that is started again: pages connect again soon, by themselves or with a button."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor
from tools.browser import served

Arrive = Callable[..., Visitor]


@pytest.mark.slow
def test_a_page_connects_again_when_the_server_is_back(
    arrive: Arrive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = arrive()
    page = visitor.page
    retry = page.get_by_role("button", name="Try again now")
    with served(tmp_path) as address:
        body = {"game": "renfa", "seats": ["me", "me"], "options": {}}
        answer = visitor.context.request.post(f"{address}/api/matches", data=body, headers={"Origin": address})
        page.goto(f"{address}/m/{answer.json()['number']}")
        visitor.wait_for_board()
        visitor.click("c3")
        visitor.wait_until_drawn(visitor.state(after=0))
        expect(retry).to_have_count(0)
        visitor.may_fail = True
    expect(page.get_by_text("Connecting…")).to_be_visible()
    expect(retry).to_be_visible()
    visitor.click("d4")  # sent when the server is back
    monkeypatch.setenv("DAMIER_PORT", address.rpartition(":")[2])
    with served(tmp_path):
        expect(page.get_by_text("Connecting…")).to_be_hidden(timeout=4000)
        expect(retry).to_have_count(0)
        assert [step["action"] for step in visitor.state(after=1)["history"]] == ["c3", "d4"]
        visitor.page.close()
