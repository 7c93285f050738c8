"""``damier serve``, and ``damier`` without a command: serves pages and matches."""

import argparse

from damier.cli.arguments import Parser, whole_number
from damier.core.messages import message

EXAMPLES = """
damier serve
damier serve --port 8000 --host 0.0.0.0 --no-browser
"""


def add_arguments(parser: Parser) -> None:
    """Adds the settings of the server; what is not given is read from the environment."""
    parser.add_argument("--host", help="the address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=whole_number, help="the port (default: a free one)")
    parser.add_argument("--database", metavar="FILE", help="where to store matches (default: the user's data folder)")
    parser.add_argument("--workers", type=whole_number, help="worker processes for the engine (default: 2)")
    parser.add_argument("--seconds", type=float, help="thinking time per turn at full strength (default: 1)")
    parser.add_argument("--requests-per-second", metavar="N", type=whole_number, help="limit per visitor (default: 20)")
    parser.add_argument("--matches-per-hour", metavar="N", type=whole_number, help="limit per visitor (default: 120)")
    parser.add_argument("--origin", metavar="URL", help="the public address, if the server is behind a proxy")
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="do not open the browser")


def run(arguments: argparse.Namespace) -> None:
    """Serves until Ctrl-C, and opens the browser unless told not to."""
    from damier.server import run as server
    from damier.server.settings import ServerSettings

    def tell(address: str) -> None:
        print(message("damier is at {address} (Ctrl-C ends it)", address=address).render(arguments.lang), flush=True)

    server.serve(ServerSettings.read(vars(arguments)), opens_browser=arguments.browser, tell=tell)
