"""A match: its seats and its events. Pure bookkeeping, without waiting, storage or sending.

The list of events only grows, and the state of the match follows from it alone. `decide` turns a visitor's request into
an event or refuses it with a sentence; `add` is the only method that changes the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from damier.core.messages import message, shown
from damier.server.errors import NotAllowed, NotNow
from damier.server.matches.dice import roll
from damier.server.wire.games import GameLine

if TYPE_CHECKING:
    from damier.core.game import Game
    from damier.server.wire.matches import SeatKind

PERSON: Final = "person"
COMPUTER: Final = "computer"
OPEN: Final = "open"


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
    """``play``, ``roll``, ``undo``, ``resign``, ``draw``, ``offer``, ``accept``, ``decline``, ``withdraw``, ``rematch``
    or ``seat``."""

    player: str | None = None
    action: str | None = None
    to: int | None = None
    """The number of actions that an ``undo``, or an offer of one, leaves."""

    what: str | None = None
    """What is offered, accepted, declined or withdrawn: ``draw``, ``undo`` or ``rematch``."""

    number: str | None = None
    """The number of the match that a ``rematch`` begins."""

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
        if event.kind == "accept" and event.player is not None:
            self.agreed.append(event.player)
        elif event.kind != "seat":  # who takes a seat is asked, too
            self.offer, self.agreed = None, []
        if event.kind in ("play", "roll") and event.action is not None:
            self.actors.append(self.record.mover)
            self._rolls += self.record.mover == "chance"
            self.turns.append(self.record.turn)
            self.record.play(event.action)
        elif event.kind == "undo" and event.to is not None:
            while self.record.count > event.to:
                self.record.undo()
            self._rolls -= self.actors[event.to :].count("chance")
            del self.actors[event.to :], self.turns[event.to :]
            self.rematch = None  # the game goes on and may end again
        elif event.kind == "resign" and event.player is not None:
            self.record.resign(event.player)
        elif event.kind == "draw":
            self.record.agree_draw()
        elif event.kind == "offer" and event.player is not None:
            self.offer, self.agreed = event, [event.player]
        elif event.kind == "rematch":
            self.rematch = event.number
        self.events.append(event)

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
        for place, seat in enumerate(self.seats):
            if seat.invitation is not None and seat.invitation == invitation:
                if seat.visitor == visitor:
                    return None
                if seat.kind != OPEN:
                    raise NotAllowed(message("Another player has taken this seat."))
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
        return self.allows_help or (len(persons) == 1 and None not in persons)

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
        return [seat.player for seat in self.seats if seat.kind == PERSON and seat.visitor not in agreed]

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
        if do == "resign":
            return self._resign(mine)
        if do == "offer_draw":
            return self._offer_draw(mine)
        raise NotNow(message("Unknown request: {what}.", what=shown(do)))

    def _play(self, mine: list[str], action: str) -> Event:
        if self.record.result is None and self.record.mover not in mine:
            raise NotAllowed(message("It is not your turn."))
        self.record.legal_code(action)  # raises if it is illegal
        return Event("play", self.record.mover, action)

    def _undo(self, visitor: str, mine: list[str]) -> Event:
        last = range(len(self.actors) - 1, -1, -1) if mine else ()
        to = next((place for place in last if self.actors[place] in mine), None)
        if to is None:
            raise NotNow(message("There is no action to take back."))
        if self.record.result and self.game.traits.has_chance:
            raise NotNow(message("The game is over and the seed of its rolls is known: nothing can be taken back."))
        player = self.actors[to]
        is_same_turn = self.record.result is None and self.record.turn == self.turns[to] and self.record.mover == player
        if self.is_alone(visitor) or is_same_turn:
            return Event("undo", player, to=to)
        if self.record.result:
            raise NotNow(message("The game is over. {result}", result=self.record.result.message))
        if not self.has_help:
            raise NotNow(message("Take-backs are off in this match: you can take back only before your turn ends."))
        return Event("offer", player, to=to, what="undo")

    def _resign(self, mine: list[str]) -> Event:
        if len(self.game.players) > 2:
            raise NotNow(message("With more than two players, one who gives up does not end the game."))
        return Event("resign", self.record.mover if self.record.mover in mine else mine[0])

    def _offer_draw(self, mine: list[str]) -> Event:
        player = self.record.mover if self.record.mover in mine else mine[0]
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

    def following(self, number: str, seed: bytes, created: str) -> Match:
        """Returns the match that follows this one: the seats move on by one."""
        moved = self.seats[1:] + self.seats[:1]
        pairs = zip(self.game.players, moved, strict=True)
        seats = [replace(seat, player=player) for player, seat in pairs]
        return Match(number, self.game, seats, seed, self.creator, created, allows_help=self.allows_help)

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
