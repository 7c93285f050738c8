"""Grades actions: the marks ``?!``, ``?``, ``??`` and ``!``, and the accuracy of a player.

One definition for the shell, the pages and records. All follows from winning chances, 0 to 1, a draw of two players
being 0.5; chances of a table and those of a search are graded alike, and whoever shows a mark says which they are.

- ``?!`` gives away at least `INACCURACY` of the winning chance,
- ``?`` at least `MISTAKE`: half a result (win to draw, draw to loss) is one,
- ``??`` more than `HALF_A_RESULT`: a win becomes a loss,
- ``!`` is the only action that keeps the result: each of at least `OTHERS` others would have been ``?`` or worse.

There is no ``!!``: no number says how hard an action was to find.
"""

from collections.abc import Sequence
from typing import Literal

Mark = Literal["!", "?!", "?", "??"]

INACCURACY = 0.05
MISTAKE = 0.15
HALF_A_RESULT = 0.5
OTHERS = 2
_ROUNDING = 1e-6  # of chances that are sums of floats


def mark_of(loss: float | None, margin: float | None, choices: int) -> Mark | None:
    """Returns the mark of an action; None for most, and for a roll, which has no loss.

    `margin` is what the best of the other actions would have cost, None where that is not known; `choices` is the
    number of legal actions.
    """
    if loss is None:
        return None
    if loss > HALF_A_RESULT + _ROUNDING:
        return "??"
    if loss >= MISTAKE - _ROUNDING:
        return "?"
    if loss >= INACCURACY - _ROUNDING:
        return "?!"
    is_only = margin is not None and margin >= MISTAKE - _ROUNDING and choices > OTHERS
    return "!" if is_only else None


def accuracy(losses: Sequence[float]) -> float | None:
    """Returns the accuracy of a player, 0 to 1: what an action kept of the winning chance, on average.

    `losses` are those of the player's actions for which there was a choice; None if there was none.
    """
    return 1 - sum(losses) / len(losses) if losses else None
