"""The families of Renfa-Bomba's positions, of solver and verifier: against the game's rules, and against each other."""

import functools
import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import damier
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import State
from damier.games.renfa import check, check_families, families, index
from damier.solve.verify import family_kernels

OPTIONS = [(bombs, last) for bombs in (3, 5, 7) for last in (0, 1)]
ROOM = 400
MODULES = {False: (subsets, index, families), True: (subsets, index, check, check_families)}


class Families:
    """The families of one game in plain Python, as the solver has them or as the verifier has them."""

    def __init__(self, bombs: int, last: int, is_check: bool) -> None:
        self.game = damier.load("renfa", bombs=bombs, last=last)
        rules = self.game.definition.rules
        self.array = index.index_numbers(self.game.rules)
        self.numbers: Any = self.array.data  # whose items are Python's integers
        self.layout: Any = self.numbers
        if is_check:
            self.layout = check_families.family_numbers(self.game.options).data
        self.kernels: SimpleNamespace = bind(rules, *MODULES[is_check])
        self.tiers = range(self.kernels.tier_count(self.game.rules))
        self.words = [0] * family_kernels.FAMILY_WORDS

    def count(self, number: int) -> int:
        return int(self.kernels.family_count(self.layout, number))

    def open(self, number: int, family: int) -> None:
        self.words[:] = [0] * len(self.words)
        self.kernels.open_family(self.layout, number, family, self.words)

    def member(self, i: int) -> State:
        state: State = self.kernels.family_member(self.layout, self.words, i)
        return state

    def entry(self, i: int) -> State:
        """Returns the state of entry `i` of the block, by the numbering."""
        _, _, tier, first, _, *_ = self.words
        state: State = self.kernels.unrank(self.game.rules, self.numbers, tier, first + i)
        return state

    def inside(self, i: int) -> list[int]:
        out = [0] * ROOM
        return out[: self.kernels.successors_inside(self.layout, self.words, i, self.member(i), out)]

    def sampled(self, count: int) -> list[tuple[int, int]]:
        """Returns tiers with a family of each: the first, the last and random ones."""
        rng = random.Random(1)
        found = []
        for number in self.tiers:
            most = self.count(number)
            found += [(number, family) for family in {0, most - 1, *(rng.randrange(most) for _ in range(count))}]
        return found


@functools.cache
def made(bombs: int, last: int, is_check: bool) -> Families:
    return Families(bombs, last, is_check)


def following(game: damier.Game, state: State) -> set[State]:
    """Returns the states after all actions; the player on move is not told, as in the numbering."""
    position = damier.Position(game, state)
    return {unsided(position.play(text).state) for text in position.actions()}


def unsided(state: State) -> State:
    return state[0], state[1], state[2] >> 1


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_actions_of_members_lead_into_the_block_or_out_of_it(bombs: int, last: int) -> None:
    made_families = made(bombs, last, False)
    game, kernels = made_families.game, made_families.kernels
    rng = random.Random(bombs)
    compared = 0
    for number, family in made_families.sampled(2):
        made_families.open(number, family)
        for i in rng.sample(range(made_families.words[0]), min(5, made_families.words[0])):
            state, out = made_families.member(i), [0] * ROOM
            assert kernels.tier(game.rules, state) == number
            found = made_families.inside(i)
            assert len(set(found)) == len(found)
            inside = {unsided(made_families.entry(j)) for j in found}
            assert len(inside) == len(found)
            assert inside <= following(game, state)
            assert kernels.count_inside(made_families.layout, made_families.words, i, state) == len(found)
            n = 0 if state[2] else kernels.states_outside(game.rules, state, out)
            outside = {unsided((out[3 * k], out[3 * k + 1], out[3 * k + 2])) for k in range(n)}
            assert inside | outside == following(game, state)
            compared += len(inside) + len(outside)
    assert compared > 500


class Offers:
    """What the actions of all members of a family offer, by the verifier's compiled kernels, for given merits."""

    def __init__(self, made_families: Families) -> None:
        self._families = made_families
        self._kernels = bind(made_families.game.definition.rules, *MODULES[True], compiled=True)
        self._layout = np.asarray(made_families.layout)
        self._words = np.zeros(family_kernels.FAMILY_WORDS, np.int64)

    def best(self, merits: NDArray[np.uint8]) -> list[int]:
        words, most = self._words, 1 + self._families.words[0]
        words[:] = self._families.words
        best = np.full(most, 77, np.uint8)
        lanes, reached = (np.full(family_kernels.LANES, 99, np.uint8) for _ in range(2))
        self._kernels.best_inside(self._layout, words, merits, best, lanes, reached)
        return best.tolist()


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_the_verifier_finds_the_best_of_the_actions_into_the_block_and_all_others(bombs: int, last: int) -> None:
    made_families = made(bombs, last, True)
    game, kernels, layout, words = made_families.game, made_families.kernels, made_families.layout, made_families.words
    offers, rng, drawn = Offers(made_families), random.Random(bombs), np.random.default_rng(last)
    compared = 0
    for number, family in made_families.sampled(2):
        made_families.open(number, family)
        base = words[check_families.BASE]
        merits = drawn.integers(1, 256, 1 + words[4], np.uint8)
        merits[0] = 0
        best = offers.best(merits)
        for i in rng.sample(range(words[0]), min(5, words[0])):
            state, out = made_families.member(i), [0] * ROOM
            assert kernels.tier(game.rules, state) == number
            assert kernels.member_entry(layout, words, state) == kernels.rank(game.rules, made_families.numbers, state)
            everything = following(game, state)
            inside = {each for each in everything if each[0] == base}
            ranks = {check_families.rank_beside(base, each[1]) for each in inside}
            assert {unsided(made_families.entry(j)) for j in ranks} == inside
            assert best[1 + i] == max([0, *(int(merits[1 + j]) for j in ranks)])
            n = kernels.successors_outside(layout, words, state, out)
            outside = {unsided((out[3 * k], out[3 * k + 1], out[3 * k + 2])) for k in range(n)}
            assert outside == everything - inside
            for own, enemy, hand in everything:
                there = own, enemy, 2 * hand
                if not check.shown_result([bombs, last], there):
                    found = kernels.tier(game.rules, there), kernels.rank(game.rules, made_families.numbers, there)
                    assert kernels.numbered(layout, there) == found
            compared += len(everything)
    assert compared > 500


@pytest.mark.parametrize(("bombs", "last"), [(3, 0), (3, 1)])
def test_both_descriptions_have_the_same_blocks_and_members(bombs: int, last: int) -> None:
    one, other = made(bombs, last, False), made(bombs, last, True)
    for number in one.tiers:
        assert one.count(number) == other.count(number)
        families_of_one = one.count(number)
        for family in range(0, families_of_one, max(1, families_of_one // 20)):
            one.open(number, family)
            members = {one.member(i) for i in range(one.words[0])}
            first = one.words[3]
            # The solver orders the two kinds of families of a tier by their blocks, the verifier by the larger base.
            twin = next(each for each in range(families_of_one) if block_first(other, number, each) == first)
            other.open(number, twin)
            assert {other.member(i) for i in range(other.words[0])} == members
            assert other.words[:5] == one.words[:5]
            block = [other.kernels.block_state(other.layout, other.words, i) for i in range(other.words[4])]
            assert block == [one.entry(i) for i in range(one.words[4])]


def block_first(made_families: Families, number: int, family: int) -> int:
    made_families.open(number, family)
    return made_families.words[3]


@pytest.mark.parametrize(("bombs", "last"), [(3, 1), (4, 0), (7, 1)])
def test_members_before_an_entry_are_those_that_lead_to_it(bombs: int, last: int) -> None:
    made_families = made(bombs, last, False)
    kernels, compared = made_families.kernels, 0
    rng = random.Random(last)
    moving = [each for each in made_families.sampled(1) if kernels.unrank(
        made_families.game.rules, made_families.numbers, each[0], 0)[2] == 0]  # fmt: skip
    for number, family in rng.sample(moving, min(6, len(moving))):
        made_families.open(number, family)
        size, out = made_families.words[0], [0] * ROOM
        if size > 3000:
            some = rng.sample(range(size), 30)
            for i in some:
                for j in made_families.inside(i):
                    n = kernels.members_before(made_families.layout, made_families.words, j, out)
                    assert i in out[:n]
                    compared += 1
            continue
        before: dict[int, set[int]] = {}
        for i in range(size):
            for j in made_families.inside(i):
                before.setdefault(j, set()).add(i)
        for j in range(made_families.words[4]):
            n = kernels.members_before(made_families.layout, made_families.words, j, out)
            assert set(out[:n]) == before.get(j, set())
            assert len(set(out[:n])) == n
            compared += n
    assert compared > 500


@pytest.mark.parametrize("is_check", [False, True])
def test_an_alias_is_the_lowest_entry_of_the_same_position(is_check: bool) -> None:
    made_families = made(3, 1, is_check)
    kernels, aliases = made_families.kernels, 0
    for number in made_families.tiers:
        for family in range(0, made_families.count(number), 7):
            made_families.open(number, family)
            tier, first = made_families.words[2], made_families.words[3]
            for i in range(made_families.words[4]):
                rank = kernels.rank(made_families.game.rules, made_families.numbers, made_families.entry(i)) - first
                assert kernels.block_alias(made_families.layout, made_families.words, i) == rank
                aliases += rank != i
            assert kernels.tier(made_families.game.rules, made_families.entry(0)) == tier
    assert aliases > 1000


def test_entries_of_a_state_are_all_numbers_that_stand_for_it() -> None:
    made_families = made(3, 1, False)
    game, kernels, out, several = made_families.game, made_families.kernels, [0] * ROOM, 0
    for number in made_families.tiers:
        size = kernels.tier_entries(game.rules, made_families.numbers, number)
        standing: dict[int, set[int]] = {}
        for entry in range(min(size, 6000)):
            state = kernels.unrank(game.rules, made_families.numbers, number, entry)
            standing.setdefault(kernels.rank(game.rules, made_families.numbers, state), set()).add(entry)
        for least, entries in standing.items():
            state = kernels.unrank(game.rules, made_families.numbers, number, least)
            found = set(out[: kernels.entries_of(made_families.layout, state, out)])
            assert found == entries or max(found) >= 6000
            several += len(found) > 1
    assert several > 500


@pytest.mark.parametrize("is_check", [False, True])
def test_the_compiled_kernels_are_the_same(is_check: bool) -> None:
    plain = made(5, 1, is_check)
    compiled = bind(plain.game.definition.rules, *MODULES[is_check], compiled=True)
    layout, words, out = np.asarray(plain.layout), np.zeros(len(plain.words), np.int64), np.zeros(ROOM, np.int64)
    for number, family in plain.sampled(1):
        plain.open(number, family)
        words[:] = 0
        compiled.open_family(layout, number, family, words)
        assert words.tolist() == plain.words
        i = plain.words[0] // 3
        state = compiled.family_member(layout, words, i)
        assert state == plain.member(i)
        if not is_check:
            n = compiled.successors_inside(layout, words, i, state, out)
            assert out[:n].tolist() == plain.inside(i)


def test_the_compiled_verifier_finds_the_same_best_actions() -> None:
    made_families = made(3, 1, True)
    offers = Offers(made_families)
    for number in made_families.tiers:
        made_families.open(number, made_families.count(number) // 2)
        words = made_families.words
        merits = np.random.default_rng(number).integers(1, 256, 1 + words[4], np.uint8)
        merits[0] = 0
        best = [0] * (1 + words[0])
        lanes, reached = [0] * family_kernels.LANES, [0] * family_kernels.LANES
        made_families.kernels.best_inside(made_families.layout, words, merits.tolist(), best, lanes, reached)
        assert best[1:] == offers.best(merits)[1:]


@pytest.mark.parametrize("placed", [0, 1, 2, 3])
def test_no_cell_is_left_out_of_the_best_actions(placed: int) -> None:
    made_families = made(3, 1, True)
    made_families.open(made_families.tiers[-1 - placed], 0)
    words, offers, led = made_families.words, Offers(made_families), 0
    members = range(0, words[0], 1 + words[0] // 20)
    for j in range(words[4]):
        merits = np.ones(1 + words[4], np.uint8)
        merits[0], merits[1 + j] = 0, 200
        best, bombs = offers.best(merits), made_families.entry(j)[1]
        for i in members:
            is_led = made_families.member(i)[0] & ~bombs == 0  # one bomb more
            assert best[1 + i] == (200 if is_led else 1)
            led += is_led
    assert led == (25 - placed) * len(members)
