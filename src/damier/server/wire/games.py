"""Wire models of games: what there is to know before one is played."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from damier.server.wire.board import DrawingData, PieceData, TurnMarksData
from damier.server.wire.model import WireModel

OptionValues = dict[str, int | str]
"""Options of a game by name."""

LONGEST_LINE = 2_000
"""How many actions a game given whole may have, and how many of a match a snapshot has at most."""


class GameChoice(WireModel):
    """A game with its options."""

    game: str = Field(max_length=32)
    options: OptionValues = Field(default_factory=dict, max_length=16)


class PreviewsRequest(GameChoice):
    """A position whose actions are to be previewed."""

    position: str = Field(max_length=400)


class GameLine(GameChoice):
    """A game given whole: where it starts and the actions played since."""

    start: str | None = Field(default=None, max_length=400)
    """A position string; null is the first position of the game."""

    actions: list[Annotated[str, Field(max_length=32)]] = Field(default_factory=list, max_length=LONGEST_LINE)


class PlayerName(WireModel):
    """A player of a game."""

    player: str
    name: str


class LevelName(WireModel):
    """A level of the computer."""

    level: int
    name: str
    rating: int | None
    """As measured with the usual options; null if it has not been, or not well enough."""

    rating_error: int | None
    """Half the width of its 95 % interval; 0 for the level that the others are measured from."""


class _Option(WireModel):
    name: str
    title: str
    """The label for a form."""

    phrase: str
    """The option in a list of options, with `{value}` for its value."""

    help: str
    names: dict[str, str]
    """Values in words, by value; for none or for all."""


class IntegerOption(_Option):
    """An option that takes a whole number from `low` to `high`."""

    type: Literal["integer"]
    default: int
    low: int
    high: int


class ChoiceOption(_Option):
    """An option that takes one of `choices`."""

    type: Literal["choice"]
    default: str
    choices: list[str]


class CellsOption(_Option):
    """An option that takes some of `cells`, separated by commas."""

    type: Literal["cells"]
    default: str
    cells: list[str]
    needs: dict[str, str]
    """The values of other options that this one goes with."""

    partners: dict[str, str]
    """The cell that is chosen along with each cell."""


OptionData = Annotated[IntegerOption | ChoiceOption | CellsOption, Field(discriminator="type")]


class GameData(WireModel):
    """A game, with its options and levels."""

    name: str
    title: str
    summary: str
    players: list[PlayerName]
    """All players that there may be; how many play may depend on options."""

    options: list[OptionData]
    levels: list[LevelName]
    has_chance: bool
    solved: str | None
    """What is proved about the game, in one sentence."""

    has_example: bool
    picture: str
    """A board after some actions, as SVG."""


class ExampleAction(WireModel):
    """The last action of an example state."""

    cells: list[str]


class ExampleState(WireModel):
    """A moment of an example game."""

    pieces: list[PieceData]
    marks: dict[str, list[str]]
    last: ExampleAction | None
    last_turns: list[TurnMarksData]


class ExampleData(WireModel):
    """Some moments of a game that plays itself."""

    drawing: DrawingData
    states: list[ExampleState]
