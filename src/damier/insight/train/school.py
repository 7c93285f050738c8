"""From nothing to a network: self-play, training, integers, a file and its log; what was interrupted is gone on with.

The folder of a training has a file of positions for each set of options, and what was learned after the last epoch.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import importlib.util
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from damier.core.errors import BadArgument
from damier.core.folders import cannot_write, replacing
from damier.core.kernel.network import HIDDEN, network_bytes
from damier.core.messages import message, shown
from damier.core.version import __version__
from damier.insight.train.game_file import read_games
from damier.insight.train.positions import COLUMNS, KIND, play_positions, setting_of
from damier.insight.train.rows_file import check_ending

if TYPE_CHECKING:
    from damier.core.definition import NetworkFile
    from damier.core.game import Game
    from damier.insight.train.learn import Course, Epoch
    from damier.insight.train.positions import Play
    from damier.insight.train.rows_file import Rows

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


def check_file(file: Path) -> None:
    """Refuses a file that cannot take a network, or whose log cannot be written, before there is anything to write."""
    check_ending(file, (".bin",))
    for each in (file, _log_of(file)):
        if each.exists() and not each.is_file():
            raise cannot_write(each, errno.EISDIR if each.is_dir() else errno.EEXIST)


def _log_of(file: Path) -> Path:
    return file.with_suffix(".json")


def train_network(
    game: Game,
    games: int,
    folder: Path,
    file: Path,
    play: Play,
    course: Course,
    show: Show,
    jobs: int = 1,
    more: Sequence[Path] = (),
) -> Trained:
    """Plays `games` games with each of the network's sets of options, trains, and writes the network to `file`.

    The games are played by `jobs` processes; those in the folders of other trainings, `more`, are learned from, too. A
    second file, with the ending .json, has the log.
    """
    network = check_trainable(game)
    check_file(file)
    _check_different([folder, *more])
    from damier.insight.train.examples import Examples
    from damier.insight.train.learn import train
    from damier.insight.train.quantise import quantised

    began = time.time()
    examples, sources = Examples(game, course.result_share), []
    sets = [type(game)(game.definition, **options) for options in network.played]
    for other in more:
        for played in sets:
            setting, count, rows = read_games(_games_file(other, played), {"kind": KIND, **_identity(played)}, COLUMNS)
            examples.add(played, rows)
            sources.append(_source(setting, count, rows))
    _make_folder(folder)
    for played in sets:
        found = _games_file(folder, played)
        before, rows = play_positions(
            played, games, found, play, functools.partial(_show_games, show, found.stem), jobs
        )
        examples.add(played, rows)
        sources.append(_source(setting_of(played, play), max(before, games), rows))
    weights, epochs = train(
        game, examples, course, lambda epoch: show(epoch.number / course.epochs, _note(epoch)), folder
    )
    content = network_bytes(quantised(game, weights, examples.width, course.stretch))
    log = {
        "game": game.name,
        "version": __version__,
        "sources": sources,
        "course": asdict(course),
        "hidden": HIDDEN,
        "epochs": [asdict(epoch) for epoch in epochs],
        "seconds": round(time.time() - began),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    _write(file, content)
    _write(_log_of(file), (json.dumps(log, indent=1) + "\n").encode())
    positions, counted = (sum(each[name] for each in sources) for name in ("positions", "games"))
    return Trained(file, positions, counted, epochs)


def _games_file(folder: Path, game: Game) -> Path:
    """Returns the file of a training that has the games with a game's options."""
    name = "-".join(str(value) for value in game.options.values()).replace(",", "")
    return folder / f"{name or 'positions'}.npz"


def _identity(game: Game) -> dict[str, Any]:
    return {"game": game.name, "options": game.options}


def _source(setting: Mapping[str, Any], games: int, rows: Rows) -> dict[str, Any]:
    """Returns what the log says of the games of a file."""
    how = {name: value for name, value in setting.items() if name not in ("format", "kind", "game")}
    return {**how, "games": games, "positions": len(rows["value"])}


def _show_games(show: Show, name: str, share: float) -> None:
    show(share, name)


def _note(epoch: Epoch) -> str:
    return f"{epoch.loss:.4f} {epoch.held_out:.4f}"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error.errno) from None


def _check_different(folders: Sequence[Path]) -> None:
    """Refuses a folder that is named twice, whose games would count twice."""
    for i, folder in enumerate(folders):
        if folder.resolve() in [other.resolve() for other in folders[:i]]:
            raise BadArgument(message("The folder {folder} is named twice.", folder=shown(str(folder))))


def _write(file: Path, content: bytes) -> None:
    try:
        with replacing(file) as stream:
            stream.write(content)
    except OSError as error:
        raise cannot_write(file, error.errno) from None


def losses(epochs: list[Epoch]) -> dict[str, Any]:
    """Returns the figures of the last epoch."""
    return {"loss": round(epochs[-1].loss, 5), "held_out": round(epochs[-1].held_out, 5)}
