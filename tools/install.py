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

_UV = "uv>=0.7"
_INSTALL = ["install", "--quiet", "--disable-pip-version-check"]


def main() -> int:
    """Installs, and returns the exit status."""
    if sys.version_info < OLDEST:
        needed = ".".join(map(str, OLDEST))
        print(f"damier needs Python {needed} or newer, not {sys.version.split()[0]}: make PYTHON=python{needed}")
        return 1
    if not PYTHON.exists():
        venv.create(VENV, with_pip=False)  # pip costs three seconds and is rarely needed
    wanted = ["--editable", str(ROOT), *(["--group", "dev"] if "--dev" in sys.argv else [])]
    return 0 if _by_uv(wanted) or _by_pip(wanted) else 1


def _by_uv(wanted: list[str]) -> bool:
    uv = shutil.which("uv", path=os.pathsep.join([str(BIN), os.environ.get("PATH", "")]))
    if uv is None and (_run(sys.executable, "-m", "pip", "--python", str(PYTHON), *_INSTALL, _UV) or _by_pip([_UV])):
        uv = shutil.which("uv", path=str(BIN))
    return uv is not None and _run(uv, "pip", "install", "--quiet", "--python", str(PYTHON), *wanted)


def _by_pip(wanted: list[str]) -> bool:
    newest = ["--upgrade", "pip>=25.1"] if "--group" in wanted else []  # the first that knows groups
    return (
        _run(str(PYTHON), "-m", "ensurepip")
        and (not newest or _run(str(PYTHON), "-m", "pip", *_INSTALL, *newest))
        and _run(str(PYTHON), "-m", "pip", *_INSTALL, *wanted)
    )


def _run(*command: str) -> bool:
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
