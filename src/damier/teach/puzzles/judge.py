"""Judges answers to puzzles: whether they are right, what the opponent replies, and what refutes them.

This needs only the puzzle, no table and no engine. An action is right if the win is still forced within the stated
plies or turns (a defence: if it is the one that holds). The order of the actions within a turn does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from damier.core.errors import IllegalAction
from damier.core.messages import Message, Number, message
from damier.core.record import Record
from damier.solve.returns.repetition import by_table
from damier.solve.value import TableValue
from damier.teach.puzzles.counting import roll_actions, roll_name
from damier.teach.puzzles.puzzle import COUNTED
from damier.teach.puzzles.turns import refuting_turn, turn_ends, way_text, winning_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damier.core.position import Position
    from damier.teach.puzzles.puzzle import Puzzle, PuzzleNode

RIGHT, SOLVED, WRONG = "right", "solved", "wrong"

_CERTAIN = ("-1", "-2")  # losses that no forbidden return can prevent: the opponent wins at once
_PROVED_LOSSES = ("only_win", "only_draw")  # themes of which it is proved that other first actions lose
_TRIES = 30  # refuting turns to try: each takes some hundredths of a second


@dataclass(frozen=True)
class PuzzleVerdict:
    """The verdict on the actions so far."""

    kind: str
    """RIGHT: go on after the reply; SOLVED; WRONG: the last action was wrong."""

    reply: tuple[str, ...] = ()
    """The opponent's reply to a right action; empty if the solver is still on move or the game is over."""

    refutation: tuple[str, ...] = ()
    """How a wrong action fails: the rest of the turn, if any, and the opponent's reply."""

    value: str = ""
    """What a wrong action is worth, written as in a node; empty if not known."""

    said: Message = field(default_factory=lambda: message("Right."))
    """The verdict as a sentence."""


def judge(puzzle: Puzzle, actions: Sequence[str]) -> PuzzleVerdict:
    """Judges all actions from the position of a puzzle on, including the opponent's replies.

    Raises `IllegalAction` for an illegal action, a reply other than the puzzle's, or an action after the end.
    """
    if not actions:
        raise IllegalAction(message("There is no action to judge."))
    if puzzle.tree is not None:
        return _judge_tree(puzzle, puzzle.tree, actions)
    if puzzle.theme in COUNTED:
        return _judge_number(puzzle, actions)
    return _judge_turns(puzzle, actions)


def _solved(reply: Sequence[str] = ()) -> PuzzleVerdict:
    return PuzzleVerdict(SOLVED, tuple(reply), said=message("Solved."))


def _judge_number(puzzle: Puzzle, given: Sequence[str]) -> PuzzleVerdict:
    """Judges a number; a wrong one is refuted by a roll that was counted wrongly."""
    number, *rest = given
    if number not in puzzle.choices:
        raise IllegalAction(message("Choose one of the numbers."))
    _refuse_rest(rest)
    if number == puzzle.answer:
        return _solved()
    rolls = roll_actions(puzzle.start)
    if int(number) < int(puzzle.answer):
        roll, actions = min(((roll, each) for roll, each in rolls.items() if each), key=lambda item: len(item[1]))
        said = message(
            "Wrong: there are more. For example, {action} can be played with the roll {roll}.",
            roll=roll_name(puzzle.start, roll),
            action=actions[0],
        )
        return PuzzleVerdict(WRONG, (), (roll, actions[0]), "", said)
    roll = next(roll for roll, each in reversed(rolls.items()) if not each)
    said = message(
        "Wrong: there are fewer. For example, there is no action with the roll {roll}.",
        roll=roll_name(puzzle.start, roll),
    )
    return PuzzleVerdict(WRONG, (), (roll,), "", said)


def _refuse_rest(rest: Sequence[str]) -> None:
    if rest:
        raise IllegalAction(message("The puzzle is over before {action}.", action=rest[0]))


def _check_reply(given: Sequence[str], expected: Sequence[str]) -> None:
    """Raises if the opponent's reply is not the puzzle's."""
    if list(given) != list(expected)[: len(given)] or 0 < len(given) < len(expected):
        raise IllegalAction(message("The opponent's reply is {reply}.", reply=" ".join(expected)))


# Nodes


def _judge_tree(puzzle: Puzzle, node: PuzzleNode, actions: Sequence[str]) -> PuzzleVerdict:
    record, rest = Record(puzzle.start), list(actions)
    while True:
        action = rest.pop(0)
        record.play(action)
        main = node.same.get(action, action)
        if main not in node.right:
            _refuse_rest(rest)
            return _wrong(puzzle, node, action)
        reply_text, following = node.right[main]
        reply = reply_text.split()
        _check_reply(rest[: len(reply)], reply)
        if following is None:
            _refuse_rest(rest[len(reply) :])
            return _solved(reply)
        for text in reply:
            record.play(text)
        rest, node = rest[len(reply) :], following
        if not rest:
            return PuzzleVerdict(RIGHT, tuple(reply))


def _wrong(puzzle: Puzzle, node: PuzzleNode, action: str) -> PuzzleVerdict:
    value, reply = node.refutation(action)
    said = _wrong_message(puzzle, value, is_proved_loss(puzzle, value, node is puzzle.tree))
    return PuzzleVerdict(WRONG, (), reply, value, with_reply(said, value, reply))


def is_proved_loss(puzzle: Puzzle, value: str, is_first: bool) -> bool:
    """Tells whether no forbidden return can change the value of a wrong action, the first or a later one."""
    return value in _CERTAIN or (is_first and value.startswith("-") and puzzle.theme in _PROVED_LOSSES)


def with_reply(said: Message, value: str, reply: Sequence[str]) -> Message:
    """Returns a sentence with the reply that follows a wrong action."""
    if not reply:
        return said
    line = " ".join(reply)
    if value.endswith("%"):
        return message("{said} For example: {line}.", said=said, line=line)
    return message("{said} The reply is {line}.", said=said, line=line)


def _wrong_message(puzzle: Puzzle, value: str, is_proved: bool) -> Message:
    """Returns why an action of this value is wrong; `is_proved`: no forbidden return can change the value."""
    if value.endswith("%"):
        return message(
            "Wrong: this wins with {chance} %, the best action with {best} %.",
            chance=percentage(value),
            best=percentage(puzzle.value),
        )
    worth = value_message(value)
    if not is_proved:
        worth = by_table(puzzle.loaded, worth)
    if value.startswith("+"):
        return message("Wrong: this wins too, but not as fast: {value}.", value=worth)
    return message("Wrong: {value}.", value=worth)


def percentage(value: str) -> Number:
    """Returns the number of a value such as ``48.84%``."""
    return Number(float(value[:-1]), ".2f")


def value_message(value: str) -> Message:
    """Returns a value in words."""
    if value.endswith("%"):
        return message("{percent} %", percent=percentage(value))
    if value == "=":
        return message("draw")
    return TableValue("win" if value[0] == "+" else "loss", int(value[1:])).text()


# Turns


def _judge_turns(puzzle: Puzzle, actions: Sequence[str]) -> PuzzleVerdict:
    """Judges a puzzle of whole turns: those before the last must reach their goals, the last must win."""
    record, rest = Record(puzzle.start), list(actions)
    replies = turn_replies(puzzle)
    for number, text in enumerate(puzzle.goals):
        goal, turn = puzzle.loaded.parse(text), record.turn
        while rest and record.turn == turn:
            record.play(rest.pop(0))
            if not _leads_to(record, goal, turn):
                _refuse_rest(rest)
                return _wrong_turn(record, puzzle, turn)
        if record.turn == turn:
            return PuzzleVerdict(RIGHT)
        if puzzle.value == "=":
            _refuse_rest(rest)
            return _solved()
        reply = replies[number]
        _check_reply(rest[: len(reply)], reply)
        rest = rest[len(reply) :]
        if not rest:
            return PuzzleVerdict(RIGHT, reply)
        for action in reply:
            record.play(action)
    return _judge_winning_turn(record, rest)


def _judge_winning_turn(record: Record, rest: list[str]) -> PuzzleVerdict:
    """Judges the turn that must win."""
    solver, turn = record.mover, record.turn
    for number, text in enumerate(rest, 1):
        record.play(text)
        if record.result is not None and record.result.winner == solver:
            _refuse_rest(rest[number:])
            return _solved()
        if record.result is not None or record.turn != turn or winning_turn(record.position) is None:
            _refuse_rest(rest[number:])
            return PuzzleVerdict(WRONG, said=message("Wrong: this turn can no longer win."))
    return PuzzleVerdict(RIGHT)


def _leads_to(record: Record, goal: Position, turn: int) -> bool:
    """Tells whether this turn has reached `goal` or still can."""
    if record.result is not None or record.turn > turn:
        return record.position == goal
    return goal.state in turn_ends(record.position)


def turn_replies(puzzle: Puzzle) -> list[tuple[str, ...]]:
    """Returns the opponent's turns in the line of a puzzle."""
    record = Record(puzzle.start)
    turns: list[list[str]] = []
    for action in puzzle.line:
        if record.turn == len(turns):
            turns.append([])
        turns[-1].append(action)
        record.play(action)
    return [tuple(turn) for turn in turns[1::2]]


def _wrong_turn(record: Record, puzzle: Puzzle, turn: int) -> PuzzleVerdict:
    """Returns the verdict on a turn that cannot become right, with a refutation."""
    rest: tuple[str, ...] = ()
    if record.result is None and record.turn == turn:
        rest = way_text(record.position, min(turn_ends(record.position).values(), key=len))
        for text in rest:
            record.play(text)
    if record.result is not None:
        return PuzzleVerdict(WRONG, (), rest, "", record.result.message)
    if answer := winning_turn(record.position) or ():
        said = message("Wrong: the opponent wins at once with {line}.", line="+".join(answer))
        return PuzzleVerdict(WRONG, (), (*rest, *answer), "", said)
    answer = refuting_turn(record.position, _TRIES) or ()
    said = message("Wrong: the win is no longer forced in time.")
    is_proof = len(puzzle.goals) - turn // 2 == 1  # the next turn had to win, and does not
    if answer and is_proof:
        said = with_reply(said, "", ("+".join(answer),))
    elif answer:
        said = message("{said} One reply that delays it: {line}.", said=said, line="+".join(answer))
    return PuzzleVerdict(WRONG, (), (*rest, *answer), "", said)
