"""Writes the description of the server's interface, from which the types of the client are generated.

Run as ``python -m tools.openapi``; with ``--check`` it only says whether the committed file is up to date.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from damier.server.app import create_app
from damier.server.services import Services
from damier.server.settings import ServerSettings

FILE = Path(__file__).parent.parent / "openapi.json"


def description() -> str:
    """Returns the description as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Services(ServerSettings(database=f"{folder}/matches.sqlite")))
        return json.dumps(app.openapi(), indent=1) + "\n"


def main() -> int:
    """Writes or checks the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 if the file is out of date")
    wanted = description()
    if parser.parse_args().check:
        if FILE.read_text("utf-8") != wanted:
            print(f"{FILE.name} is out of date: run python -m tools.openapi", file=sys.stderr)
            return 1
        return 0
    FILE.write_text(wanted, "utf-8")
    print(f"{FILE.name}: {len(wanted)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
