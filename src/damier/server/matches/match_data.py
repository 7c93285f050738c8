"""Matches as wire models: what one visitor may know of a match, in the visitor's language."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from damier.core.record import OUT
from damier.draw.marks import last_turns
from damier.server.board_data import play_fields, turns_data
from damier.server.matches.dice import seed_hash
from damier.server.wire.clocks import ClockTerms
from damier.server.wire.games import LONGEST_LINE
from damier.server.wire.matches import (
    Abilities,
    CommonState,
    DiceData,
    EventData,
    HistoryChange,
    HistoryEntry,
    MatchSnapshot,
    MatchState,
    MatchSummary,
    OfferData,
    OwnState,
)

if TYPE_CHECKING:
    from damier.server.matches.match import Event, Match
    from damier.server.wire.clocks import ClocksData
    from damier.server.wire.matches import SeatData
    from damier.server.wire.ratings import MatchRatings

_EVENT: TypeAdapter[EventData] = TypeAdapter(EventData)


def common_state(match: Match, lang: str) -> CommonState:
    """Returns the part of the state that is the same for all visitors; its cost does not grow with the match."""
    is_seed_known = match.game.traits.has_chance and match.record.result
    return CommonState(
        **play_fields(match.record, lang),
        last_turns=[],  # those of `own_state` take their place
        seed=match.seed.hex() if is_seed_known else None,
        rematch=match.rematch,
    )


def own_state(match: Match, visitor: str) -> OwnState:
    """Returns the part of the state that is the same for all visitors who hold the same seats, or none."""
    mine, record = match.players_of(visitor), match.record
    is_over, offer, asked = record.result is not None, match.offer, match.asked_players()
    is_asked = any(player in mine for player in asked)
    is_in = any(record.is_in(player) for player in mine)
    has_computer = any(seat.kind == "computer" for seat in match.seats)
    can = Abilities(
        undo=match.can_undo(visitor),
        resign=is_in,
        offer_draw=is_in and not has_computer,
        abort=match.can_abort(visitor),
        answer=is_asked,
        withdraw=offer is not None and offer.player in mine,
        help=match.has_help or is_over,
        rematch=bool(mine) and is_over and match.rematch is None and (offer is None or is_asked),
    )
    viewers = mine if len(mine) < len(match.seats) else ()  # who holds all seats sees the last turn, as spectators do
    return OwnState(
        last_turns=turns_data(last_turns(record, viewers)),
        is_my_turn=not is_over and record.mover in mine,
        offer=offer_data(offer, asked, mine) if offer else None,
        can=can,
    )


def match_state(common: CommonState, match: Match, visitor: str) -> MatchState:
    """Returns the state of a match for a visitor; `common` is its `common_state`.

    Its history is whole as long as pages can ask about it.
    """
    first = max(0, match.record.count - LONGEST_LINE)
    history = [_entry_at(match, place) for place in range(first, match.record.count)]
    state = {**vars(common), **vars(own_state(match, visitor))}
    return MatchState(**state, history=history, older=first)


def history_change(match: Match, event: Event) -> HistoryChange:
    """Returns what the last event has changed in the history."""
    count = match.record.count
    if event.kind in ("play", "roll") or _is_elimination(match, event):
        return HistoryChange(kept=count - 1, added=[_entry_at(match, count - 1)])
    return HistoryChange(kept=count, added=[])


def _is_elimination(match: Match, event: Event) -> bool:
    """Tells whether an event has taken a player out of a game that may go on, as the last of its actions says."""
    player, record = event.absent or event.player, match.record
    is_loss = event.kind in ("resign", "flag", "claim") and len(match.seats) > 2
    return bool(is_loss and record.count and record.action_at(record.count - 1) == f"{OUT}{player}")


def _entry_at(match: Match, place: int) -> HistoryEntry:
    text, player, turn = match.record.action_at(place), match.actors[place], match.turns[place] + 1
    points = match.game.die_points(text) if player == "chance" else None
    return _history_entry(text, player, turn, points)


@lru_cache(3_000)  # most entries of a snapshot were in the one before it; 1 kB each
def _history_entry(action: str, player: str, turn: int, points: int | None) -> HistoryEntry:
    return HistoryEntry(action=action, player=player, turn=turn, points=points)


def _dice_data(match: Match) -> DiceData | None:
    if not match.game.traits.has_chance:
        return None
    rolls = [text for text, actor in zip(match.record.played, match.actors, strict=True) if actor == "chance"]
    return DiceData(hash=seed_hash(match.seed), seed=match.seed.hex() if match.record.result else None, rolls=rolls)


def offer_data(offer: Event, asked: list[str], mine: list[str]) -> OfferData:
    """Returns an offer, as who holds the seats `mine` sees it; `asked` are those who have not answered."""
    data = {"what": offer.what, "player": offer.player, "is_mine": offer.player in mine, "asked": asked}
    return OfferData.model_validate(data)


def event_data(event: Event) -> EventData:
    """Returns an event; its time and the `to` of an offer stay with the server."""
    kept = {"at", "lag", "until"} if event.kind == "undo" else {"at", "lag", "until", "to"}
    told = {name: value for name, value in event.data().items() if name not in kept}
    if event.until is not None:
        told["lasts"] = event.until - (event.at or 0)
    return _EVENT.validate_python(told)


def snapshot(
    state: MatchState,
    match: Match,
    seats: list[SeatData],
    visitor: str,
    clocks: ClocksData | None,
    ratings: MatchRatings | None,
) -> MatchSnapshot:
    """Returns all that a visitor may know of a match."""
    game = match.game
    invitations = {
        seat.player: seat.invitation for seat in match.seats if seat.kind == "open" and seat.invitation is not None
    }
    return MatchSnapshot(
        number=match.number,
        game=game.name,
        options=dict(game.options),
        options_text=game.options_text,
        created=match.created,
        seats=seats,
        invitations=invitations if visitor == match.creator else {},
        has_help=match.has_help,
        clock=ClockTerms(**match.control.data()) if match.control else None,
        is_rated=match.is_rated,
        clocks=clocks,
        ratings=ratings,
        dice=_dice_data(match),
        seq=match.seq,
        state=state,
    )


def summary(shot: MatchSnapshot) -> MatchSummary:
    """Returns what a list says of a match."""
    state = shot.state
    return MatchSummary(
        number=shot.number,
        game=shot.game,
        options=shot.options,
        options_text=shot.options_text,
        created=shot.created,
        seats=shot.seats,
        clock=shot.clock,
        is_rated=shot.is_rated,
        turn=state.turn,
        mover=state.mover,
        mover_name=state.mover_name,
        is_my_turn=state.is_my_turn,
        result=state.result,
        pieces=state.pieces,
        marks=state.marks,
    )
