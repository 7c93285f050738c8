"""Entrants of a match: texts such as ``level:5`` or ``full@seconds=0.5``, and the players they stand for."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from damier.core.errors import BadArgument
from damier.core.messages import message, plain, shown
from damier.core.ranges import check_whole
from damier.engine.levels import LEVELS, EnginePlayer, LevelPlayer
from damier.engine.limit import Limit
from damier.engine.methods.evaluation import HAND_MADE, LEARNED
from damier.engine.player import Player, RandomPlayer

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.engine.methods.mcts import TreeSearch

Make = Callable[["Game", int], Player]
"""Returns a player for a game and a seed of its random choices."""

_TAKES = (
    f"level:{LEVELS[0]}..level:{LEVELS[-1]}, full, full:{HAND_MADE}, full:{LEARNED}, full:FILE.bin, mcts, random, "
    "ugi:COMMAND, gtp:COMMAND, python:MODULE:FUNCTION"
)
_SETTINGS = re.compile("@([a-z]+=[^,=@]*(?:,[a-z]+=[^,=@]*)*)$", re.ASCII)
_FUNCTION = re.compile(r"([^\W\d]\w*(?:[.][^\W\d]\w*)*):([^\W\d]\w*)")  # module:function
_LONGEST_NAME = 100  # letters
_MOST_THREADS = 1024
_MOST_MEMORY = 1 << 20  # megabytes
_MOST_SIMULATIONS = 10**9


@dataclass(frozen=True)
class Entrant:
    """An entrant of a match. It is pickled, so `make` must be a function of an importable module, not of a script."""

    text: str
    make: Make
    limit: Limit | None = None
    """Overrides the limit of the match."""

    threads: int = 1
    """The cores that a player of this entrant uses."""

    is_kept: bool = False
    """Whether its players are kept from game to game, as programs are that take long to start."""

    @property
    def name(self) -> str:
        """The name in tables and records: one line without a semicolon."""
        return plain(self.text, _LONGEST_NAME).replace(";", ",").strip()


def parse_entrant(text: str, *, uses_tables: bool = True) -> Entrant:
    """Returns the entrant of a text; raises `BadArgument` with what is allowed.

    Without `uses_tables`, the engine of this program searches even where it could look up exact values.

    >>> parse_entrant("random@nodes=1000").limit
    Limit(seconds=None, nodes=1000, depth=None)
    """
    match = _SETTINGS.search(text)
    what, settings = (text[: match.start()], match[1]) if match else (text, "")
    kind, _, value = what.partition(":")
    value = value.strip()
    if kind in ("ugi", "gtp") and value:
        limit, engine = _parse_settings(text, settings, ())
        return Entrant(text, functools.partial(_program, kind, value), limit, is_kept=True)
    if what in ("full", "mcts") or (kind == "full" and (value in (HAND_MADE, LEARNED) or value.endswith(".bin"))):
        method = "mcts" if what == "mcts" else None
        limit, engine = _parse_settings(text, settings, ("threads", "memory", *(["simulations"] if method else [])))
        limit = limit or (Limit() if "simulations" in engine else None)
        make = functools.partial(_engine, method, value or None, engine, uses_tables)
        return Entrant(text, make, limit, engine.get("threads", 1))
    limit, _ = _parse_settings(text, settings, ())
    if kind == "python" and (function := _FUNCTION.fullmatch(value)):
        return Entrant(text, functools.partial(_policy, function[1], function[2], text), limit)
    if what == "random":
        return Entrant(text, _random, limit)
    if what in [f"level:{level}" for level in LEVELS]:
        return Entrant(text, functools.partial(_level, int(value), uses_tables), limit)
    raise BadArgument(
        message(
            "A player is one of {takes}, each with settings as in {example}, not {text}.",
            takes=_TAKES,
            example="full@seconds=0.5",
            text=shown(text),
        )
    )


def _parse_settings(text: str, settings: str, more: tuple[str, ...]) -> tuple[Limit | None, dict[str, int]]:
    """Returns the limit and the `more` settings after the @."""
    given: dict[str, str] = {}
    for part in settings.split(",") if settings else ():
        name, _, value = part.partition("=")
        if name not in ("seconds", "nodes", "depth", *more) or name in given:
            raise BadArgument(
                message(
                    "After @ {text} takes each of {names} once, not {name}.",
                    text=shown(text),
                    names=", ".join(("seconds", "nodes", "depth", *more)),
                    name=shown(name),
                )
            )
        given[name] = value
    engine = {name: _whole(name, given.pop(name)) for name in more if name in given}
    _check_engine(engine)
    if not given:
        return None, engine
    seconds = _seconds(given.pop("seconds")) if "seconds" in given else None
    return Limit(seconds, **{name: _whole(name, value) for name, value in given.items()}), engine


def _whole(name: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text, re.ASCII):
        raise BadArgument(message("{name} takes a whole number, not {text}.", name=name, text=shown(text)))
    return int(text)


def _seconds(text: str) -> float:
    if not re.fullmatch("[0-9]{1,9}([.][0-9]{0,9})?|[.][0-9]{1,9}", text, re.ASCII):
        raise BadArgument(
            message("seconds takes a number such as {example}, not {text}.", example="0.5", text=shown(text))
        )
    return float(text)


def _check_engine(engine: dict[str, int]) -> None:
    for name, high in (("threads", _MOST_THREADS), ("memory", _MOST_MEMORY), ("simulations", _MOST_SIMULATIONS)):
        check_whole(name, engine.get(name, 1), 1, high)


def _random(game: Game, seed: int) -> Player:  # noqa: ARG001  # any game
    return RandomPlayer(seed)


def _level(level: int, uses_tables: bool, game: Game, seed: int) -> Player:
    player = LevelPlayer(game, level, seed, uses_tables=uses_tables)
    player.warm_up()
    return player


def _engine(
    method: str | None,
    evaluation: str | None,
    settings: dict[str, int],
    uses_tables: bool,
    game: Game,
    seed: int,  # noqa: ARG001  # not random
) -> Player:
    threads, memory = settings.get("threads", 1), settings.get("memory", 64)
    player = EnginePlayer(
        game, method=method, evaluation=evaluation, threads=threads, memory=memory, uses_tables=uses_tables
    )
    if "simulations" in settings:
        cast("TreeSearch", player.engine.method).simulations = settings["simulations"]
    player.warm_up()
    return player


def _program(protocol: str, command: str, game: Game, seed: int) -> Player:  # noqa: ARG001  # not ours to set
    from damier.engine.protocols.programs import GtpPlayer, UgiPlayer

    return UgiPlayer(game, command) if protocol == "ugi" else GtpPlayer(game, command)


def _policy(module: str, function: str, name: str, game: Game, seed: int) -> Player:  # noqa: ARG001  # any game
    from damier.engine.policy import PolicyPlayer, load_policy

    return PolicyPlayer(load_policy(module, function), name, seed)
