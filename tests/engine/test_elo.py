"""The statistics of matches, beside closed forms, slow twins and simulated matches whose truth is known."""

import math
import random
import statistics
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damier.core.errors import BadArgument
from damier.engine.arena.elo import Meeting, Sprt, SprtRun, elo_of_score, estimate, ratings, score_of_elo

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


def random_pair(stream: random.Random, elo: float, bias: float = 150, draws: float = 0.3) -> float:
    """Plays a pair: an unfair opening that helps one side by `bias` Elo, and two games with sides exchanged."""
    lean = stream.choice((-bias, bias))
    return sum(random_game(stream, elo + side * lean, draws) for side in (-1, 1)) / 2


def random_game(stream: random.Random, elo: float, draws: float) -> float:
    score = score_of_elo(elo)
    drawn = draws * 2 * min(score, 1 - score)
    throw = stream.random()
    return 0.5 if throw < drawn else float(throw < score + drawn / 2)


def true_elo(elo: float, bias: float = 150) -> float:
    """Returns the Elo difference of the mean score of random pairs."""
    return elo_of_score((score_of_elo(elo - bias) + score_of_elo(elo + bias)) / 2)


@pytest.mark.parametrize(("score", "elo"), [(0.5, 0.0), (10 / 11, 400.0), (0.75, 190.848502), (0.25, -190.848502)])
def test_elo_is_the_logistic_curve_of_the_score(score: float, elo: float) -> None:
    assert elo_of_score(score) == pytest.approx(elo)
    assert score_of_elo(elo) == pytest.approx(score)


def test_all_or_nothing_is_infinite() -> None:
    assert [elo_of_score(score) for score in (-0.1, 0.0, 1.0, 1.1)] == [-math.inf, -math.inf, math.inf, math.inf]


@given(st.lists(st.sampled_from(PAIR_SCORES), max_size=60))
def test_an_estimate_is_that_of_its_twin(scores: list[float]) -> None:
    found = estimate(scores)
    twice = [*scores, *scores, 0.0, 1.0]  # everything twice, so that half a pair is a whole one
    mean, variance = statistics.fmean(twice), statistics.pvariance(twice)
    deviation = math.sqrt(variance / (len(scores) + 1))
    assert found.score == pytest.approx(statistics.fmean(scores) if scores else 0.5)
    assert found.low == pytest.approx(elo_of_score(mean - 1.959964 * deviation), rel=1e-4)
    assert found.high == pytest.approx(elo_of_score(mean + 1.959964 * deviation), rel=1e-4)
    assert found.superiority == pytest.approx(0.5 + math.erf((mean - 0.5) / deviation / math.sqrt(2)) / 2)


@given(st.lists(st.sampled_from(PAIR_SCORES), min_size=1, max_size=60))
def test_the_other_player_sees_the_same_from_the_other_side(scores: list[float]) -> None:
    found, other = estimate(scores), estimate([1 - score for score in scores])
    assert (found.elo, found.low, found.high) == pytest.approx((-other.elo, -other.high, -other.low))
    assert found.superiority == pytest.approx(1 - other.superiority)


def test_many_pairs_have_the_error_of_the_normal_distribution() -> None:
    scores = [0.0] * 1000 + [0.5] * 7000 + [1.0] * 2000
    deviation = math.sqrt((0.1 * 0.55**2 + 0.7 * 0.05**2 + 0.2 * 0.45**2) / 10_000)
    slope = 400 / math.log(10) / (0.55 * 0.45)
    assert estimate(scores).error == pytest.approx(1.959964 * deviation * slope, rel=1e-3)


def test_nothing_is_known_before_the_first_pair() -> None:
    found = estimate([])
    assert (found.score, found.elo, found.low, found.high, found.superiority) == (0.5, 0, -math.inf, math.inf, 0.5)


def test_a_player_who_won_everything_is_ahead_by_at_least_something() -> None:
    found = estimate([1.0] * 50)
    assert (found.elo, found.high, found.error) == (math.inf, math.inf, math.inf)
    assert 400 < found.low < 700
    assert estimate([0.5] * 50).error > 0


@pytest.mark.parametrize(
    ("pairs", "elo"), [*(pytest.param(100, elo, marks=pytest.mark.slow) for elo in (0.0, 120.0)), (25, 60.0)]
)
def test_the_error_bars_cover_the_truth_as_often_as_they_say(pairs: int, elo: float) -> None:
    stream = random.Random(f"coverage {pairs} {elo}")
    truth = true_elo(elo)
    found = [estimate([random_pair(stream, elo) for _ in range(pairs)]) for _ in range(2000)]
    covered = sum(each.low <= truth <= each.high for each in found) / len(found)
    assert 0.935 < covered < 0.97


def test_superiority_is_as_likely_as_it_says() -> None:
    stream = random.Random("superiority")
    sure = sum(estimate([random_pair(stream, 0) for _ in range(60)]).superiority > 0.9 for _ in range(2000)) / 2000
    assert 0.08 < sure < 0.12


def best_of_three(counts: Sequence[float], mean: float) -> float:
    """Returns the highest log-likelihood of a distribution on 0, 1/2 and 1 with a given mean, by trying."""

    def likelihood(half: float) -> float:
        chances = (1 - half - (mean - half / 2), half, mean - half / 2)
        return sum(count * math.log(chance) for count, chance in zip(counts, chances, strict=True))

    low, high = 1e-12, min(2 * mean, 2 * (1 - mean)) - 1e-12
    for _ in range(200):
        third = (high - low) / 3
        low, high = (low + third, high) if likelihood(low + third) < likelihood(high - third) else (low, high - third)
    return likelihood(low)


@given(
    st.tuples(*[st.integers(0, 300)] * 3).filter(lambda counts: counts[1] > 0),
    st.integers(-200, 190),
    st.integers(1, 100),
)
def test_the_likelihood_ratio_is_that_of_its_twin(counts: tuple[int, ...], elo0: int, width: int) -> None:
    sprt = Sprt(elo0, elo0 + width)
    weights = (counts[0] + 0.5, counts[1], counts[2] + 0.5)
    expected = best_of_three(weights, score_of_elo(sprt.elo1)) - best_of_three(weights, score_of_elo(sprt.elo0))
    found = sprt.llr(dict(zip((0.0, 0.5, 1.0), counts, strict=True)))
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_the_likelihood_ratio_of_many_pairs_is_that_of_the_normal_distribution() -> None:
    counts = {0.0: 900, 0.25: 2100, 0.5: 4000, 0.75: 2000, 1.0: 1000}
    mean = sum(value * count for value, count in counts.items()) / 10_000
    variance = sum((value - mean) ** 2 * count for value, count in counts.items()) / 10_000
    low, high = score_of_elo(0), score_of_elo(10)
    expected = 10_000 * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert Sprt(0, 10).llr(counts) == pytest.approx(expected, rel=0.05)


def test_nothing_speaks_for_either_hypothesis_before_the_first_pair() -> None:
    assert Sprt(0, 10).llr({}) == 0
    assert Sprt(0, 10).bounds == pytest.approx((-math.log(19), math.log(19)))


@pytest.mark.parametrize("tests", [60, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("elo", "accepted"), [(0.0, "elo0"), (80.0, "elo1")])
def test_the_sequential_test_errs_as_rarely_as_it_says(elo: float, accepted: str, tests: int) -> None:
    stream = random.Random(f"sequential {elo}")
    right, seen = 0, 0
    for _ in range(tests):
        run = SprtRun(Sprt(true_elo(0), true_elo(80)))
        while run.verdict is None:
            run.see(random_pair(stream, elo))
        right += run.verdict == accepted
        seen += run.seen
    assert right / tests > 0.925
    assert seen / tests < 75  # a match of fixed length with these error rates needs 97 pairs


def test_a_test_that_has_decided_looks_at_no_more_pairs() -> None:
    run = SprtRun(Sprt(0, 200))
    for _ in range(100):
        run.see(1.0)
    assert run.verdict == "elo1"
    assert run.seen < 30
    assert run.data()["accepted"] == "elo1"


@pytest.mark.parametrize("elos", [(10, 0), (5, 5), (math.nan, 10), (0, math.inf), (-2000, 0)])
def test_hypotheses_that_make_no_sense_are_refused(elos: tuple[float, float]) -> None:
    with pytest.raises(BadArgument, match="two Elo differences from -1000 to 1000, the smaller first, not"):
        Sprt(*elos)


def test_error_rates_that_make_no_sense_are_refused() -> None:
    with pytest.raises(BadArgument, match="lie between 0 and"):
        Sprt(0, 10, alpha=0.0)


def random_meetings(stream: random.Random, strengths: Sequence[float], pairs: int) -> list[Meeting]:
    return [
        Meeting(first, second, [random_pair(stream, strengths[first] - strengths[second], 0) for _ in range(pairs)])
        for first in range(len(strengths))
        for second in range(first)
    ]


def slow_ratings(count: int, meetings: Sequence[Meeting]) -> list[float]:
    """Returns the likeliest ratings by the iteration of Zermelo: points over expected chances, again and again."""
    strengths = [1.0] * count
    points = Counter[int]()
    for meeting in meetings:
        points[meeting.first] += sum(meeting.scores)  # type: ignore[assignment]  # halves count too
        points[meeting.second] += len(meeting.scores) - sum(meeting.scores)  # type: ignore[assignment]
    for _ in range(5000):
        chances = [0.0] * count
        for meeting in meetings:
            share = len(meeting.scores) / (strengths[meeting.first] + strengths[meeting.second])
            chances[meeting.first] += share
            chances[meeting.second] += share
        strengths = [points[player] / chances[player] for player in range(count)]
    elos = [400 * math.log10(strength) for strength in strengths]
    return [elo - statistics.fmean(elos) for elo in elos]


def test_ratings_are_those_of_their_twin() -> None:
    meetings = random_meetings(random.Random("twin"), (0, 50, 150, -80, 20), 40)
    found = ratings(5, meetings)
    assert not found.is_tamed
    assert found.elos == pytest.approx(slow_ratings(5, meetings), abs=1e-4)
    assert sum(found.elos) == pytest.approx(0, abs=1e-6)


def test_two_rated_players_differ_as_in_a_match() -> None:
    scores = [random_pair(random.Random("two"), 60) for _ in range(1)] + [0.25, 0.5, 0.75, 1.0, 0.5, 0.5] * 40
    found, match = ratings(2, [Meeting(0, 1, scores)]), estimate(scores)
    assert found.elos[0] - found.elos[1] == pytest.approx(match.elo)
    assert found.errors[0] + found.errors[1] == pytest.approx(match.error, rel=0.02)


def test_the_errors_of_ratings_cover_the_truth_as_often_as_they_say() -> None:
    stream = random.Random("ratings")
    strengths = (90.0, 30.0, -20.0, -100.0)
    covered = 0
    for _ in range(500):
        found = ratings(4, random_meetings(stream, strengths, 50))
        covered += sum(
            abs(elo - truth) <= error for elo, error, truth in zip(found.elos, found.errors, strengths, strict=True)
        )
    assert 0.93 < covered / 2000 < 0.97


def test_a_player_who_won_everything_has_a_finite_rating() -> None:
    found = ratings(3, [Meeting(0, 1, [1.0] * 20), Meeting(0, 2, [1.0] * 20), Meeting(1, 2, [0.5] * 20)])
    assert found.is_tamed
    assert 300 < found.elos[0] < 600
    assert found.elos[1] == pytest.approx(found.elos[2])
    assert all(0 < error < 1000 for error in found.errors)


def test_ratings_before_the_first_game_are_all_zero() -> None:
    found = ratings(3, [Meeting(0, 1, []), Meeting(0, 2, []), Meeting(1, 2, [])])
    assert found.elos == (0, 0, 0)
