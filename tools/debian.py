"""Programs of Debian's packages, for the tests and for measurements: finds, installs and starts them.

A package whose program runs by itself can be *unpacked* into the environment of this Python, which needs no root and
starts no service of the system. All others are installed with `apt-get`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 60.0  # seconds for a start
_TOOLS = Path(sys.executable).parent


@dataclass(frozen=True)
class Package:
    """A Debian package, and which of its programs is looked for."""

    title: str
    name: str
    program: str
    needed_by: str
    """Such as ``the tests of the store``."""
    error: type[Exception]
    """Raised with a sentence if it is missing or does not start."""
    folders: str = ""
    """A pattern of folders, from the root, that are searched beside the usual ones, the last by name first."""
    is_unpacked: bool = False
    """Whether its program alone is put into the environment of this Python."""

    def find(self, program: str = "") -> str:
        """Returns where a program of the package is; raises `error`."""
        own = sorted(Path("/").glob(self.folders), key=_version, reverse=True) if self.folders else []
        for folder in (*map(str, own), str(_TOOLS), None):
            if found := shutil.which(program or self.program, path=folder):
                return found
        raise self.error(
            f"{self.needed_by.capitalize()} need {self.title}: install it with 'sudo apt-get install {self.name}'."
        )

    def install(self) -> None:
        """Installs the package; raises on failure."""
        if self.is_unpacked:
            with contextlib.suppress(OSError, subprocess.CalledProcessError):  # as it may without lists of packages
                self._unpack()
                return
            apt("update")
            self._unpack()
        else:
            apt("update")
            apt("install", "--yes", "--no-install-recommends", self.name)

    def _unpack(self) -> None:
        with tempfile.TemporaryDirectory(prefix="damier-package-") as folder:
            quiet = ["--quiet", "--quiet", "--option", "APT::Sandbox::User=root"]
            subprocess.run(["apt-get", *quiet, "download", self.name], check=True, cwd=folder, capture_output=True)
            (package,) = Path(folder).glob("*.deb")
            subprocess.run(["dpkg", "-x", package.name, "."], check=True, cwd=folder)
            for place in ("usr/bin", "usr/sbin"):
                if (found := Path(folder, place, self.program)).exists():
                    shutil.copy(found, _TOOLS)

    def ensure(self) -> None:
        """Installs the package if it is missing; raises `error` with a sentence if it cannot be."""
        with contextlib.suppress(self.error):
            self.find()
            return
        try:
            self.install()
        except (OSError, subprocess.CalledProcessError, AttributeError) as problem:
            raise self.error(f"{self.title} could not be installed ({problem}).") from None
        self.find()

    def ensure_or_tell(self) -> bool:
        """Installs the package if it is missing; tells if it cannot be, which only in CI is an error."""
        try:
            self.ensure()
        except self.error as problem:
            print(f"{problem} {self.needed_by.capitalize()} will fail.", file=sys.stderr)
            if os.environ.get("CI") == "true":
                sys.exit(1)
            return False
        return True

    def start(
        self,
        command: Sequence[str],
        log: Path,
        answers: Callable[[], bool],
        environment: dict[str, str] | None = None,
    ) -> subprocess.Popen[str]:
        """Starts a server that writes to a file, and waits until it answers; raises `error` if it ends."""
        with log.open("w", encoding="utf-8") as lines:
            server = subprocess.Popen(
                command, stdout=lines, stderr=lines, text=True, cwd="/", start_new_session=True, env=environment
            )
        end = time.monotonic() + PATIENCE
        try:
            while not answers():
                if server.poll() is not None or time.monotonic() > end:
                    raise self.error(f"{self.title} does not start: {log.read_text(encoding='utf-8')}")
                time.sleep(0.02)
        except BaseException:  # also Ctrl-C
            server.kill()
            server.wait()
            raise
        return server


Start = Callable[[Path], tuple[subprocess.Popen[str], str]]
Stop = Callable[[subprocess.Popen[str]], None]


@contextlib.contextmanager
def running(package: Package, start: Start, stop: Stop) -> Iterator[str]:
    """Runs a server in a folder that is removed at the end; yields its address."""
    with tempfile.TemporaryDirectory(prefix=f"damier-{package.name}-", ignore_cleanup_errors=True) as name:
        server, address = start(Path(name))
        try:
            yield address
        finally:
            stop(server)


def main(package: Package, start: Start, stop: Stop) -> None:
    """Installs a package if it is missing; with a folder on the command line, runs its server there until Ctrl-C."""
    if package.ensure_or_tell() and len(sys.argv) > 1:
        folder = Path(sys.argv[1]).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        try:
            server, address = start(folder)
        except package.error as problem:
            print(problem, file=sys.stderr)
            sys.exit(2)
        print(address, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.wait()
        stop(server)


def free_port() -> int:
    """Returns a port of this machine that nothing listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def apt(*words: str) -> None:
    """Runs `apt-get` as root; raises on failure."""
    first = [] if os.geteuid() == 0 else ["sudo"]
    subprocess.run([*first, "apt-get", *words], check=True, stdout=subprocess.DEVNULL)


def _version(folder: Path) -> str:
    return folder.parent.name.zfill(4)
