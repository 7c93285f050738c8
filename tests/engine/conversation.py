"""Conversations with a protocol server, line by line."""

import queue
import re
import threading
from collections.abc import Callable, Iterable

import damier
from damier.engine.protocols.gtp import run_gtp
from damier.engine.protocols.session import MakePlayer
from damier.engine.protocols.ugi import run_ugi
from tests.engine.made_up_engine import PATIENCE, made_up


class Conversation:
    """A server that runs in a thread and is spoken to line by line; also a connection for a player."""

    def __init__(self, run: Callable[..., None], game: damier.Game, make: MakePlayer = made_up) -> None:
        self.name = "server"
        self._sent: queue.Queue[str | None] = queue.Queue()
        self._said: queue.Queue[str | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, args=(run, game, make), daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def send(self, line: str) -> None:
        self._sent.put(line + "\n")

    def receive(self, seconds: float = PATIENCE) -> str | None:  # noqa: ARG002  # a slow day is no fault
        return self._said.get(timeout=PATIENCE)

    def close(self) -> None:
        self._sent.put(None)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def rest(self) -> list[str]:
        """Ends the input and returns what the server has still to say."""
        self.close()
        return list(filter(None, self._said.queue))

    def _run(self, run: Callable[..., None], game: damier.Game, make: MakePlayer) -> None:
        run(game, iter(self._sent.get, None), self._hear, make=make)
        self._said.put(None)

    def _hear(self, text: str) -> None:
        for line in text.split("\n"):
            self._said.put(line)


def said(game: damier.Game, *lines: str, run: Callable[..., None] = run_ugi, make: MakePlayer = made_up) -> list[str]:
    """Returns what a server says to lines that come all at once."""
    answers: list[str] = []
    run(game, lines, answers.append, make=make)
    return answers


def load(text: str) -> damier.Game:
    name, *options = text.split()
    return damier.load(name, **dict(option.split("=", 1) for option in options))


def follow(protocol: str, game: damier.Game, make: MakePlayer, lines: Iterable[str]) -> None:
    """Holds a conversation as it is written."""
    conversation = Conversation({"ugi": run_ugi, "gtp": run_gtp}[protocol], game, make)
    skipped = "(?!)"  # nothing
    for line in lines:
        mark, _, text = line.partition(" ")
        if mark == ">":
            conversation.send(text)
        elif mark == "<*":
            skipped = text
        else:
            assert mark in ("<", "<~")
            pattern = text if mark == "<~" else re.escape(text)
            answer = conversation.receive() or ""
            while re.fullmatch(skipped, answer) and not re.fullmatch(pattern, answer):
                answer = conversation.receive() or ""
            assert re.fullmatch(pattern, answer), (line, answer)
            skipped = "(?!)"
    assert conversation.rest() == []
