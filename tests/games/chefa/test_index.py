"""The numbering of Chefa: a bijection up to symmetry, and predecessors as playing finds them."""

import random

import pytest

import damier
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import PLAYING, State
from damier.games.chefa import index, rules
from tests.games.random_positions import random_position

GAME = damier.load("chefa")
NUMBERS = index.index_numbers(GAME.rules).data
KERNELS = bind(rules, subsets, index)


def some_states(count: int, seed: int) -> list[State]:
    """Returns undecided states of random games and random ones, half and half."""
    rng = random.Random(seed)
    found: list[State] = []
    while len(found) < count:
        position = GAME.start
        if len(found) % 2:
            position = GAME.parse(random_position("chefa", {}, rng))
        for _ in range(rng.randrange(14)):
            if position.result is None:
                position = position.play(rng.choice(position.actions()))
        if position.result is None:
            found.append(position.state)
    return found


def number(state: State) -> tuple[int, int]:
    return KERNELS.tier(GAME.rules, state), KERNELS.rank(GAME.rules, NUMBERS, state)


def state_of(number: tuple[int, int]) -> State:
    state: State = KERNELS.unrank(GAME.rules, NUMBERS, *number)
    return state


def images(state: State) -> set[State]:
    """Returns a state as all symmetries and both players see it."""
    turned = {
        KERNELS.permute(GAME.rules, state, symmetry.cells, symmetry.swaps_players)
        for symmetry in GAME.traits.symmetries
    }
    return turned | {(own, enemy, word ^ 1) for own, enemy, word in turned}


def test_a_number_stands_for_a_state_up_to_symmetry() -> None:
    for state in some_states(400, seed=1):
        assert {number(image) for image in images(state)} == {number(state)}
        assert state_of(number(state)) in images(state)


@pytest.mark.parametrize("tier", [3, 4, 5, 6, 7, 8])
def test_small_tiers_have_every_state_once(tier: int) -> None:
    entries = range(KERNELS.tier_entries(GAME.rules, NUMBERS, tier))
    used = [entry for entry in entries if number(state_of((tier, entry))) == (tier, entry)]
    placed = 8 - tier
    own, enemy = placed // 2, placed - placed // 2
    # Burnside: the classes are as many as the mean number of states that a symmetry leaves as they are
    fixed = sum(fixed_states(symmetry.cells, own, enemy) for symmetry in GAME.traits.symmetries)
    assert len(used) * 8 == fixed


def fixed_states(cells: tuple[int, ...], own: int, enemy: int) -> int:
    """Returns how many placements a symmetry leaves as they are: each side has whole cycles of cells."""
    lengths, left = [], set(range(25)) - {12}
    while left:
        cell, length = left.pop(), 1
        to = cells[cell]
        while to != cell:
            left.remove(to)
            to, length = cells[to], length + 1
        lengths.append(length)
    ways = {(0, 0): 1}
    for length in lengths:
        more = dict(ways)
        for (a, b), count in ways.items():
            more[a + length, b] = more.get((a + length, b), 0) + count
            more[a, b + length] = more.get((a, b + length), 0) + count
        ways = more
    return ways.get((own, enemy), 0)


def test_every_number_of_the_largest_tier_is_that_of_its_state_or_free() -> None:
    entries = KERNELS.tier_entries(GAME.rules, NUMBERS, 0)
    rng = random.Random(2)
    free = 0
    for _ in range(3000):
        entry = rng.randrange(entries)
        state = state_of((0, entry))
        tier, least = number(state)
        assert tier == 0
        assert least <= entry
        free += least < entry
    assert 0.05 < free / 3000 < 0.2  # 4,011,540 of 36,797,775 when counted whole


def test_actions_stay_in_a_tier_or_go_to_a_lower_one() -> None:
    for state in some_states(300, seed=3):
        position = damier.Position(GAME, state)
        here = KERNELS.tier(GAME.rules, state)
        for text in position.actions():
            there = KERNELS.tier(GAME.rules, position.play(text).state)
            assert there == (here - 1 if here else 0)


def predecessors(state: State) -> list[State]:
    out = [0] * (3 * KERNELS.MAX_PREDECESSORS)
    n = KERNELS.predecessors(GAME.rules, state, out)
    return [(out[3 * i], out[3 * i + 1], out[3 * i + 2]) for i in range(n)]


def test_predecessors_are_the_states_before() -> None:
    states = [state for state in some_states(500, seed=4) if KERNELS.tier(GAME.rules, state) == 0]
    assert len(states) > 200
    for state in states:
        position = damier.Position(GAME, state)
        for text in position.actions():
            following = position.play(text)
            if following.result is None:
                assert state in predecessors(following.state), (str(position), text)
        before = predecessors(state)
        assert len(set(before)) == len(before)
        for each in before:
            if KERNELS.outcome(GAME.rules, each) == PLAYING:
                out = [0] * KERNELS.MAX_ACTIONS
                n = KERNELS.actions(GAME.rules, each, out)
                assert state in {KERNELS.apply(GAME.rules, each, code) for code in out[:n]}
