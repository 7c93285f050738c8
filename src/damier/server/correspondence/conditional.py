"""Conditional turns: "if they play this, I answer that", entered by the player who waits. Pure.

A line is a list of whole turns, the other player's and one's own in turn; a turn is the list of its actions. Lines
begin where the turn of the other player began. What is due follows from the lines and the actions that were played
since, so that an answer is neither lost nor played twice, whenever a server is killed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument
from damier.core.messages import counted, message, shown
from damier.server.errors import NotAllowed, NotNow
from damier.server.matches.match import OPEN, Event
from damier.server.replay import replay_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damier.core.record import Record
    from damier.server.matches.match import Match
    from damier.server.wire.games import GameLine

Turn = tuple[str, ...]
Line = tuple[Turn, ...]

MOST_LINES, MOST_ANSWERS = 12, 6
"""Lines of a player in a match, and answers in a line."""


@dataclass(frozen=True)
class ConditionalTurns:
    """The conditional turns of a player of a match."""

    player: str
    base: int
    """How many actions of the match come before the lines."""

    lines: tuple[Line, ...]

    def text(self) -> str:
        """Returns the lines as JSON."""
        return json.dumps(self.lines)

    def after(self, record: Record, event: Event, *, mover: str | None, is_over: bool) -> ConditionalTurns | None:
        """Returns what stays after an event that is not yet in the record; None if nothing does.

        `mover` is the player to act after the event, and `is_over` tells whether the game has ended.
        """
        if is_over:
            return None
        if event.kind == "undo":
            return self if event.to is not None and event.to >= self.base else None
        if event.kind != "play" or event.action is None:
            return self
        done = (*_since(record, self.base), event.action)
        if event.player != self.player:
            if mover != self.player:
                return self  # the turn goes on, and can still be taken back
            kept = tuple(line for line in self.lines if line[0] == done)
            return replace(self, lines=kept) if kept else None
        kept = tuple(line for line in self.lines if (line[0] + line[1])[: len(done)] == done)
        if kept and mover == self.player and len(done) < len(kept[0][0] + kept[0][1]):
            return replace(self, lines=kept)
        rest = tuple(line[2:] for line in kept if len(line) > 2)
        return ConditionalTurns(self.player, self.base + len(done), rest) if rest else None

    def due(self, record: Record) -> Event | None:
        """Returns the action of the answer that is to be played now."""
        if record.result or record.mover != self.player:
            return None
        done = _since(record, self.base)
        for line in self.lines:
            wanted = line[0] + line[1]
            if len(line[0]) <= len(done) < len(wanted) and wanted[: len(done)] == done:
                action = wanted[len(done)]
                return Event("play", self.player, action) if action in record.actions() else None
        return None


def parse_lines(text: str) -> tuple[Line, ...]:
    """Returns lines of their text."""
    return tuple(tuple(tuple(turn) for turn in line) for line in json.loads(text))


def _since(record: Record, base: int) -> Turn:
    return tuple(record.action_at(place) for place in range(base, record.count))


# Where and when lines can be entered


def has_conditional_turns(match: Match) -> bool:
    """Tells whether players of a match can enter conditional turns: in correspondence, of two and without a die."""
    control = match.control
    is_slow = control is not None and control.kind == "correspondence"
    return is_slow and len(match.seats) == 2 and not match.game.traits.has_chance


def planning_player(match: Match, visitor: str) -> str:
    """Returns the player for whom a visitor can see and enter conditional turns; raises `NotAllowed` or `NotNow`."""
    mine = match.players_of(visitor)
    if not mine:
        raise NotAllowed(message("You are watching this match: only seated players can act."))
    if not has_conditional_turns(match):
        raise NotNow(message("Conditional turns are for correspondence matches of two without a die."))
    if len(mine) > 1:
        raise NotNow(message("You play both sides: there is nobody whose turn you wait for."))
    return mine[0]


def can_plan(match: Match, player: str) -> bool:
    """Tells whether a player can enter conditional turns now: while the other player is to act."""
    is_full = all(seat.kind != OPEN for seat in match.seats)
    return is_full and match.record.result is None and match.record.mover != player


def refuse_plan(match: Match, player: str) -> None:
    """Raises `NotNow` unless a player can enter conditional turns now."""
    if match.record.result:
        raise NotNow(message("The game is over. {result}", result=match.record.result.message))
    if not can_plan(match, player):
        raise NotNow(message("Conditional turns can be entered while the other player is to act."))


def first_place(match: Match) -> int:
    """Returns how many actions of a match come before the present turn."""
    place = len(match.turns)
    while place and match.turns[place - 1] == match.record.turn:
        place -= 1
    return place


# Checking


def check_lines(line: GameLine, player: str, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Returns what `checked_lines` returns, after the actions of `line`; for a process of the pages."""
    return checked_lines(replay_line(line), player, lines)


def checked_lines(record: Record, player: str, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Returns lines that begin now, without those that others contain; raises a `DamierError` if one is not legal."""
    if len(lines) > MOST_LINES:
        raise BadArgument(
            counted("You can have {count} line at most.", "You can have {count} lines at most.", count=MOST_LINES)
        )
    for line in lines:
        _check_line(record.copy(), player, line)
    ordered = sorted(set(lines))
    kept = {line for line, other in pairwise([*ordered, ()]) if other[: len(line)] != line}
    _refuse_two_answers(ordered)
    return tuple(line for line in dict.fromkeys(lines) if line in kept)


def _check_line(record: Record, player: str, line: Line) -> None:
    """Raises a `DamierError` unless a line can be played and ends with an answer."""
    if len(line) % 2 or not line:
        raise BadArgument(message("A line ends with your own turn: play your answer, too."))
    if len(line) > 2 * MOST_ANSWERS:
        raise BadArgument(
            counted(
                "A line can have {count} answer at most.",
                "A line can have {count} answers at most.",
                count=MOST_ANSWERS,
            )
        )
    for place, turn in enumerate(line):
        _play_turn(record, turn, {player} if place % 2 else {*record.game.players} - {player})


def _play_turn(record: Record, turn: Turn, owners: set[str]) -> None:
    """Plays a whole turn of one of some players; raises a `DamierError`."""
    number = record.turn
    for action in turn:
        if record.result:
            raise BadArgument(message("The game is over before the end of this line."))
        if record.mover not in owners or record.turn != number:
            raise BadArgument(message("In a line the two players have one whole turn each, one after the other."))
        record.play(action)
    if record.turn == number and not record.result:
        text = shown("+".join(turn))
        raise BadArgument(message("The turn {turn} of a line is not complete: play it to its end.", turn=text))


def _refuse_two_answers(lines: Sequence[Line]) -> None:
    answers: dict[Line, Turn] = {}
    for line in lines:
        for place in range(1, len(line), 2):
            if answers.setdefault(line[:place], line[place]) != line[place]:
                turn = shown("+".join(line[place - 1]))
                raise BadArgument(message("You have two answers to {turn}: remove one of them.", turn=turn))
