"""Pictures for links: a board with the game's name beside it, as SVG and as PNG."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape as escape_xml

import resvg_py

from damier.draw.marks import last_turns
from damier.draw.palette import THEMES
from damier.draw.svg import board_svg
from damier.server.replay import replay_line
from damier.server.wire.games import GameLine

if TYPE_CHECKING:
    from damier.core.record import Record

WIDTH, HEIGHT = 1200, 630
"""The size that most sites recommend."""

_BOARD_LEFT, _BOARD_HIGH, _TEXT_LEFT = 60, 550, 640
_LINE = 26  # letters of the summary


def link_png(line: str, lang: str) -> bytes:
    """Returns the picture of a game given whole, as JSON, with the fonts of the system.

    The library holds the interpreter's lock while it draws: for a process of the pages.
    """
    record = replay_line(GameLine.model_validate_json(line))
    return bytes(resvg_py.svg_to_bytes(svg_string=link_picture(record, lang)))


def link_picture(record: Record, lang: str) -> str:
    """Returns a board with its title beside it, as SVG."""
    theme, game = THEMES["light"], record.game
    board = board_svg(record.position, lang=lang, last=last_turns(record), result=record.result)
    placed = f'<svg x="{_BOARD_LEFT}" y="{(HEIGHT - _BOARD_HIGH) // 2}" '
    board = placed + board.removeprefix("<svg ").replace('width="480"', f'width="{_TEXT_LEFT - 2 * _BOARD_LEFT}"', 1)
    start, rest = board.split('height="', 1)
    board = f'{start}height="{_BOARD_HIGH}"{rest.partition(chr(34))[2]}'
    summary = textwrap.wrap(game.definition.summary.render(lang), _LINE, break_long_words=False, break_on_hyphens=False)
    lines = "".join(
        f'<text x="{_TEXT_LEFT}" y="{330 + 48 * i}" font-family="sans-serif" font-size="36" fill="{theme.soft}">'
        f"{escape_xml(line)}</text>"
        for i, line in enumerate(summary)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{theme.page}"/>{board}'
        f'<text x="{_TEXT_LEFT}" y="255" font-family="Palatino, P052, Georgia, serif" font-weight="bold" '
        f'font-size="76" fill="{theme.ink}">{escape_xml(game.title)}</text>{lines}'
        f'<text x="{_TEXT_LEFT}" y="560" font-family="Palatino, P052, Georgia, serif" font-weight="bold" '
        f'font-size="40" fill="{theme.accent}">damier</text></svg>'
    )
