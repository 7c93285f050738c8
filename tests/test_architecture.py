"""The map of the package is complete: ``docs/architecture.md`` names every package, with one line each."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "damier"
#: Folders with an ``__init__.py`` only so that a tool finds what is in them.
TOOLS = ("server/store/migrations",)

MOST_MODULES = 17


def packages() -> set[str]:
    found = {str(file.parent.relative_to(SOURCE)) for file in SOURCE.rglob("__init__.py")} - {"."}
    return {name for name in found if not name.startswith(TOOLS)}


def listed() -> list[tuple[str, str]]:
    """Returns the packages of the table, with what is said of each."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.split("## Packages\n")[1].split("\n## ")[0]
    return re.findall(r"(?m)^\| `([^`]+)` \| (.+) \|$", section)


def test_every_package_is_listed_once() -> None:
    names = [name for name, _ in listed()]
    assert sorted(names) == sorted(packages())


def test_a_package_is_described_in_one_line() -> None:
    for name, line in listed():
        assert 4 <= len(line) <= 120, name


def test_a_folder_has_about_fifteen_modules_at_most() -> None:
    for package in packages() - {"cli/commands"}:  # as many as there are commands
        modules = [file for file in (SOURCE / package).glob("*.py") if file.name != "__init__.py"]
        assert len(modules) <= MOST_MODULES, package
