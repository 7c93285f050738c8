"""What is due in a tournament at a time, from its events alone: a killed server goes on where it was."""

from __future__ import annotations

from typing import Final, Literal

from damier.server.tournaments.arena import GRACE_SECONDS
from damier.server.tournaments.pairing import missing_pairs
from damier.server.tournaments.times import later
from damier.server.tournaments.tournament import FEWEST_PLAYERS, Tournament

BREAK_SECONDS: Final = 15  # between two rounds with live clocks
WAVE_SECONDS: Final = 4  # between two pairings of an arena, so that there are some to choose from
PATIENCE_SECONDS: Final = 30 * 24 * 3600  # for which a tournament waits for its maker to start it

_LOOK_SECONDS = 60  # between two looks at a tournament that is played: a result may not have been counted

Due = Literal["start", "cancel", "begin", "pair", "end"]


def what_is_due(tournament: Tournament, now: str) -> Due | None:
    """Returns what is to be done next, if anything."""
    if tournament.status == "waiting":
        if now < start_time(tournament):
            return None
        is_ready = tournament.terms.starts is not None and len(tournament.players) >= FEWEST_PLAYERS
        return "start" if is_ready else "cancel"
    if tournament.status != "running":
        return None
    if tournament.unbegun:
        return "begin"
    return _arena_due(tournament, now) if tournament.terms.kind == "arena" else _round_due(tournament, now)


def next_time(tournament: Tournament, now: str) -> str | None:
    """Returns the next time at which something may be due without a request or a result, if there is one."""
    if tournament.status == "waiting":
        times = [start_time(tournament)]
    elif tournament.status != "running":
        times = []
    elif tournament.terms.kind == "arena":
        ends = tournament.ends or now
        times = [ends, later(ends, GRACE_SECONDS)]
        if tournament.rounds:
            times.append(later(tournament.rounds[-1].at, WAVE_SECONDS))
    else:
        times = [round_time(tournament) or ""]
    return min((time for time in times if time > now), default=None)


def look_time(tournament: Tournament, now: str) -> str | None:
    """Returns when one of several processes looks at a tournament again; None once it is over."""
    time = next_time(tournament, now)
    if tournament.status != "running":
        return time
    again = later(now, _LOOK_SECONDS)
    return min(time or again, again)


def start_time(tournament: Tournament) -> str:
    """Returns when a tournament that waits starts by itself, or else is cancelled."""
    return tournament.terms.starts or later(tournament.created, PATIENCE_SECONDS)


def round_time(tournament: Tournament) -> str | None:
    """Returns when the next round begins, or the last one ends; None: when games are over that are not yet."""
    if not tournament.rounds:
        return tournament.started
    last, fixed = tournament.rounds[-1], tournament.terms.round_seconds
    is_last = last.number >= tournament.round_total
    if not tournament.running:
        if is_last:
            return last.ended
        pause = BREAK_SECONDS if tournament.terms.control.kind == "live" and last.games else 0
        time = later(last.ended, pause)
        return max(time, later(last.at, fixed)) if fixed is not None else time
    return None if is_last or fixed is None else later(last.at, fixed)


def _round_due(tournament: Tournament, now: str) -> Due | None:
    if missing_pairs(tournament):
        return "pair"
    time = round_time(tournament)
    if time is None or now < time:
        return None
    is_last = bool(tournament.rounds) and tournament.rounds[-1].number >= tournament.round_total
    return "end" if is_last else "pair"


def _arena_due(tournament: Tournament, now: str) -> Due | None:
    ends = tournament.ends
    assert ends is not None
    running = tournament.running
    if now >= ends:
        return "end" if not running or now >= later(ends, GRACE_SECONDS) else None
    if tournament.rounds and now < later(tournament.rounds[-1].at, WAVE_SECONDS):
        return None
    busy = 2 * len(running)
    withdrawn = sum(tournament.players[each].is_withdrawn for game in running for each in game.people)
    return "pair" if len(tournament.active) - (busy - withdrawn) >= 2 else None
