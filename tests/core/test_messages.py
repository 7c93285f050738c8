"""Sentences: one list of languages, which the catalogue, the page's menu and the pages of rules follow."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import damier
from damier.core.messages import LANGUAGES, Message, Number, message, message_data, plain, read_message, shown
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


_NUMBERS = st.builds(Number, st.integers() | st.floats(allow_nan=False), st.sampled_from([",", ".1f", "+.0f"]))
_PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | _NUMBERS
_MESSAGES = st.recursive(
    st.builds(Message, st.text(), st.dictionaries(st.text(), _PLAIN), st.none() | st.text()),
    lambda inner: st.builds(Message, st.text(), st.dictionaries(st.text(), _PLAIN | inner), st.none() | st.text()),
    max_leaves=5,
)


@given(_MESSAGES)
def test_a_message_comes_out_of_json_as_it_went_in(sent: Message) -> None:
    read = read_message(json.loads(json.dumps(message_data(sent))))
    assert read == sent
    assert repr(read) == repr(sent), "1 stays 1, and 1.0 stays 1.0"


def test_a_value_that_is_not_for_sending_is_refused() -> None:
    with pytest.raises(AssertionError, match="other values are not for sending"):
        message_data(message("{value}", value=[1]))
