"""Vacations: how many days a person has, and what a vacation changes in a match. Pure; times are server time in ms.

A vacation has an end from its first moment on, and each match that it concerns has that end in its events: a clock that
stands still needs nobody to start it again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument
from damier.core.messages import counted, message
from damier.server.errors import NotNow
from damier.server.matches.match import PERSON, Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from damier.server.matches.match import Match

ALLOWANCE = 30
"""Days of vacation within `PERIOD` days."""

PERIOD = 365
DAY = 86_400_000


@dataclass(frozen=True)
class Vacation:
    """A vacation of a person."""

    person: str
    began: int
    until: int
    """When it ends, or has ended."""


def days_taken(vacations: Iterable[Vacation], now: int) -> int:
    """Returns how many days of some vacations count now; a day that has begun counts whole."""
    begins = now - PERIOD * DAY
    return sum(-(-max(0, each.until - max(each.began, begins)) // DAY) for each in vacations)


def days_left(vacations: Iterable[Vacation], now: int) -> int:
    """Returns how many days a person has left who has had some vacations."""
    return max(0, ALLOWANCE - days_taken(vacations, now))


def running_vacation(vacations: Iterable[Vacation], now: int) -> Vacation | None:
    """Returns the vacation that has not ended."""
    return next((each for each in vacations if each.until > now), None)


def new_vacation(person: str, vacations: Sequence[Vacation], days: int, now: int) -> Vacation:
    """Returns a vacation of some days that begins now; raises `BadArgument` or `NotNow`."""
    left = days_left(vacations, now)
    if running_vacation(vacations, now):
        raise NotNow(message("You are on vacation: end it before you begin another one."))
    if left == 0:
        raise NotNow(
            message(
                "You have no vacation day left: within {period} days you have {days}.", period=PERIOD, days=ALLOWANCE
            )
        )
    if not 1 <= days <= left:
        raise BadArgument(
            counted(
                "A vacation lasts 1 day now: you have {count} day left.",
                "A vacation lasts 1 to {count} days now: you have {count} days left.",
                count=left,
            )
        )
    return Vacation(person, now, now + days * DAY)


def ended_vacation(vacations: Iterable[Vacation], now: int) -> Vacation:
    """Returns the running vacation, ended now; raises `NotNow`."""
    running = running_vacation(vacations, now)
    if running is None:
        raise NotNow(message("You are not on vacation."))
    return replace(running, until=now)


def is_concerned(match: Match) -> bool:
    """Tells whether vacations stop clocks in a match: in correspondence, and not in tournaments, whose rounds wait."""
    control = match.control
    is_slow = control is not None and control.kind == "correspondence"
    return is_slow and match.record.result is None and not match.origin.startswith("tournament:")


def due_event(match: Match, vacations: Mapping[str, Vacation], now: int) -> Event | None:
    """Returns the next event that a match lacks to follow the vacations of its players, the last one of each.

    It has the time at which the vacation began or ended, unless the match has later events.
    """
    if not is_concerned(match) or match.clocks is None:
        return None
    last = match.events[-1].at if match.events else None
    earliest = max(match.clocks.since, last or 0)
    for seat in match.seats:
        vacation = vacations.get(seat.visitor or "") if seat.kind == PERSON else None
        away = match.clocks.away.get(seat.player, 0)
        if vacation is None or away == vacation.until:
            continue
        if vacation.until > now:
            return Event("vacation", seat.player, until=vacation.until, at=max(vacation.began, earliest))
        if away > now:
            return Event("return", seat.player, at=max(vacation.until, earliest))
    return None
