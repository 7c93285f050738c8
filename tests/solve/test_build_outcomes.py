"""Building tables: the same bytes whatever happens on the way, and what is refused."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import damier
from damier.core.errors import BadArgument
from damier.solve.build import outcomes
from damier.solve.build.solver import needs, parse_size, size_text, solve
from damier.solve.file.reader import BadTable, TableFile
from damier.solve.numbering import NotSolvable
from damier.solve.parallel import run_chunks
from damier.solve.tables import TableMissing, Tables
from damier.solve.value import TableValue

GAME = damier.load("renfa", bombs=3)


def shown(_share: float, _note: str = "") -> None:
    pass


def solved(folder: Path, threads: int = 1) -> bytes:
    return solve(GAME, threads=threads, memory=2**33, folder=folder, show=shown).path.read_bytes()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    folder = tmp_path_factory.mktemp("tables")
    solved(folder)
    return Tables(GAME, folder)


def test_a_table_is_the_same_for_any_number_of_threads(table: Tables, tmp_path: Path) -> None:
    assert solved(tmp_path, threads=3) == table.path.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [table.path.name]


def test_work_that_is_interrupted_goes_on_to_the_same_table(
    table: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0

    def interrupted(*arguments: Any) -> tuple[int, int]:
        nonlocal steps
        steps += 1
        if steps % 7 == 0:
            raise KeyboardInterrupt
        return run_chunks(*arguments)

    monkeypatch.setattr(outcomes, "run_chunks", interrupted)
    for _ in range(200):
        try:
            assert solved(tmp_path) == table.path.read_bytes()
            break
        except KeyboardInterrupt:
            assert not Tables(GAME, tmp_path).is_built
    assert steps > 20


def test_a_killed_process_leaves_what_the_next_one_goes_on_with(table: Tables, tmp_path: Path) -> None:
    environment = {**os.environ, "DAMIER_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "damier", "solve", "renfa", "-o", "bombs=3", "--threads", "2"]
    path = tmp_path / "tables" / table.path.name
    kills = 0
    while not path.exists():
        note = path.with_name(path.name + ".work.json")
        before = note.read_text() if note.exists() else ""
        with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
            while process.poll() is None:
                if kills < 4 and note.exists() and note.read_text() != before:
                    process.send_signal(signal.SIGKILL)
                    kills += 1
                    process.wait()
                time.sleep(0.01)
        assert process.returncode in (0, -signal.SIGKILL)
    assert kills
    assert path.read_bytes() == table.path.read_bytes()


def test_work_of_other_sources_begins_again(table: Tables, tmp_path: Path) -> None:
    work = tmp_path / (table.path.name + ".work")
    work.write_bytes(bytes(table.numbering.entries))
    work.with_name(work.name + ".json").write_text(json.dumps({"sources": "other", "tier": 3}), "utf-8")
    assert solved(tmp_path) == table.path.read_bytes()


def test_what_is_missing_is_said_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(BadArgument, match=r"^Solving Renfa-Bomba .* needs .* of memory, and it may use 1\.0 MB"):
        solve(GAME, threads=1, memory=2**20, folder=tmp_path, show=shown)
    with pytest.raises(NotSolvable, match="There is no table of exact values for Sensei"):
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
    import numpy as np

    rows, values = [], []
    for text in GAME.start.actions():
        position = GAME.start.play(text)
        rows.append(position.state)
        values.append(table.probe_value(position))
    codes = table.probe_many(np.array(rows, np.int64))
    assert [TableValue("draw", None) if code == 0 else code for code in codes] == [
        value if value.plies is None else value.plies + 128 * (value.outcome == "loss") for value in values
    ]


def test_the_header_tells_what_the_table_holds(table: Tables) -> None:
    with TableFile(table.path) as file:
        counts = file.header.counts
        assert sum(counts.values()) == file.header.entries == table.numbering.entries
        assert file.header.longest == max(
            int(plies) for tier in file.header.extra["tiers"] for plies in (*tier["wins"], *tier["losses"])
        )


def test_sizes_as_one_writes_them() -> None:
    assert [parse_size(text) for text in ("8G", "1.5m", "700", "2K")] == [2**33, 3 * 2**19, 700, 2048]
    assert [size_text(size) for size in (5, 2048, 2**21, 2**33)] == ["5 bytes", "2.0 kB", "2.0 MB", "8.0 GB"]
    for text in ("", "G", "-3M", "8X", "nan"):
        with pytest.raises(BadArgument, match="A size is written as 8G"):
            parse_size(text)
