"""Wire models of rule pages, lessons and puzzles."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from damier.server.wire.board import ActionData, DrawingData, PlayState
from damier.server.wire.games import OptionValues
from damier.server.wire.model import WireModel

# Rule pages


class TextSpan(WireModel):
    """Some words in one style."""

    text: str
    style: Literal["plain", "strong", "em", "code"]


SpanLine = list[TextSpan]


class TextBlock(WireModel):
    """A heading, a paragraph, a ruling or a list; only a list has several lines."""

    kind: Literal["heading", "paragraph", "list", "numbers", "ruling"]
    id: str
    level: int
    lines: list[SpanLine]


class TableBlock(WireModel):
    """A table; its first row is the head."""

    kind: Literal["table"]
    id: str
    rows: list[list[SpanLine]]


class PictureBlock(WireModel):
    """A picture: a game that can be played on."""

    kind: Literal["picture"]
    id: str
    alt: str
    options: OptionValues
    drawing: DrawingData
    start: str
    actions: list[str]
    state: PlayState


PageBlock = Annotated[TextBlock | TableBlock | PictureBlock, Field(discriminator="kind")]


class RulePage(WireModel):
    """The rule page of a game."""

    title: str
    blocks: list[PageBlock]


# Lessons


class LessonStepData(WireModel):
    """A step of a lesson, without the answer."""

    id: str
    chapter: Literal["basics", "tactics", "details", "variants"]
    board: int
    """Its place in the boards of the lesson."""

    title: str
    text: str
    kind: Literal["read", "cell", "action", "any", "refused"]
    cells: list[str]
    """To highlight."""

    hint: str | None
    buttons: list[ActionData]
    """Actions without cells that can be tried."""

    start: str
    actions: list[str]
    state: PlayState


class LessonBoard(WireModel):
    """The game with some options: variants have their own boards."""

    options: OptionValues
    drawing: DrawingData


class LessonData(WireModel):
    """The lesson of a game."""

    game: str
    title: str
    boards: list[LessonBoard]
    steps: list[LessonStepData]
    numbered: list[str]
    """The steps that the progress of learners once called 1, 2, 3 and so on."""


class LessonSteps(WireModel):
    """The ids of the steps of a lesson: enough to tell how much of it is done."""

    steps: list[str]
    basics: list[str]
    numbered: list[str]


class LessonAnswer(WireModel):
    """What a learner did in a step: actions, the cell asked for, or cells that no legal action has."""

    actions: list[Annotated[str, Field(max_length=32)]] = Field(default_factory=list, max_length=8)
    cell: str | None = Field(default=None, max_length=8)
    cells: list[Annotated[str, Field(max_length=8)]] = Field(default_factory=list, max_length=8)


class LessonVerdictData(WireModel):
    """The verdict on an answer, with the board after it and after the opponent's replies."""

    status: Literal["right", "go_on", "wrong"]
    sentence: str
    state: PlayState
    replies: list[PlayState]


class LessonSolution(WireModel):
    """A right answer: the cells to choose for it, its actions with their names, and the board after each."""

    actions: list[str]
    names: list[str]
    cells: list[str]
    states: list[PlayState]


# Puzzles


class PuzzleEntry(WireModel):
    """A puzzle in a list."""

    id: str
    theme: str
    difficulty: int
    rating: int


class PuzzleList(WireModel):
    """The puzzles of a game, easy ones first."""

    themes: dict[str, str]
    puzzles: list[PuzzleEntry]


class PuzzleData(WireModel):
    """A puzzle without its answer."""

    id: str
    game: str
    options: OptionValues
    start: str
    theme: str
    task: str
    player: str
    """Who is asked."""

    player_name: str
    difficulty: int
    rating: int
    actions: int
    """The number of legal actions in its position."""

    choices: list[str]
    """The numbers to choose from; empty if the answer is played on the board."""


class PuzzleAnswer(WireModel):
    """The actions from the position of a puzzle on, the opponent's replies among them; or the number alone."""

    actions: list[Annotated[str, Field(max_length=32)]] = Field(min_length=1, max_length=200)


class PuzzleVerdictData(WireModel):
    """Whether the actions so far are right, and what the opponent does."""

    kind: Literal["right", "solved", "wrong"]
    reply: list[str]
    refutation: list[str]
    sentence: str


class PuzzleHintRequest(WireModel):
    """The right actions so far, the opponent's replies among them."""

    actions: list[Annotated[str, Field(max_length=32)]] = Field(default_factory=list, max_length=200)
    step: Literal[1, 2] = 1
    """1: which piece or which part of the board; 2: the action."""


class PuzzleHintData(WireModel):
    """A hint."""

    sentence: str
    cells: list[str]
    """To point at."""

    action: str | None
    """The action, or the number; only in the second step."""


class PuzzleTryData(WireModel):
    """Other answers that fail in the same way."""

    actions: list[str]
    line: list[str]
    """The first of them and what refutes it."""

    sentence: str


class PuzzleSolution(WireModel):
    """How the game goes on with best play, and why the answer is right."""

    answer: str
    line: list[str]
    """Empty if a number is asked for."""

    reasons: list[str]
    """How many actions keep the result, and what follows."""

    tries: list[PuzzleTryData]
    """What every other action runs into, the most tempting first; of whole turns, some."""
