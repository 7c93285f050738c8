"""A match: its seats and its events. Pure bookkeeping, without waiting, storage or sending.

The list of events only grows, and the state of the match follows from it alone. `decide` turns a visitor's request into
an event or refuses it with a sentence; `add` is the only method that changes the game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from damier.core.messages import message, shown
from damier.server.errors import NotAllowed, NotNow
from damier.server.matches.clock import VACATION_EVENTS, Clocks, Moment, TimeControl
from damier.server.matches.dice import roll
from damier.server.matches.endings import ENDINGS, end_game
from damier.server.wire.games import GameLine

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.server.wire.matches import SeatKind

PERSON: Final = "person"
COMPUTER: Final = "computer"
OPEN: Final = "open"

_QUIET = frozenset(["seat", *VACATION_EVENTS])  # the kinds of events that leave an offer as it is


@dataclass(frozen=True)
class Seat:
    """Who plays for one of the players."""

    player: str
    kind: SeatKind
    level: int | None = None
    visitor: str | None = None
    invitation: str | None = None
    """The secret that takes the seat while it is open."""


@dataclass(frozen=True)
class Event:
    """A change of a match."""

    kind: str
    """``play``, ``roll``, ``undo``, ``resign``, ``draw``, ``flag``, ``abort``, ``claim``, ``offer``, ``accept``,
    ``decline``, ``withdraw``, ``rematch``, ``seat``, ``vacation`` or ``return``."""

    player: str | None = None
    action: str | None = None
    to: int | None = None
    """The number of actions that an ``undo``, or an offer of one, leaves."""

    what: str | None = None
    """What is offered, accepted, declined or withdrawn: ``draw``, ``undo`` or ``rematch``; what is claimed: ``win`` or
    ``draw``."""

    number: str | None = None
    """The number of the match that a ``rematch`` begins."""

    absent: str | None = None
    """The player over whom a ``claim`` wins or draws."""

    until: int | None = None
    """The server time at which a ``vacation`` ends; a ``return`` ends it earlier."""

    at: int | None = None
    """The server time, in timed matches."""

    lag: int | None = None
    """How many milliseconds were forgiven, in timed matches."""

    def data(self) -> dict[str, str | int]:
        """Returns the fields that are set."""
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass
class Match:
    """One match."""

    number: str
    game: Game
    seats: list[Seat]
    seed: bytes
    creator: str
    created: str
    requests: dict[tuple[str, str], int] = field(default_factory=dict)
    """The event number by visitor and request id, so that a request sent again changes nothing."""

    allows_help: bool = False
    """Whether hints, values and take-backs are allowed between persons, as agreed at the start."""

    control: TimeControl | None = None
    is_rated: bool = False
    origin: str = ""
    """Where the match comes from: ``seek``, ``tournament:NUMBER``; empty for one that a visitor has begun."""

    begun: int = 0
    """The server time at which the match was begun, if it is timed."""

    def __post_init__(self) -> None:
        self.record = self.game.record()
        self.offer: Event | None = None
        self.agreed: list[str] = []
        """The players who agree to the offer: the one who made it, and those who have accepted it so far."""

        self.rematch: str | None = None
        """The number of the match that follows."""

        self.actors: list[str] = []
        """Who played each action: a player, or ``chance``."""

        self._rolls = 0
        self.turns: list[int] = []
        """In which turn each action was played."""

        self.events: list[Event] = []
        self.clocks: Clocks | None = None
        if self.control:
            invited = sum(seat.invitation is not None for seat in self.seats)
            self.clocks = Clocks.new(self.control, self.game.players, invited)
            self.clocks.run(self.moment.mover, self.begun, 0)

    @property
    def moment(self) -> Moment:
        """What clocks need to know of the game now."""
        record = self.record
        return Moment(None if record.result or record.mover == "chance" else record.mover, record.turn)

    @property
    def is_opening(self) -> bool:
        """Whether a player has not yet had a turn."""
        return self.record.turn < len(self.game.players)

    @property
    def seq(self) -> int:
        """The number of events."""
        return len(self.events)

    def line(self) -> GameLine:
        """Returns the game as requests to other processes have it."""
        options, actions = dict(self.game.options), list(self.record.played)
        return GameLine.model_construct(game=self.game.name, options=options, start=None, actions=actions)

    def add(self, event: Event) -> None:
        """Applies an event that `decide` or the referee has made."""
        before = self.moment
        if event.kind == "accept" and event.player is not None:
            self.agreed.append(event.player)
        elif event.kind not in _QUIET:  # who takes a seat is asked, too
            self.offer, self.agreed = None, []
        if event.kind in ("play", "roll") and event.action is not None:
            self._rolls += self.record.mover == "chance"
            self._act(self.record.mover, partial(self.record.play, event.action))
        elif event.kind == "undo" and event.to is not None:
            while self.record.count > event.to:
                self.record.undo()
            self._rolls -= self.actors[event.to :].count("chance")
            del self.actors[event.to :], self.turns[event.to :]
            self.rematch = None  # the game goes on and may end again
        elif event.kind in ENDINGS:
            self._act(event.absent or event.player or "", partial(end_game, self.record, event))
        elif event.kind == "offer" and event.player is not None:
            self.offer, self.agreed = event, [event.player]
        elif event.kind == "rematch":
            self.rematch = event.number
        if self.clocks:
            self.clocks.note(event, before, self.moment)
        self.events.append(event)

    def _act(self, actor: str, act: Callable[[], None]) -> None:
        """Changes the record, and notes who has done it if that is among its actions."""
        count, turn = self.record.count, self.record.turn
        act()
        if self.record.count > count:
            self.actors.append(actor)
            self.turns.append(turn)

    # Seats

    def seat(self, player: str) -> Seat:
        """Returns the seat of a player."""
        return next(seat for seat in self.seats if seat.player == player)

    def players_of(self, visitor: str) -> list[str]:
        """Returns the players whose seats a visitor holds."""
        return [seat.player for seat in self.seats if seat.visitor == visitor]

    def is_alone(self, visitor: str) -> bool:
        """Tells whether all seats are the visitor's or the computer's."""
        return all(seat.kind == COMPUTER or seat.visitor == visitor for seat in self.seats)

    def take_seat(self, visitor: str, invitation: str) -> tuple[Event, list[Seat]] | None:
        """Returns the event and the seats if a visitor takes the open seat of an invitation.

        None if the visitor has it already; raises `NotAllowed`.
        """
        if self.record.result and self.record.result.is_aborted:
            raise NotNow(message("This match was aborted: its seats cannot be taken any more."))
        for place, seat in enumerate(self.seats):
            if seat.invitation is not None and seat.invitation == invitation:
                if seat.visitor == visitor:
                    return None
                if seat.kind != OPEN:
                    raise NotAllowed(message("Another player has taken this seat."))
                if self.is_rated and self.players_of(visitor):
                    raise NotAllowed(message("A rated match needs another player."))
                taken = replace(seat, kind=PERSON, visitor=visitor)
                return Event("seat", seat.player), [*self.seats[:place], taken, *self.seats[place + 1 :]]
        raise NotAllowed(message("This invitation does not belong to this match."))

    def replace_visitor(self, visitor: str, other: str) -> None:
        """Replaces a visitor by another name wherever it stands."""
        self.seats = [replace(seat, visitor=other) if seat.visitor == visitor else seat for seat in self.seats]
        self.creator = other if self.creator == visitor else self.creator
        moved = {(other if who == visitor else who, request): seq for (who, request), seq in self.requests.items()}
        self.requests = moved

    # Help and offers

    @property
    def has_help(self) -> bool:
        """Whether hints, values and take-backs are allowed: between persons only if they agreed at the start."""
        persons = {seat.visitor for seat in self.seats if seat.kind != COMPUTER}  # None: a seat is open
        return not self.is_rated and (self.allows_help or (len(persons) == 1 and None not in persons))

    def refuse_help(self) -> None:
        """Raises `NotAllowed` if hints and values are off while the game is played."""
        if not self.has_help and self.record.result is None:
            raise NotAllowed(message("Hints and values are off in this match until the game is over."))

    def can_undo(self, visitor: str) -> bool:
        """Tells whether a visitor can take back, or ask to."""
        try:
            self._undo(visitor, self.players_of(visitor))
        except NotNow:
            return False
        return True

    def asked_players(self) -> list[str]:
        """Returns the players whose answer the offer waits for."""
        if self.offer is None:
            return []
        agreed = {self.seat(player).visitor for player in self.agreed}
        others = [seat.player for seat in self.seats if seat.kind == PERSON and seat.visitor not in agreed]
        return others if self.record.result else [player for player in others if self.record.is_in(player)]

    # Requests of visitors

    def decide(self, visitor: str, do: str, *, action: str = "", yes: bool = False) -> Event:
        """Returns the event that a visitor's request leads to; raises a `DamierError` that says why it is refused."""
        mine = self.players_of(visitor)
        if not mine:
            raise NotAllowed(message("You are watching this match: only seated players can act."))
        if do == "play":
            return self._play(mine, action)
        if do == "answer":
            return self._answer(mine, yes)
        if do == "withdraw":
            return self._withdraw(mine)
        if do == "rematch":
            return self._offer_rematch(visitor, mine)
        if do == "undo":
            return self._undo(visitor, mine)
        if self.record.result:
            raise NotNow(message("The game is over. {result}", result=self.record.result.message))
        if do == "abort":
            return self._abort(visitor, mine)
        if do == "resign":
            return self._resign(mine)
        if do == "offer_draw":
            return self._offer_draw(mine)
        raise NotNow(message("Unknown request: {what}.", what=shown(do)))

    def _play(self, mine: list[str], action: str) -> Event:
        if self.record.result is None and self.record.mover not in mine:
            raise NotAllowed(message("It is not your turn."))
        if self.clocks and self.clocks.waiting:
            raise NotNow(message("The clocks start when all seats are taken: wait for the other players."))
        self.record.legal_code(action)  # raises if it is illegal
        return Event("play", self.record.mover, action)

    def _undo(self, visitor: str, mine: list[str]) -> Event:
        last = range(len(self.actors) - 1, -1, -1) if mine else ()
        to = next((place for place in last if self.actors[place] in mine), None)
        if to is None:
            raise NotNow(message("There is no action to take back."))
        if self.record.result and self.game.traits.has_chance:
            raise NotNow(message("The game is over and the seed of its rolls is known: nothing can be taken back."))
        if self.record.result and (self.control or self.record.result.is_aborted):
            raise NotNow(message("The game is over. {result}", result=self.record.result.message))
        player = self.actors[to]
        is_same_turn = self.record.result is None and self.record.turn == self.turns[to] and self.record.mover == player
        is_free = self.is_alone(visitor) and not self.is_rated
        if is_free or is_same_turn:
            return Event("undo", player, to=to)
        if self.record.result:
            raise NotNow(message("The game is over. {result}", result=self.record.result.message))
        if not self.has_help:
            raise NotNow(message("Take-backs are off in this match: you can take back only before your turn ends."))
        return Event("offer", player, to=to, what="undo")

    def _resign(self, mine: list[str]) -> Event:
        return Event("resign", self._actor(mine))

    def _actor(self, mine: list[str]) -> str:
        """Returns for whom the holder of some seats gives up or offers: the one on move, else one who is still in."""
        still_in = [player for player in mine if self.record.is_in(player)]
        if not still_in:
            raise NotNow(message("You are out of this game: the others play on."))
        return self.record.mover if self.record.mover in still_in else still_in[0]

    def can_abort(self, visitor: str) -> bool:
        """Tells whether a visitor can stop the match without a result: until each player has had a turn."""
        is_mine = bool(self.players_of(visitor)) and not self.is_alone(visitor)
        return is_mine and self.record.result is None and self.is_opening

    def _abort(self, visitor: str, mine: list[str]) -> Event:
        if not self.can_abort(visitor):
            raise NotNow(message("A match can be aborted only between persons, before each player has had a turn."))
        return Event("abort", self._actor(mine))

    def _offer_draw(self, mine: list[str]) -> Event:
        player = self._actor(mine)
        if any(seat.kind == COMPUTER for seat in self.seats):
            raise NotNow(message("The computer does not accept draws."))
        if len(mine) == len(self.seats):
            return Event("draw")
        return Event("offer", player, what="draw")

    def _answer(self, mine: list[str], yes: bool) -> Event:
        offer, asked = self.offer, self.asked_players()
        player = next((player for player in mine if player in asked), None)
        if offer is None or player is None:
            raise NotNow(message("There is no offer to answer."))
        if not yes:
            return Event("decline", player, what=offer.what)
        if not set(asked) <= set(mine):
            return Event("accept", player, what=offer.what)
        if offer.what == "rematch":
            return Event("rematch", player)
        return Event("draw") if offer.what == "draw" else Event("undo", offer.player, to=offer.to)

    def _withdraw(self, mine: list[str]) -> Event:
        if self.offer is None or self.offer.player not in mine:
            raise NotNow(message("You have made no offer that you could withdraw."))
        return Event("withdraw", self.offer.player, what=self.offer.what)

    def _offer_rematch(self, visitor: str, mine: list[str]) -> Event:
        if self.record.result is None:
            raise NotNow(message("The game is not over yet."))
        if self.rematch is not None:
            raise NotNow(message("The next game has begun already."))
        if self.offer is not None:
            if not set(mine) & set(self.asked_players()):
                raise NotNow(message("You have offered a rematch already: wait for an answer."))
            return self._answer(mine, yes=True)  # both have offered it at once
        if any(seat.kind == PERSON and seat.visitor != visitor for seat in self.seats):
            return Event("offer", mine[0], what="rematch")
        return Event("rematch", mine[0])

    def following(self, number: str, seed: bytes, created: str, begun: int = 0) -> Match:
        """Returns the match that follows this one: the seats move on by one; old invitations lead nowhere."""
        moved = self.seats[1:] + self.seats[:1]
        pairs = zip(self.game.players, moved, strict=True)
        seats = [
            replace(seat, player=player, invitation=seat.invitation if seat.kind == OPEN else None)
            for player, seat in pairs
        ]
        again = replace(self, number=number, seats=seats, seed=seed, created=created, begun=begun, requests={})
        again.origin = "rematch"
        return again

    # The die and the computer

    @property
    def is_due(self) -> bool:
        """Whether the die or the computer is to act."""
        return self.record.result is None and (self.record.mover == "chance" or self.due_level() is not None)

    def due_roll(self) -> Event | None:
        """Returns the roll that is due, if any."""
        if self.record.result or self.record.mover != "chance":
            return None
        rolls = self.record.actions()
        shown_side = roll(self.seed, self.number, self._rolls, len(rolls))
        return Event("roll", action=rolls[shown_side - 1])

    def due_level(self) -> int | None:
        """Returns the level of the computer if it is to act."""
        if self.record.result or self.record.mover == "chance":
            return None
        return self.seat(self.record.mover).level
