"""The published samples, results and page of the exam, and the file for citing: none of them needs a table."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

import damier
from damier import exact
from damier.core.game import Game
from damier.games import definition
from damier.insight.exam.exam import ExamResult
from damier.insight.exam.groups import PHASES, bands_of, phase_of
from damier.insight.exam.plots import error_map, loss_plot
from damier.insight.exam.sample import ExamSample, published_sample, sample_file
from damier.insight.report.facts import read_solution, solution_text
from damier.insight.report.page import report_name
from damier.solve.numbering import name_of, tier_names
from tests.shared import built_table
from tools import exam
from tools.exam_samples import examined_games

ROOT = Path(__file__).parent.parent.parent.parent

DIGESTS = {
    "chefa": "5f4f61d6147e1a8304b337b793c70bab4875aa05911bdc2feef4b0a1b85e99ce",
    "badia": "ccb1da9aca2db7b307cbb8318315cac8aed48ca13530eed769fa6b27406533b1",
    "omba": "1522ad6d7098f7b7abc2f6c6ef56412d71fe0ca1d345f6323aaf2bb4f5e040c8",
    "renfa-bombs=5": "c693342e280e0beece914cdb6bf5fb84b62bbd0281aa53b4ba9519b22cbd37c4",
}
"""The samples of exam 1. A change here is a new version of the exam: papers cite these."""


def sample_of(game: Game) -> ExamSample:
    sample = published_sample(game)
    assert sample is not None
    return sample


def test_the_samples_are_those_of_this_version_of_the_exam() -> None:
    assert exact.EXAM_VERSION == 1
    assert {report_name(game): sample_of(game).digest for game in examined_games()} == DIGESTS
    files = {file for name in damier.games() for file in (definition(name).folder / "exam").glob("*.json")}
    assert files == {sample_file(game) for game in examined_games()}


@pytest.mark.parametrize("game", examined_games(), ids=report_name)
def test_a_published_sample_has_legal_positions_in_their_groups(game: Game) -> None:
    sample = sample_of(game)
    assert sample_file(game).read_text("utf-8") == sample.text()
    assert (sample.game, sample.options) == (game.name, game.options)
    assert sample.exam == exact.EXAM_VERSION
    assert len({each.position for each in sample.positions}) == len(sample.positions) >= 300
    counts = Counter((each.phase, each.band) for each in sample.positions)
    assert set(counts) <= {(phase, band) for phase in PHASES for band in bands_of(has_chance=game.traits.has_chance)}
    assert max(counts.values()) == 60
    tiers = tier_names(game)
    for each in sample.positions:
        position = game.parse(each.position)
        assert position.result is None
        assert position.mover in game.players
        assert len(position.actions()) > 1
        assert phase_of(position) == each.phase
        assert each.tier in tiers


@pytest.mark.parametrize("game", examined_games(), ids=report_name)
def test_a_published_sample_is_from_the_table_that_was_verified(game: Game) -> None:
    facts = read_solution(game.definition.folder / "solutions" / f"{report_name(game)}.json")
    assert sample_of(game).table == facts.table.sha256  # type: ignore[union-attr]
    assert sample_of(game).rules == facts.table.rules  # type: ignore[union-attr]


def test_the_page_and_its_plots_are_up_to_date() -> None:
    assert exam.outdated() == []


@pytest.mark.parametrize("game", examined_games(), ids=report_name)
def test_the_page_has_every_agent_and_plots_say_their_numbers(game: Game) -> None:
    found = exam.results(game)
    assert [each.agent for each in found][: len(exam.AGENTS)] == list(exam.AGENTS)
    page = exam.page()
    for each in found:
        assert f"| `{each.agent}` | {100 * each.sample.all.errors:.1f} % |" in page.text
        assert each.table == sample_of(game).table
        assert each.sample.positions == len(sample_of(game).positions)
    plots = [text for path, text in page.files().items() if path.startswith(f"exam/{report_name(game)}-")]
    assert len(plots) == 2
    for plot in plots:
        root = ElementTree.fromstring(plot)
        said = root.findtext("{http://www.w3.org/2000/svg}desc")
        assert said is not None
        assert all(f"{each.agent}: " in said for each in found)


def test_an_agent_has_a_row_in_a_game_or_is_named_as_missing() -> None:
    agents = {each.agent for game in examined_games() for each in exam.results(game)}
    sections = {section.partition("\n")[0]: section for section in exam.page().text.split("\n## ")}
    for game in examined_games():
        rows = {each.agent for each in exam.results(game)}
        _, _, named = sections[name_of(game)].partition("Not examined here: ")
        assert set(re.findall("`([^`]+)`", named)) == agents - rows


def test_a_plot_names_a_python_function_without_its_packages() -> None:
    result = exam.results(examined_games()[0])[0].model_copy(update={"agent": "python:some.packages.agent:choose"})
    for plot in (loss_plot([result], "Plot"), error_map([result], "Plot", has_chance=False)):
        texts = [each.text for each in ElementTree.fromstring(plot).iter("{http://www.w3.org/2000/svg}text")]
        assert "agent:choose" in texts
        assert "python:some.packages.agent:choose: " in plot


@pytest.mark.parametrize(
    "file", sorted(exam.RESULTS.glob("*/*.json")), ids=lambda file: f"{file.parent.name}-{file.stem}"
)
def test_a_result_is_read_and_written_without_loss(file: Path) -> None:
    result = ExamResult.model_validate_json(file.read_bytes())
    assert solution_text(result) == file.read_text("utf-8")
    game = damier.load(result.game, **result.options)
    assert exam.is_current(game, result)
    assert file == exam.result_file(game, result.agent)


def test_the_python_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = built_table(damier.load("renfa", bombs=3))
    monkeypatch.setattr("damier.core.folders.table_folder", lambda: tables.folder)
    agent, example = re.findall(r"(?s)```python\n(.*?)```", exam.page().text)
    monkeypatch.setattr(damier, "load", lambda _name: tables.game)
    module = ModuleType("my_agent")
    exec(agent, module.__dict__)
    monkeypatch.setitem(sys.modules, "my_agent", module)
    names: dict[str, Any] = {}
    exec(example, names)
    assert 0 < names["found"].all.errors < 1


def test_a_changed_page_and_an_unused_plot_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(exam, "DOCS", tmp_path)
    assert exam.main([]) == 0
    assert exam.main(["--check"]) == 0
    (tmp_path / "exam.md").write_text("old")
    (tmp_path / "exam" / "unused.svg").write_text("<svg/>")
    assert exam.outdated() == ["exam.md", "unused.svg"]
    assert exam.main(["--check"]) == 1


def test_the_file_for_citing_has_the_version_of_the_program() -> None:
    fields = dict(re.findall(r"(?m)^([a-z-]+): *(.*)$", (ROOT / "CITATION.cff").read_text("utf-8")))
    assert fields["cff-version"] == "1.2.0"
    assert fields["version"] == damier.__version__
    assert fields["license"] == "MIT"
    assert {"message", "title", "authors", "type", "keywords", "abstract"} <= set(fields)
