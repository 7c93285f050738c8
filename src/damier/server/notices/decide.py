"""Who is told what when something happens in a match. Pure.

Notices are for matches between persons that last: those without a clock or on one for correspondence; of live matches,
only for the games of a tournament, which begin without anybody asking for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from damier.server.notices import notice
from damier.server.streams.turns import turn_seq

if TYPE_CHECKING:
    from damier.server.matches.match import Event, Match
    from damier.server.notices.notice import Notice

    NameOf = Callable[[str], str]


def persons(match: Match) -> list[str]:
    """Returns those who play in a match."""
    return list(dict.fromkeys(seat.visitor for seat in match.seats if seat.visitor))


def is_slow(match: Match) -> bool:
    """Tells whether a match is between persons who need not be there at the same time."""
    return len(persons(match)) > 1 and (match.control is None or match.control.kind == "correspondence")


def others(match: Match, person: str, name_of: NameOf) -> list[str]:
    """Returns the names of the others in a match."""
    return [name_of(each) for each in persons(match) if each != person]


def whose_turn(match: Match) -> str | None:
    """Returns the person to act; None if it is nobody."""
    if match.record.result or match.moment.mover is None:
        return None
    return match.seat(match.moment.mover).visitor


def of_event(match: Match, event: Event, name_of: NameOf) -> list[Notice]:
    """Returns what an event means for the persons in a match, which has just been added."""
    if not is_slow(match):
        return []
    about = match.number, match.game.title
    if event.kind == "rematch" and event.number:
        return [
            notice.of_rematch(person, event.number, match.game.title, others(match, person, name_of))
            for person in persons(match)
        ]
    if match.record.result:
        if event.kind not in _ENDING:  # what is offered and answered afterwards
            return []
        return [
            notice.of_end(person, *about, others(match, person, name_of), _outcome(match, person))
            for person in persons(match)
        ]
    person = whose_turn(match)
    if person is None or turn_seq(match, match.players_of(person)) != match.seq:
        return []
    return [notice.of_turn(person, *about, others(match, person, name_of), match.seq)]


_ENDING = frozenset(["play", "roll", "resign", "draw", "flag", "abort", "claim", "accept"])


def of_tournament(match: Match, title: str, name_of: NameOf) -> list[Notice]:
    """Returns what those are told whose game of a tournament has begun."""
    is_live = match.control is not None and match.control.kind == "live"
    return [
        notice.of_tournament_game(
            person, match.number, title, match.game.title, others(match, person, name_of), is_live=is_live
        )
        for person in persons(match)
    ]


def of_reminder(match: Match, now: int, name_of: NameOf) -> list[Notice]:
    """Returns the reminder of the person whose time runs in a correspondence match; `now` is the server time."""
    person, clocks = whose_turn(match), match.clocks
    deadline = clocks.deadline() if clocks else None
    if person is None or deadline is None or not is_slow(match):
        return []
    left = max(0, deadline - now) // 1000
    names, seq = others(match, person, name_of), turn_seq(match, match.players_of(person))
    return [notice.of_reminder(person, match.number, match.game.title, names, left, seq)]


def _outcome(match: Match, person: str) -> str:
    result, mine = match.record.result, match.players_of(person)
    if result is None or result.is_aborted:
        return "over"
    if result.winner is None:
        return "drawn"
    return "won" if result.winner in mine else "lost" if len(match.seats) == 2 else "over"


def is_due(told: Notice, match: Match) -> bool:
    """Tells whether a notice about a match is still worth telling: not a turn that has been played."""
    if told.seq is None:
        return True
    return whose_turn(match) == told.person and turn_seq(match, match.players_of(told.person)) == told.seq
