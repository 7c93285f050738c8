"""The games and options that tests go through: every variant, and the corners of each range."""

from typing import Any

OptionSet = tuple[str, dict[str, Any]]

OPTION_SETS: list[OptionSet] = [
    ("renfa", {}),
    ("renfa", {"bombs": 5}),
    ("renfa", {"bombs": 7}),
    ("renfa", {"last": 0}),
    ("renfa", {"bombs": 3, "last": 0}),
    ("renfa", {"bombs": 12}),
    ("renfa", {"size": 6, "bombs": 8}),
    ("renfa", {"size": 7, "bombs": 10}),
    ("renfa", {"size": 8, "bombs": 12}),
    ("renfa", {"size": 8, "bombs": 32, "last": 0}),
    ("chefa", {}),
    ("badia", {}),
    ("sensei", {}),
    ("sensei", {"variant": "shizukana-variant"}),
    ("sensei", {"variant": "arashi"}),
    ("sensei", {"variant": "arashi-expert"}),
    ("sensei", {"variant": "arashi-expert", "pits": "a4,b3,d4,f5,g4"}),
    ("sensei", {"variant": "arashi-expert", "pits": ""}),
    ("omba", {}),
    ("omba", {"players": 3}),
    ("omba", {"players": 4}),
]


def name_of(option_set: OptionSet) -> str:
    """Returns an option set as the name of a test case."""
    game, options = option_set
    return " ".join([game, *(f"{name}={value}" for name, value in options.items())])
