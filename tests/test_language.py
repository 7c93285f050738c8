"""French and German as an editor would want them: one word for one thing, and typographic signs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "damier"
LANGUAGES = ("fr", "de")


def _translations(value: Any, lang: str) -> Iterator[str]:
    """Yields the texts of a language in data whose texts are written by language."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == lang and isinstance(part, str):
                yield part
            else:
                yield from _translations(part, lang)
    elif isinstance(value, list):
        for part in value:
            yield from _translations(part, lang)


def _forms(translation: object) -> list[str]:
    """Returns the singular and plural forms of a translation."""
    return [translation] if isinstance(translation, str) else list(cast(tuple[str, ...], translation))


def _sentences(lang: str) -> dict[str, list[str]]:
    """Returns everything that people read in a language, by file."""
    catalogue = SOURCE / "locale" / lang / "LC_MESSAGES" / "damier.po"
    with catalogue.open("rb") as stream:
        texts = {
            "damier.po": [text for entry in read_po(stream, locale=lang) if entry.id for text in _forms(entry.string)]
        }
    data = [*SOURCE.glob("server/sentences/**/*.json"), *SOURCE.glob("games/*/lesson.json")]
    texts |= {str(file.relative_to(SOURCE)): list(_translations(json.loads(file.read_text()), lang)) for file in data}
    pages = SOURCE.glob(f"games/*/rules.{lang}.md")
    return texts | {str(file.relative_to(SOURCE)): [" ".join(file.read_text().split())] for file in pages}


def _refused(column: int) -> list[tuple[str, str]]:
    """Returns the words that a column of the glossary refuses, each with its English term."""
    rows = [
        line.split("|")[1:-1] for line in (ROOT / "docs" / "glossary.md").read_text().splitlines() if line[:1] == "|"
    ]
    return [(words.strip(), row[0].strip()) for row in rows[2:] for words in row[column].split(";") if words.strip()]


@pytest.mark.parametrize(("lang", "column"), [("fr", 2), ("de", 4)])
def test_words_that_the_glossary_refuses_occur_nowhere(lang: str, column: int) -> None:
    refused = _refused(column)
    assert len(refused) >= 8, "the table has changed its form"
    found = [
        f"{file}: {words!r} for {term!r} in {text[:80]!r}"
        for file, texts in _sentences(lang).items()
        for text in texts
        for words, term in refused
        if re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE)
    ]
    assert not found, "\n".join(found)


def test_french_writes_the_typographic_apostrophe() -> None:
    found = [
        f"{file}: {text[max(match.start() - 30, 0) : match.end() + 30]}"
        for file, texts in _sentences("fr").items()
        for text in texts
        for match in re.finditer(r"\w'\w", text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nobody_is_addressed_in_two_ways(lang: str) -> None:
    """French says vous, German du."""
    other = {"fr": r"\b(?:tu|ton|tes|toi)\b", "de": r"\b(?:Ihnen|Ihrer|können Sie|Sie können)\b"}[lang]
    found = [
        f"{file}: {text[:80]}" for file, texts in _sentences(lang).items() for text in texts if re.search(other, text)
    ]
    assert not found, "\n".join(found)


def test_a_sentence_of_the_pages_stands_in_one_file() -> None:
    keys = [key for file in SOURCE.glob("server/sentences/**/*.json") for key in json.loads(file.read_text())]
    assert sorted(keys) == sorted(set(keys))
