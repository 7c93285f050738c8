"""The vectors by which the browser's Glicko-2 is tested: ``tests/js/glicko-vectors.json`` has what this code computes.

``python -m tests.server.ratings.test_browser_vectors`` writes them anew.
"""

import json
import random
from pathlib import Path
from typing import Any

from damier.server.ratings.glicko import Comparison, Rating, aged, expected_score, rate

FILE = Path(__file__).parents[2] / "js" / "glicko-vectors.json"
COUNT = 60


def vectors() -> list[dict[str, Any]]:
    """Returns ratings before and after some results, always the same ones."""
    drawn, found = random.Random(16), []
    for _ in range(COUNT):
        before = _drawn_rating(drawn)
        days = drawn.choice([0.0, 1.5, 40.0, 2000.0])
        results = [
            Comparison(_drawn_rating(drawn), drawn.choice([0.0, 0.5, 1.0]), drawn.choice([1.0, 0.5, 0.25]))
            for _ in range(drawn.randint(1, 3))
        ]
        older = aged(before, days)
        after = rate(older, results)
        found.append(
            {
                "before": _data(before),
                "days": days,
                "results": [
                    {"opponent": _data(each.opponent), "score": each.score, "weight": each.weight} for each in results
                ],
                "after": _data(after),
                "expected": expected_score(older, results[0].opponent),
            }
        )
    return found


def _drawn_rating(drawn: random.Random) -> Rating:
    return Rating(
        round(drawn.gauss(1500, 300), 1), round(drawn.uniform(45, 350), 1), round(drawn.uniform(0.04, 0.08), 4)
    )


def _data(rating: Rating) -> dict[str, float]:
    return {"value": rating.value, "deviation": rating.deviation, "volatility": rating.volatility}


def text() -> str:
    """Returns the text of the file."""
    return "[\n" + ",\n".join(json.dumps(each) for each in vectors()) + "\n]\n"


def test_the_vectors_of_the_browser_are_current() -> None:
    known = json.loads(FILE.read_text("utf-8"))
    assert len(known) == COUNT
    for one, other in zip(known, vectors(), strict=True):
        for name in ("value", "deviation", "volatility"):
            assert abs(one["after"][name] - other["after"][name]) < 1e-9 * other["after"][name]


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
