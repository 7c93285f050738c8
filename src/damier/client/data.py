"""What a server says of games and matches, as frozen dataclasses. Keys that this version does not know are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Data = Mapping[str, Any]


@dataclass(frozen=True)
class GameInfo:
    """A game that the server has."""

    name: str
    title: str
    players: tuple[str, ...]
    """All that the game may have; how many play may depend on options."""

    options: Mapping[str, Any]
    """The options with their defaults."""

    @classmethod
    def parse(cls, data: Data) -> GameInfo:
        """Returns the game of an answer."""
        players = tuple(each["player"] for each in data["players"])
        options = {each["name"]: each["default"] for each in data["options"]}
        return cls(data["name"], data["title"], players, options)


@dataclass(frozen=True)
class SeatView:
    """Who plays for one of the players."""

    player: str
    kind: str
    """``person``, ``computer`` or ``open``."""

    nickname: str | None
    level: int | None
    is_mine: bool
    is_here: bool
    is_program: bool = False

    @classmethod
    def parse(cls, data: Data) -> SeatView:
        """Returns the seat of an answer."""
        return cls(
            data["player"],
            data["kind"],
            data["nickname"],
            data["level"],
            data["is_mine"],
            data["is_here"],
            bool(data.get("is_program", False)),
        )


@dataclass(frozen=True)
class MatchEnding:
    """How a match ended."""

    winner: str | None
    """None for a draw, and for a match that was aborted."""

    reason: str
    sentence: str

    @classmethod
    def parse(cls, data: Data | None) -> MatchEnding | None:
        """Returns the result of an answer, None if there is none."""
        return cls(data["winner"], data["reason"], data["sentence"]) if data else None


@dataclass(frozen=True)
class OfferView:
    """An offer that waits for an answer."""

    what: str
    """``draw``, ``undo`` or ``rematch``."""

    player: str
    is_mine: bool
    asked: tuple[str, ...]
    """The players who have not answered yet."""

    @classmethod
    def parse(cls, data: Data | None) -> OfferView | None:
        """Returns the offer of an answer, None if there is none."""
        return cls(data["what"], data["player"], data["is_mine"], tuple(data["asked"])) if data else None


@dataclass(frozen=True)
class ClockView:
    """The time that players have, in seconds."""

    kind: str
    """``live`` or ``correspondence``."""

    base: int
    increment: int = 0
    """What a turn adds."""

    delay: int = 0
    """How much of every turn is free."""

    cap: int | None = None
    """How much a turn may fill a clock up to."""

    @classmethod
    def parse(cls, data: Data | None) -> ClockView | None:
        """Returns the time control of an answer, None without one."""
        if not data:
            return None
        increment, delay = data.get("increment", 0), data.get("delay", 0)
        return cls(data["kind"], data["base"], increment, delay, data.get("cap"))

    def data(self) -> dict[str, Any]:
        """Returns the time control as requests have it."""
        return dict(vars(self))


@dataclass(frozen=True)
class TimesLeft:
    """What the clocks showed when the server sent it, in seconds."""

    left: Mapping[str, float]
    """By player."""

    free: float = 0.0
    """How long the running clock still stands because of the delay."""

    first: float | None = None
    """How long a first turn may still take; None when the clocks run."""

    @classmethod
    def parse(cls, data: Data | None) -> TimesLeft | None:
        """Returns the clocks of an answer, which has milliseconds; None without clocks."""
        if not data:
            return None
        first = data.get("first")
        left = {player: milliseconds / 1000 for player, milliseconds in data["left"].items()}
        return cls(left, data.get("free", 0) / 1000, None if first is None else first / 1000)


@dataclass(frozen=True)
class MatchView:
    """A match as it stands, for the person of the client."""

    number: str
    game: str
    options: Mapping[str, Any]
    seats: tuple[SeatView, ...]
    seq: int
    """The number of events so far."""

    position: str
    mover: str
    """The player on move, or ``chance``."""

    turn: int
    is_my_turn: bool
    actions: tuple[str, ...]
    """The legal actions of the player on move."""

    history: tuple[str, ...]
    """The actions that were played; the first `older` are left out."""

    older: int = 0
    result: MatchEnding | None = None
    offer: OfferView | None = None
    can: frozenset[str] = frozenset()
    """What the person can do besides playing: ``undo``, ``resign``, ``offer_draw``, ``answer``, ..."""

    rematch: str | None = None
    """The number of the match that follows."""

    has_help: bool = False
    is_rated: bool = False
    clock: ClockView | None = None
    clocks: TimesLeft | None = None
    invitations: Mapping[str, str] = field(default_factory=dict)
    """By player, for who began the match, while seats are open."""

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.result is not None

    @property
    def mine(self) -> tuple[str, ...]:
        """The players for whom the person plays."""
        return tuple(seat.player for seat in self.seats if seat.is_mine)

    @classmethod
    def parse(cls, data: Data) -> MatchView:
        """Returns the match of a snapshot."""
        state = data["state"]
        history = tuple(entry["action"] for entry in state["history"])
        return cls(
            number=data["number"],
            game=data["game"],
            options=dict(data["options"]),
            seats=tuple(SeatView.parse(seat) for seat in data["seats"]),
            seq=data["seq"],
            history=history,
            older=state["older"],
            has_help=data["has_help"],
            is_rated=bool(data.get("is_rated", False)),
            clock=ClockView.parse(data.get("clock")),
            clocks=TimesLeft.parse(data.get("clocks")),
            invitations=dict(data["invitations"]),
            **state_fields(state),
        )


@dataclass(frozen=True)
class SeekResult:
    """What became of a new seek."""

    seek: str | None
    """The number of the seek, which waits in the lobby."""

    match: str | None
    """The number of the match, if one has begun at once."""

    @classmethod
    def parse(cls, data: Data) -> SeekResult:
        """Returns the seek of an answer."""
        return cls(data["seek"]["number"] if data["seek"] else None, data["match"])


@dataclass(frozen=True)
class StandingView:
    """A player's place in a tournament."""

    rank: int
    name: str
    points: float
    wins: int
    draws: int
    losses: int
    is_me: bool

    @classmethod
    def parse(cls, data: Data) -> StandingView:
        """Returns the standing of an answer."""
        return cls(**{name: data[name] for name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class TournamentView:
    """A tournament as it stands."""

    number: str
    title: str
    kind: str
    """``round_robin``, ``swiss`` or ``arena``."""

    game: str
    options: Mapping[str, Any]
    clock: ClockView | None
    status: str
    """``waiting``, ``running``, ``ended`` or ``cancelled``."""

    round: int
    ends: str | None
    """When the time of an arena is up."""

    standings: tuple[StandingView, ...]
    """The best first."""

    is_playing: bool
    """Whether the person has joined and not withdrawn."""

    match: str | None
    """The number of the person's match that is being played."""

    @property
    def is_over(self) -> bool:
        """Whether the tournament has ended or was cancelled."""
        return self.status in ("ended", "cancelled")

    @classmethod
    def parse(cls, data: Data) -> TournamentView:
        """Returns the tournament of an answer."""
        names = ("number", "title", "kind", "game", "status", "round", "ends")
        return cls(
            **{name: data[name] for name in names},
            options=dict(data["options"]),
            clock=ClockView.parse(data["clock"]),
            standings=tuple(StandingView.parse(each) for each in data["standings"]),
            is_playing=data["own"]["is_playing"],
            match=data["own"]["match"],
        )


def state_fields(state: Data) -> dict[str, Any]:
    """Returns the fields of a match that a state has, be it of a snapshot or of an event."""
    return {
        "position": state["position"],
        "mover": state["mover"],
        "turn": state["turn"],
        "is_my_turn": state["is_my_turn"],
        "actions": tuple(each["action"] for each in state["actions"]),
        "result": MatchEnding.parse(state["result"]),
        "offer": OfferView.parse(state["offer"]),
        "can": frozenset(name for name, can in state["can"].items() if can),
        "rematch": state["rematch"],
    }
