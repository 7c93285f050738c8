"""The games as environments of PettingZoo, one agent for each player, who act by turns (AEC).

>>> import damier
>>> from damier.adapters import pettingzoo
>>> env = pettingzoo.env(damier.games()[1])
>>> env.reset(seed=7)
>>> seen, reward, is_terminated, is_truncated, info = env.last()
>>> env.agent_selection, seen["observation"].shape, int(seen["action_mask"].sum())
('player_0', (6, 5, 5), 24)
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from damier.adapters.environment_game import EnvironmentGame, Seen, action_space, observation_space
from damier.adapters.limited_game import MOST_ACTIONS
from damier.core.game import Game
from damier.core.ranges import check_whole
from damier.games import load


def env(name: str, *, max_actions: int = MOST_ACTIONS, render_mode: str | None = None, **options: object) -> AECEnv:
    """Returns a game as an environment with the usual wrappers: an illegal action loses the game for its player."""
    raw = raw_env(name, max_actions=max_actions, render_mode=render_mode, **options)
    legal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))


def raw_env(name: str, *, max_actions: int = MOST_ACTIONS, render_mode: str | None = None, **options: object) -> AECEnv:
    """Returns a game as an environment without wrappers: an illegal action raises `IllegalAction`."""
    return TurnsEnv(load(name, **options), max_actions, render_mode)


def parallel_env(
    name: str, *, max_actions: int = MOST_ACTIONS, render_mode: str | None = None, **options: object
) -> ParallelEnv:
    """Returns a game for learners that give an action for every agent at each step; only the mover's is played."""
    return turn_based_aec_to_parallel(env(name, max_actions=max_actions, render_mode=render_mode, **options))


class TurnsEnv(AECEnv):
    """A game whose players act by turns.

    What an agent observes is a dictionary: ``observation``, the planes of `Game.spaces` as the player on move sees
    them, and ``action_mask``, which is also in `infos` and empty for agents that are not on move. Rolls of the die are
    played by the environment, from the seed of `reset`.
    """

    def __init__(self, game: Game, max_actions: int = MOST_ACTIONS, render_mode: str | None = None) -> None:
        super().__init__()
        check_whole("max_actions", max_actions, 1, 10**9)
        self.game, self.render_mode = game, render_mode
        self.metadata = {
            "name": f"damier_{game.name}_v0",
            "render_modes": ["human", "ansi"],
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{number}" for number in range(len(game.players))]
        self.agents: list[str] = []
        self._max_actions = max_actions
        self._rng = np.random.default_rng()
        self._observation_spaces = {agent: observation_space(game) for agent in self.possible_agents}
        self._action_spaces = {agent: action_space(game) for agent in self.possible_agents}

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> spaces.Dict:
        """Returns the space of what an agent observes."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the space of actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  # of the interface
        """Begins a game; the seed decides the dice of this game and of those after it."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.played = EnvironmentGame(self.game, self._max_actions, self._rng)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, self.played.is_cut)
        self._look()

    def observe(self, agent: str) -> Seen:
        """Returns what an agent sees."""
        return self.played.seen(self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Plays the action of the agent on move; raises `IllegalAction` with the reason, or `BadArgument`."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        check_whole("action", action, 0, self.game.spaces.action_count - 1)
        assert action is not None
        self.played.play(self.game.spaces.action_text(int(action)))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, self.played.rewards(), strict=True))
        self.terminations = dict.fromkeys(self.agents, self.played.record.result is not None)
        self.truncations = dict.fromkeys(self.agents, self.played.is_cut)
        self._accumulate_rewards()
        self._look()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Returns the board as text; in the mode ``human``, writes it to the standard output."""
        if self.render_mode == "human":
            sys.stdout.write(self.played.text() + "\n")
            return None
        return self.played.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing: there is nothing to release."""

    def _look(self) -> None:
        """Sets who acts next, and the masks."""
        self.agent_selection = self.possible_agents[max(self.played.mover, 0)]
        self.infos = {agent: {"action_mask": self.observe(agent)["action_mask"]} for agent in self.agents}
