"""Nicknames: the one that the server gives a guest, and what one that a guest chooses may be made of."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from damier.core.errors import BadArgument
from damier.core.messages import message

SHORTEST, LONGEST = 2, 20  # characters
_SIGNS = " -_.'’"
_NAME = re.compile("S*(?:LM{0,3}S*)+")  # kinds of characters; more marks on one letter would cover the lines around it

UNSEEN = frozenset(
    [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x3164, 0xFFA0]
    + [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
)
"""Letters and marks that are not seen; Unicode calls them Default_Ignorable."""

_WORDS = json.loads((Path(__file__).parent / "nicknames.json").read_text("utf-8"))


def given_nickname(visitor: str) -> str:
    """Returns the nickname of a visitor who has chosen none. Others cannot guess it: a visitor's name is secret."""
    drawn = int.from_bytes(hashlib.sha256(f"nickname {visitor}".encode()).digest(), "big")
    rest, animal = divmod(drawn, len(_WORDS["animals"]))
    return f"{_WORDS['manners'][rest % len(_WORDS['manners'])]}-{_WORDS['animals'][animal]}"


def every_given_nickname() -> Iterator[str]:
    """Yields all nicknames that guests are given."""
    return (f"{manner}-{animal}" for manner in _WORDS["manners"] for animal in _WORDS["animals"])


def chosen_nickname(text: str) -> str:
    """Returns a nickname as it is stored: composed, with single spaces; raises `BadArgument`."""
    name = " ".join(part for part in unicodedata.normalize("NFC", text).split(" ") if part)
    kinds = "".join(map(_kind, name[: LONGEST + 1]))
    if not (SHORTEST <= len(name) <= LONGEST and _NAME.fullmatch(kinds)):
        raise BadArgument(
            message(
                "A nickname has {shortest} to {longest} characters: letters, digits, spaces, hyphens, underscores, "
                "full stops and apostrophes.",
                shortest=SHORTEST,
                longest=LONGEST,
            )
        )
    return name


def _kind(letter: str) -> str:
    """Returns L for a letter or digit, M for a combining mark, S for a sign, and ? for what is not allowed."""
    if letter in _SIGNS:
        return "S"
    category = unicodedata.category(letter)
    if ord(letter) in UNSEEN or (category[0] not in "LM" and category != "Nd") or category == "Me":
        return "?"
    return "M" if category[0] == "M" else "L"
