"""Draws the pictures of the documentation from the positions named beside them.

python -m tools.pictures           write src/damier/games/*/pictures/*.svg, docs/img/*.svg and docs/solutions/img/*.svg
python -m tools.pictures --check   fail if one is missing, out of date or no longer used
"""

import sys
from pathlib import Path

from damier import games, load
from damier.core.messages import LANGUAGES
from damier.draw.svg import board_svg
from damier.teach.rules.pages import pictures, rule_folder, rule_page
from tools.solutions import pages

DOCS = Path(__file__).parent.parent / "docs"


def drawn() -> dict[Path, str]:
    """Returns every picture by its file."""
    files: dict[Path, str] = {}
    for game in games():
        for lang in LANGUAGES:
            for picture in pictures(game, rule_page(game, lang)):
                path = rule_folder(game) / picture.file
                svg = board_svg(picture.position, actions=picture.actions, size=420)
                if files.setdefault(path, svg) != svg:
                    raise SystemExit(f"{path.name} shows different positions in different languages")
    readme = load("renfa").parse("3W1/W1W1B/1BW2/1B2W/B2B1 b 0,0")
    for theme in ("light", "dark"):
        actions = ("b3-a3", "b3-b4", "b3-b5", "*c3")
        files[DOCS / "img" / f"board-{theme}.svg"] = board_svg(readme, theme=theme, actions=actions, size=420)
    return files | {path: svg for path, svg in pages().items() if path.suffix == ".svg"}


def main() -> int:
    """Writes the pictures; with --check, reports those that are out of date."""
    files = drawn()
    is_check = "--check" in sys.argv
    found = []
    for path, svg in files.items():
        if is_check:
            if not path.exists() or path.read_text(encoding="utf-8") != svg:
                found.append(f"{path.name} is not up to date: run make pictures")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(svg, encoding="utf-8")
    for folder in {path.parent for path in files}:
        for path in sorted(folder.glob("*.svg")):
            if path not in files:
                if is_check:
                    found.append(f"{path.name} is no longer used: run make pictures")
                else:
                    path.unlink()
    print("\n".join(found) or f"{len(files)} pictures")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
