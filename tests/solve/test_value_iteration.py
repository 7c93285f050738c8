"""Winning chances with a proved error: against a naive solver, with any number of threads, interrupted or not."""

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from damier.core.kernel.bind import bind
from damier.games.omba import index, rules
from damier.solve.build import value_iteration
from damier.solve.build.value_iteration import (
    ONE,
    TURN,
    ChanceSolver,
    NotProved,
    SolvedTier,
    coded_chances,
    place_count,
)
from damier.solve.codes import CERTAIN
from tests.games.omba.positions import Position, state_of
from tests.solve.naive_chances import naive_chances, naive_turns

PLAIN: SimpleNamespace = bind(rules, index, value_iteration)
FINE_ONE = 6**18  # together with the places of these small games, it fits 63 bits
few_pieces = pytest.mark.parametrize("pieces", [1, 2])


@cache
def numbers(pieces: int) -> Any:
    return index.index_numbers([2, pieces])


@cache
def compiled() -> SimpleNamespace:
    return bind(rules, index, value_iteration, compiled=True)


def solver(pieces: int, *, one: int = ONE, **given: Any) -> ChanceSolver:
    """Returns a solver with new arrays."""
    count = place_count(PLAIN, [2, pieces], [int(number) for number in numbers(pieces)])
    dtype: Any = np.uint32 if one == ONE else np.int64
    arrays = np.zeros(count, dtype), np.zeros(count, dtype)
    return ChanceSolver(compiled(), np.array([2, pieces]), numbers(pieces), *arrays, one=one, **given)


def solve(work: ChanceSolver, done: list[SolvedTier]) -> list[SolvedTier]:
    """Solves the tiers that are not done."""
    while len(done) < len(work.sizes):
        done.append(work.solve_tier(len(done)))
    return done


@cache
def solved(pieces: int, one: int = ONE, error: float = value_iteration.ERROR) -> tuple[ChanceSolver, list[SolvedTier]]:
    work = solver(pieces, one=one, error=error)
    return work, solve(work, [])


def place(work: ChanceSolver, position: Position) -> int:
    given, state = [int(number) for number in work.rules], state_of(position)
    entry = compiled().rank(work.rules, work.numbers, state)
    return int(work.firsts[PLAIN.tier(given, state)] + entry)


@few_pieces
def test_chances_are_those_of_a_naive_solver(pieces: int) -> None:
    work, tiers = solved(pieces, FINE_ONE, 1e-10)
    assert max(tier.error for tier in tiers) < 1e-10
    for position, chance in naive_chances(pieces).items():
        assert abs(work.values[place(work, position)] / FINE_ONE - chance) < 1e-9


@few_pieces
def test_bounds_enclose_the_chances(pieces: int) -> None:
    work, tiers = solved(pieces)
    error = max(tier.error for tier in tiers)
    assert 0 < error < value_iteration.ERROR
    for position, chance in naive_chances(pieces).items():
        at = place(work, position)
        margin = work.turns[at] / TURN * work.margin / ONE
        assert abs(work.values[at] / ONE - chance) < margin <= error + 1 / ONE


@few_pieces
def test_turns_are_those_of_a_naive_solver(pieces: int) -> None:
    work, tiers = solved(pieces)
    for position, expected in naive_turns(pieces).items():
        assert work.turns[place(work, position)] / TURN == pytest.approx(expected, rel=value_iteration.STRETCH)
    assert max(tier.most_turns for tier in tiers) == pytest.approx(
        max(naive_turns(pieces).values()), rel=value_iteration.STRETCH
    )


def test_numbers_left_free_hold_the_chance_of_the_position_they_show() -> None:
    work, _ = solved(2, FINE_ONE, 1e-10)
    for number, size in enumerate(work.sizes):
        for entry in range(size):
            least = compiled().rank(
                work.rules, work.numbers, compiled().unrank(work.rules, work.numbers, number, entry)
            )
            first = work.firsts[number]
            assert abs(int(work.values[first + entry]) - int(work.values[first + least])) < 1e-9 * FINE_ONE


@pytest.mark.parametrize("pieces", [2, 3])
def test_chances_follow_from_the_rules(pieces: int) -> None:
    """Every entry is looked at by the rules alone, without `followers`."""
    work, _ = solved(pieces)
    rolls, out = np.zeros(6, np.int64), np.zeros(64, np.int64)
    for number, size in enumerate(work.sizes):
        for entry in range(size):
            state = compiled().unrank(work.rules, work.numbers, number, entry)
            total = compiled().chance_by_rules(work.rules, work.numbers, work.firsts, work.values, state, rolls, out)
            assert abs(total / 6 - work.values[work.firsts[number] + entry]) <= work.margin


@pytest.mark.parametrize("threads", [2, 3])
def test_the_number_of_threads_does_not_matter(threads: int) -> None:
    alone, tiers = solved(3)
    work = solver(3, threads=threads)
    assert solve(work, []) == tiers
    assert work.values.tobytes() == alone.values.tobytes()
    assert work.turns.tobytes() == alone.turns.tobytes()


def test_an_interrupted_solver_goes_on_in_files(tmp_path: Path) -> None:
    class Interrupted(Exception):
        pass

    def interrupt(tier: int, sweep: int, change: float) -> None:
        assert 0 <= change <= 1
        if (tier, sweep) == (2, 3):
            raise Interrupted

    names = [tmp_path / "values", tmp_path / "turns"]
    shape = solved(3)[0].values.shape
    first = [np.memmap(name, np.uint32, "w+", shape=shape) for name in names]
    work = ChanceSolver(compiled(), np.array([2, 3]), numbers(3), *first, report=interrupt)
    done: list[SolvedTier] = []
    with pytest.raises(Interrupted):
        solve(work, done)
    assert len(done) == 2
    second = [np.memmap(name, np.uint32, "r+", shape=shape) for name in names]
    solve(ChanceSolver(compiled(), np.array([2, 3]), numbers(3), *second), done)
    assert done == solved(3)[1]
    assert names[0].read_bytes() == solved(3)[0].values.tobytes()
    assert names[1].read_bytes() == solved(3)[0].turns.tobytes()


def run_steps(kernels: SimpleNamespace, words: Any, numbers_given: Any, best: Any, out: Any) -> list[list[int]]:
    """Runs each step once over part of a tier, from chances that are a little wrong; returns all it says and writes."""
    work, _ = solved(2)
    where = words([2, 2]), numbers_given, words(work.firsts.tolist()), 1
    low, high = 10, work.sizes[1]
    *all_values, one = work.values.tolist()
    shaken = [*(value + 5000 * (i % 3) for i, value in enumerate(all_values)), one]
    chances, turns = words(shaken), words(work.turns.tolist())
    room = words([0] * (12 * index.MOST_TOGETHER))
    found = []
    for margin in (0, 5000):
        fresh = words([0] * (high - low))
        said = kernels.choose(*where, low, high, chances, turns, margin, best, fresh, room, out)
        found += [[said], list(map(int, best)), list(map(int, fresh))]
        found.append([kernels.prove(*where, low, high, chances, turns, margin, room, out)])
    for step, array in ((kernels.settle, chances), (kernels.lengthen, turns)):
        fresh = words([0] * (high - low))
        said = step(where[2], 1, low, high, array, best, fresh)
        found += [[said], list(map(int, fresh))]
    state = kernels.unrank(*where[:2], 1, 7)
    rolls = words([0] * 6)
    found.append([kernels.chance_by_rules(*where[:3], chances, state, rolls, out)])
    found.append([kernels.count_used(*where[:2], 1, low, high)])
    return found


def test_plain_and_compiled_steps_agree() -> None:
    best, out = [0] * (6 * solved(2)[0].sizes[1]), [0] * index.FOLLOWER_ROOM
    plain = run_steps(PLAIN, list, [int(number) for number in numbers(2)], best, out)
    arrays = np.array(best, np.uint32), np.array(out, np.int32)
    assert run_steps(compiled(), lambda words: np.array(words, np.int64), numbers(2), *arrays) == plain


# What is not proved


def failed(work: ChanceSolver, number: int, margin: int) -> int:
    """Returns how many entries of a tier are not proved with a margin."""
    room, out = np.zeros(12 * index.MOST_TOGETHER, np.int64), np.zeros(index.FOLLOWER_ROOM, np.int32)
    where = work.rules, work.numbers, work.firsts, number, 0, work.sizes[number]
    return int(compiled().prove(*where, work.values, work.turns, margin, room, out))


def test_a_wrong_chance_is_not_proved() -> None:
    work = solver(2)
    solve(work, [])
    assert failed(work, 0, work.margin) == 0
    at = place(work, (("oe", "", "", "", "eo", "", "", "", ""), 0, 0))
    right = int(work.values[at])
    for wrong in (-100, 100):
        work.values[at] = right + wrong * work.margin
        assert failed(work, 0, work.margin) > 0
    work.values[at] = right
    assert failed(work, 0, work.margin) == 0
    assert failed(work, 0, 0) > 0


def test_an_error_beyond_the_whole_numbers_is_not_proved() -> None:
    with pytest.raises(NotProved):
        solver(1, error=1e-12).solve_tier(0)


ENDLESS = """
FOLLOWER_ROOM, MOST_TOGETHER = 7, 1

def tier_count(rules):
    return 1

def tier_entries(rules, numbers, number):
    return 1

def followers(rules, numbers, number, entry, out):
    out[0], out[1], out[2], out[3], out[4], out[5], out[6] = 0, 1, 63, 0, 1, 0, 0
    return 1
"""


def test_a_game_that_goes_on_for_ever_is_not_proved(tmp_path: Path) -> None:
    """Every roll allows one action, which leads back: no chance is right, though 1/2 would follow from itself."""
    (tmp_path / "endless.py").write_text(ENDLESS)
    found = importlib.util.spec_from_file_location("endless", tmp_path / "endless.py")
    assert found
    assert found.loader
    endless: ModuleType = importlib.util.module_from_spec(found)
    found.loader.exec_module(endless)
    kernels = bind(endless, value_iteration, compiled=True)
    arrays = (np.zeros(2, np.uint32) for _ in range(2))
    work = ChanceSolver(kernels, np.array([0]), np.zeros(1, np.int32), *arrays)
    with pytest.raises(NotProved, match="expected turns in tier 0 still change"):
        work.solve_tier(0)


# Codes


def test_chances_are_coded_in_16_bits() -> None:
    assert ONE % 1296 == CERTAIN % 1296 == CERTAIN % 100 == 0
    chances = np.array([0, 1, ONE // 1296, ONE // 2, ONE - 1, ONE, *range(0, ONE, ONE // 99_991)], np.uint32)
    codes = coded_chances(chances)
    assert codes[:6].tolist() == [0, 0, 50, 32400, 64800, 64800]
    assert np.abs(codes / CERTAIN - chances / ONE).max() <= 1 / 129600 + 1e-15
