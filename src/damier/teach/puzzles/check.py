"""Checks of a puzzle that has been read: every field is of its kind, and everything that would be played is legal."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, NoReturn

from damier.core.errors import DamierError
from damier.core.messages import Message, message
from damier.core.record import Record
from damier.teach.puzzles.puzzle import DIFFICULTIES, THEMES, UNITS, BadPuzzle, Puzzle, PuzzleNode, puzzle_id

VALUE = re.compile(r"[+-]\d{1,3}|=|\d{1,3}(\.\d{1,2})?%", re.ASCII)
_MOST_PLIES = 1000
_MOST_NODES = 200

_KINDS: dict[str, type | tuple[type, ...]] = {
    "id": str,
    "game": str,
    "options": dict,
    "position": str,
    "theme": str,
    "unit": str,
    "value": str,
    "answer": str,
    "line": list,
    "difficulty": int,
    "actions": int,
    "traps": int,
    "is_found": bool,
}
_OPTIONAL: dict[str, type | tuple[type, ...]] = {"distance": int, "tree": dict, "goal": str}


def checked(number: int, data: object) -> Puzzle:
    """Returns a puzzle made of data; raises `BadPuzzle` with the number of the puzzle and what is wrong."""
    try:
        return _checked(data)
    except DamierError as error:
        raise BadPuzzle(message("Puzzle {number} is damaged: {why}", number=number, why=error.message)) from None


def _refuse(why: Message) -> NoReturn:
    raise BadPuzzle(why)


def _checked(data: object) -> Puzzle:
    if not isinstance(data, dict):
        _refuse(message("It is no object."))
    for name, kind in _KINDS.items():
        _check_kind(name, data.get(name), kind)
    for name, kind in _OPTIONAL.items():
        if name in data:
            _check_kind(name, data[name], kind)
    names = [field.name for field in dataclasses.fields(Puzzle) if field.name != "line"]
    fields: dict[str, Any] = {name: data.get(name) for name in names}
    puzzle = Puzzle(**fields, line=_line(data))
    _check_fields(puzzle)
    _check_play(puzzle)
    return puzzle


def _check_kind(name: str, value: Any, kind: type | tuple[type, ...]) -> None:
    is_odd = kind is int and isinstance(value, bool)
    if is_odd or not isinstance(value, kind):
        _refuse(message("The field {name} is missing or of another kind.", name=name))


def _line(data: dict[str, Any]) -> tuple[str, ...]:
    line = data["line"]
    if not line or not all(isinstance(action, str) for action in line):
        _refuse(message("The field {name} is missing or of another kind.", name="line"))
    return tuple(line)


def _check_fields(puzzle: Puzzle) -> None:
    """Refuses numbers and names that are none of those there are."""
    is_known = puzzle.theme in THEMES and puzzle.unit in UNITS and VALUE.fullmatch(puzzle.value)
    if not is_known or puzzle.difficulty not in DIFFICULTIES:
        _refuse(message("It has a theme, unit, value or difficulty that there is not."))
    if puzzle.distance is not None and not 1 <= puzzle.distance <= _MOST_PLIES:
        _refuse(message("The field {name} is missing or of another kind.", name="distance"))
    if (puzzle.tree is None) != puzzle.loaded.traits.has_long_turns:
        _refuse(message("The field {name} is missing or of another kind.", name="tree"))


def _check_play(puzzle: Puzzle) -> None:
    """Refuses what cannot be played."""
    record = puzzle.loaded.record(puzzle.position)
    if puzzle.id != puzzle_id(record.position):
        _refuse(message("Its id is not that of its position."))
    legal = record.actions()
    if len(legal) != puzzle.actions or puzzle.traps not in range(len(legal)):
        _refuse(message("It counts its actions wrong."))
    if not "+".join(puzzle.line).startswith(puzzle.answer):
        _refuse(message("Its line does not begin with its answer."))
    for action in puzzle.line:
        record.play(action)
    if puzzle.goal is not None:
        puzzle.loaded.parse(puzzle.goal)
    if puzzle.tree is not None:
        right = puzzle.tree.get("right")
        if not isinstance(right, dict) or list(right) != [puzzle.answer]:
            _refuse(message("Its answer is not the right one of its tree."))
        _check_node(Record(puzzle.start), puzzle.tree, [_MOST_NODES])


def _check_node(record: Record, node: PuzzleNode, room: list[int]) -> None:
    """Refuses a node with an action that cannot be played, and too many nodes."""
    room[0] -= 1
    right, same, wrong, rest = node.get("right"), node.get("same", {}), node.get("wrong", {}), node.get("else")
    is_node = all(isinstance(each, dict) for each in (right, same, wrong)) and isinstance(rest, str | None)
    if not is_node or room[0] < 0:
        _refuse(message("Its tree has no proper form."))
    assert isinstance(right, dict)
    legal, named = set(record.actions()), {*right, *same}
    for action, main in same.items():
        if main not in right or record.position.play(action) != record.position.play(main):
            _refuse(message("Its tree has no proper form."))
    for what, texts in wrong.items():
        if not isinstance(texts, str):
            _refuse(message("Its tree has no proper form."))
        _check_what(what)
        for action in texts.split(" "):
            named.add(action)
            _check_replies(record, action, what.split(" ")[1:])
    if rest is not None:
        _check_what(rest)
        for action in legal - named:
            _check_replies(record, action, rest.split(" ")[1:])
    if not named <= legal or (rest is None and named != legal):
        _refuse(message("Its tree does not name the legal actions."))
    for action, after in right.items():
        _check_right(record, action, after, room)


def _check_what(what: str) -> None:
    if not VALUE.fullmatch(what.split(" ")[0]):
        _refuse(message("Its tree has no proper form."))


def _check_replies(record: Record, action: str, replies: list[str]) -> None:
    """Refuses what cannot be played after an action."""
    done = 0
    try:
        for text in [action, *replies]:
            record.play(text)
            done += 1
    finally:
        for _ in range(done):
            record.undo()


def _check_right(record: Record, action: str, after: object, room: list[int]) -> None:
    """Checks a right action with what follows."""
    if not (isinstance(after, list) and len(after) == 2 and isinstance(after[0], str)):
        _refuse(message("Its tree has no proper form."))
    reply, node = after
    played = [action, *reply.split()]
    _check_replies(record, action, played[1:])
    if node is None:
        return
    if not isinstance(node, dict):
        _refuse(message("Its tree has no proper form."))
    for text in played:
        record.play(text)
    _check_node(record, node, room)
    for _ in played:
        record.undo()
