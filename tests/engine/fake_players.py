"""Players for matches in tests, in a module that worker processes can import."""

import functools
import os
import signal
from pathlib import Path

import damier
from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.engine.arena.entrants import Entrant, parse_entrant
from damier.engine.limit import Limit
from damier.engine.player import RandomPlayer

RANDOM = parse_entrant("random")


class Fake(RandomPlayer):
    """Plays at random, or as its kind says."""

    def __init__(self, kind: str, seed: int = 0) -> None:
        super().__init__(seed)
        self.name = kind
        self.turns = 0
        self.asked: list[Limit] = []

    def choose(self, record: damier.Record, limit: Limit) -> list[str]:
        self.turns += 1
        self.asked.append(limit)
        if self.name == "greedy":
            for action in record.actions():
                result = record.position.play(action).result
                if result and result.winner == record.mover:
                    return [action]
        if self.turns > 2:
            match self.name:
                case "illegal":
                    return ["a1-z9"]
                case "lazy":
                    return []
                case "hasty":
                    return super().choose(record, limit) * 5
                case "sorry":
                    raise BadArgument(message("It has lost its head."))
                case "broken":
                    raise ZeroDivisionError("division by zero")
        return super().choose(record, limit)


def fake(kind: str, game: damier.Game, seed: int) -> Fake:
    return Fake(kind, seed)


def entrant(kind: str) -> Entrant:
    return Entrant(kind, functools.partial(fake, kind))


def mortal(marker: str, deaths: int, game: damier.Game, seed: int) -> Fake:
    """Kills its own process, as often as told: each death adds a letter to a file."""
    file = Path(marker)
    died = len(file.read_text()) if file.exists() else 0
    if died < deaths:
        file.write_text("x" * (died + 1))
        os.kill(os.getpid(), signal.SIGKILL)
    return Fake("random", seed)


def program(folder: str, game: damier.Game, seed: int) -> Fake:
    """Stands for a program that is kept from game to game, and starts twice only."""
    log = Path(folder) / "starts"
    starts = len(log.read_text()) if log.exists() else 0
    if starts >= 2:
        raise BadArgument(message("The program has gone."))
    log.write_text("x" * (starts + 1))
    return Fake("illegal", seed)
