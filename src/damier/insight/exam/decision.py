"""Decisions of an agent, judged by a table, and what they cost on average."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.insight.exam.groups import PHASES, band_of, bands_of, phase_of
from damier.insight.exam.losses import action_losses, is_choice
from damier.insight.report.facts import Facts

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.solve.value import TableValue


@dataclass(frozen=True)
class Decision:
    """What an agent did in a position, and what it cost; with probabilities, what it costs on average."""

    position: str
    phase: str
    band: str | None
    """None if the position is lost."""

    chosen: dict[str, float]
    """The actions of the agent with their probabilities."""

    best: tuple[str, ...]
    """The actions with the best value, at any distance."""

    is_choice: bool
    """Whether it matters which action is played."""

    value_lost: float
    error: float
    """The probability of an action that leaves the best value."""

    plies_lost: float | None
    """Over the actions that keep the value; None if there are none, or if the value has no distance."""

    def data(self) -> dict[str, Any]:
        """Returns the decision, ready for JSON."""
        return {
            "position": self.position,
            "phase": self.phase,
            "band": self.band,
            "chosen": {action: round(chance, 6) for action, chance in self.chosen.items()},
            "best": list(self.best),
            "value_lost": round(self.value_lost, 6),
            "error": round(self.error, 6),
            "plies_lost": None if self.plies_lost is None else round(self.plies_lost, 3),
        }


def judge(position: Position, values: Mapping[str, TableValue], chosen: Mapping[str, float]) -> Decision:
    """Judges the actions that an agent plays in a position, given the values of all actions, best first."""
    losses = action_losses(values)
    kept = {action: chance for action, chance in chosen.items() if losses[action].plies is not None}
    whole = sum(kept.values())
    return Decision(
        position=str(position),
        phase=phase_of(position),
        band=band_of(next(iter(values.values()))),
        chosen=dict(chosen),
        best=tuple(sorted(action for action, loss in losses.items() if not loss.is_error)),
        is_choice=is_choice(values),
        value_lost=sum(chance * losses[action].value for action, chance in chosen.items()),
        error=sum(chance for action, chance in chosen.items() if losses[action].is_error),
        plies_lost=sum(chance * (losses[action].plies or 0) for action, chance in kept.items()) / whole
        if whole
        else None,
    )


class LossSummary(Facts):
    """What the decisions of a group cost."""

    decisions: int
    errors: float
    """The share of decisions that leave the best value."""

    value_lost: float
    """The mean loss of value, errors or not."""

    plies_lost: float | None
    """The mean over the decisions that keep a win or delay a loss; None if there are none."""


def summarise(decisions: Iterable[Decision]) -> LossSummary:
    """Returns the means of a group."""
    found = list(decisions)
    count = max(1, len(found))
    plies = [each.plies_lost for each in found if each.plies_lost is not None]
    return LossSummary(
        decisions=len(found),
        errors=round(sum(each.error for each in found) / count, 6),
        value_lost=round(sum(each.value_lost for each in found) / count, 6),
        plies_lost=round(sum(plies) / len(plies), 3) if plies else None,
    )


def by_group(decisions: Iterable[Decision], *, has_chance: bool) -> dict[str, LossSummary]:
    """Returns the summaries of all phases and bands that have decisions in which a choice matters."""
    found = [each for each in decisions if each.is_choice]
    groups = {phase: [each for each in found if each.phase == phase] for phase in PHASES}
    groups |= {band: [each for each in found if each.band == band] for band in bands_of(has_chance=has_chance)}
    return {name: summarise(group) for name, group in groups.items() if group}
