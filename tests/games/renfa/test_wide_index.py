"""The numbering of positions on 6x6 cells against counting, brute force and the game's rules."""

import functools
import itertools
import random
from collections.abc import Iterator
from math import comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.bits import bit_count
from damier.core.kernel.cells import permuted, square_symmetries
from damier.core.kernel.contract import PLAYING, State
from damier.games.renfa import wide_index
from damier.games.renfa.rules import DETONATE, MOVE, PLACE
from damier.solve.numbering import Numbering, tier_names
from damier.solve.tables import Tables

CELLS = range(36)
SYMMETRIES = list(square_symmetries(6).values())
OPTIONS = [(3, 1), (3, 0), (4, 1), (5, 0)]
MOST_ACTIONS = 300

each_option = pytest.mark.parametrize(("bombs", "last"), OPTIONS)


class Indexed:
    """A game with its numbering."""

    def __init__(self, bombs: int, last: int) -> None:
        self.game = damier.load("renfa", size=6, bombs=bombs, last=last)
        self.bombs, self.last, self.rules = bombs, last, self.game.rules
        self.array = wide_index.index_numbers(self.rules)
        self.numbers: Any = self.array.data  # whose items are Python's integers
        self.plain = bind(self.game.definition.rules, subsets, wide_index)

    @functools.cached_property
    def compiled(self) -> SimpleNamespace:
        return bind(self.game.definition.rules, subsets, wide_index, compiled=True)

    def tiers(self) -> list[tuple[int, int, int]]:
        """Returns for each tier the numbers of bombs, the smaller one first, and how many are still to be placed."""
        counts = range(self.last + 1, self.bombs + 1)
        moving = [(few, many, 0) for many in counts for few in counts if few <= many]
        hands = range(1, 2 * self.bombs + 1)
        return moving + [(self.bombs - (hand + 1) // 2, self.bombs - hand // 2, hand) for hand in hands]

    def entries(self, number: int) -> int:
        return int(self.plain.tier_entries(self.rules, self.numbers, number))

    def place(self, state: State) -> tuple[int, int]:
        """Returns tier and number of a state."""
        return self.plain.tier(self.rules, state), self.plain.rank(self.rules, self.numbers, state)

    def unrank(self, number: int, entry: int) -> State:
        state: State = self.plain.unrank(self.rules, self.numbers, number, entry)
        return state

    def actions(self, state: State, *kinds: int) -> list[int]:
        """Returns the legal actions of some kinds, by the game's rules."""
        out = [0] * MOST_ACTIONS
        return [action for action in out[: self.plain.actions(self.rules, state, out)] if action >> 12 in kinds]

    def following(self, state: State, *kinds: int) -> list[State]:
        """Returns the states to which actions of some kinds lead."""
        return [self.plain.apply(self.rules, state, action) for action in self.actions(state, *kinds)]

    def random_states(self, count: int, seed: int, moving_only: bool = False) -> Iterator[State]:
        """Yields undecided states of random tiers, often with the bombs close together."""
        rng = random.Random(seed)
        tiers = [tier for tier in self.tiers() if tier[2] == 0 or not moving_only]
        for _ in range(count):
            own, enemy, hand = rng.choice(tiers)
            if hand == 0 and rng.random() < 0.5:
                own, enemy = enemy, own
            first = rng.randrange(36 - (own + enemy + 2))
            near = range(first, first + own + enemy + 2)
            cells = rng.sample(rng.choice((CELLS, CELLS, near)), own + enemy)
            side = hand & 1 if hand else rng.randrange(2)
            yield set_of(cells[:own]), set_of(cells[own:]), hand << 1 | side

    def symmetric_states(self, count: int, seed: int) -> Iterator[State]:
        """Yields states in which a mirror or a half turn leaves the bombs of one player where they are."""
        rng = random.Random(seed)
        for _ in range(count):
            mirror = rng.choice(SYMMETRIES[2:3] + SYMMETRIES[4:])
            pairs = sorted({tuple(sorted({cell, mirror[cell]})) for cell in CELLS})
            own = [cell for pair in rng.sample(pairs, 2) for cell in pair][: self.bombs]
            enemy = rng.sample(sorted(set(CELLS) - set(own)), self.bombs)
            yield set_of(own), set_of(enemy), 0
            yield set_of(enemy), set_of(own), 1


@functools.cache
def indexed(bombs: int, last: int) -> Indexed:
    return Indexed(bombs, last)


def set_of(cells: "tuple[int, ...] | list[int]") -> int:
    return sum(1 << cell for cell in cells)


def turned(state: State, symmetry: list[int]) -> State:
    return permuted(state[0], symmetry), permuted(state[1], symmetry), state[2]


def triples(out: Any, n: int) -> list[State]:
    return [(int(out[3 * i]), int(out[3 * i + 1]), int(out[3 * i + 2])) for i in range(n)]


# ---- counting ---------------------------------------------------------------------------------


@functools.cache
def orbits(own: int, enemy: int) -> int:
    """Returns in how many ways, up to symmetry, bombs stand on the board: Burnside's lemma."""
    total = 0
    for symmetry in SYMMETRIES:
        ways = {(0, 0): 1}  # by numbers of bombs: a symmetry keeps what is the same all along each of its cycles
        for length in cycles(symmetry):
            longer = dict(ways)
            for (n, m), count in ways.items():
                for more in ((n + length, m), (n, m + length)):
                    longer[more] = longer.get(more, 0) + count
            ways = longer
        total += ways.get((own, enemy), 0)
    return total // 8


def cycles(symmetry: list[int]) -> list[int]:
    """Returns the lengths of the cycles of a symmetry."""
    lengths, seen = [], set[int]()
    for cell in CELLS:
        length = 0
        while cell not in seen:
            seen.add(cell)
            cell, length = symmetry[cell], length + 1
        lengths.append(length)
    return [length for length in lengths if length]


def test_burnside_counts_what_brute_force_counts() -> None:
    for count in (1, 2, 3):
        sets = [set_of(cells) for cells in itertools.combinations(CELLS, count)]
        assert orbits(count, 0) == len({min(permuted(cells, each) for each in SYMMETRIES) for cells in sets})


@each_option
def test_tiers_have_a_number_for_each_class_and_each_set_of_the_cells_left(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    assert each.plain.tier_count(each.rules) == len(each.tiers())
    for number, (few, many, hand) in enumerate(each.tiers()):
        expected = orbits(few, 0) * comb(36 - few, many)
        if few != many and hand == 0:
            expected += orbits(many, 0) * comb(36 - many, few)
        assert each.entries(number) == expected


@each_option
def test_tiers_are_named_by_their_bombs(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    names = list(tier_names(each.game))
    assert names == [tier.name for tier in Numbering(each.game).tiers]
    for name, (few, many, hand) in zip(names, each.tiers(), strict=True):
        placed = f"{few + many} bomb{'s' * (few + many != 1)} placed"
        assert name == (placed if hand else f"{few} against {many} bombs")


def test_the_options_choose_the_numbering() -> None:
    assert Numbering(damier.load("renfa", bombs=3)).scheme.name == "renfa"
    assert Numbering(damier.load("renfa", size=6, bombs=3)).scheme.name == "renfa-6x6"
    assert Tables(damier.load("renfa", size=6, bombs=3)).numbering.check == "wide_check"


# ---- numbers and states ------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1, 8, 9, 10])
def test_numbers_in_use_are_the_classes_of_all_positions(number: int) -> None:
    each = indexed(3, 0)
    kernels, rules = each.compiled, np.array(each.rules)
    few, many, hand = each.tiers()[number]
    in_use = 0
    for entry in range(each.entries(number)):
        state = kernels.unrank(rules, each.array, number, entry)
        is_used = kernels.rank(rules, each.array, state) == entry
        assert kernels.is_used(rules, each.array, number, entry, state) == is_used
        in_use += is_used
        if is_used and entry % 7 == 0:
            same = turned(state, SYMMETRIES[entry % 8])
            assert kernels.rank(rules, each.array, same) == entry
    assert in_use == (orbits(few, many) if few == many or hand else 2 * orbits(few, many))


@each_option
def test_a_state_leads_to_its_number_and_back_up_to_symmetry(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    for state in each.random_states(400, seed=1):
        number, entry = each.place(state)
        assert 0 <= entry < each.entries(number)
        back = each.unrank(number, entry)
        assert each.place(back) == (number, entry)
        assert back[2] >> 1 == state[2] >> 1
        assert (back[0], back[1]) in [turned(state, symmetry)[:2] for symmetry in SYMMETRIES]


@each_option
def test_a_number_is_that_of_its_state_or_free(bombs: int, last: int) -> None:
    each, rng, used = indexed(bombs, last), random.Random(2), set()
    for number, (few, many, hand) in enumerate(each.tiers()):
        size = each.entries(number)
        for entry in (*range(min(size, 40)), size - 1, *(rng.randrange(size) for _ in range(30))):
            state = each.unrank(number, entry)
            own, enemy = bit_count(state[0]), bit_count(state[1])
            assert state[0] & state[1] == 0
            assert sorted((own, enemy)) == [few, many]
            assert state[2] >> 1 == hand
            assert each.plain.outcome(each.rules, state) == PLAYING
            assert hand == 0 or (state[2] & 1 == hand & 1 and own <= enemy)
            here, least = each.place(state)
            assert here == number
            assert least <= entry
            assert each.unrank(number, least) in [turned(state, symmetry) for symmetry in SYMMETRIES]
            used.add(least == entry)
            assert each.plain.is_used(each.rules, each.numbers, number, entry, state) == (least == entry)
    assert used == {False, True}


@each_option
def test_symmetries_and_the_exchange_of_colours_keep_the_number(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    assert len(each.game.traits.symmetries) == 8
    for state in (*each.random_states(100, seed=3), *each.symmetric_states(20, seed=3)):
        for symmetry in each.game.traits.symmetries:
            same = each.plain.permute(each.rules, state, symmetry.cells, symmetry.swaps_players)
            assert each.place(same) == each.place(state)
            if state[2] >> 1 == 0:
                assert each.place((same[0], same[1], same[2] ^ 1)) == each.place(state)


def test_the_start_is_the_last_number_of_all() -> None:
    for bombs, last in OPTIONS:
        each = indexed(bombs, last)
        assert each.place(each.game.start.state) == (len(each.tiers()) - 1, 0)
        assert each.unrank(*each.place(each.game.start.state)) == each.game.start.state


# ---- actions and predecessors --------------------------------------------------------------------


@each_option
def test_actions_lead_to_the_same_or_a_lower_tier_or_end_the_game(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    for state in each.random_states(150, seed=4):
        number, _ = each.place(state)
        if state[2] >> 1:
            below = {each.place(following)[0] for following in each.following(state, PLACE)}
            is_last = state[2] >> 1 == 1
            assert below == {each.tiers().index((bombs, bombs, 0)) if is_last else number - 1}
            continue
        assert all(each.place(following)[0] == number for following in each.following(state, MOVE))
        for following in each.following(state, DETONATE):
            if each.plain.outcome(each.rules, following) == PLAYING:
                assert each.place(following)[0] < number


@each_option
def test_predecessors_are_the_states_from_which_a_move_leads_here(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    for state in each.random_states(100, seed=5):
        before = predecessors(each, state)
        if state[2] >> 1:
            assert before == []  # a placement comes from another tier
            continue
        assert len(set(before)) == len(before) <= wide_index.MAX_PREDECESSORS
        for following in each.following(state, MOVE):
            assert state in predecessors(each, following)
        for earlier in before:
            assert each.place(earlier)[0] == each.place(state)[0]
            assert state in each.following(earlier, MOVE)


def predecessors(each: Indexed, state: State) -> list[State]:
    out = [0] * (3 * wide_index.MAX_PREDECESSORS)
    return triples(out, each.plain.predecessors(each.rules, state, out))


@each_option
def test_exits_are_the_placements_and_detonations_and_moves_stay(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    for state in each.random_states(150, seed=10):
        out = [0] * MOST_ACTIONS
        n = each.plain.exits(each.rules, state, out)
        assert out[:n] == each.actions(state, PLACE, DETONATE)
        found, part = list[int](), 0
        while (n := each.plain.stays(each.rules, state, part, out)) >= 0:
            found, part = found + out[:n], part + 1
        assert found == each.actions(state, MOVE)


def outside(each: Indexed, state: State) -> list[State]:
    out = [0] * (3 * MOST_ACTIONS)
    return triples(out, each.plain.states_outside(each.rules, state, out))


def after(each: Indexed, state: State) -> list[int]:
    """Returns the entries of all parts."""
    out, found, part = [0] * MOST_ACTIONS, list[int](), 0
    while (n := each.plain.entries_after(each.rules, each.numbers, state, part, out)) >= 0:
        found, part = found + out[:n], part + 1
    return found


def before(each: Indexed, state: State) -> list[int]:
    out = [0] * MOST_ACTIONS
    return out[: each.plain.entries_before(each.rules, each.numbers, state, True, out)]


def lower(each: Indexed, state: State) -> list[int]:
    """Returns the lower tier to which all actions lead, and the entries; nothing if they do not."""
    out = [0] * MOST_ACTIONS
    n = each.plain.entries_outside(each.rules, each.numbers, state, out)
    return out[: n + 1 if n else 0]


@each_option
def test_what_is_found_all_at_once_is_what_each_action_leads_to(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    for state in (*each.random_states(120, seed=11), *each.symmetric_states(40, seed=12)):
        found = outside(each, state)
        assert len(set(found)) == len(found)
        assert set(found) == set(each.following(state, PLACE, DETONATE))
        placed = [each.place(following) for following in each.following(state, PLACE)]
        below = lower(each, state)
        assert sorted((below[0], entry) for entry in below[1:]) == sorted(placed)
        assert sorted(after(each, state)) == sorted(each.place(one)[1] for one in each.following(state, MOVE))
        assert sorted(before(each, state)) == sorted(each.place(one)[1] for one in predecessors(each, state))
        assert each.plain.entries_before(each.rules, each.numbers, state, False, [0] * MOST_ACTIONS) == 0


def test_plain_and_compiled_agree() -> None:
    for bombs, last in ((3, 0), (5, 0)):
        each = indexed(bombs, last)
        kernels, rules, rng = each.compiled, np.array(each.rules), random.Random(7)
        assert kernels.tier_count(rules) == each.plain.tier_count(each.rules)
        for number in range(len(each.tiers())):
            assert kernels.tier_entries(rules, each.array, number) == each.entries(number)
            for entry in (rng.randrange(each.entries(number)) for _ in range(20)):
                assert kernels.unrank(rules, each.array, number, entry) == each.unrank(number, entry)
        out = np.zeros(3 * MOST_ACTIONS, np.int64)
        for state in (*each.random_states(200, seed=8), *each.symmetric_states(20, seed=8)):
            assert (kernels.tier(rules, state), kernels.rank(rules, each.array, state)) == each.place(state)
            assert triples(out, kernels.predecessors(rules, state, out)) == predecessors(each, state)
            assert triples(out, kernels.states_outside(rules, state, out)) == outside(each, state)
            assert out[: kernels.exits(rules, state, out)].tolist() == each.actions(state, PLACE, DETONATE)
            for part in range(each.bombs + 1):
                n = kernels.stays(rules, state, part, out)
                words = [0] * MOST_ACTIONS
                assert each.plain.stays(each.rules, state, part, words) == n
                assert out[: max(n, 0)].tolist() == words[: max(n, 0)]
            entries, part = list[int](), 0
            while (n := kernels.entries_after(rules, each.array, state, part, out)) >= 0:
                entries, part = entries + out[:n].tolist(), part + 1
            assert entries == after(each, state)
            assert out[: kernels.entries_before(rules, each.array, state, True, out)].tolist() == before(each, state)
            n = kernels.entries_outside(rules, each.array, state, out)
            assert out[: n + 1 if n else 0].tolist() == lower(each, state)
