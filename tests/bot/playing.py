"""Bots in threads of this process, and servers for them that can be killed."""

from __future__ import annotations

import contextlib
import multiprocessing
import socket
import threading
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import damier
from damier.bot.bot import Bot
from damier.bot.journal import Journal
from damier.bot.seeking import Seeking
from damier.bot.terms import BotTerms
from damier.client import Client, MatchView
from damier.engine.arena.entrants import Entrant
from damier.engine.limit import Limit
from damier.engine.player import Player
from damier.server.run import serve
from damier.server.settings import ServerSettings
from tests.engine.fake_players import Fake

SECONDS = 300.0  # after which a test gives up waiting
LIMIT = Limit(seconds=0.05)
FORKS = multiprocessing.get_context("forkserver")


def greedy(game: damier.Game, seed: int) -> Player:
    """Returns a player that wins where it can, and else plays at random."""
    return Fake("greedy", seed)


GREEDY = Entrant("greedy", greedy)


class Running:
    """A bot in a thread."""

    def __init__(
        self,
        client: Client,
        entrant: Entrant = GREEDY,
        terms: BotTerms | None = None,
        seeking: Seeking | None = None,
    ) -> None:
        self.lines: list[str] = []
        self.error: Exception | None = None
        self.bot = Bot(client, entrant, LIMIT, terms or BotTerms(frozenset()), Journal(self.lines.append), seeking)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self, games: int | None = None) -> Running:
        """Lets it play, until so many matches are over."""
        self._games = games
        self._thread.start()
        return self

    def _run(self) -> None:
        try:
            self.bot.run(self._games)
        except Exception as error:
            self.error = error

    def wait(self) -> None:
        """Waits until it has ended by itself."""
        self._thread.join(SECONDS)
        assert not self._thread.is_alive(), self.lines
        assert self.error is None

    def stop(self) -> None:
        """Stops it."""
        self.bot.stop()
        self._thread.join(SECONDS)
        assert not self._thread.is_alive()

    def wait_for(self, word: str, count: int = 1) -> None:
        """Waits until it has said something so many times."""
        end = time.monotonic() + SECONDS
        while sum(word in line for line in self.lines) < count:
            assert time.monotonic() < end, self.lines
            assert self.error is None
            time.sleep(0.02)


def links(client: Client, match: MatchView) -> list[str]:
    """Returns the invitations of a match."""
    return [f"{client.address}/m/{match.number}#{invitation}" for invitation in match.invitations.values()]


def check_history(match: MatchView) -> None:
    """Asserts that a match was played by the rules up to its end."""
    record = damier.load(match.game, **match.options).record()
    for action in match.history:
        record.play(action)
    assert str(record.position) == match.position
    assert record.result
    assert match.result
    assert (record.result.winner, record.result.reason) == (match.result.winner, match.result.reason)


def free_port() -> int:
    """Returns a port that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextlib.contextmanager
def killable(database: Path, port: int) -> Iterator[BaseProcess]:
    """Runs a server in a process of its own, and kills it in the end."""
    settings = ServerSettings(database=str(database), workers=1, port=port, requests_per_second=10**6)
    address, tell = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=serve, args=(settings,), kwargs={"opens_browser": False, "tell": tell.send})
    process.start()
    try:
        address.recv()
        yield process
    finally:
        process.kill()
        process.join()
        process.close()
        address.close()
        tell.close()
