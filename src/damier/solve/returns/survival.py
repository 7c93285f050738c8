"""Counts the forced wins of a table that survive a forbidden return, each from a fresh history.

``path_search.py`` explains the idea and what its answers are worth. For a position that is won or lost in n plies by
the table, these questions are asked in turn:

    1. Does the winner win in n plies with winning actions of the table alone?
    2. If not, with any actions: of all plies up to n = 13, else of the last nine plies?
    3. If not, in more plies: with winning actions of the table, and up to n = 8 with any actions?

Where all actions are tried, positions in the same situation are asked together, as they share most of the search. The
answers do not depend on the number of threads. Measured for question 2 with n = 13, 1,281 positions: 45 s of CPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.solve.codes import DRAWN, LOST, MARKED, WON
from damier.solve.parallel import run_chunks
from damier.solve.returns import path_search
from damier.solve.returns.opening import Opening
from damier.solve.returns.path_search import PROVED, REFUTED, STOPPED
from damier.solve.returns.repetition import compares_positions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from damier.solve.tables import Tables

    Numbers = NDArray[np.int64]
    Show = Callable[[float, str], None]

KEPT, LONGER, FAILED, FAILED_TWICE, OPEN = VERDICTS = range(5)
"""A win survives in as many plies; in more; cannot be had in as many plies, nor in MORE_PLIES more; is not settled."""

FULL_PLIES = 13  # up to which all actions of the winner are tried
LAST_PLIES = 9  # in which they are, where the win is longer
DEEPER_PLIES = 8  # up to which all are tried in MORE_PLIES more
MORE_PLIES = 2
MORE_BY_TABLE = 12
MOST_START_PLIES = 21  # searched from the start position
NEW_PLIES = 5  # of wins looked for in drawn positions

_NODES = 200_000  # for a question: some 50 ms
_DEEP_NODES = 60_000_000  # for one with all actions up to FULL_PLIES: some 12 s, though few need 1 s
_START_NODES = 20_000_000
_CHUNK = 64  # positions
_SHARES = (0.0, 0.05, 0.65, 0.8, 0.85, 1.0)  # of the work, after each question


@dataclass(frozen=True)
class Survival:
    """How the forced wins of a table fare under a forbidden return."""

    counts: tuple[dict[int, int], ...]
    """For each of VERDICTS: the number of positions by their plies in the table."""

    failed: tuple[int, ...]
    """The places of FAILED and FAILED_TWICE positions, shortest wins first."""

    def total(self, *verdicts: int) -> int:
        """Returns the number of positions with one of these verdicts."""
        return sum(sum(self.counts[verdict].values()) for verdict in verdicts)


@dataclass(frozen=True)
class NewWins:
    """Wins in positions that are drawn in the table: the forbidden return makes them."""

    drawn: int
    """The number of drawn positions searched, for both players."""

    won: tuple[int, ...]
    """Places at which the player on move wins."""

    lost: tuple[int, ...]
    """Places at which the other player wins."""


@dataclass(frozen=True)
class StartResult:
    """The result of a search of the start position."""

    plies: int
    """Nobody can force a win within this number of plies."""

    winner: str | None
    """The player who can force a win in `plies` + 1, or None."""


class PathSearch:
    """Searches positions of one table under the forbidden return."""

    def __init__(self, tables: Tables, threads: int) -> None:
        self._tables, self._numbering, self._threads = tables, tables.numbering, threads
        header = tables.file.header
        self.entries = np.concatenate([np.zeros(0, np.uint8), *tables.file.blocks()])
        self._kernels = bind(tables.game.definition.rules, subsets, self._numbering.index, path_search, compiled=True)
        words = path_search.path_words(
            max(header.longest or 0, MOST_START_PLIES) + MORE_BY_TABLE, self._kernels.MAX_ACTIONS
        )
        self._works = [np.zeros(words, np.int64) for _ in range(threads)]
        cache_words = path_search.CACHE_SLOTS * path_search.CACHE_ROW
        self._caches = [np.zeros(cache_words, np.int64) for _ in range(threads)]
        self._outs = [np.zeros(self._kernels.MAX_ACTIONS, np.int64) for _ in range(threads)]

    def forced_places(self) -> Numbers:
        """Returns the places of all unfinished positions that are won or lost by the table."""
        is_forced = np.zeros(256, bool)
        is_forced[DRAWN + 1 : WON] = is_forced[LOST + 1 : MARKED] = True
        return np.flatnonzero(is_forced[self.entries])

    def survival(self, places: Numbers, show: Show) -> Survival:
        """Returns the verdicts on positions that are won or lost by the table."""
        plies = self._plies(places)
        verdicts = np.full(len(places), KEPT)
        if not compares_positions(self._tables.game):
            verdicts = self._verdicts(places, plies, show)
        is_failed = (verdicts == FAILED) | (verdicts == FAILED_TWICE)
        order = np.argsort(plies[is_failed], kind="stable")
        return Survival(
            tuple(_by_plies(plies[verdicts == verdict]) for verdict in VERDICTS),
            tuple(places[is_failed][order].tolist()),
        )

    def new_wins(self, places: Sequence[int]) -> NewWins:
        """Searches drawn places for wins within NEW_PLIES plies."""
        drawn = np.array([place for place in places if self.entries[place] == DRAWN], np.int64)
        plies = np.full(len(drawn), NEW_PLIES)
        won, lost = (
            drawn[self.answers(drawn, np.full(len(drawn), is_mover), plies, plies) == PROVED].tolist()
            for is_mover in (1, 0)
        )
        return NewWins(len(drawn), tuple(won), tuple(lost))

    def start(self, most: int = MOST_START_PLIES) -> StartResult:
        """Searches the start position for wins of either player, by iterative deepening up to a node limit."""
        game = self._tables.game
        place, player = self._numbering.place(game.start.state), game.players.index(game.start.mover)
        opening = Opening(self._numbering, self.leaf_answer)
        for plies in range(1, most + 1):
            for is_mover in (True, False):
                answer = opening.forces(place, is_mover, plies)
                if answer == PROVED:
                    return StartResult(plies - 1, game.players[player if is_mover else 1 - player])
                if answer == STOPPED:
                    return StartResult(plies - 1, None)
        return StartResult(most, None)

    def leaf_answer(self, place: int, is_mover: bool, plies: int) -> int:
        """Returns the answer for a leaf of the opening, all actions tried."""
        bound = np.array([plies])
        return int(self.answers(np.array([place]), np.array([int(is_mover)]), bound, bound, _START_NODES, 1)[0])

    def answers(
        self,
        places: Numbers,
        winners: Numbers,
        plies: Numbers,
        wides: Numbers,
        nodes: int = _NODES,
        chunk: int = _CHUNK,
        done: Callable[[int], None] | None = None,
        groups: Numbers | None = None,
    ) -> Numbers:
        """Returns for each place whether the winner can force a win; 1 in `winners` is the player on move.

        Places from ``groups[g]`` to below ``groups[g + 1]`` share answers, see `force_many`; without it, none do.
        """
        numbering = self._numbering
        answers = np.zeros(len(places), np.int64)
        bounds = np.arange(len(places) + 1) if groups is None else groups
        given = numbering.rules, numbering.numbers, self.entries, numbering.firsts
        tasks = [np.ascontiguousarray(each, np.int64) for each in (places, winners, plies, wides, bounds)]

        def work(low: int, high: int, thread: int) -> int:
            arrays = self._works[thread], self._caches[thread], self._outs[thread]
            return int(self._kernels.force_many(*given, *tasks, nodes, low, high, answers, *arrays))

        run_chunks(work, 0, len(bounds) - 1, self._threads, done, chunk)
        return answers

    def _plies(self, places: Numbers) -> Numbers:
        return self.entries[places].astype(np.int64) & 127

    def _verdicts(self, places: Numbers, plies: Numbers, show: Show) -> Numbers:
        """Asks the questions in turn, each for the positions that are still open."""
        verdicts = np.full(len(places), OPEN)
        everywhere, nowhere = np.ones(len(places), bool), np.zeros_like(plies)
        questions = (
            (everywhere, plies, nowhere),
            (plies <= FULL_PLIES, plies, plies),
            (plies > FULL_PLIES, plies, np.full_like(plies, LAST_PLIES)),
            (everywhere, plies + MORE_BY_TABLE, nowhere),
            (plies <= DEEPER_PLIES, plies + MORE_PLIES, plies + MORE_PLIES),
        )
        for number, (is_asked, bound, wide) in enumerate(questions):
            asked = np.flatnonzero(is_asked & (verdicts != KEPT) & (verdicts != LONGER))
            ask = self.group_answers if number == 1 else self.answers
            winners = (self.entries[places[asked]] < LOST).astype(np.int64)
            answers = ask(places[asked], winners, bound[asked], wide[asked], done=_shown(show, number, len(asked)))
            verdicts[asked[answers == PROVED]] = KEPT if number < 3 else LONGER
            refuted = asked[(answers == REFUTED) & (wide >= bound)[asked]]
            verdicts[refuted] = FAILED if number < 3 else FAILED_TWICE
        show(1.0, "")
        return verdicts

    def group_answers(
        self,
        places: Numbers,
        winners: Numbers,
        plies: Numbers,
        wides: Numbers,
        done: Callable[[int], None] | None = None,
    ) -> Numbers:
        """Does the same as `answers`, with more nodes, for groups of places with the same task and situation."""
        if not len(places):
            return np.zeros(0, np.int64)
        keys = np.column_stack([plies, wides, winners, self._situations(places)])
        order = np.lexsort(keys.T[::-1])
        is_new = np.any(np.diff(keys[order], axis=0, prepend=-1), axis=1)
        groups = np.append(np.flatnonzero(is_new), len(places))
        asked = places[order], winners[order], plies[order], wides[order]
        answers = np.zeros(len(places), np.int64)
        answers[order] = self.answers(
            *asked,
            nodes=_DEEP_NODES,
            chunk=1,
            done=None if done is None else lambda group: done(int(groups[group])),
            groups=groups,
        )
        return answers

    def _situations(self, places: Numbers) -> Numbers:
        """Returns the words of the situation of each place."""
        kernels, rules = self._tables.game.kernels, self._tables.game.rules
        states = [self._numbering.state(place) for place in places.tolist()]
        return np.array([kernels.situation(rules, state) for state in states], np.int64).reshape(-1, 3)


def _shown(show: Show, question: int, count: int) -> Callable[[int], None]:
    """Returns a callback that shows the progress of a question."""
    low, high = _SHARES[question : question + 2]
    return lambda done: show(low + (high - low) * done / max(1, count), "")


def _by_plies(plies: Numbers) -> dict[int, int]:
    """Counts positions by plies."""
    return {number: count for number, count in enumerate(np.bincount(plies).tolist()) if count}
