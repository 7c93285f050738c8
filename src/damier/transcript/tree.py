"""The transcript of a game: who played, when, every action with comments and variations, and the result.

A transcript is a tree of nodes, one for each action. The first child continues the line, the others are variations.
`Transcript.text` prints it in the spirit of PGN, `Transcript.to_json` as data; ``docs/records.md`` specifies both.
``text_format.py`` and ``json_format.py`` read them back.

Nothing here recurses, and every line of a tree is played on one record, so the cost is linear in the number of actions,
however deep the tree: 0.05 to 0.12 ms an action to read, where the rules judge each one, and 0.01 to 0.02 ms to print.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from damier.core.errors import BadArgument, BadRecord
from damier.core.game import Game
from damier.core.messages import Message, message, shown
from damier.core.outcome import ABORT, ACTS, UNFINISHED, Result
from damier.core.position import Position
from damier.core.record import Record, eliminated, ends_turn, position_after

Load = Callable[..., Game]
"""Returns a game by its name and options, as `damier.load` does."""

TAGS = ("Game", "Options", "Position", "Players", "Date", "Result", "Reason")
"""The tags that have a meaning, in the order in which they are printed; all others are a person's own."""

"""The result of a game that goes on."""

_WIDTH = 100  # columns of the printed movetext
_TAG_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)


@dataclass(eq=False, repr=False, slots=True)
class Node:
    """One action in a transcript, with what follows it; the root is the start, without an action."""

    action: str
    comment: str = ""
    children: list[Node] = field(default_factory=list)
    """What may follow: the line goes on with the first, the others are variations in their order."""

    def __repr__(self) -> str:
        return f"<node {self.action or 'start'} with {len(self.children)} children>"


@dataclass(eq=False, repr=False)
class Transcript:
    """The transcript of a game.

    The actions and the result are taken as they are: make them with a `Record`, or read them from text or JSON, which
    checks them by the rules.

    >>> import damier
    >>> record = damier.load(damier.games()[1]).record()
    >>> record.play("a1")
    >>> Transcript.of(record, players=("Ann", "Bob"), date="2026-11-15").text().splitlines()[1:]
    ['[Players "Ann; Bob"]', '[Date "2026-11-15"]', '[Result "*"]', '', '1. a1']
    """

    start: Position
    root: Node = field(default_factory=lambda: Node(""))
    result: Result | None = None
    """None while the game goes on."""

    players: tuple[str, ...] = ()
    """The names of the players in the order in which they act, or () if nobody wrote them down."""

    date: str = ""
    """The day as ``2026-11-15``, or nothing."""

    tags: dict[str, str] = field(default_factory=dict)
    """All further tags in their order."""

    def __post_init__(self) -> None:
        check_players(self.game, self.players)
        check_date(self.date)
        for name, value in self.tags.items():
            check_tag(name, value)

    @classmethod
    def of(
        cls, record: Record, *, players: Sequence[str] = (), date: str = "", tags: Mapping[str, str] | None = None
    ) -> Transcript:
        """Returns the transcript of a game as it has been played so far."""
        transcript = cls(record.start, result=record.result, players=tuple(players), date=date, tags=dict(tags or {}))
        extend(transcript.root, record.played)
        return transcript

    @classmethod
    def from_json(cls, data: object, load: Load) -> Transcript:
        """Returns the transcript that JSON data describe; raises `BadRecord` with what is wrong, and where."""
        from damier.transcript.json_format import transcript_of_json

        return transcript_of_json(data, load)

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.start.game

    @property
    def result_text(self) -> str:
        """The result in one word: the winner as in the notation, ``draw``, or ``*`` while the game goes on."""
        return self.result.text if self.result else UNFINISHED

    def main_line(self) -> Iterator[Node]:
        """Yields the nodes of the game as it was played, without the root."""
        node = self.root
        while node.children:
            node = node.children[0]
            yield node

    def nodes(self) -> Iterator[Node]:
        """Yields every node: the root, then each action before those that follow it."""
        todo = [self.root]
        while todo:
            node = todo.pop()
            yield node
            todo += reversed(node.children)

    def record(self) -> Record:
        """Returns the game as it was played, variations left out."""
        record = Record(self.start)
        for node in self.main_line():
            record.play(node.action)
        if self.result and self.result.is_aborted:
            record.abort()
        elif self.result and self.result.reason in ACTS:
            record.end_by_act(self.result.winner, self.result.reason)
        return record

    def text(self) -> str:
        """Returns the transcript as text; a file of many has a blank line between them."""
        lines = [f"[{name} {_quoted(value)}]\n" for name, value in self._tag_values() if value or name in self.tags]
        moves = _wrapped(_words(self))
        return "".join(lines) + (f"\n{moves}\n" if moves else "")

    def to_json(self) -> dict[str, Any]:
        """Returns the transcript as data for JSON."""
        from damier.transcript.json_format import json_of_transcript

        return json_of_transcript(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Transcript) and self._summary() == other._summary()

    def __repr__(self) -> str:
        return f"<transcript of {self.game.name}, {sum(1 for _ in self.nodes()) - 1} actions, {self.result_text}>"

    def _summary(self) -> list[object]:
        """Returns what equality compares: each node with its number of children is the whole tree."""
        tree = [(node.action, node.comment, len(node.children)) for node in self.nodes()]
        return [self.start, self.result, self.players, self.date, list(self.tags.items()), tree]

    def _tag_values(self) -> list[tuple[str, str]]:
        game = self.game
        values = (
            game.name,
            game.options_text,
            "" if self.start == game.start else str(self.start),
            "; ".join(self.players),
            self.date,
            self.result_text,
            self.result.reason if self.result else "",
        )
        return [*zip(TAGS, values, strict=True), *self.tags.items()]


def transcripts_text(transcripts: Iterable[Transcript]) -> str:
    """Returns many transcripts as the text of one file."""
    return "\n".join(transcript.text() for transcript in transcripts)


def refuse_long(count: int, most: int) -> None:
    """Raises `BadRecord` if a game has more than `most` actions."""
    if count > most:
        raise BadRecord(
            message("The game has {count} actions with its variations: {most} are the most.", count=count, most=most)
        )


def extend(node: Node, actions: Sequence[str]) -> list[Node]:
    """Adds a line of actions after a node and returns its nodes."""
    line = []
    for action in actions:
        following = Node(action)
        node.children.append(following)
        line.append(following)
        node = following
    return line


def replay(root: Node, record: Record) -> Iterator[tuple[Node, int]]:
    """Yields every node but the root, with the record where its action is due and the number of actions before it.

    The caller plays the action. Variations come before what they are an alternative to, so that in the end the record
    stands at the end of the main line.
    """
    todo = [(child, 0) for child in _main_last(root)]
    depth = 0
    while todo:
        node, before = todo.pop()
        for _ in range(depth - before):
            record.undo()
        yield node, before
        depth = before + 1
        todo += [(child, depth) for child in _main_last(node)]


def _main_last(node: Node) -> list[Node]:
    """Returns the children in the order in which a stack gives back the variations in turn, then the main line."""
    return node.children[:1] + node.children[:0:-1]


def settle(record: Record, given: str | None, reason: str | None) -> Result | None:
    """Ends a record as a file says and returns the result; raises `BadRecord` where the rules contradict.

    `given` is the result in one word and `reason` its code; None where the file says nothing.
    """
    _check_ending(record.game, given, reason)
    by_rules = record.result
    if by_rules:
        if given == UNFINISHED:
            raise BadRecord(
                message("The game is given as unfinished, but it is over: {result}", result=by_rules.message)
            )
        if given not in (None, by_rules.text):
            raise BadRecord(
                message("It is given as {given}, but the rules say: {result}", given=given, result=by_rules.message)
            )
        if reason not in (None, by_rules.reason):
            raise BadRecord(
                message("The reason is given as {given}, but it is {reason}.", given=reason, reason=by_rules.reason)
            )
        return by_rules
    if given in (None, UNFINISHED):
        if reason == ABORT:
            record.abort()
            return record.result
        if reason is not None:
            raise BadRecord(message("The reason is given as {given}, but the game has no result.", given=reason))
        return None
    if reason not in ACTS:
        raise BadRecord(
            message(
                "By the rules the game is not over, so the result {given} needs one of the reasons {reasons}.",
                given=given,
                reasons=", ".join(ACTS),
            )
        )
    try:
        record.end_by_act(None if given == "draw" else given, reason)
    except BadArgument as error:
        raise BadRecord(error.message) from None
    return record.result


def _check_ending(game: Game, given: str | None, reason: str | None) -> None:
    results = (*game.players, "draw", UNFINISHED)
    if given is not None and given not in results:
        raise BadRecord(
            message("A result is one of {results}, not {text}.", results=", ".join(results), text=shown(given))
        )
    if reason is not None and reason not in (*game.reasons(), ABORT):
        reasons = ", ".join([*game.reasons(), ABORT])
        raise BadRecord(message("A reason is one of {reasons}, not {text}.", reasons=reasons, text=shown(reason)))


def check_players(game: Game, names: Sequence[str]) -> None:
    """Refuses names that do not fit the game or could not be written in one line."""
    count = len(game.players)
    if names and len(names) != count:
        raise BadRecord(message("There are {count} players, not {given}.", count=count, given=len(names)))
    for name in names:
        if name != name.strip() or ";" in name or not _is_line(name):
            raise BadRecord(
                message("A player's name is in one line without ; and outer spaces, not {name}.", name=shown(name))
            )


def check_date(text: str) -> None:
    """Refuses a text that is neither empty nor a date."""
    if text:
        try:
            if not _DATE.fullmatch(text):
                raise ValueError
            datetime.date.fromisoformat(text)
        except ValueError:
            example = "2026-11-15"
            raise BadRecord(
                message("A date is written like {example}, not {text}.", example=example, text=shown(text))
            ) from None


def check_tag(name: str, value: str) -> None:
    """Refuses a further tag that could not be written or has a meaning of its own."""
    if name in TAGS or not _TAG_NAME.fullmatch(name):
        raise BadRecord(
            message(
                "A further tag has a name of letters and digits other than {names}, not {name}.",
                names=", ".join(TAGS),
                name=shown(name),
            )
        )
    if not _is_line(value):
        raise BadRecord(message("The value of the tag {name} is in one line.", name=shown(name)))


def action_refusal(action: str, reason: Message) -> Message:
    """Returns the part of a sentence that says which action of a file is refused, and why."""
    plain = action if 0 < len(action) <= 20 and action.isascii() and action.isprintable() else shown(action)
    return message("the action {action} is refused: {reason}", action=plain, reason=reason)


def _is_line(text: str) -> bool:
    return "\n" not in text and "\r" not in text and is_writable(text)


def is_writable(text: str) -> bool:
    """Tells whether a text can be written to a file: JSON may hold halves of letters that UTF-8 cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _comment(text: str) -> str:
    return "{" + text.replace("\\", "\\\\").replace("}", "\\}") + "}"


class _Due(NamedTuple):
    """A node that is to be printed next, at the beginning of a token."""

    node: Node
    before: Position
    turns: int
    """How many turns have been completed before it."""

    variations: Sequence[Node] = ()
    """The alternatives to it, to be printed after its token; those of a variation stand outside it."""

    opening: str = ""


def _words(transcript: Transcript) -> list[str]:
    """Returns the movetext in parts between which a line may be broken; a comment is one part."""
    root = transcript.root
    words: list[list[str]] = [[_comment(root.comment)]] if root.comment else []
    todo: list[_Due | None] = []  # what to print, last first; None is the end of a variation
    if root.children:
        todo.append(_Due(root.children[0], transcript.start, 0, root.children[1:]))
    while todo:
        due = todo.pop()
        if due is None:
            words[-1].append(")")
            continue

        # Step 1. A token: the action and those of the same player and turn that nothing keeps apart from it.
        node, position = due.node, _after(due.before, due.node)
        token = [node.action]
        while not (position.is_settled or node.comment) and len(node.children) == 1:
            words_apart = (node, node.children[0])  # somebody who goes out is a word of their own
            if position.mover != due.before.mover or any(
                eliminated(transcript.game, each.action) for each in words_apart
            ):
                break
            node = node.children[0]
            token.append(node.action)
            position = _after(position, node)
        is_new_turn = due.before is transcript.start or due.before.is_settled
        words.append([due.opening, f"{due.turns + 1}. " if is_new_turn else "", "+".join(token)])
        if node.comment:
            words.append([_comment(node.comment)])

        # Step 2. Next come the variations, each up to its end, and then the rest of this line.
        if node.children:
            turns = due.turns + ends_turn(due.before, position, node.action)
            todo.append(_Due(node.children[0], position, turns, node.children[1:]))
        for variation in reversed(due.variations):
            todo += [None, _Due(variation, due.before, due.turns, opening="(")]
    return ["".join(word) for word in words]


def _after(position: Position, node: Node) -> Position:
    return position_after(position, node.action)


def _wrapped(words: Sequence[str]) -> str:
    """Returns words in lines of at most `_WIDTH` columns where a space can be a line break."""
    parts: list[str] = []
    column = 0
    for word in words:
        lines = word.split("\n")
        if column:
            is_room = column + 1 + len(lines[0]) <= _WIDTH
            parts.append(" " if is_room else "\n")
            column = column + 1 if is_room else 0
        parts.append(word)
        column = len(lines[-1]) + (column if len(lines) == 1 else 0)
    return "".join(parts)
