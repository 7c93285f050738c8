"""Checks pages with axe-core."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from tests.browser.visitor import Visitor

Arrive = Callable[..., Visitor]
AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def check(visitor: Visitor) -> None:
    """Runs axe-core on the page as it is now."""
    visitor.page.evaluate(AXE)
    found: list[dict[str, Any]] = visitor.page.evaluate(
        "async () => (await axe.run({resultTypes: ['violations']})).violations"
    )
    told = [{"rule": each["id"], "at": [node["html"][:200] for node in each["nodes"]][:5]} for each in found]
    assert not told, json.dumps(told, indent=1)


def came(arrive: Arrive, theme: str) -> Visitor:
    """Returns a new visitor with a theme, for whom nothing moves."""
    return arrive(color_scheme=theme, reduced_motion="reduce")
