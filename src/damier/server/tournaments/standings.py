"""Standings: points, and tie-breaks where points are equal.

| tie-break | counts |
|---|---|
| Buchholz | the points of all opponents; a bye or a game won without play counts one's own points |
| Sonneborn-Berger | the points of opponents, times what was scored against them; a bye as above |
| direct encounter | points among those who are still equal, if all of them have met |
| wins | games won by playing |

A game that one player did not come to is not played: it gives the other the point, and is no game for tie-breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from damier.server.tournaments import arena
from damier.server.tournaments.terms import Kind

TieBreak = Literal["buchholz", "sonneborn_berger", "direct", "wins"]

TIE_BREAKS: Final[Mapping[Kind, tuple[TieBreak, ...]]] = {
    "swiss": ("buchholz", "sonneborn_berger", "direct", "wins"),
    "round_robin": ("sonneborn_berger", "direct", "wins"),
    "arena": ("wins",),
}


@dataclass(frozen=True)
class Entry:
    """What a player got in a game, or in a round without one."""

    opponent: str | None
    """Null for a bye."""

    score: float
    """1, 0.5 or 0."""

    is_played: bool = True


Sheets = Mapping[str, Sequence[Entry]]
"""All entries by player, in the order in which the games were over."""


@dataclass(frozen=True)
class PlayerStanding:
    """A player's place."""

    rank: int
    """From 1 on; players who are equal in everything share one."""

    person: str
    points: float
    tie_breaks: Mapping[TieBreak, float]
    wins: int
    draws: int
    losses: int
    """Of games that were played."""


def standings(sheets: Sheets, kind: Kind) -> list[PlayerStanding]:
    """Returns all players in their order; equal ones in that of `sheets`."""
    points = {person: _points(entries, kind) for person, entries in sheets.items()}
    breaks: dict[str, dict[TieBreak, float]] = {person: {} for person in sheets}
    groups = _split(list(sheets), lambda group: {person: points[person] for person in group})
    for name in TIE_BREAKS[kind]:
        divided: list[list[str]] = []
        for group in groups:
            values = _tie_break(name, group, sheets, points)
            for person in group:
                breaks[person][name] = values[person]
            divided += _split(group, lambda _group, values=values: values)  # type: ignore[misc]
        groups = divided
    found: list[PlayerStanding] = []
    for group in groups:
        rank = len(found) + 1
        found += [_standing(rank, person, points[person], breaks[person], sheets[person]) for person in group]
    return found


def _split(group: list[str], value_of: Callable[[list[str]], Mapping[str, float]]) -> list[list[str]]:
    """Returns a group by value, the highest first."""
    values = value_of(group)
    return [[person for person in group if values[person] == each] for each in sorted(set(values.values()))[::-1]]


def _points(entries: Sequence[Entry], kind: Kind) -> float:
    scores = [entry.score for entry in entries]
    return float(arena.points(scores)) if kind == "arena" else sum(scores)


def _tie_break(name: TieBreak, group: list[str], sheets: Sheets, points: Mapping[str, float]) -> dict[str, float]:
    if name == "direct":
        return _direct(group, sheets)
    if name == "wins":
        return {person: float(_count(sheets[person], 1.0)) for person in group}
    is_weighted = name == "sonneborn_berger"
    return {
        person: sum(
            points[entry.opponent if entry.is_played and entry.opponent is not None else person]
            * (entry.score if is_weighted else 1)
            for entry in sheets[person]
            if entry.is_played or entry.score == 1
        )
        for person in group
    }


def _direct(group: list[str], sheets: Sheets) -> dict[str, float]:
    """Returns the points of equal players among each other; all 0 unless everybody has met everybody."""
    among = {
        person: [entry for entry in sheets[person] if entry.is_played and entry.opponent in group] for person in group
    }
    have_met = all({entry.opponent for entry in among[person]} >= set(group) - {person} for person in group)
    return {person: sum(entry.score for entry in among[person]) if have_met else 0.0 for person in group}


def _count(entries: Sequence[Entry], score: float) -> int:
    return sum(entry.is_played and entry.score == score for entry in entries)


def _standing(
    rank: int, person: str, points: float, breaks: Mapping[TieBreak, float], entries: Sequence[Entry]
) -> PlayerStanding:
    wins, draws, losses = (_count(entries, score) for score in (1.0, 0.5, 0.0))
    return PlayerStanding(rank, person, points, breaks, wins, draws, losses)
