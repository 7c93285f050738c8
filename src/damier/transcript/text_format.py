"""Reads transcripts from text: tags, numbered turns, comments and variations, many games to a file.

Each game is read in two passes. The first knows only brackets, words and lines, and makes the tree; the second plays
every line of the tree by the rules. ``docs/records.md`` specifies the text.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from damier.core.errors import BadOption, BadRecord, DamierError, IllegalAction
from damier.core.game import Game
from damier.core.messages import Message, message, shown
from damier.core.record import Record
from damier.transcript.tree import (
    TAGS,
    Load,
    Node,
    Transcript,
    action_refusal,
    check_date,
    check_players,
    extend,
    refuse_long,
    replay,
    settle,
)

# The quantifiers are possessive: matching takes linear time.
_SPACE = re.compile(r"[ \t\r\n\f\v]*+")
_TAG = re.compile(r'\[[ \t]*+([A-Za-z][A-Za-z0-9_]*+)[ \t]*+"((?:[^"\\\r\n]++|\\[^\r\n])*+)"[ \t]*+\]', re.ASCII)
_COMMENT = re.compile(r"\{((?:[^}\\]++|\\[}\\])*+)")
_WORD = re.compile(r"[^ \t\r\n\f\v(){}\[\]]++")
_NUMBER = re.compile(r"[0-9]++\.", re.ASCII)
_BAD_TAG_ESCAPE = re.compile(r'(?:[^\\]++|\\["\\])*+\\')
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def parse_transcripts(text: str, load: Load) -> Iterator[Transcript]:
    """Yields the transcripts of a file one by one; raises `BadRecord` with the line and what is wrong there."""
    games: dict[tuple[str, str], Game] = {}
    for draft in _drafts(text):
        yield draft.transcript(load, games)


def parse_transcript(text: str, load: Load) -> Transcript:
    """Returns the transcript in a text with exactly one; raises `BadRecord` with the line and what is wrong there."""
    drafts = _drafts(text)
    first = next(drafts)
    second = next(drafts, None)
    if second:
        raise _refusal(second.line, message("a second game begins here, where one is expected."))
    return first.transcript(load, {})


def pick_transcript(text: str, load: Load, number: int, most: int) -> tuple[Transcript | None, int]:
    """Returns game `number` of a file, from 1, or None, and how many games there are.

    Only that game is checked by the rules; raises `BadRecord` also if it has more than `most` actions.
    """
    drafts = list(_drafts(text))
    if number > len(drafts):
        return None, len(drafts)
    chosen = drafts[number - 1]
    refuse_long(len(chosen.places), most)
    return chosen.transcript(load, {}), len(drafts)


class _Place(NamedTuple):
    """Where an action stands in the text, and how."""

    line: int
    number: str
    """The turn number before it, or nothing."""

    is_joined: bool
    """It is joined with + to the action before."""


class _Tag(NamedTuple):
    value: str
    line: int


@dataclass
class _Draft:
    """A transcript as it was written, not yet checked by the rules."""

    line: int
    tags: dict[str, _Tag] = field(default_factory=dict)
    root: Node = field(default_factory=lambda: Node(""))
    places: dict[Node, _Place] = field(default_factory=dict)

    def transcript(self, load: Load, games: dict[tuple[str, str], Game]) -> Transcript:
        """Returns the transcript, checked by the rules; `games` are those that the file has named so far."""
        game = self._game(load, games)
        with self._blaming("Position"):
            start = game.parse(self._value("Position")) if self._value("Position") else game.start
        with self._blaming("Players"):
            names = self._value("Players")
            players = tuple(name.strip() for name in names.split(";")) if names else ()
            check_players(game, players)
        with self._blaming("Date"):
            check_date(self._value("Date"))
        record = Record(start)
        self._play(record)
        with self._blaming("Result" if "Result" in self.tags else "Reason"):
            result = settle(record, self._value("Result") or None, self._value("Reason") or None)
        further = {name: tag.value for name, tag in self.tags.items() if name not in TAGS}
        return Transcript(start, self.root, result, players, self._value("Date"), further)

    def _value(self, name: str) -> str:
        """Returns the value of a tag; no tag is the same as an empty one."""
        return self.tags[name].value if name in self.tags else ""

    @contextlib.contextmanager
    def _blaming(self, name: str) -> Iterator[None]:
        """Adds the line of a tag to an error."""
        try:
            yield
        except DamierError as error:
            problem = message("the tag {name} is refused: {reason}", name=name, reason=error.message)
            raise _refusal(self.tags[name].line, problem) from None

    def _game(self, load: Load, games: dict[tuple[str, str], Game]) -> Game:
        name, options = self._value("Game"), self._value("Options")
        if (name, options) not in games:
            with self._blaming("Game"):
                game = load(name)
            if options:
                with self._blaming("Options"):
                    game = load(name, **_parse_options(options))
            games[name, options] = game
        return games[name, options]

    def _play(self, record: Record) -> None:
        """Plays every line of the tree, and leaves the record at the end of the main line."""
        moments: list[tuple[int, str]] = []  # the turns completed and the mover before each action of the present line
        for node, depth in replay(self.root, record):
            place = self.places[node]
            del moments[depth:]
            moments.append((record.turn, record.mover))
            turn = str(record.turn + 1)
            if place.number not in ("", turn):
                number = shown(place.number)
                problem = message("the turn number {number} is wrong: this is turn {turn}.", number=number, turn=turn)
                raise _refusal(place.line, problem)
            try:
                record.play(node.action)
            except IllegalAction as error:
                raise _refusal(place.line, action_refusal(node.action, error.message)) from None
            if place.is_joined and moments[-1] != moments[-2]:
                action = node.action
                problem = message("the action {action} is joined to one of another player or turn.", action=action)
                raise _refusal(place.line, problem)


def _parse_options(text: str) -> dict[str, object]:
    """Returns the options written as in ``size=5 bombs=6``."""
    options: dict[str, object] = {}
    for word in text.split():
        name, sign, value = word.partition("=")
        if not sign:
            example = "name=value"
            raise BadOption(
                message("An option is written like {example}, not {text}.", example=example, text=shown(word))
            )
        if name in options:
            raise BadOption(message("The option {name} is given twice.", name=shown(name)))
        options[name] = value
    return options


def _refusal(line: int, problem: Message) -> BadRecord:
    return BadRecord(message("Line {line}: {problem}", line=line, problem=problem))


class _Reader:
    """A text, and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 1 if text.startswith("\ufeff") else 0  # some editors begin a file with this mark
        self.line = 1
        self.has_blank_line = False
        """Whether a blank line stands before the next letter."""

    def peek(self) -> str:
        """Skips spaces and line breaks and returns the next letter, or nothing at the end."""
        end = self._match(_SPACE).end()
        breaks = self.text.count("\n", self.at, end)
        self.has_blank_line = breaks > 1
        self.line += breaks
        self.at = end
        return self.text[end : end + 1]

    def letter(self) -> None:
        """Reads a letter other than a line break."""
        self.at += 1

    def word(self) -> str:
        """Reads up to the next space or bracket."""
        match = self._match(_WORD)
        self.at = match.end()
        return match.group()

    def tag(self) -> tuple[str, _Tag]:
        """Reads a tag and returns its name and value."""
        match = _TAG.match(self.text, self.at)
        if not match:
            example = '[Date "2026-11-15"]'
            raise self.refusal(message("a tag is written in one line like {example}.", example=example))
        name, value = match.groups()
        if _BAD_TAG_ESCAPE.match(value):
            raise self.refusal(
                message('in the tag {name} a backslash may stand only before " or another backslash.', name=shown(name))
            )
        self.at = match.end()
        return name, _Tag(_ESCAPE.sub(r"\1", value), self.line)

    def comment(self) -> str:
        """Reads a comment and returns its text."""
        match = self._match(_COMMENT)
        end = match.end()
        if self.text[end : end + 1] != "}":
            if end + 1 >= len(self.text):
                raise self.refusal(message("the comment that begins here is not closed."))
            self.line += self.text.count("\n", self.at, end)
            raise self.refusal(message("in a comment a backslash may stand only before }} or another backslash."))
        self.line += self.text.count("\n", self.at, end)
        self.at = end + 1
        return _ESCAPE.sub(r"\1", match[1])

    def refusal(self, problem: Message) -> BadRecord:
        """Returns the error that something is wrong in the present line."""
        return _refusal(self.line, problem)

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = pattern.match(self.text, self.at)
        assert match, "the caller has looked at the next letter"
        return match


def _drafts(text: str) -> Iterator[_Draft]:
    """Yields the games of a text as they are written: at least one."""
    reader = _Reader(text)
    if not reader.peek():
        raise BadRecord(message("There is no game in this file."))
    while reader.peek():
        draft = _Draft(reader.line)
        _read_tags(reader, draft)
        if "Game" not in draft.tags:
            raise _refusal(draft.line, message("the game that begins here has no tag Game."))
        _read_movetext(reader, draft)
        yield draft


def _read_tags(reader: _Reader, draft: _Draft) -> None:
    while reader.peek() == "[":
        is_apart, before = reader.has_blank_line, reader.at
        name, tag = reader.tag()
        if name in draft.tags:
            if name == "Game" and is_apart:  # a game without a single action lies before it
                reader.at = before
                return
            raise reader.refusal(message("the tag {name} is given twice.", name=shown(name)))
        draft.tags[name] = tag


def _read_movetext(reader: _Reader, draft: _Draft) -> None:
    """Reads actions, comments and variations up to the next game or the end."""
    tip = draft.root  # the last action of the present line
    origin: Node | None = None  # what the last word of the present line was played after; None before its first word
    outer: list[tuple[Node, Node, int]] = []  # both of the lines around, and where in the text they were left
    comments: dict[Node, list[str]] = {}
    number, numbered = "", 0  # a turn number that waits for its action, and where in the text it stands
    while (letter := reader.peek()) not in ("", "["):
        if number and letter in "(){}":
            raise _lonely(number, numbered)
        if letter == "{":
            line = reader.line
            comment = reader.comment()
            if outer and origin is None:
                raise _refusal(line, message("a comment in a variation stands after an action."))
            comments.setdefault(tip, []).append(comment)
        elif letter == "(":
            if origin is None:
                raise reader.refusal(message("a variation stands after the action to which it is an alternative."))
            outer.append((tip, origin, reader.line))
            tip, origin = origin, None
            reader.letter()
        elif letter == ")":
            if not outer:
                raise reader.refusal(message("there is a ) without its (."))
            if origin is None:
                raise reader.refusal(message("there is no action in this variation."))
            tip, origin, _ = outer.pop()
            reader.letter()
        elif letter in "]}":
            raise reader.refusal(message("there is a {letter} out of place.", letter=letter))
        else:
            word = reader.word()
            if _NUMBER.fullmatch(word):
                if number:
                    raise _lonely(number, numbered)
                number, numbered = word[:-1], reader.line
                continue
            actions = word.split("+")
            if "" in actions:
                raise reader.refusal(message("a + joins two actions, without spaces, not {text}.", text=shown(word)))
            origin = tip
            for node in extend(origin, actions):
                draft.places[node] = _Place(reader.line, number, node is not origin.children[-1])
                tip, number = node, ""
    if number:
        raise _lonely(number, numbered)
    if outer:
        raise _refusal(outer[-1][2], message("the variation that begins here is not closed."))
    for node, texts in comments.items():
        node.comment = "\n".join(text for text in texts if text)


def _lonely(number: str, line: int) -> BadRecord:
    return _refusal(line, message("the turn number {number} does not stand before an action.", number=shown(number)))
