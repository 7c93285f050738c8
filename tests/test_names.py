"""Each public class name means one thing in the whole package."""

import ast
from collections import defaultdict
from pathlib import Path

import damier

SOURCE = Path(damier.__file__).parent


def class_names() -> dict[str, list[str]]:
    """Returns the modules that define a public class at their top level, by its name."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(str(file.relative_to(SOURCE)))
    return found


def test_a_public_class_name_means_one_thing() -> None:
    names = class_names()
    assert len(names) > 100
    assert [name for name, files in names.items() if len(files) > 1] == []
