"""Recorded games from text of either form, with the games of this package."""

import re

from damier.games import load
from damier.transcript.json_format import parse_json_transcripts
from damier.transcript.text_format import parse_transcripts
from damier.transcript.tree import Transcript


def read_transcripts(text: str) -> list[Transcript]:
    """Returns the recorded games in a text, written as text or as JSON; raises `BadRecord` with what is wrong."""
    if re.match(r"\s*(\{|\[\s*[{\]])", text):
        return parse_json_transcripts(text, load)
    return list(parse_transcripts(text, load))
