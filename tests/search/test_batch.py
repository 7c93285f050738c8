"""Batches: random games as arrays, the same for a seed whatever the number of threads; counts with progress."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.kernel.contract import REPETITION_FORBIDDEN
from damier.search import batch
from tests.games.option_sets import OPTION_SETS, OptionSet, name_of


@pytest.mark.parametrize("option_set", OPTION_SETS, ids=name_of)
def test_games_do_not_depend_on_the_number_of_threads(option_set: OptionSet) -> None:
    game = damier.load(option_set[0], **option_set[1])
    one, three = (game.playouts(2500, seed=11, threads=threads, max_actions=500) for threads in (1, 3))
    assert np.array_equal(one.results, three.results)
    assert np.array_equal(one.lengths, three.lengths)


def test_results_and_lengths_are_small_arrays() -> None:
    results, lengths = damier.load("omba").playouts(100_000, threads=2)
    assert results.dtype == np.int8
    assert lengths.dtype == np.int32
    assert len(results) == len(lengths) == 100_000
    assert set(results.tolist()) == {0, 1}
    assert lengths.min() > 0


def test_a_longer_batch_begins_with_the_shorter_one() -> None:
    game = damier.load("chefa")
    short, long = game.playouts(100, seed=4), game.playouts(1500, seed=4)
    assert np.array_equal(short.lengths, long.lengths[:100])


def test_a_small_batch_needs_no_compiler() -> None:
    code = "import sys, damier; print(damier.load('renfa').playouts(20, seed=4).lengths.sum(), 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    batch.warm_up(damier.load("renfa"))
    compiled = damier.load("renfa").playouts(20, seed=4)
    assert done.stdout.split() == [str(compiled.lengths.sum()), "False"]


def test_another_seed_gives_other_games() -> None:
    game = damier.load("renfa")
    assert not np.array_equal(game.playouts(100, seed=1).lengths, game.playouts(100, seed=2).lengths)


@pytest.mark.parametrize("seed", [0, -1, 2**63, 2**64, -(2**64)])
def test_any_whole_number_of_64_bits_is_a_seed(seed: int) -> None:
    assert len(damier.load("chefa").playouts(3, seed=seed).results) == 3


def test_games_begin_at_the_given_position() -> None:
    game = damier.load("chefa")
    results, lengths = game.playouts(50, position="5/5/BB1W1/BB1W1/1W2W w 0,0 -")
    assert set(results.tolist()) == {0}
    assert set(lengths.tolist()) == {0}


def test_a_game_that_is_too_long_is_cut_off() -> None:
    results, lengths = damier.load("sensei").playouts(50, max_actions=10)
    assert set(results.tolist()) == {-2}
    assert set(lengths.tolist()) == {10}


def test_random_games_are_games_of_the_rules() -> None:
    """Random games end as the record says they end: played again action by action with the same stream."""
    from damier.core.kernel.bits import advance, below, mix

    for name in damier.games():
        game = damier.load(name)
        if game.traits.repetition == REPETITION_FORBIDDEN:
            continue  # there the batch draws again from the rest, which the twin of plain and compiled code covers
        games = game.playouts(5, seed=9, max_actions=2000)
        for i in range(5):
            record, stream = game.record(), mix(mix(9) ^ i)
            out = [0] * game.kernels.MAX_ACTIONS
            while not record.result and len(record.played) < 2000:
                n = game.kernels.actions(game.rules, record.position.state, out)
                stream = advance(stream)
                record.play(game.action_text(out[below(stream, n)]))
            assert len(record.played) == games.lengths[i]
            winner = record.result.winner if record.result else None
            assert (game.players.index(winner) if winner else -1) == games.results[i]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"n": -1}, "n takes a whole number from 0"),
        ({"n": 1.5}, "n takes a whole number from 0 to 1000000000, not '1.5'."),
        ({"n": 1, "threads": 0}, "threads takes a whole number from 1"),
        ({"n": 1, "max_actions": -1}, "max_actions takes a whole number from 0"),
        ({"n": 1, "seed": "x"}, "seed takes a whole number"),
        ({"n": 1, "position": "5"}, "A position has 4 fields"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(damier.DamierError, match=problem):
        damier.load("chefa").playouts(**arguments)


def test_perft_of_nothing_is_one() -> None:
    game = damier.load("chefa")
    assert game.perft(game.start, 0) == 1
    assert game.perft("5/5/BB1W1/BB1W1/1W2W w 0,0 -", 1) == 0
    with pytest.raises(damier.BadArgument, match="depth takes a whole number from 0 to 1000, not '-1'"):
        game.perft(game.start, -1)


def test_perft_divided_adds_up() -> None:
    game = damier.load("badia")
    position = game.parse("W1B1B/1...1/B.W.W/1...1/BBW1W b 0,0 -,- -")
    divided = batch.perft_divided(game, position, 4)
    assert list(divided) == position.actions()
    assert sum(divided.values()) == game.perft(position, 4) == 52058


def test_perft_tells_its_progress() -> None:
    game = damier.load("renfa")
    shares: list[float] = []
    assert batch.perft(game, game.start, 7, shares.append) == 2_422_728_000
    assert len(shares) > 10
    assert shares == sorted(set(shares))
    assert 0 < shares[0] < shares[-1] < 1
