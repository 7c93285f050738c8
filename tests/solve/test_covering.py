"""Tables of other options: which positions they have, and that their values are those of the game itself.

The twin of `covered_tier` counts letters of the position string; that of `leaf` asks `Tables` of the other options.
"""

from __future__ import annotations

import random
import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import damier
from damier.core.game import Game
from damier.core.kernel import subsets
from damier.core.kernel.bind import bind
from damier.core.kernel.contract import NO_LEAF
from damier.core.position import Position
from damier.solve import leaf_lookup, leaves, location
from damier.solve.codes import FREE
from damier.solve.covering import CoveringTables, covering_games, tables_for
from damier.solve.file.reader import BadTable
from damier.solve.history_values import HistoryValues
from damier.solve.leaves import Leaves, open_leaves
from damier.solve.tables import TableMissing, Tables
from damier.solve.value import TableValue
from tests.shared import built_table

FEW, MANY, MORE = (damier.load("renfa", bombs=bombs) for bombs in (3, 4, 5))


@pytest.fixture(autouse=True)
def leaf_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for leaves of each test."""
    for module in (location, leaves):
        monkeypatch.setattr(module, "leaf_folder", lambda: tmp_path / "leaves")
    return tmp_path / "leaves"


@pytest.fixture
def tables() -> CoveringTables:
    """The positions with 4 bombs that the table for 3 bombs has."""
    return CoveringTables(MANY, FEW, built_table(FEW).folder)


def is_covered(position: Position, bombs: int) -> bool:
    """The twin: all bombs are placed, and neither player has more of them."""
    board, _, hand = str(position).split()
    return hand == "0,0" and max(board.count("B"), board.count("W")) <= bombs


def visited(game: Game, seed: int, games: int) -> Iterator[Position]:
    """Yields the undecided positions of random games."""
    rng = random.Random(seed)
    for _ in range(games):
        record = game.record()
        while not record.result and len(record.played) < 60:
            yield record.position
            actions = record.actions()
            detonations = [text for text in actions if text.startswith("*")]
            record.play(rng.choice(detonations if detonations and rng.random() < 0.3 else actions))


def known(value: TableValue) -> int:
    """Returns a value as `leaf` does."""
    if value.outcome == "draw":
        return 0
    assert value.plies is not None
    return 1 + value.plies if value.outcome == "win" else -1 - value.plies


@pytest.mark.parametrize("bombs", [3, 4, 5, 7, 8])
def test_a_table_has_the_positions_with_no_more_bombs_and_no_action_leaves_them(bombs: int) -> None:
    game = damier.load("renfa", bombs=bombs)
    others = [CoveringTables(game, other) for other in covering_games(game)]
    assert [int(other.covering.game.options["bombs"]) for other in others] == {
        3: [4, 5, 6, 7],
        4: [5, 6, 7, 3],
        5: [6, 7, 4, 3],
        7: [6, 5, 4, 3],
        8: [7, 6, 5, 4, 3],
    }[bombs]
    covered = 0
    for position in visited(game, bombs, 20):
        for other in others:
            count = int(other.covering.game.options["bombs"])
            assert other.covers(position.state) == is_covered(position, count)
            if other.covers(position.state):
                covered += 1
                followers = [position.play(text) for text in position.actions()]
                assert all(other.covers(each.state) for each in followers if not each.result)
                same = Position(other.covering.game, position.state)
                assert same.actions() == position.actions()
                assert [str(same.play(text)) for text in same.actions()] == [str(each) for each in followers]
                assert same.result is None
    assert covered > 10


def test_a_game_without_other_options_or_with_forbidden_returns_has_no_other_tables() -> None:
    for name in damier.games():
        game = damier.load(name)
        assert bool(list(covering_games(game))) == (game.definition.covered_by is not None)
    assert list(covering_games(damier.load("renfa", size=8))) == []


def test_every_position_of_the_larger_table_that_the_smaller_one_has_has_the_same_value(
    tables: CoveringTables,
) -> None:
    """All entries of the tiers in question, looked up by compiled code."""
    larger = built_table(MANY)
    numbering = larger.numbering
    found = open_leaves(tables, 512)
    assert found
    tiers = found.words[leaf_lookup.TIERS]
    assert [str(tier.name) for tier in numbering.tiers[:tiers]] == [
        "2 against 2 bombs",
        "2 against 3 bombs",
        "3 against 3 bombs",
    ]
    entries = int(numbering.firsts[tiers])
    codes = larger.file.read_many(np.arange(entries))
    used = np.flatnonzero(codes != FREE)
    states = np.array([numbering.state(place) for place in used.tolist()], np.int64)
    kernels = bind(MANY.definition.rules, subsets, numbering.index, leaf_lookup, compiled=True)
    answers = np.zeros(len(used), np.int64)
    kernels.find_leaves(np.frombuffer(found.words, np.int64), states.ravel(), answers)
    values = {code: known(larger_value) for code, larger_value in _decoded(codes[used])}
    assert np.array_equal(answers, np.array([values[code] for code in codes[used].tolist()]))
    assert len(used) > 400_000


def _decoded(codes: np.ndarray) -> Iterator[tuple[int, TableValue]]:
    from damier.solve.value import decoded

    for code in np.unique(codes).tolist():
        yield code, decoded(code)


def test_leaves_are_what_the_table_of_the_other_options_says(tables: CoveringTables) -> None:
    found = open_leaves(tables, 512)
    assert found
    kernels = bind(MANY.definition.rules, subsets, tables.numbering.index, leaf_lookup)
    smaller, larger = built_table(FEW), built_table(MANY)
    met = 0
    for position in visited(MANY, 1, 40):
        answer = kernels.leaf(found.words, position.state)
        assert (answer != NO_LEAF) == found.has(position.state) == is_covered(position, 3)
        if answer != NO_LEAF:
            met += 1
            value = smaller.probe_value(str(position))
            assert answer == known(value) == known(tables.probe_value(position)) == known(larger.probe_value(position))
            assert tables.action_values(position) == larger.action_values(position)
    assert met > 30
    nothing = memoryview(bytes(8 * leaf_lookup.HEAD)).cast("q")
    assert kernels.leaf(nothing, MANY.start.state) == NO_LEAF


def test_the_line_from_a_leaf_goes_to_the_end_by_best_play(tables: CoveringTables) -> None:
    found = open_leaves(tables, 512)
    assert found
    lines = 0
    for position in visited(MANY, 2, 60):
        if found.has(position.state):
            value = tables.probe_value(position)
            line = found.best_line(position.state)
            assert len(line) == (value.plies or 0)
            lines += len(line) > 2
            winner = position.mover if value.outcome == "win" else MANY.opponent(position.mover)
            for code in line:
                position = position.play(MANY.action_text(code))
            assert not line or (position.result and position.result.winner == winner)
    assert lines > 5


def test_a_position_that_no_table_has_is_refused(tables: CoveringTables) -> None:
    with pytest.raises(TableMissing, match=r"bombs=3 last=1\) does not have the position '5/5/5/5/5 b 4,4'"):
        tables.probe_value(MANY.start)
    with pytest.raises(TableMissing, match="does not have the position"):
        tables.probe_positions([MANY.start])
    assert tables.get_value(MANY.start) is None
    covered = "BBB2/5/5/5/2WWW w 0,0"
    assert tables.probe_positions([covered]).outcomes.tolist() == [0]
    folder = tables.folder
    assert tables_for(MANY.parse(covered), folder).path == tables.path
    assert tables_for(MANY.start, folder).path == Tables(MANY, folder).path
    assert tables_for(FEW.start, folder).path == tables.path


def test_a_smaller_table_serves_a_game_with_fewer_bombs_too() -> None:
    larger = CoveringTables(FEW, MANY, built_table(MANY).folder)
    own = built_table(FEW)
    found = open_leaves(larger, 512)
    assert found
    assert found.words[leaf_lookup.TIERS] == 3, "positions with 4 bombs are not needed"
    met = 0
    for position in visited(FEW, 3, 20):
        if is_covered(position, 3):
            met += 1
            assert larger.probe_value(position) == own.probe_value(position)
    assert met > 50


def test_positions_that_cannot_come_again_do_not_spoil_a_proof(tables: CoveringTables) -> None:
    """A position with 4 bombs has stood twice; then a detonation leads into the table."""
    record = MANY.record("B1W2/B4/2W2/B3W/1W2B b 0,0")
    for text in ("e1-d1", "c3-d3", "d1-e1", "d3-c3", "e1-d1", "c3-d3", "d1-e1", "d3-c3"):
        if not record.result and text in record.actions():
            record.play(text)
    assert record.repeated or record.result
    values = HistoryValues(tables)
    then = MANY.record(record.repeated[0]) if record.repeated else record
    for text in [text for text in then.actions() if text.startswith("*")]:
        after = then.copy()
        after.play(text)
        if not after.result:
            found = values.actions(after)
            assert values.proved(after, found) == set(found)


# The file


def test_leaves_are_written_once_and_mapped_by_all(tables: CoveringTables, leaf_folder: Path) -> None:
    first, second = open_leaves(tables, 512), open_leaves(tables, 512)
    assert first
    assert second
    assert first.path == second.path == next(leaf_folder.glob("*.words"))
    assert first.path
    assert bytes(first.words) == bytes(second.words) == first.path.read_bytes()
    assert not list(leaf_folder.glob("*.part"))


@pytest.mark.parametrize("at", [0, 8 * leaf_lookup.CHECKSUM, 8 * leaf_lookup.DIGEST, 100, -1])
def test_a_damaged_file_is_written_again(tables: CoveringTables, at: int, caplog: pytest.LogCaptureFixture) -> None:
    whole = open_leaves(tables, 512)
    assert whole
    assert whole.path
    content = bytearray(whole.path.read_bytes())
    good = bytes(content)
    content[at] ^= 1
    whole.path.unlink()  # the mapping of the first stays as it is
    whole.path.write_bytes(content)
    again = open_leaves(tables, 512)
    assert again
    assert bytes(again.words) == good == whole.path.read_bytes()
    assert "is damaged and is written again" in caplog.text


def test_a_truncated_file_and_one_of_an_earlier_table_give_way(tables: CoveringTables, leaf_folder: Path) -> None:
    whole = open_leaves(tables, 512)
    assert whole
    assert whole.path
    good = bytes(whole.words)
    whole.path.unlink()
    whole.path.write_bytes(good[:1000])
    earlier = leaf_folder / f"{tables.path.stem}-0123456789abcdef-3.words"
    earlier.write_bytes(good)
    again = open_leaves(tables, 512)
    assert again
    assert bytes(again.words) == good
    assert not earlier.exists()


def test_where_nothing_can_be_written_the_process_has_a_copy(
    tables: CoveringTables, leaf_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    mapped = open_leaves(tables, 512)
    assert mapped
    shutil.rmtree(leaf_folder)
    leaf_folder.write_text("a file in place of the folder")
    own = open_leaves(tables, 512)
    assert own
    assert own.path is None
    assert bytes(own.words) == bytes(mapped.words)
    assert "are not cached" in caplog.text


def test_only_tiers_that_fit_are_loaded_and_they_are_closed() -> None:
    tables = CoveringTables(MORE, MANY, built_table(MANY).folder)
    assert open_leaves(tables, 0) is None
    part = open_leaves(tables, 4)
    assert part
    tiers = part.words[leaf_lookup.TIERS]
    assert 0 < tiers < 6
    assert len(part.words) * 8 <= 4 << 20
    met = 0
    for position in visited(MORE, 4, 40):
        if part.has(position.state):
            met += 1
            for text in position.actions():
                following = position.play(text)
                assert following.result or part.has(following.state)
        elif tables.covers(position.state):
            assert tables.probe_value(position).outcome in ("win", "draw", "loss")
    assert met > 10


def test_a_damaged_table_is_refused(tables: CoveringTables, tmp_path: Path) -> None:
    copy = tmp_path / "tables"
    copy.mkdir()
    content = bytearray(tables.path.read_bytes())
    content[len(content) // 2] ^= 4
    (copy / tables.path.name).write_bytes(content)
    with pytest.raises(BadTable, match="is damaged in block"):
        open_leaves(CoveringTables(MANY, FEW, copy), 512)


def test_the_checksum_is_that_of_all_words(tables: CoveringTables) -> None:
    found: Leaves | None = open_leaves(tables, 512)
    assert found
    content = bytearray(found.words)
    at = 8 * leaf_lookup.CHECKSUM
    stored = int.from_bytes(content[at : at + 8], "little")
    content[at : at + 8] = bytes(8)
    assert zlib.crc32(content) == stored


def test_leaves_are_removed_with_their_table(tables: CoveringTables, tmp_path: Path, leaf_folder: Path) -> None:
    copy = tmp_path / "tables"
    copy.mkdir()
    shutil.copy(tables.path, copy)
    found = open_leaves(CoveringTables(MANY, FEW, copy), 512)
    assert found
    assert set(location.remove_table(FEW, copy)) == {copy / tables.path.name, found.path}
    assert not list(leaf_folder.glob("*.words"))
