"""The pictures of a report: boards with the value of an action on each cell, and graphs of all positions.

A value has a colour, a shape (a triangle up for a win, a bar for a draw, a triangle down for a loss) and words; a
chance has a colour and a percentage. The colour is stronger the nearer the end, or the greater the chance.
The boards are those of ``draw/svg.py``; the outlines of cells are read from them. Pictures have a panel of their own,
so that they can be read on a dark page too.
"""

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from math import log10
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from damier.core.position import Position
from damier.draw.markup import label, number, pair
from damier.draw.palette import THEMES
from damier.draw.svg import board_svg
from damier.solve.value import TableValue

SIZE = 420
"""Width of the pictures of boards in pixels, as on the rule pages."""

_THEME = THEMES["light"]
_COLOURS = {"win": _THEME.target, "draw": _THEME.soft, "loss": _THEME.accent}
_SHAPES = {"win": "M0-.1L.115.09H-.115Z", "draw": "M-.12-.035H.12V.035H-.12Z", "loss": "M0 .1L.115-.09H-.115Z"}
_DRAWN, _FAINTEST, _STRONGEST = 0.14, 0.3, 0.55  # how strong a colour is; more would make the words hard to read
_NAMESPACE = "{http://www.w3.org/2000/svg}"

Corners = list[tuple[float, float]]


def board(position: Position, *actions: str, last: str | None = None) -> str:
    """Returns a position with actions highlighted, and the cells of the last action tinted."""
    return board_svg(position, actions=actions, last=last, size=SIZE)


# Values on cells -----------------------------------------------------------------------------------------------------


def heat_map(position: Position, values: Mapping[str, TableValue], best: Collection[str], title: str) -> str:
    """Returns a board with values on cells; the best have a frame unless all are equal."""
    svg = board_svg(position, size=SIZE, title=title)
    outlines = _outlines(svg)
    framed = best if len(best) < len(values) else ()
    strengths = _strengths(values)
    parts = [_cell(cell, outlines[cell], value, strengths[cell], cell in framed) for cell, value in values.items()]
    return svg.removesuffix("</svg>\n") + '<g class="values">\n' + "\n".join(parts) + "\n</g>\n</svg>\n"


def _outlines(svg: str) -> dict[str, Corners]:
    """Returns the corners of each cell, read from a picture of the board."""
    outlines = {}
    for group in ElementTree.fromstring(svg).iter(f"{_NAMESPACE}g"):
        if group.get("class", "").startswith("cell "):
            name = (group.findtext(f"{_NAMESPACE}title") or "").split(",")[0]
            path = group[1].get("d", "")
            corners = [corner.split() for corner in path.strip("MZ").split("L")]
            outlines[name] = [(float(x), float(y)) for x, y in corners]
    return outlines


def _strengths(values: Mapping[str, TableValue]) -> dict[str, float]:
    """Returns the opacity of the colour of each value."""
    farthest = max((value.plies or 0 for value in values.values()), default=0)
    chances = [value.chance for value in values.values()]
    strengths = {}
    for cell, value in values.items():
        nearness = 1 - (value.plies or 0) / (farthest + 1)
        if value.outcome == "chance":
            nearness = (value.chance - min(chances)) / (max(chances) - min(chances) or 1)
        strengths[cell] = _DRAWN if value.outcome == "draw" else _FAINTEST + (_STRONGEST - _FAINTEST) * nearness
    return strengths


def _cell(name: str, corners: Corners, value: TableValue, strength: float, is_best: bool) -> str:
    """Returns what is drawn on a cell."""
    if value.outcome == "chance":
        return _chance_cell(name, corners, value, strength, is_best)
    x, y = (sum(corner[axis] for corner in corners) / len(corners) for axis in (0, 1))
    unit = min(max(corner[axis] for corner in corners) - min(corner[axis] for corner in corners) for axis in (0, 1))
    high, low = (-0.21, 0.1) if value.plies else (-0.12, 0.18)  # a draw has no second line
    parts = [
        f"<title>{escape(f'{name}: {value.text().render()}')}</title>",
        f'<path d="{_path(corners)}" fill="{_COLOURS[value.outcome]}" fill-opacity="{number(strength)}"/>',
        _frame(corners, x, y) if is_best else "",
        f'<g transform="translate({number(x)} {number(y + high * unit)}) scale({number(unit)})">'
        f'<path d="{_SHAPES[value.outcome]}" fill="{_COLOURS[value.outcome]}" stroke="{_THEME.panel}" '
        'stroke-width=".014" stroke-linejoin="round"/></g>',
        label(x, y + low * unit, value.outcome, _THEME.ink, 0.2 * unit, "middle", bold=True),
        label(x, y + 0.31 * unit, f"in {value.plies}", _THEME.ink, 0.18 * unit, "middle") if value.plies else "",
    ]
    return '<g class="value">' + "".join(parts) + "</g>"


def _chance_cell(name: str, corners: Corners, value: TableValue, strength: float, is_best: bool) -> str:
    """Returns what is drawn on a cell whose action has a chance."""
    x, y = (sum(corner[axis] for corner in corners) / len(corners) for axis in (0, 1))
    unit = min(max(corner[axis] for corner in corners) - min(corner[axis] for corner in corners) for axis in (0, 1))
    parts = [
        f"<title>{escape(f'{name}: {value.text().render()}')}</title>",
        f'<path d="{_path(corners)}" fill="{_COLOURS["win"]}" fill-opacity="{number(strength)}"/>',
        _frame(corners, x, y) if is_best else "",
        label(x, y + 0.07 * unit, f"{100 * value.chance:.2f} %", _THEME.ink, 0.18 * unit, "middle", bold=True),
    ]
    return '<g class="value">' + "".join(parts) + "</g>"


def _frame(corners: Corners, x: float, y: float) -> str:
    """Returns a frame inside a cell around (x, y)."""
    inside = [(left + (x - left) * 0.1, top + (y - top) * 0.1) for left, top in corners]
    return f'<path d="{_path(inside)}" fill="none" stroke="{_THEME.ink}" stroke-width="2" stroke-linejoin="round"/>'


def _path(corners: Corners) -> str:
    return "M" + "L".join(map(pair, corners)) + "Z"


# Distances -----------------------------------------------------------------------------------------------------------

_WIDTH, _HEIGHT = 480, 290
_LEFT, _TOP, _RIGHT, _BOTTOM = 74, 40, 466, 224  # of the field
_LEAST = 0.5  # where the scale begins, so that a single position can be seen
_MOST_TICKS = 26


def distance_graph(wins: Mapping[int, int], losses: Mapping[int, int], title: str) -> str:
    """Returns a graph of the numbers of positions by distance, on a logarithmic scale."""
    return _Graph(wins, losses, title).document()


class _Graph:
    """A graph of distances."""

    def __init__(self, wins: Mapping[int, int], losses: Mapping[int, int], title: str) -> None:
        self.wins, self.losses, self.title = wins, losses, title
        self.last = max((*wins, *losses), default=1)
        most = max((*wins.values(), *losses.values()), default=1)
        self.powers = range(len(str(most)) + 1)
        self.slot = (_RIGHT - _LEFT) / self.last
        self.width = self.slot * (0.42 if set(wins) & set(losses) else 0.66)
        self.prefix = "damier-" + sha256(repr((title, wins, losses)).encode()).hexdigest()[:10]

    def document(self) -> str:
        """Returns the SVG document."""
        name, described, hatch = (f"{self.prefix}-{part}" for part in ("title", "desc", "hatch"))
        stripes = f'<path d="M-1 7L7-1M-1 1L1-1M5 7L7 5" stroke="{_COLOURS["loss"]}" stroke-width="1.6"/>'
        bars = [self._bars(plies) for plies in range(1, self.last + 1)]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{_WIDTH}" height="{_HEIGHT}" '
            f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="{name} {described}">\n'
            f'<title id="{name}">{escape(self.title)}</title>\n'
            f'<desc id="{described}">{escape(self._description())}</desc>\n'
            f'<defs><pattern id="{hatch}" width="6" height="6" patternUnits="userSpaceOnUse">'
            f'<rect width="6" height="6" fill="{_THEME.panel}"/>{stripes}</pattern></defs>\n'
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="12" fill="{_THEME.panel}"/>\n'
            + "\n".join([label(14, 24, self.title, _THEME.ink, 14), self._grid(), *filter(None, bars), self._legend()])
            + "\n</svg>\n"
        )

    def _description(self) -> str:
        said = [f"{count:,} win in {plies}" for plies, count in self.wins.items()]
        said += [f"{count:,} lose in {plies}" for plies, count in self.losses.items()]
        return "; ".join(said) + "."

    def _height(self, count: float) -> float:
        """Returns the y coordinate of a count."""
        top = self.powers[-1] - log10(_LEAST)
        return _BOTTOM - (_BOTTOM - _TOP) * (log10(count) - log10(_LEAST)) / top

    def _grid(self) -> str:
        parts = []
        for power in self.powers:
            y = self._height(10**power)
            parts.append(f'<path d="M{_LEFT} {number(round(y, 2))}H{_RIGHT}" stroke="{_THEME.line}"/>')
            parts.append(label(_LEFT - 6, y + 4, f"{10**power:,}", _THEME.soft, 11, "end"))
        parts.append(f'<path d="M{_LEFT} {_BOTTOM}H{_RIGHT}" stroke="{_THEME.soft}"/>')
        step = next(step for step in (1, 2, 5, 10, 20) if self.last // step < _MOST_TICKS)
        for plies in range(1 if step == 1 else step, self.last + 1, step):
            parts.append(label(self._middle(plies), _BOTTOM + 16, str(plies), _THEME.soft, 11, "middle"))
        parts.append(label(_RIGHT, _BOTTOM + 34, "plies to the end", _THEME.soft, 11, "end"))
        return '<g class="grid">' + "".join(parts) + "</g>"

    def _middle(self, plies: int) -> float:
        return _LEFT + (plies - 0.5) * self.slot

    def _bars(self, plies: int) -> str:
        """Returns the bars of a distance, wins beside losses."""
        counts = {"win": self.wins.get(plies, 0), "loss": self.losses.get(plies, 0)}
        counts = {outcome: count for outcome, count in counts.items() if count}
        left = self._middle(plies) - self.width * len(counts) / 2
        parts = []
        for i, (outcome, count) in enumerate(counts.items()):
            told = f"<title>{count:,} {'win' if outcome == 'win' else 'lose'} in {plies}</title>"
            parts.append(f'<g class="{outcome}">{told}{self._bar(left + i * self.width, outcome, count)}</g>')
        return "".join(parts)

    def _bar(self, left: float, outcome: str, count: int) -> str:
        top = self._height(count)
        return (
            f'<rect x="{number(round(left, 2))}" y="{number(round(top, 2))}" width="{number(round(self.width, 2))}" '
            f'height="{number(round(_BOTTOM - top, 2))}" {self._paint(outcome)}/>'
        )

    def _paint(self, outcome: str) -> str:
        fill = _COLOURS["win"] if outcome == "win" else f"url(#{self.prefix}-hatch)"
        return f'fill="{fill}" stroke="{_COLOURS[outcome]}" stroke-width="1"'

    def _legend(self) -> str:
        said = {"win": "won for the player on move", "loss": "lost"}
        parts = []
        for x, (outcome, text) in zip((_LEFT, _LEFT + 214), said.items(), strict=True):
            parts.append(f'<rect x="{x}" y="{_HEIGHT - 27}" width="22" height="12" {self._paint(outcome)}/>')
            parts.append(label(x + 29, _HEIGHT - 17, text, _THEME.ink, 12))
        return '<g class="legend">' + "".join(parts) + "</g>"


def chance_graph(parts: Sequence[int], title: str) -> str:
    """Returns a histogram of the chances of all positions, in equal parts from 0 to 1."""
    prefix = "damier-" + sha256(repr((title, parts)).encode()).hexdigest()[:10]
    slot, most = (_RIGHT - _LEFT) / len(parts), max(parts)
    drawn = []
    for number_of, count in enumerate(parts):
        height = (_BOTTOM - _TOP) * count / most
        low, high = (round(100 * (number_of + i) / len(parts)) for i in (0, 1))
        drawn.append(
            f"<g><title>{low} to {high} %: {count:,}</title>"
            f'<rect x="{number(round(_LEFT + slot * (number_of + 0.12), 2))}" '
            f'y="{number(round(_BOTTOM - height, 2))}" width="{number(round(0.76 * slot, 2))}" '
            f'height="{number(round(height, 2))}" fill="{_COLOURS["win"]}"/></g>'
        )
    for tick in range(0, 101, 10):
        drawn.append(label(_LEFT + (_RIGHT - _LEFT) * tick / 100, _BOTTOM + 16, str(tick), _THEME.soft, 11, "middle"))
    drawn.append(label(_RIGHT, _BOTTOM + 34, "chance to win in %, before the roll", _THEME.soft, 11, "end"))
    drawn.append(label(_LEFT - 6, _TOP + 4, f"{most:,}", _THEME.soft, 11, "end"))
    drawn.append(f'<path d="M{_LEFT} {_BOTTOM}H{_RIGHT}" stroke="{_THEME.soft}"/>')
    said = "; ".join(f"{count:,} from {100 * i // len(parts)} %" for i, count in enumerate(parts))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{_WIDTH}" height="{_BOTTOM + 50}" '
        f'viewBox="0 0 {_WIDTH} {_BOTTOM + 50}" role="img" aria-labelledby="{prefix}-title {prefix}-desc">\n'
        f'<title id="{prefix}-title">{escape(title)}</title>\n<desc id="{prefix}-desc">{escape(said)}.</desc>\n'
        f'<rect width="{_WIDTH}" height="{_BOTTOM + 50}" rx="12" fill="{_THEME.panel}"/>\n'
        + "\n".join([label(14, 24, title, _THEME.ink, 14), *drawn])
        + "\n</svg>\n"
    )
