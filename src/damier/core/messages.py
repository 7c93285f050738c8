"""Sentences for people, in English, French and German, from one gettext catalogue.

The English text is the key. ``message`` marks a text for extraction and keeps it apart from its values, so that the
language is chosen where the sentence is shown; ``counted`` does so for a text with a singular and a plural. A value may
itself be a message, and numbers are written as the language does: 1,234.5 in English, 1 234,5 in French, 1.234,5 in
German. The catalogue is in ``damier/locale``; ``make messages`` collects the texts and compiles it.
"""

import functools
import gettext
import operator
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, SupportsIndex

LANGUAGES = ("en", "fr", "de")

_LOCALE = Path(__file__).parent.parent / "locale"
_SHOWN = 40  # characters of a user's text that a sentence quotes
_SIGNS = {"en": (",", "."), "fr": ("\u202f", ","), "de": (".", ",")}  # between thousands, before decimals
_LEAST_GROUPED = 10_000  # a plain value below is written without a separator: turns, ports, small counts


@dataclass(frozen=True)
class Number:
    """A number in a sentence.

    >>> Number(1234.5, ",.2f").render("de")
    '1.234,50'
    """

    value: float
    spec: str = ","
    """How Python formats it: ``,`` with separators, ``.1f`` with one decimal, ``+.0f`` with its sign."""

    def render(self, lang: str = "en") -> str:
        """Returns the number in a language."""
        return _localized(format(self.value, self.spec), lang)

    def __str__(self) -> str:
        return self.render()


@dataclass(frozen=True)
class Message:
    """A sentence that can be rendered in every language of the catalogue."""

    text: str
    values: dict[str, object] = field(default_factory=dict)
    plural: str | None = None
    """The text where the value `count` is not one; the languages have rules of their own for it."""

    def render(self, lang: str = "en") -> str:
        """Returns the sentence in a language."""
        values = {name: _rendered(value, lang) for name, value in self.values.items()}
        return self._text(lang).format_map(values)

    def _text(self, lang: str) -> str:
        if self.plural is None:
            return catalogue(lang).gettext(self.text)
        count = self.values["count"]
        number = count.value if isinstance(count, Number) else count
        assert isinstance(number, SupportsIndex), "only whole numbers choose between singular and plural"
        return catalogue(lang).ngettext(self.text, self.plural, operator.index(number))

    def __str__(self) -> str:
        return self.render()

    def __hash__(self) -> int:
        return hash(self.text)


def message(text: str, /, **values: object) -> Message:
    """Returns a message; the text is collected into the catalogue."""
    return Message(text, values)


def counted(one: str, many: str, /, *, count: int | Number, **values: object) -> Message:
    """Returns a message in the singular or the plural; both texts contain {count} and are collected."""
    return Message(one, {"count": count, **values}, many)


def message_data(value: Message) -> dict[str, Any]:
    """Returns a message as data for JSON, from which `read_message` makes the same message.

    >>> message_data(message("{count} of {what}", count=3, what=Number(0.5, ".1f")))
    {'text': '{count} of {what}', 'values': {'count': 3, 'what': {'number': 0.5, 'spec': '.1f'}}}
    """
    plural = {} if value.plural is None else {"plural": value.plural}
    return {"text": value.text, "values": {name: _value_data(each) for name, each in value.values.items()}, **plural}


def _value_data(value: object) -> object:
    if isinstance(value, Message):
        return message_data(value)
    if isinstance(value, Number):
        return {"number": value.value, "spec": value.spec}
    assert value is None or isinstance(value, str | int | float), "other values are not for sending"
    return value


def read_message(data: Mapping[str, Any]) -> Message:
    """Returns the message of `message_data`."""
    values = {name: _read_value(value) for name, value in data["values"].items()}
    return Message(data["text"], values, data.get("plural"))


def _read_value(data: Any) -> object:
    if not isinstance(data, dict):
        return data
    return Number(data["number"], data["spec"]) if "number" in data else read_message(data)


def _rendered(value: object, lang: str) -> object:
    """Returns a value as the language writes it; texts stay as they are."""
    if isinstance(value, Message | Number):
        return value.render(lang)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _plain_number(value, lang)
    return value


def _plain_number(value: float, lang: str) -> str:
    """Returns a plain value of a sentence: in English as Python writes it, elsewhere as the language does."""
    if lang == "en":
        return str(value)
    return _localized(f"{value:,}" if abs(value) >= _LEAST_GROUPED else str(value), lang)


def _localized(text: str, lang: str) -> str:
    """Returns an English number in a language; a language that is not listed writes it as English does."""
    thousands, point = _SIGNS.get(lang, _SIGNS["en"])
    return text.translate({ord(","): thousands, ord("."): point})


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
