"""A PostgreSQL server of one's own in a folder: for the tests and for measurements.

python -m tools.postgresql              install Debian's postgresql where it is missing
python -m tools.postgresql FOLDER       run a server with its data in FOLDER until Ctrl-C, and print its address

PostgreSQL does not run as root: then it runs as the user `postgres` of Debian's package.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

USER, PACKAGE = "postgres", "postgresql"
PATIENCE = 60.0  # seconds for a start
_FOLDERS = "/usr/lib/postgresql/*/bin"  # of Debian, one for each version
_SETTINGS = {  # its data is not meant to last
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "32MB",
}


class NoPostgresql(Exception):
    """PostgreSQL is not installed, or does not start."""


def program(name: str) -> str:
    """Returns where a program of PostgreSQL is, the newest; raises `NoPostgresql` with a sentence."""
    folders = sorted(Path("/").glob(_FOLDERS[1:]), key=lambda folder: folder.parent.name.zfill(4), reverse=True)
    for folder in (*map(str, folders), None):
        if found := shutil.which(name, path=folder):
            return found
    raise NoPostgresql("The tests of the store need PostgreSQL: install it with 'sudo apt-get install postgresql'.")


def _as_user(command: list[str]) -> list[str]:
    """Returns a command that does not run as root."""
    is_root = os.name == "posix" and os.geteuid() == 0
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *command] if is_root else command


def start(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Starts a server with its data in an existing folder that others can pass through; returns it and its address."""
    data, log = folder / "data", folder / "log"
    if os.geteuid() == 0:
        shutil.chown(folder, USER, USER)
    make = ["-D", str(data), "-U", "damier", "-A", "trust", "--no-locale", "--encoding=UTF8", "--no-sync"]
    made = subprocess.run(_as_user([program("initdb"), *make]), capture_output=True, text=True, cwd="/")
    if made.returncode:
        raise NoPostgresql(f"initdb failed: {made.stderr.strip()}")
    port = _free_port()
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    command = [program("postgres"), "-D", str(data), "-p", str(port), *settings]
    with log.open("w", encoding="utf-8") as lines:
        server = subprocess.Popen(
            _as_user(command), stdout=lines, stderr=lines, text=True, cwd="/", start_new_session=True
        )
    end = time.monotonic() + PATIENCE
    while not _answers(port):
        if server.poll() is not None or time.monotonic() > end:
            server.kill()
            raise NoPostgresql(f"PostgreSQL does not start: {log.read_text(encoding='utf-8')}")
        time.sleep(0.05)
    return server, f"postgresql://damier@127.0.0.1:{port}/postgres"


def stop(server: subprocess.Popen[str]) -> None:
    """Stops a server at once, without saving its data."""
    server.send_signal(signal.SIGQUIT)
    server.wait()


@contextlib.contextmanager
def running() -> Iterator[str]:
    """Runs a server in a folder that is removed at the end; yields its address."""
    with tempfile.TemporaryDirectory(prefix="damier-postgresql-", ignore_cleanup_errors=True) as name:
        server, address = start(Path(name))
        try:
            yield address
        finally:
            stop(server)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _answers(port: int) -> bool:
    """Tells whether a server accepts connections."""
    ready = [program("pg_isready"), "--quiet", "--host=127.0.0.1", f"--port={port}"]
    return subprocess.run(ready).returncode == 0


def install() -> None:
    """Installs Debian's PostgreSQL; raises on failure."""
    first = [] if os.geteuid() == 0 else ["sudo"]
    for words in (["update"], ["install", "--yes", "--no-install-recommends", PACKAGE]):
        subprocess.run([*first, "apt-get", *words], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Installs PostgreSQL if it is missing, only in CI an error if it cannot be; or runs a server."""
    try:
        program("initdb")
    except NoPostgresql:
        try:
            install()
            program("initdb")
        except (OSError, subprocess.CalledProcessError, NoPostgresql, AttributeError) as error:
            print(f"PostgreSQL could not be installed ({error}); the tests of the store will fail.", file=sys.stderr)
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
