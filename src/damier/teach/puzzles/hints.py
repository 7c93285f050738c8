"""Hints: first which piece or which part of the board, then the action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from damier.core.drawing import HAND
from damier.core.errors import IllegalAction
from damier.core.messages import Message, message
from damier.core.record import Record
from damier.teach.puzzles.counting import playable_rolls, roll_name
from damier.teach.puzzles.judge import WRONG, judge
from damier.teach.puzzles.puzzle import COUNTED
from damier.teach.puzzles.turns import turn_ends, winning_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from damier.teach.puzzles.puzzle import Puzzle

PLACE, ACTION = 1, 2
"""The steps of a hint."""

_AROUND = 1.5  # widths of a cell: how far a part of the board reaches


@dataclass(frozen=True)
class PuzzleHint:
    """What to say and where to point."""

    said: Message
    cells: tuple[str, ...] = ()
    action: str | None = None
    """Only in the second step."""


def hint(puzzle: Puzzle, actions: Sequence[str], step: int) -> PuzzleHint:
    """Returns a hint after these actions, the opponent's replies among them; raises `IllegalAction` if one is wrong."""
    if puzzle.theme in COUNTED:
        return _number_hint(puzzle, step)
    action = right_action(puzzle, actions)
    cells = tuple(cell for cell in puzzle.loaded.action_cells(action) if cell != HAND)
    if step == ACTION:
        return PuzzleHint(message("Play {action}.", action=action), cells, action)
    clicked = puzzle.loaded.action_cells(action)
    if not clicked:
        return PuzzleHint(message("No piece has to move now."))
    if clicked[0] == HAND and len(clicked) > 1:
        return PuzzleHint(message("Bring in a piece."))
    if len(clicked) > 1:
        return PuzzleHint(message("Look at the piece on {cell}.", cell=clicked[0]), clicked[:1])
    return PuzzleHint(message("Look at this part of the board."), _around(puzzle, clicked[0]))


def _number_hint(puzzle: Puzzle, step: int) -> PuzzleHint:
    rolls = playable_rolls(puzzle.start)
    if step == ACTION:
        return PuzzleHint(
            message("These can be played: {rolls}.", rolls=", ".join(roll_name(puzzle.start, each) for each in rolls)),
            (),
            puzzle.answer,
        )
    roll, actions = min(rolls.items(), key=lambda item: len(item[1]))
    return PuzzleHint(
        message(
            "The roll {roll} can be played: {action}. Check the others.",
            roll=roll_name(puzzle.start, roll),
            action=actions[0],
        ),
        tuple(cell for cell in puzzle.loaded.action_cells(actions[0]) if cell != HAND),
    )


def _around(puzzle: Puzzle, name: str) -> tuple[str, ...]:
    """Returns a cell with those around it."""
    drawing = puzzle.loaded.definition.drawing(puzzle.loaded.options)
    middle = next(cell for cell in drawing.cells if cell.name == name)
    return tuple(
        cell.name
        for cell in drawing.cells
        if cell.can_hold and (cell.x - middle.x) ** 2 + (cell.y - middle.y) ** 2 <= _AROUND**2
    )


def right_action(puzzle: Puzzle, actions: Sequence[str]) -> str:
    """Returns a right action after these; raises `IllegalAction` if one of them is wrong or the puzzle is solved."""
    if actions and judge(puzzle, actions).kind == WRONG:
        raise IllegalAction(message("The last action was wrong: try again first."))
    record = Record(puzzle.start)
    node = puzzle.tree
    for action in actions:
        if node is not None and record.mover == puzzle.solver:
            _, node = node.right[node.same.get(action, action)]
        record.play(action)
    found: str | None = None
    if record.result is None and record.mover == puzzle.solver:
        found = next(iter(node.right)) if node is not None else None if puzzle.tree else _turn_action(puzzle, record)
    if found is None:
        raise IllegalAction(message("There is nothing left to find."))
    return found


def _turn_action(puzzle: Puzzle, record: Record) -> str | None:
    """Returns the next action of a turn that reaches its goal, or that wins."""
    number = record.turn // 2
    if number == len(puzzle.goals):
        win = winning_turn(record.position)
        return win[0] if win else None
    if number > len(puzzle.goals):
        return None
    goal = puzzle.loaded.parse(puzzle.goals[number])
    way = turn_ends(record.position).get(goal.state)
    return puzzle.loaded.action_text(way[0]) if way else None
