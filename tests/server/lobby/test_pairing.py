"""Pairing against a naive twin, and rule by rule."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damier.server.lobby.pairing import ANYBODY, PAUSE, Pair, Pauses, Seek, Terms, fitting_terms, pairs, seated
from damier.server.matches.clock import TimeControl

BLITZ, SLOW = TimeControl("live", 180, 2), TimeControl("correspondence", 172_800, 86_400, cap=345_600)
TERMS = [
    Terms(game, "", clock, is_rated) for game in ("one", "two") for clock in (BLITZ, SLOW) for is_rated in (False, True)
]
PEOPLE = "abcdef"


def anybody(_one: str, _other: str) -> bool:
    return True


def seek(person: str, since: float = 0.0, *terms: Terms, **given: object) -> Seek:
    asked = Seek(f"{person}-{since}", person, terms or (TERMS[0],), since)
    return replace(asked, **given)  # type: ignore[arg-type]


def made(
    number: int,
    person: str,
    terms: list[Terms],
    since: float,
    side: int | None,
    reach: int | None,
    rating: float | None,
) -> Seek:
    ratings = {} if rating is None else dict.fromkeys(terms, rating)
    return Seek(f"n{number}", person, tuple(terms), since, side, reach, ratings)


seeks = st.builds(
    made,
    st.integers(0, 10**6),
    st.sampled_from(PEOPLE),
    st.lists(st.sampled_from(TERMS), min_size=1, max_size=4),
    st.integers(0, 90).map(float),
    st.sampled_from([None, 0, 1]),
    st.sampled_from([None, 0, 50, 200]),
    st.sampled_from([None, 1400.0, 1500.0, 1700.0, 2400.0]),
)
crowds = st.lists(seeks, max_size=9, unique_by=lambda each: each.number)
foes = st.frozensets(st.sampled_from([frozenset(two) for two in combinations(PEOPLE, 2)]), max_size=6)


def naive_pairs(crowd: list[Seek], now: float, blocked: frozenset[frozenset[str]]) -> list[tuple[str, str]]:
    """Goes through all pairs, in the order of the older and then of the younger seek."""
    order = sorted(crowd, key=lambda each: (each.since, each.number))
    found: list[tuple[str, str]] = []
    taken: set[str] = set()
    for one, other in combinations(order, 2):
        free = one.person not in taken and other.person not in taken and one.person != other.person
        if free and frozenset((one.person, other.person)) not in blocked and naive_fit(one, other, now):
            found.append((one.number, other.number))
            taken |= {one.person, other.person}
    return found


def naive_fit(one: Seek, other: Seek, now: float) -> bool:
    if one.side is not None and other.side is not None and one.side == other.side:
        return False
    for terms in set(one.terms) & set(other.terms):
        strengths = [each.ratings[terms] for each in (one, other) if terms in each.ratings]
        gap = abs(strengths[0] - strengths[1]) if len(strengths) == 2 else 0
        accepts = [
            each.reach is None or now - each.since >= 60 or gap <= each.reach + 10 * max(0, now - each.since)
            for each in (one, other)
        ]
        if all(accepts):
            return True
    return False


@given(crowds, foes, st.integers(60, 160).map(float))
def test_pairing_is_that_of_the_naive_twin(crowd: list[Seek], blocked: frozenset[frozenset[str]], now: float) -> None:
    found = pairs(crowd, now, lambda one, other: frozenset((one, other)) not in blocked)
    assert [(pair.older.number, pair.younger.number) for pair in found] == naive_pairs(crowd, now, blocked)


@given(crowds, foes, st.integers(0, 160).map(float))
def test_nobody_is_paired_twice_and_nobody_who_fits_is_left(
    crowd: list[Seek], blocked: frozenset[frozenset[str]], now: float
) -> None:
    found = pairs(crowd, now, lambda one, other: frozenset((one, other)) not in blocked)
    people = [each.person for pair in found for each in (pair.older, pair.younger)]
    assert len(people) == len(set(people))
    for pair in found:
        assert pair.terms in pair.older.terms
        assert pair.terms in pair.younger.terms
        assert frozenset((pair.older.person, pair.younger.person)) not in blocked
    left = [each for each in crowd if each.person not in people]
    assert naive_pairs(left, now, blocked) == []


def test_two_who_want_the_same_are_paired_at_once() -> None:
    (pair,) = pairs([seek("b", 2.0), seek("a", 1.0)], 2.0, anybody)
    assert (pair.older.person, pair.younger.person, pair.terms) == ("a", "b", TERMS[0])


def test_who_has_waited_longest_is_paired_first() -> None:
    crowd = [seek(person, float(place)) for place, person in enumerate("abc")]
    (pair,) = pairs(crowd, 5.0, anybody)
    assert (pair.older.person, pair.younger.person) == ("a", "b")


def test_of_several_terms_those_that_the_older_one_likes_best_are_played() -> None:
    older, younger = seek("a", 1.0, TERMS[3], TERMS[1]), seek("b", 2.0, TERMS[1], TERMS[3])
    (pair,) = pairs([younger, older], 3.0, anybody)
    assert pair.terms == TERMS[3]


@pytest.mark.parametrize(("waited", "fits"), [(0.0, False), (14.9, False), (15.0, True), (ANYBODY, True)])
def test_a_range_widens_while_one_waits(waited: float, fits: bool) -> None:
    strong = seek("a", 0.0, reach=100, ratings={TERMS[0]: 1750.0})
    weak = seek("b", 0.0, reach=100, ratings={TERMS[0]: 1500.0})
    assert bool(fitting_terms(strong, weak, waited)) is fits


def test_after_a_minute_anybody_will_do_who_does_not_mind() -> None:
    strong = seek("a", 0.0, reach=0, ratings={TERMS[0]: 2800.0})
    weak = seek("b", ANYBODY, ratings={TERMS[0]: 800.0})
    assert fitting_terms(strong, weak, ANYBODY) == TERMS[0]
    assert fitting_terms(strong, replace(weak, reach=50), ANYBODY) is None


def test_two_who_want_the_same_side_are_not_paired() -> None:
    assert pairs([seek("a", 1.0, side=0), seek("b", 2.0, side=0)], 3.0, anybody) == []
    assert len(pairs([seek("a", 1.0, side=0), seek("b", 2.0, side=1)], 3.0, anybody)) == 1


@pytest.mark.parametrize(
    ("older", "younger", "is_older_first", "seats"),
    [
        (None, None, True, "ab"),
        (None, None, False, "ba"),
        (0, None, False, "ab"),
        (1, None, True, "ba"),
        (None, 0, True, "ba"),
        (None, 1, False, "ab"),
    ],
)
def test_everybody_gets_the_side_that_was_wanted(
    older: int | None, younger: int | None, is_older_first: bool, seats: str
) -> None:
    pair = Pair(seek("a", 1.0, side=older), seek("b", 2.0, side=younger), TERMS[0])
    assert seated(pair, is_older_first) == tuple(seats)


def test_two_are_kept_apart_for_an_hour_after_an_abort() -> None:
    pauses = Pauses()
    pauses.add("a", "b", 100.0)
    assert pauses.are_apart("b", "a", 100.0)
    assert pauses.are_apart("a", "b", 100.0 + PAUSE - 1)
    assert not pauses.are_apart("a", "b", 100.0 + PAUSE)
    assert not pauses.are_apart("a", "c", 100.0)
