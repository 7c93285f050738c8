"""Gymnasium: its own check for every game and option set, and games against opponents."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import damier
from damier.adapters.gymnasium import OpponentEnv
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of


@pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)
def test_environments_pass_the_check(option_set: OptionSet) -> None:
    name, options = option_set
    check_env(gymnasium.make(f"damier/{name.capitalize()}-v0", **options).unwrapped)


def played(env: OpponentEnv, seed: int | None) -> tuple[list[int], float]:
    """Plays a game with the first legal action each time; returns the actions and the reward."""
    seen, _ = env.reset(seed=seed)
    actions, reward, is_over = [], 0.0, False
    while not is_over:
        assert env.played.mover == env.seat
        actions.append(int(np.flatnonzero(seen["action_mask"])[-1]))
        seen, reward, is_terminated, is_truncated, info = env.step(np.int64(actions[-1]))
        assert info == {}
        is_over = is_terminated or is_truncated
    return actions, reward


@pytest.mark.parametrize("seat", [0, 1])
def test_the_reward_is_that_of_the_learners_player(seat: int) -> None:
    env = OpponentEnv("chefa", "level:1", seat=seat)
    rewards = [played(env, seed)[1] for seed in range(3)]
    assert {env.seat} == {seat}
    record = env.played.record
    assert record.result is not None
    assert rewards[-1] == (1.0 if record.result.winner == env.game.players[seat] else -1.0)
    env.close()


def test_games_are_the_same_for_a_seed() -> None:
    env = OpponentEnv("omba", players=3)
    assert played(env, 11) == played(env, 11)
    games = {tuple(played(env, None)[0]) for _ in range(4)}
    assert len(games) > 1


def test_all_other_seats_are_opponents() -> None:
    env = OpponentEnv("omba", players=4, seat=2)
    for seed in range(5):
        _, reward = played(env, seed)
        assert reward in (1.0, pytest.approx(-1 / 3))


def test_an_illegal_action_loses_and_says_why() -> None:
    env = OpponentEnv("chefa", seat=0)
    env.reset(seed=1)
    env.step(np.int64(3))
    _, reward, is_terminated, is_truncated, info = env.step(np.int64(3))
    assert (reward, is_terminated, is_truncated) == (-1.0, True, False)
    assert info == {"illegal": "There is already a pawn on d1."}


def test_boards_are_shown_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    env = OpponentEnv("chefa", seat=0, render_mode="human")
    env.reset(seed=1)
    env.step(np.int64(3))
    assert "a   b   c   d   e" in capsys.readouterr().out
    shown = OpponentEnv("chefa", render_mode="ansi")
    shown.reset(seed=1)
    assert "a   b   c   d   e" in str(shown.render())


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(damier.BadArgument, match="seat takes a whole number from 0 to 1, not '2'"):
        OpponentEnv("chefa", seat=2)
    with pytest.raises(damier.BadArgument, match="A player is one of level:1"):
        OpponentEnv("chefa", "strong")


@pytest.mark.parametrize(("name", "seat", "max_actions"), [("chefa", 1, 1), ("omba", 0, 1), ("omba", 1, 3)])
def test_games_that_are_over_before_the_learner_can_act_are_refused(name: str, seat: int, max_actions: int) -> None:
    env = OpponentEnv(name, seat=seat, max_actions=max_actions)
    with pytest.raises(damier.BadArgument, match=f"Games of up to {max_actions} actions are over before the learner"):
        env.reset(seed=1)
