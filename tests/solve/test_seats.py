"""Three and four players: numbers for each seat, against a naive solver and by conditions that the rules check."""

import json
import random
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.kernel.bind import bind
from damier.games.omba import index, rules, seats
from damier.solve.seats import sweeps
from damier.solve.seats.solver import COALITION, FINE_ONE, HELP, LOWER, TIE, UPPER, Seats, SeatSolver, SolvedSeats
from tests.games.omba import naive
from tests.games.omba.positions import state_of
from tests.solve.naive_chances import naive_chances
from tests.solve.naive_seats import guaranteed, helped, iterated, nearly_tied, nodes, players_in
from tools import seats as tool

PLAIN: SimpleNamespace = bind(rules, index, seats, sweeps)


@cache
def solver(players: int, pieces: int) -> SeatSolver:
    return SeatSolver(Seats(rules, (index, seats), [players, pieces]))


@cache
def bounds(players: int, pieces: int, others: int, side: int) -> SolvedSeats:
    return solver(players, pieces).bounds(others, side)


def by_player(work: SeatSolver, solved: SolvedSeats, text: str) -> dict[int, float]:
    """Returns the numbers of a position of three, by player from 0, of those who are in."""
    game = damier.load("omba", players=3)
    game.rules = [3, 1]
    place = work.seats.place(game.position(text).state)
    left = [int(player) - 1 for player in players_in(text)]
    turn = left.index(int(naive.read(text).side) - 1)
    return dict(zip(left[turn:] + left[:turn], solved.chances(place, len(left)), strict=True))


def undecided() -> list[str]:
    """Returns positions before a roll, among them the first."""
    texts = [text for text, node in nodes().items() if node.outs or node.afters]
    return [texts[0], *random.Random(1).sample(texts, 300)]


@pytest.mark.parametrize(("others", "rule"), [(COALITION, guaranteed), (HELP, helped)])
def test_bounds_enclose_what_a_naive_solver_finds(others: int, rule: Callable[..., Any]) -> None:
    work = solver(3, 1)
    exact = iterated(rule)
    low, high = bounds(3, 1, others, LOWER), bounds(3, 1, others, UPPER)
    for text in undecided():
        under, over = by_player(work, low, text), by_player(work, high, text)
        for player in under:
            assert under[player] <= exact[text][player] + 1e-7
            assert exact[text][player] <= over[player]
            assert exact[text][player] - under[player] < 5e-5
            if others == COALITION:
                assert over[player] - under[player] < 5e-5


def test_max_n_is_that_of_a_naive_solver() -> None:
    work = solver(3, 1)
    solved = work.max_n()
    assert solved.change <= FINE_ONE // 10**7
    exact = iterated(nearly_tied(TIE / FINE_ONE))
    for text in undecided():
        for player, chance in by_player(work, solved, text).items():
            assert abs(chance - exact[text][player]) < 1e-4


def test_nobody_gains_much_by_departing_from_max_n() -> None:
    work = solver(3, 1)
    solved = work.max_n()
    free = work.responses(solved, UPPER, is_free=True)
    kept = work.responses(solved, LOWER, is_free=False)
    assert (free.values >= kept.values).all()
    assert abs(kept.values - solved.values).max() < 1e-5 * FINE_ONE
    assert (free.values - kept.values).max() < TIE
    assert (free.values >= bounds(3, 1, COALITION, LOWER).values / bounds(3, 1, COALITION, LOWER).one * FINE_ONE).all()


def test_two_players_have_the_chances_of_two() -> None:
    work = solver(2, 2)
    low, high = bounds(2, 2, COALITION, LOWER), bounds(2, 2, COALITION, UPPER)
    for position, chance in naive_chances(2).items():
        place = work.seats.place(state_of(position))
        under, over = low.chances(place, 2), high.chances(place, 2)
        assert under[0] <= chance + 1e-9
        assert chance <= over[0] + 1e-9
        assert under[1] <= 1 - chance + 1e-9
        assert over[0] - under[0] < 5e-5


def test_upper_bounds_follow_from_lower_ones_where_two_are_in() -> None:
    work = solver(3, 1)
    quick = work.bounds(COALITION, UPPER, lower=bounds(3, 1, COALITION, LOWER))
    assert work.count_failures(quick, COALITION, UPPER) == 0
    assert (quick.values >= bounds(3, 1, COALITION, LOWER).values).all()
    assert abs(quick.values - bounds(3, 1, COALITION, UPPER).values).max() < 5e-5 * quick.one


@pytest.mark.parametrize("side", [LOWER, UPPER])
@pytest.mark.parametrize("others", [COALITION, HELP])
@pytest.mark.parametrize("players", [3, 4])
def test_every_bound_follows_from_the_rules(players: int, others: int, side: int) -> None:
    assert solver(players, 1).count_failures(bounds(players, 1, others, side), others, side) == 0


@pytest.mark.parametrize("side", [LOWER, UPPER])
def test_a_wrong_number_is_found(side: int) -> None:
    work, solved = solver(4, 1), bounds(4, 1, COALITION, side)
    rng = random.Random(side)
    inner = np.flatnonzero((solved.values > 1000) & (solved.values < solved.one - 1000))
    for place in rng.sample(inner.tolist(), 20):
        damaged = solved.values.copy()
        damaged[place] += 500 if side == LOWER else -500
        assert work.count_failures(SolvedSeats(damaged, solved.one, 0, 0), COALITION, side) > 0


@pytest.mark.parametrize(("players", "pieces"), [(2, 6), (3, 1), (3, 2), (4, 1)])
def test_sizes_are_known_before_anything_is_numbered(players: int, pieces: int) -> None:
    numbers = np.asarray(seats.index_numbers([players, pieces])).data
    tiers = range(PLAIN.tier_count([players, pieces]))
    counted = [
        (PLAIN.tier_seats([players, pieces], tier), PLAIN.tier_entries([players, pieces], numbers, tier))
        for tier in tiers
    ]
    assert counted == seats.tier_sizes([players, pieces])
    if players == 2:
        assert sum(entries for _, entries in counted) == 30_132_975  # as index.py numbers them


@pytest.mark.parametrize(("players", "pieces"), [(3, 2), (4, 2)])
def test_an_entry_and_its_position_belong_together(players: int, pieces: int) -> None:
    """Except for positions with several numbers, which have the board turned onto itself."""
    given = [players, pieces]
    work, rng = solver(players, pieces).seats, random.Random(2)
    numbers, several = work.numbers.data, 0
    for _ in range(400):
        tier = rng.choice([number for number, size in enumerate(work.sizes) if size > 50])
        entry = rng.randrange(work.sizes[tier])
        state = PLAIN.unrank(given, numbers, tier, entry)
        assert PLAIN.tier(given, state) == tier
        other = PLAIN.rank(given, numbers, state)
        if other != entry:
            several += 1
            again = PLAIN.unrank(given, numbers, tier, other)
            assert again[0] == state[0]
    assert several < 40


def test_plain_and_compiled_sweeps_are_equal() -> None:
    work = solver(3, 1)
    numbering, solved = work.seats, bounds(3, 1, COALITION, LOWER)
    begins = [int(begin) for begin in numbering.begins]
    number = seats.tier_of([3, 1], 3, 0, 2)
    plain, rests = [int(value) for value in solved.values], [0] * numbering.sizes[number]
    expected = plain[:]
    plain[begins[number] : begins[number + 1]] = [0] * (begins[number + 1] - begins[number])
    room, out = [0] * (6 * 4 * PLAIN.MOST_TOGETHER), [0] * PLAIN.FOLLOWER_ROOM
    given = [3, 1], numbering.numbers.data, begins, number, 0, numbering.sizes[number]
    while PLAIN.bound(*given, plain, solved.one, COALITION, LOWER, rests, True, room, out):
        pass
    assert plain == expected


def test_the_tool_keeps_what_it_has_computed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["--players", "3", "--pieces", "1", "--folder", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", ["tools.seats", *arguments])
    tool.main()
    printed = capsys.readouterr().out
    results = json.loads((tmp_path / "seats-3-1.json").read_text("utf-8"))
    low, high = results["guaranteed-low"], results["guaranteed-high"]
    assert low["failures"] == high["failures"] == 0
    assert all(0 < b - a < 5e-5 for a, b in zip(low["chances"], high["chances"], strict=True))
    tool.main()
    assert capsys.readouterr().out == printed
    monkeypatch.setattr(sys, "argv", ["tools.seats", "--players", "3", "--pieces", "4", "--plan"])
    tool.main()
    assert "3 in: 1,085,830,390 positions" in capsys.readouterr().out


def test_a_board_of_more_pieces_is_refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["tools.seats", "--players", "4", "--pieces", "4", "--plan"])
    with pytest.raises(SystemExit) as ended:
        tool.main()
    assert ended.value.code == 2
    assert "holds 12 pieces" in capsys.readouterr().err
