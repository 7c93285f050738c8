"""Other programs as players: started by a command line and driven by UGI or GTP.

Threads read the output of a program, so that no pipe fills up; the last lines of its stderr are kept for the error that
says how it failed. Anything that a program does wrong raises `EngineFault`. A program that has died or was silent for
too long is ended, and started again by the next `new_game`.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import queue
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Protocol

from damier.core.errors import BadArgument, IllegalAction
from damier.core.messages import Message, message, plain, shown
from damier.engine.fault import EngineFault
from damier.engine.limit import Limit
from damier.engine.player import Player
from damier.engine.turns import joined_turns

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record

START_SECONDS = 30.0
"""For a program to identify itself."""

READY_SECONDS = 120.0
"""For a program to get ready; engines build tables and compile."""

SILENT_SECONDS = 60.0
"""For the next line of a program that searches without a time limit."""

GRACE_SECONDS = 5.0
"""Beyond the time limit of a search."""

_END_SECONDS = 2.0  # for a program to end before the next, harsher way
_MOST_LINES = 10_000  # of unread output
_KEPT_ERRORS = 5  # lines of stderr
_NO_MOVES = ("none", "(none)", "0000", "null")

_log = logging.getLogger(__name__)


class ProgramConnection(Protocol):
    """A connection to a program, line by line."""

    name: str

    @property
    def is_running(self) -> bool:
        """Whether lines can be sent."""

    def send(self, line: str) -> None:
        """Sends a line; raises `EngineFault` if the program has died."""

    def receive(self, seconds: float) -> str | None:
        """Returns the next line, or None after `seconds`; raises `EngineFault` if the program has died."""

    def close(self) -> None:
        """Ends the program."""


Connect = Callable[[Sequence[str], str], ProgramConnection]


class Program:
    """A program in a child process."""

    def __init__(self, command: Sequence[str], name: str) -> None:
        self.name = name
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise EngineFault(
                message("The program {program} does not start: {reason}.", program=shown(name), reason=reason)
            ) from None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._errors: deque[str] = deque(maxlen=_KEPT_ERRORS)
        self._readers = [
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_errors, args=(self._process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def is_running(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def send(self, line: str) -> None:
        """Sends a line and flushes it."""
        stdin = self._process.stdin
        assert stdin
        try:
            stdin.write(line + "\n")
            stdin.flush()
        except (OSError, ValueError):
            raise self._death() from None

    def receive(self, seconds: float) -> str | None:
        """Returns the next line, or None after `seconds`."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)  # for the next call
            raise self._death()
        return line

    def close(self) -> None:
        """Closes the input of the program, then terminates it, then kills it, waiting a little each time."""
        stdin = self._process.stdin
        assert stdin
        with contextlib.suppress(OSError, ValueError):
            stdin.close()
        for end in (self._process.terminate, self._process.kill):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_SECONDS)
            if self.is_running:
                end()
        self._process.wait()
        for reader, stream in zip(self._readers, (self._process.stdout, self._process.stderr), strict=True):
            reader.join(_END_SECONDS)
            if stream and not reader.is_alive():  # a child of the program may hold the pipe
                stream.close()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            if self._lines.qsize() >= _MOST_LINES:
                with contextlib.suppress(queue.Empty):
                    self._lines.get_nowait()
            self._lines.put(line.strip())
        self._lines.put(None)

    def _read_errors(self, stream: IO[str]) -> None:
        for line in stream:
            if line.strip():
                self._errors.append(line.strip())

    def _death(self) -> EngineFault:
        """Returns the error for a program that has ended."""
        self.close()
        words = self._errors[-1] if self._errors else ""
        values = {"program": shown(self.name), "status": self._process.returncode}
        if not words:
            return EngineFault(message("The program {program} has ended with status {status}.", **values))
        return EngineFault(
            message(
                "The program {program} has ended with status {status}; its last words were {words}.",
                **values,
                words=f"'{plain(words, 100)}'",
            )
        )


class _ProgramClient:
    """What the clients of both protocols share: starting a program, waiting for its lines, reporting its faults."""

    def __init__(self, command: Sequence[str] | str, name: str | None, grace: float, connect: Connect) -> None:
        self._command = _split(command)
        self.name = name or plain(" ".join([os.path.basename(self._command[0]), *self._command[1:]]), 60)
        self.grace = grace
        self._connect = connect
        self._program: ProgramConnection | None = None

    @property
    def is_running(self) -> bool:
        """Whether lines can be sent."""
        return self._program is not None and self._program.is_running

    def start(self) -> None:
        """Starts the program, ending it first if it is running."""
        self.close()
        self._program = self._connect(self._command, self.name)

    def send(self, line: str) -> None:
        """Sends a line."""
        self._running().send(line)

    def receive(self, seconds: float, asked: str) -> str:
        """Returns the next line; ends a program that does not answer `asked` within `seconds`."""
        line = self._running().receive(seconds) if seconds > 0 else None
        if line is None:
            self.close()
            raise self.fault(message("The program {program} did not answer {asked} in time.", asked=shown(asked)))
        return line

    def fault(self, sentence: Message) -> EngineFault:
        """Returns the error for a fault of the program."""
        return EngineFault(replace(sentence, values={**sentence.values, "program": shown(self.name)}))

    def check(self, record: Record, text: str) -> list[str]:
        """Returns the actions of a move; raises `EngineFault` unless they are legal."""
        if text in _NO_MOVES:
            raise self.fault(message("The program {program} gave no move, though the game goes on."))
        try:
            record.copy().play_turn(text)
        except IllegalAction as error:
            raise self.fault(
                message(
                    "The program {program} played {text}, which is refused: {reason}",
                    text=shown(text),
                    reason=error.message,
                )
            ) from None
        return text.split("+")

    @contextlib.contextmanager
    def logged_faults(self) -> Iterator[None]:
        """Logs faults of a program that has been started: the caller may go on without it."""
        try:
            yield
        except EngineFault as fault:
            _log.warning("%s", fault)
            raise

    def close(self) -> None:
        """Ends the program."""
        if self._program:
            self._program.close()
            self._program = None

    def _running(self) -> ProgramConnection:
        if self._program is None:
            raise self.fault(message("The program {program} is not running: a new game starts it again."))
        return self._program


class UgiPlayer(Player):
    """A program driven by UGI."""

    def __init__(
        self,
        game: Game,
        command: Sequence[str] | str,
        name: str | None = None,
        *,
        options: Mapping[str, object] | None = None,
        grace: float = GRACE_SECONDS,
        connect: Connect = Program,
    ) -> None:
        """Starts the program; sets ``Threads`` 1, ``Seed`` 0, the game's options and `options` if it offers them."""
        self._client = _ProgramClient(command, name, grace, connect)
        self._has_name = name is not None
        self._options = {"Threads": 1, "Seed": 0, **game.options, **(options or {})}
        self._start()
        self.name = self._client.name

    def choose(self, record: Record, limit: Limit) -> list[str]:
        """Returns the actions of the move that the program chooses."""
        go = _go(limit)
        with self._client.logged_faults():
            self._client.send(_position(record))
            self._wait_ready()
            self._client.send(go)
            until = None if limit.seconds is None else time.monotonic() + limit.seconds + self._client.grace
            while True:
                patience = SILENT_SECONDS if until is None else until - time.monotonic()
                words = self._client.receive(patience, go).split()
                if words[:1] == ["bestmove"]:
                    return self._client.check(record, words[1] if len(words) > 1 else _NO_MOVES[0])

    def new_game(self) -> None:
        """Announces a new game, or starts the program again if it has died."""
        with self._client.logged_faults():
            if not self._client.is_running:
                self._start()
            self._client.send("uginewgame")
            self._wait_ready()

    def close(self) -> None:
        """Ends the program."""
        if self._client.is_running:
            with contextlib.suppress(EngineFault):
                self._client.send("quit")
        self._client.close()

    def _start(self) -> None:
        self._client.start()
        try:
            self._shake_hands()
        except EngineFault:
            self._client.close()
            raise

    def _shake_hands(self) -> None:
        self._client.send("ugi")
        offered: dict[str, str] = {}
        until = time.monotonic() + START_SECONDS
        while (line := self._client.receive(until - time.monotonic(), "ugi")) != "ugiok":
            words = line.split()
            if words[:2] == ["id", "name"] and not self._has_name:
                self._client.name = plain(" ".join(words[2:]), 60)
            if words[:2] == ["option", "name"] and "type" in words:
                option = " ".join(words[2 : words.index("type")])
                offered[option.lower()] = option
        for option, value in self._options.items():
            if option.lower() in offered:
                self._client.send(f"setoption name {offered[option.lower()]} value {value}".rstrip())
        self._wait_ready()

    def _wait_ready(self) -> None:
        self._client.send("isready")
        until = time.monotonic() + READY_SECONDS
        while self._client.receive(until - time.monotonic(), "isready") != "readyok":
            pass


class GtpPlayer(Player):
    """A program driven by GTP. The protocol has no limits but whole seconds."""

    def __init__(
        self,
        game: Game,
        command: Sequence[str] | str,
        name: str | None = None,
        *,
        grace: float = GRACE_SECONDS,
        connect: Connect = Program,
    ) -> None:
        self._game = game
        self._client = _ProgramClient(command, name, grace, connect)
        self._has_name = name is not None
        self._commands: set[str] = set()
        self._sent: tuple[str, tuple[str, ...]] | None = None
        """The first position and the actions that the program has been sent."""
        self._time = ""
        self._start()
        self.name = self._client.name

    def choose(self, record: Record, limit: Limit) -> list[str]:
        """Returns the actions of the rest of the turn, requested one by one."""
        with self._client.logged_faults():
            return self._choose(record, limit)

    def _choose(self, record: Record, limit: Limit) -> list[str]:
        self._send_record(record)
        self._set_time(limit)
        patience = SILENT_SECONDS if limit.seconds is None else max(limit.seconds, 1.0) + self._client.grace
        colour, branch, turn = self._colour(record.mover), record.copy(), record.turn
        actions: list[str] = []
        while branch.result is None and branch.turn == turn and branch.mover == record.mover:
            action = self._ask(f"genmove {colour}", patience).lower()
            self._sent = None  # until it has been checked
            actions += self._client.check(branch, action)
            branch.play_turn(action)
            self._sent = str(branch.start), branch.played
        return actions

    def new_game(self) -> None:
        """Clears the board of the program, or starts it again if it has died."""
        with self._client.logged_faults():
            if not self._client.is_running:
                self._start()
            self._ask("clear_board", READY_SECONDS)
        self._sent = str(self._game.start), ()

    def close(self) -> None:
        """Ends the program."""
        if self._client.is_running:
            with contextlib.suppress(EngineFault):
                self._client.send("quit")
        self._client.close()

    def _start(self) -> None:
        self._client.start()
        self._sent, self._time = None, ""
        try:
            name = self._ask("name", START_SECONDS)
            if not self._has_name:
                self._client.name = plain(name, 60)
            self._commands = set(self._ask("list_commands", READY_SECONDS).split())
            if "boardsize" in self._commands:
                self._ask(f"boardsize {len({cell.x for cell in self._game.drawing.cells})}", READY_SECONDS)
        except EngineFault:
            self._client.close()
            raise

    def _send_record(self, record: Record) -> None:
        """Sends the present position: only what is new, or all of the game."""
        start, sent = str(record.start), self._sent
        self._sent = None  # until all is sent
        if sent is None or sent[0] != start or record.played[: len(sent[1])] != sent[1]:
            self._ask("clear_board", READY_SECONDS)
            if record.start != self._game.start:
                self._ask(f"damier-position {start}", READY_SECONDS)
            sent = start, ()
        for position, action in list(zip(record.positions, record.played, strict=False))[len(sent[1]) :]:
            self._ask(f"play {self._colour(position.mover)} {action}", READY_SECONDS)
        self._sent = start, record.played

    def _set_time(self, limit: Limit) -> None:
        if limit.seconds is None or "time_settings" not in self._commands:
            return
        command = f"time_settings 0 {max(1, math.ceil(limit.seconds))} 1"
        if command != self._time:
            self._ask(command, READY_SECONDS)
            self._time = command

    def _ask(self, command: str, seconds: float) -> str:
        """Returns the answer to a command; raises `EngineFault` if it fails."""
        self._client.send(command)
        until = time.monotonic() + seconds
        answer: list[str] = []
        while (line := self._client.receive(until - time.monotonic(), command)) or not answer:
            if line:
                answer.append(line)
        text = "\n".join(answer)[1:].strip()
        if not answer[0].startswith("="):
            raise self._client.fault(
                message(
                    "The program {program} refused {command}: {answer}",
                    command=shown(command),
                    answer=plain(text, 120),
                )
            )
        return text

    def _colour(self, player: str) -> str:
        """Returns the colour of a player: b or w for two players, else the name in the notation."""
        players = self._game.players
        return "bw"[players.index(player)] if len(players) == 2 and player in players else player


def _split(command: Sequence[str] | str) -> list[str]:
    """Returns the words of a command; a string is split like in a shell."""
    try:
        words = shlex.split(command, posix=os.name != "nt") if isinstance(command, str) else list(command)
    except ValueError:
        words = []
    if not words:
        raise BadArgument(message("A program is started by a command, not by {text}.", text=shown(str(command))))
    return words


def _position(record: Record) -> str:
    place = "startpos" if record.start == record.game.start else f"fen {record.start}"
    moves = joined_turns(record.start, record.played)
    return " ".join(["position", place, *(["moves", *moves] if moves else [])])


def _go(limit: Limit) -> str:
    if limit == Limit():
        raise BadArgument(message("A program needs a limit: seconds, nodes or depth."))
    words = ["go"]
    if limit.seconds is not None:
        words.append(f"movetime {max(1, round(limit.seconds * 1000))}")
    if limit.nodes is not None:
        words.append(f"nodes {limit.nodes}")
    if limit.depth is not None:
        words.append(f"depth {limit.depth}")
    return " ".join(words)
