"""The committed pages about solved games are those that the template renders from the committed facts."""

from pathlib import Path

import pytest

import damier
from damier.games import definition
from damier.insight.report.facts import UnsolvedGame, read_solution, solution_text
from damier.insight.report.page import Report
from damier.insight.report.report import make_report
from tests.shared import built_table
from tools import solutions
from tools.solutions import PAGES, differing, outdated, pages, reports

FILES = sorted(file for name in damier.games() for file in (definition(name).folder / "solutions").glob("*.json"))


@pytest.mark.parametrize("report", reports(), ids=lambda report: str(report.name))
def test_a_page_is_rendered_from_the_facts(report: Report) -> None:
    assert (PAGES / f"{report.name}.md").read_text("utf-8") == report.text


def test_all_pages_and_pictures_are_up_to_date() -> None:
    assert outdated(pages()) == []


def test_an_outdated_page_and_an_unused_picture_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tools.solutions.PAGES", tmp_path)
    report = reports()[0]
    path = report.write(tmp_path)
    files = {tmp_path / name: content for name, content in report.files().items()}
    assert outdated(files) == []
    path.write_text("old")
    (tmp_path / "img" / "unused.svg").write_text("<svg/>")
    assert outdated(files) == [path.name, "unused.svg"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_a_file_of_facts_is_read_and_written_without_loss(file: Path) -> None:
    facts = read_solution(file)
    assert file.read_text("utf-8") == solution_text(facts)
    assert isinstance(facts, UnsolvedGame) == (not (PAGES / f"{file.stem}.md").exists())


def test_facts_that_do_not_follow_from_the_table_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = built_table(damier.load("renfa", bombs=3))
    facts = make_report(tables, solutions.silent).facts
    kept = {"renfa-bombs=3": facts}
    monkeypatch.setattr(solutions, "SOLVED", [("renfa", {"bombs": 3})])
    monkeypatch.setattr(solutions, "read_solution", lambda file: kept[file.stem])
    monkeypatch.setattr("damier.core.folders.table_folder", lambda: tables.folder)
    assert solutions.main(["--confirm"]) == 0
    assert capsys.readouterr().out == "renfa-bombs=3: confirmed\n"
    table = facts.table.model_copy(update={"entries": facts.table.entries + 1, "solver": "0"})
    kept["renfa-bombs=3"] = facts.model_copy(update={"table": table})
    assert solutions.main(["--confirm", "renfa-bombs=3"]) == 1
    assert capsys.readouterr().out == "renfa-bombs=3: table.entries\n"


def test_facts_are_compared_part_by_part() -> None:
    kept = {"verified": None, "counts": {"won": 3, "lost": 4}, "longest": [1, 2]}
    assert differing(kept, {"verified": 7, "counts": {"won": 3, "lost": 4}, "longest": [1, 2]}) == []
    assert differing(kept, {"counts": {"won": 3}, "longest": [2, 1]}) == ["counts.lost", "longest"]
