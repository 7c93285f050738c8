"""Wire models of the lobby: seeks and challenges, matches to watch, and the messages of the lobby socket."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from damier.server.wire.board import PieceData
from damier.server.wire.clocks import ClockTerms
from damier.server.wire.games import GameChoice, OptionValues
from damier.server.wire.matches import AliveMessage, SeatKind
from damier.server.wire.model import WireModel
from damier.server.wire.ratings import RatingData

MOST_TERMS = 40

SeekKind = Literal["open", "challenge", "link"]
"""For anybody in the lobby, for one person, or for whoever has the link."""


# Requests


class TermsData(GameChoice):
    """One way to play."""

    clock: ClockTerms | None = None
    is_rated: bool = False


class NewSeek(WireModel):
    """A seek or a challenge to make."""

    kind: SeekKind = "open"
    rival: str | None = Field(default=None, max_length=64)
    """The name of the account that is challenged."""

    terms: list[TermsData] = Field(min_length=1, max_length=MOST_TERMS)
    """Any of these, those liked best first."""

    side: int | None = Field(default=None, ge=0, le=1)
    """0 to play first, 1 to play second, null for any."""

    reach: int | None = Field(default=None, ge=0, le=2000)
    """Rating points that an opponent may be stronger or weaker; null for anybody."""


class AcceptSeek(WireModel):
    """Accepts a seek on one of its terms, given by its place."""

    terms: int = Field(default=0, ge=0, lt=MOST_TERMS)


class Wishes(WireModel):
    """The games of which somebody wants to be told when others seek them."""

    games: list[Annotated[str, Field(max_length=32)]] = Field(max_length=100)


# Answers


class LobbyPerson(WireModel):
    """A person as others see them."""

    name: str
    is_program: bool
    has_account: bool


class SeekData(WireModel):
    """A seek or a challenge that is open."""

    number: str
    kind: SeekKind
    owner: LobbyPerson
    rating: RatingData | None
    """The owner's, on the first of the terms."""

    rival: LobbyPerson | None
    terms: list[TermsData]
    side: int | None
    reach: int | None
    is_live: bool
    """Whether it ends when its owner leaves the pages."""

    created: str


class SeekAnswer(WireModel):
    """What became of a new seek: it is open, or a match has begun at once."""

    seek: SeekData | None
    match: str | None


class ShownSeek(WireModel):
    """A seek whose number somebody knows."""

    seek: SeekData
    is_mine: bool
    state: Literal["open", "taken", "declined", "withdrawn", "expired"]
    match: str | None
    """For its two players, when it has been taken."""


class Accepted(WireModel):
    """The match that an accepted seek has begun."""

    match: str


class ListedSeat(WireModel):
    """Who plays for one of the players, in a list of matches."""

    player: str
    name: str
    """Of the player."""

    kind: SeatKind
    person: LobbyPerson | None
    level: int | None
    is_mine: bool


class ListedMatch(WireModel):
    """A match in a list; nothing of it is replayed."""

    number: str
    game: str
    options: OptionValues
    created: str
    updated: str
    ended: str | None
    seats: list[ListedSeat]
    mover: str | None
    """The player on move; null when the game is over."""

    is_my_turn: bool
    outcome: Literal["won", "lost", "drawn", "aborted", "over"] | None
    """Of the visitor; `aborted` has no result; `over` for who holds several seats or none."""

    winner: str | None
    reason: str | None
    """The code of the end, such as `resignation`."""

    clock: ClockTerms | None
    is_rated: bool


class MatchPage(WireModel):
    """A part of a list of matches."""

    matches: list[ListedMatch]
    before: str | None
    """The cursor of the next part; null if this is the last one."""


class NextMatch(WireModel):
    """The next match in which it is the visitor's turn."""

    number: str | None
    count: int
    """How many there are."""


# The lobby


class LobbyCounts(WireModel):
    """How many are there."""

    people: int
    matches: int
    """That are played and may be watched."""

    seeks: dict[str, int]
    """Open ones by game."""


class PlayingData(WireModel):
    """A match that is played now, with its board."""

    number: str
    game: str
    options: OptionValues
    names: list[str]
    """Of the players, in the order of the seats."""

    ratings: list[RatingData | None]
    clock: ClockTerms | None
    is_rated: bool
    turn: int
    mover: str
    pieces: list[PieceData]
    marks: dict[str, list[str]]


class WeeklyData(WireModel):
    """The hour of each week at which people meet."""

    start: str
    """Of the present one while it lasts, else of the next."""

    seconds: int


class LobbyState(WireModel):
    """The lobby as everybody sees it."""

    version: int
    counts: LobbyCounts
    seeks: list[SeekData]
    playing: dict[str, PlayingData]
    """The best match of each game."""

    weekly: WeeklyData | None


# Messages of the server


class LobbyStateMessage(LobbyState):
    """The whole lobby: the first message of a connection, and the next one for a client that fell behind."""

    type: Literal["state"]


class LobbyChangeMessage(WireModel):
    """What has changed since the version before."""

    type: Literal["change"]
    version: int
    added: list[SeekData]
    removed: list[str]
    counts: LobbyCounts | None
    playing: dict[str, PlayingData | None]
    """By game, where it has changed; null: nothing is played any more."""


class MineMessage(WireModel):
    """The visitor's own open seeks, and the challenges to the visitor."""

    type: Literal["mine"]
    seeks: list[SeekData]
    challenges: list[SeekData]


class PairedMessage(WireModel):
    """Somebody plays with the visitor: a match has begun."""

    type: Literal["paired"]
    seek: str
    match: str
    game: str


class DeclinedMessage(WireModel):
    """Somebody has declined the visitor's challenge."""

    type: Literal["declined"]
    seek: str
    name: str


LobbyMessage = Annotated[
    LobbyStateMessage | LobbyChangeMessage | MineMessage | PairedMessage | DeclinedMessage | AliveMessage,
    Field(discriminator="type"),
]


class LobbyRequest(WireModel):
    """A sign of life of a page; the server does not answer it."""

    do: Literal["stay"]
