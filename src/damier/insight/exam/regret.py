"""Regret in a sample of positions: each is a new game, without a history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.engine.policy import begin_game, probabilities
from damier.insight.exam.decision import Decision, LossSummary, by_group, judge, summarise
from damier.insight.exam.draw_sample import draw_sample
from damier.insight.exam.sample import ExamSample, check_examinable, published_sample

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.position import Position
    from damier.engine.policy import Policy
    from damier.solve.tables import Tables

_SMALL = 30  # positions of each phase and band, where a game has no published sample
_drawn: dict[str, ExamSample] = {}  # by the table: drawing takes a second or more


@dataclass(frozen=True)
class Regret:
    """What a policy loses in positions, by a table."""

    game: Game
    decisions: tuple[Decision, ...]

    @property
    def all(self) -> LossSummary:
        """The means over all positions."""
        return summarise(self.decisions)

    @property
    def groups(self) -> dict[str, LossSummary]:
        """The means by phase, and by value and distance."""
        return by_group(self.decisions, has_chance=self.game.traits.has_chance)

    def data(self) -> dict[str, Any]:
        """Returns the means, ready for JSON."""
        groups = {name: group.data() for name, group in self.groups.items()}
        return {"all": self.all.data(), "groups": groups}


def exam_sample(game: Game, tables: Tables | None = None) -> ExamSample:
    """Returns the published sample of a game; if there is none, a smaller one that is always the same."""
    check_examinable(game)
    found, drawn_from = published_sample(game), tables or game.tables
    if found is None:
        table = drawn_from.file.header.sha256
        found = _drawn[table] = _drawn.get(table) or draw_sample(drawn_from, _SMALL)
    return found


def regret(
    game: Game,
    policy: Policy,
    positions: Iterable[Position | str] | None = None,
    *,
    name: str | None = None,
    tables: Tables | None = None,
) -> Regret:
    """Returns what a policy loses in positions, by default those of `exam_sample`.

    A policy is a function from a record to an action, or to a mapping of actions to probabilities; then the loss is the
    mean over these. If it has a method `new_game`, that is called before each position. Raises `TableMissing` without
    a table, and `EngineFault` if the policy returns something else; `name` is what that sentence calls it.
    """
    check_examinable(game)
    found = tables or game.tables
    assert found.file  # raises if it is missing, before the policy has worked
    given = [each.position for each in exam_sample(game, found).positions] if positions is None else list(positions)
    called = name or str(getattr(policy, "__name__", type(policy).__name__))
    return Regret(game, tuple(decide(game, policy, given, called, found)))


def decide(
    game: Game, policy: Policy, positions: Iterable[Position | str], name: str, tables: Tables
) -> Iterator[Decision]:
    """Yields what a policy does in each position, judged by a table."""
    for position in positions:
        yield _decide(game, policy, position, name, tables)


def _decide(game: Game, policy: Policy, position: Position | str, name: str, tables: Tables) -> Decision:
    record = game.record(position)
    if record.result or record.mover == "chance":
        raise BadArgument(
            message("Nobody can choose an action in the position {position}.", position=shown(str(record.position)))
        )
    begin_game(policy, name)
    return judge(record.position, tables.action_values(record.position), probabilities(policy, record, name))
