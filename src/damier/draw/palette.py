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
    night = _declarations({token: dark[token] for token in _DATA["tokens"] if dark[token] != light[token]})
    owners = "".join(f".{name} {{ {_declarations(_painted(name))} }}\n" for name in PIECES)
    return (
        "/* Generated from src/damier/draw/palette.toml by python -m tools.artwork. */\n"
        f":root {{ color-scheme: light; {_declarations(light)} }}\n"
        f':root[data-theme="dark"] {{ color-scheme: dark; {night} }}\n'
        "@media (prefers-color-scheme: dark) {\n"
        f'  :root:not([data-theme="light"]) {{ color-scheme: dark; {night} }}\n'
        f"}}\n{owners}"
    )


def _painted(name: str) -> dict[str, str]:
    return {part: value for part, value in PIECES[name].items() if part != "terminal"}


def _declarations(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{token}: {colour};" for token, colour in colours.items())
