"""What commands share: the game and the record that the arguments name, and ways to print."""

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from damier import Game, Record, load
from damier.core.errors import BadArgument
from damier.core.messages import message, shown


def chosen_game(chosen: argparse.Namespace) -> Game:
    """Returns the game with the options of the command line."""
    options: dict[str, object] = {}
    for text in chosen.options:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadArgument(message("An option is written NAME=VALUE, not {text}.", text=shown(text)))
        if name in options:
            raise BadArgument(message("The option {name} is given twice.", name=shown(name)))
        options[name] = value
    return load(chosen.game, **options)


def chosen_record(chosen: argparse.Namespace, game: Game) -> Record:
    """Returns the game that the position and the actions of the command line describe."""
    record = game.record(chosen.position)
    for turn in chosen.actions:
        record.play_turn(turn)
    return record


def print_json(data: Any) -> None:
    """Prints data as JSON."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


@contextlib.contextmanager
def progress(what: str, unit: str = "", total: int = 0) -> Iterator[Callable[..., None]]:
    """Shows a bar with the time left, and the rate if there is a unit, on stderr if that is a terminal.

    What is yielded takes the share done and, if there is one, a note to show instead of the rate. The bar appears after
    a second, so that quick work shows none.
    """
    if not sys.stderr.isatty():
        yield lambda _share, _note="": None
        return
    import time

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    began = time.monotonic()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=1.0, rate="")

    def show(share: float, note: str = "") -> None:
        seconds = time.monotonic() - began
        if seconds > 1 and not bar.live.is_started:
            bar.start()
        rate = f"{share * total / seconds:,.0f} {unit}/s" if unit and seconds else ""
        bar.update(task, completed=share, rate=note or rate)

    try:
        yield show
    finally:
        bar.stop()
