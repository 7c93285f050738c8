"""Runs the exam of many agents and keeps the page about it: ``docs/exam/results`` and ``docs/exam.md``.

python -m tools.exam                      write the page and its plots from the results
python -m tools.exam --check              fail if the page or a plot is not up to date
python -m tools.exam --run [AGENT ...]    examine the agents that have no result yet, or those named, then write the
                                          page; needs the tables, takes minutes, goes on where it was stopped
    --game=NAME     of one game only, named as its file in ``docs/exam/results``

An agent of your own gets a row by ``--run python:MODULE:FUNCTION``; every file of results is a row.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

from damier.core.game import Game
from damier.insight.exam.exam import Exam, ExamResult
from damier.insight.exam.page import ExamPage
from damier.insight.exam.sample import published_sample
from damier.insight.exam.version import EXAM_VERSION
from damier.insight.report.facts import solution_text
from damier.insight.report.page import report_name
from tools.exam_samples import examined_games

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = DOCS / "exam" / "results"

AGENTS = (
    "random",
    *(f"level:{level}" for level in range(1, 9)),
    *(f"mcts@simulations={count}" for count in (10, 100, 1_000, 10_000)),
)
"""The agents of the page, in its order; others follow them."""


def result_file(game: Game, agent: str) -> Path:
    """Returns the file of a result."""
    return RESULTS / report_name(game) / (re.sub("[^A-Za-z0-9]+", "-", agent).strip("-") + ".json")


def results(game: Game) -> list[ExamResult]:
    """Returns the results in a game that are of the present exam, in the order of `AGENTS`, then by name."""
    files = sorted((RESULTS / report_name(game)).glob("*.json"))
    found = [ExamResult.model_validate_json(file.read_bytes()) for file in files]
    places = {agent: place for place, agent in enumerate(AGENTS)}
    return sorted(
        (each for each in found if is_current(game, each)),
        key=lambda each: (places.get(each.agent, len(places)), each.agent),
    )


def is_current(game: Game, result: ExamResult) -> bool:
    """Tells whether a result is of the present version and sample."""
    sample = published_sample(game)
    return sample is not None and (result.exam, result.sample.digest) == (EXAM_VERSION, sample.digest)


def examine(agents: list[str], name: str | None) -> None:
    """Examines agents and writes their results; without agents, those of the page that have none."""
    for agent in agents or AGENTS:
        for game in examined_games():
            if name not in (None, report_name(game)):
                continue
            file = result_file(game, agent)
            if not agents and file.exists() and is_current(game, ExamResult.model_validate_json(file.read_bytes())):
                continue
            began = time.process_time()
            result = Exam(game, agent).run()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(solution_text(result), encoding="utf-8")
            print(f"{report_name(game)} {agent}: {time.process_time() - began:.0f} s of CPU", flush=True)


def page() -> ExamPage:
    """Returns the page about all results."""
    samples = {game: published_sample(game) for game in examined_games()}
    return ExamPage({game: (sample, results(game)) for game, sample in samples.items() if sample})


def files() -> dict[Path, str]:
    """Returns the page and its plots by their paths."""
    return {DOCS / path: content for path, content in page().files().items()}


def outdated() -> list[str]:
    """Returns the names of files that differ from what they should be, or should not be there."""
    wanted = files()
    wrong = [path.name for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    return wrong + [path.name for path in (DOCS / "exam").glob("*.svg") if path not in wanted]


def main(arguments: list[str]) -> int:
    """Examines agents, writes the page, or checks it."""
    if "--run" in arguments:
        names = [each.removeprefix("--game=") for each in arguments if each.startswith("--game=")]
        examine([each for each in arguments if not each.startswith("--")], names[0] if names else None)
    if "--check" in arguments:
        wrong = outdated()
        print("\n".join(f"{name} is not up to date: run python -m tools.exam" for name in wrong) or "up to date")
        return 1 if wrong else 0
    for path, text in files().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
