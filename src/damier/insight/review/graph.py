"""Graphs of the winning chances in a reviewed game: an SVG picture, and text for the terminal.

The picture has a line for each player, distinct by pattern as well as by colour. The text has a column for each
position, divided among the players; for two players only the first player's share is filled, in eighths of a letter.
"""

from collections.abc import Sequence
from hashlib import sha256

from damier.core.errors import BadArgument
from damier.core.messages import counted, message, shown
from damier.draw.markup import label, number, pair, xml_text
from damier.draw.palette import THEMES
from damier.insight.review.review import Review, ReviewedAction, percent

MARKED = 3
"""How many of the biggest mistakes are marked."""

# The text

_ROWS = 8
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_FILLS = "█▓▒░"
_PLAIN_FILLS = "#=:."
_WIDEST_COLUMN = 4  # letters for one position
_LABELS = 8  # letters left of the columns

# The picture

_WIDTH, _HEIGHT = 480, 268
_LEFT, _TOP, _RIGHT, _BOTTOM = 48, 36, 462, 204  # of the field
_DASHES = ("", "7 4", "2 4", "9 3 2 3")
_MOST_TICKS = 9
_LEGEND_WIDTH = 108


def marked_mistakes(review: Review) -> list[ReviewedAction]:
    """Returns the mistakes that are marked, the biggest first."""
    return review.mistakes[:MARKED]


def chance_text(review: Review, width: int = 80, lang: str = "en", *, is_ascii: bool = False) -> str:
    """Returns the graph as lines of at most `width` letters, without colours."""
    columns = _columns(len(review.chances), max(1, width - _LABELS))
    names = [review.game.player_name(player).render(lang) for player in review.game.players]
    if len(names) == 2 and not is_ascii:
        rows = _filled([review.chances[position][0] for position in columns])
        said = message(
            "Filled: the winning chance of {first}; empty: that of {second}.", first=names[0], second=names[1]
        )
        legend = said.render(lang)
    else:
        fills = _PLAIN_FILLS if is_ascii else _FILLS
        rows = _stacked([review.chances[position] for position in columns], fills)
        legend = "  ".join(f"{fill} {name}" for fill, name in zip(fills, names, strict=False))
    labels = {0: "100 %", _ROWS // 2: "50 %", _ROWS - 1: "0 %"}
    bar = "|" if is_ascii else "│"
    lines = [f"{labels.get(row, ''):>{_LABELS - 2}} {bar}{text}" for row, text in enumerate(rows)]
    lines.append(" " * _LABELS + _turn_labels(review, columns))
    if marks := _mark_labels(review, columns):
        lines.append(" " * _LABELS + marks)
    return "\n".join(line.rstrip() for line in [*lines, legend])


def _columns(positions: int, width: int) -> list[int]:
    """Returns the position that each column shows."""
    if positions > width:
        return [column * positions // width for column in range(width)]
    wide = min(_WIDEST_COLUMN, width // positions)
    return [position for position in range(positions) for _ in range(wide)]


def _filled(chances: Sequence[float]) -> list[str]:
    """Returns rows, top to bottom, in which each column is filled up to a chance."""
    heights = [round(chance * _ROWS * 8) for chance in chances]
    return [
        "".join(_EIGHTHS[min(8, max(0, height - 8 * row))] for height in heights) for row in range(_ROWS - 1, -1, -1)
    ]


def _stacked(chances: Sequence[tuple[float, ...]], fills: str) -> list[str]:
    """Returns rows, top to bottom, in which each column is divided among the players, the first at the bottom."""

    def fill(shares: tuple[float, ...], height: float) -> str:
        below = 0.0
        for letter, share in zip(fills, shares, strict=False):
            below += share
            if height < below:
                return letter
        return fills[len(shares) - 1]

    return ["".join(fill(shares, (row + 0.5) / _ROWS) for shares in chances) for row in range(_ROWS - 1, -1, -1)]


def _turn_labels(review: Review, columns: Sequence[int]) -> str:
    """Returns the line of turn numbers: each starts under the first column after its turn."""
    text = ""
    last = -1
    for column, position in enumerate(columns):
        turn = review.turns[position]
        if turn != last and len(text) <= column:
            text = text.ljust(column) + f"{turn} "
        last = turn
    return text[: len(columns)].rstrip()


def _mark_labels(review: Review, columns: Sequence[int]) -> str:
    """Returns the line of marks: the number of each mistake under the first column after it."""
    letters = [" "] * len(columns)
    for mark, step in enumerate(marked_mistakes(review), 1):
        column = next(i for i, position in enumerate(columns) if position >= step.number + 1 or i == len(columns) - 1)
        letters[column] = str(mark)
    return "".join(letters).rstrip()


def chance_svg(review: Review, *, theme: str = "light", lang: str = "en", title: str | None = None) -> str:
    """Returns the graph as a standalone SVG picture."""
    if theme not in THEMES:
        raise BadArgument(
            message("The theme is one of {themes}, not {text}.", themes=", ".join(THEMES), text=shown(theme))
        )
    return _Picture(review, theme, lang, title).document()


class _Picture:
    """The parts of one picture."""

    def __init__(self, review: Review, theme: str, lang: str, title: str | None) -> None:
        self.review, self.theme, self.lang = review, THEMES[theme], lang
        self.players = review.game.players
        self.names = [review.game.player_name(player).render(lang) for player in self.players]
        named = message("{game}: winning chances", game=review.game.title).render(lang)
        self.title = named if title is None else title
        drawn = (repr(review.record.start), review.chances, self.title, theme, lang)
        self.prefix = "damier-" + sha256(repr(drawn).encode("utf-8", "replace")).hexdigest()[:10]

    def document(self) -> str:
        """Returns the SVG document."""
        name, described = f"{self.prefix}-title", f"{self.prefix}-desc"
        parts = [
            label(_LEFT - 36, 23, self.title, self.theme.ink, 14),
            self._grid(),
            *(self._line(number) for number in range(len(self.players))),
            self._marks(),
            self._legend(),
        ]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{_WIDTH}" height="{_HEIGHT}" '
            f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="{name} {described}">\n'
            f'<title id="{name}">{xml_text(self.title)}</title>\n'
            f'<desc id="{described}">{xml_text(self._description())}</desc>\n'
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="12" fill="{self.theme.panel}"/>\n'
            + "\n".join(part for part in parts if part)
            + "\n</svg>\n"
        )

    def _description(self) -> str:
        first, last = self.review.chances[0], self.review.chances[-1]
        said = [
            counted(
                "{player}: {first} % at the beginning, {last} % after {count} turn.",
                "{player}: {first} % at the beginning, {last} % after {count} turns.",
                player=name,
                first=percent(first[i]),
                last=percent(last[i]),
                count=self.review.turns[-1],
            )
            for i, name in enumerate(self.names)
        ]
        said += [
            message(
                "Mistake {number}: {player} in turn {turn}, from {before} % to {after} %.",
                number=mark,
                player=self.review.game.player_name(step.mover),
                turn=step.turn,
                before=percent(self.review.chance_before(step)),
                after=percent(self.review.chance_after(step)),
            )
            for mark, step in enumerate(marked_mistakes(self.review), 1)
        ]
        return " ".join(sentence.render(self.lang) for sentence in said)

    def _place(self, position: int, chance: float) -> tuple[float, float]:
        """Returns the coordinates of a chance at a position."""
        last = max(1, len(self.review.chances) - 1)
        return _LEFT + (_RIGHT - _LEFT) * position / last, _BOTTOM - (_BOTTOM - _TOP) * chance

    def _grid(self) -> str:
        """Returns the grid with percentages and turns."""
        theme = self.theme
        parts = [
            f'<rect x="{_LEFT}" y="{_TOP}" width="{_RIGHT - _LEFT}" height="{_BOTTOM - _TOP}" fill="none" '
            f'stroke="{theme.line}"/>'
        ]
        for share in (0, 25, 50, 75, 100):
            y = self._place(0, share / 100)[1]
            parts.append(f'<path d="M{_LEFT} {number(y)}H{_RIGHT}" stroke="{theme.line}"/>')
            said = message("{percent} %", percent=share).render(self.lang)
            parts.append(label(_LEFT - 6, y + 4, said, theme.soft, 11, "end"))
        for turn, position in self._ticks():
            x, y = self._place(position, 0)
            parts.append(f'<path d="M{number(round(x, 2))} {number(y)}v4" stroke="{theme.soft}"/>')
            parts.append(label(x, y + 16, str(turn), theme.soft, 11, "middle"))
        parts.append(label(_RIGHT, _BOTTOM + 31, message("Turns").render(self.lang), theme.soft, 11, "end"))
        return '<g class="grid">' + "".join(parts) + "</g>"

    def _ticks(self) -> list[tuple[int, int]]:
        """Returns some turns, evenly spaced, with the positions after them."""
        turns = self.review.turns
        steps = (size * 10**power for power in range(6) for size in (1, 2, 5))
        step = next(step for step in steps if turns[-1] // step < _MOST_TICKS)
        return [(turn, turns.index(turn)) for turn in range(0, turns[-1] + 1, step)]

    def _line(self, player: int) -> str:
        """Returns the line of a player in the colours of the pieces and a pattern of its own."""
        places = [self._place(i, chances[player]) for i, chances in enumerate(self.review.chances)]
        path = "M" + "L".join(map(pair, places))
        end = "".join(
            f'<circle cx="{number(round(places[-1][0], 2))}" cy="{number(round(places[-1][1], 2))}" {paint}/>'
            for paint in (f'r="4.4" fill="{self._edge(player)}"', f'r="3.2" fill="{self._fill(player)}"')
        )
        return f'<g class="chances"><title>{xml_text(self.names[player])}</title>{self._stroke(player, path)}{end}</g>'

    def _stroke(self, player: int, path: str) -> str:
        dashes = f' stroke-dasharray="{_DASHES[player]}"' if _DASHES[player] else ""
        return "".join(
            f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{dashes}/>'
            for colour, width in ((self._edge(player), "4.4"), (self._fill(player), "2.4"))
        )

    def _fill(self, player: int) -> str:
        return self.theme.piece(self.review.game.drawing.looks[self.players[player]].colour).face

    def _edge(self, player: int) -> str:
        return self.theme.piece(self.review.game.drawing.looks[self.players[player]].colour).edge

    def _marks(self) -> str:
        """Returns a numbered ring on the mover's line after each marked mistake."""
        parts = []
        for mark, step in enumerate(marked_mistakes(self.review), 1):
            x, y = self._place(step.number + 1, self.review.chance_after(step))
            said = mistake_title(self.review, step, self.lang)
            parts.append(
                f'<g class="mistake"><title>{xml_text(said)}</title><circle cx="{number(round(x, 2))}" '
                f'cy="{number(round(y, 2))}" r="8" fill="{self.theme.panel}" stroke="{self.theme.accent}" '
                f'stroke-width="2"/>{label(x, y + 4, str(mark), self.theme.accent, 11, "middle", bold=True)}</g>'
            )
        return "\n".join(parts)

    def _legend(self) -> str:
        parts = []
        for player, name in enumerate(self.names):
            x, y = _LEFT - 34 + player * _LEGEND_WIDTH, _HEIGHT - 18
            parts.append(self._stroke(player, f"M{x} {y}h26"))
            parts.append(label(x + 33, y + 4, name, self.theme.ink, 12))
        return '<g class="legend">' + "".join(parts) + "</g>"


def mistake_title(review: Review, step: ReviewedAction, lang: str) -> str:
    """Returns the title of a mistake."""
    return message(
        "Turn {turn}, {player}: {played}",
        turn=step.turn,
        player=review.game.player_name(step.mover),
        played=review.played_text(step),
    ).render(lang)
