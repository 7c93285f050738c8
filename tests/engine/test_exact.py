"""Commands and engines that use a table of exact values, on the smallest game that has one."""

import json
from pathlib import Path

import pytest

import damier
from damier.engine.engine import Engine
from damier.engine.levels import EnginePlayer
from damier.engine.limit import Limit
from damier.solve.tables import Tables
from tests.cli.calling import called, refused, run

SMALL = ("renfa", "-o", "bombs=3")


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of tables with that of the small game."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DAMIER_HOME", str(folder))
        text = run("solve", *SMALL)
    assert "Value of the first position: draw." in text
    assert (folder / "tables" / "renfa-size=5-bombs=3-last=1.table").is_file()
    return folder


@pytest.fixture(autouse=True)
def at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMIER_HOME", str(home))


def a_win(plies: int) -> damier.Position:
    """Returns a position that is won in `plies` plies."""
    tables = Tables(damier.load("renfa", bombs=3))
    numbering = tables.numbering
    for number, block in enumerate(tables.file.blocks()):
        for i, code in enumerate(block):
            if code == plies:
                return damier.Position(tables.game, numbering.state(number * len(block) + i))
    raise AssertionError("no such position")


def test_solve_tells_what_is_there_and_what_it_would_take() -> None:
    again = json.loads(run("solve", *SMALL, "--json"))
    for_black = {"player": "b", "chance": 0.5}
    assert again["value"] == {"value": "draw", "winner": None, "distance": None, "unit": "plies", **for_black}
    assert again["seconds"] is None
    plan = json.loads(run("solve", *SMALL, "--plan", "--json"))
    assert plan["entries"] == again["entries"] == sum(again["counts"].values())
    assert refused("solve", *SMALL, "--threads", "0") == "threads takes a whole number from 1 to 256, not '0'."
    assert refused("solve", *SMALL, "--memory", "lots") == "A size is written as 8G, not 'lots'."
    for plan in ([], ["--plan"]):
        assert refused("solve", "sensei", *plan) == (
            "Sensei (variant=shizukana) cannot be solved: it has about 2 x 10^17 positions, too many for a table."
        )
    assert "has not been built; 'damier solve chefa' does that" in refused("probe", "chefa")


def test_probe_gives_value_and_distance_of_every_action() -> None:
    position = a_win(7)
    data = json.loads(run("probe", *SMALL, "--position", str(position), "--json"))
    assert (data["value"], data["winner"], data["distance"], data["unit"]) == ("win", position.mover, 7, "plies")
    assert sorted(each["action"] for each in data["actions"]) == position.actions()
    assert (data["actions"][0]["value"], data["actions"][0]["distance"]) == ("win", 7)
    text = run("probe", *SMALL, "--position", str(position)).splitlines()
    assert text[0].endswith("win in 7 plies")
    assert len(text) == 1 + len(position.actions())


def test_verify_passes_and_finds_a_changed_entry(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert json.loads(run("verify", *SMALL, "--json"))["verified"]
    copy = tmp_path / "tables"
    copy.mkdir()
    name = "renfa-size=5-bombs=3-last=1.table"
    content = bytearray((home / "tables" / name).read_bytes())
    content[len(content) // 2] ^= 4
    (copy / name).write_bytes(content)
    monkeypatch.setenv("DAMIER_HOME", str(tmp_path))
    status, _, complaint = called("verify", *SMALL)
    assert status == 2
    assert name in complaint


def test_report_is_written(tmp_path: Path) -> None:
    text = run("report", *SMALL, "--folder", str(tmp_path)).splitlines()
    assert Path(text[0]).read_text("utf-8").startswith("# ")
    assert text[1] == "Value of the first position: draw."


def test_an_analysis_is_exact_where_there_is_a_table() -> None:
    position = a_win(7)
    (analysis,) = Engine(position.game, uses_tables=True).analyse(position, Limit(nodes=10))
    assert analysis.is_exact
    assert (analysis.best.value.winner, analysis.best.value.distance) == (position.mover, 7)
    record = position.game.record(position)
    for text in analysis.best.actions:
        record.play(text)
    assert len(analysis.best.actions) == 7
    assert record.result
    assert record.result.winner == position.mover
    assert "exact, from a table" in run("analyse", *SMALL, "--position", str(position), "--nodes", "10")
    *_, searched = Engine(position.game).analyse(position, Limit(nodes=10))
    assert not searched.is_exact


def test_full_strength_keeps_a_draw_and_takes_a_win() -> None:
    game = damier.load("renfa", bombs=3)
    tables, player = Tables(game), EnginePlayer(game)
    record = game.record()
    for _ in range(8):
        assert tables.probe_value(record.position).outcome == "draw"
        for text in player.choose(record, Limit(nodes=200)):
            record.play(text)
    won = game.record(a_win(9))
    distances = []
    while won.result is None:
        distances.append(tables.probe_value(won.position).plies)
        for text in player.choose(won, Limit(nodes=200)):
            won.play(text)
    assert distances == list(range(9, 0, -1))
