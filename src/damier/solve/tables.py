"""A game's table of exact values: where it is, and what it says of a position."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from damier.core.errors import DamierError
from damier.core.kernels import DRAW, PLAYING
from damier.core.messages import message, shown
from damier.solve.codes import CODING, DRAWN, LOST, MARKED, WON
from damier.solve.numbering import NotSolvable, Numbering, name_of
from damier.solve.paths import table_path
from damier.solve.table_file import TableFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from damier.core.game import Game
    from damier.core.kernels import State
    from damier.core.position import Position

    Default = TypeVar("Default")


class TableMissing(DamierError):
    """A table was asked for that has not been built."""


@dataclass(frozen=True)
class TableValue:
    """How a game ends with best play, for the player on move."""

    outcome: str
    """``win``, ``draw`` or ``loss``."""

    plies: int | None
    """How far the end is in plies (actions): the winner makes it short, the loser long. None for a draw."""

    def turned(self) -> TableValue:
        """Returns the same for the other player."""
        return TableValue({"win": "loss", "loss": "win"}.get(self.outcome, self.outcome), self.plies)

    def before(self) -> TableValue:
        """Returns the value an action earlier, for the same player."""
        return TableValue(self.outcome, None if self.plies is None else self.plies + 1)

    @property
    def merit(self) -> int:
        """A number that is greater for what is better."""
        if self.plies is None or self.outcome == "draw":
            return 0
        return 1000 - self.plies if self.outcome == "win" else self.plies - 1000


def decoded(code: int) -> TableValue:
    """Returns what a byte of a table means."""
    if code == DRAWN:
        return TableValue("draw", None)
    if code <= WON:
        return TableValue("win", 0 if code == WON else code)
    assert code < MARKED, "no position has this number"
    return TableValue("loss", code - LOST)


class Tables:
    """What is known exactly of one game with its options."""

    def __init__(self, game: Game, folder: Path | None = None) -> None:
        self.game = game
        self.path = table_path(game, folder)
        """Where the table is, or would be."""

        self.folder = self.path.parent

    @property
    def is_built(self) -> bool:
        """Whether the table is there."""
        return self.path.is_file()

    @functools.cached_property
    def numbering(self) -> Numbering:
        """The numbers of the positions; raises `NotSolvable` for a game that has none."""
        return Numbering(self.game)

    @functools.cached_property
    def file(self) -> TableFile:
        """The open table; raises `TableMissing` or `BadTable`."""
        numbering = self.numbering
        if not self.is_built:
            raise TableMissing(
                message(
                    "The table of {game} has not been built; '{command}' does that in about {time}.",
                    game=name_of(self.game),
                    command=self.command("solve"),
                    time=duration(numbering.entries),
                )
            )
        file = TableFile(self.path)
        header = file.header
        is_ours = header.game == self.game.name and header.options == dict(self.game.options)
        if not is_ours or header.index != numbering.scheme or header.coding != CODING:
            raise DamierError(
                message(
                    "The table {file} has another game, other options or another version; '{command}' builds it anew.",
                    file=shown(str(self.path)),
                    command=self.command("solve"),
                )
            )
        return file

    def command(self, name: str) -> str:
        """Returns a command for this game with its options."""
        default = type(self.game)(self.game.definition).options
        given = [f"-o {key}={value}" for key, value in self.game.options.items() if default.get(key) != value]
        return " ".join(["damier", name, self.game.name, *given])

    def probe_value(self, position: Position | str) -> TableValue:
        """Returns the exact value of a position; raises `TableMissing` without a table."""
        return self.state_value(self.game.position(position).state)

    def get_value(self, position: Position | str, default: Default | None = None) -> TableValue | Default | None:
        """Returns the exact value of a position, or a default without a table."""
        try:
            return self.probe_value(position)
        except (TableMissing, NotSolvable):
            return default

    def state_value(self, state: State) -> TableValue:
        """Returns the exact value of a state."""
        kernels, rules = self.game.kernels, self.game.rules
        result = kernels.outcome(rules, state)
        if result == DRAW:
            return TableValue("draw", 0)
        if result != PLAYING:
            return TableValue("win" if result == kernels.mover(rules, state) else "loss", 0)
        file = self.file
        return decoded(file.read(self.numbering.place(state)))

    def action_values(self, position: Position | str) -> dict[str, TableValue]:
        """Returns the value of every legal action for the player on move, best first."""
        here = self.game.position(position)
        kernels, rules = self.game.kernels, self.game.rules
        player = kernels.mover(rules, here.state)
        values: dict[str, TableValue] = {}
        for text in here.actions():
            following = kernels.apply(rules, here.state, self.game.parse_action(text))
            value = self.state_value(following)
            values[text] = (value if kernels.mover(rules, following) == player else value.turned()).before()
        return dict(sorted(values.items(), key=lambda item: -item[1].merit))

    def probe_many(self, states: NDArray[np.int64]) -> NDArray[np.unsignedinteger[Any]]:
        """Returns the codes of many undecided states, given as rows of three words."""
        return self.file.read_many(self.numbering.places(states))


def duration(entries: int) -> str:
    """Returns how long a table of so many entries takes to build, roughly, on two cores."""
    minutes = entries / 3e6 / 60
    if minutes < 1.5:
        return "a minute"
    return f"{minutes:.0f} minutes" if minutes < 90 else f"{minutes / 60:.0f} hours"
