"""The examples learn: each is run with little time, and what it has learned is compared with what it began with."""

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import damier
from damier.core import folders
from damier.engine import Limit, analyse
from examples import alphazero, openings, policy_gradient, tabular
from tests.shared import built_table

FEW = damier.load("renfa", bombs=3)


@pytest.fixture
def few_bombs_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the table of the smallest game built, and no other."""
    folder = built_table(FEW).folder
    monkeypatch.setattr(folders, "table_folder", lambda: folder)


@pytest.fixture
def no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hides all tables."""
    monkeypatch.setattr(folders, "table_folder", lambda: tmp_path)


def test_a_table_of_values_learns_a_forced_win() -> None:
    game = damier.load("chefa")
    start, learner = game.parse(tabular.POSITION), tabular.Learner(game, seed=0)
    assert tabular.score_against_random(learner, start, 100) < 0.2
    for _ in range(4000):
        learner.play(start)
    assert tabular.score_against_random(learner, start, 100) == 1
    *_, proof = analyse(start, Limit(nodes=20_000), lines=1)
    assert proof.best.value.distance == 3
    assert game.action_text(learner.best(start)) == proof.best.actions[0]
    assert learner.value(start) == pytest.approx(tabular.DISCOUNT**2)


@pytest.mark.usefixtures("few_bombs_table")
def test_learned_values_come_near_exact_ones() -> None:
    game = damier.load("renfa", bombs=3)
    rng, position = random.Random(1), game.start
    while (value := game.tables.probe_value(position)).outcome != "win" or value.plies != 3:
        ended = position.result is not None
        position = game.start if ended else position.play(rng.choice(position.actions()))
    learner = tabular.Learner(game, seed=0)
    for _ in range(1500):
        learner.play(position)
    found = tabular.compare(learner)
    assert found.positions > 20
    assert found.agreeing > 0.9
    assert found.error < found.untaught / 3


@pytest.mark.usefixtures("no_tables")
def test_without_a_table_the_examples_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    tabular.main(["--games", "5"])
    openings.main(["--games", "100"])
    sentence = "The table of Chefa has not been built; 'damier solve chefa' does that in about a minute."
    lines = capsys.readouterr().out.splitlines()
    assert f"No comparison with exact values. {sentence}" in lines
    assert f"No exact values. {sentence}" in lines
    openings.main(["--game", "sensei", "--games", "100"])
    assert "too many for a table." in capsys.readouterr().out


@pytest.mark.slow
def test_learned_values_come_near_the_table_of_the_whole_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = built_table(damier.load("chefa")).folder
    monkeypatch.setattr(folders, "table_folder", lambda: folder)
    found = tabular.compare(tabular.main(["--games", "4000"]))
    assert found.agreeing > 0.9
    assert found.error < found.untaught / 3
    assert "have the sign of the exact value" in capsys.readouterr().out


def test_a_bandit_finds_the_opening_that_many_random_games_find() -> None:
    game = damier.load("renfa", bombs=5, last=0)
    arms = openings.bandit(game, game.start, 12_000, seed=1)
    assert [arm.action for arm in sorted(arms)] == ["a1", "a2", "a3", "b2", "b3", "c3"]
    assert sum(arm.pulls for arm in arms) == 12_000 // openings.GAMES
    truth = {}
    for arm in arms:
        results = game.playouts(10_000, seed=9, position=game.start.play(arm.action)).results
        truth[arm.action] = float((results == 0).mean() + 0.5 * (results < 0).mean())
    assert arms[0].pulls > 1.2 * arms[-1].pulls
    mean = sum(truth[arm.action] * arm.pulls for arm in arms) / sum(arm.pulls for arm in arms)
    assert mean > sum(truth.values()) / len(truth)
    assert truth[arms[0].action] > sorted(truth.values())[-3]


@pytest.mark.parametrize("position", ["5/5/W4/BB3/B2WW b 1,1 -", "5/5/BB3/WW3/W2BB w 0,1 -"])
def test_a_bandit_pays_what_the_player_on_move_scores(position: str) -> None:
    game = damier.load("chefa")
    start = game.parse(position)
    assert openings.pull(game, start, "b1", 1) == 1  # makes a square
    arms = openings.bandit(game, start, 2000, seed=1)
    assert arms[0].action == "b1"
    assert arms[0].pulls > 2 * arms[1].pulls


@pytest.mark.usefixtures("few_bombs_table")
def test_openings_stand_beside_their_exact_values(capsys: pytest.CaptureFixture[str]) -> None:
    arms = openings.main(["--game", "renfa", "--option", "bombs=3", "--games", "200"])
    lines = capsys.readouterr().out.splitlines()[1:]
    values = FEW.tables.action_values(FEW.start)
    assert [line.split()[0] for line in lines] == [arm.action for arm in arms]
    assert all(line.endswith(str(values[arm.action].text())) for line, arm in zip(lines, arms, strict=True))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--game", "chess"], "There is no game 'chess'"),
        (["--position", "nonsense"], "nonsense"),
        (["--option", "bombs"], "an option is written NAME=VALUE"),
    ],
)
def test_a_mistake_in_the_command_is_one_sentence(given: list[str], sentence: str) -> None:
    done = subprocess.run(
        [sys.executable, openings.__file__, *given], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode > 0
    assert sentence in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("few_bombs_table")
def test_a_learner_that_has_learned_nothing_is_compared_with_nothing() -> None:
    assert tabular.compare(tabular.Learner(damier.load("renfa", bombs=3))).positions == 0


@pytest.mark.usefixtures("no_tables")
def test_ctrl_c_ends_learning(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    played = []

    def play(_learner: tabular.Learner, start: damier.Position) -> None:
        played.append(start)
        if len(played) > 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(tabular.Learner, "play", play)
    tabular.main(["--games", "100000"])
    assert "after 3 games: wins" in capsys.readouterr().out


def test_equal_openings_are_one_arm() -> None:
    game = damier.load("chefa")
    assert openings.distinct_actions(game, game.start) == ["a1", "a2", "a3", "b2", "b3"]
    assert len(openings.distinct_actions(game, game.start.play("a2"))) == 23


def test_a_tree_search_finds_an_action_that_wins() -> None:
    game = damier.load("renfa", bombs=3, last=1)
    rng, position = random.Random(3), game.start

    def winning(position: damier.Position) -> list[str]:
        return [a for a in position.actions() if (end := position.play(a).result) and end.winner == position.mover]

    while not winning(position):
        position = game.start if position.result else position.play(rng.choice(position.actions()))
    root = alphazero.Node(position)
    alphazero.search(alphazero.Network(game, np.random.default_rng(1)), [root], 100)
    assert root.visits.sum() == 99  # the first visit is that of the root
    assert game.spaces.action_text(int(root.numbers[root.visits.argmax()])) in winning(position)


def test_a_network_learns_by_its_slope() -> None:
    game, rng = damier.load("renfa", bombs=3), np.random.default_rng(1)
    network, batch = alphazero.Network(game, rng), game.batch(64, seed=1, threads=1)
    for _ in range(5):
        batch.step(batch.sample())
    planes, chosen = batch.observe().copy(), batch.mask() / batch.mask().sum(axis=1, keepdims=True)
    results = np.where(batch.movers == 0, 1.0, -1.0)
    losses = [network.learn(planes, chosen, results) for _ in range(100)]
    assert losses[-1] < losses[0] - 1
    assert (np.sign(network.look(planes)[3]) == results).mean() > 0.9


@pytest.mark.slow
def test_a_network_that_has_played_itself_beats_random_actions(capsys: pytest.CaptureFixture[str]) -> None:
    scores = alphazero.main(["--games", "160", "--visits", "32", "--seed", "0"])
    assert list(scores) == ["random", "level:1"]
    before, after = scores["random"]
    assert abs(before - 0.5) < 0.1
    assert after > 0.62
    assert "160 games" in capsys.readouterr().out


def test_games_of_self_play_have_results_and_shares() -> None:
    game, rng = damier.load("renfa", bombs=3), np.random.default_rng(1)
    rows = alphazero.self_play(alphazero.Network(game, rng), game, 2, rng, at_once=3)
    planes, shares, results = (np.array(each) for each in zip(*rows, strict=True))
    assert planes.shape[1:] == game.spaces.shape
    assert shares.sum(axis=1) == pytest.approx(1)
    assert set(results) <= {-1.0, 0.0, 1.0}


def test_actions_that_pay_become_more_likely() -> None:
    env = policy_gradient.make_env("random", seed=1)
    learner = policy_gradient.Learner(env, seed=1)
    seen, mask = env.reset()[0], env.action_masks()
    good, bad = np.flatnonzero(mask)[:2]
    rows = np.arange(256)
    actions = np.where(rows % 2, good, bad)

    def look() -> tuple[float, float, float]:
        _, chances, values = learner._look(seen[None], mask[None])
        return chances[0, good], chances[0, bad], values[0]

    before = look()
    for _ in range(5):
        learner._update(
            np.tile(seen, (256, 1)),
            np.tile(mask, (256, 1)),
            actions,
            np.where(rows % 2, before[0], before[1]),
            np.where(rows % 2, 1.0, -1.0),
            np.full(256, 0.7),
        )
    after = look()
    assert after[0] > before[0]
    assert after[1] < before[1]
    assert 0 == before[2] < after[2] < 0.8
    env.close()


def test_a_learner_is_used_as_one_of_stable_baselines() -> None:
    env = policy_gradient.make_env("level:1", seed=1)
    learner = policy_gradient.Learner(env, seed=1).learn(total_timesteps=600)
    seen, _ = env.reset(seed=2)
    assert env.observation_space.contains(seen)
    actions = {int(learner.predict(seen, action_masks=env.action_masks(), deterministic=True)[0]) for _ in range(5)}
    assert len(actions) == 1
    assert env.action_masks()[actions.pop()]
    for _ in range(30):
        action, _ = learner.predict(seen, action_masks=env.action_masks())
        assert env.action_masks()[action]
    env.close()


@pytest.mark.slow
def test_a_policy_learns_to_play_against_a_level(capsys: pytest.CaptureFixture[str]) -> None:
    before, after = policy_gradient.main(["--steps", "20480", "--games", "80", "--seed", "0"])
    assert before < -0.9
    assert after > before + 0.4
    assert "against level:1" in capsys.readouterr().out


def test_after_ctrl_c_a_bandit_shows_what_it_has_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    game, pulled = damier.load("chefa"), openings.pull

    def interrupted(game: damier.Game, start: damier.Position, action: str, seed: int) -> float:
        if seed >= 8:
            raise KeyboardInterrupt
        return pulled(game, start, action, seed)

    monkeypatch.setattr(openings, "pull", interrupted)
    assert sum(arm.pulls for arm in openings.bandit(game, game.start, 10_000)) == 8


@pytest.mark.parametrize(
    ("main", "words", "problem"),
    [
        (openings.main, ["--game", "omba"], "nobody can act here"),
        (policy_gradient.main, ["--seed", "-1"], "--seed takes a whole number from 0 up"),
        (alphazero.main, ["--seed", "-1"], "--seed takes a whole number from 0 up"),
    ],
)
def test_bad_arguments_are_refused(
    main: Callable[[list[str]], object], words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refusal:
        main(words)
    assert refusal.value.code == 2
    assert problem in capsys.readouterr().err
