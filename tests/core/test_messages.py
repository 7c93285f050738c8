"""Sentences: one list of languages, which the catalogue, the page's menu and the pages of rules follow."""

import re
from pathlib import Path

import damier
from damier.core.messages import LANGUAGES, message, plain, shown
from tools.messages import collected, texts, updated

SOURCE = Path(damier.__file__).parent


def test_the_languages_of_the_catalogue_and_of_the_pages_are_those_of_the_list() -> None:
    assert {folder.name for folder in (SOURCE / "locale").iterdir() if folder.is_dir()} == set(LANGUAGES[1:])
    menu = (SOURCE / "server" / "client" / "net" / "language.js").read_text(encoding="utf-8")
    named = re.search(r"LANGUAGES = \{([^}]*)\}", menu)
    assert named
    assert re.findall(r"(\w+):", named[1]) == list(LANGUAGES)


def test_a_value_that_is_a_message_is_rendered_in_the_same_language() -> None:
    said = message("{player} to move", player=message("Black"))
    assert str(said) == said.render("en") == "Black to move"
    assert "Black" not in said.render("fr")


def test_a_users_text_is_quoted_short_and_printable() -> None:
    assert shown("a\nb") == "'a?b'"
    assert len(shown("x" * 100)) == 42
    assert plain("abcdef", 4) == "abc…"


def test_every_sentence_is_translated_with_its_values() -> None:
    for lang in LANGUAGES[1:]:
        for original, translated in texts(updated(lang, collected())).items():
            assert all(translated), (lang, original)
            values = {name for form in original for name in re.findall(r"{\w+}", form)}
            assert {name for form in translated for name in re.findall(r"{\w+}", form)} == values, (lang, original)
