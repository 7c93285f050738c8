"""Glicko-2 against a naive twin, the paper's example, and players of known strength."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damier.server.ratings.glicko import (
    FIRST_DEVIATION,
    LEAST_DEVIATION,
    LEAST_VALUE,
    MOST_VOLATILITY,
    NEW,
    PERIOD_DAYS,
    Comparison,
    Rating,
    aged,
    compared_pairs,
    expected_score,
    pair_weight,
    rate,
    rate_game,
    winning_chances,
)
from tests.server.ratings.naive_glicko import SeveralSolutions, naive_rate
from tests.server.ratings.simulated_players import Simulation

PAPER_GAMES = [(1400, 30, 1.0), (1550, 100, 0.0), (1700, 300, 0.0)]

ratings = st.builds(Rating, st.floats(400, 2800), st.floats(45, 350), st.floats(0.02, 0.12), st.integers(0, 1000))
results = st.builds(Comparison, ratings, st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.3, 1))


@st.composite
def orders(draw: st.DrawFn) -> list[list[int]]:
    """Draws the order of a game of two to four, in which some may be equal."""
    players = draw(st.permutations(range(draw(st.integers(2, 4)))))
    cuts = sorted(draw(st.sets(st.integers(1, len(players) - 1))))
    return [list(players[start:end]) for start, end in zip([0, *cuts], [*cuts, len(players)], strict=True)]


def test_the_twin_gives_the_numbers_of_the_paper() -> None:
    value, deviation, volatility = naive_rate(1500, 200, 0.06, [(*game, 1.0) for game in PAPER_GAMES])
    assert value == pytest.approx(1464.06, abs=0.01)
    assert deviation == pytest.approx(151.52, abs=0.01)
    assert volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_example_of_the_paper() -> None:
    before = aged(Rating(1500, 200, 0.06), PERIOD_DAYS)
    after = rate(before, [Comparison(Rating(value, deviation), score) for value, deviation, score in PAPER_GAMES])
    assert after.value == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)
    assert after.games == 1


@given(ratings, st.lists(results, min_size=1, max_size=6))
def test_a_rating_is_that_of_the_naive_twin(rating: Rating, played: list[Comparison]) -> None:
    games = [(each.opponent.value, each.opponent.deviation, each.score, each.weight) for each in played]
    found = rate(rating, played)
    try:
        value, deviation, volatility = naive_rate(rating.value, rating.deviation, rating.volatility, games, periods=0)
    except SeveralSolutions:
        assert found.volatility <= MOST_VOLATILITY
        return
    assert found.value == pytest.approx(max(LEAST_VALUE, value), abs=0.01)
    assert found.deviation == pytest.approx(max(LEAST_DEVIATION, deviation), abs=0.01)
    assert found.volatility == pytest.approx(min(MOST_VOLATILITY, volatility), abs=1e-6)


@given(st.lists(ratings, min_size=2, max_size=2), st.sampled_from([[[0], [1]], [[1], [0]], [[0, 1]]]))
def test_a_game_of_two_is_one_result_of_full_weight(pair: list[Rating], order: list[list[int]]) -> None:
    score = 0.5 if len(order) == 1 else float(order[0] == [0])
    expected = [rate(pair[0], [Comparison(pair[1], score)]), rate(pair[1], [Comparison(pair[0], 1 - score)])]
    assert rate_game(pair, order) == expected


@given(orders(), st.data())
def test_the_order_of_the_players_in_the_list_does_not_matter(order: list[list[int]], data: st.DataObject) -> None:
    count = sum(map(len, order))
    before = data.draw(st.lists(ratings, min_size=count, max_size=count))
    turned = data.draw(st.permutations(range(count)))
    after = rate_game(before, order)
    moved = rate_game([before[player] for player in turned], [[turned.index(one) for one in group] for group in order])
    for place, player in enumerate(turned):
        assert moved[place].value == pytest.approx(after[player].value)
        assert moved[place].deviation == pytest.approx(after[player].deviation)


@given(orders(), st.data())
def test_a_winner_never_falls_and_a_last_one_never_rises(order: list[list[int]], data: st.DataObject) -> None:
    count = sum(map(len, order))
    before = data.draw(st.lists(ratings, min_size=count, max_size=count))
    after = rate_game(before, order)
    if len(order[0]) == 1:
        assert after[order[0][0]].value >= before[order[0][0]].value
    if len(order) > 1:
        assert all(after[player].value <= before[player].value for player in order[-1])


@given(orders(), st.data())
def test_ratings_stay_within_their_bounds(order: list[list[int]], data: st.DataObject) -> None:
    count = sum(map(len, order))
    extreme = st.builds(Rating, st.floats(100, 4000), st.floats(45, 350), st.floats(0.001, 0.5))
    for after in rate_game(data.draw(st.lists(extreme, min_size=count, max_size=count)), order):
        assert after.value >= LEAST_VALUE
        assert LEAST_DEVIATION <= after.deviation <= FIRST_DEVIATION
        assert 0 < after.volatility < 1


def test_players_who_share_the_last_place_are_not_compared() -> None:
    assert list(compared_pairs([[1], [0, 2]])) == [(1, 0, 1.0), (1, 2, 1.0)]


def test_players_who_share_the_first_place_have_drawn() -> None:
    assert list(compared_pairs([[1, 2], [0]])) == [(1, 2, 0.5), (1, 0, 1.0), (2, 0, 1.0)]


@pytest.mark.parametrize(
    ("order", "weight"),
    [([[0], [1]], 1), ([[0, 1]], 1), ([[0], [1, 2]], 2 / 3), ([[0], [1, 2, 3]], 1 / 2), ([[0], [1], [2]], 7 / 9)],
)
def test_a_pair_of_a_larger_game_weighs_less(order: list[list[int]], weight: float) -> None:
    assert pair_weight(order) == pytest.approx(weight)


@given(st.permutations(range(4)))
def test_a_pair_weighs_what_the_order_tells_of_equal_players(order: list[int]) -> None:
    """The information of an order, step by step: who is taken from those that are left has the chance 1 / left."""
    told = sum((left / 4) * (1 / left) * (1 - 1 / left) for left in (4, 3, 2))
    assert pair_weight([[player] for player in order]) * 3 * (1 / 4) == pytest.approx(told)


@given(ratings, st.floats(0, 5000), st.floats(0, 5000))
def test_the_deviation_grows_with_time_and_two_waits_are_one(rating: Rating, first: float, second: float) -> None:
    waited = aged(aged(rating, first), second)
    assert waited.deviation == pytest.approx(aged(rating, first + second).deviation)
    assert rating.deviation <= waited.deviation <= FIRST_DEVIATION
    assert (waited.value, waited.volatility, waited.games) == (rating.value, rating.volatility, rating.games)


def test_a_certain_rating_is_provisional_again_after_a_year_and_a_week() -> None:
    assert not aged(Rating(1500, LEAST_DEVIATION), 365).is_provisional
    assert aged(Rating(1500, LEAST_DEVIATION), 372).is_provisional


def test_a_clock_that_goes_back_makes_no_rating_more_certain() -> None:
    assert aged(Rating(1500, 80), -10) == Rating(1500, 80)


def test_a_newcomer_is_provisional_and_not_listed() -> None:
    assert NEW.is_provisional
    assert not NEW.is_listed
    assert not Rating(1500, 75).is_provisional
    assert Rating(1500, 75).is_listed
    assert not Rating(1500, 76).is_listed


def test_even_games_make_a_rating_certain() -> None:
    """How many even games it takes: the numbers stand in docs/ratings.md."""
    rating, certain, listed, opponent = NEW, 0, 0, Rating(1500, 60)
    for game in range(60):
        rating = rate(rating, [Comparison(opponent, float(game % 2))])
        certain += rating.is_provisional
        listed += not rating.is_listed
    assert (certain + 1, listed + 1) == (10, 22)


@given(ratings, ratings)
def test_the_expected_scores_of_both_make_one(one: Rating, other: Rating) -> None:
    assert expected_score(one, other) + expected_score(other, one) == pytest.approx(1)
    assert winning_chances([one, other]) == pytest.approx([expected_score(one, other), expected_score(other, one)])


@given(st.lists(ratings, min_size=2, max_size=4))
def test_the_chances_of_all_players_make_one(players: list[Rating]) -> None:
    chances = winning_chances(players)
    assert sum(chances) == pytest.approx(1)
    assert all(0 < chance < 1 for chance in chances)


@pytest.mark.parametrize("has_full_order", [False, True])
def test_simulated_players_come_out_in_order_and_calibrated(has_full_order: bool) -> None:
    played = Simulation(60, seed=16, has_full_order=has_full_order)
    played.play(2_000)
    played.play(4_000, is_forecast=True)
    assert played.rank_correlation() > 0.97
    for forecast in (played.forecast, played.first):
        assert forecast.loss(forecast.predicted) < forecast.loss(forecast.true) + 0.02
        assert forecast.loss(forecast.predicted) < forecast.loss([0.5] * len(forecast.true)) - 0.03
        for predicted, happened, count in forecast.bins():
            error = math.sqrt(predicted * (1 - predicted) / count)
            assert happened == pytest.approx(predicted, abs=0.03 + 3 * error)
    errors = played.errors()
    assert 0.6 < math.sqrt(sum(error**2 for error in errors) / len(errors)) < 1.6


def test_games_of_two_alone_are_calibrated() -> None:
    played = Simulation(40, seed=3, sizes=(2,))
    played.play(2_500)
    played.play(3_000, is_forecast=True)
    assert played.rank_correlation() > 0.97
    assert played.forecast.loss(played.forecast.predicted) < played.forecast.loss(played.forecast.true) + 0.02


def test_a_player_who_improves_is_found() -> None:
    """The strength of an average player jumps by 400: eighty games later the rating is nearer to the new strength."""
    played = Simulation(40, seed=5)
    played.play(3_000)
    player = min(range(40), key=lambda each: abs(played.true[each] - 1500))
    before = played.ratings[player]
    played.true[player] += 400
    while played.ratings[player].games < before.games + 80:
        played.play(10)
    assert played.ratings[player].value > before.value + 200
