"""Wire models of tournaments."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from damier.server.wire.clocks import ClockTerms
from damier.server.wire.games import GameChoice, OptionValues
from damier.server.wire.model import WireModel

TournamentKind = Literal["round_robin", "swiss", "arena"]
TournamentStatus = Literal["waiting", "running", "ended", "cancelled"]
TieBreakName = Literal["buchholz", "sonneborn_berger", "direct", "wins"]


class NewTournament(GameChoice):
    """The terms of a tournament to be made."""

    title: str = Field(max_length=200)
    kind: TournamentKind
    clock: ClockTerms
    is_rated: bool = False
    rounds: int = Field(default=0, ge=0, le=1000)
    """Of a Swiss tournament; of a round robin how often everybody meets, 1 or 2."""

    minutes: int = Field(default=0, ge=0, le=100_000)
    """How long an arena lasts."""

    starts: str | None = Field(default=None, max_length=40)
    """When it starts, in UTC: `2026-11-17T12:00:00.000Z`; null: when its maker says so."""

    round_seconds: int | None = Field(default=None, ge=0, le=10**9)
    """From the beginning of a round to that of the next, with correspondence clocks; null: when all games are over."""


class TournamentAct(WireModel):
    """What somebody wants to do in a tournament."""

    do: Literal["join", "withdraw", "start", "cancel"]


class TournamentSummary(WireModel):
    """A tournament in a list."""

    number: str
    title: str
    kind: TournamentKind
    game: str
    options: OptionValues
    clock: ClockTerms
    is_rated: bool
    rounds: int
    minutes: int
    starts: str | None
    round_seconds: int | None
    status: TournamentStatus
    created: str
    maker: str
    players: int
    """How many have joined."""


class TournamentList(WireModel):
    """A page of tournaments, newest first."""

    tournaments: list[TournamentSummary]
    before: str | None
    """What to ask for to get the next page; null if this is the last one."""


class StandingData(WireModel):
    """A player's place."""

    rank: int
    name: str
    is_program: bool
    is_me: bool
    rating: int
    points: float
    tie_breaks: dict[TieBreakName, float]
    wins: int
    draws: int
    losses: int
    is_withdrawn: bool
    is_playing: bool
    is_on_streak: bool
    """Whether the next game in the arena counts double."""


class TournamentGameData(WireModel):
    """A game of a tournament."""

    first: str
    """The name of who plays first."""

    second: str
    match: str | None
    """The number of its match; null before it has begun, and if it was never played."""

    result: Literal["first", "second", "draw"] | None
    """Who won; null while it is played."""

    is_forfeit: bool
    """Whether the loser did not come."""


class TournamentRoundData(WireModel):
    """A round; of an arena, the games of the last minutes."""

    number: int
    games: list[TournamentGameData]
    byes: list[str]


class OwnTournament(WireModel):
    """What the visitor is and can do in a tournament."""

    is_signed_in: bool
    is_playing: bool
    """Whether the visitor has joined and not withdrawn."""

    match: str | None
    """The number of the visitor's match that is being played."""

    can_join: bool
    can_withdraw: bool
    can_start: bool
    can_cancel: bool


class TournamentData(TournamentSummary):
    """A tournament as it stands."""

    version: int
    """Changes whenever the tournament does."""

    started: str | None
    ends: str | None
    """When the time of an arena is up."""

    ended: str | None
    round: int
    """The last round that has begun; 0 before the first, and in an arena."""

    round_total: int
    """How many rounds there are; 0 in an arena."""

    next_round: str | None
    """When the next round begins, if that is known."""

    tie_breaks: list[TieBreakName]
    """In the order in which they decide."""

    standings: list[StandingData]
    pairings: TournamentRoundData | None
    own: OwnTournament
