"""Analyses for pages, carried out in the engine's processes: a game goes in as text, what a page shows comes out.

A position that a table has is looked up. If the table of the game is damaged, the engine searches instead, and a note
says so. Nothing here imports the web framework: this module is for the worker processes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.core.errors import BadArgument, DamierError
from damier.core.messages import Message, message
from damier.engine.analysis import Analysis
from damier.engine.engine import Engine
from damier.engine.exact import Exact, UsableTables
from damier.engine.judge import overall_chances
from damier.engine.limit import Limit
from damier.engine.pool.request import ANALYSING, LIVE, EngineCache, Request
from damier.engine.turns import turns_of
from damier.games import load
from damier.insight.review.review import LINES, ReviewedAction, Reviewer
from damier.server.analysis.evaluation import line_value
from damier.server.analysis.reasons import hint_reason
from damier.server.analysis.remote_tables import RemoteTables
from damier.server.board_data import action_marks_data
from damier.server.replay import replay_line
from damier.server.wire.analysis import (
    ActionValues,
    AnalysisLine,
    AnalysisOver,
    AnalysisUpdate,
    HintData,
    ProbedValues,
    ReviewStart,
    ReviewStep,
    TableProbe,
)
from damier.server.wire.games import GameLine
from damier.server.wire.model import WireModel
from damier.solve.returns.repetition import forbids_returns, history_note

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.engine.analysis import Line

_log = logging.getLogger(__name__)

_LIVE = Limit(seconds=60.0)
_REVIEW = Limit(nodes=30_000)  # for each position of a game
_PROBE = Limit(seconds=30.0)  # many times what a thousand positions take, even if kernels are compiled first
_LONGEST_LINE = 24  # plies of a line that are sent
_BETTER = 8  # plies of a better line that are sent


@dataclass(frozen=True)
class LineRequest(Request[bytes]):
    """A request about a game given whole; the answer is JSON."""

    line: GameLine
    lang: str
    limit: Limit
    priority: int = ANALYSING

    @property
    def affinity(self) -> object:
        """The game with its options."""
        return self.line.game, tuple(sorted(self.line.options.items()))


@dataclass(frozen=True)
class ValuesRequest(LineRequest):
    """Asks for the values of all legal actions; `server` is another one whose tables serve if there are none here."""

    server: str = ""

    def answer(self, engines: EngineCache, report: Callable[[Any], object]) -> bytes:  # noqa: ARG002  # one answer
        """Returns `ActionValues`."""
        record = replay_line(self.line)
        count = len(record.actions())
        if not count:
            return _encoded(ActionValues(is_from_table=False, is_exact=True, values={}, note=None))
        found = Findings(engines, record, self.lang, server=self.server)
        analysis = found.analysis(self.limit, count)
        return _encoded(
            ActionValues(
                is_from_table=analysis.is_from_table,
                is_exact=analysis.is_exact,
                values={line.actions[0]: line_value(record, analysis, line, self.lang) for line in analysis.lines},
                note=found.note(analysis),
            )
        )


@dataclass(frozen=True)
class HintRequest(LineRequest):
    """Asks for one good action with the reason: from a table, which values every action, or from a search."""

    def answer(self, engines: EngineCache, report: Callable[[Any], object]) -> bytes:  # noqa: ARG002  # one answer
        """Returns `HintData`."""
        record = replay_line(self.line)
        if record.result:
            raise BadArgument(message("The game is over."))
        found = Findings(engines, record, self.lang, uses_table=not forbids_returns(record.game))
        analysis = found.analysis(self.limit, len(record.actions()) if found.has_table else 2)
        reason = hint_reason(record, analysis)
        return _encoded(HintData(action=analysis.best.actions[0], reason=reason.render(self.lang)))


@dataclass(frozen=True)
class LiveRequest(LineRequest):
    """Asks for the best lines of a position, reported as they are found, as messages of the analysis socket."""

    id: str = ""
    lines: int = 3
    limit: Limit = _LIVE
    priority: int = LIVE

    def answer(self, engines: EngineCache, report: Callable[[Any], object]) -> bytes:
        """Returns the last message."""
        record = replay_line(self.line)
        if record.result:
            return _encoded(AnalysisOver(id=self.id, lines=[], is_done=True))
        found = Findings(engines, record, self.lang)

        def tell(analysis: Analysis) -> None:
            report(_encoded(self._update(found, analysis, is_done=False)))

        analysis = found.analysis(self.limit, self.lines, _LONGEST_LINE, tell)
        return _encoded(self._update(found, analysis, is_done=True))

    def _update(self, found: Findings, analysis: Analysis, *, is_done: bool) -> AnalysisUpdate:
        return AnalysisUpdate(
            id=self.id,
            is_from_table=analysis.is_from_table,
            is_exact=analysis.is_exact,
            depth=analysis.depth,
            nodes=analysis.nodes,
            nodes_per_second=analysis.nodes_per_second,
            chances=_rounded(overall_chances(analysis)),
            lines=[self._line(found.record, analysis, line) for line in analysis.lines],
            note=found.note(analysis),
            is_done=is_done,
        )

    def _line(self, record: Record, analysis: Analysis, line: Line) -> AnalysisLine:
        actions = list(line.actions[:_LONGEST_LINE])
        return AnalysisLine(
            actions=actions,
            turns=turns_of(record.position, actions),
            routes=action_marks_data(record.position, actions[0]).routes,
            **vars(line_value(record, analysis, line, self.lang)),
        )


@dataclass(frozen=True)
class ReviewRequest(LineRequest):
    """Asks for a part of the review of a game: `count` actions from number `first` on, as lines of JSON.

    The part from action 0 on begins with the line about the first position.
    """

    first: int = 0
    count: int = 1
    limit: Limit = _REVIEW

    def answer(self, engines: EngineCache, report: Callable[[Any], object]) -> bytes:  # noqa: ARG002  # one answer
        """Returns lines of `ReviewStart` and `ReviewStep`."""
        whole = replay_line(self.line)
        before = replay_line(self.line.model_copy(update={"actions": self.line.actions[: self.first]}))
        is_from_table = False

        def search(here: Record, limit: Limit) -> Analysis:
            nonlocal is_from_table
            analysis = Findings(engines, here, self.lang).analysis(limit, LINES, _BETTER)
            is_from_table = analysis.is_from_table
            return analysis

        reviewer = Reviewer(before, self.limit, search)
        chances = reviewer.look()
        lines: list[WireModel] = []
        if not self.first:
            is_exact = is_from_table and not forbids_returns(whole.game) and not whole.repeated
            lines.append(ReviewStart(chances=_rounded(chances), is_from_table=is_from_table, is_exact=is_exact))
        steps = [reviewer.play(action) for action in whole.played[self.first : self.first + self.count]]
        lines += [_step_data(reviewer.record, step) for step in steps]
        return b"".join(_encoded(line) + b"\n" for line in lines)


@dataclass(frozen=True)
class TableProbeRequest(Request[bytes]):
    """Asks for the values of positions in a table, which must be there."""

    probe: TableProbe
    limit: Limit = _PROBE
    priority: int = ANALYSING

    @property
    def affinity(self) -> object:
        """The game with its options."""
        return self.probe.game, tuple(sorted(self.probe.options.items()))

    def answer(self, engines: EngineCache, report: Callable[[Any], object]) -> bytes:  # noqa: ARG002  # one answer
        """Returns `ProbedValues`."""
        game = load(self.probe.game, **self.probe.options)
        found = engines.get((game, "tables"), lambda: game.tables).probe_positions(self.probe.positions)
        return _encoded(
            ProbedValues(
                outcomes=found.outcomes.tolist(),
                plies=[None if plies < 0 else plies for plies in found.plies.tolist()],
                chances=found.chances.tolist(),
            )
        )


class Findings:
    """What a process finds out about a game being played: from a table that has the position, else by searching.

    `server` is the address of another one whose tables serve if there are none here; empty if there is no such server.
    """

    def __init__(
        self, engines: EngineCache, record: Record, lang: str, *, uses_table: bool = True, server: str = ""
    ) -> None:
        self._engines, self.record, self._lang = engines, record, lang
        self._uses_table, self._server = uses_table, server
        self._is_damaged = False

    @property
    def has_table(self) -> bool:
        """Whether a table has the position."""
        return self._exact() is not None

    def analysis(
        self, limit: Limit, lines: int, plies: int = 1, tell: Callable[[Analysis], object] = lambda _: None
    ) -> Analysis:
        """Returns the best `lines`, those of a table with at most `plies` plies; calls `tell` while it searches."""
        found = self._looked_up(lines, plies) or self._looked_up_remotely(lines, plies)
        if found:
            return found
        game = self.record.game
        memory = self._engines.memory
        uses_tables = self._uses_table
        engine = self._engines.get(
            (game, "analysis", uses_tables), lambda: Engine(game, memory=memory, uses_tables=uses_tables)
        )
        found = Analysis(self.record.mover, 0, 0, 0.0, ())
        for found in engine.analyse(self.record, limit, lines):
            tell(found)
        return found

    @property
    def _tables(self) -> UsableTables:
        game = self.record.game
        return self._engines.get((game, "tables of engines"), lambda: UsableTables(game))

    def _exact(self) -> Exact | None:
        return self._tables.find(self.record.position) if self._uses_table else None

    def _looked_up(self, lines: int, plies: int) -> Analysis | None:
        from damier.solve.file.reader import BadTable

        while exact := self._exact():
            try:
                return exact.analysis(self.record, exact.actions(self.record), lines, plies)
            except BadTable as error:
                if not exact.is_own:
                    self._tables.leave_out(exact, error)
                    continue
                self._is_damaged = True
                name = self.record.game.name
                _log.error("the table of %s is damaged, the engine searches instead: %s", name, error)
                return None
        return None

    def _looked_up_remotely(self, lines: int, plies: int) -> Analysis | None:
        if not self._server or self._is_damaged:
            return None
        game, server = self.record.game, self._server
        tables = self._engines.get((game, "remote tables", server), lambda: RemoteTables(game, server))
        if exact := tables.find():
            try:
                return exact.analysis(self.record, exact.actions(self.record), lines, plies)
            except DamierError as error:
                tables.fail(error)
        return None

    def note(self, analysis: Analysis) -> str | None:
        """Returns the sentence to show with the values, if any."""
        note: Message | None = None
        if self._is_damaged:
            note = message("The table of this game is damaged: these values are estimates of the engine.")
        elif analysis.is_from_table and not analysis.is_exact:
            note = history_note(self.record.game)
        return note.render(self._lang) if note else None


def _step_data(record: Record, step: ReviewedAction) -> ReviewStep:
    return ReviewStep(
        chances=_rounded(step.after),
        number=step.number,
        turn=step.turn,
        player=step.mover,
        action=step.action,
        loss=None if step.loss is None else round(step.loss, 4),
        is_mistake=step.is_mistake,
        before=_rounded(step.before),
        better=list(step.better),
        better_turns=turns_of(record.positions[step.number], step.better),
        mark=step.mark,
        has_choice=step.choices > 1,
    )


def _rounded(chances: tuple[float, ...]) -> list[float]:
    return [round(chance, 4) for chance in chances]


def _encoded(model: WireModel) -> bytes:
    return model.model_dump_json().encode()
