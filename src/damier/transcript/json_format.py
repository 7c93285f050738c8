"""A transcript as JSON data: flat, however deep its variations are. ``docs/records.md`` specifies the fields.

Line 0 is the main line, line i the variation number i of the list, counted from 1. A variation names the line it
leaves and how many actions of that line come before it.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from damier.core.errors import BadRecord, DamierError, IllegalAction
from damier.core.messages import Message, message, shown
from damier.core.outcome import UNFINISHED
from damier.core.record import Record
from damier.transcript.tree import (
    Load,
    Node,
    Transcript,
    action_refusal,
    check_date,
    check_players,
    check_tag,
    extend,
    is_writable,
    refuse_long,
    replay,
    settle,
)

FORMAT = "damier-record"
VERSION = 1

_LARGEST = 2**31  # no option is a larger number


def json_of_transcript(transcript: Transcript) -> dict[str, Any]:
    """Returns a transcript as data for JSON."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": transcript.game.name,
        "options": dict(transcript.game.options),
        "start": str(transcript.start),
    }
    if transcript.players:
        data["players"] = list(transcript.players)
    if transcript.date:
        data["date"] = transcript.date
    data["tags"] = dict(transcript.tags)
    has_result = transcript.result is not None and not transcript.result.is_aborted
    data["result"] = transcript.result_text if has_result else None
    data["reason"] = transcript.result.reason if transcript.result else None
    heads: list[tuple[int, int, Node]] = []  # of the variations: the line each leaves, after how many actions, and how
    data |= _line_data(transcript.root, 0, 0, heads)
    data["variations"] = []
    for line, (left, at, node) in enumerate(heads, 1):  # the list grows by the variations of the variations
        data["variations"].append({"line": left, "at": at, **_line_data(node, line, 1, heads)})
    return data


def _line_data(node: Node, line: int, count: int, heads: list[tuple[int, int, Node]]) -> dict[str, Any]:
    """Returns a line from a node on, its action number `count`, and adds the variations that leave the line."""
    actions = [node.action] if count else []
    comments = []
    while True:
        if node.comment:
            comments.append({"after": len(actions), "text": node.comment})
        heads += [(line, len(actions), other) for other in node.children[1:]]
        if not node.children:
            return {"actions": actions, "comments": comments}
        node = node.children[0]
        actions.append(node.action)


def parse_json(text: str, load: Load) -> Transcript:
    """Returns the transcript in a JSON text; raises `BadRecord` with what is wrong, and where."""
    return transcript_of_json(_parsed(text), load)


def parse_json_transcripts(text: str, load: Load) -> list[Transcript]:
    """Returns the transcripts in a JSON text that is one record or a list of them."""
    data = _parsed(text)
    if not isinstance(data, list):
        return [transcript_of_json(data, load)]
    if not data:
        raise BadRecord(message("There is no game in this file."))
    return [_of_list(data, number, load) for number in range(1, len(data) + 1)]


def pick_json_transcript(text: str, load: Load, number: int, most: int) -> tuple[Transcript | None, int]:
    """Returns record `number` of a JSON text, from 1, or None, and how many records there are.

    Only that record is checked by the rules; raises `BadRecord` also if it has more than `most` actions.
    """
    data = _parsed(text)
    if not isinstance(data, list):
        _refuse_long_data(data, most)
        return (transcript_of_json(data, load) if number == 1 else None), 1
    if not data:
        raise BadRecord(message("There is no game in this file."))
    if number > len(data):
        return None, len(data)
    _refuse_long_data(data[number - 1], most)
    return _of_list(data, number, load), len(data)


def _of_list(data: list[object], number: int, load: Load) -> Transcript:
    try:
        return transcript_of_json(data[number - 1], load)
    except BadRecord as error:
        raise BadRecord(message("Record {number}: {problem}", number=number, problem=error.message)) from None


def _refuse_long_data(data: object, most: int) -> None:
    """Raises `BadRecord` for a record with too many actions; what is not a record is refused when it is read."""
    if isinstance(data, dict):
        lines = [data, *(each for each in _listed(data.get("variations")) if isinstance(each, dict))]
        refuse_long(sum(len(_listed(line.get("actions"))) for line in lines), most)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadRecord(message("Line {line}: the text is not JSON from here on.", line=error.lineno)) from None
    except (ValueError, RecursionError):
        raise BadRecord(
            message("The text is not JSON of a record: it goes too deep or has too long a number.")
        ) from None


def transcript_of_json(data: object, load: Load) -> Transcript:
    """Returns the transcript that JSON data describe; raises `BadRecord` with what is wrong, and where."""
    fields = _read(data, "", _RECORD)
    if (fields["format"], fields["version"]) != (FORMAT, VERSION):
        raise BadRecord(
            message("A record has the format {format} and the version {version}.", format=FORMAT, version=VERSION)
        )
    with _blaming("game"):
        game = load(fields["game"])
    with _blaming("options"):
        game = load(fields["game"], **fields.get("options", {}))
    with _blaming("start"):
        start = game.parse(fields["start"]) if "start" in fields else game.start
    with _blaming("players"):
        players = tuple(fields.get("players", ()))
        check_players(game, players)
    with _blaming("date"):
        check_date(fields.get("date", ""))
    with _blaming("tags"):
        tags = dict(fields.get("tags", {}))
        for name, value in tags.items():
            check_tag(name, value)
    root, lines = _tree(fields)
    record = Record(start)
    _play(root, record, lines)
    with _blaming("result"):
        is_unfinished = "result" in fields and fields["result"] is None
        result = settle(record, UNFINISHED if is_unfinished else fields.get("result"), fields.get("reason"))
    return Transcript(start, root, result, players, fields.get("date", ""), tags)


def _tree(fields: Mapping[str, Any]) -> tuple[Node, list[list[Node]]]:
    """Returns the root and the nodes of each line, the node that it leaves first."""
    root = Node("")
    lines = [_line(root, fields, "", 0)]
    for i, item in enumerate(fields.get("variations", [])):
        path = f"variations[{i}]."
        variation = _read(item, path, _VARIATION)
        if variation["line"] > i:
            raise _misfit(f"{path}line", message("the number of an earlier line"))
        line = lines[variation["line"]]
        if variation["at"] >= len(line) - 1:
            raise _misfit(f"{path}at", message("less than the number of actions of the line"))
        if not variation["actions"]:
            raise _misfit(f"{path}actions", message("at least one action"))
        lines.append(_line(line[variation["at"]], variation, path, 1))
    return root, lines


def _line(before: Node, fields: Mapping[str, Any], path: str, first: int) -> list[Node]:
    """Adds a line after a node and returns its nodes, that one included; comments may stand from node `first` on."""
    line = [before, *extend(before, fields["actions"])]
    seen: set[int] = set()
    for i, item in enumerate(fields.get("comments", [])):
        comment = _read(item, f"{path}comments[{i}].", _COMMENT)
        after = comment["after"]
        if not first <= after < len(line) or after in seen:
            raise _misfit(
                f"{path}comments[{i}].after",
                message("a number from {low} to {high}, each of them once", low=first, high=len(line) - 1),
            )
        seen.add(after)
        line[after].comment = comment["text"]
    return line


def _play(root: Node, record: Record, lines: Sequence[Sequence[Node]]) -> None:
    """Plays every line of the tree, and leaves the record at the end of the main line."""
    for node, _ in replay(root, record):
        try:
            record.play(node.action)
        except IllegalAction as error:
            number, line = next((line.index(node), i) for i, line in enumerate(lines) if node in line[1:])
            problem = action_refusal(node.action, error.message)
            if line == 0:
                raise BadRecord(message("Action {number}: {problem}", number=number, problem=problem)) from None
            raise BadRecord(
                message("Action {number} of variation {line}: {problem}", number=number, line=line, problem=problem)
            ) from None


@contextlib.contextmanager
def _blaming(field: str) -> Iterator[None]:
    """Adds the name of a field to an error."""
    try:
        yield
    except DamierError as error:
        raise BadRecord(message("The field {field} is refused: {reason}", field=field, reason=error.message)) from None


class _Kind(NamedTuple):
    """What a field may hold."""

    fits: Callable[[object], bool]
    what: Message
    is_required: bool = False


def _is_text(value: object) -> bool:
    return isinstance(value, str) and is_writable(value)


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST


def _is_option(value: object) -> bool:
    return _is_text(value) or (type(value) is int and -_LARGEST <= value <= _LARGEST)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_object_of(fits: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, dict) and all(map(_is_text, value)) and all(map(fits, value.values()))


_TEXT = _Kind(_is_text, message("a text"))
_TEXT_OR_NULL = _Kind(lambda value: value is None or _is_text(value), message("a text or null"))
_COUNT = _Kind(_is_count, message("a whole number from 0 up"), True)
_TEXTS = _Kind(_is_texts, message("a list of texts"))
_OBJECTS = _Kind(_is_list, message("a list of objects"))
_LINE = {"actions": _TEXTS._replace(is_required=True), "comments": _OBJECTS}
_COMMENT = {"after": _COUNT, "text": _TEXT._replace(is_required=True)}
_VARIATION = {"line": _COUNT, "at": _COUNT, **_LINE}
_RECORD = {
    "format": _TEXT._replace(is_required=True),
    "version": _COUNT,
    "game": _TEXT._replace(is_required=True),
    "options": _Kind(_is_object_of(_is_option), message("an object of texts and whole numbers")),
    "start": _TEXT,
    "players": _TEXTS,
    "date": _TEXT,
    "tags": _Kind(_is_object_of(_is_text), message("an object of texts")),
    "result": _TEXT_OR_NULL,
    "reason": _TEXT_OR_NULL,
    **_LINE,
    "variations": _OBJECTS,
}


def _read(data: object, path: str, kinds: Mapping[str, _Kind]) -> dict[str, Any]:
    """Returns an object after a look at the type of each field; `path` leads to it from the record."""
    if not isinstance(data, dict):
        raise _misfit(path.rstrip("."), message("an object")) if path else BadRecord(message("A record is an object."))
    for name in data:
        if name not in kinds:
            raise BadRecord(message("A record has no field {field}.", field=shown(f"{path}{name}")))
    for name, kind in kinds.items():
        if name not in data:
            if kind.is_required:
                raise BadRecord(message("The field {field} is missing.", field=path + name))
        elif not kind.fits(data[name]):
            raise _misfit(path + name, kind.what)
    return data


def _misfit(field: str, what: Message) -> BadRecord:
    return BadRecord(message("The field {field} must be {what}.", field=field, what=what))
