"""Folders stay small enough to find a module at a glance; ``test_docs.py`` checks the map of packages."""

from pathlib import Path

import damier

SOURCE = Path(damier.__file__).parent
MOST_MODULES = 17


def test_a_folder_has_about_fifteen_modules_at_most() -> None:
    for package in {file.parent for file in SOURCE.rglob("*.py")} - {
        SOURCE / "cli" / "commands"
    }:  # one for each command
        modules = [file for file in package.glob("*.py") if file.name != "__init__.py"]
        assert len(modules) <= MOST_MODULES, package
