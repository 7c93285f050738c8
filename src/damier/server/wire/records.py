"""Wire models of records: reading and writing them, pictures of a board, and setting up positions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from damier.server.wire.board import BoardState, Points
from damier.server.wire.games import GameChoice, GameLine, OptionValues
from damier.server.wire.model import WireModel

_LONGEST_TEXT = 400_000
MOST_ACTIONS = 20_000  # of a game with its variations


class RecordText(WireModel):
    """A record to read; a bare list of actions is one of `game`, or of the only game that it fits."""

    text: str = Field(max_length=_LONGEST_TEXT)
    number: int = Field(default=1, ge=1)
    """Which of several games."""

    game: str = Field(default="", max_length=32)
    options: OptionValues = Field(default_factory=dict, max_length=16)
    start: str | None = Field(default=None, max_length=400)


class TreeNode(WireModel):
    """One action in a tree of variations; the first node stands for the beginning."""

    parent: int | None = None
    action: str = Field(default="", max_length=32)
    comment: str = Field(default="", max_length=4000)


class RecordDraft(GameChoice):
    """A record to write."""

    start: str | None = Field(default=None, max_length=400)
    tree: list[TreeNode] = Field(min_length=1, max_length=MOST_ACTIONS)
    format: Literal["text", "json"] = "text"
    players: list[Annotated[str, Field(max_length=100)]] = Field(default_factory=list, max_length=4)
    date: str = Field(default="", max_length=10)
    tags: dict[str, Annotated[str, Field(max_length=400)]] = Field(default_factory=dict, max_length=32)
    result: str | None = Field(default=None, max_length=8)
    reason: str | None = Field(default=None, max_length=32)


class TreeRoot(WireModel):
    """The beginning of a record that was read."""

    parent: None
    action: Literal[""]
    comment: str


class TreeAction(WireModel):
    """An action of a record that was read."""

    parent: int
    action: str
    turn: int
    player: str
    comment: str
    points: Points = None


class RecordData(WireModel):
    """A record that was read; each node of `tree` stands after its parent."""

    game: str
    options: OptionValues
    start: str | None
    tree: list[TreeRoot | TreeAction]
    players: list[str]
    date: str
    tags: dict[str, str]
    result: str | None
    """Only if an act of the players ended the game: the winner, or `draw`."""

    reason: str | None
    count: int
    """The number of games in the text."""


class RecordOutput(WireModel):
    """A record as text."""

    text: str


class PictureRequest(GameLine):
    """A moment of a game to draw."""

    theme: str = Field(default="light", max_length=16)
    size: int = 960
    coordinates: bool = True
    flip: bool = False


class PictureData(WireModel):
    """A board as SVG."""

    picture: str


class PlacedPiece(WireModel):
    """A piece set down on the board."""

    player: str = Field(max_length=4)
    cell: str = Field(max_length=4)


PartText = Annotated[str, Field(max_length=16, pattern="^[a-z0-9,-]+$")]


class SetupRequest(GameChoice):
    """A position being set up: a position string, in which pieces, side, hands and parts may be replaced."""

    position: str | None = Field(default=None, max_length=400)
    pieces: list[PlacedPiece] | None = Field(default=None, max_length=128)
    side: str | None = Field(default=None, max_length=8)
    hands: list[Annotated[int, Field(ge=0, le=99)]] | None = Field(default=None, max_length=4)
    parts: dict[str, PartText] | None = Field(default=None, max_length=16)
    """By name; used together with `pieces`."""


class PartData(WireModel):
    """A part of a position besides pieces, side and hands, and how it is chosen."""

    name: str
    title: str
    kind: Literal["cell", "pair", "choice", "players"]
    """A cell, two cells, one of `choices`, or some players in an order; written with commas, `-` for none."""

    choices: dict[str, str]
    """For a choice: what each text means."""

    player: str | None
    """For a cell: whose piece stands there."""

    mark: str | None
    """For a cell or a pair: the mark of the drawing that shows it."""

    can_be_none: bool


class SetupData(WireModel):
    """A position being set up."""

    position: str
    side: str
    problem: str | None
    """What is wrong with the position."""

    state: BoardState | None
    """Null while the position is wrong."""

    parts: dict[str, str]
    """The texts of the parts, by name."""

    tools: list[PartData]
    """What parts positions of this game have."""
