"""Rule pages: ``games/<name>/rules.<lang>.md``, the pictures in them, and how they look in a terminal.

A page is Markdown. The title of an image says what it shows: a position, the actions to highlight, and the options,
separated by ``; ``. ``make pictures`` draws the SVG files from that; the terminal shows boards of text instead.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from damier.core.messages import message
from damier.core.position import Position
from damier.draw.textboard import board_text
from damier.games import definition, load
from damier.teach.material import find_material, read_material

_PICTURE = re.compile(r'!\[(?P<alt>[^\]]*)\]\((?P<file>[^ )]+) "(?P<title>[^"]*)"\)')


@dataclass(frozen=True)
class Picture:
    """A picture of a rule page."""

    alt: str
    file: str
    """Relative to the folder of the pages."""

    position: Position
    actions: tuple[str, ...]


def rule_folder(game: str) -> Path:
    """Returns the folder of the rule pages of a game."""
    return definition(game).folder


def rule_page(game: str, lang: str) -> str:
    """Returns the rule page of a game in a language, or in English, as Markdown; raises `MaterialMissing`."""
    text = find_material(game, f"rules.{lang}.md")
    if text is None:
        missing = message("There is no rule page for {game}.", game=definition(game).title)
        text = read_material(game, "rules.en.md", missing)
    return text.rstrip("\n")


def pictures(game: str, page: str) -> list[Picture]:
    """Returns the pictures of a page."""
    return [_picture(game, match) for match in _PICTURE.finditer(page)]


def page_for_terminal(game: str, page: str, lang: str = "en") -> str:
    """Returns a page with boards of text instead of pictures."""

    def board(match: re.Match[str]) -> str:
        picture = _picture(game, match)
        return f"```\n{board_text(picture.position, lang=lang)}\n```\n\n*{picture.alt}*"

    return _PICTURE.sub(board, page)


def _picture(game: str, match: re.Match[str]) -> Picture:
    return make_picture(game, match["alt"], match["file"], match["title"])


def make_picture(game: str, alt: str, file: str, title: str) -> Picture:
    """Returns the picture that an image of a page describes."""
    position, actions, options = (title.split("; ") + ["", ""])[:3]
    given = dict(option.split("=", 1) for option in options.split())
    return Picture(alt, file, load(game, **given).parse(position.strip()), tuple(actions.split()))
