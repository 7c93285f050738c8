"""The games of a tournament as records, one after the other."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING

from damier.core.errors import DamierError
from damier.server.errors import ServerFailed
from damier.server.records.writing import write_record
from damier.server.wire.records import RecordDraft

if TYPE_CHECKING:
    from damier.server.dependencies import Pages
    from damier.server.matches.match import Match
    from damier.server.matches.referee import Referee
    from damier.server.tournaments.tournament import Tournament
    from damier.server.tournaments.tournament_data import Names


async def game_records(tournament: Tournament, referee: Referee, names: Names, desk: Pages) -> AsyncIterator[str]:
    """Yields the record of each game that was played; one that cannot be read any more is left out."""
    for game in tournament.games:
        if game.match is None:
            continue
        try:
            match = (await referee.find(game.match)).match
        except (DamierError, ServerFailed):
            continue
        tags = {"Event": tournament.terms.title}
        if tournament.terms.kind != "arena":
            tags["Round"] = str(game.round)
        players = [names.of(person) for person in game.people]
        yield await _record(match, players, tags, desk)


async def _record(match: Match, players: list[str], tags: Mapping[str, str], desk: Pages) -> str:
    """Returns a record; without the result if records have no word for how the game ended."""
    result = match.record.result
    ends = [{"result": result.text, "reason": result.reason}, {}] if result else [{}]
    for end in ends:
        draft = {
            "game": match.game.name,
            "options": dict(match.game.options),
            "tree": [{"parent": None, "action": ""}]
            + [{"parent": place, "action": action} for place, action in enumerate(match.record.played)],
            "players": players,
            "date": match.created[:10],
            "tags": dict(tags),
            **end,
        }
        body = RecordDraft.model_validate(draft).model_dump_json().encode()
        try:
            return str(json.loads(await desk.run(write_record, body))["text"])
        except DamierError:
            if end is ends[-1]:
                raise
    raise AssertionError("unreachable")
