"""Rates a match that has ended, within one transaction; a match is rated once, however often that is asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import damier
from damier.engine.level_ratings import level_ratings
from damier.server.matches.clock import parse_control
from damier.server.matches.match import COMPUTER
from damier.server.ratings.fairness import OPENING_ACTIONS, WhyUnrated, is_repeated, is_same_absence, opening_text
from damier.server.ratings.glicko import FIRST_DEVIATION, LEAST_DEVIATION, NEW, Rating, compared_pairs, rate_game
from damier.server.ratings.pools import Pool, seat_pool
from damier.server.store.statements import ratings as stored
from damier.server.store.statements.locks import lock_until_commit
from damier.server.store.store import now
from damier.server.store.stored_match import parse_seats

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from damier.server.matches.clock import TimeControl
    from damier.server.matches.match import Seat

_FIRST_EVENTS = 5 * OPENING_ACTIONS  # among them are the first actions, between rolls, offers and take-backs
_DEVIATIONS = 1.96  # standard deviations in half of a 95 % interval


@dataclass(frozen=True)
class RatingChange:
    """What a match has changed for one player."""

    player: str
    before: float
    after: float
    deviation: float


@dataclass(frozen=True)
class RatedMatch:
    """What a match has changed."""

    changes: tuple[RatingChange, ...]
    why_unrated: WhyUnrated | None = None


@dataclass(frozen=True)
class _Ended:
    """A rated match that has ended."""

    number: str
    at: str
    pool: Pool
    seats: Sequence[Seat]
    order: list[list[int]]
    """Places of the seats, best first."""

    reason: str

    @property
    def winner(self) -> Seat | None:
        """The only one in the first place."""
        return self.seats[self.order[0][0]] if len(self.order[0]) == 1 else None


def rate_match(connection: Connection, number: str) -> RatedMatch | None:
    """Rates a match, unless it has been rated; returns what changed, None if it is not to be rated.

    Matches are rated one after the other, whatever process does it: a rating follows from those before.
    """
    lock_until_commit(connection, "ratings")
    if known := find_changes(connection, number):
        return known
    ended = _ended(connection, number)
    if ended is None:
        return None
    before = _ratings_before(connection, ended)
    opening = _opening(connection, number)
    why = _why_unrated(connection, ended, opening)
    after = list(before) if why else rate_game(before, ended.order)
    rows = [
        {
            "match": number,
            "person": seat.visitor,
            "pool": ended.pool.name,
            "player": seat.player,
            "before": old.value,
            "after": new.value,
            "deviation": new.deviation,
            "opponents": json.dumps(_opponents(ended.order, before, place)),
            "opening": opening,
            "outcome": _outcome(ended, place),
            "why_unrated": why,
            "at": ended.at,
        }
        for place, (seat, old, new) in enumerate(zip(ended.seats, before, after, strict=True))
        if seat.visitor
    ]
    stored.add_changes(connection, rows)
    for seat, new in zip(ended.seats, after, strict=True):
        if seat.visitor and not why:
            stored.store_rating(connection, seat.visitor, ended.pool.name, new, ended.at)
    return find_changes(connection, number)


def find_changes(connection: Connection, number: str) -> RatedMatch | None:
    """Returns what a match has changed, None if it has not been rated."""
    rows = stored.changes_of_match(connection, number)
    changes = (RatingChange(row.player, row.before, row.after, row.deviation) for row in rows)
    return RatedMatch(tuple(changes), rows[0].why_unrated) if rows else None


def seat_ratings(connection: Connection, game: str, control: TimeControl, seats: Sequence[Seat]) -> dict[str, Rating]:
    """Returns the ratings of the persons at the seats of a match with a clock, by player."""
    people = [seat.visitor for seat in seats if seat.visitor]
    pool = seat_pool(game, control, seats, stored.programs_among(connection, people))
    known, at = stored.find_ratings(connection, people, pool.name), now()
    return {
        seat.player: known[seat.visitor].after(at) if seat.visitor in known else NEW for seat in seats if seat.visitor
    }


def level_rating(game: str, level: int) -> Rating | None:
    """Returns the measured rating of a level, None if it has not been measured."""
    found = level_ratings(damier.load(game).definition).get(level)
    if found is None:
        return None
    return Rating(found.value, min(FIRST_DEVIATION, max(LEAST_DEVIATION, found.error / _DEVIATIONS)))


def _ended(connection: Connection, number: str) -> _Ended | None:
    """Returns a match if it is to be rated: it is over, was not aborted, and each seat is another's."""
    row = stored.find_match(connection, number)
    if row is None or not (row.is_rated and row.clock and row.ended and row.result):
        return None
    result, seats = json.loads(row.result), parse_seats(row.seats)
    people = [seat.visitor for seat in seats if seat.visitor]
    is_whole = len(set(people)) == len(people) and all(seat.visitor or seat.kind == COMPUTER for seat in seats)
    if result["reason"] == "abort" or not is_whole or not people:
        return None
    places = {seat.player: place for place, seat in enumerate(seats)}
    groups = [[group] if isinstance(group, str) else group for group in result["order"]]
    control = parse_control(json.loads(row.clock))
    pool = seat_pool(row.game, control, seats, stored.programs_among(connection, people))
    order = [[places[player] for player in group] for group in groups]
    return _Ended(number, row.ended, pool, seats, order, result["reason"])


def _ratings_before(connection: Connection, ended: _Ended) -> list[Rating]:
    people = [seat.visitor for seat in ended.seats if seat.visitor]
    known = stored.find_ratings(connection, people, ended.pool.name)
    found = []
    for seat in ended.seats:
        if seat.visitor:
            found.append(known[seat.visitor].after(ended.at) if seat.visitor in known else NEW)
        else:
            found.append((seat.level and level_rating(ended.pool.game, seat.level)) or NEW)
    return found


def _opening(connection: Connection, number: str) -> str:
    """Returns the first actions that the players of a match have played."""
    events = map(json.loads, stored.first_events(connection, number, _FIRST_EVENTS))
    played = (event["action"] for event in events if event["kind"] == "play")
    return opening_text(list(islice(played, OPENING_ACTIONS)))


def _why_unrated(connection: Connection, ended: _Ended, opening: str) -> WhyUnrated | None:
    """Returns why a game of two does not count, None if it does."""
    people = [seat.visitor for seat in ended.seats if seat.visitor]
    winner = ended.winner.visitor if ended.winner else None
    if len(ended.seats) != 2 or len(people) != 2 or winner is None:
        return None
    past = stored.past_games(connection, ended.pool.name, *people)
    if is_repeated(opening, winner, ended.at, past):
        return "repeated"
    loser = next(person for person in people if person != winner)
    if ended.reason == "time" and ended.pool.speed == "correspondence":
        last = stored.last_timeout(connection, loser)
        if is_same_absence(ended.at, last, last is not None and stored.has_played_since(connection, loser, last)):
            return "timeouts"
    return None


def _outcome(ended: _Ended, place: int) -> str:
    if place in ended.order[0]:
        return "won" if len(ended.order[0]) == 1 else "drawn"
    return "lost-time" if ended.reason == "time" and len(ended.seats) == 2 else "lost"


def _opponents(order: Sequence[Sequence[int]], before: Sequence[Rating], place: int) -> list[dict[str, float]]:
    """Returns those whom a game compares a player with, as data, without who they were."""
    scores = {}
    for better, worse, score in compared_pairs(order):
        if place == better:
            scores[worse] = score
        elif place == worse:
            scores[better] = 1 - score
    return [
        {"value": round(before[other].value, 1), "deviation": round(before[other].deviation, 1), "score": score}
        for other, score in sorted(scores.items())
    ]
