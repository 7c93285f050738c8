"""A table with two bytes for each entry: built, verified, searched forward, probed, and damaged in single entries."""

import copy
import dataclasses
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import damier
from damier.core.kernel.contract import LONG_CODES
from damier.core.position import Position
from damier.games.renfa import wide_check_families
from damier.solve.build.solver import needs
from damier.solve.codes import BYTE_CODES, DRAWN, OutcomeCodes, outcome_codes
from damier.solve.file.reader import TableFile
from damier.solve.file.writer import TableWriter
from damier.solve.numbering import Numbering, has_families
from damier.solve.tables import Tables
from damier.solve.value import TableValue, decoded, decoded_codes, encoded
from damier.solve.verify.outcomes import code_text, counts, longest
from damier.solve.verify.verifier import WrongEntry, verify
from tests.games.random_positions import random_position
from tests.games.renfa import naive
from tests.shared import built_table
from tests.solve.small_games import ignore_progress
from tests.solve.table_server import table_server

GAME = damier.load("renfa", size=6, bombs=3)
OPTIONS: dict[str, object] = dict(GAME.options)
LONG = OutcomeCodes(*LONG_CODES)

# Codes


@pytest.mark.parametrize("codes", [BYTE_CODES, LONG], ids=["one byte", "two bytes"])
def test_codes_are_values_and_back(codes: OutcomeCodes) -> None:
    distances = (1, 2, 99, codes.most_plies)
    values = [TableValue("draw", None), *(TableValue("win", n) for n in distances)]
    values += [TableValue("loss", n) for n in (0, *distances)] + [TableValue("win", 0)]
    found = [encoded(value, codes) for value in values]
    assert [decoded(code, codes) for code in found] == values
    assert len(set(found)) == len(found)
    assert found[0] == DRAWN
    assert {codes.safe, codes.marked, codes.free}.isdisjoint(found)
    assert max(found) < codes.marked < codes.free == codes.count - 1
    table = decoded_codes(codes)
    assert table.plies[found].tolist() == [-1 if value.plies is None else value.plies for value in values]
    assert table.chances[found].tolist() == [value.chance for value in values]


def test_long_codes_are_in_the_order_of_the_short_ones() -> None:
    """Kernels compare codes: what they rely on must hold for both."""
    for codes in (BYTE_CODES, LONG):
        assert codes.lost & codes.lost - 1 == 0  # exchanging the players is one bit
        assert codes.lost == codes.won + 1 == codes.safe + 2 == codes.most_plies + 4
        assert (codes.marked, codes.free) == (2 * codes.lost - 2, 2 * codes.lost - 1)
    assert (BYTE_CODES.entry_bytes, BYTE_CODES.coding) == (1, "win-draw-loss-8")
    assert (LONG.entry_bytes, LONG.coding) == (2, "win-draw-loss-16")


def test_the_numbering_chooses_the_codes() -> None:
    wide, usual = Numbering(GAME), Numbering(damier.load("renfa", bombs=3))
    assert wide.codes == outcome_codes(wide.index) == LONG
    assert (wide.coding, usual.codes, usual.coding) == ("win-draw-loss-16", BYTE_CODES, "win-draw-loss-8")
    assert code_text(LONG.free, LONG).render() == "no position"
    assert code_text(LONG.lost + 339, LONG).render() == "loss in 339 plies"


def test_two_bytes_are_counted_as_memory(tmp_path: Path) -> None:
    need, entries = needs(Tables(GAME, tmp_path)), 6_726_467
    assert need.entries == entries
    assert need.memory > 2 * entries + 5_019_520  # the entries, and a byte for each of the largest tier
    assert need.disk == round(2.5 * entries)


# A whole table


@pytest.fixture(scope="module")
def tables() -> Tables:
    return built_table(GAME)


@pytest.mark.slow
def test_a_table_that_was_built_is_right(tables: Tables) -> None:
    assert verify(tables, 2, ignore_progress).entries == tables.numbering.entries
    header = tables.file.header
    assert (header.entry_bytes, header.coding, header.longest) == (2, "win-draw-loss-16", 70)
    assert header.counts == {"win": 1_037_482, "draw": 5_079_011, "loss": 262_476, "free": 347_498}


def random_positions(count: int, seed: int) -> Iterator[Position]:
    """Yields undecided positions, most of them with all bombs placed."""
    rng = random.Random(seed)
    while count:
        position = GAME.parse(random_position("renfa", OPTIONS, rng))
        if position.result is None:
            count -= 1
            yield position


def forces(position: str, winner: str, plies: int) -> bool:
    """Tells whether `winner` forces a win within `plies`, by the naive rules."""
    result = naive.result(OPTIONS, [position])
    if result is not None or plies == 0:
        return result == winner
    is_winner = naive.mover(OPTIONS, position) == winner
    following = (naive.play(OPTIONS, [position], action) for action in naive.legal(OPTIONS, [position]))
    return (any if is_winner else all)(forces(each, winner, plies - 1) for each in following)


@pytest.mark.slow
def test_forward_search_agrees_with_the_table(tables: Tables) -> None:
    seen = set()
    for position in random_positions(300, seed=1):
        value, mover = tables.probe_value(position), position.mover
        short = value.plies if value.plies is not None and value.plies <= 2 else None
        for plies in (1, 2):
            wins = value.outcome == "win" and short is not None and short <= plies
            loses = value.outcome == "loss" and short is not None and short <= plies
            assert forces(str(position), mover, plies) == wins
            assert forces(str(position), GAME.opponent(mover), plies) == loses
        seen.add((value.outcome, short))
    assert {("win", 1), ("win", None), ("loss", 2), ("loss", None), ("draw", None)} <= seen


@pytest.mark.slow
def test_values_of_actions_make_the_value_and_many_are_probed_at_once(tables: Tables) -> None:
    positions = list(random_positions(200, seed=2))
    values = [tables.probe_value(position) for position in positions]
    for position, value in zip(positions, values, strict=True):
        best = next(iter(tables.action_values(position).values()), TableValue("loss", 0))
        assert (best.outcome, best.plies if best.outcome != "draw" else None) == (value.outcome, value.plies)
    states = np.array([position.state for position in positions], np.int64)
    for given in (positions, states):
        found = tables.probe_positions(given)
        assert found.plies.tolist() == [-1 if value.plies is None else value.plies for value in values]
        assert found.chances.tolist() == [value.chance for value in values]
    assert tables.probe_many(states).dtype == np.uint16


@pytest.mark.slow
def test_a_server_is_probed_from_afar_though_the_header_is_long(tables: Tables) -> None:
    positions = list(random_positions(20, seed=3))
    with table_server(tables.path.parent) as server, closing(Tables(GAME, remote=server.address)) as remote:
        assert remote.file.header == tables.file.header
        assert [remote.probe_value(each) for each in positions] == [tables.probe_value(each) for each in positions]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tier", "suits", "change"),
    [
        ("2 against 3 bombs", lambda code: 100 > code > 20, 1),
        ("3 against 3 bombs", lambda code: code == DRAWN, LONG.lost + 6),
        ("4 bombs placed", lambda code: code == LONG.free, -LONG.free),
    ],
)
def test_a_single_wrong_entry_is_found(tables: Tables, tmp_path: Path, tier: str, suits: object, change: int) -> None:
    assert callable(suits)
    with TableFile(tables.path) as file:
        codes = np.concatenate([np.asarray(block) for block in file.blocks()]).astype(np.uint16)
    part = next(each for each in tables.numbering.tiers if each.name == tier)
    offsets = [i for i in range(part.entries) if suits(int(codes[part.first + i]))]
    place = part.first + random.Random(tier).choice(offsets)
    codes[place] = int(codes[place]) + change
    found = np.bincount(codes, minlength=LONG.count)
    wrong = Tables(GAME, tmp_path)
    with TableWriter(wrong.path, dataclasses.replace(tables.file.header, extra={}), level=1) as writer:
        writer.append(codes)
        writer.finish(counts=counts(found, LONG), longest=longest(found, LONG))
    with pytest.raises(WrongEntry, match=tier):
        verify(wrong, 2, ignore_progress)


@pytest.mark.slow
@pytest.mark.parametrize("column", ["OWN_CLASSES", "OWN_KINDS", "ENEMY_SETS"])
def test_a_numbering_that_is_not_as_specified_is_found(tables: Tables, tmp_path: Path, column: str) -> None:
    numbering = tables.numbering
    faulty = copy.copy(numbering)
    faulty.numbers = numbering.numbers.copy()
    at = int(numbering.numbers[numbering.index.block_of(2, 3) + getattr(numbering.index, column)]) + 8
    faulty.numbers[at] = numbering.numbers[at + 4]
    assert faulty.numbers[at] != numbering.numbers[at]
    wrong = Tables(GAME, tables.folder)
    wrong.__dict__["numbering"] = faulty
    with pytest.raises(WrongEntry):
        verify(wrong, 1, ignore_progress)


def test_families_are_described_for_the_verifier_and_not_for_the_solver() -> None:
    assert has_families(Numbering(GAME), 1)
    assert not has_families(Numbering(GAME), 0)


@pytest.mark.slow
@pytest.mark.parametrize("bombs", [3, 4])
def test_the_second_description_gives_every_position_the_number_of_the_first(bombs: int) -> None:
    game = damier.load("renfa", size=6, bombs=bombs, last=0)
    numbering = Numbering(game)
    layout: Any = wide_check_families.family_numbers(game.options)
    rng = random.Random(bombs)
    for _ in range(2000):
        position = game.parse(random_position("renfa", dict(game.options), rng))
        if position.result is None:
            number, entry = wide_check_families.numbered(layout.data, position.state)
            assert numbering.tiers[number].first + entry == numbering.place(position.state), str(position)
