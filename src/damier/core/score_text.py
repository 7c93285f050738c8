"""Reads scores from text: tags, numbered turns, comments and variations, many games to a file.

Reading has two passes, each in the order of the file. The first knows only brackets, words and lines, and makes the
tree; the second plays every line of the tree by the rules. ``docs/records.md`` specifies the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from damier.core.errors import BadRecord, DamierError, IllegalAction
from damier.core.game import Game
from damier.core.messages import Message, message, shown
from damier.core.position import Position
from damier.core.record import Record
from damier.core.score import TAGS, Load, Node, Score, action_refusal, chosen_game, extend, replay, settle

# The quantifiers are possessive: nothing takes longer than the text is long.
_SPACE = re.compile(r"[ \t\r\n\f\v]*+")
_TAG = re.compile(r'\[[ \t]*+([A-Za-z][A-Za-z0-9_]*+)[ \t]++"((?:[^"\\\r\n]++|\\[^\r\n])*+)"[ \t]*+\]', re.ASCII)
_COMMENT = re.compile(r"\{((?:[^}\\]++|\\[}\\])*+)")
_WORD = re.compile(r"[^ \t\r\n\f\v(){}\[\]]++")
_NUMBER = re.compile(r"[0-9]++\.", re.ASCII)
_BAD_TAG_ESCAPE = re.compile(r'\\[^"\\]')
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def parse_scores(text: str, load: Load) -> Iterator[Score]:
    """Yields the scores of a file one by one; raises `BadRecord` with the line and what is wrong there."""
    games: dict[tuple[str, str], Game] = {}
    for draft in _drafts(text):
        yield draft.score(load, games)


def parse_score(text: str, load: Load) -> Score:
    """Returns the score in a text with exactly one; raises `BadRecord` with the line and what is wrong there."""
    first, *more = _drafts(text)
    if more:
        raise _refusal(more[0].line, message("a second game begins here, where one is expected."))
    return first.score(load, {})


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
    """A score as it was written, not yet checked by the rules."""

    line: int
    tags: dict[str, _Tag] = field(default_factory=dict)
    root: Node = field(default_factory=lambda: Node(""))
    places: dict[Node, _Place] = field(default_factory=dict)

    def score(self, load: Load, games: dict[tuple[str, str], Game]) -> Score:
        """Returns the score, checked by the rules; `games` are those that the file has named so far."""
        if "Game" not in self.tags:
            raise _refusal(self.line, message("the tag Game is missing: a game begins with it."))
        start = self._start(self._game(load, games))
        names = self._value("Players")
        score = self._checked(
            "Players", lambda: Score(start, players=tuple(name.strip() for name in names.split(";")) if names else ())
        )
    


def _refusal(line: int, problem: Message) -> BadRecord:
    return BadRecord(message("Line {line}: {problem}", line=line, problem=problem))
