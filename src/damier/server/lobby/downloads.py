"""Many matches as records: made in the processes of the pages, a batch at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from damier.core.messages import message
from damier.server.matches.match import COMPUTER
from damier.server.store.stored_match import DamagedMatch, stored_match
from damier.transcript.tree import Transcript, transcripts_text

Row = Mapping[str, Any]


def write_batch(batch: Sequence[tuple[Row, Sequence[Row]]], names: Mapping[str, str], form: str, lang: str) -> bytes:
    """Returns the records of some matches, given by their rows and events, as text or as elements of a JSON list.

    Matches whose rows are damaged are left out.
    """
    found = []
    for row, events in batch:
        try:
            found.append(_transcript(row, events, names, lang))
        except DamagedMatch:
            continue
    if form == "json":
        return ",\n".join(json.dumps(each.to_json(), ensure_ascii=False) for each in found).encode()
    return transcripts_text(found).encode()


def _transcript(row: Row, events: Sequence[Row], names: Mapping[str, str], lang: str) -> Transcript:
    match = stored_match(row["number"], row, events)
    players = []
    for seat in match.seats:
        if seat.kind == COMPUTER:
            players.append(message("Computer, level {level}", level=seat.level).render(lang))
        else:
            players.append(names.get(seat.visitor or "", "?"))
    return Transcript.of(match.record, players=players, date=match.created[:10], tags={"Match": match.number})
