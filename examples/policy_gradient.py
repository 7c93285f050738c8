"""Proximal policy optimisation at Chefa against a level of the engine, in NumPy.

    python examples/policy_gradient.py --opponent level:1 --steps 24576

The learner plays `gymnasium.make("damier/Chefa-v0", opponent="level:1")`, one game after the other, and learns from the
results alone. `ActionMasks` makes the environment as Stable-Baselines3 wants it: one array to look at, and the legal
actions from `action_masks()`. `Learner` has the two methods `learn(total_timesteps)` and `predict(observation,
action_masks=..., deterministic=...)` of that project's MaskablePPO, so that it can take the place of this one:

    from sb3_contrib import MaskablePPO
    learner = MaskablePPO("MlpPolicy", make_env("level:1", seed=0))

Needs ``pip install "damier[research]"``; Stable-Baselines3 itself is not needed.
"""

import argparse
import contextlib
import sys
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import damier
import damier.adapters.gymnasium  # registers the games

Array = NDArray[np.float64]

HIDDEN = 128
STEPS = 512  # played between two updates
EPOCHS, BATCH = 4, 256  # of an update
DISCOUNT, TRACE = 0.99, 0.95  # of generalised advantage estimation
CLIP, RATE = 0.2, 0.003
EXPLORING = 0.01  # weight of the entropy


class ActionMasks(gymnasium.Wrapper[Array, np.int64, Any, np.int64]):
    """The planes as one array of numbers from 0 to 1, and the legal actions from a method."""

    def __init__(self, env: gymnasium.Env[Any, np.int64]) -> None:
        super().__init__(env)
        self._inner: gymnasium.Env[Any, Any] = env
        planes = env.observation_space["observation"]  # type: ignore[index]  # a dictionary
        self._most = np.maximum(planes.high, 1)
        self._mask = np.zeros(0, np.bool_)
        self.observation_space = gymnasium.spaces.Box(0, 1, (planes.high.size,), np.float64)

    def reset(self, **given: Any) -> tuple[Array, dict[str, Any]]:
        """Begins a game."""
        seen, info = self._inner.reset(**given)
        return self._flat(seen), info

    def step(self, action: np.int64) -> tuple[Array, Any, bool, bool, dict[str, Any]]:
        """Plays an action and the answer of the opponent."""
        seen, reward, is_terminated, is_truncated, info = self._inner.step(action)
        return self._flat(seen), reward, is_terminated, is_truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal."""
        return self._mask

    def _flat(self, seen: dict[str, NDArray[Any]]) -> Array:
        self._mask = seen["action_mask"].astype(np.bool_)
        return np.asarray((seen["observation"] / self._most).ravel(), np.float64)


def make_env(opponent: str, seed: int) -> ActionMasks:
    """Returns the environment; the learner begins in half of the games."""
    env = ActionMasks(gymnasium.make("damier/Chefa-v0", opponent=opponent, disable_env_checker=True))
    env.reset(seed=seed)
    return env


class Learner:
    """A network with one hidden layer, for actions and for the value of a position."""

    def __init__(self, env: ActionMasks, seed: int = 0) -> None:
        self.env, self._rng = env, np.random.default_rng(seed)
        assert isinstance(env.action_space, gymnasium.spaces.Discrete)
        inputs, actions = env.observation_space.shape[0], int(env.action_space.n)  # type: ignore[index]  # a Box has one
        self._weights = {
            "hidden": self._rng.normal(0, (2 / inputs) ** 0.5, (inputs, HIDDEN)),
            "bias": np.zeros(HIDDEN),
            "action": self._rng.normal(0, 0.01, (HIDDEN, actions)),
            "value": np.zeros((HIDDEN, 1)),
        }
        self._moments = {name: (np.zeros_like(each), np.zeros_like(each)) for name, each in self._weights.items()}
        self._updates = 0

    def predict(
        self, observation: Array, *, action_masks: NDArray[np.bool_], deterministic: bool = False
    ) -> tuple[np.int64, None]:
        """Returns the most likely action, or one drawn by its probability."""
        chances = self._look(observation[None], action_masks[None])[1][0]
        action = chances.argmax() if deterministic else self._rng.choice(len(chances), p=chances)
        return np.int64(action), None

    def learn(self, total_timesteps: int) -> "Learner":
        """Plays so many actions and learns from them."""
        seen, _ = self.env.reset()
        for _ in range(max(1, total_timesteps // STEPS)):
            played, seen = self._play(seen)
            for _ in range(EPOCHS):
                order = self._rng.permutation(STEPS)
                for part in order.reshape(-1, BATCH):
                    self._update(*[column[part] for column in played])
        return self

    def _look(self, seen: Array, masks: NDArray[np.bool_]) -> tuple[Array, Array, Array]:
        """Returns the hidden layer, the probabilities of actions and the values of positions."""
        hidden = np.maximum(seen @ self._weights["hidden"] + self._weights["bias"], 0)
        logits = np.where(masks, hidden @ self._weights["action"], -1e9)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, chances / chances.sum(axis=1, keepdims=True), (hidden @ self._weights["value"])[:, 0]

    def _play(self, seen: Array) -> tuple[list[NDArray[Any]], Array]:
        """Plays STEPS actions; returns what was seen and done, with advantages and returns, and what is seen now."""
        rows: list[list[Any]] = [[] for _ in range(7)]
        for _ in range(STEPS):
            mask = self.env.action_masks()
            _, chances, values = self._look(seen[None], mask[None])
            action = self._rng.choice(len(mask), p=chances[0])
            following, reward, is_over, is_cut, _ = self.env.step(np.int64(action))
            row = (seen, mask, action, chances[0, action], values[0], reward, is_over or is_cut)
            for column, entry in zip(rows, row, strict=True):
                column.append(entry)
            seen = self.env.reset()[0] if is_over or is_cut else following
        after = float(self._look(seen[None], self.env.action_masks()[None])[2][0])
        columns = [np.array(column) for column in rows]
        values, rewards, ends = columns[4:]
        advantages, trace = np.zeros(STEPS), 0.0
        for i in reversed(range(STEPS)):
            going_on = 1.0 - ends[i]
            surprise = rewards[i] + DISCOUNT * after * going_on - values[i]
            trace = surprise + DISCOUNT * TRACE * trace * going_on
            advantages[i], after = trace, values[i]
        return [*columns[:4], advantages, advantages + values], seen

    def _update(
        self,
        seen: Array,
        masks: NDArray[np.bool_],
        actions: NDArray[np.int64],
        before: Array,
        advantages: Array,
        returns: Array,
    ) -> None:
        """Takes one step of Adam along the clipped objective, the error of the values and the entropy."""
        rows = np.arange(len(seen))
        hidden, chances, values = self._look(seen, masks)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        ratio = chances[rows, actions] / before
        is_clipped = np.where(advantages > 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
        logs = np.log(np.maximum(chances, 1e-12))
        entropy = -(chances * logs).sum(axis=1, keepdims=True)
        slope = -EXPLORING * chances * (logs + entropy)  # of what is to grow, by logits
        pull = np.where(is_clipped, 0, advantages * ratio)
        slope -= pull[:, None] * chances
        slope[rows, actions] += pull
        error = (returns - values)[:, None]
        back = (slope @ self._weights["action"].T + 0.5 * error @ self._weights["value"].T) * (hidden > 0)
        slopes = {
            "hidden": seen.T @ back,
            "bias": back.sum(axis=0),
            "action": hidden.T @ slope,
            "value": hidden.T @ (0.5 * error),
        }
        self._updates += 1
        for name, each in slopes.items():
            first, second = self._moments[name]
            first += 0.1 * (each / len(seen) - first)
            second += 0.001 * ((each / len(seen)) ** 2 - second)
            scale = RATE * (1 - 0.999**self._updates) ** 0.5 / (1 - 0.9**self._updates)
            self._weights[name] += scale * first / (np.sqrt(second) + 1e-8)


def mean_reward(learner: Learner, env: ActionMasks, games: int) -> float:
    """Returns the mean result of games: 1 for a win, -1 for a loss."""
    total = 0.0
    for _ in range(games):
        seen, is_over = env.reset()[0], False
        while not is_over:
            action, _ = learner.predict(seen, action_masks=env.action_masks())
            seen, reward, is_terminated, is_truncated, _ = env.step(action)
            total, is_over = total + float(reward), is_terminated or is_truncated
    return total / games


def main(given: list[str] | None = None) -> tuple[float, float]:
    """Learns; returns the mean result before and after."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opponent", default="level:1", help="as 'damier match' takes it (default: level:1)")
    parser.add_argument("--steps", type=int, default=24_576, help="actions to learn from (default: 24576)")
    parser.add_argument("--games", type=int, default=200, help="games before and after (default: 200)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(given)
    if arguments.seed < 0:
        parser.error("--seed takes a whole number from 0 up")
    env = make_env(arguments.opponent, arguments.seed)
    learner = Learner(env, arguments.seed)
    before = mean_reward(learner, env, arguments.games)
    print(f"before: mean result {before:+.2f} against {arguments.opponent}")
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C ends learning
        learner.learn(arguments.steps)
    after = mean_reward(learner, env, arguments.games)
    print(f"after learning: mean result {after:+.2f} against {arguments.opponent}")
    env.close()
    return before, after


if __name__ == "__main__":
    try:
        main()
    except damier.DamierError as error:
        sys.exit(str(error))
