"""Other programs as players: started by a command line and driven by UGI or GTP.

A program's output is read by a thread, so that no pipe ever fills up; what it prints on stderr is kept to its last
lines, for the sentence that says how it failed. Whatever a program does wrong raises `EngineFault`; one that has died
or was silent for too long is ended, and started again by the next `new_game`.
"""

from __future__ import annotations

import contextlib
import math
import os
import queue
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
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
"""How long a program may take to say what it is."""

READY_SECONDS = 120.0
"""How long it may take to make itself ready; engines build tables and compile."""

SILENT_SECONDS = 60.0
"""How long it may say nothing while it searches without a limit of time."""

GRACE_SECONDS = 5.0
"""How much longer than the limit it may take."""

_END_SECONDS = 2.0
_MOST_LINES = 10_000
_LAST_WORDS = 5  # lines of stderr
_NO_MOVES = ("none", "(none)", "0000", "null")


class Connection(Protocol):
    """A program that is spoken to line by line."""

    name: str

    @property
    def is_running(self) -> bool:
        """Whether it can still be spoken to."""

    def send(self, line: str) -> None:
        """Sends a line; raises `EngineFault` if the program has died."""

    def receive(self, seconds: float) -> str | None:
        """Returns the next line, or None if there is none in time; raises `EngineFault` if the program has died."""

    def close(self) -> None:
        """Ends the program, gently and then not."""


Connect = Callable[[Sequence[str], str], Connection]


class Program:
    """A program running in a process of its own."""

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
        self._last_words: deque[str] = deque(maxlen=_LAST_WORDS)
        self._readers = [
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._overhear, args=(self._process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def is_running(self) -> bool:
        """Whether the process lives."""
        return self._process.poll() is None

    def send(self, line: str) -> None:
        """Sends a line at once."""
        stdin = self._process.stdin
        assert stdin
        try:
            stdin.write(line + "\n")
            stdin.flush()
        except (OSError, ValueError):
            raise self._death() from None

    def receive(self, seconds: float) -> str | None:
        """Returns the next line, or None if there is none in time."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)  # for whoever asks again
            raise self._death()
        return line

    def close(self) -> None:
        """Closes the program's input, then terminates it, then kills it, with a grace each time."""
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
            if stream and not reader.is_alive():  # a process that the program has started may hold the pipe
                stream.close()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            if self._lines.qsize() >= _MOST_LINES:
                with contextlib.suppress(queue.Empty):
                    self._lines.get_nowait()
            self._lines.put(line.strip())
        self._lines.put(None)

    def _overhear(self, stream: IO[str]) -> None:
        for line in stream:
            if line.strip():
                self._last_words.append(line.strip())

    def _death(self) -> EngineFault:
        """Returns the error for a program that no longer answers because it has ended."""
        self.close()
        words = self._last_words[-1] if self._last_words else ""
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


class _Talk:
    """A program with what is common to all protocols: starting it, waiting for it, blaming it."""

    def __init__(self, command: Sequence[str] | str, name: str | None, grace: float, connect: Connect) -> None:
        self._command = _split(command)
        self.name = name or plain(" ".join([os.path.basename(self._command[0]), *self._command[1:]]), 60)
        self.grace = grace
        self._connect = connect
        self._program: Connection | None = None

    @property
    def is_running(self) -> bool:
        """Whether the program can be spoken to."""
        return self._program is not None and self._program.is_running

    def start(self) -> None:
        """Starts the program anew."""
        self.close()
        self._program = self._connect(self._command, self.name)

    def send(self, line: str) -> None:
        """Sends a line."""
        self._running().send(line)

    def receive(self, seconds: float, asked: str) -> str:
        """Returns the next line; a program that says nothing in time is ended."""
        line = self._running().receive(seconds) if seconds > 0 else None
        if line is None:
            self.close()
            raise self.fault(message("The program {program} did not answer {asked} in time.", asked=shown(asked)))
        return line

    def fault(self, sentence: Message) -> EngineFault:
        """Returns the error for something that the program did."""
        return EngineFault(Message(sentence.text, {**sentence.values, "program": shown(self.name)}))

    def check(self, record: Record, text: str) -> list[str]:
        """Returns the actions of a move that the program has chosen, if they are legal."""
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

    def close(self) -> None:
        """Ends the program."""
        if self._program:
            self._program.close()
            self._program = None

    def _running(self) -> Connection:
        if self._program is None:
            raise self.fault(message("The program {program} is not running: a new game starts it again."))
        return self._program


class UgiPlayer(Player):
    """A program that speaks UGI."""

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
        """Starts the program; `options` are set if it offers them, as are the game's, ``Threads`` 1 and ``Seed`` 0."""
        self._talk = _Talk(command, name, grace, connect)
        self._has_name = name is not None
        self._options = {"Threads": 1, "Seed": 0, **game.options, **(options or {})}
        self._start()
        self.name = self._talk.name

    def choose(self, record: Record, limit: Limit) -> list[str]:
        """Returns the actions of the move that the program chooses."""
        go = _go(limit)
        self._talk.send(_position(record))
        self._wait_ready()
        self._talk.send(go)
        until = None if limit.seconds is None else time.monotonic() + limit.seconds + self._talk.grace
        while True:
            patience = SILENT_SECONDS if until is None else until - time.monotonic()
            words = self._talk.receive(patience, go).split()
            if words[:1] == ["bestmove"]:
                return self._talk.check(record, words[1] if len(words) > 1 else _NO_MOVES[0])

    def new_game(self) -> None:
        """Tells the program, or starts it again if it has died."""
        if not self._talk.is_running:
            self._start()
        self._talk.send("uginewgame")
        self._wait_ready()

    def close(self) -> None:
        """Ends the program."""
        if self._talk.is_running:
            with contextlib.suppress(EngineFault):
                self._talk.send("quit")
        self._talk.close()

    def _start(self) -> None:
        self._talk.start()
        try:
            self._shake_hands()
        except EngineFault:
            self._talk.close()
            raise

    def _shake_hands(self) -> None:
        self._talk.send("ugi")
        offered: dict[str, str] = {}
        until = time.monotonic() + START_SECONDS
        while (line := self._talk.receive(until - time.monotonic(), "ugi")) != "ugiok":
            words = line.split()
            if words[:2] == ["id", "name"] and not self._has_name:
                self._talk.name = plain(" ".join(words[2:]), 60)
            if words[:2] == ["option", "name"] and "type" in words:
                option = " ".join(words[2 : words.index("type")])
                offered[option.lower()] = option
        for option, value in self._options.items():
            if option.lower() in offered:
                self._talk.send(f"setoption name {offered[option.lower()]} value {value}".rstrip())
        self._wait_ready()

    def _wait_ready(self) -> None:
        self._talk.send("isready")
        until = time.monotonic() + READY_SECONDS
        while self._talk.receive(until - time.monotonic(), "isready") != "readyok":
            pass


class GtpPlayer(Player):
    """A program that speaks GTP; of a limit, the protocol knows only the seconds, and these as whole ones."""

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
        self._talk = _Talk(command, name, grace, connect)
        self._has_name = name is not None
        self._known: set[str] = set()
        self._told: tuple[str, tuple[str, ...]] | None = None
        """The first position and the actions that the program knows of."""
        self._time = ""
        self._start()
        self.name = self._talk.name

    def choose(self, record: Record, limit: Limit) -> list[str]:
        """Returns the actions of the rest of the turn, asked for one by one."""
        self._tell(record)
        self._set_time(limit)
        patience = SILENT_SECONDS if limit.seconds is None else max(limit.seconds, 1.0) + self._talk.grace
        colour, branch, turn = self._colour(record.mover), record.copy(), record.turn
        actions: list[str] = []
        while branch.result is None and branch.turn == turn and branch.mover == record.mover:
            action = self._ask(f"genmove {colour}", patience).lower()
            self._told = None  # until it is known to be legal
            actions += self._talk.check(branch, action)
            branch.play_turn(action)
            self._told = str(branch.start), branch.played
        return actions

    def new_game(self) -> None:
        """Clears the program's board, or starts it again if it has died."""
        if not self._talk.is_running:
            self._start()
        self._ask("clear_board", READY_SECONDS)
        self._told = str(self._game.start), ()

    def close(self) -> None:
        """Ends the program."""
        if self._talk.is_running:
            with contextlib.suppress(EngineFault):
                self._talk.send("quit")
        self._talk.close()

    def _start(self) -> None:
        self._talk.start()
        self._told, self._time = None, ""
        try:
            name = self._ask("name", START_SECONDS)
            if not self._has_name:
                self._talk.name = plain(name, 60)
            self._known = set(self._ask("list_commands", READY_SECONDS).split())
            if "boardsize" in self._known:
                self._ask(f"boardsize {len({cell.x for cell in self._game.drawing.cells})}", READY_SECONDS)
        except EngineFault:
            self._talk.close()
            raise

    def _tell(self, record: Record) -> None:
        """Brings the program to the present position: by what is new, or from the beginning."""
        start, told = str(record.start), self._told
        self._told = None  # until all is said
        if told is None or told[0] != start or record.played[: len(told[1])] != told[1]:
            self._ask("clear_board", READY_SECONDS)
            if record.start != self._game.start:
                self._ask(f"damier-position {start}", READY_SECONDS)
            told = start, ()
        for position, action in list(zip(record.positions, record.played, strict=False))[len(told[1]) :]:
            self._ask(f"play {self._colour(position.mover)} {action}", READY_SECONDS)
        self._told = start, record.played

    def _set_time(self, limit: Limit) -> None:
        if limit.seconds is None or "time_settings" not in self._known:
            return
        command = f"time_settings 0 {max(1, math.ceil(limit.seconds))} 1"
        if command != self._time:
            self._ask(command, READY_SECONDS)
            self._time = command

    def _ask(self, command: str, seconds: float) -> str:
        """Returns the answer to a command, which must succeed."""
        self._talk.send(command)
        until = time.monotonic() + seconds
        answer: list[str] = []
        while (line := self._talk.receive(until - time.monotonic(), command)) or not answer:
            if line:
                answer.append(line)
        text = "\n".join(answer)[1:].strip()
        if not answer[0].startswith("="):
            raise self._talk.fault(
                message(
                    "The program {program} refused {command}: {answer}",
                    command=shown(command),
                    answer=plain(text, 120),
                )
            )
        return text

    def _colour(self, player: str) -> str:
        """Returns a player as the protocol knows two; more are called as in the notation."""
        players = self._game.players
        return "bw"[players.index(player)] if len(players) == 2 and player in players else player


def _split(command: Sequence[str] | str) -> list[str]:
    """Returns a command as words; a text is split as a shell would, without running one."""
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
