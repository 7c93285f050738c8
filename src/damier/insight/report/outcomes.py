"""Gathers the facts of a table of wins, draws and losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from damier.insight.report.best_play import best_actions, best_line, first_choice, ordered_values
from damier.insight.report.entries import distances, finished, pick_entries
from damier.insight.report.facts import (
    ActionGroup,
    LongestWins,
    OpeningChoice,
    OutcomeFact,
    OutcomeSolution,
    OutcomeTier,
)
from damier.insight.report.returns import judge_returns
from damier.insight.report.sample import judge_sample, outcome_fact
from damier.insight.report.table_facts import common_facts
from damier.solve.returns.repetition import forbids_returns

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.solve.tables import Tables

    Show = Callable[[float, str], None]

_PICKED, _JUDGED = 0.2, 0.95  # shares of the work, for progress
_BEFORE_RETURNS = 0.1  # share of all that where returns have to be judged too


def outcome_solution(tables: Tables, show: Show) -> OutcomeSolution:
    """Returns what a table of wins, draws and losses tells of its game."""
    picked, judged = _PICKED, _JUDGED
    if forbids_returns(tables.game):
        picked, judged = _BEFORE_RETURNS * picked, _BEFORE_RETURNS * judged
    entries = pick_entries(tables, lambda done, note: show(picked * done, note))
    only = judge_sample(
        tables, entries.sample, entries.undecided, lambda done, note: show(picked + (judged - picked) * done, note)
    )
    returns = judge_returns(tables, entries.sample, lambda done, note: show(judged + (1 - judged) * done, note))
    start, longest = tables.game.start, tables.file.header.longest or 0
    value = outcome_fact(tables.probe_value(start))
    wins, losses = distances(tables, "wins"), distances(tables, "losses")
    return OutcomeSolution(
        **common_facts(tables),
        value=value,
        tiers=[_tier(tier) for tier in tables.file.header.extra["tiers"]],
        wins=wins,
        losses=losses,
        line=None if value.outcome == "draw" else best_line(tables, start),
        choices=_choices(tables),
        longest_wins=LongestWins(
            plies=longest,
            positions=wins.get(longest, 0) + losses.get(longest, 0),
            lines=[best_line(tables, position) for position in entries.longest],
        ),
        only=only,
        returns=returns,
    )


def _tier(tier: dict[str, Any]) -> OutcomeTier:
    return OutcomeTier(
        name=tier["name"],
        won=tier["win"] - tier["already won"],
        drawn=tier["draw"],
        lost=tier["loss"] - tier["losses"].get("0", 0),
        over=finished(tier),
        longest=max((int(distance) for name in ("wins", "losses") for distance in tier[name]), default=0),
    )


def _choices(tables: Tables) -> list[OpeningChoice]:
    """Returns the values of the first actions, of the answers to the best one, and of the first choice that matters."""
    start = tables.game.start
    best = best_actions(tables.action_values(start))[0]
    answer = start.play(best)
    found = [_choice(tables, [], start)]
    if answer.result is None and answer.mover != start.mover:
        found.append(_choice(tables, [best], answer))
    played, position = first_choice(tables) or ([], start)
    if len(played) > 1:
        found.append(_choice(tables, played, position))
    return found


def _choice(tables: Tables, played: list[str], position: Position) -> OpeningChoice:
    groups: dict[OutcomeFact, list[str]] = {}
    for action, value in ordered_values(tables, position).items():
        groups.setdefault(outcome_fact(value), []).append(action)
    values = [ActionGroup(value=value, actions=actions) for value, actions in groups.items()]
    return OpeningChoice(played=played, player=position.mover, values=values)
