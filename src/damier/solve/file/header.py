"""What the header of a new table says before its entries are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.version import __version__
from damier.solve.codes import CHANCE_CODING
from damier.solve.file.reader import TableHeader

if TYPE_CHECKING:
    from damier.solve.numbering import Numbering

RULES_VERSION = 1
PLIES, PROBABILITY = "plies", "probability"  # what a value measures


def new_header(numbering: Numbering) -> TableHeader:
    """Returns the header of a game's table."""
    game, is_chance = numbering.game, numbering.coding == CHANCE_CODING
    return TableHeader(
        game=game.name,
        options=dict(game.options),
        rules_version=RULES_VERSION,
        index=numbering.scheme,
        metric=PROBABILITY if is_chance else PLIES,
        coding=numbering.coding,
        entry_bytes=2 if is_chance else 1,
        solver=__version__,
        tiers=numbering.tiers,
    )
