"""Wire models of boards: the empty board of a game, a position on it, and a game being played."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from damier.server.wire.model import WireModel

Points = Annotated[int | None, Field(exclude_if=lambda value: value is None)]
"""The points that the die shows; left out for an action that is no roll."""


class CellData(WireModel):
    """A cell of the board; lengths are in cells, (0, 0) is the upper left corner."""

    name: str
    x: float
    y: float
    outline: list[tuple[float, float]]
    kind: str
    fill: str
    """The token of its colour in the palette."""

    can_hold: bool
    has_grain: bool


class PieceArtworkData(WireModel):
    """SVG fragments that draw the pieces of one player; 1 is the width of a cell, (0, 0) its middle."""

    drawing: str
    small: str
    """For lists."""

    small_box: str
    """The `viewBox` of `small`."""

    gradient: str
    """What the fragments refer to, to be defined once in a page; may be empty."""


class LookData(WireModel):
    """How the pieces of one player look."""

    name: str
    shape: str
    colour: str
    pattern: str
    letter: str
    artwork: PieceArtworkData


class BoardArtworkData(WireModel):
    """SVG fragments that draw marks and special cells, and the grain of the wood."""

    marks: dict[str, str]
    cells: dict[str, str]
    """By kind of cell."""

    grain: dict[str, list[list[tuple[float, float]]]]
    """By cell: cubic curves of four points."""


class PieceData(WireModel):
    """A piece on the board."""

    player: str
    cell: str
    level: int
    """The number of pieces under it."""

    marks: list[str]


class GoalData(WireModel):
    """A small picture of the aim."""

    pieces: list[PieceData]
    winning: list[str]
    """The cells whose pieces made the win."""


class DrawingData(WireModel):
    """The empty board of a game, and how its pieces look."""

    width: float
    height: float
    view: str
    """`flat`, or `isometric` for boards with stacks."""

    has_hands: bool
    cells: list[CellData]
    looks: dict[str, LookData]
    """By player."""

    artwork: BoardArtworkData
    marks: dict[str, str]
    """How a mark of a piece or a cell is called, by name."""

    example: str
    """A legal action, as players write it."""

    rolls: dict[str, int]
    """The points of the die by chance action; empty without a die."""

    aim: str
    """The aim of the game in one sentence."""

    goal: GoalData | None
    """A position in which the aim is reached."""

    legend: dict[str, str]
    """What a mark of a piece or a cell means, by the names of `marks`."""


class LabelledPiece(PieceData):
    """A piece on the board, with its description for screen readers."""

    label: str


class WaitingPiece(WireModel):
    """A piece that waits beside the board."""

    player: str
    marks: list[str]
    label: str


class ResultData(WireModel):
    """How a game ended."""

    winner: str | None
    """Null for a draw."""

    reason: str
    sentence: str
    words: str | None
    """Why, in a few words without a capital that suit winner and loser; after "You win:"."""

    details: str | None
    """The end in a sentence with cells and numbers, if the board shows it."""


class BoardState(WireModel):
    """A position as a board shows it."""

    position: str
    pieces: list[LabelledPiece]
    marks: dict[str, list[str]]
    """By cell."""

    hands: dict[str, str]
    """By player: what to say of the pieces in hand."""

    hand_counts: dict[str, int]
    captions: list[str]
    waiting: list[WaitingPiece]
    winning: list[str]
    """The cells whose pieces made the win."""
    die: int | None
    """The points of the die that lies on the table."""

    result: ResultData | None


class LastAction(WireModel):
    """The action that led to a state."""

    action: str
    cells: list[str]
    player: str
    points: Points = None


class RouteData(WireModel):
    """The way of one piece, or the one cell of an action that moves none."""

    origin: str | None
    """Null for a piece from the hand, and for an action that has one cell."""

    path: list[str]
    """The cells between, in order."""

    target: str


class ActionMarksData(WireModel):
    """The cells of one action."""

    player: str
    action: str
    routes: list[RouteData]
    changed: list[str]
    """Further cells on which pieces came, went or changed hands, such as those of a chain reaction."""


class TurnMarksData(WireModel):
    """A turn that the board marks; rolls of the die are left out."""

    player: str
    """Whose turn it was; within it, another player may have answered."""

    actions: list[ActionMarksData]


class MomentState(BoardState):
    """A moment of a game given whole."""

    mover: str
    turn: int
    last: LastAction | None
    last_turns: list[TurnMarksData]
    """What the board marks, the oldest first.

    For a player of a match, the last turn of every opponent since the player's own; otherwise the last turn.
    """


class ActionData(WireModel):
    """A legal action; `cells` are to be chosen in order, `@` being the hand."""

    action: str
    cells: list[str]
    name: str | None = Field(default=None, exclude_if=lambda value: value is None)
    """The text of a button; left out where the action itself is the text."""

    points: Points = None


class GuideData(WireModel):
    """What the player on move can do, in neutral sentences."""

    phase: str | None
    """The part of the game or of the turn: "Placing: 3 bombs left"."""

    title: str
    """What to do, without a full stop: "Place a bomb on an empty cell"."""

    text: str
    """How, in one or two sentences."""

    next: dict[str, str]
    """What to choose next, by the cells clicked so far, joined by spaces; `@` is the hand."""


class PlayState(MomentState):
    """A game being played: the board, whose turn it is, and the legal actions."""

    mover_name: str | None
    actions: list[ActionData]
    guide: GuideData | None
    """Null when the game is over or the die is due."""


class PreviewData(WireModel):
    """What an action does, to be shown before it is played."""

    sentence: str | None
    """What it gives and costs."""

    gone: list[list[str]]
    """The cells whose pieces vanish, by step of a chain reaction."""

    moved: list[RouteData]
    """The ways of pieces on the board, and of a piece from the hand (`origin` null) that passes cells."""

    placed: list[str]
    """The cells that get a piece which was not on the board."""

    is_irreversible: bool
    """Whether to ask before it."""

    ends_turn: bool
    """Whether nobody acts in this turn after it."""


class PreviewsData(WireModel):
    """What the legal actions of a position do."""

    previews: dict[str, PreviewData]
    """By action; empty when the game is over or the die is due."""


class GameMoments(WireModel):
    """The moments of a game given whole: before the first action and after each."""

    states: list[MomentState]
