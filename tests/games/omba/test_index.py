"""The numbering of Omba for two: every position has a number, symmetric ones the same, and no number has two."""

import random
from collections import Counter
from functools import cache
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.kernel.bind import bind
from damier.core.kernel.cells import square_symmetries
from damier.core.kernel.contract import PLAYING, State
from damier.games.omba import index, rules
from damier.solve.build import value_iteration
from tests.games.omba.positions import Position, all_positions, state_of

SYMMETRIES = list(square_symmetries(3).values())
PLAIN: SimpleNamespace = bind(rules, index, value_iteration)
few_pieces = pytest.mark.parametrize("pieces", [1, 2])


@cache
def numbers(pieces: int) -> Any:
    return index.index_numbers([2, pieces])


@cache
def listed(pieces: int) -> list[int]:
    return [int(number) for number in numbers(pieces)]


@cache
def compiled() -> SimpleNamespace:
    return bind(rules, index, value_iteration, compiled=True)


def sizes(pieces: int) -> list[int]:
    return [PLAIN.tier_entries([2, pieces], listed(pieces), number) for number in range(PLAIN.tier_count([2, pieces]))]


def random_entries(pieces: int, count: int, seed: str) -> list[tuple[int, int]]:
    """Returns entries with their tiers, half of them from any tier and half from the great ones."""
    rng = random.Random(seed)
    tiers = sizes(pieces)
    chosen = [rng.randrange(len(tiers)) for _ in range(count // 2)] + rng.choices(
        range(len(tiers)), tiers, k=count // 2
    )
    return [(number, rng.randrange(tiers[number])) for number in chosen]


def images(position: Position) -> list[Position]:
    """Returns what the eight symmetries make of a position."""
    turned = []
    for symmetry in SYMMETRIES:
        stacks = [""] * 9
        for cell, to in enumerate(symmetry):
            stacks[to] = position[0][cell]
        turned.append((tuple(stacks), position[1], position[2]))
    return turned


def exchanged(state: State) -> State:
    """Returns the state with the names of the players exchanged."""
    heights, owners, word = state
    count = sum(heights >> 4 * cell & 15 for cell in range(9))
    owners ^= sum(1 << 2 * i for i in range(count))
    return heights, owners, (word & 1) ^ 1 | (word >> 8 & 7) << 5 | (word >> 5 & 7) << 8


def place(pieces: int, state: State) -> tuple[int, int]:
    return PLAIN.tier([2, pieces], state), PLAIN.rank([2, pieces], listed(pieces), state)


@few_pieces
def test_positions_share_a_number_if_a_symmetry_turns_one_into_the_other_and_only_then(pieces: int) -> None:
    places: dict[tuple[int, int], Position] = {}
    for position in all_positions(pieces):
        least = min(images(position))
        number, entry = place(pieces, state_of(position))
        assert places.setdefault((number, entry), least) == least
        assert place(pieces, state_of(position, 1)) == (number, entry)
        assert place(pieces, PLAIN.unrank([2, pieces], listed(pieces), number, entry)) == (number, entry)
        assert 0 <= entry < sizes(pieces)[number]
    assert len(places) == len({min(images(position)) for position in all_positions(pieces)})


@few_pieces
def test_every_number_is_that_of_a_position_or_left_free(pieces: int) -> None:
    used: Counter[int] = Counter()
    for number, size in enumerate(sizes(pieces)):
        for entry in range(size):
            back = place(pieces, PLAIN.unrank([2, pieces], listed(pieces), number, entry))
            assert back[0] == number
            assert back[1] <= entry
            used[number] += back[1] == entry
    assert [used[number] for number in range(len(sizes(pieces)))] == counted_tiers(pieces)


def cycles(symmetry: list[int]) -> list[int]:
    """Returns the lengths of the cycles of cells."""
    lengths, seen = [], set()
    for cell in range(9):
        length = 0
        while cell not in seen:
            seen.add(cell)
            cell = symmetry[cell]
            length += 1
        if length:
            lengths.append(length)
    return lengths


def unchanged(symmetry: list[int], most: int) -> Counter[tuple[int, int]]:
    """Returns how many placements a symmetry leaves as they are, by the numbers of own and enemy pieces."""
    counts = Counter({(0, 0): 1})
    for length in cycles(symmetry):  # the stacks of a cycle are equal
        longer: Counter[tuple[int, int]] = Counter()
        for (own, enemy), ways in counts.items():
            for more in range((most - own) // length + 1):
                for others in range((most - enemy) // length + 1):
                    longer[own + length * more, enemy + length * others] += ways * comb(more + others, more)
        counts = longer
    return counts


def counted_tiers(pieces: int) -> list[int]:
    """Returns how many positions each tier has up to symmetry, by Burnside's lemma."""
    fixed = [unchanged(symmetry, pieces) for symmetry in SYMMETRIES]
    tiers = [(x, y) for x in range(pieces + 1) for y in range(x + 1)]
    return [sum(counts[pieces - a, pieces - b] for counts in fixed for a, b in {(x, y), (y, x)}) // 8 for x, y in tiers]


def test_the_whole_game_has_as_many_numbers_as_positions() -> None:
    kernels, given = compiled(), np.array([2, 6])
    found = [int(kernels.count_used(given, numbers(6), number, 0, size)) for number, size in enumerate(sizes(6))]
    assert found == counted_tiers(6)
    assert sum(found) == 29_100_052
    assert sum(sizes(6)) == 30_132_975


def test_the_numbering_has_not_changed() -> None:
    """A change here makes tables unreadable and needs another version."""
    assert index.INDEX == ("omba", 1)
    game = damier.load("omba")
    for text, expected in {
        "-,-,-/-,-,-/-,-,- 1 6,6 - -": (27, 0),
        "-,-,-/-,1,-/-,-,- 2 5,6 - -": (26, 2),
        "-,2,-/1,212,-/-,1,- 1 3,3 - -": (9, 8711),
        "1,2,-/1,212,-/-,1,- 1 2,3 - -": (8, 58616),
        "12,-,1/-,2211,-/-,2,12 1 1,1 - -": (2, 1096786),
        "21,1,-/2,2121,-/11,-,22 2 0,0 - -": (0, 12236869),
    }.items():
        assert place(6, game.parse(text).state) == expected


def test_the_start_is_the_last_tier() -> None:
    for pieces in (1, 2, 6):
        assert place(pieces, PLAIN.start([2, pieces])) == (len(sizes(pieces)) - 1, 0)
        assert sizes(pieces)[-1] == 1


def test_symmetries_and_the_exchange_of_players_keep_the_number() -> None:
    for number, entry in random_entries(6, 300, "symmetry"):
        state = PLAIN.unrank([2, 6], listed(6), number, entry)
        expected = place(6, state)
        for symmetry in SYMMETRIES:
            turned = PLAIN.permute([2, 6], state, symmetry, False)
            assert place(6, turned) == place(6, exchanged(turned)) == expected


def followers_by_rules(pieces: int, state: State) -> dict[int, tuple[int, State]]:
    """Returns for each action the rolls that allow it, one bit each, and what it leads to."""
    given, out = [2, pieces], [0] * PLAIN.MAX_ACTIONS
    found: dict[int, tuple[int, State]] = {}
    for roll in range(1, 7):
        rolled = PLAIN.apply(given, state, rules.ROLL << 8 | roll)
        if PLAIN.outcome(given, rolled) == PLAYING:
            for action in out[: PLAIN.actions(given, rolled, out)]:
                rolls = found[action][0] if action in found else 0
                found[action] = rolls | 1 << roll - 1, PLAIN.apply(given, rolled, action)
    return found


def read_followers(pieces: int, entry: int, out: list[int]) -> list[tuple[int, int, int]]:
    """Returns the rolls, the tier and the least number of each follower of an entry as `followers` has written them."""
    found = []
    at = 2
    for _ in range(out[1]):
        rolls, there, count = out[at : at + 3]
        for i in range(at + 3, at + 3 + 2 * count, 2):
            if out[0] + out[i] == entry:
                state = PLAIN.unrank([2, pieces], listed(pieces), there, out[i + 1])
                found.append((rolls, *place(pieces, state)))
        at += 3 + 2 * count
    assert at <= index.PARTS
    return found


def compare_followers(pieces: int, number: int, entry: int, out: list[int]) -> None:
    state = PLAIN.unrank([2, pieces], listed(pieces), number, entry)
    expected = followers_by_rules(pieces, state)
    assert read_followers(pieces, entry, out) == [
        (expected[action][0], *place(pieces, expected[action][1])) for action in sorted(expected)
    ]
    for action, (_, following) in expected.items():
        there = PLAIN.tier([2, pieces], following)
        assert there == number if action >> 8 == rules.MOVE else there < number


@few_pieces
def test_followers_are_those_of_the_rules_and_stay_or_lead_to_lower_tiers(pieces: int) -> None:
    out = [0] * index.FOLLOWER_ROOM
    for number, size in enumerate(sizes(pieces)):
        following = 0
        for entry in range(size):
            if entry == following:
                following = PLAIN.followers([2, pieces], listed(pieces), number, entry, out)
                assert out[0] == entry < following <= entry + index.MOST_TOGETHER
            compare_followers(pieces, number, entry, out)
        assert following == size


def test_followers_in_the_whole_game_are_those_of_the_rules() -> None:
    out = np.zeros(index.FOLLOWER_ROOM, np.int32)
    for number, entry in random_entries(6, 300, "followers"):
        following = compiled().followers(np.array([2, 6]), numbers(6), number, entry, out)
        assert out[0] <= entry < following
        compare_followers(6, number, entry, out.tolist())


def test_plain_and_compiled_numbers_agree() -> None:
    given, kernels = np.array([2, 6]), compiled()
    out, plain_out = np.zeros(index.FOLLOWER_ROOM, np.int32), [0] * index.FOLLOWER_ROOM
    for number, entry in random_entries(6, 500, "twins"):
        state = PLAIN.unrank([2, 6], listed(6), number, entry)
        assert tuple(kernels.unrank(given, numbers(6), number, entry)) == state
        assert kernels.tier(given, state) == number
        assert kernels.rank(given, numbers(6), state) == PLAIN.rank([2, 6], listed(6), state)
    for number, entry in random_entries(6, 40, "twins"):
        following = PLAIN.followers([2, 6], listed(6), number, entry, plain_out)
        assert kernels.followers(given, numbers(6), number, entry, out) == following
        assert read_followers(6, entry, out.tolist()) == read_followers(6, entry, plain_out)
