"""Recorded games from text of either form, with the games of this package."""

import re

from damier.core.score import Score
from damier.core.score_json import parse_json_scores
from damier.core.score_text import parse_scores
from damier.games import load


def read_scores(text: str) -> list[Score]:
    """Returns the recorded games in a text, written as text or as JSON; raises `BadRecord` with what is wrong."""
    if re.match(r"\s*(\{|\[\s*[{\]])", text):
        return parse_json_scores(text, load)
    return list(parse_scores(text, load))
