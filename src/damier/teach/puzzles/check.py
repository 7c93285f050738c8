"""Plays a puzzle that has been read: everything that it says can be played is legal, and its counts are right."""

from __future__ import annotations

from typing import NoReturn

from damier.core.errors import DamierError
from damier.core.messages import Message, message
from damier.core.record import Record
from damier.teach.puzzles.counting import playable_rolls
from damier.teach.puzzles.puzzle import COUNTED, BadPuzzle, Puzzle, PuzzleNode, puzzle_id

_MOST_NODES = 200


def check_puzzle(number: int, puzzle: Puzzle) -> None:
    """Raises `BadPuzzle` with the number of the puzzle and what is wrong."""
    try:
        _check(puzzle)
    except DamierError as error:
        raise BadPuzzle(message("Puzzle {number} is damaged: {why}", number=number, why=error.message)) from None


def _refuse(why: Message) -> NoReturn:
    raise BadPuzzle(why)


def _check(puzzle: Puzzle) -> None:
    is_counted = puzzle.theme in COUNTED
    if (puzzle.tree is None) != (is_counted or puzzle.loaded.traits.has_long_turns):
        _refuse(message("The field {name} is missing or invalid.", name="tree"))
    record = puzzle.loaded.record(puzzle.position)
    if puzzle.id != puzzle_id(record.position):
        _refuse(message("Its id is not that of its position."))
    legal = record.actions()
    if len(legal) != puzzle.actions or puzzle.traps not in range(len(legal)):
        _refuse(message("Its numbers of actions or traps are wrong."))
    if is_counted:
        if puzzle.answer != str(len(playable_rolls(puzzle.start))) or puzzle.value != f"#{puzzle.answer}":
            _refuse(message("Its number is wrong."))
        return
    if not puzzle.line or not "+".join(puzzle.line).startswith(puzzle.answer):
        _refuse(message("Its line does not begin with its answer."))
    for action in puzzle.line:
        record.play(action)
    for goal in puzzle.goals:
        puzzle.loaded.parse(goal)
    if puzzle.tree is not None:
        if list(puzzle.tree.right) != [puzzle.answer]:
            _refuse(message("Its answer differs from the one in its tree."))
        if _check_node(Record(puzzle.start), puzzle.tree) > _MOST_NODES:
            _refuse(message("Its tree is invalid."))


def _check_node(record: Record, node: PuzzleNode) -> int:
    """Checks a node and all below it, and returns how many there are."""
    legal, named = set(record.actions()), set(node.right_actions)
    for action, main in node.same.items():
        if main not in node.right or record.position.play(action) != record.position.play(main):
            _refuse(message("Its tree is invalid."))
    for texts in node.wrong.values():
        named |= set(texts.split(" "))
    if not named <= legal or (node.rest is None and named != legal):
        _refuse(message("Its tree does not name the legal actions."))
    for action in legal - node.right_actions:
        _check_playable(record, [action, *node.refutation(action)[1]])
    return 1 + sum(_check_right(record, action, *after) for action, after in node.right.items())


def _check_playable(record: Record, actions: list[str]) -> None:
    """Raises `IllegalAction` if the actions cannot be played one after the other."""
    then = record.copy()
    for action in actions:
        then.play(action)


def _check_right(record: Record, action: str, reply: str, node: PuzzleNode | None) -> int:
    """Checks a right action and what follows, and returns the number of nodes."""
    played = [action, *reply.split()]
    _check_playable(record, played)
    if node is None:
        return 0
    for text in played:
        record.play(text)
    count = _check_node(record, node)
    for _ in played:
        record.undo()
    return count
