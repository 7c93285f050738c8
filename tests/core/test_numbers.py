"""Numbers in sentences: English stays as Python writes it, French and German have their own signs."""

from pathlib import Path

import pytest
from babel.numbers import format_decimal

from damier.core.messages import LANGUAGES, Number, counted, message
from damier.solve.build.solver import size_text
from damier.solve.tables import duration_text
from damier.solve.value import TableValue


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("value", [0, 7, 1234, 1234567, 0.5, 48.84, -1234.5, 1e9])
def test_a_number_is_written_as_the_locale_of_the_language_writes_it(value: float, lang: str) -> None:
    assert Number(value, ",.2f").render(lang) == format_decimal(value, "#,##0.00", locale=lang)


def test_a_chance_is_written_in_every_language() -> None:
    chance = TableValue("chance", None, 0.4884).text()
    assert [chance.render(lang) for lang in LANGUAGES] == ["48.84 %", "48,84\u00a0%", "48,84\u00a0%"]


def test_plain_values_of_sentences_are_written_as_the_language_does() -> None:
    said = message("{count} {seconds} {text}", count=1234567, seconds=0.5, text="1.5")
    assert [said.render(lang) for lang in LANGUAGES] == [
        "1234567 0.5 1.5",
        "1\u202f234\u202f567 0,5 1.5",
        "1.234.567 0,5 1.5",
    ]
    assert message("{turn}", turn=1234).render("fr") == "1234"
    assert message("{is_over}", is_over=True).render("fr") == "True"


def test_a_counted_noun_is_singular_or_plural_as_the_language_has_it() -> None:
    win = [[TableValue("win", plies).text().render(lang) for plies in (1, 2)] for lang in LANGUAGES]
    assert win[0] == ["win in 1 ply", "win in 2 plies"]
    assert all(one != many.replace("2", "1") for one, many in win)
    assert str(counted("{count} ply", "{count} plies", count=0)) == "0 plies"
    assert str(counted("{count} ply", "{count} plies", count=Number(1000000))) == "1,000,000 plies"


def test_french_uses_the_singular_for_none() -> None:
    none, one, two = (counted("{count} action", "{count} actions", count=count).render("fr") for count in range(3))
    assert (none, one, two) == ("0 action", "1 action", "2 actions")


def test_durations_and_sizes_are_translated() -> None:
    said = [[str(duration_text(minutes)) for minutes in (0.2, 2, 100, 600)]]
    said += [[duration_text(minutes).render(lang) for minutes in (0.2, 2, 100, 600)] for lang in ("fr", "de")]
    assert said == [
        ["a minute", "2 minutes", "2 hours", "10 hours"],
        ["une minute", "2 minutes", "2 heures", "10 heures"],
        ["1 Minute", "2 Minuten", "2 Stunden", "10 Stunden"],
    ]
    sizes = [[size_text(size).render(lang) for size in (1, 12, 1536, 5 * 2**29)] for lang in LANGUAGES]
    assert sizes == [
        ["1 byte", "12 bytes", "1.5 kB", "2.5 GB"],
        ["1\u00a0octet", "12\u00a0octets", "1,5\u00a0ko", "2,5\u00a0Go"],
        ["1\u00a0Byte", "12\u00a0Byte", "1,5\u00a0kB", "2,5\u00a0GB"],
    ]


@pytest.mark.parametrize("lang", LANGUAGES[1:])
def test_a_percent_sign_in_a_translation_has_a_no_break_space(lang: str) -> None:
    import damier

    file = Path(damier.__file__).parent / "locale" / lang / "LC_MESSAGES" / "damier.po"
    lines = file.read_text(encoding="utf-8").splitlines()
    translated = [line for i, line in enumerate(lines) if not line.startswith("msgid") and not _is_original(lines, i)]
    assert [line for line in translated if " %" in line] == []


def _is_original(lines: list[str], number: int) -> bool:
    """Tells whether a line of a catalogue continues the English text."""
    while lines[number].startswith('"'):
        number -= 1
    return lines[number].startswith("msgid")
