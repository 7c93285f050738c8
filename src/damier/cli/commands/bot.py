"""``damier bot``: an engine that plays on a server."""

import argparse
import math
import os
from pathlib import Path

from damier.cli.arguments import PLAYERS, Parser, add_depth, add_limit, whole_number
from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.core.ranges import check_whole
from damier.games import load

EXAMPLES = """
damier bot --server http://127.0.0.1:8000 --engine level:8
damier bot --server http://127.0.0.1:8000 --begin {game} --matches 1 --engine random
damier bot --server http://127.0.0.1:8000 --guest bot.cookie --engine "ugi:damier engine {game}"
damier bot --server http://127.0.0.1:8000 --engine level:3 --games {game} --at-once 2 --people-only
damier bot --server http://127.0.0.1:8000 --engine level:5 --seek {game} --clock 3+2 --rated
"""

_TOKEN = "DAMIER_TOKEN"
_MOST_AT_ONCE = 100
_OPPONENT = 1  # level of the computer in a match that the bot begins


def add_arguments(parser: Parser) -> None:
    """Adds the server, who plays there, the engine, and the terms."""
    parser.add_argument("--server", metavar="URL", required=True, help="the address of the server")
    parser.add_argument("--token", help=f"the token of the program's account (better: in the variable {_TOKEN})")
    parser.add_argument(
        "--guest", metavar="FILE", help="without a token: the file that keeps the cookie of the guest who plays"
    )
    parser.add_argument(
        "--engine",
        default="level:8",
        help=f"{PLAYERS} (default: level:8)",
    )
    add_limit(parser, "a turn", " (default: 1, if there is no other limit); a clock may allow less")
    add_depth(parser, "a turn")
    parser.add_argument("--games", metavar="NAMES", default="", help="accept challenges to these games (default: all)")
    parser.add_argument(
        "--at-once", metavar="N", type=whole_number, default=4, help="accept challenges up to N matches (default: 4)"
    )
    parser.add_argument("--people-only", action="store_true", help="decline the challenges of other programs")
    parser.add_argument(
        "--join", metavar="LINK", action="append", default=[], help="take the open seat of an invitation"
    )
    parser.add_argument("--seek", metavar="GAME", help="wait in the lobby for an opponent whenever it plays no match")
    parser.add_argument(
        "--clock",
        metavar="CLOCK",
        help="with --seek: minutes, and seconds that a turn adds (3+2) or that are free in it (5d12) (default: none)",
    )
    parser.add_argument("--rated", action="store_true", help="with --seek: play for a rating, which needs a clock")
    parser.add_argument(
        "--tournament",
        metavar="NUMBER",
        action="append",
        default=[],
        help="join a tournament, by the number in its address; end when it is over",
    )
    parser.add_argument("--begin", metavar="GAME", help="begin a match against the computer at its first level")
    parser.add_argument("--matches", metavar="N", type=whole_number, help="end after N matches (default: go on)")


def run(arguments: argparse.Namespace) -> None:
    """Plays until Ctrl-C, or until as many matches are over as were asked for."""
    from damier.bot.bot import Bot, get_ready
    from damier.bot.entries import Entries, enter
    from damier.bot.journal import Journal
    from damier.bot.seeking import BotSeek, Seeking, parse_clock
    from damier.bot.terms import BotTerms
    from damier.client.client import Client
    from damier.engine.arena.entrants import parse_entrant
    from damier.engine.arena.match import DEFAULT_LIMIT
    from damier.engine.limit import Limit

    terms = BotTerms(_names(arguments.games), arguments.at_once, arguments.people_only)
    check_whole("at-once", arguments.at_once, 1, _MOST_AT_ONCE)
    if arguments.matches is not None:
        check_whole("matches", arguments.matches, 1, 10**6)
    entrant = parse_entrant(arguments.engine)
    limit = Limit(arguments.seconds, arguments.nodes, arguments.depth)
    limit = DEFAULT_LIMIT if limit == Limit() else limit
    token = arguments.token or os.environ.get(_TOKEN) or None
    if token and arguments.guest:
        raise BadArgument(message("Give either {first} or {second}, not both.", first="--token", second="--guest"))
    if not arguments.seek and (arguments.clock or arguments.rated):
        raise BadArgument(message("--clock and --rated go with --seek."))
    if arguments.rated and not arguments.clock:
        raise BadArgument(message("A rated match needs a clock."))
    clock = parse_clock(arguments.clock) if arguments.clock else None
    wanted = BotSeek(load(arguments.seek).name, clock, arguments.rated) if arguments.seek else None
    journal = Journal(lambda line: print(line, flush=True), arguments.lang, is_json=arguments.json)
    cookie = _read_cookie(arguments.guest) if arguments.guest else ""
    with Client(arguments.server, token, cookie=cookie, lang=arguments.lang) as first:  # which soon gives up
        name = first.nickname()
        if arguments.guest:
            _write_cookie(arguments.guest, first.cookie)
        for link in arguments.join:
            first.take_seat(link)
        if arguments.begin:
            first.begin(arguments.begin, _seats(arguments.begin))
        journal.note("named", message("Plays as {name}.", name=name), name=name)
        for number in arguments.tournament:
            enter(first, number, entrant, journal)
        for game in sorted({*terms.games, *([wanted.game] if wanted else [])}):
            get_ready(entrant, load(game), journal)
    client = Client(arguments.server, token, cookie=first.cookie, lang=arguments.lang, patience=math.inf)
    bot = Bot(client, entrant, limit, terms, journal, Seeking(client, wanted, journal) if wanted else None)
    entries = Entries(client, arguments.tournament, journal, bot.finish)
    if arguments.tournament:
        entries.start()
    try:
        bot.run(arguments.matches)
    except KeyboardInterrupt:
        pass  # which is how it ends
    finally:
        entries.stop()
        bot.stop()


def _names(text: str) -> frozenset[str]:
    """Returns the games of a list separated by commas; raises `UnknownGame`."""
    return frozenset(load(name.strip()).name for name in text.split(",") if name.strip())


def _seats(name: str) -> list[str | int]:
    """Returns the seats of a match against the computer."""
    return ["me", *[_OPPONENT] * (len(load(name).players) - 1)]


def _read_cookie(file: str) -> str:
    """Returns the cookie of a file, nothing if there is none yet."""
    try:
        return Path(file).read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""
    except UnicodeError:
        raise BadArgument(message("The file {file} holds no cookie.", file=shown(file))) from None
    except OSError as error:
        raise _unusable(file, error) from None


def _write_cookie(file: str, cookie: str) -> None:
    """Writes the cookie for its owner alone."""
    try:
        with open(os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="ascii") as opened:
            opened.write(f"{cookie}\n")
    except OSError as error:
        raise _unusable(file, error) from None


def _unusable(file: str, error: OSError) -> BadArgument:
    why = error.strerror or str(error)
    return BadArgument(message("The file {file} cannot be used: {why}.", file=shown(file), why=why))
