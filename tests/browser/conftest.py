"""One server and one browser for all browser tests of a run; each test has visitors of its own."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

import damier
from tests.browser.visitor import Visitor
from tests.shared import built_table, shared_process
from tools.browser import NoBrowser, chromium, start_chromium, start_server
from tools.browser import address as read_address

PATIENCE = 30_000  # milliseconds; a busy machine is slow, and a test that waits longer has failed anyway
expect.set_options(timeout=PATIENCE)


def _serve(home: Path) -> tuple[subprocess.Popen[str], str]:
    shutil.copytree(built_table(damier.load("renfa", bombs=3)).folder, home / "tables")
    process = start_server(home)
    return process, read_address(process, r"http://[^\s/]+")


@pytest.fixture(scope="session")
def address() -> str:
    """The address of the server, without a slash at the end. It has the table of one small game."""
    return shared_process("server", _serve)


def _browse(home: Path) -> tuple[subprocess.Popen[str], str]:
    process = start_chromium(home)
    return process, read_address(process, r"wss?://\S+")


@pytest.fixture(scope="package")  # no longer: an event loop runs while playwright is open
def window() -> Iterator[Browser]:
    """The browser; without one the tests fail."""
    try:
        chromium()
    except NoBrowser as error:
        pytest.fail(str(error), pytrace=False)
    with sync_playwright() as playwright:
        yield playwright.chromium.connect(shared_process("chromium", _browse))


@pytest.fixture
def arrive(window: Browser, address: str) -> Iterator[Callable[..., Visitor]]:
    """Lets a new visitor come, with settings of a browser context; at the end nothing may have gone wrong."""
    with contextlib.ExitStack() as leaving:
        visitors: list[Visitor] = []

        def come(**settings: Any) -> Visitor:
            usual = {"locale": "en-GB", "service_workers": "block"}
            context = window.new_context(base_url=address, **{**usual, **settings})
            leaving.callback(context.close)
            visitors.append(Visitor(context, address))
            return visitors[-1]

        yield come
        for visitor in visitors:
            assert visitor.problems == []
