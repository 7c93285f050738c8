"""What the table of matches repeats of a match, so that lists and due times need no replay."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from damier.server.matches.clock import VACATION_EVENTS, Moment
from damier.server.matches.endings import ENDINGS, end_game

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.server.matches.clock import Clocks
    from damier.server.matches.match import Event, Match


def columns_of(match: Match, at: str) -> dict[str, Any]:
    """Returns the columns of a match as it stands, `at` being the time of its last event, as ISO 8601."""
    return _columns(match.moment, match.record, match.clocks, at)


def columns_after(match: Match, event: Event, at: str) -> dict[str, Any]:
    """Returns the columns after an event that is not yet added; the match stays as it is."""
    record, before = match.record, match.moment
    if record.result and event.kind != "undo":
        return {"updated": at}
    if event.kind in VACATION_EVENTS:  # nobody has played
        return _due_times(_clocks_after(match, event, before, before))
    if event.kind == "undo" and event.to is not None:
        mover = record.position_before(event.to).mover
        after = Moment(None if mover == "chance" else mover, record.turn_at(event.to))
        return _columns(after, None, _clocks_after(match, event, before, after), at)
    is_change = _try(record, event)
    after = match.moment
    found = _columns(after, record, _clocks_after(match, event, before, after), at)
    if is_change:
        record.undo()
    elif event.kind != "seat":
        del found["remind"]  # which may have been given
    return found


def _try(record: Record, event: Event) -> bool:
    """Changes a record as an event does; returns whether it has changed."""
    if event.kind in ("play", "roll") and event.action is not None:
        record.play(event.action)
    elif event.kind in ENDINGS:
        end_game(record, event)
    else:
        return False
    return True


def _clocks_after(match: Match, event: Event, before: Moment, after: Moment) -> Clocks | None:
    if match.clocks is None:
        return None
    clocks = match.clocks.copy()
    clocks.note(event, before, after)
    return clocks


def _columns(moment: Moment, record: Record | None, clocks: Clocks | None, at: str) -> dict[str, Any]:
    result = record.result if record else None
    told = None
    if record and result:
        order = [tied[0] if len(tied) == 1 else tied for tied in record.order()]
        told = json.dumps({"winner": result.winner, "reason": result.reason, "order": order})
    return {
        "mover": moment.mover,
        **_due_times(None if result else clocks),
        "updated": at,
        "ended": at if result else None,
        "result": told,
    }


def _due_times(clocks: Clocks | None) -> dict[str, Any]:
    return {"deadline": clocks.deadline() if clocks else None, "remind": clocks.reminder() if clocks else None}
