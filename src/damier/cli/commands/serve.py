"""``damier serve``, and ``damier`` without a command: serves pages and matches."""

import argparse

from damier.cli.arguments import Parser, whole_number
from damier.core.messages import message

EXAMPLES = """
damier serve
damier serve --port 8000 --host 0.0.0.0 --no-browser
"""

_LIMITS = {
    "requests-per-second": "limit per visitor (default: 20)",
    "requests-per-address": "limit per address in a second (default: 100)",
    "matches-per-hour": "limit per visitor (default: 120)",
    "matches-per-address": "limit per address in an hour (default: 1200)",
    "sign-ins-per-hour": "limit of attempts to sign in to one account (default: 60)",
    "sign-ins-per-address": "limit per address in an hour (default: 300)",
    "accounts-per-address": "limit of new accounts per address in an hour (default: 20)",
    "connections": "limit of open connections (default: 2000)",
    "connections-per-address": "limit of open connections per address (default: 500)",
    "sockets-per-visitor": "limit of match sockets per visitor (default: 50)",
    "sockets-per-address": "limit of sockets per address (default: 500)",
    "spectators": "limit per match (default: 200)",
}


def add_arguments(parser: Parser) -> None:
    """Adds the settings of the server; what is not given is read from the environment."""
    parser.add_argument("--host", help="the address to listen on (default: 127.0.0.1, this machine only)")
    parser.add_argument("--port", type=whole_number, help="the port (default: a free one)")
    parser.add_argument(
        "--database",
        metavar="D",
        help="where to store matches: a file, or postgresql://USER@HOST:PORT/NAME (default: the user's data folder)",
    )
    parser.add_argument("--redis", metavar="URL", help="a Redis for limits and presence: redis://HOST:PORT/NUMBER")
    parser.add_argument("--workers", type=whole_number, help="worker processes for the engine (default: 2)")
    parser.add_argument("--seconds", type=float, help="thinking time per turn at full strength (default: 1)")
    for name, text in _LIMITS.items():
        parser.add_argument(f"--{name}", metavar="N", type=whole_number, help=text)
    parser.add_argument("--origin", metavar="URL", help="the public address, if the server is behind a proxy")
    parser.add_argument("--allowed-hosts", metavar="NAMES", help="further names of the server, separated by commas")
    parser.add_argument("--trusted-proxies", metavar="LIST", help="addresses of proxies that name the visitor's own")
    parser.add_argument("--metrics", metavar="WHO", help="who may read /metrics: local, all or off (default: local)")
    parser.add_argument(
        "--access-log", action="store_const", const=True, help="log each request, without what identifies visitors"
    )
    parser.add_argument(
        "--drain-seconds", metavar="N", type=whole_number, help="serve on for N s after SIGTERM (default: 0)"
    )
    parser.add_argument(
        "--keep-days", metavar="N", type=whole_number, help="delete matches untouched for N days (default: 0, never)"
    )
    parser.add_argument(
        "--offer-tables",
        action=argparse.BooleanOptionalAction,
        help="let others download the tables of this server (default: yes)",
    )
    parser.add_argument("--tables-from", metavar="URL", help="another damier server whose tables pages use, too")
    parser.add_argument(
        "--weekly-hour", metavar="WHEN", help='when people meet in the lobby each week, in UTC: "sun 19:00"'
    )
    parser.add_argument("--contact", metavar="TEXT", help="how to reach you; shown on the privacy page")
    parser.add_argument("--push-contact", metavar="URL", help="how push services reach you: mailto:ann@example.org")
    parser.add_argument("--smtp-host", metavar="NAME", help="the mail server for notices (default: no e-mails)")
    parser.add_argument("--smtp-port", metavar="N", type=whole_number, help="its port (default: 587, 465 or 25)")
    parser.add_argument("--smtp-security", metavar="HOW", help="starttls, tls or none (default: starttls)")
    parser.add_argument("--smtp-user", metavar="NAME", help="your name there; the password is DAMIER_SMTP_PASSWORD")
    parser.add_argument("--smtp-from", metavar="ADDRESS", help="the sender of e-mails")
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="do not open the browser")


def run(arguments: argparse.Namespace) -> None:
    """Serves until Ctrl-C, and opens the browser unless told not to."""
    from damier.server import run as server
    from damier.server.settings import ServerSettings

    def tell(address: str) -> None:
        print(message("damier is at {address} (Ctrl-C ends it)", address=address).render(arguments.lang), flush=True)

    server.serve(ServerSettings.read(vars(arguments)), opens_browser=arguments.browser, tell=tell)
