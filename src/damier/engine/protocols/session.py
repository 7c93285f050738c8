"""What the protocol servers share: a game being played, and a thinker that finds whole turns in it.

A thinker is an engine at full strength or a player of a level behind one interface; servers are given a function that
makes one, so that they can be tested without any engine. A `Search` asks it until the turn is complete: the best line
of a shallow search may end in the middle of a turn.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from damier.engine.limit import Limit

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.core.record import Record
    from damier.engine.analysis import Analysis
    from damier.engine.player import Player

FULL_STRENGTH = 8  # the highest level: the engine itself
_FOLLOW_UP_NODES = 1000  # what a search for the rest of a turn may always take, a few milliseconds
_FOLLOW_UP_SECONDS = 0.02
_FIRST_SHARE = 0.9  # of the time for a turn of several actions, for the search that should find all of them

Report = Callable[["Analysis"], None]


@dataclass(frozen=True)
class Settings:
    """How a thinker is made."""

    memory: int = 64
    """In MB."""

    threads: int = 1
    level: int = FULL_STRENGTH
    seed: int = 0
    """What a level's chance begins with."""


class Thinker(Protocol):
    """Whatever finds actions for a server."""

    def think(self, record: Record, limit: Limit, lines: int, report: Report) -> tuple[Sequence[str], int]:
        """Returns what to play, one action or more and perhaps the answers, and how many nodes that took."""

    def stop(self) -> None:
        """Ends a running search soon; called from another thread."""

    def new_game(self) -> None:
        """Forgets the game before."""

    def close(self) -> None:
        """Gives back what the thinker holds."""


MakeThinker = Callable[["Game", Settings], Thinker]


class Searcher(Protocol):
    """What is used of an engine."""

    def analyse(self, start: Record | Position, limit: Limit, lines: int = 3) -> Iterator[Analysis]:
        """Yields what the search knows, more and more of it."""

    def stop(self) -> None:
        """Ends the running analysis."""

    def new_game(self) -> None:
        """Forgets the game before."""

    def close(self) -> None:
        """Gives back what the engine holds."""


class FullStrength:
    """Thinks with an engine and reports as it goes."""

    def __init__(self, engine: Searcher) -> None:
        self._engine = engine

    def think(self, record: Record, limit: Limit, lines: int, report: Report) -> tuple[Sequence[str], int]:
        """Returns the best line of the last analysis."""
        last: Analysis | None = None
        for last in self._engine.analyse(record, limit, lines):
            report(last)
        return (last.best.actions, last.nodes) if last and last.lines else ((), 0)

    def stop(self) -> None:
        """Stops the engine."""
        self._engine.stop()

    def new_game(self) -> None:
        """Lets the engine forget the game before."""
        self._engine.new_game()

    def close(self) -> None:
        """Closes the engine."""
        self._engine.close()


class AtLevel:
    """Thinks with a player of a level, who says nothing about it and does not take long."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def think(self, record: Record, limit: Limit, lines: int, report: Report) -> tuple[Sequence[str], int]:  # noqa: ARG002
        """Returns what the player chooses."""
        return self._player.choose(record, limit), 0

    def stop(self) -> None:
        """Lets the player come to an end."""

    def new_game(self) -> None:
        """Lets the player forget the game before."""
        self._player.new_game()

    def close(self) -> None:
        """Closes the player."""
        self._player.close()


def thinker_for(game: Game, settings: Settings) -> Thinker:
    """Returns the engine, or a player of a level below full strength."""
    if settings.level < FULL_STRENGTH:
        from damier.engine.levels import LevelPlayer

        return AtLevel(LevelPlayer(game, settings.level, settings.seed))
    from damier.engine.engine import Engine

    return FullStrength(Engine(game, threads=settings.threads, memory=settings.memory, uses_tables=True))


class Session:
    """A game being played and the thinker for it, which is made when it is first needed."""

    def __init__(self, game: Game, settings: Settings, make: MakeThinker) -> None:
        self.record = game.record()
        self._settings = settings
        self._make = make
        self._thinker: Thinker | None = None

    @property
    def game(self) -> Game:
        """The game with its present options."""
        return self.record.game

    def thinker(self) -> Thinker:
        """Returns the thinker for this game and these settings."""
        if self._thinker is None:
            self._thinker = self._make(self.game, self._settings)
        return self._thinker

    def set_game(self, game: Game) -> None:
        """Begins a game with other options."""
        self.close()
        self.record = game.record()

    def set_settings(self, **changes: int) -> None:
        """Changes fields of the settings."""
        self.close()
        self._settings = replace(self._settings, **changes)

    def new_game(self) -> None:
        """Goes back to the start and forgets the game before."""
        self.record = self.game.record()
        if self._thinker:
            self._thinker.new_game()

    def close(self) -> None:
        """Gives back what the thinker holds."""
        if self._thinker:
            self._thinker.close()
            self._thinker = None


class Search:
    """A search for what the player on move does in the rest of the turn."""

    def __init__(
        self,
        thinker: Thinker,
        record: Record,
        limit: Limit,
        *,
        lines: int = 1,
        is_whole_turn: bool = True,
        report: Report | None = None,
    ) -> None:
        self._thinker = thinker
        self._record = record
        self._limit = limit
        self._lines = lines
        self._is_whole_turn = is_whole_turn
        self._report = report
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Ends the search soon; called from another thread."""
        self._stopped.set()
        self._thinker.stop()

    def wait_for_stop(self) -> None:
        """Returns when the search has been told to stop."""
        self._stopped.wait()

    def run(self) -> list[str]:
        """Returns the actions to play: those up to the end of the turn, or only the first."""
        began, spent = time.monotonic(), 0
        found: list[str] = []
        record, limit = self._record, self._first_limit()
        while True:
            first = not found
            line, nodes = self._thinker.think(record, limit, self._lines if first else 1, self._heard(first))
            part, is_complete = _own_part(record.position, line or record.actions()[:1])
            found += part if self._is_whole_turn else part[:1]
            if is_complete or not self._is_whole_turn:
                return found
            spent += nodes
            record = record.copy()
            for action in part:
                record.play(action)
            limit = self._left(time.monotonic() - began, spent)

    def _heard(self, is_first: bool) -> Report:
        """Returns what to do with an analysis; one that was told to stop before it began is told again."""

        def heard(analysis: Analysis) -> None:
            if is_first and self._report:
                self._report(analysis)
            if is_first and self._stopped.is_set():
                self._thinker.stop()

        return heard

    def _first_limit(self) -> Limit:
        """Returns the limit of the first search, which leaves some time for the rest of a long turn."""
        limit, has_long_turns = self._limit, self._record.game.traits.has_long_turns
        if limit.seconds is None or not (has_long_turns and self._is_whole_turn):
            return limit
        return replace(limit, seconds=limit.seconds * _FIRST_SHARE)

    def _left(self, seconds: float, nodes: int) -> Limit:
        """Returns what is left of the limit for the rest of the turn, and a little in any case."""
        limit = self._limit
        if self._stopped.is_set() or limit == Limit():
            return Limit(nodes=_FOLLOW_UP_NODES)
        return Limit(
            seconds=None if limit.seconds is None else max(limit.seconds - seconds, _FOLLOW_UP_SECONDS),
            nodes=None if limit.nodes is None else max(limit.nodes - nodes, _FOLLOW_UP_NODES),
            depth=limit.depth,
        )


def _own_part(position: Position, line: Iterable[str]) -> tuple[list[str], bool]:
    """Returns the actions of a line that belong to the turn of the player on move, and whether they complete it."""
    part: list[str] = []
    for action in line:
        after = position.play(action)
        part.append(action)
        if not _goes_on(position, after):
            return part, True
        position = after
    return part, False


def _goes_on(before: Position, after: Position) -> bool:
    """Tells whether the player who has just acted goes on in the same turn."""
    return not after.is_settled and after.result is None and after.mover == before.mover


def joined_turns(position: Position, actions: Iterable[str]) -> list[str]:
    """Returns actions as moves: those of one player in one turn joined with ``+``."""
    moves: list[str] = []
    goes_on = False
    for action in actions:
        after = position.play(action)
        if goes_on:
            moves[-1] += f"+{action}"
        else:
            moves.append(action)
        goes_on = _goes_on(position, after)
        position = after
    return moves


def player_to_act(position: Position) -> str:
    """Returns whose turn it is: the player on move, or the one who will play what the die is about to show."""
    if position.mover != "chance":
        return position.mover
    after = [position.play(roll) for roll in position.actions()]
    acting = [one.mover for one in after if one.result is None and not one.is_settled]
    return acting[0] if acting else position.game.opponent(after[0].mover)


def standard_input() -> Iterator[str]:
    """Yields the lines of the standard input as they come, whatever bytes they hold."""
    while line := sys.stdin.buffer.readline():
        yield line.decode("utf-8", "replace")


def write_standard_output(line: str) -> None:
    """Writes a line to the standard output at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
