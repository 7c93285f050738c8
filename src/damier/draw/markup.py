"""Numbers, escaped text and labels as SVG markup."""

import re
from xml.sax.saxutils import escape

#: Characters that XML cannot contain, even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def number(value: float) -> str:
    """Returns a length, rounded to three decimals so that equal pictures are equal texts."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def pair(place: tuple[float, float]) -> str:
    """Returns the coordinates of a point, rounded to two decimals."""
    return f"{number(round(place[0], 2))} {number(round(place[1], 2))}"


def xml_text(text: str) -> str:
    """Returns escaped text; characters that XML cannot contain become U+FFFD."""
    return escape(_NOT_XML.sub("\ufffd", text))


def label(x: float, y: float, text: str, colour: str, size: float, anchor: str = "start", bold: bool = False) -> str:
    """Returns a ``text`` element."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{number(round(x, 2))}" y="{number(round(y, 2))}" font-family="sans-serif" '
        f'font-size="{number(round(size, 2))}"{weight} text-anchor="{anchor}" fill="{colour}">{xml_text(text)}</text>'
    )
