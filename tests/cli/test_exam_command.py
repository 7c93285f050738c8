"""``damier exam``: what it prints and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import damier
from tests.cli.calling import in_terminal, refused, run
from tests.shared import built_table

SMALL = ("exam", "renfa", "-o", "bombs=3")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the table of the small game, and an empty current folder."""
    monkeypatch.setenv("DAMIER_HOME", str(tmp_path / "home"))
    folder = tmp_path / "home" / "tables"
    folder.mkdir(parents=True)
    table = built_table(damier.load("renfa", bombs=3)).path
    (folder / table.name).symlink_to(table)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "home"


def test_an_exam_is_printed_as_tables() -> None:
    text = run(*SMALL, "--agent", "level:3", "--positions", "20", "--games", "2")
    lines = text.splitlines()
    assert lines[0].startswith("level:3 in Renfa-Bomba (size=5 bombs=3 last=1): exam 1, sample ")
    assert lines[1] == "These options have no published sample: one was drawn from the table, always the same."
    assert lines[2] == "Value lost is in game value: a win is 1, a draw 0, a loss -1."
    assert re.split("  +", lines[4])[-4:] == ["positions", "errors", "value lost", "plies lost"]
    assert lines[5].split()[:3] == ["all", "positions", "20"]
    assert "2 games against the perfect opponent:" in lines
    assert lines[-1].startswith("In ")
    german = run(*SMALL, "--agent", "level:3", "--positions", "20", "--games", "2", "--lang", "de")
    assert german != text
    assert len(german.splitlines()) == len(lines)


def test_json_has_every_decision_and_every_game() -> None:
    data = json.loads(run(*SMALL, "--agent", "random", "--positions", "5", "--games", "2", "--seed", "4", "--json"))
    assert (data["exam"], data["agent"], data["unit"]) == (1, "random", "value")
    assert len(data["decisions"]) == data["sample"]["positions"] == 5
    assert sum(each["error"] for each in data["decisions"]) / 5 == pytest.approx(data["sample"]["all"]["errors"])
    assert [each["player"] for each in data["played"]] == ["b", "w"]
    assert data["play"]["seed"] == 4
    nobody = run(*SMALL, "--agent", "random", "--positions", "0", "--games", "0")
    assert "perfect opponent" not in nobody


def test_a_function_in_the_current_folder_is_examined(home: Path) -> None:
    (home.parent / "here" / "agent_of_this_test.py").write_text(
        "def choose(record):\n    return record.actions()[0]\n\ndef cheat(record):\n    return 'a1-a2'\n"
    )
    text = run(*SMALL, "--agent", "python:agent_of_this_test:choose", "--positions", "4", "--games", "2")
    assert text.startswith("python:agent_of_this_test:choose in ")
    sentence = refused(*SMALL, "--agent", "python:agent_of_this_test:cheat", "--positions", "4", "--games", "0")
    assert sentence.startswith("The agent 'python:agent_of_this_test:cheat' returned 'a1-a2' in the position ")


def test_mistakes_of_the_command_line_are_one_sentence(home: Path) -> None:
    assert refused(*SMALL).startswith("The following arguments are required: --agent")
    assert refused(*SMALL, "--agent", "level:99").startswith("A player is one of level:1..level:8, ")
    assert refused(*SMALL, "--agent", "python:nowhere:choose") == (
        "The module 'nowhere' cannot be imported: ModuleNotFoundError: No module named 'nowhere'."
    )
    assert refused(*SMALL, "--agent", "python:json:choose") == "The module 'json' has no function 'choose'."
    assert refused(*SMALL, "--agent", "random", "--games", "-1") == (
        "games takes a whole number from 0 to 100000, not '-1'."
    )
    assert refused(*SMALL, "--agent", "random", "--nodes", "0") == "nodes takes a number from 1 to 1e+15, not '0'."
    assert refused("exam", "chefa", "--agent", "random") == (
        "The table of Chefa has not been built; 'damier solve chefa' does that in about a minute."
    )
    assert refused("exam", "sensei", "--agent", "random").startswith("Sensei (variant=shizukana) cannot be solved: ")
    assert refused("exam", "omba", "-o", "players=3", "--agent", "random") == (
        "Omba (players=3) cannot be solved: with more than two players, what is best for one depends on whom the "
        "others help."
    )
    assert refused(*SMALL, "--agent", "ugi:/no/such/engine") == (
        "The program 'engine' does not start: No such file or directory."
    )


def test_a_terminal_shows_progress(home: Path) -> None:
    (home.parent / "here" / "slow_agent_of_this_test.py").write_text(
        "import time\n\ndef choose(record):\n    time.sleep(0.2)\n    return record.actions()[0]\n"
    )
    agent = "python:slow_agent_of_this_test:choose"
    shown = in_terminal(*SMALL, "--agent", agent, "--positions", "12", "--games", "0")  # the bar appears after a second
    assert "decisions/s" in shown
