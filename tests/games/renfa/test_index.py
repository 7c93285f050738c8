"""The numbering of Renfa-Bomba's positions against counting and brute force; solved tiers against a naive solver."""

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
from damier.games.renfa import index
from damier.games.renfa.rules import DETONATE, MOVE, PLACE
from damier.solve.build import retrograde
from damier.solve.codes import DRAWN, FREE, MARKED, SAFE, WON

SYMMETRIES = list(square_symmetries(5).values())
OPTIONS = [(bombs, last) for bombs in (3, 4, 5, 6, 7) for last in (0, 1)]
MOST_ACTIONS = 300


class Indexed:
    """A game with its numbering."""

    def __init__(self, bombs: int, last: int) -> None:
        self.game = damier.load("renfa", bombs=bombs, last=last)
        self.bombs, self.last, self.rules = bombs, last, self.game.rules
        self.array = index.index_numbers(self.rules)
        self.numbers: Any = self.array.data  # whose items are Python's integers
        self.plain = bind(self.game.definition.rules, subsets, index, retrograde)

    @functools.cached_property
    def compiled(self) -> SimpleNamespace:
        return bind(self.game.definition.rules, subsets, index, retrograde, compiled=True)

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

    def following(self, state: State, kinds: tuple[int, ...]) -> list[State]:
        """Returns the states to which actions of some kinds lead."""
        out = [0] * MOST_ACTIONS
        actions = out[: self.plain.actions(self.rules, state, out)]
        return [self.plain.apply(self.rules, state, action) for action in actions if action >> 12 in kinds]

    def predecessors(self, state: State) -> list[State]:
        out = [0] * (3 * index.MAX_PREDECESSORS)
        n = self.plain.predecessors(self.rules, state, out)
        return [(out[3 * i], out[3 * i + 1], out[3 * i + 2]) for i in range(n)]

    def stays(self, state: State) -> list[int]:
        """Returns the actions of all parts."""
        out, found, part = [0] * MOST_ACTIONS, list[int](), 0
        while (n := self.plain.stays(self.rules, state, part, out)) >= 0:
            found, part = found + out[:n], part + 1
        return found

    def random_states(self, count: int, seed: int, moving_only: bool = False) -> Iterator[State]:
        """Yields undecided states of random tiers, often with the bombs close together."""
        rng = random.Random(seed)
        tiers = [tier for tier in self.tiers() if tier[2] == 0 or not moving_only]
        for _ in range(count):
            own, enemy, hand = rng.choice(tiers)
            if hand == 0 and rng.random() < 0.5:
                own, enemy = enemy, own
            cells = rng.sample(rng.choice((range(25), range(25), range(own + enemy + 2))), own + enemy)
            side = hand & 1 if hand else rng.randrange(2)
            yield set_of(cells[:own]), set_of(cells[own:]), hand << 1 | side


@functools.cache
def indexed(bombs: int, last: int) -> Indexed:
    return Indexed(bombs, last)


def set_of(cells: "tuple[int, ...] | list[int]") -> int:
    return sum(1 << cell for cell in cells)


def turned(state: State, symmetry: list[int]) -> State:
    return permuted(state[0], symmetry), permuted(state[1], symmetry), state[2]


@functools.cache
def images_of_sets(most: int) -> dict[int, list[int]]:
    """Returns the images of each set of at most `most` cells under the symmetries."""
    sets = [set_of(cells) for count in range(most + 1) for cells in itertools.combinations(range(25), count)]
    return {cells: [permuted(cells, symmetry) for symmetry in SYMMETRIES] for cells in sets}


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
    for cell in range(25):
        length = 0
        while cell not in seen:
            seen.add(cell)
            cell, length = symmetry[cell], length + 1
        lengths.append(length)
    return [length for length in lengths if length]


def test_burnside_counts_what_brute_force_counts() -> None:
    images = images_of_sets(3)
    for count in (0, 1, 2, 3):
        assert orbits(count, 0) == len({min(images[cells]) for cells in images if bit_count(cells) == count})


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_tiers_have_a_number_for_each_class_and_each_set_of_the_cells_left(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    assert each.plain.tier_count(each.rules) == len(each.tiers())
    for number, (few, many, hand) in enumerate(each.tiers()):
        expected = orbits(few, 0) * comb(25 - few, many)
        if few != many and hand == 0:
            expected += orbits(many, 0) * comb(25 - many, few)
        assert each.entries(number) == expected


def test_tiers_are_named_by_their_bombs() -> None:
    for bombs, last in OPTIONS:
        each = indexed(bombs, last)
        for number, (few, many, hand) in enumerate(each.tiers()):
            name = f"{few + many} bomb{'s' * (few + many != 1)} placed" if hand else f"{few} against {many} bombs"
            assert str(index.tier_name(each.rules, number)) == name


# ---- numbers and states ------------------------------------------------------------------------


def test_numbers_in_use_are_the_classes_of_all_positions_with_three_bombs() -> None:
    each = indexed(3, 0)
    kernels, rules = each.compiled, np.array(each.rules)
    images = images_of_sets(3)
    for number, (few, many, hand) in enumerate(each.tiers()):
        in_use = 0
        for entry in range(each.entries(number)):
            state = kernels.unrank(rules, each.array, number, entry)
            if kernels.rank(rules, each.array, state) == entry:
                in_use += 1
                symmetry = entry % 8  # all eight in turn; other tests take all of them for one state
                same = images[state[0]][symmetry], images[state[1]][symmetry], state[2]
                assert kernels.rank(rules, each.array, same) == entry
        expected = orbits(few, many) if few == many or hand else 2 * orbits(few, many)
        assert in_use == expected, (few, many, hand)


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_a_state_leads_to_its_number_and_back_up_to_symmetry(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    for state in each.random_states(400, seed=1):
        number, entry = each.place(state)
        assert 0 <= entry < each.entries(number)
        back = each.unrank(number, entry)
        assert each.place(back) == (number, entry)
        assert back[2] >> 1 == state[2] >> 1
        assert (back[0], back[1]) in [turned(state, symmetry)[:2] for symmetry in SYMMETRIES]


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_a_number_is_that_of_its_state_or_free(bombs: int, last: int) -> None:
    each, rng = indexed(bombs, last), random.Random(2)
    for number, (few, many, hand) in enumerate(each.tiers()):
        size = each.entries(number)
        for entry in (0, size - 1, *(rng.randrange(size) for _ in range(30))):
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


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_symmetries_and_the_exchange_of_colours_keep_the_number(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    assert len(each.game.traits.symmetries) == 8
    for state in each.random_states(150, seed=3):
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


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_actions_lead_to_the_same_or_a_lower_tier_or_end_the_game(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    for state in each.random_states(200, seed=4):
        number, _ = each.place(state)
        if state[2] >> 1:
            below = {each.place(following)[0] for following in each.following(state, (PLACE,))}
            if state[2] >> 1 == 1:  # the last placement
                assert below == {each.tiers().index((bombs, bombs, 0))}
            else:
                assert below == {number - 1}
            continue
        assert all(each.place(following)[0] == number for following in each.following(state, (MOVE,)))
        for following in each.following(state, (DETONATE,)):
            if each.plain.outcome(each.rules, following) == PLAYING:
                assert each.place(following)[0] < number


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_predecessors_are_the_states_from_which_a_move_leads_here(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    for state in each.random_states(150, seed=5, moving_only=True):
        for following in each.following(state, (MOVE,)):
            assert state in each.predecessors(following)
        before = each.predecessors(state)
        assert len(set(before)) == len(before)
        for earlier in before:
            assert each.plain.outcome(each.rules, earlier) == PLAYING
            assert each.place(earlier)[0] == each.place(state)[0]
            assert state in each.following(earlier, (MOVE,))


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_exits_are_the_placements_and_detonations_and_moves_stay(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    for state in each.random_states(150, seed=10):
        exits, actions = [0] * MOST_ACTIONS, [0] * MOST_ACTIONS
        n, m = each.plain.exits(each.rules, state, exits), each.plain.actions(each.rules, state, actions)
        assert exits[:n] == [action for action in actions[:m] if action >> 12 != MOVE]
        assert each.stays(state) == [action for action in actions[:m] if action >> 12 == MOVE]


def outside(kernels: SimpleNamespace, each: Indexed, state: State) -> list[State]:
    out = [0] * (3 * MOST_ACTIONS)
    n = kernels.states_outside(each.rules, state, out)
    return [(out[3 * i], out[3 * i + 1], out[3 * i + 2]) for i in range(n)]


def after(each: Indexed, state: State) -> list[int]:
    """Returns the entries of all parts."""
    out, found, part = [0] * MOST_ACTIONS, list[int](), 0
    while (n := each.plain.entries_after(each.rules, each.numbers, state, part, out)) >= 0:
        found, part = found + out[:n], part + 1
    return found


def lower(each: Indexed, state: State) -> list[int]:
    """Returns the lower tier to which all actions lead, and the entries; nothing if they do not."""
    out = [0] * MOST_ACTIONS
    n = each.plain.entries_outside(each.rules, each.numbers, state, out)
    return out[: n + 1 if n else 0]


def before(each: Indexed, state: State) -> list[int]:
    out = [0] * MOST_ACTIONS
    return out[: each.plain.entries_before(each.rules, each.numbers, state, True, out)]


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_what_is_found_all_at_once_is_what_each_action_leads_to(bombs: int, last: int) -> None:
    each = indexed(bombs, last)
    for state in each.random_states(150, seed=11):
        found = outside(each.plain, each, state)
        assert len(set(found)) == len(found)
        assert set(found) == set(each.following(state, (PLACE, DETONATE)))
        placed = [each.place(following) for following in each.following(state, (PLACE,))]
        assert sorted(
            (number, entry) for number in lower(each, state)[:1] for entry in lower(each, state)[1:]
        ) == sorted(placed)
        moved = [each.place(following)[1] for following in each.following(state, (MOVE,))]
        assert sorted(after(each, state)) == sorted(moved)
        assert sorted(before(each, state)) == sorted(each.place(earlier)[1] for earlier in each.predecessors(state))
        assert each.plain.entries_before(each.rules, each.numbers, state, False, [0] * MOST_ACTIONS) == 0


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_symmetric_positions_lead_to_the_least_numbers(bombs: int, last: int) -> None:
    """Bombs that a symmetry leaves where they are: classes of which more than one number shows the same position."""
    each, rng = indexed(bombs, last), random.Random(12)
    lines = [[cell, 4 - cell % 5 + cell // 5 * 5] for cell in range(25) if cell % 5 < 2]
    for _ in range(60):
        own = [cell for line in rng.sample(lines, bombs // 2) for cell in line] + [12] * (bombs & 1)
        enemy = rng.sample(sorted(set(range(25)) - set(own)), bombs)
        for state in ((set_of(own), set_of(enemy), 0), (set_of(enemy), set_of(own), 1)):
            moved = [each.place(following)[1] for following in each.following(state, (MOVE,))]
            assert sorted(after(each, state)) == sorted(moved)
            assert sorted(before(each, state)) == sorted(each.place(one)[1] for one in each.predecessors(state))


@pytest.mark.parametrize(("bombs", "last"), OPTIONS)
def test_an_entry_is_used_if_it_is_the_number_of_its_state(bombs: int, last: int) -> None:
    each, rng = indexed(bombs, last), random.Random(13)
    used = set()
    for number in range(len(each.tiers())):
        size = each.entries(number)
        for entry in (*range(min(size, 40)), size - 1, *(rng.randrange(size) for _ in range(30))):
            state = each.unrank(number, entry)
            used.add(each.plain.is_used(each.rules, each.numbers, number, entry, state))
            assert each.plain.is_used(each.rules, each.numbers, number, entry, state) == (each.place(state)[1] == entry)
    assert used == {False, True}


def test_placements_have_no_predecessors_in_their_tier() -> None:
    each = indexed(5, 1)
    for state in each.random_states(200, seed=6):
        if state[2] >> 1:
            assert each.predecessors(state) == []


def test_plain_and_compiled_agree() -> None:
    for bombs, last in ((3, 0), (6, 1), (7, 0)):
        each = indexed(bombs, last)
        kernels, rules, rng = each.compiled, np.array(each.rules), random.Random(7)
        assert kernels.tier_count(rules) == each.plain.tier_count(each.rules)
        for number in range(len(each.tiers())):
            assert kernels.tier_entries(rules, each.array, number) == each.entries(number)
            for _ in range(20):
                entry = rng.randrange(each.entries(number))
                state = each.unrank(number, entry)
                assert kernels.unrank(rules, each.array, number, entry) == state
                is_used = each.plain.is_used(each.rules, each.numbers, number, entry, state)
                assert kernels.is_used(rules, each.array, number, entry, state) == is_used
        out = np.zeros(3 * index.MAX_PREDECESSORS, np.int64)
        for state in each.random_states(500, seed=8):
            assert (kernels.tier(rules, state), kernels.rank(rules, each.array, state)) == each.place(state)
            n = kernels.predecessors(rules, state, out)
            assert [tuple(words) for words in out[: 3 * n].reshape(n, 3).tolist()] == each.predecessors(state)
            for part in range(each.bombs + 1):
                assert kernels.stays(rules, state, part, out) == each.plain.stays(each.rules, state, part, [0] * 99)
            assert kernels.exits(rules, state, out) == each.plain.exits(each.rules, state, [0] * MOST_ACTIONS)
            n = kernels.states_outside(rules, state, out)
            assert [tuple(words) for words in out[: 3 * n].reshape(n, 3).tolist()] == outside(each.plain, each, state)
            entries, part = list[int](), 0
            while (n := kernels.entries_after(rules, each.array, state, part, out)) >= 0:
                entries, part = entries + out[:n].tolist(), part + 1
            assert entries == after(each, state)
            assert out[: kernels.entries_before(rules, each.array, state, True, out)].tolist() == before(each, state)
            n = kernels.entries_outside(rules, each.array, state, out)
            assert out[: n + 1 if n else 0].tolist() == lower(each, state)


# ---- solved tiers against a naive solver -----------------------------------------------------------
# The naive solver knows docs/rules/contract.md alone. A position is (bombs of the player on move, bombs of the other);
# values are the codes of a table: 0 drawn, n won in n plies, 128 + n lost in n plies, 127 won already.

Sets = tuple[int, int]
LINES = [
    [
        [5 * y + x for x in range(column + 1, 5) for y in [row]],
        [5 * y + x for x in range(column - 1, -1, -1) for y in [row]],
        [5 * y + x for y in range(row + 1, 5) for x in [column]],
        [5 * y + x for y in range(row - 1, -1, -1) for x in [column]],
    ]
    for row in range(5)
    for column in range(5)
]
TOUCHING = [set_of([line[0] for line in lines if line]) for lines in LINES]


def cells_of(cells: int) -> list[int]:
    found = []
    while cells:
        found.append(cells.bit_length() - 1)
        cells ^= 1 << found[-1]
    return found


def group(cell: int, bombs: int) -> int:
    """Returns the bombs that go off with the one on a cell."""
    found, waiting = 1 << cell, [cell]
    while waiting:
        more = TOUCHING[waiting.pop()] & bombs & ~found
        found |= more
        waiting += cells_of(more)
    return found


def replies(own: int, enemy: int) -> list[Sets]:
    """Returns the positions after each action, as the other player sees them."""
    bombs, found = own | enemy, []
    for cell in cells_of(own):
        if bit_count(TOUCHING[cell] & enemy) < 2:
            for line in LINES[cell]:
                for to in line:
                    if bombs >> to & 1:
                        break
                    found.append((enemy, own ^ 1 << cell ^ 1 << to))
    for cell in cells_of(enemy):
        if TOUCHING[cell] & own:
            gone = group(cell, bombs)
            found.append((enemy & ~gone, own & ~gone))
    return found


def ended(last: int, position: Sets) -> int | None:
    """Returns the value of a position in which the game is over."""
    own_lost, enemy_lost = bit_count(position[0]) <= last, bit_count(position[1]) <= last
    if own_lost and enemy_lost:
        return 0
    return 128 if own_lost else 127 if enemy_lost else None


def least_image(position: Sets) -> Sets:
    """Returns the one position that stands for those which a symmetry makes of one another."""
    images = images_of_sets(3)
    return min(zip(images[position[0]], images[position[1]], strict=True))


def naive_tier(last: int, few: int, many: int, values: dict[Sets, int]) -> None:
    """Adds the values of all positions with `few` against `many` bombs, given those with fewer."""
    open_ones: dict[Sets, list[Sets]] = {}
    for own_count, enemy_count in {(few, many), (many, few)}:
        for own in map(set_of, itertools.combinations(range(25), own_count)):
            if own == min(images_of_sets(3)[own]):
                for enemy in map(set_of, itertools.combinations(range(25), enemy_count)):
                    if not own & enemy and least_image((own, enemy)) == (own, enemy):
                        open_ones[own, enemy] = []
    for position, following in open_ones.items():
        for reply in replies(*position):
            value = ended(last, reply)
            if value is not None:
                values[reply] = value
            following.append(reply if value is not None else least_image(reply))
    plies, farthest = 1, max((value & 127 for value in values.values() if value != 127), default=0)
    while plies <= farthest + 1:
        found = {}
        for position, following in open_ones.items():
            value = decided(plies, [values.get(reply, 0) for reply in following])
            if value:
                found[position] = value
                farthest = plies
        values |= found
        open_ones = {position: following for position, following in open_ones.items() if position not in found}
        plies += 1
    values |= dict.fromkeys(open_ones, 0)


def decided(plies: int, codes: list[int]) -> int:
    """Returns the value of a position decided in exactly `plies` plies, else 0; `codes` are those of the replies."""
    if 127 + plies in codes:
        return plies
    plies_left = [0 if code == 127 else code for code in codes if 0 < code < 128]
    return 128 + plies if len(plies_left) == len(codes) and max(plies_left) == plies - 1 else 0


def solved(each: Indexed, tiers: int) -> list[list[int]]:
    """Returns the codes of the first tiers, by retrograde analysis."""
    kernels, rules = each.compiled, np.array(each.rules)
    sizes = [each.entries(number) for number in range(tiers)]
    firsts, values = np.cumsum([0, *sizes[:-1]]), np.zeros(sum(sizes), np.uint8)
    out, escapes = np.zeros(4096, np.int64), np.zeros(max(sizes), np.uint8)
    for number in range(tiers):
        where = rules, each.array, values, firsts, number, 0, sizes[number]
        kernels.begin(*where, out)
        begun = values[firsts[number] : firsts[number] + sizes[number]]
        is_known = (begun != DRAWN) & (begun != SAFE) & (begun != WON) & (begun != FREE)
        farthest, plies = int((begun[is_known] & 127).max(initial=0)), 1
        while plies <= farthest + 1:
            if kernels.reach_back(*where, plies, True, escapes, out):
                farthest = max(farthest, plies)
            if plies > 2:
                kernels.reach_back(*where, plies, False, escapes, out)
            else:
                begun[begun == DRAWN] = MARKED
            farthest = max(farthest, kernels.settle_marked(*where, plies, escapes, out))
            plies += 1
        begun[begun == SAFE] = DRAWN
    return [values[first : first + size].tolist() for first, size in zip(firsts, sizes, strict=True)]


def test_solved_tiers_have_the_values_of_a_naive_solver() -> None:
    each = indexed(3, 0)
    values: dict[Sets, int] = {}
    for number, codes in enumerate(solved(each, 4)):  # 1 against 1, 1 against 2, 2 against 2, 1 against 3
        few, many, _ = each.tiers()[number]
        naive_tier(0, few, many, values)
        expected = [255] * len(codes)
        for (own, enemy), value in values.items():
            if sorted((bit_count(own), bit_count(enemy))) == [few, many]:
                here, entry = each.place((own, enemy, 0))
                assert here == number
                expected[entry] = value
        assert codes == expected
    assert {13, 128 + 12} <= set(expected)


def test_the_values_of_solved_positions_follow_from_those_of_the_replies() -> None:
    each = indexed(3, 1)
    codes = solved(each, len(each.tiers()))

    def value(state: State) -> int:
        shown = None if state[2] >> 1 else ended(1, state[:2])
        if shown is not None:
            return shown
        number, entry = each.place(state)
        return codes[number][entry]

    seen = set()
    for state in each.random_states(2000, seed=9):
        own, enemy, word = state
        if word >> 1:
            empty = cells_of(~(own | enemy) & (1 << 25) - 1)
            following = [value((enemy, own | 1 << cell, (word >> 1) - 1 << 1 | ~word & 1)) for cell in empty]
        else:
            following = [value((*reply, 0)) for reply in replies(own, enemy)]
        lost, won = [code - 128 for code in following if code >= 128], [code for code in following if 0 < code < 128]
        if lost:
            expected = min(lost) + 1
        else:
            expected = 0 if len(won) < len(following) else 129 + max(0 if code == 127 else code for code in won)
        assert value(state) == expected
        seen.add(expected)
    assert len(seen) > 10
