"""What a person may write: one short line of characters that are seen and stay where they are. Pure."""

from __future__ import annotations

import unicodedata

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.people.nicknames import UNSEEN

LONGEST = 200
"""Characters of a message."""

_MOST_MARKS = 3  # on one letter: more would cover the lines around it
_NEVER = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Me"})  # control, bidi and other format signs, what is no character
_SPACES = frozenset({"Zs", "Zl", "Zp"})


def plain_text(text: str) -> str:
    """Returns a text as one line without characters that are not seen or that change the order of others."""
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", text):
        category = unicodedata.category(letter)
        if category in _SPACES or letter in "\t\n\r\v\f\x85":
            kept.append(" ")
        elif category not in _NEVER and ord(letter) not in UNSEEN:
            marks = marks + 1 if category[0] == "M" else 0
            if marks <= _MOST_MARKS and not (marks and (not kept or kept[-1] == " ")):
                kept.append(letter)
    return " ".join("".join(kept).split())


def message_text(text: str) -> str:
    """Returns a message as it is stored; raises `BadArgument` if nothing is left of it, or too much."""
    found = plain_text(text)
    if not found:
        raise BadArgument(message("The message is empty: write something."))
    if len(found) > LONGEST:
        raise BadArgument(
            message("A message has at most {longest} characters: yours has {count}.", longest=LONGEST, count=len(found))
        )
    return found
