"""The processes that play the pairs of a match: two games from one opening with sides exchanged.

Each process plays one pair after another. One that dies is replaced and its pair is played again. What happens in a
pair depends on the plan and on its number alone, not on the process or on what that has played before.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message
from damier.engine.arena.one_game import Played, play_game
from damier.engine.player import Player
from damier.transcript.tree import Transcript, transcripts_text

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.arena.entrants import Entrant
    from damier.engine.arena.openings import Opening
    from damier.engine.limit import Limit

_MOST_DEATHS = 3  # of processes over one pair
_PATIENCE = 5.0  # seconds for a process to end by itself
_SEED_BITS = 31


@dataclass(frozen=True)
class Plan:
    """What is to be played: everything that decides how the games go."""

    game: Game
    entrants: tuple[Entrant, ...]
    meetings: tuple[tuple[int, int], ...]
    """Who meets whom, by their numbers in `entrants`."""

    pairs: int
    """How many in each meeting."""

    limit: Limit
    openings: int
    """Turns of an opening."""

    seed: int
    max_turns: int
    is_balanced: bool = False
    """Openings were judged."""

    def settings(self) -> dict[str, Any]:
        """Returns the plan as data for JSON."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "entrants": [entrant.text for entrant in self.entrants],
            "games": 2 * self.pairs,
            "seconds": self.limit.seconds,
            "nodes": self.limit.nodes,
            "depth": self.limit.depth,
            "openings": self.openings,
            "balanced": self.is_balanced,
            "seed": self.seed,
            "max_turns": self.max_turns,
        }


@dataclass(frozen=True)
class Task:
    """A pair that is to be played."""

    meeting: int
    number: int
    opening: Opening


@dataclass(frozen=True)
class Pair:
    """A pair that has been played: two games from one opening with sides exchanged."""

    meeting: int
    number: int
    points: tuple[float, float]
    """Of the first entrant in each game: 1, 0, or for a draw the entrant's share of the seats."""

    turns: tuple[int, int]
    too_long: int = 0
    """How many of the games were drawn for their length."""

    faults: tuple[str, ...] = ()
    """What was wrong where a player lost by a fault."""

    @property
    def score(self) -> float:
        """The score of the first entrant, 0 to 1; one half is what equal players expect, whatever their seats."""
        return (self.points[0] + self.points[1]) / 2


def seats_of_first(players: tuple[str, ...], number: int, half: int) -> tuple[str, ...]:
    """Returns the seats of the first entrant in one of the two games of a pair.

    Half the seats, as far as that goes; the other game has the others. From pair to pair the patterns rotate.

    >>> [seats_of_first(("1", "2", "3"), 1, half) for half in (0, 1)]
    [('2',), ('1', '3')]
    """
    patterns = list(itertools.combinations(players, len(players) // 2))
    if len(players) % 2 == 0:  # each of the others comes as the second game of one of these
        patterns = [pattern for pattern in patterns if players[0] in pattern]
    chosen = patterns[number % len(patterns)]
    return chosen if half == 0 else tuple(player for player in players if player not in chosen)


class _Absent(Player):
    """Stands in for a player that could be started before and cannot be now: it loses."""

    def __init__(self, error: DamierError) -> None:
        self.name = "absent"
        self._error = error

    def choose(self, record: Record, limit: Limit) -> list[str]:  # noqa: ARG002
        """Raises the error with which the player failed to start."""
        raise self._error


class Table:
    """Where pairs are played: it seats the players, keeps those that are kept, and writes the games down."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._kept: dict[tuple[int, int, int], Player] = {}  # by entrant, side and how many of that side came before
        self._started: set[int] = set()

    def play(self, task: Task) -> tuple[Pair, str]:
        """Plays a pair and returns its result and the text of its records."""
        (one, seats, first), (two, other_seats, second) = (self._play_half(task, half) for half in (0, 1))
        pair = Pair(
            task.meeting,
            task.number,
            (one.points(seats), two.points(other_seats)),
            (one.record.turn, two.record.turn),
            one.is_too_long + two.is_too_long,
            tuple(
                f"pair {task.number + 1}, game {half}, {self._name(task, played, held)}: {played.note}"
                for half, played, held in ((1, one, seats), (2, two, other_seats))
                if played.culprit is not None
            ),
        )
        return pair, transcripts_text([first, second])

    def _play_half(self, task: Task, half: int) -> tuple[Played, Collection[str], Transcript]:
        plan = self._plan
        first, second = plan.meetings[task.meeting]
        seats = seats_of_first(plan.game.players, task.number, half)
        keys: list[tuple[int, int, int]] = []
        for seat in plan.game.players:
            side, entrant = (0, first) if seat in seats else (1, second)
            keys.append((entrant, side, sum(key[1] == side for key in keys)))
        players = [self._player(key, f"player {plan.seed} {task.number} {half} {key[1]} {key[2]}") for key in keys]
        limits = [plan.entrants[key[0]].limit or plan.limit for key in keys]
        played = play_game(
            plan.game,
            players,
            limits,
            opening=task.opening,
            dice=f"{plan.seed} {task.number}",
            max_turns=plan.max_turns,
        )
        for key, seat, player in zip(keys, plan.game.players, players, strict=True):
            if not plan.entrants[key[0]].is_kept or seat == played.culprit:
                self._kept.pop(key, None)
                _close(player)
        names = [plan.entrants[key[0]].name for key in keys]
        return played, seats, Transcript.of(played.record, players=names, tags=self._tags(task, played))

    def _player(self, key: tuple[int, int, int], stream: str) -> Player:
        entrant = self._plan.entrants[key[0]]
        if key in self._kept:
            return self._kept[key]
        try:
            player = entrant.make(self._plan.game, random.Random(stream).getrandbits(_SEED_BITS))
        except DamierError as error:
            if key[0] not in self._started:  # it cannot be started at all, which is the person's mistake
                raise
            player = _Absent(error)
        self._started.add(key[0])
        if entrant.is_kept:
            self._kept[key] = player
        return player

    def _name(self, task: Task, played: Played, seats: Collection[str]) -> str:
        """Returns who is to blame for a fault."""
        first, second = self._plan.meetings[task.meeting]
        return self._plan.entrants[first if played.culprit in seats else second].name

    def _tags(self, task: Task, played: Played) -> dict[str, str]:
        first, second = (self._plan.entrants[entrant].name for entrant in self._plan.meetings[task.meeting])
        tags = {
            "Match": f"{first} - {second}",
            "Pair": str(task.number + 1),
            "Opening": str(len(task.opening)),
        }
        if played.culprit is not None:
            tags["Fault"] = f"{played.culprit}: {played.note}"
        elif played.note:
            tags["Note"] = played.note
        return tags

    def close(self) -> None:
        """Lets all players go."""
        for player in self._kept.values():
            _close(player)
        self._kept.clear()


def _close(player: Player) -> None:
    with contextlib.suppress(Exception):  # a player that cannot even be closed is not asked again
        player.close()


def work(connection: Connection, plan: Plan) -> None:
    """Plays pairs until there are no more, or nobody is left to ask for them: what a process does."""
    with contextlib.suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    table = Table(plan)
    with contextlib.suppress(EOFError, OSError):
        while (task := connection.recv()) is not None:
            try:
                connection.send(table.play(task))
            except DamierError as error:
                connection.send(error)
    table.close()


def _leave_with_parent() -> None:
    """Ends this process when its parent ends, even in the middle of a thought."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


class _Worker:
    """A process that plays pairs, and the way to it."""

    def __init__(self, plan: Plan) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, plan), daemon=True)
        self.task: Task | None = None
        with _no_interrupt():
            self.process.start()
        other.close()

    def end(self) -> None:
        """Ends the process: kindly if it waits for a task, at once if it is playing."""
        if self.task is None:
            with contextlib.suppress(OSError):
                self.connection.send(None)
            self.process.join(_PATIENCE)
        self.process.kill()
        self.process.join()
        self.connection.close()


@contextlib.contextmanager
def _no_interrupt() -> Iterator[None]:
    """Blocks Ctrl-C, and in a process started meanwhile for good: it comes to all processes of a terminal."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def play_pairs(plan: Plan, tasks: Iterator[Task], jobs: int) -> Generator[tuple[Pair, str], None, None]:
    """Yields pairs with the text of their records as they are finished, played by so many processes at a time.

    Close the generator to stop early. A mistake of a person's, such as a program that does not exist, is raised.
    """
    crew = _Crew(plan, tasks, jobs)
    try:
        while crew.hand_out():
            yield from crew.finished()
    finally:
        crew.end()


class _Crew:
    """The processes of a match, and what is left to play."""

    def __init__(self, plan: Plan, tasks: Iterator[Task], jobs: int) -> None:
        self._plan = plan
        self._tasks = tasks
        self._jobs = jobs
        self._workers: list[_Worker] = []
        self._again: list[Task] = []
        self._deaths: Counter[Task] = Counter()

    def hand_out(self) -> bool:
        """Gives a task to everybody who has none, and tells whether anybody has one."""
        while (idle := self._idle_workers()) or len(self._workers) < self._jobs:
            task = self._again.pop() if self._again else next(self._tasks, None)
            if task is None:
                break
            if not idle:
                idle = [_Worker(self._plan)]
                self._workers += idle
            idle[0].task = task
            with contextlib.suppress(OSError):  # it has died, as its connection will tell
                idle[0].connection.send(task)
        return len(self._idle_workers()) < len(self._workers)

    def finished(self) -> Iterator[tuple[Pair, str]]:
        """Waits until somebody has finished a pair, or died over it, and yields what is finished."""
        busy = {worker.connection: worker for worker in self._workers if worker.task}
        for connection in wait(list(busy)):
            assert isinstance(connection, Connection)
            worker = busy[connection]
            try:
                answer = connection.recv()
            except (EOFError, OSError):
                self._bury(worker)
                continue
            worker.task = None
            if isinstance(answer, DamierError):
                raise answer
            yield answer

    def end(self) -> None:
        """Ends all processes."""
        for worker in self._workers:
            worker.end()

    def _idle_workers(self) -> list[_Worker]:
        return [worker for worker in self._workers if worker.task is None]

    def _bury(self, worker: _Worker) -> None:
        """Lets the pair of a process that has died be played by another."""
        task = worker.task
        assert task, "only those who play are asked"
        self._workers.remove(worker)
        worker.end()
        self._again.append(task)
        self._deaths[task] += 1
        if self._deaths[task] >= _MOST_DEATHS:
            raise BadArgument(
                message(
                    "The process that plays pair {number} has died {count} times; the match is stopped.",
                    number=task.number + 1,
                    count=self._deaths[task],
                )
            )
