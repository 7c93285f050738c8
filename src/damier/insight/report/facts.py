"""The facts that are known of a game, as typed data without words: the model of ``games/<name>/solutions/*.json``.

`damier report` gathers the facts from a table, ``tools/solutions.py`` stores them, and ``page.py`` renders them as
Markdown. The server sends the same JSON to the browser, which words it in the visitor's language.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Counts = dict[int, int]
"""Numbers of positions by distance in plies."""

ActionChance = tuple[str, float]
"""An action and the mover's chance to win after it."""


class Facts(BaseModel):
    """A group of facts; immutable, and strict about unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def data(self) -> dict[str, Any]:
        """Returns the facts that were given, ready for JSON."""
        return self.model_dump(mode="json", exclude_unset=True)


# Both kinds of tables ------------------------------------------------------------------------------------------------


class OutcomeFact(Facts):
    """A value for the player on move: how the game ends with best play, and in how many plies."""

    outcome: Literal["win", "draw", "loss"]
    plies: int | None


class ChanceFact(Facts):
    """A value for the player who rolls: the chance to win with best play."""

    outcome: Literal["chance"]
    chance: float


class TableFacts(Facts):
    """The table file, and what building it takes on two cores."""

    file: str
    bytes: int
    entries: int
    free: int
    """Entries without a position."""

    entry_bytes: int
    coding: str
    sha256: str
    rules: int
    numbering: str
    """Name and version of the numbering scheme."""

    format: int
    solver: str
    minutes: float
    memory: int


class ReportCommands(Facts):
    """Commands for this game with its options."""

    solve: str
    verify: str
    probe: str
    report: str


class UnsolvedOptions(Facts):
    """Options for which no table has been built."""

    options: dict[str, int]
    entries: int | None
    """None if the game has no numbering for these options."""

    memory: int = 0


class VerificationFacts(Facts):
    """The result of `damier verify`."""

    entries: int
    error: float | None
    """The largest error of a chance, after rounding to an entry."""


class SolvedGame(Facts):
    """What every table tells of its game."""

    game: str
    options: dict[str, int]
    metric: Literal["plies", "probability"]
    repetition: Literal["free", "draws", "forbidden"]
    value: OutcomeFact | ChanceFact
    player: str
    """The player whose value `value` is: the one who begins."""

    table: TableFacts
    commands: ReportCommands
    open: list[UnsolvedOptions] = []
    verified: VerificationFacts | None = None


# Tables of wins, draws and losses ------------------------------------------------------------------------------------


class OutcomeTier(Facts):
    """Numbers of positions in one part of the table; `over` counts finished games, `longest` is in plies."""

    name: str
    won: int
    drawn: int
    lost: int
    over: int
    longest: int


class BestPlay(Facts):
    """A won or lost position played out with best play by both."""

    start: str
    actions: list[str]
    winner: str
    forbidden: int | None
    """Which action, counted from 1, the ban on returns forbids in this line, if any."""


class ActionGroup(Facts):
    """Actions of equal value."""

    value: OutcomeFact
    actions: list[str]


class OpeningChoice(Facts):
    """The values of all actions after `played`, best first."""

    played: list[str]
    player: str
    values: list[ActionGroup]


class LongestWins(Facts):
    """The positions farthest from the end: how far, how many, and some of them played out."""

    plies: int
    positions: int
    lines: list[BestPlay]


class OnlyActionExample(Facts):
    """A position in which exactly one action wins, or exactly one does not lose."""

    position: str
    player: str
    action: str
    actions: int
    """How many legal actions there are."""

    value: OutcomeFact
    others: list[Literal["draw", "loss"]]
    """What the other actions lead to."""


class OnlyActions(Facts):
    """In how many positions of a random sample only one action holds."""

    seed: int
    size: int
    undecided: int
    """How many positions the sample was drawn from."""

    wins: int
    quick: int
    """Those of `wins` that win at once."""

    draws: int
    examples: list[OnlyActionExample]


class NewWinFacts(Facts):
    """Drawn positions of the sample, and how many the ban on returns turns into a win within `plies`."""

    drawn: int
    found: int
    plies: int


class PositionOfPlayer(Facts):
    """A position and the player on move."""

    position: str
    player: str


class FirstPositionFacts(Facts):
    """Nobody can force a win within `plies` from the first position; `winner` can in one ply more, if given."""

    plies: int
    winner: str | None


class ReturnFacts(Facts):
    """What a ban on returning to an earlier situation does to the table's wins; see ``solve/returns``."""

    certain: int
    """Wins up to this distance cannot be affected."""

    counts: tuple[Counts, Counts, Counts, Counts, Counts]
    """Positions by the table's distance: won as fast, won slower, not won as fast, nor `more` plies slower, open."""

    more: int
    full: int
    """Up to this distance all actions of the winner were tried, beyond it only those of the `last` plies."""

    last: int
    failed: BestPlay | None
    new: NewWinFacts | None
    won: PositionOfPlayer | None
    start: FirstPositionFacts | None


class OutcomeSolution(SolvedGame):
    """What a table of wins, draws and losses tells of its game."""

    metric: Literal["plies"]
    value: OutcomeFact
    tiers: list[OutcomeTier]
    wins: Counts
    losses: Counts
    line: BestPlay | None
    """The whole game with best play, unless it is a draw."""

    choices: list[OpeningChoice]
    longest_wins: LongestWins
    only: OnlyActions
    returns: ReturnFacts | None


# Tables of chances ---------------------------------------------------------------------------------------------------


class ChanceTier(Facts):
    """One part of the table: the most actions expected until the end, and the largest error before rounding."""

    name: str
    entries: int
    actions: float
    error: float


class RollGroup(Facts):
    """Rolls after which all actions have equal values."""

    rolls: list[str]
    values: list[ActionChance]


class RollAnswers(Facts):
    """The values of all actions after `played` and any roll, for `player`."""

    played: list[str]
    player: str
    rolls: list[RollGroup]


class CostlyChoice(Facts):
    """A position after a roll with the values of all actions, best first."""

    position: str
    player: str
    values: list[ActionChance]


class ChoiceCosts(Facts):
    """What choosing another action than the best costs in a random sample of positions and rolls."""

    seed: int
    size: int
    lost: int
    """Positions without a legal action."""

    forced: int
    """Positions with one."""

    second: float
    """What the second best action costs on average; ..."""

    other: float
    """... what a random one costs."""

    much: float
    costly: int
    """Positions in which the second best action costs `much` or more."""

    examples: list[CostlyChoice]


class ChanceSolution(SolvedGame):
    """What a table of chances tells of its game."""

    metric: Literal["probability"]
    value: ChanceFact
    chance: float
    """The first player's chance to win, before rounding to an entry."""

    error: float
    actions: float
    """How many actions a game lasts on average."""

    tiers: list[ChanceTier]
    parts: list[int]
    """Numbers of entries by chance, in equal parts from 0 to 1."""

    rolls: list[RollGroup]
    answers: RollAnswers
    cost: ChoiceCosts


class UnsolvedGame(Facts):
    """A game that has no table."""

    game: str
    positions: int
    symmetries: int


# Files ---------------------------------------------------------------------------------------------------------------

Solution = Annotated[OutcomeSolution | ChanceSolution, Field(discriminator="metric")]

_ADAPTER: TypeAdapter[OutcomeSolution | ChanceSolution | UnsolvedGame] = TypeAdapter(Solution | UnsolvedGame)


def read_solution(file: Path) -> OutcomeSolution | ChanceSolution | UnsolvedGame:
    """Returns the facts of a file in ``games/<name>/solutions``."""
    return _ADAPTER.validate_json(file.read_bytes())


def solution_text(facts: Facts) -> str:
    """Returns facts as JSON with one line for each of the outermost keys."""
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.data().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"
