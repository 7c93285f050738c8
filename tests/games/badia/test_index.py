"""The numbering of Badia: one number for each class of positions, and all the ways in which a position comes about."""

import functools
import itertools
import random
import types
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from numba import njit

import damier
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import PLAYING, Rules, State, Words
from damier.games.badia import index
from damier.games.badia.rules import (
    ANSWER,
    ARROWS,
    CENTRE,
    DISPLACE,
    LEAVE,
    PAWNS,
    PLACE,
    SQUARES,
    STEP,
    SWAP,
    TOUCHING,
)
from tests.games.random_positions import random_position

GAME = damier.load("badia")
RULES = GAME.rules
PLAIN = bind(GAME.definition.rules, subsets, index)
TIERS = range(14)
SYMMETRIES = [symmetry.cells for symmetry in GAME.traits.symmetries]


@functools.cache
def numbers() -> list[int]:
    """Returns the tables for plain Python."""
    return list(index.index_numbers(RULES).tolist())


@functools.cache
def compiled() -> tuple[types.SimpleNamespace, tuple[object, object]]:
    """Returns the compiled kernels, and the rules and tables for them."""
    kernels = bind(GAME.definition.rules, subsets, index, compiled=True)
    return kernels, (np.array(RULES), index.index_numbers(RULES))


def rank(state: State) -> int:
    """Returns the number of a state."""
    return int(PLAIN.rank(RULES, numbers(), state))


def unrank(tier: int, entry: int) -> State:
    """Returns a state of a tier with a number."""
    state: State = PLAIN.unrank(RULES, numbers(), tier, entry)
    return state


def entries(tier: int) -> int:
    """Returns how many numbers a tier has."""
    return int(PLAIN.tier_entries(RULES, numbers(), tier))


def tier_of(state: State) -> int:
    """Returns the tier of a state."""
    return int(PLAIN.tier(RULES, state))


def is_open(state: State) -> bool:
    """Tells whether the game goes on."""
    return bool(PLAIN.outcome(RULES, state) == PLAYING)


def predecessors(state: State) -> list[State]:
    """Returns the states before a state."""
    out = [0] * (3 * PLAIN.MAX_PREDECESSORS)  # one more would be an error
    n = PLAIN.predecessors(RULES, state, out)
    return [(out[3 * i], out[3 * i + 1], out[3 * i + 2]) for i in range(n)]


def successors(state: State) -> list[tuple[int, State]]:
    """Returns the actions of an undecided state and where they lead."""
    out = [0] * PLAIN.MAX_ACTIONS
    n = PLAIN.actions(RULES, state, out)
    return [(action, PLAIN.apply(RULES, state, action)) for action in out[:n]]


def images(state: State) -> list[State]:
    """Returns what the symmetries make of a state, Black on move."""
    black = state[0], state[1], state[2] & ~1
    return [PLAIN.permute(RULES, black, cells, False) for cells in SYMMETRIES]


def random_game(rng: random.Random) -> Iterator[State]:
    """Yields the states of a random game, some of them with a pawn that waits."""
    state = GAME.start.state
    if rng.random() < 0.7:
        state = GAME.parse(random_position("badia", {}, rng)).state
    for _ in range(40):
        yield state
        if not is_open(state):
            return
        ways = successors(state)
        waiting = [way for way in ways if way[1][2] >> 11]
        state = rng.choice(waiting if waiting and rng.random() < 0.5 else ways)[1]


@functools.cache
def samples() -> list[State]:
    """Returns random states of every kind: of games, of position strings and of every tier."""
    rng = random.Random(7)
    states = [state for _ in range(60) for state in random_game(rng)]
    states += [GAME.parse(random_position("badia", {}, rng)).state for _ in range(600)]
    for tier in TIERS:
        count = entries(tier)
        states += [unrank(tier, rng.randrange(count)) for _ in range(min(200, count))]
    settled = entries(0) - PAWNS * index.WAITING
    states += [unrank(0, rng.randrange(settled, entries(0))) for _ in range(500)]  # a pawn waits
    colour = [rng.randrange(2) if tier_of(state) < index.PLACING else state[2] & 1 for state in states]
    return [(own, enemy, word & ~1 | side) for (own, enemy, word), side in zip(states, colour, strict=True)]


# One number for each class


def fixed_states(cells: Sequence[int], allowed: Sequence[str]) -> Counter[str]:
    """Counts the states that a symmetry leaves as they are, by the letters that stand on the board, sorted.

    Each cell is o (own pawn), x (enemy), O, X (with the marker) or - (empty), as far as it is `allowed`.
    """
    counts = Counter({"": 1})
    for cycle in cycles(cells):
        letters = [letter for letter in "oxOX-" if all(letter in allowed[cell] for cell in cycle)]
        longer: Counter[str] = Counter()
        for before, letter in itertools.product(counts, letters):
            after = "".join(sorted(before + letter.strip("-") * len(cycle)))
            if all(after.count(each) <= most for each, most in (("o", 5), ("x", 5), ("O", 1), ("X", 1))):
                longer[after] += counts[before]
        counts = longer
    return counts


def cycles(cells: Sequence[int]) -> list[list[int]]:
    """Returns the cells in groups that a symmetry turns round."""
    found: list[list[int]] = []
    for cell in range(17):
        if not any(cell in cycle for cycle in found):
            found.append([cell])
            while cells[found[-1][-1]] != cell:
                found[-1].append(cells[found[-1][-1]])
    return found


def classes(allowed: Sequence[str], kinds: Sequence[str]) -> int:
    """Counts the classes of states with some letters: as many as a symmetry leaves as they are, on average."""
    fixed = [fixed_states(cells, allowed) for cells in SYMMETRIES]
    found = sum(counts["".join(sorted(kind))] for counts in fixed for kind in kinds)
    assert found % 8 == 0
    return found // 8


def waiting_classes(kinds: Sequence[str]) -> int:
    """Counts the classes of states in which a pawn waits: all arrows full, a cell beside the enemy's marker not."""
    arrow = 14
    found = 0
    for is_all_full in (False, True):
        allowed = []
        for cell in range(17):
            full = "oxO" if ARROWS >> cell & 1 or (is_all_full and TOUCHING[arrow] >> cell & 1) else "oxO-"
            allowed.append("X" if cell == arrow else full)
        for cells in SYMMETRIES:
            if cells[arrow] == arrow:  # the enemy's marker is on any of 4 arrows: 4 times as many, of 8 symmetries
                counts = fixed_states(cells, allowed)
                found += (-1 if is_all_full else 1) * sum(counts["".join(sorted(kind))] for kind in kinds)
    assert found % 2 == 0
    return found // 2


def classes_of_tier(tier: int) -> int:
    """Counts the classes of positions in a tier, without the numbering."""
    everywhere = ["oxOX-"] * 17
    if tier == 0:
        return classes(everywhere, ["ooooOxxxxX"]) + waiting_classes(["oooOxxxxX", "ooooxxxxX"])
    if tier == index.WAITING_UNMARKED:
        return waiting_classes(["ooooxxxxX"])
    if tier < index.PLACING:
        return classes(everywhere, ["oooooxxxxX"] if tier == 1 else ["oooooxxxxx", "ooooOxxxxx"])
    placed = 13 - tier
    squares = ["ox-" if SQUARES >> cell & 1 else "-" for cell in range(17)]
    return classes(squares, ["o" * (placed // 2) + "x" * (placed - placed // 2)])


@functools.cache
def compiled_count() -> Callable[..., int]:
    """Returns a compiled function that counts the numbers of a tier that a position has."""
    rank, unrank = compiled()[0].rank, compiled()[0].unrank

    def count(rules: Rules, numbers: Words, tier: int, high: int) -> int:
        used = 0
        for entry in range(high):
            used += rank(rules, numbers, unrank(rules, numbers, tier, entry)) == entry
        return used

    kernel: Callable[..., int] = njit(count)
    return kernel


@pytest.mark.parametrize("tier", TIERS)
def test_as_many_numbers_are_in_use_as_there_are_classes(tier: int) -> None:
    assert compiled_count()(*compiled()[1], tier, entries(tier)) == classes_of_tier(tier)


def test_few_numbers_are_free() -> None:
    used = sum(classes_of_tier(tier) for tier in TIERS)
    total = sum(entries(tier) for tier in TIERS)
    assert used > 0.94 * total


def test_every_tier_has_a_name() -> None:
    assert PLAIN.tier_count(RULES) == len(TIERS)
    names = [str(index.tier_name(RULES, tier)) for tier in TIERS]
    assert len(set(names)) == len(TIERS)
    assert (names[0], names[-1]) == ("10 pawns placed, both markers", "0 pawns placed")


def test_symmetric_states_and_those_of_the_other_colour_share_a_number() -> None:
    for state in samples()[::2]:
        other = state[0], state[1], state[2] ^ 1
        for image in (*images(state), other):
            assert (rank(image), tier_of(image)) == (rank(state), tier_of(state)), state


def test_the_other_colour_has_the_same_actions_and_the_same_end() -> None:
    for state in samples():
        other = state[0], state[1], state[2] ^ 1
        if not is_open(state):
            assert PLAIN.outcome(RULES, state) == 1 - PLAIN.outcome(RULES, other)
        elif tier_of(state) < index.PLACING:
            after = [(action, (own, enemy, word ^ 1)) for action, (own, enemy, word) in successors(state)]
            assert successors(other) == after


def test_a_number_stands_for_a_symmetric_state() -> None:
    for state in samples():
        entry = rank(state)
        assert 0 <= entry < entries(tier_of(state))
        again = unrank(tier_of(state), entry)
        assert rank(again) == entry
        assert set(images(again)) == set(images(state))


def test_the_states_with_a_number_are_positions() -> None:
    for tier in TIERS:
        rng = random.Random(tier)
        for _ in range(200):
            state = unrank(tier, rng.randrange(entries(tier)))
            text = GAME.definition.notation.position_text(RULES, state)
            assert GAME.parse(text).state == state
            assert tier_of(state) == tier


@pytest.mark.parametrize("tier", range(4, 14))
def test_all_states_of_the_placement_have_the_numbers_in_use(tier: int) -> None:
    squares = [cell for cell in range(17) if SQUARES >> cell & 1]
    own_count = (13 - tier) // 2
    found = set()
    for pawns in itertools.combinations(squares, 13 - tier):
        for own in itertools.combinations(pawns, own_count):
            bits = sum(1 << cell for cell in own)
            found.add(rank((bits, sum(1 << cell for cell in pawns) ^ bits, (13 - tier) & 1)))
    assert found == {entry for entry in range(entries(tier)) if rank(unrank(tier, entry)) == entry}


# Actions and the way back


def kind_of(action: int) -> tuple[int, str, str, str]:
    """Returns the kind of an action and what kinds of cells it comes from, leads to, and puts an enemy on."""

    def name(cell: int) -> str:
        return "centre" if cell == CENTRE else "arrow" if ARROWS >> cell & 1 else "square"

    kind, put, origin, to = action >> 15, action >> 10 & 31, action >> 5 & 31, action & 31
    return kind, "" if kind in (PLACE, ANSWER) else name(origin), name(to), name(put) if kind == DISPLACE else ""


KINDS = {
    (PLACE, "", "square", ""),
    *((STEP, origin, to, "") for origin, to in itertools.product(("square", "arrow"), repeat=2) if origin != to),
    (STEP, "square", "square", ""), (STEP, "arrow", "centre", ""), (STEP, "centre", "arrow", ""),
    (SWAP, "square", "square", ""), (SWAP, "arrow", "square", ""),
    (DISPLACE, "arrow", "centre", "square"), (DISPLACE, "arrow", "centre", "arrow"),
    (DISPLACE, "square", "arrow", "centre"), (DISPLACE, "square", "arrow", "arrow"),
    (DISPLACE, "centre", "arrow", "arrow"),
    (LEAVE, "square", "arrow", ""), (LEAVE, "centre", "arrow", ""),
    (ANSWER, "", "square", ""), (ANSWER, "", "centre", ""),
}  # fmt: skip


def test_the_samples_have_every_kind_of_action() -> None:
    assert {kind_of(action) for state in samples() if is_open(state) for action, _ in successors(state)} == KINDS
    assert {state[2] >> 11 for state in samples()} == {0, 1, 2}


def test_actions_lead_to_the_same_tier_or_a_lower_one() -> None:
    within: Counter[int] = Counter()
    for state in filter(is_open, samples()):
        for _, after in successors(state):
            assert tier_of(after) <= tier_of(state)
            within[tier_of(state)] += tier_of(after) == tier_of(state)
    assert [tier for tier in TIERS if within[tier]] == [0]


def test_every_state_is_among_the_predecessors_of_what_it_leads_to() -> None:
    kinds = set()
    for state in filter(is_open, samples()):
        for action, after in successors(state):
            if tier_of(after) == tier_of(state):
                assert state in predecessors(after), (state, action)
                kinds.add(kind_of(action))
    assert kinds == {kind for kind in KINDS if kind[0] != PLACE}


def test_every_predecessor_leads_to_the_state() -> None:
    found = 0
    for state in samples()[::4]:
        before = predecessors(state)
        assert len(before) == len(set(before))
        assert all(tier_of(each) == tier_of(state) for each in before)
        for each in filter(is_open, before):
            assert state in [after for _, after in successors(each)], (each, state)
            assert GAME.parse(GAME.definition.notation.position_text(RULES, each)).state == each
            found += 1
    assert found > 5_000


def test_no_state_has_more_predecessors_than_one_whose_marked_enemy_is_alone_on_the_arrows_and_the_centre() -> None:
    squares = [cell for cell in range(17) if SQUARES >> cell & 1]
    own, enemy = sum(1 << cell for cell in squares[:5]), sum(1 << cell for cell in squares[5:9]) | 1 << CENTRE
    state = own, enemy, CENTRE + 1 << 6 | 1 << 1
    assert len(predecessors(state)) == PLAIN.MAX_PREDECESSORS


def test_plain_and_compiled_kernels_agree() -> None:
    kernels, (rules, tables) = compiled()
    out = np.zeros(3 * PLAIN.MAX_PREDECESSORS, np.int64)
    for state in samples():
        tier, entry, before = tier_of(state), rank(state), predecessors(state)
        assert (kernels.tier(rules, state), kernels.rank(rules, tables, state)) == (tier, entry)
        assert kernels.unrank(rules, tables, tier, entry) == unrank(tier, entry)
        assert kernels.predecessors(rules, state, out) == len(before)
        assert out[: 3 * len(before)].tolist() == [word for each in before for word in each]
    assert [kernels.tier_entries(rules, tables, tier) for tier in TIERS] == [entries(tier) for tier in TIERS]


def test_the_symmetries_are_those_of_the_game() -> None:
    assert sorted(map(tuple, index.RING_SYMMETRIES)) == sorted(SYMMETRIES)
