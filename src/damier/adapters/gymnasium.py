"""The games as environments of Gymnasium: one learner, against opponents that the engine plays.

Importing this module registers every game, under ``damier/`` and its name with a capital letter and ``-v0``.

>>> import damier, gymnasium, damier.adapters.gymnasium
>>> env = gymnasium.make(f"damier/{damier.games()[1].capitalize()}-v0", opponent="random", seat=0)
>>> seen, info = env.reset(seed=7)
>>> seen["observation"].shape, int(seen["action_mask"].sum())
((6, 5, 5), 24)
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np

from damier.adapters.environment_game import EnvironmentGame, Seen, action_space, observation_space
from damier.adapters.limited_game import MOST_ACTIONS
from damier.core.errors import BadArgument, IllegalAction
from damier.core.messages import message
from damier.core.ranges import check_whole
from damier.engine.arena.entrants import parse_entrant
from damier.engine.limit import Limit
from damier.engine.player import Player
from damier.games import games, load

TURN = Limit(nodes=100_000)
"""What an opponent may search in a turn, unless its text says otherwise; levels have limits of their own."""


_TRIES = 100  # games that may be over before the learner acts


class OpponentEnv(gymnasium.Env[Seen, np.int64]):
    """A game against opponents.

    `opponent` is a text as ``damier match`` takes it: ``random``, ``level:3``, ``full@nodes=5000``; it plays all other
    players. `seat` is the number of the learner's player; without it, each game draws one. The reward is 1 for a win
    and 0 for a draw; in a game of two a loss is -1, among more players the others share it. An illegal action ends the
    game with -1, and the reason is in the info as ``illegal``.
    """

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        game: str,
        opponent: str = "random",
        seat: int | None = None,
        max_actions: int = MOST_ACTIONS,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        self.game = load(game, **options)
        check_whole("seat", 0 if seat is None else seat, 0, len(self.game.players) - 1)
        check_whole("max_actions", max_actions, 1, 10**9)
        self.render_mode = render_mode
        self.observation_space: gymnasium.Space[Any] = observation_space(self.game)
        self.action_space = action_space(self.game)
        self.seat = seat or 0
        self._draws_seat, self._max_actions = seat is None, max_actions
        self._entrant = parse_entrant(opponent)
        self._opponent: Player | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begins a game; the seed decides dice, seats and what opponents draw, in this game and those after it."""
        super().reset(seed=seed, options=options)
        if seed is not None or self._opponent is None:
            self.close()
            self._opponent = self._entrant.make(self.game, int(self.np_random.integers(1 << 31)))
        self._opponent.new_game()
        if self._draws_seat:
            self.seat = int(self.np_random.integers(len(self.game.players)))
        for _ in range(_TRIES):
            self.played = EnvironmentGame(self.game, self._max_actions, self.np_random)
            self._answer()
            if not self.played.is_over:  # before the learner has acted
                return self._seen(), {}
        raise BadArgument(
            message(
                "Games of up to {max_actions} actions are over before the learner can act: take more.",
                max_actions=self._max_actions,
            )
        )

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Plays an action, and the opponents' until the learner is on move again or the game is over."""
        try:
            self.played.play(self.game.spaces.action_text(int(action)))
        except IllegalAction as refusal:
            return self._seen(), -1.0, True, False, {"illegal": str(refusal)}
        self._answer()
        if self.render_mode == "human":
            self.render()
        reward = self.played.rewards()[self.seat]
        return self._seen(), reward, self.played.record.result is not None, self.played.is_cut, {}

    def render(self) -> str | None:
        """Returns the board as text; in the mode ``human``, writes it to the standard output."""
        if self.render_mode == "human":
            sys.stdout.write(self.played.text() + "\n")
            return None
        return self.played.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Releases the opponent."""
        if self._opponent is not None:
            self._opponent.close()
            self._opponent = None

    def _answer(self) -> None:
        """Plays the actions of the opponents until the learner is on move."""
        while not self.played.is_over and self.played.mover != self.seat:
            assert self._opponent is not None
            mover = self.played.mover
            for text in self._opponent.choose(self.played.record, self._entrant.limit or TURN):
                if self.played.mover == mover and not self.played.is_over:
                    self.played.play(text)

    def _seen(self) -> Seen:
        return self.played.seen(self.seat)


for _name in games():
    gymnasium.register(
        id=f"damier/{_name.capitalize()}-v0",
        entry_point="damier.adapters.gymnasium:OpponentEnv",
        kwargs={"game": _name},
    )
