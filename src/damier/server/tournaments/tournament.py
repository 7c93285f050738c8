"""A tournament: its terms and its events. Pure bookkeeping, without waiting, storage or sending.

The list of events only grows, and the tournament follows from it alone. `decide` turns a person's request into events
or refuses it with a sentence; `add` is the only method that changes the tournament. A game is *paired* by an event,
*begun* by another, which names its match, and *over* by a third: whatever a killed server has not done yet can be read
from the events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from damier.core.messages import message
from damier.server.errors import NotAllowed, NotNow
from damier.server.tournaments.round_robin import round_count, seating
from damier.server.tournaments.terms import TournamentTerms
from damier.server.tournaments.times import later

if TYPE_CHECKING:
    from damier.server.tournaments.standings import PlayerStanding

FEWEST_PLAYERS: Final = 2
MOST_ABSENCES: Final = 2  # games that a player misses before being withdrawn

Status = Literal["waiting", "running", "ended", "cancelled"]

_STATUS_AFTER: Final[Mapping[str, Status]] = {"start": "running", "cancel": "cancelled", "end": "ended"}


@dataclass(frozen=True)
class TournamentEvent:
    """A change of a tournament."""

    kind: str
    """``join``, ``withdraw``, ``start``, ``cancel``, ``pair``, ``begin``, ``result`` or ``end``."""

    at: str
    person: str | None = None
    rating: int | None = None
    """Of who joins, in the pool of the tournament."""

    round: int | None = None
    """Which round is paired, from 1 on."""

    pairs: list[list[str]] | None = None
    """Who is paired, who plays first being first. Games are numbered from 1 on in the order of their pairs."""

    byes: list[str] | None = None
    game: int | None = None
    """The game that begins or is over."""

    match: str | None = None
    """The number of its match."""

    winner: str | None = None
    """Who won; null for a draw."""

    absent: str | None = None
    """Who did not come to the game, and so lost it without playing."""

    def data(self) -> dict[str, Any]:
        """Returns the fields that are set."""
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass
class TournamentPlayer:
    """Somebody who has joined."""

    person: str
    rating: int
    is_withdrawn: bool = False
    absences: int = 0


@dataclass
class TournamentGame:
    """A game of the tournament."""

    number: int
    round: int
    people: tuple[str, str]
    """Who plays first, and who plays second."""

    match: str | None = None
    is_over: bool = False
    winner: str | None = None
    absent: str | None = None

    def score(self, person: str) -> float:
        """Returns 1, 0.5 or 0 for one of the two, when the game is over."""
        return 0.5 if self.winner is None else float(self.winner == person)

    def opponent(self, person: str) -> str:
        """Returns the other one of the two."""
        return self.people[1] if self.people[0] == person else self.people[0]


@dataclass
class TournamentRound:
    """A round; in an arena, games that were paired at the same time."""

    number: int
    at: str
    games: list[TournamentGame] = field(default_factory=list)
    byes: list[str] = field(default_factory=list)
    ended: str = ""
    """When its last game so far was over."""


class Tournament:
    """One tournament."""

    def __init__(self, number: str, terms: TournamentTerms, maker: str, created: str) -> None:
        self.number, self.terms, self.maker, self.created = number, terms, maker, created
        self.status: Status = "waiting"
        self.started: str | None = None
        self.ended: str | None = None
        self.players: dict[str, TournamentPlayer] = {}
        self.rounds: list[TournamentRound] = []
        self.games: list[TournamentGame] = []
        """Game k is at place k-1."""

        self.finished: list[TournamentGame] = []
        """In the order in which they were over."""

        self.seats: list[str | None] = []
        """Of a round robin: who sits where, from the start on."""

        self.known_standings: tuple[int, list[PlayerStanding]] | None = None
        """Those of a number of events, so that they are worked out once for all who ask."""

        self._at_start = 0
        """How many had joined when it started."""

        self.events: list[TournamentEvent] = []

    @property
    def seq(self) -> int:
        """The number of events: it changes whenever the tournament does."""
        return len(self.events)

    # What follows from the events

    @property
    def active(self) -> list[str]:
        """Those who play, in the order in which they joined."""
        return [player.person for player in self.players.values() if not player.is_withdrawn]

    @property
    def round_total(self) -> int:
        """How many rounds there are with these players; 0 for an arena."""
        if self.terms.kind == "round_robin":
            players = self.seats or seating(self.active)
            return round_count(players, self.terms.rounds) if len(players) > 1 else 0
        if self.terms.kind == "swiss":
            return min(self.terms.rounds, max(1, len(self.players) - 1))
        return 0

    @property
    def ends(self) -> str | None:
        """When an arena that has begun ends."""
        if self.terms.kind != "arena" or self.started is None:
            return None
        return later(self.started, 60 * self.terms.minutes)

    @property
    def running(self) -> list[TournamentGame]:
        """The games that are not over."""
        return [game for each in self.rounds for game in each.games if not game.is_over]

    @property
    def unbegun(self) -> list[TournamentGame]:
        """The games that are paired and have no match yet."""
        return [game for game in self.running if game.match is None]

    def add(self, event: TournamentEvent) -> None:
        """Applies an event."""
        change: Callable[[TournamentEvent], None] = getattr(self, f"_add_{event.kind}")
        change(event)
        self.events.append(event)

    def _add_join(self, event: TournamentEvent) -> None:
        assert event.person is not None
        known = self.players.get(event.person)
        if known:
            known.is_withdrawn = False
            return
        self.players[event.person] = TournamentPlayer(event.person, event.rating or 0)
        if self.status == "running" and self.terms.kind == "round_robin":
            late = list(self.players)[self._at_start :]
            self.seats = seating(list(self.players)[: self._at_start], late)

    def _add_withdraw(self, event: TournamentEvent) -> None:
        assert event.person is not None
        if self.status == "waiting":
            del self.players[event.person]
        else:
            self.players[event.person].is_withdrawn = True

    def _add_start(self, event: TournamentEvent) -> None:
        self.status, self.started = "running", event.at
        self._at_start = len(self.players)
        if self.terms.kind == "round_robin":
            self.seats = seating(list(self.players))

    def _add_cancel(self, event: TournamentEvent) -> None:
        self.status, self.ended = "cancelled", event.at

    def _add_end(self, event: TournamentEvent) -> None:
        self.status, self.ended = "ended", event.at

    def _add_pair(self, event: TournamentEvent) -> None:
        assert event.round is not None
        if event.round > len(self.rounds):
            self.rounds.append(TournamentRound(event.round, event.at, ended=event.at))
        paired = self.rounds[event.round - 1]
        for first, second in event.pairs or ():
            game = TournamentGame(len(self.games) + 1, event.round, (first, second))
            self.games.append(game)
            paired.games.append(game)
            paired.byes = [person for person in paired.byes if person not in game.people]
        paired.byes += event.byes or ()

    def _add_begin(self, event: TournamentEvent) -> None:
        assert event.game is not None
        self.games[event.game - 1].match = event.match

    def _add_result(self, event: TournamentEvent) -> None:
        assert event.game is not None
        game = self.games[event.game - 1]
        game.is_over, game.winner, game.absent = True, event.winner, event.absent
        self.finished.append(game)
        self.rounds[game.round - 1].ended = event.at
        if event.absent is not None and game.match is not None:
            self.players[event.absent].absences += 1

    def summary_after(self, events: Sequence[TournamentEvent]) -> tuple[Status, int]:
        """Returns the status and the number of players as they will be after some events."""
        status, people = self.status, set(self.players)
        for event in events:
            if event.kind == "join" and event.person is not None:
                people.add(event.person)
            elif event.kind == "withdraw" and event.person is not None and status == "waiting":
                people.discard(event.person)
            status = _STATUS_AFTER.get(event.kind, status)
        return status, len(people)

    # Requests of people

    def decide(self, person: str, do: str, at: str, rating: int = 0) -> list[TournamentEvent]:
        """Returns the events that a request leads to, none if it changes nothing; raises a `DamierError`."""
        if self.status in ("ended", "cancelled"):
            raise NotNow(message("The tournament is over."))
        decisions = {"join": self._join, "withdraw": self._withdraw, "start": self._start, "cancel": self._cancel}
        return decisions[do](person, at, rating)

    def _join(self, person: str, at: str, rating: int) -> list[TournamentEvent]:
        known = self.players.get(person)
        if known and not known.is_withdrawn:
            return []
        if self.status == "running":
            self._refuse_late(at, is_back=known is not None)
        if known is None and len(self.players) >= self.terms.most_players:
            most = self.terms.most_players
            raise NotNow(message("The tournament is full: it has {most} players.", most=most))
        return [TournamentEvent("join", at, person=person, rating=rating)]

    def _refuse_late(self, at: str, is_back: bool) -> None:
        """Raises `NotNow` if it is too late to join, or to come back."""
        kind, begun = self.terms.kind, len(self.rounds)
        if kind == "round_robin" and is_back:
            raise NotNow(message("You have withdrawn from this round robin and cannot join it again."))
        if kind == "round_robin" and begun > 1:
            raise NotNow(message("A round robin cannot be joined once its second round has begun."))
        if kind == "swiss" and begun >= self.round_total:
            raise NotNow(message("The last round has begun: nobody can join any more."))
        if self.ends is not None and at >= self.ends:
            raise NotNow(message("The time is up: nobody can join any more."))

    def _withdraw(self, person: str, at: str, _rating: int) -> list[TournamentEvent]:
        if person not in self.players:
            raise NotNow(message("You do not play in this tournament."))
        return [] if self.players[person].is_withdrawn else [TournamentEvent("withdraw", at, person=person)]

    def _start(self, person: str, at: str, _rating: int) -> list[TournamentEvent]:
        if person != self.maker:
            raise NotAllowed(message("Only its maker can start the tournament."))
        if self.status == "running":
            raise NotNow(message("The tournament has begun already."))
        if len(self.players) < FEWEST_PLAYERS:
            raise NotNow(message("A tournament needs at least two players."))
        return [TournamentEvent("start", at)]

    def _cancel(self, person: str, at: str, _rating: int) -> list[TournamentEvent]:
        if person != self.maker:
            raise NotAllowed(message("Only its maker can cancel the tournament."))
        if self.status == "running":
            raise NotNow(message("The tournament has begun already and cannot be cancelled."))
        return [TournamentEvent("cancel", at)]

    # Results

    def result_events(
        self, game: TournamentGame, winner: str | None, absent: str | None, at: str
    ) -> list[TournamentEvent]:
        """Returns the events of a game that is over; none if that is known, or if it comes too late."""
        if game.is_over or self.status != "running":
            return []
        events = [TournamentEvent("result", at, game=game.number, winner=winner, absent=absent)]
        if absent is not None and game.match is not None:
            player = self.players[absent]
            if player.absences + 1 >= MOST_ABSENCES and not player.is_withdrawn:
                events.append(TournamentEvent("withdraw", at, person=absent))
        return events
