"""The engine: searches a game by the method that suits it, at first in plain Python and soon in compiled code."""

from __future__ import annotations

import dataclasses
import functools
import logging
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.core.position import Position
from damier.core.ranges import check_whole
from damier.core.record import Record
from damier.engine.limit import Limit
from damier.engine.methods.evaluation import check_evaluation
from damier.engine.methods.method import Clock
from damier.solve.location import has_table

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.engine.analysis import Analysis
    from damier.engine.exact import UsableTables
    from damier.engine.methods.method import Method
    from damier.solve.value import TableValue

_log = logging.getLogger(__name__)

METHODS = ("alphabeta", "expectimax", "mcts")

#: Nodes that plain Python visits while compiled code is loaded: loading does not pay for fewer.
_PLAIN_NODES = 2_000
_FIRST_DEPTH = 2  # of the first answer
_POLL_SECONDS = 0.02  # between two checks whether to stop while kernels are loaded
_MOST_THREADS = 64
_MOST_MEMORY = 1 << 20  # MB

LEAF_MEMORY = 512
"""MB for the part of a table at whose positions a search ends, unless told otherwise."""


class Engine:
    """An engine for one game, with what it remembers from one search to the next.

    >>> import damier
    >>> engine = Engine(damier.load(damier.games()[1]))
    >>> *_, last = engine.analyse(engine.game.start, Limit(nodes=500), lines=2)
    >>> len(last.lines), last.mover
    (2, 'b')
    """

    def __init__(
        self,
        game: Game,
        *,
        threads: int = 1,
        memory: int = 64,
        method: str | None = None,
        uses_tables: bool = False,
        leaf_memory: int = LEAF_MEMORY,
        evaluation: str | None = None,
    ) -> None:
        """With `uses_tables`, positions in a table of exact values are looked up instead of searched.

        Where only tables of other options have positions of the game, searches end at these: as many as fit into
        `leaf_memory` MB, which all processes share; none if that is 0. `evaluation` is what judges positions:
        "hand-made", "learned" or the file of a network; None for what the game plays with.
        """
        check_whole("threads", threads, 1, _MOST_THREADS)
        check_whole("memory", memory, 1, _MOST_MEMORY)
        check_whole("leaf_memory", leaf_memory, 0, _MOST_MEMORY)
        self.game = game
        check_evaluation(game, evaluation)
        self.method = _method(game, threads, memory, method)
        self.method.evaluation = evaluation
        self._is_stopped = False
        self._plain_nodes = 0
        self._uses_tables = uses_tables
        self._leaf_memory = leaf_memory

    @functools.cached_property
    def _tables(self) -> UsableTables:
        from damier.engine.exact import UsableTables

        return UsableTables(self.game)

    def _look_up(self, record: Record, lines: int) -> tuple[dict[str, TableValue], Analysis | None] | None:
        """Returns the values of all actions from the table, and the analysis unless contempt has to choose a draw.

        None if no table has the position, or if it is damaged.
        """
        if not self._may_have_tables:
            return None
        from damier.solve.file.reader import BadTable

        while exact := self._tables.find(record.position):
            try:
                values = exact.actions(record)
                if self.method.contempt and next(iter(values.values())).outcome == "draw":
                    return values, None
                return values, exact.analysis(record, values, lines)
            except BadTable as error:
                if not exact.is_own:
                    self._tables.leave_out(exact, error)
                    continue
                self._uses_tables = False
                _log.error("the table of %s is damaged, the engine searches instead: %s", self.game.name, error)
                return None
        return None

    @property
    def _may_have_tables(self) -> bool:
        """Whether there may be a table to use; without one, nothing is imported for it."""
        return self._uses_tables and (has_table(self.game) or self.game.definition.covered_by is not None)

    def _take_leaves(self) -> None:
        """Sets where the next search can end."""
        may_have = self.method.can_use_leaves and self._may_have_tables
        self.method.leaves = self._tables.leaves(self._leaf_memory) if may_have else None

    @property
    def must_compile(self) -> bool:
        """Whether compiled code is neither loaded nor cached."""
        loader = self.method.loader
        return loader.compiled is None and not loader.is_cached

    def warm_up(self) -> None:
        """Loads the compiled code now, or compiles it, instead of starting in plain Python; loads leaves, too."""
        self.method.loader.load()
        self._take_leaves()

    def analyse(self, start: Record | Position, limit: Limit, lines: int = 3) -> Iterator[Analysis]:
        """Yields better and better analyses until a limit is reached; none if the game is over."""
        record = start if isinstance(start, Record) else Record(start)
        if record.game != self.game:
            raise BadArgument(message("The engine plays another game or other options than this record."))
        check_whole("lines", lines, 1, 1000)
        self._is_stopped = self.method.is_stopped = False
        self.method.allowed = None
        return self._analyse(record, limit, lines)

    def _analyse(self, record: Record, limit: Limit, lines: int) -> Iterator[Analysis]:
        if record.result is not None:
            return
        if found := self._look_up(record, lines):
            values, analysis = found
            if analysis:
                yield analysis
                return
            # a player with contempt searches for the drawing action that is hardest to answer
            draws = [text for text, value in values.items() if value.outcome == "draw"]
            self.method.allowed = {self.game.parse_action(text) for text in draws}
            self.method.leaves = None
        else:
            clock = Clock(limit)
            self._take_leaves()
            limit = clock.rest
        method, loader = self.method, self.method.loader
        if loader.compiled is None:
            clock = Clock(limit)
            is_complete = yield from self._analyse_plainly(record, limit, lines)
            if is_complete:
                return
            while not (loader.is_done.wait(_POLL_SECONDS) or self._is_stopped or clock.is_over):
                pass
            limit = clock.rest
        if not self._is_stopped and loader.is_done.is_set():
            method.is_stopped = False
            yield from method.run(loader.compiled or loader.plain, record, limit, lines)

    def _analyse_plainly(self, record: Record, limit: Limit, lines: int) -> Generator[Analysis, None, bool]:
        """Searches in plain Python until compiled code begins to load; returns whether the search is complete."""
        method, loader = self.method, self.method.loader
        self._plain_nodes += limit.nodes or _PLAIN_NODES
        is_short = limit.nodes is not None and self._plain_nodes <= _PLAIN_NODES
        if not is_short and loader.is_cached:  # a first answer, then load
            first = dataclasses.replace(limit, depth=min(limit.depth or _FIRST_DEPTH, _FIRST_DEPTH))
            yield from method.run(loader.plain, record, first, lines)
            loader.prepare(method.stop)
            return self._is_stopped or first.depth == limit.depth
        if not is_short:
            loader.prepare(method.stop)
        yield from method.run(loader.plain, record, limit, lines)
        return self._is_stopped or not method.is_stopped  # else the loader has stopped it

    def stop(self) -> None:
        """Ends the running search; may be called from another thread."""
        self._is_stopped = True
        self.method.stop()

    def new_game(self) -> None:
        """Forgets the previous game."""
        self.method.clear()

    def close(self) -> None:
        """Ends the running search."""
        self.stop()


def _method(game: Game, threads: int, memory: int, name: str | None) -> Method:
    """Returns the named search method, or the one that suits the game best."""
    is_for_two = len(game.players) == 2
    if name is None:
        name = "mcts" if not is_for_two else "expectimax" if game.traits.has_chance else "alphabeta"
    if name not in METHODS:
        raise BadArgument(
            message("The method is one of {methods}, not {text}.", methods=", ".join(METHODS), text=shown(name))
        )
    if name == "alphabeta" and is_for_two and not game.traits.has_chance:
        from damier.engine.methods.alphabeta import AlphaBeta

        return AlphaBeta(game, threads, memory)
    if name == "expectimax" and is_for_two and game.traits.has_chance:
        from damier.engine.methods.expectimax import Expectimax

        return Expectimax(game, threads, memory)
    if name == "mcts":
        from damier.engine.methods.mcts import TreeSearch

        return TreeSearch(game, threads, memory)
    raise BadArgument(message("The method {name} does not suit this game.", name=name))
