"""Why a hint is good, in words: what the action wins, keeps, stops or threatens.

What a table or a search has proved comes first. Otherwise the rules are tried out: every other action with every reply
to it (what the action stops), and every reply to the action with every action after it (what it threatens), as long as
that takes at most `MOST_TRIED` actions. Only what is proved is claimed; an estimate is called one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from damier.core.guidance import action_effect, end_words, is_irreversible, sentences
from damier.core.messages import Message, Number, counted, message
from damier.solve.returns.repetition import forbids_returns

if TYPE_CHECKING:
    from damier.core.record import Record
    from damier.engine.analysis import Analysis, Value

MOST_TRIED = 3_000
"""Actions that are tried out for one hint: about 0.2 s."""


def hint_reason(record: Record, analysis: Analysis) -> Message:
    """Returns why the best action of an analysis is good."""
    action = analysis.best.actions[0]
    reason = _why(record, analysis, action)
    code = record.game.parse_action(action)
    if is_irreversible(record.position, code):
        return sentences(reason, action_effect(record.position, code))
    return reason


def _why(record: Record, analysis: Analysis, action: str) -> Message:
    if len(record.actions()) == 1:
        return message("It is the only action.")
    best = analysis.best.value
    return (
        _win_at_once(record, analysis.best.actions)
        or _of_table(record, analysis)
        or _forced_win(analysis.mover, best)
        or _others_lose(record, analysis)
        or _on_rolls(record, action)
        or _stopped_win(record, action)
        or _threat(record, action)
        or _estimate(record, analysis.mover, best)
    )


# What is proved


def _win_at_once(record: Record, line: Sequence[str]) -> Message | None:
    """Returns that a line ends in a win of the player on move without anybody else acting, if it does."""
    mover, then = record.mover, record.copy()
    for number, action in enumerate(line, 1):
        then.play(action)
        if then.result:
            if then.result.winner != mover:
                return None
            words = end_words(then.position, then.result)
            if number == 1:
                return message("It wins at once: {words}.", words=words)
            return message("It wins in this turn: {actions}, {words}.", actions="+".join(line[:number]), words=words)
        if then.mover != mover:
            return None
    return None


def _of_table(record: Record, analysis: Analysis) -> Message | None:
    """Returns how many actions keep the result, if a table proves the value of each of them."""
    values = [line.value for line in analysis.lines]
    if not analysis.is_exact or len(values) != len(record.actions()):
        return None
    if record.game.traits.has_chance:
        return _chance_of_table(record, analysis)
    winners, mover = {value.winner for value in values}, analysis.mover
    kept = sum(value.winner == values[0].winner for value in values)
    plies = values[0].distance
    if values[0].winner not in (None, mover):
        if plies is None or any((value.distance or 0) > plies for value in values):
            return message("All actions lose against best play.")
        return counted(
            "All actions lose against best play; none holds out longer than this one: {count} ply.",
            "All actions lose against best play; none holds out longer than this one: {count} plies.",
            count=plies,
        )
    if values[0].winner is None:
        if len(winners) == 1:
            return message("With best play the game stays a draw, whichever action is played.")
        if kept == 1:
            return message("It is the only action that keeps the draw.")
        return message("{kept} of {total} actions keep the draw; the others lose.", kept=kept, total=len(values))
    if plies is None or any((value.distance or 0) < plies for value in values if value.winner == mover):
        return None
    if kept == 1:
        return counted(
            "It is the only action that keeps the win, in {count} ply.",
            "It is the only action that keeps the win, in {count} plies.",
            count=plies,
        )
    return counted(
        "{kept} of {total} actions keep the win; none wins sooner than this one, in {count} ply.",
        "{kept} of {total} actions keep the win; none wins sooner than this one, in {count} plies.",
        count=plies,
        kept=kept,
        total=len(values),
    )


def _chance_of_table(record: Record, analysis: Analysis) -> Message | None:
    """Returns the winning chance with best play beside that of the next best action."""
    if analysis.mover not in record.game.players:
        return None
    place = record.game.players.index(analysis.mover)
    first, second = (100 * line.value.chances[place] for line in analysis.lines[:2])
    return message(
        "With best play it wins about {first} % of the games, the next best action about {second} %.",
        first=Number(first, ".1f"),
        second=Number(second, ".1f"),
    )


def _forced_win(mover: str, best: Value) -> Message | None:
    if best.winner != mover or not best.is_proved:
        return None
    if best.distance is None:
        return message("It wins by force.")
    return counted(
        "It wins by force, in at most {count} ply.", "It wins by force, in at most {count} plies.", count=best.distance
    )


def _others_lose(record: Record, analysis: Analysis) -> Message | None:
    """Returns that all other actions lose, if the next best one is proved to lose."""
    mover, best = analysis.mover, analysis.best.value
    others = [line.value for line in analysis.lines[1:]]
    if best.winner or not others or not all(other.is_proved and other.winner not in (None, mover) for other in others):
        return None
    if forbids_returns(record.game) and len(others) + 1 < len(record.actions()):
        return None  # a proof for the best of the others says nothing of the rest
    if others[0].distance is not None and others[0].distance <= 2:
        return message("It stops a win; all others lose.")
    return message("All others lose.")


# What the rules show


class _TooMany(Exception):
    """More actions would have to be tried than a hint may take."""


class _Trial:
    """Tries actions out, up to a limit."""

    def __init__(self) -> None:
        self._left = MOST_TRIED

    def after(self, record: Record, action: str) -> Record:
        """Returns the record after one more action; raises `_TooMany`."""
        if not self._left:
            raise _TooMany
        self._left -= 1
        then = record.copy()
        then.play(action)
        return then

    def winning_action(self, record: Record) -> tuple[str, Message] | None:
        """Returns an action that wins at once for the player on move, with the words for it."""
        mover = record.mover
        for action in record.actions():
            then = self.after(record, action)
            if then.result and then.result.winner == mover:
                return action, end_words(then.position, then.result)
        return None


def _is_plain(record: Record) -> bool:
    """Tells whether a game of two has no die and one action a turn, so that threats are one action long."""
    traits = record.game.traits
    return len(traits.players) == 2 and not traits.has_chance and not traits.has_long_turns


def _on_rolls(record: Record, action: str) -> Message | None:
    """Returns on how many rolls of the die an action wins, if it can."""
    mover, then = record.mover, record.copy()
    then.play(action)
    if then.mover != "chance":
        return None
    rolls = then.actions()
    trial = _Trial()
    results = [trial.after(then, roll).result for roll in rolls]
    count = sum(1 for result in results if result and result.winner == mover)
    if not count:
        return None
    return message("It wins at once on {rolls} of {total} rolls of the die.", rolls=count, total=len(rolls))


def _stopped_win(record: Record, action: str) -> Message | None:
    """Returns which win of the opponent an action stops, and how many other actions allow one."""
    if not _is_plain(record):
        return None
    trial, enemy = _Trial(), record.game.opponent(record.mover)
    try:
        then = trial.after(record, action)
        if then.result or then.mover != enemy or trial.winning_action(then):
            return None
        found: list[tuple[str, Message]] = []
        others = [text for text in record.actions() if text != action]
        for other in others:
            then = trial.after(record, other)
            if then.result is None and then.mover == enemy and (win := trial.winning_action(then)):
                found.append(win)
    except _TooMany:
        return None
    if 2 * len(found) < len(others):
        return None
    reply, words = found[0]
    return message(
        "It prevents a win such as {action} ({words}): {count} of the {total} other actions allow {player} one.",
        action=reply,
        words=words,
        count=len(found),
        total=len(others),
        player=record.game.player_name(enemy),
    )


def _threat(record: Record, action: str) -> Message | None:
    """Returns which win an action threatens, and how many answers stop it."""
    if not _is_plain(record):
        return None
    trial, mover = _Trial(), record.mover
    try:
        then = trial.after(record, action)
        if then.result or then.mover == mover:
            return None
        found: list[tuple[str, Message]] = []
        answers = then.actions()
        for answer in answers:
            later = trial.after(then, answer)
            if later.result is None and later.mover == mover and (win := trial.winning_action(later)):
                found.append(win)
    except _TooMany:
        return None
    if 2 * len(found) < len(answers):
        return None
    follow, words = found[0]
    return message(
        "It threatens a win such as {action} ({words}): after {count} of {total} answers {player} can win at once.",
        action=follow,
        words=words,
        count=len(found),
        total=len(answers),
        player=record.game.player_name(mover),
    )


def _estimate(record: Record, mover: str, best: Value) -> Message:
    place = record.game.players.index(mover) if mover in record.game.players else 0
    return message(
        "No win is proved; the computer gives {player} about {percent} %.",
        player=record.game.player_name(record.game.players[place]),
        percent=Number(100 * best.chances[place], ".0f"),
    )
