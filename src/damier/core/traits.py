"""The traits of a game, which algorithms and clients ask for instead of its name."""

from dataclasses import dataclass

from damier.core.kernel.contract import REPETITION_FREE


@dataclass(frozen=True)
class Symmetry:
    """A symmetry of the board: cell number i goes to `cells[i]`."""

    name: str
    cells: tuple[int, ...]
    swaps_players: bool = False
    """The players exchange roles, as when a board with two ends is turned round."""


@dataclass(frozen=True)
class Plane:
    """A plane of an observation: a set of cells, or one number that stands on all of its places."""

    name: str
    is_number: bool = False
    most: int = 1
    """The largest number that can stand in it."""


@dataclass(frozen=True)
class Traits:
    """The kind of a game under some options."""

    players: tuple[str, ...]
    """The players as in the notation, in the order in which they act."""

    has_chance: bool = False
    """Some actions are rolls of a die."""

    has_long_turns: bool = False
    """A turn may be several actions of one player."""

    has_answers: bool = False
    """A turn may hold an action of another player, such as putting back a displaced piece."""

    repetition: int = REPETITION_FREE
    """What happens when a situation is repeated."""

    symmetries: tuple[Symmetry, ...] = ()
    """All symmetries, the identity included."""

    @property
    def alternates(self) -> bool:
        """Whether two players act by turns, one action each: then plies can be counted as moves of one player."""
        return len(self.players) == 2 and not (self.has_chance or self.has_long_turns or self.has_answers)
