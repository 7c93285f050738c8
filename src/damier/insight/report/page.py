"""A report as it is written: a page in Markdown and its pictures.

Nothing on it is typed by hand, and the same table gives the same bytes. The pictures are in the folder ``img`` beside
the page; those of boards have the position in their title, as on the rule pages.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from damier.insight.report.pictures import board

if TYPE_CHECKING:
    from damier.core.position import Position
    from damier.solve.tables import Tables


class ReportPage(ABC):
    """The page about one table."""

    PICTURES: ClassVar[tuple[str, ...]]
    """What the pictures may be called, after the name of the page."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.game, self.header, self.name = tables.game, tables.file.header, report_name(tables)
        self.pictures: dict[str, str] = {}

    @abstractmethod
    def blocks(self) -> list[str]:
        """Returns the page, block by block."""

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """Returns what the page says as data, in no language."""

    def picture(self, name: str, alt: str, svg: str, title: str = "") -> str:
        """Keeps a picture and returns what shows it."""
        assert name in self.PICTURES
        self.pictures[name] = svg
        return f"![{alt}](img/{self.name}-{name}.svg{title})"

    def board(self, name: str, alt: str, position: Position, *actions: str, last: str | None = None) -> str:
        """Keeps the picture of a board and returns what shows it."""
        said = [str(position), " ".join(actions), self.game.options_text]
        while not said[-1]:
            said.pop()
        return self.picture(name, alt, board(position, *actions, last=last), f' "{"; ".join(said)}"')

    def write(self, folder: Path) -> Path:
        """Writes the page and its pictures into a folder and returns the page."""
        page = "\n\n".join(self.blocks()) + "\n"
        images = folder / "img"
        images.mkdir(parents=True, exist_ok=True)
        for name in self.PICTURES:
            file = images / f"{self.name}-{name}.svg"
            if name in self.pictures:
                file.write_text(self.pictures[name], encoding="utf-8")
            else:
                file.unlink(missing_ok=True)  # of an earlier report
        path = folder / f"{self.name}.md"
        path.write_text(page, encoding="utf-8")
        return path


def report_name(tables: Tables) -> str:
    """Returns what a report is called: the game, and the options that are not as usual."""
    game = tables.game
    usual = type(game)(game.definition).options
    return game.name + "".join(f"-{name}={value}" for name, value in game.options.items() if usual.get(name) != value)
