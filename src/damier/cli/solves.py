"""The commands about exact values: solve and probe."""

import argparse
import os
from typing import Any

from damier import Game, Record
from damier.cli.output import chosen_game, chosen_record, print_json, progress
from damier.core.messages import Message, message
from damier.core.ranges import check_whole
from damier.solve.build.solver import Needs, Solved, needs, parse_size, size_text
from damier.solve.build.solver import solve as solve_game
from damier.solve.file.reader import TableHeader
from damier.solve.value import TableValue

MOST_THREADS = 256


def solve(chosen: argparse.Namespace) -> None:
    """Builds the table of a game, unless it is there, and tells what it says."""
    game = chosen_game(chosen)
    tables = game.tables
    check_whole("threads", chosen.threads, 1, MOST_THREADS)
    memory = parse_size(chosen.memory) if chosen.memory else _memory()
    need = needs(tables)
    if chosen.plan:
        _print_plan(chosen, game, need)
        return
    if tables.is_built and not chosen.again:
        header = tables.file.header  # refuses what is damaged
        _print_solved(chosen, game, Solved(header, tables.path, tables.path.stat().st_size))
        return
    if not chosen.json:
        _print_plan(chosen, game, need)
    with progress(game.title) as show:
        found = solve_game(game, threads=chosen.threads, memory=memory, show=show)
    _print_solved(chosen, game, found)


def _memory() -> int:
    """Returns how much memory the machine has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _print_plan(chosen: argparse.Namespace, game: Game, need: Needs) -> None:
    if chosen.json:
        print_json({"game": game.name, "options": game.options, **vars(need)})
        return
    plan = message(
        "{entries} positions, {memory} of memory, {disk} of disk while it works, about {time}.",
        entries=f"{need.entries:,}",
        memory=size_text(need.memory),
        disk=size_text(need.disk),
        time=need.time,
    )
    print(plan.render(chosen.lang), flush=True)


def _print_solved(chosen: argparse.Namespace, game: Game, found: Solved) -> None:
    tables = game.tables
    value = tables.probe_value(game.start)
    is_chance = value.outcome == "chance"
    if chosen.json:
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
        message("Value of the first position: {value}.", value=value.text()),
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
        print(line.render(chosen.lang))


def _summary(header: TableHeader) -> Message:
    """Returns in a sentence what a table says as a whole."""
    if "start" in header.extra:
        return message(
            "Chances are wrong by {error} at most; a game is expected to last {actions} actions.",
            error=f"{header.extra['error']:.7f}",
            actions=f"{header.extra['start']['actions']:.1f}",
        )
    counts = header.counts
    return message(
        "{win} won, {draw} drawn, {loss} lost for the player on move; longest {plies} plies.",
        win=f"{counts['win']:,}",
        draw=f"{counts['draw']:,}",
        loss=f"{counts['loss']:,}",
        plies=header.longest,
    )


def probe(chosen: argparse.Namespace) -> None:
    """Tells the exact value of a position and of every action in it."""
    record = chosen_record(chosen, chosen_game(chosen))
    game = record.game
    tables = game.tables
    value = tables.probe_value(record.position)
    actions = {} if record.result else tables.action_values(record.position)
    if chosen.json:
        print_json(_probe_data(record, value, actions))
        return
    print(f"{record.position}  {value.text().render(chosen.lang)}")
    for text, each in actions.items():
        print(f"  {text:12} {each.text().render(chosen.lang)}")


def _probe_data(record: Record, value: TableValue, actions: dict[str, TableValue]) -> dict[str, Any]:
    game = record.game
    player = record.mover if record.result else game.tables.player(record.position)
    return {
        "game": game.name,
        "options": game.options,
        "position": str(record.position),
        "mover": record.mover,
        **value_data(game, player, value),
        "actions": [{"action": text, **value_data(game, player, each)} for text, each in actions.items()],
    }


def value_data(game: Game, player: str, value: TableValue) -> dict[str, Any]:
    """Returns a value of a player as JSON: who wins, how far that is with its unit, and the chance to win."""
    winner = {"win": player, "loss": game.opponent(player)}.get(value.outcome)
    return {
        "value": value.outcome,
        "winner": winner,
        "distance": value.plies,
        "unit": "plies",
        "player": player,
        "chance": value.chance,
    }
