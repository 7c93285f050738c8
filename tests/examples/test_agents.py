"""The agents of the exam that are examples: OpenSpiel's tree search, and what a small AlphaZero has learned."""

import random
from pathlib import Path

import numpy as np
import pytest

import damier
from damier.insight.exam.agents import agent_policy
from examples import alphazero as example
from examples.agents import alphazero, openspiel

NAMES = ["openspiel:mcts_10", "openspiel:mcts_100", "alphazero:network", "alphazero:visits_200"]


def played(game: damier.Game, count: int, seed: int) -> damier.Record:
    """Returns a game after up to `count` random actions, in which a player is on move."""
    rng, record = random.Random(seed), game.record()
    while record.result is None and (record.count < count or record.mover == "chance"):
        record.play(rng.choice(record.actions()))
    return record if record.result is None else played(game, count, seed + 1)


def winning(position: damier.Position) -> list[str]:
    """Returns the actions that win at once."""
    return [a for a in position.actions() if (end := position.play(a).result) and end.winner == position.mover]


def about_to_win(game: damier.Game) -> damier.Record:
    """Returns a game in which the player on move can win at once, though not by any action."""
    for seed in range(1000):
        record = played(game, 12, seed)
        if 0 < len(winning(record.position)) < len(record.actions()):
            return record
    raise AssertionError("no such game")


@pytest.mark.parametrize(
    ("name", "options"), [("chefa", {}), ("badia", {}), ("omba", {"players": 2}), ("renfa", {"bombs": 5})]
)
def test_a_record_becomes_a_state_of_openspiel_with_its_history(name: str, options: dict[str, int]) -> None:
    game = damier.load(name, **options)
    for count in (0, 1, 7, 30):
        record = played(game, count, seed=count)
        state = openspiel.spiel_state(record)
        assert state.played.record.played == record.played
        assert state.played.record.position == record.position
        assert {state.action_to_string(action) for action in state.legal_actions()} == set(record.actions())
    begun_later = game.record(record.position)
    assert openspiel.spiel_state(begun_later).played.record.position == record.position


@pytest.mark.parametrize(("name", "options"), [("chefa", {}), ("renfa", {"bombs": 5})])
def test_the_search_of_openspiel_finds_an_action_that_wins(name: str, options: dict[str, int]) -> None:
    record = about_to_win(damier.load(name, **options))
    assert openspiel.mcts_100(record) in winning(record.position)


@pytest.mark.parametrize("name", NAMES)
def test_an_agent_plays_a_legal_action_and_always_the_same(name: str) -> None:
    game = damier.load("renfa", bombs=5)
    with agent_policy(game, f"python:examples.agents.{name}") as policy:
        for count in (0, 9, 14):
            record = played(game, count, seed=count)
            assert policy(record) == policy(record.copy()) in record.actions()


@pytest.mark.parametrize("name", alphazero.TRAINED)
def test_what_was_learned_beats_random_actions(name: str) -> None:
    game = damier.load(name, **alphazero.TRAINED[name].options)
    assert example.score_against_random(alphazero.stored_network(game), game, 100, seed=1) > 0.7
    record = about_to_win(game)
    assert alphazero.visits_200(record) in winning(record.position)


def test_other_games_and_options_have_no_network() -> None:
    for game in (damier.load("badia"), damier.load("renfa", bombs=4)):
        with pytest.raises(ValueError, match="nothing has been learned for this game with these options"):
            alphazero.network(game.record())


def test_learning_can_be_repeated_and_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = damier.load("renfa", bombs=3)
    monkeypatch.setitem(alphazero.TRAINED, "renfa", alphazero.Training({"bombs": 3}, 64))
    monkeypatch.setattr(alphazero, "WEIGHTS", tmp_path)
    monkeypatch.setattr(example, "ROUNDS", 4)
    alphazero.stored_network.cache_clear()
    learned = alphazero.learn(game, 64, visits=2)
    alphazero.store(learned, tmp_path / "renfa.npz")
    alphazero.store(alphazero.learn(game, 64, visits=2), tmp_path / "again.npz")
    assert (tmp_path / "renfa.npz").read_bytes() == (tmp_path / "again.npz").read_bytes()
    for stored, each in zip(alphazero.stored_network(game).weights, learned.weights, strict=True):
        assert stored == pytest.approx(each, rel=1e-3, abs=1e-6)
    alphazero.stored_network.cache_clear()


def test_the_command_writes_the_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(alphazero, "VISITS", 2)
    monkeypatch.setattr(example, "ROUNDS", 4)
    alphazero.main(["renfa", "--games", "10", "--out", str(tmp_path / "new" / "few.npz")])
    assert capsys.readouterr().out.startswith("32 games, loss ")
    with np.load(tmp_path / "new" / "few.npz") as stored:
        assert [stored[name].dtype for name in stored.files] == [np.float16] * 4


def test_the_stored_weights_are_small() -> None:
    files = sorted(alphazero.WEIGHTS.iterdir())
    assert [file.stem for file in files] == sorted(alphazero.TRAINED)
    assert sum(file.stat().st_size for file in files) < 300_000
