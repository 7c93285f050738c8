"""Arena pairings: whoever is free plays somebody near, and not the same opponent again at once."""

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from damier.server.tournaments.arena import RANK_FACTOR, FreePlayer, pair_cost, pair_free


@st.composite
def waiting(draw: st.DrawFn) -> list[FreePlayer]:
    count = draw(st.integers(0, 7))
    people = [f"p{number}" for number in range(count)]
    return [
        FreePlayer(
            person,
            rank,
            draw(st.integers(1000, 2000)),
            draw(st.sampled_from([*people, "other", None])),
            draw(st.integers(-2, 2)),
            draw(st.booleans()),
        )
        for rank, person in enumerate(people, 1)
    ]


def naive_best(players: list[FreePlayer]) -> tuple[int, float]:
    """Returns the most pairs, and what these cost at least, by trying all."""
    best = (0, 0.0)
    for order in permutations(players):
        pairs = [pair for pair in zip(order[::2], order[1::2], strict=False) if pair_cost(*pair) < float("inf")]
        cost = sum(pair_cost(*pair) for pair in pairs)
        if (len(pairs), -cost) > (best[0], -best[1]):
            best = len(pairs), cost
    return best


@settings(max_examples=60, deadline=None)
@given(waiting())
def test_pairs_are_allowed_and_near_the_best_of_all(players: list[FreePlayer]) -> None:
    pairs = pair_free(players)
    by_name = {player.person: player for player in players}
    people = [person for pair in pairs for person in pair]
    assert len(set(people)) == len(people)
    assert all(pair_cost(by_name[a], by_name[b]) < float("inf") for a, b in pairs)
    left = [player for player in players if player.person not in people]
    assert all(pair_cost(a, b) == float("inf") for a in left for b in left if a != b)
    most, cost = naive_best(players)
    assert len(pairs) >= most - 1
    if len(players) == 4 and len(pairs) == most == 2:
        assert sum(pair_cost(by_name[a], by_name[b]) for a, b in pairs) == cost


def test_the_cost_of_a_pair_is_its_gap_in_rank_and_rating() -> None:
    one, other = FreePlayer("a", 1, 1600), FreePlayer("b", 4, 1450)
    assert pair_cost(one, other) == 3 * RANK_FACTOR + 150


def test_neighbours_play() -> None:
    players = [FreePlayer(person, rank, 1500) for rank, person in enumerate("abcdef", 1)]
    assert pair_free(players) == [("a", "b"), ("c", "d"), ("e", "f")]


def test_the_last_opponent_is_not_met_again_at_once() -> None:
    players = [FreePlayer("a", 1, 1500, "b"), FreePlayer("b", 2, 1500, "a")]
    assert pair_free(players) == []
    assert pair_free([*players, FreePlayer("c", 3, 1500)]) == [("a", "c")]


def test_two_who_are_left_alone_meet_again() -> None:
    players = [FreePlayer("a", 1, 1500, "b", 1, True), FreePlayer("b", 2, 1500, "a", -1)]
    assert pair_free(players, is_last_pair=True) == [("b", "a")]


def test_who_has_played_first_less_often_plays_first() -> None:
    assert pair_free([FreePlayer("a", 1, 1500, balance=1), FreePlayer("b", 2, 1500)]) == [("b", "a")]
    once = FreePlayer("a", 1, 1500, was_first=True)
    assert pair_free([once, FreePlayer("b", 2, 1500)]) == [("b", "a")]


def test_a_pair_is_broken_up_so_that_all_play() -> None:
    players = [
        FreePlayer("a", 1, 1500),
        FreePlayer("b", 2, 1500),
        FreePlayer("c", 3, 1500, "d"),
        FreePlayer("d", 4, 1500, "c"),
    ]
    assert len(pair_free(players)) == 2
