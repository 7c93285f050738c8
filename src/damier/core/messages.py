"""Sentences for people, in English, French and German, from one gettext catalogue.

The English text is the key. ``message`` marks a text for extraction and keeps it apart from its values, so that the
language is chosen where the sentence is shown. A value may itself be a message. The catalogue is in
``damier/locale``; ``make messages`` collects the texts and compiles it.
"""

import functools
import gettext
from dataclasses import dataclass, field
from pathlib import Path

LANGUAGES = ("en", "fr", "de")

_LOCALE = Path(__file__).parent.parent / "locale"
_SHOWN = 40  # characters of a user's text that a sentence quotes


@dataclass(frozen=True)
class Message:
    """A sentence that can be rendered in every language of the catalogue."""

    text: str
    values: dict[str, object] = field(default_factory=dict)

    def render(self, lang: str = "en") -> str:
        """Returns the sentence in a language."""
        values = {
            name: value.render(lang) if isinstance(value, Message) else value for name, value in self.values.items()
        }
        return catalogue(lang).gettext(self.text).format_map(values)

    def __str__(self) -> str:
        return self.render()

    def __hash__(self) -> int:
        return hash(self.text)


def message(text: str, /, **values: object) -> Message:
    """Returns a message; the text is collected into the catalogue."""
    return Message(text, values)


@functools.cache
def catalogue(lang: str) -> gettext.NullTranslations:
    """Returns the translations into a language; English, and any language without a catalogue, is itself."""
    return gettext.translation("damier", _LOCALE, languages=[lang], fallback=True)


def shown(text: str) -> str:
    """Returns a user's text for quoting in a sentence: printable, quoted, cut to 40 characters."""
    return f"'{plain(text, _SHOWN)}'"


def plain(text: str, longest: int) -> str:
    """Returns a text as one line of printable characters, at most `longest` of them."""
    short = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(letter if letter.isprintable() else "?" for letter in short)
