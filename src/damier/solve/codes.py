"""The codes of table entries, for the player on move: outcome and distance with best play, or the chance to win.

Outcomes have one byte, or two where the numbering defines LONG_CODES of the contract: kernels that import these names
are bound to what the numbering has, other code asks `OutcomeCodes`.

    DRAWN        while a table is built: drawn or unknown
    WON          already; n below, from 1 to WON - 1, is a win in n plies
    LOST         already; LOST + n, up to MARKED - 1, is a loss in n plies
    MARKED       while a table is built: may be lost, to be examined
    FREE         a number without a position
    MOST_PLIES   the longest distance
    SAFE         while a table is built: not lost, may be won; above MOST_PLIES, so never a distance
"""

from dataclasses import dataclass
from types import ModuleType

from damier.core.kernel import contract
from damier.core.kernel.contract import FREE, LOST, MARKED, MOST_PLIES, SAFE, WON

__all__ = ["DRAWN", "FREE", "LOST", "MARKED", "MOST_PLIES", "SAFE", "WON"]

CODING = "win-draw-loss-8"
LONG_CODING = "win-draw-loss-16"
CHANCE_CODING = "chance-16"

DRAWN = 0

CERTAIN = 64800  # the chance 1 in 16 bits; hundredths and the mean of up to four rolls are whole numbers


@dataclass(frozen=True)
class OutcomeCodes:
    """The codes of one table of wins, draws and losses."""

    won: int
    lost: int
    safe: int
    most_plies: int
    marked: int
    free: int

    @property
    def entry_bytes(self) -> int:
        """The bytes of an entry."""
        return 1 if self.count == 256 else 2

    @property
    def count(self) -> int:
        """The number of codes."""
        return self.free + 1

    @property
    def coding(self) -> str:
        """The name of the encoding in table files."""
        return CODING if self.entry_bytes == 1 else LONG_CODING


def outcome_codes(index: ModuleType) -> OutcomeCodes:
    """Returns the codes of tables with a numbering."""
    names = ("WON", "LOST", "SAFE", "MOST_PLIES", "MARKED", "FREE")
    return OutcomeCodes(*(getattr(index, name, getattr(contract, name)) for name in names))


BYTE_CODES = outcome_codes(contract)
