"""The definition of a game: its modules and data, under the names that every layer uses."""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from damier.core.drawing import Drawing, Piece
from damier.core.kernel import no_evaluation
from damier.core.kernel.contract import REPETITION_FREE, Rules, State
from damier.core.messages import Message, message
from damier.core.notation import Part
from damier.core.options import Option, Options
from damier.core.plain import PLAIN_REASON, PlainAppearance, PlainRefusals
from damier.core.traits import Traits


class Notation(Protocol):
    """The text of positions and actions, as pairs: parse and print.

    OPTIONAL besides: ``FORMS``, the forms of an action by the number of cells clicked for it, with ``{}`` for each
    cell: ``{1: ("{}", "*{}")}``. Without it, cells are joined by hyphens, and clicks that could only stand for an
    illegal action of another form are refused without a reason.
    """

    def position_text(self, rules: Rules, state: State) -> str:
        """Returns the position string."""

    def parse_position(self, rules: Rules, text: str) -> State:
        """Returns the state of a position string, or raises `BadPosition`."""

    def action_text(self, rules: Rules, action: int) -> str:
        """Returns an action as text."""

    def parse_action(self, rules: Rules, text: str) -> int:
        """Returns the action of a text, legal or not, or raises `IllegalAction` if it is malformed."""


class Refusals(Protocol):
    """Why an action is illegal, and why a game is over.

    OPTIONAL besides: ``why_stuck(rules, state, cell)``, why a piece of the player on move has no action, where its
    actions are illegal for different reasons. Without it, that nothing can be played from the cell.
    """

    def why_illegal(self, rules: Rules, state: State, action: int) -> Message:
        """Returns why an action is illegal in a state whose game is not over."""

    def why_over(self, rules: Rules, state: State) -> str:
        """Returns the reason code of a game that `outcome` says is over."""


class Appearance(Protocol):
    """How a position is drawn and how an action is clicked.

    These two functions are REQUIRED. OPTIONAL besides, with what is lost without them:

    - ``cell_marks(rules, state)``: the name of a mark by cell, for what no piece shows. No cell is marked.
    - ``hands(rules, state)``: how many pieces each player has not yet put on the board. Nobody holds any.
    - ``captions(rules, state)``: messages beside the board ("Die: 4") while the game goes on; a value named ``die`` is
      drawn as one. None.
    - ``action_name(rules, action)``: a message for a button, or None. Buttons show the notation.
    - ``die_points(rules, action)``: the points of a roll, or None for other actions. No die is drawn.
    - ``action_routes(rules, state, action)``: the ways of pieces that boards mark after an action: each the cells from
      the first to the last, HAND being the first of a piece from the hand. Pieces are taken to go straight from each
      cell that is clicked to the next, through all cells between.
    - ``is_meant(rules, state, action)``: whether clicks on the cells of an illegal action mean this action rather than
      another with the same cells. Refused clicks get the reason of the first of ``FORMS``.
    - ``first_click(rules, state)``: a message that says what can be clicked first. The cells are listed.
    """

    def pieces(self, rules: Rules, state: State) -> list[Piece]:
        """Returns the pieces on the board, lower ones first."""

    def action_cells(self, rules: Rules, action: int) -> tuple[str, ...]:
        """Returns what is clicked for an action, in order: cells, or HAND; nothing for a button."""


class Guidance(Protocol):
    """What a game says to people who play it: a module ``guidance.py``, called by ``core/guidance.py``.

    All functions are OPTIONAL; with what is lost without them:

    - ``aim(rules)``: the aim in one sentence. The summary of the game is shown instead.
    - ``aim_position(rules)``: the string of a position in which the aim is reached, or None. No picture of it is shown.
    - ``legend(rules)``: what each mark of a piece or cell means, by its name in the drawing. Marks have only names.
    - ``guide(rules, state)``: a `Guide` for the player on move: the phase, what to do now, and how. What can be
      clicked is said instead, and the aim.
    - ``next_click(rules, state, clicked)``: what to choose after the clicks that begin several actions. "Choose where
      it goes".
    - ``effect(rules, state, action)``: a sentence of what a legal action gives and costs, with the names of players.
      None is shown.
    - ``steps(rules, state, action)``: the cells whose pieces vanish, by step of a chain reaction. All vanish at once.
    - ``is_irreversible(rules, state, action)``: whether to ask before an action. Nothing is asked.
    - ``waiting(rules, state)``: the `Waiting` pieces beside the board. None are drawn.
    - ``winning(rules, state)``: the cells of the pieces that made the win, in a state whose game is over. No cells are
      marked.
    - ``end_words(rules, state)``: why such a game is over, in a few words that suit winner and loser. The reason.
    - ``end_details(rules, state)``: the same in a sentence with cells and numbers. None is shown.
    """


@dataclass(frozen=True)
class Strength:
    """The strength of a level: how far it searches, what it overlooks, how careful it is."""

    nodes: int
    """Positions that it searches before a turn."""

    overlooked: float = 0.0
    """Share of the actions, its own and the opponent's, that it does not see ahead."""

    margin: float = 0.0
    """How much worse than the best, in winning chance, an action may be that it still picks."""


STRENGTHS = (
    Strength(8, 0.85, 0.5),
    Strength(270, 0.49, 0.13),
    Strength(1_300, 0.36, 0.06),
    Strength(3_600, 0.28, 0.03),
    Strength(17_000, 0.15, 0.0),
    Strength(80_000, 0.02, 0.0),
    Strength(230_000, 0.0, 0.0),
)
"""Levels below full strength that suit games of two without chance; ``python -m bench.levels`` measured them."""


@dataclass(frozen=True)
class TableModules:
    """The modules of a game that tables with some options are built and verified with."""

    index: ModuleType
    """The numbering of positions: its kernels, `index_numbers` (an array of int32 or int64) and `tier_name`."""

    check: str = "check"
    """The name of the module of independent rules, in the game's package. Without such a file, no verification."""


NO_SUMMARY = message("A board game.")

_DERIVED: Any = None  # a default that `Definition.__post_init__` derives from the other fields


@dataclass(frozen=True)
class NetworkFile:
    """The network of a game with some options: where it is, and what it learns from."""

    file: Path
    """Its words (``core/kernel/network.py``), with the log of the training beside them, as JSON."""

    played: tuple[Options, ...]
    """The options of the games that it learns from."""

    is_used: bool
    """Whether it judges positions unless told otherwise: it has won a match against the weights made by hand."""


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A game, before its options are chosen. Rules and notation are REQUIRED; the rest is OPTIONAL.

    What else may stand in the game's folder is OPTIONAL too: ``rules.<lang>.md`` (without them, no page of rules),
    ``lesson.json`` (no lesson), ``puzzles.json`` (no puzzles), ``refused_by.json`` (refusals do not link to the rules),
    ``level_ratings.json`` (levels have no ratings), ``check.py`` (tables cannot be verified), ``art/`` (the shapes that
    come with ``draw`` only), ``solutions/``, ``exam/`` (the exam has no published sample).
    """

    name: str
    """REQUIRED. The name everywhere: lower case, as in ``damier.load(name)``."""

    rules: ModuleType
    """REQUIRED. The kernels: see ``core/kernel/contract.py``."""

    notation: Notation
    """REQUIRED. The text of positions and actions. A module with ``PLAYERS``, unless `traits` is given."""

    title: str = _DERIVED
    """OPTIONAL. The name for people. Without it, the name with a capital letter."""

    summary: Message = NO_SUMMARY
    """OPTIONAL. The aim in one sentence. Without it, lists of games say nothing of the game."""

    options: tuple[Option, ...] = ()
    """OPTIONAL. Without it, the game has one form."""

    complete: Callable[[Options], Options] = _DERIVED
    """OPTIONAL. Adds the defaults to the options given, in the order of declaration, and checks how they go together.

    Without it, the defaults of `options` are added and any values go together.
    """

    numbers: Callable[[Options], list[int]] = lambda _options: [0]
    """OPTIONAL. The rules as kernels take them. Without it, kernels learn nothing of the options."""

    traits: Callable[[Options], Traits] = _DERIVED
    """OPTIONAL. Without it, a game of the notation's ``PLAYERS``, no chance, one action a turn, no symmetries."""

    player_names: dict[str, Message] = _DERIVED
    """OPTIONAL. By player as in the notation. Without it, "Player 1" and so on."""

    reasons: dict[str, Message] = field(default_factory=lambda: {PLAIN_REASON: message("by the rules of the game")})
    """OPTIONAL. Why a game may end by its own rules, by code. Without it, "by the rules of the game"."""

    evaluate: ModuleType = no_evaluation
    """OPTIONAL. The kernels with which search judges a state. Without it, search sees only wins, draws and losses."""

    network: Callable[[Options], NetworkFile | None] = lambda _options: None
    """OPTIONAL. The network for games with these options; `evaluate` has the kernels for it.

    Without it, the weights of `evaluate` judge every position, and ``damier train`` refuses the game.
    """

    levels: tuple[Strength, ...] = STRENGTHS
    """OPTIONAL. The levels below full strength, weakest first, as measured: see ``docs/engine.md``.

    Without it, `STRENGTHS`; how far apart they are in this game is then unknown.
    """

    index: ModuleType | None = None
    """OPTIONAL. The numbering of positions for solvers: its kernels, `index_numbers` and `tier_name`.

    Without it, the game cannot be solved.
    """

    other_table_modules: Callable[[Options], TableModules | None] = lambda _options: None
    """OPTIONAL. What builds and verifies tables with options that `index` does not number; None for all others.

    Without it, `index` and ``check.py`` serve every set of options. Read by `table_modules`.
    """

    why_unsolvable: Callable[[Options], Message | None] = lambda _options: None
    """OPTIONAL. The reason why no table of exact values can be built with these options, as the end of a sentence.

    Without it, every set of options can be solved if there is an `index`.
    """

    covered_by: Callable[[Options], Sequence[Options]] | None = None
    """OPTIONAL. Other options whose tables have positions of the game with these options, the most useful first.

    The `index` has `covered_tiers` and `covered_tier` for them. States of both games are packed alike, and a state that
    a table has is one position in both: the same player is on move, with the same actions to the same states, the
    same ends and the same `situation`. Every action leads from such a state to another one or to the end of the game;
    that is why values are exact, as ``solve/covering.py`` argues. No other state has the situation of such a state.

    Without it, a game is played exactly only from its own table.
    """

    spaces: ModuleType | None = None
    """OPTIONAL. What learners see of the game: the kernel `planes`, and three functions of the rules' numbers.

    ``action_codes``: the actions that players have in some position, each once, rolls of the die left out; the place
    in this list is the number of an action. ``plane_list``: the `Plane` of each word that `planes` writes. ``grid``:
    the rows of an observation from the first player's side on, each a list of cells, -1 where there is no cell.

    Without it, ``game.spaces`` and ``game.batch`` are refused.
    """

    solved: Message | None = None
    """OPTIONAL. How the game ends with best play, as its page in ``docs/solutions`` says. Without it, not known."""

    parts: tuple[Part, ...] = ()
    """OPTIONAL. The parts of a position besides board, side and hands, as ``PARTS`` in the game's ``editor.py``.

    Without it, the position editor sets them by the position string alone.
    """

    refusals: Refusals = field(default_factory=PlainRefusals)
    """OPTIONAL. Without it, a refusal gives no reason."""

    appearance: Appearance = _DERIVED
    """OPTIONAL. Without it, discs on the board that the position string shows: see ``core/plain.py``."""

    drawing: Callable[[Options], Drawing] = _DERIVED
    """OPTIONAL, together with `appearance`. The empty board."""

    guidance: Guidance | None = None
    """OPTIONAL. Without it, newcomers read the summary and what can be clicked: see `Guidance`."""

    def __post_init__(self) -> None:
        derived: dict[str, Callable[[], Any]] = {
            "title": lambda: self.name.capitalize(),
            "complete": lambda: self._with_defaults,
            "traits": lambda: self._plain_traits,
            "player_names": lambda: numbered_players(self.traits(self.complete({})).players),
            "appearance": lambda: PlainAppearance(self.notation, self.traits(self.complete({})).players),
            "drawing": lambda: self._plain_drawing,
        }
        for name, value in derived.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value())

    def table_modules(self, options: Options) -> TableModules | None:
        """Returns what builds and verifies tables with these options; None if positions have no numbering."""
        if found := self.other_table_modules(options):
            return found
        return TableModules(self.index) if self.index else None

    def _with_defaults(self, given: Options) -> Options:
        return {option.name: given.get(option.name, option.default) for option in self.options}

    def _plain_traits(self, _options: Options) -> Traits:
        players: tuple[str, ...] = vars(self.notation)["PLAYERS"]
        return Traits(players=players, repetition=getattr(self.rules, "REPETITION", REPETITION_FREE))

    def _plain_drawing(self, options: Options) -> Drawing:
        numbers = self.numbers(options)
        return PlainAppearance(self.notation, self.traits(options).players).board(numbers, self.rules.start(numbers))

    @property
    def folder(self) -> Path:
        """The folder of the game's package, which also holds its lesson, puzzles, rule pages and pictures."""
        return Path(str(self.rules.__file__)).parent

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return _definition, (str(self.rules.__package__),)


def numbered_players(players: Sequence[str]) -> dict[str, Message]:
    """Returns "Player 1" and so on, by player as in the notation."""
    return {player: message("Player {number}", number=number) for number, player in enumerate(players, 1)}


def _definition(package: str) -> object:
    """Returns the definition in a game's package, to unpickle one in another process."""
    return importlib.import_module(package).GAME
