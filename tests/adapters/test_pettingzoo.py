"""PettingZoo: its own tests, for every game and option set, and what agents see."""

import functools
import random
import types
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.utils.wrappers import BaseParallelWrapper, BaseWrapper

import damier
from damier.adapters import pettingzoo
from damier.adapters.environment_game import EnvironmentGame
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of

every_option_set = pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)

#: What PettingZoo says of every environment with masks that is not its own, of agents that are not on move, and of a
#: board that is empty at the end.
KNOWN = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",
    "Observation numpy array is all zeros.",
}


SEED = 1


@every_option_set
def test_environments_pass_the_api_test(option_set: OptionSet) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(pettingzoo.env(option_set[0], **option_set[1]), num_cycles=30)
    assert {str(each.message) for each in said} <= KNOWN


@every_option_set
def test_environments_pass_the_seed_test(option_set: OptionSet) -> None:
    seed_test(functools.partial(pettingzoo.env, option_set[0], **option_set[1]), num_cycles=30)


@every_option_set
def test_environments_pass_the_render_test(option_set: OptionSet, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(functools.partial(pettingzoo.env, option_set[0], **option_set[1]))
    assert "to move" in capsys.readouterr().out


@every_option_set
def test_parallel_environments_pass_the_parallel_tests(option_set: OptionSet) -> None:
    made = functools.partial(pettingzoo.parallel_env, option_set[0], **option_set[1])
    parallel_api_test(made(), num_cycles=30)
    parallel_seed_test(made, num_cycles=30)


class LegalSpace:
    """An action space whose samples are legal: PettingZoo's test of the length asks for no mask.

    A turn is ended as soon as that is legal, so that all agents act equally often.
    """

    def __init__(self, played: Callable[[], EnvironmentGame], rng: random.Random) -> None:
        self._played, self._rng = played, rng

    def sample(self) -> int:
        record = self._played().record
        texts = record.actions()
        return record.game.spaces.action_number("end" if "end" in texts else self._rng.choice(texts))


def with_legal_samples(env: AECEnv | ParallelEnv) -> AECEnv | ParallelEnv:
    """Returns an environment that samples legal actions; in a parallel one, those of agents not on move are ignored.

    Its dice are always the same, and let every player act at every turn.
    """
    wrapper = BaseParallelWrapper if isinstance(env, ParallelEnv) else BaseWrapper
    wrapped, turns = wrapper(env), env.unwrapped
    wrapped.reset = functools.partial(env.reset, seed=SEED)
    legal = LegalSpace(lambda: turns.played, random.Random(1))
    wrapped.action_space = lambda _agent: legal
    return wrapped


@every_option_set
def test_environments_pass_the_test_of_the_length(option_set: OptionSet) -> None:
    """A cycle is an action of the player on move at once, or one of every player by turns; rolls count too."""
    name, options = option_set
    game = damier.load(name, **options)
    actions = 2 if game.traits.has_chance else 1

    def parallel(max_cycles: int) -> ParallelEnv:
        return with_legal_samples(pettingzoo.parallel_env(name, max_actions=max_cycles * actions, **options))

    def by_turns(max_cycles: int) -> AECEnv:
        most = max_cycles * actions * len(game.players)
        return with_legal_samples(pettingzoo.env(name, max_actions=most, **options))

    max_cycles_test(types.SimpleNamespace(parallel_env=parallel, env=by_turns))


@pytest.mark.parametrize("players", [2, 4])
def test_a_game_is_played_to_its_end(players: int) -> None:
    env = pettingzoo.env("omba", players=players)
    env.reset(seed=5)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, is_terminated, is_truncated, info = env.last()
        totals[agent] += reward
        if is_terminated or is_truncated:
            env.step(None)
            continue
        assert (seen["action_mask"] == info["action_mask"]).all()
        env.step(int(np.flatnonzero(seen["action_mask"])[0]))
    assert sorted(totals.values()) == pytest.approx([-1 / (players - 1)] * (players - 1) + [1.0])


def test_agents_act_when_their_player_is_on_move() -> None:
    env = pettingzoo.env("sensei")
    env.reset()
    env.step(env.unwrapped.game.spaces.action_number("a1-a2"))
    assert env.agent_selection == "player_0"
    env.step(env.unwrapped.game.spaces.action_number("end"))
    assert env.agent_selection == "player_1"
    assert env.observe("player_1")["action_mask"].any()
    assert not env.observe("player_0")["action_mask"].any()


def test_a_long_game_is_truncated() -> None:
    env = pettingzoo.env("chefa", max_actions=3)
    env.reset()
    for number in (0, 1, 2):
        assert not any(env.truncations.values())
        env.step(number)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())


def test_a_parallel_environment_plays_the_action_of_the_agent_on_move_alone() -> None:
    env = pettingzoo.parallel_env("chefa")
    env.reset(seed=1)
    env.step({"player_0": 0, "player_1": 7})
    seen, rewards, terminations, truncations, infos = env.step({"player_0": 9, "player_1": 3})
    assert str(env.unwrapped.played.record.position).startswith("5/5/5/5/B2W1 b ")
    assert {info["active_agent"] for info in infos.values()} == {"player_0"}
    assert seen["player_0"]["action_mask"].sum() == 22  # neither the centre nor a cell with a pawn
    assert not seen["player_1"]["action_mask"].any()
    assert not any([*rewards.values(), *terminations.values(), *truncations.values()])


def test_an_illegal_action_is_refused_without_the_wrappers() -> None:
    env = pettingzoo.raw_env("chefa")
    env.reset()
    env.step(0)
    with pytest.raises(damier.IllegalAction, match="There is already a pawn on a1"):
        env.step(0)
    assert env.agent_selection == "player_1"


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(damier.BadOption):
        pettingzoo.env("renfa", bombs=99)
    with pytest.raises(damier.BadArgument, match="max_actions takes a whole number from 1"):
        pettingzoo.env("renfa", max_actions=0)


def test_a_game_that_is_cut_off_by_its_first_roll_is_truncated_at_once() -> None:
    env = pettingzoo.env("omba", max_actions=1)
    env.reset(seed=1)
    assert all(env.truncations.values())
    assert len(list(env.agent_iter(1))) == 1


def test_what_is_no_number_of_an_action_is_refused() -> None:
    env = pettingzoo.raw_env("chefa")
    env.reset()
    for action in (None, -1, 280, 0.5):
        with pytest.raises(damier.BadArgument, match="action takes a whole number from 0 to 279"):
            env.step(action)
