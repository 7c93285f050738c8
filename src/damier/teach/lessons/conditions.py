"""The conditions that a step of a lesson can set, judged by the rules so that every right answer counts.

A condition compares the game before and after the learner's actions and returns what is wrong, or None. Conditions on
what the opponent can do are judged at the end of the turn, all others after every action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.core.errors import DamierError
from damier.core.messages import Message, counted, message
from damier.solve.returns.repetition import forbids_returns
from damier.teach.lessons.search import Turn, escape, first_win, forced_win, is_won, turns, winning_rolls

if TYPE_CHECKING:
    from damier.core.drawing import Piece
    from damier.core.position import Position
    from damier.core.record import Record
    from damier.core.traits import Traits

Parameters = Mapping[str, Any]
"""The parameters of a condition by name, checked when the lesson was read."""


@dataclass(frozen=True)
class LessonAttempt:
    """An answer to be judged: the game before and after the learner's actions."""

    before: Record
    after: Record
    actions: Turn

    @property
    def player(self) -> str:
        """The learner."""
        return self.before.mover


@dataclass(frozen=True)
class Fault:
    """What is wrong with an answer."""

    message: Message
    reply: Turn = ()
    """The opponent's answer."""


@dataclass(frozen=True)
class Condition:
    """A condition that a lesson can set."""

    judge: Callable[[LessonAttempt, Parameters], Fault | None]
    parameters: Mapping[str, str]
    """The kind of each parameter, by name; names that end with ``?`` are optional."""

    ends_turn: bool = False
    """Whether it asks what the opponent can do and is judged at the end of the turn."""

    explain: Callable[[LessonAttempt], Fault | None] = lambda _: None
    """Looks for a better explanation of a wrong answer, where that takes longer than judging."""

    suits: Callable[[Traits], bool] = lambda _: True
    """Whether it makes sense in a game with these traits and can be judged fast."""


def _wins_at_once(attempt: LessonAttempt, _: Parameters) -> Fault | None:
    if is_won(attempt.after, attempt.player):
        return None
    if result := attempt.after.result:
        return Fault(result.message)
    return Fault(message("This does not win at once: the game goes on."))


def _draws_at_once(attempt: LessonAttempt, _: Parameters) -> Fault | None:
    result = attempt.after.result
    if result is None:
        return Fault(message("The game is not drawn: it goes on."))
    return Fault(result.message) if result.winner else None


def _lost_at_once(attempt: LessonAttempt) -> Fault | None:
    """Returns how the opponent wins in the next turn, if possible."""
    record = attempt.after
    if record.result is not None:
        return Fault(record.result.message) if record.result.winner not in (None, attempt.player) else None
    if record.mover in ("chance", attempt.player):
        return None
    reply = first_win(record)
    if reply is None:
        return None
    return Fault(message("Then {player} plays {actions} and wins at once.", **_said(record, reply)), reply)


def _said(record: Record, reply: Turn) -> dict[str, object]:
    """Returns the values `player` and `actions` of a sentence."""
    return {"player": record.game.player_name(record.mover), "actions": "+".join(reply)}


def _stops_win(attempt: LessonAttempt, _: Parameters) -> Fault | None:
    return _lost_at_once(attempt)


def _wins_by_force(attempt: LessonAttempt, parameters: Parameters) -> Fault | None:
    record, most = attempt.after, int(parameters["turns"])
    reply = escape(record, attempt.player, most - 1)
    if reply is None:
        return None
    if fault := _lost_at_once(attempt):
        return fault
    if not reply:
        return Fault(record.result.message) if record.result else None
    text = counted(
        "{player} can answer {actions}. Then you are not sure to win with your next turn.",
        "{player} can answer {actions}. Then you are not sure to win with your next {count} turns.",
        count=most - 1,
        **_said(record, reply),
    )
    return Fault(text, reply)


def _keeps_draw(attempt: LessonAttempt, parameters: Parameters) -> Fault | None:
    record = attempt.after
    if (fault := _lost_at_once(attempt)) or record.result:
        return fault
    reply = _winning_answer(record, int(parameters["turns"]))
    if reply is None:
        return None
    return Fault(message("Then {player} plays {actions} and is sure to win.", **_said(record, reply)), reply)


def _winning_answer(record: Record, turns: int) -> Turn | None:
    """Returns how the player on move wins: by the table, or within `turns` turns if none knows the rules."""
    if forbids_returns(record.game):
        return forced_win(record, turns)
    try:
        values = record.game.tables.action_values(record.position)
    except DamierError:
        return forced_win(record, turns)
    text, value = next(iter(values.items()))
    return (text,) if value.outcome == "win" else None


def _makes_threat(attempt: LessonAttempt, _: Parameters) -> Fault | None:
    """After more than half of the opponent's answers the learner wins at once, and no answer wins."""
    if fault := _lost_at_once(attempt):
        return fault
    record = attempt.after
    if record.result is not None:
        return None if is_won(record, attempt.player) else Fault(record.result.message)
    answers = list(turns(record))
    defences = [reply for reply, then in answers if not _leaves_win(then, attempt.player)]
    if 2 * len(defences) < len(answers):
        return None
    said = _said(record, defences[0])
    text = message("This is not a threat: if {player} answers {actions}, for example, you cannot win at once.", **said)
    return Fault(text, defences[0])


def _leaves_win(record: Record, player: str) -> bool:
    """Tells whether `player` has won, or wins in the current turn."""
    return is_won(record, player) if record.result else first_win(record) is not None


def _removes(attempt: LessonAttempt, parameters: Parameters) -> Fault | None:
    player, wanted = parameters["player"], parameters["at_least"]
    count = max(0, _count(attempt.before.position, player) - _count(attempt.after.position, player))
    if count >= wanted:
        return None
    name = attempt.before.game.player_name(player)
    if not count:
        text = message("No piece of {player} leaves the board: at least {wanted} must.", player=name, wanted=wanted)
        return Fault(text)
    return Fault(
        counted(
            "Only {count} piece of {player} leaves the board: at least {wanted} must.",
            "Only {count} pieces of {player} leave the board: at least {wanted} must.",
            count=count,
            player=name,
            wanted=wanted,
        )
    )


def _keeps(attempt: LessonAttempt, parameters: Parameters) -> Fault | None:
    player, wanted = parameters["player"], parameters["at_least"]
    count = _count(attempt.after.position, player)
    if count >= wanted:
        return None
    return Fault(
        counted(
            "{player} has only {count} piece left on the board: at least {wanted} must stay.",
            "{player} has only {count} pieces left on the board: at least {wanted} must stay.",
            count=count,
            player=attempt.before.game.player_name(player),
            wanted=wanted,
        )
    )


def _marks(attempt: LessonAttempt, parameters: Parameters) -> Fault | None:
    player, wanted, mark = parameters["player"], parameters["at_least"], parameters["mark"]
    pieces = attempt.after.position.pieces()
    count = sum(piece.player == player and mark in piece.marks for piece in pieces)
    if count >= wanted:
        return None
    game = attempt.before.game
    said = {"player": game.player_name(player), "mark": game.drawing.marks[mark], "wanted": wanted}
    if not count:
        return Fault(message("Now no piece of {player} is {mark}: at least {wanted} must be.", **said))
    return Fault(
        counted(
            "Now only {count} piece of {player} is {mark}: at least {wanted} must be.",
            "Now only {count} pieces of {player} are {mark}: at least {wanted} must be.",
            count=count,
            **said,
        )
    )


def _covers(attempt: LessonAttempt, parameters: Parameters) -> Fault | None:
    player, wanted = parameters["player"], parameters["at_least"]
    count = max(0, _free(attempt.before.position, player) - _free(attempt.after.position, player))
    if count >= wanted:
        return None
    name = attempt.before.game.player_name(player)
    if not count:
        said = {"player": name, "wanted": wanted}
        return Fault(message("This covers no piece of {player}: at least {wanted} must be covered.", **said))
    return Fault(
        counted(
            "This covers only {count} piece of {player}: at least {wanted} must be covered.",
            "This covers only {count} pieces of {player}: at least {wanted} must be covered.",
            count=count,
            player=name,
            wanted=wanted,
        )
    )


def _count(position: Position, player: str) -> int:
    return sum(piece.player == player for piece in position.pieces())


def _free(position: Position, player: str) -> int:
    return sum(piece.player == player for piece in _tops(position).values())


def _tops(position: Position) -> dict[str, Piece]:
    """Returns the top piece of each occupied cell."""
    return {piece.cell: piece for piece in position.pieces()}


def _reaches(attempt: LessonAttempt, parameters: Parameters) -> Fault | None:
    """One of the cells has a piece of the learner on top and had none before."""
    cells, mark = parameters["cells"], parameters.get("mark")
    before, after = (_held(record.position, attempt.player, mark) for record in (attempt.before, attempt.after))
    if (after - before) & set(cells):
        return None
    where = any_of([Message("{cell}", {"cell": cell}) for cell in cells])
    if mark is None:
        return Fault(message("This does not bring a piece of yours to {cells}.", cells=where))
    marked = attempt.before.game.drawing.marks[mark]
    return Fault(message("This does not bring your piece {mark} to {cells}.", mark=marked, cells=where))


def any_of(names: Sequence[Message]) -> Message:
    """Returns a list of which one is to be chosen: "a, b or c"."""
    *others, last = names
    if not others:
        return last
    first = others[0]
    for name in others[1:]:
        first = Message("{first}, {second}", {"first": first, "second": name})
    return message("{first} or {second}", first=first, second=last)


def _held(position: Position, player: str, mark: str | None) -> set[str]:
    """Returns the cells with a piece of `player` on top; with `mark`, only pieces that have it."""
    tops = _tops(position).items()
    return {cell for cell, piece in tops if piece.player == player and (mark is None or mark in piece.marks)}


def _sign(attempt: LessonAttempt, parameters: Parameters) -> Fault | None:
    if parameters["is"] in attempt.actions[-1]:
        return None
    return Fault(message("This is another kind of action than the one asked for."))


def _winning_rolls(attempt: LessonAttempt, parameters: Parameters) -> Fault | None:
    count, wanted = winning_rolls(attempt.after, attempt.player), parameters["at_least"]
    if count >= wanted:
        return None
    if attempt.after.result:
        return Fault(attempt.after.result.message)
    return Fault(
        counted(
            "Now {count} of the {rolls} possible rolls wins for you: at least {wanted} must.",
            "Now {count} of the {rolls} possible rolls win for you: at least {wanted} must.",
            count=count,
            rolls=len(attempt.after.actions()),
            wanted=wanted,
        )
    )


def _without_die(traits: Traits) -> bool:
    return not traits.has_chance


def _with_short_turns(traits: Traits) -> bool:
    return not traits.has_chance and not traits.has_long_turns


def _with_die(traits: Traits) -> bool:
    return traits.has_chance


_NUMBER_OF = {"player": "player", "at_least": "number"}

CONDITIONS: dict[str, Condition] = {
    "wins_at_once": Condition(_wins_at_once, {}, explain=_lost_at_once),
    "draws_at_once": Condition(_draws_at_once, {}),
    "wins_by_force": Condition(_wins_by_force, {"turns": "turns"}, ends_turn=True, suits=_with_short_turns),
    "stops_win": Condition(_stops_win, {}, ends_turn=True, suits=_without_die),
    "keeps_draw": Condition(_keeps_draw, {"turns": "turns"}, ends_turn=True, suits=_with_short_turns),
    "makes_threat": Condition(_makes_threat, {}, ends_turn=True, suits=_with_short_turns),
    "winning_rolls": Condition(_winning_rolls, {"at_least": "number"}, ends_turn=True, suits=_with_die),
    "removes": Condition(_removes, _NUMBER_OF),
    "keeps": Condition(_keeps, _NUMBER_OF),
    "covers": Condition(_covers, _NUMBER_OF),
    "marks": Condition(_marks, {**_NUMBER_OF, "mark": "mark"}),
    "reaches": Condition(_reaches, {"cells": "cells", "mark?": "mark"}),
    "sign": Condition(_sign, {"is": "sign"}),
}
