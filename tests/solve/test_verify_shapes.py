"""The second description of a numbering by shapes: against the numbering itself, and what follows from it."""

import ast
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import damier
from damier import Game
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import State
from damier.games.omba import check, check_shapes, index, rules
from damier.solve.numbering import Numbering
from damier.solve.verify import chance_kernels as algorithm
from tests.solve.small_games import small_omba

PLAIN: SimpleNamespace = bind(rules, subsets, index, check, check_shapes, algorithm)


@cache
def numbering_of(pieces: int) -> Numbering:
    return Numbering(small_omba(pieces))


@cache
def layout_of(pieces: int) -> Any:
    return check_shapes.shape_numbers(small_omba(pieces).start.state)


def sampled(pieces: int, count: int) -> Iterator[tuple[int, int]]:
    """Yields tiers and entries: all of a small game, or some of each tier."""
    rng = random.Random(pieces)
    for number, tier in enumerate(numbering_of(pieces).tiers):
        entries = range(tier.entries)
        for entry in entries if tier.entries <= count else sorted(rng.sample(entries, count)):
            yield number, entry


def opened(pieces: int, number: int, entry: int) -> tuple[Any, int]:
    """Returns the words of the shape of an entry, and the first entry behind it."""
    words = [0] * check_shapes.SHAPE_WORDS
    firsts: Any = numbering_of(pieces).firsts.data  # whose items are Python integers
    return words, check_shapes.open_shape(layout_of(pieces).data, firsts, number, entry, words)


def unranked(pieces: int, number: int, entry: int) -> State:
    numbering = numbering_of(pieces)
    state: State = PLAIN.unrank(numbering.game.rules, numbering.numbers.data, number, entry)
    return state


def ranked(pieces: int, state: State) -> tuple[int, int]:
    numbering = numbering_of(pieces)
    given = numbering.game.rules, numbering.numbers.data
    return PLAIN.tier(given[0], state), PLAIN.rank(*given, state)


def test_the_second_description_shares_nothing_with_the_first() -> None:
    tree = ast.parse(Path(str(check_shapes.__file__)).read_text("utf-8"))
    imported = {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in imported if name.startswith("damier.games")} == {check.__name__}
    assert not any("index" in name or "rules" in name or "solve" in name for name in imported)


@pytest.mark.parametrize(("pieces", "count"), [(1, 9999), (2, 400), (6, 25)])
def test_entries_have_the_shape_and_the_state_that_the_numbering_gives_them(pieces: int, count: int) -> None:
    for number, entry in sampled(pieces, count):
        words, end = opened(pieces, number, entry)
        assert words[check_shapes.FIRST] <= entry < end
        for each in {words[check_shapes.FIRST], entry, end - 1}:
            state = check_shapes.shape_state(layout_of(pieces).data, words, each)
            assert state == unranked(pieces, number, each)
            assert state[0] == words[check_shapes.HEIGHTS]
        if end < numbering_of(pieces).tiers[number].entries:
            assert unranked(pieces, number, end)[::2] != unranked(pieces, number, end - 1)[::2]


@pytest.mark.parametrize(("pieces", "count"), [(1, 9999), (2, 300), (6, 20)])
def test_actions_lead_to_the_places_of_the_successors(pieces: int, count: int) -> None:
    firsts, actions = numbering_of(pieces).firsts, 0
    for number, entry in sampled(pieces, count):
        words, _ = opened(pieces, number, entry)
        out, successors = [0] * algorithm.ROLLED_ROOM, [0] * algorithm.ROLLED_ROOM
        n = check_shapes.shape_places(layout_of(pieces).data, words, entry, out)
        assert n == check.rolled_successors([0], unranked(pieces, number, entry), successors)
        for i in range(n):
            rolls, *following = successors[4 * i : 4 * i + 4]
            assert out[2 * i] == rolls
            tier, least = ranked(pieces, (following[0], following[1], following[2]))
            place = out[2 * i + 1]
            assert firsts[tier] <= place < firsts[tier + 1]
            # another number of the same position, or its own
            there = unranked(pieces, tier, place - int(firsts[tier]))
            assert check.is_same(there, (following[0], following[1], following[2]))
            assert ranked(pieces, there) == (tier, least)
        actions += n
    assert actions > 20


def test_images_are_the_same_position() -> None:
    for number, entry in sampled(6, 12):
        state = unranked(6, number, entry)
        images = [check_shapes.state_image(state, i) for i in range(16)]
        assert images[0] == state
        for i, image in enumerate(images):
            assert check.is_same(state, image)
            assert check.player_on_move(image) == i >> 3
            assert ranked(6, image) == ranked(6, state)
        turned = set(images[:8])
        by_rules = {rules.permute([2, 6], state, cells.cells, False) for cells in damier.load("omba").traits.symmetries}
        assert turned == by_rules


def test_rivals_are_gathered_as_entry_by_entry() -> None:
    game: Game = small_omba(2)
    numbering = Numbering(game)
    rng = np.random.default_rng(15)
    entries = rng.integers(20000, 20012, numbering.entries).tolist()  # many within two units
    leasts = least_places(2)
    entries = [entries[least] for least in leasts]  # all numbers of a position have the same entry
    given = game.rules, numbering.numbers.data, numbering.firsts.data, entries
    layout, out = layout_of(2).data, [0] * algorithm.ROLLED_ROOM
    words = [0] * check_shapes.SHAPE_WORDS
    several = 0
    for number, entry in sampled(2, 60):
        found = [[0] * 6 * algorithm.MOST_ROLLED for _ in range(2)]
        where = number, entry, entry + 1
        counts = (
            PLAIN.gather([0], *given, *where, found[0], out),
            PLAIN.gather_shapes(layout, *given, *where, found[1], words, out),
        )
        assert rolls_of(leasts, found[0][: counts[0]]) == rolls_of(leasts, found[1][: counts[1]])
        several += counts[0] > 6
    assert several > 50


def least_places(pieces: int) -> list[int]:
    """Returns for each place the one that its position ranks to, and the place after all."""
    found = []
    for tier in numbering_of(pieces).tiers:
        number = numbering_of(pieces).tiers.index(tier)
        for entry in range(tier.entries):
            found.append(tier.first + ranked(pieces, unranked(pieces, number, entry))[1])
    return found


def rolls_of(leasts: list[int], rivals: list[int]) -> list[list[int]]:
    """Returns the rivals of each roll, by the least number of each position; -1 for a lost roll."""
    found: list[list[int]] = [[]]
    for rival in rivals:
        found[-1].append(leasts[rival >> 1] if rival >> 1 < len(leasts) else -1)
        if rival & 1:
            found.append([])
    return [sorted(each) for each in found]


@pytest.mark.parametrize("which", [index.RANKS + 0b0011, index.OWN_SETS + index.SIZE_BEGIN[2]])
def test_a_numbering_that_is_not_as_specified_is_found(which: int) -> None:
    game = small_omba(2)
    numbers = numbering_of(2).numbers.copy()
    other = index.RANKS + 0b0101 if which < index.OWN_SETS else which + 1
    numbers[[which, other]] = numbers[[other, which]]
    firsts = numbering_of(2).firsts.data
    rivals, out = [0] * 6 * algorithm.MOST_ROLLED * 2000, [0] * algorithm.ROLLED_ROOM
    words, entries = [0] * check_shapes.SHAPE_WORDS, [0] * numbering_of(2).entries
    given = layout_of(2).data, game.rules
    size = min(2000, numbering_of(2).tiers[0].entries)
    where = firsts, entries, 0, 0, size, rivals, words, out
    assert PLAIN.gather_shapes(*given, numbering_of(2).numbers.data, *where) > 0
    assert PLAIN.gather_shapes(*given, numbers.data, *where) < 0
