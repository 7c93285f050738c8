"""Where a game's table is and whether it has been built: the one place that knows. Imports no NumPy."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from damier.core import folders

if TYPE_CHECKING:
    from damier.core.game import Game


def table_path(game: Game, folder: Path | None = None) -> Path:
    """Returns the path of a game's table, built or not; `folder` overrides the user's folder of tables."""
    options = "".join(f"-{name}={value}" for name, value in game.options.items())
    return (folder or folders.table_folder()) / f"{game.name}{options}.table"


def has_table(game: Game, folder: Path | None = None) -> bool:
    """Tells whether a game's table has been built; `folder` overrides the user's folder of tables."""
    try:
        found = table_path(game, folder).stat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size > 0  # an empty file was never written
