"""Engines of a game that has no table of its own, with a table of other options.

The table for 3 bombs is there, and games with 4 bombs are judged by the table for 4, of which engines know nothing;
those with 5 bombs by the naive twin of the rules.
"""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

import damier
from damier.core.messages import message
from damier.core.position import Position
from damier.engine.analysis import Analysis
from damier.engine.engine import Engine
from damier.engine.exact import UsableTables
from damier.engine.levels import EnginePlayer
from damier.engine.limit import Limit
from damier.engine.pool.request import EngineCache, ProbeRequest
from damier.server.analysis.requests import HintRequest, ValuesRequest
from damier.server.wire.games import GameLine
from damier.solve import leaves, location
from damier.solve.covering import CoveringTables
from damier.solve.tables import TableMissing
from tests.cli.calling import refused, run
from tests.games.renfa import naive
from tests.search.naive_minimax import wins
from tests.shared import built_table

FEW, MANY, MORE = (damier.load("renfa", bombs=bombs) for bombs in (3, 4, 5))
COVERED = "B1W2/3B1/W4/3B1/2W2 b 0,0"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the table for 3 bombs alone, and one for leaves."""
    monkeypatch.setenv("DAMIER_HOME", str(tmp_path))
    for module in (location, leaves):
        monkeypatch.setattr(module, "leaf_folder", lambda: tmp_path / "leaves")
    (tmp_path / "tables").mkdir()
    shutil.copy(built_table(FEW).path, tmp_path / "tables")
    return tmp_path


def table(home: Path) -> Path:
    return home / "tables" / "renfa-size=5-bombs=3-last=1.table"


def positions(game: damier.Game, seed: int, count: int, *, is_covered: bool) -> list[Position]:
    """Returns undecided positions of random games with all bombs placed, in a table for one bomb less or not."""
    rng, found = random.Random(seed), list[Position]()
    tables = CoveringTables(game, damier.load(game.name, bombs=int(game.options["bombs"]) - 1))
    while len(found) < count:
        record = game.record()
        while not record.result and len(record.played) < 30:
            record.play(rng.choice(record.actions()))
            position = record.position
            is_placed = str(position).endswith("0,0")
            is_wanted = is_placed and not position.result and tables.covers(position.state) == is_covered
            if is_wanted and rng.random() < 0.3:
                found.append(position)
                break
    return found


def last(engine: Engine, position: Position, nodes: int, lines: int = 3) -> Analysis:
    *_, analysis = engine.analyse(position, Limit(nodes=nodes), lines)
    return analysis


def test_a_position_of_a_table_of_other_options_is_played_exactly() -> None:
    truth, engine = built_table(MANY), Engine(MANY, uses_tables=True)
    for position in positions(MANY, 1, 12, is_covered=True):
        analysis = last(engine, position, 10, 100)
        assert analysis.is_exact
        values = {line.actions[0]: (line.value.winner, line.value.distance) for line in analysis.lines}
        expected = {}
        for text, value in truth.action_values(position).items():
            winner = {"win": position.mover, "loss": MANY.opponent(position.mover)}.get(value.outcome)
            expected[text] = winner, value.plies
        assert values == expected


def test_full_strength_wins_a_won_game_from_a_table_of_other_options() -> None:
    truth, player = built_table(MANY), EnginePlayer(MANY)
    won = next(
        position
        for position in positions(MANY, 2, 300, is_covered=True)
        if (value := truth.probe_value(position)).outcome == "win" and (value.plies or 0) >= 5
    )
    record, distances = MANY.record(won), []
    while record.result is None:
        distances.append(truth.probe_value(record.position).plies)
        for text in player.choose(record, Limit(nodes=200)):
            record.play(text)
    assert distances == list(range(distances[0] or 0, 0, -1))


def test_searches_with_leaves_never_contradict_the_table_of_the_game() -> None:
    truth, engine, blind = built_table(MANY), Engine(MANY, uses_tables=True), Engine(MANY)
    proved = beyond = 0
    for position in positions(MANY, 3, 100, is_covered=False):
        analysis = last(engine, position, 3_000, 8)
        assert not analysis.is_from_table
        assert engine.method.leaves
        values = truth.action_values(position)
        for line in analysis.lines:
            value, expected = line.value, values[line.actions[0]]
            if not value.is_proved:
                assert value.winner is None
                continue
            proved += 1
            outcome = "win" if value.winner == position.mover else "loss"
            assert expected.outcome == outcome
            assert expected.plies is not None
            assert value.distance is not None
            assert expected.plies <= value.distance
            record = MANY.record(position)
            for text in line.actions:
                record.play(text)
            assert record.result is None or record.result.winner == value.winner
        without = last(blind, position, 3_000, 1)
        beyond += analysis.best.value.is_proved and not without.best.value.is_proved
    assert proved > 100
    assert beyond >= 2, "leaves decide positions that the same number of nodes does not decide without them"


def test_wins_with_more_bombs_are_those_of_the_naive_twin(home: Path) -> None:
    shutil.copy(built_table(MANY).path, home / "tables")
    engine, tried = Engine(MORE, uses_tables=True), 0
    for position in positions(MORE, 4, 300, is_covered=False):
        value = last(engine, position, 300, 1).best.value
        if value.distance in (2, 3) and value.is_proved:
            tried += 1
            assert value.winner
            assert wins(naive, dict(MORE.options), [str(position)], value.distance, value.winner, 0)
        if tried == 4:
            return
    raise AssertionError("too few short wins")


def test_plain_python_and_compiled_code_find_the_same() -> None:
    (position,) = positions(MANY, 5, 1, is_covered=False)
    engine = Engine(MANY, uses_tables=True)
    plain = last(engine, position, 1_500)
    engine.warm_up()
    assert last(engine, position, 1_500).lines == plain.lines
    assert (
        last(Engine(MANY), position, 1_500).nodes
        == last(Engine(MANY, uses_tables=True, leaf_memory=0), position, 1_500).nodes
    )


def test_a_finished_line_of_leaves_is_shown_to_its_end() -> None:
    engine = Engine(MANY, uses_tables=True)
    shown = 0
    for position in positions(MANY, 6, 40, is_covered=False):
        best = last(engine, position, 1_000, 1).best
        if best.value.is_proved and len(best.actions) == best.value.distance:
            record = MANY.record(position)
            for text in best.actions:
                record.play(text)
            assert record.result
            assert record.result.winner == best.value.winner
            shown += len(best.actions) > 6
    assert shown


@pytest.mark.parametrize("damage", ["missing", "empty", "no table", "damaged", "of other options"])
def test_without_a_good_table_the_engine_searches(home: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    file, content = table(home), bytearray(table(home).read_bytes())
    if damage == "missing":
        file.unlink()
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "no table":
        file.write_bytes(b"something else")
    elif damage == "damaged":
        blocks = 48 + int.from_bytes(content[4:8], "little")
        for at in range(blocks + 100, len(content) - 1_000, 50):  # every block
            content[at] ^= 1
        file.write_bytes(content)
    else:
        shutil.copy(built_table(damier.load("renfa", bombs=3, last=0)).path, file)
    engine = Engine(MANY, uses_tables=True)
    for position in (MANY.parse(COVERED), *positions(MANY, 7, 2, is_covered=False)) * 2:
        analysis = last(engine, position, 100)
        assert analysis.lines
        assert not analysis.is_from_table
        assert engine.method.leaves is None
    logged = [record.getMessage() for record in caplog.records if "cannot be used" in record.getMessage()]
    assert len(logged) == (0 if damage in ("missing", "empty") else 1), "once"
    shutil.copy(built_table(FEW).path, file)  # rebuilt
    assert last(engine, MANY.parse(COVERED), 100).is_exact


def test_a_table_that_is_damaged_later_is_left_out(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    tables = UsableTables(MANY)
    exact = tables.find(MANY.parse(COVERED))
    assert exact
    assert not exact.is_own
    assert tables.find(MANY.start) is None
    assert tables.leaves(512)
    tables.leave_out(exact, TableMissing(message("Gone.")))
    assert tables.find(MANY.parse(COVERED)) is None
    assert tables.leaves(512) is None
    assert table(home).name in caplog.text


def test_commands_say_which_table_a_value_is_from(home: Path) -> None:
    arguments = ("renfa", "-o", "bombs=4", "--position", COVERED)
    text = run("probe", *arguments).splitlines()
    assert text[-1] == "The values are from the table of Renfa-Bomba (size=5 bombs=3 last=1)."
    assert json.loads(run("probe", *arguments, "--json"))["table"] == {"size": 5, "bombs": 3, "last": 1}
    own = run("probe", "renfa", "-o", "bombs=3", "--position", COVERED).splitlines()
    assert own == text[:-1]
    assert "exact, from a table" in run("analyse", *arguments, "--nodes", "10")
    assert "has not been built; 'damier solve renfa -o bombs=4' does that" in refused("probe", "renfa", "-o", "bombs=4")
    run("analyse", "renfa", "-o", "bombs=4", "--nodes", "10", "--leaf-memory", "0")
    assert not (home / "leaves").exists()
    run("analyse", "renfa", "-o", "bombs=4", "--nodes", "10")
    assert list((home / "leaves").glob("*.words"))


def test_pages_and_worker_processes_get_exact_values() -> None:
    line = GameLine(game="renfa", options={"bombs": 4}, start=COVERED, actions=[])
    engines = EngineCache(4)
    found = json.loads(ValuesRequest(line, "en", Limit(nodes=100)).answer(engines, print))
    assert found["is_exact"]
    assert found["is_from_table"]
    truth = built_table(MANY).action_values(COVERED)
    assert {text: value["value"] for text, value in found["values"].items()} == {
        text: value.outcome for text, value in truth.items()
    }
    assert json.loads(HintRequest(line, "en", Limit(nodes=100)).answer(engines, print))["action"] in truth
    start = GameLine(game="renfa", options={"bombs": 4}, start=None, actions=[])
    assert not json.loads(ValuesRequest(start, "en", Limit(nodes=100)).answer(engines, print))["is_from_table"]
    assert ProbeRequest(MANY, COVERED).answer(engines, print).is_exact
    with pytest.raises(TableMissing):
        ProbeRequest(MANY).answer(engines, print)
