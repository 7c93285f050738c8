"""A game with its options chosen: the entry point to everything else."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from damier.core.definition import Definition, numbered_players
from damier.core.drawing import Drawing
from damier.core.errors import BadArgument, BadPosition, IllegalAction
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import State
from damier.core.messages import Message, message, shown
from damier.core.notation import Part
from damier.core.options import Options, parse_given
from damier.core.outcome import COMMON_REASONS, Result
from damier.core.position import Position
from damier.core.record import Record
from damier.core.traits import Traits

if TYPE_CHECKING:
    from damier.search.batch import Playouts
    from damier.search.game_batch import Batch
    from damier.search.spaces import Spaces
    from damier.solve.tables import Tables


class Game:
    """A game with its options chosen.

    >>> import damier
    >>> game = damier.load(damier.games()[0], bombs=5)
    >>> str(game.start)
    '5/5/5/5/5 b 5,5'
    """

    def __init__(self, definition: Definition, /, **given: object) -> None:
        self.definition = definition
        self.options: Options = definition.complete(parse_given(definition.options, given))
        """Every option with its value."""
        self.rules: list[int] = definition.numbers(self.options)
        """The numbers that kernels take."""

    @property
    def name(self) -> str:
        """The name everywhere: ``damier.load(name)``."""
        return self.definition.name

    @property
    def title(self) -> str:
        """The name for people."""
        return self.definition.title

    @functools.cached_property
    def options_text(self) -> str:
        """The options in one line: ``size=5 bombs=6 last=1``."""
        return " ".join(f"{name}={value}" for name, value in self.options.items())

    @functools.cached_property
    def traits(self) -> Traits:
        """What kind of game it is."""
        return self.definition.traits(self.options)

    @property
    def players(self) -> tuple[str, ...]:
        """The players as in the notation, in the order in which they act."""
        return self.traits.players

    @functools.cached_property
    def drawing(self) -> Drawing:
        """The empty board."""
        return self.definition.drawing(self.options)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of a position string besides board, side to move and hands, for an editor."""
        return self.definition.parts

    @functools.cached_property
    def kernels(self) -> SimpleNamespace:
        """The rules as plain Python functions, ready at once."""
        return bind(self.definition.rules)

    @functools.cached_property
    def start(self) -> Position:
        """The position in which a game begins."""
        return Position(self, self.kernels.start(self.rules))

    @functools.cached_property
    def tables(self) -> Tables:
        """Exact values, if the game's table has been built: `probe_value`, `get_value`, `probe_positions`."""
        from damier.solve.tables import Tables

        return Tables(self)

    @functools.cached_property
    def spaces(self) -> Spaces:
        """The actions as numbers and positions as planes, for learners; refused if the game does not give them."""
        from damier.search.spaces import Spaces

        return Spaces(self)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Game) and self.name == other.name and self.options == other.options

    def __hash__(self) -> int:
        return self._hash

    @functools.cached_property
    def _hash(self) -> int:
        return hash((self.name, self.options_text))

    def __repr__(self) -> str:
        return " ".join(filter(None, ["<game", self.name, self.options_text])) + ">"

    def parse(self, text: str) -> Position:
        """Returns the position of a position string; raises `BadPosition` with what is wrong."""
        state: State = self.definition.notation.parse_position(self.rules, text)
        position = Position(self, state)
        if str(position) != text:  # one position has one string
            raise BadPosition(
                message("The position {text} is written {proper}.", text=shown(text), proper=shown(str(position)))
            )
        return position

    def record(self, position: Position | str | None = None) -> Record:
        """Returns a game being played, from the start or from a position."""
        return Record(self.position(position))

    def parse_action(self, text: str) -> int:
        """Returns the number of an action, legal or not; raises `IllegalAction` if the text is malformed."""
        return self.definition.notation.parse_action(self.rules, text)

    def action_text(self, action: int) -> str:
        """Returns an action as text."""
        return self.definition.notation.action_text(self.rules, action)

    def action_cells(self, text: str) -> tuple[str, ...]:
        """Returns what to click for an action, in order: cell names, or ``@`` for the hand; () for a button."""
        return self.definition.appearance.action_cells(self.rules, self.parse_action(text))

    def guess_actions(self, cells: Sequence[str]) -> list[str]:
        """Returns the actions, legal or not, that are chosen by clicking these cells in this order."""
        forms = getattr(self.definition.notation, "FORMS", {}).get(len(cells), ())
        texts = [form.format(*cells) for form in forms] if forms else ["-".join(cells)]
        found = []
        for text in texts:
            with contextlib.suppress(IllegalAction):
                if self.action_cells(text) == tuple(cells):
                    found.append(text)
        return found

    def action_name(self, text: str) -> Message | None:
        """Returns what a button for an action says, or None where the action's own text does."""
        name = getattr(self.definition.appearance, "action_name", None)
        found: Message | None = name(self.rules, self.parse_action(text)) if name else None
        return found

    def die_points(self, text: str) -> int | None:
        """Returns the points that the die shows after an action, or None if the action is no roll of a die."""
        points = getattr(self.definition.appearance, "die_points", None)
        found: int | None = points(self.rules, self.parse_action(text)) if points else None
        return found

    def player_name(self, player: str) -> Message:
        """Returns the name of a player."""
        names = self.definition.player_names
        return names[player] if player in names else numbered_players(self.players)[player]

    def reasons(self) -> dict[str, Message]:
        """Returns the reasons for which this game may end, by code."""
        return {**self.definition.reasons, **COMMON_REASONS}

    def result(self, winner: str | None, reason: str) -> Result:
        """Returns a result with its sentence."""
        why = self.reasons()[reason]
        if winner is None:
            return Result(None, reason, message("A draw: {reason}.", reason=why))
        return Result(winner, reason, message("{player} wins: {reason}.", player=self.player_name(winner), reason=why))

    def lost_without_action(self, player: str) -> Result:
        """Returns the result of a game whose mover has no action: the opponent has won."""
        return self.result(self.opponent(player), "no-action")

    def opponent(self, player: str) -> str:
        """Returns the other of two players."""
        if len(self.players) != 2 or player not in self.players:
            raise BadArgument(message("Only a player of a game of two has one opponent."))
        first, second = self.players
        return second if player == first else first

    def perft(self, position: Position | str, depth: int) -> int:
        """Returns the number of sequences of exactly `depth` actions from a position."""
        from damier.search.batch import perft

        return perft(self, self.position(position), depth)

    def playouts(
        self,
        n: int,
        seed: int = 0,
        position: Position | str | None = None,
        max_actions: int = 10_000,
        threads: int = 1,
    ) -> Playouts:
        """Plays n random games in compiled code and returns their results and lengths as NumPy arrays.

        The arrays depend on the seed alone, not on the number of threads. A result is the number of the winner
        in `players`, -1 for a draw, -2 for a game cut off after `max_actions`.
        """
        from damier.search.batch import playouts

        return playouts(self, n, seed, self.position(position), max_actions, threads)

    def batch(
        self,
        n: int,
        seed: int = 0,
        position: Position | str | None = None,
        max_actions: int = 1000,
        threads: int | None = None,
    ) -> Batch:
        """Returns n games that are stepped together in compiled code, for learners: see `Batch`.

        The seed decides the rolls of dice and `Batch.sample`. What happens depends on the seed and the actions alone,
        not on the number of threads; without one, all cores are used. A game is cut off after `max_actions`.
        """
        from damier.search.game_batch import Batch

        return Batch(self, n, seed, self.position(position), max_actions, threads)

    def position(self, position: Position | str | None) -> Position:
        """Returns a position of this game, given as a `Position`, as its string, or as None for the start."""
        if position is None:
            return self.start
        if isinstance(position, str):
            return self.parse(position)
        if position.game != self:
            raise BadArgument(
                message("The position {text} is of another game or other options.", text=shown(str(position)))
            )
        return position

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(Game, self.definition, **self.options), ()
