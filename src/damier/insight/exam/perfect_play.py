"""Games of an agent against the perfect opponent, who keeps the best value, wins fast, loses late, and draws lots among
equal actions.

What the history changes counts: an action that it forbids has no value, one that ends the game by it has that of the
end (``solve/history_values.py``). As the opponent gives nothing back, an agent that begins with a value v and loses w
in all ends with v - w, unless the game is cut off, a die decides, or the history forbids what the table needs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.core.ranges import check_whole
from damier.engine.policy import begin_game, probabilities
from damier.insight.exam.decision import Decision, LossSummary, by_group, judge, summarise
from damier.insight.exam.losses import game_value
from damier.insight.exam.sample import check_examinable
from damier.insight.report.best_play import best_actions
from damier.insight.report.facts import Facts
from damier.solve.history_values import HistoryValues

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.core.record import Record
    from damier.engine.policy import Policy
    from damier.solve.tables import Tables

GAMES = 20
MOST_ACTIONS = 60
"""A game with more actions of both players counts as a draw; rolls of a die are not counted."""

MOST_GAMES = 100_000


class SeatSummary(Facts):
    """The games of an agent in one seat."""

    player: str
    games: int
    won: int
    drawn: int
    lost: int
    value: float
    """What the games are worth for the agent with best play of both."""

    errors: float
    """Errors in a game, on average."""

    value_lost: float
    """Value lost in a game, on average."""

    first_error: float | None
    """The ply of the first error, on average over the games that have one."""


@dataclass(frozen=True)
class ExamGame:
    """A game against the perfect opponent."""

    player: str
    """The seat of the agent."""

    actions: tuple[str, ...]
    score: float
    """1, 0.5 or 0 points of the agent."""

    decisions: tuple[Decision, ...]
    plies: tuple[int, ...]
    """The ply of each decision, from 1."""

    @property
    def value_lost(self) -> float:
        """What the agent lost in all."""
        return sum(each.value_lost for each in self.decisions)

    @property
    def first_error(self) -> int | None:
        """The ply of the first error."""
        return next((ply for ply, each in zip(self.plies, self.decisions, strict=True) if each.error), None)


@dataclass(frozen=True)
class PerfectPlay:
    """The games of an agent against the perfect opponent."""

    game: Game
    games: tuple[ExamGame, ...]
    value: float
    """What the first position is worth for the player who begins."""

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All decisions in which a choice matters."""
        return tuple(each for game in self.games for each in game.decisions if each.is_choice)

    @property
    def all(self) -> LossSummary:
        """The means over all decisions in which a choice matters."""
        return summarise(self.decisions)

    @property
    def groups(self) -> dict[str, LossSummary]:
        """The means by phase, and by value and distance."""
        return by_group(self.decisions, has_chance=self.game.traits.has_chance)

    @property
    def seats(self) -> list[SeatSummary]:
        """What happened in each seat."""
        return [self._seat(player) for player in self.game.players]

    def _seat(self, player: str) -> SeatSummary:
        games = [game for game in self.games if game.player == player]
        firsts = [game.first_error for game in games if game.first_error is not None]
        count = max(1, len(games))
        worst = 1 - self.value if self.game.traits.has_chance else -self.value
        return SeatSummary(
            player=player,
            games=len(games),
            won=sum(game.score == 1 for game in games),
            drawn=sum(game.score == 0.5 for game in games),
            lost=sum(game.score == 0 for game in games),
            value=round(self.value if player == self.game.players[0] else worst, 6) + 0.0,  # no -0
            errors=round(sum(each.error for game in games for each in game.decisions) / count, 3),
            value_lost=round(sum(game.value_lost for game in games) / count, 6),
            first_error=round(sum(firsts) / len(firsts), 1) if firsts else None,
        )

    def data(self) -> dict[str, Any]:
        """Returns the summaries, ready for JSON."""
        groups = {name: group.data() for name, group in self.groups.items()}
        return {"seats": [seat.data() for seat in self.seats], "all": self.all.data(), "groups": groups}


def play_perfect(
    game: Game,
    policy: Policy,
    games: int = GAMES,
    seed: int = 0,
    *,
    name: str | None = None,
    tables: Tables | None = None,
) -> PerfectPlay:
    """Plays games of a policy against the perfect opponent, in both seats by turns; raises as `regret` does.

    The seed decides dice, equal actions of the opponent, and actions of a policy that returns probabilities.
    """
    check_examinable(game)
    check_whole("games", games, 0, MOST_GAMES)
    found = tables or game.tables
    called = name or str(getattr(policy, "__name__", type(policy).__name__))
    return PerfectPlay(game, tuple(perfect_games(game, policy, games, seed, called, found)), start_value(found))


def start_value(tables: Tables) -> float:
    """Returns what the first position is worth for the player who begins."""
    return game_value(tables.probe_value(tables.game.start))


def perfect_games(game: Game, policy: Policy, games: int, seed: int, name: str, tables: Tables) -> Iterator[ExamGame]:
    """Yields games of a policy against the perfect opponent, in both seats by turns."""
    values = HistoryValues(tables)
    for number in range(games):
        lot = random.Random(f"exam {seed} {number // 2}")
        yield _play(game.record(), policy, game.players[number % 2], name, values, lot)


def _play(record: Record, policy: Policy, seat: str, name: str, values: HistoryValues, lot: random.Random) -> ExamGame:
    begin_game(policy, name)
    decisions: list[Decision] = []
    plies: list[int] = []
    actions = 0
    while not record.result and actions < MOST_ACTIONS:
        if record.mover == "chance":
            record.play(lot.choice(record.actions()))
            continue
        actions += 1
        worth = values.actions(record)
        if record.mover != seat:
            record.play(lot.choice(best_actions(worth)))
            continue
        chosen = probabilities(policy, record, name)
        plies.append(record.count + 1)
        action = lot.choices(list(chosen), list(chosen.values()))[0]
        decisions.append(judge(record.position, worth, {action: 1.0}))
        record.play(action)
    winner = record.result.winner if record.result else None
    score = 0.5 if winner is None else float(winner == seat)
    return ExamGame(seat, record.played, score, tuple(decisions), tuple(plies))
