"""The games as games of OpenSpiel, for its algorithms.

Importing this module registers every game, under ``damier_`` and its name.

>>> import damier, pyspiel, damier.adapters.openspiel
>>> game = pyspiel.load_game(f"damier_{damier.games()[0]}(bombs=5,max_actions=200)")
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("c3"))
>>> str(state), state.current_player(), len(state.legal_actions())
('5/5/2B2/5/5 w 4,5', 1, 24)

The parameters of a game are its options, ``position``, where it begins, and ``max_actions``, after which it is cut off.
OpenSpiel separates parameters by commas, so that a value with commas is written with semicolons. Rolls of the die are
chance nodes. Repetition is judged by the record of a state, which its clones copy.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from damier.adapters.limited_game import MOST_ACTIONS, LimitedGame
from damier.core.definition import Definition
from damier.core.errors import BadOption
from damier.core.game import Game
from damier.core.options import CellList, Option, WholeNumber, parse_given
from damier.core.position import Position
from damier.core.ranges import check_whole
from damier.games import definition, games
from damier.search.spaces import has_stood

if find_spec("pyspiel") is None:
    raise ModuleNotFoundError(
        'pyspiel is not installed: pip install "damier[research]" installs it where OpenSpiel has wheels.'
    )

import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

if TYPE_CHECKING:
    from numpy.typing import NDArray

PREFIX = "damier_"
"""How the names of the games begin in OpenSpiel."""

MOST_LENGTH = 1_000_000
"""The largest `max_actions`."""


class StateGame(LimitedGame):
    """What a state of OpenSpiel plays: OpenSpiel copies it for every clone and pickles it to serialize a state."""

    def __deepcopy__(self, memo: dict[int, object]) -> StateGame:
        return StateGame(self.record.copy(), self.max_actions)

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (self.game, str(self.record.start), self.record.played, self.max_actions)


def _replayed(game: Game, start: str, played: tuple[str, ...], max_actions: int) -> StateGame:
    """Returns a game after some actions."""
    record = game.record(start)
    for text in played:
        record.play(text)
    return StateGame(record, max_actions)


class SpielState(pyspiel.State):
    """A state: a game being played, with its history."""

    def __init__(self, spiel_game: SpielGame, start: Position) -> None:
        super().__init__(spiel_game)
        self.played = StateGame(start.game.record(start), spiel_game.max_actions)

    def current_player(self) -> int:
        """Returns the number of the player on move, or OpenSpiel's for chance or for the end."""
        if self.played.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        mover = self.played.mover
        return int(pyspiel.PlayerId.CHANCE) if mover < 0 else mover

    def is_terminal(self) -> bool:
        """Tells whether the game has ended or been cut off."""
        return self.played.is_over

    def returns(self) -> list[float]:
        """Returns what each player has got: 1 for winning, the others share a loss of 1; 0 if drawn or cut off."""
        return self.played.rewards()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the rolls, all equally likely."""
        rolls = self.played.record.actions()
        return [(number, 1 / len(rolls)) for number in range(len(rolls))]

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002  # OpenSpiel asks for the player on move alone
        numbers: list[int] = np.flatnonzero(self.played.game.spaces.mask(self.played.record)).tolist()
        return numbers

    def _apply_action(self, action: int) -> None:
        self.played.record.play(self._action_to_string(self.current_player(), action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            rolls = self.played.record.actions()
            check_whole("action", action, 0, len(rolls) - 1)
            return rolls[action]
        return self.played.game.spaces.action_text(action)

    def __str__(self) -> str:
        record = self.played.record
        return f"{record.position} repeated" if has_stood(record) else str(record.position)


class SpielGame(pyspiel.Game):
    """A game with its options chosen, as OpenSpiel loads it. `register` makes a subclass for each definition."""

    definition: ClassVar[Definition]
    spiel_type: ClassVar[Any]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        chosen = self.definition
        given = _changed(chosen, parameters or {})
        self.max_actions: int = given.get("max_actions", MOST_ACTIONS)
        check_whole("max_actions", self.max_actions, 1, MOST_LENGTH)
        options = {option.name: _value(given[option.name]) for option in chosen.options if option.name in given}
        self.game = Game(chosen, **options)
        self._start = self.game.position(_value(given["position"]) if "position" in given else None)
        players = len(self.game.players)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.spaces.action_count,
            max_chance_outcomes=_roll_count(self.game),
            num_players=players,
            min_utility=-1 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_actions,
        )
        super().__init__(self.spiel_type, info, given)

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)

    def new_initial_state(self, position: str | None = None) -> SpielState:
        """Returns a game at its beginning, or one that begins at a position given as its string."""
        return SpielState(self, self._start if position is None else self.game.parse(position))

    def max_chance_nodes_in_history(self) -> int:
        """Returns how many rolls a game can have."""
        return self.max_actions if self.game.traits.has_chance else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Returns what writes observations of states: planes, or the history where perfect recall is asked for."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlaneObserver(self.game, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def _loaded(text: str) -> Any:
    """Returns the game of a game string; a pickle that names this function imports this module, which registers it."""
    return pyspiel.load_game(text)


class PlaneObserver:
    """Observes a state as the planes of `Game.spaces`, seen by the player on move whoever observes."""

    def __init__(self, game: Game, params: Any) -> None:
        if params:
            raise ValueError(f"An observation takes no parameters, not {params}.")
        shape = game.spaces.shape
        self.tensor: NDArray[np.float32] = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:  # noqa: ARG002  # nothing is hidden
        """Writes what is seen of a state."""
        played = state.played
        self.dict["observation"][...] = played.game.spaces.observe(played.record)

    def string_from(self, state: SpielState, player: int) -> str:  # noqa: ARG002
        """Returns what is seen of a state as text: the position string."""
        return str(state)


def register(name: str) -> None:
    """Registers a game with OpenSpiel, under ``damier_`` and its name."""
    chosen = definition(name)
    spiel_type = _game_type(chosen)
    # A class, because OpenSpiel releases it after Python has ended: the last reference to a function would be fatal.
    creator = type(PREFIX + name, (SpielGame,), {"definition": chosen, "spiel_type": spiel_type})
    pyspiel.register_game(spiel_type, creator)


def _game_type(chosen: Definition) -> Any:
    counts = _player_counts(chosen)
    traits = chosen.traits(chosen.complete({}))
    chance = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=PREFIX + chosen.name,
        long_name=chosen.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if traits.has_chance else chance.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(counts),
        min_num_players=min(counts),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(chosen),
    )


def _defaults(chosen: Definition) -> dict[str, int | str]:
    """Returns the parameters of a game with their defaults."""
    options = {option.name: _spelled(option.default) for option in chosen.options}
    return {**options, "position": "", "max_actions": MOST_ACTIONS}


def _changed(chosen: Definition, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the parameters that are not the defaults: OpenSpiel adds these, but some do not go with other values."""
    defaults = _defaults(chosen)
    spelled = {name: _spelled(value) for name, value in parameters.items()}
    return {name: value for name, value in spelled.items() if value != defaults[name]}


def _spelled(value: Any) -> Any:
    """Returns a value as it is written in OpenSpiel, where commas separate parameters."""
    return value.replace(",", ";") if isinstance(value, str) else value


def _value(spelled: Any) -> Any:
    """Returns the value that is written in OpenSpiel with semicolons for commas."""
    return spelled.replace(";", ",") if isinstance(spelled, str) else spelled


def _player_counts(chosen: Definition) -> set[int]:
    """Returns how many players the game may have, whichever option decides it."""
    counts = {len(chosen.traits(chosen.complete({})).players)}
    for option in chosen.options:
        for value in _values(option):
            with contextlib.suppress(BadOption):  # does not go with the defaults of the others
                complete = chosen.complete(parse_given(chosen.options, {option.name: value}))
                counts.add(len(chosen.traits(complete).players))
    return counts


def _values(option: Option) -> range | tuple[str, ...]:
    """Returns the values of an option, where they are few enough to be declared one by one."""
    if isinstance(option, CellList):
        return ()
    return range(option.low, option.high + 1) if isinstance(option, WholeNumber) else option.choices


def _roll_count(game: Game) -> int:
    """Returns how many sides the die has; 0 without a die."""
    if not game.traits.has_chance:
        return 0
    position = game.start
    while position.mover != "chance":
        position = position.play(position.actions()[0])
    return len(position.actions())


for _name in games():
    register(_name)
