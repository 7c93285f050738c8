"""A position as a standalone SVG 1.1 document, drawn from the drawing data alone.

The picture is 480 units wide whatever size it is shown at; its height follows from the board, the stacks and the
captions. Ids begin with a digest of what is drawn, so that several pictures can share a page. The same call returns
the same text.
"""

import textwrap
from collections.abc import Iterable, Sequence
from hashlib import sha256
from math import hypot

from damier.core.drawing import HAND, Cell, Piece, die_shown, hand_captions, piece_label, position_captions
from damier.core.errors import BadArgument
from damier.core.messages import Message, message, shown
from damier.core.outcome import Result
from damier.core.position import Position
from damier.draw.artwork import (
    ARROW_END,
    ARROW_HALO,
    ARROW_HEAD,
    ARROW_WIDTH,
    BRACKET_ARM,
    BRACKET_INSET,
    DIE_EDGE,
    DRUM_DEPTH,
    LINE_END,
    LINE_END_TAKEN,
    LINE_START,
    SHADOW_SPREAD,
    TILT,
    Artwork,
    grain,
    shadow,
    sign,
    table_die,
)
from damier.draw.marks import PieceRoute, TurnMarks
from damier.draw.markup import label, number, pair, xml_text
from damier.draw.palette import THEMES, Theme
from damier.draw.view import BoardView

_WIDTH = 480
_MARGIN = 10
_FRAME, _BARE_FRAME = 22, 10  # with and without coordinates
_SIZES = (32, 8192)

# A board seen at an angle has the contents of its stacks beside it.
_LIST_LEFT, _LIST_ROW = 350, 20
_ANGLED_UNIT = 45
_SLAB = 12  # how thick the board is
_ROOM_LEVELS = 3  # levels for which there is always room, so that the board keeps its place while stacks are low

_LINE_HEIGHT, _LINE_LETTERS = 22, 60
_ICON, _SMALL_ICON = 27, 18  # pieces beside a caption, from above and at an angle
_MANY_LINES = 24  # more moves than this are shown by their targets alone


def board_svg(
    position: Position,
    *,
    theme: str = "light",
    size: int = _WIDTH,
    actions: Iterable[str] = (),
    last: str | Sequence[TurnMarks] | None = None,
    coordinates: bool = True,
    flip: bool = False,
    title: str | None = None,
    lang: str = "en",
    result: Result | None = None,
    has_grain: bool = True,
) -> str:
    """Returns a picture of a position, `size` pixels wide.

    `actions` are highlighted. `last` tints the cells of the last turn: those to click for an action, or for a turn
    written with ``+``, or all cells of what `last_turns` returns, with arrows besides. `flip` turns the board by half a
    turn. `title` is for screen readers and tooltips, by default the name of the game. `result` says how the game ended
    where the position does not show it: after a repetition, a resignation or an agreement. Without
    the grain of its wood (`has_grain`) a picture is about half as long when compressed.
    """
    if theme not in THEMES:
        raise BadArgument(
            message("The theme is one of {themes}, not {text}.", themes=", ".join(THEMES), text=shown(theme))
        )
    if not _SIZES[0] <= size <= _SIZES[1]:
        raise BadArgument(
            message("A picture is {low} to {high} pixels wide, not {size}.", low=_SIZES[0], high=_SIZES[1], size=size)
        )
    clicks = [position.game.action_cells(text) for text in actions]
    routes: list[PieceRoute] = []
    if isinstance(last, str):
        tinted = {cell for text in last.split("+") for cell in position.game.action_cells(text)}
    else:
        tinted = {cell for turn in last or () for cell in turn.cells}
        routes = [route for turn in last or () for action in turn.actions for route in action.routes]
    marked = (clicks, tinted, routes)
    return _Picture(
        position, THEMES[theme], size, *marked, coordinates, flip, title, lang, result, has_grain
    ).document()


class _Picture:
    """Draws one picture, part by part."""

    def __init__(
        self,
        position: Position,
        theme: Theme,
        size: int,
        clicks: Sequence[tuple[str, ...]],
        tinted: set[str],
        routes: Sequence[PieceRoute],
        coordinates: bool,
        flip: bool,
        title: str | None,
        lang: str,
        result: Result | None,
        has_grain: bool,
    ) -> None:
        self.has_grain = has_grain
        self.position, self.theme, self.size, self.lang = position, theme, size, lang
        self.clicks, self.tinted, self.routes, self.coordinates = clicks, tinted, routes, coordinates
        self.drawing, self.artwork = position.game.drawing, Artwork(position.game.definition)
        self.paints = {player: theme.piece(look.colour) for player, look in self.drawing.looks.items()}
        self.pieces = position.pieces()
        self.cells = {cell.name: cell for cell in self.drawing.cells}
        self.heights = {name: sum(piece.cell == name for piece in self.pieces) for name in self.cells}
        self.title = position.game.title if title is None else title
        self.result = result or position.result
        self.captions = position_captions(position, self.result)
        self.frame = _FRAME if coordinates else _BARE_FRAME
        self.icon = _ICON if self.drawing.view == "flat" else _SMALL_ICON
        self.board_end = 0.0  # without the list beside it
        self.view, self.bottom = self._arrange(flip)
        drawn = (repr(position), self.title, size, clicks, sorted(tinted), coordinates, flip, lang, theme.panel)
        text = repr(drawn) + (repr(routes) if routes else "")
        self.prefix = "damier-" + sha256(text.encode("utf-8", "replace")).hexdigest()[:10]

    def _arrange(self, flip: bool) -> tuple[BoardView, float]:
        """Returns the view, and where the board ends and the captions begin."""
        drawing, edge = self.drawing, _MARGIN + self.frame
        if drawing.view == "flat":
            unit = (_WIDTH - 2 * edge) / drawing.width
            view = BoardView(edge, edge, unit, drawing, flip)
            return view, edge + drawing.height * unit + self.frame
        around = self._border() * 2 * _ANGLED_UNIT * TILT  # from the corner of the board to that of the frame
        at_origin = BoardView(0, 0, _ANGLED_UNIT, drawing, flip)
        tops = [at_origin.spot(self.cells[piece.cell], max(piece.level, _ROOM_LEVELS) + 1)[1] for piece in self.pieces]
        rise = max([around, *(DRUM_DEPTH * _ANGLED_UNIT - top for top in tops)])
        left = _MARGIN + (drawing.height + 2 * self._border()) * _ANGLED_UNIT
        view = BoardView(left, _MARGIN + rise, _ANGLED_UNIT, drawing, flip)
        end = view.top + (drawing.width + drawing.height) * _ANGLED_UNIT * TILT + around + _SLAB
        self.board_end = end
        return view, max(end, _MARGIN + _LIST_ROW * (len(self.cells) + 1))

    def _border(self) -> float:
        """Returns the width of the frame of a board seen at an angle, in cells."""
        return 0.3 if self.coordinates else 0.12

    def document(self) -> str:
        """Returns the SVG document."""
        captions, end = self._captions()
        parts = [
            self._frame(),
            self._cells(),
            self._coordinates() if self.coordinates else "",
            self._trails() if self.view.is_flat else "",
            self._die(),
            self._shadows(),
            self._pieces(),
            "" if self.view.is_flat else self._trails(),
            self._highlights(),
            "" if self.view.is_flat else self._stacks(),
            captions,
        ]
        gradients = "".join(
            self._painted(player, self.artwork.gradient(look, self._gradient(player)))
            for player, look in self.drawing.looks.items()
        )
        name, described = f"{self.prefix}-title", f"{self.prefix}-desc"
        height = end + _MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{self.size}" '
            f'height="{number(round(height * self.size / _WIDTH, 1))}" viewBox="0 0 {_WIDTH} {number(height)}" '
            f'role="img" aria-labelledby="{name} {described}">\n'
            f'<title id="{name}">{xml_text(self.title)}</title>\n'
            f'<desc id="{described}">{xml_text(self._description())}</desc>\n'
            + (f"<defs>{gradients}</defs>\n" if gradients else "")
            + f'<rect width="{_WIDTH}" height="{number(height)}" rx="12" fill="{self.theme.panel}"/>\n'
            + "\n".join(part for part in parts if part)
            + "\n</svg>\n"
        )

    def _description(self) -> str:
        said = [*self.captions, *hand_captions(self.position).values()]
        sentences = [caption.render(self.lang).rstrip(".") for caption in said]
        sentences += ["; ".join(piece_label(self.drawing, piece, self.lang) for piece in self.pieces)]
        return ". ".join(filter(None, sentences)) + "."

    def _gradient(self, player: str) -> str:
        return f"{self.prefix}-{player}"

    # Board

    def _frame(self) -> str:
        theme, view, drawing = self.theme, self.view, self.drawing
        if view.is_flat:
            inner = 'x="{0}" y="{0}" width="{1}" height="{2}"'
            width, height = drawing.width * view.unit, drawing.height * view.unit
            outer = inner.format(_MARGIN, number(width + 2 * self.frame), number(height + 2 * self.frame))
            hem = inner.format(_MARGIN + 1.5, number(width + 2 * self.frame - 3), number(height + 2 * self.frame - 3))
            board = inner.format(number(view.left), number(width), number(height))
            return (
                f'<g class="frame"><rect {outer} rx="9" fill="{theme.frame}"/>'
                f'<rect {hem} rx="8" fill="none" stroke="{theme.white}" stroke-opacity=".13"/>'
                f'<rect {board} fill="none" stroke="{theme.black}" stroke-opacity=".35" stroke-width="3"/></g>'
            )
        edge = self._border()
        corners = [(-edge, -edge), (drawing.width + edge, -edge), (drawing.width + edge, drawing.height + edge)]
        corners.append((-edge, drawing.height + edge))
        points = sorted(view.point(*corner) for corner in corners)
        left, right, near = points[0], points[-1], max(points, key=lambda point: point[1])
        lower = [pair((x, y + _SLAB)) for x, y in (left, near, right)]
        outline = "L".join([pair(left), *lower, pair(right)])
        side = f'd="M{outline}Z" stroke="{theme.black}" stroke-opacity=".3" stroke-linejoin="round"'
        return (
            f'<g class="frame"><path {side} fill="{theme.frame}"/><path {side} fill="{theme.black}" fill-opacity=".3"/>'
            f'<path d="{view.polygon(corners)}" fill="{theme.frame}" stroke="{theme.white}" stroke-opacity=".13" '
            'stroke-linejoin="round"/></g>'
        )

    def _cells(self) -> str:
        theme, marks = self.theme, self.position.cell_marks()
        parts = []
        for cell in self.drawing.cells:
            path = self.view.polygon(cell.outline)
            said = [cell.name]
            inner = (
                f'<path d="{path}" fill="{theme[cell.fill]}" stroke="{theme.frame}" stroke-opacity=".45" '
                'stroke-linejoin="round"/>'
            )
            if cell.has_grain and self.has_grain:
                inner += self._grain(cell)
            if cell.name in self.tinted:
                inner += f'<path class="last" d="{path}" fill="{theme.last}" fill-opacity=".5"/>'
            if not cell.can_hold:
                inner += self._void(cell)
            if mark := marks.get(cell.name):
                said.append(self.drawing.marks[mark].render(self.lang))
                inner += self._cell_mark(cell, said[-1])
            parts.append(f'<g class="cell {cell.kind}"><title>{xml_text(", ".join(said))}</title>{inner}</g>')
        return '<g class="cells">\n' + "\n".join(parts) + "\n</g>"

    def _grain(self, cell: Cell) -> str:
        lines = ([pair(self.view.point(x, y)) for x, y in line] for line in grain(cell))
        data = "".join(f"M{start}C{' '.join(others)}" for start, *others in lines)
        return f'<path d="{data}" fill="none" stroke="{self.theme.grain}" stroke-opacity=".13"/>'

    def _void(self, cell: Cell) -> str:
        """Returns the drawing of a cell that cannot be entered."""
        inner = self.theme.resolve(self.artwork.cell(cell.kind))
        return self.view.put(self.view.spot(cell), inner, lies=True)

    def _cell_mark(self, cell: Cell, name: str) -> str:
        """Returns a bracket in each corner of a cell and the name of its mark."""
        corners = [(x + (cell.x - x) * BRACKET_INSET, y + (cell.y - y) * BRACKET_INSET) for x, y in cell.outline]
        lines = ""
        for i, (x, y) in enumerate(corners):
            arms = [corners[i - 1], corners[(i + 1) % len(corners)]]
            ends = [self.view.point(x + (to_x - x) * BRACKET_ARM, y + (to_y - y) * BRACKET_ARM) for to_x, to_y in arms]
            lines += f"M{pair(ends[0])}L{pair(self.view.point(x, y))}L{pair(ends[1])}"
        x, y = self.view.point(cell.x, cell.y)
        return (
            f'<path d="{lines}" fill="none" stroke="{self.theme.mark}" stroke-width="2" stroke-linecap="round"/>'
            + label(x, y - self.view.unit * 0.375, name, self.theme.mark, 10, "middle", bold=True)
        )

    def _coordinates(self) -> str:
        """Returns the column letters and row numbers, on the near sides of the frame."""
        drawing, view = self.drawing, self.view
        columns = {cell.name[0]: cell.x for cell in drawing.cells}
        rows = {cell.name[1:]: cell.y for cell in drawing.cells}
        out = self.frame / 2 / view.unit if view.is_flat else self._border() / 2
        ends = (-out, drawing.height + out), (-out, drawing.width + out)
        side = ends[1][view.is_flat == view.flip]
        at = [(name, view.point(x, ends[0][not view.flip])) for name, x in columns.items()]
        at += [(name, view.point(side, y)) for name, y in rows.items()]
        labels = [label(x, y + 4, name, self.theme.label, 11.5, "middle") for name, (x, y) in at]
        return f'<g class="coordinates">{"".join(labels)}</g>'

    # Pieces

    def _pieces(self) -> str:
        lit = {cells[0] for cells in self.clicks if len(cells) == 1}
        near = sorted(self.pieces, key=lambda piece: (self.view.depth(self.cells[piece.cell]), piece.level))
        parts = [self._piece(piece, piece.cell in lit) for piece in near]
        return '<g class="pieces">\n' + "\n".join(parts) + "\n</g>" if parts else ""

    def _piece(self, piece: Piece, is_lit: bool) -> str:
        drawn = self.artwork.piece(self.drawing.looks[piece.player], self._gradient(piece.player), is_lit=is_lit)
        inner = self._painted(piece.player, drawn + "".join(map(self.artwork.mark, piece.marks)))
        place = self.view.spot(self.cells[piece.cell], piece.level)
        title = f"<title>{xml_text(piece_label(self.drawing, piece, self.lang))}</title>"
        return f'<g class="piece">{title}{self.view.put(place, inner)}</g>'

    def _painted(self, player: str, drawing: str) -> str:
        """Returns a drawing in the colours of a player."""
        return self.paints[player].resolve(drawing)

    def _stacks(self) -> str:
        """Returns the list of all stacks, each from bottom to top: on the board, high ones hide those behind them."""
        highest = max(1, *self.heights.values())
        room = _WIDTH - _MARGIN - _LIST_LEFT - 24
        step = min(16.0, room / highest)
        parts = [
            label(_LIST_LEFT, _MARGIN + 12, message("Stacks, bottom first").render(self.lang), self.theme.soft, 11)
        ]
        names = sorted(self.cells, key=lambda name: (self.cells[name].y, self.cells[name].x))
        for row, name in enumerate(names, 1):
            y = _MARGIN + _LIST_ROW * row + 12
            inner = label(_LIST_LEFT, y + 4, name, self.theme.ink if self.heights[name] else self.theme.soft, 12)
            if not self.heights[name]:
                inner += label(_LIST_LEFT + 28, y + 4, "–", self.theme.soft, 12, "middle")
            for piece in self.pieces:
                if piece.cell == name:
                    x = _LIST_LEFT + 28 + piece.level * step
                    inner += _scaled(x, y, step, self._small(piece.player))
            parts.append(f'<g class="stack">{inner}</g>')
        return '<g class="stacks">' + "\n".join(parts) + "</g>"

    def _shadows(self) -> str:
        """Returns the shadow under each stack of a board seen at an angle; those of higher stacks reach farther."""
        parts = []
        for name, height in self.heights.items():
            if height and not self.view.is_flat:
                (x, y), unit = self.view.spot(self.cells[name]), self.view.unit
                wide = unit * (1 + SHADOW_SPREAD * (height - 1))
                place = f"translate({pair((x + wide - unit, y))}) scale({number(wide)} {number(unit)})"
                parts.append(f'<g transform="{place}">{self.theme.resolve(shadow())}</g>')
        return '<g class="shadows">' + "\n".join(parts) + "</g>" if parts else ""

    def _die(self) -> str:
        """Returns the die that lies on the table, left of the near corner of a board seen at an angle."""
        points = die_shown(self.captions)
        if points is None or self.view.is_flat:
            return ""
        edge = self.view.unit * DIE_EDGE
        place = (_MARGIN + edge * 1.25, self.board_end - edge * 1.75)
        return f'<g class="die">{_scaled(*place, edge, self.theme.resolve(table_die(points)))}</g>'

    # Highlights

    def _trails(self) -> str:
        """Returns the arrows of the last turns; on a board seen at an angle they lead from stack to stack."""
        parts = [self._arrow(route) for route in self.routes if route.origin]
        return '<g class="trails">\n' + "\n".join(parts) + "\n</g>" if parts else ""

    def _arrow(self, route: PieceRoute) -> str:
        unit, cells = self.view.unit, [route.origin or route.target, *route.path, route.target]
        points = [self.view.spot(self.cells[name]) if self.view.is_flat else self._top(name) for name in cells]
        (x, y), (to_x, to_y) = points[-2:]
        length = hypot(to_x - x, to_y - y) or 1
        dx, dy = (to_x - x) / length, (to_y - y) / length
        tip = (to_x - dx * unit * ARROW_END, to_y - dy * unit * ARROW_END)
        head = unit * ARROW_HEAD
        sides = [
            (tip[0] - head * (dx + side * dy * 0.7), tip[1] - head * (dy - side * dx * 0.7)) for side in (1.0, -1.0)
        ]
        line = "L".join(map(pair, [*points[:-1], tip]))
        data = f"M{line}M{pair(sides[0])}L{pair(tip)}L{pair(sides[1])}"
        halo = "" if self.view.is_flat else _stroke("trail-halo", data, self.theme.plate, unit * ARROW_HALO, ".7")
        return halo + _stroke("trail", data, self.theme.trail, unit * ARROW_WIDTH, ".85")

    def _highlights(self) -> str:
        """Returns the marks of actions: rings on single cells, lines to targets, dots where a piece can go."""
        if not any(self.clicks):
            return ""
        singles = {cells[-1]: None for cells in self.clicks if len(cells) == 1 or cells[:1] == (HAND,)}
        moves = {(cells[0], cells[1]): None for cells in self.clicks if len(cells) > 1 and cells[0] != HAND}
        drops = {(cells[1], cells[2]): None for cells in self.clicks if len(cells) == 3 and len(moves) == 1}
        origins = {origin for origin, _ in moves}
        parts = []
        if len(moves) <= _MANY_LINES and (self.view.is_flat or len(origins) == 1):
            steps = [move for move in moves if drops or not self._is_taken(move[1])]
            parts += [self._line(*move, "solid") for move in self._farthest(steps)]
            parts += [self._line(*move, "dotted") for move in [*moves, *drops] if move not in steps]
        if len(origins) == 1:
            parts.append(self._sign(origins.pop(), "origin"))
        targets = {cell: None for _, cell in [*moves, *drops]}
        parts += [self._sign(cell, "goal" if self._is_taken(cell) else "dot") for cell in targets]
        parts += [self._sign(cell, "single" if self._is_taken(cell) else "place") for cell in singles]
        return '<g class="actions">\n' + "\n".join(parts) + "\n</g>"

    def _is_taken(self, name: str) -> bool:
        return self.view.is_flat and self.heights[name] > 0

    def _farthest(self, moves: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Returns the longest move in each direction: its line passes the targets of the others."""
        longest: dict[tuple[str, float, float], tuple[float, tuple[str, str]]] = {}
        for origin, to in moves:
            dx, dy = self.cells[to].x - self.cells[origin].x, self.cells[to].y - self.cells[origin].y
            length = hypot(dx, dy)
            way = (origin, round(dx / length, 3), round(dy / length, 3))
            longest[way] = max(longest.get(way, (0.0, (origin, to))), (length, (origin, to)))
        return [move for _, move in longest.values()]

    def _line(self, origin: str, to: str, style: str) -> str:
        """Returns a line between two cells, clear of what stands on them."""
        start, end = self._top(origin), self._top(to)
        length = hypot(end[0] - start[0], end[1] - start[1])
        x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        clear = self.view.unit * LINE_START
        short = self.view.unit * (LINE_END_TAKEN if self._is_taken(to) else LINE_END)
        begin = (start[0] + x * clear, start[1] + y * clear)
        stop = (end[0] - x * short, end[1] - y * short)
        dash = ' stroke-dasharray="0.1 6"' if style == "dotted" else ""
        return (
            f'<path class="{style}" d="M{pair(begin)}L{pair(stop)}" fill="none" stroke="{self.theme.target}" '
            f'stroke-width="3" stroke-linecap="round"{dash}/>'
        )

    def _top(self, name: str) -> tuple[float, float]:
        """Returns the point on top of the pieces on a cell."""
        return self.view.spot(self.cells[name], self.heights[name])

    def _sign(self, name: str, style: str) -> str:
        return self.view.put(self._top(name), self.theme.resolve(sign(style, self.drawing.view)), lies=True)

    # Captions

    def _captions(self) -> tuple[str, float]:
        """Returns the text under the board, and where it ends."""
        first, *others = [caption.render(self.lang) for caption in self.captions] or [""]
        y, left = self.bottom + 6, _MARGIN + 4
        parts = []
        indent = 0
        if player := self._subject():
            parts.append(_scaled(left + 11, y + _LINE_HEIGHT / 2, self.icon, self._small(player)))
            indent = 30
        lines = [(line, left + indent, self.theme.ink) for line in textwrap.wrap(first, _LINE_LETTERS)]
        lines += [(line, left, self.theme.soft) for line in textwrap.wrap(" · ".join(others), _LINE_LETTERS)]
        for line, x, colour in lines:
            parts.append(label(x, y + _LINE_HEIGHT / 2 + 5, line, colour, 14))
            y += _LINE_HEIGHT
        if hands := hand_captions(self.position):
            parts.append(self._hands(hands, y))
            y += _LINE_HEIGHT
        return '<g class="captions">' + "\n".join(parts) + "</g>", y

    def _subject(self) -> str | None:
        """Returns the player whom the first caption is about."""
        result = self.result
        player = result.winner if result else self.position.mover
        return player if player in self.drawing.looks else None

    def _small(self, player: str) -> str:
        return self._painted(player, self.artwork.small_piece(self.drawing.looks[player], self._gradient(player)))

    def _hands(self, hands: dict[str, Message], y: float) -> str:
        held = self.position.hands()
        inner = label(_MARGIN + 4, y + _LINE_HEIGHT / 2 + 5, message("In hand").render(self.lang), self.theme.soft, 14)
        x: float = _MARGIN + 86
        for player, caption in hands.items():
            icon = _scaled(x, y + _LINE_HEIGHT / 2, self.icon, self._small(player))
            count = label(x + 15, y + _LINE_HEIGHT / 2 + 5, str(held[player]), self.theme.ink, 14)
            inner += f'<g class="hand"><title>{xml_text(caption.render(self.lang))}</title>{icon}{count}</g>'
            x += 58
        return inner


def _stroke(name: str, data: str, colour: str, width: float, opacity: str) -> str:
    return (
        f'<path class="{name}" d="{data}" fill="none" stroke="{colour}" stroke-width="{number(width)}" '
        f'stroke-opacity="{opacity}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _scaled(x: float, y: float, size: float, inner: str) -> str:
    return f'<g transform="translate({pair((x, y))}) scale({number(round(size, 2))})">{inner}</g>'
