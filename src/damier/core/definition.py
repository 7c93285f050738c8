"""What a game package hands to the rest of the program: its modules and data under the names every layer uses."""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Protocol

from damier.core.drawing import Drawing, Piece
from damier.core.kernel.contract import Rules, State
from damier.core.messages import Message
from damier.core.options import Option, Options
from damier.core.traits import Traits


class Notation(Protocol):
    """The text of positions and actions, as pairs: parse and print.

    OPTIONAL besides: ``FORMS``, how an action that is chosen by clicking 1, 2 or 3 cells is written, with ``{}`` for
    each cell: ``{1: ("{}", "*{}"), 2: ("{}-{}",)}``. Without it, cells are joined by hyphens (`notation.PLAIN_FORMS`),
    and a click that could only be an illegal action of another form is refused without a reason.
    """

    def position_text(self, rules: Rules, state: State) -> str:
        """Returns the position string."""

    def parse_position(self, rules: Rules, text: str) -> State:
        """Returns the state of a position string, or raises `BadPosition`."""

    def action_text(self, rules: Rules, action: int) -> str:
        """Returns an action as text."""

    def parse_action(self, rules: Rules, text: str) -> int:
        """Returns the action of a text, legal or not, or raises `IllegalAction` if it is no action at all."""


class Refusals(Protocol):
    """Why not, and why it is over."""

    def why_illegal(self, rules: Rules, state: State, action: int) -> Message:
        """Returns the reason why an action is not among the legal ones of a state that is not over."""

    def why_over(self, rules: Rules, state: State) -> str:
        """Returns the code of the reason for which `outcome` has decided."""


class Appearance(Protocol):
    """How a position is drawn and how an action is clicked.

    OPTIONAL besides: ``action_name(rules, action)``, a `Message` to put on a button, or None for the action's own
    text; ``die_points(rules, action)``, the points that a die shows after a chance action, or None. Without them,
    buttons show the notation and no die is drawn.
    """

    def pieces(self, rules: Rules, state: State) -> list[Piece]:
        """Returns the pieces on the board, lower ones first."""

    def cell_marks(self, rules: Rules, state: State) -> dict[str, str]:
        """Returns cells about which something is special that no piece shows, with the name of the mark."""

    def hands(self, rules: Rules, state: State) -> Sequence[int]:
        """Returns how many pieces each player has not yet put on the board."""

    def captions(self, rules: Rules, state: State) -> list[Message]:
        """Returns what else one has to know ("Die: 4"); a value named ``die`` may be drawn as one."""

    def action_cells(self, rules: Rules, action: int) -> tuple[str, ...]:
        """Returns what is clicked for an action, in order: cells, or HAND; nothing for a button."""


@dataclass(frozen=True)
class Strength:
    """How well a level plays: what it sees, what it overlooks, how careful it is."""

    nodes: int
    """Positions that it looks at before a turn."""

    overlooked: float = 0.0
    """Share of the actions, its own and the opponent's, that it does not see ahead."""

    margin: float = 0.0
    """How much winning chance it gives away without caring."""


@dataclass(frozen=True)
class Definition:
    """A game, before its options are chosen."""

    name: str
    title: str
    summary: Message
    """The aim in one sentence."""

    options: tuple[Option, ...]
    complete: Callable[[Options], Options]
    """Adds the defaults to the options given, in the order of declaration, and checks how they go together."""

    numbers: Callable[[Options], list[int]]
    """The rules as kernels take them."""

    traits: Callable[[Options], Traits]
    player_names: dict[str, Message]
    reasons: dict[str, Message]
    """Why a game may end by its own rules, by code."""

    rules: ModuleType
    evaluate: ModuleType
    """What search knows of the game besides its rules: the OPTIONAL kernels that judge a state."""

    levels: Callable[[Options], tuple[Strength, ...]]
    """The levels below full strength, weakest first, as measured: see ``docs/engine.md``."""

    index: ModuleType | None
    """The numbering of positions for solvers: the OPTIONAL kernels for it, `index_numbers` and `tier_name`; or None."""

    why_unsolvable: Callable[[Options], Message | None]
    """The reason why no table of exact values can be built with these options, as the end of a sentence; or None."""

    solved: Message | None
    """How the game ends with best play, as its page in ``docs/solutions`` says; None if that is not known."""

    notation: Notation
    refusals: Refusals
    appearance: Appearance
    drawing: Callable[[Options], Drawing]

    @property
    def folder(self) -> Path:
        """The folder of the game's package, which also holds its lesson, puzzles, rule pages and pictures."""
        return Path(str(self.rules.__file__)).parent

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return _definition, (str(self.rules.__package__),)


def _definition(package: str) -> object:
    """Returns the definition in a game's package: how one travels to another process."""
    return importlib.import_module(package).GAME
