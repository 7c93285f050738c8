"""Names of accounts: what they are made of, and which look alike.

Two names look alike if their skeletons are equal. A skeleton has no case, no marks and no separators, and one sign for
each group that is easily confused: l, I and 1; O and 0; Latin letters and Cyrillic and Greek ones of the same shape.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from damier.core.errors import BadArgument
from damier.core.messages import message
from damier.server.people.nicknames import every_given_nickname

SHORTEST, LONGEST = 2, 20  # characters
_NAME = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_SEPARATORS = str.maketrans("", "", " -_.'’")
_ALIKE = str.maketrans(
    {"i": "l", "1": "l", "|": "l", "ı": "l", "і": "l", "ӏ": "l", "ι": "l", "0": "o", "о": "o", "ο": "o", "σ": "o"}
    | dict(zip("авсԁеһјкмпрԛѕтухѵԝ", "abcdehjkmnpqstyxvw", strict=True))
    | dict(zip("αβεηκμνρτυχω", "abenkmvptyxw", strict=True))
)
_RESERVED = (
    "account accounts admin administrator all anonymous anyone api automatic bot bots computer damier everybody "
    "everyone guest guests help here host info lobby me mod moderation moderator moderators nobody null official "
    "operator owner person player players program programs referee root security server service somebody staff "
    "support system team test tournament undefined unknown user users visitor webmaster you"
)


class NameTaken(BadArgument):
    """Another account has the name, or one that looks like it."""


def account_name(text: str) -> str:
    """Returns the name of an account, which is the text as it was given; raises `BadArgument`."""
    if not (SHORTEST <= len(text) <= LONGEST and _NAME.fullmatch(text) and re.search("[A-Za-z]", text)):
        raise BadArgument(
            message(
                "A name has {shortest} to {longest} characters: letters from A to Z, digits, and hyphens between them, "
                "with at least one letter.",
                shortest=SHORTEST,
                longest=LONGEST,
            )
        )
    if skeleton(text) in _reserved():
        raise name_taken()
    return text


def skeleton(text: str) -> str:
    """Returns what a name has in common with those that look like it."""
    return _skeleton(_skeleton(text))  # the letters that one step brings out may be marked or alike in turn


def _skeleton(text: str) -> str:
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    letters = "".join(letter for letter in parts if unicodedata.category(letter)[0] != "M")
    return letters.translate(_SEPARATORS).translate(_ALIKE)


def name_taken() -> NameTaken:
    """Returns the refusal of a name that somebody has, or nobody may have."""
    return NameTaken(message("That name is taken, or looks like one that is: choose another."))


@cache
def _reserved() -> frozenset[str]:
    """The skeletons of names that would be taken for the server, and of those that guests are given."""
    return frozenset(map(skeleton, (*_RESERVED.split(), *every_given_nickname())))
