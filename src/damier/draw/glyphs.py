"""Pieces and marks as SVG fragments, in the colours of a theme.

Lengths are in cells and (0, 0) is the middle of the cell a piece stands on, so that a fragment is put in its place by
one ``translate`` and ``scale``. Owners differ by pattern as well as by colour.
"""

from dataclasses import dataclass
from math import cos, pi, sin

from damier.core.drawing import Look


@dataclass(frozen=True)
class Theme:
    """The colours of a board and of what is written beside it."""

    panel: str
    ink: str
    soft: str
    accent: str
    line: str
    light: str
    dark: str
    frame: str
    hole: str
    target: str
    last: str
    label: str
    """Coordinates on the frame."""

    rim: str
    """The outline of dark pieces."""


THEMES = {
    "light": Theme(
        panel="#fffdf8",
        ink="#26221c",
        soft="#6f6658",
        accent="#a63d2b",
        line="#cbbfa8",
        light="#ead9b8",
        dark="#d9bf93",
        frame="#8a6a45",
        hole="#5d4a33",
        target="#1f6f8b",
        last="#e0b23c",
        label="#fff4df",
        rim="#0f0d0a",
    ),
    "dark": Theme(
        panel="#23201b",
        ink="#eee6d6",
        soft="#a3998a",
        accent="#e07a5f",
        line="#453e34",
        light="#6b5940",
        dark="#574731",
        frame="#2d251b",
        hole="#15110c",
        target="#69b7d1",
        last="#e0b23c",
        label="#bcae96",
        rim="#8d8270",
    ),
}


@dataclass(frozen=True)
class Paint:
    """What a piece of some colour is painted with."""

    fill: str
    shade: str
    """The side away from the light."""

    gleam: str
    """The side towards the light."""

    pattern: str
    outline: str


PAINTS = {
    "noir": Paint("#2a2620", "#12100d", "#5a5348", "#cfc4ae", ""),
    "blanc": Paint("#f8f2e4", "#d3c6aa", "#ffffff", "#4a4339", "#3a342b"),
    "green": Paint("#2c7a5b", "#1b5540", "#4a9a7a", "#e4f2ea", "#123a2b"),
    "red": Paint("#b8432f", "#842c1e", "#d4674f", "#fbe3d8", "#571b11"),
    "blue": Paint("#2d6bb3", "#1d4a80", "#5a8fca", "#ffffff", "#12305a"),
    "yellow": Paint("#e2a412", "#b07c05", "#f0c04a", "#3a2a00", "#5e4300"),
    "mauve": Paint("#8a5aa6", "#643d7c", "#ab81c4", "#ffffff", "#41254f"),
}
"""`noir` takes its outline from the theme: dark pieces have to stand out from dark wood."""


def outline(look: Look, theme: Theme) -> str:
    """Returns the colour of the outline of a piece."""
    return PAINTS[look.colour].outline or theme.rim


def number(value: float) -> str:
    """Returns a length as text, rounded, so that equal pictures are equal texts."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# Pieces ------------------------------------------------------------------------------------------------------------


def piece_gradient(look: Look, name: str) -> str:
    """Returns the definition that round pieces need, under a name of its own, or nothing."""
    if look.shape != "bomb":
        return ""
    paint = PAINTS[look.colour]
    stops = ((0, paint.gleam), (0.45, paint.fill), (1, paint.shade))
    inner = "".join(f'<stop offset="{offset}" stop-color="{colour}"/>' for offset, colour in stops)
    return f'<radialGradient id="{name}" cx=".36" cy=".3" r=".75">{inner}</radialGradient>'


def flat_piece(look: Look, theme: Theme, gradient: str, is_lit: bool) -> str:
    """Returns a piece seen from above; `is_lit` sets a light to a fuse."""
    if look.shape == "bomb":
        return _bomb(look, theme, gradient, is_lit)
    if look.shape == "stone":
        return _stone(look, theme)
    return _disc(look, theme)


def _bomb(look: Look, theme: Theme, gradient: str, is_lit: bool) -> str:
    edge, paint = outline(look, theme), PAINTS[look.colour]
    fuse = '<path d="M.2-.21C.25-.33.33-.35.37-.27" fill="none" stroke="{}" stroke-width="{}" stroke-linecap="round"/>'
    return (
        '<ellipse cx=".01" cy=".31" rx=".26" ry=".06" fill="#000" fill-opacity=".28"/>'
        + fuse.format(edge, ".075")
        + fuse.format("#b99a66", ".04")
        + (_flame(0.38, -0.27, theme) if is_lit else "")
        + f'<path d="M.06-.2L.17-.29L.29-.15L.19-.05Z" fill="{paint.shade}" stroke="{edge}" stroke-width=".025" '
        'stroke-linejoin="round"/>'
        f'<circle cx="-.02" cy=".05" r=".28" fill="url(#{gradient})" stroke="{edge}" stroke-width=".028"/>'
        '<path d="M-.21-.01A.2.2 0 0 1-.08-.14" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width=".045" '
        'stroke-linecap="round"/>'
    )


def _flame(x: float, y: float, theme: Theme) -> str:
    """Returns a spark with eight points."""
    points = []
    for i in range(16):
        radius, angle = (0.075 if i % 2 else 0.15), pi * i / 8
        points.append(f"{number(x + radius * cos(angle))},{number(y + radius * sin(angle))}")
    return (
        f'<polygon points="{" ".join(points)}" fill="{theme.last}" stroke="{theme.accent}" stroke-width=".02" '
        f'stroke-linejoin="round"/><circle cx="{number(x)}" cy="{number(y)}" r=".035" fill="#fff"/>'
    )


def _disc(look: Look, theme: Theme) -> str:
    edge, paint = outline(look, theme), PAINTS[look.colour]
    ring = (
        f'<circle cy="-.02" r=".2" fill="none" stroke="{paint.pattern}" stroke-opacity=".75" stroke-width=".022"/>'
        if look.pattern == "ring"
        else ""
    )
    return (
        '<ellipse cx=".015" cy=".07" rx=".335" ry=".32" fill="#000" fill-opacity=".22"/>'
        f'<circle cy=".025" r=".315" fill="{paint.shade}" stroke="{edge}" stroke-width=".028"/>'
        f'<circle cy="-.02" r=".3" fill="{paint.fill}"/>{ring}'
        f'<path d="M-.245-.075A.25.25 0 0 1-.07-.255" fill="none" stroke="{paint.gleam}" stroke-width=".03" '
        'stroke-linecap="round"/>'
    )


def _stone(look: Look, theme: Theme) -> str:
    edge, paint = outline(look, theme), PAINTS[look.colour]
    body = '<rect x="-.33" y="{}" width=".66" height=".64" rx=".15" fill="{}"{}/>'
    return (
        body.format("-.25", "#000", ' fill-opacity=".22"')
        + body.format("-.29", paint.shade, f' stroke="{edge}" stroke-width=".026"')
        + f'<rect x="-.317" y="-.335" width=".634" height=".61" rx=".14" fill="{paint.fill}"/>'
        f'<path d="M-.28-.12V-.2Q-.28-.3-.18-.3H.1" fill="none" stroke="{paint.gleam}" stroke-width=".028" '
        'stroke-linecap="round"/>' + pattern(look, 0.2, 0.2, 0, -0.03)
    )


def pattern(look: Look, rx: float, ry: float, x: float = 0, y: float = 0) -> str:
    """Returns the pattern of a player on a face that reaches rx to either side of (x, y) and ry up and down."""
    colour, thin = PAINTS[look.colour].pattern, number(min(rx, ry) * 0.2)
    stroke = f'fill="none" stroke="{colour}" stroke-opacity=".8" stroke-width="{thin}" stroke-linecap="round"'
    if look.pattern == "stripes":
        lines = "".join(f"M{number(x - rx)} {number(y + i * ry * 0.75)}h{number(2 * rx)}" for i in (-1, 0, 1))
        return f'<path d="{lines}" {stroke}/>'
    if look.pattern == "dots":
        spots = [(x + i * rx * 0.8, y + j * ry * 0.8) for j in (-1, 0, 1) for i in (-1, 0, 1)]
        flat = number(min(rx, ry) * 0.19)
        wide = number(min(rx, ry) * 0.19 * max(1.0, rx / ry))
        return "".join(
            f'<ellipse cx="{number(left)}" cy="{number(top)}" rx="{wide}" ry="{flat}" fill="{colour}" '
            'fill-opacity=".85"/>'
            for left, top in spots
        )
    if look.pattern == "crosses":
        arm = 0.62
        lines = f"M{number(x - rx * arm)} {number(y - ry * arm)}L{number(x + rx * arm)} {number(y + ry * arm)}"
        lines += f"M{number(x + rx * arm)} {number(y - ry * arm)}L{number(x - rx * arm)} {number(y + ry * arm)}"
        return f'<path d="{lines}" {stroke}/>'
    return ""


DRUM_WIDTH, DRUM_DEPTH, DRUM_HEIGHT = 0.62, 0.345, 0.4
"""Half the width of a drum, half the depth of its face, and its height, where a cell is 1 from middle to corner."""


def drum(look: Look, theme: Theme) -> str:
    """Returns a drum seen at an angle; (0, 0) is the middle of its lower face."""
    edge, paint = outline(look, theme), PAINTS[look.colour]
    rx, ry, top = DRUM_WIDTH, DRUM_DEPTH, -DRUM_HEIGHT
    stroke = f'stroke="{edge}" stroke-width=".028" stroke-linejoin="round"'
    middle = number(top / 2 + ry)
    return (
        f'<path d="M{-rx} {top}V0A{rx} {ry} 0 0 0 {rx} 0V{top}Z" fill="{paint.fill}" {stroke}/>'
        f'<path d="M{number(rx * 0.62)} {number(top + ry * 0.78)}v{DRUM_HEIGHT}A{rx} {ry} 0 0 0 {rx} 0V{top}'
        f'A{rx} {ry} 0 0 1 {number(rx * 0.62)} {number(top + ry * 0.78)}Z" fill="{paint.shade}" fill-opacity=".55"/>'
        f'<ellipse cy="{top}" rx="{rx}" ry="{ry}" fill="{paint.gleam}" {stroke}/>'
        + pattern(look, rx * 0.55, ry * 0.55, 0, top)
        + f'<text y="{middle}" dy=".1" text-anchor="middle" font-family="sans-serif" font-size=".29" '
        f'font-weight="bold" fill="{paint.pattern}">{look.letter}</text>'
    )


def chip(look: Look, theme: Theme) -> str:
    """Returns a piece as a small tile with its letter, for lists; 1 wide and 1 high."""
    edge, paint = outline(look, theme), PAINTS[look.colour]
    return (
        f'<rect x="-.45" y="-.45" width=".9" height=".9" rx=".2" fill="{paint.fill}" stroke="{edge}" '
        'stroke-width=".07"/>'
        f'<text y=".26" text-anchor="middle" font-family="sans-serif" font-size=".74" font-weight="bold" '
        f'fill="{paint.pattern}">{look.letter}</text>'
    )


# Marks -------------------------------------------------------------------------------------------------------------


def piece_mark(mark: str, theme: Theme) -> str:
    """Returns what is drawn upon a piece for a mark; a mark without a picture of its own is a star."""
    if mark == "pinned":
        return _lock(theme)
    if mark == "marker":
        return _pin(theme)
    if mark == "sage":
        return _SAGE
    if mark == "monkey":
        return _MONKEY
    return f'<g transform="translate(.22 .2)">{_flame(0, 0, theme)}</g>'


def _lock(theme: Theme) -> str:
    return (
        f'<circle cx=".22" cy=".24" r=".135" fill="{theme.panel}" stroke="{theme.ink}" stroke-width=".02"/>'
        f'<path d="M.175 .23V.2a.045.045 0 0 1 .09 0V.23" fill="none" stroke="{theme.ink}" stroke-width=".026"/>'
        f'<rect x=".15" y=".225" width=".14" height=".1" rx=".02" fill="{theme.ink}"/>'
    )


def _pin(theme: Theme) -> str:
    return (
        '<ellipse cx=".03" cy=".035" rx=".11" ry=".1" fill="#000" fill-opacity=".35"/>'
        f'<circle cy="-.03" r=".105" fill="{theme.accent}" stroke="#fff8ea" stroke-width=".03"/>'
        '<circle cx="-.032" cy="-.062" r=".03" fill="#fff" fill-opacity=".8"/>'
    )


_INK = "#2b1a10"
_SAGE = (
    f'<g stroke="{_INK}" stroke-width=".018" stroke-linejoin="round">'
    '<path d="M-.25.27C-.25.08-.14.02 0 .02S.25.08.25.27Z" fill="#f4ead2"/>'
    '<path d="M-.06.04L0 .2L.06.04" fill="#d9c79d"/>'
    '<circle cy="-.29" r=".055" fill="#e9e4da"/>'
    '<circle cy="-.11" r=".145" fill="#f2cfa6"/>'
    '<path d="M-.145-.11C-.16-.22-.1-.27 0-.27S.16-.22.145-.11C.11-.17.06-.2 0-.2S-.11-.17-.145-.11Z" fill="#e9e4da"/>'
    '<path d="M-.13-.07C-.13.1-.06.2 0 .25C.06.2.13.1.13-.07C.08-.01.04-.03 0-.03S-.08-.01-.13-.07Z" fill="#fffdf6"/>'
    "</g>"
    f'<path d="M-.085-.125h.05M.035-.125h.05" stroke="{_INK}" stroke-width=".024" stroke-linecap="round"/>'
    f'<path d="M-.03.02Q0 .035.03.02" fill="none" stroke="{_INK}" stroke-width=".016" stroke-linecap="round"/>'
)
_MONKEY = (
    f'<g stroke="{_INK}" stroke-width=".018" stroke-linejoin="round">'
    '<circle cx="-.22" cy="-.03" r=".075" fill="#8a5a34"/><circle cx=".22" cy="-.03" r=".075" fill="#8a5a34"/>'
    '<path d="M-.04-.22Q-.02-.3.06-.3Q.03-.26.05-.22Z" fill="#8a5a34"/>'
    '<circle cy="-.03" r=".21" fill="#8a5a34"/>'
    "</g>"
    '<circle cx="-.22" cy="-.03" r=".038" fill="#e9bf95"/><circle cx=".22" cy="-.03" r=".038" fill="#e9bf95"/>'
    '<circle cx="-.068" cy="-.065" r=".082" fill="#f0cfa8"/><circle cx=".068" cy="-.065" r=".082" fill="#f0cfa8"/>'
    '<ellipse cy=".06" rx=".135" ry=".1" fill="#f0cfa8"/>'
    f'<circle cx="-.065" cy="-.06" r=".027" fill="{_INK}"/><circle cx=".065" cy="-.06" r=".027" fill="{_INK}"/>'
    f'<path d="M-.025.015h.01M.015.015h.01M-.07.075Q0 .125.07.075" fill="none" stroke="{_INK}" stroke-width=".02" '
    'stroke-linecap="round"/>'
)


def die(points: int, theme: Theme) -> str:
    """Returns a die that shows so many points; 1 wide and 1 high."""
    odd, corners = points % 2, {1: 0, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2}.get(points, 0)
    spots = [(0.0, 0.0)] * odd
    spots += [(0.26, -0.26), (-0.26, 0.26)] * (corners >= 1) + [(-0.26, -0.26), (0.26, 0.26)] * (corners >= 2)
    spots += [(-0.26, 0.0), (0.26, 0.0)] * (points == 6)
    return (
        f'<rect x="-.48" y="-.48" width=".96" height=".96" rx=".2" fill="{theme.panel}" stroke="{theme.ink}" '
        'stroke-width=".05"/>'
        + "".join(f'<circle cx="{number(x)}" cy="{number(y)}" r=".095" fill="{theme.ink}"/>' for x, y in spots)
    )
