"""Collects the sentences of the source into the gettext catalogue and compiles it.

    python -m tools.messages           update src/damier/locale/*/LC_MESSAGES/damier.po and .mo
    python -m tools.messages --check   fail if they are not up to date or a translation is missing

A text is collected where it is the first argument of ``message(...)``, singular and plural where they are the first two
of ``counted(...)``. Translations are edited in the .po files.
"""

import io
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from damier.core.messages import LANGUAGES

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "damier"
TRANSLATIONS = LANGUAGES[1:]  # the first is the language of the source
_KEYWORDS = {"message": None, "counted": (1, 2)}
_DATE = datetime(2026, 1, 1, tzinfo=UTC)  # always the same, so that the files change only with their texts


def collected() -> Catalog:
    """Returns the texts of the source, in the order of the files."""
    catalogue = Catalog(project="damier", creation_date=_DATE, revision_date=_DATE)
    for file, _line, text, _comments, _context in sorted(
        extract_from_dir(SOURCE, method_map=[("**.py", "python")], keywords=_KEYWORDS), key=lambda row: row[:2]
    ):
        catalogue.add(text, locations=[(f"src/damier/{file}", 0)])
    return catalogue


def updated(lang: str, template: Catalog) -> Catalog:
    """Returns the catalogue of a language: exactly the texts of the source, with their existing translations."""
    file = po_file(lang)
    catalogue = Catalog(locale=lang, project="damier", creation_date=_DATE, revision_date=_DATE)
    if file.exists():
        with file.open("rb") as stream:
            catalogue = read_po(stream, locale=lang)
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.creation_date = catalogue.revision_date = _DATE
    catalogue.fuzzy = False
    catalogue.header_comment = f"# The sentences of damier, locale {lang}; `make messages` keeps the texts up to date."
    catalogue.last_translator = catalogue.language_team = catalogue.msgid_bugs_address = "the damier developers"
    return catalogue


def po_file(lang: str) -> Path:
    """Returns the file of translations into a language."""
    return SOURCE / "locale" / lang / "LC_MESSAGES" / "damier.po"


def write(lang: str, catalogue: Catalog) -> None:
    """Writes a catalogue as text and compiled."""
    file = po_file(lang)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as text, file.with_suffix(".mo").open("wb") as compiled:
        write_po(text, catalogue, width=120, include_lineno=False, sort_by_file=True)
        write_mo(compiled, catalogue)


def texts(catalogue: Catalog) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Returns the translations of a catalogue by text."""
    return {_forms(entry.id): _forms(entry.string) for entry in catalogue if entry.id}


def _forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """Returns singular and plural, or the only form of a text; an empty one for what is not translated."""
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def stale(lang: str, catalogue: Catalog) -> list[str]:
    """Returns a line for each file that differs from this catalogue; layout, which depends on Babel, is ignored."""
    found = []
    for path, read in ((po_file(lang), read_po), (po_file(lang).with_suffix(".mo"), read_mo)):
        if not path.exists() or texts(read(io.BytesIO(path.read_bytes()))) != texts(catalogue):
            found.append(f"{path.relative_to(ROOT)} is not up to date: run make messages")
    return found


def problems(lang: str, catalogue: Catalog) -> list[str]:
    """Returns a line for each missing or wrong translation."""
    found = []
    for entry in catalogue:
        if not entry.id:
            continue
        if not all(_forms(entry.string)) or entry.fuzzy:
            found.append(f"{lang}: not translated: {entry.id}")
        elif list(map(_values, _forms(entry.id))) != list(map(_values, _forms(entry.string))):
            found.append(f"{lang}: the values in braces differ from the original: {entry.string}")
    return found


def _values(text: str) -> list[str]:
    return sorted(re.findall(r"\{\w+\}", text))


def main() -> int:
    """Updates the catalogue, or with --check prints what is not up to date."""
    template = collected()
    found: list[str] = []
    for lang in TRANSLATIONS:
        catalogue = updated(lang, template)
        if "--check" in sys.argv:
            found += stale(lang, catalogue)
        else:
            write(lang, catalogue)
        found += problems(lang, catalogue)
    print("\n".join(found) or f"{len(template)} sentences in {len(LANGUAGES)} languages")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
