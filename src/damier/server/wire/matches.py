"""Wire models of matches: requests, the state of a match for one visitor, and the messages of the match socket."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from damier.engine.levels import LEVELS
from damier.server.wire.board import LabelledPiece, PlayState, Points, ResultData, TurnMarksData
from damier.server.wire.civility.chat import ChatMessage, Room, SaidMessage, UnsaidMessage
from damier.server.wire.clocks import ClocksData, ClockTerms
from damier.server.wire.games import GameChoice, OptionValues
from damier.server.wire.model import WireModel
from damier.server.wire.ratings import MatchRatings, RatingData

LONGEST_ID = 64  # characters of a request's id
LONGEST_SENT = 2000  # characters of a message as it is sent

Offered = Literal["draw", "undo", "rematch"]
Claimed = Literal["win", "draw"]
SeatKind = Literal["person", "computer", "open"]


def _is_encodable(text: str) -> str:
    """Refuses lone surrogates, which can be neither stored nor sent."""
    text.encode()
    return text


# Requests over HTTP


class ComputerSeat(WireModel):
    """A seat of the computer."""

    level: int = Field(ge=LEVELS[0], le=LEVELS[-1])


class NewMatch(GameChoice):
    """The match to begin: one seat for each player, in order."""

    seats: list[Literal["me", "open"] | ComputerSeat] = Field(min_length=2, max_length=4)
    allows_help: bool = False
    """Whether hints, values and take-backs are allowed; they always are if no other person plays."""

    clock: ClockTerms | None = None
    is_rated: bool = False


class SeatRequest(WireModel):
    """Takes the open seat of an invitation."""

    invitation: str = Field(max_length=64)


class Attempt(WireModel):
    """What a visitor tried to do: an action, or the cells that were chosen."""

    action: str | None = Field(default=None, max_length=200)
    cells: list[Annotated[str, Field(max_length=8)]] = Field(default_factory=list, max_length=8)


class Refusal(WireModel):
    """Why something cannot be played."""

    sentence: str
    rules: str | None
    """The address of the rule that says so; null if the game has no rule page."""


# The state of a match


class HistoryEntry(WireModel):
    """An action that was played."""

    action: str
    player: str
    turn: int
    points: Points = None


class DiceData(WireModel):
    """The rolls of a match, and what proves that they were fair."""

    hash: str
    seed: str | None
    """Null until the game is over."""

    rolls: list[str]


class OfferData(WireModel):
    """An offer that waits for an answer."""

    what: Offered
    player: str
    is_mine: bool
    asked: list[str]
    """The players who have not answered yet."""


class Abilities(WireModel):
    """What the visitor can do now, besides playing."""

    undo: bool
    resign: bool
    offer_draw: bool
    abort: bool
    """Whether the match can be stopped without a result."""

    answer: bool
    withdraw: bool
    rematch: bool
    help: bool
    """Whether hints and values are answered."""


class CommonState(PlayState):
    """The part of the state of a match that is the same for all visitors, apart from `last_turns`."""

    seed: str | None
    """The seed of the rolls, once the game is over."""

    rematch: str | None
    """The number of the match that follows."""


class OwnState(WireModel):
    """The part of the state of a match that depends on the seats that a visitor holds."""

    last_turns: list[TurnMarksData]
    is_my_turn: bool
    offer: OfferData | None
    can: Abilities


class EventState(CommonState):
    """The state of a match for one visitor after an event; what is new in its history is said beside it."""

    is_my_turn: bool
    offer: OfferData | None
    can: Abilities


class MatchState(EventState):
    """The state of a match for one visitor."""

    history: list[HistoryEntry]
    """The last actions, the oldest first."""

    older: int
    """How many actions before those of `history` are left out."""


class HistoryChange(WireModel):
    """What an event changes in the history: `kept` actions of all that were played stay, then `added` follow."""

    kept: int
    added: list[HistoryEntry]


class SeatData(WireModel):
    """Who plays for one of the players."""

    player: str
    name: str
    nickname: str | None
    """Of the person who holds the seat."""

    account: str | None
    """The name of that person's account, which has a page of its own; null for a guest."""

    is_program: bool
    """Whether the account is a program's."""

    kind: SeatKind
    level: int | None
    is_mine: bool
    is_here: bool
    rating: RatingData | None
    """Before the game, if the match has a clock; of the computer's level, if it has been measured."""


class MatchSnapshot(WireModel):
    """A match as it stands, for one visitor."""

    number: str
    game: str
    options: OptionValues
    options_text: str
    created: str
    seats: list[SeatData]
    invitations: dict[str, str]
    """By player; only for the visitor who began the match, while seats are open."""

    has_help: bool
    """Whether hints, values and take-backs are allowed while the game is played."""

    clock: ClockTerms | None
    is_rated: bool
    clocks: ClocksData | None
    """What the clocks show now; null without a clock."""

    ratings: MatchRatings | None
    """What the match has changed in the ratings; null until it has been rated."""

    dice: DiceData | None
    seq: int
    state: MatchState


class MatchSummary(WireModel):
    """A match in a list."""

    number: str
    game: str
    options: OptionValues
    options_text: str
    created: str
    seats: list[SeatData]
    clock: ClockTerms | None
    is_rated: bool
    turn: int
    mover: str
    mover_name: str | None
    is_my_turn: bool
    result: ResultData | None
    pieces: list[LabelledPiece]
    marks: dict[str, list[str]]


# Events


class PlayEvent(WireModel):
    """A player has played an action."""

    kind: Literal["play"]
    player: str
    action: str


class RollEvent(WireModel):
    """The die has been rolled."""

    kind: Literal["roll"]
    action: str


class UndoEvent(WireModel):
    """Actions were taken back; `to` are left."""

    kind: Literal["undo"]
    player: str
    to: int


class ResignEvent(WireModel):
    """A player has resigned."""

    kind: Literal["resign"]
    player: str


class DrawEvent(WireModel):
    """The players have agreed on a draw."""

    kind: Literal["draw"]


class FlagEvent(WireModel):
    """The time of a player has run out."""

    kind: Literal["flag"]
    player: str


class AbortEvent(WireModel):
    """The match was stopped without a result, by a player or because a first turn was not made in time."""

    kind: Literal["abort"]
    player: str | None = None


class ClaimEvent(WireModel):
    """A player has claimed a win or a draw over one who has left."""

    kind: Literal["claim"]
    player: str
    absent: str
    what: Claimed


class OfferEvent(WireModel):
    """A player offers a draw or a rematch, or asks to take back an action."""

    kind: Literal["offer"]
    player: str
    what: Offered


class AcceptEvent(WireModel):
    """A player has accepted an offer that others have yet to answer."""

    kind: Literal["accept"]
    player: str
    what: Offered


class DeclineEvent(WireModel):
    """A player has declined an offer."""

    kind: Literal["decline"]
    player: str
    what: Offered


class WithdrawEvent(WireModel):
    """A player has withdrawn an offer."""

    kind: Literal["withdraw"]
    player: str
    what: Offered


class RematchEvent(WireModel):
    """All have agreed to a rematch, and the match that follows has begun."""

    kind: Literal["rematch"]
    player: str
    number: str


class SeatEvent(WireModel):
    """A visitor has taken an open seat."""

    kind: Literal["seat"]
    player: str


class VacationEvent(WireModel):
    """A player is on vacation: the player's clock stands still."""

    kind: Literal["vacation"]
    player: str
    lasts: int
    """How many milliseconds from the event on, unless it is ended earlier."""


class ReturnEvent(WireModel):
    """A player has ended a vacation earlier than it would have ended."""

    kind: Literal["return"]
    player: str


EventData = Annotated[
    PlayEvent
    | RollEvent
    | UndoEvent
    | ResignEvent
    | DrawEvent
    | FlagEvent
    | AbortEvent
    | ClaimEvent
    | OfferEvent
    | AcceptEvent
    | DeclineEvent
    | WithdrawEvent
    | RematchEvent
    | SeatEvent
    | VacationEvent
    | ReturnEvent,
    Field(discriminator="kind"),
]


# Messages of the server


class SnapshotMessage(MatchSnapshot):
    """The whole match: the first message of a connection."""

    type: Literal["snapshot"]


class EventMessage(WireModel):
    """Something happened; `seq` counts events without gaps."""

    type: Literal["event"]
    seq: int
    event: EventData
    history: HistoryChange
    clocks: ClocksData | None
    state: EventState


class ThinkingMessage(WireModel):
    """The computer is choosing."""

    type: Literal["thinking"]
    player: str


class DelayedMessage(WireModel):
    """The computer's turn is late and will still come."""

    type: Literal["delayed"]
    player: str
    why: Literal["busy", "failed"]
    """All engines are busy, or the engine failed and is tried again."""


class PresenceMessage(WireModel):
    """The seats whose visitors are connected; sent when they change."""

    type: Literal["here"]
    seats: list[str]
    clocks: ClocksData | None = None


class NamesMessage(WireModel):
    """A visitor has another nickname."""

    type: Literal["names"]
    nicknames: dict[str, str]
    """By player, of the seats that the visitor holds."""

    account: str | None
    """The name of the visitor's account; null for a guest."""


class PingMessage(WireModel):
    """To be answered at once with a `pong` of the same id: the server measures the lag of a player."""

    type: Literal["ping"]
    id: str


class RatingsMessage(MatchRatings):
    """The match has been rated."""

    type: Literal["ratings"]


class AliveMessage(WireModel):
    """Nothing happened for a while, and the connection works."""

    type: Literal["alive"]


class DoneMessage(WireModel):
    """A request was carried out."""

    type: Literal["done"]
    id: str
    seq: int


class RefusedMessage(WireModel):
    """A request was refused."""

    type: Literal["refused"]
    id: str
    error: str


MatchMessage = Annotated[
    SnapshotMessage
    | EventMessage
    | ThinkingMessage
    | DelayedMessage
    | PresenceMessage
    | NamesMessage
    | PingMessage
    | RatingsMessage
    | ChatMessage
    | SaidMessage
    | UnsaidMessage
    | AliveMessage
    | DoneMessage
    | RefusedMessage,
    Field(discriminator="type"),
]


# Requests of the client


RequestId = Annotated[str, Field(max_length=LONGEST_ID), AfterValidator(_is_encodable)]
"""Chosen by the client; a request sent again with the same id changes nothing twice."""


class _MatchRequest(WireModel):
    id: RequestId


class PlayRequest(_MatchRequest):
    """Plays an action for the player on move."""

    do: Literal["play"]
    action: Annotated[str, Field(max_length=200), AfterValidator(_is_encodable)]
    seq: int | None = None
    """The last event that the client has seen."""


class UndoRequest(_MatchRequest):
    """Takes back to the visitor's last action, or offers to."""

    do: Literal["undo"]


class ResignRequest(_MatchRequest):
    """Resigns."""

    do: Literal["resign"]


class DrawRequest(_MatchRequest):
    """Offers a draw."""

    do: Literal["offer_draw"]


class AnswerRequest(_MatchRequest):
    """Answers an offer."""

    do: Literal["answer"]
    yes: bool


class WithdrawRequest(_MatchRequest):
    """Withdraws the visitor's offer."""

    do: Literal["withdraw"]


class RematchRequest(_MatchRequest):
    """Offers a rematch, which begins at once if no other person plays."""

    do: Literal["rematch"]


class AbortRequest(_MatchRequest):
    """Stops the match without a result, before each player has had a turn."""

    do: Literal["abort"]


class ClaimRequest(_MatchRequest):
    """Claims a win or a draw over a player who has left on their own turn."""

    do: Literal["claim"]
    what: Claimed


class SayRequest(_MatchRequest):
    """Writes a message in the chat: a phrase, or text."""

    do: Literal["say"]
    room: Room | None = None
    """By default the visitor's own."""

    phrase: Annotated[str, Field(max_length=32), AfterValidator(_is_encodable)] | None = None
    text: Annotated[str, Field(max_length=LONGEST_SENT), AfterValidator(_is_encodable)] | None = None
    """What is not allowed in it, such as control characters, is taken out; then it may have 200 characters."""


class PongRequest(_MatchRequest):
    """Answers the ping with the same id; nothing is sent back."""

    do: Literal["pong"]


MatchRequest = Annotated[
    PlayRequest
    | UndoRequest
    | ResignRequest
    | DrawRequest
    | AnswerRequest
    | WithdrawRequest
    | RematchRequest
    | AbortRequest
    | ClaimRequest
    | SayRequest
    | PongRequest,
    Field(discriminator="do"),
]
