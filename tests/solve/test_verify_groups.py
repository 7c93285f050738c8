"""The verifier by groups: what members lack, the same codes as entry by entry, and that no wrong entry passes."""

import functools
import random
import types
from typing import Any

import numpy as np
import pytest

import damier
from damier import Position
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import State
from damier.solve.codes import DRAWN, FREE, LOST
from damier.solve.verify import family_kernels, group_kernels
from damier.solve.verify import outcome_kernels as algorithm
from damier.solve.verify.groups import Groups
from damier.solve.verify.outcomes import OutcomeVerifier, code_text
from damier.solve.verify.verifier import WrongEntry, verify
from tests.shared import built_table
from tests.solve.small_games import ignore_progress
from tests.solve.test_verify_outcomes import KINDS, MOVING, Checked, Entries, check_of, checked, positions

KINDS_IN_GROUPS = [
    "a win that is longer",
    "a draw for a loss",
    "a win for a draw",
    "free for a position",
    "a position for free",
]


@functools.cache
def grouped(name: str) -> types.SimpleNamespace:
    """Returns the kernels that derive by groups, in plain Python."""
    numbering, check = checked(name).numbering, check_of(checked(name).game)
    return bind(
        checked(name).game.definition.rules, subsets, numbering.index, check, algorithm, family_kernels, group_kernels
    )


def members_of(check: types.ModuleType, state: State) -> list[tuple[State, int, int]]:
    """Returns the members of a leader's group and the range that each lacks."""
    out = [0] * group_kernels.ROOM
    n = check.successors([0], state, out)
    count = check.group_members([0], state, n, out, group_kernels.MEMBERS)
    rows = [out[group_kernels.MEMBERS + 5 * i :][:5] for i in range(count)]
    return [((own, enemy, rest), first, last) for own, enemy, rest, first, last in rows]


def successors_of(check: types.ModuleType, state: State) -> list[State]:
    out = [0] * group_kernels.ROOM
    n = check.successors([0], state, out)
    return [(out[3 * i], out[3 * i + 1], out[3 * i + 2]) for i in range(n)]


def leader_of(name: str, state: State) -> State:
    """Returns the state without what is forbidden: the ko, or the own marker unless a pawn waits."""
    own, enemy, rest = state
    if name == "chefa":
        return own, enemy, rest & 1
    return state if rest >> 11 else (own, enemy, rest & ~(31 << 1))


@pytest.mark.parametrize("name", ["chefa", "badia"])
def test_a_member_of_a_group_lacks_what_is_forbidden_and_nothing_else(name: str) -> None:
    check = check_of(damier.load(name))
    members = 0
    for position in positions(name)[:1500]:
        state = position.state
        leader = leader_of(name, state)
        assert check.leads_group([0], leader)
        assert check.leads_group([0], state) == (state == leader)
        found = members_of(check, leader)
        assert state == leader or state in [member for member, _, _ in found]
        everything = successors_of(check, leader)
        before = 0
        for member, first, last in found:
            assert before <= first <= last
            before = first
            assert successors_of(check, member) == everything[:first] + everything[last:]
        members += len(found)
    assert members > 3000


@pytest.mark.parametrize("name", ["chefa", "badia"])
def test_groups_derive_what_is_derived_entry_by_entry(name: str) -> None:
    rng = random.Random(15)
    here, kernels = checked(name), grouped(name)
    numbering, found = here.numbering, [0, 0]
    leaders = [leader_of(name, position.state) for position in positions(name)]
    for state in rng.sample(leaders, 120):
        place = numbering.place(state)
        leader = state_at(here, place)
        group = [leader, *(member for member, _, _ in members_of(check_of(here.game), leader))]
        places = [numbering.place(each) for each in group]
        entries = Entries()
        for following in successors_of(check_of(here.game), leader):
            if not check_of(here.game).shown_result([0], following):
                entries.codes[numbering.place(following)] = rng.choice([DRAWN, 2, 5, LOST, LOST + 1, LOST + 4])
        due = {each: due_at(here, entries, each) for each in places}
        for each, code in due.items():
            if each not in entries.codes:
                entries.codes[each] = code
        if any(entries[each] != due_at(here, entries, each) for each in places):
            continue  # a member follows a member: they do not fit together
        given = here.given, here.game.rules, numbering.numbers.data, numbering.firsts.data
        derived = bytearray(numbering.entries // 8 + 1)
        assert kernels.wrong_in_group(*given, entries, derived, place, leader, [0] * group_kernels.ROOM) == 0
        assert {each for each in due if derived[each >> 3] >> (each & 7) & 1} == set(due)
        assert int.from_bytes(derived, "little").bit_count() == len(due)
        wrong = rng.choice(places)
        entries.codes[wrong] = FREE
        assert kernels.wrong_in_group(*given, entries, derived, place, leader, [0] * group_kernels.ROOM) > 0
        found[0 if len(places) == 1 else 1] += 1
    assert found[1] > 50


def state_at(here: Checked, place: int) -> State:
    """Returns the state of a place, in plain Python."""
    firsts = here.numbering.firsts
    number = int(firsts.searchsorted(place, "right")) - 1
    entry = place - int(firsts[number])
    state: State = here.kernels.unrank(here.game.rules, here.numbering.numbers.data, number, entry)
    return state


def due_at(here: Checked, entries: Any, place: int) -> int:
    """Returns the code that a place should have by its successors, entry by entry."""
    firsts = here.numbering.firsts
    number = int(firsts.searchsorted(place, "right")) - 1
    given = here.given, here.game.rules, here.numbering.numbers.data, firsts.data
    room = [0] * algorithm.ROOM
    return int(here.kernels.code_due(*given, entries, number, place - int(firsts[number]), room))


def test_a_number_that_is_another_s_is_found_in_a_group() -> None:
    chefa, faulty = checked("chefa"), types.ModuleType("faulty")
    state = chefa.game.parse(MOVING).state
    place = chefa.numbering.place(state)
    exec(f"def rank(rules, numbers, state):\n    return {place}", faulty.__dict__)
    modules = (subsets, chefa.numbering.index, faulty, check_of(chefa.game), algorithm, family_kernels, group_kernels)
    kernels = bind(chefa.game.definition.rules, *modules)
    given = chefa.given, chefa.game.rules, chefa.numbering.numbers.data, chefa.numbering.firsts.data
    derived, out = bytearray(chefa.numbering.entries // 8 + 1), [0] * group_kernels.ROOM
    assert kernels.wrong_in_group(*given, Entries(), derived, place, state, out) == algorithm.MISTAKEN
    assert tuple(out[:3]) in successors_of(check_of(chefa.game), state)


@pytest.fixture(scope="module")
def badia() -> OutcomeVerifier:
    """A verifier that has read the whole table of a game with groups."""
    verifier = OutcomeVerifier(built_table(damier.load("badia")), 2, ignore_progress)
    verifier.load()
    return verifier


@pytest.mark.slow
def test_a_table_with_groups_is_right(badia: OutcomeVerifier) -> None:
    shares: list[float] = []
    found = verify(built_table(damier.load("badia")), 2, lambda share, _: shares.append(share))
    assert found.entries == badia.numbering.entries
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS_IN_GROUPS)
def test_a_single_wrong_entry_of_a_group_is_found_and_named(badia: OutcomeVerifier, kind: str) -> None:
    fits, change = KINDS[kind]
    rng = random.Random(kind)
    suited = [code for code in range(256) if fits(code)]
    places = np.flatnonzero(np.isin(badia.entries, suited))
    place = int(places[rng.randrange(len(places))])
    code = int(badia.entries[place])
    badia.entries[place] = change(code)
    groups = Groups(badia)
    try:
        with pytest.raises(WrongEntry) as caught:
            groups.derive_all()
        values = caught.value.message.values
        tier = {part.name: part.first for part in badia.numbering.tiers}[str(values["tier"])]
        named = tier + int(str(values["entry"]))
        if named == place and "stored" in values:
            assert str(values["stored"]) == str(code_text(change(code)))
            assert str(values["due"]) == str(code_text(code))
        else:  # a position that leads to the wrong one
            position = Position(badia.game, badia.numbering.state(named))
            following = [position.play(text) for text in position.actions()]
            assert place in {badia.numbering.place(each.state) for each in following if each.result is None}
    finally:
        badia.entries[place] = code
