"""An engine in a process of its own: what it is asked, and the process that answers.

Requests come on standard input and answers go to standard output, both as pickles; the process that started this one is
at the other end, and nobody else can be. A thread listens while another searches: a search can be stopped, and when
the parent ends, however it ends, the closed pipe is noticed and this process ends too.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, TypeVar

from damier.core.errors import BadArgument, DamierError, IllegalAction
from damier.core.messages import message, plain
from damier.engine.analysis import Analysis
from damier.engine.exact import Exact
from damier.engine.levels import FULL_STRENGTH, EnginePlayer, LevelPlayer
from damier.engine.limit import Limit
from damier.engine.protocols.programs import EngineFault

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record

_UNTIL_STOPPED, _A_SECOND, _A_WHILE = Limit(), Limit(seconds=1.0), Limit(seconds=20.0)
_KEPT = 4  # engines and players of a process; what they remember makes the next search quicker
_AGAIN = 0.005  # seconds until a search is told once more to stop
_LONGEST_REASON = 200  # letters


@dataclass(frozen=True)
class AnalyseRequest:
    """Asks what a game being played is worth."""

    game: Game
    start: str | None = None
    """The position string from which it is played; None for the start of the game."""

    actions: tuple[str, ...] = ()
    """What has been played from there."""

    limit: Limit = _UNTIL_STOPPED
    lines: int = 3
    threads: int = 1
    method: str | None = None


@dataclass(frozen=True)
class ChooseRequest:
    """Asks for the next action of a player of a level, or for a whole turn at full strength."""

    game: Game
    start: str | None = None
    actions: tuple[str, ...] = ()
    level: int = FULL_STRENGTH
    seed: int = 0
    """What the chance of a level begins with; keep it for the whole game."""

    limit: Limit = _A_SECOND


@dataclass(frozen=True)
class ProbeRequest:
    """Asks for the exact value of every action, from the table of the game, which must be there."""

    game: Game
    start: str | None = None
    actions: tuple[str, ...] = ()
    lines: int = 1 << 16
    plies: int = 1
    """How long the lines may be."""

    limit: Limit = _A_WHILE


Request = AnalyseRequest | ChooseRequest | ProbeRequest
Report = Callable[[Analysis], None]
Kind = TypeVar("Kind", EnginePlayer, LevelPlayer, Exact)

Order = tuple[int, bytes | None]
"""What the parent sends: a ticket with a pickled request, or without one to stop the search of that ticket.

Each request has a higher number on its ticket than the one before."""

Reply = tuple[int, bool, object]
"""What it gets: the ticket, whether that was all, and an analysis, chosen actions or a `DamierError`."""


class Searchers:
    """The engines and players that a process has met, the latest few of them."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._kept: OrderedDict[tuple[object, ...], Any] = OrderedDict()
        self._latest: EnginePlayer | LevelPlayer | None = None

    def answer(self, request: Request, report: Report) -> Analysis | list[str]:
        """Returns the last analysis, after having reported all, or the chosen actions."""
        game = request.game
        record = game.record(request.start)
        for action in request.actions:
            record.play(action)
        if isinstance(request, ProbeRequest):
            exact = self._keep((game, "exact"), lambda: Exact(game))
            return exact.analysis(record, exact.actions(record), request.lines, request.plies)
        if isinstance(request, AnalyseRequest):
            player = self._full_strength(game, request.threads, request.method)
            last = Analysis(record.mover, 0, 0, 0.0, ())  # of a game that is over
            for last in player.engine.analyse(record, request.limit, request.lines):
                report(last)
            return last
        _refuse_without_choice(record)
        if request.level == FULL_STRENGTH:
            return self._full_strength(game, 1, None).choose(record, request.limit)
        return self._of_level(game, request.level, request.seed).choose(record, request.limit)

    def stop(self) -> None:
        """Ends the running search, if one has begun; called from another thread."""
        if latest := self._latest:
            latest.stop()

    def forget(self) -> None:
        """Lets all go."""
        self._kept.clear()
        self._latest = None

    def _full_strength(self, game: Game, threads: int, method: str | None) -> EnginePlayer:
        return self._keep(
            (game, threads, method), lambda: EnginePlayer(game, threads=threads, memory=self._memory, method=method)
        )

    def _of_level(self, game: Game, level: int, seed: int) -> LevelPlayer:
        return self._keep((game, "level", level, seed), lambda: LevelPlayer(game, level, seed))

    def _keep(self, key: tuple[object, ...], make: Callable[[], Kind]) -> Kind:
        """Returns what is kept under a key, making it if there is none."""
        player: Kind = self._kept[key] if key in self._kept else make()
        self._kept[key] = player
        if not isinstance(player, Exact):
            self._latest = player
        self._kept.move_to_end(key)
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return player


def _refuse_without_choice(record: Record) -> None:
    if result := record.result:
        raise IllegalAction(message("The game is over. {result}", result=result.message))
    if record.mover == "chance":
        raise BadArgument(message("The die is due, so there is nothing to choose."))


class Worker:
    """Answers one request after the other until its orders end."""

    def __init__(
        self, orders: IO[bytes], replies: IO[bytes], memory: int, leave: Callable[[int], object] = os._exit
    ) -> None:
        self._orders, self._replies, self._leave = orders, replies, leave
        self._searchers = Searchers(memory)
        self._due: queue.SimpleQueue[tuple[int, bytes] | None] = queue.SimpleQueue()
        self._answered = self._stopped = 0  # the last ticket that was answered, and the last that was told to stop
        self._lock = threading.Lock()

    def run(self) -> None:
        """Answers requests; calls `leave` when the orders end, also in the middle of a search."""
        threading.Thread(target=self._listen, daemon=True).start()
        while due := self._due.get():
            answer = self._answer(*due)
            with self._lock:
                self._answered = due[0]
            self._reply((due[0], True, answer))

    def _listen(self) -> None:
        """Reads orders as they come."""
        with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):  # closed, perhaps in the middle of one
            while True:
                ticket, data = pickle.load(self._orders)
                if data is not None:
                    self._due.put((ticket, data))
                else:
                    threading.Thread(target=self._stop, args=(ticket,), daemon=True).start()
        self._due.put(None)
        self._leave(0)

    def _stop(self, ticket: int) -> None:
        """Stops a search until it is over: it may not have begun yet, or begin another for the rest of a turn."""
        self._stopped = ticket
        while True:
            with self._lock:  # so that it does not hit the next one
                if self._answered >= ticket:
                    return
                self._searchers.stop()
            time.sleep(_AGAIN)

    def _answer(self, ticket: int, data: bytes) -> Analysis | list[str] | DamierError:
        try:
            return self._searchers.answer(pickle.loads(data), lambda found: self._reply((ticket, False, found)))
        except DamierError as error:
            return error
        except MemoryError:
            self._leave(1)  # a new process has more of it
            return []
        except Exception as error:
            if self._stopped == ticket:  # before it had found anything
                return []
            traceback.print_exc()
            self._searchers.forget()
            reason = plain(f"{type(error).__name__}: {error}", _LONGEST_REASON)
            return EngineFault(message("The engine has failed: {reason}", reason=reason))

    def _reply(self, reply: Reply) -> None:
        with contextlib.suppress(OSError):  # the parent has gone, as the orders will tell
            self._replies.write(pickle.dumps(reply))
            self._replies.flush()


def serve_parent(memory: int) -> None:
    """Answers the parent on standard input and output: what the process runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    prints = sys.stderr.fileno() if sys.stderr else os.open(os.devnull, os.O_WRONLY)
    os.dup2(prints, sys.stdout.fileno())  # whatever is printed must not fall among the replies
    Worker(sys.stdin.buffer, replies, memory).run()
