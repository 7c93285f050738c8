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

    def __init__(self, tokens: Mapping[str, str], pieces: Mapping[str, Mapping[str, str]] = PIECES) -> None:
        super().__init__(tokens)
        self.pieces = pieces

    def __getattr__(self, token: str) -> str:
        try:
            return self[token]
        except KeyError:
            raise AttributeError(token) from None

    def piece(self, colour: str) -> "Theme":
        """Returns the theme with the colours of one kind of piece: `face`, `side`, `gleam`, `pattern` and `edge`."""
        return Theme(
            {**self, **{part: self.resolve(value) for part, value in self.pieces[colour].items()}}, self.pieces
        )

    def resolve(self, artwork: str) -> str:
        """Returns artwork with its tokens replaced by colours."""
        return _TOKEN.sub(lambda token: self[token[1]], artwork)


SHADES = ("light", "dark")
BOARDS: dict[str, dict[str, Any]] = {"wood": {}, **_DATA["boards"]}
"""What boards are made of, each with the tokens and pieces in which it differs from wood."""


def _theme(board: str, shade: int) -> Theme:
    pairs = {**_DATA["tokens"], **BOARDS[board].get("tokens", {})}
    pieces = {name: {**colours, **BOARDS[board].get("pieces", {}).get(name, {})} for name, colours in PIECES.items()}
    return Theme({token: pair[shade] for token, pair in pairs.items()} | _DATA["materials"], pieces)


def theme_name(board: str, shade: str) -> str:
    """Returns the name of a theme: the shade alone stands for wood."""
    return shade if board == "wood" else f"{board}-{shade}"


THEMES = {theme_name(board, shade): _theme(board, i) for board in BOARDS for i, shade in enumerate(SHADES)}

_GENERATED = "/* Generated from src/damier/draw/palette.toml by python -m tools.artwork. */\n"


def stylesheet() -> str:
    """Returns the palette as CSS custom properties; a piece has its colours from the class of its owner's colour."""
    light, dark = THEMES["light"], THEMES["dark"]
    night = {token: colour for token, colour in dark.items() if colour != light[token]}
    rules = [
        _rule(":root", {"color-scheme": "light", **_properties(light)}),
        _rule(':root[data-theme="dark"]', {"color-scheme": "dark", **_properties(night)}),
        "@media (prefers-color-scheme: dark) {\n"
        + _rule(':root:not([data-theme="light"])', {"color-scheme": "dark", **_properties(night)}, "  ")
        + "}\n",
    ]
    rules += [_rule(f".{name}", _properties(_painted(colours))) for name, colours in PIECES.items()]
    return _GENERATED + "".join(rules)


def board_stylesheet() -> str:
    """Returns what boards change in the palette, for a page or a part of it with the attribute `data-board`."""
    tokens = sorted({token for board in BOARDS.values() for token in board.get("tokens", {})})
    painted = sorted({name for board in BOARDS.values() for name in board.get("pieces", {})})
    rules = []
    for board in BOARDS:
        light, dark = (THEMES[theme_name(board, shade)] for shade in SHADES)
        day = _properties({token: light[token] for token in tokens})
        night = _properties({token: dark[token] for token in tokens})
        here = f'[data-board="{board}"]'
        rules += [
            _rule(f":root{here},\n:root {here}", day),
            _rule(_within(':root[data-theme="dark"]', here), night),
            "@media (prefers-color-scheme: dark) {\n"
            + _rule(_within(':root:not([data-theme="light"])', here, "  "), night, "  ")
            + "}\n",
        ]
        rules += [_rule(f"{here} .{name}", _properties(_painted(light.pieces[name]))) for name in painted]
    return _GENERATED + "".join(rules)


def _within(root: str, here: str, indent: str = "") -> str:
    """Returns the selector of the page, or a part of it, that has a board."""
    return f"{root}{here},\n{indent}{root} {here}"


def _painted(colours: Mapping[str, str]) -> dict[str, str]:
    """Returns the colours of a piece that drawings use."""
    return {part: colour for part, colour in colours.items() if part != "terminal"}


def _properties(colours: Mapping[str, str]) -> dict[str, str]:
    return {f"--{token}": colour for token, colour in colours.items()}


def _rule(selector: str, declarations: Mapping[str, str], indent: str = "") -> str:
    lines = [f"{indent}  {name}: {value};\n" for name, value in declarations.items()]
    return f"{indent}{selector} {{\n{''.join(lines)}{indent}}}\n"
