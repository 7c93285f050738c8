"""One server and one browser for all tests of this package in a process; each test has visitors of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.visitor import Visitor
from tools.browser import NoBrowser, browser, chromium, served


@pytest.fixture(scope="package")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the server."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="package")
def address(home: Path) -> Iterator[str]:
    """A server that runs, without the slash at the end of its address."""
    with served(home) as found:
        yield found


@pytest.fixture(scope="package")
def window() -> Iterator[Browser]:
    """A browser that runs; without one the tests fail."""
    try:
        chromium()
    except NoBrowser as error:
        pytest.fail(str(error), pytrace=False)
    with browser() as found:
        yield found


@pytest.fixture
def arrive(window: Browser, address: str) -> Iterator[Callable[..., Visitor]]:
    """Lets a new visitor come, with settings of a browser context; at the end nothing may have gone wrong."""
    with contextlib.ExitStack() as leaving:
        visitors: list[Visitor] = []

        def come(**settings: Any) -> Visitor:
            context = window.new_context(base_url=address, **{"locale": "en-GB", **settings})
            leaving.callback(context.close)
            visitors.append(Visitor(context, address))
            return visitors[-1]

        yield come
        for visitor in visitors:
            assert visitor.problems == []
