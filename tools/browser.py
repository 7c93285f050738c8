"""Debian's chromium and a server of one's own: for the browser tests and for the screenshots.

python -m tools.browser     install chromium where it is missing
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, sync_playwright
from websockets.sync.client import connect
from websockets.sync.connection import Connection

from damier.core import folders
from tools.debian import apt

State = dict[str, Any]
#: The first has no windows, not even hidden ones, and takes a little more than half the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE = 20


class NoBrowser(Exception):
    """No chromium is installed."""


def chromium() -> str:
    """Returns where chromium is; raises `NoBrowser` with a sentence."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise NoBrowser("The browser tests need chromium: install it with 'sudo apt-get install chromium'.")


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """Runs chromium without a window."""
    path = chromium()
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield found
        finally:
            found.close()


def environment(home: Path) -> dict[str, str]:
    """Returns the environment of commands that keep everything but compiled kernels in `home`."""
    cache = str(folders.cache_folder())
    limits = {"REQUESTS_PER_SECOND": "1000", "SIGN_INS_PER_HOUR": "10000", "ACCOUNTS_PER_ADDRESS": "10000"}
    raised = {f"DAMIER_{name}": value for name, value in limits.items()}
    return {**os.environ, "DAMIER_HOME": str(home), "DAMIER_CACHE": cache, **raised}


def start_server(home: Path) -> subprocess.Popen[str]:
    """Starts a server, which prints its address."""
    command = [sys.executable, "-m", "damier", "serve", "--no-browser", "--workers", "1"]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment(home), start_new_session=os.name == "posix"
    )


def start_chromium(folder: Path) -> subprocess.Popen[str]:
    """Starts a chromium that several processes can connect to; it prints its address."""
    options = folder / "chromium.json"
    options.write_text(json.dumps({"executablePath": chromium(), "args": ARGUMENTS, "headless": True}))
    command = [sys.executable, "-m", "playwright", "launch-server", "--browser", "chromium", "--config", str(options)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=os.name == "posix")


def address(process: subprocess.Popen[str], pattern: str) -> str:
    """Waits for the first line that a process prints and returns what matches `pattern` in it."""
    assert process.stdout
    line = process.stdout.readline()
    found = re.search(pattern, line)
    assert found, f"No address in the first line of the process: {line!r}."
    return found[0]


@contextlib.contextmanager
def served(home: Path) -> Iterator[str]:
    """Runs a server in a process of its own; yields its address, without a slash at the end."""
    process = start_server(home)
    with process:
        try:
            yield address(process, r"http://[^\s/]+")
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()


def play(context: BrowserContext, address: str, number: str, choose: Callable[[State], str | None]) -> None:
    """Plays in a match for a visitor, faster than by a page, until the end or until `choose` returns None."""
    cookie = "; ".join(f"{each['name']}={each['value']}" for each in context.cookies(address))
    live = f"{address.replace('http', 'ws', 1)}/api/matches/{number}/live"
    with connect(live, additional_headers={"Cookie": cookie}) as socket:
        seq, state = _news(socket, -1, {})
        while not state["result"]:
            if state["mover"] != "chance":
                action = choose(state)
                if action is None:
                    break
                socket.send(json.dumps({"id": str(seq), "do": "play", "action": action}))
            seq, state = _news(socket, seq, state)


def _news(socket: Connection, after: int, state: State) -> tuple[int, State]:
    """Waits for the first state after event `after`, which is `state`; a refusal is a mistake of the caller."""
    while True:
        message = json.loads(socket.recv(timeout=PATIENCE))
        assert message["type"] != "refused", message["error"]
        if message["type"] == "snapshot":
            return message["seq"], message["state"]
        if message["type"] == "event" and message["seq"] > after:
            change, older = message["history"], state["older"]
            history = [*state["history"][: change["kept"] - older], *change["added"]]
            return message["seq"], {**message["state"], "history": history, "older": older}


def install() -> None:
    """Installs Debian's chromium without a window, or the whole of it where that is not packaged; raises on failure."""
    apt("update")
    try:
        apt("install", "--yes", "--no-install-recommends", NAMES[0])
    except subprocess.CalledProcessError:
        apt("install", "--yes", "--no-install-recommends", NAMES[1])


def main() -> None:
    """Installs chromium if it is missing; only in CI is it an error that it cannot be."""
    with contextlib.suppress(NoBrowser):
        chromium()
        return
    try:
        install()
        chromium()
    except (OSError, subprocess.CalledProcessError, NoBrowser) as error:
        print(f"chromium could not be installed ({error}); the browser tests will fail.", file=sys.stderr)
        if os.environ.get("CI") == "true":
            sys.exit(1)


if __name__ == "__main__":
    main()
