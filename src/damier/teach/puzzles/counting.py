"""Puzzles that ask for a number: how many rolls of the die can be played. The rules alone answer, without a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.teach.puzzles.puzzle import DIFFICULTIES, Puzzle, canonical, puzzle_id

if TYPE_CHECKING:
    from damier.core.position import Position

_FEW = 2  # actions with a roll that are easily overlooked


def roll_actions(position: Position) -> dict[str, list[str]]:
    """Returns the actions with each roll; none for a roll that puts the player out."""
    found: dict[str, list[str]] = {}
    for roll in position.actions():
        after = position.play(roll)
        can_act = after.result is None and after.mover != "chance"
        found[roll] = after.actions() if can_act else []
    return found


def playable_rolls(position: Position) -> dict[str, list[str]]:
    """Returns the rolls with which the player can act, with the actions."""
    return {roll: actions for roll, actions in roll_actions(position).items() if actions}


def roll_name(position: Position, roll: str) -> str:
    """Returns the points of a roll, or its text if it has none."""
    points = position.game.die_points(roll)
    return roll if points is None else str(points)


class CountFinder:
    """Makes puzzles from positions in which the die is due."""

    def symmetry_key(self, position: Position) -> object:
        """Returns a key that is equal for positions that are equal up to symmetry."""
        return canonical(position)

    def find(self, position: Position) -> Puzzle | None:
        """Returns the puzzle in a position; None where all rolls can be played, or none."""
        if position.mover != "chance" or position.result is not None:
            return None
        rolls = roll_actions(position)
        count = sum(bool(actions) for actions in rolls.values())
        if count in (0, len(rolls)):
            return None
        hidden = sum(0 < len(actions) <= _FEW for actions in rolls.values())
        single = sum(len(actions) == 1 for actions in rolls.values())
        points = hidden + (single > 0) + (len(rolls) - count > 1)
        return Puzzle(
            id=puzzle_id(position),
            game=position.game.name,
            options=dict(position.game.options),
            position=str(position),
            theme="count_rolls",
            unit="plies",
            value=f"#{count}",
            answer=str(count),
            difficulty=min(DIFFICULTIES[-1], 1 + points),
            actions=len(rolls),
            traps=hidden,
            is_found=single == 0,
        )
