"""Generates the palette and the general artwork of the browser client.

python -m tools.artwork           write palette.css, boards.css, artwork.js, manifest and icons of the client
python -m tools.artwork --check   fail if one of them is out of date
"""

import json
import sys
from pathlib import Path

import resvg_py

import damier
from damier.draw import artwork
from damier.draw.artwork import SIGNS, cube, die, shadow, sign, spark
from damier.draw.palette import THEMES, board_stylesheet, stylesheet

CLIENT = Path(damier.__file__).parent / "server" / "client"
ICONS = {"icon-180": 180, "icon-192": 192, "icon-512": 512, "maskable-512": 512}
"""Icons of the app, with their widths; of a maskable one a system may cut off a fifth on every side."""


def generated() -> dict[Path, str]:
    """Returns the generated files with their text."""
    return {
        CLIENT / "styles" / "palette.css": stylesheet(),
        CLIENT / "styles" / "settings" / "boards.css": board_stylesheet(),
        CLIENT / "board" / "artwork.js": _module(),
        CLIENT / "manifest.webmanifest": _manifest(),
    }


def _manifest() -> str:
    """Returns what a system reads when damier is installed as an app; addresses of icons are relative to it."""
    icons = [
        {
            "src": f"icons/{name}.png",
            "sizes": f"{width}x{width}",
            "type": "image/png",
            "purpose": "maskable" if name.startswith("maskable") else "any",
        }
        for name, width in ICONS.items()
    ]
    data = {
        "id": "/",
        "name": "damier",
        "short_name": "damier",
        "description": "Abstract board games to play, learn and analyse",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": THEMES["light"].page,
        "theme_color": THEMES["light"].page,
        "categories": ["games"],
        "icons": [*icons, {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
    }
    return json.dumps(data, indent=2) + "\n"


def icon(name: str) -> bytes:
    """Returns an icon as PNG, drawn from the client's `icon.svg`."""
    drawing = (CLIENT / "icon.svg").read_text("utf-8")
    if name.startswith("maskable"):
        inner = drawing.replace("<svg ", '<svg x="5" y="5" width="22" height="22" ', 1)
        ground = f'<rect width="32" height="32" fill="{THEMES["light"].frame}"/>'
        drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">{ground}{inner}</svg>'
    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=ICONS[name], height=ICONS[name]))


def _module() -> str:
    faces = "".join(f"  '{die(points)}',\n" for points in range(1, 7))
    signs = "".join(
        f"  {view}: {{\n" + "".join(f"    {name}: '{sign(name, view)}',\n" for name in SIGNS) + "  },\n"
        for view in ("flat", "isometric")
    )
    return f"""/** Generated from src/damier/draw by python -m tools.artwork. */

/** How much a board seen at an angle is foreshortened. */
export const TILT = {artwork.TILT};

/** Half the width of a drum, half the depth of its face, and its height, in cells. */
export const DRUM = {{ width: {artwork.DRUM_WIDTH}, depth: {artwork.DRUM_DEPTH}, height: {artwork.DRUM_HEIGHT} }};

/** Brackets in the corners of a marked cell: their distance from the corner and their length, as shares of the way. */
export const BRACKET = {{ inset: {artwork.BRACKET_INSET}, arm: {artwork.BRACKET_ARM} }};

/** Gaps between the line of a move and the middles of its cells, in cells; `taken` before a piece. */
export const LINE = {{ start: {artwork.LINE_START}, end: {artwork.LINE_END}, taken: {artwork.LINE_END_TAKEN} }};

/** Arrows of the last turn, in cells: the gap before the middle of the target, the head, the line, and its halo. */
export const ARROW = {{
  end: {artwork.ARROW_END},
  head: {artwork.ARROW_HEAD},
  width: {artwork.ARROW_WIDTH},
  halo: {artwork.ARROW_HALO},
}};

/** The shadow of a piece on a board seen at an angle, and how much wider it is for each further piece of a stack. */
// prettier-ignore
export const SHADOW = '{shadow()}';
export const SPREAD = {artwork.SHADOW_SPREAD};

/** The sides and the shadow of a die on the table, and its edge in cells. */
// prettier-ignore
export const CUBE = '{cube()}';
export const EDGE = {artwork.DIE_EDGE};

/** A star with eight points, for bursts. */
// prettier-ignore
export const SPARK = '{spark()}';

/**
 * Marks of cells that take part in an action, by view and name.
 *
 * @type {{Record<string, Record<string, string>>}}
 */
// prettier-ignore
export const SIGNS = {{
{signs}}};

/** The faces of a die, from 1 to 6 points. */
// prettier-ignore
export const DIE = [
{faces}];
"""


def main() -> int:
    """Writes the files; with --check, reports those that are out of date."""
    stale = [path for path, text in generated().items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv:
        print(
            "\n".join(f"{path.name} is out of date: run python -m tools.artwork" for path in stale)
            or "artwork is current"
        )
        return 1 if stale else 0
    for name in ICONS:
        (CLIENT / "icons").mkdir(exist_ok=True)
        (CLIENT / "icons" / f"{name}.png").write_bytes(icon(name))
    for path in stale:
        path.write_text(generated()[path], encoding="utf-8")
    print(f"{len(stale)} files written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
