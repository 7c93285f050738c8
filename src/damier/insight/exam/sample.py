"""The published samples: ``games/<name>/exam/*.json``, each with its digest.

The positions stand in the file, so that they stay the same even if the code that drew them changes. Their order is
random: the first N are a smaller sample with about the same groups. In every position at least two actions have
different values.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.insight.report.facts import Facts
from damier.insight.report.page import report_name
from damier.solve.numbering import name_of

if TYPE_CHECKING:
    from damier.core.game import Game


class ExamPosition(Facts):
    """A position of a sample with the groups that it belongs to."""

    position: str
    tier: str
    """The tier of the table that has the position, or the one before the roll."""

    phase: str
    band: str


class ExamSample(Facts):
    """The positions in which agents are examined."""

    exam: int
    """The version of the exam."""

    game: str
    options: dict[str, int | str]
    rules: int
    """The version of the rules."""

    table: str
    """The SHA-256 of the entries of the table that the positions were drawn from."""

    seed: int
    positions: list[ExamPosition]

    @property
    def digest(self) -> str:
        """The SHA-256 of the game, its options, and the positions in their order, a line each."""
        lines = [self.game, json.dumps(self.options, sort_keys=True), *(each.position for each in self.positions)]
        return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()

    def text(self) -> str:
        """Returns the sample as JSON with a line for each position."""
        head = {name: value for name, value in self.model_dump().items() if name != "positions"}
        lines = ",\n".join(json.dumps(each.model_dump(), ensure_ascii=False) for each in self.positions)
        return json.dumps(head, ensure_ascii=False)[:-1] + f', "positions": [\n{lines}\n]}}\n'


def sample_file(game: Game) -> Path:
    """Returns the file of a game's published sample, which need not be there."""
    return game.definition.folder / "exam" / f"{report_name(game)}.json"


def published_sample(game: Game) -> ExamSample | None:
    """Returns the published sample of a game with its options; None if there is none."""
    file = sample_file(game)
    return ExamSample.model_validate_json(file.read_bytes()) if file.is_file() else None


def check_examinable(game: Game) -> None:
    """Refuses games of more than two: their tables do not have a value of an action."""
    if len(game.players) != 2:
        raise BadArgument(message("Only games of two can be examined, not {game}.", game=name_of(game)))
