"""The pairs of a match: two games from one opening with sides exchanged, played by worker processes.

Pairs are jobs of a pool: a process that dies is replaced and its pair played again. How the games of a pair go depends
only on the plan and on the number of the pair, not on the process or on what it has played before.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import math
import random
import uuid
from collections.abc import Collection, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.cluster.nodes import Task, run_tasks
from damier.core.errors import BadArgument, DamierError
from damier.core.messages import message
from damier.engine.arena.one_game import PlayedGame, play_game
from damier.engine.limit import Limit
from damier.engine.player import Player, Report
from damier.engine.pool.pool import Request, WorkerDied, Workers
from damier.transcript.tree import Transcript, transcripts_text

if TYPE_CHECKING:
    from damier.cluster.nodes import Nodes
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.arena.entrants import Entrant
    from damier.engine.arena.openings import Opening
    from damier.engine.pool.request import EngineCache

_TRIES = 3  # of a pair whose process dies
_SEED_BITS = 31
_NO_LIMIT = Limit()

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class MatchPlan:
    """Everything that decides how the games of a match go."""

    game: Game
    entrants: tuple[Entrant, ...]
    meetings: tuple[tuple[int, int], ...]
    """Who meets whom, by their numbers in `entrants`."""

    pairs: int
    """Of each meeting."""

    limit: Limit
    openings: int
    """Turns of an opening."""

    seed: int
    max_turns: int
    is_balanced: bool = False
    """Whether openings are judged."""

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
class PairTask:
    """A pair to play."""

    meeting: int
    number: int
    opening: Opening


@dataclass(frozen=True)
class PairResult:
    """The result of a pair."""

    meeting: int
    number: int
    points: tuple[float, float]
    """Of the first entrant in each game: 1, 0, or for a draw the entrant's share of the seats."""

    turns: tuple[int, int]
    too_long: int = 0
    """The games drawn for their length."""

    faults: tuple[str, ...] = ()
    """A sentence for each game lost by a fault."""

    @property
    def score(self) -> float:
        """The score of the first entrant, 0 to 1; one half is what equal players expect, whatever their seats."""
        return (self.points[0] + self.points[1]) / 2


def seats_of_first(players: tuple[str, ...], number: int, half: int) -> tuple[str, ...]:
    """Returns the seats of the first entrant in one of the two games of a pair.

    That is half the seats, rounded down; in the second game it has the others. The patterns rotate from pair to pair.

    >>> [seats_of_first(("1", "2", "3"), 1, half) for half in (0, 1)]
    [('2',), ('1', '3')]
    """
    patterns = list(itertools.combinations(players, len(players) // 2))
    if len(players) % 2 == 0:  # the others are the second games of these
        patterns = [pattern for pattern in patterns if players[0] in pattern]
    chosen = patterns[number % len(patterns)]
    return chosen if half == 0 else tuple(player for player in players if player not in chosen)


class _AbsentPlayer(Player):
    """Stands in for a player that could be started before and cannot be now: it loses."""

    def __init__(self, error: DamierError) -> None:
        self.name = "absent"
        self._error = error

    def choose(self, record: Record, limit: Limit) -> list[str]:  # noqa: ARG002  # it never plays
        """Raises the error with which the player failed to start."""
        raise self._error


class PairRunner:
    """Plays pairs: seats the players, keeps those that are kept from game to game, and writes the games down."""

    def __init__(self, plan: MatchPlan) -> None:
        self._plan = plan
        self._kept: dict[tuple[int, int, int], Player] = {}  # by entrant, side and how many of that side came before
        self._started: set[int] = set()

    def play(self, task: PairTask) -> tuple[PairResult, str]:
        """Plays a pair and returns its result and the text of its records."""
        (one, seats, first), (two, other_seats, second) = (self._play_half(task, half) for half in (0, 1))
        pair = PairResult(
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

    def _play_half(self, task: PairTask, half: int) -> tuple[PlayedGame, Collection[str], Transcript]:
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
            if key[0] not in self._started:  # it never started: a mistake in the command
                raise
            _log.warning("%s does not start again and loses: %s", entrant.name, error)
            player = _AbsentPlayer(error)
        self._started.add(key[0])
        if entrant.is_kept:
            self._kept[key] = player
        return player

    def _name(self, task: PairTask, played: PlayedGame, seats: Collection[str]) -> str:
        """Returns who is to blame for a fault."""
        first, second = self._plan.meetings[task.meeting]
        return self._plan.entrants[first if played.culprit in seats else second].name

    def _tags(self, task: PairTask, played: PlayedGame) -> dict[str, str]:
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
        """Closes all players."""
        for player in self._kept.values():
            _close(player)
        self._kept.clear()


def _close(player: Player) -> None:
    try:
        player.close()
    except Exception:  # it is not used again
        _log.warning("player %s does not close", player.name, exc_info=True)


@dataclass(frozen=True)
class PairRequest(Request[tuple[PairResult, str]]):
    """Asks a worker process to play a pair."""

    game: Game
    match: str
    """The id of the match, under which a process keeps its players."""

    plan: MatchPlan
    task: PairTask
    limit: Limit = _NO_LIMIT

    def answer(self, engines: EngineCache, report: Report) -> tuple[PairResult, str]:  # noqa: ARG002  # a pair has one answer
        """Returns the result and the text of the records."""
        return engines.get((self.match,), lambda: PairRunner(self.plan)).play(self.task)


_runners: dict[str, PairRunner] = {}  # of this process, if it is a node of a cluster: one, by the id of its match


def play_pair(match: str, plan: MatchPlan, task: PairTask) -> tuple[PairResult, str]:
    """Plays a pair as a task of a cluster; players are kept for the next pair of the same match."""
    if match not in _runners:
        for runner in _runners.values():
            runner.close()
        _runners.clear()
        _runners[match] = PairRunner(plan)
    return _runners[match].play(task)


def _play_on_cluster(
    nodes: Nodes, match: str, plan: MatchPlan, tasks: Iterator[PairTask]
) -> Generator[tuple[PairResult, str], None, None]:
    """Plays pairs as tasks of a cluster."""

    def named() -> Iterator[Task[tuple[PairResult, str]]]:
        for task in tasks:
            first, second = (plan.entrants[entrant].name for entrant in plan.meetings[task.meeting])
            yield Task(f"pair {task.number + 1} of {first} - {second}", play_pair, (match, plan, task))

    with contextlib.closing(run_tasks(nodes, named())) as played:
        for _, result in played:
            yield result


def play_pairs(
    plan: MatchPlan, tasks: Iterator[PairTask], jobs: int, cluster: Nodes | None = None
) -> Generator[tuple[PairResult, str], None, None]:
    """Yields the results of pairs with the text of their records as they are finished, played by `jobs` processes.

    Or by the nodes of a cluster. Close the generator to stop early. Raises a mistake in the command, such as a program
    that does not exist.
    """
    match = uuid.uuid4().hex
    if cluster is not None:
        yield from _play_on_cluster(cluster, match, plan, tasks)
        return
    running: dict[Future[tuple[PairResult, str]], PairTask] = {}
    with Workers(count=jobs, longest=math.inf, tries=_TRIES) as workers:
        while True:
            for task in itertools.islice(tasks, jobs - len(running)):
                running[workers.submit(PairRequest(plan.game, match, plan, task))] = task
            if not running:
                return
            for job in wait(running, return_when=FIRST_COMPLETED).done:
                task = running.pop(job)
                try:
                    yield job.result()
                except WorkerDied:
                    raise BadArgument(
                        message(
                            "The process that plays pair {number} has died {count} times; the match is stopped.",
                            number=task.number + 1,
                            count=_TRIES,
                        )
                    ) from None
