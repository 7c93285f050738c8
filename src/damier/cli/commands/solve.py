"""``damier solve``: builds the table of exact values of a game."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from damier import Game
from damier.cli.arguments import (
    Parser,
    add_game,
    add_nodes,
    add_threads,
    chosen_cluster,
    chosen_game,
    chosen_threads,
)
from damier.cli.output import print_json, progress, value_data
from damier.core.errors import BadArgument
from damier.core.messages import Message, Number, counted, message
from damier.solve.returns.repetition import by_table

if TYPE_CHECKING:
    from damier.solve.build.solver import Needs, Solved
    from damier.solve.file.header import TableHeader

EXAMPLES = """
damier solve {game} --plan
damier solve {small}
damier solve {small} --again --threads 2 --memory 4G --json
damier solve {game} --plan --cluster local --nodes 2 --node-memory 4G
"""


def add_arguments(parser: Parser) -> None:
    """Adds the game, its resources and what to do with an existing table."""
    add_game(parser)
    add_threads(parser)
    add_nodes(parser)
    parser.add_argument("--memory", metavar="SIZE", help="memory limit, such as 8G (default: all of the machine)")
    parser.add_argument("--plan", action="store_true", help="only show what it would take")
    parser.add_argument("--again", action="store_true", help="rebuild a table that exists")


def run(arguments: argparse.Namespace) -> None:
    """Builds the table of a game unless it exists, and prints a summary of it."""
    from damier.solve.build.solver import Solved, needs, parse_size, solve
    from damier.solve.memory import total_memory

    game = chosen_game(arguments)
    tables = game.tables
    threads, cluster = chosen_threads(arguments), chosen_cluster(arguments)
    if cluster and arguments.memory:
        raise BadArgument(message("Give either {first} or {second}, not both.", first="--cluster", second="--memory"))
    memory = parse_size(arguments.memory) if arguments.memory else total_memory()
    need = needs(tables)
    if cluster:
        from damier.solve.cluster.solver import node_needs, solve_on_cluster

        need = replace(need, memory=node_needs(tables).memory)  # of each node
    if arguments.plan:
        _print_plan(arguments, game, need)
        return
    if tables.is_built and not arguments.again:
        header = tables.file.header  # refuses what is damaged
        _print_solved(arguments, game, Solved(header, tables.path, tables.path.stat().st_size))
        return
    if not arguments.json:
        _print_plan(arguments, game, need)
    with progress(game.title) as show:
        if cluster:
            found = solve_on_cluster(game, cluster, show=show)
        else:
            found = solve(game, threads=threads, memory=memory, show=show)
    _print_solved(arguments, game, found)


def _print_plan(arguments: argparse.Namespace, game: Game, need: Needs) -> None:
    if arguments.json:
        print_json({"game": game.name, "options": game.options, **vars(need), "time": str(need.time)})
        return
    from damier.solve.build.solver import size_text

    plan = message(
        "{positions}, {memory} of memory, {disk} of disk while it works, about {time}.",
        positions=counted("{count} position", "{count} positions", count=Number(need.entries)),
        memory=size_text(need.memory),
        disk=size_text(need.disk),
        time=need.time,
    )
    print(plan.render(arguments.lang), flush=True)


def _print_solved(arguments: argparse.Namespace, game: Game, found: Solved) -> None:
    from damier.solve.build.solver import size_text

    tables = game.tables
    value = tables.probe_value(game.start)
    is_chance = value.outcome == "chance"
    if arguments.json:
        print_json(
            {
                "game": game.name,
                "options": game.options,
                "file": str(found.path),
                "bytes": found.size,
                "entries": found.header.entries,
                "counts": found.header.counts,
                "longest": found.header.longest,
                "value": value_data(game, tables.player(game.start), value),
                **({"exact": found.header.extra["start"], "error": found.header.extra["error"]} if is_chance else {}),
                "seconds": found.seconds,
                "cpu_seconds": found.cpu_seconds,
                "memory": found.memory,
                "sha256": found.header.sha256,
            }
        )
        return
    lines = [
        message("Value of the first position: {value}.", value=by_table(game, value.text())),
        _summary(found.header),
        message("{file}: {size}.", file=str(found.path), size=size_text(found.size))
        if found.seconds is None
        else message(
            "{file}: {size}, in {seconds} s ({cpu} s of CPU, {memory} of memory).",
            file=str(found.path),
            size=size_text(found.size),
            seconds=found.seconds,
            cpu=found.cpu_seconds,
            memory=size_text(found.memory or 0),
        ),
    ]
    for line in lines:
        print(line.render(arguments.lang))


def _summary(header: TableHeader) -> Message:
    """Returns a sentence about the whole table."""
    if "start" in header.extra:
        return message(
            "Chances are exact to within {error}; a game is expected to last {actions} actions.",
            error=Number(header.extra["error"], ".7f"),
            actions=Number(header.extra["start"]["actions"], ".1f"),
        )
    counts = header.counts
    return counted(
        "{win} won, {draw} drawn, {loss} lost for the player on move; longest {count} ply.",
        "{win} won, {draw} drawn, {loss} lost for the player on move; longest {count} plies.",
        win=Number(counts["win"]),
        draw=Number(counts["draw"]),
        loss=Number(counts["loss"]),
        count=header.longest or 0,
    )
