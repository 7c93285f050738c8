"""A Redis server of one's own in a folder: for the tests and for measurements.

python -m tools.redis              install Debian's redis-server where it is missing
python -m tools.redis FOLDER       run a server with its socket in FOLDER until Ctrl-C, and print its address
"""

from __future__ import annotations

import contextlib
import subprocess
from pathlib import Path

from tools import debian

_SOCKET, _LOG = "redis.sock", "log"
_SETTINGS = {"save": "", "appendonly": "no", "databases": "10000"}  # its data is not meant to last


class NoRedis(Exception):
    """Redis is not installed, or does not start."""


PACKAGE = debian.Package("Redis", "redis-server", "redis-server", needed_by="the tests of the hub", error=NoRedis)
program = PACKAGE.find


def start(folder: Path, port: int = 0) -> tuple[subprocess.Popen[str], str]:
    """Starts a server in an existing folder, on a socket there or on a port; returns it and its address."""
    path = folder / _SOCKET
    path.unlink(missing_ok=True)  # of one that was killed
    settings = [word for name, value in _SETTINGS.items() for word in (f"--{name}", value)]
    place = ["--bind", "127.0.0.1"] if port else ["--unixsocket", str(path)]
    command = [program(), "--port", str(port), *place, "--dir", str(folder), *settings]
    address = f"redis://127.0.0.1:{port}/0" if port else f"unix://{path}"
    return PACKAGE.start(command, folder / _LOG, lambda: ask(address, "ping") == "PONG"), address


def stop(server: subprocess.Popen[str]) -> None:
    """Kills a server, which loses what it holds."""
    server.kill()
    server.wait()


def running() -> contextlib.AbstractContextManager[str]:
    """Runs a server in a folder that is removed at the end; yields its address."""
    return debian.running(PACKAGE, start, stop)


def ask(address: str, *words: str) -> str:
    """Sends a command to a server and returns its answer, or "" if there is none."""
    place = ["-s", address.removeprefix("unix://")] if address.startswith("unix:") else ["-u", address]
    asked = subprocess.run([program("redis-cli"), *place, *words], capture_output=True, text=True)
    return asked.stdout.strip()


if __name__ == "__main__":
    debian.main(PACKAGE, start, stop)
