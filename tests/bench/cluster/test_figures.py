"""What the table says: growth of memory, samples of load, verdicts."""

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.cluster.crew import Taken
from bench.cluster.faults import Outcome
from bench.cluster.installation import Traffic, Work
from bench.cluster.ledger import Problem
from bench.cluster.report import Report
from bench.cluster.soak import growth_of
from bench.cluster.throughput import Sample
from bench.rules import Figure


def test_memory_that_is_flat_after_warming_up_has_not_grown() -> None:
    growth, text = growth_of([50.0, 80.0, *[100.0] * 8])
    assert (growth, text) == (0.0, "100.0 to 100.0 MB, at most 100.0")


def test_memory_that_grows_until_the_end_has_grown() -> None:
    growth, _ = growth_of([100.0 + place for place in range(100)])
    assert growth == pytest.approx(100 * (191.5 / 127.5 - 1))


def sample(times: list[float], wanted: float = 10.0, errors: Counter[str] | None = None) -> Sample:
    return Sample(
        wanted,
        10.0,
        Taken(times, times, errors or Counter()),
        Work(1.0, 0.5, 0.1),
        0.2,
        Traffic(300, 1e5, 400, 5e4),
        1.0,
    )


def test_a_sample_meets_the_target_if_it_is_quick_keeps_the_rate_and_has_no_errors() -> None:
    assert sample([0.01] * 100).is_met
    assert not sample([0.01] * 98 + [0.4] * 2).is_met
    assert not sample([0.01] * 90).is_met
    assert not sample([0.01] * 100, errors=Counter(["closed 1006"])).is_met


def test_a_sample_says_what_an_action_costs() -> None:
    found = sample([0.01] * 100)
    assert found.parts == "servers 10.00, PostgreSQL 5.00, Redis 1.00, clients 2.00"
    assert found.amounts == (
        "3.0 transactions, 1000 bytes of WAL, 4.0 commands and 500 bytes of Redis, 0 bytes to pages"
    )
    assert (found.rate, found.median) == (10.0, 10.0)


def test_a_broken_promise_and_a_late_table_miss_their_targets() -> None:
    outcome = Outcome("killed server", 3, [0.5, 0.6, 6.0], problems=[Problem("match", "lost", "an action")])
    median, latest, broken = outcome.figures()
    assert (median.is_met, latest.is_met, broken.is_met) == (True, False, False)
    assert broken.note == "1 lost; 0 confirmed actions in 0 matches"


def test_the_table_and_the_file_have_every_figure_with_its_verdict(tmp_path: Path) -> None:
    report = Report(tmp_path / "figures.json")
    report.add("One part", [Figure("speed", 2.0, "/s", at_least=1.7), Figure("cost", 2.5, "ms", at_most=2)])
    report.add("Another", [Figure("rate", None, "/s", at_least=1), Figure("size", 3.0, "MB", at_least=0)])
    lines = [" ".join(line.split()) for line in report.table().splitlines()]
    assert lines == [
        "figure target measured verdict",
        "",
        "One part",
        "speed >= 1.7 2.00 /s met",
        "cost <= 2 2.50 ms MISSED",
        "",
        "Another",
        "rate >= 1 - not measured",
        "size 3.00 MB",
    ]
    assert not report.is_met
    rows = json.loads((tmp_path / "figures.json").read_text())["figures"]
    assert [(row["part"], row["name"], row["is_met"]) for row in rows][:2] == [
        ("One part", "speed", True),
        ("One part", "cost", False),
    ]
