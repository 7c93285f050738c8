"""Wire models of analysis: values of actions, hints, reviews, tables, and the messages of the analysis socket."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from damier.server.wire.board import RouteData
from damier.server.wire.games import GameChoice, GameLine, OptionValues
from damier.server.wire.matches import LONGEST_ID, Attempt
from damier.server.wire.model import ErrorAnswer, WireModel

_MOST_LINES = 8
_MOST_POSITIONS = 1_000


class LineAttempt(GameLine, Attempt):
    """A game given whole, and what a visitor tried to do in it."""


class ActionValue(WireModel):
    """The value of an action or a line, for the player on move."""

    value: Literal["win", "draw", "loss"] | None
    """Null where nothing is forced."""

    distance: int | None
    unit: Literal["plies"]
    own_moves: int | None
    """How many of those plies are of the player on move; null where players do not act by turns, one action each."""

    chance: float
    is_proved: bool
    """Certain in the game that is played: not an estimate, and not spoilt by what was played before."""

    text: str


class ActionValues(WireModel):
    """The values of all legal actions."""

    is_from_table: bool
    """From a table, not estimated by a search."""

    is_exact: bool
    """From a table, and all of them proved."""

    values: dict[str, ActionValue]
    note: str | None
    """A sentence to show with values of a table that are not all proved."""


class HintData(WireModel):
    """One good action."""

    action: str
    reason: str | None


# Tables


class BuildProgress(WireModel):
    """How far the building of a table is."""

    share: float
    seconds: float | None
    """Time left, if it can be estimated."""


class TableStatus(WireModel):
    """Whether the table of a game is there, can be built, or is being built."""

    is_solvable: bool
    is_built: bool
    progress: BuildProgress | None
    error: str | None
    minutes: int | None
    """About how long building takes."""


class TableOffer(WireModel):
    """A table that can be downloaded."""

    game: str
    options: OptionValues
    entries: int
    bytes: int
    sha256: str
    """Of the file, in hexadecimal; also its ETag."""

    address: str
    """Of the file, on this server."""


class TableOffers(WireModel):
    """The tables that can be downloaded."""

    tables: list[TableOffer]


class TableProbe(GameChoice):
    """Positions to look up in a table."""

    positions: list[Annotated[str, Field(max_length=400)]] = Field(max_length=_MOST_POSITIONS)


class ProbedValues(WireModel):
    """The values of positions, in their order, each for the player on move or about to roll."""

    outcomes: list[Literal[-1, 0, 1]]
    """1 for a win, 0 for a draw, -1 for a loss; in a game with a die, 0 until the game is over."""

    plies: list[int | None]
    """The distance to the end, 0 if the game is over; null where there is none."""

    chances: list[float]
    """The chance to win; 0.5 for a draw."""


# Reviews


class ReviewStart(WireModel):
    """The first line of a review."""

    chances: list[float]
    is_from_table: bool
    is_exact: bool
    """From a table, and certain whatever was played before."""


class ReviewStep(WireModel):
    """One action of a reviewed game."""

    chances: list[float]
    """After the action, for each player."""

    number: int
    turn: int
    player: str
    action: str
    loss: float | None
    """The winning chance that the action gave away; null for a roll."""

    is_mistake: bool
    mark: Literal["!", "?!", "?", "??"] | None
    """How good or bad the action was, where that is worth a mark."""

    has_choice: bool
    """Whether there was another legal action; only such actions count for the accuracy of a player."""

    before: list[float]
    better: list[str]
    better_turns: list[list[str]]
    """The same actions by turn."""


ReviewLine = ReviewStart | ReviewStep | ErrorAnswer
"""A line of a review, which is sent as newline-delimited JSON."""


# The analysis socket


class AnalysisQuery(GameLine):
    """Asks for the best lines of a position; the query before it is cancelled."""

    id: str = Field(default="", max_length=LONGEST_ID)
    lines: int = Field(default=3, ge=1, le=_MOST_LINES)


class AnalysisStop(WireModel):
    """Cancels the query before it."""

    id: str = Field(default="", max_length=LONGEST_ID)


AnalysisRequest = AnalysisQuery | AnalysisStop


class AnalysisLine(ActionValue):
    """A line of play with its value; it can be played to its end."""

    actions: list[str]
    turns: list[list[str]]
    """The same actions by turn."""

    routes: list[RouteData]
    """The ways of pieces in the first action, to draw it on the board."""


class AnalysisUpdate(WireModel):
    """What a search has found so far."""

    id: str
    is_from_table: bool
    is_exact: bool
    """From a table, and all values proved."""

    depth: int
    nodes: int
    nodes_per_second: int
    chances: list[float]
    """The winning chance of each player."""

    lines: list[AnalysisLine]
    note: str | None
    """A sentence to show with values of a table that are not all proved."""

    is_done: bool


class AnalysisOver(WireModel):
    """There is nothing to analyse: the game is over."""

    id: str
    lines: list[AnalysisLine]
    is_done: Literal[True]


class AnalysisRefused(ErrorAnswer):
    """A query was refused."""

    id: str


AnalysisMessage = AnalysisUpdate | AnalysisOver | AnalysisRefused
