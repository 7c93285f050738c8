"""A game's table of exact values: `Tables` finds it, opens it and probes positions."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from damier.core.errors import BadArgument, BadPosition, DamierError
from damier.core.kernel.contract import CHANCE, DRAW, PLAYING
from damier.core.messages import Message, counted, message, shown
from damier.core.position import Position
from damier.solve.codes import CERTAIN
from damier.solve.file.header import IndexScheme, TableHeader
from damier.solve.file.reader import TableFile, TableReader
from damier.solve.location import has_table, table_path
from damier.solve.lookup import NO_ENTRY
from damier.solve.numbering import NotSolvable, Numbering, coding_of, has_families, name_of
from damier.solve.value import TableValue, TableValues, decoded, decoded_codes, encoded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from damier.core.game import Game
    from damier.core.kernel.contract import State

    Default = TypeVar("Default")


class TableMissing(DamierError):
    """The table has not been built."""


class Tables:
    """The exact values of one game with its options."""

    def __init__(self, game: Game, folder: Path | None = None, *, remote: str | None = None) -> None:
        """`folder` overrides the user's folder of tables; `remote` is the address of a server whose table is probed."""
        self.game, self.remote = game, remote
        self.path = table_path(game, folder)
        """The path of the table on this machine, built or not."""

        self.folder = self.path.parent

    @property
    def game_of_table(self) -> Game:
        """The game with the options that the table was built for."""
        return self.game

    @property
    def is_built(self) -> bool:
        """Whether the table has been built, or the server has it."""
        if self.remote is None:
            return has_table(self.game, self.folder)
        try:
            return bool(self.file)
        except TableMissing:
            return False

    @functools.cached_property
    def numbering(self) -> Numbering:
        """The numbering of the positions; raises `NotSolvable` if the game has none."""
        return Numbering(self.game)

    @functools.cached_property
    def file(self) -> TableReader:
        """The open table; raises `TableMissing`, `BadTable` or, of a server, what `RemoteTable` raises."""
        numbering = self.numbering
        if self.remote is not None:
            return self._remote_table(self.remote)
        if not self.is_built:
            raise TableMissing(
                message(
                    "The table of {game} has not been built; '{command}' does that in about {time}.",
                    game=name_of(self.game),
                    command=self.command("solve"),
                    time=duration(numbering),
                )
            )
        file = TableFile(self.path)
        if not self.fits(file.header):
            raise DamierError(
                message(
                    "The table {file} has another game, other options or another version; '{command}' builds it anew.",
                    file=shown(str(self.path)),
                    command=self.command("solve"),
                )
            )
        return file

    def close(self) -> None:
        """Closes the table, if it is open; the next probe opens it again."""
        if opened := self.__dict__.pop("file", None):
            opened.close()

    def _remote_table(self, server: str) -> TableReader:
        """Opens the table of a server."""
        from damier.solve.remote.offers import open_table

        return open_table(self, server)

    def fits(self, header: TableHeader) -> bool:
        """Tells whether a header is of this game with its options, and numbered and coded as this program does it.

        Builds no numbering, so that a folder of tables is listed quickly.
        """
        modules = self.game.definition.table_modules(self.game.options)
        is_ours = header.game == self.game.name and header.options == dict(self.game.options)
        is_numbered = modules is not None and header.index == IndexScheme(*modules.index.INDEX)
        return is_ours and is_numbered and header.coding == coding_of(self.game)

    def command(self, name: str) -> str:
        """Returns the shell command `name` for this game with its options."""
        default = type(self.game)(self.game.definition).options
        given = [f"-o {key}={value}" for key, value in self.game.options.items() if default.get(key) != value]
        return " ".join(["damier", name, self.game.name, *given])

    def probe_value(self, position: Position | str) -> TableValue:
        """Returns the exact value of a position; raises `TableMissing` if the table has not been built."""
        return self.state_value(self.game.position(position).state)

    def get_value(self, position: Position | str, default: Default | None = None) -> TableValue | Default | None:
        """Returns the exact value of a position, or `default` if there is no table."""
        try:
            return self.probe_value(position)
        except (TableMissing, NotSolvable):
            return default

    def state_value(self, state: State) -> TableValue:
        """Returns the exact value of a state, for the player on move or about to roll."""
        kernels, rules = self.game.kernels, self.game.rules
        result = kernels.outcome(rules, state)
        if result == DRAW:
            return TableValue("draw", 0)
        if result != PLAYING:
            return TableValue("win" if result == self._player(state) else "loss", 0)
        if self.game.traits.has_chance:
            return TableValue("chance", None, self._chance(state, self._player(state)))
        return decoded(self.read(state), self.numbering.codes)

    def read(self, state: State) -> int:
        """Returns the entry of a state that has one."""
        return self.file.read(self.numbering.place(state))

    def _player(self, state: State) -> int:
        """Returns the player on move, or the player to roll."""
        kernels, rules = self.game.kernels, self.game.rules
        player: int = kernels.mover(rules, state)
        if player == CHANCE:
            rolled = kernels.apply(rules, state, self._codes(state)[0])
            winner = kernels.outcome(rules, rolled)  # a roll without a legal action loses
            player = kernels.mover(rules, rolled) if winner == PLAYING else 1 - winner
        return player

    def _codes(self, state: State) -> list[int]:
        """Returns the legal actions in a state, or the rolls."""
        kernels = self.game.kernels
        out = [0] * kernels.MAX_ACTIONS
        return out[: kernels.actions(self.game.rules, state, out)]

    def _chance(self, state: State, player: int) -> float:
        """Returns the chance that `player` wins: from the table before a roll, else the chance of the best action."""
        kernels, rules = self.game.kernels, self.game.rules
        result = kernels.outcome(rules, state)
        if result != PLAYING:
            return float(result == player)
        if kernels.mover(rules, state) == CHANCE:
            chance = self.read(state) / CERTAIN
            return chance if self._player(state) == player else 1 - chance
        chances = [self._chance(kernels.apply(rules, state, code), player) for code in self._codes(state)]
        return max(chances) if kernels.mover(rules, state) == player else min(chances)

    def action_values(self, position: Position | str) -> dict[str, TableValue]:
        """Returns the value of every legal action, or of every roll, for the player on move; best first."""
        here = self.game.position(position)
        kernels, rules = self.game.kernels, self.game.rules
        player = self._player(here.state)
        values: dict[str, TableValue] = {}
        for text in here.actions():
            following = kernels.apply(rules, here.state, self.game.parse_action(text))
            if self.game.traits.has_chance:
                values[text] = TableValue("chance", None, self._chance(following, player))
                continue
            value = self.state_value(following)
            values[text] = (value if kernels.mover(rules, following) == player else value.turned()).before()
        return dict(sorted(values.items(), key=lambda item: -item[1].merit))

    def player(self, position: Position | str) -> str:
        """Returns the player whose values a position has: the one on move, or the one to roll."""
        return self.game.players[self._player(self.game.position(position).state)]

    def probe_many(self, positions: Sequence[Position | str] | NDArray[np.int64]) -> NDArray[np.unsignedinteger[Any]]:
        """Returns the codes of many positions, as ``docs/tables.md`` explains them.

        Positions are strings, `Position` objects or, fastest, an array of states with a row of three words for each.
        States of an array must be undecided and, in a game with a die, before a roll: nothing else is in the table.
        """
        import numpy as np

        states = self._states(positions)
        if isinstance(positions, np.ndarray) and positions.dtype.kind in "iu":
            return self.file.read_many(self.numbering.places(states))
        places, _ = self.numbering.entries_of(states)
        is_entry = places != NO_ENTRY
        codes = self.file.read_many(places[is_entry])
        found = np.empty(len(states), codes.dtype)
        found[is_entry] = codes
        found[~is_entry] = [self._code(_words(states[i])) for i in np.flatnonzero(~is_entry)]
        return found

    def probe_positions(self, positions: Sequence[Position | str] | NDArray[np.int64]) -> TableValues:
        """Returns the values of many positions as arrays, finished games included.

        Positions are strings, `Position` objects or, fastest, an array of states with a row of three words for each.
        After a roll, a value follows from those of all actions, in 0.1 ms to 1 ms; all others take 1 us at most.
        States of an array must be positions of the game: compiled code does not check them.
        """
        import numpy as np

        states = self._states(positions)
        places, results = self.numbering.entries_of(states)
        is_entry = places != NO_ENTRY
        is_whole = bool(is_entry.all())
        codes = self.file.read_many(places if is_whole else places[is_entry])
        if self.game.traits.has_chance:
            return self._chances(states, is_entry, codes)
        table = decoded_codes(self.numbering.codes)
        if len(codes) and codes.max() >= len(table.plies):
            raise BadPosition(message("A row of the array is no position of {game}.", game=name_of(self.game)))
        values = TableValues(table.outcomes[codes], table.plies[codes], table.chances[codes])
        if is_whole:
            return values
        found = TableValues(results, np.zeros(len(states), np.int16), (results + 1) / 2)
        found.outcomes[is_entry], found.plies[is_entry], found.chances[is_entry] = values
        return found

    def _chances(self, states: NDArray[np.int64], is_entry: NDArray[np.bool_], codes: NDArray[Any]) -> TableValues:
        """Returns the values of states in a game with a die; `codes` are those of the states that have an entry."""
        import numpy as np

        count = len(states)
        found = TableValues(np.zeros(count, np.int8), np.full(count, -1, np.int16), np.empty(count))
        found.chances[is_entry] = codes / CERTAIN
        for i in np.flatnonzero(~is_entry):
            value = self.state_value(_words(states[i]))
            found.chances[i] = value.chance
            if value.plies is not None:
                found.outcomes[i], found.plies[i] = round(2 * value.chance - 1), value.plies
        return found

    def _states(self, positions: Sequence[Position | str] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Returns the states of positions as an array, of an array itself; raises `BadArgument`."""
        import numpy as np

        if isinstance(positions, np.ndarray) and positions.dtype.kind in "iu" and positions.shape[1:] == (3,):
            return positions.astype(np.int64, copy=False)
        given = list(positions)
        if isinstance(positions, str) or not all(isinstance(each, Position | str) for each in given):
            raise BadArgument(
                message(
                    "Give positions as a list of position strings or positions, "
                    "or as an array of rows of three whole numbers."
                )
            )
        return np.array([self.game.position(each).state for each in given], np.int64).reshape(-1, 3)

    def _code(self, state: State) -> int:
        """Returns the code of any state, also of one that has no entry."""
        value = self.state_value(state)
        return round(CERTAIN * value.chance) if self.game.traits.has_chance else encoded(value, self.numbering.codes)


def _words(row: NDArray[np.int64]) -> State:
    """Returns a row of an array as a state of Python's integers."""
    own, enemy, rest = row.tolist()
    return own, enemy, rest


def minutes(numbering: Numbering) -> float:
    """Returns about how many minutes it takes to build a table on two cores."""
    slowing = min(1, (3e7 / numbering.entries) ** 0.15)  # larger tables miss the cache more often
    rate = 2e5 if numbering.game.traits.has_chance else (8e6 if has_families(numbering, 0) else 3e6) * slowing
    return numbering.entries / rate / 60


def duration(numbering: Numbering) -> Message:
    """Returns about how long it takes to build a table, in words."""
    return duration_text(minutes(numbering))


def duration_text(minutes: float) -> Message:
    """Returns a number of minutes in words."""
    if minutes < 1.5:
        return message("a minute")
    if minutes < 90:
        return counted("{count} minute", "{count} minutes", count=round(minutes))
    return counted("{count} hour", "{count} hours", count=round(minutes / 60))
