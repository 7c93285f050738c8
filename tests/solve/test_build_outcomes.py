"""Building tables: the same bytes whatever happens on the way, and what is refused."""

import contextlib
import dataclasses
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock

import damier
from damier.core.errors import BadArgument, BadPosition
from damier.core.game import Game
from damier.solve.build import family_outcomes, outcomes, solver
from damier.solve.build.solver import needs, parse_size, size_text, solve
from damier.solve.file.reader import BadTable, TableFile
from damier.solve.location import table_path
from damier.solve.memory import peak_memory, total_memory
from damier.solve.numbering import NotSolvable, name_of
from damier.solve.parallel import Work, run_chunks
from damier.solve.tables import TableMissing, Tables
from damier.solve.value import TableValue, decoded
from tests.shared import built_table
from tests.solve.small_games import ignore_progress

GAME = damier.load("renfa", bombs=3)


def solved(folder: Path, threads: int = 1) -> bytes:
    return solve(GAME, threads=threads, memory=2**33, folder=folder, show=ignore_progress).path.read_bytes()


@pytest.fixture(scope="module")
def table() -> Tables:
    return built_table(GAME)


def test_a_table_is_the_same_for_any_number_of_threads(table: Tables, tmp_path: Path) -> None:
    assert solved(tmp_path, threads=3) == table.path.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [table.path.name]


@pytest.mark.parametrize("last", [0, 1])
def test_a_table_built_entry_by_entry_is_the_same_as_by_families(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: int
) -> None:
    game = damier.load("renfa", bombs=3, last=last)
    monkeypatch.setattr(solver, "_builder", lambda _: outcomes.OutcomeBuilder)
    slow = solve(game, threads=1, memory=2**33, folder=tmp_path, show=ignore_progress)
    assert slow.path.read_bytes() == built_table(game).path.read_bytes()


# A tier of families begins again: here it has 24 steps at most.
@pytest.mark.parametrize(("builder", "period"), [(outcomes.OutcomeBuilder, 7), (family_outcomes.FamilyBuilder, 29)])
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_work_that_is_interrupted_goes_on_to_the_same_table(
    table: Tables,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    builder: type[outcomes.OutcomeBuilder],
    period: int,
    share: float,
) -> None:
    """Interrupts one step in each period when this share of it has been done."""
    steps = 0
    monkeypatch.setattr(solver, "_builder", lambda _: builder)

    def interrupted(work: Work, low: int, high: int, *more: Any) -> tuple[int, int]:
        nonlocal steps
        steps += 1
        if steps % period == 0:
            run_chunks(work, low, low + int(share * (high - low)), *more)
            raise KeyboardInterrupt
        return run_chunks(work, low, high, *more)

    for module in (outcomes, family_outcomes):
        monkeypatch.setattr(module, "run_chunks", interrupted)
    for _ in range(200):
        try:
            assert solved(tmp_path) == table.path.read_bytes()
            break
        except KeyboardInterrupt:
            assert not Tables(GAME, tmp_path).is_built
    assert steps > period


@pytest.mark.slow
def test_a_killed_process_leaves_what_the_next_one_goes_on_with(table: Tables, tmp_path: Path) -> None:
    environment = {**os.environ, "DAMIER_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "damier", "solve", "renfa", "-o", "bombs=3", "--threads", "2"]
    path = tmp_path / "tables" / table.path.name
    kills = 0
    while not path.exists():
        note = path.with_name(path.name + ".work.json")
        before = note.read_text() if note.exists() else ""
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
            while process.returncode is None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=0.01)
                if kills < 2 and note.exists() and note.read_text() != before:
                    process.send_signal(signal.SIGKILL)
                    kills += 1
                    process.wait()
        assert process.returncode in (0, -signal.SIGKILL)
    assert kills
    assert path.read_bytes() == table.path.read_bytes()


def test_a_table_is_built_by_one_process_at_a_time(tmp_path: Path) -> None:
    with (
        FileLock(tmp_path / (table_path(GAME).name + ".lock")),
        pytest.raises(BadArgument, match=r"^Another process is building or fetching .* already\.$"),
    ):
        solved(tmp_path)


def test_memory_is_counted_in_bytes() -> None:
    assert 2**24 < peak_memory() < total_memory() < 2**50


def test_work_of_other_sources_begins_again(table: Tables, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    work = tmp_path / (table.path.name + ".work")
    work.write_bytes(bytes(table.numbering.entries))
    work.with_name(work.name + ".json").write_text(json.dumps({"sources": "other", "tier": 3}), "utf-8")
    assert solved(tmp_path) == table.path.read_bytes()
    assert [(each.levelname, "cannot be resumed" in each.message) for each in caplog.records] == [("WARNING", True)]


def test_what_is_missing_is_said_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match=r"^Solving Renfa-Bomba .* needs .* of memory, and it may use 1\.0 MB"):
        solve(GAME, threads=1, memory=2**20, folder=tmp_path, show=ignore_progress)
    with pytest.raises(NotSolvable, match=r"^Sensei .* cannot be solved: it has about 2 x 10\^17 positions"):
        needs(Tables(damier.load("sensei"), tmp_path))
    with pytest.raises(TableMissing, match=r"'damier solve renfa -o bombs=3'"):
        Tables(GAME, tmp_path).probe_value(GAME.start)
    assert Tables(GAME, tmp_path).get_value(GAME.start) is None
    assert Tables(damier.load("sensei"), tmp_path).get_value(damier.load("sensei").start, 7) == 7
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_or_damaged_table_is_refused(table: Tables, tmp_path: Path) -> None:
    other = Tables(damier.load("renfa", bombs=3, last=0), tmp_path)
    other.path.write_bytes(table.path.read_bytes())
    with pytest.raises(damier.DamierError, match="has another game, other options or another version"):
        other.probe_value(other.game.start)
    damaged = Tables(GAME, tmp_path)
    damaged.path.write_bytes(table.path.read_bytes()[:-40])
    with pytest.raises(BadTable, match="cut short or damaged"):
        damaged.probe_value(GAME.start)


def test_values_of_actions_are_best_first_and_make_the_value(table: Tables) -> None:
    position = GAME.start
    for _ in range(12):
        value = table.probe_value(position)
        actions = table.action_values(position)
        assert sorted(actions) == position.actions()
        best = next(iter(actions.values()))
        assert best.outcome == value.outcome
        assert best.plies == value.plies or value.outcome == "draw"
        merits = [each.merit for each in actions.values()]
        assert merits == sorted(merits, reverse=True)
        position = position.play(next(iter(actions)))
        if position.result:
            break


def test_many_positions_at_once(table: Tables) -> None:
    rows, values = [], []
    for text in GAME.start.actions():
        position = GAME.start.play(text)
        rows.append(position.state)
        values.append(table.probe_value(position))
    codes = table.probe_many(np.array(rows, np.int64))
    assert [TableValue("draw", None) if code == 0 else code for code in codes] == [
        value if value.plies is None else value.plies + 128 * (value.outcome == "loss") for value in values
    ]


def test_many_positions_are_given_as_strings_positions_or_states(table: Tables) -> None:
    positions, record = [], GAME.record()
    while record.result is None:
        positions.append(record.position)
        record.play(next(iter(table.action_values(record.position))))
        if len(positions) == 40:  # it is a draw: go on at random
            break
    positions.append(GAME.parse("B4/5/5/5/WW3 b 0,0"))  # over
    codes = table.probe_many(positions)
    assert [decoded(int(code)) for code in codes] == [table.probe_value(position) for position in positions]
    assert table.probe_many([str(position) for position in positions]).tolist() == codes.tolist()
    states = np.array([position.state for position in positions[:-1]], np.int64)
    assert table.probe_many(states).tolist() == codes[:-1].tolist()
    assert table.probe_many([]).tolist() == []


def test_values_of_many_positions_are_those_of_each(table: Tables) -> None:
    rng, record, positions = random.Random(5), GAME.record(), []
    for _ in range(30):
        while record.result is None and len(record.played) < 100:
            positions.append(record.position)
            record.play(rng.choice(record.actions()))
        positions.append(record.position)
        record = GAME.record()
    assert sum(position.result is not None for position in positions) > 10
    expected = [table.probe_value(position) for position in positions]
    states = np.array([position.state for position in positions], np.int64)
    undecided = states[[position.result is None for position in positions]]
    for given in (positions, [str(position) for position in positions], states):
        found = table.probe_positions(given)
        assert [column.dtype for column in found] == [np.int8, np.int16, np.float64]
        assert [{1: "win", 0: "draw", -1: "loss"}[each] for each in found.outcomes.tolist()] == [
            value.outcome for value in expected
        ]
        assert found.plies.tolist() == [-1 if value.plies is None else value.plies for value in expected]
        assert found.chances.tolist() == [value.chance for value in expected]
    assert len(table.probe_positions(undecided).plies) == len(undecided)
    assert [len(column) for column in table.probe_positions([])] == [0, 0, 0]
    with pytest.raises(BadArgument):
        table.probe_positions([1])  # type: ignore[list-item]


def test_what_is_no_list_of_positions_is_refused_in_one_sentence(table: Tables) -> None:
    form = "^Give positions as a list of position strings or positions, or as an array of rows of three whole numbers"
    wrong: list[Any] = [str(GAME.start), [1, 2, 3], [None], np.zeros((2, 4), np.int64), np.zeros((2, 3))]
    for given in wrong:
        with pytest.raises(BadArgument, match=form):
            table.probe_many(given)
    with pytest.raises(BadPosition):
        table.probe_many(["nowhere"])
    with pytest.raises(BadArgument, match="of another game or other options"):
        table.probe_many([damier.load("chefa").start])


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (damier.load("sensei"), "it has about 2 x 10^17 positions, too many for a table."),
        (damier.load("omba", players=3), "with more than two players, what is best for one depends on whom the others"),
        (damier.load("renfa", bombs=8), "only up to 7 bombs on 5 cells a side and up to 5 bombs on 6 can be solved"),
        (damier.load("renfa", size=6), "only up to 7 bombs on 5 cells a side and up to 5 bombs on 6 can be solved"),
        (damier.load("renfa", size=7, bombs=3), "only up to 7 bombs on 5 cells a side and up to 5 bombs on 6"),
    ],
)
def test_a_game_that_cannot_be_solved_says_why(game: Game, reason: str) -> None:
    with pytest.raises(NotSolvable) as refusal:
        needs(game.tables)
    assert str(refusal.value).startswith(f"{name_of(game)} cannot be solved: {reason}")


def test_a_game_without_a_numbering_cannot_be_solved() -> None:
    game = Game(dataclasses.replace(damier.load("chefa").definition, index=None))
    with pytest.raises(NotSolvable, match=r"^Chefa cannot be solved: its positions have no numbering\.$"):
        needs(game.tables)


def test_the_header_tells_what_the_table_holds(table: Tables) -> None:
    with TableFile(table.path) as file:
        counts = file.header.counts
        assert sum(counts.values()) == file.header.entries == table.numbering.entries
        assert file.header.longest == max(
            int(plies) for tier in file.header.extra["tiers"] for plies in (*tier["wins"], *tier["losses"])
        )


def test_sizes_as_one_writes_them() -> None:
    assert [parse_size(text) for text in ("8G", "1.5m", "700", "2K")] == [2**33, 3 * 2**19, 700, 2048]
    assert [str(size_text(size)) for size in (5, 2048, 2**21, 2**33)] == ["5 bytes", "2.0 kB", "2.0 MB", "8.0 GB"]
    for text in ("", "G", "-3M", "8X", "nan"):
        with pytest.raises(BadArgument, match="A size is written as 8G"):
            parse_size(text)
