"""Runs the tests that failed in the last run once more, one after the other.

    python -m tools.again

Tests of servers, browsers and clocks share few cores with whatever else a machine does. In CI, a few failures are run
again by themselves: those that pass then are named as unstable and should be mended, the others fail the run. Many
failures, or a run that failed without one (coverage, a broken file), are not run again.
"""

import json
import subprocess
import sys
from pathlib import Path

MOST = 5  # failures that may be bad luck
FAILED = Path(".pytest_cache/v/cache/lastfailed")


def main() -> int:
    """Runs what failed, and returns the exit status."""
    names = sorted(json.loads(FAILED.read_text(encoding="utf-8"))) if FAILED.exists() else []
    if not 0 < len(names) <= MOST:
        print(f"{len(names)} tests failed: not run again, which is for 1 to {MOST}.")
        return 1
    print("Run again:", *names, sep="\n  ", flush=True)
    command = [sys.executable, "-m", "pytest", "--last-failed", "--last-failed-no-failures=none", "tests", "src"]
    status = subprocess.run(command, check=False).returncode
    if status == 0:
        print("Unstable, passed when run again:", *names, sep="\n  ", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
