"""Checks the browser client: format (prettier), lint (eslint) and types (tsc).

Their npm packages are pinned in `tools/client`.

python -m tools.client_check            check
python -m tools.client_check --write    format, and apply what eslint can mend
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tools.node import NoNode, node, npm

ROOT = Path(__file__).parents[1]
TOOLS = ROOT / "tools" / "client"
CHECKED = ("src/damier/server/client", "tests/js")
GENERATED = ("wire.d.ts", "artwork.js", "palette.css", "boards.css", "manifest.webmanifest")
"""Files that other tools write, in a format of their own."""


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
    is_writing = "--write" in sys.argv[1:]
    form = ["--config", str(TOOLS / "prettier.json"), "--log-level", "warn", "--write" if is_writing else "--check"]
    fix = ["--fix"] if is_writing else []
    try:
        install()
        results = [
            _run("prettier/bin/prettier.cjs", *form, *paths, *(f"!**/{name}" for name in GENERATED)),
            _run("eslint/bin/eslint.js", "--config", str(TOOLS / "eslint.config.js"), "--max-warnings=0", *fix, *paths),
            _run("typescript/bin/tsc", "-p", str(TOOLS)),
        ]
    except (NoNode, OSError, subprocess.CalledProcessError) as error:
        print(f"The browser client could not be checked: {error}", file=sys.stderr)
        return 1
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
