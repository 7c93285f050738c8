"""Why an answer is right: how many actions keep the result, what follows, and what every other try runs into."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.core.messages import Message, counted, message
from damier.core.position import Position
from damier.core.record import Record
from damier.engine.turns import joined_turns
from damier.solve.returns.repetition import by_table
from damier.teach.puzzles.counting import roll_actions, roll_name
from damier.teach.puzzles.judge import WRONG, is_proved_loss, judge, percentage, value_message, with_reply
from damier.teach.puzzles.puzzle import COUNTED
from damier.teach.puzzles.turns import turn_ends, turn_wins, way_text

if TYPE_CHECKING:
    from damier.teach.puzzles.puzzle import Puzzle, PuzzleNode


@dataclass(frozen=True)
class Try:
    """Other answers that fail in the same way."""

    actions: tuple[str, ...]
    """The actions or turns; of a number, the points of the roll."""

    line: tuple[str, ...]
    """The first of them and what refutes it, to be played from the position of the puzzle on."""

    said: Message
    """What they run into."""


@dataclass(frozen=True)
class Reasons:
    """Why an answer is right."""

    said: tuple[Message, ...]
    tries: tuple[Try, ...]
    """The most tempting ones first."""


@functools.lru_cache(maxsize=256)
def reasons(game: str, number: str) -> Reasons:
    """Returns the reasons of a puzzle that comes with the program."""
    from damier.teach.puzzles.puzzle import shipped_puzzles

    return reasons_of(next(each for each in shipped_puzzles(game) if each.id == number))


def reasons_of(puzzle: Puzzle) -> Reasons:
    """Returns why the answer of a puzzle is right."""
    if puzzle.theme in COUNTED:
        return _of_number(puzzle)
    if puzzle.tree is None:
        return _of_turn(puzzle)
    return _of_action(puzzle, puzzle.tree)


def _following(puzzle: Puzzle, answer: tuple[str, ...]) -> list[Message]:
    """Returns the line after the answer, if there is more to come."""
    record = Record(puzzle.start)
    for action in answer:
        record.play(action)
    rest = puzzle.line[len(answer) :]
    if not rest:
        return [] if record.result is None else [record.result.message]
    return [message("Best play goes on: {line}.", line=" ".join(joined_turns(record.position, rest)))]


# Numbers


def _of_number(puzzle: Puzzle) -> Reasons:
    rolls = roll_actions(puzzle.start)
    names = {roll: roll_name(puzzle.start, roll) for roll in rolls}
    playable = [names[roll] for roll, actions in rolls.items() if actions]
    out = [names[roll] for roll, actions in rolls.items() if not actions]
    tries = [Try((names[roll],), (roll, *actions[:1]), _how_many(len(actions))) for roll, actions in rolls.items()]
    return Reasons(
        (
            message("Can be played: {rolls}.", rolls=", ".join(playable)),
            message("Cannot be played: {rolls}.", rolls=", ".join(out)),
        ),
        tuple(tries),
    )


def _how_many(count: int) -> Message:
    return counted("{count} action", "{count} actions", count=count) if count else message("no action")


# Actions


def _merit(value: str) -> float:
    """Returns a sort key for what a wrong action is worth: greater is better."""
    if value.endswith("%"):
        return float(value[:-1])
    return 0.0 if value == "=" else (1000 if value[0] == "+" else -1000) - float(value)


def _of_action(puzzle: Puzzle, tree: PuzzleNode) -> Reasons:
    wrong = {text: tree.refutation(text) for text in puzzle.start.actions() if text not in tree.right_actions}
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for text, refutation in wrong.items():
        groups.setdefault(refutation, []).append(text)
    ordered = sorted(groups.items(), key=lambda each: (-_merit(each[0][0]), -len(each[1]), each[1]))
    tries = tuple(
        Try(tuple(texts), (texts[0], *reply), with_reply(_worth(puzzle, value), value, reply))
        for (value, reply), texts in ordered
    )
    return Reasons((_count(puzzle, tree, wrong), *_following(puzzle, (puzzle.answer,))), tries)


def _worth(puzzle: Puzzle, value: str) -> Message:
    said = value_message(value)
    if not value.endswith("%") and not is_proved_loss(puzzle, value, is_first=True):
        said = by_table(puzzle.loaded, said)
    return message("{value}.", value=said)


def _count(puzzle: Puzzle, tree: PuzzleNode, wrong: dict[str, tuple[str, tuple[str, ...]]]) -> Message:
    """Returns how many actions keep the result."""
    values = Counter(value for value, _ in wrong.values())
    if puzzle.value.endswith("%"):
        second = max(values, key=_merit)
        return message(
            "{answer} wins with {best} %, the next best of {count} actions with {second} %.",
            answer=puzzle.answer,
            best=percentage(puzzle.value),
            count=puzzle.actions,
            second=percentage(second),
        )
    right = len(tree.right_actions)
    drawn = values.pop("=", 0) + (right if puzzle.value == "=" else 0)
    won = right if puzzle.value.startswith("+") else 0
    said = message(
        "Legal actions: {count}; winning: {won}, drawing: {drawn}, losing: {lost}",
        count=puzzle.actions,
        won=won,
        drawn=drawn,
        lost=puzzle.actions - won - drawn,
    )
    is_proved = puzzle.value != "=" and all(is_proved_loss(puzzle, value, is_first=True) for value, _ in wrong.values())
    return message("{value}.", value=said if is_proved else by_table(puzzle.loaded, said))


# Turns


def _of_turn(puzzle: Puzzle) -> Reasons:
    start, answer = puzzle.start, tuple(puzzle.answer.split("+"))
    ends = turn_ends(start)
    if puzzle.value == "=":
        said = message(
            "Turns with different ends: {count}. After all but this one the opponent wins at once.", count=len(ends)
        )
    elif puzzle.goal is None:
        wins = len(turn_wins(start))
        said = message("Turns with different ends: {count}; winning: {won}.", count=len(ends), won=wins)
    else:
        said = message(
            "Turns with different ends: {count}. Only this one wins within {turns} turns, whatever the opponent does.",
            count=len(ends),
            turns=puzzle.distance or 0,
        )
    return Reasons((said, *_following(puzzle, answer)), tuple(_shorter_turns(puzzle, answer)) if puzzle.goal else ())


def _shorter_turns(puzzle: Puzzle, answer: tuple[str, ...]) -> list[Try]:
    """Returns what happens if only a part of the answer is played."""
    start, found = puzzle.start, []
    for number in range(1, len(answer)):
        position = start
        for action in answer[:number]:
            position = position.play(action)
        endings = [end for end in turn_ends(position).items() if str(Position(puzzle.loaded, end[0])) != puzzle.goal]
        if not endings:
            continue
        turn = (*answer[:number], *way_text(position, min(endings, key=lambda end: len(end[1]))[1]))
        tried = next(turn[:end] for end in range(1, len(turn) + 1) if judge(puzzle, turn[:end]).kind == WRONG)
        verdict = judge(puzzle, tried)
        found.append(Try(("+".join(tried),), (*tried, *verdict.refutation), verdict.said))
    return found
