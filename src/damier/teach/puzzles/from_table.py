"""Finds puzzles with a table of exact values: positions with one right action, and the tree that a judge needs.

Where the rules forbid a return to an earlier situation, a table alone is no proof: its values are proved again by a
path search (``path_proofs.py``), or the position is not used.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from damier.core.position import Position
from damier.core.record import Record
from damier.solve.returns.repetition import forbids_returns
from damier.teach.puzzles.path_proofs import PathProof
from damier.teach.puzzles.puzzle import DistanceUnit, PuzzleNode, Theme, canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from damier.core.game import Game
    from damier.solve.value import TableValue

LEAST_ACTIONS = 6
MARGIN = 0.03
"""Least difference in winning chance between the best action and the next."""

FAIR, ALMOST_LOST = 0.25, 0.15
"""Chances of the only action that avoids the loss, at least, and of all others, at most."""

LEAST_TRIES = 4
"""Least number of actions where a loss is to be avoided: such positions are narrow."""

LONGEST_WIN = 11
LONGEST_LOSS = 12
"""Longest wins and losses in plies: nobody looks further."""

_MOST_NODES = 24  # of a tree
_MOST_RIGHT = 8  # right actions of a node


class Unsuitable(Exception):
    """A position makes no good puzzle."""


@dataclass(frozen=True)
class UnratedPuzzle:
    """A puzzle before it is rated."""

    position: Position
    theme: Theme
    distance: int | None
    unit: DistanceUnit
    value: str
    line: tuple[str, ...]
    first: frozenset[str]
    """The first actions that are right."""

    answer: str
    tree: PuzzleNode | None = None
    goal: str | None = None
    later: tuple[str, ...] = ()


def value_text(value: TableValue) -> str:
    """Returns a value as a puzzle writes it."""
    if value.outcome == "chance":
        return f"{100 * value.chance:.2f}%"
    return {"win": f"+{value.plies}", "draw": "=", "loss": f"-{value.plies}"}[value.outcome]


class TablePuzzleFinder:
    """Finds puzzles of a game with a table."""

    surplus = 4.0
    """How many puzzles to find for each that is picked."""

    def __init__(self, game: Game) -> None:
        self.game, self._tables = game, game.tables
        _ = self._tables.file  # raises if the table has not been built
        self._numbering = self._tables.numbering
        self._proof = PathProof(self._tables) if forbids_returns(game) else None

    def symmetry_key(self, position: Position) -> object:
        """Returns a key that is equal for positions that are equal up to symmetry or exchange of players."""
        if not self.game.traits.has_chance:
            return self._numbering.place(position.state)
        if position.mover == "chance":
            return canonical(position)
        after = [position.after(code) for code in position.judged()[1]]
        return tuple(sorted(-1 if each.result else self._numbering.place(each.state) for each in after))

    def find(self, position: Position) -> UnratedPuzzle | None:
        """Returns the puzzle in a position, if there is one."""
        least = LEAST_TRIES if self.game.traits.has_chance else LEAST_ACTIONS
        if len(position.judged()[1]) < least or position.mover == "chance":
            return None
        values = self._tables.action_values(position)
        same = same_actions(position, values)
        different = [(action, value) for action, value in values.items() if action not in same]
        if len(different) < 2:
            return None
        (answer, best), (_, second) = different[:2]
        if best.outcome == "chance":
            avoids_loss = best.chance >= FAIR and second.chance <= ALMOST_LOST
            is_clear = best.chance - second.chance >= MARGIN and len(values) >= LEAST_ACTIONS
            if not avoids_loss and not is_clear:
                return None
            return self._best(position, dict(different), "avoid_loss" if avoids_loss else "best")
        if best.outcome == "loss" or best.outcome == second.outcome or (best.plies or 0) > LONGEST_WIN:
            return None
        try:
            if best.outcome == "win":
                return self._win(position, answer, values)
            return self._defence(position, answer, values)
        except Unsuitable:
            return None

    def _best(self, position: Position, values: dict[str, TableValue], theme: Theme) -> UnratedPuzzle:
        (answer, best), *others = values.items()
        wrong: dict[str, str] = {}
        for action, value in others:
            key = " ".join([value_text(value), *self._worst_roll(position.play(action))])
            wrong[key] = f"{wrong[key]} {action}" if key in wrong else action
        tree = PuzzleNode(right={answer: ("", None)}, wrong=wrong)
        return UnratedPuzzle(
            position, theme, None, "plies", value_text(best), (answer,), frozenset({answer}), answer, tree
        )

    def _worst_roll(self, position: Position) -> list[str]:
        """Returns the opponent's roll that is worst for the solver, and the best action with it; may be empty."""
        if position.result is not None or position.mover != "chance":
            return []
        values = self._tables.action_values(position)  # of the player who rolls, best first
        roll = next(iter(values))
        after = position.play(roll)
        if after.result is not None or after.mover == "chance":
            return [roll]
        return [roll, next(iter(self._tables.action_values(after)))]

    def _win(self, position: Position, answer: str, values: dict[str, TableValue]) -> UnratedPuzzle:
        plies = values[answer].plies or 0
        loses = all(value.outcome in ("loss", "win") for value in values.values())  # the only wins are the answer's
        if self._proof and not self._proof.confirms_win(position, answer, plies, values if loses else {}):
            raise Unsuitable
        record = Record(position)
        tree = self._node(record, plies, [_MOST_NODES])
        line = _main_line(tree)
        for action in line:
            record.play(action)
        if record.result is None or len(line) != plies:
            raise Unsuitable
        theme: Theme = "only_win" if loses else "win"
        return UnratedPuzzle(position, theme, plies, "plies", f"+{plies}", line, tree.right_actions, answer, tree)

    def _defence(self, position: Position, answer: str, values: dict[str, TableValue]) -> UnratedPuzzle:
        others = {action: value for action, value in values.items() if value.outcome == "loss"}
        distance = max(value.plies or 0 for value in others.values())
        if distance > LONGEST_LOSS or position.play(answer).result:
            raise Unsuitable
        if self._proof and not self._proof.confirms_defence(position, answer, others):
            raise Unsuitable
        same = {text: other for text, other in same_actions(position, values).items() if other == answer}
        tree = PuzzleNode(right={answer: ("", None)}, same=same, **self._wrong(Record(position), others))
        first = tree.right_actions
        return UnratedPuzzle(position, "only_draw", distance, "plies", "=", (answer,), first, answer, tree)

    # Trees

    def _values(self, record: Record) -> dict[str, TableValue]:
        """Returns the values of the legal actions, best first."""
        legal = set(record.actions())
        return {text: value for text, value in self._tables.action_values(record.position).items() if text in legal}

    def _node(self, record: Record, left: int, room: list[int]) -> PuzzleNode:
        """Returns the node of a position that is won within `left` plies; `room` is how many more nodes are allowed."""
        room[0] -= 1
        values = self._values(record)
        winning = {text for text, value in values.items() if value.outcome == "win" and (value.plies or 0) <= left}
        if self._proof and not self._proof.agrees(record, values, winning, left):
            raise Unsuitable
        same = {text: main for text, main in same_actions(record.position, values).items() if text in winning}
        right = [text for text in values if text in winning and text not in same]
        if room[0] < 0 or not 1 <= len(right) <= _MOST_RIGHT:
            raise Unsuitable
        after = {text: self._after(record, text, left, room) for text in right}
        wrong = {text: value for text, value in values.items() if text not in winning}
        return PuzzleNode(right=after, same=same, **self._wrong(record, wrong))

    def _after(self, record: Record, action: str, left: int, room: list[int]) -> tuple[str, PuzzleNode | None]:
        """Returns the reply to a right action and the node after it."""
        solver, before = record.mover, len(record.played)
        record.play(action)
        while record.result is None and record.mover != solver:
            record.play(next(iter(self._values(record))))
        played = len(record.played) - before
        node = None if record.result else self._node(record, left - played, room)
        reply = " ".join(record.played[before + 1 :])
        for _ in range(played):
            record.undo()
        return reply, node

    def _wrong(self, record: Record, values: dict[str, TableValue]) -> dict[str, Any]:
        """Returns the fields of a node that refute wrong actions, with as few different replies as possible."""
        open_ones = {action: self._replies(record, action, value) for action, value in values.items()}
        groups: dict[str, list[str]] = {}
        while open_ones:
            counts = Counter(sorted(what for replies in open_ones.values() for what in replies))
            what = counts.most_common(1)[0][0]
            groups[what] = sorted(action for action, replies in open_ones.items() if what in replies)
            open_ones = {action: replies for action, replies in open_ones.items() if what not in replies}
        if not groups:
            return {}
        rest, *named = sorted(groups, key=lambda what: -len(groups[what]))
        wrong = {what: " ".join(groups[what]) for what in named}
        return {"else": rest, "wrong": wrong}

    def _replies(self, record: Record, action: str, value: TableValue) -> list[str]:
        """Returns the value of a wrong action, joined with each of the best replies to it."""
        solver, worth = record.mover, value_text(value)
        record.play(action)
        found = [worth]
        if record.result is None and record.mover != solver:
            values = self._values(record)
            best = next(iter(values.values()))
            found = [f"{worth} {reply}" for reply, each in values.items() if each == best]
        record.undo()
        return found


def same_actions(position: Position, values: Mapping[str, TableValue]) -> dict[str, str]:
    """Returns the actions that lead to the same position as an earlier one, with that one."""
    firsts: dict[Position, str] = {}
    same: dict[str, str] = {}
    for text in values:
        main = firsts.setdefault(position.play(text), text)
        if main != text:
            same[text] = main
    return same


def _main_line(node: PuzzleNode) -> tuple[str, ...]:
    """Returns the line of first right actions."""
    line: list[str] = []
    rest: PuzzleNode | None = node
    while rest is not None:
        action, (reply, rest) = next(iter(rest.right.items()))
        line += [action, *reply.split()]
    return tuple(line)
