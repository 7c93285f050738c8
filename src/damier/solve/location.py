"""Where tables are; without NumPy, so that it costs nothing to find none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from damier.core import folders

if TYPE_CHECKING:
    from damier.core.game import Game


def table_path(game: Game, folder: Path | None = None) -> Path:
    """Returns where the table of a game is, or would be."""
    options = "".join(f"-{name}={value}" for name, value in game.options.items())
    return (folder or folders.table_folder()) / f"{game.name}{options}.table"
