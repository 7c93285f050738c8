"""What learners see of a game: actions as numbers from 0 up, masks, and positions as planes.

A game lists its actions and describes its planes in its ``spaces.py``; here they become arrays. An observation is an
array of small whole numbers, `shape` being planes, rows, columns: row 0 is the first player's side of the board, column
0 is column a. Everything is seen by the player on move, *own* and *enemy*, and the board is never turned. Where a third
occurrence draws, a last plane ``repeated`` is 1 if the present situation has stood before.

Rolls of the die are no actions of players: they have no number. While one is due, the mask is empty; play one of the
record's actions, each as likely as any other, as a batch does by itself.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.errors import BadArgument, IllegalAction
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import REPETITION_DRAWS
from damier.core.messages import message, shown
from damier.core.ranges import check_whole
from damier.core.record import Record
from damier.core.traits import Plane
from damier.search import history, stepping

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from damier.core.game import Game
    from damier.core.position import Position

REPEATED = Plane("repeated", is_number=True)
_NO_CELL = 62  # a bit that is never set on a board with places that are no cells


@dataclass(frozen=True, eq=False)
class SpaceSymmetry:
    """A symmetry of the board, as permutations of actions and of the places of a plane."""

    name: str
    swaps_players: bool
    """The players exchange roles; what the player on move sees is turned all the same."""

    actions: NDArray[np.int64]
    """Action i becomes action ``actions[i]``."""

    places: NDArray[np.int64]
    """Place i of a plane, row by row, becomes place ``places[i]``."""

    def turn_planes(self, planes: NDArray[Any]) -> NDArray[Any]:
        """Returns observations after the symmetry; the last two axes are rows and columns."""
        flat = planes.reshape(*planes.shape[:-2], -1)
        _check_last_axis("planes", flat, len(self.places))
        return flat[..., np.argsort(self.places)].reshape(planes.shape)

    def turn_actions(self, values: NDArray[Any]) -> NDArray[Any]:
        """Returns masks, or other values of all actions, after the symmetry; the last axis is the action."""
        _check_last_axis("values", values, len(self.actions))
        turned: NDArray[Any] = values[..., np.argsort(self.actions)]
        return turned


def _check_last_axis(name: str, array: NDArray[Any], count: int) -> None:
    if not array.ndim or array.shape[-1] != count:
        found = array.shape[-1] if array.ndim else 1
        raise BadArgument(
            message(
                "{name} has {found} entries for each position instead of {count}.", name=name, found=found, count=count
            )
        )


class Spaces:
    """The actions of a game as numbers and its positions as planes.

    >>> import damier
    >>> spaces = damier.load(damier.games()[1]).spaces
    >>> spaces.action_count, spaces.shape
    (280, (6, 5, 5))
    >>> spaces.action_number("a1-b1"), spaces.action_text(24)
    (24, 'a1-b1')
    """

    def __init__(self, game: Game) -> None:
        module = game.definition.spaces
        if module is None:
            raise BadArgument(message("{game} has no numbering of its actions and no planes.", game=game.title))
        self.game = game
        self.codes = np.array(module.action_codes(game.rules))
        """The actions as the game's kernels have them, by number."""

        self.numbers = np.full(int(self.codes.max()) + 1, -1, np.int32)
        """The numbers of the actions, by the kernels' own; -1 for none."""

        self.numbers[self.codes] = np.arange(len(self.codes))
        self.planes: tuple[Plane, ...] = (
            *module.plane_list(game.rules),
            *([REPEATED] if game.traits.repetition == REPETITION_DRAWS else []),
        )
        """What each plane of an observation shows."""

        grid = np.array(module.grid(game.rules))
        self.shape: tuple[int, int, int] = (len(self.planes), *grid.shape)
        """The shape of an observation: planes, rows, columns."""

        self.cells = np.where(grid < 0, _NO_CELL, grid).ravel()
        """The cell on each place of a plane, as the game numbers its cells."""

        self.kinds = np.array([plane.is_number for plane in self.planes], np.int64)
        """1 for planes that are a number, 0 for sets of cells."""

    @property
    def action_count(self) -> int:
        """How many actions there are: they are numbered from 0 to one less."""
        return len(self.codes)

    @property
    def most(self) -> NDArray[np.uint8]:
        """The largest number of each plane, to divide observations by: ``planes / most[:, None, None]``."""
        return np.array([plane.most for plane in self.planes], np.uint8)

    def action_text(self, number: int) -> str:
        """Returns an action as text."""
        check_whole("number", number, 0, self.action_count - 1)
        return self.game.action_text(int(self.codes[int(number)]))

    def action_number(self, text: str) -> int:
        """Returns the number of an action; raises `IllegalAction` if no player can have it in any position."""
        code = self.game.parse_action(text)
        number = int(self.numbers[code]) if code < len(self.numbers) else -1
        if number < 0:
            raise IllegalAction(message("No player has the action {text} in any position.", text=shown(text)))
        return number

    def mask(self, moment: Position | Record) -> NDArray[np.bool_]:
        """Returns which actions are legal: none at the end of a game and while a roll is due.

        A record knows its history, and what that forbids. One of another game raises `BadArgument`.
        """
        mask = np.zeros(self.action_count, np.bool_)
        position = self._position(moment)
        codes = moment.codes() if isinstance(moment, Record) else position.judged()[1]
        if position.mover != "chance":
            mask[self.numbers[codes]] = True
        return mask

    def observe(self, moment: Position | Record) -> NDArray[np.uint8]:
        """Returns what the player on move sees; a position has no history, so its situation has not stood before."""
        position = self._position(moment)
        words = [*position.state, *[0] * (stepping.FIELDS - 3)]
        if isinstance(moment, Record):
            words[stepping.BEFORE] = has_stood(moment)
        seen = [0] * (len(self.planes) * len(self.cells))
        self._plain.observe_games(
            self.game.rules, self.kinds.tolist(), self.cells.tolist(), [words], [0] * len(self.planes), [seen]
        )
        return np.array(seen, np.uint8).reshape(self.shape)

    def _position(self, moment: Position | Record) -> Position:
        return self.game.position(moment.position if isinstance(moment, Record) else moment)

    @functools.cached_property
    def symmetries(self) -> tuple[SpaceSymmetry, ...]:
        """All symmetries of the board under the game's options, the identity first; none if the game names none."""
        return tuple(
            SpaceSymmetry(each.name, each.swaps_players, self._turned_actions(each.cells), self._places(each.cells))
            for each in self.game.traits.symmetries
        )

    def _turned_actions(self, image: tuple[int, ...]) -> NDArray[np.int64]:
        kernels, rules = self.game.kernels, self.game.rules
        return np.array([self.numbers[kernels.permute_action(rules, int(code), image)] for code in self.codes])

    def _places(self, image: tuple[int, ...]) -> NDArray[np.int64]:
        """Returns where each place goes; places that are no cell go to such places, in their order."""
        place_of = {int(cell): place for place, cell in enumerate(self.cells)}
        others = iter([place for place, cell in enumerate(self.cells) if cell not in image])
        return np.array([place_of[image[cell]] if cell < len(image) else next(others) for cell in self.cells])

    @functools.cached_property
    def _plain(self) -> SimpleNamespace:
        module = self.game.definition.spaces
        assert module is not None
        return bind(self.game.definition.rules, history, stepping, module)


def has_stood(record: Record) -> bool:
    """Tells whether the present situation, at the end of a turn, has stood before."""
    game, position = record.game, record.position

    def key(position: Position) -> Any:
        return game.kernels.situation(game.rules, position.state)

    return position.is_settled and key(position) in map(key, record.repeated)
