"""Draws the published samples of the exam from tables: ``games/<name>/exam/*.json``.

python -m tools.exam_samples            draw those that are missing; the tables must have been built
python -m tools.exam_samples --again    draw all anew: then raise EXAM_VERSION, as the results change
python -m tools.exam_samples --confirm  draw all anew and fail if one differs from its file; nothing is written
"""

from __future__ import annotations

import sys

import damier
from damier.core.game import Game
from damier.insight.exam.draw_sample import draw_sample
from damier.insight.exam.sample import sample_file
from damier.insight.report.page import report_name

EXAMINED: list[tuple[str, dict[str, int]]] = [("chefa", {}), ("badia", {}), ("omba", {}), ("renfa", {"bombs": 5})]
"""The games with their options that have a published sample."""


def examined_games() -> list[Game]:
    """Returns the games that have a published sample, in the order of the page."""
    return [damier.load(name, **options) for name, options in EXAMINED]


def main(arguments: list[str]) -> int:
    """Draws samples and writes or compares them."""
    wrong = 0
    for game in examined_games():
        file = sample_file(game)
        if file.exists() and not {"--again", "--confirm"} & set(arguments):
            continue
        sample = draw_sample(game.tables)
        if "--confirm" in arguments:
            is_same = file.exists() and file.read_text("utf-8") == sample.text()
            print(f"{report_name(game)}: {'confirmed' if is_same else 'differs'}", flush=True)
            wrong += not is_same
            continue
        file.parent.mkdir(exist_ok=True)
        file.write_text(sample.text(), encoding="utf-8")
        print(f"{report_name(game)}: {len(sample.positions)} positions, {sample.digest}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
