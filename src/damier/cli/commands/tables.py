"""``damier tables``: lists tables, fetches one from a server, removes one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from damier import Game, load
from damier.cli.arguments import Parser, add_game, add_server, chosen_game
from damier.cli.output import print_json, progress
from damier.core import folders
from damier.core.errors import BadArgument
from damier.core.messages import Message, Number, counted, message, plain, shown

if TYPE_CHECKING:
    from damier.solve.inventory import FoundTable

_LONGEST_NAME = 120  # characters of a game with its options, which a server may have made up

EXAMPLES = """
damier tables list
damier tables list --from http://127.0.0.1:8000 --json
damier tables remove {small}
damier tables fetch {small} --from http://127.0.0.1:8000
"""


def add_arguments(parser: Parser) -> None:
    """Adds what to do, the table and the server."""
    parser.add_argument("do", choices=_ACTIONS, help="list tables, fetch one from a server, or remove one")
    add_game(parser, is_needed=False)
    add_server(parser, "the address of a damier server")
    parser.add_argument("--again", action="store_true", help="fetch a table that is there, and replace it")


def run(arguments: argparse.Namespace) -> None:
    """Lists, fetches or removes."""
    needs_game = arguments.do != "list"
    if needs_game and not arguments.game:
        raise BadArgument(message("Name the game whose table you mean."))
    if not needs_game and (arguments.game or arguments.options):
        raise BadArgument(message("All tables are listed: name no game."))
    if arguments.do == "fetch" and not arguments.server:
        raise BadArgument(message("Name the server with {option}.", option="--from URL"))
    if arguments.do == "remove" and arguments.server:
        raise BadArgument(message("Only tables on this machine can be removed."))
    if arguments.again and arguments.do != "fetch":
        raise BadArgument(message("Only fetching takes {option}.", option="--again"))
    _ACTIONS[arguments.do](arguments)


def _list(arguments: argparse.Namespace) -> None:
    """Prints the tables of this machine, or those that a server offers."""
    if arguments.server:
        _list_offers(arguments)
        return
    from damier.solve.inventory import found_tables

    tables = list(found_tables(load))
    if arguments.json:
        print_json([_table_data(table) for table in tables])
        return
    if not tables:
        folder = shown(str(folders.table_folder()))
        print(message("There are no tables in {folder}.", folder=folder).render(arguments.lang))
    for table in tables:
        if table.game:
            _print_table(_arguments_of(table.game), table.entries, table.bytes, arguments.lang)
        else:
            assert table.problem
            print(f"{table.path.name}  {table.problem.render(arguments.lang)}")


def _list_offers(arguments: argparse.Namespace) -> None:
    from damier.solve.file.reader import quoted
    from damier.solve.remote.offers import offers

    found = offers(arguments.server)
    if arguments.json:
        print_json([vars(offer) for offer in found])
        return
    if not found:
        server = quoted(arguments.server)
        print(message("The server {server} offers no tables.", server=server).render(arguments.lang))
    for offer in found:
        options = "".join(f" -o {name}={value}" for name, value in offer.options.items())
        _print_table(offer.game + options, offer.entries, offer.bytes, arguments.lang)


def _print_table(name: str, entries: int, size: int, lang: str) -> None:
    from damier.solve.build.solver import size_text

    sentence = message("{positions}, {size}", positions=_positions(entries), size=size_text(size))
    print(f"{plain(name, _LONGEST_NAME):40} {sentence.render(lang)}")


def _positions(entries: int) -> Message:
    return counted("{count} position", "{count} positions", count=Number(entries))


def _table_data(table: FoundTable) -> dict[str, Any]:
    return {
        "game": table.game and table.game.name,
        "options": table.game and table.game.options,
        "entries": table.entries,
        "bytes": table.bytes,
        "file": str(table.path),
        "status": "built" if table.game else "damaged",
        "problem": table.problem and str(table.problem),
    }


def _arguments_of(game: Game) -> str:
    """Returns a game as one names it on the command line."""
    return game.tables.command("").removeprefix("damier").strip()


def _fetch(arguments: argparse.Namespace) -> None:
    """Downloads a table unless it is there, and prints where it is."""
    from damier.solve.build.solver import size_text
    from damier.solve.remote.fetch import fetch

    tables = chosen_game(arguments).tables
    data = {"game": tables.game.name, "options": tables.game.options, "file": str(tables.path)}
    if tables.is_built and not arguments.again:
        entries, size = len(tables.file), tables.path.stat().st_size  # refuses what is damaged
        if arguments.json:
            print_json({**data, "bytes": size, "entries": entries, "seconds": None})
            return
        sentence = message("{file} is there already: {size}.", file=str(tables.path), size=size_text(size))
        print(sentence.render(arguments.lang))
        return
    with progress(tables.game.title) as show:
        found = fetch(tables, arguments.server, show)
    if arguments.json:
        print_json({**data, "bytes": found.bytes, "entries": len(tables.file), "seconds": found.seconds})
        return
    sentence = message(
        "{file}: {size}, in {seconds} s; all checksums are right.",
        file=str(found.path),
        size=size_text(found.bytes),
        seconds=found.seconds,
    )
    print(sentence.render(arguments.lang))


def _remove(arguments: argparse.Namespace) -> None:
    """Deletes a table and what an unfinished build or download has left, and prints how much room that made."""
    from damier.solve.build.solver import size_text
    from damier.solve.location import remove_table
    from damier.solve.numbering import name_of

    game = chosen_game(arguments)
    files = remove_table(game)
    if not files:
        raise BadArgument(message("There is no table of {game} on this machine.", game=name_of(game)))
    freed = sum(files.values())
    if arguments.json:
        print_json({"game": game.name, "options": game.options, "files": [str(file) for file in files], "bytes": freed})
        return
    sentence = message("Removed the table of {game}: {size} freed.", game=name_of(game), size=size_text(freed))
    print(sentence.render(arguments.lang))


_ACTIONS = {"list": _list, "fetch": _fetch, "remove": _remove}
