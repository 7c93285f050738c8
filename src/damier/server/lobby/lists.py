"""Lists of matches as wire models."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from damier.core.errors import DamierError
from damier.games import definition as definition_of
from damier.server.wire.lobby import ListedMatch, ListedSeat, MatchPage

if TYPE_CHECKING:
    from damier.server.lobby.people import People
    from damier.server.store.statements.listed_matches import MatchLine
    from damier.server.wire.lobby import LobbyPerson

PAGE = 30
"""Matches in one part of a list."""


async def listed_page(people: People, lines: Sequence[MatchLine], visitor: str, lang: str) -> MatchPage:
    """Returns a part of a list; of the matches given, one more than a part says that there are more."""
    shown = lines[:PAGE]
    persons = {seat["visitor"] for line in shown for seat in line.seat_list if seat.get("visitor")}
    names = await people.data(sorted(persons))
    found = [_listed(line, visitor, names, lang) for line in shown]
    before = shown[-1].cursor if len(lines) > PAGE else None
    return MatchPage(matches=[each for each in found if each], before=before)


def _listed(line: MatchLine, visitor: str, names: Mapping[str, LobbyPerson], lang: str) -> ListedMatch | None:
    """Returns a match in a list; None if its row is damaged."""
    try:
        result: dict[str, Any] = json.loads(line.result) if line.result else {}
        mine = line.players_of(visitor) if visitor else []
        definition = definition_of(line.game)
        return ListedMatch.model_validate(
            {
                "number": line.number,
                "game": line.game,
                "options": json.loads(line.options),
                "created": line.created,
                "updated": line.updated,
                "ended": line.ended,
                "seats": [_seat(seat, definition.player_names, visitor, names, lang) for seat in line.seat_list],
                "mover": line.mover,
                "is_my_turn": line.ended is None and line.mover in mine,
                "outcome": line.outcome(visitor),
                "winner": result.get("winner"),
                "reason": result.get("reason"),
                "clock": json.loads(line.clock) if line.clock else None,
                "is_rated": line.is_rated,
            }
        )
    except (ValueError, TypeError, KeyError, DamierError):
        return None


def _seat(
    seat: Mapping[str, Any], titles: Mapping[str, Any], visitor: str, names: Mapping[str, LobbyPerson], lang: str
) -> ListedSeat:
    person = seat.get("visitor")
    return ListedSeat(
        player=seat["player"],
        name=titles[seat["player"]].render(lang),
        kind=seat["kind"],
        person=names[person] if person else None,
        level=seat.get("level"),
        is_mine=bool(visitor) and person == visitor,
    )
