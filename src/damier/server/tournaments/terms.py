"""The terms of a tournament: what is played, how players are paired, when it starts. Chosen once, by its maker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from damier.core.errors import BadArgument
from damier.core.messages import message, shown
from damier.server.matches.clock import TimeControl, parse_control
from damier.server.tournaments.times import is_time

Kind = Literal["round_robin", "swiss", "arena"]

MOST_PLAYERS: Final[Mapping[Kind, int]] = {"round_robin": 16, "swiss": 200, "arena": 200}
MOST_ROUNDS: Final = 15  # of a Swiss tournament
LONGEST_ARENA: Final = 12 * 60  # minutes
LONGEST_ROUND: Final = 60 * 24 * 3600  # seconds
LONGEST_TITLE: Final = 60  # characters


@dataclass(frozen=True)
class TournamentTerms:
    """The terms of a tournament."""

    title: str
    kind: Kind
    game: str
    control: TimeControl
    options: Mapping[str, str | int] = field(default_factory=dict)
    is_rated: bool = False
    rounds: int = 0
    """Of a Swiss tournament; of a round robin how often everybody meets, 1 or 2; 0 for an arena."""

    minutes: int = 0
    """How long an arena lasts."""

    starts: str | None = None
    """When it starts, as `store.now` writes times; null: when its maker says so."""

    round_seconds: int | None = None
    """From the beginning of a round to that of the next, with correspondence clocks; null: when all games are over."""

    def __post_init__(self) -> None:
        _check_rounds(self)
        if not 1 <= len(self.title) <= LONGEST_TITLE:
            raise BadArgument(
                message("The title of a tournament has 1 to {longest} characters.", longest=LONGEST_TITLE)
            )
        if self.starts is not None and not is_time(self.starts):
            raise BadArgument(message("This is not a time: {time}.", time=shown(self.starts)))

    @property
    def most_players(self) -> int:
        """How many players can join."""
        return MOST_PLAYERS[self.kind]

    def data(self) -> dict[str, Any]:
        """Returns the terms as JSON has them."""
        return {**vars(self), "options": dict(self.options), "control": self.control.data()}


def parse_terms(data: Mapping[str, Any]) -> TournamentTerms:
    """Returns the terms of their JSON."""
    return TournamentTerms(**{**data, "control": parse_control(data["control"])})


def _check_rounds(terms: TournamentTerms) -> None:
    """Raises `BadArgument` if the rounds or the duration do not go with the kind."""
    if terms.kind == "round_robin" and terms.rounds not in (1, 2):
        raise BadArgument(message("In a round robin everybody meets once or twice."))
    if terms.kind == "swiss" and not 1 <= terms.rounds <= MOST_ROUNDS:
        raise BadArgument(message("A Swiss tournament has 1 to {most} rounds.", most=MOST_ROUNDS))
    if terms.kind == "arena" and not 1 <= terms.minutes <= LONGEST_ARENA:
        raise BadArgument(message("An arena lasts 1 to {most} minutes.", most=LONGEST_ARENA))
    if terms.kind == "arena" and terms.control.kind != "live":
        raise BadArgument(message("An arena needs live clocks."))
    if terms.round_seconds is None:
        return
    if terms.kind == "arena" or terms.control.kind != "correspondence":
        raise BadArgument(
            message("Fixed times of rounds go with correspondence clocks: live rounds follow each other.")
        )
    if not 1 <= terms.round_seconds <= LONGEST_ROUND:
        days = LONGEST_ROUND // (24 * 3600)
        raise BadArgument(message("The next round begins within {days} days.", days=days))
