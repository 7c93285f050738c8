"""The commands about exact values: solve and probe."""

import argparse
import os
from typing import Any

from damier import Game, Record
from damier.cli.output import chosen_game, chosen_record, print_json, progress
from damier.core.checks import check_whole
from damier.core.messages import Message, message
from damier.solve.solving import Needs, Solved, needs, parse_size, size_text
from damier.solve.solving import solve as solve_game
from damier.solve.tables import Tables, TableValue

MOST_THREADS = 256


def solve(chosen: argparse.Namespace) -> None:
    """Builds the table of a game, unless it is there, and tells what it says."""
    game = chosen_game(chosen)
    tables = Tables(game)
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
    tables = Tables(game)
    value = tables.probe_value(game.start)
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
                "value": value_data(game, game.start.mover, value),
                "seconds": found.seconds,
                "cpu_seconds": found.cpu_seconds,
                "memory": found.memory,
                "sha256": found.header.sha256,
            }
        )
        return
    counts = found.header.counts
    lines = [
        message("Value of the first position: {value}.", value=value_text(value)),
        message(
            "{win} won, {draw} drawn, {loss} lost for the player on move; longest {plies} plies.",
            win=f"{counts['win']:,}",
            draw=f"{counts['draw']:,}",
            loss=f"{counts['loss']:,}",
            plies=found.header.longest,
        ),
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


def probe(chosen: argparse.Namespace) -> None:
    """Tells the exact value of a position and of every action in it."""
    record = chosen_record(chosen, chosen_game(chosen))
    game = record.game
    tables = Tables(game)
    value = tables.probe_value(record.position)
    actions = {} if record.result else tables.action_values(record.position)
    if chosen.json:
        print_json(_probe_data(record, value, actions))
        return
    print(f"{record.position}  {value_text(value).render(chosen.lang)}")
    for text, each in actions.items():
        print(f"  {text:12} {value_text(each).render(chosen.lang)}")


def _probe_data(record: Record, value: TableValue, actions: dict[str, TableValue]) -> dict[str, Any]:
    game = record.game
    return {
        "game": game.name,
        "options": game.options,
        "position": str(record.position),
        "mover": record.mover,
        **value_data(game, record.mover, value),
        "actions": [{"action": text, **value_data(game, record.mover, each)} for text, each in actions.items()],
    }


def value_data(game: Game, mover: str, value: TableValue) -> dict[str, Any]:
    """Returns a value as JSON: who wins, and how far that is with its unit."""
    winner = None
    if value.outcome != "draw":
        winner = mover if value.outcome == "win" else game.opponent(mover)
    return {"value": value.outcome, "winner": winner, "distance": value.plies, "unit": "plies"}


def value_text(value: TableValue) -> Message:
    """Returns a value in words."""
    if value.plies is None:
        return message("draw")
    if value.outcome == "draw":
        return message("draw in {plies} plies", plies=value.plies)
    if value.outcome == "win":
        return message("win in 1 ply") if value.plies == 1 else message("win in {plies} plies", plies=value.plies)
    return message("loss in 1 ply") if value.plies == 1 else message("loss in {plies} plies", plies=value.plies)
