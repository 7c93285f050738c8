"""What commands print: records, values and chances as JSON, and progress bars."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from damier import Game, Record
from damier.core.messages import Number, counted, message

if TYPE_CHECKING:
    from damier.solve.value import TableValue


def print_json(data: Any) -> None:
    """Prints data as JSON."""
    print(json.dumps(data, ensure_ascii=False, indent=2))


def record_data(record: Record, lang: str) -> dict[str, Any]:
    """Returns the position of a record, who is to move, and the result if there is one."""
    result = record.result
    return {
        "game": record.game.name,
        "options": record.game.options,
        "position": str(record.position),
        "mover": None if result else record.mover,
        "result": result and {"winner": result.winner, "reason": result.reason, "sentence": result.sentence(lang)},
    }


def chances_data(game: Game, chances: tuple[float, ...]) -> dict[str, float]:
    """Returns winning chances by player."""
    return {player: round(chance, 6) for player, chance in zip(game.players, chances, strict=True)}


def value_data(game: Game, player: str, value: TableValue) -> dict[str, Any]:
    """Returns the exact value for a player: who wins, the distance with its unit, and the winning chance."""
    winner = {"win": player, "loss": game.opponent(player)}.get(value.outcome)
    return {
        "value": value.outcome,
        "winner": winner,
        "distance": value.plies,
        "unit": "plies",
        "player": player,
        "chance": value.chance,
    }


def games_text(count: int, lang: str) -> str:
    """Returns a number of games in words."""
    return counted("{count} game", "{count} games", count=count).render(lang)


@contextlib.contextmanager
def progress(what: str, games: int = 0, lang: str = "en") -> Iterator[Callable[..., None]]:
    """Shows a progress bar with the time left, and the rate if it is about games, if stderr is a terminal.

    Yields a function that takes the share done and, optionally, a note to show instead of the rate. The bar appears
    after a second, so that quick work shows none.
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
        if games and seconds and not note:
            rate = Number(share * games / seconds, ",.0f")
            note = message("{rate} games/s", rate=rate).render(lang)
        bar.update(task, completed=share, rate=note)

    try:
        yield show
    finally:
        bar.stop()
