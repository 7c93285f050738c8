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
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tools import debian

USER = "postgres"
DURABLE = {"listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
"""Settings with which nothing that was confirmed is lost: PostgreSQL's own."""
THROW_AWAY = {
    **DURABLE,
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "32MB",
}
"""Settings for data that is not meant to last."""


class NoPostgresql(Exception):
    """PostgreSQL is not installed, or does not start."""


PACKAGE = debian.Package(
    "PostgreSQL",
    "postgresql",
    "initdb",
    needed_by="the tests of the store",
    error=NoPostgresql,
    folders="usr/lib/postgresql/*/bin",  # one for each version
)
program = PACKAGE.find


def _as_user(command: list[str]) -> list[str]:
    """Returns a command that does not run as root."""
    is_root = os.name == "posix" and os.geteuid() == 0
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *command] if is_root else command


def start(folder: Path, settings: Mapping[str, str] = THROW_AWAY, port: int = 0) -> tuple[subprocess.Popen[str], str]:
    """Starts a server with its data in an existing folder that others can pass through; returns it and its address.

    The data is made where there is none. Port 0 takes a free one.
    """
    data, port = folder / "data", port or debian.free_port()
    if os.geteuid() == 0:
        shutil.chown(folder, USER, USER)
        if subprocess.run(_as_user(["test", "-w", str(folder)]), cwd="/").returncode:
            raise NoPostgresql(f"PostgreSQL runs as the user {USER}, who cannot reach {folder}: choose another folder.")
    if not (data / "PG_VERSION").exists():
        _make(data)
    words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    command = [program("postgres"), "-D", str(data), "-p", str(port), *words]
    server = PACKAGE.start(_as_user(command), folder / "log", lambda: _answers(port))
    return server, f"postgresql://damier@127.0.0.1:{port}/postgres"


def _make(data: Path) -> None:
    options = ["-D", str(data), "-U", "damier", "-A", "trust", "--no-locale", "--encoding=UTF8", "--no-sync"]
    made = subprocess.run(_as_user([program("initdb"), *options]), capture_output=True, text=True, cwd="/")
    if made.returncode:
        raise NoPostgresql(f"initdb failed: {made.stderr.strip()}")


def stop(server: subprocess.Popen[str], *, immediate: bool = True) -> None:
    """Stops a server: at once, as if the machine had lost its power, or after its data is saved."""
    with contextlib.suppress(ProcessLookupError):
        server.send_signal(signal.SIGQUIT if immediate else signal.SIGINT)
    server.wait()


def running() -> contextlib.AbstractContextManager[str]:
    """Runs a server in a folder that is removed at the end; yields its address."""
    return debian.running(PACKAGE, start, stop)


def _answers(port: int) -> bool:
    """Tells whether a server accepts connections."""
    ready = [program("pg_isready"), "--quiet", "--host=127.0.0.1", f"--port={port}"]
    return subprocess.run(ready).returncode == 0


if __name__ == "__main__":
    debian.main(PACKAGE, start, stop)
