"""The table of a game with a die, built, interrupted, probed, used by the engine and reported; with two pieces each."""

import random
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import damier
from damier.engine.engine import Engine
from damier.engine.limit import Limit
from damier.insight.report.report import write_report
from damier.solve.build import chances
from damier.solve.build.chances import ChanceBuilder
from damier.solve.build.solver import solve
from damier.solve.build.value_iteration import ChanceSolver, SolvedTier
from damier.solve.codes import CERTAIN
from damier.solve.tables import TableMissing, Tables
from damier.solve.value import TableValue
from tests.games.omba.positions import Position, state_of
from tests.shared import built_table
from tests.solve.naive_chances import naive_chances
from tests.solve.small_games import ignore_progress, small_omba

PIECES = 2
MEMORY = 1 << 40


@pytest.fixture(scope="module")
def tables() -> Tables:
    return built_table(small_omba(PIECES))


def table_chance(tables: Tables, position: Position) -> float:
    return tables.state_value(state_of(position)).chance


def test_every_chance_is_that_of_a_naive_solver(tables: Tables) -> None:
    chances = naive_chances(PIECES)
    for position in random.Random(1).sample(sorted(chances), 3000):
        assert abs(table_chance(tables, position) - chances[position]) <= 0.5 / CERTAIN + 1e-6


def test_the_header_tells_of_the_first_position(tables: Tables) -> None:
    header, first = tables.file.header, ((("",) * 9), PIECES, PIECES)
    assert abs(header.extra["start"]["chance"] - naive_chances(PIECES)[first]) <= header.extra["error"] <= 1e-6
    assert (header.metric, header.coding, header.entry_bytes) == ("probability", "chance-16", 2)
    assert len(header.extra["tiers"]) == len(header.tiers) == 6


@pytest.mark.parametrize("threads", [1, 3])
def test_any_number_of_threads_gives_the_same_bytes(tables: Tables, tmp_path: Path, threads: int) -> None:
    found = solve(small_omba(PIECES), threads=threads, memory=MEMORY, folder=tmp_path, show=ignore_progress)
    assert found.path.read_bytes() == tables.path.read_bytes()


def test_interrupted_work_goes_on_to_the_same_table(
    tables: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved: list[int] = []

    class Interrupted(ChanceSolver):
        def _solve(self, number: int) -> SolvedTier:
            if solved.count(number) < 1:
                solved.append(number)
                self._here(self.values, number)[:] = 7  # what an interruption leaves
                raise KeyboardInterrupt
            return super()._solve(number)

    monkeypatch.setattr(chances, "ChanceSolver", Interrupted)
    for _ in range(len(tables.numbering.tiers)):
        with pytest.raises(KeyboardInterrupt):
            solve(small_omba(PIECES), threads=1, memory=MEMORY, folder=tmp_path, show=ignore_progress)
    found = solve(small_omba(PIECES), threads=1, memory=MEMORY, folder=tmp_path, show=ignore_progress)
    assert solved == list(range(len(tables.numbering.tiers)))
    assert found.path.read_bytes() == tables.path.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == [found.path.name]


@pytest.mark.parametrize("note", ["", "{}", '{"sources": "x", "tiers": []}', '{"sources": "x", "tiers": [{"a": 1}]}'])
def test_a_note_that_cannot_be_used_begins_the_work_again(tables: Tables, tmp_path: Path, note: str) -> None:
    path = tmp_path / "t.table"
    path.with_name("t.table.work.json").write_text(note, "utf-8")
    path.with_name("t.table.work").write_bytes(b"other")
    ChanceBuilder(tables.numbering, path, 1, ignore_progress).run()
    assert path.read_bytes() == tables.path.read_bytes()


def test_values_of_rolls_and_actions_fit_together(tables: Tables) -> None:
    rng = random.Random(2)
    for _ in range(20):
        record = tables.game.record()
        while record.result is None:
            position = record.position
            value, player = tables.probe_value(position), tables.player(position)
            actions = tables.action_values(position)
            assert sorted(actions) == record.actions()
            chances = [each.chance for each in actions.values()]
            assert chances == sorted(chances, reverse=True)
            if record.mover == "chance":
                assert abs(value.chance - sum(chances) / 6) <= 1.1 / CERTAIN
            else:
                assert (value.chance, player) == (chances[0], record.mover)
            action = rng.choice(record.actions())
            after = position.play(action)
            is_same = after.result is None and tables.player(after) == player
            if after.result:
                assert actions[action].chance == float(after.result.winner == player)
            else:
                chance = tables.probe_value(after).chance
                assert actions[action].chance == pytest.approx(chance if is_same else 1 - chance)
            record.play(action)
        assert tables.probe_value(record.position) in (TableValue("win", 0), TableValue("loss", 0))


def test_many_positions_with_and_without_a_roll(tables: Tables) -> None:
    record, positions, rng = tables.game.record(), [], random.Random(3)
    while record.result is None:
        positions.append(record.position)
        record.play(rng.choice(record.actions()))
    positions.append(record.position)
    codes = tables.probe_many([str(position) for position in positions])
    expected = [tables.probe_value(position).chance for position in positions]
    assert [code / CERTAIN for code in codes] == pytest.approx(expected)
    assert {position.mover for position in positions} > {"chance"}
    values = [tables.probe_value(position) for position in positions]
    for given in (positions, np.array([position.state for position in positions], np.int64)):
        found = tables.probe_positions(given)
        assert found.chances.tolist() == expected
        assert found.plies.tolist() == [-1 if value.plies is None else value.plies for value in values]
        assert found.outcomes.tolist() == [{"win": 1, "loss": -1}.get(value.outcome, 0) for value in values]


def test_a_game_without_its_table_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(TableMissing, match="'damier solve omba' does that in about"):
        Tables(damier.load("omba"), tmp_path).probe_value(damier.load("omba").start)
    assert Tables(damier.load("omba"), tmp_path).get_value(damier.load("omba").start, "unknown") == "unknown"
    assert Tables(damier.load("omba", players=3), tmp_path).get_value(damier.load("omba", players=3).start) is None


def test_the_engine_plays_by_the_table(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    game = small_omba(PIECES)
    monkeypatch.setenv("DAMIER_HOME", str(tables.folder.parent))
    monkeypatch.setattr("damier.core.folders.table_folder", lambda: tables.folder)
    engine, record = Engine(game, uses_tables=True), game.record()
    (rolls,) = engine.analyse(record, Limit(seconds=1), lines=1)
    assert (rolls.is_exact, rolls.mover, len(rolls.lines)) == (True, "chance", 6)
    record.play("roll:2")
    (found,) = engine.analyse(record, Limit(seconds=1), lines=2)
    best = next(iter(tables.action_values(record.position).items()))
    assert found.best.actions[0] == best[0]
    assert found.best.value.chances == pytest.approx((best[1].chance, 1 - best[1].chance))
    assert found.best.value.winner is None


def test_the_report_is_read_from_the_table(tables: Tables, tmp_path: Path) -> None:
    page = write_report(tables, tmp_path, ignore_progress)
    text = page.read_text("utf-8")
    start = tables.file.header.extra["start"]
    assert f"wins {100 * start['chance']:.2f} %" in text
    assert f"{start['actions']:.1f} actions" in text
    rows = dict(re.findall(r"^\| `(roll:\d)` \| ([\d.]+) %", text, re.MULTILINE)[:6])
    for roll, value in tables.action_values(tables.game.start).items():
        assert rows[roll] == f"{100 * value.chance:.2f}"
    pictures = re.findall(r"\(img/([^ )]+\.svg)", text)
    assert sorted(pictures) == sorted(path.name for path in (tmp_path / "img").iterdir())
    for name in pictures:
        ElementTree.parse(tmp_path / "img" / name)
    assert write_report(tables, tmp_path, ignore_progress).read_text("utf-8") == text
