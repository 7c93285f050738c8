"""Sets up ``.venv`` with what ``damier`` needs to run; with ``--dev``, with the development tools too.

    python tools/install.py [--dev]

Runs on any Python that can make a virtual environment, before anything is installed. uv installs in seconds: the
system's is used, else one from PyPI inside ``.venv``. If uv is not available or fails, pip installs the same, slower.
"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
OLDEST = (3, 11)


def main() -> int:
    """Installs, and returns the exit status."""
    if sys.version_info < OLDEST:
        needed = ".".join(map(str, OLDEST))
        print(f"damier needs Python {needed} or newer, not {sys.version.split()[0]}: make PYTHON=python{needed}")
        return 1
    if not PYTHON.exists():
        venv.create(VENV, with_pip=True)
    wanted = ["--editable", str(ROOT), *(["--group", "dev"] if "--dev" in sys.argv else [])]
    return 0 if _by_uv(wanted) or _by_pip(wanted) else 1


def _by_uv(wanted: list[str]) -> bool:
    uv = shutil.which("uv", path=os.pathsep.join([str(BIN), os.environ.get("PATH", "")]))
    if uv is None and _by_pip(["uv>=0.7"]):
        uv = shutil.which("uv", path=str(BIN))
    return uv is not None and _run(uv, "pip", "install", "--quiet", "--python", str(PYTHON), *wanted)


def _by_pip(wanted: list[str]) -> bool:
    install = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if "--group" in wanted and not _run(*install, "--upgrade", "pip>=25.1"):  # the first that knows groups
        return False
    return _run(*install, *wanted)


def _run(*command: str) -> bool:
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
