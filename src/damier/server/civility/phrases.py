"""Ready-made phrases: sent by their key, shown in the language of each reader."""

from __future__ import annotations

from damier.core.errors import BadArgument
from damier.core.messages import Message, message, shown
from damier.server.wire.civility.chat import PhraseData

PHRASES: dict[str, Message] = {
    "hello": message("Hello!"),
    "good_luck": message("Good luck and have fun!"),
    "well_played": message("Well played!"),
    "thanks": message("Thank you!"),
    "sorry": message("Sorry!"),
    "one_moment": message("One moment, please."),
    "good_game": message("Good game!"),
    "goodbye": message("I have to go, goodbye!"),
}
"""By key, in the order in which pages show them."""


def phrase_key(key: str) -> str:
    """Returns the key of a phrase; raises `BadArgument` if there is none."""
    if key not in PHRASES:
        raise BadArgument(message("There is no phrase {key}: choose one of {keys}.", key=shown(key), keys=_keys()))
    return key


def _keys() -> str:
    return ", ".join(PHRASES)


def phrase_text(key: str, lang: str) -> str:
    """Returns a phrase in a language; its key if an older version of the program had it."""
    found = PHRASES.get(key)
    return found.render(lang) if found else key


def phrase_data(lang: str) -> list[PhraseData]:
    """Returns all phrases in a language."""
    return [PhraseData(key=key, text=text.render(lang)) for key, text in PHRASES.items()]
