"""Arguments that commands share: how they are declared, and the game and record they describe."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from damier import Game, Record, load
from damier.cli.examples import fill_in
from damier.core.errors import BadArgument
from damier.core.logs import FORMATS, LEVELS
from damier.core.messages import message, plain, shown
from damier.core.ranges import check_whole
from damier.draw.palette import THEMES

if TYPE_CHECKING:
    from damier.cluster.nodes import ClusterChoice, Nodes
    from damier.server.store.dialect import Database

MOST_THREADS = 256
_MOST_JOBS = 256

PLAYERS = (
    "level:1 to level:8, full, mcts, random, ugi:COMMAND, gtp:COMMAND, python:MODULE:FUNCTION, with a limit as in "
    "full@seconds=0.5"
)
"""What commands take as a player, for their help."""

_LONGEST_PROBLEM = 240  # characters


class Parser(argparse.ArgumentParser):
    """A parser that raises `BadArgument` and whose help ends with examples."""

    examples = ""
    """Command lines, one per line, with the placeholders of `fill_in`."""

    def error(self, problem: str) -> NoReturn:
        """Raises the problem as one sentence."""
        short = plain(problem, _LONGEST_PROBLEM)
        raise BadArgument(
            message("{problem}; see {command} --help.", problem=short[:1].upper() + short[1:], command=self.prog)
        )

    def format_help(self) -> str:
        """Returns the help text; the examples are filled in only here, because that loads a game."""
        if self.examples:
            lines = fill_in(self.examples).strip().splitlines()
            self.epilog = "examples:\n" + "\n".join(f"  {line}" for line in lines)
        return super().format_help()


def add_game(parser: Parser, *, is_needed: bool = True) -> None:
    """Adds the name of a game and its options."""
    count = None if is_needed else "?"
    parser.add_argument("game", metavar="GAME", nargs=count, help="a name that 'damier games' lists")
    parser.add_argument(
        "-o",
        "--option",
        dest="options",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="an option of the game; can be repeated",
    )


def add_position(parser: Parser) -> None:
    """Adds a position."""
    parser.add_argument("--position", metavar="P", help="a position string (default: the start)")


def add_actions(parser: Parser) -> None:
    """Adds actions to play first."""
    parser.add_argument(
        "--actions", metavar="A", nargs="+", default=[], help="actions to play first; a whole turn may be joined with +"
    )


def add_server(parser: Parser, what: str) -> None:
    """Adds the address of a server; `what` says what it is for."""
    parser.add_argument("--from", dest="server", metavar="URL", help=what)


def add_record_file(parser: Parser) -> None:
    """Adds a file of recorded games."""
    parser.add_argument("file", metavar="FILE", help="recorded games as text or JSON ('-' for standard input)")


def add_theme(parser: Parser) -> None:
    """Adds the colour theme of a picture."""
    parser.add_argument("--theme", choices=tuple(THEMES), default="light", help="colours of the picture")


def add_limit(parser: Parser, what: str, default: str = "") -> None:
    """Adds the limits of `what`, such as a search, in seconds and in nodes."""
    parser.add_argument("--seconds", metavar="S", type=seconds, help=f"time limit of {what}{default}")
    parser.add_argument("--nodes", metavar="N", type=whole_number, help=f"node limit of {what}")


def add_depth(parser: Parser, what: str) -> None:
    """Adds the depth limit of `what`."""
    parser.add_argument("--depth", metavar="D", type=whole_number, help=f"depth limit of {what}, in actions")


def add_threads(parser: Parser) -> None:
    """Adds the number of threads, by default one per core."""
    cores = os.cpu_count() or 1
    parser.add_argument("--threads", metavar="N", type=whole_number, help=f"how many threads (default: {cores})")


def chosen_threads(arguments: argparse.Namespace) -> int:
    """Returns the number of threads: the one given, else one per core."""
    threads = os.cpu_count() or 1 if arguments.threads is None else int(arguments.threads)
    check_whole("threads", threads, 1, MOST_THREADS)
    return threads


def add_cluster(parser: Parser) -> None:
    """Adds the cluster to work on."""
    parser.add_argument(
        "--cluster", metavar="C", help="work on a Ray cluster: 'local' starts one on this machine, or HOST:PORT"
    )


def add_nodes(parser: Parser) -> None:
    """Adds the cluster to work on, how much of it to use, and its shared place."""
    add_cluster(parser)
    parser.add_argument(
        "--nodes", metavar="N", type=whole_number, help="how many nodes (default: one per core, or all of the cluster)"
    )
    parser.add_argument("--node-memory", metavar="SIZE", help="memory of each node, such as 8G (default: what it has)")
    parser.add_argument(
        "--shared",
        metavar="PLACE",
        help="folder or address such as s3://bucket/tables for solved parts (default: beside the table)",
    )


def add_database(parser: Parser) -> None:
    """Adds the file or the address of the database of matches."""
    parser.add_argument("--database", metavar="D", help="the database (default: the one that 'damier serve' uses)")


def add_logging(parser: Parser, default: str | None = None) -> None:
    """Adds the level and the format of the log on stderr."""
    parser.add_argument(
        "--log-level", choices=LEVELS, default=default or LEVELS[2], help=f"log to stderr (default: {LEVELS[2]})"
    )
    parser.add_argument(
        "--log-format", choices=FORMATS, default=default or FORMATS[0], help="text or JSON lines (default: text)"
    )


def whole_number(text: str) -> int:
    """Returns a whole number."""
    if not re.fullmatch("-?[0-9]+", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"a whole number is needed, not {text[:40]!r}")
    if len(text) > 20:
        raise argparse.ArgumentTypeError(f"the number {text[:40]} is too large")
    return int(text)


def seconds(text: str) -> float:
    """Returns a number of seconds, which may have a fraction."""
    if not re.fullmatch("-?([0-9]{1,20}([.][0-9]{0,20})?|[.][0-9]{1,20})", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"a number of seconds such as 0.5 is needed, not {text[:40]!r}")
    return float(text)


def chosen_game(arguments: argparse.Namespace) -> Game:
    """Returns the game with its options."""
    options: dict[str, object] = {}
    for text in arguments.options:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadArgument(message("An option is written NAME=VALUE, not {text}.", text=shown(text)))
        if name in options:
            raise BadArgument(message("The option {name} is given twice.", name=shown(name)))
        options[name] = value
    return load(arguments.game, **options)


def chosen_cluster(arguments: argparse.Namespace) -> ClusterChoice | None:
    """Returns the cluster to work on; None for this machine without one."""
    from damier.cluster.nodes import ClusterChoice
    from damier.solve.build.solver import parse_size

    given = {name: getattr(arguments, name, None) for name in ("nodes", "node_memory", "shared")}
    if arguments.cluster is None:
        for name, value in given.items():
            if value is not None:
                raise BadArgument(
                    message("{option} needs {other}.", option=f"--{name.replace('_', '-')}", other="--cluster")
                )
        return None
    memory = None if given["node_memory"] is None else parse_size(str(given["node_memory"]))
    threads = getattr(arguments, "threads", None)
    if threads is not None:
        check_whole("threads", threads, 1, MOST_THREADS)
    return ClusterChoice(arguments.cluster, given["nodes"], threads, memory, given["shared"])


def add_jobs(parser: Parser, *, more: str = "") -> None:
    """Adds the number of processes that play; `more` is added to the default in its help."""
    parser.add_argument("--jobs", metavar="N", type=whole_number, help=f"processes that play (default: 1{more})")


def chosen_jobs(arguments: argparse.Namespace) -> int | None:
    """Returns the number of processes that is given, if one is; raises `BadArgument`."""
    jobs: int | None = arguments.jobs
    if jobs is not None:
        check_whole("jobs", jobs, 1, _MOST_JOBS)
    return jobs


@contextlib.contextmanager
def chosen_workers(arguments: argparse.Namespace, jobs: int | None) -> Iterator[Nodes | None]:
    """Yields the cores of the cluster that is given, `jobs` at most; None if there is none."""
    if arguments.cluster is None:
        yield None
        return
    from damier.cluster.ray_nodes import ray_workers

    with ray_workers(arguments.cluster, jobs) as nodes:
        yield nodes


def chosen_database(arguments: argparse.Namespace) -> Database:
    """Returns the database of matches: the one given, else the server's."""
    from damier.server.settings import ServerSettings
    from damier.server.store.dialect import parse_database

    return parse_database(ServerSettings.read({"database": arguments.database}).stored_in)


def chosen_database_file(arguments: argparse.Namespace) -> Path:
    """Returns the file of the database of matches; raises `BadArgument` if it is on a server instead."""
    from damier.server.store.dialect import SqliteFile

    database = chosen_database(arguments)
    if isinstance(database, SqliteFile):
        return database.path
    raise BadArgument(
        message(
            "This works on a database in a file: for {database} use {dump} of PostgreSQL, or {export} and {import_}.",
            database=shown(database.name),
            dump="pg_dump",
            export="damier export",
            import_="damier import",
        )
    )


def chosen_record(arguments: argparse.Namespace, game: Game) -> Record:
    """Returns a record that starts at the given position and has the given actions played."""
    record = game.record(arguments.position)
    for turn in arguments.actions:
        record.play_turn(turn)
    return record
