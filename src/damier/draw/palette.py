"""The colours of ``palette.toml``, for pictures, terminals and style sheets.

Artwork names colours as CSS custom properties, ``var(--ink)``: a browser resolves them in ``palette.css``, which
`stylesheet` writes; a standalone picture has them replaced by `Theme.resolve`.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_TOKEN = re.compile(r"var\(--([a-z-]+)\)")
_DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_name("palette.toml").read_text("utf-8"))

PIECES: dict[str, dict[str, str]] = _DATA["pieces"]
"""The colours of pieces, by the names that `Look.colour` uses."""


class Theme(dict[str, str]):
    """The colours of one theme by token, also as attributes: ``theme.panel``."""

    def __getattr__(self, token: str) -> str:
        try:
            return self[token]
        except KeyError:
            raise AttributeError(token) from None

    def piece(self, colour: str) -> "Theme":
        """Returns the theme with the colours of one kind of piece: `face`, `side`, `gleam`, `pattern` and `edge`."""
        return Theme({**self, **{part: self.resolve(value) for part, value in PIECES[colour].items()}})

    def resolve(self, artwork: str) -> str:
        """Returns artwork with its tokens replaced by colours."""
        return _TOKEN.sub(lambda token: self[token[1]], artwork)


THEMES = {
    name: Theme({token: pair[i] for token, pair in _DATA["tokens"].items()} | _DATA["materials"])
    for i, name in enumerate(("light", "dark"))
}


def stylesheet() -> str:
    """Returns the palette as CSS custom properties; a piece has its colours from the class of its owner's colour."""
    light, dark = THEMES.values()
    night = {token: colour for token, colour in dark.items() if colour != light[token]}
    rules = [
        _rule(":root", {"color-scheme": "light", **_properties(light)}),
        _rule(':root[data-theme="dark"]', {"color-scheme": "dark", **_properties(night)}),
        "@media (prefers-color-scheme: dark) {\n"
        + _rule(':root:not([data-theme="light"])', {"color-scheme": "dark", **_properties(night)}, "  ")
        + "}\n",
    ]
    for name, colours in PIECES.items():
        rules.append(_rule(f".{name}", _properties({part: colours[part] for part in colours if part != "terminal"})))
    return "/* Generated from src/damier/draw/palette.toml by python -m tools.artwork. */\n" + "".join(rules)


def _properties(colours: Mapping[str, str]) -> dict[str, str]:
    return {f"--{token}": colour for token, colour in colours.items()}


def _rule(selector: str, declarations: Mapping[str, str], indent: str = "") -> str:
    lines = [f"{indent}  {name}: {value};\n" for name, value in declarations.items()]
    return f"{indent}{selector} {{\n{''.join(lines)}{indent}}}\n"
