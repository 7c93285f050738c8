"""Reads matches from PostgreSQL with statements of its own, for the comparison with the ledgers."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence

import psycopg

from bench.cluster.ledger import StoredEvent, StoredMatch


def read_matches(address: str, numbers: Sequence[str]) -> dict[str, StoredMatch]:
    """Returns the matches of these numbers that are stored, by number."""
    wanted = list(numbers)
    with psycopg.connect(address) as connection:
        seats = connection.execute("SELECT number, seats FROM matches WHERE number = ANY(%s)", [wanted]).fetchall()
        rows = connection.execute(
            "SELECT match, seq, data, visitor, request FROM events WHERE match = ANY(%s) ORDER BY match, seq", [wanted]
        ).fetchall()
    events: dict[str, list[StoredEvent]] = defaultdict(list)
    for match, seq, data, visitor, request in rows:
        event = json.loads(data)
        events[match].append(
            StoredEvent(
                seq,
                event["kind"],
                event.get("player"),
                event.get("action"),
                visitor,
                request,
                event.get("at"),
            )
        )
    return {
        number: StoredMatch(number, {seat["player"]: seat.get("visitor") for seat in json.loads(text)}, events[number])
        for number, text in seats
    }
