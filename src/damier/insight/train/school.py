"""From nothing to a network: self-play, training, integers, a file and its log; what was interrupted is gone on with.

The folder of a training has a file of positions for each set of options, and what was learned after the last epoch.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from damier.core.errors import BadArgument
from damier.core.kernel.network import HIDDEN, network_bytes
from damier.core.messages import message, shown
from damier.core.version import __version__

if TYPE_CHECKING:
    from damier.core.definition import NetworkFile
    from damier.core.game import Game
    from damier.insight.train.learn import Course, Epoch
    from damier.insight.train.positions import Play

Show = Callable[[float, str], None]
"""Takes the share of a stage that is done, and a note."""


@dataclass(frozen=True)
class Trained:
    """What a training has made."""

    file: Path
    positions: int
    games: int
    epochs: list[Epoch]


def check_trainable(game: Game) -> NetworkFile:
    """Returns what the game says of its network; refuses games without one, and machines without JAX."""
    network = game.definition.network(game.options)
    if network is None:
        raise BadArgument(message("{game} is not judged by a network.", game=game.title))
    if importlib.util.find_spec("jax") is None:
        raise BadArgument(message("Training needs a further package: {package}.", package="damier[train]"))
    return network


def train_network(game: Game, games: int, folder: Path, file: Path, play: Play, course: Course, show: Show) -> Trained:
    """Plays `games` games with each of the network's sets of options, trains, and writes the network to `file`.

    A second file, with the ending .json, has the log.
    """
    network = check_trainable(game)
    from damier.insight.train.examples import Examples
    from damier.insight.train.learn import train
    from damier.insight.train.positions import play_positions
    from damier.insight.train.quantise import quantised

    _make_folder(folder)
    began = time.time()
    examples, counts = Examples(game, course.result_share), {}
    for options in network.played:
        played = type(game)(game.definition, **options)
        name = "-".join(str(value) for value in options.values()).replace(",", "") or "positions"
        _, rows = play_positions(
            played, games, folder / f"{name}.npz", play, functools.partial(_show_games, show, name)
        )
        examples.add(played, rows)
        counts[played.options_text] = len(rows["value"])
    weights, epochs = train(
        game, examples, course, lambda epoch: show(epoch.number / course.epochs, _note(epoch)), folder
    )
    content = network_bytes(quantised(game, weights, examples.width, course.stretch))
    log = {
        "game": game.name,
        "version": __version__,
        "positions": counts,
        "games": games,
        "play": asdict(play),
        "course": asdict(course),
        "hidden": HIDDEN,
        "epochs": [asdict(epoch) for epoch in epochs],
        "seconds": round(time.time() - began),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    _write(file, content)
    _write(file.with_suffix(".json"), (json.dumps(log, indent=1) + "\n").encode())
    return Trained(file, sum(counts.values()), games * len(counts), epochs)


def _show_games(show: Show, name: str, share: float) -> None:
    show(share, name)


def _note(epoch: Epoch) -> str:
    return f"{epoch.loss:.4f} {epoch.held_out:.4f}"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(folder, error) from None


def _write(file: Path, content: bytes) -> None:
    """Writes a file, which then has all of the content or is as it was."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        unfinished.write_bytes(content)
        os.replace(unfinished, file)
    except OSError as error:
        raise _cannot_write(file, error) from None


def _cannot_write(file: Path, error: OSError) -> BadArgument:
    return BadArgument(
        message("The file {file} cannot be written: {why}.", file=shown(str(file)), why=error.strerror or "")
    )


def losses(epochs: list[Epoch]) -> dict[str, Any]:
    """Returns the figures of the last epoch."""
    return {"loss": round(epochs[-1].loss, 5), "held_out": round(epochs[-1].held_out, 5)}
