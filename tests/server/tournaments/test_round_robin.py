"""Round robin: everybody meets everybody, also who comes late."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from damier.server.tournaments.round_robin import round_count, round_pairs, seating


def rounds(seats: list[str | None], times: int) -> list[tuple[list[tuple[str, str]], list[str]]]:
    return [round_pairs(seats, number) for number in range(1, round_count(seats, times) + 1)]


def test_four_players_meet_in_three_rounds() -> None:
    assert rounds(seating("abcd"), 1) == [
        ([("a", "d"), ("c", "b")], []),
        ([("c", "a"), ("b", "d")], []),
        ([("a", "b"), ("d", "c")], []),
    ]


def test_three_players_have_a_bye_each() -> None:
    assert rounds(seating("abc"), 1) == [([("b", "a")], ["c"]), ([("a", "c")], ["b"]), ([("c", "b")], ["a"])]


@given(st.integers(2, 16), st.integers(1, 2))
def test_everybody_meets_everybody_as_often_as_agreed(count: int, times: int) -> None:
    players = [f"p{number}" for number in range(count)]
    met: Counter[frozenset[str]] = Counter()
    first: Counter[str] = Counter()
    for pairs, byes in rounds(seating(players), times):
        assert sorted([*byes, *(person for pair in pairs for person in pair)]) == sorted(players)
        assert len(byes) == count % 2
        met.update(map(frozenset, pairs))
        first.update(pair[0] for pair in pairs)
    assert len(met) == count * (count - 1) // 2
    assert set(met.values()) == {times}
    games = times * (count - 1)
    assert all(abs(2 * first[player] - games) <= games % 2 for player in players)
    if times == 2:
        sides = Counter(pair for pairs, _ in rounds(seating(players), 2) for pair in pairs)
        assert set(sides.values()) == {1}


@given(st.integers(2, 14), st.integers(1, 5), st.integers(1, 2))
def test_who_joins_late_meets_everybody_and_changes_no_pair_of_the_first_round(
    count: int, more: int, times: int
) -> None:
    players, late = [f"p{number}" for number in range(count)], [f"late{number}" for number in range(more)]
    before = round_pairs(seating(players), 1)[0]
    seats = seating(players, late)
    assert set(before) <= set(round_pairs(seats, 1)[0])
    met = Counter(frozenset(pair) for pairs, _ in rounds(seats, times) for pair in pairs)
    assert len(met) == (count + more) * (count + more - 1) // 2
    assert set(met.values()) == {times}
