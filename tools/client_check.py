"""Checks the browser client: format and lint (biome), types (tsc). Their npm packages are pinned in `tools/client`.

python -m tools.client_check            check
python -m tools.client_check --write    format, and apply the fixes that are safe
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tools.node import NoNode, node, npm

ROOT = Path(__file__).parents[1]
TOOLS = ROOT / "tools" / "client"
CHECKED = ("src/damier/server/client", "tests/js")


def install() -> None:
    """Installs the npm packages where the lock file is newer than they are."""
    lock, ready = TOOLS / "package-lock.json", TOOLS / "node_modules" / ".ready"
    if ready.exists() and ready.stat().st_mtime >= lock.stat().st_mtime:
        return
    subprocess.run([*npm(), "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=TOOLS, check=True)
    ready.touch()


def _run(script: str, *words: str) -> bool:
    """Runs a script of an npm package in the root of the repository; tells whether all is well."""
    command = [node(), str(TOOLS / "node_modules" / script), *words]
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main() -> int:
    """Runs the checks; returns 1 where one fails."""
    paths = [path for path in CHECKED if (ROOT / path).exists()]
    write = ["--write"] if "--write" in sys.argv[1:] else []
    try:
        install()
        is_tidy = _run("@biomejs/biome/bin/biome", "check", *write, f"--config-path={TOOLS}", *paths)
        is_typed = _run("typescript/bin/tsc", "-p", str(TOOLS))
    except (NoNode, OSError, subprocess.CalledProcessError) as error:
        print(f"The browser client could not be checked: {error}", file=sys.stderr)
        return 1
    return 0 if is_tidy and is_typed else 1


if __name__ == "__main__":
    sys.exit(main())
